//! The planned outputs of the recorded roots, with their types and refinements.

use std::collections::BTreeMap;

use plantime::{Type, Value, msgpack};
use serde_json::Value as Json;

use super::recorded::{folder, roots, text};

fn decoded(hex: &str) -> Value {
    let bytes: Vec<u8> =
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect();
    msgpack::from_slice(&bytes, &Type::Dynamic).unwrap()
}

/// Whether the first contains the second.
fn contains(a: &Value, b: &Value) -> bool {
    Value::join(&[a, b]).is_ok_and(|join| join == *a)
}

/// Whether theirs is ours but for the upper bound of lengths, which theirs claims for each.
fn without_longest(theirs: &Value) -> Value {
    let longest = plantime::Number::from(i64::MAX);
    let open = |_: &plantime::Path, value: Value| {
        let range = value.range();
        let Some(numbers) = range.number_range() else { return Ok(value) };
        if numbers.upper().number() != Some(&longest) {
            return Ok(value);
        }
        let range = plantime::NumberRange::new(numbers.lower().clone(), plantime::Bound::Unbounded)?;
        Value::refined(Type::Number, plantime::Refinement::number(range).and_not_null())
    };
    theirs.transform(open).unwrap_or_else(|_| theirs.clone())
}

/// The outputs that are quotients and roots: their numbers are binary.
const LAST_DIGITS: [(&str, &str); 2] = [("049-numbers", "r"), ("049-numbers", "s")];

/// The outputs whose expression fails for every value that the provider allows, by what is known of it: Terraform finds that at the
/// apply. No number is written `s-pre-…`, and no text in base64 begins so.
const FAIL_FOR_ALL: [(&str, &str); 2] = [("049-numbers", "k"), ("051-encodings-rest", "h")];

/// The value with untyped nulls in place of those whose type is not decided: a conditional gives them the type of its other
/// result, as far as that is known.
fn with_untyped_nulls(value: &Value) -> Value {
    let untyped = |_: &plantime::Path, part: Value| {
        Ok(if part.is_null() && part.ty().has_dynamic() { Value::null(Type::Dynamic) } else { part })
    };
    value.transform(untyped).unwrap_or_else(|_| value.clone())
}

#[test]
fn recorded_outputs_are_known_at_least_as_well() {
    let Some(folder) = folder() else { return };
    let table = text(&folder.join("outputs.jsonl")).unwrap();
    let rows: Vec<Json> = table.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let roots = roots();
    let plans = roots.iter().flat_map(|root| {
        let refined = root.refined_plan().map(|plan| ("refined", plan));
        [("plain", root.plan.clone())].into_iter().chain(refined).map(move |(mode, plan)| (root, mode, plan))
    });
    for (root, mode, plan) in plans {
        let configuration = root.read().expect("Terraform reads it");
        let values = plan.planned_values();
        let inputs = root.inputs().known(&values);
        let evaluation = configuration.evaluate(&inputs);
        for row in rows.iter().filter(|row| row["root"] == root.name.as_str() && row["mode"] == mode) {
            let name = row["output"].as_str().unwrap();
            let theirs = decoded(row["msgpack"].as_str().unwrap());
            let Some(ours) = evaluation.output(name) else {
                *counts.entry((mode, "missing")).or_default() += 1;
                println!("MISSING {} {mode} {name}", root.name);
                continue;
            };
            let (ours, theirs) = (with_untyped_nulls(&ours.unmark_deep().0), with_untyped_nulls(&theirs));
            // An output that is null has no type in a plan.
            let verdict = if ours == theirs || ours.is_null() && theirs.is_null() {
                "same"
            } else if contains(&theirs, &ours) || contains(&without_longest(&theirs), &ours) {
                "more known"
            } else if LAST_DIGITS.contains(&(root.name.as_str(), name)) {
                "last digits"
            } else if mode == "refined" && FAIL_FOR_ALL.contains(&(root.name.as_str(), name)) {
                "fails for all"
            } else if contains(&ours, &theirs) {
                "LESS"
            } else {
                "DIFFERENT"
            };
            *counts.entry((mode, verdict)).or_default() += 1;
            if verdict == "LESS" || verdict == "DIFFERENT" {
                println!("{verdict} {} {mode} {name}\n   ours   {ours:?}\n   theirs {theirs:?}", root.name);
            }
        }
    }
    println!("outputs: {counts:?}");
    if std::env::var_os("ONLY").is_none() {
        assert!(counts[&("plain", "same")] + counts[&("plain", "more known")] >= 2_198, "{counts:?}");
        for mode in ["plain", "refined"] {
            let count = |verdict: &'static str| counts.get(&(mode, verdict)).copied().unwrap_or(0);
            assert_eq!((count("DIFFERENT"), count("missing")), (0, 0), "{counts:?}");
            assert_eq!(count("LESS"), 0, "{counts:?}");
        }
    }
}
