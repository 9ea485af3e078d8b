//! Reads files, standard input and folders.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use plantime::source::{Problem, Source};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Configuration, InputError, Plan, RulePack};

use crate::{files, folder, no_plan};

/// One text to read: standard input or a file.
#[derive(Clone)]
pub(crate) enum Input {
    Standard,
    File(PathBuf),
}

impl Input {
    /// The input that an argument names: the file at this path, or standard input for `-`.
    pub(crate) fn of(path: &Path) -> Input {
        if path == Path::new("-") { Input::Standard } else { Input::File(path.to_owned()) }
    }

    /// A path by which the input can be identified; `/dev/stdin` for standard input, which may be a redirected file.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Input::Standard => PathBuf::from("/dev/stdin"),
            Input::File(path) => path.clone(),
        }
    }

    /// The name of the input in messages: `standard input`, or the path.
    pub(crate) fn name(&self) -> String {
        match self {
            Input::Standard => "standard input".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    /// Reads the whole input; an error if it is larger than `limit` bytes or cannot be read.
    pub(crate) fn read(&self, limit: u64) -> Result<Vec<u8>, InputError> {
        let read = match self {
            Input::Standard => {
                files::protect(self.path());
                within(io::stdin().lock(), limit)
            }
            Input::File(path) => files::open(path).and_then(|file| within(file, limit)),
        };
        match read {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => {
                let message = format!("larger than {limit} bytes; --max-input-size raises the limit");
                Err(InputError::input(self.name(), message))
            }
            Err(error) => Err(InputError::input(self.name(), reason(&error))),
        }
    }
}

/// Reads everything, without a byte order mark at the start; `None` if there are more than `limit` bytes.
fn within(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        return Ok(None);
    }
    // The mark that some editors and shells put at the start of UTF-8.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    Ok(Some(bytes))
}

/// The message of an input or output error, in lower case and without the system's error number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Reads a plan, binary or in JSON, of at most `limit` bytes.
pub(crate) fn plan(input: &Input, limit: u64, schemas: &ProviderSchemas) -> Result<Plan, InputError> {
    parse_plan(input, &input.read(limit)?, schemas)
}

/// The plan in the bytes of an input, binary or in JSON.
pub(crate) fn parse_plan(input: &Input, bytes: &[u8], schemas: &ProviderSchemas) -> Result<Plan, InputError> {
    parse_plan_bytes(&input.name(), bytes, schemas)
}

/// Parses a plan, binary or in JSON. The error names the input `name`.
pub(crate) fn parse_plan_bytes(
    name: &str,
    bytes: &[u8],
    schemas: &ProviderSchemas,
) -> Result<Plan, InputError> {
    if Plan::is_binary(bytes) {
        return Plan::read_binary(bytes, schemas).map_err(|error| InputError::input(name, error.to_string()));
    }
    Plan::read(bytes, schemas)
        .map_err(|error| InputError::input(name, no_plan::message(name, bytes, &error.to_string())))
}

/// The error that more than one input is standard input; `None` if at most one is.
pub(crate) fn standard_input_twice(inputs: &[Input]) -> Option<InputError> {
    let count = inputs.iter().filter(|input| matches!(input, Input::Standard)).count();
    (count > 1)
        .then(|| InputError::new(format!("standard input can be read once only; {count} inputs are `-`")))
}

