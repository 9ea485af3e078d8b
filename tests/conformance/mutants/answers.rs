//! Wrong answers made from a right one.

use plantime::{Mark, Marks, Path, Type, Value, View};
use serde_json::{Value as Json, json};

use super::outcomes::Dice;
use crate::calls::{Answer, Got};
use crate::notation::{value, write, write_type};

/// What makes an answer wrong, if anything does.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Claim {
    /// It says something else: marks, the text of an error, data.
    Other,
    /// It leaves something out that the answer holds.
    Stronger,
    /// It holds all that the answer holds, and more.
    Weaker,
    /// It is a value in place of an error.
    Value,
    /// It is an error in place of a value.
    Error,
}

pub(super) struct Mutant {
    pub(super) class: &'static str,
    pub(super) claim: Claim,
    pub(super) answer: Answer,
}

/// Parts of a value that are changed, at most.
const PLACES: usize = 6;

/// Wrong answers in place of this one. `error` is the text of an error that this crate gives for another call.
pub(super) fn mutants(answer: &Answer, error: &str, dice: &mut Dice) -> Vec<Mutant> {
    let mutant = |class, claim, answer| Mutant { class, claim, answer };
    match answer {
        Err(message) => vec![
            mutant("another text of the error", Claim::Other, Err(format!("{message}, or so"))),
            mutant("an error to true", Claim::Value, Ok(Got::Value(Value::from(true)))),
            mutant("an error to an unknown", Claim::Value, Ok(Got::Value(Value::unknown(Type::String)))),
        ],
        Ok(Got::Data(data)) => {
            let mut found = vec![mutant("a value to an error", Claim::Error, Err(error.to_owned()))];
            let changed = changed_data(data, dice);
            found.extend(changed.map(|data| mutant("data changed", Claim::Other, Ok(Got::Data(data)))));
            found
        }
        Ok(Got::Value(value)) => {
            let mut found = of_value(value, dice);
            found.push(mutant("a value to an error", Claim::Error, Err(error.to_owned())));
            found
        }
    }
}

fn of_value(original: &Value, dice: &mut Dice) -> Vec<Mutant> {
    let notation = write(original);
    let mut found: Vec<(&'static str, Claim, Json)> = Vec::new();
    let mut places = Vec::new();
    collect(&notation, String::new(), &mut places);
    while places.len() > PLACES {
        let at = 1 + dice.below(places.len() - 1);
        places.remove(at);
    }
    for place in &places {
        let Some(part) = notation.pointer(place) else { continue };
        for (class, claim, other) in of_part(part) {
            let mut changed = notation.clone();
            if let Some(at) = changed.pointer_mut(place) {
                *at = other;
                found.push((class, claim, changed));
            }
        }
    }
    let mut mutants: Vec<Mutant> = Vec::new();
    for (class, claim, json) in found {
        // Not all of these are values: a set of one more member than its type has, bounds that leave nothing.
        if let Ok(other) = value(&json)
            && other != *original
        {
            mutants.push(Mutant { class, claim, answer: Ok(Got::Value(other)) });
        }
    }
    let mut whole = |class, claim, other: Value| {
        if other != *original {
            mutants.push(Mutant { class, claim, answer: Ok(Got::Value(other)) });
        }
    };
    let (bare, marks) = original.clone().unmark();
    whole("widened to unknown", Claim::Weaker, Value::unknown(bare.ty()).with_marks(&marks));
    whole("widened to dynamic", Claim::Weaker, Value::dynamic().with_marks(&marks));
    if !original.is_null() {
        whole("null in its place", Claim::Stronger, Value::null(bare.ty()).with_marks(&marks));
    }
    whole("a mark added", Claim::Other, original.clone().mark(Mark::new("added")));
    let (content, marked) = original.unmark_deep_with_paths();
    for (i, (path, of_place)) in marked.iter().enumerate() {
        let others = || marked.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, place)| place.clone());
        let without: Vec<_> = others().collect();
        // What a mark above covers loses nothing.
        let covered = |other: &Path, marks: &Marks| {
            path.starts_with(other) && of_place.iter().all(|mark| marks.contains(mark))
        };
        if without.iter().any(|(other, marks)| covered(other, marks)) {
            continue;
        }
        whole("a mark dropped", Claim::Other, content.mark_with_paths(&without));
        if !path.is_empty() {
            let up: Vec<_> = others().chain([(Path::default(), of_place.clone())]).collect();
            whole("a mark moved up", Claim::Other, content.mark_with_paths(&up));
        }
        if let Some(below) = first_child(&content, path) {
            let down: Vec<_> = others().chain([(below, of_place.clone())]).collect();
            whole("a mark moved down", Claim::Other, content.mark_with_paths(&down));
        }
    }
    mutants
}

