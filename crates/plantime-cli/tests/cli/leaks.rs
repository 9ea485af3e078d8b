//! What is behind a mark is in no output: secrets in every place of every input, all commands, formats and flags. Two
//! secrets of different lengths give the same bytes.

use serde_json::{Value, json};

use crate::{Run, file};

/// Stands for the secret in the inputs.
const HOLE: &str = "@";
/// What every secret begins with, so that patterns give one answer for all.
const CANARY: &str = "CANARY";
/// Two secrets of different lengths.
const SECRETS: [&str; 2] = ["CANARYa", "CANARYbbbbbbbbbbbbbbbbb"];

const PROVIDER: &str = "registry.terraform.io/x/x";

/// The values of a resource, with a secret in most attributes; `n` tells them apart.
fn values(n: &str) -> Value {
    let secret = |place: &str| format!("{HOLE}{n}{place}");
    json!({
        "plain": "x", "a": secret("a"), "schema": secret("schema"), "number": "7",
        "obj": {"n": secret("n"), "m": "x"}, "list": ["x", secret("l")], "map": {"k": secret("k"), "j": "x"},
        "keys": {secret("key"): "x"}, "set": [secret("s")], "json": format!("{{\"p\":\"{}\"}}", secret("j")),
        "lines": format!("{}\nx\n", secret("line")), "blk": [{"p": secret("p"), "q": "x"}],
    })
}

/// What is sensitive in them.
fn marks() -> Value {
    json!({
        "a": true, "schema": true, "obj": {"n": true}, "list": [false, true], "map": {"k": true}, "keys": true, "set": true, "json": true,
        "lines": true, "blk": [{"p": true}], "later": true,
    })
}

fn resource(name: &str, change: Value) -> Value {
    let mut resource = json!({
        "address": format!("x_y.{name}"), "mode": "managed", "type": "x_y", "name": name, "provider_name": PROVIDER,
        "schema_version": 0,
    });
    resource["change"] = change;
    resource
}

/// A change from one value to another. The plan marks what is sensitive on the sides that are named.
fn change(actions: &[&str], mut before: Value, after: Value, marked: &str) -> Value {
    // Not known yet after the change.
    if before.is_object() && !marked.is_empty() {
        before["later"] = json!(format!("{HOLE}{}", before["a"]));
    }
    let marks_of = |side: &str| if marked.contains(side) { marks() } else { json!({}) };
    let unknown =
        if after.is_null() { json!(false) } else { json!({"id": true, "computed": true, "later": true}) };
    json!({
        "actions": actions, "before": before, "after": after, "after_unknown": unknown,
        "before_sensitive": marks_of("before"), "after_sensitive": marks_of("after"),
        "replace_paths": if actions.len() > 1 { json!([["a"], ["map", "k"]]) } else { json!([]) },
    })
}