/// The inputs that arguments name, with patterns such as `*.json` expanded, and the errors of those that cannot be
/// read. `in_folders` has the extensions of the files that a folder stands for.
pub(crate) fn expanded(arguments: &[PathBuf], in_folders: &[&str]) -> (Vec<Input>, Vec<InputError>) {
    let (mut inputs, mut errors) = (Vec::new(), Vec::new());
    for argument in arguments {
        let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[']) && !argument.exists());
        match pattern {
            _ if argument.is_dir() => match files_in(argument, in_folders) {
                Ok(paths) => inputs.extend(paths.into_iter().map(Input::File)),
                Err(error) => errors.push(error),
            },
            None => inputs.push(Input::of(argument)),
            Some(pattern) => match matching(pattern) {
                Ok(paths) => inputs.extend(paths.into_iter().map(Input::File)),
                Err(found) => errors.extend(found),
            },
        }
    }
    (inputs, errors)
}

/// The files whose paths match a pattern, sorted. An error if there is none.
fn matching(pattern: &str) -> Result<Vec<PathBuf>, Vec<InputError>> {
    let unusable = |message: String| InputError::input(pattern, message);
    let paths = glob::glob(pattern).map_err(|error| vec![unusable(error.to_string())])?;
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        match path {
            Ok(path) => found.push(path),
            Err(error) => errors.push(unusable(error.to_string())),
        }
    }
    if found.is_empty() && errors.is_empty() {
        errors.push(unusable("no file has a name of this pattern".to_owned()));
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// The rules files that arguments name. A folder stands for its `*.hcl` files, but for `pack.hcl` and tests.
pub(crate) fn rules(arguments: &[PathBuf]) -> (Vec<Input>, Vec<InputError>) {
    let (mut inputs, errors) = expanded(arguments, &["hcl"]);
    let is_meant = |input: &Input| match input {
        Input::Standard => true,
        Input::File(path) => is_rules_file(path) || arguments.contains(path),
    };
    inputs.retain(is_meant);
    (inputs, errors)
}

/// Whether a file of a folder with rules is a rules file: not `pack.hcl`, not a test.
pub(crate) fn is_rules_file(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name != RulePack::FILE && !name.ends_with(".test.hcl")
}

/// The plans that arguments name. A folder stands for its plans, unless it has a configuration, which is not a plan.
pub(crate) fn plans(arguments: &[PathBuf]) -> (Vec<Input>, Vec<InputError>) {
    let is_configuration = |argument: &&PathBuf| argument.is_dir() && !folder::inputs(argument).is_empty();
    // The place where a configuration without a plan is told from a folder of plans.
    let (configurations, others): (Vec<PathBuf>, Vec<PathBuf>) =
        arguments.iter().cloned().partition(|argument| is_configuration(&argument));
    let (inputs, mut errors) = expanded(&others, &["json", "tfplan"]);
    errors.extend(configurations.iter().map(|folder| {
        let message = "a configuration and no plan: make one with `terraform plan -out=tfplan`; --config DIR adds it to a plan";
        InputError::input(folder.display().to_string(), message)
    }));
    (inputs, errors)
}

/// The files of a folder with one of these extensions, sorted. An error if there is none.
pub(crate) fn files_in(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, InputError> {
    let name = folder.display().to_string();
    let unusable = |error: &io::Error| InputError::input(name.clone(), reason(error));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unusable(&error))? {
        let path = entry.map_err(|error| unusable(&error))?.path();
        let is_meant = path.extension().is_some_and(|found| extensions.iter().any(|known| found == *known));
        if is_meant && path.is_file() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        let names: Vec<String> = extensions.iter().map(|extension| format!("*.{extension}")).collect();
        return Err(InputError::input(name, format!("no {} files", names.join(" or "))));
    }
    paths.sort();
    Ok(paths)
}

/// The provider schemas of all files, in which a resource type is parsed when a plan first names it. Adds to `errors`
/// what is wrong with a file, which is left out. `limit` is the maximum size of a file in bytes.
pub(crate) fn schemas(paths: &[PathBuf], limit: u64, errors: &mut Vec<InputError>) -> ProviderSchemas {
    let mut schemas = ProviderSchemas::new();
    for path in paths {
        let file = Input::of(path);
        let read = file.read(limit).and_then(|bytes| {
            ProviderSchemas::open(file.name(), bytes)
                .map_err(|error| InputError::input(file.name(), error.to_string()))
        });
        match read {
            Ok(read) => schemas.extend(read),
            Err(error) => errors.push(error),
        }
    }
    schemas
}

/// Reads an input of at most `limit` bytes as text; an error if it is not UTF-8, with the position.
pub(crate) fn source(input: &Input, limit: u64) -> Result<Source, InputError> {
    let name = input.name();
    let bytes = input.read(limit)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let before = String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default()).into_owned();
            Err(Source::new(name, before).problem(valid, "this is not UTF-8").into())
        }
    }
}

/// Reads several inputs of at most `limit` bytes each as text, or returns the errors of all that cannot be read.
pub(crate) fn sources(inputs: &[Input], limit: u64) -> Result<Vec<Source>, Vec<InputError>> {
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for input in inputs {
        match source(input, limit) {
            Ok(source) => sources.push(source),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(sources) } else { Err(errors) }
}

/// The configuration that a binary plan has inside. If it cannot be read there is none, and a note says why.
pub(crate) fn embedded_configuration(plan: &Plan) -> (Option<Configuration>, Option<String>) {
    match Configuration::of_plan(plan) {
        None => (None, None),
        Some(Ok(configuration)) => (Some(configuration), None),
        Some(Err(problems)) => {
            let first = problems.first().map(Problem::to_string).unwrap_or_default();
            let more = match problems.len().saturating_sub(1) {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let note = format!(
                "the configuration in the plan cannot be read, and nothing of it is used: {first}{more}"
            );
            (None, Some(note))
        }
    }
}

/// Converts problems of a source text to errors of the command.
pub(crate) fn problem_errors(problems: Vec<Problem>) -> Vec<InputError> {
    problems.into_iter().map(InputError::from).collect()
}
