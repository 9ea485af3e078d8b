//! MessagePack that real programs sent and stored, and such that was made to be odd, with what go-cty 1.18.1 reads from it:
//! the copy in the repository, and the whole collection where it lies beside the checkout (`$PLANTIME_REAL`, else
//! `../shared/real/dev`). The same value, to the byte when it is written again; or more strict, or another answer, for a reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plantime::{Number, Type, Value, msgpack};
use serde_json::{Value as Json, json};

use crate::calls::msgpack::{bytes, hex};
use crate::notation;

const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/msgpack");

/// What the strict reader refuses and the lenient one reads, by words of its message.
const MORE_STRICT: [(&str, &str); 9] = [
    ("optional attributes in a type", "a type has no optional attributes"),
    ("bytes after the value", "extra bytes after msgpack value"),
    ("bytes after a refinement", "extra bytes after the map"),
    ("a key twice", "duplicate key"),
    ("nullness that is no bool", "null refinement is not boolean"),
    ("extensions that mean nothing", "unsupported extension type"),
    ("a refinement cut short", "the input ends early"),
    ("a negative least length", "no length is -"),
    ("nil in a refinement", "failed to decode msgpack extension body"),
];

type Test = fn(&Row) -> bool;

/// Where another answer is right; each is a row of COMPATIBILITY.md.
const DEVIATIONS: [(&str, Test); 7] = [
    ("binary exponents", |row| error(row) == "number is required" && row.input.contains(&b'p')),
    ("nested above the limit", |row| error(row).contains("at most 256 levels")),
    ("keys of refinements passed over", |row| {
        row.theirs.starts_with("error: failed to decode msgpack extension body") && row.ours.is_ok()
    }),
    ("text is UTF-8", |row| error(row).contains("not valid UTF-8")),
    ("of the type asked for", |row| {
        ["a tuple of length", "an object with", "duplicate attribute"]
            .iter()
            .any(|part| error(row).contains(part))
    }),
    ("keys are text", |row| error(row).contains("that is a string is required")),
    ("a refinement that leaves nothing", |row| {
        ["no number is", "no length is"].iter().any(|words| error(row).starts_with(words))
    }),
];

fn error(row: &Row) -> &str {
    match &row.ours {
        Err(error) if row.theirs.starts_with("value") => error.message(),
        _ => "",
    }
}

struct Row {
    input: Vec<u8>,
    /// `value: ` and the bytes that it is written as there, or `error: `, `panic: ` or `fatal: ` and a message.
    theirs: String,
    ours: plantime::Result<Value>,
}

fn folders() -> Vec<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/dev");
    let beside = named.unwrap_or_else(beside).join("msgpack");
    let mut folders = vec![PathBuf::from(OWN)];
    folders.extend(beside.is_dir().then_some(beside));
    folders
}

fn rows(folder: &Path, name: &str) -> Vec<Json> {
    let file = std::fs::File::open(folder.join(name)).expect("the rows are there");
    let lines = crate::packed::lines(file);
    lines.map(|line| serde_json::from_str(&line).unwrap_or_else(|_| deep_row(&line))).collect()
}

