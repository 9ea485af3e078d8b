//! The validators of the field, one test each, under the name that they have there: what they answer on values that are
//! known, partly known, unknown, null.

mod collections;
mod fields;
mod numbers;
mod sdk;
mod strings;
mod values;
mod weaknesses;
mod ytt;

use plantime::rule::{Rule, from_keyword};
use plantime::{Refinement, Type, Value};

use crate::laws::{Word, word};

pub(super) use Word::{Fail, Pass, Undetermined};

/// The rule of a name of the field.
pub(super) fn named(name: &str, argument: impl Into<Value>) -> Rule {
    from_keyword(name, &argument.into()).unwrap().unwrap()
}

pub(super) fn list(items: &[&str]) -> Value {
    Value::tuple(items.iter().copied()).unwrap()
}

/// An unknown of a type; `refinement` in the micro-syntax, or nothing.
pub(super) fn unknown(ty: &str, refinement: &str) -> Value {
    let ty: Type = ty.parse().unwrap();
    match refinement {
        "" => Value::unknown(ty),
        text => Value::refined(ty, text.parse::<Refinement>().unwrap()).unwrap(),
    }
}

/// An unknown string with a beginning, which may be null.
pub(super) fn begins(prefix: &str) -> Value {
    Value::refined(Type::String, Refinement::prefix(prefix)).unwrap()
}

/// The same value, certainly not null.
pub(super) fn some(value: Value) -> Value {
    value.assume_not_null().unwrap()
}

pub(super) fn null(ty: &str) -> Value {
    Value::null(ty.parse().unwrap())
}

#[track_caller]
pub(super) fn answers(rule: &Rule, rows: impl IntoIterator<Item = (Value, Word)>) {
    for (value, expected) in rows {
        assert_eq!(word(rule, &value), expected, "{rule} on {value:?}");
    }
}

/// What must turn out for an undetermined rule to pass.
#[track_caller]
pub(super) fn passes_if(rule: &Rule, value: &Value) -> String {
    let outcome = rule.check_value(value).unwrap();
    outcome.why().unwrap_or_else(|| panic!("{rule} on {value:?}: {outcome}")).passes_if()
}
