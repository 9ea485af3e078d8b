//! The codec of JSON on a document like a plan, beside `serde_json::Value` on the same bytes.

use std::hint::black_box;
use std::io::Write as _;

use plantime::{Type, json};
use serde_json::Value as Json;

use crate::compared::{self, time};
use crate::document::{TYPE, leaves, plan};

pub const NAMES: [&str; 6] =
    ["document", "json_memory", "json_decode", "json_encode", "json_implied_type", "json_implied"];

pub fn run(name: &str, n: usize, pairs: usize) {
    if name == "json_memory" {
        return memory(n);
    }
    let ty: Type = TYPE.parse().expect("it is a type");
    let value = plan(n, 0);
    let text = json::to_vec_as(&value, &ty).expect("the document is wholly known");
    let theirs: Json = serde_json::from_slice(&text).expect("the document is JSON");
    if name == "document" {
        return std::io::stdout().write_all(&text).expect("the document can be written");
    }
    let decode = || serde_json::from_slice::<Json>(&text).expect("the document is JSON");
    let pair = || match name {
        "json_decode" => {
            (time(|| json::from_slice_as(&text, &ty).expect("the document is of its type")), time(decode))
        }
        "json_implied_type" => {
            (time(|| json::implied_type(&text).expect("the document is JSON")), time(decode))
        }
        "json_implied" => (time(|| json::from_slice(&text).expect("the document is JSON")), time(decode)),
        _ => (
            time(|| json::to_vec_as(&value, &ty).expect("the document is wholly known")),
            time(|| serde_json::to_vec(&theirs).expect("JSON can be written")),
        ),
    };
    compared::print(name, n, &text, "serde_json::Value", (0..pairs).map(|_| pair()).collect());
}

/// How much larger the process is with the document read, in a process that has done nothing else.
fn memory(n: usize) {
    let ty: Type = TYPE.parse().expect("it is a type");
    let mut writer = std::process::Command::new(std::env::current_exe().expect("the program is there"));
    let text =
        writer.args(["document", &n.to_string()]).output().expect("the document can be written").stdout;
    let start = resident();
    let ours = json::from_slice_as(&text, &ty).expect("the document is of its type");
    let between = resident();
    let theirs: Json = serde_json::from_slice(&text).expect("the document is JSON");
    let end = resident();
    black_box((&ours, &theirs));
    let each = |bytes: usize| bytes as f64 / leaves(n) as f64;
    println!(
        "json_memory {n}: plantime {:.1} bytes a leaf, serde_json::Value {:.1}, ratio {:.2}",
        each(between - start),
        each(end - between),
        (between - start) as f64 / (end - between) as f64,
    );
}

/// Bytes in memory; only Linux says.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or_default() * 1024
}
