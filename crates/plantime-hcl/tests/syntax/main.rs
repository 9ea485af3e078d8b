//! The native syntax against what Terraform says of it: which texts are accepted, which problems the others have, how texts are
//! formatted.
//!
//! The texts and the answers are recorded in `tests/data/syntax`. With `PLANTIME_RECORD=1` they are made anew, by the `terraform` on
//! the path.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test panics where something is wrong"
)]

mod generate;
#[path = "../packed/mod.rs"]
mod packed;
#[path = "../record/mod.rs"]
mod record;

use std::fs::File;
use std::path::{Path, PathBuf};

use plantime::source::Source;
use plantime_hcl::unstable::{Freedom, Problems, parse_body};
use plantime_hcl::{Argument, Body, Diagnostic, format};
use serde_json::Value as Json;

/// The number of generated texts.
const TEXTS: u64 = 20_000;

/// The number of mutated texts.
const MUTATED: u64 = 4_000;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syntax").join(name)
}

fn problems(text: &str) -> Vec<Diagnostic> {
    match Body::parse(&Source::new("main.tf", text)) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().cloned().collect(),
    }
}

/// Whether Terraform accepts a text, for each of the generated ones.
#[test]
fn texts_are_accepted_as_terraform_accepts_them() {
    let rows = record::rows(&data("texts.jsonl.gz"), || {
        record::verdicts((0..TEXTS).map(generate::Writer::file).collect())
    });
    assert!(rows.len() >= TEXTS as usize);
    let (mut accepted, mut wrong) = (0, Vec::new());
    for row in &rows {
        let (text, expected) = (row["text"].as_str().unwrap(), row["accepted"].as_bool().unwrap());
        let found = problems(text);
        accepted += usize::from(expected);
        if found.is_empty() != expected {
            wrong.push(format!("{text:?}: accepted: {expected}, ours {found:?}"));
        }
    }
    println!("{accepted} of {} texts are accepted", rows.len());
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// The problems of a text as rows: summary, detail, and the place as Terraform counts it.
fn problem_rows(problems: &[Diagnostic]) -> Vec<String> {
    let mut rows: Vec<String> = problems
        .iter()
        .map(|problem| {
            let (from, mut to) = (problem.position(), problem.end_position());
            // Terraform shows an empty place as one character.
            to.column += usize::from(from == to);
            format!(
                "{}:{}-{}:{} {}: {}",
                from.line,
                from.column,
                to.line,
                to.column,
                problem.summary(),
                problem.detail()
            )
        })
        .collect();
    rows.sort();
    rows
}

/// All problems of mutated texts.
#[test]
fn problems_are_those_of_terraform() {
    let rows = record::rows(&data("problems.jsonl.gz"), || {
        let texts =
            (0..MUTATED).map(|seed| generate::mutated(&generate::Writer::file(seed + 1_000_000), seed));
        record::problems(texts.collect())
    });
    let (mut alike, mut same, mut first, mut unlike) = (0, 0, 0, Vec::new());
    let wrong: Vec<&Json> =
        rows.iter().filter(|row| !row["problems"].as_array().unwrap().is_empty()).collect();
    for row in &wrong {
        let text = row["text"].as_str().unwrap();
        let found = problem_rows(&problems(text));
        let mut expected: Vec<String> =
            row["problems"].as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned()).collect();
        expected.sort();
        let heads = |rows: &[String]| -> Vec<String> {
            rows.iter().map(|row| row.split(": ").next().unwrap_or_default().to_owned()).collect()
        };
        first += usize::from(heads(&found).first() == heads(&expected).first());
        same += usize::from(found == expected);
        if heads(&found) == heads(&expected) {
            alike += 1;
        } else {
            unlike.push(format!("{text:?}\n  theirs {expected:#?}\n  ours {found:#?}"));
        }
    }
    unlike.iter().take(12).for_each(|row| println!("{row}"));
    println!(
        "of {} wrong texts {alike} have the same problems with summary and place, {same} with the detail; {first} the same first one",
        wrong.len()
    );
    assert!(alike * 1000 >= wrong.len() * 970);
}

