//! Obligations and their file.

use super::{Expectation, Obligation, Obligations, RemainingRule};
use crate::plan::{CheckOptions, Finding, Plan, RulesFile, State, check};
use plantime::source::Source;
use plantime::{Type, Value};
use plantime_schema::ProviderSchemas;

const PLAN: &[u8] = br#"{"format_version": "1.2", "terraform_version": "1.9.0",
    "output_changes": {"o": {"actions": ["create"], "before": null, "after_unknown": true, "after_sensitive": false}},
    "resource_changes": [{"address": "r.x", "mode": "managed", "type": "r", "name": "x", "provider_name": "p",
    "change": {"actions": ["update"],
        "before": {"n": 3, "secret": 5, "other": "hunter2"}, "before_sensitive": {"secret": true, "other": true},
        "after": {"secret": 4}, "after_unknown": {"n": true, "id": true, "list": true},
        "after_sensitive": {"secret": true}}}]}"#;

const SCHEMAS: &[u8] = br#"{"provider_schemas": {"p": {"resource_schemas": {"r": {"block": {"attributes": {
    "n": {"type": "number"}, "secret": {"type": "number"}, "other": {"type": "string"}, "id": {"type": "string"},
    "list": {"type": ["list", ["object", {"a": "string"}]]}}}}}}}}"#;

fn schemas() -> ProviderSchemas {
    ProviderSchemas::from_json(SCHEMAS).unwrap()
}

fn obligations(rules: &str) -> Obligations {
    let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    let against = CheckOptions {
        rules,
        schemas: schemas(),
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    let plan = Plan::read(PLAN, &against.schemas).unwrap();
    let obligations = check("plan.json", &plan, &against).unwrap().obligations(PLAN);
    let file = obligations.to_json().to_string();
    assert!(!file.contains("hunter2"), "{file}");
    assert_eq!(Obligations::read(file.as_bytes()).unwrap(), obligations);
    obligations
}

/// Of a state in which the resource has these values.
fn state(values: &str) -> State {
    let json = format!(
        r#"{{"format_version": "1.0", "values": {{"outputs": {{"o": {{"value": 3, "type": "number", "sensitive": true}}}},
            "root_module": {{"resources": [{{"address": "r.x", "mode": "managed", "type": "r", "name": "x",
            "provider_name": "p", "values": {values}, "sensitive_values": {{"id": true}}}}]}}}}}}"#
    );
    State::read(json.as_bytes(), &schemas()).unwrap()
}

fn findings(obligations: &Obligations, values: &str) -> Vec<String> {
    let verification = obligations.verify(&state(values));
    let word = |finding: &Finding| match finding {
        Finding::Upheld => "upheld".to_owned(),
        Finding::NotVerifiable(why) => format!("not verifiable: {why}"),
        Finding::Broken(breaches) => {
            let breaches: Vec<String> =
                breaches.iter().map(|breach| format!("{}: {}", breach.path, breach.message)).collect();
            breaches.join("; ")
        }
    };
    verification.verified.iter().map(|verified| word(&verified.finding)).collect()
}