fn plan() -> Value {
    let both = "before after";
    let stored = |n: &str| {
        json!({"outputs": {"o": {"sensitive": true, "type": "string", "value": format!("{HOLE}{n}out")}},
            "root_module": {"resources": [{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
                "provider_name": PROVIDER, "schema_version": 0, "values": values(n), "sensitive_values": marks()}]}})
    };
    let mut deposed = resource("a", change(&["delete"], values("deposed"), Value::Null, both));
    deposed["deposed"] = json!("1a2b3c4d");
    let mut data = resource("d", change(&["read"], Value::Null, values("data"), both));
    data["address"] = json!("data.x_y.d");
    data["mode"] = json!("data");
    let mut moved = resource("m", change(&["update"], values("moved0"), values("moved1"), both));
    moved["previous_address"] = json!("x_y.old");
    let deferred = resource("l", change(&["create"], Value::Null, values("later"), both));
    json!({
        "format_version": "1.2", "terraform_version": "1.11.4",
        "variables": {"s": {"value": format!("{HOLE}var")}},
        "planned_values": stored("planned"),
        "prior_state": {"format_version": "1.0", "terraform_version": "1.11.4", "values": stored("prior")},
        "resource_drift": [resource("a", change(&["update"], values("drift0"), values("drift1"), both))],
        "resource_changes": [
            resource("a", change(&["update"], values("0"), values("1"), both)),
            deposed, data, moved,
            resource("after", change(&["update"], values("lost0"), values("lost1"), "after")),
            resource("before", change(&["update"], values("kept0"), values("kept1"), "before")),
            resource("c", change(&["create"], Value::Null, values("new"), both)),
            resource("g", change(&["delete"], values("gone"), Value::Null, both)),
            resource("r", change(&["delete", "create"], values("old"), values("again"), both)),
        ],
        "deferred_changes": [{"reason": "resource_config_unknown", "resource_change": deferred}],
        "output_changes": {
            "o": {"actions": ["update"], "before": format!("{HOLE}o0"), "after": format!("{HOLE}o1"), "after_unknown": false,
                "before_sensitive": true, "after_sensitive": true},
            "parts": {"actions": ["create"], "before": null, "after": values("parts"), "after_unknown": false,
                "before_sensitive": false, "after_sensitive": marks()},
        },
        "configuration": {"provider_config": {"x": {"name": "x", "full_name": PROVIDER}}, "root_module": {
            "variables": {"s": {"sensitive": true, "default": format!("{HOLE}default")}},
            "resources": [{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a", "provider_config_key": "x",
                "schema_version": 0, "expressions": {"a": {"references": ["var.s"]}}}],
        }},
        "applyable": true, "complete": true, "errored": false,
    })
}

/// A plan that marks nothing: only the schema says what is sensitive.
fn unmarked_plan() -> Value {
    let values = |n: &str| json!({"plain": "x", "schema": format!("{HOLE}{n}")});
    json!({
        "format_version": "1.2", "terraform_version": "1.11.4",
        "resource_changes": [
            resource("a", change(&["update"], values("0"), values("1"), "")),
            resource("c", change(&["create"], Value::Null, values("new"), "")),
        ],
        "applyable": true, "complete": true, "errored": false,
    })
}

fn schemas() -> Value {
    let text = |more: Value| {
        let mut attribute = json!({"type": "string", "optional": true, "computed": true});
        for (name, value) in more.as_object().expect("an object") {
            attribute[name] = value.clone();
        }
        attribute
    };
    let of = |ty: Value| json!({"type": ty, "optional": true, "computed": true});
    let plain = || text(json!({}));
    json!({"format_version": "1.0", "provider_schemas": {PROVIDER: {"resource_schemas": {"x_y": {"version": 0, "block": {
        "attributes": {
            "id": plain(), "computed": plain(), "later": plain(), "plain": plain(), "a": plain(), "schema": text(json!({"sensitive": true})),
            "number": of(json!("number")), "obj": of(json!(["object", {"n": "string", "m": "string"}])),
            "list": of(json!(["list", "string"])), "map": of(json!(["map", "string"])), "keys": of(json!(["map", "string"])),
            "set": of(json!(["set", "string"])), "json": plain(), "lines": plain(),
        },
        "block_types": {"blk": {"nesting_mode": "list", "block": {"attributes": {"p": plain(), "q": plain()}}}},
    }}}, "data_source_schemas": {"x_y": {"version": 0, "block": {"attributes": {"id": plain(), "a": plain()}}}}}}})
}

