//! Reading and writing the text form of refinements. The grammar is in the documentation of [`Refinement`].

mod cursor;
mod names;
mod quoted;
mod read;
mod write;

use std::fmt;

use super::Refinement;
use crate::error::{Error, Kind};

pub use names::refinement_names;
pub(crate) use quoted::Quoted;

/// Parses the text form of a refinement; an error contains its position.
///
/// For refinements inside a larger text, whose reader shows the position itself. `FromStr` of [`Refinement`] puts the
/// position into the message.
pub(crate) fn parse(text: &str) -> Result<Refinement, RefinementSyntaxError> {
    read::read(text)
}

/// A syntax error in the text of a refinement, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefinementSyntaxError {
    kind: Kind,
    /// The index of the byte where the error begins, at most the length of the text.
    pub(crate) offset: usize,
    pub(crate) message: String,
}

impl RefinementSyntaxError {
    #[cold]
    fn new(offset: usize, message: impl Into<String>) -> RefinementSyntaxError {
        RefinementSyntaxError { kind: Kind::Syntax, offset, message: message.into() }
    }

    /// A syntax error at an offset that wraps another error.
    #[cold]
    fn from_error(offset: usize, kind: Kind, error: &Error) -> RefinementSyntaxError {
        RefinementSyntaxError { kind, offset, message: error.message().to_owned() }
    }
}

impl std::str::FromStr for Refinement {
    type Err = Error;

    /// # Errors
    ///
    /// [`is_syntax`](Error::is_syntax) with the position and, for a misspelt name, the nearest right one;
    /// [`is_contradiction`](Error::is_contradiction) if only null could satisfy the refinement;
    /// [`is_limit`](Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels, or for a number with too
    /// many digits.
    fn from_str(text: &str) -> Result<Refinement, Error> {
        parse(text).map_err(|error| {
            let place = TextPosition { text, offset: error.offset };
            Error::new(error.kind, format!("{place}: {}", error.message))
        })
    }
}

/// Formats a position in a text as line and column, counted from one.
struct TextPosition<'a> {
    text: &'a str,
    offset: usize,
}

impl fmt::Display for TextPosition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.text.get(..self.offset).unwrap_or(self.text);
        let line = before.matches('\n').count().saturating_add(1);
        let column = before.chars().rev().take_while(|c| *c != '\n').count().saturating_add(1);
        if self.text.contains('\n') {
            write!(f, "line {line}, ")?;
        }
        write!(f, "column {column}")
    }
}
