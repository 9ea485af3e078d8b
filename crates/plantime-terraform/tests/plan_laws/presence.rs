//! Every resource that a rule speaks of is answered for, and its answers do not depend on what else is planned.

use std::collections::BTreeMap;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{PlanReport, RulesFile};
use serde_json::json;

use crate::asking::{self, Answer, answers, report};
use crate::kind::{Declared, Kind};
use crate::plans::{self, Resource};
use crate::tree::Tree::{self, Entries, Null, Text, Unknown};
use crate::wrong::Wrong;

/// The type with all attributes, and the one that lacks `q` and `tags`.
const FULL: &str = "x_full";
const LEAN: &str = "x_lean";

fn schemas() -> ProviderSchemas {
    let full = [("p", Kind::String), ("q", Kind::String), ("tags", Kind::map(Kind::String))];
    let lean = [("p", Kind::String)];
    asking::schemas(&plans::schemas(&[(FULL, &full), (LEAN, &lean)], Declared::Types))
}

fn full(name: &'static str, p: Tree, q: Tree, tags: Tree) -> Resource {
    Resource::planned(FULL, name, None, Entries(vec![("p", p), ("q", q), ("tags", tags)]))
}

/// Resources with and without the keys and attributes that the rules ask for.
fn pool() -> Vec<Resource> {
    let a = || Text("a");
    let before = Entries(vec![("p", a()), ("q", a()), ("tags", Entries(vec![("k", a())]))]);
    let after = Entries(vec![("p", a()), ("q", Text("bb")), ("tags", Entries(vec![("j", a())]))]);
    vec![
        full("with", a(), a(), Entries(vec![("k", a())])),
        full("without", a(), Null, Entries(vec![("j", a())])),
        full("empty", Null, Null, Entries(vec![])),
        full("null", Null, Null, Null),
        full("unknown", Unknown, Unknown, Unknown),
        full("partly", Null, Unknown, Entries(vec![("j", Unknown)])),
        Resource::planned(FULL, "updated", Some(before), after),
        Resource::planned(LEAN, "set", None, Entries(vec![("p", a())])),
        Resource::planned(LEAN, "null", None, Entries(vec![("p", Null)])),
    ]
}

/// Bodies of rules: attributes that all types have, that some have, that none has; keys by dot and by index.
const BODIES: &[&str] = &[
    "attribute \"p\" { not_null = true }",
    "attribute \"q\" { not_null = true }",
    "attribute \"tags\" { not_null = true }",
    "attribute \"tags.k\" { not_null = true }",
    "attribute \"tags.k\" { starts_with = \"a\" }",
    "attribute \"tags[\\\"k\\\"]\" { not_null = true }",
    "attribute \"tags[*]\" { starts_with = \"a\" }",
    "attribute \"tags\" { has_key = \"k\" }",
    "attribute \"tagz[\\\"k\\\"]\" { not_null = true }",
    "change \"q\" { immutable = true }",
    "change \"tags.k\" { immutable = true }",
    "any {\n attribute \"p\" { not_null = true }\n attribute \"q\" { not_null = true }\n}",
    "any {\n attribute \"p\" { not_null = true }\n attribute \"tags.k\" { not_null = true }\n}",
    "all {\n attribute \"p\" { not_null = true }\n attribute \"q\" { not_null = true }\n}",
    "not {\n attribute \"q\" { is_null = true }\n}",
    "exactly_one_of = [\"p\", \"q\"]",
    "at_least_one_of = [\"p\", \"q\"]",
    "required_together = [\"p\", \"q\"]",
    "also_requires = [\"p\", \"q\"]",
    "required_when = { path = \"p\", one_of = [\"a\"], required = [\"q\"] }",
    "implies {\n if {\n attribute \"p\" { not_null = true }\n }\n then {\n attribute \"q\" { not_null = true }\n }\n}",
    "when {\n attribute \"q\" { not_null = true }\n}\nattribute \"p\" { not_null = true }",
    "when {\n attribute \"p\" { not_null = true }\n}\nattribute \"q\" { not_null = true }",
    "when {\n attribute \"tags.k\" { not_null = true }\n}\nattribute \"p\" { not_null = true }",
    "attribute \"p\" { not_null = true }\nattribute \"q\" { not_null = true }",
];

