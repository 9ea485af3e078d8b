//! What rules answer in a test, and how that differs from what is expected.

use std::collections::{BTreeMap, BTreeSet};

use super::{ExpectedAnswers, PLAN};
use crate::plan::report::{PlanReport, TestAnswer, TestVerdict};
use plantime::source::Position;
use plantime::unstable::text::nearest;

/// The answer of a rule on one address: of all its tests there, the gravest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Answer {
    /// A skip leaves the rule out.
    Skipped,
    /// The rule holds, or does not apply.
    Pass,
    /// The rule holds for some values that may turn out, and fails for others.
    Undetermined,
    /// The rule fails, whatever its severity is.
    Fail,
}

impl Answer {
    /// The names of all answers.
    pub(in crate::plan) const NAMES: [&'static str; 4] = ["pass", "fail", "undetermined", "skipped"];

    /// The answer of a name.
    ///
    /// ```
    /// use plantime_terraform::plan::rule_tests::Answer;
    ///
    /// assert_eq!(Answer::named("pass"), Some(Answer::Pass));
    /// assert_eq!(Answer::Pass.name(), "pass");
    /// ```
    pub fn named(name: &str) -> Option<Answer> {
        let all = [Answer::Skipped, Answer::Pass, Answer::Undetermined, Answer::Fail];
        all.into_iter().find(|answer| answer.name() == name)
    }

    /// The name of the answer in test files.
    ///
    /// [Example](Answer::named)
    pub fn name(self) -> &'static str {
        match self {
            Answer::Skipped => "skipped",
            Answer::Pass => "pass",
            Answer::Undetermined => "undetermined",
            Answer::Fail => "fail",
        }
    }

    fn of(verdict: &TestVerdict) -> Answer {
        match verdict {
            TestVerdict::Pass | TestVerdict::NotApplicable(_) => Answer::Pass,
            TestVerdict::Fail(_) => Answer::Fail,
            TestVerdict::Undetermined(_) => Answer::Undetermined,
            TestVerdict::Skipped(_) => Answer::Skipped,
        }
    }
}

/// A difference between what a test expects and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Where the expectation is written in the test file.
    pub position: Position,
    /// The rule; `None` for what no rule says.
    pub rule: Option<String>,
    /// The address of the resource or output that the answer is about.
    pub address: Option<String>,
    /// The answer that is expected; `None` if none is.
    pub expected: Option<Answer>,
    /// The answer that was given; `None` if none was.
    pub given: Option<Answer>,
    /// What is wrong, in one line.
    pub message: String,
    /// Why the rule answers so. Nothing sensitive.
    pub reasons: Vec<String>,
}

/// The answer of a rule on an address, with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::plan) struct GivenAnswer {
    pub(in crate::plan) answer: Answer,
    /// Of the tests with that answer; of a pass, their claims.
    pub(in crate::plan) reasons: Vec<String>,
}

/// The answers of rules by name and address.
pub(in crate::plan) type GivenAnswers = BTreeMap<String, BTreeMap<String, GivenAnswer>>;

/// The number of reasons of one answer that are shown.
const REASONS: usize = 5;

/// Adds the answers of a report.
pub(in crate::plan) fn add_answers(report: &PlanReport, given: &mut GivenAnswers) {
    for checked in &report.checked {
        for answer in &checked.answers {
            let of_rule = given.entry(answer.rule.to_string()).or_default();
            let reason = || reason(report, checked, answer);
            let found = Answer::of(&answer.verdict);
            match of_rule.get_mut(checked.address()) {
                // The claims of what holds are many, and of the others each message may be expected.
                Some(known)
                    if known.answer == found && found <= Answer::Pass && known.reasons.len() > REASONS => {}
                Some(known) if known.answer == found => known.reasons.push(reason()),
                Some(known) if known.answer > found => {}
                _ => {
                    let first = GivenAnswer { answer: found, reasons: vec![reason()] };
                    of_rule.insert(checked.address().to_owned(), first);
                }
            }
        }
    }
}

/// Why a test answers so, in lines; the last is the place in the rules file.
fn reason(report: &PlanReport, checked: &crate::plan::CheckedResource, answer: &TestAnswer) -> String {
    let (summary, text) = report.reason(checked, answer);
    let place = report.rule_location(answer.position);
    match (Answer::of(&answer.verdict), text.as_str()) {
        (Answer::Fail, _) => format!("{summary} ({place})\n{text}"),
        (_, "") => place,
        _ => format!("{text} ({place})"),
    }
}

