//! The violations of the laws.

use std::collections::BTreeMap;
use std::fmt::Write;

use plantime::testing::gamma::Abs;

/// The number of kinds of violations that a failing test prints.
const SHOWN: usize = 40;

/// The violations found: for each kind, their number and an example.
#[derive(Debug, Default)]
pub(crate) struct Violations(BTreeMap<String, (usize, String)>);

impl Violations {
    /// Adds a violation of a kind. Only the first example is kept.
    pub(crate) fn add(&mut self, kind: impl Into<String>, example: impl FnOnce() -> String) {
        self.0.entry(kind.into()).or_insert_with(|| (0, example())).0 += 1;
    }

    /// Adds all violations of another collection.
    pub(crate) fn merge(&mut self, other: Violations) {
        for (kind, (count, example)) in other.0 {
            self.0.entry(kind).or_insert((0, example)).0 += count;
        }
    }

    /// Fails the test if there are violations.
    ///
    /// # Panics
    ///
    /// With all kinds of violations, if there are any.
    #[track_caller]
    pub(crate) fn none(self, what: &str) {
        let mut text = String::new();
        for (kind, (count, example)) in self.0.iter().take(SHOWN) {
            let _ = writeln!(text, "  {count} x {kind}: {example}");
        }
        let all: usize = self.0.values().map(|(count, _)| count).sum();
        assert!(self.0.is_empty(), "{what}: {all} violations of {} kinds\n{text}", self.0.len());
    }
}

/// The kind of a violation: the law, and the kinds of the operands.
pub(crate) fn kinds(law: &str, operands: &[&Abs]) -> String {
    let kinds: Vec<String> = operands.iter().map(|operand| operand.kind()).collect();
    format!("{law} {}", kinds.join(", "))
}
