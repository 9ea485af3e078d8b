//! Operations: methods of [`Value`](crate::Value) that also accept operands that are not wholly known. The result then
//! contains the result for every outcome of the operands, and is the narrowest value that does (a best abstract
//! transformer).
//!
//! Rules for all operations:
//!
//! | operand | result |
//! |---|---|
//! | wholly known | a wholly known value, or an error |
//! | not wholly known | the narrowest value that contains every possible result; an error only if every possible result is one |
//! | marked | the marks at the top of every operand are at the top of the result ([`equals`](crate::Value::equals), which reads contents, keeps marks of every depth) |
//! | null | an error in arithmetic, logic and comparisons; [`equals`](crate::Value::equals) compares it |
//! | unknown that may be null | the result for the outcomes that are not null; if the operand becomes null, the operation fails then |

pub use at::PartKey;

use crate::error::{Error, Kind};
use crate::number::Number;
use crate::types::Type;
use crate::value::{Known, KnownContent, Value};

mod arithmetic;
mod at;
mod compare;
mod concat_text;
mod divide;
mod equals;
pub(crate) mod few_numbers;
mod get;
mod get_attr;
mod has_element;
mod has_index;
mod includes;
mod index;
mod interval;
mod join;
mod length;
mod logic;
mod modulo;
mod sets;
pub(crate) mod three_valued;
mod unknown_as_null;

/// Both numbers, if both values are known numbers without marks.
#[inline]
fn known_numbers<'a>(a: &'a Value, b: &'a Value) -> Option<(&'a Number, &'a Number)> {
    match (a, b) {
        (Value::Known(Known(KnownContent::Number(a))), Value::Known(Known(KnownContent::Number(b)))) => {
            Some((a, b))
        }
        _ => None,
    }
}

/// Both numbers as `i64`, if both values are known integers without marks that fit: the fast path of arithmetic.
#[inline]
fn known_integers(a: &Value, b: &Value) -> Option<(i64, i64)> {
    let (a, b) = known_numbers(a, b)?;
    a.both_i64(b)
}

/// A bool value from its possible outcomes: true, false, or unknown. `None` if neither outcome is possible.
fn bool_of_outcomes(can_be_true: bool, can_be_false: bool) -> Option<Value> {
    match (can_be_true, can_be_false) {
        (true, true) => Some(unknown_bool()),
        (true, false) => Some(Value::from(true)),
        (false, true) => Some(Value::from(false)),
        (false, false) => None,
    }
}

/// The unknown bool that is not null.
fn unknown_bool() -> Value {
    crate::value::canonical(Type::Bool, crate::refinement::Refinement::not_null())
}

/// The error for a null operand. `operation` names what the null does not have.
#[cold]
fn null_operand(operation: &str) -> Error {
    Error::new(Kind::Null, format!("a null operand has no {operation}"))
}
