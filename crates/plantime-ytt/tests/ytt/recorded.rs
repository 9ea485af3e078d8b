//! Recorded behaviour of ytt, where `PLANTIME_REAL` names the folder with the recordings.
//!
//! Every case is equal, or refused because something is not supported, or counted as a difference in the text alone.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;

/// The areas whose equal cases are counted, with the least number of them.
const LEAST: [(&str, usize); 32] = [
    ("array", 24),
    ("assert-module", 29),
    ("assert-validate", 23),
    ("custom", 105),
    ("default", 18),
    ("disable", 11),
    ("export", 45),
    ("harbor", 33),
    ("hint", 45),
    ("library", 13),
    ("load", 14),
    ("malformed", 80),
    ("map", 16),
    ("merge", 54),
    ("module", 89),
    ("multi", 22),
    ("overlay", 15),
    ("position", 12),
    ("proposal", 26),
    ("rule-max", 46),
    ("rule-max_len", 23),
    ("rule-min", 48),
    ("rule-min_len", 24),
    ("rule-not_null", 21),
    ("rule-one_not_null", 31),
    ("rule-one_of", 28),
    ("scenario", 32),
    ("schema-merge", 11),
    ("starlark", 140),
    ("types", 68),
    ("value-form", 53),
    ("when", 41),
];

/// Words of the errors that only a refusal for lack of support has.
const UNSUPPORTED: [&str; 2] = ["not supported", "not evaluated"];

#[test]
fn recorded_cases_are_equal_or_refused_as_unsupported() {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real");
    let cases = env::var_os("PLANTIME_REAL").map_or(beside, PathBuf::from).join("ytt/dev/cases");
    let Ok(entries) = fs::read_dir(&cases) else {
        println!("skipped: there are no recorded cases in {}", cases.display());
        return;
    };
    let mut wrong = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        let area = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (mut equal, mut unsupported, mut texts) = (0, 0, 0);
        for line in fs::read_to_string(&path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let (status, stdout, stderr) = run(&case);
            let same = |name: &str, text: &str| case[name].as_str() == Some(text);
            let same_status = case["rc"].as_i64() == Some(status);
            // A stack trace was cut from the recording; where ytt crashes, an error is expected.
            let is_cut = case["elided"].as_bool() == Some(true)
                && stderr.split("(backtrace").next()
                    == case["stderr"].as_str().unwrap().split("(backtrace").next();
            if case["panic"].as_bool() == Some(true) && status == 1
                || same_status && same("stdout", &stdout) && (same("stderr", &stderr) || is_cut)
            {
                equal += 1;
            } else if status != 0 && UNSUPPORTED.iter().any(|word| stderr.contains(word)) {
                unsupported += 1;
            } else if status != 0 && case["rc"] != 0 {
                texts += 1;
            } else {
                wrong.push(case["id"].to_string());
            }
        }
        println!("{area}: {equal} equal, {unsupported} not supported, {texts} other texts");
        let least = LEAST.iter().find(|(name, _)| *name == area).map_or(0, |(_, least)| *least);
        assert!(equal >= least, "{area}: {equal} of at least {least}");
    }
    assert!(wrong.is_empty(), "accepted, refused or printed otherwise: {wrong:?}");
}

#[test]
fn the_golden_files_of_validations_and_assertions_are_equal() {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real");
    let folder = env::var_os("PLANTIME_REAL").map_or(beside, PathBuf::from);
    let path = folder.join("ytt/dev/third_party/carvel-ytt/filetests-cli.jsonl");
    let Ok(text) = fs::read_to_string(&path) else {
        println!("skipped: there are no golden files in {}", path.display());
        return;
    };
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (status, stdout, stderr) = run(&case);
        let found = (Some(status), Some(stdout.as_str()), Some(stderr.as_str()));
        assert_eq!(
            found,
            (case["rc"].as_i64(), case["stdout"].as_str(), case["stderr"].as_str()),
            "{}",
            case["id"]
        );
    }
}

/// Runs the command on the files of a case.
fn run(case: &Value) -> (i64, String, String) {
    let folder =
        env::temp_dir().join(format!("plantime-ytt-{}-{}", std::process::id(), case["id"].as_str().unwrap()));
    for (name, text) in case["files"].as_object().unwrap() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.as_str().unwrap()).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    let arguments = case["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_plantime-ytt"));
    child
        .args(arguments)
        .current_dir(&folder)
        .envs(
            case["env"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| (name, value.as_str().unwrap())),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    // The program may end without reading it.
    let _ = child.stdin.take().unwrap().write_all(case["stdin"].as_str().unwrap_or("").as_bytes());
    let output = child.wait_with_output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (i64::from(output.status.code().unwrap()), text(output.stdout), text(output.stderr))
}
