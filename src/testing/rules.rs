//! Checks all laws on a rule.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::rule::{Outcome, Rule};
use crate::{Mark, Path, Type, Value, View};

use super::concrete::Con;
use super::domain::Domain;
use super::gamma::Abs;
use super::ledger::Row;
use super::report::{Counted, Findings, Law, Report};

/// The maximum number of places in a value, the value itself included, that are marked, one at a time.
const PARTS: usize = 8;

/// The maximum number of different texts of failures that are compared.
const TEXTS: usize = 256;

/// The second implementation for wholly known values: whether the value passes; `None` for a type that the rule
/// rejects.
type Reference<'r> = dyn Fn(&Value) -> Option<bool> + 'r;

/// A check of a rule on a single value. Made by [`rule`].
///
/// | law | what is checked |
/// |---|---|
/// | totality | nothing panics |
/// | known in, known out | a wholly known value passes, fails, or is of a type that the rule cannot read; the same as the [reference](RuleProof::reference) |
/// | soundness | a value that passes at plan time passes whatever it becomes; likewise for a value that fails, or that the rule cannot read |
/// | monotonicity | knowing more never undoes an answer |
/// | marks | a mark on the value, or inside it, changes no answer, and no text of a failure shows what is marked |
/// | obligation | the obligation that is left to check gives the same answers as the rule |
/// | optimality | only if [asked for](RuleProof::exact): undetermined only if the answer depends on what the value becomes |
#[must_use = "a proof is tried with `assert` or `report`"]
pub struct RuleProof<'r> {
    rule: &'r Rule,
    reference: Option<Box<Reference<'r>>>,
    domains: Vec<Domain>,
    default_domains: bool,
    exact: bool,
    allowed: Vec<Row>,
}

/// A check of a rule on a single value, which ranges over [`Domain::medium`] and [`Domain::nested`]. It runs at
/// [`assert`](RuleProof::assert) or [`report`](RuleProof::report).
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

/// What a rule answers on a value, without the explanation. `Misuse`: the value is of a type that the rule cannot
/// read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleAnswer {
    Pass,
    Fail,
    Undetermined,
    Misuse,
}

impl fmt::Display for RuleAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RuleAnswer::Pass => "passes",
            RuleAnswer::Fail => "fails",
            RuleAnswer::Undetermined => "is undetermined",
            RuleAnswer::Misuse => "cannot be read",
        })
    }
}

impl<'r> RuleProof<'r> {
    /// Uses the values of this domain in place of the default ones. A second call adds a domain.
    pub fn on(mut self, domain: Domain) -> RuleProof<'r> {
        if self.default_domains {
            self.domains.clear();
            self.default_domains = false;
        }
        self.domains.push(domain);
        self
    }

    /// Compares the answers for wholly known values with a second implementation; `None` for a type that the rule
    /// cannot read.
    pub fn reference(mut self, reference: impl Fn(&Value) -> Option<bool> + 'r) -> RuleProof<'r> {
        self.reference = Some(Box::new(reference));
        self
    }

    /// Adds the law of optimality: the rule is undetermined only if some of the values that a value may become pass
    /// and some do not.
    pub fn exact(mut self) -> RuleProof<'r> {
        self.exact = true;
        self
    }

    /// Accepts that the rule is undetermined on values of a kind although the answer is decided, like
    /// [`Proof::allow`](super::Proof::allow).
    pub fn allow(mut self, kind: &str, reason: &str) -> RuleProof<'r> {
        self.allowed.push(Row { operands: vec![kind.to_owned()], reason: reason.to_owned() });
        self
    }

    /// Checks all laws and reports the violations.
    pub fn report(self) -> Report {
        let start = Instant::now();
        let mut tried = RuleCheck { proof: &self, all: Findings::new(self.allowed.clone()) };
        self.domains.iter().for_each(|domain| tried.on(domain));
        let count = |each: fn(&Domain) -> usize| self.domains.iter().map(each).sum::<usize>();
        let abstract_values = count(|domain| domain.abstracts().len());
        let concrete_calls = count(|domain| domain.concretes().len());
        let counted = Counted { abstract_values, concrete_calls, abstract_calls: abstract_values };
        tried.all.report(self.rule.to_string(), counted, start, self.exact)
    }

    /// Checks all laws, prints the counts, and fails the test if a law is broken.
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

/// The state of the check: the rule under test, and what has been found so far.
struct RuleCheck<'t, 'r> {
    proof: &'t RuleProof<'r>,
    all: Findings,
}

impl RuleCheck<'_, '_> {
    /// Checks the value by the rule. The outcome is given only if undetermined; a panic is recorded as a violation
    /// and answered as misuse.
    fn check(&mut self, rule: &Rule, value: &Value) -> (RuleAnswer, Option<Outcome>) {
        match catch_unwind(AssertUnwindSafe(|| rule.check_value(value))) {
            Ok(Ok(Outcome::Pass)) => (RuleAnswer::Pass, None),
            Ok(Ok(Outcome::Fail(_))) => (RuleAnswer::Fail, None),
            Ok(Ok(outcome @ Outcome::Undetermined(_))) => (RuleAnswer::Undetermined, Some(outcome)),
            Ok(Err(_)) => (RuleAnswer::Misuse, None),
            Err(_) => {
                self.all
                    .found
                    .add(Law::Totality, &[&Abs::of(value)], || format!("{rule} panics on {value:?}"));
                (RuleAnswer::Misuse, None)
            }
        }
    }