/// The state after the apply. Its writer knows of no marks, or of all.
fn state(marked: bool) -> Value {
    let resources = ["a", "after", "before", "c", "m", "r"].map(|name| {
        let mut values = values(&format!("state-{name}"));
        values["id"] = json!(format!("id-{name}"));
        values["computed"] = json!("c");
        values["later"] = json!(format!("{HOLE}later"));
        let sensitive = if marked { marks() } else { json!({}) };
        json!({"address": format!("x_y.{name}"), "mode": "managed", "type": "x_y", "name": name, "provider_name": PROVIDER,
            "schema_version": 0, "values": values, "sensitive_values": sensitive})
    });
    json!({"format_version": "1.0", "terraform_version": "1.11.4", "values": {
        "outputs": {"o": {"sensitive": marked, "type": "string", "value": format!("{HOLE}out")}},
        "root_module": {"resources": resources},
    }})
}

/// A configuration in which secrets come from everywhere and go everywhere.
const CONFIGURATION: &str = r#"
terraform {
  required_providers {
    x = { source = "x/x" }
  }
}
variable "t" {
  type      = object({ inner = string, list = list(string) })
  sensitive = true
}
variable "number" {
  type      = string
  sensitive = true
  validation {
    condition     = length(var.number) > 900
    error_message = "It is too short."
  }
}
locals {
  file  = sensitive(file("${path.module}/secret.txt"))
  tpl   = templatefile("${path.module}/t.tftpl", { s = var.s })
  upper = upper(var.s)
  keyed = { (var.s) = "x" }
  parts = split("", var.s)
  joined = join("-", [var.s, local.file])
  json  = jsonencode({ s = var.s })
  each  = [for x in var.t.list : "${x}!"]
  wrong = tonumber(var.s)
  index = { a = 1 }[var.s]
}
resource "x_y" "a" {
  a      = var.s
  plain  = "x"
  schema = local.joined
  obj    = { n = var.t.inner, m = "x" }
  list   = ["x", local.file]
  map    = { k = local.tpl, j = "x" }
  keys   = local.keyed
  json   = local.json
  blk {
    p = local.upper
    q = "x"
  }
  lifecycle {
    postcondition {
      condition     = self.a == "nothing"
      error_message = "Not so."
    }
  }
}
resource "x_y" "c" {
  a    = x_y.a.a
  list = local.each
}
output "o" {
  value     = local.joined
  sensitive = true
}
output "parts" {
  value     = [var.t, local.keyed, module.m.out]
  sensitive = true
}
output "leaked" {
  value = var.s
}
module "m" {
  source = "./m"
  s      = var.s
}
variable "s" {
  type      = string
  sensitive = true
  default   = "@default"
}
"#;

const MODULE: &str = r#"
variable "s" {}
output "out" {
  value = { inner = var.s }
}
"#;

/// Rules of every kind about every place.
fn rules() -> String {
    let texts = ["a", "schema", "obj.n", "list[1]", "map.k", "map[*]", "set[*]", "json", "lines", "blk[0].p"];
    let of_texts = [
        "equals = \"zzz\"",
        "matches = \"^CAN[A-Z]*[a-z0-9]*$\"",
        "min_len = 900",
        "max_len = 1",
        "one_of = [\"zzz\", \"yyy\"]",
        "format = \"cidr\"",
        "is_json = true",
        "without_characters = \"Y\"",
    ];
    let containers = ["obj", "list", "map", "keys", "set", "blk"];
    let of_containers = ["min_len = 900", "len = 3", "is_null = true"];
    let mut rules = String::new();
    let mut add = |place: &str, test: &str| {
        let number = rules.matches("rule ").count();
        let message = match number % 2 {
            0 => "",
            _ => "    message = \"{key} {value} {desc} {failure}\"\n",
        };
        rules.push_str(&format!(
            "rule \"r{number}\" {{\n  resource = \"x_y\"\n  attribute \"{place}\" {{\n    {test}\n{message}  }}\n}}\n"
        ));
    };
    texts.iter().for_each(|place| of_texts.iter().for_each(|test| add(place, test)));
    containers.iter().for_each(|place| of_containers.iter().for_each(|test| add(place, test)));
    for place in ["a", "map.k", "keys"] {
        rules.push_str(&format!(
            "rule \"change {place}\" {{\n  resource = \"x_y\"\n  change \"{place}\" {{ immutable = true }}\n}}\n"
        ));
    }
    rules
        + "rule \"key\" {\n  resource = \"x_y\"\n  attribute \"keys\" {\n    keys { starts_with = \"zzz\" }\n  }\n}\n"
}

