//! What an undetermined answer depends on: once that is known, and nothing else, the answer is decided.

use std::collections::{BTreeMap, BTreeSet};

use plantime_schema::ProviderSchemas;
use serde_json::{Value as Json, json};

use crate::asking::{self, ask, report};
use crate::cases::{ADDRESS, Subject, View};
use crate::completions::{products, values};
use crate::kind::Kind;
use crate::plans::{self, Resource};
use crate::tree::Tree::{self, Array, Entries, Unknown};
use crate::universe::universes;
use crate::wrong::Wrong;

/// The steps of a path in a report.
fn steps(text: &str) -> Vec<String> {
    let text = text.replace("[\"", ".").replace("\"]", "").replace('[', ".").replace(']', "");
    text.split('.').filter(|step| !step.is_empty()).map(str::to_owned).collect()
}

/// Some values with what is unknown at a place known; below something unknown, all of that.
fn known_at(tree: &Tree, kind: &Kind, path: &[String]) -> Vec<Tree> {
    let kind = &kind.of_values();
    let Some((step, rest)) = path.split_first() else { return few_known(tree, kind) };
    match (tree, kind) {
        (Unknown, kind) => few(values(kind)),
        (Array(items), Kind::List(_) | Kind::Set(_) | Kind::Tuple(_)) => {
            let Some(index) = step.parse::<usize>().ok().filter(|index| *index < items.len()) else {
                return few_known(tree, kind);
            };
            let each = items.iter().enumerate().map(|(at, item)| {
                let element = element(kind, at);
                if at == index { known_at(item, &element, rest) } else { vec![item.clone()] }
            });
            products(each).into_iter().map(Array).collect()
        }
        (Entries(entries), Kind::Map(_) | Kind::Object(_)) => {
            let each = entries.iter().map(|(key, entry)| {
                if *key == step.as_str() {
                    known_at(entry, &field(kind, key), rest)
                } else {
                    vec![entry.clone()]
                }
            });
            let names = entries.iter().map(|(name, _)| *name);
            products(each).into_iter().map(|trees| Entries(names.clone().zip(trees).collect())).collect()
        }
        (tree, _) => vec![tree.clone()],
    }
}

/// Some values with everything known.
fn few_known(tree: &Tree, kind: &Kind) -> Vec<Tree> {
    few(crate::completions::completions(tree, kind))
}

/// The first, the last and one between.
fn few(all: Vec<Tree>) -> Vec<Tree> {
    let chosen: BTreeSet<usize> =
        [1, all.len() / 2, all.len() - 1].into_iter().filter(|at| *at < all.len()).collect();
    chosen.into_iter().map(|at| all[at].clone()).collect()
}

fn element(kind: &Kind, at: usize) -> Kind {
    match kind {
        Kind::List(element) | Kind::Set(element) => (**element).clone(),
        Kind::Tuple(kinds) => kinds[at].clone(),
        kind => panic!("an element of {kind:?}"),
    }
}

fn field(kind: &Kind, name: &str) -> Kind {
    match kind {
        Kind::Map(element) => (**element).clone(),
        Kind::Object(fields) => fields.iter().find(|(field, _)| *field == name).unwrap().1.clone(),
        kind => panic!("{name} in {kind:?}"),
    }
}

/// The places that rules leave undetermined, by what they wait for: rule and path.
fn open_places(json: &Json) -> BTreeMap<BTreeSet<String>, Vec<(String, String)>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    for answer in json["answers"].as_array().unwrap() {
        if let Some(inputs) = answer["why"]["inputs"].as_array() {
            let inputs = inputs.iter().map(text).collect();
            all.entry(inputs).or_default().push((text(&answer["rule"]), text(&answer["path"])));
        }
    }
    all
}

#[test]
fn once_all_inputs_of_an_answer_are_known_it_is_decided() {
    let (mut wrong, mut followed) = (Wrong::default(), 0);
    for subject in universes().into_iter().filter(|universe| !universe.kind.has_set()).map(Subject::new) {
        let schemas = subject.schemas(View::Typed);
        for case in subject.cases().into_iter().step_by(2) {
            let Ok(report) = report(&case.plan, schemas, &subject.book.all) else { continue };
            for (inputs, places) in open_places(&report.to_json()) {
                let planned = case.resource.after.clone().unwrap();
                let filled = inputs.iter().fold(vec![planned], |trees, input| {
                    trees.iter().flat_map(|tree| known_at(tree, &subject.kind, &steps(input))).collect()
                });
                for after in filled.into_iter().take(6) {
                    let known = case.turned_out(after);
                    let said = ask(&known.plan, schemas, &subject.book, ADDRESS);
                    for (rule, path) in &places {
                        followed += 1;
                        let rule: usize = rule[1..].parse().unwrap();
                        let answers = &said.answers[rule];
                        if answers.iter().any(|one| one.path == *path && one.outcome == "undetermined") {
                            let kind = format!(
                                "{}: {path} waits for {inputs:?} {}",
                                subject.universe.name,
                                subject.rule(rule)
                            );
                            wrong.add(kind, || format!("{}, then {}", case.brief(), known.brief()));
                        }
                    }
                }
            }
        }
    }
    assert!(followed > 5_000, "only {followed} answers were followed");
    wrong.assert_none("an answer waits for its inputs and nothing else");
}

/// A resource whose attribute `p` is written with these references, and the one that they lead to.
fn with_references(references: &[&str], name_known: bool) -> String {
    let text = |known: bool, text| if known { Tree::Text(text) } else { Unknown };
    let source =
        Entries(vec![("id", Unknown), ("name", text(name_known, "a-name")), ("size", Tree::Number(3))]);
    let resources = [
        Resource::planned("x_z", "b", None, source),
        Resource::planned("x_y", "a", None, Entries(vec![("p", Unknown)])),
    ];
    let configuration = json!({ "root_module": {
        "resources": [
            { "address": "x_z.b", "mode": "managed", "type": "x_z", "name": "b", "expressions": {} },
            { "address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
              "expressions": { "p": { "references": references } } },
        ],
        "variables": { "v": {} },
    } });
    plans::plan_with(&resources, json!({}), configuration)
}

#[test]
fn an_answer_depends_on_no_reference_that_is_known() {
    let rules =
        asking::rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"p\" { starts_with = \"a\" }\n}");
    for name_known in [true, false] {
        let all = ["x_z.b.id", "x_z.b", "x_z.b.name", "x_z.b.size", "var.v"];
        let plan = with_references(&all, name_known);
        let plan = plan.replacen('{', "{\"variables\":{\"v\":{\"value\":\"known\"}},", 1);
        let report = report(&plan, &ProviderSchemas::new(), &rules).unwrap().to_json();
        let answer = &report["answers"][0];
        assert_eq!(answer["outcome"], "undetermined");
        let depends_on: Vec<&str> =
            answer["why"]["depends_on"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let wanted = report["unknown"]["wanted"].to_string();
        for known in ["x_z.b.size", "var.v"].into_iter().chain(name_known.then_some("x_z.b.name")) {
            assert!(!depends_on.contains(&known), "{known} is known: {depends_on:?}");
            assert!(!wanted.contains(&format!("\"{known}\"")), "{known} is known: {wanted}");
        }
        assert!(depends_on.contains(&"x_z.b.id"), "{depends_on:?}");
        assert_eq!(depends_on.contains(&"x_z.b.name"), !name_known, "{depends_on:?}");
    }
}
