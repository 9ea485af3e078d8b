//! Collecting marks from many parts of a value.

use super::{Mark, Marks};

/// A set of marks that is built from the marks of many values, one after the other.
///
/// Single marks are buffered until there are more of them than ordered marks, then sorted together: inserting each
/// one alone would copy a path through the [tree](super::tree) for each.
#[derive(Default)]
pub(crate) struct GatheredMarks {
    ordered: Marks,
    /// Marks that are not in `ordered`, in the order of insertion.
    buffered: Vec<Mark>,
}

impl GatheredMarks {
    /// Adds all marks of `marks`.
    pub(crate) fn add(&mut self, marks: &Marks) {
        match marks.is_tree() {
            true => self.ordered.extend_from(marks),
            false => marks.iter().for_each(|mark| self.insert(mark)),
        }
    }

    /// Adds a mark; does nothing if it was collected before.
    pub(crate) fn insert(&mut self, mark: &Mark) {
        if self.ordered.contains(mark) {
            return;
        }
        self.buffered.push(mark.clone());
        if self.buffered.len() > self.ordered.len() {
            self.flush();
        }
    }

    /// Moves the buffered marks into the ordered set.
    fn flush(&mut self) {
        let buffered: Marks = self.buffered.drain(..).collect();
        self.ordered.extend_from(&buffered);
    }

    /// The collected marks as a set.
    pub(crate) fn into_marks(mut self) -> Marks {
        if !self.buffered.is_empty() {
            self.flush();
        }
        self.ordered
    }
}
