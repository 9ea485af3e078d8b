//! Variables of the rules, and of a configuration that is checked without a plan: `--var`, `--var-file`, `PLANTIME_VAR_NAME`.

use std::collections::BTreeMap;

use plantime::Value;
use plantime::source::Source;
use plantime_terraform::configuration::read_variables;
use plantime_terraform::plan::{Configuration, InputError, RulesFile};

use crate::args::Check;
use crate::eval::diagnostic_errors;
use crate::input::{self, Input};

/// What the names of variables of the rules begin with in the environment.
const ENVIRONMENT: &str = "PLANTIME_VAR_";

/// Gives the rules the values of their variables, and returns those of the configuration: of the environment, then of files in their
/// order, then of `--var`. A name that both have is set for both; one that neither has is refused.
pub(crate) fn given(
    arguments: &Check,
    configuration: Option<&Configuration>,
    rules: &mut RulesFile,
) -> Result<BTreeMap<String, Value>, Vec<InputError>> {
    let (mut parameters, mut variables, mut errors) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    let names: Vec<String> = rules.parameters.names().map(str::to_owned).collect();
    for name in &names {
        let Ok(text) = std::env::var(format!("{ENVIRONMENT}{name}")) else { continue };
        match rules.parameter_value(name, &text) {
            Ok(value) => drop(parameters.insert(name.clone(), value)),
            Err(problem) => errors.push(InputError::new(format!("{ENVIRONMENT}{name}: {problem}"))),
        }
    }
    let declared = |name: &str| {
        configuration.map(|configuration| configuration.read_variable(name, &Source::new(name, "0")))
    };
    for path in &arguments.var_file {
        let source = input::source(&Input::of(path), arguments.max_input_size);
        let read = source.map_err(|error| vec![error]);
        match read.and_then(|source| read_variables(&source).map_err(|problems| diagnostic_errors(&problems)))
        {
            Ok(read) => {
                for (name, value) in read {
                    let of_rules = names.contains(&name);
                    if of_rules {
                        parameters.insert(name.clone(), value.clone());
                    }
                    match declared(&name) {
                        Some(Ok(_)) => drop(variables.insert(name, value)),
                        _ if of_rules => {}
                        Some(Err(problem)) => errors.push(problem.into()),
                        // Refused below, with the nearest name.
                        None => drop(parameters.insert(name, value)),
                    }
                }
            }
            Err(found) => errors.extend(found),
        }
    }
    for text in &arguments.var {
        let Some((name, value)) = text.split_once('=') else {
            errors.push(InputError::new(format!("--var {text}: expected NAME=VALUE")));
            continue;
        };
        let name = name.trim();
        let of_rules = names.iter().any(|known| known == name);
        if of_rules {
            match rules.parameter_value(name, value) {
                Ok(value) => drop(parameters.insert(name.to_owned(), value)),
                Err(problem) => errors.push(InputError::new(format!("--var {name}: {problem}"))),
            }
        }
        let source = Source::new(format!("--var {name}"), value);
        match configuration.map(|configuration| configuration.read_variable(name, &source)) {
            Some(Ok(value)) => drop(variables.insert(name.to_owned(), value)),
            _ if of_rules => {}
            Some(Err(problem)) => errors.push(problem.into()),
            None => drop(parameters.insert(name.to_owned(), Value::from(value))),
        }
    }
    if let Err(messages) = rules.set_parameters(parameters) {
        errors.extend(messages.into_iter().map(InputError::new));
    }
    if errors.is_empty() { Ok(variables) } else { Err(errors) }
}
