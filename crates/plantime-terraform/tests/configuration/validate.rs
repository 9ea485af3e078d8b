//! `Configuration::validate` beside `terraform validate`.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime_hcl::Diagnostic;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{ConditionVerdict, Configuration, Inputs};
use serde_json::Value as Json;

use super::recorded;

/// Configurations that Terraform accepts and ours refuses, each with the reason.
const REFUSED: &[(&str, &str)] = &[
    // COMPATIBILITY: Terraform says that 5 % 0 is 1.
    ("op-mod-zero", "the remainder of a division by zero"),
    ("mod-zero", "the remainder of a division by zero"),
];

/// Own configurations that Terraform refuses with other problems than ours, or that ours accepts, each with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("check-data-ref", "the data source of a check is not hidden from others"),
    ("cycle-module-count", "the module in the cycle has no instance, so its output is not named"),
    ("data-backend-bad", "the provider refuses it, not core"),
    ("data-config-bad", "the provider refuses it, not core"),
    ("f-can2", "without an argument it is not recognised"),
    ("f-filemd5", "the argument is named"),
    ("f-format4", "the argument is not named"),
    ("f-format5", "the argument is not named"),
    ("f-list", "the function is not offered"),
    ("f-map", "the function is not offered"),
    ("f-provider2", "the functions of the provider are not known"),
    ("f-range", "the argument is not named"),
    ("f-replace", "the argument is named"),
    ("f-rsa", "the function is not evaluated"),
    ("f-templatefile2", "the argument is not named"),
    ("f-textdec", "the argument is not named"),
    ("f-textenc", "the function is not evaluated"),
    ("f-try4", "without an argument it is not recognised"),
    ("f-type-fn", "the console has it"),
    ("f-urldecode", "newer versions have it"),
    ("f-uuidv5", "the argument is named"),
    ("function-count-null", "the function is not evaluated"),
    ("import-address-19", "whether the target has instances is not looked at"),
    ("import-unknown-to", "the provider is not installed, which plantime does not need"),
    ("json-labels", "blocks in JSON without labels are not read"),
    ("mod-validation", "rules of variables are evaluated by the plan"),
    ("or-str", "the operand behind a decided one is not converted"),
    ("provider-bad-name", "the provider is not installed, which plantime does not need"),
    ("provider-provisioner", "the provider is not installed, which plantime does not need"),
    ("provisioner-file-both", "the provisioner refuses it, not core"),
    ("provisioner-remote-none", "the provisioner refuses it, not core"),
    ("reqp-number", "the provider is not installed, which plantime does not need"),
    ("required-providers-bad", "the provider is not installed, which plantime does not need"),
    ("resource-escape-bad", "the block `_` is not read in resources"),
    ("splat-obj", "a splat of an unknown object that may be null has unknown elements"),
    ("version-core", "a later version may fulfil the constraint"),
    ("version-core-num", "an earlier version fulfils the constraint"),
    ("x-for-if-list", "the collection may turn out empty"),
    ("x-for-if-num", "the collection may turn out empty"),
    ("x-splat-attr", "the collection may turn out empty"),
    ("x-splat-full", "the collection may turn out empty"),
    ("x-splat-list", "the collection may turn out empty"),
    ("x-splat-str", "the value may turn out null"),
];

/// What is compared of a problem: the summary, and the line, which problems of the whole configuration do not have. The members of
/// a cycle are in no order: Terraform names them in another one each time.
fn heading(problem: &Diagnostic) -> (String, Option<u64>) {
    let line = (!problem.is_global()).then(|| problem.position().line as u64);
    (in_order(problem.summary()), line)
}

fn recorded_heading(problem: &Json) -> (String, Option<u64>) {
    (in_order(problem["summary"].as_str().unwrap()), problem["range"]["start"]["line"].as_u64())
}

fn in_order(summary: &str) -> String {
    match summary.strip_prefix("Cycle: ") {
        Some(members) => {
            let mut members: Vec<&str> = members.split(", ").collect();
            members.sort_unstable();
            format!("Cycle: {}", members.join(", "))
        }
        None => summary.to_owned(),
    }
}

