//! What a condition leaves open is verified after the apply: it is upheld exactly if the rule passes then.

use super::laws::{VALUES, conditions, resources, rule};
use super::plans::{Resource, answer, created, plan, report};
use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    CheckOptions, Configuration, Finding, Obligations, Plan, RulesFile, State, check,
};

/// The state in which these resources and outputs have these values, each in JSON.
fn state(resources: &[(&str, &str)], outputs: &str) -> State {
    let resources: Vec<String> = resources
        .iter()
        .map(|(address, values)| {
            let bare = address.split('[').next().unwrap();
            let (ty, name) = bare.split_once('.').unwrap();
            let index = match address.split_once('[') {
                Some((_, key)) => format!(r#", "index": {}"#, key.trim_end_matches(']')),
                None => String::new(),
            };
            let address = address.replace('"', "\\\"");
            format!(
                r#"{{"address": "{address}", "mode": "managed", "type": "{ty}", "name": "{name}"{index}, "provider_name": "p",
                "values": {values}, "sensitive_values": {{}}}}"#
            )
        })
        .collect();
    let json = format!(
        r#"{{"format_version": "1.0", "values": {{"outputs": {{{outputs}}}, "root_module": {{"resources": [{}]}}}}}}"#,
        resources.join(", ")
    );
    State::read(json.as_bytes(), &ProviderSchemas::new()).unwrap_or_else(|error| panic!("{error}\n{json}"))
}

/// The obligations of rules on a plan, written and read back.
fn obligations(rules: &str, plan: &str) -> Obligations {
    let obligations = report(rules, plan).obligations(plan.as_bytes());
    let text = obligations.to_json().to_string();
    let read = Obligations::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, obligations, "{text}");
    read
}

/// What a state says of obligations: `fail` if one is broken, `?` with the reason if one cannot be verified, else `pass`.
fn verified(obligations: &Obligations, state: &State) -> String {
    let mut word = "pass".to_owned();
    for verified in obligations.verify(state).verified {
        match verified.finding {
            Finding::Upheld => {}
            Finding::Broken(_) => return "fail".to_owned(),
            Finding::NotVerifiable(why) => word = format!("? {why}"),
        }
    }
    word
}

