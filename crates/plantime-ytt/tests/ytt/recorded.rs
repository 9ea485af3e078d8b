//! Recorded behaviour of ytt, where `PLANTIME_REAL` names the folder with the recordings.
//!
//! Every case is equal, or refused because something is not supported, or counted as a difference in the text alone.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;

/// The areas whose equal cases are counted, with the least number of them.
const LEAST: [(&str, usize); 11] = [
    ("rule-min", 39),
    ("rule-max", 37),
    ("rule-min_len", 24),
    ("rule-max_len", 23),
    ("rule-one_of", 24),
    ("rule-one_not_null", 30),
    ("types", 64),
    ("default", 14),
    ("map", 12),
    ("merge", 35),
    ("malformed", 55),
];

/// Words of the errors for what is not supported.
const UNSUPPORTED: [&str; 5] =
    ["not supported", "not evaluated", "needs a value", "an assertion function", "to be a function"];

#[test]
fn recorded_cases_are_equal_or_refused_as_unsupported() {
    let Some(real) = env::var_os("PLANTIME_REAL") else { return };
    let cases = PathBuf::from(real).join("ytt/dev/cases");
    let Ok(entries) = fs::read_dir(cases) else { return };
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
            if same_status && same("stdout", &stdout) && same("stderr", &stderr) {
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

/// Runs the example `ytt` on the files of a case.
fn run(case: &Value) -> (i64, String, String) {
    let folder =
        env::temp_dir().join(format!("plantime-ytt-{}-{}", std::process::id(), case["id"].as_str().unwrap()));
    for (name, text) in case["files"].as_object().unwrap() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.as_str().unwrap()).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    // Cargo puts examples beside the folder of the tests.
    let program = env::current_exe().unwrap().parent().unwrap().with_file_name("examples").join("ytt");
    let arguments = case["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap());
    let output =
        Command::new(program).args(arguments).current_dir(&folder).stdin(Stdio::null()).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (i64::from(output.status.code().unwrap()), text(output.stdout), text(output.stderr))
}
