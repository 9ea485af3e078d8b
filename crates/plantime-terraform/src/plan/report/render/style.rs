//! What of a report a text shows, and how.

use super::{Colour, DiagnosticStyle};
use crate::plan::knowledge::ContradictedAssumption;
use crate::plan::report::{CheckedResource, TestAnswer, TestVerdict};
use plantime::rule::Severity;

/// The kind of an answer, named by the word that the answer's row begins with.
///
/// ```
/// use plantime_terraform::plan::AnswerKind;
///
/// assert_eq!(AnswerKind::named("undetermined"), Some(AnswerKind::Undetermined));
/// assert_eq!(AnswerKind::Undetermined.word(), "undetermined");
/// assert_eq!(AnswerKind::named("unknown"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AnswerKind {
    /// The rule holds, or there is nothing to test.
    Pass,
    /// The rule does not hold, and its failures fail the run.
    Fail,
    /// The rule does not hold, and its failures do not fail the run.
    Warning,
    /// The rule does not hold, and the baseline knows it.
    Known,
    /// It depends on what is not known.
    Undetermined,
    /// A `skip` leaves the rule out.
    Skipped,
}

impl AnswerKind {
    /// All kinds, with their words.
    pub const NAMES: &'static [(&'static str, AnswerKind)] = &[
        ("pass", AnswerKind::Pass),
        ("fail", AnswerKind::Fail),
        ("warning", AnswerKind::Warning),
        ("known", AnswerKind::Known),
        ("undetermined", AnswerKind::Undetermined),
        ("skipped", AnswerKind::Skipped),
    ];

    /// The kind of an answer.
    ///
    /// [Example](AnswerKind)
    pub fn of(answer: &TestAnswer) -> AnswerKind {
        match (&answer.verdict, answer.severity) {
            (TestVerdict::Pass | TestVerdict::NotApplicable(_), _) => AnswerKind::Pass,
            (TestVerdict::Fail(_), _) if answer.is_known => AnswerKind::Known,
            (TestVerdict::Fail(_), Severity::Error) => AnswerKind::Fail,
            (TestVerdict::Fail(_), Severity::Warning) => AnswerKind::Warning,
            (TestVerdict::Undetermined(_), _) => AnswerKind::Undetermined,
            (TestVerdict::Skipped(..), _) => AnswerKind::Skipped,
        }
    }

    /// The kind of answer with this word; `None` if there is none.
    ///
    /// [Example](AnswerKind)
    pub fn named(word: &str) -> Option<AnswerKind> {
        AnswerKind::NAMES.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind)
    }

    /// The word that the rows of answers of this kind begin with.
    ///
    /// [Example](AnswerKind)
    pub fn word(self) -> &'static str {
        match self {
            AnswerKind::Pass => "pass",
            AnswerKind::Fail => "fail",
            AnswerKind::Warning => "warning",
            AnswerKind::Known => "known",
            AnswerKind::Undetermined => "undetermined",
            AnswerKind::Skipped => "skipped",
        }
    }

    /// The bit that stands for this kind in a set of kinds.
    fn bit(self) -> u8 {
        match self {
            AnswerKind::Pass => 1,
            AnswerKind::Fail => 2,
            AnswerKind::Warning => 4,
            AnswerKind::Undetermined => 8,
            AnswerKind::Skipped => 16,
            AnswerKind::Known => 32,
        }
    }
}

/// How [`PlanReport::text_with`](crate::plan::PlanReport::text_with) writes a report.
///
/// ```
/// use plantime_terraform::plan::{AnswerKind, Colour, TextStyle};
///
/// let style = TextStyle::new(Colour::Never).only([AnswerKind::Fail, AnswerKind::Undetermined]);
/// assert!(style.shows(AnswerKind::Fail) && !style.shows(AnswerKind::Pass));
/// assert!(!TextStyle::new(Colour::Never).quiet().shows(AnswerKind::Undetermined));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    pub(super) colour: Colour,
    pub(super) diagnostics: DiagnosticStyle,
    pub(super) is_quiet: bool,
    /// The bits of the kinds of answers that are shown; none: all, and resources without an answer.
    only: Option<u8>,
}

impl TextStyle {
    /// The style that shows all answers, with failures in boxes.
    ///
    /// [Example](TextStyle)
    pub fn new(colour: Colour) -> TextStyle {
        TextStyle { colour, diagnostics: DiagnosticStyle::default(), is_quiet: false, only: None }
    }

    /// The style with diagnostics drawn in this way.
    ///
    /// [Example](TextStyle)
    #[must_use]
    pub fn diagnostics(self, diagnostics: DiagnosticStyle) -> TextStyle {
        TextStyle { diagnostics, ..self }
    }

    /// The style that shows only answers of these kinds, and the resources that have one.
    ///
    /// [Example](TextStyle)
    #[must_use]
    pub fn only(self, kinds: impl IntoIterator<Item = AnswerKind>) -> TextStyle {
        let bits = kinds.into_iter().fold(0, |bits, kind| bits | kind.bit());
        TextStyle { only: Some(bits), ..self }
    }

    /// The style that shows only failures, without the planned values and without notes.
    ///
    /// ```
    /// use plantime_terraform::plan::{AnswerKind, Colour, TextStyle};
    ///
    /// let style = TextStyle::new(Colour::Never).quiet();
    /// assert!(style.shows(AnswerKind::Fail) && !style.shows(AnswerKind::Pass));
    /// ```
    #[must_use]
    pub fn quiet(self) -> TextStyle {
        TextStyle { is_quiet: true, ..self.only([AnswerKind::Fail, AnswerKind::Warning]) }
    }

    /// Whether answers of a kind are shown.
    ///
    /// [Example](TextStyle)
    pub fn shows(self, kind: AnswerKind) -> bool {
        self.only.is_none_or(|only| only & kind.bit() != 0)
    }

    /// The answers of a resource or output that are shown.
    pub(super) fn answers(self, checked: &CheckedResource) -> impl Iterator<Item = &TestAnswer> {
        checked.answers.iter().filter(move |answer| self.shows(AnswerKind::of(answer)))
    }

    /// The contradicted assumptions of a resource or output, if they are shown.
    pub(super) fn contradictions(self, checked: &CheckedResource) -> &[ContradictedAssumption] {
        if self.shows(AnswerKind::Fail) { &checked.contradicted } else { &[] }
    }

    /// Whether resources without an answer are shown too: true unless the style selects kinds of answers.
    pub(super) fn shows_all(self) -> bool {
        self.only.is_none()
    }
}
