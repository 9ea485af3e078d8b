//! One rule of a set, with its name, description, severity, priority and message.

use std::fmt;

use crate::error::{Error, Kind, Result};
use crate::rule::{Argument, Custom, Rule, Severity, Template, from_keyword, keyword};
use crate::value::{Value, View};

/// A rule of a [`RuleSet`](super::RuleSet): named after its keyword, or positional and described by its author.
///
/// ```
/// use plantime::rule::Rule;
/// use plantime::rule::set::SetRule;
/// use plantime::value;
///
/// let named = SetRule::keyword("min_len", &value!(["a non-empty string", 1])?)?;
/// assert_eq!((named.name(), named.description()), (Some("min_len"), "a non-empty string".to_owned()));
/// let own = SetRule::described("a round number", Rule::multiple_of(10)).warning();
/// assert_eq!((own.name(), own.description()), (None, "a round number".to_owned()));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SetRule {
    /// The rule.
    pub(super) rule: Rule,
    /// The name, by which merging and skips find it.
    pub(super) name: Option<String>,
    /// The description that the author wrote; `None` if the rule is described by its keyword.
    pub(super) text: Option<String>,
    /// Whether a failure is an error or a warning.
    pub(super) severity: Severity,
    /// Rules of higher priority are evaluated first.
    pub(super) priority: i32,
    /// Whether no later rule is evaluated if this one fails.
    pub(super) critical: bool,
    /// The author's template for the message of a failure.
    pub(super) message: Option<Template>,
    /// Where the rule is written, such as `schema.yml:4`.
    pub(super) from: Option<String>,
}

/// The priority of `not_null`, which is evaluated first.
pub const NOT_NULL_PRIORITY: i32 = 100;

impl SetRule {
    /// A rule with the name of its keyword. `not_null` has priority [`NOT_NULL_PRIORITY`] and is critical.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{RuleSet, SetRule, validate};
    ///
    /// let ports = SetRule::new(Rule::min(1024))
    ///     .named("no-system-port")
    ///     .with_message("{key} = {value}: ports below 1024 need root")?
    ///     .priority(1)
    ///     .critical();
    /// let report = validate("port", &Value::from(80), &RuleSet::new([ports]), None)?;
    /// assert_eq!(report.messages(), ["port = 80: ports below 1024 need root"]);
    /// assert_eq!(report.answers()[0].rule.as_deref(), Some("no-system-port"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new(rule: Rule) -> SetRule {
        let first = rule == Rule::NotNull;
        SetRule {
            name: Some(rule.name().to_owned()),
            priority: if first { NOT_NULL_PRIORITY } else { 0 },
            critical: first,
            rule,
            text: None,
            severity: Severity::Error,
            message: None,
            from: None,
        }
    }

    /// A rule without a name, in the words of its author: `a TCP/UDP port number`.
    ///
    /// [Example](SetRule)
    pub fn described(text: impl Into<String>, rule: impl Into<Rule>) -> SetRule {
        SetRule { name: None, text: Some(text.into()), ..SetRule::new(rule.into()) }
    }

    /// A keyword with its argument, or with a pair of a description and the argument. A false flag is a rule that always
    /// passes: it replaces the rule of that name when sets are merged. If the keyword takes a list, `[a, b]` is a pair only
    /// if `b` is a list.
    ///
    /// [Example](SetRule)
    ///
    /// # Errors
    ///
    /// Those of [`from_keyword`].
    pub fn keyword(name: &str, argument: &Value) -> Result<SetRule> {
        let row = keyword(name)?;
        let (text, argument) = split_description(row.argument, argument);
        let rule = match from_keyword(row.name, argument)? {
            Some(rule) => rule,
            None => Rule::all([])?,
        };
        let name = Some(row.name.to_owned());
        Ok(SetRule { name, text, ..SetRule::new(rule) })
    }

    /// Sets a description in the author's own words.
    ///
    /// ```
    /// use plantime::rule::set::SetRule;
    /// use plantime::rule::{Rule, Severity};
    ///
    /// let rule = SetRule::new(Rule::min_len(1)).with_text("a non-empty name").warning().written_at("schema.yml:4");
    /// assert_eq!(rule.rule(), &Rule::min_len(1));
    /// assert_eq!((rule.name(), rule.severity()), (Some("min_len"), Severity::Warning));
    /// assert_eq!((rule.description().as_str(), rule.position()), ("a non-empty name", Some("schema.yml:4")));
    /// ```
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> SetRule {
        self.text = Some(text.into());
        self
    }

    /// Sets the name, by which merging finds the rule.
    ///
    /// [Example](SetRule::new)
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> SetRule {
        self.name = Some(name.into());
        self
    }

    /// Makes the rule a warning, which never makes a value invalid.
    ///
    /// [Example](SetRule::with_text)
    #[must_use]
    pub fn warning(mut self) -> SetRule {
        self.severity = Severity::Warning;
        self
    }

    /// Sets the priority: rules of a higher one are evaluated first, others in the order of the set.
    ///
    /// [Example](SetRule::new)
    #[must_use]
    pub fn priority(mut self, priority: i32) -> SetRule {
        self.priority = priority;
        self
    }

    /// Makes the rule critical: if it fails, later rules are not evaluated.
    ///
    /// [Example](SetRule::new)
    #[must_use]
    pub fn critical(mut self) -> SetRule {
        self.critical = true;
        self
    }

    /// Sets the message of a failure.
    ///
    /// [Example](SetRule::new)
    ///
    /// # Errors
    ///
    /// When the text is no [`Template`].
    pub fn with_message(mut self, text: &str) -> Result<SetRule> {
        self.message = Some(text.parse()?);
        Ok(self)
    }

    /// Sets where the rule is written: `schema.yml:4`.
    ///
    /// [Example](SetRule::with_text)
    #[must_use]
    pub fn written_at(mut self, place: impl Into<String>) -> SetRule {
        self.from = Some(place.into());
        self
    }

    /// The rule without the words of its author.
    ///
    /// [Example](SetRule::with_text)
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The name; none of a positional rule.
    ///
    /// [Example](SetRule::with_text)
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What the rule requires: the description of the author, otherwise a noun phrase such as `a length of at least 1`.
    ///
    /// [Example](SetRule::with_text)
    pub fn description(&self) -> String {
        self.text.clone().unwrap_or_else(|| super::words::noun(&self.rule))
    }

    /// Whether a failure is an error or a warning.
    ///
    /// [Example](SetRule::with_text)
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Where the rule is written.
    ///
    /// [Example](SetRule::with_text)
    pub fn position(&self) -> Option<&str> {
        self.from.as_deref()
    }

    /// Whether the rule is `not_null`, which null fails.
    pub(super) fn has_not_null(&self) -> bool {
        self.rule == Rule::NotNull
    }
}

