//! The texts of errors: `texts.tsv` lists each that some case has without its being the recorded one, as a template, with the
//! area that it belongs to and an example. An error whose text is neither the recorded one nor listed for its area is
//! unexplained. `made.rs` looks for errors that no recorded case has.
//!
//! `PLANTIME_BLESS=1 cargo test --all-features --test conformance` adds the templates that are missing. To remove
//! templates that no longer occur, delete all lines of the table first.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;
use serde_json::Value as Json;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/texts.tsv");

/// An area and a template, and one text that has the template.
type Table = BTreeMap<(String, String), String>;

static LISTED: LazyLock<Mutex<Table>> = LazyLock::new(|| {
    let text = std::fs::read_to_string(TABLE).unwrap_or_default();
    let columns = text.lines().filter_map(|line| {
        let mut columns = line.split('\t').map(str::to_owned);
        Some(((columns.next()?, columns.next()?), columns.next()?))
    });
    Mutex::new(columns.collect())
});

/// What differs from case to case, with the word that takes its place. In this order.
static MASKS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let masks = [
        (r" at \[.*\]$", " at PATH"),
        (r#""(\\.|[^"\\])*""#, "TEXT"),
        (r"'.*?'+", "TEXT"),
        (r"\bis marked \([^)]*\)", "is marked (MARKS)"),
        (r"(^|[^\w-])-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b", "${1}N"),
        (r"(^|[^\w-])-?inf\b", "${1}N"),
        (r"\bcode=?\s*\w+", "code N"),
        (r"^[\w.\[\]*-]+: ", ""),
        (r"^(argument N|no argument): ", ""),
        (r"\bnotnull\(([^()]|\([^()]*\))*\)", "REFINEMENT"),
        (r"\b(null|stringprefix|(length|number)\w*)\([^()]*\)", "REFINEMENT"),
        (
            r"(but have|but received|but is|but is a|got) ((list|set|map) of )*(string|number|bool|object|tuple|dynamic|null|set|list|map)\b",
            "${1} TYPE",
        ),
        (r"^((list|set|map) of )*(string|number|bool|object|tuple|dynamic) cannot be", "TYPE cannot be"),
        (r"\b((list|set|map) of )+(string|number|bool|object|tuple|dynamic)\b", "TYPE"),
        (r"\bvalue type (string|number|bool|object|tuple|dynamic)\b", "value type TYPE"),
        (r"^(error parsing regexp: [a-zA-Z\] )(]+: )`.*`$", "${1}TEXT"),
        (r"^(invalid regexp pattern: [a-zA-Z\] )(]+ in ).*$", "${1}TEXT"),
    ];
    masks.map(|(mask, word)| (Regex::new(mask).expect("a regular expression"), word)).into()
});

/// The text without the place that it begins with, and with words for what the arguments decide: quoted parts, numbers,
/// paths, types, refinements.
pub(crate) fn template(text: &str) -> String {
    let masked =
        MASKS.iter().fold(text.to_owned(), |text, (mask, word)| mask.replace_all(&text, *word).into_owned());
    masked.replace(['\t', '\n'], " ")
}

fn area(case: &Json) -> &'static str {
    let op = case.get("op").and_then(Json::as_str).unwrap_or_default();
    match op.split('_').next().unwrap_or_default() {
        "call" | "return" => "functions",
        "convert" | "conversion" | "mismatch" | "conformance" | "unify" => "conversions",
        "refine" | "assume" => "assumptions",
        "json" => "JSON",
        "msgpack" => "MessagePack",
        "type" => "types",
        "path" | "pathset" => "paths",
        _ => "operations",
    }
}

fn key(case: &Json, text: &str) -> (String, String) {
    (area(case).to_owned(), template(text))
}

/// Whether the text is one of those that the table has for the operation of the case.
pub(crate) fn are_listed(case: &Json, text: &str) -> bool {
    LISTED.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&key(case, text))
}

/// The text of an error of another kind that this crate gives in the area of the case.
pub(crate) fn another_error(case: &Json) -> String {
    let listed = LISTED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut own = listed.iter().filter(|((of, _), _)| of == area(case)).map(|(_, example)| example.clone());
    own.next().unwrap_or_default()
}

/// Adds the text to the table, if the table is to be written.
pub(crate) fn bless(case: &Json, text: &str) {
    if std::env::var_os("PLANTIME_BLESS").is_none() {
        return;
    }
    let mut listed = LISTED.lock().unwrap_or_else(PoisonError::into_inner);
    if listed.contains_key(&key(case, text)) {
        return;
    }
    let example = text.replace(['\t', '\n'], " ").chars().take(160).collect();
    listed.insert(key(case, text), example);
    let mut table = String::new();
    for ((area, template), example) in listed.iter() {
        writeln!(table, "{area}\t{template}\t{example}").expect("a text takes all");
    }
    std::fs::write(TABLE, table).expect("the table can be written");
}

#[test]
fn a_template_hides_what_the_arguments_decide_and_nothing_else() {
    for (text, expected) in [
        ("[0].a: number required, but have list of string", "number required, but have TYPE"),
        ("not JSON: invalid UTF-8 at line 1 column 22", "not JSON: invalid UTF-8 at line N column N"),
        (
            "assumption was not upheld: null() is assumed, but the value is notnull(lengthmin(2))",
            "assumption was not upheld: REFINEMENT is assumed, but the value is REFINEMENT",
        ),
        (
            "unsupported attribute \"a\\\"b\" at line 1 column 3",
            "unsupported attribute TEXT at line N column N",
        ),
        ("a bool is required at [{\"index\":{\"num\":\"0\"}}]", "a bool is required at PATH"),
        ("a null operand has no order", "a null operand has no order"),
        (
            "actual value type set of bool does not match assumed value type tuple",
            "actual value type TYPE does not match assumed value type TYPE",
        ),
        ("error parsing regexp: missing closing ]: `[x`", "error parsing regexp: missing closing ]: TEXT"),
        (
            "invalid regexp pattern: missing closing ) in (in",
            "invalid regexp pattern: missing closing ) in TEXT",
        ),
    ] {
        assert_eq!(template(text), expected);
    }
}