/// The rules that can be asked of these values, one file for all: those that cannot are left out by asking them alone.
fn rules_files(folder: &str) -> [String; 3] {
    let open = "rule \"later\" {\n  resource = \"x_y\"\n  attribute \"later\" { format = \"cidr\" }\n}\n\
        rule \"either\" {\n  resource = \"x_y\"\n  any {\n    attribute \"later\" { equals = \"q\" }\n    attribute \"a\" { equals = \"q\" }\n  }\n}\n\
        rule \"output\" {\n  output = \"o\"\n  value { equals = \"zzz\" }\n}\n\
        rule \"output-parts\" {\n  output = \"parts\"\n  attribute \"a\" { starts_with = \"zzz\" }\n}\n\
        assume \"x_y\" {\n  a = assumed(stringprefix(\"zzz\"))\n}\nassume \"x_y\" {\n  later = assumed(stringprefix(\"zzz\"))\n}\n";
    let wrong = "rule \"wrong\" {\n  resource = \"x_y\"\n  attribute \"a\" { min = 3 }\n}\n";
    let around = "rule \"denied\" {\n  id = \"D-1\"\n  severity = \"low\"\n  resource = [\"**\", \"data.*\"]\n  deny = true\n}\n\
        rule \"drift\" {\n  resource = \"x_y\"\n  actions = [\"drift\"]\n  deny = true\n}\n\
        rule \"outputs\" {\n  output = \"*\"\n  deny = true\n}\n\
        skip {\n  ids = [\"D-1\"]\n  address = \"x_y.a\"\n  reason = \"r\"\n  until = \"2026-12-31\"\n}\n";
    file(&format!("{folder}/around.hcl"), around);
    [
        file(&format!("{folder}/rules.hcl"), rules()),
        file(&format!("{folder}/open.hcl"), open),
        file(&format!("{folder}/wrong.hcl"), wrong),
    ]
}

