//! The text form of refinements, both ways. The grammar is in the documentation of [`Refinement`].

mod cursor;
mod names;
mod quoted;
mod read;
mod write;

use std::fmt;

use super::Refinement;
use crate::error::{Error, Kind};

pub(crate) use quoted::Quoted;

/// Reads the text form of a refinement; where that fails, says at which place.
///
/// For refinements inside a larger text, whose reader shows the place itself. [`Refinement`]'s `FromStr` is this
/// with the place put into the message.
pub(crate) fn parse(text: &str) -> Result<Refinement, Misread> {
    read::read(text)
}

/// What is wrong in the text of a refinement, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misread {
    kind: Kind,
    /// The byte where it begins, at most the length of the text.
    pub(crate) offset: usize,
    pub(crate) message: String,
}

impl Misread {
    #[cold]
    fn new(offset: usize, message: impl Into<String>) -> Misread {
        Misread { kind: Kind::Syntax, offset, message: message.into() }
    }

    #[cold]
    fn from_error(offset: usize, kind: Kind, error: &Error) -> Misread {
        Misread { kind, offset, message: error.message().to_owned() }
    }
}

impl std::str::FromStr for Refinement {
    type Err = Error;

    /// # Errors
    ///
    /// [`is_syntax`](Error::is_syntax) with the place and, for a misspelt name, the nearest right one;
    /// [`is_contradiction`](Error::is_contradiction) where no value but null could agree;
    /// [`is_limit`](Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels, or for a number with too
    /// many digits.
    fn from_str(text: &str) -> Result<Refinement, Error> {
        parse(text).map_err(|misread| {
            let place = Place { text, offset: misread.offset };
            Error::new(misread.kind, format!("{place}: {}", misread.message))
        })
    }
}

/// A place in a text as people count it, from one.
struct Place<'a> {
    text: &'a str,
    offset: usize,
}

impl fmt::Display for Place<'_> {
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
