//! Validators across fields, on parts that are set (`T`), null (`F`) or open (`U`).

use plantime::rule::{PathExpr, Requirement, Rule, Severity};
use plantime::{Type, Value};

use super::{Fail, Pass, Undetermined};
use crate::laws::{Word, word};

/// An object of parts `a`, `b`, `c`, … in these states.
pub(super) fn states(states: &str) -> Value {
    let parts = states.chars().zip(["a", "b", "c", "d"]).map(|(state, name)| {
        let part = match state {
            'T' => Value::from("x"),
            'F' => Value::null(Type::String),
            _ => Value::unknown(Type::String),
        };
        (name, part)
    });
    Value::object(parts).unwrap()
}

pub(super) fn paths(names: &[&str]) -> Vec<PathExpr> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[track_caller]
pub(super) fn table(rule: &Rule, rows: &[(&str, Word, &str)]) {
    for (parts, expected, passes_if) in rows {
        let value = states(parts);
        assert_eq!(word(rule, &value), *expected, "{rule} on {parts}");
        let outcome = rule.check_value(&value).unwrap();
        assert_eq!(
            outcome.why().map(|why| why.passes_if()).unwrap_or_default(),
            *passes_if,
            "{rule} on {parts}"
        );
    }
}

#[test]
fn conflicting_and_conflicts_with() {
    table(
        &Rule::conflicting(paths(&["a", "b", "c"])),
        &[
            ("TFF", Pass, ""),
            ("FFF", Pass, ""),
            ("FFU", Pass, ""),
            ("TTF", Fail, ""),
            ("TTU", Fail, ""),
            ("TFU", Undetermined, "c turns out null"),
            ("TUU", Undetermined, "b turns out null and c turns out null"),
            ("FUU", Undetermined, "at most one of b, c turns out not null"),
        ],
    );
}

#[test]
fn exactly_one_of() {
    table(
        &Rule::exactly_one_of(paths(&["a", "b", "c"])),
        &[
            ("TFF", Pass, ""),
            ("TTU", Fail, ""),
            ("FFF", Fail, ""),
            ("TFU", Undetermined, "c turns out null"),
            ("FFU", Undetermined, "c turns out not null"),
            ("FUU", Undetermined, "exactly one of the two turns out null"),
        ],
    );
}

#[test]
fn at_least_one_of() {
    table(
        &Rule::at_least_one_of(paths(&["a", "b", "c"])),
        &[
            ("TUF", Pass, ""),
            ("FFF", Fail, ""),
            ("FFU", Undetermined, "c turns out not null"),
            ("FUU", Undetermined, "at least one of b, c turns out not null"),
        ],
    );
}

#[test]
fn required_together() {
    table(
        &Rule::required_together(paths(&["a", "b", "c"])),
        &[
            ("TTT", Pass, ""),
            ("FFF", Pass, ""),
            ("TFU", Fail, ""),
            ("TTU", Undetermined, "c turns out not null"),
            ("FFU", Undetermined, "c turns out null"),
            ("UUU", Undetermined, "all or none of a, b, c turn out not null"),
        ],
    );
}

#[test]
fn also_requires() {
    table(
        &Rule::also_requires(paths(&["a"]).remove(0), paths(&["b", "c"])),
        &[
            ("FFF", Pass, ""),
            ("UTT", Pass, ""),
            ("TTF", Fail, ""),
            ("TUF", Fail, ""),
            ("TTU", Undetermined, "c turns out not null"),
            ("UUF", Undetermined, "a turns out null"),
            ("UTU", Undetermined, "c turns out not null whenever a is set"),
        ],
    );
}

#[test]
fn required_when() {
    let rule = Rule::required_when(Requirement {
        path: "a".parse().unwrap(),
        one_of: vec!["x".into()],
        required: paths(&["b"]),
    });
    table(
        &rule,
        &[
            ("TT", Pass, ""),
            ("FF", Pass, ""),
            ("UT", Pass, ""),
            ("TF", Fail, ""),
            ("TU", Undetermined, "b turns out not null"),
            ("UF", Undetermined, "b turns out not null whenever a is \"x\""),
        ],
    );
    let outcome = rule.check_value(&states("TF")).unwrap();
    let said = "These attributes must be configured when a is \"x\": [b]";
    assert_eq!(outcome.diagnostics()[0].detail, said);
}

#[test]
fn prefer_write_only() {
    let rule = Rule::prefer_write_only("a".parse().unwrap(), "b".parse().unwrap());
    table(
        &rule,
        &[("TF", Fail, ""), ("FT", Pass, ""), ("UT", Undetermined, "a turns out null, as b is write-only")],
    );
    assert_eq!(rule.check_value(&states("TF")).unwrap().diagnostics()[0].severity, Severity::Warning);
}
