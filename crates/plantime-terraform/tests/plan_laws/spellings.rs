//! One rule, several spellings, one answer: rows and `all` or `sequence` of them, `[*]` and `each`, `when` and `implies`; where the
//! types of unknown values are not decided, and where a schema says nothing of them.

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, TestVerdict, check_askable};

/// Values of an attribute: the JSON of what is known, and whether it is unknown.
const VALUES: [(&str, bool); 5] =
    [("\"ab\"", false), ("\"9\"", false), ("null", false), ("7", false), ("null", true)];

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {"t": {"version": 0, "block": {
    "attributes": {"input": {"type": "dynamic", "optional": true}}}}}}}}"#;

fn plan(known: &str, unknown: &str, schemas: &ProviderSchemas) -> Plan {
    let json = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "t.a", "mode": "managed", "type": "t", "name": "a",
        "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {{"input": {known}}},
        "after_unknown": {{"input": {unknown}}}, "before_sensitive": false, "after_sensitive": {{}}}}}}]}}"#
    );
    Plan::read(json.as_bytes(), schemas).unwrap()
}

/// An object of two attributes in the two trees of a plan.
fn pair((a, a_unknown): (&str, bool), (b, b_unknown): (&str, bool)) -> (String, String) {
    let mut known = Vec::new();
    let mut unknown = Vec::new();
    for (name, text, is_unknown) in [("a", a, a_unknown), ("b", b, b_unknown)] {
        match is_unknown {
            true => unknown.push(format!("\"{name}\": true")),
            false => known.push(format!("\"{name}\": {text}")),
        }
    }
    (format!("{{{}}}", known.join(", ")), format!("{{{}}}", unknown.join(", ")))
}

