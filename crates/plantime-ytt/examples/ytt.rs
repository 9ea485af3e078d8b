//! A small `ytt`: prints the final data values of a package, with ytt's flags, or its error.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use plantime_ytt::Package;

fn main() -> ExitCode {
    match run(env::args().skip(1)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("ytt: Error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let (mut package, mut inspect, mut inspect_schema, mut openapi) = (Package::new(), false, false, false);
    while let Some(argument) = arguments.next() {
        let (flag, attached) = match argument.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag.to_owned(), Some(value.to_owned())),
            _ => (argument.clone(), None),
        };
        if let "--data-values-inspect"
        | "--data-values-schema-inspect"
        | "--dangerous-data-values-disable-validation" = flag.as_str()
        {
            match flag.as_str() {
                "--data-values-inspect" => inspect = true,
                "--data-values-schema-inspect" => inspect_schema = true,
                _ => package = package.without_validation(),
            }
            continue;
        }
        let value = attached.or_else(|| arguments.next()).ok_or_else(|| format!("{flag} needs a value"))?;
        package = match flag.as_str() {
            "-f" | "--file" => add(package, &value, Package::template)?,
            "--data-values-file" => {
                let prefix = format!("Extracting data value from file:\n  Find files '{value}':\n    ");
                add(package, &value, Package::values_file).map_err(|error| prefix + &error)?
            }
            "-v" | "--data-value" => pair(&value).map(|(key, value)| package.data_value(key, value))?,
            "--data-value-yaml" => pair(&value).map(|(key, value)| package.data_value_yaml(key, value))?,
            "-o" | "--output" if value == "openapi-v3" => {
                openapi = true;
                package
            }
            _ => return Err(format!("the flag {flag} is not supported")),
        };
    }
    if openapi && !inspect_schema {
        return Err("Output type currently only supported for data values schema (i.e. include --data-values-schema-inspect)".to_owned());
    }
    if inspect_schema {
        return package.openapi_schema().map_err(|error| error.to_string());
    }
    let evaluation = package.evaluate();
    eprint!("{}", evaluation.printed);
    for open in &evaluation.undetermined {
        eprintln!(
            "undetermined: {} must be: {} (by: {}), which reads {}",
            open.path, open.rule, open.by, open.reads
        );
    }
    let values = evaluation.values.map_err(|error| error.to_string())?;
    match inspect {
        true => Ok(values),
        false if package.has_other_templates() => {
            Err("templates are not evaluated: give --data-values-inspect".to_owned())
        }
        false => Ok(String::new()),
    }
}

fn pair(argument: &str) -> Result<(&str, &str), String> {
    let text = "Extracting data value from KV:\n  Expected format key=value";
    argument.split_once('=').ok_or_else(|| text.to_owned())
}

/// Adds a file, or the files of a directory by name.
fn add(
    package: Package,
    argument: &str,
    take: fn(Package, &str, &str) -> Package,
) -> Result<Package, String> {
    let (name, path) = match argument.split_once('=') {
        Some((name, path)) => (Some(name), Path::new(path)),
        None => (None, Path::new(argument)),
    };
    let shown = path.display();
    let fail = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            format!("Checking file '{shown}': lstat {shown}: no such file or directory")
        }
        _ => format!("Checking file '{shown}': {error}"),
    };
    if argument == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(fail)?;
        return Ok(take(package, "stdin.yml", &text));
    }
    let base = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !path.is_dir() {
        return Ok(take(package, name.unwrap_or(&base), &fs::read_to_string(path).map_err(fail)?));
    }
    let (mut folders, mut files) = (vec![path.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let is_folder = entry.file_type().map_err(fail)?.is_dir();
            if is_folder { &mut folders } else { &mut files }.push(entry.path());
        }
    }
    files.sort();
    files.into_iter().try_fold(package, |package, file| {
        let name = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
        Ok(take(package, &name, &fs::read_to_string(&file).map_err(fail)?))
    })
}
