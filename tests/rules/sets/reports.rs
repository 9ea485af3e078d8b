//! The three styles of a report.

use plantime::rule::Rule;
use plantime::rule::set::{RuleSet, RuledType, SetRule};
use plantime::{Type, Value, value};

use super::{checked, ruled, set};

fn config() -> RuledType {
    let rules = |rules: RuleSet, line: usize| rules.written_at(&format!("schema.yml:{line}"));
    ruled(
        r#"object({
            foo = list(object({ bar = string, kind = string })),
            port = number, tags = map(string), a = optional(string), b = optional(string), note = optional(string)
        })"#,
    )
    .at("foo[*].bar", rules(set([("min_len", 1.into()), ("max_len", 3.into())]), 3))
    .unwrap()
    .at("foo[*].kind", rules(set([("one_of", value!(["x", "y"]).unwrap())]), 4))
    .unwrap()
    .at("port", rules(set([("min", 1.into()), ("max", 9.into())]), 5))
    .unwrap()
    .at("tags[*]", RuleSet::new([SetRule::described("a shout", Rule::ends_with("!")).warning()]))
    .unwrap()
    .at("note", rules(set([("not_null", true.into())]), 7))
    .unwrap()
    .at("", rules(set([("one_not_null", value!(["a", "b"]).unwrap())]), 1))
    .unwrap()
}

fn given() -> Value {
    value!({
        "foo": [{ "bar": "", "kind": "z" }, { "bar": "long", "kind": "x" }],
        "port": 10, "tags": { "k": "v" }
    })
    .unwrap()
}

#[test]
fn the_style_of_ytt_is_exact() {
    let report = checked(&config(), &given());
    let position = |path: &plantime::Path| (!path.is_empty()).then(|| format!("values.yml:{}", path.len()));
    let expected = r#"  foo[0].bar
    from: values.yml:3
    - must be: length >= 1 (by: schema.yml:3)
      found: length = 0

  foo[0].kind
    from: values.yml:3
    - must be: one of ["x", "y"] (by: schema.yml:4)
      found: not one of allowed values

  foo[1].bar
    from: values.yml:3
    - must be: length <= 3 (by: schema.yml:3)
      found: length = 4

  note
    from: values.yml:1
    - must be: not null (by: schema.yml:7)
      found: value is null

  port
    from: values.yml:1
    - must be: a value <= 9 (by: schema.yml:5)
      found: value > 9

  tags["k"]
    from: values.yml:2
    - must be: a shout
      found: it is "v"

  (document)
    - must be: exactly one of ["a", "b"] to be not null (by: schema.yml:1)
      found: all values are null

"#;
    assert_eq!(report.ytt_with(position), expected);
    // Two rules of one place stand below one path.
    let both = RuledType::new(Type::String)
        .named("name")
        .at("", RuleSet::new([Rule::min_len(9), Rule::starts_with("x")]))
        .unwrap();
    assert_eq!(
        checked(&both, &"a".into()).ytt(),
        "  name\n    - must be: length >= 9\n      found: length = 1\n    - must be: starts with \"x\"\n      found: it is \"a\"\n\n"
    );
    assert_eq!(checked(&both, &"x23456789".into()).ytt(), "");
}

#[test]
fn ytt_has_words_for_what_was_found() {
    let found = |rules: RuleSet, value: Value| {
        let report = plantime::rule::set::validate("v", &value, &rules, None).unwrap();
        report.ytt().lines().skip(1).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let keys = || set([("one_not_null", true.into())]);
    for (rules, value, must_be, was) in [
        (set([("len", 2.into())]), value!(["a"]).unwrap(), "length = 2", "length = 1"),
        (set([("min", 5.into())]), 4.into(), "a value >= 5", "value < 5"),
        (
            keys(),
            value!({ "a": 1, "b": 2 }).unwrap(),
            "exactly one child to be not null",
            "[a, b] are not null",
        ),
        (keys(), value!({}).unwrap(), "exactly one child to be not null", "value is empty"),
    ] {
        assert_eq!(found(rules, value), [&format!("- must be: {must_be}"), &format!("found: {was}"), ""]);
    }
}

#[test]
fn diagnostics_have_places_and_severities() {
    let report = checked(&config(), &given());
    let diagnostics = report.diagnostics();
    let shown: Vec<String> =
        diagnostics.iter().map(|one| format!("{} {}: {}", one.severity, one.path, one.detail)).collect();
    assert_eq!(shown[0], "error foo[0].bar: Attribute foo[0].bar string length must be at least 1, got: 0");
    assert_eq!(shown[5], r#"warning tags["k"]: "k" requires a valid value: a shout; it is "v"."#);
    assert!(diagnostics.has_error() && shown.len() == 7, "{shown:#?}");
    // A warning alone makes nothing invalid.
    let warned = ruled("object({ a = string })")
        .at("a", RuleSet::new([SetRule::new(Rule::min_len(1)).warning()]))
        .unwrap();
    let report = checked(&warned, &value!({ "a": "" }).unwrap());
    assert!(
        report.outcome().is_pass() && report.violations().count() == 1 && !report.diagnostics().has_error()
    );
}

#[test]
fn the_report_is_json() {
    let unknown =
        Value::unknown(Type::list("object({ bar = string, kind = string })".parse().unwrap()).unwrap());
    let value = value!({ "foo": (unknown), "port": 0, "tags": {}, "a": "x", "note": "n" }).unwrap();
    let report = checked(&config(), &value).to_value().unwrap();
    let text = |path: &str| report.get(&path.parse().unwrap()).unwrap().to_string();
    assert_eq!(text("outcome"), r#""fail""#);
    assert_eq!(text("answers[0].path"), r#""foo[*].bar""#);
    assert_eq!(text("answers[0].outcome"), r#""undetermined""#);
    assert_eq!(text("answers[0].depends_on"), r#"["foo"]"#);
    assert_eq!(text("answers[3].rule"), r#""min""#);
    assert_eq!(text("answers[3].messages"), r#"["\"port\" requires a valid value (at least 1); it is 0."]"#);
    assert_eq!(text("answers[3].diagnostics[0].path"), r#""port""#);
    assert_eq!(text("answers[3].from"), r#""schema.yml:5""#);
    assert_eq!(text("passed"), "3");
    #[cfg(feature = "json")]
    {
        let json = serde_json::Value::try_from(&report).unwrap();
        assert_eq!(json["answers"][3]["failure"], serde_json::Value::Null);
        assert_eq!(json["skipped"], serde_json::json!([]));
    }
}
