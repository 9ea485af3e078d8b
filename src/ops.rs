//! Operations: methods of [`Value`](crate::Value), written as best abstract transformers. The answer for
//! operands that are not wholly known contains the answer for everything they may become, and as little else as
//! the levels of known-ness can say.
//!
//! What they have in common:
//!
//! | operand | answer |
//! |---|---|
//! | wholly known | a wholly known value, or an error |
//! | not wholly known | the least value that contains every outcome; an error only when every outcome is one |
//! | marked | the marks at the top of every operand are at the top of the result ([`equals`](crate::Value::equals), which reads contents, keeps marks of every depth) |
//! | null | an error in arithmetic, logic and comparisons; [`equals`](crate::Value::equals) compares it |
//! | unknown that may be null | the answer is "this, or an error later" |

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
mod unknown_as_null;

/// Both, where they are known numbers without marks.
#[inline]
fn numbers<'a>(a: &'a Value, b: &'a Value) -> Option<(&'a Number, &'a Number)> {
    match (a, b) {
        (Value::Known(Known(KnownContent::Number(a))), Value::Known(Known(KnownContent::Number(b)))) => {
            Some((a, b))
        }
        _ => None,
    }
}

/// Both, where they are known integers of 64 bits without marks: what most numbers are.
#[inline]
fn integers(a: &Value, b: &Value) -> Option<(i64, i64)> {
    let (a, b) = numbers(a, b)?;
    a.both_i64(b)
}

/// The truth values that an outcome may have, as a value. `None` where there is no outcome.
fn truth(can_be_true: bool, can_be_false: bool) -> Option<Value> {
    match (can_be_true, can_be_false) {
        (true, true) => Some(unknown_truth()),
        (true, false) => Some(Value::from(true)),
        (false, true) => Some(Value::from(false)),
        (false, false) => None,
    }
}

/// True or false, never null.
fn unknown_truth() -> Value {
    crate::value::canonical(Type::Bool, crate::refinement::Refinement::not_null())
}

/// An operand that must not be null is.
#[cold]
fn null_operand(operation: &str) -> Error {
    Error::new(Kind::Null, format!("a null operand has no {operation}"))
}
