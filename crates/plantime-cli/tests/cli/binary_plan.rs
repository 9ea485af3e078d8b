//! A plan as `terraform plan -out=FILE` wrote it: checked without `terraform show -json`, and more of it is known.

use std::fs::File;
use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::{DATA, TFPLAN, check, file, has};

/// The numbers of answers in the last line of a report: `25 tests: 14 pass, 1 fail, 10 undetermined`.
fn undetermined(report: &str) -> usize {
    let line = report.lines().rfind(|line| line.contains("undetermined")).expect("a line of totals");
    let words: Vec<&str> = line.split_whitespace().collect();
    let place = words.iter().position(|word| word.starts_with("undetermined")).expect("the word");
    words[place - 1].parse().expect("a number")
}

#[test]
fn a_binary_plan_is_checked_as_it_is() {
    let binary = TFPLAN.to_owned();
    let (json, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let rules = format!("{DATA}/rules.hcl");
    let from_json = check(&[&json, "--rules", &rules, "--schemas", &schemas]);
    let from_binary = check(&[&binary, "--rules", &rules, "--schemas", &schemas]);
    assert_eq!(from_binary.status, from_json.status, "{}", from_binary.err);
    assert!(undetermined(&from_binary.out) < undetermined(&from_json.out), "{}", from_binary.out);
    // Without schemas too.
    let without = check(&[&binary, "--rules", &rules]);
    assert_eq!(without.status, from_json.status, "{}", without.err);
}

/// The example plan with other text in a file of its configuration.
fn with_configuration(name: &str, path: &str, text: &str) -> String {
    let mut archive = ZipArchive::new(File::open(TFPLAN).expect("the plan")).expect("an archive");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).expect("an entry");
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("it unpacks");
        let name = entry.name().expect("a name").into_owned();
        writer.start_file(&*name, SimpleFileOptions::default()).expect("an entry");
        let content = if name == path { text.as_bytes().to_vec() } else { content };
        writer.write_all(&content).expect("it packs");
    }
    file(name, writer.finish().expect("an archive").into_inner())
}

#[test]
fn a_plan_whose_configuration_cannot_be_read_is_checked_without_it() {
    let broken = "output \"x\" {\n  value = [1 2]\n}\nlocals {\n  a = 'b'\n}\n";
    let plan = with_configuration("binary/broken.tfplan", "tfconfig/m-/main.tf", broken);
    let schemas = format!("{DATA}/provider-schemas.json");
    let rules = format!("{DATA}/rules.hcl");
    let arguments = [&*plan, "--rules", &rules, "--schemas", &schemas];
    let run = check(&arguments);
    let without = check(&[&*plan, "--rules", &rules, "--schemas", &schemas, "--no-config"]);
    assert_eq!((run.status, run.err.as_str()), (without.status, ""));
    let note = "the configuration in the plan cannot be read, and nothing of it is used: main.tf:5:7: Invalid character: Single \
                quotes are not valid.";
    let flat = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    has(&flat, note);
    // With --strict nothing is passed over.
    let strict = check(&[&arguments[..], &["--strict"]].concat());
    assert_eq!(strict.status, 2, "{}", strict.out);
    has(&strict.err, "main.tf:2:14: Missing item separator");
}

#[test]
fn a_called_module_that_cannot_be_read_is_unknown() {
    let broken = "output \"x\" {\n  value = [1 2]\n}\n";
    let plan = with_configuration("binary/module.tfplan", "tfconfig/m-archive/main.tf", broken);
    let schemas = format!("{DATA}/provider-schemas.json");
    let rules = format!("{DATA}/rules.hcl");
    let run = check(&[&*plan, "--rules", &rules, "--schemas", &schemas]);
    let whole = check(&[TFPLAN, "--rules", &rules, "--schemas", &schemas]);
    assert_eq!((run.status, run.err.as_str()), (whole.status, ""), "{}", run.out);
    has(&run.out, "Missing item separator");
}
