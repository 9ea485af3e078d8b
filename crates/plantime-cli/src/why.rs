//! `plantime why`.

use std::process::ExitCode;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan;
use plantime_terraform::plan::{CheckOptions, InputError, Plan, RulesFile};

use crate::args::Why;
use crate::facts;
use crate::files;
use crate::folder;
use crate::input::{self, Input};
use crate::output::{self, Sink};

/// Runs `plantime why`: writes why a value is not known, or which unknown values most others depend on, and returns the exit status.
pub(crate) fn why(arguments: &Why) -> ExitCode {
    let (text, mut errors) = match explained(arguments) {
        Ok(text) => (text, Vec::new()),
        Err(errors) => (String::new(), errors),
    };
    if errors.is_empty() {
        let mut sink = Sink::of(&arguments.output);
        let written = sink.write(text.as_bytes()).and_then(|()| sink.finish());
        errors.extend(written.err());
    }
    output::errors(&errors);
    ExitCode::from(if errors.is_empty() { 0 } else { 2 })
}

/// The explanation in the format of the options.
fn explained(arguments: &Why) -> Result<String, Vec<InputError>> {
    if arguments.name.is_none() && !arguments.roots {
        let message = "which value? A name such as aws_vpc.main.id; or --roots, which lists all unknown values that others depend on";
        return Err(vec![InputError::new(message)]);
    }
    let inputs = read_inputs(arguments)?;
    let format = arguments.format.as_str();
    if let (false, Some(name)) = (arguments.roots, &arguments.name) {
        let found = plan::explain(&inputs.plan, &inputs.options, name);
        let explanation = found.map_err(|error| vec![InputError::new(error.to_string())])?;
        return Ok(match format {
            "json" => plan::printable_json(&explanation.to_json()) + "\n",
            "dot" => explanation.to_dot(),
            _ => explanation.text(),
        });
    }
    if inputs.options.configuration.is_none() {
        let message = "--roots follows the configuration: add --config DIR (a binary plan has it inside)";
        return Err(vec![InputError::new(message)]);
    }
    let report = match arguments.rules.is_empty() {
        true => None,
        false => {
            Some(plan::check(&inputs.name, &inputs.plan, &inputs.options).map_err(input::problem_errors)?)
        }
    };
    let roots = plan::root_causes(&inputs.plan, &inputs.options, report.as_ref());
    Ok(match format {
        "json" => plan::printable_json(&roots.to_json()) + "\n",
        "dot" => roots.to_dot(),
        _ => roots.text(),
    })
}

/// The inputs: the plan, with its name in messages, and the options of the check.
struct Inputs {
    name: String,
    plan: Plan,
    options: CheckOptions,
}

/// Reads all inputs, or returns everything that is wrong with them.
fn read_inputs(arguments: &Why) -> Result<Inputs, Vec<InputError>> {
    let limit = arguments.inputs.max_input_size;
    let mut errors = Vec::new();
    if arguments.inputs.plan.is_none() && arguments.inputs.config.is_none() {
        errors.push(InputError::new("nothing to explain: add --plan FILE, --config DIR, or both"));
    }
    let (rules, wrong) = input::rules(&arguments.rules);
    errors.extend(wrong);
    let plan_input = arguments.inputs.plan.as_deref().map(Input::of);
    let mut inputs: Vec<Input> = plan_input.iter().chain(&rules).cloned().collect();
    inputs.extend(arguments.inputs.schemas.iter().map(|path| Input::of(path)));
    inputs.extend(facts::inputs(&arguments.facts, arguments.inputs.config.as_deref()));
    errors.extend(input::standard_input_twice(&inputs));
    errors.extend(files::overwriting(&inputs, &[("--output", arguments.output.output.as_deref())]));
    if !errors.is_empty() {
        return Err(errors);
    }
    let schemas = input::schemas(&arguments.inputs.schemas, limit, &mut errors);
    let plan = plan_input.as_ref().map(|input| input::plan(input, limit, &schemas)).transpose();
    let plan = plan.map_err(|error| errors.push(error)).ok().flatten();
    let rules = match rules.is_empty() {
        true => RulesFile::read(Source::new("rules", "")).map_err(input::problem_errors),
        false => input::sources(&rules, limit)
            .and_then(|sources| RulesFile::read_files(sources).map_err(input::problem_errors)),
    };
    let configuration = match (&arguments.inputs.config, &plan) {
        (Some(path), _) => folder::configuration(path, limit, true).map(Some),
        (None, Some(plan)) => {
            let (configuration, note) = input::embedded_configuration(plan);
            output::warnings(&Vec::from_iter(note.map(InputError::new)));
            Ok(configuration)
        }
        (None, None) => Ok(None),
    };
    let facts = facts::facts(&arguments.facts, arguments.inputs.config.as_deref(), limit);
    match (rules, configuration, facts) {
        (Ok(rules), Ok(configuration), Ok(facts)) if errors.is_empty() => {
            let plan = plan.unwrap_or_default();
            let schemas: ProviderSchemas = plan.schemas_with(&schemas);
            let name = plan_input.map_or_else(String::new, |input| input.name());
            let show_values = arguments.show_values;
            Ok(Inputs {
                name,
                plan,
                options: CheckOptions { rules, schemas, configuration, show_values, facts },
            })
        }
        (rules, configuration, facts) => {
            errors.extend(rules.err().into_iter().flatten());
            errors.extend(configuration.err().into_iter().flatten());
            errors.extend(facts.err().into_iter().flatten());
            Err(errors)
        }
    }
}
