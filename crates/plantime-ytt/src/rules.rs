//! The rules of `@schema/validation`: arguments, meaning and messages.

use std::rc::Rc;

use crate::node::{Annotation, Position};
use crate::starlark::error::Failure;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::modules::assert::{Assertion, found, length_bound, sequence};
use crate::starlark::value::{Arguments, Fragment, Struct, StructKind, Value, text_of};

/// What decides whether a value is valid.
#[derive(Clone, Debug)]
enum Check {
    Function(Value),
    Assertion(Assertion),
}

/// The rules of a node, in the order in which they are evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    not_null: bool,
    /// The function that says whether the rules are evaluated.
    when: Option<Value>,
    /// Descriptions and checks.
    rules: Vec<(String, Check)>,
    at: Position,
}

/// A rule that a value violates.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) description: String,
    /// What was found; empty if the rule does not say.
    pub(crate) found: String,
}

/// Why the rules of a node have no answer.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The error of `when=`, which ends the validation.
    When(String),
    /// A failure that is no error of the rule.
    Failure(Failure),
}

impl Rules {
    /// Reads an annotation; the error is ytt's.
    pub(crate) fn of(annotation: &Annotation, this: &mut Interpreter<'_>) -> Result<Rules, String> {
        rules(&annotation.arguments, &annotation.at, this)
            .map_err(|text| format!("Invalid @{} annotation - {text}", annotation.name))
    }

    pub(crate) fn at(&self) -> &Position {
        &self.at
    }

    /// Returns the rules that a value violates, in the order of evaluation.
    pub(crate) fn violations(
        &self,
        this: &mut Interpreter<'_>,
        value: &Value,
        parent: Option<Fragment>,
        root: &Value,
    ) -> Result<Vec<Violation>, Unanswered> {
        if matches!(value, Value::None) && !self.not_null {
            return Ok(Vec::new());
        }
        if let Some(when) = &self.when
            && !applies(this, when, value, parent, root)?
        {
            return Ok(Vec::new());
        }
        if self.not_null && matches!(value.known().map_err(Unanswered::Failure)?, Value::None) {
            let description = "not null".to_owned();
            return Ok(vec![Violation { description, found: "value is null".to_owned() }]);
        }
        let mut violations = Vec::new();
        for (description, check) in &self.rules {
            let result = match check {
                Check::Assertion(assertion) => assertion.check(this, value).map(|()| true),
                Check::Function(function) => {
                    let arguments = Arguments { positional: vec![value.clone()], keywords: Vec::new() };
                    this.call(function, arguments).map(|result| matches!(result, Value::Bool(true)))
                }
            };
            let found = match result {
                Ok(true) => continue,
                Ok(false) => String::new(),
                Err(Failure::Error(error)) => found(&error).to_owned(),
                Err(other) => return Err(Unanswered::Failure(other)),
            };
            violations.push(Violation { description: description.clone(), found });
        }
        Ok(violations)
    }
}

/// Evaluates `when=`.
fn applies(
    this: &mut Interpreter<'_>,
    when: &Value,
    value: &Value,
    parent: Option<Fragment>,
    root: &Value,
) -> Result<bool, Unanswered> {
    let Value::Function(function) = when else {
        return Err(Unanswered::When("when= with a built-in function is not supported".to_owned()));
    };
    let count = function.definition.parameters.len();
    let mut positional = vec![value.clone()];
    match count {
        1 => {}
        2 => {
            let parent = parent.map_or(Value::None, Value::Fragment);
            let fields = vec![(Rc::from("parent"), parent), (Rc::from("root"), root.clone())];
            let context =
                Struct::value(&this.heap, StructKind::Struct, fields).map_err(Unanswered::Failure)?;
            positional.push(context);
        }
        _ => {
            let text =
                format!("Failed to evaluate when=: function must accept 1 or 2 arguments ({count} given)");
            return Err(Unanswered::When(text));
        }
    }
    match this.call(when, Arguments { positional, keywords: Vec::new() }) {
        Ok(Value::Bool(applies)) => Ok(applies),
        Ok(Value::Unknown(path)) => Err(Unanswered::Failure(Failure::Undetermined(path))),
        Ok(other) => Err(Unanswered::When(format!("want when= to be bool, got {}", other.type_name()))),
        Err(Failure::Error(error)) => {
            Err(Unanswered::When(format!("Failure evaluating when=: {}", error.message)))
        }
        Err(other) => Err(Unanswered::Failure(other)),
    }
}

