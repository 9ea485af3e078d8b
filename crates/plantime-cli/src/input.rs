//! Reads files, standard input and folders.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use plantime::source::{Problem, Source};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Configuration, InputError, Plan};

use crate::{files, no_plan};

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
/// read. `in_folders` is the extension of the files that a folder stands for; without it a folder is no input.
pub(crate) fn expanded(arguments: &[PathBuf], in_folders: Option<&str>) -> (Vec<Input>, Vec<InputError>) {
    let (mut inputs, mut errors) = (Vec::new(), Vec::new());
    for argument in arguments {
        let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[']) && !argument.exists());
        match (in_folders, pattern) {
            (Some(extension), _) if argument.is_dir() => match files_in(argument, extension) {
                Ok(paths) => inputs.extend(paths.into_iter().map(Input::File)),
                Err(error) => errors.push(error),
            },
            (_, None) => inputs.push(Input::of(argument)),
            (_, Some(pattern)) => match matching(pattern) {
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

/// The files of a folder with this extension, sorted. An error if there is none.
fn files_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, InputError> {
    let name = folder.display().to_string();
    let unusable = |error: &io::Error| InputError::input(name.clone(), reason(error));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unusable(&error))? {
        let path = entry.map_err(|error| unusable(&error))?.path();
        if path.extension().is_some_and(|found| found == extension) && path.is_file() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(InputError::input(name, format!("no *.{extension} files")));
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
