//! The list of problems that is kept while a text is read or evaluated.

use super::Diagnostic;
use crate::limits;

/// Problems in the order in which they are found. Of each kind (errors, errors that are reported only once a value is known,
/// warnings) the first [`limits::PROBLEMS`] are kept; behind them stands one that says so.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Problems {
    kept: Vec<Diagnostic>,
    /// How many problems of each kind were found.
    found: [usize; 3],
}

impl Problems {
    /// Adds a problem.
    pub(crate) fn push(&mut self, problem: Diagnostic) {
        let Some(found) = self.found.get_mut(kind(&problem)) else { return };
        *found = found.saturating_add(1);
        if *found <= limits::PROBLEMS {
            self.kept.push(problem);
        } else if *found == limits::PROBLEMS.saturating_add(1) {
            self.kept.push(problem.as_notice_of_omission());
        }
    }

    /// Whether such a problem would be left out.
    pub(crate) fn leaves_out(&self, problem: &Diagnostic) -> bool {
        self.found.get(kind(problem)).is_some_and(|found| *found > limits::PROBLEMS)
    }

    /// How many problems were found, those that are left out included.
    pub(crate) fn count(&self) -> usize {
        self.found.iter().copied().fold(0, usize::saturating_add)
    }

    /// The problems that are kept.
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.kept.iter()
    }

    /// Whether one of them is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.iter().any(|problem| !problem.is_warning())
    }

    /// Changes each problem.
    pub(super) fn update(&mut self, change: impl FnMut(&mut Diagnostic)) {
        let mut kept = std::mem::take(self).kept;
        kept.iter_mut().for_each(change);
        self.extend(kept);
    }
}

/// The place of the problem's kind in [`Problems::found`].
fn kind(problem: &Diagnostic) -> usize {
    match (problem.is_warning(), problem.is_reported_once_known()) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }
}

impl Extend<Diagnostic> for Problems {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, problems: I) {
        problems.into_iter().for_each(|problem| self.push(problem));
    }
}

impl IntoIterator for Problems {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.into_iter()
    }
}

impl From<Problems> for Vec<Diagnostic> {
    fn from(problems: Problems) -> Vec<Diagnostic> {
        problems.kept
    }
}
