//! Reading the files, counting the verdicts, and what must hold of the counts.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::calls;
use crate::notation::Unread;
use crate::reasons::REASONS;
use crate::verdict::{Verdict, answer, judge, shown};

const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance");
pub(crate) const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors");

/// Of a file, covered by one reason that shows no law on the case, and left out, in percent, at most.
const REASON_SHARE: usize = 2;
const LEFT_OUT_SHARE: usize = 1;

#[derive(Default)]
struct Counts {
    equal: usize,
    refused: usize,
    more_precise: usize,
    deviations: usize,
    unexplained: usize,
    awaiting_repair: usize,
    left_out: usize,
}

impl Counts {
    fn judged(&self) -> usize {
        self.equal
            + self.refused
            + self.more_precise
            + self.deviations
            + self.unexplained
            + self.awaiting_repair
    }

    fn add(&mut self, other: &Counts) {
        self.equal += other.equal;
        self.refused += other.refused;
        self.more_precise += other.more_precise;
        self.deviations += other.deviations;
        self.unexplained += other.unexplained;
        self.awaiting_repair += other.awaiting_repair;
        self.left_out += other.left_out;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { equal, refused, more_precise, deviations, unexplained, awaiting_repair, left_out } =
            self;
        write!(
            f,
            "{equal} equal, {refused} refused by both, {more_precise} more precise, {deviations} deviations, \
             {unexplained} unexplained, {awaiting_repair} awaiting repair, {left_out} left out"
        )
    }
}

/// A list in this folder.
fn load(name: &str) -> toml::Table {
    let text = std::fs::read_to_string(format!("{HERE}/{name}")).expect("the list is there");
    text.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The tables under a name.
fn entries(list: &toml::Table, under: &str) -> Vec<toml::Table> {
    let entries = list.get(under).and_then(toml::Value::as_array);
    entries.into_iter().flatten().filter_map(|entry| entry.as_table().cloned()).collect()
}

fn text<'a>(entry: &'a toml::Table, name: &str) -> &'a str {
    entry.get(name).and_then(toml::Value::as_str).unwrap_or_default()
}

fn count(entry: &toml::Value, name: &str) -> usize {
    entry
        .get(name)
        .and_then(toml::Value::as_integer)
        .and_then(|count| usize::try_from(count).ok())
        .unwrap_or(0)
}

/// One recorded file with what came of it.
#[derive(Default)]
struct Report {
    counts: Counts,
    reasons: BTreeMap<&'static str, usize>,
    left_out: BTreeMap<String, usize>,
    unexplained: Vec<String>,
    /// Cases of `awaiting_repair.toml` that are explained now.
    repaired: Vec<String>,
}

pub(crate) fn lines(path: &Path) -> Vec<Json> {
    let bytes = std::fs::read(path).expect("a recorded file can be read");
    let text = if path.extension().is_some_and(|extension| extension == "gz") {
        crate::packed::text(bytes.as_slice())
    } else {
        String::from_utf8(bytes).expect("it is UTF-8")
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

pub(crate) fn files(directory: &Path) -> Vec<(String, PathBuf)> {
    let entries =
        std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?;
            let stem = name.strip_suffix(".jsonl.gz").or_else(|| name.strip_suffix(".jsonl"))?;
            Some((stem.to_owned(), path.clone()))
        })
        .collect();
    files.sort_unstable();
    files
}

fn report(name: &str, path: &Path, left_out: &toml::Table, awaiting: &[String]) -> Report {
    let mut report = Report::default();
    let files = entries(left_out, "file");
    let whole_file = files.iter().find(|entry| text(entry, "name") == name);
    for case in lines(path) {
        let op = case.get("op").and_then(Json::as_str).unwrap_or_default();
        let kind = match (whole_file, calls::call(&case)) {
            (Some(_), _) => Some(format!("file {name}")),
            (None, Err(Unread::LeftOut("operation"))) => Some(format!("operation {op}")),
            (None, Err(Unread::LeftOut(kind))) => Some(kind.to_owned()),
            (None, Err(unread)) => {
                report.counts.unexplained += 1;
                report.unexplained.push(format!("{case}\n    unread: {unread}"));
                continue;
            }
            (None, Ok(call)) => {
                let id = case.get("id").and_then(Json::as_str).unwrap_or_default();
                let awaits = awaiting.iter().any(|awaiting| awaiting == id);
                let verdict = judge(&case, &call);
                if awaits && !matches!(verdict, Verdict::Unexplained(_)) {
                    report.repaired.push(id.to_owned());
                }
                match verdict {
                    Verdict::Equal => report.counts.equal += 1,
                    Verdict::Refused => report.counts.refused += 1,
                    Verdict::MorePrecise => report.counts.more_precise += 1,
                    Verdict::Deviation(reason) => {
                        report.counts.deviations += 1;
                        *report.reasons.entry(reason).or_default() += 1;
                        if std::env::var("PLANTIME_VECTORS_SHOW").is_ok_and(|wanted| wanted == reason) {
                            println!("  {reason}: {case}\n    ours: {}", shown(&answer(&call)));
                        }
                    }
                    Verdict::Unexplained(_) if awaits => report.counts.awaiting_repair += 1,
                    Verdict::Unexplained(ours) => {
                        report.counts.unexplained += 1;
                        report.unexplained.push(format!("{case}\n    ours: {ours}"));
                    }
                }
                None
            }
        };
        if let Some(kind) = kind {
            report.counts.left_out += 1;
            *report.left_out.entry(kind).or_default() += 1;
        }
    }
    report
}