/// All runs: the arguments, in which `%` is the folder of the inputs.
fn runs() -> Vec<Vec<String>> {
    let mut runs: Vec<String> = Vec::new();
    let formats = ["text", "json", "sarif", "junit", "github", "html", "markdown"];
    for format in formats {
        runs.push(format!("check %/plan.json --rules %/around.hcl --now 2027-01-01 --format {format}"));
        runs.push(format!(
            "check %/plan.json --rules %/rules.hcl --schemas %/schemas.json --baseline %/baseline.json --format {format}"
        ));
    }
    for rules in ["rules", "open", "wrong"] {
        for format in formats {
            for more in ["", "--schemas %/schemas.json --config %/cf"] {
                runs.push(format!("check %/plan.json --rules %/{rules}.hcl --format {format} {more}"));
            }
        }
        let with = "--schemas %/schemas.json --config %/cf";
        for flags in [
            "--quiet",
            "--strict",
            "--only fail,undetermined",
            "--diagnostics snippets",
            "--color always",
            "--show-values",
        ] {
            runs.push(format!("check %/plan.json --rules %/{rules}.hcl {with} {flags}"));
        }
    }
    for format in formats {
        runs.push(format!(
            "check %/by-schema.json --rules %/schema.hcl --schemas %/schemas.json --format {format}"
        ));
    }
    for more in ["", "--plain", "--format html"] {
        runs.push(format!("show %/by-schema.json --schemas %/schemas.json {more}"));
    }
    for state in ["unmarked", "marked"] {
        for format in ["text", "json"] {
            for more in ["", "--schemas %/schemas.json", "--plan %/plan.json --schemas %/schemas.json"] {
                runs.push(format!(
                    "verify %/obligations.json --state %/{state}.json --format {format} {more}"
                ));
            }
        }
    }
    // The JSON of a plan is the plan, as `terraform show -json` writes it.
    for format in ["text", "text --plain", "text --known", "html", "html --config %/cf"] {
        runs.push(format!("show %/plan.json --format {format} --schemas %/schemas.json"));
        runs.push(format!("show %/plan.json --format {format}"));
    }
    for format in ["text", "json"] {
        runs.push(format!("show %/plan.json %/other.json --format {format} --schemas %/schemas.json"));
        runs.push(format!("validate %/cf --sensitive --format {format} --schemas %/schemas.json"));
    }
    let names = [
        "x_y.a",
        "x_y.a.a",
        "x_y.c.list",
        "output.o",
        "output.parts",
        "local.joined",
        "module.m.output.out",
        "var.s",
    ];
    for format in ["text", "json", "dot"] {
        for name in names {
            runs.push(format!(
                "why {name} --plan %/plan.json --config %/cf --schemas %/schemas.json --format {format}"
            ));
        }
        runs.push(format!(
            "why --roots --plan %/plan.json --config %/cf --format {format} --rules %/open.hcl"
        ));
    }
    let expressions = [
        "x_y.a",
        "x_y.a.keys",
        "var.s",
        "var.t",
        "local.keyed",
        "local.parts",
        "local.joined",
        "[local.each]",
        "tonumber(local.joined)",
        "local.index",
        "{(var.s)=1}",
        "var.s+1",
        "file(var.s)",
        "var.t[var.s]",
        "module.m.out",
        "length(local.parts)",
        "nope(var.s)",
        "regex(var.s,\"[\")",
        "cidrhost(var.s,1)",
        "templatestring(var.s,{})",
        "coalesce(var.s)",
        "keys(local.keyed)",
    ];
    for expression in expressions {
        runs.push(format!("eval {expression} --config %/cf --schemas %/schemas.json"));
        runs.push(format!("eval {expression} --plan %/plan.json --config %/cf"));
    }
    runs.iter().map(|run| run.split_whitespace().map(str::to_owned).collect()).collect()
}

/// Writes the inputs with a secret in each hole, and returns how many there are.
fn write_inputs(folder: &str, secret: &str) -> usize {
    let mut holes = 0;
    let mut write = |name: &str, text: &str| {
        holes += text.matches(HOLE).count();
        file(&format!("{folder}/{name}"), text.replace(HOLE, secret))
    };
    write("plan.json", &plan().to_string());
    write("other.json", &plan().to_string().replace("\"@", "\"@other-"));
    write("by-schema.json", &unmarked_plan().to_string());
    write("unmarked.json", &state(false).to_string());
    write("marked.json", &state(true).to_string());
    write("cf/main.tf", CONFIGURATION);
    write("cf/m/main.tf", MODULE);
    write("cf/secret.txt", "@file");
    write("cf/t.tftpl", "@template ${s}");
    write(
        "cf/terraform.tfvars",
        "s = \"@tfvars\"\nt = { inner = \"@inner\", list = [\"@one\", \"@two\"] }\nnumber = \"@number\"\n",
    );
    write("schemas.json", &schemas().to_string());
    rules_files(folder);
    let rules = ["schema { equals = ", "plain { equals = "].map(|test| test.replace(" {", "\" {"));
    let rule = |(i, test): (usize, &String)| {
        format!("rule \"s{i}\" {{\n  resource = \"x_y\"\n  attribute \"{test} \"zzz\" }}\n}}\n")
    };
    file(&format!("{folder}/schema.hcl"), rules.iter().enumerate().map(rule).collect::<String>());
    holes
}

fn run(arguments: &[String], folder: &str) -> Run {
    std::process::Command::new(env!("CARGO_BIN_EXE_plantime"))
        .current_dir(folder)
        .args(arguments.iter().map(|argument| argument.replace("%/", "")))
        .output()
        .expect("the command runs")
        .into()
}

