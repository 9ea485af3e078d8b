//! What a run writes: never over what it reads, whole or not at all, in colours where they are wanted.

use std::path::Path;

use crate::{DATA, Run, check, check_standard_input, command, file, has, has_not};

const RULES: &str = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { not_null = true }\n}\n";

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

/// A plan, a rules file and a schema file of one test.
fn inputs(folder: &str) -> [String; 3] {
    let copy = |name: &str| {
        let content = std::fs::read(format!("{DATA}/first/{name}")).expect("the file is there");
        file(&format!("outputs/{folder}/{name}"), content)
    };
    [copy("plan.json"), file(&format!("outputs/{folder}/rules.hcl"), RULES), copy("provider-schemas.json")]
}

#[test]
fn no_output_overwrites_an_input() {
    let [plan, rules, schemas] = inputs("overwrite");
    let main = file("outputs/overwrite/module/main.tf", "resource \"aws_vpc\" \"main\" {}\n");
    let module = main.trim_end_matches("main.tf");
    let around = plan.replace("/overwrite/", "/overwrite/../overwrite/./");
    let before = [&plan, &rules, &schemas, &main].map(|path| read(path));
    for option in ["--obligations", "--output"] {
        for written in [&plan, &rules, &schemas, &main, &around] {
            let run = check(&[
                &plan,
                "--rules",
                &rules,
                "--schemas",
                &schemas,
                "--config",
                module,
                option,
                written,
            ]);
            assert_eq!((run.status, run.out.as_str()), (2, ""), "{option} {written}");
            has(&run.err, &format!("error: {written}: {option} would overwrite an input, "));
            assert_eq!(before, [&plan, &rules, &schemas, &main].map(|path| read(path)));
        }
    }
    let run = check(&[&plan, "--rules", &rules, "--obligations", "x.json", "--output", "./x.json"]);
    assert_eq!(run.status, 2);
    has(&run.err, "error: ./x.json: --output and --obligations name the same file\n");
    assert!(!Path::new("x.json").exists());
}

#[cfg(unix)]
#[test]
fn no_output_overwrites_an_input_through_a_link() {
    let [plan, rules, _] = inputs("links");
    let link = |name: &str| plan.replace("plan.json", name);
    for name in ["symbolic.json", "hard.json"] {
        let _ = std::fs::remove_file(link(name));
    }
    std::os::unix::fs::symlink(&plan, link("symbolic.json")).expect("a link");
    std::fs::hard_link(&plan, link("hard.json")).expect("a link");
    let before = read(&plan);
    for (input, written) in [
        (plan.clone(), link("symbolic.json")),
        (plan.clone(), link("hard.json")),
        (link("symbolic.json"), plan.clone()),
    ] {
        let run = check(&[&input, "--rules", &rules, "--obligations", &written]);
        assert_eq!(run.status, 2);
        has(&run.err, " would overwrite an input, ");
        assert_eq!(read(&plan), before);
    }
    // A file that is redirected to standard input is an input too.
    let mut redirected = command(&["-", "--rules", &rules, "--obligations", &plan]);
    let run: Run = redirected
        .stdin(std::fs::File::open(&plan).expect("the plan is there"))
        .output()
        .expect("the command runs")
        .into();
    assert_eq!(run.status, 2);
    has(&run.err, "would overwrite an input, standard input\n");
    assert_eq!(read(&plan), before);
    // What a link leads to is written, the link stays.
    let target = file("outputs/links/target.json", "");
    let _ = std::fs::remove_file(link("to-target.json"));
    std::os::unix::fs::symlink(&target, link("to-target.json")).expect("a link");
    check(&[&plan, "--rules", &rules, "--obligations", &link("to-target.json")]);
    has(&read(&target), "\"obligations\"");
    assert!(std::fs::symlink_metadata(link("to-target.json")).expect("the link").is_symlink());
}

#[test]
fn the_report_can_be_written_to_a_file() {
    let [plan, rules, _] = inputs("file");
    for format in ["text", "json"] {
        let written = file("outputs/file/report", "what was there before");
        let arguments = [&*plan, "--rules", &rules, "--format", format];
        let run = check(&[&arguments[..], &["--output", &written]].concat());
        assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
        // But for the seconds.
        let cut = |text: &str| text.split(" in 1 plan").next().unwrap_or_default().to_owned();
        assert_eq!(cut(&read(&written)), cut(&check(&arguments).out));
        has_not(&read(&written), "\u{1b}");
    }
    let names = std::fs::read_dir(plan.trim_end_matches("plan.json")).expect("the folder");
    let aside = names.filter(|entry| {
        entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().ends_with(".new"))
    });
    assert_eq!(aside.count(), 0);
}

#[test]
fn a_run_without_an_answer_leaves_the_file_as_it_was() {
    let [plan, _, _] = inputs("kept");
    let written = file("outputs/kept/report", "what was there before");
    let rules = file("outputs/kept/broken.hcl", "rule {");
    assert_eq!(check(&[&plan, "--rules", &rules, "--output", &written]).status, 2);
    assert_eq!(read(&written), "what was there before");
}

#[test]
fn colours_are_written_where_they_are_wanted() {
    let [plan, rules, _] = inputs("colours");
    let colours = |when: &str| check(&[&plan, "--rules", &rules, "--color", when]).out.contains('\u{1b}');
    assert!(colours("always"));
    assert!(!colours("never"));
    assert!(!colours("auto"));
    assert_eq!(check(&[&plan, "--rules", &rules, "--color", "perhaps"]).status, 2);
    let mut unwanted = command(&[&plan, "--rules", &rules, "--color", "always"]);
    let run: Run = unwanted.env("NO_COLOR", "1").output().expect("the command runs").into();
    assert!(run.out.contains('\u{1b}'), "who says always means it");
}

#[test]
fn verification_writes_to_a_file_and_never_over_its_inputs() {
    let (obligations, state) = (format!("{DATA}/obligations.json"), format!("{DATA}/state-after.json"));
    let verify = |arguments: &[&str]| -> Run {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"));
        command.arg("verify").args(arguments).output().expect("the command runs").into()
    };
    let written = file("outputs/verified.txt", "");
    let run = verify(&[&obligations, "--state", &state, "--output", &written]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert_eq!(read(&written), read(&format!("{DATA}/verified.txt")));
    let state = file("outputs/state.json", read(&state));
    let run = verify(&[&obligations, "--state", &state, "--output", &state]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    has(&run.err, "--output would overwrite an input");
    let run = verify(&["-", "--state", "-"]);
    has(&run.err, "error: standard input can be read once only; 2 inputs are `-`\n");
}

#[test]
fn rules_and_schemas_can_come_from_standard_input() {
    let [plan, rules, schemas] = inputs("standard");
    let run = check_standard_input(&[&plan, "--rules", "-"], RULES.as_bytes());
    assert_eq!(run.status, 0, "{}", run.err);
    has(&run.out, " · standard input: 1 rule\n");
    let run = check_standard_input(&[&plan, "--rules", &rules, "--schemas", "-"], read(&schemas).as_bytes());
    assert_eq!(run.status, 0, "{}", run.err);
    let run = check(&["-", "--rules", "-"]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    has(&run.err, "error: standard input can be read once only; 2 inputs are `-`\n");
}