/// What a rule speaks of, and whether it matches a resource.
type Target = (&'static str, fn(&Resource) -> bool);

const TARGETS: &[Target] = &[
    ("x_full", |one| one.type_name == FULL),
    ("x_full.*", |one| one.type_name == FULL),
    ("x_f*", |one| one.type_name == FULL),
    ("x_*", |_| true),
    ("*", |_| true),
    ("*.null", |one| one.name == "null"),
];

fn rule(body: &str, target: &str) -> RulesFile {
    asking::rules(&format!("rule \"the-rule\" {{\n resource = \"{target}\"\n {body}\n}}"))
}

fn of<'a>(all: &'a BTreeMap<(String, String), Vec<Answer>>, resource: &Resource) -> &'a [Answer] {
    all.get(&("the-rule".to_owned(), resource.address())).map_or(&[], Vec::as_slice)
}

/// Whether a note of the report says that the rule applies to no resource of this type.
fn says_it_applies_to_none(report: &PlanReport, resource: &Resource) -> bool {
    let json = report.to_json();
    let texts = json["notes"].as_array().into_iter().chain(json["unmatched"].as_array()).flatten();
    texts.map(ToString::to_string).any(|text| {
        text.contains("the-rule")
            && (text.contains(resource.type_name) || text.contains("no matching type has"))
    })
}

/// Plans of one resource, of each two, and of all.
fn companies(pool: &[Resource]) -> Vec<Vec<Resource>> {
    let mut all: Vec<Vec<Resource>> = pool.iter().map(|one| vec![one.clone()]).collect();
    for (i, one) in pool.iter().enumerate() {
        all.extend(pool[i + 1..].iter().map(|other| vec![one.clone(), other.clone()]));
    }
    all.push(pool.to_vec());
    all
}

