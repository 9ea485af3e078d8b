//! Time on the processor.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::work::{Repeat, Watch};

struct Clock {
    started: ThreadTime,
    spent: Duration,
}

impl Watch for Clock {
    fn start(&mut self) {
        self.started = ThreadTime::now();
    }

    fn stop(&mut self) {
        self.spent = self.started.elapsed();
    }
}

/// How long the work takes once, in nanoseconds.
pub fn nanoseconds(work: &mut Repeat) -> f64 {
    let mut clock = Clock { started: ThreadTime::now(), spent: Duration::ZERO };
    work(&mut clock);
    clock.spent.as_secs_f64() * 1e9
}

struct Wall {
    started: Instant,
    spent: Duration,
}

impl Watch for Wall {
    fn start(&mut self) {
        self.started = Instant::now();
    }

    fn stop(&mut self) {
        self.spent = self.started.elapsed();
    }
}

/// How long passes while the work is done once, in nanoseconds: finer than time on the processor, which may have
/// steps of milliseconds.
pub fn passed(work: &mut Repeat) -> f64 {
    let mut clock = Wall { started: Instant::now(), spent: Duration::ZERO };
    work(&mut clock);
    clock.spent.as_secs_f64() * 1e9
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The most bytes that this process has had in memory; only Linux says.
pub fn peak_resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or_default() * 1024
}