/// A row whose type nests deeper than the reader of JSON goes: the bytes, and that there is a value.
fn deep_row(line: &str) -> Json {
    let hex = line.split("\"hex\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("bytes");
    assert!(line.starts_with("{\"type\": \"dynamic\"") && line.contains("\"reencoded\": "), "{line}");
    json!({"type": "dynamic", "hex": hex, "gocty": {"reencoded": hex}})
}

fn theirs(verdict: &Json) -> String {
    for kind in ["error", "panic", "fatal"] {
        if let Some(message) = verdict.get(kind) {
            return format!("{kind}: {}", message.as_str().unwrap_or_default());
        }
    }
    format!("value: {}", verdict.get("reencoded").and_then(Json::as_str).unwrap_or_default())
}

/// Two numbers that agree in their first hundred digits.
fn close(a: &Value, b: &Value) -> bool {
    let (Ok(a), Ok(b)) = (a.as_number(), b.as_number()) else { return false };
    let small: Number = "1e-100".parse().expect("a number");
    matches!((a.subtract(b), a.absolute().multiply(&small)), (Ok(apart), Ok(least)) if apart.absolute() <= least)
}

/// The name of what is the case, or what is not explained.
fn judge(json: &Json) -> Result<&'static str, String> {
    let input = bytes(json["hex"].as_str().expect("bytes"));
    let ty: Type = notation::ty(&json["type"]).map_err(|unread| unread.to_string())?;
    let ours = msgpack::lenient::from_slice(&input, &ty);
    let row = Row { theirs: theirs(&json["gocty"]), ours, input };
    let answer = match (row.theirs.split_once(": "), &row.ours) {
        (Some(("value", reencoded)), Ok(value)) => {
            let written = msgpack::to_vec(value, &ty).map_err(|error| error.to_string())?;
            let there = msgpack::lenient::from_slice(&bytes(reencoded), &ty);
            let answer = match &there {
                _ if hex(&written) == reencoded => "the same",
                // What is less canonical there, as the order of the members of a set, is read as what is written here.
                Ok(there) if there == value => OTHER_BYTES,
                // Rounded to 512 bits there.
                Ok(there) if close(there, value) => "exact decimals",
                _ => return Err(format!("{} but {reencoded} there", hex(&written))),
            };
            if msgpack::from_slice(&written, &ty).as_ref() != Ok(value) {
                return Err("written and read again it is another value".to_owned());
            }
            answer
        }
        (Some(("error" | "panic" | "fatal", _)), Err(_)) => "an error on both sides",
        (_, ours) => match DEVIATIONS.iter().find(|(_, test)| test(&row)) {
            Some((name, _)) => name,
            None => return Err(format!("{ours:?} but {} there", row.theirs)),
        },
    };
    match (msgpack::from_slice(&row.input, &ty), &row.ours) {
        (Ok(strict), Ok(lenient)) if strict == *lenient => Ok(answer),
        (Err(_), Err(_)) => Ok(answer),
        (Err(error), Ok(_)) => {
            let reason = MORE_STRICT.iter().find(|(_, words)| error.message().contains(words));
            reason.map(|(name, _)| *name).ok_or_else(|| format!("refused by the strict reader: {error}"))
        }
        (strict, lenient) => Err(format!("strict {strict:?}, lenient {lenient:?}")),
    }
}

/// The same value in other bytes than those it was read from.
const OTHER_BYTES: &str = "the same value in other bytes";

fn judge_all(name: &str) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for folder in folders() {
        let mut unexplained = Vec::new();
        counts.clear();
        for row in rows(&folder, name) {
            match judge(&row) {
                Ok(OTHER_BYTES) => {
                    println!("  other bytes: {} {}", row["type"], row["hex"]);
                    *counts.entry(OTHER_BYTES).or_insert(0) += 1;
                }
                Ok(answer) => *counts.entry(answer).or_insert(0) += 1,
                Err(what) => unexplained.push(format!("{} {}: {what}", row["type"], row["hex"])),
            }
        }
        println!("{}/{name}: {counts:?}, {} unexplained", folder.display(), unexplained.len());
        unexplained.iter().take(40).for_each(|row| println!("  {row}"));
        assert_eq!(unexplained.len(), 0, "unexplained rows of {name}");
    }
    counts
}

#[test]
fn what_real_programs_sent_reads_and_writes_as_the_same_bytes() {
    let counts = judge_all("real.jsonl.gz");
    // Some of it was sent to see what happens; values in other bytes are listed, and are no more than that.
    let others: usize = counts.iter().filter(|(name, _)| **name != "the same").map(|(_, count)| count).sum();
    assert!(counts["the same"] > 50 * others, "{counts:?}");
}

#[test]
fn what_was_made_to_be_odd_is_read_as_there_or_refused_for_a_reason() {
    let counts = judge_all("made.jsonl.gz");
    assert!(counts["the same"] > 100 && counts["an error on both sides"] > 1_000, "{counts:?}");
}
