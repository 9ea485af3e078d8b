//! The recorded errors of Terraform that are about expressions, where they lie.
use std::collections::BTreeMap;

use plantime::Value;
use plantime::source::Source;
use plantime_hcl::{Body, Diagnostic, Scope};
use serde_json::Value as Json;

use super::{decompressed, recorded};

/// The first problem of a configuration of locals and outputs, or none.
fn first_problem(text: &str) -> Result<Option<Diagnostic>, String> {
    let source = Source::new("main.tf", text);
    let body = match Body::parse(&source) {
        Ok(body) => body,
        Err(problems) => return Ok(Some(problems.first().clone())),
    };
    let mut locals: BTreeMap<String, Value> = BTreeMap::new();
    let mut scope = BTreeMap::new();
    for block in &body.blocks {
        match &*block.kind {
            "locals" => {
                for argument in &block.body.arguments {
                    scope.insert("local".to_owned(), Value::object(locals.clone()).unwrap());
                    match argument.expression.evaluate(&Scope::new(&scope)) {
                        Ok(value) => drop(locals.insert(argument.name.to_string(), value)),
                        Err(problems) => return Ok(Some(problems.first().clone())),
                    }
                }
            }
            "output" | "variable" => {}
            other => return Err(other.to_owned()),
        }
    }
    scope.insert("local".to_owned(), Value::object(locals).unwrap());
    let unknown = Value::unknown(plantime::Type::Bool);
    scope.insert("var".to_owned(), Value::object([("b", unknown)]).unwrap());
    for block in body.blocks.iter().filter(|block| &*block.kind == "output") {
        let Some(argument) = block.body.argument("value") else { continue };
        if let Err(problems) = argument.expression.evaluate(&Scope::new(&scope)) {
            return Ok(Some(problems.first().clone()));
        }
    }
    Ok(None)
}

fn diagnostics(json: &Json, found: &mut Vec<Json>) {
    match json {
        Json::Object(map) if map.contains_key("severity") && map.contains_key("summary") => {
            found.push(json.clone())
        }
        Json::Object(map) => map.values().for_each(|value| diagnostics(value, found)),
        Json::Array(items) => items.iter().for_each(|value| diagnostics(value, found)),
        Json::String(text) if text.starts_with('{') => {
            if let Ok(json) = serde_json::from_str::<Json>(text) {
                diagnostics(&json, found)
            }
        }
        _ => {}
    }
}

#[test]
fn errors_of_terraform() {
    let Some(path) = recorded("../modules/dev/errors.jsonl.gz") else { return };
    let text = decompressed(&path);
    let (mut same, mut same_summary, mut other, mut place, mut left_out) = (0, 0, 0, 0, Vec::new());
    for line in text.lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let name = row["name"].as_str().unwrap();
        let Some(config) =
            row["files"]["main.tf"].as_str().filter(|_| row["files"].as_object().unwrap().len() == 1)
        else {
            continue;
        };
        let mut recorded = Vec::new();
        diagnostics(&row["steps_1_15_5"], &mut recorded);
        if recorded.is_empty() {
            diagnostics(&row["steps"], &mut recorded);
        }
        let Some(want) = recorded.into_iter().find(|d| d["severity"] == "error") else { continue };
        let ours = match first_problem(config) {
            Ok(Some(ours)) => ours,
            Ok(None) => {
                left_out.push(name.to_owned());
                continue;
            }
            Err(_) => continue,
        };
        let summary = want["summary"].as_str().unwrap();
        let detail = want["detail"].as_str().unwrap_or_default();
        let starts = (
            want["range"]["start"]["line"].as_u64().unwrap_or(0),
            want["range"]["start"]["column"].as_u64().unwrap_or(0),
            want["range"]["end"]["column"].as_u64().unwrap_or(0),
        );
        let at = ours.position();
        let is_there = (at.line as u64, at.column as u64, ours.end_position().column as u64) == starts;
        let values: Vec<(String, String)> =
            want["snippet"]["values"].as_array().map_or(Vec::new(), |values| {
                values
                    .iter()
                    .map(|v| {
                        (
                            v["traversal"].as_str().unwrap().to_owned(),
                            v["statement"].as_str().unwrap().to_owned(),
                        )
                    })
                    .collect()
            });
        let our_values: Vec<(String, String)> =
            ours.values().iter().map(|v| (v.reference.clone(), v.statement.clone())).collect();
        if !is_there {
            place += 1;
        }
        if ours.summary() == summary && ours.detail() == detail && is_there && values == our_values {
            same += 1;
            continue;
        }
        if ours.summary() == summary && at.line as u64 == starts.0 {
            same_summary += 1
        } else {
            other += 1
        }
        println!(
            "{} {name}: {}\n   ours   {ours} {our_values:?}\n   theirs {starts:?}: {summary}: {detail} {values:?}",
            if ours.summary() == summary { "about" } else { "OTHER" },
            config.lines().nth(starts.0.saturating_sub(1) as usize).unwrap_or("")
        );
    }
    println!(
        "errors: {same} same, {same_summary} with the same summary and line, {other} other; {place} of these at another place; no error of ours in {left_out:?}"
    );
    assert!(
        same >= 31 && same + same_summary >= 35,
        "{same} same, {same_summary} with the same summary and line"
    );
}
