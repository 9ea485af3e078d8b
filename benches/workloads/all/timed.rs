//! How long the workloads take.

use std::process::ExitCode;
use std::time::Instant;

use super::super::again;
use super::allocations::{self, Counts};
use super::list::{self, Workload};
use super::scaling::{Cost, Costs, Scaled};
use super::time::{median, nanoseconds, passed, peak_resident};
use super::{codecs, parallel, scaling, table};

const USAGE: &str = "usage: cargo bench --bench workloads -- NAME N [ITERS] | beside NAME N [PAIRS] | table [PART OF A NAME] \
                     | scaling [PART OF A NAME] | parallel [PLANS] | document N | document_msgpack N";

/// How often, where it is not said.
pub const TIMES: usize = 5;

pub fn run(arguments: &[String]) -> ExitCode {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        // Without a workload, as `cargo bench` runs it, there is nothing to do.
        [] => Some(()),
        ["table"] => {
            table::print("");
            Some(())
        }
        ["table", part] => {
            table::print(part);
            Some(())
        }
        ["scaling"] => {
            scaling::print("", timed);
            Some(())
        }
        ["scaling", part] => {
            scaling::print(part, timed);
            Some(())
        }
        [name @ ("document" | "document_msgpack"), n] => n.parse().ok().map(|n| codecs::print(name, n)),
        ["parallel"] => {
            parallel::print(400, TIMES);
            Some(())
        }
        ["parallel", plans] => plans.parse().ok().map(|plans| parallel::print(plans, TIMES)),
        ["beside", rest @ ..] => wanted(rest).and_then(|(workload, n, times)| beside(workload, n, times)),
        rest => wanted(rest).map(|(workload, n, times)| alone(workload, n, times)),
    };
    match done {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn wanted(words: &[&str]) -> Option<(&'static Workload, usize, usize)> {
    let (name, n, times) = match words {
        [name, n] => (name, n, TIMES),
        [name, n, times] => (name, n, times.parse().ok()?),
        _ => return None,
    };
    let n = n.parse().ok().filter(|n| *n > 0)?;
    Some((list::named(name)?, n, times)).filter(|_| times > 0)
}

fn alone(workload: &Workload, n: usize, times: usize) {
    let mut work = (workload.make)(n);
    let spent = (0..times).map(|_| nanoseconds(&mut work.ours)).collect();
    let peak = peak_resident() as f64 / f64::from(1 << 20);
    let counts = counted(&[workload.name.to_owned(), n.to_string()]);
    let counts = counts.first().map_or_else(
        || "allocations not counted".to_owned(),
        |(_, Counts { allocations, bytes, live })| {
            format!("{allocations:.3} allocations/op, {bytes:.1} bytes allocated/op, {live:.1} live bytes/op")
        },
    );
    println!(
        "{} {n}: {:.2} ns/op, {} ops, {counts}, peak resident {peak:.1} MiB",
        workload.name,
        median(spent) / work.operations as f64,
        work.operations,
    );
}

/// What another program counts.
pub fn counted(arguments: &[String]) -> Vec<(String, Counts)> {
    let output = again::bench("allocations", arguments).output().expect("cargo runs");
    allocations::read(&String::from_utf8_lossy(&output.stdout))
}

fn beside(workload: &Workload, n: usize, times: usize) -> Option<()> {
    let mut work = (workload.make)(n);
    let Some((other, mut theirs)) = work.beside.take() else {
        eprintln!("nothing is measured beside {}", workload.name);
        return None;
    };
    let mut pairs: Vec<(f64, f64)> =
        (0..times).map(|_| (nanoseconds(&mut work.ours), nanoseconds(&mut theirs))).collect();
    let ratio = |(ours, theirs): &(f64, f64)| ours / theirs;
    pairs.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let (least, middle, most) = (pairs.first()?, pairs.get(times / 2)?, pairs.last()?);
    println!(
        "{} {n}: {:.2} ns/op, {other} {:.2} ns/op, ratio {:.2} (median of {times}, {:.2} to {:.2})",
        workload.name,
        middle.0 / work.operations as f64,
        middle.1 / work.operations as f64,
        ratio(middle),
        ratio(least),
        ratio(most),
    );
    Some(())
}

/// What a workload takes at ten times the sizes at which instructions are counted, and what is beside it, in nanoseconds.
fn timed(scaled: &Scaled) -> Costs {
    let sizes = scaled.sizes().map(|size| size * 10);
    let found = sizes.map(|n| {
        let mut work = (scaled.make)(n);
        let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
        let (started, mut times) = (Instant::now(), 0);
        // Until it has been done without something else on the processor; in turns, to be on the same machine.
        while times < TIMES || (times < 500 && started.elapsed().as_millis() < 400) {
            ours = ours.min(passed(&mut work.ours));
            if let Some((_, beside)) = &mut work.beside {
                theirs = theirs.min(passed(beside));
            }
            times += 1;
        }
        Cost { operations: work.operations, ours, beside: work.beside.map(|(other, _)| (other, theirs)) }
    });
    Costs::new(sizes, found)
}
