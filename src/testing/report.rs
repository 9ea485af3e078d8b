//! The results of checking an operation or a rule.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use super::gamma::Abs;
use super::ledger::{Ledger, Row};

/// The number of kinds of violations that a report prints.
const SHOWN: usize = 12;

/// A law that an operation or a rule can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Law {
    /// No call panics.
    Totality,
    /// There is one domain for each operand, and the domains are small enough to try all combinations.
    Budget,
    /// Wholly known operands give a wholly known answer or an error.
    KnownInKnownOut,
    /// On wholly known operands the answer equals that of the reference.
    Reference,
    /// The answer for unknown operands contains the answer for each value that they may become.
    Soundness,
    /// A call that fails for all values that its operands may become fails at once: the part of optimality that is about errors.
    CertainFailure,
    /// No more known answer would be sound.
    Optimality,
    /// Knowing more about an operand never makes the answer less known.
    Monotonicity,
    /// A mark changes no answer and is never lost, and nothing visible depends on marked content.
    Marks,
    /// The same operands give the same answer.
    Determinism,
    /// The obligation that a rule leaves gives the same answers as the rule.
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
            Law::CertainFailure => "certain failure",
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
    /// The number of such calls.
    pub count: usize,
    /// The first such call: operands, answer, and what is wrong with it.
    pub example: String,
}

/// The counts and violations of a check: the result of [`Proof::report`](super::Proof::report).
///
/// `Display` writes one line, and below it an example of each kind of violation.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The name of the operation or rule.
    pub name: String,
    /// The number of abstract values that operands ranged over.
    pub abstract_values: usize,
    /// The number of calls with wholly known operands.
    pub concrete_calls: usize,
    /// The number of calls with operands that are not all wholly known, without those with marked operands.
    pub abstract_calls: usize,
    /// The time that the check took.
    pub seconds: f64,
    /// The violations, ordered by law, the most severe first.
    pub violations: Vec<Violation>,
    /// Answers that are sound but less precise than possible. After [`optimal`](super::Proof::optimal) they count
    /// as violations.
    pub imprecise: Vec<Violation>,
}

/// The numbers of values and calls that a check has tried, as [`Report`] lists them.
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    pub(super) abstract_values: usize,
    pub(super) concrete_calls: usize,
    pub(super) abstract_calls: usize,
}

/// What a check of the laws has found so far: the violations, the imprecise answers, and the ledger of those
/// imprecise answers that are accepted.
pub(super) struct Findings {
    /// The calls that violate a law.
    pub(super) found: Collected,
    /// The sound answers that are less precise than possible.
    pub(super) imprecise: Collected,
    /// The imprecise answers that are accepted.
    pub(super) ledger: Ledger,
}

impl Findings {
    /// An empty collection of findings; `allowed` lists the imprecise answers that are accepted.
    pub(super) fn new(allowed: Vec<Row>) -> Findings {
        Findings {
            found: Collected::default(),
            imprecise: Collected::default(),
            ledger: Ledger::new(allowed),
        }
    }

    /// Builds the report of a check that began at `start`. If `optimal`, imprecise answers are violations.
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

    /// Prints the report, and fails the test if a law was violated.
    ///
    /// # Panics
    ///
    /// With the text of the report, if a law was violated.
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

/// The text with spaces after each line break, so that it stands below a heading.
fn indented(example: &str) -> String {
    example.replace('\n', "\n    ")
}

/// The violations found so far: for each law and list of operand kinds, the number of calls and the first example.
#[derive(Debug, Default)]
pub(super) struct Collected(BTreeMap<(Law, Vec<String>), (usize, String)>);

impl Collected {
    /// Counts one violation of a law by a call with these operands. `example` is evaluated and kept only for the
    /// first violation with operands of the same kinds.
    pub(super) fn add(&mut self, law: Law, operands: &[&Abs], example: impl FnOnce() -> String) {
        let kinds = operands.iter().map(|operand| operand.kind()).collect();
        let (count, _) = self.0.entry((law, kinds)).or_insert_with(|| (0, example()));
        *count = count.saturating_add(1);
    }

    /// The number of calls that violated a law.
    pub(super) fn count(&self, law: Law) -> usize {
        self.0.iter().filter(|((found, _), _)| *found == law).map(|(_, (count, _))| count).sum()
    }

    /// Adds the counts of another collection. Where both have an example, that of `self` is kept.
    pub(super) fn merge(&mut self, other: Collected) {
        for (kind, (more, example)) in other.0 {
            let (count, _) = self.0.entry(kind).or_insert((0, example));
            *count = count.saturating_add(more);
        }
    }

    /// One violation for each law and list of operand kinds, ordered by law, the most severe first.
    pub(super) fn violations(self) -> Vec<Violation> {
        let found = self.0.into_iter();
        found.map(|((law, kinds), (count, example))| Violation { law, kinds, count, example }).collect()
    }
}
