//! The rules of the proposal for validations that ytt has never had: further named rules, descriptions and messages of
//! one's own, and rules for all strings below a node.

use plantime::Number;
use plantime::rule::{Format, Outcome, Pattern, Rule};

use crate::library_rule::{self, number};
use crate::node::{Annotation, Content, Node, Position, Scalar};
use crate::starlark::error::Failure;
use crate::starlark::heap::Heap;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::modules::assert::{is_sequence, length, length_bound, through_yaml};
use crate::starlark::value::{Value, text_of};

/// The annotation with rules for all strings below a node.
pub(crate) const DEFAULTS: &str = "schema/validation-defaults-for-strings";

/// The annotation with the rules of a node.
const RULES: &str = "schema/validation";

/// A named rule of the proposal.
#[derive(Clone, Debug)]
pub(crate) enum ProposedRule {
    Len(Value),
    /// A string that holds a text, or a sequence that holds an element.
    Contains(Value),
    Rule(Box<RuleOfScalars>),
}

/// A rule of plantime on strings or numbers.
#[derive(Clone, Debug)]
pub(crate) struct RuleOfScalars {
    rule: Rule,
    /// The type of the values that it reads.
    reads: &'static str,
    /// What a valid value is.
    valid: String,
    /// What was found of an invalid one.
    invalid: &'static str,
}

impl ProposedRule {
    /// The rule of a name with its argument; `None` if the proposal has no such rule.
    pub(crate) fn of(name: &str, argument: &Value) -> Option<Result<ProposedRule, String>> {
        Some(match name {
            "len" => length_bound(argument)
                .map(ProposedRule::Len)
                .ok_or_else(|| expected(name, "a number", argument.type_name())),
            "contains" => Ok(ProposedRule::Contains(argument.clone())),
            _ => return rule_of_scalars(name, argument).map(|rule| Ok(ProposedRule::Rule(Box::new(rule?)))),
        })
    }

    /// What a valid value is, in words.
    pub(crate) fn describe(&self, this: &mut Interpreter<'_>) -> Result<String, Failure> {
        Ok(match self {
            ProposedRule::Len(length) => format!("length = {}", this.repr(length)?),
            ProposedRule::Contains(part) => format!("a value that contains {}", this.repr(part)?),
            ProposedRule::Rule(rule) => rule.valid.clone(),
        })
    }

    /// Fails with what was found if a value violates the rule.
    pub(crate) fn check(&self, this: &mut Interpreter<'_>, value: &Value) -> Result<(), Failure> {
        match self {
            ProposedRule::Len(wanted) => length(this, value, "==", wanted),
            ProposedRule::Contains(part) => {
                let value = through_yaml(this, value)?;
                match this.binary("in", part, &value)?.truth()? {
                    true => Ok(()),
                    false => Err("fail: it does not contain this".into()),
                }
            }
            ProposedRule::Rule(rule) => rule.check(this, value),
        }
    }

    /// The rule of plantime; `None` if it has none for the argument.
    pub(crate) fn library_rule(&self, heap: &Heap, at: &Position) -> Option<Rule> {
        Some(match self {
            ProposedRule::Len(wanted) => Rule::len(library_rule::length(wanted)?),
            ProposedRule::Contains(part) => Rule::contains(library_rule::value_of_given(heap, part, at)?),
            ProposedRule::Rule(rule) => rule.rule.clone(),
        })
    }
}

impl RuleOfScalars {
    fn check(&self, this: &mut Interpreter<'_>, value: &Value) -> Result<(), Failure> {
        let read = match (value.known()?, self.reads) {
            (Value::Text(text), "string") => {
                this.heap.work(text.len())?;
                Some(plantime::Value::from(text_of(text).into_owned()))
            }
            (read, "number") => number(read).map(plantime::Value::from),
            _ => None,
        };
        let Some(read) = read else {
            let (reads, found) = (self.reads, value.type_name());
            return Err(format!("fail: a {reads} is required, but was {found}").into());
        };
        match self.rule.check_value(&read) {
            Ok(Outcome::Pass) => Ok(()),
            Ok(_) => Err(format!("fail: {}", self.invalid).into()),
            Err(misuse) => Err(format!("fail: {misuse}").into()),
        }
    }
}

/// The error of an argument of another type.
fn expected(name: &str, wanted: &str, found: &str) -> String {
    format!("expected keyword argument \"{name}\" to be {wanted}, but was {found}")
}

