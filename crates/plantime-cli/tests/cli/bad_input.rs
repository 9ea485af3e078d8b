//! What cannot be used: one clear error that names the file and the place, status 2, and nothing else.

use crate::{DATA, TFPLAN, check, file, has};

const RULES: &str = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { not_null = true }\n}\n";

/// The one error of a run.
#[track_caller]
fn error(arguments: &[&str], expected: &str) {
    let run = check(arguments);
    assert_eq!(run.status, 2, "{}", run.err);
    assert_eq!(run.out, "");
    assert_eq!(run.err.matches("error: ").count(), 1, "{}", run.err);
    assert!(run.err.starts_with("error: "), "{}", run.err);
    has(&run.err, expected);
}

#[track_caller]
fn plan(name: &str, content: impl AsRef<[u8]>, expected: &str) {
    let rules = file("bad/rules.hcl", RULES);
    error(&[&file(&format!("bad/{name}"), content), "--rules", &rules], &format!("bad/{name}: {expected}"));
}

#[track_caller]
fn rules(name: &str, content: impl AsRef<[u8]>, expected: &str) {
    let rules = file(&format!("bad/{name}"), content);
    error(&[&format!("{DATA}/plan.json"), "--rules", &rules], &format!("bad/{name}:{expected}"));
}

#[test]
fn a_plan_that_is_not_json() {
    plan("text.json", "Plan: 2 to add\n", "");
    plan("word.json", "nope\n", "not JSON: null expected at line 1 column 1");
    plan("open.json", "[1,\n 2", "not JSON: ");
    plan("deep.json", "[".repeat(100_000), "");
    plan("cut.json", "{\"format_version\": \"1.2\",\n \"resource_changes\": [", "");
    plan("empty.json", "", "");
}

#[test]
fn errors_in_json_have_a_place() {
    let path = file("bad/place.json", "{\"format_version\": \"1.2\",\n  \"resource_changes\": [,]}");
    let run = check(&[&path, "--rules", &file("bad/rules.hcl", RULES)]);
    has(&run.err, "at line 2 column ");
}

#[test]
fn json_that_is_not_a_plan() {
    plan("other.json", "{\"a\": 1}", "");
    plan("list.json", "[]", "");
    let schemas = std::fs::read(format!("{DATA}/provider-schemas.json")).expect("the file is there");
    plan("schemas.json", schemas, "");
}

#[test]
fn a_plan_of_another_major_format() {
    plan("format.json", "{\"format_version\": \"2.0\", \"resource_changes\": []}", "");
    let run = check(&[
        &file("bad/format.json", "{\"format_version\": \"2.0\", \"resource_changes\": []}"),
        "--rules",
        &file("bad/rules.hcl", RULES),
    ]);
    has(&run.err, "2.0");
}

#[test]
fn a_binary_plan_that_is_damaged() {
    plan("tfplan", b"PK\x03\x04rest", "the plan file is damaged: it is a zip archive that cannot be read");
}

