//! Marks that are being gathered from many places.

use super::{Mark, Marks};

/// Marks that are being gathered from any number of places.
///
/// Those that come one by one wait until they are as many as those that are in order: putting each in its place on its
/// own would cost a path through the [tree](super::tree) for each.
#[derive(Default)]
pub(crate) struct GatheredMarks {
    ordered: Marks,
    /// Not among the ordered ones.
    more: Vec<Mark>,
}

impl GatheredMarks {
    pub(crate) fn add(&mut self, marks: &Marks) {
        match marks.is_tree() {
            true => self.ordered.extend_from(marks),
            false => marks.iter().for_each(|mark| self.insert(mark)),
        }
    }

    pub(crate) fn insert(&mut self, mark: &Mark) {
        if self.ordered.contains(mark) {
            return;
        }
        self.more.push(mark.clone());
        if self.more.len() > self.ordered.len() {
            self.put_in_order();
        }
    }

    fn put_in_order(&mut self) {
        let more: Marks = self.more.drain(..).collect();
        self.ordered.extend_from(&more);
    }

    pub(crate) fn into_marks(mut self) -> Marks {
        if !self.more.is_empty() {
            self.put_in_order();
        }
        self.ordered
    }
}
