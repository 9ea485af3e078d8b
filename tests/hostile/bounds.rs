//! What a call may cost.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use plantime::function::Function;
use plantime::{Error, Value};

use crate::MEMORY;

/// A call answers within a second. Nothing is optimised where tests run unoptimised: there, it has four.
pub(crate) const SECONDS: u64 = 1;
const UNOPTIMISED: u64 = 4;
/// And with so many bytes more than its arguments have.
pub(crate) const BYTES: usize = 64 << 20;

/// What a call has cost.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    pub(crate) time: Duration,
    pub(crate) bytes: usize,
    pub(crate) call: String,
}

impl Cost {
    /// What is wrong with it.
    pub(crate) fn fault(&self) -> Option<String> {
        let is_long = self.time > Duration::from_secs(most_seconds());
        let is_large = self.bytes > BYTES;
        (is_long || is_large).then(|| format!("{}: {:?}, {} bytes", self.call, self.time, self.bytes))
    }
}

fn most_seconds() -> u64 {
    if is_optimised() { SECONDS } else { UNOPTIMISED }
}

/// How many times longer than where everything is optimised a call may take.
pub(crate) fn slower() -> u64 {
    if is_optimised() { 1 } else { 20 }
}

/// How much faster a short sum is where it is optimised tells whether this is.
fn is_optimised() -> bool {
    static OPTIMISED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *OPTIMISED.get_or_init(|| {
        let sum = || {
            let start = Instant::now();
            let sum = (0..300_000_u64)
                .fold(0_u64, |sum, i| std::hint::black_box(sum).wrapping_mul(31).wrapping_add(i));
            std::hint::black_box(sum);
            start.elapsed()
        };
        (0..5).map(|_| sum()).min().unwrap_or_default() < Duration::from_millis(2)
    })
}

/// How long this thread has been on a processor, where the system tells that: others may have it for a while.
pub(crate) fn on_processor() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// Runs on a stack of 1 MiB, with nothing else that allocates.
pub(crate) fn alone<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap();
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Calls a function and tells what that has cost.
pub(crate) fn cost(function: &Function, arguments: &[Value], names: &str) -> (Result<(), Error>, Cost) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let start = on_processor();
    let result = function.call_converting(arguments).map(drop);
    let time = on_processor().saturating_sub(start);
    let bytes = MEMORY.peak_usage().saturating_sub(before);
    (result, Cost { time, bytes, call: format!("{}({names})", function.name()) })
}