#[test]
fn an_obligation_is_upheld_exactly_if_the_rule_passes_later() {
    let (mut compared, mut open, mut wrong) = (0, 0, Vec::new());
    for condition in conditions() {
        let rule = rule(&condition);
        let plan_of =
            |x: Option<&str>, y: Option<&str>, other: Option<&str>| plan(&resources(x, y, other), "", "");
        for y in [None, Some("\"a\"")] {
            let early = plan_of(None, y, None);
            if answer(&rule, &early) != "undetermined" {
                continue;
            }
            open += 1;
            let obligations = obligations(&rule, &early);
            assert_eq!(obligations.obligations.len(), 1, "{condition}");
            for x in VALUES {
                for y in y.map_or(VALUES.to_vec(), |y| vec![y]) {
                    for other in ["\"b\"", "2"] {
                        compared += 1;
                        let late = answer(&rule, &plan_of(Some(x), Some(y), Some(other)));
                        let (first, second) =
                            (format!(r#"{{"x": {x}, "y": {y}}}"#), format!(r#"{{"x": {other}, "y": "a"}}"#));
                        let found = verified(&obligations, &state(&[("t.a", &first), ("t.b", &second)], ""));
                        if found != late {
                            wrong.push(format!("{condition}: {found}, but {late} for {x}, {y}, {other}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(open >= 150 && compared >= 4_000, "{open} open, {compared} compared");
}

/// A rule about `t.a`, with this head and condition.
fn about(head: &str, condition: &str) -> String {
    format!(
        "{head}rule \"r\" {{\n  resource = \"t.a\"\n  assert {{\n    condition     = {condition}\n    error_message = \"Bad: ${{self.x}}.\"\n  }}\n}}\n"
    )
}

/// `t.a` with an unknown `x`, which refers to `t.b`.
fn open() -> Resource {
    created("t.a", r#"{"y": "a"}"#).unknown(r#"{"x": true}"#)
}

#[test]
fn facts_of_the_plan_are_kept() {
    let head = "variable \"wanted\" {\n  type    = string\n  default = \"a\"\n}\nlocals {\n  good = [for r in resources(\"t.a\") : r.values.x == var.wanted]\n}\n";
    let changed = || open().changed(r#"["update"]"#, r#"{"x": "b", "y": "b"}"#);
    let other = || created("t.b", r#"{"x": "a"}"#).refers("x", "t.a.x");
    let declared = r#", "outputs": {"o": {"expression": {"references": ["t.a.x", "t.a"]}}}"#;
    for (condition, a, b) in [
        ("self.x == var.wanted", "pass", "fail"),
        ("local.good[0]", "pass", "fail"),
        ("self.x != before.x", "pass", "fail"),
        ("contains(subject.actions, \"update\") && self.x == \"a\"", "pass", "fail"),
        ("length(changes(\"t\")) == 2 && self.x == \"a\"", "pass", "fail"),
        ("alltrue([for c in changes(\"t\") : c.after.x == \"a\"])", "pass", "fail"),
        ("length(referrers(subject, \"t\", \"x\")) == 1 && self.x == \"a\"", "pass", "fail"),
        ("length([for r in resources(\"t\") : r if r.values.x == \"b\"]) == 0", "pass", "fail"),
        ("plan.terraform_version == \"1.11.4\" && self.x == \"a\"", "pass", "fail"),
        ("length(outputs()) == 1 && outputs()[0].value == self.x", "pass", "fail"),
        ("self.y != subject.before.y && self.x == \"a\"", "pass", "fail"),
    ] {
        let outputs = r#", "output_changes": {"o": {"actions": ["create"], "before": null, "after_unknown": true, "after_sensitive": false, "before_sensitive": false}}"#;
        let obligations =
            obligations(&about(head, condition), &plan(&[changed(), other()], outputs, declared));
        assert_eq!(obligations.obligations.len(), 1, "{condition}");
        for (value, expected) in [("\"a\"", a), ("\"b\"", b)] {
            let values = format!(r#"{{"x": {value}, "y": "a"}}"#);
            let output = r#""o": {"value": "a", "type": "string", "sensitive": false}"#;
            let state = state(&[("t.a", &values), ("t.b", r#"{"x": "a"}"#)], output);
            assert_eq!(verified(&obligations, &state), expected, "{condition} {value}");
        }
    }
}

#[test]
fn a_failure_has_the_message_of_the_rule() {
    let obligations = obligations(&about("", "self.x == \"a\""), &plan(&[open()], "", ""));
    let verification = obligations.verify(&state(&[("t.a", r#"{"x": "b"}"#)], ""));
    let Finding::Broken(breaches) = &verification.verified[0].finding else { panic!() };
    assert_eq!(breaches[0].message, "Bad: b.");
}

#[test]
fn what_is_sensitive_is_neither_written_nor_shown() {
    let secret = created("t.a", r#"{"y": "hunter2"}"#)
        .unknown(r#"{"x": true}"#)
        .sensitive(r#"{"x": true, "y": true}"#);
    let other = created("t.b", r#"{"x": "swordfish"}"#).sensitive(r#"{"x": true}"#);
    let changed = secret.changed(r#"["update"]"#, r#"{"x": "trustno1", "y": "letmein"}"#);
    let rule = about(
        "",
        "self.x == self.y && anytrue([for r in resources(\"t\") : r.values.x == self.x]) && self.x != before.x",
    );
    let obligations = obligations(&rule, &plan(&[changed, other], "", ""));
    let written = obligations.to_json().to_string();
    let later =
        state(&[("t.a", r#"{"x": "topsecret", "y": "opensesame"}"#), ("t.b", r#"{"x": "swordfish"}"#)], "");
    let verification = obligations.verify(&later);
    let said = format!("{written}{:?}{}", verification.verified[0].finding, verification.to_json());
    for word in ["hunter2", "swordfish", "trustno1", "letmein", "topsecret", "opensesame"] {
        assert!(!said.contains(word), "{word}: {said}");
    }
}

#[test]
fn instances_that_the_plan_did_not_have_are_there_later() {
    let rule = "rule \"r\" {\n  assert {\n    condition     = alltrue([for r in resources(\"t\") : r.values.x == \"a\" && r.lifecycle.prevent_destroy == null])\n    error_message = \"No.\"\n  }\n}\n";
    let obligations = obligations(rule, &plan(&[open()], "", ""));
    let both = |x: &str| state(&[("t.a", r#"{"x": "a"}"#), ("t.new", x)], "");
    assert_eq!(verified(&obligations, &both(r#"{"x": "b"}"#)), "fail");
    let found = verified(&obligations, &both(r#"{"x": "a"}"#));
    assert!(found.starts_with('?'), "{found}");
}

#[test]
fn an_undecided_for_each_leaves_no_obligation_of_another_rule() {
    let rule = "rule \"r\" {\n  resource = \"t\"\n  for_each = toset([for r in resources(\"t\") : r.values.x])\n  assert {\n    condition     = self.y == each.key\n    error_message = \"No.\"\n  }\n}\n";
    let obligations = obligations(rule, &plan(&[open()], "", ""));
    let found = verified(&obligations, &state(&[("t.a", r#"{"x": "a", "y": "a"}"#)], ""));
    assert!(found.starts_with("? which"), "{found}");
}

#[test]
fn copies_that_an_answer_rests_on_are_obligations() {
    let main = "resource \"t\" \"v\" {\n}\nresource \"s\" \"a\" {\n  of = t.v.id\n}\nresource \"s\" \"b\" {\n  of = t.v.id\n}\n";
    let files = std::collections::BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {
        "t": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}}}},
        "s": {"version": 0, "block": {"attributes": {"of": {"type": "string", "required": true}}}}}}}}"#;
    let against = |rules: &str| CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", rules))
            .unwrap_or_else(|problems| panic!("{problems:?}")),
        schemas: ProviderSchemas::from_json(schemas.as_bytes()).unwrap(),
        configuration: Some(Configuration::open_tolerantly(std::sync::Arc::new(files.clone()), "").unwrap()),
        show_values: true,
        facts: Default::default(),
    };
    let plan = plan(
        &[
            created("t.v", "{}").unknown(r#"{"id": true}"#),
            created("s.a", "{}").unknown(r#"{"of": true}"#).refers("of", "t.v.id"),
            created("s.b", "{}").unknown(r#"{"of": true}"#).refers("of", "t.v.id"),
        ],
        "",
        "",
    );
    let ask = |condition: &str| {
        let rule = format!(
            "rule \"r\" {{\n  assert {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        );
        let against = against(&rule);
        let read = Plan::read(plan.as_bytes(), &against.schemas).unwrap();
        let report = check("plan.json", &read, &against).unwrap_or_else(|problems| panic!("{problems:?}"));
        let totals = report.totals();
        let state = |b: &str| {
            let (b, v) = (format!(r#"{{"of": "{b}"}}"#), r#"{"id": "1"}"#);
            state(&[("t.v", v), ("s.a", r#"{"of": "1"}"#), ("s.b", &b)], "")
        };
        let obligations = report.obligations(plan.as_bytes());
        let found = ["1", "2"].map(|b| verified(&obligations, &state(b)));
        (totals.pass, totals.fail, obligations.obligations.len(), found)
    };
    let [pass, fail] = ["pass", "fail"].map(str::to_owned);
    let one = "alltrue([for s in resources(\"s\") : s.values.of == resources(\"t\")[0].values.id])";
    assert_eq!(ask(one), (1, 0, 2, [pass.clone(), fail.clone()]));
    let two = "length(distinct([for s in resources(\"s\") : s.values.of])) == 1";
    let (passes, _, count, found) = ask(two);
    assert!(passes == 0 || count == 2 && found == [pass.clone(), fail], "{count} {found:?}");
    // Nothing is taken for one.
    assert_eq!(ask("length(resources(\"s\")) == 2"), (1, 0, 0, [pass.clone(), pass]));
}