/// A rule under the name of its keyword; a function is positional.
impl From<Rule> for SetRule {
    fn from(rule: Rule) -> SetRule {
        match rule {
            Rule::Custom(custom) => SetRule::from(custom),
            rule => SetRule::new(rule),
        }
    }
}

impl From<Custom> for SetRule {
    fn from(custom: Custom) -> SetRule {
        SetRule::described(custom.name().to_owned(), Rule::Custom(custom))
    }
}

impl From<Custom> for Rule {
    fn from(custom: Custom) -> Rule {
        Rule::Custom(custom)
    }
}

impl fmt::Debug for SetRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetRule")
            .field("name", &self.name)
            .field("rule", &self.rule)
            .field("text", &self.text)
            .field("severity", &self.severity)
            .field("priority", &self.priority)
            .field("critical", &self.critical)
            .field("message", &self.message)
            .field("from", &self.from)
            .finish()
    }
}

/// Splits the value of a keyword into an optional description and the argument: `["a port", 1]` is both. For a keyword that
/// takes a list, `["text", argument]` is read so only if the argument is a list or a bool; any other list of two is the
/// argument.
fn split_description(argument: Argument, value: &Value) -> (Option<String>, &Value) {
    let two = match value.view() {
        View::Tuple(tuple) if tuple.len() == 2 => tuple.get(0).zip(tuple.get(1)),
        View::List(list) if list.len() == 2 => list.get(0).zip(list.get(1)),
        _ => None,
    };
    let takes_list = matches!(
        argument,
        Argument::Values | Argument::Texts | Argument::Paths | Argument::Bits | Argument::Keys
    );
    let is_list = |value: &Value| matches!(value.view(), View::Tuple(_) | View::List(_) | View::Set(_));
    match two {
        Some((text, second)) if !takes_list || is_list(second) || matches!(second.view(), View::Bool(_)) => {
            match text.as_str() {
                Ok(text) => (Some(text.to_owned()), second),
                Err(_) => (None, value),
            }
        }
        _ => (None, value),
    }
}

/// The error for an invalid argument.
#[cold]
pub(super) fn argument_error(message: impl Into<String>) -> Error {
    Error::new(Kind::TypeMismatch, message)
}
