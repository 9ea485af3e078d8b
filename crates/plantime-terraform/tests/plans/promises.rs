//! What providers planned and applied, and what Terraform's core said about it.

use std::fs;

use plantime::{Type, msgpack};
use plantime_schema::planning::{GoSyntax, TypeSystem, assert_object_compatible, assert_plan_valid, refines};
use serde_json::Value as Json;

use super::collection;
use super::recorded::{Recorded, bytes, recorded};

/// Why an answer is no value of the schema for cty either, by what its error says: core refuses the first two, and crashes on
/// bounds that no value fulfils.
const UNREADABLE: [(&str, &str); 4] = [
    ("is required", "a value of another type"),
    ("failed to decode msgpack extension body", "a refinement that the type cannot have"),
    ("no number is", "bounds that no number fulfils"),
    ("no length is", "bounds that no length fulfils"),
];

/// Core reads what cty reads: extensions of any code are unknown values, and bytes after a refinement are passed over.
#[test]
fn recorded_plans_are_accepted() {
    let (mut count, mut unreadable) = (0, 0);
    recorded(&mut |call: &Recorded<'_>| {
        let (Some(prior), Some(config)) = (call.value("prior_state"), call.value("config")) else { return };
        let planned = match call.answer("planned_state") {
            Some(Ok(planned)) => planned,
            Some(Err(error)) => {
                let text = error.to_string();
                let reason = UNREADABLE.iter().find(|(said, _)| text.contains(said));
                println!(
                    "refused, as core does, for {}: {text}",
                    reason.unwrap_or_else(|| panic!("{text}")).1
                );
                return unreadable += 1;
            }
            None => return,
        };
        let verdict =
            assert_plan_valid(call.schema.block(), &prior, &config, &planned, TypeSystem::Strict).unwrap();
        assert!(verdict.is_accepted(), "{:#?}", verdict.violations);
        assert!(refines(&planned, &planned));
        count += 1;
    });
    println!("{count} plans are accepted, {unreadable} answers are no values");
    assert!(unreadable * 4 < count || count == 0, "{unreadable} of {count} answers are not read");
}

/// The text without breaks of lines.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn recorded_refusals_have_the_same_texts() {
    let Some(root) = collection() else { return };
    let said = root.join("terraform-1.15.5-plans/103-probe-broken-promise/step1/apply.txt");
    let Ok(said) = fs::read_to_string(said) else { return };
    let said = unwrapped(&said.replace("\\\"", "\"")).replace(",true)", ", true)");
    let mut count = 0;
    recorded(&mut |call: &Recorded<'_>| {
        let (Some(planned), Some(Ok(actual))) = (call.value("planned_state"), call.answer("new_state"))
        else {
            return;
        };
        let verdict =
            assert_object_compatible(call.schema.block(), &planned, &actual, TypeSystem::Strict).unwrap();
        for violation in &verdict.violations {
            assert!(said.contains(&format!("{violation}.")), "{violation}: {said}");
        }
        assert_eq!(said.matches("produced an unexpected new value").count(), verdict.violations.len());
        count += verdict.violations.len();
    });
    println!("{count} refusals have the text that core gave");
}

#[test]
fn recorded_values_are_printed_as_cty_prints_them() {
    let Some(root) = collection() else { return };
    let Ok(file) = fs::File::open(root.join("msgpack/real.jsonl.gz")) else { return };
    let (mut same, mut other) = (0, Vec::new());
    for line in crate::packed::lines(file) {
        let line: Json = serde_json::from_str(&line).unwrap();
        let Some(expected) = line["gocty"]["value"].as_str() else { continue };
        let ty: Type = Type::from_json_text(&line["type"].to_string()).unwrap();
        let Ok(value) = msgpack::from_slice(&bytes(line["hex"].as_str().unwrap()), &ty) else {
            other.push(format!("not read: {expected}"));
            continue;
        };
        let printed = GoSyntax(&value).to_string();
        if printed == expected { same += 1 } else { other.push(format!("{printed}\n  but {expected}")) }
    }
    println!("{same} values are printed as cty prints them, {} are not:", other.len());
    for line in &other {
        println!("{line}");
    }
    // Refinements that say nothing, unknown members of a set in the order of their hashes, the unknown empty tuple.
    assert!(other.len() * 100 < same);
}