/// How a configuration compares with what is recorded.
#[derive(Default)]
struct Compared {
    headings: usize,
    details: usize,
    all: usize,
    refused_too: usize,
    /// The names of those whose heading is another one.
    unlike: Vec<String>,
    other: Vec<String>,
}

impl Compared {
    fn add(&mut self, name: &str, problems: &[Diagnostic], runs: &[Vec<Json>]) {
        let errors =
            |run: &Vec<Json>| run.iter().filter(|d| d["severity"] == "error").cloned().collect::<Vec<Json>>();
        let runs: Vec<Vec<Json>> = runs.iter().map(errors).collect();
        let ours: Vec<&Diagnostic> = problems.iter().filter(|problem| !problem.is_warning()).collect();
        if runs.iter().any(Vec::is_empty) {
            let is_listed = REFUSED.iter().any(|(refused, _)| *refused == name);
            if runs.iter().all(Vec::is_empty) && !ours.is_empty() && !is_listed {
                self.refused_too += 1;
                self.other.push(format!("{name}: refused, though Terraform accepts it: {ours:?}"));
            }
            return;
        }
        self.all += 1;
        // The first problem at a place; where none has one, the first.
        let placed = |run: &&Vec<Json>| run.iter().any(|d| d["range"].is_object());
        let run = runs.iter().find(placed).unwrap_or(&runs[0]);
        let want = run.iter().find(|d| d["range"].is_object()).unwrap_or(&run[0]);
        let wanted = recorded_heading(want);
        let Some(found) = ours.iter().find(|problem| heading(problem) == wanted) else {
            self.other.push(format!("{name}: {wanted:?} {} / ours {ours:?}", want["detail"]));
            self.unlike.push(name.to_owned());
            return;
        };
        self.headings += 1;
        let details = runs.iter().flatten().map(|d| d["detail"].as_str().unwrap_or_default());
        let column = want["range"]["start"]["column"].as_u64().unwrap_or(found.position().column as u64);
        let is_there = found.position().column as u64 == column;
        // Version 1.15 says also what it has: "string required, but have number".
        let is_same = |detail: &str| {
            let ours = found.detail();
            let head = ours.split(", but have").next().unwrap_or_default();
            detail == ours || detail.trim_end_matches('.') == head
        };
        match details.into_iter().any(is_same) {
            true if is_there => self.details += 1,
            true => {
                self.details += 1;
                self.other.push(format!("{name}: at column {column}, ours at {}", found.position().column));
            }
            false => self.other.push(format!("{name}: {} / ours {found}", want["detail"])),
        }
    }
}

fn files(json: &Json) -> Arc<BTreeMap<String, Vec<u8>>> {
    let text = |text: &Json| text.as_str().unwrap().as_bytes().to_vec();
    Arc::new(json.as_object().unwrap().iter().map(|(name, content)| (name.clone(), text(content))).collect())
}

/// Configurations of our own, and what Terraform 1.11.4 said of them.
#[test]
fn own_configurations() {
    let file = include_bytes!("../data/terraform/validate.json.gz");
    let text = crate::packed::text(&file[..]);
    let cases: Vec<Json> = serde_json::from_str(&text).unwrap();
    let mut compared = Compared::default();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let problems = Configuration::validate(files(&case["files"]), None);
        compared.add(name, &problems, &[case["diagnostics"].as_array().unwrap().clone()]);
    }
    let Compared { headings, details, all, refused_too, unlike, other } = compared;
    other.iter().for_each(|line| println!("{line}"));
    println!(
        "own: {headings} of {all} with summary and line, {details} with the detail; {refused_too} refused too"
    );
    assert_eq!(refused_too, 0);
    let mut listed: Vec<&str> = DIFFERENT.iter().map(|(name, _)| *name).collect();
    let mut unlike: Vec<&str> = unlike.iter().map(String::as_str).collect();
    listed.sort_unstable();
    unlike.sort_unstable();
    assert_eq!(unlike, listed);
    assert!(details + 13 >= headings, "{headings} with summary and line, {details} with the detail");
}