#[test]
fn a_rule_about_a_change_keeps_what_it_looks_at() {
    let obligations =
        obligations("rule \"grows\" {\n resource = \"r\"\n change \"n\" { only_increase = true }\n }\n");
    let [obligation] = obligations.obligations.as_slice() else { panic!() };
    let Expectation::Test(open) = &obligation.expectation else { panic!() };
    let RemainingRule::Rule { before, .. } = &open.remaining else { panic!() };
    assert_eq!(before.as_ref().unwrap().to_string(), "{n = 3}");
    assert_eq!(findings(&obligations, r#"{"n": 3}"#), ["upheld"]);
    assert_eq!(
        findings(&obligations, r#"{"n": 2}"#),
        ["n: Attribute n value may only increase, got: 2 (before: 3)"]
    );
}

#[test]
fn what_is_behind_a_mark_is_not_written_down() {
    let obligations = obligations(
        "rule \"either\" {\n resource = \"r\"\n any {\n change \"n\" { immutable = true }\n \
         change \"secret\" { immutable = true }\n change \"other\" { immutable = true }\n }\n }\n\
         rule \"same\" {\n resource = \"r\"\n change \"id\" { immutable = true }\n }\n",
    );
    // What is decided is gone from the first; the second has become `is_null`.
    assert_eq!(findings(&obligations, r#"{"n": 3, "id": "x"}"#).len(), 2);
    let file = obligations.to_json();
    let text = file.to_string();
    assert!(text.contains(r#""before":{"type":["object",{"n":"number"}],"value":{"n":3}}"#), "{text}");
    assert_eq!(
        findings(&obligations, r#"{"n": 3, "id": "x"}"#)[1],
        "id: Attribute id value must be null, got: (sensitive value)"
    );
}

#[test]
fn a_value_before_that_is_sensitive_leaves_nothing_to_verify() {
    let plan = String::from_utf8(PLAN.to_vec()).unwrap();
    let plan =
        plan.replace(r#""before_sensitive": {"secret": true, "other": true}"#, r#""before_sensitive": true"#);
    let rules = "rule \"grows\" {\n resource = \"r\"\n change \"n\" { only_increase = true }\n }\n";
    let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    let against = CheckOptions {
        rules,
        schemas: schemas(),
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    let report =
        check("plan.json", &Plan::read(plan.as_bytes(), &against.schemas).unwrap(), &against).unwrap();
    let obligations = report.obligations(plan.as_bytes());
    assert_eq!(
        findings(&obligations, r#"{"n": 3}"#),
        ["not verifiable: it compares with a value before that is marked, which is not written down"]
    );
    let entry = &obligations.to_json()["obligations"][0];
    assert!(entry["must"].is_null() && entry["before"].is_null());
    assert_eq!(Obligations::read(obligations.to_json().to_string().as_bytes()).unwrap(), obligations);
}

#[test]
fn assumptions_outputs_and_places_inside_are_verified() {
    let obligations = obligations(
        "assume \"r\" {\n id = assumed(notnull(stringprefix(\"i-\")))\n attribute \"list[*].a\" { value = \
         assumed(notnull()) }\n }\n\
         rule \"a\" {\n resource = \"r\"\n attribute \"list[*].a\" {\n starts_with = \"x\"\n message = \"{key}: \
         {failure}\"\n }\n }\n\
         rule \"o\" {\n output = \"o\"\n value { min = 4 }\n }\n",
    );
    assert_eq!(
        findings(&obligations, r#"{"id": "i-1", "list": [{"a": "x1"}]}"#),
        ["upheld", "upheld", "upheld", "Value must be at least 4, got: (sensitive value)"]
            .map(|text| { if text == "upheld" { text.to_owned() } else { format!(": {text}") } })
    );
    assert_eq!(
        findings(&obligations, r#"{"id": "hunter2", "list": [{"a": "x"}, {"a": "y"}, {"a": null}]}"#)[..3],
        [
            "id: assumption was not upheld: notnull(stringprefix(\"i-\")) is assumed",
            "list[2].a: assumption was not upheld: notnull() is assumed, but the value is null",
            "list[1].a: a: it is \"y\"",
        ]
    );
    let empty = State::read(br#"{"format_version": "1.0"}"#, &schemas()).unwrap();
    let totals = obligations.verify(&empty).totals();
    assert_eq!((totals.not_verifiable, totals.broken), (4, 0));
}

/// The obligations of assumptions alone, as a file without a schema has them.
fn assumed(path: &str, refinement: &str) -> Obligation {
    let obligations = format!(
        r#"{{"format_version": "1.0", "plan": "p", "sha256": "{}", "terraform_version": null, "rules": "r.hcl", "obligations":
            [{{"address": "r.x", "path": "{path}", "assumed": "{}", "position": {{"line": 1, "column": 1}}}}]}}"#,
        "0".repeat(64),
        refinement.replace('"', "\\\"")
    );
    Obligations::read(obligations.as_bytes()).unwrap().obligations.remove(0)
}

/// An assumption on what is still unknown after an apply is neither upheld nor broken.
#[test]
fn an_assumption_on_what_is_not_known_is_not_verified() {
    let object = |id: Value| Value::object([("id", id)]).unwrap();
    let unknown = Value::unknown(Type::String);
    for id in [unknown.clone(), unknown.assume_string_prefix("i").unwrap()] {
        let finding = assumed("id", "notnull(stringprefix(\"i-\"))").verify(&object(id));
        let Finding::NotVerifiable(why) = &finding else { panic!("{finding:?}") };
        assert_eq!(why, "id is not known");
    }
    let known = unknown.assume_string_prefix("i-1").unwrap().assume_not_null().unwrap();
    let finding = assumed("id", "notnull(stringprefix(\"i-\"))").verify(&object(known));
    assert_eq!(finding, Finding::Upheld);
}

/// Without a schema a map is read as an object: its keys are compared all the same.
#[test]
fn assumed_keys_are_compared_without_a_schema() {
    let tags = |key: &str| {
        let tags = Value::object([(key, Value::from("x"))]).unwrap();
        assumed("tags", "keys(stringprefix(\"a\"))").verify(&Value::object([("tags", tags)]).unwrap())
    };
    assert_eq!(tags("ab"), Finding::Upheld);
    assert!(!matches!(tags("b"), Finding::Upheld), "{:?}", tags("b"));
}

/// JSON does not say whether an array is a list or a set, whose members have no order: at an index of it, `check` and `verify` leave
/// the same open.
#[test]
fn an_index_of_an_array_of_undecided_kind_is_not_verified() {
    let rules = "rule \"q\" {\n resource = \"r\"\n attribute \"ob[0].a\" { one_of = [\"a\", \"b\"] }\n}\n";
    for (values, expected) in [
        (r#"[{"a": "x"}, {"a": "b"}]"#, None),
        (r#"[{"a": "a"}, {"a": "b"}]"#, Some(true)),
        (r#"[{"a": "x"}, {"a": "y"}]"#, Some(false)),
        (r#"[{"a": "x"}]"#, Some(false)),
    ] {
        let change = |after: &str, unknown: &str| {
            format!(
                r#"{{"format_version": "1.2", "resource_changes": [{{"address": "r.x", "mode": "managed", "type": "r", "name": "x",
                "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {after},
                "after_unknown": {unknown}, "before_sensitive": false, "after_sensitive": {{}}}}}}]}}"#
            )
        };
        let asked = |plan: &str| {
            let against = CheckOptions {
                rules: RulesFile::read(Source::new("rules.hcl", rules)).unwrap(),
                schemas: ProviderSchemas::new(),
                configuration: None,
                show_values: false,
                facts: Default::default(),
            };
            let plan_read = Plan::read(plan.as_bytes(), &against.schemas).unwrap();
            check("plan.json", &plan_read, &against).unwrap()
        };
        let totals = asked(&change(&format!(r#"{{"ob": {values}}}"#), "{}")).totals();
        let checked = match (totals.pass, totals.fail) {
            (0, 0) => None,
            (_, failures) => Some(failures == 0),
        };
        let open = change("{}", r#"{"ob": true}"#);
        let obligations = asked(&open).obligations(open.as_bytes());
        let state = format!(
            r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{{"address": "r.x", "mode": "managed",
            "type": "r", "name": "x", "provider_name": "p", "values": {{"ob": {values}}}, "sensitive_values": {{}}}}]}}}}}}"#
        );
        let state = State::read(state.as_bytes(), &ProviderSchemas::new()).unwrap();
        let found = obligations.verify(&state).totals();
        let verified = match (found.upheld, found.broken) {
            (0, 0) => None,
            (_, broken) => Some(broken == 0),
        };
        assert_eq!((checked, verified), (expected, expected), "{values}");
    }
}

#[test]
fn a_file_that_is_none_says_where() {
    let file = |obligation: &str| format!(r#"{{"format_version": "1.0", "obligations": [{obligation}]}}"#);
    let rule =
        |must: &str| file(&format!(r#"{{"address": "r.x", "rule": "r", "severity": "error", {must}}}"#));
    for (text, path, message) in [
        ("[]".to_owned(), "", "not a file of obligations: the JSON is no object"),
        ("{}".to_owned(), "", "not a file of obligations: there is no format_version"),
        (
            r#"{"format_version": "1.0"}"#.to_owned(),
            "",
            "not a file of obligations: there are no obligations in it",
        ),
        (
            r#"{"format_version": "2.0", "obligations": 3}"#.to_owned(),
            "format_version",
            "obligations of format \"2.0\" are not supported, expected 1.x",
        ),
        (file("3"), "obligations[0]", "object required, but have number"),
        (
            file(r#"{"rule": "r"}"#),
            "obligations[0]",
            "the address is missing in an obligation that ends at line 1",
        ),
        (file(r#"{"address": "r.x"}"#), "obligations[0]", "there is neither \"assumed\" nor \"rule\""),
        (file(r#"{"address": "r.x", "assumed": "notnul()"}"#), "obligations[0].assumed", ""),
        (file(r#"{"address": "r.x", "path": "a["}"#), "obligations[0].path", ""),
        (rule(r#""must": null"#), "obligations[0]", "there is neither \"must\" nor \"not_verifiable\""),
        (
            rule(r#""must": {"not_nul": true}"#),
            "obligations[0].must.not_nul",
            "there is no rule \"not_nul\"; did you mean \"not_null\"?",
        ),
        (
            rule(r#""must": {"all": [{"even": true}, {"at": ["b", {"min": true}]}]}"#),
            "obligations[0].must.all[1].at.min",
            "min takes a number, or a string, but this is a bool",
        ),
        (
            rule(r#""must": {"immutable": true}"#),
            "obligations[0]",
            "\"before\" is missing beside a rule about a change",
        ),
        (
            rule(r#""must": {"immutable": true}, "before": {"type": "numbr", "value": 1}"#),
            "obligations[0].before.type",
            "",
        ),
        (
            rule(r#""must": {"immutable": true}, "before": {"type": "number", "value": "x"}"#),
            "obligations[0].before.value",
            "",
        ),
        (rule(r#""must": {"even": true}, "severity2": 1, "message": "{"#), "", ""),
        (
            rule(r#""must": {"even": true}, "message": "{kye}""#),
            "obligations[0].message",
            "unknown field {kye}",
        ),
        (
            file(r#"{"address": "r.x", "rule": "r", "severity": "bad"}"#),
            "obligations[0].severity",
            "a severity is \"error\" or \"warning\", but this is \"bad\"",
        ),
    ] {
        let error = Obligations::read(text.as_bytes()).unwrap_err();
        assert!(path.is_empty() || error.path().to_string() == path, "{text}: {error}");
        assert!(error.message().starts_with(message), "{text}: {error}");
    }
}
