//! Shrinks a value for which a test fails to the simplest one for which it still fails.

use std::fmt;

use proptest::strategy::ValueTree;

use super::{Smaller, values::Steps};

/// The state of shrinking a value for which a test fails: it moves to the first simpler value for which the test
/// still fails, and continues from there.
pub struct Shrinking<T> {
    /// The simplest value known to fail.
    failing: T,
    trying: Option<T>,
    /// The values simpler than `failing` that were not tried yet.
    left: Option<Steps<T>>,
    smaller: Smaller<T>,
}

impl<T> Shrinking<T> {
    /// The state of shrinking that starts at `value`, for which the test fails.
    pub(super) fn new(value: T, smaller: Smaller<T>) -> Shrinking<T> {
        Shrinking { failing: value, trying: None, left: None, smaller }
    }

    /// Moves to the next simpler value to try; false if there is none.
    fn try_next(&mut self) -> bool {
        self.trying = self.left.get_or_insert_with(|| (self.smaller)(&self.failing)).next();
        self.trying.is_some()
    }
}

impl<T: Clone + fmt::Debug> ValueTree for Shrinking<T> {
    type Value = T;

    fn current(&self) -> T {
        self.trying.as_ref().unwrap_or(&self.failing).clone()
    }

    fn simplify(&mut self) -> bool {
        if let Some(failed) = self.trying.take() {
            self.failing = failed;
            self.left = None;
        }
        self.try_next()
    }

    fn complicate(&mut self) -> bool {
        if self.trying.take().is_none() {
            return false;
        }
        self.try_next()
    }
}

impl<T: fmt::Debug> fmt::Debug for Shrinking<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shrinking").field("failing", &self.failing).finish_non_exhaustive()
    }
}
