//! `Configuration::validate` beside `terraform validate`.

mod partial;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use plantime_hcl::Diagnostic;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{ConditionVerdict, Configuration, Inputs};
use serde_json::Value as Json;

use self::partial::PARTIAL;
use super::recorded;

/// Configurations that Terraform accepts and ours refuses, each with the reason.
const REFUSED: &[(&str, &str)] = &[
    // COMPATIBILITY: Terraform says that 5 % 0 is 1.
    ("op-mod-zero", "the remainder of a division by zero"),
    ("mod-zero", "the remainder of a division by zero"),
    ("x-240", "the remainder of a division by zero"),
    ("ephemeral-44", "what `can` says of an ephemeral value is ephemeral"),
    ("ephemeral-45", "what `try` returns of an ephemeral value is ephemeral"),
    ("ephemeral-48", "what an ephemeral template gives is ephemeral"),
    ("override-without-ephemeral", "an ephemeral resource that only a file of overrides has"),
];

/// Own configurations that Terraform refuses with other problems than ours, or that ours accepts, each with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("check-data-ref", "the data source of a check is not hidden from others"),
    ("cycle-module-count", "the module in the cycle has no instance, so its output is not named"),
    ("f-range", "the argument is not named"),
    ("f-rsa", "the function is not evaluated"),
    ("f-textdec", "the argument is not named"),
    ("f-textenc", "the function is not evaluated"),
    ("f-urldecode", "newer versions have it"),
    ("import-unknown-to", "the provider is not installed, which plantime does not need"),
    ("json-labels", "blocks in JSON without labels are not read"),
    ("mod-validation", "rules of variables are evaluated by the plan"),
    ("or-str", "the operand behind a decided one is not converted"),
    ("provider-bad-name", "the provider is not installed, which plantime does not need"),
    ("provider-provisioner", "the provider is not installed, which plantime does not need"),
    ("reqp-number", "the provider is not installed, which plantime does not need"),
    ("required-providers-bad", "the provider is not installed, which plantime does not need"),
    ("version-core", "a later version may fulfil the constraint"),
    ("version-core-num", "an earlier version fulfils the constraint"),
    ("x-for-if-list", "the collection may turn out empty"),
    ("x-for-if-num", "the collection may turn out empty"),
];

