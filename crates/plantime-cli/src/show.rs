//! `plantime show`.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan;
use plantime_terraform::plan::{Configuration, InputError, Plan, RenderStyle, UnknownDetail};

use crate::args::Show;
use crate::files;
use crate::folder;
use crate::input::{self, Input};
use crate::output::{self, Sink};

/// Runs `plantime show` and returns the exit status.
pub(crate) fn show(arguments: &Show) -> ExitCode {
    let mut errors = Vec::new();
    match read(arguments) {
        Ok((plans, schemas)) => match configuration(arguments, &plans.first) {
            Ok(configuration) => {
                errors.extend(write(arguments, &plans, &schemas, configuration.as_ref()).err());
            }
            Err(unusable) => errors.extend(unusable),
        },
        Err(unusable) => errors.extend(unusable),
    }
    output::errors(&errors);
    ExitCode::from(if errors.is_empty() { 0 } else { 2 })
}

/// The plan to show, and the later one that it is compared with.
struct Plans {
    first: Plan,
    second: Option<Plan>,
    /// The text of the first plan, if it is JSON and is to be written as JSON.
    document: Option<Vec<u8>>,
}

/// Reads the plans and the schemas; returns everything that is wrong as errors.
fn read(arguments: &Show) -> Result<(Plans, ProviderSchemas), Vec<InputError>> {
    let limit = arguments.max_input_size;
    let mut inputs = vec![Input::of(&arguments.plan)];
    inputs.extend(arguments.second.iter().map(|path| Input::of(path)));
    let plans = inputs.clone();
    inputs.extend(arguments.schemas.iter().map(|path| Input::of(path)));
    let mut errors = Vec::from_iter(input::standard_input_twice(&inputs));
    errors.extend(files::overwriting(&inputs, &[("--output", arguments.output.output.as_deref())]));
    errors.extend(unsupported_format(arguments));
    if !errors.is_empty() {
        return Err(errors);
    }
    let schemas = input::schemas(&arguments.schemas, limit, &mut errors);
    let mut plans = plans.iter().filter_map(|input| match read_plan(input, limit, &schemas) {
        Ok(plan) => Some(plan),
        Err(error) => {
            errors.push(error);
            None
        }
    });
    let (first, second) = (plans.next(), plans.next());
    drop(plans);
    let is_document = arguments.format == "json" && second.is_none();
    match first {
        Some((first, text)) if errors.is_empty() => {
            let document = text.filter(|_| is_document);
            let schemas = first.schemas_with(&schemas);
            Ok((Plans { first, second: second.map(|(plan, _)| plan), document }, schemas))
        }
        _ => Err(errors),
    }
}

/// Reads a plan, in JSON or binary; returns its text too if it is JSON.
fn read_plan(
    input: &Input,
    limit: u64,
    schemas: &ProviderSchemas,
) -> Result<(Plan, Option<Vec<u8>>), InputError> {
    let bytes = input.read(limit)?;
    let plan = input::parse_plan(input, &bytes, schemas)?;
    Ok((plan, (!Plan::is_binary(&bytes)).then_some(bytes)))
}

/// The error if `--format` cannot be used with the number of plans given, as `html` needs one, or with other options.
fn unsupported_format(arguments: &Show) -> Option<InputError> {
    match (arguments.format.as_str(), &arguments.second, &arguments.config) {
        ("html", Some(_), _) => Some(InputError::new("--format html shows one plan")),
        ("html", None, _) | (_, _, None) => None,
        _ => Some(InputError::new("--config is for the links of --format html")),
    }
}

/// The configuration that a page links to: the one in the folder that is named, else what a binary plan has inside. A plan whose
/// configuration cannot be read is shown without links.
fn configuration(arguments: &Show, plan: &Plan) -> Result<Option<Configuration>, Vec<InputError>> {
    match &arguments.config {
        _ if arguments.format != "html" => Ok(None),
        Some(folder) => folder::configuration(folder, arguments.max_input_size, true).map(Some),
        None if arguments.no_config => Ok(None),
        None => Ok(Configuration::of_plan(plan).and_then(Result::ok)),
    }
}

/// Writes the plan, or the differences between both, to the output of the options, in their format and style.
fn write(
    arguments: &Show,
    plans: &Plans,
    schemas: &ProviderSchemas,
    configuration: Option<&Configuration>,
) -> Result<(), InputError> {
    let knowledge = match arguments {
        Show { plain: true, .. } => UnknownDetail::Omitted,
        Show { known: true, .. } => UnknownDetail::Full,
        _ => UnknownDetail::Summary,
    };
    let mut style = RenderStyle::new(output::colour(&arguments.output)).unknown_detail(knowledge);
    if let Some(columns) = columns() {
        style = style.columns(columns);
    }
    if arguments.show_values {
        style = style.show_values();
    }
    let sink = match arguments.format.as_str() {
        "html" => Sink::of_page(&arguments.output),
        _ => Sink::of(&arguments.output),
    };
    let mut file = SinkWriter { sink, failed: None };
    let mut writer = BufWriter::with_capacity(1 << 16, &mut file);
    let Plans { first, second, document } = plans;
    let written = match (second, arguments.format.as_str()) {
        (Some(second), "json") => plan::diff(first, second).write_json(&mut writer),
        (Some(second), _) => plan::diff(first, second).write_text(&mut writer),
        (None, "json") => {
            let text = plan_text(first, document.as_deref(), schemas)?;
            let document =
                plan::PlanDocument::parse(&text).map_err(|error| InputError::new(error.to_string()))?;
            match arguments.known {
                true => document.write_json_with_refinements(&mut writer, first),
                false => document.write_json(&mut writer),
            }
        }
        (None, "html") => {
            let name = Input::of(&arguments.plan).name();
            first.render_html(&mut writer, &name, schemas, style, configuration)
        }
        (None, _) => first.render(&mut writer, schemas, style),
    };
    let written = written.and_then(|()| writer.flush());
    drop(writer);
    match (written, file.failed) {
        (_, Some(error)) => Err(error),
        (Ok(()), None) => file.sink.finish(),
        (Err(error), None) => Err(InputError::new(input::reason(&error))),
    }
}

/// The JSON text of a plan: as it was read, or made of a binary plan.
fn plan_text<'t>(
    plan: &Plan,
    document: Option<&'t [u8]>,
    schemas: &ProviderSchemas,
) -> Result<Cow<'t, [u8]>, InputError> {
    match document {
        Some(text) => Ok(Cow::Borrowed(text)),
        None => match plan.to_json_text(schemas) {
            Ok(text) => Ok(Cow::Owned(text.into_bytes())),
            Err(error) => Err(InputError::new(error.to_string())),
        },
    }
}

/// The width in the environment variable `COLUMNS`, if it is at least 20.
fn columns() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.trim().parse().ok()?;
    (columns >= 20).then_some(columns)
}

/// A sink as a writer, which keeps the first error of the sink.
struct SinkWriter {
    sink: Sink,
    failed: Option<InputError>,
}

impl Write for SinkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.sink.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                self.failed = Some(error);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
