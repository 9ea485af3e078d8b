//! The list of problems that is filled while a text is read or evaluated.

use super::Diagnostic;
use plantime::limits;

/// A bounded list of problems, in the order in which they are found. Keeps the first [`limits::PROBLEMS`] of each kind: errors, errors
/// that Terraform reports only once a value is known, and warnings. A notice that more were omitted follows them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problems {
    reported: Vec<Diagnostic>,
    /// The number of problems of each kind that were added, whether they are reported or omitted.
    added: [usize; 3],
}

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Diagnostic) {
        let Some(added) = self.added.get_mut(kind(&problem)) else { return };
        *added = added.saturating_add(1);
        if *added <= limits::PROBLEMS {
            self.reported.push(problem);
        } else if *added == limits::PROBLEMS.saturating_add(1) {
            self.reported.push(problem.into_notice_of_omission());
        }
    }

    /// Whether a problem of this kind would be omitted, and the notice of that is there.
    pub fn is_full_for(&self, problem: &Diagnostic) -> bool {
        self.added.get(kind(problem)).is_some_and(|added| *added > limits::PROBLEMS)
    }

    /// The number of problems that were added, whether they are reported or omitted.
    pub fn added_count(&self) -> usize {
        self.added.iter().copied().fold(0, usize::saturating_add)
    }

    /// The reported problems.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.reported.iter()
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.iter().any(|problem| !problem.is_warning())
    }

    /// Changes each reported problem. They are added again, since a changed problem may be of another kind.
    pub(super) fn update(&mut self, change: impl FnMut(&mut Diagnostic)) {
        let mut reported = std::mem::take(self).reported;
        reported.iter_mut().for_each(change);
        self.extend(reported);
    }
}

/// The index of the problem's kind in [`Problems::added`].
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
        self.reported.into_iter()
    }
}

impl From<Problems> for Vec<Diagnostic> {
    fn from(problems: Problems) -> Vec<Diagnostic> {
        problems.reported
    }
}
