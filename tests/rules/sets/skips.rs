//! Places that are left out.

use plantime::rule::Rule;
use plantime::rule::set::{Checking, PathGlob, Phase, RuleSet, Skip};
use plantime::{Path, Type, Value, value};

use super::{ruled, set};

#[test]
fn globs_match_paths() {
    let unknown = || Path::new().attr("a").index(Value::unknown(Type::Number));
    let path = |text: &str| text.parse::<Path>().unwrap();
    for (glob, place, expected) in [
        ("", path(""), Some(true)),
        ("", path("a"), Some(false)),
        ("a.b", path("a.b"), Some(true)),
        ("a.b", path("a"), Some(false)),
        ("a.b", path("a.b.c"), Some(false)),
        ("a.*", path("a.b"), Some(true)),
        ("a[*]", path("a[3]"), Some(true)),
        ("a[*]", path("a"), Some(false)),
        ("a[0]", path("a[0]"), Some(true)),
        ("a[0]", path("a[1]"), Some(false)),
        ("a.k", path(r#"a["k"]"#), Some(true)),
        (r#"a["k"]"#, path("a.k"), Some(true)),
        ("**", path(""), Some(true)),
        ("**", path("a.b[1]"), Some(true)),
        ("a.**", path("a"), Some(true)),
        ("a.**", path("a[1].b"), Some(true)),
        ("a.**", path("b"), Some(false)),
        ("**.port", path("port"), Some(true)),
        ("**.port", path("a.b.port"), Some(true)),
        ("**.port", path("a.port.b"), Some(false)),
        ("a.**.z", path("a.z"), Some(true)),
        ("a.**.b.**.z", path("a.b.b.c.z"), Some(true)),
        ("a.**.b.**.z", path("a.c.z"), Some(false)),
        (r#"a."**""#, path(r#"a."**""#), Some(true)),
        ("a[0]", unknown(), None),
        ("a[*]", unknown(), Some(true)),
        ("a.k", unknown(), Some(false)),
        ("**[0]", unknown(), None),
    ] {
        let matched = glob.parse::<PathGlob>().unwrap().matches(&place);
        assert_eq!(matched, expected, "{glob} on {place}");
    }
    for text in ["<", "a..b", "a b", "***"] {
        assert!(text.parse::<PathGlob>().is_err(), "{text}");
    }
}

#[test]
fn inputs_and_outputs_are_switched_off_apart() {
    let ty = ruled("object({ db = object({ port = number, name = string }), on = bool })")
        .at("db.port", set([("min", 1.into()), ("max", 9.into())]))
        .unwrap()
        .at("db.name", set([("min_len", 1.into())]))
        .unwrap()
        .at("db", RuleSet::new([Rule::any([]).unwrap()]))
        .unwrap();
    let given = value!({ "db": { "port": 0, "name": "" }, "on": true }).unwrap();
    let left = |phase: Phase, skips: &[Skip]| -> Vec<String> {
        let report = ty.check_with(&given, &Checking::new(phase).skipping(skips)).unwrap();
        report.violations().map(|answer| answer.path.to_string()).collect()
    };
    let skip = |text: &str| text.parse::<Skip>().unwrap();
    let all = ["db.name", "db.port", "db"];
    assert_eq!(left(Phase::Inputs, &[]), all);
    assert_eq!(left(Phase::Inputs, &[skip("outputs:**")]), all);
    assert!(left(Phase::Outputs, &[skip("outputs:**")]).is_empty());
    assert!(left(Phase::Outputs, &[skip("**")]).is_empty());
    // A place is skipped without its parts, or with them.
    assert_eq!(left(Phase::Inputs, &[skip("db")]), ["db.name", "db.port"]);
    assert_eq!(left(Phase::Inputs, &[skip("db.*")]), ["db"]);
    assert!(left(Phase::Inputs, &[skip("inputs:db.**")]).is_empty());
    // One rule of a place.
    let skips = [skip("db.port").of_rule("min").because("legacy port")];
    let report = ty.check_with(&given, &Checking::default().skipping(&skips)).unwrap();
    assert_eq!((report.violations().count(), report.passed()), (2, 1));
    let skipped = &report.skipped()[0];
    assert_eq!((skipped.path.to_string(), skipped.rule.as_str()), ("db.port".to_owned(), "at least 1"));
    assert_eq!(skipped.reason.as_deref(), Some("legacy port"));
}

/// An element that may be the one that is skipped fails for certain only if all others do not.
#[test]
fn a_place_that_is_perhaps_skipped_does_not_fail() {
    let ty =
        ruled("object({ a = list(string) })").at("a[*]", RuleSet::new([Rule::any([]).unwrap()])).unwrap();
    let some =
        Value::refined(Type::list(Type::String).unwrap(), "notnull(listlengthmin(40))".parse().unwrap())
            .unwrap();
    let given = value!({ "a": (some) }).unwrap();
    let outcome = |skips: &[Skip]| {
        let report = ty.check_with(&given, &Checking::default().skipping(skips)).unwrap();
        report.outcome().name()
    };
    assert_eq!(outcome(&[]), "undetermined", "its elements may be null");
    let ty = ruled("object({ a = list(string) })")
        .at("a[*]", RuleSet::new([Rule::NotNull, Rule::any([]).unwrap()]))
        .unwrap();
    let outcome = |skips: &[Skip]| {
        let report = ty.check_with(&given, &Checking::default().skipping(skips)).unwrap();
        report.outcome().name()
    };
    assert_eq!(outcome(&[]), "fail");
    assert_eq!(outcome(&["a[0]".parse().unwrap()]), "undetermined");
    assert_eq!(outcome(&["a[*]".parse().unwrap()]), "pass");
}
