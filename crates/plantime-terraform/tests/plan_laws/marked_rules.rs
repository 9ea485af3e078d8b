//! No report on a rule of any kind says content behind a mark.

use plantime::rule::{Argument, keywords};
use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    CheckOptions, Colour, DiagnosticStyle, Plan, RulesFile, TextStyle, check, to_json,
};

const SECRETS: [&str; 3] = ["hunter", "8675309", "1337"];

/// A resource with every kind of value, all of it sensitive.
fn plan(after: &str) -> Vec<u8> {
    let before = VALUES.replace("hunter2", "hunter1").replace("8675309", "86753091");
    let sensitive =
        r#"{"a": true, "b": true, "s": true, "n": true, "t": true, "l": true, "m": true, "o": {"a": true}}"#;
    format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [{{
            "address": "t.r", "mode": "managed", "type": "t", "name": "r", "provider_name": "p", "change": {{
                "actions": ["delete", "create"], "before": {before}, "after": {after}, "after_unknown": {{}},
                "before_sensitive": {sensitive}, "after_sensitive": {sensitive},
                "replace_paths": [["s"], ["m", "hunter2"], ["l", 0]]}}}}],
            "output_changes": {{"out": {{"actions": ["create"], "before": null, "after": "hunter2",
                "after_unknown": false, "before_sensitive": false, "after_sensitive": true}}}}}}"#
    )
    .into_bytes()
}

const VALUES: &str = r#"{"a": "hunter2", "b": null, "s": "hunter2", "n": 8675309, "t": true, "l": ["hunter2", "hunter2", null],
    "m": {"hunter2": "hunter2", "k": null}, "o": {"a": "hunter2", "b": null}}"#;

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {"t": {"version": 0,
    "block": {"attributes": {
        "a": {"type": "string", "optional": true}, "b": {"type": "string", "optional": true},
        "s": {"type": "string", "optional": true}, "n": {"type": "number", "optional": true},
        "t": {"type": "bool", "optional": true}, "l": {"type": ["list", "string"], "optional": true},
        "m": {"type": ["map", "string"], "optional": true},
        "o": {"type": ["object", {"a": "string", "b": "string"}], "optional": true}}}}}}}}"#;

/// The tests of a keyword, as rules files write them.
fn tests() -> Vec<String> {
    let mut all = Vec::new();
    let message = "message = \"{key} {value} {desc} {failure}\"";
    for keyword in keywords() {
        let example = keyword.manual().unwrap().example;
        let change =
            ["only_increase", "only_decrease", "multiple_of_old", "immutable"].contains(&keyword.name);
        for place in ["a", "s", "n", "t", "l", "m", "o", "l[*]", "m[*]", "m[\\\"k\\\"]", "o.a"] {
            for message in [message, ""] {
                all.push(match keyword.argument {
                    Argument::Rule | Argument::Rules if !matches!(keyword.name, "keys" | "each") => {
                        let test = if keyword.name == "when" {
                            "attribute \"b\" {\n  not_null = true\n}\n"
                        } else {
                            ""
                        };
                        format!("{message}\n{}\n{test}", example.replace("\"n\"", &format!("\"{place}\"")))
                    }
                    Argument::Paths | Argument::Requirement if !example.contains('<') => {
                        format!("{message}\n{example}\n")
                    }
                    _ if change => format!("change \"{place}\" {{\n{example}\n{message}\n}}\n"),
                    _ => format!("attribute \"{place}\" {{\n{example}\n{message}\n}}\n"),
                });
            }
        }
    }
    all
}

#[test]
fn no_report_says_marked_content() {
    let schemas = ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap();
    let plan = Plan::read(&plan(VALUES), &schemas).unwrap();
    let (mut reports, mut failures) = (0_usize, 0_usize);
    for test in tests() {
        let text = format!("rule \"r\" {{\n  resource = \"t\"\n{test}}}\n");
        let rules = RulesFile::read(Source::new("rules.hcl", &*text))
            .unwrap_or_else(|problems| panic!("{text}\n{}", problems[0]));
        let against = CheckOptions {
            rules,
            schemas: schemas.clone(),
            configuration: None,
            show_values: false,
            facts: Default::default(),
        };
        let said = match check("plan.json", &plan, &against) {
            Err(problems) => problems.iter().map(|one| format!("{one} {one:#} {one:?}")).collect(),
            Ok(report) => {
                failures += report.totals().fail;
                let looks =
                    [DiagnosticStyle::Boxes, DiagnosticStyle::Own(|message, _, _| format!("{message:?}"))];
                let drawn = looks
                    .map(|look| report.text_with(TextStyle::new(Colour::Never).diagnostics(look)))
                    .concat();
                let obligations = report.obligations(b"").to_json();
                format!("{drawn}{}{obligations}{report:?}", to_json(std::slice::from_ref(&report), &[]))
            }
        };
        for secret in SECRETS {
            assert!(!said.contains(secret), "{text}\nsays {secret}:\n{said}");
        }
        reports += 1;
    }
    assert!(failures > 100, "{failures}");
    println!("reports without marked content: {reports}, with failures {failures}");
}
