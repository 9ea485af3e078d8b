//! Rules that compare with operands (`equals`, `one_of`, `none_of`), and `not_zero`, `type_is`.

use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{equal, is_always_null};

use crate::rule::Rule;
use crate::rule::describe::comma_list;
use crate::rule::evaluate::Decision;

/// Whether a value that is not null equals the operand.
pub(in crate::rule) fn equals(value: &Value, operand: &Value) -> Option<bool> {
    if is_always_null(operand) { Some(false) } else { equal(value, operand) }
}

/// Decides `one_of` on a value that is not null.
pub(in crate::rule) fn one_of(value: &Value, operands: &[Value]) -> Decision {
    compare_with_operands(value, operands, Rule::OneOf)
}

/// Decides `none_of` on a value that is not null.
pub(in crate::rule) fn none_of(value: &Value, operands: &[Value]) -> Decision {
    let known = compare_with_operands(value, operands, Rule::NoneOf);
    Decision { holds: known.holds.map(|holds| !holds), ..known }
}

/// Whether a value that is not null is neither the empty string nor 0.
pub(in crate::rule) fn not_zero(value: &Value) -> Option<bool> {
    let zero = match value.ty() {
        Type::String => Value::from(""),
        Type::Number => Value::from(0),
        _ => return None,
    };
    equal(value, &zero).map(|is| !is)
}

/// Whether the type of a value that is not null is `ty` or one that `ty` covers. Undetermined while the type
/// contains dynamic and may still turn out to be covered by `ty`.
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

/// Decides whether the value equals one of the operands. If that is undetermined, `rule` is narrowed to the operands
/// that it may still equal.
fn compare_with_operands(value: &Value, operands: &[Value], rule: fn(Vec<Value>) -> Rule) -> Decision {
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
    // While the type is dynamic, every operand decides which types the rule can read, so none is left out.
    let fewer = survivors.len() < operands.len() && !value.ty().has_dynamic();
    let note = fewer.then(|| format!("it may still be {}", comma_list(&survivors)));
    Decision { holds: None, narrowed: fewer.then(|| rule(survivors)), note }
}
