//! Known failures: `--write-baseline` and `--baseline`.

use serde_json::{Value as Json, json};

use super::around::plan;
use super::{Run, check, file, has, has_not};

const RULES: &str = "rule \"small\" {\n  resource = \"x_y\"\n  attribute \"n\" { max = 5 }\n}\n";

/// A file that a run may write.
fn target(name: &str) -> String {
    file(name, "")
}

fn with(plans: &[&str], more: &[&str]) -> Run {
    let rules = file("baseline/rules.hcl", RULES);
    check(&[plans, &["--rules", &rules], more].concat())
}

#[test]
fn known_failures_are_counted_new_ones_fail_and_vanished_ones_are_named() {
    let yesterday = plan("baseline/yesterday.json", &[("x_y.b", 9), ("x_y.a", 7), ("x_y.gone", 8)], &[]);
    let known = target("baseline/known.json");
    let run = with(&[&yesterday], &["--write-baseline", &known]);
    assert_eq!(run.status, 1);
    has(
        &run.out,
        &format!("Wrote 3 failures to {known}: with --baseline {known} they are known and fail no run."),
    );
    // Sorted, one a line, no values.
    assert_eq!(
        std::fs::read_to_string(&known).expect("the file"),
        "{\n  \"format_version\": \"1.0\",\n  \"failures\": [\n    {\"address\":\"x_y.a\",\"place\":\"n\",\"rule\":\"small\"},\n    \
         {\"address\":\"x_y.b\",\"place\":\"n\",\"rule\":\"small\"},\n    {\"address\":\"x_y.gone\",\"place\":\"n\",\"rule\":\"small\"}\n  ]\n}\n"
    );
    let same = with(&[&yesterday], &["--baseline", &known]);
    assert_eq!(same.status, 0);
    has(&same.out, "known         small");
    has(&same.out, "0 pass, 0 fail, 3 known, 0 undetermined");
    has_not(&same.out, "Failures:");
    has_not(&same.out, "╷");

    let today = plan("baseline/today.json", &[("x_y.a", 7), ("x_y.b", 9), ("x_y.new", 6)], &[]);
    let vanished = "In the baseline, and no longer failing: small at x_y.gone.n";
    for (format, more) in [
        ("text", &[][..]),
        ("text", &["--quiet"]),
        ("html", &[]),
        ("junit", &[]),
        ("sarif", &[]),
        ("github", &[]),
        ("json", &[]),
    ] {
        let run = with(&[&today], &[&["--baseline", &known, "--format", format], more].concat());
        assert_eq!(run.status, 1, "{format}");
        match format {
            "junit" => {
                has(&run.out, "<testsuite name=\"baseline\" tests=\"1\"");
                has(&run.out, "failures=\"1\"");
            }
            "json" => {
                let json: Json = serde_json::from_str(&run.out).expect("JSON");
                assert_eq!(json["vanished"], json!([{"rule": "small", "address": "x_y.gone", "place": "n"}]));
                assert_eq!((&json["summary"]["known"], &json["summary"]["fail"]), (&json!(2), &json!(1)));
                let answer = &json["plans"][0]["answers"][0];
                assert_eq!(
                    (&answer["outcome"], &answer["known"], &answer["fails"]),
                    (&json!("fail"), &json!(true), &json!(false))
                );
            }
            _ => has(&run.out, vanished),
        }
        if format == "sarif" {
            has(&run.out, "\"baselineState\":\"unchanged\"");
        }
        if format == "text" {
            has(&run.out, "1 fail, 2 known");
            has(&run.out, "x_y.new: n is at most 5");
        }
    }
}

#[test]
fn of_several_plans_each_has_its_own_failures() {
    let first = plan("baseline/first.json", &[("x_y.a", 9)], &[]);
    let second = plan("baseline/second.json", &[("x_y.a", 1)], &[]);
    let known = target("baseline/several.json");
    assert_eq!(with(&[&first, &second], &["--write-baseline", &known]).status, 1);
    assert_eq!(with(&[&first, &second], &["--baseline", &known]).status, 0);
    // The same failure in another plan is new.
    plan("baseline/second.json", &[("x_y.a", 9)], &[]);
    let run = with(&[&first, &second], &["--baseline", &known]);
    assert_eq!(run.status, 1);
    has(&run.out, "1 fail, 1 known");
}

#[test]
fn a_second_failure_at_a_known_place_is_new() {
    let plan = plan("baseline/count.json", &[("x_y.a", 9)], &[]);
    let known = target("baseline/count-known.json");
    assert_eq!(with(&[&plan], &["--write-baseline", &known]).status, 1);
    let rules = file("baseline/more.hcl", RULES.replace("max = 5", "\n    max = 5\n    even = true\n  "));
    let run = check(&[&plan, "--rules", &rules, "--baseline", &known]);
    assert_eq!(run.status, 1);
    has(&run.out, "1 fail, 1 known");
}

#[test]
fn a_baseline_overwrites_nothing_that_is_read_and_what_is_wrong_with_it_is_said() {
    let plan = plan("baseline/wrong.json", &[("x_y.a", 9)], &[]);
    let good = "{\"format_version\": \"1.0\", \"failures\": []}";
    let known = file("baseline/read.json", good);
    let run = with(&[&plan], &["--baseline", &known, "--write-baseline", &known]);
    assert_eq!(run.status, 2);
    has(&run.err, "--write-baseline would overwrite an input");
    let run = with(&[&plan], &["--write-baseline", &plan]);
    assert_eq!(run.status, 2);
    has(&run.err, "--write-baseline would overwrite an input");
    for (at, (text, expected)) in [
        ("{", "no JSON: EOF while parsing"),
        ("{}", "no baseline: expected \"format_version\": \"1.0\", as --write-baseline writes it"),
        ("{\"format_version\": \"2.0\", \"failures\": []}", "no baseline: expected \"format_version\""),
        ("{\"format_version\": \"1.0\"}", "no baseline: expected a list \"failures\""),
        ("{\"format_version\": \"1.0\", \"failures\": [{\"rule\": \"r\"}]}", "failures[0]: expected a text \"address\""),
        ("{\"format_version\": \"1.0\", \"failures\": [{\"rule\": \"r\", \"address\": \"a\", \"place\": \"\", \"count\": -1}]}", "failures[0]: expected a whole number \"count\""),
    ]
    .into_iter()
    .enumerate()
    {
        let known = file(&format!("baseline/bad{at}.json"), text);
        let run = with(&[&plan], &["--baseline", &known]);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{text}");
        has(&run.err, expected);
        has(&run.err, "/bad");
    }
    // A run with unusable input leaves the file alone.
    let broken = file("baseline/broken.json", "{");
    let kept = file("baseline/kept.json", "kept");
    assert_eq!(with(&[&broken], &["--write-baseline", &kept]).status, 2);
    assert_eq!(std::fs::read_to_string(&kept).expect("the file"), "kept");
}
