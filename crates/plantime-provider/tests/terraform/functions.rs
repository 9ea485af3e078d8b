//! The functions of the provider `plantime`.

use std::path::Path;

use crate::support::{Host, Workspace, hosts};

/// A workspace with the provider `plantime` and outputs on values that are not known before the apply.
fn workspace(host: &Host, outputs: &[(&str, &str)]) -> Workspace {
    let executable = Path::new(env!("CARGO_BIN_EXE_terraform-provider-plantime"));
    let workspace = Workspace::new("plantime", executable, &[]).on(host);
    let mut text = String::from(
        "resource \"terraform_data\" \"text\" {\n  input = \"vpc-1\"\n}\n\
         resource \"terraform_data\" \"ports\" {\n  input = tolist([80, 443])\n}\n\
         resource \"terraform_data\" \"port\" {\n  input = 80\n}\n\
         locals {\n  text = terraform_data.text.output\n  ports = terraform_data.ports.output\n  port = terraform_data.port.output\n}\n",
    );
    for (name, expression) in outputs {
        text.push_str(&format!("output \"{name}\" {{\n  value = {expression}\n}}\n"));
    }
    workspace.write("main.tf", &text);
    workspace.terraform(&["init"]);
    workspace
}

#[test]
fn assumptions_decide_outputs_at_plan_and_hold_at_apply() {
    hosts().iter().for_each(check_assumptions);
}

fn check_assumptions(host: &Host) {
    let workspace = workspace(
        host,
        &[
            ("not_null", "provider::plantime::assume_not_null(tolist(local.ports)) != null"),
            ("prefix", "startswith(provider::plantime::assume_string_prefix(local.text, \"vpc-\"), \"vpc\")"),
            ("range", "provider::plantime::assume_number_range(tonumber(local.port), 1, 1024) < 2000"),
            ("open", "provider::plantime::assume_number_range(tonumber(local.port), 1, null) > 0"),
            ("length", "length(provider::plantime::assume_length(tolist(local.ports), 2, 2)) == 2"),
            (
                "refined",
                "startswith(provider::plantime::assume_refinement(tostring(local.text), \"notnull(stringprefix(\\\"vpc-\\\"))\"), \"vpc\")",
            ),
            (
                "typed",
                "provider::plantime::assume_not_null(provider::plantime::assume_type(local.ports, \"list(number)\")) != null",
            ),
            ("equal", "provider::plantime::assume_equal(local.text, \"vpc-1\") == \"vpc-1\""),
            ("kept", "startswith(provider::plantime::convert(\"vpc-${local.text}\", \"string\"), \"vpc-\")"),
            ("fails", "provider::plantime::satisfies(\"vpc-${local.text}\", { starts_with = \"subnet-\" })"),
            ("holds", "provider::plantime::satisfies(\"vpc-${local.text}\", { starts_with = \"vpc-\" })"),
            ("untyped", "provider::plantime::assume_not_null(local.ports) != null"),
            ("later", "provider::plantime::satisfies(local.text, { starts_with = \"vpc-\" })"),
        ],
    );
    let mut planned = workspace.terraform(&["plan"]);
    for name in
        ["not_null", "prefix", "range", "open", "length", "refined", "typed", "equal", "kept", "holds"]
    {
        planned = planned.prints(&format!("+ {name} = true"));
    }
    planned.prints("+ fails = false").prints("+ later = (known after apply)");
    let applied = workspace
        .terraform(&["apply", "-auto-approve"])
        .prints("later = true")
        .prints("untyped = true")
        .prints("fails = false");
    applied.prints("length = true").prints("equal = true");
    workspace.terraform(&["plan"]).prints("No changes.");
}

#[test]
fn a_wrong_assumption_is_an_error_of_the_call() {
    hosts().iter().for_each(check_wrong_assumptions);
}

fn check_wrong_assumptions(host: &Host) {
    let workspace =
        workspace(host, &[("prefix", "provider::plantime::assume_string_prefix(local.text, \"subnet-\")")]);
    workspace.terraform(&["plan"]).prints("prefix = (known after apply)");
    workspace.terraform(&["apply", "-auto-approve"]).fails_with("Error: Error in function call");
    // What was known in the plan is not computed at apply, so the next plan is the first to tell.
    let decided =
        "startswith(provider::plantime::assume_string_prefix(local.text, \"subnet-\"), \"subnet-\")";
    let workspace = self::workspace(host, &[("decided", decided)]);
    workspace.terraform(&["plan"]).prints("+ decided = true");
    workspace.terraform(&["apply", "-auto-approve"]).prints("decided = true");
    workspace.terraform(&["plan"]).fails_with("Error: Error in function call");
    let known = self::workspace(host, &[("none", "provider::plantime::assume_not_null(null)")]);
    known.terraform(&["plan"]).fails_with("Error: Error in function call");
    let rule = self::workspace(host, &[("rule", "provider::plantime::satisfies(1, { starts_wit = \"a\" })")]);
    rule.terraform(&["plan"]).fails_with("starts_with");
}