/// A module of a local path is read where it is; one that is not there, or that has to be installed, is an error.
#[test]
fn local_modules_need_no_installation() {
    let problems = |source: &str| {
        let main = format!("module \"m\" {{\n  source = {source}\n}}\n");
        let files = [("main.tf", main.as_str()), ("m/main.tf", ""), ("empty/NOTE", "")];
        let files = files.into_iter().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let problems = Configuration::validate(Arc::new(files.collect::<BTreeMap<_, _>>()), None);
        problems.iter().map(|problem| problem.summary().to_owned()).collect::<Vec<_>>()
    };
    assert!(problems("\"./m\"").is_empty() && problems("\"./empty\"").is_empty());
    for source in
        ["\"./nope\"", "\"../nope\"", "\"hashicorp/consul/aws\"", "\"git::https://example.com/m.git\""]
    {
        assert_eq!(problems(source), ["Module not installed"], "{source}");
    }
    assert_eq!(problems("\"m\""), ["Invalid module source address"]);
}

/// The recorded errors of Terraform, where they lie.
#[test]
fn recorded_errors() {
    let Some(folder) = recorded::folder() else { return };
    let schemas = recorded::content(&folder.join("own-corners/corner-schemas.json")).unwrap();
    let schemas = ProviderSchemas::from_json(&schemas).unwrap();
    let rows = recorded::text(&folder.join("errors.jsonl")).unwrap();
    let (mut boxes, mut same_boxes) = (0, 0);
    let mut compared = Compared::default();
    for row in rows.lines() {
        let row: Json = serde_json::from_str(row).unwrap();
        let name = row["name"].as_str().unwrap();
        let of = |steps: &str| {
            let steps = row[steps].as_array().into_iter().flatten();
            let mut validated = steps.filter(|step| step["cmd"] == "terraform validate -json");
            validated.next().and_then(|step| step["json"]["diagnostics"].as_array().cloned())
        };
        let runs: Vec<Vec<Json>> = [of("steps"), of("steps_1_15_5")].into_iter().flatten().collect();
        if runs.is_empty() {
            continue;
        }
        let problems = Configuration::validate(files(&row["files"]), Some(&schemas));
        compared.add(name, &problems, &runs);
        let printed = |steps: &str| {
            let steps = row[steps].as_array().into_iter().flatten();
            let mut validated = steps.filter(|step| step["cmd"] == "terraform validate -no-color");
            validated.next().and_then(|step| Some(step["stderr"].as_str()?.trim_matches('\n').to_owned()))
        };
        let texts: Vec<String> = problems.iter().map(|problem| problem.to_text()).collect();
        let ours = texts.join("\n");
        let printed: Vec<String> = ["steps", "steps_1_15_5"]
            .into_iter()
            .filter_map(printed)
            .filter(|text| !text.is_empty())
            .collect();
        if printed.is_empty() {
            continue;
        }
        boxes += 1;
        match printed.iter().any(|text| text == ours.trim_matches('\n')) {
            true => same_boxes += 1,
            false => println!("box of {name}:\n{}\nours\n{ours}", printed[0]),
        }
    }
    println!("boxes: {same_boxes} of {boxes} the same");
    let Compared { headings, details, all, refused_too, other, .. } = compared;
    other.iter().for_each(|line| println!("{line}"));
    println!(
        "errors: {headings} of {all} with summary and line, {details} with the detail; {refused_too} refused too"
    );
    assert_eq!(refused_too, 0);
    assert!(headings >= 120 && details >= 118, "{headings} with summary and line, {details} with the detail");
    assert!(same_boxes >= 101, "{same_boxes} boxes");
}

