//! Cases that nobody recorded, made of parts of the recorded ones: what is cut, changed or put elsewhere meets errors that the
//! recorded cases do not, as the cases that are kept apart do. The texts of these errors are to be listed too, and no
//! call panics.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value as Json;

use crate::calls;
use crate::mutants::outcomes::Dice;
use crate::run::{OWN, files, lines};
use crate::texts;
use crate::verdict::answer;

/// So many cases are made of each operation and function.
const MADE: usize = 400;

/// What is put into a text, or in place of a part of it.
const PARTS: [&str; 14] =
    ["", "x", "]", "}", "\"", ",", ":", "0", "-", " ", "\u{1}", "\u{200d}", "null", "1e99999999999999999999"];

#[test]
fn errors_that_the_recorded_cases_do_not_meet_have_listed_texts() {
    let mut missing: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    for (name, path) in files(Path::new(OWN)) {
        let cases = lines(&path);
        let mut by_operation: BTreeMap<&str, Vec<&Json>> = BTreeMap::new();
        for case in &cases {
            let part = |name: &str| case.get(name).and_then(Json::as_str);
            let operation = part("fn").or(part("op")).unwrap_or_default();
            by_operation.entry(operation).or_default().push(case);
        }
        for (operation, of) in by_operation {
            let mut dice = Dice::new(&format!("{name} {operation}"));
            for _ in 0..MADE {
                let base = of[dice.below(of.len())];
                let case = made(base, &cases, &mut dice);
                let Ok(call) = calls::call(&case) else { continue };
                // Its results are capsules, which the notation does not have.
                if operation.starts_with("bytes") {
                    continue;
                }
                count += 1;
                let answer = answer(&call);
                assert!(!matches!(&answer, Ok(calls::Got::Data(data)) if data == "PANIC"), "{case}");
                let Err(text) = answer else { continue };
                texts::bless(&case, &text);
                if !texts::are_listed(&case, &text) {
                    missing.insert(texts::template(&text), format!("{text}: {case}"));
                }
            }
        }
    }
    println!("{count} cases");
    missing.values().for_each(|case| println!("  {case}"));
    assert!(count > 10_000 && missing.is_empty(), "{} texts are not listed", missing.len());
}

/// The case with one part changed, without its answer.
fn made(case: &Json, all: &[Json], dice: &mut Dice) -> Json {
    let mut case = case.clone();
    let members = case.as_object_mut().expect("a case is an object");
    for name in ["want", "err", "panic", "variants", "err_arg", "err_path", "fn_panic", "approx"] {
        members.remove(name);
    }
    let other = dice.pick(all).clone();
    let parts: Vec<&str> = ["args", "type", "text", "hex", "types"]
        .into_iter()
        .filter(|name| members.contains_key(*name))
        .collect();
    if parts.is_empty() {
        return case;
    }
    match *dice.pick(&parts) {
        name @ ("args" | "types") => {
            let others = other.get(name).and_then(Json::as_array).cloned().unwrap_or_default();
            let own = case[name].as_array_mut().expect("a list");
            if !own.is_empty() && !others.is_empty() {
                let at = dice.below(own.len());
                own[at] = dice.pick(&others).clone();
            }
        }
        "type" => {
            if let Some(ty) = other.get("type") {
                case["type"] = ty.clone();
            }
        }
        "hex" => {
            let mut bytes = calls::msgpack::bytes(case["hex"].as_str().unwrap_or_default());
            let at = dice.below(bytes.len() + 1);
            match (dice.below(3), bytes.get_mut(at)) {
                (0, _) => bytes.truncate(at),
                (1, Some(byte)) => *byte = u8::try_from(dice.below(256)).unwrap_or(0),
                _ => bytes.insert(at, u8::try_from(dice.below(256)).unwrap_or(0)),
            }
            case["hex"] = calls::msgpack::hex(&bytes).into();
        }
        _ => {
            let text = case["text"].as_str().unwrap_or_default();
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (from, to) = (*dice.pick(&places), *dice.pick(&places));
            let to = if dice.one_in(2) { from } else { from.max(to) };
            case["text"] = format!("{}{}{}", &text[..from], dice.pick(&PARTS), &text[to..]).into();
        }
    }
    case
}