fn first_child(value: &Value, path: &Path) -> Option<Path> {
    let mut found = None;
    value.walk(|place, _| {
        if found.is_none() && place.len() == path.len() + 1 && place.starts_with(path) {
            found = Some(place.clone());
        }
        found.is_none()
    });
    let inside = path.is_empty() || value.get(path).is_ok_and(|part| !matches!(part.view(), View::Set(_)));
    found.filter(|_| inside && !matches!(value.view(), View::Set(_)))
}

/// The places of the parts of a value, as pointers into its notation, the value itself first.
fn collect(part: &Json, place: String, places: &mut Vec<String>) {
    for name in ["v", "tuple", "object"] {
        match part.get(name) {
            Some(Json::Array(items)) => {
                places.push(place.clone());
                items
                    .iter()
                    .enumerate()
                    .for_each(|(i, item)| collect(item, format!("{place}/{name}/{i}"), places));
                return;
            }
            Some(Json::Object(items)) => {
                places.push(place.clone());
                for (key, item) in items {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    collect(item, format!("{place}/{name}/{key}"), places);
                }
                return;
            }
            _ => {}
        }
    }
    places.push(place);
}

/// Other content for one part.
fn of_part(part: &Json) -> Vec<(&'static str, Claim, Json)> {
    use Claim::{Stronger, Weaker};
    let with = |name: &str, json: Json| {
        let mut part = part.clone();
        part[name] = json;
        part
    };
    let mut found = Vec::new();
    if let Some(truth) = part.get("bool").and_then(Json::as_bool) {
        found.push(("bool flipped", Stronger, with("bool", json!(!truth))));
    }
    if let Some(number) = part.get("num").and_then(Json::as_str) {
        for step in ["1", "-1"] {
            found.extend(
                moved(number, step).map(|number| ("number moved", Stronger, with("num", json!(number)))),
            );
        }
    }
    if let Some(text) = part.get("str").and_then(Json::as_str) {
        found.push(("text changed", Stronger, with("str", json!(format!("{text}x")))));
        let mut shorter = text.chars();
        shorter.next_back();
        found.push(("text changed", Stronger, with("str", json!(shorter.as_str()))));
    }
    for name in ["v", "tuple", "object"] {
        match part.get(name) {
            Some(Json::Array(items)) if !items.is_empty() => {
                found.push(("member dropped", Stronger, with(name, json!(items[1..]))));
                let reversed: Vec<&Json> = items.iter().rev().collect();
                found.push(("members in another order", Stronger, with(name, json!(reversed))));
            }
            Some(Json::Object(items)) if !items.is_empty() => {
                let mut fewer = items.clone();
                let key = fewer.keys().next().cloned().unwrap_or_default();
                let item = fewer.remove(&key).unwrap_or_default();
                found.push(("member dropped", Stronger, with(name, json!(fewer))));
                fewer.insert(format!("{key}x"), item);
                found.push(("key changed", Stronger, with(name, json!(fewer))));
            }
            _ => {}
        }
    }
    if part.get("unk").is_some() {
        found.extend(of_unknown(part));
    }
    if part.get("dyn").is_some() {
        found.push(("type decided", Stronger, json!({"unk": "string"})));
    }
    if part.get("null").is_some() {
        found.push(("null to unknown", Weaker, json!({"unk": part["null"]})));
    }
    found
}