/// The answers of a rule, also those of its instances where it has `for_each`: by address, the gravest one.
pub(super) fn answers_of<'g>(given: &'g GivenAnswers, rule: &str) -> BTreeMap<&'g str, &'g GivenAnswer> {
    let instances = format!("{rule}[");
    let of_instances = given.range(instances.clone()..).take_while(|(name, _)| name.starts_with(&instances));
    let of_rule = given.get(rule).into_iter().chain(of_instances.map(|(_, answers)| answers));
    let mut answers: BTreeMap<&str, &GivenAnswer> = BTreeMap::new();
    for (address, answer) in of_rule.flatten() {
        let known = answers.entry(address).or_insert(answer);
        if answer.answer > known.answer {
            *known = answer;
        }
    }
    answers
}

impl ExpectedAnswers {
    /// The differences to the answers that were given, and the answers that were given as they are expected.
    pub(super) fn compare(
        &self,
        given: &GivenAnswers,
        why_none: &dyn Fn(&str) -> Vec<String>,
    ) -> (Vec<Difference>, BTreeSet<Answer>) {
        let given = answers_of(given, &self.rule);
        let (mut differences, mut seen) = (Vec::new(), BTreeSet::new());
        for (address, (expected, position)) in &self.answers {
            let found = given.get(address.as_str());
            if found.is_some_and(|found| found.answer == *expected) {
                seen.insert(*expected);
                continue;
            }
            let mut difference = self.difference(*position, address);
            difference.expected = Some(*expected);
            difference.given = found.map(|found| found.answer);
            difference.reasons = match found {
                Some(found) => first_reasons(&found.reasons),
                None => {
                    let near = nearest(address, given.keys().copied());
                    let near = near.map(|near| format!("The nearest address with an answer is {near}."));
                    why_none(&self.rule).into_iter().chain(near).collect()
                }
            };
            let given = difference.given.map_or("none", Answer::name);
            difference.message = format!("expected {}, given {given}", expected.name());
            differences.push(difference);
        }
        for (address, found) in given.iter().filter(|(address, _)| !self.answers.contains_key(**address)) {
            let mut difference = self.difference(self.position, address);
            difference.given = Some(found.answer);
            difference.message = format!("not named, given {}", found.answer.name());
            difference.reasons = first_reasons(&found.reasons);
            differences.push(difference);
        }
        if !self.messages.is_empty() {
            self.compare_messages(&given, &mut differences);
        }
        (differences, seen)
    }

    /// Compares the messages: each that is expected is part of one, and each failure has an expected part.
    fn compare_messages(&self, given: &BTreeMap<&str, &GivenAnswer>, differences: &mut Vec<Difference>) {
        let open = |answer: Answer| matches!(answer, Answer::Fail | Answer::Undetermined);
        let all = || given.iter().filter(|(_, found)| open(found.answer));
        let texts = || all().flat_map(|(_, found)| &found.reasons);
        for (part, position) in &self.messages {
            if !texts().any(|text| has_part(text, part)) {
                let mut difference = self.difference(*position, "");
                difference.address = None;
                difference.message = format!("no message has the part {part:?}");
                difference.reasons = first_reasons(&texts().cloned().collect::<Vec<_>>());
                differences.push(difference);
            }
        }
        for (address, found) in all().filter(|(_, found)| found.answer == Answer::Fail) {
            let is_named = |text: &&String| !self.messages.iter().any(|(part, _)| has_part(text, part));
            let others: Vec<String> = found.reasons.iter().filter(is_named).cloned().collect();
            if !others.is_empty() {
                let mut difference = self.difference(self.position, address);
                difference.given = Some(found.answer);
                difference.message = "no part of `messages` is in this message".to_owned();
                difference.reasons = first_reasons(&others);
                differences.push(difference);
            }
        }
    }

    /// A difference at an address.
    pub(super) fn difference(&self, position: Position, address: &str) -> Difference {
        Difference {
            position,
            rule: Some(self.rule.clone()),
            address: (address != PLAN).then(|| address.to_owned()),
            expected: None,
            given: None,
            message: String::new(),
            reasons: Vec::new(),
        }
    }
}

/// Whether a message contains a text, wherever the message breaks its lines.
pub(super) fn has_part(message: &str, part: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    words(message).contains(&words(part))
}

/// The first of many reasons, each once, and how many more there are.
fn first_reasons(reasons: &[String]) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    for reason in reasons {
        if !shown.contains(reason) && shown.len() < REASONS {
            shown.push(reason.clone());
        }
    }
    if reasons.len() > REASONS {
        shown.push(format!("and {} more", reasons.len().saturating_sub(REASONS)));
    }
    shown
}
