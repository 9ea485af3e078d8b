//! What a null answers (`null = "…"`), also inside combinators, and what then remains to be checked.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Finding, Obligations, State};

use crate::asking::{self, Word, answers, report, rules, word};

const SCHEMAS: &str = r#"{"provider_schemas": {"p": {"resource_schemas": {"x_y": {"block": {"attributes": {
    "s": {"type": "string", "optional": true, "computed": true}, "t": {"type": "string", "optional": true, "computed": true}}}}}}}}"#;

/// The answer of a body on values of `s` and `t`: JSON, or `?` for an unknown one.
fn asked(body: &str, null: &str, s: &str, t: &str, schemas: &ProviderSchemas) -> (Word, Obligations) {
    let known: Vec<String> = [("s", s), ("t", t)]
        .iter()
        .filter(|one| one.1 != "?")
        .map(|(name, value)| format!("\"{name}\": {value}"))
        .collect();
    let plan = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
           "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {{{}}},
           "after_unknown": {{"s": {}, "t": {}}}, "after_sensitive": {{}}}}}}]}}"#,
        known.join(", "),
        s == "?",
        t == "?"
    );
    let rules = rules(&format!("null = \"{null}\"\nrule \"r\" {{\n resource = \"x_y\"\n {body}\n}}"));
    let report = report(&plan, schemas, &rules).unwrap();
    let all = answers(&report).into_values().flatten().collect::<Vec<_>>();
    let text = report.obligations(b"").to_json().to_string();
    (word(&all), Obligations::read(text.as_bytes()).unwrap())
}

const S: &str = "attribute \"s\" { starts_with = \"a\" }";

/// Bodies in which a null of `s` lets the rule pass by default, and whether it does with `fail`.
fn passing_by_null() -> Vec<String> {
    vec![
        S.to_owned(),
        format!("all {{\n {S}\n}}"),
        format!("any {{\n {S}\n attribute \"t\" {{ equals = \"no\" }}\n}}"),
        format!("sequence {{\n {S}\n}}"),
        format!("not {{\n not {{\n {S}\n}}\n}}"),
        format!("implies {{\n if {{\n attribute \"t\" {{ not_null = true }}\n}}\n then {{\n {S}\n}}\n}}"),
        format!("all {{\n any {{\n all {{\n {S}\n}}\n}}\n}}"),
    ]
}

#[test]
fn a_null_fails_inside_combinators_too() {
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        for body in passing_by_null() {
            for (null, expected) in
                [("pass", Word::Pass), ("fail", Word::Fail), ("undetermined", Word::Undetermined)]
            {
                assert_eq!(asked(&body, null, "null", "\"t\"", &schemas).0, expected, "{null}: {body}");
                // What is not null answers as ever.
                assert_eq!(asked(&body, null, "\"ab\"", "\"t\"", &schemas).0, Word::Pass, "{null}: {body}");
                assert_eq!(asked(&body, null, "\"b\"", "\"t\"", &schemas).0, Word::Fail, "{null}: {body}");
            }
        }
    }
}

/// No setting lets a null help a rule to pass that fails by default: inside `not`, and in the `if` of `implies`, it satisfies
/// the test.
#[test]
fn a_null_never_helps_through_not() {
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        for null in ["pass", "fail", "undetermined"] {
            let not = format!("not {{\n {S}\n}}");
            assert_eq!(asked(&not, null, "null", "\"t\"", &schemas).0, Word::Fail, "{null}");
            let implies = format!(
                "implies {{\n if {{\n {S}\n}}\n then {{\n attribute \"t\" {{ equals = \"no\" }}\n}}\n}}"
            );
            assert_eq!(asked(&implies, null, "null", "\"t\"", &schemas).0, Word::Fail, "{null}");
        }
        let about_null =
            "any {\n attribute \"s\" { is_null = true }\n attribute \"t\" { equals = \"no\" }\n}";
        assert_eq!(asked(about_null, "fail", "null", "\"t\"", &schemas).0, Word::Pass);
    }
}

