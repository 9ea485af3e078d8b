//! Trying all laws on a rule.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::rule::{Outcome, Rule};
use crate::{Mark, Value};

use super::domain::Domain;
use super::gamma::Abs;
use super::ledger::Row;
use super::report::{Counted, Findings, Law, Report};

/// How many parts of a value are marked, one at a time.
const PARTS: usize = 8;

type Reference<'r> = dyn Fn(&Value) -> Option<bool> + 'r;

/// A rule on a single value that is about to be proven. Made by [`rule`].
///
/// | law | what is tried |
/// |---|---|
/// | totality | nothing panics |
/// | known in, known out | a wholly known value passes, fails, or is of a type that the rule cannot read; the [reference](RuleProof::reference) has the same |
/// | soundness | what passes at plan passes whatever becomes of it; so for what fails, and for what cannot be read |
/// | monotonicity | knowing more never undoes an answer |
/// | marks | a mark on the value, or inside it, changes no answer |
/// | obligation | what is left to check gives the same answers as the rule |
/// | optimality | only if [asked for](RuleProof::exact): undetermined only where it depends |
#[must_use = "a proof is tried with `assert` or `report`"]
pub struct RuleProof<'r> {
    rule: &'r Rule,
    reference: Option<Box<Reference<'r>>>,
    domains: Vec<Domain>,
    default_domains: bool,
    exact: bool,
    allowed: Vec<Row>,
}

/// A rule on a single value, tried on [`Domain::medium`] and [`Domain::nested`].
///
/// ```
/// use plantime::rule::{Custom, Rule};
/// use plantime::testing;
///
/// let short = Rule::Custom(Custom::of_known("is_short", |value| match value.as_str() {
///     Ok(text) if text.len() > 2 => Err("it is long".to_owned()),
///     _ => Ok(()),
/// }));
/// testing::rule(&short).assert();
/// ```
pub fn rule(rule: &Rule) -> RuleProof<'_> {
    RuleProof {
        rule,
        reference: None,
        domains: vec![Domain::medium(), Domain::nested()],
        default_domains: true,
        exact: false,
        allowed: Vec::new(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Pass,
    Fail,
    Undetermined,
    Misuse,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Word::Pass => "passes",
            Word::Fail => "fails",
            Word::Undetermined => "is undetermined",
            Word::Misuse => "cannot be read",
        })
    }
}

impl<'r> RuleProof<'r> {
    /// Tries the rule on the values of this domain, instead of the ones it starts with. Called again, it adds one.
    pub fn on(mut self, domain: Domain) -> RuleProof<'r> {
        if self.default_domains {
            self.domains.clear();
            self.default_domains = false;
        }
        self.domains.push(domain);
        self
    }

    /// Whether a wholly known value passes, written a second time; none where its type cannot be read.
    pub fn reference(mut self, reference: impl Fn(&Value) -> Option<bool> + 'r) -> RuleProof<'r> {
        self.reference = Some(Box::new(reference));
        self
    }

    /// Makes a law of it that the rule is undetermined only if some of what a value may become passes and some does
    /// not.
    pub fn exact(mut self) -> RuleProof<'r> {
        self.exact = true;
        self
    }

    /// Lets the rule be undetermined on values of a kind although it is decided, as
    /// [`Proof::allow`](super::Proof::allow) does.
    pub fn allow(mut self, kind: &str, reason: &str) -> RuleProof<'r> {
        self.allowed.push(Row { operands: vec![kind.to_owned()], reason: reason.to_owned() });
        self
    }

    /// Tries all laws and reports what breaks them.
    pub fn report(self) -> Report {
        let start = Instant::now();
        let mut tried = Tried { proof: &self, all: Findings::new(self.allowed.clone()) };
        self.domains.iter().for_each(|domain| tried.on(domain));
        let count = |each: fn(&Domain) -> usize| self.domains.iter().map(each).sum::<usize>();
        let abstract_values = count(|domain| domain.abstracts().len());
        let concrete_calls = count(|domain| domain.concretes().len());
        let counted = Counted { abstract_values, concrete_calls, abstract_calls: abstract_values };
        tried.all.report(self.rule.to_string(), counted, start, self.exact)
    }

    /// Tries all laws, prints what was tried, and fails the test if a law does not hold.
    ///
    /// # Panics
    ///
    /// With an example of each kind of violation.
    #[track_caller]
    pub fn assert(self) {
        self.report().assert();
    }
}

impl fmt::Debug for RuleProof<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleProof").field("rule", &self.rule).finish_non_exhaustive()
    }
}

struct Tried<'t, 'r> {
    proof: &'t RuleProof<'r>,
    all: Findings,
}

