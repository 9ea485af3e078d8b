//! The capsules of the universes.

use crate::{Capsule, Value};

/// A capsule that supports only equality.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Letter(char);

impl Capsule for Letter {
    const NAME: &'static str = "letter";
}

/// The capsule values.
pub(super) fn capsules() -> [Value; 2] {
    ['a', 'b'].map(|letter| Value::capsule(Letter(letter)))
}