/// Unknowns of which more or less is known.
fn of_unknown(part: &Json) -> Vec<(&'static str, Claim, Json)> {
    use Claim::{Stronger, Weaker};
    let facts = part.get("ref").cloned().unwrap_or_else(|| json!({}));
    let with = |changes: &[(&str, Option<Json>)]| {
        let mut part = part.clone();
        let mut facts = facts.clone();
        for (name, fact) in changes {
            match (fact, facts.as_object_mut()) {
                (Some(fact), Some(facts)) => drop(facts.insert((*name).to_owned(), fact.clone())),
                (None, Some(facts)) => drop(facts.remove(*name)),
                _ => {}
            }
        }
        part["ref"] = facts;
        part
    };
    let mut found = Vec::new();
    match part["unk"].as_str() {
        Some("bool") => {
            found.push(("bool decided", Stronger, json!({"bool": true})));
            found.push(("bool decided", Stronger, json!({"bool": false})));
            found.push(("type changed", Stronger, json!({"unk": "number"})));
        }
        Some("string") => {
            let prefix = facts.get("prefix").and_then(Json::as_str).unwrap_or_default();
            found.push(("prefix longer", Stronger, with(&[("prefix", Some(json!(format!("{prefix}q"))))])));
            if !prefix.is_empty() {
                found.push(("prefix gone", Weaker, with(&[("prefix", None)])));
            }
        }
        Some("number") => {
            for (at, inclusive, inward, infinity) in
                [("min", "min_inc", "1", "-inf"), ("max", "max_inc", "-1", "inf")]
            {
                let Some(bound) =
                    facts.get(at).and_then(Json::as_str).filter(|bound| !bound.ends_with("inf"))
                else {
                    let open = with(&[(at, Some(json!(infinity))), (inclusive, Some(json!(false)))]);
                    if facts.get(at).is_none() {
                        found.push(("infinity excluded", Stronger, open));
                    }
                    continue;
                };
                found.extend(
                    moved(bound, inward)
                        .map(|bound| ("bound moved in", Stronger, with(&[(at, Some(json!(bound)))]))),
                );
                let outward = if inward == "1" { "-1" } else { "1" };
                found.extend(
                    moved(bound, outward)
                        .map(|bound| ("bound moved out", Weaker, with(&[(at, Some(json!(bound)))]))),
                );
                found.push(("bound gone", Weaker, with(&[(at, None), (inclusive, None)])));
                if facts.get(inclusive).and_then(Json::as_bool).unwrap_or(true) {
                    found.push(("end opened", Stronger, with(&[(inclusive, Some(json!(false)))])));
                } else {
                    found.push(("end closed", Weaker, with(&[(inclusive, Some(json!(true)))])));
                }
            }
        }
        None if matches!(part["unk"][0].as_str(), Some("list" | "set" | "map")) => {
            let least = facts.get("len_min").and_then(Json::as_u64).unwrap_or(0);
            let most = facts.get("len_max").and_then(Json::as_u64);
            found.push((
                "length bound moved in",
                Stronger,
                with(&[("len_min", Some(json!(least.saturating_add(1))))]),
            ));
            if let Some(most) = most {
                found.push((
                    "length bound moved in",
                    Stronger,
                    with(&[("len_max", Some(json!(most.saturating_sub(1))))]),
                ));
                found.push((
                    "length bound moved out",
                    Weaker,
                    with(&[("len_max", Some(json!(most.saturating_add(1))))]),
                ));
            }
            if least > 0 {
                found.push(("length bound moved out", Weaker, with(&[("len_min", Some(json!(least - 1)))])));
            }
        }
        _ => {}
    }
    match facts.get("null") {
        Some(_) => found.push(("not null dropped", Weaker, with(&[("null", None)]))),
        None => found.push(("not null added", Stronger, with(&[("null", Some(json!(false)))]))),
    }
    found.push(("type widened", Weaker, json!({"dyn": true})));
    found
}

/// A number as text, with a step added.
fn moved(number: &str, step: &str) -> Option<String> {
    let sum = number.parse::<plantime::Number>().ok()?.add(&step.parse().ok()?).ok()?;
    Some(sum.to_string())
}

/// Data with one leaf or member changed.
fn changed_data(data: &Json, dice: &mut Dice) -> Option<Json> {
    Some(match data {
        Json::Bool(truth) => json!(!truth),
        Json::Number(number) => json!(number.as_i64()? + 1),
        Json::String(text) => match text.as_str() {
            // The name of a type.
            "string" => json!("number"),
            "number" | "bool" | "dynamic" => write_type(&Type::String),
            text => json!(format!("{text}1")),
        },
        Json::Null => json!("string"),
        Json::Array(items) if items.is_empty() => json!([{"attr": "q"}]),
        Json::Array(items) => {
            let at = dice.below(items.len());
            let mut items = items.clone();
            match changed_data(&items[at], dice) {
                // The kind of a type is no type.
                Some(other) if at > 0 || !items[0].is_string() => items[at] = other,
                _ => drop(items.remove(at)),
            }
            Json::Array(items)
        }
        Json::Object(members) => {
            let mut members = members.clone();
            let names: Vec<String> = members.keys().cloned().collect();
            let Some(name) = (!names.is_empty()).then(|| dice.pick(&names).clone()) else {
                return Some(json!({"q": "string"}));
            };
            let other = changed_data(members.get(&name)?, dice)?;
            members.insert(name, other);
            Json::Object(members)
        }
    })
}
