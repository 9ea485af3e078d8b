//! Writes reports to standard output or a file, and errors to standard error.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use plantime_terraform::plan;
use plantime_terraform::plan::{Colour, InputError};

use crate::args::{ColourChoice, Output};
use crate::files::Writing;
use crate::input;
use crate::links::Relinked;

/// Where reports are written to: standard output or a file.
pub(crate) enum Sink {
    Standard,
    /// None until there is something to write: a run without an answer leaves the file as it was.
    File(std::path::PathBuf, Option<Writing>),
    /// A page in another folder than the one that the command runs in.
    Page(Relinked, Box<Sink>),
}

impl Sink {
    /// The destination that the option `--output` names; without it, or for `-`, standard output.
    pub(crate) fn of(output: &Output) -> Sink {
        match &output.output {
            None => Sink::Standard,
            Some(path) if path == Path::new("-") => Sink::Standard,
            Some(path) => Sink::File(path.clone(), None),
        }
    }

    /// The destination of a page: its links lead to the right files from the folder that it is written to.
    pub(crate) fn of_page(output: &Output) -> Sink {
        match Sink::of(output) {
            Sink::File(path, writing) => match Relinked::to(&path) {
                Some(links) => Sink::Page(links, Box::new(Sink::File(path, writing))),
                None => Sink::File(path, writing),
            },
            sink => sink,
        }
    }

    /// Writes these bytes; opens the file at the first call.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), InputError> {
        match self {
            Sink::Standard => write(bytes),
            Sink::Page(links, sink) => sink.write(&links.pass(bytes)),
            Sink::File(_, Some(writing)) => writing.write(bytes),
            Sink::File(path, writing) => writing.insert(Writing::start(path)?).write(bytes),
        }
    }

    /// Moves the written file to its place. Does nothing for standard output, or if nothing was written.
    pub(crate) fn finish(self) -> Result<(), InputError> {
        match self {
            Sink::Page(links, mut sink) => {
                sink.write(&links.end())?;
                sink.finish()
            }
            Sink::File(_, Some(writing)) => writing.finish(),
            Sink::Standard | Sink::File(_, None) => Ok(()),
        }
    }
}

/// Whether reports are written in colours. Without the option only on a terminal, and not if `NO_COLOR` is set.
pub(crate) fn colour(output: &Output) -> Colour {
    let is_wanted = match output.color {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto => {
            let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            matches!(Sink::of(output), Sink::Standard) && is_screen(&io::stdout()) && !unwanted
        }
    };
    if is_wanted { Colour::Always } else { Colour::Never }
}

/// Whether the stream is a terminal that can do more than write lines.
pub(crate) fn is_screen(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes to standard output. That its reader has gone away (`| head`) is no error.
pub(crate) fn write(bytes: &[u8]) -> Result<(), InputError> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(InputError::input("standard output", input::reason(&error)))
        }
        _ => Ok(()),
    }
}

/// Writes each error as one line to standard error.
pub(crate) fn errors(errors: &[InputError]) {
    write_problems("error", errors);
}

/// Writes warnings to standard error, a line each.
pub(crate) fn warnings(warnings: &[InputError]) {
    write_problems("warning", warnings);
}

fn write_problems(kind: &str, problems: &[InputError]) {
    for problem in problems {
        let _ = writeln!(io::stderr().lock(), "{kind}: {}", plan::printable(&problem.to_string()));
    }
}
