//! What Terraform 1.15.5 gave for `convert(value, type)`, the functions that find a common type, and calls of other
//! functions, where the tables lie beside the checkout: `$PLANTIME_REAL`, else `../shared/real/dev`. Ours is equal, or
//! more precise and holds all that concrete arguments give.

use std::path::{Path, PathBuf};

use plantime::{Type, TypeConstraint, Value, convert, msgpack};
use serde_json::Value as Json;

use crate::calls::msgpack::bytes;
use crate::calls::{Answer, Call, Got};
use crate::notation::write;
use crate::verdict::{Verdict, judge};

mod expression;
mod functions;

use expression::Expression;

fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/dev");
    let folder = named.unwrap_or_else(beside).join("terraform-oracle");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {} (PLANTIME_REAL names another folder)", folder.display());
    None
}

/// The names that expressions use, with their values.
fn locals(folder: &Path, file: &str, table: &str) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(folder.join(file)).expect("a table");
    let json: Json = serde_json::from_str(&text).expect("JSON");
    let locals = json.get(table).and_then(Json::as_object).expect("values");
    let read = |(name, hex): (&String, &Json)| {
        // Some are left out, with a note.
        let hex = hex.as_str().filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        let value = msgpack::from_slice(&bytes(hex), &Type::Dynamic);
        Some((format!("local.{name}"), value.unwrap_or_else(|why| panic!("{name}: {why}"))))
    };
    locals.iter().filter_map(read).collect()
}

/// The unknown parts of an expression as arguments, and what it gives for these or others in their place.
fn call(expression: &Expression, locals: &[(String, Value)]) -> Option<Call> {
    let names = expression.names();
    let args = names.iter().map(|name| Some(locals.iter().find(|(local, _)| local == name)?.1.clone()));
    let args: Vec<Value> = args.collect::<Option<_>>()?;
    let expression = expression.clone();
    let run = move |args: &[Value]| -> Answer {
        let of = |name: &str| names.iter().position(|other| other == name).map(|place| args[place].clone());
        expression.value(&of).map(Got::Value)
    };
    Call::of(args, run).ok()
}

#[test]
fn conversions_of_terraform_are_equal_or_explained() {
    let Some(folder) = folder() else { return };
    let locals = locals(&folder, "convert-unify-text-number.values.json", "locals");
    let file = std::fs::File::open(folder.join("convert-unify-text-number.jsonl.gz")).expect("a table");
    let content = crate::packed::text(file);
    let (mut equal, mut more_precise, mut deviations, mut left_out) = (0, 0, 0, 0);
    let mut unexplained = Vec::new();
    for line in content.lines() {
        let row: Json = serde_json::from_str(line).expect("JSON");
        let text = row.get("expr").and_then(Json::as_str).unwrap_or_default();
        let starts = ["convert(", "tolist(", "toset(", "tomap("];
        let compares = [" == ", " ? "].iter().any(|operator| text.contains(operator));
        if compares || !starts.iter().any(|start| text.starts_with(start)) {
            continue;
        }
        let Some(call) = Expression::parse(text).and_then(|expression| call(&expression, &locals)) else {
            left_out += 1;
            continue;
        };
        let mut case = serde_json::Map::new();
        case.insert("op".into(), "convert".into());
        match row.get("result_msgpack").and_then(Json::as_str) {
            None => drop(case.insert("err".into(), row.get("error").cloned().unwrap_or_default())),
            Some(hex) => match msgpack::from_slice(&bytes(hex), &Type::Dynamic) {
                Ok(value) => drop(case.insert("want".into(), write(&value))),
                Err(why) => {
                    unexplained.push(format!("{text}: unread, {why}"));
                    continue;
                }
            },
        }
        match judge(&Json::Object(case), &call) {
            Verdict::Equal => equal += 1,
            Verdict::MorePrecise => more_precise += 1,
            Verdict::Deviation(_) | Verdict::Refused => deviations += 1,
            Verdict::Unexplained(ours) => unexplained.push(format!("{row}\n    ours: {ours}")),
        }
    }
    println!(
        "terraform: {equal} equal, {more_precise} more precise, {deviations} deviations, {} unexplained, {left_out} left out",
        unexplained.len()
    );
    for text in unexplained.iter().take(60) {
        println!("  unexplained: {text}");
    }
    assert_eq!(unexplained.len(), 0, "unexplained");
    assert_eq!(left_out, 0, "left out");
}

fn to(value: &Value, constraint: &str) -> Result<Value, String> {
    let constraint: TypeConstraint =
        constraint.parse().map_err(|error: plantime::Error| error.to_string())?;
    convert(value, &constraint).map_err(|error| error.to_string())
}