/// The answers of the rules: the worst of each rule's rows, without and with a schema.
fn answers(plan: &Plan, rules: &RulesFile, schemas: &ProviderSchemas) -> Vec<(String, &'static str)> {
    let against = CheckOptions {
        rules: rules.clone(),
        schemas: schemas.clone(),
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    let report = check_askable("plan", plan, &against).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut found: Vec<(String, &'static str)> = Vec::new();
    for answer in report.checked.iter().flat_map(|one| &one.answers) {
        let word = match &answer.verdict {
            TestVerdict::Fail(_) => "fail",
            TestVerdict::Undetermined(_) => "undetermined",
            _ => "pass",
        };
        match found.iter_mut().find(|(rule, _)| **rule == *answer.rule) {
            Some((_, known)) => *known = worst(known, word),
            None => found.push((answer.rule.to_string(), word)),
        }
    }
    found
}

fn worst(a: &'static str, b: &'static str) -> &'static str {
    match (a, b) {
        ("fail", _) | (_, "fail") => "fail",
        ("undetermined", _) | (_, "undetermined") => "undetermined",
        _ => "pass",
    }
}

/// Checks that the spellings of one rule, whose names begin alike, give one answer for every pair of values.
fn law(of_pair: impl Fn(&(String, String)) -> (String, String), rules: &str) {
    let rules =
        RulesFile::read(Source::new("rules.hcl", rules)).unwrap_or_else(|problems| panic!("{problems:?}"));
    let with = ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap();
    for schemas in [ProviderSchemas::new(), with] {
        for a in VALUES {
            for b in VALUES {
                let (known, unknown) = of_pair(&pair(a, b));
                let plan = plan(&known, &unknown, &schemas);
                let found = answers(&plan, &rules, &schemas);
                let expected = found.first().unwrap().1;
                assert!(found.iter().all(|(_, word)| *word == expected), "{known} {unknown}: {found:?}");
                assert_eq!(found.len(), rules.rules.len(), "{found:?}");
            }
        }
    }
}

const ROWS: &str = r#"
    rule "rows" {
      resource = "t"
      attribute "input.a" { matches = "^[a-z]+$" }
      attribute "input.b" { matches = "^[a-z]+$" }
    }
    rule "all" {
      resource = "t"
      all {
        attribute "input.a" { matches = "^[a-z]+$" }
        attribute "input.b" { matches = "^[a-z]+$" }
      }
    }
    rule "other order" {
      resource = "t"
      all {
        attribute "input.b" { matches = "^[a-z]+$" }
        all {
          attribute "input.a" { matches = "^[a-z]+$" }
        }
      }
    }
    rule "sequence" {
      resource = "t"
      sequence {
        attribute "input.a" { matches = "^[a-z]+$" }
        attribute "input.b" { matches = "^[a-z]+$" }
      }
    }
"#;

#[test]
fn rows_all_and_sequence_give_one_answer() {
    law(Clone::clone, ROWS);
}

#[test]
fn wildcards_and_each_give_one_answer() {
    let rules = r#"
        rule "wildcard" {
          resource = "t"
          attribute "input[*].a" { matches = "^[a-z]+$" }
        }
        rule "element" {
          resource = "t"
          attribute "input[*]" {
            attribute "a" { matches = "^[a-z]+$" }
          }
        }
        rule "each" {
          resource = "t"
          attribute "input" {
            each {
              attribute "a" { matches = "^[a-z]+$" }
            }
          }
        }
    "#;
    // Two elements, whose attributes `a` are the two values.
    let of_pair = |(known, unknown): &(String, String)| {
        let split = |text: &str, name: &str| {
            let inner = text.trim_matches(['{', '}']);
            let of = inner.split(", ").find_map(|part| part.strip_prefix(&format!("\"{name}\": ")));
            of.map_or("{}".to_owned(), |value| format!("{{\"a\": {value}}}"))
        };
        let both = |text: &str| format!("[{}, {}]", split(text, "a"), split(text, "b"));
        (both(known), both(unknown))
    };
    law(of_pair, rules);
}

#[test]
fn when_and_implies_give_one_answer() {
    let rules = r#"
        rule "when" {
          resource = "t"
          when { attribute "input.a" { equals = "ab" } }
          attribute "input.b" { matches = "^[a-z]+$" }
        }
        rule "implies" {
          resource = "t"
          implies {
            if   { attribute "input.a" { equals = "ab" } }
            then { attribute "input.b" { matches = "^[a-z]+$" } }
          }
        }
    "#;
    // A condition that cannot be read fails a test, and a guard that cannot be read does not hold: there the two differ.
    let of_pair = |(known, unknown): &(String, String)| {
        let known = known.replace("\"a\": 7", "\"a\": \"7\"");
        match unknown.contains("\"a\": true") {
            true => (
                format!("{{\"a\": \"ab\", {}", known.trim_start_matches('{')).replace(", }", "}"),
                unknown.replace("\"a\": true, ", "").replace("\"a\": true", ""),
            ),
            false => (known, unknown.clone()),
        }
    };
    law(of_pair, rules);
}

#[test]
fn a_type_without_the_attribute_is_passed_over_in_rows_and_in_all() {
    let json = r#"{"format_version": "1.2", "resource_changes": [
        {"address": "aws_vpc.v", "mode": "managed", "type": "aws_vpc", "name": "v", "provider_name": "p",
         "change": {"actions": ["create"], "before": null, "after": {"name": "n", "tags": {"a": "b"}}, "after_unknown": {}, "after_sensitive": {}}},
        {"address": "aws_route.r", "mode": "managed", "type": "aws_route", "name": "r", "provider_name": "p",
         "change": {"actions": ["create"], "before": null, "after": {"name": "n"}, "after_unknown": {}, "after_sensitive": {}}}]}"#;
    let rules = r#"
        rule "rows" {
          resource = "aws_*"
          attribute "name" { not_null = true }
          attribute "tags" { not_null = true }
        }
        rule "all" {
          resource = "aws_*"
          all {
            attribute "name" { not_null = true }
            attribute "tags" { not_null = true }
          }
        }
    "#;
    let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    let schemas = ProviderSchemas::new();
    let plan = Plan::read(json.as_bytes(), &schemas).unwrap();
    assert_eq!(answers(&plan, &rules, &schemas), [("rows".to_owned(), "pass"), ("all".to_owned(), "pass")]);
    let facts = Default::default();
    let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts };
    let notes = check_askable("plan", &plan, &against).unwrap().notes.join("\n");
    for rule in ["rows", "all"] {
        let note = format!("rule {rule} passes over types without an attribute `tags`: aws_route");
        assert!(notes.contains(&note), "{notes}");
    }
}

