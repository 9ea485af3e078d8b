//! What reading may take: at most 128 bytes for each byte that is read and a megabyte, and a second.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How much memory is allocated; only a program that counts can say.
#[derive(Clone, Copy)]
pub struct Meter {
    pub current: fn() -> usize,
    /// The most since the last `reset`.
    pub peak: fn() -> usize,
    pub reset: fn(),
}

static METER: OnceLock<Meter> = OnceLock::new();

/// From now on memory is looked at too. Nothing else may allocate meanwhile.
pub fn measure_with(meter: Meter) {
    METER.get_or_init(|| meter);
}

/// Reads; one reading may be slow because of others on the machine, three may not.
#[track_caller]
pub fn read<T>(input: &[u8], read: impl Fn() -> T) -> T {
    let meter = METER.get();
    let before = meter.map_or(0, |meter| {
        (meter.reset)();
        (meter.current)()
    });
    let mut times = [Duration::ZERO; 3];
    let result = timed(&read, &mut times[0]);
    if let Some(meter) = meter {
        let taken = (meter.peak)().saturating_sub(before);
        assert!(taken <= input.len() * 128 + (1 << 20), "{taken} bytes for {}", input.len());
    }
    if times[0] > Duration::from_secs(1) {
        times[1..].iter_mut().for_each(|time| drop(timed(&read, time)));
        assert!(times.iter().any(|time| *time <= Duration::from_secs(1)), "{times:?}");
    }
    result
}

fn timed<T>(read: &impl Fn() -> T, time: &mut Duration) -> T {
    let start = Instant::now();
    let result = read();
    *time = start.elapsed();
    result
}