#[test]
fn a_plan_that_nests_too_deep() {
    let deep =
        format!("{{\"format_version\": \"1.2\", \"x\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    plan("deep.json", deep, "");
}

#[test]
fn a_plan_that_is_not_utf8() {
    plan("latin1.json", b"{\"format_version\": \"1.2\", \"resource_changes\": [\"\xff\"]}", "");
}

#[test]
fn a_file_that_cannot_be_read() {
    let rules = file("bad/rules.hcl", RULES);
    error(&["no-such.json", "--rules", &rules], "error: no-such.json: no such file or directory");
    error(
        &[&format!("{DATA}/config"), "--rules", &rules],
        "tests/network/config: no *.json or *.tfplan files",
    );
    let plan = format!("{DATA}/plan.json");
    error(&[&plan, "--rules", "no-such.hcl"], "error: no-such.hcl: no such file or directory");
    error(&[&plan, "--rules", &rules, "--schemas", "no-such.json"], "error: no-such.json: no such file");
}

#[test]
fn a_file_above_the_size_limit() {
    let (plan, rules) = (format!("{DATA}/plan.json"), file("bad/rules.hcl", RULES));
    let run = check(&[&plan, "--rules", &rules, "--max-input-size", "10KiB"]);
    assert_eq!(run.status, 2);
    has(&run.err, "plan.json: larger than 10240 bytes; --max-input-size raises the limit");
    assert_eq!(check(&[&plan, "--rules", &rules, "--max-input-size", "1MiB"]).status, 0);
}

#[test]
fn no_rules() {
    error(&[&format!("{DATA}/plan.json")], "error: no rules given: add --rules FILE");
}

#[test]
fn schemas_that_are_none() {
    let (plan, rules) = (format!("{DATA}/plan.json"), file("bad/rules.hcl", RULES));
    error(&[&plan, "--rules", &rules, "--schemas", &plan], "plan.json: ");
}

#[test]
fn rules_that_are_not_hcl() {
    rules("not.hcl", "rule \"r\" {\n  resource = = 1\n}\n", "2:14: ");
    rules("json.hcl", "{\"a\": 1}", "1:1: ");
    rules("latin1.hcl", b"rule \"r\" {\n  # \xff\n}\n", "2:5: this is not UTF-8");
    rules("one-line.hcl", "rule \"r\" { resource = \"a\" when {} }\n", "1:");
}

#[test]
fn rules_that_nest_too_deep() {
    rules("parentheses.hcl", format!("x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000)), "1:");
    rules("bangs.hcl", format!("x = {}true\n", "!".repeat(100_000)), "1:");
    rules("blocks.hcl", "a {\n".repeat(100_000), "");
    rules("templates.hcl", format!("x = {}", "\"${".repeat(100_000)), "1:");
    rules("lists.hcl", format!("x = {}", "[".repeat(100_000)), "1:");
}

#[test]
fn a_path_that_the_schema_does_not_have() {
    let text = "rule \"r\" {\n  resource = \"aws_subnet\"\n  attribute \"vpc_ip\" { not_null = true }\n}\n";
    let path = file("bad/path.hcl", text);
    let schemas = format!("{DATA}/provider-schemas.json");
    let run = check(&[&format!("{DATA}/plan.json"), "--rules", &path, "--schemas", &schemas]);
    let message = "bad/path.hcl:3:24: aws_subnet.main[\"app\"]: there is no attribute \"vpc_ip\"; did you mean \"vpc_id\"?";
    assert!(run.status == 2 && run.err.contains(message), "{}", run.err);
    // Rules about other places are answered all the same; this one is named as not asked.
    assert!(
        run.out.contains("there is no attribute \"vpc_ip\"") && run.out.contains("0 pass"),
        "{}",
        run.out
    );
}

#[test]
fn a_test_that_cannot_read_its_value() {
    let text = "rule \"r\" {\n  resource = \"aws_subnet\"\n  attribute \"ipv4_netmask_length\" { starts_with = \"2\" }\n}\n";
    let path = file("bad/misuse.hcl", text);
    let schemas = format!("{DATA}/provider-schemas.json");
    error(
        &[&format!("{DATA}/plan.json"), "--rules", &path, "--schemas", &schemas],
        "starts_with needs a string, but the value is a number",
    );
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let mut plan = b"\xef\xbb\xbf".to_vec();
    plan.extend(std::fs::read(format!("{DATA}/plan.json")).expect("the file is there"));
    let run =
        check(&[&file("bad/bom.json", plan), "--rules", &file("bad/bom.hcl", format!("\u{feff}{RULES}"))]);
    assert_eq!(run.status, 0, "{}", run.err);
}

#[test]
fn an_action_that_is_not_known_is_not_taken_for_none() {
    let plan = r#"{"format_version": "1.2", "resource_changes": [{"address": "x_y.b", "mode": "managed", "type": "x_y",
        "name": "b", "change": {"actions": ["explode"], "before": null, "after": {"name": "n"}, "after_unknown": {},
        "before_sensitive": false, "after_sensitive": {}}}]}"#;
    let rules = "rule \"r\" {\n  resource = \"x_y\"\n  attribute \"name\" { not_null = true }\n}\n";
    let run = check(&[&file("bad/action.json", plan), "--rules", &file("bad/action.hcl", rules)]);
    has(
        &run.out,
        "\n  # x_y.b has an action that is not known here: explode\n  ? resource \"x_y\" \"b\" {\n",
    );
}

/// What `terraform plan -out` and `tofu plan -out` may write that is no plan to read.
#[test]
fn plan_files_that_cannot_be_read_say_why() {
    let cloud = "{\"remote_plan_format\":1,\"run_id\":\"run-1\",\"hostname\":\"app.terraform.io\"}";
    let encrypted = "{\"meta\":{\"key_provider.pbkdf2.a\":\"e30=\"},\"encrypted_data\":\"c2VjcmV0\",\"encryption_version\":\"v0\"}";
    plan("cloud.tfplan", cloud, "not a plan: this is the bookmark of a plan that is stored in HCP Terraform");
    plan(
        "encrypted.tfplan",
        encrypted,
        "not a plan: it is encrypted by OpenTofu; write it as JSON with `tofu show -json FILE`",
    );
    let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    plan("empty.tfplan", empty, "not a plan: it is a zip archive without the file `tfplan`");
    let whole = std::fs::read(TFPLAN).expect("the file is there");
    plan(
        "cut.tfplan",
        &whole[..whole.len() / 2],
        "the plan file is damaged: it is a zip archive that cannot be read",
    );
    // A bit of the content of the first file is another.
    let mut flipped = whole.clone();
    flipped[100] ^= 1;
    plan("flipped.tfplan", flipped, "the plan file is damaged: ");
}

#[test]
fn plan_files_that_cannot_be_shown_say_why() {
    let whole = std::fs::read(TFPLAN).expect("the file is there");
    for (name, content, expected) in [
        ("cloud", &b"{\"remote_plan_format\":1}"[..], "stored in HCP Terraform"),
        ("encrypted", b"{\"meta\":{},\"encrypted_data\":\"\"}", "encrypted by OpenTofu"),
        ("cut", &whole[..whole.len() - 30], "the plan file is damaged"),
    ] {
        for format in ["text", "json", "html"] {
            let path = file(&format!("bad/show-{name}-{format}.tfplan"), content);
            let shown = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"))
                .args(["show", &path, "--format", format])
                .output();
            let shown: crate::Run = shown.expect("the command runs").into();
            assert_eq!((shown.status, &*shown.out), (2, ""), "{name} as {format}");
            has(&shown.err, expected);
        }
    }
}
