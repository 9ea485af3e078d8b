//! The variables of a configuration that is checked without a plan: `--var` and `--var-file`.

use std::collections::BTreeMap;

use plantime::Value;
use plantime::source::Source;
use plantime_terraform::configuration::read_variables;
use plantime_terraform::plan::{Configuration, InputError};

use crate::args::Check;
use crate::eval::diagnostic_errors;
use crate::input::{self, Input};

/// The values of variables that the options give: those of files in their order, then those of `--var`.
pub(crate) fn given(
    arguments: &Check,
    configuration: &Configuration,
) -> Result<BTreeMap<String, Value>, Vec<InputError>> {
    let (mut values, mut errors) = (BTreeMap::new(), Vec::new());
    for path in &arguments.var_file {
        let source = input::source(&Input::of(path), arguments.max_input_size);
        let read = source.map_err(|error| vec![error]);
        match read.and_then(|source| read_variables(&source).map_err(|problems| diagnostic_errors(&problems)))
        {
            Ok(read) => values.extend(read),
            Err(found) => errors.extend(found),
        }
    }
    for text in &arguments.var {
        let Some((name, value)) = text.split_once('=') else {
            errors.push(InputError::new(format!("--var {text}: expected NAME=VALUE")));
            continue;
        };
        match configuration.read_variable(name.trim(), &Source::new(format!("--var {name}"), value)) {
            Ok(value) => drop(values.insert(name.trim().to_owned(), value)),
            Err(problem) => errors.push(problem.into()),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}