impl Tried<'_, '_> {
    fn check(&mut self, rule: &Rule, value: &Value) -> (Word, Option<Outcome>) {
        match catch_unwind(AssertUnwindSafe(|| rule.check_value(value))) {
            Ok(Ok(Outcome::Pass)) => (Word::Pass, None),
            Ok(Ok(Outcome::Fail(_))) => (Word::Fail, None),
            Ok(Ok(outcome @ Outcome::Undetermined(_))) => (Word::Undetermined, Some(outcome)),
            Ok(Err(_)) => (Word::Misuse, None),
            Err(_) => {
                self.all
                    .found
                    .add(Law::Totality, &[&Abs::of(value)], || format!("{rule} panics on {value:?}"));
                (Word::Misuse, None)
            }
        }
    }

    fn on(&mut self, domain: &Domain) {
        let values = domain.values();
        let rule = self.proof.rule;
        let mut words = Vec::new();
        for (value, _) in &values.concretes {
            let word = self.check(rule, value).0;
            let abs = Abs::of(value);
            if word == Word::Undetermined {
                self.all.found.add(Law::KnownInKnownOut, &[&abs], || format!("{value:?} {word}"));
            }
            if let Some(reference) = &self.proof.reference {
                let wanted = match reference(value) {
                    Some(true) => Word::Pass,
                    Some(false) => Word::Fail,
                    None => Word::Misuse,
                };
                if word != wanted {
                    self.all.found.add(Law::Reference, &[&abs], || {
                        format!("{value:?} {word}\nbut by the reference it {wanted}")
                    });
                }
            }
            words.push(word);
        }
        let mut answers = Vec::new();
        for ((value, abs), gamma) in values.abstracts.iter().zip(&values.gamma) {
            let (word, outcome) = self.check(rule, value);
            let instance = |differs: &dyn Fn(Word) -> bool| {
                gamma.iter().find(|i| differs(words[**i])).map(|i| (&values.concretes[*i].0, words[*i]))
            };
            if word == Word::Undetermined {
                // Only a few of the types that an undecided one can turn out are in the domain.
                let misuse = |word: Word| word == Word::Misuse && value.ty().has_dynamic();
                let first = gamma.first().map(|i| words[*i]).filter(|word| !misuse(*word));
                if let Some(first) = first.filter(|first| instance(&|word| word != *first).is_none())
                    && !self.all.ledger.excuses(&[abs])
                {
                    self.all.imprecise.add(Law::Optimality, &[abs], || {
                        format!("{value:?} {word}\nbut whatever becomes of it {first}")
                    });
                }
            } else if let Some((outcome, other)) = instance(&|other| other != word) {
                self.all.found.add(Law::Soundness, &[abs], || {
                    format!("{value:?} {word}\nbut it may become {outcome:?}, which {other}")
                });
            }
            self.marked(value, abs, word);
            if let Some(Outcome::Undetermined(why)) = outcome
                && let Some(open) = why.obligation()
            {
                self.obligation(open, value, abs, &|i| words[i], gamma, domain);
            }
            answers.push(word);
        }
        for &(wide, narrow) in &values.covering {
            if answers[wide] != Word::Undetermined && answers[wide] != answers[narrow] {
                let ((wide, narrow), words) =
                    ((&values.abstracts[wide], &values.abstracts[narrow]), (answers[wide], answers[narrow]));
                self.all.found.add(Law::Monotonicity, &[&wide.1], || {
                    format!("{:?} {}\nbut {:?} {}", wide.0, words.0, narrow.0, words.1)
                });
            }
        }
    }

    fn marked(&mut self, value: &Value, abs: &Abs, word: Word) {
        let rule = self.proof.rule;
        for (path, _) in value.parts().take(PARTS) {
            let marked = value.mark_with_paths(&[(path.clone(), Mark::SENSITIVE.into())]);
            let answer = self.check(rule, &marked).0;
            if answer != word {
                self.all.found.add(Law::Marks, &[abs], || {
                    let place = if path.is_empty() { String::new() } else { format!(" at {path}") };
                    format!("{value:?} {word}\nbut when it is marked{place}, it {answer}")
                });
            }
        }
    }

    /// What is left to check, on the value and on all that it may become.
    fn obligation(
        &mut self,
        open: &Rule,
        value: &Value,
        abs: &Abs,
        words: &dyn Fn(usize) -> Word,
        gamma: &[usize],
        domain: &Domain,
    ) {
        if open == self.proof.rule {
            return;
        }
        for &i in gamma {
            let (becomes, wanted) = (&domain.values().concretes[i].0, words(i));
            let word = self.check(open, becomes).0;
            if wanted != Word::Misuse && word != wanted {
                self.all.found.add(Law::Obligation, &[abs], || {
                    format!("{value:?} leaves {open}\nbut it may become {becomes:?}, which {wanted} and then {word}")
                });
            }
        }
    }
}
