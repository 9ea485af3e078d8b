//! What trying the laws on an operation or a rule has shown.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use super::gamma::Abs;
use super::ledger::{Ledger, Row};

/// How many kinds of violations a report writes out.
const SHOWN: usize = 12;

/// A law that an operation or a rule can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Law {
    /// Nothing panics.
    Totality,
    /// The domains are small enough to try everything.
    Budget,
    /// Wholly known operands give a wholly known answer or an error.
    KnownInKnownOut,
    /// On wholly known operands the answer is that of the reference.
    Reference,
    /// The answer for unknown operands contains the answer for each value that they may become.
    Soundness,
    /// No more known answer would be sound.
    Optimality,
    /// Knowing more about an operand never makes the answer less known.
    Monotonicity,
    /// A mark changes no answer and gets lost on no route, and nothing that is seen depends on what stands behind one.
    Marks,
    /// The same operands give the same answer.
    Determinism,
    /// What a rule leaves to check gives the same answers as the rule.
    Obligation,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Totality => "totality",
            Law::Budget => "budget",
            Law::KnownInKnownOut => "known in, known out",
            Law::Reference => "reference",
            Law::Soundness => "soundness",
            Law::Optimality => "optimality",
            Law::Monotonicity => "monotonicity",
            Law::Marks => "marks",
            Law::Determinism => "determinism",
            Law::Obligation => "obligation",
        })
    }
}

/// Calls that break one law, with operands of the same kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law that the calls break.
    pub law: Law,
    /// The kinds of the operands, as [`Abs::kind`] names them: `unknown string`.
    pub kinds: Vec<String>,
    /// How many such calls there were.
    pub count: usize,
    /// The first of them: operands, answer and what is wrong with it.
    pub example: String,
}

/// What was tried, and what was found: the result of [`Proof::report`](super::Proof::report).
///
/// `Display` writes one line, and below it an example of each kind of violation.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The name of the operation or rule.
    pub name: String,
    /// Abstract values that operands ranged over.
    pub abstract_values: usize,
    /// Calls with wholly known operands.
    pub concrete_calls: usize,
    /// Calls with operands of which some are not wholly known, marked ones not counted.
    pub abstract_calls: usize,
    /// How long it took.
    pub seconds: f64,
    /// Laws that were broken, worst first.
    pub violations: Vec<Violation>,
    /// Answers that are sound, but could say more, unless [`optimal`](super::Proof::optimal) was asked for: then
    /// they are violations.
    pub imprecise: Vec<Violation>,
}

/// What was tried.
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    pub(super) abstract_values: usize,
    pub(super) concrete_calls: usize,
    pub(super) abstract_calls: usize,
}

/// What was found so far.
pub(super) struct Findings {
    /// Calls that break a law.
    pub(super) found: Found,
    /// Sound answers that could say more.
    pub(super) imprecise: Found,
    /// Which of these are allowed.
    pub(super) ledger: Ledger,
}

impl Findings {
    /// Nothing yet; the rows are what is allowed.
    pub(super) fn new(allowed: Vec<Row>) -> Findings {
        Findings { found: Found::default(), imprecise: Found::default(), ledger: Ledger::new(allowed) }
    }

    /// The report on what was tried since the start. Where `optimal` is asked for, an answer that could say more breaks
    /// a law.
    pub(super) fn report(self, name: String, counted: Counted, start: Instant, optimal: bool) -> Report {
        let Findings { mut found, mut imprecise, ledger } = self;
        for row in ledger.close(counted.abstract_calls) {
            found.add(Law::Optimality, &[], || row);
        }
        if optimal {
            found.merge(std::mem::take(&mut imprecise));
        }
        Report {
            name,
            abstract_values: counted.abstract_values,
            concrete_calls: counted.concrete_calls,
            abstract_calls: counted.abstract_calls,
            seconds: start.elapsed().as_secs_f64(),
            violations: found.violations(),
            imprecise: imprecise.violations(),
        }
    }
}

impl Report {
    /// Whether no law was broken.
    pub fn is_proven(&self) -> bool {
        self.violations.is_empty()
    }

    /// Prints the report, and fails the test if a law was broken.
    ///
    /// # Panics
    ///
    /// With the text of the report, when a law was broken.
    #[track_caller]
    pub fn assert(&self) {
        assert!(self.is_proven(), "{self}");
        println!("{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = |found: &[Violation]| found.iter().map(|violation| violation.count).sum::<usize>();
        if self.is_proven() {
            write!(
                f,
                "{}: {} abstract values, {} concrete and {} abstract calls, {:.2} s",
                self.name, self.abstract_values, self.concrete_calls, self.abstract_calls, self.seconds
            )?;
            if let Some(first) = self.imprecise.first() {
                let count = total(&self.imprecise);
                write!(f, "; {count} answers could say more, such as\n    {}", indented(&first.example))?;
            }
            return Ok(());
        }
        write!(f, "{} breaks laws in {} calls", self.name, total(&self.violations))?;
        for violation in self.violations.iter().take(SHOWN) {
            let Violation { law, count, example, .. } = violation;
            let times = if *count == 1 { "once".to_owned() } else { format!("{count} times, such as") };
            write!(f, "\n  {law}, {times}\n    {}", indented(example))?;
        }
        match self.violations.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} kinds more"),
        }
    }
}

fn indented(example: &str) -> String {
    example.replace('\n', "\n    ")
}

/// Violations while they are found.
#[derive(Debug, Default)]
pub(super) struct Found(BTreeMap<(Law, Vec<String>), (usize, String)>);

impl Found {
    pub(super) fn add(&mut self, law: Law, operands: &[&Abs], example: impl FnOnce() -> String) {
        let kinds = operands.iter().map(|operand| operand.kind()).collect();
        let (count, _) = self.0.entry((law, kinds)).or_insert_with(|| (0, example()));
        *count = count.saturating_add(1);
    }

    pub(super) fn count(&self, law: Law) -> usize {
        self.0.iter().filter(|((found, _), _)| *found == law).map(|(_, (count, _))| count).sum()
    }

    pub(super) fn merge(&mut self, other: Found) {
        for (kind, (more, example)) in other.0 {
            let (count, _) = self.0.entry(kind).or_insert((0, example));
            *count = count.saturating_add(more);
        }
    }

    pub(super) fn violations(self) -> Vec<Violation> {
        let found = self.0.into_iter();
        found.map(|((law, kinds), (count, example))| Violation { law, kinds, count, example }).collect()
    }
}