    /// Checks all laws on the values of a domain, and records the violations.
    fn on(&mut self, domain: &Domain) {
        let values = domain.values();
        let rule = self.proof.rule;
        let mut words = Vec::new();
        for (value, _) in &values.concretes {
            let word = self.check(rule, value).0;
            let abs = Abs::of(value);
            if word == RuleAnswer::Undetermined {
                self.all.found.add(Law::KnownInKnownOut, &[&abs], || format!("{value:?} {word}"));
            }
            if let Some(reference) = &self.proof.reference {
                let wanted = match reference(value) {
                    Some(true) => RuleAnswer::Pass,
                    Some(false) => RuleAnswer::Fail,
                    None => RuleAnswer::Misuse,
                };
                if word != wanted {
                    self.all.found.add(Law::Reference, &[&abs], || {
                        format!("{value:?} {word}\nbut by the reference it {wanted}")
                    });
                }
            }
            words.push(word);
        }
        self.shown(&values.concretes);
        let mut answers = Vec::new();
        for ((value, abs), gamma) in values.abstracts.iter().zip(&values.gamma) {
            let (word, outcome) = self.check(rule, value);
            let instance = |differs: &dyn Fn(RuleAnswer) -> bool| {
                gamma.iter().find(|i| differs(words[**i])).map(|i| (&values.concretes[*i].0, words[*i]))
            };
            if word == RuleAnswer::Undetermined {
                // The domain contains only a few of the types that a value of undecided type may become.
                let misuse = |word: RuleAnswer| word == RuleAnswer::Misuse && value.ty().has_dynamic();
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
            if answers[wide] != RuleAnswer::Undetermined && answers[wide] != answers[narrow] {
                let ((wide, narrow), words) =
                    ((&values.abstracts[wide], &values.abstracts[narrow]), (answers[wide], answers[narrow]));
                self.all.found.add(Law::Monotonicity, &[&wide.1], || {
                    format!("{:?} {}\nbut {:?} {}", wide.0, words.0, narrow.0, words.1)
                });
            }
        }
    }

    /// Checks that no text of a failure shows what is marked: the texts about two values that differ in a marked part alone must not
    /// differ by its content.
    fn shown(&mut self, concretes: &[(Value, Con)]) {
        let rule = self.proof.rule;
        // What is not marked, the marked content, the text and the value.
        let mut texts: Vec<(String, String, String, &Value)> = Vec::new();
        for (value, _) in concretes {
            for (path, part) in value.parts().take(PARTS) {
                let content = match part.view() {
                    View::String(text) if !text.is_empty() => text.to_owned(),
                    View::Number(number) => number.to_string(),
                    _ => continue,
                };
                let marked = value.mark_with_paths(&[(path.clone(), Mark::SENSITIVE.into())]);
                // A panic is reported by the law of totality.
                let outcome = catch_unwind(AssertUnwindSafe(|| rule.check_value(&marked)));
                let Ok(Ok(outcome @ Outcome::Fail(_))) = outcome else { continue };
                let without =
                    |at: &Path, part: Value| Ok(if *at == path { Value::null(Type::Dynamic) } else { part });
                let Ok(rest) = value.transform(without) else { continue };
                let (rest, text) = (format!("{path} {rest:?}"), format!("{outcome:?}"));
                if texts.len() < TEXTS && !texts.iter().any(|(of, _, known, _)| *of == rest && *known == text)
                {
                    texts.push((rest, content, text, value));
                }
            }
        }
        for (rest, content, text, value) in &texts {
            let is_alike = |(of, other, beside, _): &&(String, String, String, &Value)| {
                of == rest && text != beside && text.replace(content.as_str(), other) == *beside
            };
            if let Some((_, other, beside, _)) = texts.iter().find(is_alike) {
                self.all.found.add(Law::Marks, &[&Abs::of(value)], || {
                    format!("of the marked content {content:?} it says {text}\nand of {other:?} {beside}")
                });
            }
        }
    }

    /// Checks that marks on the value, or inside it, do not change the rule's answer `word`.
    fn marked(&mut self, value: &Value, abs: &Abs, word: RuleAnswer) {
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

    /// Checks that the obligation `open`, which the rule left for `value`, gives the same answer as the rule on every
    /// value that `value` may become. `gamma` holds the indices, among the concrete values of the domain, of
    /// those that `value` may become; `words` gives the rule's answer for such an index.
    fn obligation(
        &mut self,
        open: &Rule,
        value: &Value,
        abs: &Abs,
        words: &dyn Fn(usize) -> RuleAnswer,
        gamma: &[usize],
        domain: &Domain,
    ) {
        if open == self.proof.rule {
            return;
        }
        for &i in gamma {
            let (becomes, wanted) = (&domain.values().concretes[i].0, words(i));
            let word = self.check(open, becomes).0;
            if wanted != RuleAnswer::Misuse && word != wanted {
                self.all.found.add(Law::Obligation, &[abs], || {
                    format!("{value:?} leaves {open}\nbut it may become {becomes:?}, which {wanted} and then {word}")
                });
            }
        }
    }
}