fn short(body: &str) -> String {
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_resource_that_a_rule_matches_is_answered_for() {
    let mut wrong = Wrong::default();
    for (view, schemas) in [("typed", schemas()), ("bare", ProviderSchemas::new())] {
        for body in BODIES {
            for (target, matches) in TARGETS {
                let rules = rule(body, target);
                for company in companies(&pool()) {
                    let Ok(report) = report(&plans::plan(&company), &schemas, &rules) else { continue };
                    let answers = answers(&report);
                    for resource in &company {
                        let answered = !of(&answers, resource).is_empty();
                        let expected = matches(resource);
                        if answered && !expected {
                            wrong.add(format!("{view}: {target} answers for {}", resource.address()), || {
                                short(body)
                            });
                        }
                        if expected && !answered && !says_it_applies_to_none(&report, resource) {
                            let kind = format!("{view}: nothing of {} {}", resource.address(), short(body));
                            wrong.add(kind, || format!("{target}, {} resources", company.len()));
                        }
                        // Where the type has all attributes, nothing is passed over.
                        if expected && !answered && resource.type_name == FULL && !body.contains("tagz") {
                            let kind = format!("{view}: passed over {} {}", resource.address(), short(body));
                            wrong.add(kind, || format!("{target}, {} resources", company.len()));
                        }
                    }
                }
            }
        }
    }
    wrong.assert_none("every resource is answered for");
}

#[test]
fn answers_about_a_resource_do_not_depend_on_its_company() {
    let mut wrong = Wrong::default();
    for (view, schemas) in [("typed", schemas()), ("bare", ProviderSchemas::new())] {
        for body in BODIES {
            for (target, _) in TARGETS {
                let rules = rule(body, target);
                let alone: BTreeMap<String, Option<Vec<Answer>>> = pool()
                    .iter()
                    .map(|one| {
                        let report = report(&plans::plan(std::slice::from_ref(one)), &schemas, &rules);
                        (one.address(), report.ok().map(|report| of(&answers(&report), one).to_vec()))
                    })
                    .collect();
                for company in companies(&pool()) {
                    let together = report(&plans::plan(&company), &schemas, &rules).ok();
                    let answers = together.as_ref().map(answers);
                    let problem = company.iter().any(|one| alone[&one.address()].is_none());
                    if problem == answers.is_some() {
                        let kind = format!("{view}: a problem in one company only, {target} {}", short(body));
                        wrong.add(kind, || {
                            let names: Vec<String> = company.iter().map(Resource::address).collect();
                            format!("{}, alone or together", names.join(", "))
                        });
                    }
                    let Some(answers) = answers else { continue };
                    for one in &company {
                        let own = of(&answers, one);
                        if alone[&one.address()].as_deref().is_some_and(|alone| alone != own) {
                            let kind = format!("{view}: {} {target} {}", one.address(), short(body));
                            wrong.add(kind, || {
                                format!("{:?}\n        in company {own:?}", alone[&one.address()])
                            });
                        }
                    }
                }
            }
        }
    }
    wrong.assert_none("answers do not depend on the company");
}

#[test]
fn a_wildcard_in_the_type_gives_the_answers_of_the_type() {
    let mut wrong = Wrong::default();
    for (view, schemas) in [("typed", schemas()), ("bare", ProviderSchemas::new())] {
        for body in BODIES.iter().filter(|body| !body.contains("tagz")) {
            let exact = rule(body, FULL);
            for target in ["x_f*", "x_*", "*", "*.*"] {
                let wild = rule(body, target);
                for company in companies(&pool()) {
                    let plan = plans::plan(&company);
                    let exact = report(&plan, &schemas, &exact).ok().map(|report| answers(&report));
                    let wild = report(&plan, &schemas, &wild).ok().map(|report| answers(&report));
                    for one in company.iter().filter(|one| one.type_name == FULL) {
                        let (exact, wild) =
                            (exact.as_ref().map(|all| of(all, one)), wild.as_ref().map(|all| of(all, one)));
                        if exact != wild {
                            let kind = format!("{view}: {} {target} {}", one.address(), short(body));
                            wrong.add(kind, || format!("{exact:?}\n        with the wildcard {wild:?}"));
                        }
                    }
                }
            }
        }
    }
    wrong.assert_none("a wildcard changes no answer");
}

/// Each kind of change, and the names in `actions` that mean it.
const CHANGES: &[(&[&str], &[&str])] = &[
    (&["create"], &["create"]),
    (&["update"], &["update"]),
    (&["delete", "create"], &["create", "delete", "replace"]),
    (&["create", "delete"], &["create", "delete", "replace"]),
    (&["no-op"], &["no-op"]),
    (&["delete"], &["delete"]),
    (&["forget"], &["forget"]),
];

#[test]
fn a_rule_about_an_action_is_answered_for_each_change_with_that_action_and_no_other() {
    let mut wrong = Wrong::default();
    let value = || Entries(vec![("p", Text("a"))]);
    for (actions, meant) in CHANGES {
        let resource = Resource {
            actions,
            before: (*actions != ["create"]).then(value),
            after: (!matches!(actions, [only] if ["delete", "forget"].contains(only))).then(value),
            ..Resource::planned(LEAN, "one", None, value())
        };
        for action in ["create", "update", "replace", "delete", "no-op", "forget"] {
            let text = format!(
                "rule \"the-rule\" {{\n resource = \"{LEAN}\"\n actions = [\"{action}\"]\n attribute \"p\" {{ equals = \"a\" }}\n}}"
            );
            // A rule that can never apply may be refused.
            let Ok(rules) = RulesFile::read(Source::new("rules.hcl", text)) else { continue };
            let Ok(report) = report(&plans::plan(std::slice::from_ref(&resource)), &schemas(), &rules) else {
                continue;
            };
            let all = answers(&report);
            let own = of(&all, &resource);
            let passes = own.len() == 1 && own[0].outcome == "pass";
            if passes != meant.contains(&action) {
                wrong.add(format!("{actions:?} under a rule about {action}"), || format!("{own:?}"));
            }
        }
    }
    wrong.assert_none("a rule about an action is about just that");
}

#[test]
fn of_two_different_values_a_replacement_is_asked_for_the_planned_one() {
    for actions in [&["delete", "create"], &["create", "delete"]] {
        let resource = Resource {
            actions,
            ..Resource::planned(
                LEAN,
                "one",
                Some(Entries(vec![("p", Text("old"))])),
                Entries(vec![("p", Text("new"))]),
            )
        };
        for (wanted, outcome) in [("new", "pass"), ("old", "fail")] {
            let rules = rule(&format!("attribute \"p\" {{ equals = \"{wanted}\" }}"), LEAN);
            let report = report(&plans::plan(std::slice::from_ref(&resource)), &schemas(), &rules).unwrap();
            let all = answers(&report);
            assert_eq!(of(&all, &resource)[0].outcome, outcome, "{actions:?} {wanted}");
        }
    }
}

#[test]
fn a_skip_is_an_answer_for_just_its_resources() {
    let company = pool();
    let text = format!(
        "rule \"the-rule\" {{\n resource = \"{FULL}\"\n attribute \"q\" {{ not_null = true }}\n}}\n\
         skip \"the-rule\" {{\n address = \"{FULL}.null\"\n reason = \"a reason\"\n}}"
    );
    let report = report(&plans::plan(&company), &schemas(), &asking::rules(&text)).unwrap();
    let all = answers(&report);
    for one in company.iter().filter(|one| one.type_name == FULL) {
        let skipped = of(&all, one).iter().all(|answer| answer.outcome == "skipped");
        assert_eq!(skipped, one.name == "null", "{}", one.address());
    }
}

#[test]
fn an_output_is_answered_for_whatever_it_is() {
    let rules = asking::rules("rule \"the-rule\" {\n output = \"o\"\n value { equals = \"a\" }\n}");
    for (after, unknown, outcome) in [
        (json!("a"), json!(false), "pass"),
        (json!("b"), json!(false), "fail"),
        (json!(null), json!(false), "pass"),
        (json!(null), json!(true), "undetermined"),
        // A value that the test cannot read: certainly not the one that is wanted.
        (json!(["a"]), json!(false), "fail"),
        (json!([null]), json!([true]), "fail"),
    ] {
        for actions in [json!(["create"]), json!(["update"]), json!(["no-op"])] {
            let outputs = json!({ "o": {
                "actions": actions, "before": null, "after": after, "after_unknown": unknown,
                "before_sensitive": false, "after_sensitive": false,
            } });
            let plan = plans::plan_with(&[], outputs, json!({}));
            let given = match report(&plan, &ProviderSchemas::new(), &rules) {
                Err(_) => "problem".to_owned(),
                Ok(report) => {
                    let all = answers(&report);
                    all[&("the-rule".to_owned(), "output.o".to_owned())][0].outcome.clone()
                }
            };
            assert_eq!(given, outcome, "{after} {unknown} {actions}");
        }
    }
}

#[test]
fn a_plan_that_is_not_whole_does_not_read_as_one_that_is() {
    let resource = full("with", Text("a"), Text("a"), Null);
    let rules = rule("attribute \"p\" { not_null = true }", FULL);
    let whole = plans::plan(&[resource]);
    let said = |plan: &str| report(plan, &schemas(), &rules).unwrap().to_json();
    let good = said(&whole);
    for (from, to) in [("\"errored\":false", "\"errored\":true"), ("\"complete\":true", "\"complete\":false")]
    {
        assert!(whole.contains(from), "{whole}");
        assert_ne!(said(&whole.replace(from, to)), good, "{to}");
    }
}
