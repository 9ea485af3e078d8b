//! Writes answers and errors.

use std::io::{self, IsTerminal, Write};

use plantime::plan::{self, Colour, Unusable};

use crate::input;

/// Colours are for terminals, and for those who want them.
pub(crate) fn colour() -> Colour {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if is_screen(&io::stdout()) && !unwanted { Colour::Always } else { Colour::Never }
}

/// Whether it is a terminal that can do more than write lines.
pub(crate) fn is_screen(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes to standard output. A reader that went away (`| head`) is no failure of the command.
pub(crate) fn write(text: &str) -> Result<(), Unusable> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Unusable::input("standard output", input::reason(&error)))
        }
        _ => Ok(()),
    }
}

pub(crate) fn errors(errors: &[Unusable]) {
    for error in errors {
        let _ = writeln!(io::stderr().lock(), "error: {}", plan::printable(&error.to_string()));
    }
}
