//! The command `ytt`: its flags, its output and its exit status.

mod flags;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::package::{Format, Package, PackageError};
use flags::{Flags, parse};

/// What the command wrote and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What goes to standard output.
    pub output: String,
    /// What goes to standard error.
    pub errors: String,
    /// The exit status: 0, or 1 after an error.
    pub status: u8,
}

/// What the command reads beside files.
#[allow(missing_debug_implementations)]
pub struct Surroundings<'s> {
    /// The variables of the environment, for `--data-values-env`.
    pub variables: Vec<(String, String)>,
    /// Returns what standard input contains, for `-f -`.
    pub input: &'s mut dyn FnMut() -> io::Result<String>,
}

/// Runs the command with arguments, as ytt does with its own.
///
/// Flags have ytt's names. Flags that are not there, such as those that write files, are refused.
///
/// | flag | meaning |
/// |---|---|
/// | `-f`, `--file` | a file or folder with templates, schemas and data values; `-` is standard input, `NAME=PATH` renames |
/// | `-v`, `--data-value`, `--data-value-yaml`, `--data-value-file` | a data value: `KEY=VALUE`, `KEY=YAML`, `KEY=PATH` |
/// | `--data-values-file` | a file or folder of plain data values |
/// | `--data-values-env`, `--data-values-env-yaml` | the prefix of variables of the environment |
/// | `--data-values-inspect` | prints the final data values instead of output |
/// | `--data-values-schema-inspect -o openapi-v3` | prints the schema |
/// | `--dangerous-data-values-disable-validation` | evaluates no rule |
/// | `--implicit-map-key-overrides` | lets a repeated key replace the earlier one |
/// | `--proposal` | reads rules as the proposal for validations has them: see [`Package::with_proposal`](crate::Package::with_proposal) |
/// | `--data-value-schema-disable-validation`, `--output-disable-validation` | with `--proposal`: evaluates no rule of data values, or of the output |
/// | `-s`, `--strict` | refuses plain scalars whose type is not plain to see |
/// | `-o`, `--output` | the format: `yaml`, `json` |
///
/// A rule whose answer depends on a data value that is not known yet is written to standard error as `undetermined: …`;
/// it does not change the exit status.
///
/// ```
/// use plantime_ytt::command::{Surroundings, run};
///
/// let mut input = || Ok("#@data/values-schema\n---\n#@schema/validation min=1\nreplicas: 0\n".to_owned());
/// let mut surroundings = Surroundings { variables: Vec::new(), input: &mut input };
/// let outcome = run(["-f", "-", "--data-values-inspect"].map(str::to_owned), &mut surroundings);
/// assert_eq!(outcome.status, 1);
/// assert!(outcome.errors.contains("    from: stdin.yml:4\n    - must be: a value >= 1 (by: stdin.yml:3)\n"));
/// ```
pub fn run(arguments: impl IntoIterator<Item = String>, surroundings: &mut Surroundings<'_>) -> Outcome {
    let mut errors = String::new();
    match evaluate(arguments, surroundings, &mut errors) {
        Ok(output) => Outcome { output, errors, status: 0 },
        Err(error) => {
            errors.push_str(&format!("ytt: Error: {}\n", PackageError::new(error)));
            Outcome { output: String::new(), errors, status: 1 }
        }
    }
}

/// Returns what the command prints; appends to `errors` what it writes beside.
fn evaluate(
    arguments: impl IntoIterator<Item = String>,
    surroundings: &mut Surroundings<'_>,
    errors: &mut String,
) -> Result<String, String> {
    let flags = parse(arguments.into_iter())?;
    let package = package(&flags, surroundings)?;
    if flags.inspect_schema && !flags.openapi {
        return Err("Data values schema export only supported in OpenAPI v3 format; specify format with --output=openapi-v3 flag".to_owned());
    }
    if flags.openapi && !flags.inspect_schema {
        return Err("Output type currently only supported for data values schema (i.e. include --data-values-schema-inspect)".to_owned());
    }
    if flags.inspect_schema {
        return package.openapi_schema().map_err(PackageError::into_text);
    }
    let evaluation = if flags.inspect_values { package.evaluate() } else { package.output() };
    errors.push_str(&evaluation.printed);
    for open in &evaluation.undetermined {
        errors.push_str(&format!(
            "undetermined: {} must be: {} (by: {}), which reads {}\n",
            open.path, open.rule, open.by, open.reads
        ));
    }
    evaluation.values.map_err(PackageError::into_text)
}

