//! What is wrong with a rules file, and what an answer says.

use super::plans::{created, plan, report};
use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    CheckOptions, Colour, Plan, RulesFile, TextStyle, UnmatchedKind, check, check_askable,
};

/// The problems of a rules file, as text.
fn problems(text: &str) -> Vec<String> {
    RulesFile::read(Source::new("rules.hcl", text)).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn names_that_do_not_exist_are_refused() {
    let with = |condition: &str| {
        format!(
            "variable \"most\" {{\n  default = 1\n}}\nlocals {{\n  sizes = [1]\n}}\nrule \"r\" {{\n  resource = \"t\"\n  assert {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    for (condition, expected) in [
        ("slef.x == 1", "unknown name `slef`; the nearest is `self`"),
        (
            "var.mots == 1",
            "unknown variable `mots`; the nearest is `most`; a variable of the plan is plan.variables.mots",
        ),
        ("local.size == 1", "unknown local `size`; the nearest is `sizes`"),
        ("lenght(local.sizes) == 1", "unknown function `lenght`; the nearest is `length`"),
        ("each.key == 1", "`each` is of rules with `for_each`"),
        (
            "length(resources(self.type)) == 1",
            "a pattern is a text, or a list of texts, that does not depend on `self`: write it here, in a local or a variable",
        ),
    ] {
        let found = problems(&with(condition));
        assert_eq!(found.len(), 1, "{condition}: {found:?}");
        assert!(found[0].ends_with(expected), "{condition}: {found:?}");
        assert!(found[0].starts_with("rules.hcl:10:"), "{condition}: {found:?}");
    }
}

#[test]
fn blocks_are_complete() {
    for (text, expected) in [
        (
            "rule \"r\" {\n  resource = \"t\"\n  assert {\n    condition = true\n  }\n}\n",
            "rules.hcl:3:3: `assert` needs `error_message`",
        ),
        (
            "rule \"r\" {\n  resource = \"t\"\n  condition = true\n}\n",
            "rules.hcl:3:3: `condition` belongs into a block `assert`, with its `error_message`",
        ),
        (
            "rule \"r\" {\n  attribute \"x\" { not_null = true }\n}\n",
            "rules.hcl:1:1: rule `r` does not say its `resource`, or its `output`: without them it has only blocks `assert`",
        ),
        ("locals {\n  a = local.b\n  b = local.a\n}\n", "rules.hcl:2:7: the local `a` refers to itself"),
        (
            "rule \"r\" {\n  variable = \"a b\"\n  assert {\n    condition     = true\n    error_message = \"x\"\n  }\n}\n",
            "rules.hcl:2:14: \"a b\" is no name: write a name such as \"env\", \"module.net.env\", \"module.**.env\" or \"**\"",
        ),
    ] {
        let found = problems(text);
        assert!(found.iter().any(|problem| problem == expected), "{text}\n{found:?}");
    }
}

#[test]
fn a_failure_names_what_decided_and_hides_what_is_sensitive() {
    let rule = "rule \"r\" {\n  resource = \"t\"\n  assert {\n    condition     = self.x == \"a\" && self.secret == \"b\"\n    \
                error_message = \"x is ${self.x}, the secret ${self.secret}.\"\n  }\n}\n";
    let with = |secret: &str| {
        let resource = created("t.a", &format!(r#"{{"x": "c", "secret": "{secret}"}}"#))
            .sensitive(r#"{"secret": true}"#);
        report(rule, &plan(&[resource], "", "")).text(Colour::Never)
    };
    let text = with("canary-one");
    assert!(text.contains("self.x is \"c\""), "{text}");
    assert!(!text.contains("canary"), "{text}");
    assert_eq!(text, with("canary-two-longer"), "the text depends on a secret");
}

#[test]
fn an_undetermined_answer_names_what_it_waits_for() {
    let rule = "rule \"r\" {\n  resource = \"t\"\n  assert {\n    condition     = anytrue([for r in resources(\"u\") : r.values.k == self.x])\n    \
                error_message = \"No.\"\n  }\n}\n";
    let first = created("t.a", r#"{"x": "c"}"#);
    let second = created("u.b", "{}").unknown(r#"{"k": true}"#);
    let text = report(rule, &plan(&[first, second], "", "")).text(Colour::Never);
    assert!(text.contains("undetermined") && text.contains("u.b.k"), "{text}");
    assert!(!text.contains("t.a.x"), "{text}");
}

/// The blocks of HCL in the page of policies.
fn blocks_of_the_page() -> Vec<String> {
    let page = include_str!("../../docs/policies.md");
    let blocks = page.split("```hcl\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

#[test]
fn the_page_of_policies_is_read() {
    let text = blocks_of_the_page().join("\n");
    let read = RulesFile::read(Source::new("policies.hcl", text));
    let rules = read.unwrap_or_else(|problems| panic!("{problems:#?}")).rules;
    assert!(rules.len() >= 70, "{} rules", rules.len());
}

/// A rule that fails and says all that it can of its subject and the plan.
fn telling(head: &str, told: &str) -> String {
    format!(
        "rule \"r\" {{\n{head}\n  assert {{\n    condition     = jsonencode({told}) == \"\"\n    error_message = \
         \"told: ${{jsonencode({told})}}\"\n  }}\n}}\n"
    )
}

/// A plan with a canary in each place that may not be shown: of the side of a change that is not marked itself, of resources of which
/// nothing says what is sensitive, of a drift, a default, an argument of a provider, of a call and of a provisioner.
const CANARIES: &str = r#"{"format_version": "1.2", "terraform_version": "1.11.4",
    "variables": {"secret": {"value": "canary-variable"}},
    "resource_changes": [
      {"address": "t.updated", "mode": "managed", "type": "t", "name": "updated", "provider_name": "p", "change": {"actions": ["update"],
       "before": {"s": "canary-before"}, "after": {"s": "canary-after"}, "after_unknown": {}, "before_sensitive": {},
       "after_sensitive": {"s": true}}},
      {"address": "t.gone", "mode": "managed", "type": "t", "name": "gone", "provider_name": "p", "change": {"actions": ["delete"],
       "before": {"s": "canary-gone"}, "after": null, "after_unknown": {}}}],
    "resource_drift": [
      {"address": "t.updated", "mode": "managed", "type": "t", "name": "updated", "provider_name": "p", "change": {"actions": ["update"],
       "before": {"s": "canary-drift"}, "after": {"s": "canary-drifted"}, "after_unknown": {}, "before_sensitive": {},
       "after_sensitive": {"s": true}}}],
    "configuration": {
      "provider_config": {"p": {"name": "p", "expressions": {"token": {"constant_value": "canary-provider"}}}},
      "root_module": {
        "variables": {"secret": {"sensitive": true, "default": "canary-default"}},
        "resources": [{"address": "t.updated", "mode": "managed", "type": "t", "name": "updated", "expressions": {},
          "provisioners": [{"type": "local-exec", "expressions": {"command": {"constant_value": "canary-command"}}}]}],
        "module_calls": {"m": {"source": "./m", "expressions": {"key": {"constant_value": "canary-call"}},
          "module": {"variables": {"key": {"sensitive": true}}}}}}}}"#;

#[test]
fn nothing_that_may_be_sensitive_is_shown() {
    let of_resources = "  resource = \"t\"\n  actions  = [\"update\", \"delete\"]";
    for (head, told) in [
        (of_resources, "self"),
        (of_resources, "before"),
        (of_resources, "after"),
        (of_resources, "subject"),
        (of_resources, "subject.drift"),
        (of_resources, "subject.provisioners"),
        ("", "changes(\"t\")"),
        ("", "resources(\"t\")"),
        ("", "changes(\"t\")[*].before"),
        ("", "plan.variables"),
        ("", "variables(\"*\")[*].default"),
        ("", "providers(\"*\")[*].values"),
        ("", "modules(\"*\")[*].values"),
        ("  variable = \"secret\"", "self"),
        ("  variable = \"secret\"", "subject"),
        ("  provider = \"p\"", "self"),
        ("  provider = \"p\"", "self.token"),
        ("  module = \"m\"", "self"),
    ] {
        let rule = telling(head, told);
        let report = super::plans::report_with(&rule, CANARIES, false);
        let json = report.to_json();
        for text in [report.text(Colour::Never), json.to_string()] {
            assert!(text.contains("fail"), "{head} {told}: {text}");
            assert!(!text.contains("canary"), "{head} {told}: {text}");
        }
    }
}

#[test]
fn an_object_of_an_earlier_replacement_is_its_own_subject() {
    let plan = r#"{"format_version": "1.2", "resource_changes": [
      {"address": "t.a", "mode": "managed", "type": "t", "name": "a", "provider_name": "p", "change": {"actions": ["update"],
       "before": {"s": "old"}, "after": {"s": "new"}, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}},
      {"address": "t.a", "mode": "managed", "type": "t", "name": "a", "provider_name": "p", "deposed": "abc", "change": {
       "actions": ["delete"], "before": {"s": "left"}, "after": null, "after_unknown": {}, "before_sensitive": {},
       "after_sensitive": false}}]}"#;
    let rule = "rule \"r\" {\n  resource = \"t\"\n  actions  = [\"delete\"]\n  assert {\n    condition     = subject.deposed == \"abc\" && \
                self.s == \"left\" && before.s == \"left\" && subject.actions == [\"delete\"] && after == null\n    \
                error_message = \"Another object: ${jsonencode(subject)}\"\n  }\n}\n";
    assert_eq!(super::plans::answer(rule, plan), "pass", "{}", report(rule, plan).text(Colour::Never));
}

/// A rule of each way to name a type, with the type written wrong.
const MISSPELT: [&str; 6] = [
    "alltrue([for b in resources(\"aws_s3_bukcet\") : b.values.x == 1])",
    "length(changes([\"aws_vpc\", \"aws_s3_bukcet\"])) == 0",
    "length(referrers(resources(\"aws_vpc\")[0], \"aws_s3_bukcet\", \"x\")) == 0",
    "length(referents(resources(\"aws_vpc\")[0], \"module.m.aws_s3_bukcet.b\", \"x\")) == 0",
    "length(resources(local.types)) == 0",
    "length(resources(var.type)) == 0",
];

fn misspelt(condition: &str) -> RulesFile {
    let text = format!(
        "variable \"type\" {{\n  default = \"aws_s3_bukcet\"\n}}\nlocals {{\n  types = [\"aws_s3_bukcet\"]\n}}\nrule \"r\" {{\n  assert {{\n    \
         condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
    );
    RulesFile::read(Source::new("rules.hcl", text)).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

#[test]
fn a_misspelt_type_is_never_passed_in_silence() {
    let schemas = br#"{"provider_schemas": {"p": {"resource_schemas": {"aws_vpc": {"block": {"attributes": {
        "x": {"type": "number", "optional": true}}}}, "aws_s3_bucket": {"block": {}}}}}}"#;
    let schemas = ProviderSchemas::from_json(schemas).unwrap();
    let text = plan(&[created("aws_vpc.v", r#"{"x": 1}"#)], "", "");
    for condition in MISSPELT {
        let against = |schemas: &ProviderSchemas| CheckOptions {
            rules: misspelt(condition),
            schemas: schemas.clone(),
            configuration: None,
            show_values: false,
            facts: Default::default(),
        };
        // Without schemas, nobody knows whether there is such a type: a note in every format, also where only failures are shown.
        let none = ProviderSchemas::new();
        let read = Plan::read(text.as_bytes(), &none).unwrap();
        let report = check("plan.json", &read, &against(&none)).unwrap();
        assert_eq!(report.unmatched.len(), 1, "{condition}");
        assert_eq!(report.unmatched[0].kind, UnmatchedKind::Pattern);
        let expected = "nothing in the plan is a `aws_s3_bukcet`";
        let quiet = report.text_with(TextStyle::new(Colour::Never).quiet());
        let mut formats = vec![report.text(Colour::Never), quiet, report.to_json().to_string()];
        let mut add = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
            let mut written = Vec::new();
            write(&mut written).unwrap();
            formats.push(String::from_utf8(written).unwrap());
        };
        add(&|out| report.write_github(out));
        add(&|out| report.write_html(out));
        add(&|out| report.write_junit(out));
        add(&|out| report.write_markdown(out));
        add(&|out| report.write_sarif(out));
        for written in formats {
            let written = written.replace("&#96;", "`").replace("\\`", "`").replace("\\_", "_");
            assert!(written.contains(expected), "{condition}: {written}");
        }
        // With the schemas of the provider it is an error, and the rule is not asked.
        let read = Plan::read(text.as_bytes(), &schemas).unwrap();
        let problems = check("plan.json", &read, &against(&schemas)).unwrap_err();
        let expected = "the schemas have no type `aws_s3_bukcet`; the nearest type is `aws_s3_bucket`";
        assert_eq!(problems[0].message(), expected, "{condition}");
        let report = check_askable("plan.json", &read, &against(&schemas)).unwrap();
        assert!(report.checked.is_empty() && report.asked.is_empty(), "{condition}");
        assert_eq!(report.lacking[0].1.message(), expected);
    }
    for condition in [
        "length(resources(\"aws_*\")) > 0",
        "length(resources(\"**\")) > 0",
        "length(resources(\"aws_s3_bucket\")) == 0",
    ] {
        let against = CheckOptions {
            rules: misspelt(condition),
            schemas: schemas.clone(),
            configuration: None,
            show_values: false,
            facts: Default::default(),
        };
        let read = Plan::read(text.as_bytes(), &schemas).unwrap();
        assert!(check("plan.json", &read, &against).unwrap().unmatched.is_empty(), "{condition}");
    }
}
