//! What breaks a law.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::gamma::Abs;

/// How many kinds of violations a failing test shows.
const SHOWN: usize = 40;

/// Violations found: of each kind the number and an example.
#[derive(Debug, Default)]
pub struct Violations(BTreeMap<String, (usize, String)>);

impl Violations {
    /// Adds one of a kind; the first example is kept.
    pub fn add(&mut self, kind: impl Into<String>, example: impl FnOnce() -> String) {
        self.0.entry(kind.into()).or_insert_with(|| (0, example())).0 += 1;
    }

    /// Adds all of the other.
    pub fn merge(&mut self, other: Violations) {
        for (kind, (count, example)) in other.0 {
            self.0.entry(kind).or_insert((0, example)).0 += count;
        }
    }

    /// Fails the test unless there are none.
    ///
    /// # Panics
    ///
    /// With all kinds, when there are some.
    #[track_caller]
    pub fn none(self, what: &str) {
        let mut text = String::new();
        for (kind, (count, example)) in self.0.iter().take(SHOWN) {
            let _ = writeln!(text, "  {count} x {kind}: {example}");
        }
        let all: usize = self.0.values().map(|(count, _)| count).sum();
        assert!(self.0.is_empty(), "{what}: {all} violations of {} kinds\n{text}", self.0.len());
    }
}

/// A law and the kinds of the operands that break it.
pub fn kinds(law: &str, operands: &[&Abs]) -> String {
    let kinds: Vec<String> = operands.iter().map(|operand| operand.kind()).collect();
    format!("{law} {}", kinds.join(", "))
}