/// The same for the configurations by kind: the reason, and the names.
const DIFFERENT_BY_KIND: &[(&str, &[&str])] = &[
    ("the operand behind a decided one is not converted", &["x-252", "x-253", "x-254", "x-255"]),
    ("null as the operand behind a decided one", &["x-250"]),
    ("the collection may turn out empty", &["x-090", "x-091", "x-092", "x-093", "x-136"]),
    ("the function is not evaluated", &["fn-rsadecrypt.ok", "x-681"]),
    (
        "which encodings there are is not known",
        &["fn-textdecodebase64.ok", "fn-textencodebase64.ok", "x-682"],
    ),
    (
        "what the function of the provider reads is not known",
        &[
            "provider-function-decode_tfvars(\"a = 1\").b",
            "provider-function-decode_tfvars(\"a =\")",
            "provider-function-decode_tfvars(1)",
        ],
    ),
    ("a key that is no whole number", &["import-to-12", "import-to-12f"]),
    ("newer versions have identities", &["import-block-04", "import-twice-04"]),
    ("null is no name", &["import-to-13", "provider-pass-17", "provider-pass-18"]),
    ("the block `_` is not read in module calls", &["in-module.esc2", "in-module.esclab"]),
    ("an empty text is no name", &["mod-prov1.empty", "prov-fail.empty", "prov-when.empty"]),
    ("a wrong version that is calculated", &["mod-version.err", "tf-version.err"]),
    ("the default is named, not the variable", &["override-var"]),
    ("the name of the host is not looked at", &["source-08"]),
    ("the whole type is named, not the part", &["var-type.heredoc"]),
    ("newer versions have the function", &["x-474"]),
    ("the object of OpenTofu", &["x-781"]),
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

pub(crate) fn in_order(summary: &str) -> String {
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
    /// The number of those of which all problems are the recorded ones, with their places and details.
    whole: usize,
    /// The names of those of which only the first one is.
    partial: Vec<String>,
}

/// A detail without what only version 1.15 says: it has "string required, but have number", where 1.11 has "string required".
fn shared_detail(detail: &str) -> &str {
    detail.split(", but have").next().unwrap_or_default().trim_end_matches('.')
}

/// All that is compared of a problem: the file, the place where it begins, the summary and the detail.
pub(crate) fn problem_row(problem: &Diagnostic) -> String {
    let place = match problem.is_global() {
        true => String::new(),
        false => {
            let (name, at) = (problem.source().name(), problem.position());
            format!("{name}:{}:{}", at.line, at.column)
        }
    };
    format!("{place} {}: {}", in_order(problem.summary()), shared_detail(problem.detail()))
}

pub(crate) fn recorded_row(problem: &Json) -> String {
    let start = &problem["range"]["start"];
    let place = match problem["range"]["filename"].as_str() {
        Some(name) if !name.is_empty() => format!("{name}:{}:{}", start["line"], start["column"]),
        _ => String::new(),
    };
    let detail = problem["detail"].as_str().unwrap_or_default();
    format!("{place} {}: {}", in_order(problem["summary"].as_str().unwrap()), shared_detail(detail))
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
        let mut all_ours: Vec<String> = ours.iter().map(|problem| problem_row(problem)).collect();
        all_ours.sort();
        // Terraform repeats problems: for each member of a known collection, or of an expression that is evaluated twice.
        all_ours.dedup();
        let is_whole = runs.iter().any(|run| {
            let mut theirs: Vec<String> = run.iter().map(recorded_row).collect();
            theirs.sort();
            theirs.dedup();
            theirs == all_ours
        });
        self.whole += usize::from(is_whole);
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
        if !is_whole {
            self.partial.push(name.to_owned());
            let theirs: Vec<String> = run.iter().map(recorded_row).collect();
            self.other.push(format!("{name}: all problems {theirs:#?} / ours {all_ours:#?}"));
        }
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

/// Compares the configurations of a file with what is recorded of them; those that differ have to be the listed ones.
fn compare(file: &[u8], mut listed: Vec<&str>) -> Compared {
    let cases: Vec<Json> = serde_json::from_str(&crate::packed::text(file)).unwrap();
    let mut compared = Compared::default();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let problems = Configuration::validate(files(&case["files"]), None);
        compared.add(name, &problems, &[case["diagnostics"].as_array().unwrap().clone()]);
    }
    compared.other.iter().for_each(|line| println!("{line}"));
    let Compared { headings, details, all, refused_too, .. } = compared;
    println!("own: all problems of {} of {all}", compared.whole);
    println!(
        "own: {headings} of {all} with summary and line, {details} with the detail; {refused_too} refused too"
    );
    assert_eq!(refused_too, 0);
    let mut unlike: Vec<&str> = compared.unlike.iter().map(String::as_str).collect();
    listed.sort_unstable();
    unlike.sort_unstable();
    assert_eq!(unlike, listed);
    let names: HashSet<&str> = cases.iter().filter_map(|case| case["name"].as_str()).collect();
    let listed = PARTIAL.iter().flat_map(|(_, names)| names.iter().copied());
    let mut listed: Vec<&str> = listed.filter(|name| names.contains(name)).collect();
    let mut partial: Vec<&str> = compared.partial.iter().map(String::as_str).collect();
    listed.sort_unstable();
    partial.sort_unstable();
    assert_eq!(partial, listed);
    compared
}

/// Configurations of our own, and what Terraform 1.11.4 said of them.
#[test]
fn own_configurations() {
    let listed = DIFFERENT.iter().map(|(name, _)| *name).collect();
    let file = include_bytes!("../data/terraform/validate.json.gz");
    let Compared { headings, details, .. } = compare(file, listed);
    assert!(details + 13 >= headings, "{headings} with summary and line, {details} with the detail");
}

/// Every block and argument of the language with every kind of value and of nested block, every function with too few, too many and
/// wrong arguments, and every kind of expression on every kind of value: what Terraform 1.11.4 said of one of each kind.
#[test]
fn own_configurations_by_kind() {
    let listed = DIFFERENT_BY_KIND.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let file = include_bytes!("../data/terraform/validate-kinds.json.gz");
    let Compared { headings, all, .. } = compare(file, listed);
    assert!(headings * 100 >= all * 98, "{headings} of {all}");
}

/// OpenTofu reads more than Terraform: what of this is refused names the argument and says why.
#[test]
fn what_only_opentofu_reads_is_refused_and_said() {
    let problems = |main: &str| {
        let files = BTreeMap::from([("main.tofu".to_owned(), main.as_bytes().to_vec())]);
        let problems = Configuration::validate(Arc::new(files), None);
        problems.iter().map(|problem| problem.summary().to_owned()).collect::<Vec<_>>()
    };
    let provider = "provider \"terraform\" {\n  alias    = \"by\"\n  for_each = toset([\"a\"])\n}\n";
    assert_eq!(problems(provider), ["Reserved argument name in provider block"]);
    let module = "variable \"v\" {\n}\nmodule \"m\" {\n  source = \"./${var.v}\"\n}\n";
    assert_eq!(problems(module), ["Variables not allowed", "Unsuitable value type"]);
}

/// A backend that only newer versions have is no error.
#[test]
fn a_backend_of_a_newer_version_is_read() {
    let problems = |backend: &str| {
        let main = format!("data \"terraform_remote_state\" \"d\" {{\n  backend = {backend:?}\n}}\n");
        let files = BTreeMap::from([("main.tf".to_owned(), main.into_bytes())]);
        Configuration::validate(Arc::new(files), None).len()
    };
    assert_eq!((problems("oci"), problems("s3"), problems("oic")), (0, 0, 1));
}

/// Nothing is said of the provisioners of a resource that has no instance.
#[test]
fn without_instances_nothing_in_a_block_is_evaluated() {
    let problems = |count: &str| {
        let main = format!("module \"m\" {{\n  source = \"./m\"\n  number = {count}\n}}\n");
        let called = "variable \"number\" {\n}\nresource \"terraform_data\" \"none\" {\n  count = 0\n}\nresource \
                      \"terraform_data\" \"some\" {\n  count = var.number\n  provisioner \"local-exec\" {\n    command = \
                      terraform_data.none[0].id\n  }\n}\n";
        let files = [("main.tf", main.as_str()), ("m/main.tf", called)];
        let files = files.into_iter().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        Configuration::validate(Arc::new(files.collect::<BTreeMap<_, _>>()), None).len()
    };
    assert_eq!((problems("0"), problems("1")), (0, 1));
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
