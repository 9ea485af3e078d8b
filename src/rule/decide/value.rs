//! Equality with operands: `equals` (one operand), `one_of`, `none_of`.

use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{equal, is_always_null};

use crate::rule::Rule;
use crate::rule::describe::list;
use crate::rule::evaluate::Known;

/// For a value that is not null.
pub(in crate::rule) fn equals(value: &Value, operand: &Value) -> Option<bool> {
    if is_always_null(operand) { Some(false) } else { equal(value, operand) }
}

pub(in crate::rule) fn one_of(value: &Value, operands: &[Value]) -> Known {
    among(value, operands, Rule::OneOf)
}

pub(in crate::rule) fn none_of(value: &Value, operands: &[Value]) -> Known {
    let known = among(value, operands, Rule::NoneOf);
    Known { holds: known.holds.map(|holds| !holds), ..known }
}

/// For a value that is not null: not the empty text, and not 0.
pub(in crate::rule) fn not_zero(value: &Value) -> Option<bool> {
    let zero = match value.ty() {
        Type::String => Value::from(""),
        Type::Number => Value::from(0),
        _ => return None,
    };
    equal(value, &zero).map(|is| !is)
}

/// For a value that is not null. A type that is open inside may still become one that `ty` covers.
pub(in crate::rule) fn type_is(value: &Value, ty: &Type) -> Option<bool> {
    let own = value.ty();
    if ty.covers(&own) {
        Some(true)
    } else if value.is_wholly_known() || !own.compatible(ty) {
        Some(false)
    } else {
        None
    }
}

/// Whether the value is among the operands; else the operands that it may still become.
fn among(value: &Value, operands: &[Value], rule: fn(Vec<Value>) -> Rule) -> Known {
    let mut survivors = Vec::new();
    for operand in operands {
        match equals(value, operand) {
            Some(true) => return Some(true).into(),
            Some(false) => {}
            None => survivors.push(operand.clone()),
        }
    }
    if survivors.is_empty() {
        return Some(false).into();
    }
    // Which types can be read depends on all operands, so none is left out while the type is open.
    let fewer = survivors.len() < operands.len() && !value.ty().has_dynamic();
    let note = fewer.then(|| format!("it may still be {}", list(&survivors)));
    Known { holds: None, narrowed: fewer.then(|| rule(survivors)), note }
}
