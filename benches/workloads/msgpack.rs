//! The codec of MessagePack on a document like a plan with unknowns, beside `rmpv::Value` on the same bytes.

use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use plantime::{Type, msgpack};

use crate::document::{TYPE, leaves, plan};

pub const NAMES: [&str; 3] = ["document_msgpack", "msgpack_decode", "msgpack_encode"];

/// In a hundred leaves, about so many are unknown.
const UNKNOWN: u64 = 15;

pub fn run(name: &str, n: usize, pairs: usize) {
    let ty: Type = TYPE.parse().expect("it is a type");
    let bytes = msgpack::to_vec(&plan(n, UNKNOWN), &ty).expect("the document has no marks");
    if name == "document_msgpack" {
        return std::io::stdout().write_all(&bytes).expect("the document can be written");
    }
    let value = msgpack::from_slice(&bytes, &ty).expect("the document is of its type");
    let read = || rmpv::decode::read_value(&mut bytes.as_slice()).expect("the document is MessagePack");
    let theirs = read();
    let write = || {
        let mut out = Vec::new();
        rmpv::encode::write_value(&mut out, &theirs).expect("a vector takes everything");
        out
    };
    let pair = || match name {
        "msgpack_decode" => {
            (time(|| msgpack::from_slice(&bytes, &ty).expect("the document is of its type")), time(read))
        }
        _ => (time(|| msgpack::to_vec(&value, &ty).expect("the document has no marks")), time(write)),
    };
    let mut times: Vec<(Duration, Duration)> = (0..pairs).map(|_| pair()).collect();
    let ratio = |(ours, theirs): &(Duration, Duration)| ours.as_secs_f64() / theirs.as_secs_f64();
    times.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let median = times[pairs / 2];
    let each = |time: Duration| time.as_secs_f64() * 1e9 / leaves(n) as f64;
    println!(
        "{name} {n}: {:.1} MB, plantime {:.1} ns a leaf, rmpv::Value {:.1} ns, ratio {:.2} (median of {pairs}, {:.2} to {:.2})",
        bytes.len() as f64 / 1e6,
        each(median.0),
        each(median.1),
        ratio(&median),
        ratio(&times[0]),
        ratio(&times[pairs - 1]),
    );
}

/// The work alone: what comes of it is dropped after the clock has stopped.
fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = black_box(work());
    let elapsed = start.elapsed();
    drop(result);
    elapsed
}
