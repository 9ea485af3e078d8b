//! The manual page of a keyword, derived from the rule itself.

use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

use crate::rule::describe::escaped;
use crate::rule::{Argument, Keyword, Outcome, Request, Rule, System};

/// The manual page of a keyword: its row in the [keyword table](crate::rule::keywords), an example, and what the example
/// answers when it is checked.
///
/// ```
/// use plantime::rule::keyword;
///
/// let manual = keyword("starts_with")?.manual()?;
/// assert_eq!(manual.example, r#"starts_with = "vpc-""#);
/// assert_eq!(manual.says, r#"starts with "vpc-""#);
/// assert_eq!(manual.null, "pass");
/// assert_eq!(manual.unknown, "undetermined: passes if n turns out to start with \"vpc-\"");
/// assert_eq!(manual.message.as_deref(), Some("Attribute n value must start with \"vpc-\", got: \"\""));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manual {
    /// The row of the keyword table.
    pub keyword: &'static Keyword,
    /// The example, as a rules file writes it.
    pub example: String,
    /// The rule of the example, on one line.
    pub rule: String,
    /// What the example requires, in words.
    pub says: String,
    /// What the example requires, in Markdown.
    pub markdown: String,
    /// The outcome where all values that the example reads are null.
    pub null: String,
    /// The outcome where all values that the example reads are unknown.
    pub unknown: String,
    /// The message of a failing value, if one was found.
    pub message: Option<String>,
}

impl Keyword {
    /// The manual page of the rule.
    ///
    /// [Example](Manual)
    ///
    /// # Errors
    ///
    /// None for the rows of the [keyword table](crate::rule::keywords).
    pub fn manual(&'static self) -> Result<Manual> {
        let argument = argument(self)?;
        let rule = Rule::from_form(&Value::object([(self.name, argument.clone())])?)?;
        let place = Subject::of(self);
        let asked = match place {
            Subject::Whole => rule.clone(),
            Subject::Part => Rule::at("n".parse()?, rule.clone())?,
        };
        let nulls = |of: Value| Value::object(["a", "b", "n"].map(|name| (name, of.clone())));
        let null = nulls(Value::null(Type::Dynamic))?;
        let unknown = nulls(Value::dynamic())?;
        let message = failure_message(&asked);
        Ok(Manual {
            keyword: self,
            example: example(self, &argument),
            rule: rule.to_string(),
            says: rule.describe(),
            markdown: rule.markdown(),
            null: answer(&asked, &null),
            unknown: answer(&asked, &unknown),
            message,
        })
    }
}

/// Which value the example of a manual page is evaluated on.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    /// An object with the attributes `a`, `b` and `n`.
    Whole,
    /// Its attribute `n`.
    Part,
}

impl Subject {
    /// Which value the example of a keyword is about: rules on paths and keys are about the whole object.
    fn of(keyword: &Keyword) -> Subject {
        match keyword.argument {
            Argument::Paths if !is_arithmetic(keyword) => Subject::Whole,
            Argument::Requirement | Argument::Keys => Subject::Whole,
            _ => Subject::Part,
        }
    }
}

/// Whether the keyword compares a number with a sum or product of its sibling attributes.
fn is_arithmetic(keyword: &Keyword) -> bool {
    keyword.name.ends_with("_sum_of") || keyword.name.ends_with("_product_of")
}

/// The argument in the example of a keyword.
fn argument(keyword: &Keyword) -> Result<Value> {
    let starts_with = || Value::object([("starts_with", "vpc-")]);
    let ends_with = || Value::object([("ends_with", "-a")]);
    let texts = |texts: [&str; 2]| Value::tuple(texts);
    match keyword.argument {
        Argument::Flag | Argument::Keys => Ok(Value::from(true)),
        Argument::Text => Ok(Value::from("vpc-")),
        Argument::Length => Ok(Value::from(3)),
        Argument::Number | Argument::Bound => Ok(Value::from(2)),
        Argument::Pattern => Ok(Value::from("^vpc-[0-9a-f]+$")),
        Argument::Value => Ok(Value::from("a")),
        Argument::Values | Argument::Texts => texts(["a", "b"]),
        Argument::Format => Ok(Value::from("cidr")),
        Argument::Type => Ok(Value::from("list(string)")),
        Argument::Bits | Argument::Lengths => Value::tuple([16, 24]),
        Argument::Numbers => Value::tuple([2, 3]),
        Argument::Paths if is_arithmetic(keyword) => texts(["<.a", "<.b"]),
        Argument::Paths => texts(["a", "b"]),
        Argument::Requirement => Value::object([
            ("path", Value::from("a")),
            ("one_of", Value::tuple(["x"])?),
            ("required", Value::tuple(["b"])?),
        ]),
        Argument::Rule if matches!(keyword.name, "not" | "keys" | "each") => starts_with(),
        Argument::Rule | Argument::Rules => Value::tuple([starts_with()?, ends_with()?]),
    }
}

/// Writes the example of a keyword as a rules file does: `min_len = 3`, or a block.
fn example(keyword: &Keyword, argument: &Value) -> String {
    let name = keyword.name;
    let part = |test: &str| format!("attribute \"n\" {{ {test} }}");
    let (starts, ends) = (part("starts_with = \"vpc-\""), part("ends_with = \"-a\""));
    match (name, keyword.argument) {
        ("implies", _) => {
            format!("implies {{\n  if {{\n    {starts}\n  }}\n  then {{\n    {ends}\n  }}\n}}")
        }
        ("keys" | "each", _) => format!("{name} {{\n  starts_with = \"vpc-\"\n}}"),
        ("not", _) => format!("not {{\n  {starts}\n}}"),
        ("when", _) => format!("when {{\n  {starts}\n}}"),
        (_, Argument::Rule | Argument::Rules) => format!("{name} {{\n  {starts}\n  {ends}\n}}"),
        _ => format!("{name} = {argument}"),
    }
}