/// Reads what the flags name.
fn package(flags: &Flags, surroundings: &mut Surroundings<'_>) -> Result<Package, String> {
    let mut package = Package::new();
    for argument in &flags.files {
        package =
            add(package, argument, surroundings, &mut |package, name, text| package.template(name, text))?;
    }
    for argument in &flags.values_files {
        // A library that the values are for may stand before a colon.
        let (library, path) = match argument.split_once(':') {
            Some((library, path)) if library.starts_with('@') => (format!("{library}:"), path),
            _ => (String::new(), argument.as_str()),
        };
        let mut take =
            |package: Package, name: &str, text: &str| package.values_file(&format!("{library}{name}"), text);
        package = add(package, path, surroundings, &mut take)
            .map_err(|error| format!("Extracting data value from file: Find files '{path}': {error}"))?;
    }
    for (prefix, is_yaml) in &flags.prefixes {
        for (name, value) in &surroundings.variables {
            package = match is_yaml {
                true => package.variable_yaml(prefix, name, value),
                false => package.variable(prefix, name, value),
            };
        }
    }
    for (argument, is_yaml) in &flags.values {
        let Some((key, value)) = argument.split_once('=') else {
            return Err("Extracting data value from KV: Expected format key=value".to_owned());
        };
        package = if *is_yaml { package.data_value_yaml(key, value) } else { package.data_value(key, value) };
    }
    for argument in &flags.file_values {
        let fail = |error: &str| format!("Extracting data value from file: {error}");
        let (key, path) = argument.split_once('=').ok_or_else(|| fail("Expected format key=/file/path"))?;
        let text = fs::read_to_string(path).map_err(|_| fail(&format!("Reading file '{path}'")))?;
        package = package.data_value_file(key, path, &text);
    }
    if flags.unvalidated {
        package = package.without_validation();
    }
    if flags.unvalidated_values {
        package = package.without_validation_of_values();
    }
    if flags.unvalidated_output {
        package = package.without_validation_of_output();
    }
    if flags.strict {
        package = package.strict();
    }
    if flags.proposal {
        package = package.with_proposal();
    }
    if flags.overrides {
        package = package.with_map_key_overrides();
    }
    Ok(if flags.json { package.format(Format::Json) } else { package })
}

/// Adds a file, or the files of a folder by name.
fn add(
    package: Package,
    argument: &str,
    surroundings: &mut Surroundings<'_>,
    take: &mut dyn FnMut(Package, &str, &str) -> Package,
) -> Result<Package, String> {
    let (name, path) = match argument.split_once('=') {
        Some((name, path)) => (Some(name), path),
        None => (None, argument),
    };
    if path == "-" {
        let text = (surroundings.input)().map_err(|error| format!("Reading file 'stdin.yml': {error}"))?;
        return Ok(take(package, name.unwrap_or("stdin.yml"), &text));
    }
    let fail = |path: &Path, error: &io::Error| {
        let shown = path.display();
        match error.kind() {
            io::ErrorKind::NotFound => {
                format!("Checking file '{shown}': lstat {shown}: no such file or directory")
            }
            _ => format!("Checking file '{shown}': {error}"),
        }
    };
    let path = Path::new(path);
    let text = |path: &Path| fs::read_to_string(path).map_err(|error| fail(path, &error));
    if !path.is_dir() {
        let base = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        return Ok(take(package, name.unwrap_or(&base), &text(path)?));
    }
    let files = files_below(path).map_err(|error| fail(path, &error))?;
    files.into_iter().try_fold(package, |package, file| {
        let below = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
        let name = name.map_or_else(|| below.clone(), |name| format!("{name}/{below}"));
        Ok(take(package, &name, &text(&file)?))
    })
}

/// Returns all files below a folder, sorted by their paths.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let is_folder = entry.file_type()?.is_dir();
            if is_folder { &mut folders } else { &mut files }.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}