/// The law of obligations with `null`: upheld exactly where the rule passes on the value after the apply.
#[test]
fn what_remains_says_that_null_is_no_pass() {
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        for body in passing_by_null() {
            for null in ["pass", "fail", "undetermined"] {
                let (word, obligations) = asked(&body, null, "?", "\"t\"", &schemas);
                assert_eq!(word, Word::Undetermined, "{null}: {body}");
                for after in ["null", "\"ab\"", "\"b\""] {
                    let state = format!(
                        r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{{"address": "x_y.a",
                           "mode": "managed", "type": "x_y", "name": "a", "provider_name": "p",
                           "values": {{"s": {after}, "t": "t"}}, "sensitive_values": {{}}}}]}}}}}}"#
                    );
                    let state = State::read(state.as_bytes(), &schemas).unwrap();
                    let verified = obligations.verify(&state).verified;
                    let upheld = verified.iter().all(|one| one.finding == Finding::Upheld);
                    let passes = asked(&body, null, after, "\"t\"", &schemas).0 == Word::Pass;
                    assert_eq!(upheld, passes, "{null}: {body} with {after}: {verified:?}");
                }
            }
        }
    }
}

const COLLECTIONS: &str = r#"{"provider_schemas": {"p": {"resource_schemas": {"x_y": {"block": {"attributes": {
    "l": {"type": ["list", "string"], "optional": true, "computed": true},
    "m": {"type": ["map", "string"], "optional": true, "computed": true},
    "o": {"type": ["list", ["object", {"a": "string"}]], "optional": true, "computed": true}}}}}}}}"#;

