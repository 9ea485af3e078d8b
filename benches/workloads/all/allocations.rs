//! What is allocated.

use std::alloc::System;
use std::process::ExitCode;

use stats_alloc::{Region, StatsAlloc};

use super::list::{self, WORKLOADS, Workload};
use super::work::Watch;

struct Counter {
    memory: &'static StatsAlloc<System>,
    region: Region<'static, System>,
    found: Counts,
}

/// Of one operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub allocations: f64,
    pub bytes: f64,
    pub live: f64,
}

impl Watch for Counter {
    fn start(&mut self) {
        self.region = Region::new(self.memory);
    }

    fn stop(&mut self) {
        let change = self.region.change();
        self.found = Counts {
            allocations: (change.allocations + change.reallocations) as f64,
            bytes: change.bytes_allocated as f64,
            live: change.bytes_allocated as f64 - change.bytes_deallocated as f64,
        };
    }
}

pub fn run(memory: &'static StatsAlloc<System>, arguments: &[String]) -> ExitCode {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {}
        ["table", part @ ..] => {
            let part = part.first().copied().unwrap_or_default();
            for workload in WORKLOADS.iter().filter(|workload| workload.name.contains(part)) {
                print(memory, workload, workload.size);
            }
        }
        [name, n, ..] => match (list::named(name), n.parse()) {
            (Some(workload), Ok(n)) => print(memory, workload, n),
            _ => return ExitCode::from(2),
        },
        [_] => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}

/// The second time: what is made once and kept does not count.
fn print(memory: &'static StatsAlloc<System>, workload: &Workload, n: usize) {
    let mut work = (workload.make)(n);
    let mut counter = Counter { memory, region: Region::new(memory), found: Counts::default() };
    for _ in 0..2 {
        (work.ours)(&mut counter);
    }
    let Counts { allocations, bytes, live } = counter.found;
    let each = |count: f64| count / work.operations as f64;
    println!("{} {n} {:.3} {:.1} {:.1}", workload.name, each(allocations), each(bytes), each(live));
}

/// What the program that counts printed, by name.
pub fn read(output: &str) -> Vec<(String, Counts)> {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, _, allocations, bytes, live] = words.as_slice() else { return None };
        let number = |text: &str| text.parse().ok();
        let counts = Counts { allocations: number(allocations)?, bytes: number(bytes)?, live: number(live)? };
        Some(((*name).to_owned(), counts))
    };
    output.lines().filter_map(line).collect()
}
