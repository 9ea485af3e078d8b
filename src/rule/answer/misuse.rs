//! The error of a rule that cannot be checked on a value.

use std::fmt;

use crate::error::{Error, Kind};
use crate::path::Path;

/// A rule cannot be checked here: it cannot read the type of the value, or a path in it leads to no part.
///
/// That is a mistake in the rule and says nothing about the value, so it is an error and no outcome. Boxed, to keep
/// `Result<Outcome, Misuse>` small.
#[derive(Clone, PartialEq, Eq)]
pub struct Misuse(Box<(Path, String)>);

impl Misuse {
    /// A misuse at a place.
    #[cold]
    pub fn new(path: Path, message: impl Into<String>) -> Misuse {
        Misuse(Box::new((path, message.into())))
    }

    /// The place of the value that the rule cannot read.
    pub fn path(&self) -> &Path {
        &self.0.0
    }

    /// The message, without the path.
    pub fn message(&self) -> &str {
        &self.0.1
    }

    /// The misuse for an error of a path. `below` is the path of the value that the error's own path starts from.
    #[cold]
    pub(in crate::rule) fn from_error(error: &Error, below: &Path) -> Misuse {
        Misuse::new(below.clone().join(error.path()), error.message())
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        f.write_str(self.message())
    }
}

impl fmt::Debug for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Misuse({self})")
    }
}

impl std::error::Error for Misuse {}

/// The misuse as the crate's error, of the kind that [`Error::is_type_mismatch`] asks for.
impl From<Misuse> for Error {
    fn from(misuse: Misuse) -> Error {
        let (path, message) = *misuse.0;
        Error::new(Kind::TypeMismatch, message).at(path)
    }
}
