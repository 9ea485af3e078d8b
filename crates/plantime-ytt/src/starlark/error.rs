//! Why Starlark could not be read or evaluated.

use std::rc::Rc;

use crate::node::{Position, Source};

/// A text that is no Starlark.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) line: usize,
}

/// Why an evaluation ended without a value.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// An error of Starlark, which `assert.try_to` catches.
    Error(Box<Error>),
    /// An operation read the unknown value at a path.
    Undetermined(Rc<str>),
    /// A bound was reached, or something is not supported.
    Limit(String),
}

/// An error of Starlark.
#[derive(Clone, Debug)]
pub(crate) struct Error {
    pub(crate) message: String,
    /// The functions that were called, innermost first.
    pub(crate) frames: Vec<Frame>,
    /// The line of the current function, once it is found.
    line: Option<usize>,
}

/// A call that was not finished: the name of the function, and the position in it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) name: Rc<str>,
    pub(crate) at: Position,
}

/// The largest number of frames that an error shows.
const MAX_FRAMES: usize = 50;

impl Failure {
    /// Sets the line of the error in the function that is evaluated, unless an inner expression has set it.
    pub(crate) fn at_line(mut self, line: usize) -> Failure {
        if let Failure::Error(error) = &mut self {
            error.line.get_or_insert(line);
        }
        self
    }

    /// Adds the frame of a function that the error leaves.
    pub(crate) fn leaving(mut self, name: &Rc<str>, source: &Rc<Source>) -> Failure {
        if let Failure::Error(error) = &mut self {
            let line = error.line.take();
            if let Some(line) = line.filter(|_| error.frames.len() < MAX_FRAMES) {
                let at = Position { source: Rc::clone(source), line };
                error.frames.push(Frame { name: Rc::clone(name), at });
            }
        }
        self
    }

    /// The message without positions.
    pub(crate) fn message(&self) -> String {
        match self {
            Failure::Error(error) => error.message.clone(),
            Failure::Undetermined(path) => format!("the value of {path} is not known"),
            Failure::Limit(message) => message.clone(),
        }
    }

    /// The message with the calls that led to it, as ytt shows an error of a template.
    pub(crate) fn shown(&self) -> String {
        let Failure::Error(error) = self else { return format!("\n- {}", self.message()) };
        let frames = error.frames.iter().map(|frame| {
            let text = if frame.at.source.lines.is_empty() { "(unavailable)" } else { frame.at.text() };
            format!("\n    in {}\n      {} | {text}", frame.name, frame.at)
        });
        shown(&error.message, &frames.collect::<String>())
    }
}

/// Returns a message whose first line stands before the positions, and the others after them.
pub(crate) fn shown(message: &str, positions: &str) -> String {
    let (first, rest) = match message.split_once('\n') {
        Some((first, rest)) => (first, Some(rest)),
        None => (message, None),
    };
    let hint = if first == "got '|', want primary expression" {
        " (hint: use 'or' instead of '||' for logical-or)"
    } else if first == "got '&', want primary expression" {
        " (hint: use 'and' instead of '&&' for logical-and)"
    } else if first == "got newline, want ':'" {
        " (hint: missing colon at the end of 'if/for/def' statement?)"
    } else {
        ""
    };
    let mut text = format!("\n- {first}{hint}{positions}");
    if let Some(rest) = rest {
        text.push_str("\n\n    reason:");
        for line in rest.split('\n') {
            text.push_str("\n     ");
            text.push_str(line);
        }
    }
    text
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Error(Box::new(Error { message, frames: Vec::new(), line: None }))
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Failure {
        Failure::from(message.to_owned())
    }
}