#[test]
fn an_optional_rule_passes_over_a_provider_without_its_attribute() {
    let schemas = ProviderSchemas::new();
    let plan = plan("1", "{}", &schemas);
    let rules = r#"
        rule "region" {
          resource = "t"
          optional = true
          attribute "region" { equals = "eu" }
        }
        rule "input" {
          resource = "t"
          attribute "input" { equals = 1 }
        }
    "#;
    let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    let facts = Default::default();
    let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts };
    let report = check_askable("plan", &plan, &against).unwrap();
    assert_eq!((report.totals().pass, report.lacking.len()), (1, 0));
    assert_eq!(report.unmatched[0].reason, "no matching type has an attribute `region`");
    let wrong = "rule \"r\" {\n  resource = \"t\"\n  optional = 1\n  deny = true\n}\n";
    let problems = RulesFile::read(Source::new("rules.hcl", wrong)).unwrap_err();
    assert_eq!(problems[0].message(), "`optional` takes true or false");
}

const GROUP: &str = r#"[{"from": 22, "net": "0.0.0.0/0"}, {"from": 443, "net": "10.0.0.0/8"}]"#;

#[test]
fn several_paths_into_one_list_warn_and_the_block_form_finds_the_open_port() {
    let schemas = ProviderSchemas::new();
    let plan = plan(GROUP, "{}", &schemas);
    let rules = r#"
        rule "trap" {
          resource = "t"
          not {
            attribute "input[*].from" { equals = 22 }
            attribute "input[*].net" { equals = "0.0.0.0/0" }
          }
        }
        rule "right" {
          resource = "t"
          attribute "input[*]" {
            not {
              attribute "from" { equals = 22 }
              attribute "net" { equals = "0.0.0.0/0" }
            }
          }
        }
        rule "none" {
          resource = "t"
          attribute "input" {
            not {
              some {
                attribute "from" { equals = 22 }
                attribute "net" { equals = "0.0.0.0/0" }
              }
            }
          }
        }
        rule "some" {
          resource = "t"
          attribute "input" {
            some {
              attribute "from" { equals = 443 }
              attribute "net" { starts_with = "10." }
            }
          }
        }
    "#;
    let rules =
        RulesFile::read(Source::new("rules.hcl", rules)).unwrap_or_else(|problems| panic!("{problems:?}"));
    let expected = [("trap", "pass"), ("right", "fail"), ("none", "fail"), ("some", "pass")];
    let expected = expected.map(|(rule, word)| (rule.to_owned(), word));
    assert_eq!(answers(&plan, &rules, &schemas), expected);
    let facts = Default::default();
    let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts };
    let report = check_askable("plan", &plan, &against).unwrap();
    let warnings: Vec<&str> = report.warnings.iter().map(|(_, message)| message.as_str()).collect();
    assert_eq!(
        warnings,
        [
            "in `not`, `input[*].from` and `input[*].net` speak of all elements each by itself, not of one element; for one \
          element at a time write attribute \"input[*]\" { not { attribute \"from\" { … } attribute \"net\" { … } } }"
        ]
    );
    let some = report.checked[0].answers.iter().find(|answer| &*answer.rule == "some").unwrap();
    assert_eq!(&*some.claim, "for some element: [*].from is 443 and [*].net starts with \"10.\"");
}
