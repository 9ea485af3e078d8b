//! `plantime eval`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use plantime::source::Source;
use plantime::{Refinement, Type, Value};
use plantime_hcl::{Diagnostic, Diagnostics, Expression, Scope};
use plantime_terraform::configuration::{Configuration, Inputs, functions};
use plantime_terraform::plan::{InputError, printable};

use crate::args::Eval;
use crate::folder::{self, Folder};
use crate::input::{self, Input};
use crate::output;

/// Runs `plantime eval`: writes the value of the expression and what is known of it, and returns the exit status.
pub(crate) fn eval(arguments: &Eval) -> ExitCode {
    let folder = arguments.inputs.config.as_deref().map(folder::prefix).unwrap_or_default();
    let in_folder = |problem: &Diagnostic| error(problem, &folder);
    let (text, warnings, mut errors, status) = match value(arguments, &folder) {
        Ok((value, problems)) => {
            let (warnings, errors) = problems.into_iter().partition::<Vec<_>, _>(Diagnostic::is_warning);
            let mut errors: Vec<InputError> = errors.iter().map(in_folder).collect();
            let status = if arguments.assert { asserted(&value, &mut errors) } else { 0 };
            (printable(&description(&value)), warnings, errors, status)
        }
        Err(errors) => (String::new(), Vec::new(), errors, 2),
    };
    let written = output::write(text.as_bytes()).err();
    let status = if written.is_some() { 2 } else { status };
    errors.extend(written);
    output::errors(&errors);
    output::warnings(&warnings.iter().map(in_folder).collect::<Vec<_>>());
    ExitCode::from(status)
}

/// The exit status for a condition; an error for what is none. That of a sensitive one would show its value.
fn asserted(value: &Value, errors: &mut Vec<InputError>) -> u8 {
    if value.is_marked() {
        errors.push(InputError::new("--assert takes a condition that is not sensitive"));
        return 2;
    }
    match value.as_bool() {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(_) if !value.is_known() && (value.ty() == Type::Bool || value.ty() == Type::Dynamic) => 3,
        Err(error) => {
            errors.push(InputError::new(format!("--assert takes a condition: {error}")));
            2
        }
    }
}

/// The value of the expression, and the problems of the configuration, which leave other values unknown. Messages have the prefix
/// `shown` before the files of the configuration.
fn value(arguments: &Eval, shown: &str) -> Result<(Value, Vec<Diagnostic>), Vec<InputError>> {
    let limit = arguments.inputs.max_input_size;
    let mut inputs: Vec<Input> = arguments.inputs.plan.iter().map(|path| Input::of(path)).collect();
    inputs.extend(arguments.inputs.schemas.iter().map(|path| Input::of(path)));
    let mut errors = Vec::from_iter(input::standard_input_twice(&inputs));
    let schemas = input::schemas(&arguments.inputs.schemas, limit, &mut errors);
    let plan = arguments.inputs.plan.as_deref().map(|path| input::plan(&Input::of(path), limit, &schemas));
    let plan = plan.transpose().map_err(|error| errors.push(error)).ok().flatten().unwrap_or_default();
    let in_folder = |problems: &Diagnostics| problems.iter().map(|problem| error(problem, shown)).collect();
    let expression = Expression::parse_source(Source::new(EXPRESSION, arguments.expression.as_str()));
    let expression = expression.map_err(|problems| errors.extend(diagnostic_errors(&problems))).ok();
    let configuration = arguments.inputs.config.clone().map(|folder| match folder.is_dir() {
        true => {
            Configuration::read(Arc::new(Folder { folder, limit })).map_err(|problems| in_folder(&problems))
        }
        false => Err(vec![InputError::input(folder.display().to_string(), "no such folder")]),
    });
    let given = configuration.transpose().map_err(|more| errors.extend(more)).ok().flatten();
    // What cannot be read inside a plan leaves the planned values.
    let mut unread = Vec::new();
    let configuration = given.or_else(|| {
        let embedded = plan.configuration()?;
        embedded.map_err(|problems| unread.extend(problems.iter().cloned())).ok()
    });
    let Some(expression) = expression.filter(|_| errors.is_empty()) else { return Err(errors) };

    let planned = plan.planned_values();
    let Some(configuration) = configuration else {
        let files = Folder { folder: PathBuf::from("."), limit };
        let functions = functions(Arc::new(files), &with_directory(Inputs::new().known(&planned)));
        let value = expression.evaluate(&Scope::new(&planned).with_functions(&functions));
        return value.map(|value| (value, unread)).map_err(|problems| diagnostic_errors(&problems));
    };
    let mut inputs = Inputs::new().schemas(&schemas);
    if let Some(name) = &arguments.workspace {
        inputs = inputs.workspace(name.as_str());
    }
    if arguments.inputs.plan.is_some() {
        inputs = inputs.known(&planned);
    }
    let inputs = with_directory(inputs);
    let evaluation = configuration.evaluate(&inputs);
    let value = evaluation.evaluate(&expression).map_err(|problems| in_folder(&problems))?;
    Ok((value, evaluation.problems()))
}

/// The inputs with the working directory.
fn with_directory(inputs: Inputs<'_>) -> Inputs<'_> {
    match std::env::current_dir() {
        Ok(directory) => inputs.directory(directory.display().to_string()),
        Err(_) => inputs,
    }
}

/// The output of `eval`: the value, its type without the types of marked parts, its refinement while it is unknown, its marks.
fn description(value: &Value) -> String {
    let mut text = format!("{value}\n\ntype    {}\n", value.visible_type());
    let range = value.range();
    if !value.is_marked() && !value.is_wholly_known() && *range.refinement() != Refinement::any() {
        text.push_str(&format!("known   {}\n", range.refinement()));
    }
    let marks: Vec<String> = value.marks().iter().map(ToString::to_string).collect();
    if !marks.is_empty() {
        text.push_str(&format!("marks   {}\n", marks.join(", ")));
    }
    text
}

/// Problems of files by the names of their sources.
pub(crate) fn diagnostic_errors(problems: &Diagnostics) -> Vec<InputError> {
    problems.iter().map(|problem| error(problem, "")).collect()
}

/// The name of the source of the expression.
const EXPRESSION: &str = "expression";

/// A problem with its file and its line, as `check` shows it. `folder` stands before the name of a file of the configuration.
fn error(problem: &Diagnostic, folder: &str) -> InputError {
    if problem.is_global() {
        return InputError::new(problem.to_string());
    }
    let source = problem.source();
    let folder = if source.name() == EXPRESSION { "" } else { folder };
    let named = Source::new(format!("{folder}{}", source.name()), source.text());
    let message = format!("{}: {}", problem.summary(), problem.detail());
    named.problem(problem.span().start, message).into()
}
