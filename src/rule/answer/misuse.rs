//! The error of a rule that cannot be checked on a value.

use std::fmt;

use crate::error::{Error, Kind};
use crate::path::Path;
use crate::rule::Request;
use crate::value::Value;

/// A rule cannot be checked here: it cannot read the type of the value, or a path in it leads to no part.
///
/// That is a mistake in the rule and says nothing about the value, so it is an error and no outcome. Boxed, to keep
/// `Result<Outcome, Misuse>` small.
///
/// ```
/// use plantime::Value;
/// use plantime::rule::Rule;
///
/// let misuse = Rule::starts_with("vpc-").check_value(&Value::from(1)).unwrap_err();
/// assert!(misuse.path().is_empty());
/// assert_eq!(misuse.message(), "starts_with needs a string, but the value is a number");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Misuse(Box<Inner>);

/// The content of a misuse: where it is, and the message.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Inner {
    path: Path,
    message: String,
    /// The length in bytes of the message before "did you mean …", if it ends with such a suggestion.
    before_suggestion: Option<usize>,
}

impl Misuse {
    /// A misuse at the place of a value, with a message.
    ///
    /// [Example](Misuse)
    #[cold]
    pub fn new(path: Path, message: impl Into<String>) -> Misuse {
        Misuse(Box::new(Inner { path, message: message.into(), before_suggestion: None }))
    }

    /// The place of the value that the rule cannot read.
    ///
    /// [Example](Misuse)
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The message, without the path.
    ///
    /// [Example](Misuse)
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Converts the error of following a path to a misuse. `below` is the path of the value that the error's own path
    /// starts from.
    #[cold]
    pub(in crate::rule) fn from_error(error: &Error, below: &Path) -> Misuse {
        let mut misuse = Misuse::new(below.clone().join(error.path()), error.message());
        misuse.0.before_suggestion = error.before_suggestion();
        misuse
    }

    /// Removes the suggestion of a name from the message if a value of the request is marked: a marked object may
    /// have been converted from a map, so the names of its attributes are content (L5).
    #[cold]
    pub(in crate::rule) fn on(mut self, request: &Request<'_>) -> Misuse {
        let values = [Some(request.root), request.before, request.before_root];
        let is_marked = || values.into_iter().flatten().any(Value::contains_marks);
        if let Some(length) = self.0.before_suggestion.filter(|_| is_marked()) {
            self.0.message.truncate(length);
            self.0.before_suggestion = None;
        }
        self
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
        let Inner { path, message, .. } = *misuse.0;
        Error::new(Kind::TypeMismatch, message).at(path)
    }
}