/// The accepted texts, formatted as `terraform fmt` formats them.
#[test]
fn texts_are_formatted_as_terraform_formats_them() {
    let text = packed::text(File::open(data("texts.jsonl.gz")).unwrap());
    let (mut all, mut wrong) = (0, Vec::new());
    for row in text.lines() {
        let row: Json = serde_json::from_str(row).unwrap();
        let Some(expected) = row["formatted"].as_str() else { continue };
        let text = row["text"].as_str().unwrap();
        // Terraform loses labels with an escaped sequence.
        if text.contains("\"$${y}\"") {
            continue;
        }
        all += 1;
        let ours = format(&Source::new("main.tf", text)).unwrap();
        // It loses these keys too.
        let empty = |text: &str| text.matches("[]").count();
        if empty(expected) > empty(&ours) {
            continue;
        }
        if ours != expected {
            wrong.push(format!("{text:?}\ntheirs\n{expected}\nours\n{ours}"));
        }
    }
    wrong.iter().take(8).for_each(|row| println!("{row}"));
    println!("{} of {all} texts are formatted otherwise", wrong.len());
    assert!(wrong.is_empty());
}

/// Slips in one line of a block, after which the reader knows where the next line begins.
const SLIPS: [&str; 30] = [
    "x =",
    "x = = 1",
    "x = 1 2",
    "x = 'a'",
    "x = “a”",
    "x = 1,",
    "x = [1 2]",
    "x = [1,, 2]",
    "x = {a 1}",
    "x = {a = 1 b = 2}",
    "x = (1",
    "x = f(1 2)",
    "x = a.",
    "x = a[1",
    "x = 1 +",
    "x = true ? 1",
    "x = \"a${1 2}\"",
    "x = \"\\q\"",
    "x = 1.2.3",
    "x = a & b",
    "x == 1",
    "x: 1",
    "x",
    "\"x\" = 1",
    "x = [for in a : 1]",
    "x = {for a in b : a}",
    "x = a::b()()",
    "x = \"%{if true}\"",
    "x y = 1",
    "x = 5; y = 6",
];

/// The arguments and blocks of a body without their places.
fn outline(body: &Body) -> String {
    let text = |argument: &Argument| {
        let expression = &argument.expression;
        format!("{} = {}", argument.name, &expression.source().text()[expression.span()])
    };
    let arguments = body.arguments.iter().map(text);
    let blocks = body
        .blocks
        .iter()
        .map(|block| format!("{} {:?} {{ {} }}", block.kind, block.labels, outline(&block.body)));
    arguments.chain(blocks).collect::<Vec<_>>().join("; ")
}

/// A mistake in one block leaves the trees of all other blocks as they are.
#[test]
fn a_mistake_in_one_block_leaves_the_others() {
    let text = packed::text(File::open(data("texts.jsonl.gz")).unwrap());
    let mut tried = 0;
    for (row, slip) in text.lines().step_by(20).zip(SLIPS.iter().cycle()) {
        let row: Json = serde_json::from_str(row).unwrap();
        let text = row["text"].as_str().unwrap().replace("\r\n", "\n").replace('\u{feff}', "");
        if row["accepted"] != true {
            continue;
        }
        let text = format!("{}\n", text.trim_end_matches('\n'));
        let whole = format!("{text}last {{\n  a = 1\n}}\n");
        let broken =
            format!("{text}broken {{\n  before = 1\n  {slip}\n  after = 2\n}}\nlast {{\n  a = 1\n}}\n");
        let read = |text: &str| {
            let mut problems = Problems::default();
            let body = parse_body(&Source::new("main.tf", text), Freedom::default(), &mut problems);
            (body, problems.added_count())
        };
        let (expected, none) = read(&whole);
        let (mut found, some) = read(&broken);
        assert!(none == 0 && some > 0, "{slip}");
        found.blocks.retain(|block| &*block.kind != "broken");
        assert_eq!(outline(&found), outline(&expected), "{slip}\n{broken}");
        tried += 1;
    }
    assert!(tried > 400);
}