/// Configurations that Terraform's `validate` accepts and `init` or `plan` refuses, for which ours reports nothing of the same summary and line, each
/// with the reason.
const NOT_REPORTED: [(&str, &str); 7] = [
    (
        "module-dir-missing",
        "a module whose folder is missing is not installed, and where Terraform shows no line",
    ),
    ("dup-moved", "a move depends on the state, which is not read"),
    ("moved-existing", "a move depends on the state, which is not read"),
    ("removed-existing", "a removal depends on the state, which is not read"),
    ("import-no-target", "an import depends on the state, which is not read"),
    ("var-type-list-bare", "an unset variable is unknown"),
    ("var-unset", "an unset variable is unknown"),
];

/// The recorded errors that only `init` or `plan` finds: our validation or evaluation has one of the same summary and line, or a condition fails.
#[test]
fn recorded_errors_of_plans() {
    let Some(folder) = recorded::folder() else { return };
    let schemas = recorded::content(&folder.join("own-corners/corner-schemas.json")).unwrap();
    let mut schemas = ProviderSchemas::from_json(&schemas).unwrap();
    schemas.extend(recorded::builtin());
    let rows = recorded::text(&folder.join("errors.jsonl")).unwrap();
    let (mut all, mut unlike) = (0, Vec::new());
    for row in rows.lines() {
        let row: Json = serde_json::from_str(row).unwrap();
        let steps = row["steps"].as_array().unwrap();
        let failed = |command: &str| {
            steps.iter().find(|step| step["exit"] != 0 && step["cmd"].as_str().unwrap().contains(command))
        };
        let Some(step) = failed("terraform plan").or(failed("terraform init")) else { continue };
        if failed("validate").is_some() {
            continue;
        }
        all += 1;
        let name = row["name"].as_str().unwrap();
        let printed = step["stderr"].as_str().unwrap();
        // The summaries with their files and lines.
        let theirs: Vec<(String, String)> = printed
            .split("\nError: ")
            .skip(1)
            .filter_map(|text| {
                let place = text.lines().find_map(|line| line.strip_prefix("  on "))?;
                let place = place.split([',', ':']).next().unwrap();
                Some((text.lines().next().unwrap().to_owned(), place.to_owned()))
            })
            .collect();
        let mut ours = Configuration::validate(files(&row["files"]), Some(&schemas));
        let mut conditions = 0;
        match Configuration::read(files(&row["files"])) {
            Ok(configuration) => {
                let inputs = Inputs::new().schemas(&schemas);
                let evaluation = configuration.evaluate(&inputs);
                let verdicts = evaluation.conditions();
                conditions = verdicts
                    .iter()
                    .filter(|one| {
                        matches!(one.verdict, ConditionVerdict::Fail | ConditionVerdict::Invalid(_))
                    })
                    .count();
                ours.extend(evaluation.problems());
            }
            Err(problems) => ours.extend(problems.iter().cloned()),
        }
        let is_same = |(summary, place): &(String, String)| {
            ours.iter().any(|problem| {
                let own = format!("{} line {}", problem.source().name(), problem.position().line);
                problem.summary() == summary && own == *place
            })
        };
        if !theirs.iter().any(is_same) {
            let own: Vec<String> = ours.iter().map(ToString::to_string).collect();
            println!("{name}: {theirs:?}, ours {own:?}, {conditions} failing conditions");
            if conditions == 0 {
                unlike.push(name.to_owned());
            }
        }
    }
    println!("{} of {all} that only init or plan refuses: unlike {unlike:?}", all - unlike.len());
    let mut listed: Vec<&str> = NOT_REPORTED.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    unlike.sort_unstable();
    assert_eq!(unlike, listed);
}

/// What Terraform has planned is valid.
#[test]
fn recorded_roots() {
    let mut roots = 0;
    let mut refused = Vec::new();
    for root in recorded::roots() {
        roots += 1;
        let files = Arc::new(recorded::Disk(root.configuration.clone()));
        for problem in Configuration::validate(files, Some(&root.schemas)) {
            let kind = if problem.is_warning() { "warning" } else { "error" };
            println!("{} {kind}: {problem}", root.name);
            if !problem.is_warning() {
                refused.push(root.name.clone());
            }
        }
    }
    refused.dedup();
    println!("{roots} roots, {} refused: {refused:?}", refused.len());
    assert!(refused.is_empty());
}
