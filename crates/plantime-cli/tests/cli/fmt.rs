//! `plantime fmt`.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::{Run, file, run};

fn fmt(arguments: &[&str]) -> Run {
    run(&[&["fmt"], arguments].concat())
}

#[test]
fn files_are_written_in_the_format() {
    let rules =
        file("fmt/r.hcl", "rule r {\nresource=\"aws_vpc\" # all\n attribute \"id\" {not_null=true}\n}\n");
    let checked = fmt(&["--check", &rules]);
    assert_eq!((checked.status, checked.out), (1, format!("{rules}\n")));
    let run = fmt(&[&rules]);
    assert_eq!((run.status, run.out), (0, format!("{rules}\n")));
    let expected =
        "rule \"r\" {\n  resource = \"aws_vpc\" # all\n  attribute \"id\" { not_null = true }\n}\n";
    assert_eq!(fs::read_to_string(&rules).expect("the file"), expected);
    let again = fmt(&["--check", &rules]);
    assert_eq!((again.status, again.out.as_str()), (0, ""));
    // What is written as `terraform fmt` writes it.
    let main = file("fmt/main.tf", "output x {\n value=\"${var.a}\"\n}\n");
    assert_eq!(fmt(&[&main]).status, 0);
    assert_eq!(fs::read_to_string(&main).expect("the file"), "output \"x\" {\n  value = var.a\n}\n");
}

#[test]
fn a_file_that_is_no_hcl_is_not_touched() {
    let text = "rule \"r\" {\n  resource = = 1\n}\n";
    let rules = file("fmt/wrong.hcl", text);
    let run = fmt(&[&rules]);
    assert!(run.status == 2 && run.err.contains("wrong.hcl:2:14: Invalid expression"), "{}", run.err);
    assert_eq!(fs::read_to_string(&rules).expect("the file"), text);
    assert!(fmt(&["/no/such/file"]).status == 2);
    let json = file("fmt/main.tf.json", "{\"locals\": {\"a\": 1}}");
    let run = fmt(&[&json]);
    assert!(run.status == 2 && run.err.contains("main.tf.json: JSON has no canonical format"), "{}", run.err);
}

#[test]
fn standard_input_is_written_to_standard_output() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plantime"))
        .args(["fmt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(b"skip r {\nreason=\"x\"\n}\n").expect("the command reads");
    let run: Run = child.wait_with_output().expect("the command ends").into();
    assert_eq!((run.status, run.out.as_str()), (0, "skip \"r\" {\n  reason = \"x\"\n}\n"));
}
