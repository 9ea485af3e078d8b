//! `plantime show`.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use plantime::plan::{InputError, Plan, RenderStyle, UnknownDetail};
use plantime::schema::ProviderSchemas;

use crate::args::Show;
use crate::files;
use crate::input::{self, Input};
use crate::output::{self, Sink};

/// Runs `plantime show` and returns the exit status.
pub(crate) fn show(arguments: &Show) -> ExitCode {
    let mut errors = Vec::new();
    match read(arguments) {
        Ok((plan, schemas)) => errors.extend(write(arguments, &plan, &schemas).err()),
        Err(unusable) => errors.extend(unusable),
    }
    output::errors(&errors);
    ExitCode::from(if errors.is_empty() { 0 } else { 2 })
}

/// Reads the plan and the schemas; returns everything that is wrong as errors.
fn read(arguments: &Show) -> Result<(Plan, ProviderSchemas), Vec<InputError>> {
    let limit = arguments.max_input_size;
    let input = Input::of(&arguments.plan);
    let mut inputs = vec![input.clone()];
    inputs.extend(arguments.schemas.iter().map(|path| Input::of(path)));
    let mut errors = Vec::from_iter(input::standard_input_twice(&inputs));
    errors.extend(files::overwriting(&inputs, &[("--output", arguments.output.output.as_deref())]));
    if !errors.is_empty() {
        return Err(errors);
    }
    let schemas = input::schemas(&arguments.schemas, limit, &mut errors);
    let plan = input.read(limit).and_then(|bytes| {
        let read = if Plan::is_binary(&bytes) { Plan::read_binary } else { Plan::read };
        read(&bytes, &schemas).map_err(|error| InputError::input(input.name(), error.to_string()))
    });
    match plan {
        Ok(plan) if errors.is_empty() => Ok((plan, schemas)),
        plan => {
            errors.extend(plan.err());
            Err(errors)
        }
    }
}

/// Writes the plan to the output of the options, in their format and style.
fn write(arguments: &Show, plan: &Plan, schemas: &ProviderSchemas) -> Result<(), InputError> {
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
    let mut file = SinkWriter { sink: Sink::of(&arguments.output), failed: None };
    let mut writer = BufWriter::with_capacity(1 << 16, &mut file);
    let written = match arguments.format.as_str() {
        "html" => plan.render_html(&mut writer, &Input::of(&arguments.plan).name(), schemas, style),
        _ => plan.render(&mut writer, schemas, style),
    };
    let written = written.and_then(|()| writer.flush());
    drop(writer);
    match (written, file.failed) {
        (_, Some(error)) => Err(error),
        (Ok(()), None) => file.sink.finish(),
        (Err(error), None) => Err(InputError::new(input::reason(&error))),
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
