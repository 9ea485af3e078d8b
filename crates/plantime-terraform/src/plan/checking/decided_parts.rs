//! Decides a rule made of rules by its parts.
//!
//! A rule that meets a value of undecided type may turn out unable to read it. For the library that is misuse, an error whatever the
//! rules beside it say, so one such part leaves all of the rule undetermined. In a check, a value that a rule cannot read fails
//! the test. So where a part that must hold certainly fails, the test fails in each case, as that part does in a row of its own.

use super::evaluation::EvaluatedValue;
use super::operands::operands;
use super::readings::RuleAnswer;
use plantime::rule::{Diagnostics, How, Outcome, PathExpr, Rule};

/// The maximum number of parts that are evaluated by themselves: each may read all of the value.
const PARTS: usize = 256;

/// What is certain of a part of a rule.
enum Decided {
    Pass,
    Fail(Diagnostics),
}

/// Whether an answer is pass or fail.
pub(super) fn is_decided(answer: &RuleAnswer) -> bool {
    matches!(answer, Ok(Outcome::Pass | Outcome::Fail(_)))
}

impl EvaluatedValue<'_> {
    /// The answer of a rule, or what its parts decide where it is undetermined or cannot read the value: a failure of one of the
    /// parts that must all hold, and a pass where the condition of `implies` fails, which a `when` of the rule would pass over.
    pub(super) fn decided_by_parts(&self, rule: &Rule, answer: RuleAnswer) -> RuleAnswer {
        if is_decided(&answer) || rule.depth() < 2 || !self.declared.has_dynamic() {
            return answer;
        }
        let mut left = PARTS;
        match (self.decided(&PathExpr::new(), rule, &mut left), answer) {
            (Some(Decided::Pass), _) => Ok(Outcome::Pass),
            (Some(Decided::Fail(diagnostics)), Ok(_)) => Ok(Outcome::Fail(diagnostics)),
            (_, answer) => answer,
        }
    }

    /// What is certain of a rule at a place, by its parts. `left` is how many more parts may be evaluated.
    fn decided(&self, place: &PathExpr, rule: &Rule, left: &mut usize) -> Option<Decided> {
        match rule {
            Rule::All(rules) | Rule::Sequence(rules) => {
                let is_sequence = matches!(rule, Rule::Sequence(_));
                let parts = rules.iter().map(|rule| self.decided(place, rule, left));
                joined(parts, is_sequence)
            }
            // An array of undecided kind may be a set, whose members have no value before: all readings have to agree.
            Rule::At(path, nested) if path.has_wildcard() && nested.reads_before() => {
                certain(self.part_answer(place, rule, left)?, self)
            }
            Rule::At(path, rule) => {
                let steps = place.steps().iter().chain(path.steps()).cloned();
                let inner = PathExpr::from_steps(steps).ok()?;
                if !inner.has_wildcard() {
                    return self.decided(&inner, rule, left);
                }
                let found = inner.matches(self.value).ok()?;
                let parts = found.into_iter().map(|found| {
                    let exact = PathExpr::exact_steps(&found.path).filter(|_| found.how == How::Exact);
                    let place = PathExpr::from_steps(exact?).ok()?;
                    self.decided(&place, rule, left)
                });
                joined(parts, false)
            }
            Rule::When(condition, rule) => self.decided_under(place, condition, rule, left),
            // A null passes `implies` whatever its parts say of it.
            Rule::Implies(condition, rule) => match self.part_answer(place, &Rule::NotNull, left)? {
                Ok(Outcome::Fail(_)) => Some(Decided::Pass),
                Ok(Outcome::Pass) => self.decided_under(place, condition, rule, left),
                Ok(Outcome::Undetermined(_)) | Err(_) => {
                    let decided = self.decided_under(place, condition, rule, left);
                    decided.filter(|decided| matches!(decided, Decided::Pass))
                }
            },
            rule => certain(self.part_answer(place, rule, left)?, self),
        }
    }

    /// What is certain of a rule under a condition.
    fn decided_under(
        &self,
        place: &PathExpr,
        condition: &Rule,
        rule: &Rule,
        left: &mut usize,
    ) -> Option<Decided> {
        match self.part_answer(place, condition, left)? {
            Ok(Outcome::Fail(_)) => Some(Decided::Pass),
            Ok(Outcome::Pass) => self.decided(place, rule, left),
            Ok(Outcome::Undetermined(_)) | Err(_) => None,
        }
    }

    /// The answer of a rule at a place, evaluated on the whole value; `None` if too many parts were evaluated.
    fn part_answer(&self, place: &PathExpr, rule: &Rule, left: &mut usize) -> Option<RuleAnswer> {
        *left = left.checked_sub(1)?;
        let rule = match place.is_empty() {
            true => rule.clone(),
            false => Rule::at(place.clone(), rule.clone()).ok()?,
        };
        Some(self.whole_answer_in_each_kind(&rule, &operands(&rule)))
    }
}

/// What is certain of a part with this answer: a value that it cannot read fails.
fn certain(answer: RuleAnswer, of: &EvaluatedValue<'_>) -> Option<Decided> {
    match answer {
        Ok(Outcome::Pass) => Some(Decided::Pass),
        Ok(Outcome::Fail(diagnostics)) => Some(Decided::Fail(diagnostics)),
        Ok(Outcome::Undetermined(_)) => None,
        Err(misuse) => {
            let hidden = of.value.contains_marks();
            Some(Decided::Fail(of.unreadable_diagnostics(&misuse, misuse.path(), hidden)))
        }
    }
}

/// What is certain of parts that must all hold: with `is_sequence`, the first failure alone is reported.
fn joined(parts: impl Iterator<Item = Option<Decided>>, is_sequence: bool) -> Option<Decided> {
    let mut all_pass = true;
    let mut failures: Vec<Diagnostics> = Vec::new();
    for part in parts {
        match part {
            Some(Decided::Pass) => {}
            Some(Decided::Fail(diagnostics)) => {
                failures.push(diagnostics);
                if is_sequence {
                    break;
                }
            }
            None => all_pass = false,
        }
    }
    match failures.is_empty() {
        false => Some(Decided::Fail(failures.into_iter().flatten().collect())),
        true => all_pass.then_some(Decided::Pass),
    }
}
