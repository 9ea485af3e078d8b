//! `plantime fmt`.

use std::path::Path;
use std::process::ExitCode;

use plantime_terraform::plan::{InputError, RulesFile};

use crate::args::Fmt;
use crate::files;
use crate::input::{self, Input};
use crate::output;

/// Runs `plantime fmt`: writes each file in the canonical format, and returns the exit status.
pub(crate) fn fmt(arguments: &Fmt) -> ExitCode {
    let (inputs, mut errors) = input::expanded(&arguments.files, &["hcl"]);
    errors.extend(input::standard_input_twice(&inputs));
    let mut changed = false;
    if errors.is_empty() {
        for input in &inputs {
            match formatted(input, arguments) {
                Ok(is_other) => changed |= is_other,
                Err(more) => errors.extend(more),
            }
        }
    }
    let status = match (errors.is_empty(), changed && arguments.check) {
        (false, _) => 2,
        (true, true) => 1,
        (true, false) => 0,
    };
    output::errors(&errors);
    ExitCode::from(status)
}

/// Formats one input, and names it if that changes it; whether it does.
fn formatted(input: &Input, arguments: &Fmt) -> Result<bool, Vec<InputError>> {
    if input.path().extension().is_some_and(|extension| extension == "json") {
        let message = "JSON has no canonical format here: `fmt` writes files in the native syntax of HCL";
        return Err(vec![InputError::input(input.name(), message)]);
    }
    let source = input::source(input, arguments.max_input_size).map_err(|error| vec![error])?;
    let text = match is_of_terraform(&input.path()) {
        true => {
            plantime_hcl::format(&source).map_err(|problems| crate::eval::diagnostic_errors(&problems))?
        }
        false => RulesFile::format(&source).map_err(input::problem_errors)?,
    };
    let is_other = text != source.text();
    if let (Input::Standard, false) = (input, arguments.check) {
        output::write(text.as_bytes()).map_err(|error| vec![error])?;
        return Ok(is_other);
    }
    if is_other {
        if !arguments.check {
            files::rewrite(&input.path(), &text).map_err(|error| vec![error])?;
        }
        output::write(format!("{}\n", input.name()).as_bytes()).map_err(|error| vec![error])?;
    }
    Ok(is_other)
}

/// Whether a file is one of Terraform's language.
fn is_of_terraform(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    [".tf", ".tofu", ".tfvars", ".tftest.hcl", ".tfmock.hcl"].iter().any(|end| name.ends_with(end))
}