fn rules(given: &Arguments, at: &Position, this: &mut Interpreter<'_>) -> Result<Rules, String> {
    let text = |failure: Failure| failure.message();
    if given.positional.is_empty() && given.keywords.is_empty() {
        return Err(format!(
            "expected annotation to have 2-tuple as argument(s), but found no arguments (by {at})"
        ));
    }
    let mut rules = Rules { not_null: false, when: None, rules: Vec::new(), at: at.clone() };
    for item in &given.positional {
        rules.rules.push(described(item, at, this)?);
    }
    let mut named: Vec<Assertion> = Vec::new();
    for (name, argument) in &given.keywords {
        let found = argument.type_name();
        let expected = |wanted: &str| {
            format!("expected keyword argument \"{name}\" to be {wanted}, but was {found} (at {at})")
        };
        match (&**name, argument) {
            ("min_len" | "max_len", _) => {
                let bound = length_bound(argument).ok_or_else(|| expected("a number"))?;
                named.push(if &**name == "min_len" {
                    Assertion::MinLen(bound)
                } else {
                    Assertion::MaxLen(bound)
                });
            }
            ("min", _) => named.push(Assertion::Min(argument.clone())),
            ("max", _) => named.push(Assertion::Max(argument.clone())),
            ("not_null", Value::Bool(wanted)) => rules.not_null = *wanted,
            ("not_null", _) => return Err(expected("a boolean")),
            ("one_of", _) if sequence(argument).is_some() => named.push(Assertion::OneOf(argument.clone())),
            ("one_of", _) => {
                return Err(format!("expected keyword argument one_of to be a sequence, but was {found}"));
            }
            ("one_not_null", Value::Bool(true)) => named.push(Assertion::OneNotNull(None)),
            ("one_not_null", Value::Bool(false)) => return Err("one_not_null= cannot be False".to_owned()),
            ("one_not_null", _) => match sequence(argument) {
                Some(_) => named.push(Assertion::OneNotNull(Some(argument.clone()))),
                None => return Err(format!("expected True or a sequence of keys, but was a '{found}'")),
            },
            ("when", _) if argument.is_callable() => rules.when = Some(argument.clone()),
            ("when", _) => return Err(expected("a function")),
            _ => return Err(format!("unknown keyword argument \"{name}\" (at {at})")),
        }
    }
    named.sort_by_key(order);
    for assertion in named {
        rules.rules.push((assertion.describe(this).map_err(text)?, Check::Assertion(assertion)));
    }
    Ok(rules)
}

/// The place of a named rule among the others.
fn order(assertion: &Assertion) -> u8 {
    match assertion {
        Assertion::NotNull => 0,
        Assertion::MinLen(_) => 1,
        Assertion::MaxLen(_) => 2,
        Assertion::Min(_) => 3,
        Assertion::Max(_) => 4,
        Assertion::OneNotNull(_) => 5,
        Assertion::OneOf(_) => 6,
    }
}

/// Reads a description and a function.
fn described(item: &Value, at: &Position, this: &mut Interpreter<'_>) -> Result<(String, Check), String> {
    let Value::Tuple(items) = item else {
        let shown = this.repr(item).map_err(|failure| failure.message())?;
        return Err(format!(
            "expected annotation to have 2-tuple as argument(s), but found: {shown} (by {at})"
        ));
    };
    let [text, function] = &**items else {
        return Err(format!("expected 2-tuple, but found tuple with length {} (by {at})", items.len()));
    };
    let Value::Text(text) = text else {
        let found = text.type_name();
        return Err(format!(
            "expected first item in the 2-tuple to be a string describing a valid value, but was {found} (at {at})"
        ));
    };
    let function = match function {
        function if function.is_callable() => function.clone(),
        Value::Struct(_) | Value::Dict(_) | Value::Fragment(_) => match function.field("check") {
            Some(check) if check.is_callable() => check.clone(),
            Some(check) => {
                let found = check.type_name();
                return Err(format!("expected struct with attribute check(), but was {found} (at {at})"));
            }
            None => {
                let found = function.type_name();
                return Err(format!(
                    "expected second item in tuple to be an assertion function or assertion object, but was a {found} (at {at})"
                ));
            }
        },
        other => {
            let found = other.type_name();
            return Err(format!(
                "expected second item in the 2-tuple to be an assertion function, but was {found} (at {at})"
            ));
        }
    };
    Ok((text_of(text).into_owned(), Check::Function(function)))
}