#[test]
fn recorded_behaviour_is_equal_or_explained() {
    let left_out = load("left_out.toml");
    let deviations = entries(&load("deviations.toml"), "reason");
    let ratchet = load("ratchet.toml");
    let awaiting = entries(&load("awaiting_repair.toml"), "case");
    let awaiting: Vec<String> = awaiting.iter().map(|case| text(case, "id").to_owned()).collect();
    let directory = std::env::var_os("PLANTIME_VECTORS").map_or_else(|| PathBuf::from(OWN), PathBuf::from);
    let mut total = Counts::default();
    let mut faults = Vec::new();
    let listing = std::env::var_os("PLANTIME_VECTORS_SHOW").is_some();
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, path) in files(&directory) {
        let report = report(&name, &path, &left_out, &awaiting);
        let counts = &report.counts;
        println!("{name}: {counts}");
        total.add(counts);
        for case in report.unexplained.iter().take(if listing { usize::MAX } else { 3 }) {
            println!("  unexplained: {case}");
        }
        for id in &report.repaired {
            faults.push(format!("{name}: {id} is explained now: take it out of awaiting_repair.toml"));
        }
        if counts.left_out * 100 > (counts.judged() + counts.left_out) * LEFT_OUT_SHARE {
            faults.push(format!("{name}: {} of {} left out", counts.left_out, counts.judged()));
        }
        for (reason, count) in &report.reasons {
            *by_reason.entry(reason).or_default() += count;
            let law =
                deviations.iter().any(|listed| text(listed, "name") == *reason && listed.contains_key("law"));
            // One case of a small file is more than that share of it.
            let all = counts.judged() + counts.left_out;
            if !law && count * 100 > all * REASON_SHARE && *count > 1 {
                faults.push(format!("{name}: {reason} is no law and covers {count} of {all}"));
            }
        }
        for (kind, count) in &report.left_out {
            if listing {
                println!("  left out: {kind}: {count}");
            }
            if !is_listed(&left_out, kind) {
                faults.push(format!("{name}: {kind} is left out and not listed"));
            }
        }
        // Other cases of the same kinds have other numbers left out; all of them are explained.
        let allowed = ratchet.get(&name);
        let allowed = |what| allowed.map_or(0, |allowed| count(allowed, what));
        let left_out = if is_counted(&directory) { counts.left_out } else { 0 };
        for (now, what) in [(counts.unexplained, "unexplained"), (left_out, "left_out")] {
            if now > allowed(what) {
                faults.push(format!("{name}: {now} {what}, {} allowed", allowed(what)));
            }
        }
    }
    println!("total: {total}");
    for (reason, count) in by_reason {
        println!("  {reason}: {count}");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn is_listed(left_out: &toml::Table, kind: &str) -> bool {
    let (list, wanted) = kind.split_once(' ').unwrap_or(("kind", kind));
    entries(left_out, list).iter().any(|entry| text(entry, "name") == wanted)
}

/// The repository's own copy, or the folder it was copied from.
pub(crate) fn is_counted(directory: &Path) -> bool {
    directory == Path::new(OWN) || directory.ends_with("vectors/dev")
}

#[test]
fn every_reason_has_a_text_and_a_test() {
    let deviations = entries(&load("deviations.toml"), "reason");
    let mut listed: Vec<&str> = deviations.iter().map(|reason| text(reason, "name")).collect();
    let mut tested: Vec<&str> = REASONS.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    tested.sort_unstable();
    assert_eq!(listed, tested);
    assert!(deviations.iter().all(|reason| !text(reason, "text").is_empty()));
}

#[test]
fn everything_left_out_has_a_reason() {
    let left_out = load("left_out.toml");
    for list in ["file", "operation", "kind"] {
        for entry in entries(&left_out, list) {
            assert!(entry.contains_key("text"), "{entry:?} has no reason");
        }
    }
}
