//! Reads keywords with their arguments.

use super::body::Level;
use super::{Literal as _, Reader, unknown_name};
use plantime::rule::{Argument as Operand, Keyword, PathExpr, Rule, from_keyword, keyword, keywords};
use plantime::{Number, Value};
use plantime_hcl::{Argument, Expression};

impl Reader {
    /// The rule that a keyword with its argument stands for, and the description if the argument is a pair `["text",
    /// argument]`. `None` after a problem, and for a flag that is false.
    pub(super) fn rule_of(&mut self, attribute: &Argument, level: Level) -> Option<(Rule, Option<String>)> {
        let written = &*attribute.name;
        let row = match keyword(written) {
            Ok(row) => row,
            Err(_) => {
                let message = unknown_keyword(written, level);
                self.add_problem(attribute, message);
                return None;
            }
        };
        let of_value = matches!(level, Level::Value | Level::Part);
        let of_change = matches!(level, Level::Change | Level::Part);
        let belongs = match (row.argument, row.name) {
            (Operand::Rule | Operand::Rules, _) => {
                self.add_problem(attribute, format!("`{written}` is a block: {written} {{ … }}"));
                return None;
            }
            (
                Operand::Paths,
                "at_least_sum_of" | "at_most_sum_of" | "equal_to_sum_of" | "equal_to_product_of",
            ) => of_value.then_some(()).ok_or("a block `attribute \"PATH\"`"),
            (Operand::Paths | Operand::Requirement, _) => {
                (level != Level::Change).then_some(()).ok_or("the rule itself, or a block `attribute`")
            }
            (_, "only_increase" | "only_decrease" | "multiple_of_old" | "immutable") => {
                of_change.then_some(()).ok_or("a block `change \"PATH\"`")
            }
            _ => of_value.then_some(()).ok_or("a block `attribute \"PATH\"`"),
        };
        if let Err(place) = belongs {
            self.add_problem(attribute, format!("`{written}` belongs into {place}"));
            return None;
        }
        let (argument, description) = split_description(row.argument, &attribute.expression);
        let argument = &argument;
        let value = self.read_literal(argument)?;
        if takes_list(row.argument) && argument.items().is_some_and(|list| list.is_empty()) {
            self.add_problem(
                argument,
                format!("`{written}` takes {}; this one is empty", row.argument.describe()),
            );
            return None;
        }
        if row.name == "also_requires" && argument.items().is_some_and(|list| list.len() < 2) {
            self.add_problem(argument, format!("{written} takes a list of two paths or more"));
            return None;
        }
        if let Some(message) = misread_argument(written, row, &value) {
            self.add_problem(argument, message);
            return None;
        }
        match from_keyword(row.name, &value) {
            Ok(rule) => rule.map(|rule| (rule, description)),
            Err(error) => {
                self.add_problem(argument, error.message().to_owned());
                None
            }
        }
    }

    /// Reads a literal as a value.
    fn read_literal(&mut self, expression: &Expression) -> Option<Value> {
        if let Some(value) = expression.as_literal() {
            return Some(value);
        }
        let built = if let Some(items) = expression.items() {
            let items: Option<Vec<Value>> = items.iter().map(|item| self.read_literal(item)).collect();
            Value::tuple(items?)
        } else if let Some(entries) = expression.entries() {
            let mut read = Vec::new();
            for (key, value) in &entries {
                let name = match key.as_reference() {
                    Some(name) if name.steps().is_empty() => Some(name.root().to_owned()),
                    _ => key.as_text(),
                };
                let Some(name) = name else { return self.literal_expected(key) };
                read.push((name, self.read_literal(value)?));
            }
            Value::object(read)
        } else {
            return self.literal_expected(expression);
        };
        match built {
            Ok(value) => Some(value),
            Err(error) => {
                self.add_problem(expression, format!("{error}"));
                None
            }
        }
    }

    /// Reports that an expression is not a literal; always returns `None`.
    fn literal_expected<T>(&mut self, expression: &Expression) -> Option<T> {
        self.add_problem(expression, format!("expected a literal value, not {}", expression.description()));
        None
    }
}

/// The message for an argument that the author probably means in another way: as written, the rule would pass or fail
/// on everything. `None` if there is no such suspicion.
fn misread_argument(written: &str, row: &Keyword, argument: &Value) -> Option<String> {
    let text = argument.as_str().ok()?;
    let (number, path) = (text.parse::<Number>().is_ok(), text.parse::<PathExpr>().is_ok());
    match (row.argument, row.name) {
        (Operand::Bound, name) if number => {
            let other = if name == "min" { "not_before" } else { "not_after" };
            Some(format!(
                "`{written}` compares texts character by character: \"9\" comes after \"14\"; write \
                 {written} = {text} for a number, or {other} = \"{text}\" for the order of texts"
            ))
        }
        (Operand::Value | Operand::Text, _) if path && text.starts_with('<') => Some(format!(
            "`{written}` takes a literal, and \"{text}\" is written like the place of another attribute, which only \
             sums take: write equal_to_sum_of = [\"{text}\"] for numbers"
        )),
        _ => None,
    }
}

/// The message for an unknown keyword `written` in a rules file: `unknown rule …`, or that it is not supported yet.
fn unknown_keyword(written: &str, level: Level) -> String {
    if written == "same_as" {
        return "`same_as` belongs into a block `attribute \"PATH\"` or `value` of the rule itself"
            .to_owned();
    }
    let mut names: Vec<&str> = keywords()
        .iter()
        .flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()))
        .collect();
    if matches!(level, Level::Resource | Level::Output) {
        names.extend(super::body::RULE_ARGUMENTS);
    }
    unknown_name("rule", written, &names)
}

/// Whether an argument of this kind is a list.
fn takes_list(argument: Operand) -> bool {
    use Operand::{Bits, Lengths, Numbers, Paths, Texts, Values};
    matches!(argument, Values | Texts | Paths | Bits | Lengths | Numbers)
}

/// Splits a pair `["text", argument]` into the argument and the description. Where the argument is itself a list, only a list
/// in second place makes a pair.
pub(super) fn split_description(argument: Operand, written: &Expression) -> (Expression, Option<String>) {
    if let Some([first, second]) = written.items().and_then(|items| <[Expression; 2]>::try_from(items).ok())
        && let Some(text) = first.as_text()
        && (!takes_list(argument) || second.items().is_some())
    {
        return (second, Some(text));
    }
    (written.clone(), None)
}
