//! `plantime test --from-plan`: writes a test file from a plan.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plantime_terraform::plan::rule_tests::{FixtureHead, write_fixture};
use plantime_terraform::plan::{CheckOptions, Configuration, InputError, RulesFile};

use crate::args::Test;
use crate::clock;
use crate::facts;
use crate::files;
use crate::folder;
use crate::input::{self, Input};
use crate::output;

/// Writes the test file, to standard output or to a new file, and returns the exit status.
pub(super) fn write(plan: &Path, arguments: &Test) -> ExitCode {
    let written = text(plan, arguments).and_then(|text| match &arguments.out {
        None => output::write(text.as_bytes()).map_err(|error| vec![error]),
        Some(path) => files::write_new(path, &text).map_err(|error| vec![error]),
    });
    let errors = written.err().unwrap_or_default();
    output::errors(&errors);
    ExitCode::from(if errors.is_empty() { 0 } else { 2 })
}

/// The text of the test file.
fn text(plan: &Path, arguments: &Test) -> Result<String, Vec<InputError>> {
    let limit = arguments.max_input_size;
    let mut errors = Vec::new();
    let schemas = input::schemas(&arguments.schemas, limit, &mut errors);
    let here = [PathBuf::from(".")];
    let paths = if arguments.rules.is_empty() { &here[..] } else { &arguments.rules };
    let (rules, wrong) = input::rules(paths);
    errors.extend(wrong);
    let file = Input::of(plan);
    errors.extend(input::standard_input_twice(&[&rules[..], std::slice::from_ref(&file)].concat()));
    if !errors.is_empty() {
        return Err(errors);
    }
    let rules_read = input::sources(&rules, limit)?;
    let mut rules_read = RulesFile::read_files(rules_read).map_err(input::problem_errors)?;
    give_variables(&arguments.var, &mut rules_read)?;
    let facts = facts::facts(&arguments.facts, arguments.config.as_deref(), limit)?;
    let read = input::plan(&file, limit, &schemas).map_err(|error| vec![error])?;
    let configuration = match &arguments.config {
        Some(folder) => Some(folder::configuration(folder, limit, true)?),
        None => Configuration::of_plan(&read).transpose().map_err(input::problem_errors)?,
    };
    let against = CheckOptions {
        rules: rules_read.on(clock::day(arguments.now)),
        schemas,
        configuration,
        show_values: false,
        facts,
    };
    let from = arguments.out.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let relative = |path: &Path| relative_to(path, from);
    let named: Vec<PathBuf> = rules.iter().map(Input::path).collect();
    let head = FixtureHead {
        test: plan.file_stem().map_or_else(|| "plan".to_owned(), |name| name.to_string_lossy().into_owned()),
        rules: if arguments.rules.is_empty() {
            Vec::new()
        } else {
            named.iter().map(|path| relative(path)).collect()
        },
        schemas: arguments.schemas.iter().map(|path| relative(path)).collect(),
    };
    write_fixture(&read, &against, &head).map_err(input::problem_errors)
}

/// Gives the rules the variables that `--var` names.
fn give_variables(written: &[String], rules: &mut RulesFile) -> Result<(), Vec<InputError>> {
    let mut given = BTreeMap::new();
    for text in written {
        let Some((name, value)) = text.split_once('=') else {
            return Err(vec![InputError::new(format!("--var {text}: expected NAME=VALUE"))]);
        };
        let value = rules.parameter_value(name.trim(), value);
        let value = value.map_err(|problem| vec![InputError::new(format!("--var {name}: {problem}"))])?;
        given.insert(name.trim().to_owned(), value);
    }
    rules.set_parameters(given).map_err(|wrong| wrong.into_iter().map(InputError::new).collect())
}

/// The path of a file as it leads there from a folder.
fn relative_to(path: &Path, folder: &Path) -> String {
    let whole = |path: &Path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        std::fs::canonicalize(path).ok()
    };
    let (Some(path_whole), Some(folder)) = (whole(path), whole(folder)) else {
        return path.display().to_string();
    };
    let common =
        path_whole.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
    // On another drive, nothing leads there.
    if common == 0 {
        return path_whole.display().to_string();
    }
    let up = folder.components().skip(common).map(|_| "..".to_owned());
    let down =
        path_whole.components().skip(common).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
