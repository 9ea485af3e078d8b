//! What comes from a file controls no terminal, forges no line, and hides nothing from who reads the output.

use serde_json::{Value, json};

use crate::{Run, file};

/// What must not be written as it is.
const HOSTILE: &str = "\u{1b}[31m\u{7}\r\u{8}\u{7f}\u{85}\u{9b}0m\u{ad}\u{61c}\u{200b}\u{200e}\u{202e}\u{2028}\u{2029}\u{2060}\u{2066}\u{feff}\u{e0041}";
/// Lines that another program takes for its own.
const FORGED: &str = "\n::error file=x::forged\nChecks: 9 pass, 0 fail\n";

/// A text with all of it.
fn text(name: &str) -> String {
    format!("{name}{HOSTILE}{FORGED}z")
}

fn plan() -> Value {
    let change = |actions: &[&str], before: Value, after: Value| {
        json!({"actions": actions, "before": before, "after": after, "after_unknown": {"id": true},
            "before_sensitive": {}, "after_sensitive": {}})
    };
    let (key, in_line) = (text("key"), format!("v{HOSTILE}"));
    let after = json!({"name": in_line, "tags": {key: in_line}, "list": [in_line]});
    let resource = |name: &str, change: Value| {
        json!({"address": format!("x_y.{}", text(name)), "module_address": null, "mode": "managed", "type": "x_y",
            "name": text(name), "index": text("index"), "provider_name": text("provider"), "action_reason": text("reason"),
            "deposed": null, "change": change})
    };
    let mut deposed = resource("deposed", change(&["delete"], after.clone(), Value::Null));
    deposed["deposed"] = json!(text("deposed"));
    let mut moved = resource("moved", change(&["update"], json!({"name": "x"}), after.clone()));
    moved["previous_address"] = json!(text("x_y.previous"));
    json!({
        "format_version": "1.2", "terraform_version": text("1.11.4"),
        "resource_changes": [
            resource("created", change(&["create"], Value::Null, after.clone())), deposed, moved,
            resource("other", change(&[&text("action")], json!({"name": "y"}), after)),
        ],
        "output_changes": {text("output"): change(&["create"], Value::Null, json!(in_line))},
        "checks": [{"address": {"kind": "check", "name": "c", "to_display": text("check.c")}, "status": "fail",
            "instances": [{"address": {"to_display": text("check.c")}, "status": "fail",
                "problems": [{"message": text("it is odd.")}]}]}],
        "relevant_attributes": [{"resource": text("x_y.relevant"), "attribute": [text("a")]}],
        "configuration": {"root_module": {"resources": [{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
            "expressions": {"name": {"references": [text("var.a")]}}}]}},
        "applyable": true, "complete": true, "errored": false,
    })
}

fn rules() -> String {
    let in_hcl = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c == '\n' {
                    "\\n".to_owned()
                } else if c.is_ascii_graphic() || c == ' ' {
                    c.to_string()
                } else {
                    format!("\\U{:08x}", u32::from(c))
                }
            })
            .collect()
    };
    let of = |name: &str| in_hcl(&text(name));
    format!(
        "rule \"{}\" {{\n  description = \"{}\"\n  resource = \"x_y\"\n  attribute \"name\" {{\n    equals = \"{}\"\n    message = \"{} {{value}}\"\n  }}\n}}\n\
         rule \"open\" {{\n  description = \"{}\"\n  resource = \"x_y\"\n  attribute \"id\" {{ starts_with = \"{}\" }}\n}}\n\
         rule \"s\" {{\n  resource = \"x_y\"\n  attribute \"tags[*]\" {{ equals = \"q\" }}\n}}\n\
         skip \"s\" {{\n  address = \"x_y.*\"\n  reason = \"{}\"\n}}\n",
        of("rule"),
        of("description"),
        of("value"),
        of("message"),
        of("open"),
        of("prefix"),
        of("skipped"),
    )
}

fn obligations() -> Value {
    json!({"format_version": "1.0", "plan": text("plan"), "sha256": text("hash"), "terraform_version": text("1.0"),
    "rules": text("rules"), "obligations": [
        {"address": text("x_y.a"), "path": "id", "assumed": "notnull(stringprefix(\"vpc-\"))", "origin": text("origin")},
        {"address": "x_y.a", "path": "id", "rule": text("rule"), "description": text("description"), "severity": "error",
            "claim": text("claim"), "must": null, "not_verifiable": text("why"), "passes_if": text("if"), "waits_for": [text("w")]},
        {"address": "x_y.a", "path": "id", "same_as": {"address": text("x_y.b"), "path": "id"}, "origin": text("origin")},
    ]})
}

#[test]
fn no_text_of_a_file_reaches_a_terminal_as_it_is() {
    let write = |name: &str, content: &str| file(&format!("terminal/{name}"), content);
    let folder = write("here", "").replace("/here", "");
    write("plan.json", &plan().to_string());
    write("other.json", &plan().to_string().replace("\"v", "\"w"));
    write("rules.hcl", &rules());
    write("obligations.json", &obligations().to_string());
    let state = json!({"format_version": "1.0", "terraform_version": text("1.11.4"), "values": {"root_module": {"resources": [
        {"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a", "values": {"id": text("id")}, "sensitive_values": {}}]}}});
    write("state.json", &state.to_string());
    let quoted = serde_json::to_string(&format!("v{HOSTILE}")).expect("JSON").replace("\\b", "\\u0008");
    write("cf/main.tf", &format!("locals {{\n  a = {quoted}\n  b = nope({quoted})\n  # {HOSTILE}\n}}\n"));
    let mut runs: Vec<String> = Vec::new();
    for format in ["text", "json", "sarif", "junit", "github", "html", "markdown"] {
        runs.push(format!("check %/plan.json --rules %/rules.hcl --format {format}"));
    }
    for flags in ["--quiet", "--diagnostics snippets", "--only fail"] {
        runs.push(format!("check %/plan.json --rules %/rules.hcl {flags}"));
    }
    for format in ["text", "json"] {
        runs.push(format!("verify %/obligations.json --state %/state.json --format {format}"));
        runs.push(format!("show %/plan.json %/other.json --format {format}"));
        runs.push(format!("validate %/cf --sensitive --format {format}"));
        runs.push(format!("why --roots --plan %/plan.json --config %/cf --format {format}"));
    }
    for more in ["", "--plain", "--format html"] {
        runs.push(format!("show %/plan.json {more}"));
    }
    for expression in ["local.a", "local.b", "[local.a]", "x_y.a"] {
        runs.push(format!("eval {expression} --config %/cf"));
        runs.push(format!("eval {expression} --config %/cf --plan %/plan.json"));
        runs.push(format!("why {expression} --config %/cf --plan %/plan.json"));
    }
    let mut faults = Vec::new();
    for run in &runs {
        let output: Run = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"))
            .args(run.split_whitespace().map(|argument| argument.replace('%', &folder)))
            .output()
            .expect("the command runs")
            .into();
        for text in [&output.out, &output.err] {
            let raw = text.chars().find(|c| HOSTILE.contains(*c) && !c.is_ascii_graphic());
            // A runner of GitHub takes a line for a command wherever in it that begins, behind spaces.
            let is_forged = |line: &&str| {
                let line = line.trim_start();
                line.starts_with("::error file=x") || line.starts_with("Checks: 9")
            };
            let forged =
                text.lines().find(is_forged).filter(|_| !run.contains("html") && !run.contains("junit"));
            if raw.is_some() || forged.is_some() {
                faults.push(format!("{run}: {raw:?} {forged:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
