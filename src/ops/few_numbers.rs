//! Arithmetic on operands of which each is one of a few numbers: the results of all pairs.

use crate::error::Result;
use crate::limits;
use crate::number::Number;
use crate::refinement::{Range, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

/// The numbers, other than null, that an operand may be, if they are few.
pub(crate) fn few_numbers(operand: &Value) -> Option<Vec<Number>> {
    match operand.number() {
        Some(number) => Some(vec![number.clone()]),
        None => match operand.as_unknown()? {
            (Type::Number, refinement) => refinement.range().few_numbers(limits::ONE_OF),
            _ => None,
        },
    }
}

/// Whether what is known of an operand is a list of numbers, or of multiples, which may be few.
fn is_list(operand: &Value) -> bool {
    let range = operand.as_unknown().map(|(_, refinement)| refinement.range());
    matches!(range, Some(Range::Numbers(_) | Range::Multiples(_)))
}

/// The unknown number that is one of these, or the known number; `None` without numbers.
fn one_of(numbers: Vec<Number>) -> Option<Value> {
    let range = Range::of_numbers(numbers)?;
    Some(canonical(Type::Number, Refinement::of(range).and_not_null()))
}

/// The results for all pairs of numbers that the operands may be; `None` if an operand need not be one of a few numbers, or if
/// the result of one pair is beyond a limit. An error if no pair has a result.
///
/// The result of fewer numbers is one of fewer numbers.
#[inline(never)]
pub(super) fn result_of_pairs(
    a: &Value,
    b: &Value,
    exact: fn(&Number, &Number) -> Result<Number>,
) -> Option<Result<Value>> {
    if !is_list(a) && !is_list(b) {
        return None;
    }
    let (a, b) = (few_numbers(a)?, few_numbers(b)?);
    let mut results = Vec::with_capacity(a.len().saturating_mul(b.len()));
    let mut failed = None;
    for a in &a {
        for b in &b {
            match exact(a, b) {
                Ok(result) => results.push(result),
                Err(error) if error.is_limit() => return None,
                Err(error) => failed = Some(error),
            }
        }
    }
    match (one_of(results), failed) {
        (Some(value), _) => Some(Ok(value)),
        (None, failed) => failed.map(Err),
    }
}

/// The join of the results for each number that the listed operand may be, where the other operand is not one of a few
/// numbers; `None` if no operand is listed, or both are.
#[inline(never)]
pub(super) fn result_of_members(
    a: &Value,
    b: &Value,
    operation: fn(&Value, &Value) -> Result<Value>,
) -> Option<Result<Value>> {
    if !is_list(a) && !is_list(b) {
        return None;
    }
    let results: Vec<Result<Value>> = match (few_numbers(a), few_numbers(b)) {
        (Some(few), None) if is_list(a) => {
            few.into_iter().map(|number| operation(&Value::from(number), b)).collect()
        }
        (None, Some(few)) if is_list(b) => {
            few.into_iter().map(|number| operation(a, &Value::from(number))).collect()
        }
        _ => return None,
    };
    let (mut joined, mut failed): (Option<Value>, _) = (None, None);
    for result in results {
        match (result, joined.take()) {
            (Ok(result), Some(before)) => match Value::join(&[&before, &result]) {
                Ok(both) => joined = Some(both),
                Err(error) => return Some(Err(error)),
            },
            (Ok(result), None) => joined = Some(result),
            (Err(error), before) => (joined, failed) = (before, Some(error)),
        }
    }
    match (joined, failed) {
        (Some(joined), _) => Some(Ok(joined.with_marks_of(&[a, b]))),
        (None, failed) => failed.map(Err),
    }
}

/// The results of a function of one number for each number of a list; `None` for another operand.
pub(crate) fn result_of_each(operand: &Value, function: impl Fn(&Number) -> Number) -> Option<Value> {
    let (_, refinement) = operand.as_unknown()?;
    let Range::Numbers(few) = refinement.range() else { return None };
    one_of(few.as_slice().iter().map(function).collect())
}
