//! The workloads by name: `cargo bench --bench workloads -- NAME N [PAIRS]` prints one line.
//!
//! | name | what | beside it |
//! |---|---|---|
//! | `plan_read` | the example plan with its resource changes repeated N times, into values typed by its schemas | `serde_json::from_slice::<serde_json::Value>` of the same bytes |
//! | `document` | prints the JSON of a document like a plan, of N resources and 52 N + 12 leaves | |
//! | `json_decode`, `json_encode` | that document from and to JSON text, with its type | `serde_json::Value` from and to the same text |
//! | `json_implied_type`, `json_implied` | the type that the text implies; the value of that type | reading `serde_json::Value` |
//! | `json_memory` | bytes in memory for each leaf once it is read | `serde_json::Value` |
//! | `msgpack_decode`, `msgpack_encode` | a document like a plan with N resources and unknowns, from and to MessagePack | `rmpv::Value` from and to the same bytes |
//! | `rules` | N checks of simple rules on unknown values, then N decisions of a pattern on a prefix | sorting N numbers |
//!
//! They take turns, PAIRS times (5 where not given); what is told is time on the processor. `plan_read` gives the median of the ratios, `rules` the least time of each.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "a program, not a library: it stops where its own input is wrong"
)]

#[cfg(all(feature = "msgpack", feature = "plan", feature = "rules"))]
mod compared;
#[cfg(all(feature = "msgpack", feature = "plan", feature = "rules"))]
mod document;
#[cfg(all(feature = "msgpack", feature = "plan", feature = "rules"))]
mod json;
#[cfg(all(feature = "msgpack", feature = "plan", feature = "rules"))]
mod msgpack;
#[cfg(all(feature = "msgpack", feature = "plan", feature = "rules"))]
mod plan_read;
#[cfg(all(feature = "msgpack", feature = "plan", feature = "rules"))]
mod rules;

#[cfg(all(feature = "msgpack", feature = "plan", feature = "rules"))]
fn main() -> std::process::ExitCode {
    // cargo adds `--bench` to the arguments of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |place: usize, default: usize| match arguments.get(place) {
        Some(text) => text.parse().ok(),
        None => Some(default),
    };
    match (arguments.first().map(String::as_str), number(1, 100), number(2, 5)) {
        (Some("plan_read"), Some(n), Some(pairs)) if n > 0 && pairs > 0 => plan_read::run(n, pairs),
        (Some(name), Some(n), Some(pairs)) if n > 0 && pairs > 0 && json::NAMES.contains(&name) => {
            json::run(name, n, pairs);
        }
        (Some(name), Some(n), Some(pairs)) if n > 0 && pairs > 0 && msgpack::NAMES.contains(&name) => {
            msgpack::run(name, n, pairs);
        }
        (Some("rules"), Some(n), Some(pairs)) if n > 0 && pairs > 0 => rules::run(n, pairs),
        // Without a workload, as `cargo bench` runs it, there is nothing to do.
        (None, ..) => {}
        _ => {
            eprintln!(
                "usage: cargo bench --bench workloads -- NAME N [PAIRS], where NAME is plan_read, rules, document, json_memory, \
                 json_decode, json_encode, json_implied_type, json_implied, document_msgpack, \
                 msgpack_decode or msgpack_encode"
            );
            return std::process::ExitCode::from(2);
        }
    }
    std::process::ExitCode::SUCCESS
}

/// The workloads need features that are off by default: runs itself again with them on.
#[cfg(not(all(feature = "msgpack", feature = "plan", feature = "rules")))]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.is_empty() {
        return std::process::ExitCode::SUCCESS;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut again = std::process::Command::new(cargo);
    again
        .args(["bench", "--quiet", "--features", "msgpack,plan,rules", "--bench", "workloads", "--"])
        .args(arguments);
    match again.status() {
        Ok(status) if status.success() => std::process::ExitCode::SUCCESS,
        _ => std::process::ExitCode::FAILURE,
    }
}
