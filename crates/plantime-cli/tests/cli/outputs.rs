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

/// A configuration that leads to files of every kind: their paths in its folder, with what they hold.
const LED_TO: [(&str, &str); 15] = [
    (
        "main.tf",
        "variable \"a\" {}\nvariable \"b\" {}\nmodule \"m\" { source = \"./mod\" }\nmodule \"n\" { source = \"acme/n/x\" }\n\
        resource \"aws_vpc\" \"main\" {\n  cidr_block = \"10.0.0.0/16\"\n  tags = {\n    a = var.a\n    b = var.b\n    c = module.m.x\n    d = module.n.x\n    \
        e = file(\"${path.module}/d/file.txt\")\n    f = templatefile(\"d/t.tftpl\", {})\n    g = filesha256(\"d/digest\")\n    \
        h = fileexists(\"d/exists\")\n    i = join(\",\", fileset(\"d\", \"set*\"))\n    j = filebase64(\"d/base64\")\n  }\n}\n",
    ),
    ("main_override.tf", "resource \"aws_vpc\" \"main\" {\n  cidr_block = \"10.1.0.0/16\"\n}\n"),
    ("terraform.tfvars", "a = \"a\"\n"),
    ("b.auto.tfvars.json", "{\"b\": \"b\"}"),
    (
        ".terraform/modules/modules.json",
        "{\"Modules\": [{\"Key\": \"\", \"Source\": \"\", \"Dir\": \".\"}, \
        {\"Key\": \"n\", \"Source\": \"registry.terraform.io/acme/n/x\", \"Version\": \"1.0.0\", \"Dir\": \".terraform/modules/n\"}]}",
    ),
    (".terraform/modules/n/main.tf", "output \"x\" { value = \"n\" }\n"),
    (".terraform.lock.hcl", ""),
    ("mod/main.tf", "output \"x\" { value = \"m\" }\n"),
    ("mod/more.tf.json", "{\"locals\": {\"y\": 1}}"),
    ("d/file.txt", "file"),
    ("d/t.tftpl", "template"),
    ("d/digest", "digest"),
    ("d/exists", ""),
    ("d/set1", ""),
    ("d/base64", "base64"),
];

#[test]
fn no_output_overwrites_what_the_configuration_leads_to() {
    let [plan, _, schemas] = inputs("led");
    let text = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"tags\" { not_null = true }\n}\n";
    let rules = file("outputs/led/tags.hcl", text);
    let pack = file("outputs/led/pack.hcl", "");
    let folder = file("outputs/led/cf/main.tf", "").replace("/main.tf", "");
    let restore = || {
        for (path, text) in LED_TO {
            file(&format!("outputs/led/cf/{path}"), text);
        }
    };
    restore();
    let link = format!("{folder}-link");
    let hard = format!("{folder}-hard");
    let inputs = [&*plan, "--rules", &rules, "--schemas", &schemas, "--config", &folder, "--assume", &pack];
    let check = [&["check"], &inputs[..]].concat();
    let of_why = ["--rules", &rules, "--schemas", &schemas, "--config", &folder, "--assume", &pack];
    let why = [&["why", "aws_vpc.main.tags", "--plan", &plan], &of_why[..]].concat();
    let roots = [&["why", "--roots", "--plan", &plan], &of_why[..]].concat();
    let show = ["show", &*plan, "--format", "html", "--schemas", &schemas, "--config", &folder].to_vec();
    // What `show` links to is in files of the configuration: it evaluates nothing.
    let read_by_show = |path: &str| path.ends_with(".tf") && !path.contains("/n/");
    let mut faults = Vec::new();
    for (name, command, option) in [
        ("check", &check, "--output"),
        ("check", &check, "--obligations"),
        ("why", &why, "--output"),
        ("why --roots", &roots, "--output"),
        ("show", &show, "--output"),
    ] {
        for (path, _) in LED_TO.iter().filter(|(path, _)| name != "show" || read_by_show(path)) {
            let written = format!("{folder}/{path}");
            let around = format!("{folder}/d/../{path}");
            let before = read(&written);
            for way in [written.clone(), around, link.clone(), hard.clone()] {
                if way == hard {
                    let _ = std::fs::remove_file(&way);
                    std::fs::hard_link(&written, &way).expect("a link");
                }
                #[cfg(unix)]
                if way == link {
                    let _ = std::fs::remove_file(&way);
                    std::os::unix::fs::symlink(&written, &way).expect("a link");
                }
                #[cfg(not(unix))]
                if way == link {
                    continue;
                }
                let run: Run = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"))
                    .args(command)
                    .args([option, &way])
                    .output()
                    .expect("the command runs")
                    .into();
                let is_refused = run.status == 2 && run.err.contains("would overwrite an input, ");
                if !is_refused || read(&written) != before {
                    faults
                        .push(format!("{name} {option} {path} by {way}: status {}, {}", run.status, run.err));
                    restore();
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    // What was not read can be written.
    let beside = format!("{folder}/mod/report");
    let run = crate::check(&[&inputs[..], &["--output", &beside]].concat());
    assert_eq!(run.err, "");
    has(&read(&beside), "aws_vpc.main");
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
    // Also while the link leads to nothing yet, and relative to its own folder.
    let _ = std::fs::remove_file(link("not-yet.json"));
    let _ = std::fs::remove_file(link("dangling.json"));
    std::os::unix::fs::symlink("not-yet.json", link("dangling.json")).expect("a link");
    check(&[&plan, "--rules", &rules, "--obligations", &link("dangling.json")]);
    has(&read(&link("not-yet.json")), "\"obligations\"");
    assert!(std::fs::symlink_metadata(link("dangling.json")).expect("the link").is_symlink());
    // A link to itself leads nowhere.
    let _ = std::fs::remove_file(link("round.json"));
    std::os::unix::fs::symlink("round.json", link("round.json")).expect("a link");
    assert_eq!(check(&[&plan, "--rules", &rules, "--obligations", &link("round.json")]).status, 2);
}

#[test]
fn what_killed_runs_left_is_removed() {
    let [plan, rules, _] = inputs("killed");
    let written = file("outputs/killed/report", "before");
    let left = |name: &str| file(&format!("outputs/killed/{name}"), "part of a report");
    let [old, young, locked, other] =
        [".report.1.new", ".report.2.new", ".report.3.new", ".another.1.new"].map(left);
    let hour = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let mut kept = Vec::new();
    for path in [&old, &locked, &other] {
        let file = std::fs::File::options().write(true).open(path).expect("the file");
        file.set_modified(hour).expect("the time");
        if *path == locked {
            file.lock().expect("the lock");
        }
        kept.push(file);
    }
    kept.remove(0);
    assert_eq!(check(&[&plan, "--rules", &rules, "--output", &written]).status, 0);
    assert!(!Path::new(&old).exists(), "nobody writes it any more");
    for path in [&young, &locked, &other] {
        assert!(Path::new(path).exists(), "{path}");
    }
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
