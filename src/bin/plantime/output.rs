//! Writes answers and errors.

use std::io::{self, IsTerminal, Write};

use plantime::plan::{self, Colour, Unusable};

use crate::input;

/// Colours are for terminals, and for those who want them.
pub(crate) fn colour() -> Colour {
    let unwanted = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if io::stdout().is_terminal() && !unwanted("NO_COLOR") && !dumb { Colour::Always } else { Colour::Never }
}

/// Writes the text; then the errors, to which a failure to write is added.
pub(crate) fn write(text: &str, errors: &mut Vec<Unusable>) {
    let written = io::stdout().lock().write_all(text.as_bytes()).and_then(|()| io::stdout().flush());
    // A reader that went away (`| head`) is no failure of the command.
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        errors.push(Unusable::input("standard output", input::reason(&error)));
    }
    for error in errors.iter() {
        let _ = writeln!(io::stderr().lock(), "error: {}", plan::printable(&error.to_string()));
    }
}
