//! Signatures against those that Terraform writes with `metadata functions -json`, where these lie beside the checkout:
//! `$PLANTIME_REAL`, else `../shared/real/dev`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plantime::function::Functions;
use serde_json::Value as Json;

/// Functions with another signature, and why.
const OTHERWISE: &[(&str, &str)] = &[
    ("contains", "null can be looked for, as in cty, and the result is a bool whatever is looked for"),
    ("convert", "a type is a value of a type of its own"),
    ("csvdecode", "the result is a list whatever the text is"),
    ("index", "the result is a number whatever is looked for"),
    ("sum", "the result is a number whatever is summed up"),
];

fn theirs() -> Option<BTreeMap<String, Json>> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/dev");
    let path = named.unwrap_or_else(beside).join("terraform-metadata/functions.json.gz");
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: there is no {} (PLANTIME_REAL names another folder)", path.display());
        return None;
    };
    let json: Json = serde_json::from_str(&crate::packed::text(file)).unwrap();
    serde_json::from_value(json["function_signatures"].clone()).ok()
}

/// What counts of a parameter: name, type, and whether it can be null.
fn parameter(json: &Json) -> String {
    let null = if json["is_nullable"] == true { " or null" } else { "" };
    format!("{} {}{null}", json["name"].as_str().unwrap_or_default(), json["type"])
}

fn signature(json: &Json) -> String {
    let fixed = json["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fixed: Vec<String> = fixed.iter().map(parameter).collect();
    let more = json.get("variadic_parameter").map(|more| format!("; {}…", parameter(more)));
    format!("({}{}) {}", fixed.join(", "), more.unwrap_or_default(), json["return_type"])
}

#[test]
fn signatures_are_those_of_terraform() {
    let Some(theirs) = theirs() else { return };
    let ours = serde_json::to_value(Functions::standard()).unwrap();
    let ours = ours["function_signatures"].as_object().unwrap();
    let (mut same, mut wrong) = (0, Vec::new());
    for (name, ours) in ours {
        let Some(theirs) = theirs.get(name) else { continue };
        let (ours, theirs) = (signature(ours), signature(theirs));
        let reason = OTHERWISE.iter().find(|(function, _)| function == name);
        match (ours == theirs, reason) {
            (true, None) => same += 1,
            (false, Some(_)) => {}
            (true, Some(_)) => wrong.push(format!("{name} is the same by now")),
            (false, None) => wrong.push(format!("{name}\n    ours   {ours}\n    theirs {theirs}")),
        }
    }
    println!("{same} signatures are the same, {} otherwise for a reason", OTHERWISE.len());
    assert!(
        wrong.is_empty(),
        "{} signatures differ from Terraform's: make them the same, or give the reason in OTHERWISE of \
         tests/functions/metadata.rs\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
