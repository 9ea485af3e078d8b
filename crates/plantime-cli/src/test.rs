//! `plantime test`.

mod fixture;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::rule_tests::{
    RuleTest, TestFile, TestInputs, TestOutcome, TestResults, TestSubject,
};
use plantime_terraform::plan::{
    Configuration, InputError, NamePattern, ProviderFacts, RulesFile, nearest_name, printable_json,
};

use crate::args::{Test, TestFormat};
use crate::clock;
use crate::facts;
use crate::files;
use crate::folder;
use crate::input::{self, Input};
use crate::output::{self, Sink};
use crate::parallel::in_order;

/// Runs `plantime test`: runs the tests of all files, or makes a test file from a plan, and returns the exit status.
pub(crate) fn test(arguments: &Test) -> ExitCode {
    if let Some(plan) = &arguments.from_plan {
        return fixture::write(plan, arguments);
    }
    let mut results = TestResults::default();
    if arguments.coverage {
        results.require_coverage();
    }
    match run_all(arguments, &mut results) {
        Ok(()) => {}
        Err(errors) => results.add_errors(errors),
    }
    let text = match arguments.format {
        TestFormat::Text => results.text(output::colour(&arguments.output)),
        TestFormat::Json => printable_json(&results.to_json()) + "\n",
        TestFormat::Junit => results.junit(),
    };
    let mut sink = Sink::of(&arguments.output);
    let mut errors: Vec<InputError> = match arguments.format {
        // The text has those of tests.
        TestFormat::Text => results.file_errors().cloned().collect(),
        _ => results.errors().cloned().collect(),
    };
    let mut written = sink.write(text.as_bytes());
    if written.is_ok() {
        written = sink.finish();
    }
    let has_errors = results.errors().next().is_some() || written.is_err();
    errors.extend(written.err());
    output::errors(&errors);
    ExitCode::from(match () {
        () if has_errors => 2,
        () if results.failed() => 1,
        () => 0,
    })
}

/// Runs the tests of all files.
fn run_all(arguments: &Test, results: &mut TestResults) -> Result<(), Vec<InputError>> {
    let limit = arguments.max_input_size;
    let files = test_files(&arguments.paths)?;
    let mut outputs = vec![("--output", arguments.output.output.as_deref())];
    outputs.retain(|(_, path)| *path != Some(Path::new("-")));
    let wrong = files::overwriting(&files, &outputs);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let facts = facts::facts(&arguments.facts, None, limit)?;
    let run = Run { arguments, facts, rules: Mutex::default() };
    let lost = |file: &Input| RanFile {
        name: file.name(),
        errors: vec![InputError::input(file.name(), "could not be tested")],
        ..RanFile::default()
    };
    let (mut names, mut ran): (Vec<String>, Vec<RanFile>) = (Vec::new(), Vec::new());
    in_order(&files, |file| run.file(file), lost, |one| ran.push(one));
    for one in ran {
        names.extend(one.names);
        results.add_errors(one.errors);
        // Of a part of the tests, nothing can be said about the rules.
        if let (Some(rules), true) = (&one.rules, arguments.filter.is_empty()) {
            results.add_coverage(rules, &one.outcomes);
        }
        if one.is_run {
            results.add_file(&one.name, one.outcomes);
        }
    }
    let unknown = arguments.filter.iter().filter(|pattern| !names.iter().any(|name| pattern.matches(name)));
    let unknown: Vec<InputError> = unknown
        .map(|pattern| {
            let near = nearest_name(pattern.as_str(), names.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
            InputError::new(format!("--filter {pattern}: there is no such test{near}"))
        })
        .collect();
    if unknown.is_empty() { Ok(()) } else { Err(unknown) }
}

/// The test files that paths name: files, patterns, and folders, which stand for the test files in them.
fn test_files(paths: &[PathBuf]) -> Result<Vec<Input>, Vec<InputError>> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            let (inputs, wrong) = input::expanded(std::slice::from_ref(path), &[]);
            files.extend(inputs);
            errors.extend(wrong);
            continue;
        }
        let mut found = input::files_in(path, &["hcl"]).unwrap_or_default();
        found.retain(|file| file.to_string_lossy().ends_with(TestFile::ENDING));
        if found.is_empty() {
            let message = format!("no *{} files", TestFile::ENDING);
            errors.push(InputError::input(path.display().to_string(), message));
        }
        files.extend(found.into_iter().map(|file| Input::File(plain(file))));
    }
    errors.extend(input::standard_input_twice(&files));
    if errors.is_empty() { Ok(files) } else { Err(errors) }
}

/// The path without `./` at its beginning.
fn plain(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_owned)
}

/// What came out of the tests of a file.
#[derive(Default)]
struct RanFile {
    name: String,
    is_run: bool,
    /// The names of all its tests.
    names: Vec<String>,
    outcomes: Vec<TestOutcome>,
    rules: Option<Arc<RulesFile>>,
    errors: Vec<InputError>,
}

