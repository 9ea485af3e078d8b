//! Random values for tests, *concrete first*: a wholly known value is generated, then weakened at random to an
//! abstract value that contains it. So every pair is known to be related as a law needs it: the abstract value may
//! become the concrete one.
//!
//! | you test with | look at |
//! |---|---|
//! | anything | [`Sampler`], which generates everything from a [`Seed`] or another source of [`Choices`] |
//! | proptest | the module `strategy` (feature `proptest`): strategies that shrink |
//! | cargo-fuzz, `arbitrary` | `Arbitrary` of the crate `arbitrary` (feature `arbitrary`), for [`Value`], [`Type`](crate::Type), [`TypeConstraint`](crate::TypeConstraint), [`Refinement`](crate::Refinement), [`Number`](crate::Number), [`Path`](crate::Path), [`Mark`](crate::Mark) and [`Weakened`]; [`Weakened`] has one of a given type too |
//!
//! A law about a pair states that the result of an operation for the weakened value may become its result for the
//! concrete value. [`may_become`] checks that.
//!
//! ```
//! use plantime::sample::{Weakened, may_become};
//! use plantime::{Type, Value};
//!
//! let pair = Weakened::new(Value::from(2), Value::unknown(Type::Number)).unwrap();
//! let sum = |value: &Value| value.add(&Value::from(1));
//! assert!(may_become(&sum(pair.value())?, &sum(pair.concrete())?));
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # What is generated
//!
//! Strings contain what is difficult for normalisation (combining marks, Hangul, zero-width joiners, flags),
//! quotes, template markers and parts of numbers. Numbers are small, next to powers of two and ten, long, tiny,
//! huge within [`limits::DIGITS`](crate::limits::DIGITS), and infinite. Values and types nest as deep as [`Size`]
//! allows. A few values are capsules that hold a [`Token`], which no string and no JSON can express.

use crate::value::Value;

mod capsule;
mod choices;
mod concrete;
mod constraint;
mod mark;
mod number;
mod path;
mod refinement;
#[cfg(feature = "rules")]
mod rule;
mod text;
mod types;
mod weaken;

pub use capsule::Token;
pub use choices::{Choices, Sampler, Seed};

/// Whether `value` may become `concrete`, a wholly known value: [`Value::may_become`] as a function.
pub fn may_become(value: &Value, concrete: &Value) -> bool {
    value.may_become(concrete)
}

/// The upper limits of random values. A *part* is a value itself or any value inside it; likewise for a type.
///
/// | field | bounds | default |
/// |---|---|---|
/// | `depth` | levels of nesting of types, and so of values | 4 |
/// | `parts` | parts of a value or type on all levels | 32 |
/// | `width` | elements of one list, set or map; elements of a tuple, attributes of an object | 5 |
/// | `text` | pieces of a string; a piece has up to six code points | 5 |
///
/// Types are generated first, so a value can have a few more parts than `parts` if its type requires them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The maximum number of levels of nesting; at most [`limits::DEPTH`](crate::limits::DEPTH) are used.
    pub depth: usize,
    /// The maximum number of parts on all levels together.
    pub parts: usize,
    /// The maximum number of elements of one container.
    pub width: usize,
    /// The maximum number of pieces (short strings) that a string is built from.
    pub text: usize,
}

impl Default for Size {
    fn default() -> Size {
        Size { depth: 4, parts: 32, width: 5, text: 5 }
    }
}

impl Size {
    /// The size of values of up to a thousand parts on up to twelve levels.
    pub const LARGE: Size = Size { depth: 12, parts: 1000, width: 40, text: 24 };
}

/// A concrete value, and a value that may become it.
///
/// Marks are ignored: the two values may be marked differently.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weakened {
    concrete: Value,
    value: Value,
}

impl Weakened {
    /// The pair of the two values; `None` unless `concrete` is wholly known and `value` [may become](may_become) it.
    ///
    /// ```
    /// use plantime::sample::Weakened;
    /// use plantime::{Type, Value};
    ///
    /// assert!(Weakened::new(Value::from("a"), Value::unknown(Type::String)).is_some());
    /// assert!(Weakened::new(Value::from("a"), Value::unknown(Type::Number)).is_none());
    /// ```
    pub fn new(concrete: Value, value: Value) -> Option<Weakened> {
        may_become(&value, &concrete).then_some(Weakened { concrete, value })
    }

    /// The wholly known value.
    pub fn concrete(&self) -> &Value {
        &self.concrete
    }

    /// The value that may become the concrete one; equal to that if nothing was weakened.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The concrete value and the value that may become it.
    pub fn into_parts(self) -> (Value, Value) {
        (self.concrete, self.value)
    }
}
