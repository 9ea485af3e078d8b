//! What every form of a report says of the plan as a whole, and of sensitive values beside others.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, PlanReport};

use crate::asking::{self, report, rules};

fn written(write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn forms(report: &PlanReport) -> [String; 3] {
    [
        written(&|out| report.write_junit(out)),
        written(&|out| report.write_sarif(out)),
        written(&|out| report.write_github(out)),
    ]
}

/// A plan that creates `x_y.a` with this value, masks and schemas for its attributes.
fn plan(after: &str, masks: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
           "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {after}, {masks}}}}}]}}"#
    )
}

#[test]
fn planning_that_failed_is_an_error_in_every_form() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"s\" { not_null = true }\n}");
    let json = plan(r#"{"s": "a"}"#, r#""after_unknown": {}, "after_sensitive": {}"#);
    let whole = report(&json, &ProviderSchemas::new(), &rules).unwrap();
    let failed =
        report(&json.replacen('{', "{\"errored\": true, ", 1), &ProviderSchemas::new(), &rules).unwrap();
    let [junit, sarif, github] = forms(&whole);
    assert!(
        junit.contains("errors=\"0\"") && sarif.contains("\"executionSuccessful\":true") && github.is_empty()
    );
    let [junit, sarif, github] = forms(&failed);
    assert!(
        junit.contains("tests=\"2\"") && junit.contains("errors=\"1\"") && junit.contains("<error "),
        "{junit}"
    );
    assert!(
        sarif.contains("\"executionSuccessful\":false") && sarif.contains("\"level\":\"error\""),
        "{sarif}"
    );
    assert!(github.starts_with("::error title=plantime::"), "{github}");
}

#[test]
fn a_rule_that_matches_nothing_is_in_every_form() {
    let rules = rules("rule \"no-such\" {\n resource = \"z_z\"\n attribute \"s\" { not_null = true }\n}");
    let json = plan(r#"{"s": "a"}"#, r#""after_unknown": {}, "after_sensitive": {}"#);
    let report = report(&json, &ProviderSchemas::new(), &rules).unwrap();
    for form in forms(&report) {
        assert!(form.contains("no-such"), "{form}");
    }
    assert!(forms(&report)[0].contains("skipped=\"1\""));
}

#[test]
fn a_plan_that_changes_outputs_alone_says_so() {
    let json = r#"{"format_version": "1.2", "terraform_version": "1\n2", "resource_changes": [], "output_changes": {"o": {"actions": ["create"],
        "before": null, "after": "x", "after_unknown": false, "after_sensitive": false}}}"#;
    let text = |json: &str| {
        let none = rules("rule \"r\" {\n output = \"o\"\n value { not_null = true }\n}");
        report(json, &ProviderSchemas::new(), &none).unwrap().text(Colour::Never)
    };
    let first = text(json).lines().next().unwrap().to_owned();
    assert!(first.contains("1 output to change") && first.contains("1\\n2"), "{first}");
    let first = text(&json.replace("create", "no-op")).lines().next().unwrap().to_owned();
    assert!(first.contains("no changes"), "{first}");
}

const SCHEMAS: &str = r#"{"provider_schemas": {"p": {"resource_schemas": {"x_y": {"block": {"attributes": {
    "s": {"type": "string", "computed": true}, "st": {"type": ["set", "string"], "computed": true},
    "lm": {"type": ["map", ["list", "string"]], "computed": true}, "d": {"type": "dynamic", "computed": true}}}}}}}}"#;

/// Whether a sensitive container has unknown parts is content (L5).
#[test]
fn what_a_rule_depends_on_does_not_tell_what_is_unknown_in_a_sensitive_container() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n exactly_one_of = [\"st\", \"s\"]\n}");
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        let texts = [("[\"x\"]", "[false]"), ("[null]", "[true]")].map(|(st, unknown)| {
            let masks = format!(
                r#""after_unknown": {{"s": true, "st": {unknown}}}, "after_sensitive": {{"st": true}}"#
            );
            let report = report(&plan(&format!("{{\"st\": {st}}}"), &masks), &schemas, &rules).unwrap();
            let json = report.to_json();
            json["answers"][0].to_string()
        });
        assert_eq!(texts[0], texts[1]);
    }
}

/// A failure is concealed where the value is sensitive, and not beside it.
#[test]
fn a_failure_beside_a_sensitive_value_keeps_its_reason() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"lm[*][*]\" { min_len = 2 }\n}");
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        let json = plan(
            r#"{"lm": {"a": ["h"], "b": ["y"]}}"#,
            r#""after_unknown": {}, "after_sensitive": {"lm": {"a": true}}"#,
        );
        let text = report(&json, &schemas, &rules).unwrap().text(Colour::Never);
        assert!(text.contains("\"y\"") && !text.contains("\"h\""), "{text}");
        assert!(text.contains("length") && text.contains("sensitive"), "{text}");
    }
}

/// A message on a path that cannot be followed is about the value there.
#[test]
fn a_path_into_a_sensitive_object_does_not_describe_the_resource() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"d[0]\" { min_len = 2 }\n}");
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        let json = plan(
            r#"{"d": {"h": "x"}, "s": "a", "st": [], "lm": {}}"#,
            r#""after_unknown": {}, "after_sensitive": {"d": true}"#,
        );
        let text = report(&json, &schemas, &rules).unwrap().text(Colour::Never);
        assert!(!text.contains("is an object"), "{text}");
    }
}
