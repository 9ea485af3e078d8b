//! Every workload at its size, with what is wanted of it.

use super::allocations::Counts;
use super::list::{WORKLOADS, Workload};
use super::time::{median, nanoseconds};
use super::timed::{TIMES, counted};
use super::{codecs, rules};

/// What reading the document of 10,000 resources with `serde_json` took for each leaf where go-cty was measured.
const REFERENCE: f64 = 76.4;

pub fn print(part: &str) {
    let sorting = once(&mut rules::sort(1_000_000));
    let [small, large] = [1000, 10_000].map(|n| {
        let work = codecs::json_decode(n);
        let (_, mut theirs) = work.beside.expect("it is measured beside another");
        median((0..TIMES).map(|_| nanoseconds(&mut theirs)).collect()) / work.operations as f64
    });
    let scale = large / REFERENCE;
    println!(
        "Sorting 1,000,000 u64: {:.1} ms. `serde_json::Value` of the document, for each leaf: {small:.1} ns of 1,000 resources, {large:.1} ns of 10,000.",
        sorting * 1e-6 * 1e6
    );
    println!(
        "go-cty was measured where the latter took {REFERENCE} ns; its figures are scaled by {scale:.2}.\n"
    );
    println!(
        "| workload | N | ns | allocations | bytes | go-cty, scaled | times faster | wanted | beside | ratio | wanted | |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---|");
    let counts = counted(&["table".to_owned(), part.to_owned()]);
    for workload in WORKLOADS.iter().filter(|workload| workload.name.contains(part)) {
        let found = counts.iter().find(|(name, _)| name == workload.name).map(|(_, counts)| *counts);
        row(workload, scale, found);
    }
}

fn once(work: &mut super::work::Work) -> f64 {
    median((0..TIMES).map(|_| nanoseconds(&mut work.ours)).collect()) / work.operations as f64
}

fn row(workload: &Workload, scale: f64, counts: Option<Counts>) {
    let mut work = (workload.make)(workload.size);
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    // The first time, memory is touched that is there afterwards.
    for _ in 0..=TIMES {
        let theirs = work.beside.as_mut().map(|(_, theirs)| nanoseconds(theirs)).unwrap_or(f64::NAN);
        pairs.push((nanoseconds(&mut work.ours), theirs));
    }
    let pairs = &pairs[1..];
    let ours = median(pairs.iter().map(|(ours, _)| *ours).collect()) / work.operations as f64;
    let ratio = median(pairs.iter().map(|(ours, theirs)| ours / theirs).collect());
    let mut met = workload.most.is_none_or(|most| ours <= most * scale.max(1.0));
    let (mut cty, mut times, mut times_wanted) = (String::new(), String::new(), String::new());
    if let Some((nanoseconds, wanted)) = workload.cty {
        let faster = nanoseconds * scale / ours;
        met &= faster >= wanted;
        (cty, times, times_wanted) =
            (format!("{:.0}", nanoseconds * scale), format!("{faster:.1}"), format!("{wanted}"));
    }
    let (other, found, mut wanted) = match &work.beside {
        Some((other, _)) => (*other, format!("{ratio:.2}"), String::new()),
        None => ("", String::new(), String::new()),
    };
    if let Some(most) = workload.beside {
        met &= ratio <= most;
        wanted = format!("{most}");
    }
    if let Some(most) = workload.most {
        let comma = if wanted.is_empty() { "" } else { ", " };
        wanted.push_str(&format!("{comma}{most} ns"));
    }
    let counts = counts.map_or_else(
        || " | ".to_owned(),
        |counts| format!("{:.2} | {:.0}", counts.allocations, counts.bytes),
    );
    println!(
        "| `{}` | {} | {ours:.2} | {counts} | {cty} | {times} | {times_wanted} | {other} | {found} | {wanted} | {} |",
        workload.name,
        workload.size,
        if met { "" } else { "missed" },
    );
}