/// The outcome of a rule on a value in one word; if undetermined, followed by when it passes. A misuse is its
/// message.
fn answer(rule: &Rule, value: &Value) -> String {
    // Rules on changes need a value before.
    let before = Value::object(["a", "b", "n"].map(|name| (name, Value::from(2))));
    let Ok(before) = before else { return String::new() };
    match rule.check(&Request::new(value).before(&before)) {
        Err(misuse) => misuse.to_string(),
        Ok(Outcome::Undetermined(why)) => format!("undetermined: passes if {}", why.passes_if()),
        Ok(outcome) => outcome.name().to_owned(),
    }
}

/// The message of the first failing value among some that are tried; `None` if none fails.
fn failure_message(rule: &Rule) -> Option<String> {
    let before = Value::object(["a", "b", "n"].map(|name| (name, Value::from(2)))).ok()?;
    let null = || Value::null(Type::Dynamic);
    let mut tried: Vec<Value> = ["", "vpc-0", "c", "x", "a"].map(Value::from).to_vec();
    tried.extend([1, 2, 3, 9].map(Value::from));
    tried.extend([Value::tuple(["c", "c"]).ok()?, Value::tuple([null()]).ok()?, null()]);
    tried.push(Value::object([("c", "c")]).ok()?);
    tried.extend([0, 70_000].map(Value::from));
    tried.push(Value::from("("));
    let others = [(null(), null()), (Value::from(1), Value::from(1)), ("x".into(), null())];
    for (a, b) in others {
        for n in &tried {
            let whole = Value::object([("a", a.clone()), ("b", b.clone()), ("n", n.clone())]).ok()?;
            if let Ok(Outcome::Fail(diagnostics)) = rule.check(&Request::new(&whole).before(&before)) {
                return diagnostics.first().map(|one| one.detail.clone());
            }
        }
    }
    None
}

impl Manual {
    /// What other systems call the rule; only those that have it.
    ///
    /// [Example](Manual)
    pub fn in_systems(&self) -> impl Iterator<Item = (System, &'static [&'static str])> {
        let names = System::ALL.map(|system| (system, self.keyword.names_in(system)));
        names.into_iter().filter(|(_, names)| !names.is_empty())
    }

    /// The manual page as plain text for a terminal.
    ///
    /// [Example](Manual)
    pub fn text(&self) -> String {
        let Keyword { name, aliases, argument, description, .. } = self.keyword;
        let mut out = format!("{name}\n  {description}\n");
        let mut line = |label: &str, text: &str| {
            let text = text.replace('\n', "\n                  ");
            out.push_str(&format!("  {label:<15} {text}\n"));
        };
        if !aliases.is_empty() {
            line("also", &aliases.join(", "));
        }
        for (system, names) in self.in_systems() {
            line(system.name(), &names.join(", "));
        }
        line("takes", argument.describe());
        line("example", &self.example);
        if self.keyword.composed {
            line("short for", &self.rule);
        }
        line("in words", &self.says);
        line("on null", &self.null);
        line("on unknown", &self.unknown);
        if let Some(message) = &self.message {
            line("message", message);
        }
        out
    }

    /// The manual page as a section in Markdown.
    ///
    /// [Example](Manual)
    pub fn section(&self) -> String {
        let Keyword { name, aliases, argument, description, .. } = self.keyword;
        let mut out = format!("## `{name}`\n\n{description}\n\n```hcl\n{}\n```\n\n", self.example);
        out.push_str(&format!("{}\n\n| | |\n|---|---|\n", self.markdown));
        let mut row = |label: &str, text: &str| {
            out.push_str(&format!("| {label} | {} |\n", text.replace('\n', " ")));
        };
        if !aliases.is_empty() {
            let aliases: Vec<String> = aliases.iter().map(|alias| format!("`{alias}`")).collect();
            row("also", &aliases.join(", "));
        }
        for (system, names) in self.in_systems() {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            row(system.name(), &names.join(", "));
        }
        row("takes", &escaped(argument.describe()));
        if self.keyword.composed {
            row("short for", &escaped(&self.rule));
        }
        row("on null", &escaped(&self.null));
        row("on unknown", &escaped(&self.unknown));
        if let Some(message) = &self.message {
            row("message", &escaped(message));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::rule::keywords;

    #[test]
    fn every_rule_has_its_manual() {
        for keyword in keywords() {
            let manual = keyword.manual().unwrap_or_else(|error| panic!("{}: {error}", keyword.name));
            assert!(!manual.says.is_empty() && !manual.markdown.is_empty(), "{manual:?}");
            assert!(["pass", "fail"].contains(&manual.null.as_str()), "{manual:?}");
            let open = manual.unknown.starts_with("undetermined: passes if ");
            assert!(open && manual.unknown.len() > 24, "{manual:?}");
            assert!(manual.message.is_some(), "{manual:?}");
            assert!(manual.text().contains(keyword.description) && manual.section().contains(keyword.name));
        }
    }
}
