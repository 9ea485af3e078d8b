//! Two programs for one piece of work, in turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::document::leaves;

/// The line for a workload on the document of so many resources: the median of the pairs by their ratio.
pub fn print(name: &str, n: usize, document: &[u8], other: &str, mut times: Vec<(Duration, Duration)>) {
    let ratio = |(ours, theirs): &(Duration, Duration)| ours.as_secs_f64() / theirs.as_secs_f64();
    times.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let pairs = times.len();
    let median = times[pairs / 2];
    let each = |time: Duration| time.as_secs_f64() * 1e9 / leaves(n) as f64;
    println!(
        "{name} {n}: {:.1} MB, plantime {:.1} ns a leaf, {other} {:.1} ns, ratio {:.2} (median of {pairs}, {:.2} to {:.2})",
        document.len() as f64 / 1e6,
        each(median.0),
        each(median.1),
        ratio(&median),
        ratio(&times[0]),
        ratio(&times[pairs - 1]),
    );
}

/// The work alone: what comes of it is dropped after the clock has stopped. Time on the processor where the system
/// tells it (Linux), so that what else runs on the machine counts little; else by the clock.
pub fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let (before, start) = (on_processor(), Instant::now());
    let result = black_box(work());
    let (elapsed, after) = (start.elapsed(), on_processor());
    drop(result);
    match (before, after) {
        (Some(before), Some(after)) => after - before,
        _ => elapsed,
    }
}

fn on_processor() -> Option<Duration> {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    spent.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