/// Rules, or what is wrong with their files.
type ReadRules = Result<Arc<RulesFile>, Vec<InputError>>;

/// What all test files are run with.
struct Run<'a> {
    arguments: &'a Test,
    facts: ProviderFacts,
    /// The rules of each set of files that tests name; their errors are told once.
    rules: Mutex<BTreeMap<Vec<PathBuf>, ReadRules>>,
}

impl Run<'_> {
    /// Runs the tests of one file.
    fn file(&self, file: &Input) -> RanFile {
        let mut ran = RanFile { name: file.name(), ..RanFile::default() };
        let read = input::source(file, self.arguments.max_input_size).map_err(|error| vec![error]);
        let read = read.and_then(|source| TestFile::read(source).map_err(input::problem_errors));
        let beside = match file {
            Input::Standard => PathBuf::from("."),
            Input::File(path) => path.parent().map(Path::to_owned).unwrap_or_default(),
        };
        let rules_and_tests = read.and_then(|tests| Ok((self.rules(&beside, &tests.rules)?, tests)));
        let (rules, tests) = match rules_and_tests {
            Ok(read) => read,
            Err(errors) => return RanFile { errors, ..ran },
        };
        for test in &tests.tests {
            ran.names.push(test.name.clone());
            if !self.is_chosen(&test.name) {
                continue;
            }
            let outcome = match self.inputs(test, &beside, &rules) {
                Ok(inputs) => tests.run(test, &inputs),
                Err(errors) => TestOutcome::unusable(test, errors),
            };
            ran.outcomes.push(outcome);
        }
        RanFile { is_run: !ran.outcomes.is_empty(), rules: Some(rules), ..ran }
    }

    /// Whether `--filter` chooses a test.
    fn is_chosen(&self, name: &str) -> bool {
        let filter: &[NamePattern] = &self.arguments.filter;
        filter.is_empty() || filter.iter().any(|pattern| pattern.matches(name))
    }

    /// The rules in these files, or in the folder where none are named.
    fn rules(&self, beside: &Path, named: &[String]) -> ReadRules {
        let paths: Vec<PathBuf> = match named {
            [] if beside.as_os_str().is_empty() => vec![PathBuf::from(".")],
            [] => vec![beside.to_owned()],
            named => named.iter().map(|name| beside.join(name)).collect(),
        };
        if let Some(known) = self.rules.lock().unwrap_or_else(PoisonError::into_inner).get(&paths) {
            return known.clone();
        }
        let read = self.read_rules(&paths).map(Arc::new);
        let mut known = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(paths, read.clone());
        read
    }

    fn read_rules(&self, paths: &[PathBuf]) -> Result<RulesFile, Vec<InputError>> {
        let (mut files, errors) = input::rules(paths);
        if !errors.is_empty() {
            return Err(errors);
        }
        files.iter_mut().for_each(|file| {
            if let Input::File(path) = file {
                *path = plain(std::mem::take(path));
            }
        });
        if files.is_empty() {
            let folder = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
            return Err(vec![InputError::input(
                folder,
                "no rules files; a test file may name them: rules = \"x.hcl\"",
            )]);
        }
        let sources = input::sources(&files, self.arguments.max_input_size)?;
        let rules = RulesFile::read_files(sources).map_err(input::problem_errors)?;
        Ok(rules.on(clock::day(self.arguments.now)))
    }

    /// What a test is run with: the files that it names, relative to its folder.
    fn inputs(
        &self,
        test: &RuleTest,
        beside: &Path,
        rules: &Arc<RulesFile>,
    ) -> Result<TestInputs, Vec<InputError>> {
        let limit = self.arguments.max_input_size;
        let mut errors = Vec::new();
        let paths: Vec<PathBuf> = test.schemas.iter().map(|name| beside.join(name)).collect();
        let schemas: ProviderSchemas = input::schemas(&paths, limit, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut inputs = TestInputs::new(Arc::clone(rules));
        (inputs.facts, inputs.schemas) = (self.facts.clone(), schemas);
        let configuration =
            |name: &String, has_plan: bool| folder::configuration(&beside.join(name), limit, has_plan);
        match &test.subject {
            TestSubject::Folder(name) => inputs.configuration = Some(configuration(name, false)?),
            TestSubject::Plan { plan, config } => {
                let file = Input::File(beside.join(plan));
                let plan = input::plan(&file, limit, &inputs.schemas).map_err(|error| vec![error])?;
                inputs.schemas = plan.schemas_with(&inputs.schemas);
                inputs.configuration = match config {
                    Some(name) => Some(configuration(name, true)?),
                    None => Configuration::of_plan(&plan).transpose().map_err(input::problem_errors)?,
                };
                inputs.plan = Some(plan);
            }
            _ => {}
        }
        Ok(inputs)
    }
}
