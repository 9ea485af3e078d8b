//! Law L7 for large plans: several threads give the report that one gives, byte for byte.

use std::fmt::Write as _;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Colour, Plan, RulesFile, check, check_with};

/// Resources of two types, whose attribute goes through all that matters to the rules.
fn plan(count: usize) -> String {
    let mut text = r#"{"format_version": "1.2", "resource_changes": ["#.to_owned();
    for at in 0..count {
        let (after, unknown) = match at % 5 {
            0 => (r#"{"p": "vpc-1"}"#, "{}"),
            1 => (r#"{"p": "x"}"#, "{}"),
            2 => (r#"{"p": null, "q": ["a"]}"#, "{}"),
            3 => ("{}", r#"{"p": true}"#),
            _ => (r#"{"q": ["a", "b"]}"#, r#"{"p": true}"#),
        };
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}{{"address": "x_{kind}.r[{at}]", "mode": "managed", "type": "x_{kind}", "name": "r", "index": {at},
               "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {after},
               "after_unknown": {unknown}, "before_sensitive": false, "after_sensitive": {{}}}}}}"#,
            kind = if at % 7 < 4 { "y" } else { "z" },
        );
    }
    text + "]}"
}

const RULES: &str = r#"
assume "x_z" {
  p = assumed(notnull(stringprefix("vpc-")))
}
assume "x_y" {
  p = assumed(stringprefix("vpc-"))
}
rule "prefix" {
  resource = "x_*"
  attribute "p" { starts_with = "vpc-" }
}
rule "open" {
  resource = "x_*"
  attribute "p" { starts_with = "vpc-9" }
}
rule "unique" {
  resource = "x_y"
  attribute "q" { unique = true }
}
rule "guarded" {
  resource = "x_z"
  when { attribute "p" { not_null = true } }
  attribute "q" { max_len = 1 }
}
rule "nowhere" {
  resource = "x_y"
  attribute "q[7]" { not_null = true }
}
rule "no-such-type" {
  resource = "x_w"
  attribute "p" { not_null = true }
}
skip "prefix" {
  address = "x_y.r[2]"
  reason  = "known"
}
"#;

#[test]
fn several_threads_give_the_report_of_one() {
    let schemas = ProviderSchemas::new();
    let plan = Plan::read(plan(2500).as_bytes(), &schemas).unwrap();
    let rules = RulesFile::read(Source::new("rules.hcl", RULES)).unwrap();
    let against =
        CheckOptions { rules, schemas, configuration: None, show_values: true, facts: Default::default() };
    let several = check("plan.json", &plan, &against).unwrap();
    // Data of the caller is not shared by threads.
    let one = check_with("plan.json", &plan, &against, &()).unwrap();
    assert!(several.totals().contradicted > 0 && several.wanted().len() > 500, "{:?}", several.totals());
    assert_eq!(several.text(Colour::Never), one.text(Colour::Never));
    assert_eq!(several.to_json(), one.to_json());
    assert_eq!(several.obligations(b"").to_json(), one.obligations(b"").to_json());
}

#[test]
fn several_threads_tell_the_mistakes_that_one_tells() {
    let schemas = ProviderSchemas::new();
    let plan = Plan::read(plan(2500).as_bytes(), &schemas).unwrap();
    let rules = "rule \"r\" {\n  resource = \"x_y\"\n  attribute \"nothing\" { not_null = true }\n  \
                 attribute \"none\" { not_null = true }\n}\n";
    let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    let against =
        CheckOptions { rules, schemas, configuration: None, show_values: true, facts: Default::default() };
    let told = |problems: Vec<plantime::source::Problem>| -> Vec<String> {
        problems.iter().map(ToString::to_string).collect()
    };
    let several = check("plan.json", &plan, &against).map_err(told).map(|_| ()).unwrap_err();
    let one = check_with("plan.json", &plan, &against, &()).map_err(told).map(|_| ()).unwrap_err();
    assert_eq!((several.len(), &several), (2, &one));
}
