//! Reads keywords with their arguments.

use hcl_edit::Span;
use hcl_edit::expr::{Expression, ObjectKey, UnaryOperator};
use hcl_edit::structure::Attribute;

use super::body::Level;
use super::{Reader, text, unknown_name};
use plantime::rule::{Argument, Keyword, PathExpr, Rule, from_keyword, keyword, keywords};
use plantime::{Number, Result, Value};

/// Names that a later version may support; the message for them says so.
const PLANNED_NAMES: &[&str] = &["condition", "error_message", "for_each", "locals"];

/// The number of characters of a number that a message quotes.
const SHOWN_DIGITS: usize = 40;

impl Reader {
    /// The rule that a keyword with its argument stands for, and the description if the argument is a pair `["text",
    /// argument]`. `None` after a problem, and for a flag that is false.
    pub(super) fn rule_of(&mut self, attribute: &Attribute, level: Level) -> Option<(Rule, Option<String>)> {
        let written = attribute.key.as_str();
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
            (Argument::Rule | Argument::Rules, _) => {
                self.add_problem(attribute, format!("`{written}` is a block: {written} {{ … }}"));
                return None;
            }
            (
                Argument::Paths,
                "at_least_sum_of" | "at_most_sum_of" | "equal_to_sum_of" | "equal_to_product_of",
            ) => of_value.then_some(()).ok_or("a block `attribute \"PATH\"`"),
            (Argument::Paths | Argument::Requirement, _) => {
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
        let (argument, description) = split_description(row.argument, &attribute.value);
        let value = self.read_literal(argument)?;
        if takes_list(row.argument) && argument.as_array().is_some_and(|list| list.is_empty()) {
            self.add_problem(
                argument,
                format!("`{written}` takes {}; this one is empty", row.argument.describe()),
            );
            return None;
        }
        if row.name == "also_requires" && argument.as_array().is_some_and(|list| list.len() < 2) {
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

    /// Reads a literal as a value. The parser of HCL nests no deeper than 64 levels.
    fn read_literal(&mut self, expression: &Expression) -> Option<Value> {
        let built = match expression {
            Expression::Null(_) => Ok(Value::null(plantime::Type::Dynamic)),
            Expression::Bool(value) => Ok(Value::from(*value.value())),
            Expression::String(text) => Ok(Value::from(text.as_str())),
            Expression::Number(_) | Expression::UnaryOp(_) => match self.read_number(expression) {
                Some(Ok(number)) => Ok(Value::from(number)),
                Some(Err(error)) => {
                    let written = self.written(expression).unwrap_or_default();
                    let shown: String = written.chars().take(SHOWN_DIGITS).collect();
                    let more = if shown.len() < written.len() { "…" } else { "" };
                    let message = format!("the number {shown}{more} is out of range: {}", error.message());
                    self.add_problem(expression, message);
                    return None;
                }
                None => return self.literal_expected(expression),
            },
            Expression::Array(array) => {
                let items: Option<Vec<Value>> = array.iter().map(|item| self.read_literal(item)).collect();
                Value::tuple(items?)
            }
            Expression::Object(object) => {
                let mut entries = Vec::new();
                for (key, value) in object.iter() {
                    let name = match key {
                        ObjectKey::Ident(name) => name.as_str(),
                        ObjectKey::Expression(Expression::String(name)) => name.as_str(),
                        ObjectKey::Expression(other) => return self.literal_expected(other),
                    };
                    entries.push((name.to_owned(), self.read_literal(value.expr())?));
                }
                Value::object(entries)
            }
            other => return self.literal_expected(other),
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
        self.add_problem(
            expression,
            format!("expected a literal value, not {}", text::expression_kind(expression)),
        );
        None
    }

    /// The text of an expression.
    fn written(&self, expression: &Expression) -> Option<&str> {
        Some(self.source.text().get(expression.span()?)?.trim())
    }

    /// The exact value of a number literal or a negated one; an error if it is out of range. `None` for other expressions.
    fn read_number(&self, expression: &Expression) -> Option<Result<Number>> {
        match expression {
            Expression::Number(_) => Some(self.written(expression)?.parse()),
            Expression::UnaryOp(operation) if *operation.operator.value() == UnaryOperator::Neg => {
                match &operation.expr {
                    number @ Expression::Number(_) => {
                        Some(self.read_number(number)?.map(|number| number.negate()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The message for an argument that the author probably means in another way: as written, the rule would pass or fail
/// on everything. `None` if there is no such suspicion.
fn misread_argument(written: &str, row: &Keyword, argument: &Value) -> Option<String> {
    let text = argument.as_str().ok()?;
    let (number, path) = (text.parse::<Number>().is_ok(), text.parse::<PathExpr>().is_ok());
    match (row.argument, row.name) {
        (Argument::Bound, name) if number => {
            let other = if name == "min" { "not_before" } else { "not_after" };
            Some(format!(
                "`{written}` compares texts character by character: \"9\" comes after \"14\"; write \
                 {written} = {text} for a number, or {other} = \"{text}\" for the order of texts"
            ))
        }
        (Argument::Value | Argument::Text, _) if path && text.starts_with('<') => Some(format!(
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
    if PLANNED_NAMES.contains(&written) {
        return format!("`{written}` is not supported yet");
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
fn takes_list(argument: Argument) -> bool {
    use Argument::{Bits, Lengths, Numbers, Paths, Texts, Values};
    matches!(argument, Values | Texts | Paths | Bits | Lengths | Numbers)
}

/// Splits a pair `["text", argument]` into the argument and the description. Where the argument is itself a list, only a list
/// in second place makes a pair.
pub(super) fn split_description(argument: Argument, written: &Expression) -> (&Expression, Option<String>) {
    if let Expression::Array(array) = written
        && let (Some(Expression::String(text)), Some(second), 2) = (array.get(0), array.get(1), array.len())
        && (!takes_list(argument) || second.is_array())
    {
        return (second, Some(text.as_str().to_owned()));
    }
    (written, None)
}
