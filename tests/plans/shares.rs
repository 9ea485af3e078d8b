//! How much is known out of the box of the unknown values of public plans, by the facts of schemas and of the catalogue.
//! `cargo test --all-features --test plans -- share_of_leaves --nocapture` prints the table.

use plantime::catalogue::{Catalogue, Class};
use plantime::plan::{Plan, ProviderFacts};
use plantime::schema::ProviderSchemas;
use plantime::{Range, Value, View};
use serde_json::Value as Json;

use super::{collection, files, is_plan, schemas};

/// The number of unknown leaves, and of those of which something is known.
#[derive(Clone, Copy, Debug, Default)]
struct Shares {
    leaves: usize,
    /// More than the type.
    any: usize,
    not_null: usize,
    prefix: usize,
    /// A prefix, a language of strings, or the value itself.
    shape: usize,
}

impl Shares {
    fn add(&mut self, value: Option<&Value>) {
        self.leaves += 1;
        let Some(value) = value else { return };
        let range = value.range();
        let (refinement, is_known) = (range.refinement().clone(), value.is_known());
        let not_null = range.is_not_null() || is_known && !value.is_null();
        let is_string = matches!(refinement.range(), Range::Prefix(_))
            || refinement.string_language().is_some_and(|language| language.language() != &not_empty());
        self.any += usize::from(is_known || !refinement.is_trivial());
        self.not_null += usize::from(not_null);
        self.prefix += usize::from(refinement.prefix_str().is_some_and(|prefix| !prefix.is_empty()));
        self.shape += usize::from(is_known || is_string);
    }

    fn percent(self, part: usize) -> f64 {
        let (part, leaves) = (u32::try_from(part).unwrap(), u32::try_from(self.leaves).unwrap());
        f64::from(part) * 100.0 / f64::from(leaves)
    }
}

/// The strings that are not empty: no shape.
fn not_empty() -> plantime::language::Language {
    let refinement: plantime::Refinement = "stringlengthmin(1)".parse().unwrap();
    refinement.string_language().unwrap().language().clone()
}

/// Counts the leaves that the plan's `after_unknown` has below a value.
fn count(unknown: &Json, value: Option<Value>, shares: &mut Shares) {
    let child = |step: plantime::Path| value.as_ref().and_then(|value| value.get(&step).ok());
    match unknown {
        Json::Bool(true) => shares.add(value.as_ref()),
        Json::Object(parts) => {
            for (name, part) in parts {
                let is_map = matches!(value.as_ref().map(Value::view), Some(View::Map(_)));
                let path = plantime::Path::new();
                count(part, child(if is_map { path.index(name.as_str()) } else { path.attr(name) }), shares);
            }
        }
        Json::Array(parts) => {
            let members: Option<Vec<Value>> = match value.as_ref().map(|value| value.clone().unmark().0) {
                Some(set) if matches!(set.view(), View::Set(_)) => match set.view() {
                    View::Set(set) => Some(set.iter().cloned().collect()),
                    _ => None,
                },
                _ => None,
            };
            for (at, part) in parts.iter().enumerate() {
                let member = match &members {
                    Some(members) => members.get(at).cloned(),
                    None => child(plantime::Path::new().index(at)),
                };
                count(part, member, shares);
            }
        }
        _ => {}
    }
}

fn shares(plans: &[(Vec<u8>, Json)], schemas: &ProviderSchemas, class: Option<Class>) -> (Shares, usize) {
    let mut shares = Shares::default();
    let mut facts = ProviderFacts::default();
    facts.from_schemas = true;
    facts.catalogues.extend(class.map(Catalogue::builtin));
    let mut contradicted = 0;
    for (content, json) in plans {
        let mut plan = Plan::read(content, schemas).unwrap();
        for one in plan.assume_facts(&facts, schemas) {
            println!("  contradicted: {} {}: {} ({})", one.address, one.path, one.message, one.origin);
            contradicted += 1;
        }
        let changes = json["resource_changes"].as_array().into_iter().flatten();
        for (change, read) in changes.zip(&plan.resource_changes) {
            count(&change["change"]["after_unknown"], read.change.after.clone(), &mut shares);
        }
    }
    (shares, contradicted)
}

/// The floors are what was reached; they only rise.
#[test]
fn share_of_leaves() {
    let Some(root) = collection() else { return };
    let plans: Vec<(Vec<u8>, Json)> = files(&root)
        .into_iter()
        .filter(|(name, _)| name.starts_with("plans-public"))
        .filter_map(|(_, content)| {
            let json: Json = serde_json::from_slice(&content).unwrap();
            is_plan(&json).then_some((content, json))
        })
        .collect();
    let (none, all) = (ProviderSchemas::new(), schemas::together());
    println!("| schemas | catalogue | leaves | any fact | not null | prefix | shape |");
    println!("|---|---|---|---|---|---|---|");
    let rows = [
        ("no", &none, None, [0.0, 0.0, 0.0, 0.0]),
        ("yes", &all, None, [10.9, 10.9, 0.0, 0.0]),
        ("no", &none, Some(Class::A), [51.6, 46.5, 16.6, 31.8]),
        ("yes", &all, Some(Class::A), [61.7, 56.6, 16.6, 31.8]),
        ("no", &none, Some(Class::B), [68.5, 56.1, 18.5, 49.7]),
        ("yes", &all, Some(Class::B), [78.7, 66.8, 18.5, 49.7]),
    ];
    for (with, schemas, class, floors) in rows {
        let (found, contradicted) = shares(&plans, schemas, class);
        let name = match class {
            None => "none",
            Some(Class::A) => "A",
            Some(_) => "A and B",
        };
        let parts = [found.any, found.not_null, found.prefix, found.shape];
        let percents = parts.map(|part| found.percent(part));
        let cells = percents.map(|percent| format!("{percent:.1} %")).join(" | ");
        println!("| {with} | {name} | {} | {cells} | contradicted: {contradicted}", found.leaves);
        for (percent, floor) in percents.into_iter().zip(floors) {
            assert!(percent >= floor, "{with} {name}: {percent} below {floor}");
        }
    }
}
