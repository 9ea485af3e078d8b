//! The work that checking an operation takes.

use std::time::Instant;

/// The maximum number of calls with concrete operands.
const CALLS: usize = 20_000_000;

/// The counts of calls, and the time, of checking an operation.
#[derive(Debug)]
pub(crate) struct Effort {
    /// The number of abstract values.
    pub(crate) abstracts: usize,
    /// The number of calls with wholly known operands.
    pub(crate) concrete_calls: usize,
    /// The number of all other calls.
    pub(crate) abstract_calls: usize,
    start: Instant,
}

impl Effort {
    /// Starts the clock, with all counts at 0.
    pub(crate) fn start() -> Effort {
        Effort { abstracts: 0, concrete_calls: 0, abstract_calls: 0, start: Instant::now() }
    }

    /// Prints the counts and the time.
    ///
    /// # Panics
    ///
    /// If there were too many calls for a test that runs with every change.
    pub(crate) fn print(&self, name: &str, universes: &str) {
        println!(
            "{name:22} {universes:17} {:5} abstract values, {:8} concrete and {:8} abstract calls, {:5.2} s",
            self.abstracts,
            self.concrete_calls,
            self.abstract_calls,
            self.start.elapsed().as_secs_f64()
        );
        assert!(self.concrete_calls <= CALLS, "{name}: {} concrete calls", self.concrete_calls);
    }
}
