//! The bundled example: what the first command of the README prints.

use crate::{DATA, check, has, resource};

/// The output with the time taken out.
fn output() -> String {
    let out = check(&[]).out;
    let summary = out.lines().find(|line| line.starts_with("Checks: ")).expect("a summary");
    let (rest, time) = summary.rsplit_once(", ").expect("a time");
    assert!(time.ends_with(" s."), "{time}");
    out.replace(summary, &format!("{rest}, 0.01 s."))
}

/// `PLANTIME_BLESS=1 cargo test --all-features --test cli bundle` writes the expected output.
#[test]
fn the_output_is_the_one_in_the_repository() {
    let path = format!("{DATA}/output.txt");
    if std::env::var_os("PLANTIME_BLESS").is_some() {
        std::fs::write(&path, output()).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("the file is there");
    assert_eq!(output(), expected);
}

#[test]
fn the_example_has_answers_of_all_kinds() {
    let run = check(&[]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert_eq!(run.err, "");
    for word in ["pass", "fail", "undetermined", "warning", "skipped"] {
        has(&run.out, &format!("\n    {word:<14}"));
    }
}

#[test]
fn knowledge_reaches_a_subnet_through_the_configuration() {
    let out = output();
    let subnet = resource(&out, "aws_subnet.main[\"app\"]");
    has(subnet, "vpc_id            = \"vpc-${(known after apply)}\"    # configuration network/main.tf:39");
    has(subnet, "pass          subnet-in-vpc      vpc_id starts with \"vpc-\"");
}

#[test]
fn a_sensitive_value_is_answered_and_not_shown() {
    let out = output();
    has(resource(&out, "aws_db_instance.orders"), "password          = (sensitive value)");
    assert!(!out.contains("made-up-for-the-example"));
}

/// Each excerpt in the README is one piece of what its command prints: nothing is left out in the middle of it.
#[test]
fn the_readme_shows_whole_pieces_of_real_output() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let Ok(readme) = std::fs::read_to_string(path) else {
        println!("skipped: the README of the project is not beside the package");
        return;
    };
    let verified = std::fs::read_to_string(format!("{DATA}/verified.txt")).expect("the file is there");
    for (section, real) in [("\n## Try it\n", output()), ("\n## After the apply\n", verified)] {
        let text = readme.split(section).nth(1).and_then(|rest| rest.split("\n## ").next());
        let text = text.expect("the section");
        let samples: Vec<&str> =
            text.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(!samples.is_empty(), "no excerpt in{section}");
        for sample in samples {
            has(&real, sample);
        }
    }
}