/// The output without what differs for a reason: the hash of the plan and the seconds.
fn compared(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '.');
    let is_hash = |word: &str| {
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut kept: String = words.map(|word| if is_hash(word) { "#" } else { word }).collect();
    while let Some(at) = kept.find(" s.\n") {
        let start = kept[..at].rfind(' ').unwrap_or(0);
        kept.replace_range(start..at + 3, " seconds");
    }
    kept
}

/// Whether a text has something of a secret in it, also in another form.
fn leaks(text: &str) -> bool {
    let upper = text.to_uppercase();
    let reversed: String = CANARY.chars().rev().collect();
    upper.contains(CANARY)
        || upper.contains(&reversed)
        || upper.contains("C, A, N, A")
        || upper.contains("Q0FOQVJZ")
}

#[test]
fn nothing_behind_a_mark_is_in_any_output() {
    let folders = [0, 1].map(|at| format!("leaks/{at}"));
    let mut faults = Vec::new();
    let mut outputs: Vec<Vec<String>> = Vec::new();
    for (folder, secret) in folders.iter().zip(SECRETS) {
        let holes = write_inputs(folder, secret);
        assert!(holes >= 200, "{holes} places");
        let folder = file(&format!("{folder}/here"), "").replace("/here", "");
        let mut written = Vec::new();
        let line = "check %/plan.json --rules %/open.hcl --no-schema-facts --obligations %/obligations.json --output %/report.txt";
        let known = "check %/plan.json --rules %/rules.hcl --schemas %/schemas.json --config %/cf --write-baseline %/baseline.json";
        run(&known.split(' ').map(str::to_owned).collect::<Vec<_>>(), &folder);
        let baseline = std::fs::read_to_string(format!("{folder}/baseline.json")).unwrap_or_default();
        assert!(baseline.contains("\"rule\""), "{baseline}");
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let made = run(&arguments, &folder);
        let obligations = std::fs::read_to_string(format!("{folder}/obligations.json")).unwrap_or_default();
        assert!(obligations.contains("\"later\""), "{} {}", made.out, made.err);
        assert!(obligations.contains("\"sensitive\""), "{obligations}");
        let report = std::fs::read_to_string(format!("{folder}/report.txt")).unwrap_or_default();
        let files = [
            ("obligations", &obligations),
            ("report", &report),
            ("errors", &made.err),
            ("baseline", &baseline),
        ];
        for (name, text) in files {
            if leaks(text) {
                faults.push(format!("{name}: {}", around(text)));
            }
            written.push(compared(text));
        }
        for arguments in runs() {
            let run = run(&arguments, &folder);
            let text = format!("status {}\n{}{}", run.status, run.out, run.err);
            if leaks(&text) {
                faults.push(format!("{}: {}", arguments.join(" "), around(&text)));
            }
            written.push(compared(&text));
        }
        outputs.push(written);
    }
    let names = ["obligations", "report", "errors", "baseline"].map(str::to_owned).into_iter();
    let names = names.chain(runs().into_iter().map(|arguments| arguments.join(" ")));
    for ((name, first), second) in names.zip(&outputs[0]).zip(&outputs[1]) {
        if first != second {
            let differs = first.lines().zip(second.lines()).find(|(a, b)| a != b);
            faults.push(format!("{name} differs: {differs:?}"));
        }
    }
    // A run that can say nothing hides nothing.
    let answered = outputs[0].iter().filter(|text| !text.contains("status 2\n")).count();
    assert!(answered > 100, "{answered} of {} runs have an answer", outputs[0].len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// The part of a text in which something of a secret is.
fn around(text: &str) -> String {
    let line = text.lines().find(|line| leaks(line)).unwrap_or_default();
    line.chars().take(400).collect()
}
