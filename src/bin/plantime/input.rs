//! Reads files, standard input and folders.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use plantime::plan::{Source, Unusable};
use plantime::schema::ProviderSchemas;

/// One plan to read.
#[derive(Clone)]
pub(crate) enum Input {
    Standard,
    File(PathBuf),
}

impl Input {
    pub(crate) fn name(&self) -> String {
        match self {
            Input::Standard => "standard input".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    /// At most `limit` bytes.
    pub(crate) fn read(&self, limit: u64) -> Result<Vec<u8>, Unusable> {
        let read = match self {
            Input::Standard => within(io::stdin().lock(), limit),
            Input::File(path) => File::open(path).and_then(|file| within(file, limit)),
        };
        match read {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => {
                let message = format!("larger than {limit} bytes; --max-input-size raises the limit");
                Err(Unusable::input(self.name(), message))
            }
            Err(error) => Err(Unusable::input(self.name(), reason(&error))),
        }
    }
}

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

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Unusable> {
    std::fs::write(path, text).map_err(|error| Unusable::input(path.display().to_string(), reason(&error)))
}

/// What the system says, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The plans that the arguments name, patterns expanded.
pub(crate) fn plans(arguments: &[String]) -> (Vec<Input>, Vec<Unusable>) {
    let (mut inputs, mut errors) = (Vec::new(), Vec::new());
    for argument in arguments {
        if argument == "-" {
            if inputs.iter().any(|input| matches!(input, Input::Standard)) {
                errors.push(Unusable::new("standard input can be read once only"));
            } else {
                inputs.push(Input::Standard);
            }
        } else if !argument.contains(['*', '?', '[']) || Path::new(argument).exists() {
            inputs.push(Input::File(PathBuf::from(argument)));
        } else {
            match glob::glob(argument) {
                Ok(paths) => {
                    let before = inputs.len();
                    for path in paths {
                        match path {
                            Ok(path) => inputs.push(Input::File(path)),
                            Err(error) => errors.push(Unusable::input(argument, error.to_string())),
                        }
                    }
                    if inputs.len() == before {
                        errors.push(Unusable::input(argument, "no file has a name of this pattern"));
                    }
                }
                Err(error) => errors.push(Unusable::input(argument, error.to_string())),
            }
        }
    }
    (inputs, errors)
}

/// The schemas of all files, each type to be read when a plan names it; what is wrong with one file is added to the
/// errors.
pub(crate) fn schemas(paths: &[PathBuf], limit: u64, errors: &mut Vec<Unusable>) -> ProviderSchemas {
    let mut schemas = ProviderSchemas::new();
    for path in paths {
        let file = Input::File(path.clone());
        let read = file.read(limit).and_then(|bytes| {
            ProviderSchemas::open(file.name(), bytes)
                .map_err(|error| Unusable::input(file.name(), error.to_string()))
        });
        match read {
            Ok(read) => schemas.extend(read),
            Err(error) => errors.push(error),
        }
    }
    schemas
}

/// A text file.
pub(crate) fn source(path: &Path, limit: u64) -> Result<Source, Unusable> {
    let name = path.display().to_string();
    let bytes = Input::File(path.to_owned()).read(limit)?;
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

/// The `*.tf` files of a folder.
pub(crate) fn module(folder: &Path, limit: u64) -> Result<Vec<Source>, Vec<Unusable>> {
    let name = folder.display().to_string();
    let unusable = |error: &io::Error| vec![Unusable::input(name.clone(), reason(error))];
    let entries = std::fs::read_dir(folder).map_err(|error| unusable(&error))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unusable(&error))?.path();
        if path.extension().is_some_and(|extension| extension == "tf") && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(vec![Unusable::input(name, "no *.tf files")]);
    }
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        match source(&path, limit) {
            Ok(source) => sources.push(source),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(sources) } else { Err(errors) }
}
