//! The capsules of the universes.

use crate::{Capsule, Value};

/// A letter: compared, and nothing else.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Letter(char);

impl Capsule for Letter {
    const NAME: &'static str = "letter";
}

pub(super) fn capsules() -> [Value; 2] {
    ['a', 'b'].map(|letter| Value::capsule(Letter(letter)))
}