/// The rule on strings or numbers of a name with its argument; `None` if there is no such rule.
fn rule_of_scalars(name: &str, argument: &Value) -> Option<Result<RuleOfScalars, String>> {
    let text = || match argument {
        Value::Text(text) => Ok(text_of(text).into_owned()),
        _ => Err(expected(name, "a string", argument.type_name())),
    };
    let of_text = |rule, valid, invalid| RuleOfScalars { rule, reads: "string", valid, invalid };
    let of_number = |rule, valid, invalid| RuleOfScalars { rule, reads: "number", valid, invalid };
    let is_wanted = || match argument {
        Value::Bool(true) => Ok(()),
        Value::Bool(false) => Err(expected(name, "True", "False")),
        _ => Err(expected(name, "True", argument.type_name())),
    };
    Some(match name {
        "starts_with" => text().map(|text| {
            let valid = format!("a string that starts with {text:?}");
            of_text(Rule::starts_with(text), valid, "starts with something else")
        }),
        "ends_with" => text().map(|text| {
            let valid = format!("a string that ends with {text:?}");
            of_text(Rule::ends_with(text), valid, "ends with something else")
        }),
        "matches" => text().and_then(|text| {
            // The reason would show brackets without a partner, at which messages of ytt end.
            let wrong = |_| format!("expected keyword argument \"{name}\" to be a regular expression");
            let pattern: Pattern = text.parse().map_err(wrong)?;
            let valid = format!("a string that matches {text:?}");
            Ok(of_text(Rule::matches(pattern), valid, "does not match"))
        }),
        "format" => text().and_then(|text| {
            let format: Format = text.parse().map_err(|error: plantime::Error| error.to_string())?;
            let valid = format!("a string in the format {text:?}");
            Ok(of_text(Rule::format(format), valid, "is not in this format"))
        }),
        "even" => is_wanted().map(|()| of_number(Rule::even(), "an even number".to_owned(), "is odd")),
        "odd" => is_wanted().map(|()| of_number(Rule::odd(), "an odd number".to_owned(), "is even")),
        "multiple_of" => match number(argument).filter(|divisor| *divisor != Number::from(0)) {
            Some(divisor) => {
                let valid = format!("a multiple of {divisor}");
                Ok(of_number(Rule::multiple_of(divisor), valid, "is no multiple"))
            }
            None => Err(expected(name, "a number other than 0", argument.type_name())),
        },
        _ => return None,
    })
}

/// The text and the argument of a named rule that is given as `("text", argument)`.
pub(crate) fn described_argument<'v>(name: &str, argument: &'v Value) -> Option<(String, &'v Value)> {
    let Value::Tuple(items) = argument else { return None };
    let [Value::Text(text), inner] = &**items else { return None };
    // `one_of=("a", "b")` are two allowed values.
    let is_argument = match name {
        "one_of" => is_sequence(inner),
        "one_not_null" => is_sequence(inner) || matches!(inner, Value::Bool(_)),
        "when" => false,
        _ => true,
    };
    is_argument.then(|| (text_of(text).into_owned(), inner))
}

/// A message of one's own: texts and fields.
#[derive(Clone, Debug)]
pub(crate) struct MessageTemplate {
    parts: Vec<(String, Option<Field>)>,
}

#[derive(Clone, Copy, Debug)]
enum Field {
    Key,
    Value,
    Description,
    Failure,
}

/// What the fields of a message stand for.
pub(crate) struct MessageValues<'v> {
    pub(crate) key: &'v str,
    pub(crate) value: &'v str,
    pub(crate) description: &'v str,
    pub(crate) failure: &'v str,
}

impl<'v> MessageValues<'v> {
    fn of(&self, field: Field) -> &'v str {
        match field {
            Field::Key => self.key,
            Field::Value => self.value,
            Field::Description => self.description,
            Field::Failure => self.failure,
        }
    }
}

impl MessageTemplate {
    /// Reads a template: `{key}`, `{value}`, `{desc}`, `{failure}`, and `{{` and `}}` for braces.
    pub(crate) fn parse(text: &str) -> Result<MessageTemplate, String> {
        let (mut parts, mut literal) = (Vec::new(), String::new());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            literal.push_str(before);
            if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
                literal.push_str(from.get(..1).unwrap_or_default());
                rest = after;
                continue;
            }
            let field = from.strip_prefix('{').and_then(|inner| inner.split_once('}'));
            let Some((name, after)) = field else {
                return Err("expected message to have its braces in pairs".to_owned());
            };
            let field = match name {
                "key" => Field::Key,
                "value" => Field::Value,
                "desc" => Field::Description,
                "failure" => Field::Failure,
                _ => {
                    return Err(format!(
                        "expected message to have the fields key, value, desc and failure, but found {{{name}}}"
                    ));
                }
            };
            parts.push((std::mem::take(&mut literal), Some(field)));
            rest = after;
        }
        literal.push_str(rest);
        parts.push((literal, None));
        Ok(MessageTemplate { parts })
    }

    /// The length of the message with the values of its fields.
    pub(crate) fn length(&self, values: &MessageValues<'_>) -> usize {
        self.parts.iter().fold(0_usize, |length, (literal, field)| {
            length
                .saturating_add(literal.len())
                .saturating_add(field.map_or(0, |field| values.of(field).len()))
        })
    }

    /// The message with the values of its fields.
    pub(crate) fn filled(&self, values: &MessageValues<'_>) -> String {
        let mut message = String::new();
        for (literal, field) in &self.parts {
            message.push_str(literal);
            message.push_str(field.map_or("", |field| values.of(field)));
        }
        message
    }
}

/// Gives the rules for all strings below a node to each string that has no rules of its own. This is done before schemas
/// are merged, so that they hold for the strings of this document alone.
pub(crate) fn spread_defaults(node: &mut Node) {
    spread(node, None);
}

fn spread(node: &mut Node, outer: Option<&Annotation>) {
    let own = node.annotation(DEFAULTS).cloned();
    let defaults = own.as_ref().or(outer);
    match &mut node.content {
        Content::Scalar(Scalar::Text(_)) => {
            if let Some(defaults) = defaults
                && node.annotation(RULES).is_none()
            {
                let name = RULES.to_owned();
                node.annotations.push(Annotation { name, ..defaults.clone() });
            }
        }
        Content::Scalar(_) => {}
        Content::Map(children) | Content::Array(children) => {
            children.iter_mut().for_each(|child| spread(child, defaults));
        }
    }
}