/// What is assumed of each collection: that it, its elements or their attributes are not null, and begin with `a`.
const ASSUMED: &[&str] = &[
    "",
    "l = assumed(notnull(elements(notnull(stringprefix(\"a\")))))
     m = assumed(notnull(elements(notnull(stringprefix(\"a\")))))
     o = assumed(notnull(elements(notnull(attribute(\"a\", notnull(stringprefix(\"a\")))))))",
    "l = assumed(elements(stringprefix(\"a\")))
     m = assumed(elements(stringprefix(\"a\")))
     o = assumed(elements(notnull(attribute(\"a\", stringprefix(\"a\")))))",
    "l = assumed(notnull(lengthmin(1, elements(notnull(stringprefix(\"a\"))))))",
];

/// Places inside of the collections, each with what the collection may become.
const PLACES: &[(&str, &str, &[&str])] = &[
    ("l[0]", "l", &["null", "[]", "[\"ab\"]", "[null]", "[\"ab\", null]"]),
    ("l[1]", "l", &["null", "[]", "[\"ab\"]", "[null]", "[\"ab\", \"ac\"]"]),
    ("l[*]", "l", &["null", "[]", "[\"ab\"]", "[null]", "[\"ab\", null]"]),
    ("m.k", "m", &["null", "{}", "{\"k\": \"ab\"}", "{\"j\": \"ab\"}", "{\"k\": null}"]),
    ("m[*]", "m", &["null", "{}", "{\"k\": \"ab\"}", "{\"k\": null}"]),
    ("o[0].a", "o", &["null", "[]", "[{\"a\": \"ab\"}]", "[{\"a\": null}]"]),
    ("o[*].a", "o", &["null", "[]", "[{\"a\": \"ab\"}]", "[{\"a\": null}]"]),
];

/// Whether a value may be null and whether its place may not be there are two questions: with facts about the elements of a collection
/// that is not known a rule passes, or fails, only if it does for every collection of which the facts are true.
#[test]
fn a_place_that_may_not_be_there_is_asked_for() {
    let schemas = asking::schemas(COLLECTIONS);
    let plan = |name: &str, value: Option<&str>| {
        let known = value.map_or(String::new(), |value| format!("\"{name}\": {value}"));
        format!(
            r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
               "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {{{known}}},
               "after_unknown": {{"{name}": {}}}, "after_sensitive": {{}}}}}}]}}"#,
            value.is_none()
        )
    };
    let mut wrong = Vec::new();
    for facts in ASSUMED {
        for null in ["pass", "fail", "undetermined"] {
            for test in ["starts_with = \"a\"", "min_len = 0", "not_null = true", "is_null = true"] {
                for (place, name, becomes) in PLACES {
                    let stated = if facts.is_empty() {
                        String::new()
                    } else {
                        format!("assume \"x_y\" {{\n {facts}\n}}\n")
                    };
                    let text = format!(
                        "{stated}rule \"r\" {{\n resource = \"x_y\"\n attribute \"{place}\" {{\n null = \"{null}\"\n {test}\n}}\n}}"
                    );
                    let rules = rules(&text);
                    let asked = |value: Option<&str>| {
                        let report = report(&plan(name, value), &schemas, &rules).ok()?;
                        let contradicted =
                            report.to_json()["contradictions"].as_array().is_some_and(|all| !all.is_empty());
                        let all = answers(&report).into_values().flatten().collect::<Vec<_>>();
                        (!contradicted).then(|| word(&all))
                    };
                    let Some(planned) = asked(None).filter(|word| *word != Word::Undetermined) else {
                        continue;
                    };
                    for value in *becomes {
                        if let Some(found) =
                            asked(Some(value)).filter(|found| *found != planned && *found != Word::Silent)
                        {
                            wrong.push(format!("{place} null={null} {test} with {facts:?}: {planned:?}, but of {value} {found:?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

/// An output has no schema: JSON does not say whether its array is a list, a set or a tuple. A rule on one of its places that passes or
/// fails while a member is not known does so for every list that the array may become.
#[test]
fn an_answer_at_an_index_of_an_output_stays() {
    let members = ["\"a\"", "\"b\"", "7", "null", "?"];
    let plan = |all: &[&str]| {
        let after: Vec<&str> = all.iter().map(|one| if *one == "?" { "null" } else { *one }).collect();
        let unknown: Vec<String> = all.iter().map(|one| (*one == "?").to_string()).collect();
        format!(
            r#"{{"format_version": "1.2", "resource_changes": [], "output_changes": {{"o": {{"actions": ["create"], "before": null,
               "after": [{}], "after_unknown": [{}], "before_sensitive": false, "after_sensitive": false}}}}}}"#,
            after.join(", "),
            unknown.join(", ")
        )
    };
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for null in ["pass", "fail", "undetermined"] {
        for test in [
            "equals = true",
            "equals = \"b\"",
            "equals = 7",
            "starts_with = \"a\"",
            "not_null = true",
            "one_of = [1, 7]",
        ] {
            for place in ["[0]", "[1]", "[2]", "[*]"] {
                let rules = rules(&format!(
                    "null = \"{null}\"\nrule \"r\" {{\n output = \"o\"\n attribute \"{place}\" {{\n {test}\n}}\n}}"
                ));
                // A rule that cannot be evaluated on the value fails, as it does in a report.
                let asked = |all: &[&str]| {
                    let report = report(&plan(all), &ProviderSchemas::new(), &rules).ok()?;
                    Some(word(&answers(&report).into_values().flatten().collect::<Vec<_>>()))
                };
                for first in members {
                    for second in members {
                        let planned = asked(&[first, second]);
                        let Some(Word::Pass | Word::Fail) = planned else { continue };
                        let becomes =
                            |one: &'static str| if one == "?" { members[..4].to_vec() } else { vec![one] };
                        for one in becomes(first) {
                            for other in becomes(second) {
                                compared += 1;
                                let found = asked(&[one, other]);
                                if found != planned {
                                    wrong.push(format!(
                                        "{place} null={null} {test} of [{first}, {second}]: {planned:?}, of [{one}, {other}] {found:?}"
                                    ));
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
    assert!(wrong.is_empty(), "{} of {compared}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// A rule that is decided whatever an array is and holds stays decided where arrays of undecided kind are side by side.
#[test]
fn arrays_that_decide_nothing_leave_nothing_open() {
    let rules = rules(
        "rule \"r\" {\n resource = \"x_thing\"\n any {\n attribute \"o\" { not_null = true }\n attribute \"d\" { one_of = [\"a\", 1] }\n }\n}",
    );
    let asked = |d: &str, unknown: &str| {
        let plan = format!(
            r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_thing.a", "mode": "managed", "type": "x_thing",
               "name": "a", "provider_name": "p", "change": {{"actions": ["create"], "before": null,
               "after": {{"o": {{"a": "a"}}, "d": {d}}}, "after_unknown": {{"d": {unknown}}}, "before_sensitive": false,
               "after_sensitive": {{}}}}}}]}}"#
        );
        let report = report(&plan, &ProviderSchemas::new(), &rules).unwrap();
        word(&answers(&report).into_values().flatten().collect::<Vec<_>>())
    };
    let planned = asked("{}", r#"{"p": true, "q": true}"#);
    assert_eq!(planned, Word::Fail);
    for d in [r#"{"p": "x", "q": 3}"#, r#"{"p": ["x"], "q": ["y", "z"]}"#, r#"{"p": [["x"]], "q": []}"#] {
        assert_eq!(asked(d, "{}"), planned, "{d}");
    }
}
