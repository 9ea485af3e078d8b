//! The path and the types of an error, which are kept beside its message.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::mem::take;

use smallvec::SmallVec;

use super::{Path, Step};
use crate::error::{Details, Error, Kind};
use crate::types::Type;

/// The path of an error that is about the value itself: no steps.
static NO_STEPS: Path = Path(SmallVec::new_const());

/// What an error records besides its message: the path to the problem, and the expected and the found type.
#[derive(Clone, Default, PartialEq)]
struct PlaceAndTypes {
    path: Path,
    /// The type that was expected, and the one that was found.
    types: Option<(Type, Type)>,
}

impl Details for PlaceAndTypes {
    fn copy(&self) -> Box<dyn Details> {
        Box::new(self.clone())
    }

    fn equal(&self, other: &dyn Details) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }

    fn write_before_message(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { Ok(()) } else { write!(f, "{}: ", self.path) }
    }
}

/// The path and types that the error records; `None` if it records neither.
fn details_of(error: &Error) -> Option<&PlaceAndTypes> {
    let details: &dyn Any = error.details()?;
    details.downcast_ref()
}

/// The error after `change` has changed its path or types.
#[cold]
fn with_changed_details(mut error: Error, change: impl FnOnce(&mut PlaceAndTypes)) -> Error {
    let details: Option<Box<dyn Any>> = match error.take_details() {
        Some(details) => Some(details),
        None => None,
    };
    let mut details: Box<PlaceAndTypes> =
        details.and_then(|details| details.downcast().ok()).unwrap_or_default();
    change(&mut details);
    // Empty details are not stored, since errors are compared with their details.
    if !details.path.is_empty() || details.types.is_some() {
        error.set_details(details);
    }
    error
}

/// The message `<expected> required, but have <found>`. Frequent ones are constants, without an allocation: methods
/// such as `as_str` are also called to find out whether a value is of a type.
fn required(expected: &Type, found: &Type) -> Cow<'static, str> {
    macro_rules! words {
        ($wanted:literal) => {
            match found {
                Type::Bool => Some(concat!($wanted, " required, but have bool")),
                Type::Number => Some(concat!($wanted, " required, but have number")),
                Type::String => Some(concat!($wanted, " required, but have string")),
                Type::Tuple(_) => Some(concat!($wanted, " required, but have tuple")),
                Type::Object(_) => Some(concat!($wanted, " required, but have object")),
                _ => None,
            }
        };
    }
    let words = match expected {
        Type::Bool => words!("bool"),
        Type::Number => words!("number"),
        Type::String => words!("string"),
        _ => None,
    };
    let written = || [&*expected.friendly_name(), " required, but have ", &*found.friendly_name()].concat();
    words.map_or_else(|| Cow::Owned(written()), Cow::Borrowed)
}

impl Error {
    /// The type mismatch `<expected> required, but have <found>`, with both types recorded.
    #[cold]
    pub(crate) fn mismatch(expected: &Type, found: &Type) -> Error {
        let mut error = Error::of(Kind::TypeMismatch, required(expected, found));
        let types = Some((expected.clone(), found.clone()));
        // Not through `with_types`, which takes the details out first: callers try `as_str` and its like to find out a
        // type, so this error is made often.
        error.set_details(Box::new(PlaceAndTypes { path: Path::new(), types }));
        error
    }

    /// The same error with the type that was expected and the type that was found recorded.
    #[cold]
    pub(crate) fn with_types(self, expected: Type, found: Type) -> Error {
        with_changed_details(self, |details| details.types = Some((expected, found)))
    }

    /// The same error with `step` put before its path. A function that works on the children of a value calls this
    /// with the step to the child that fails, so that the path leads there from the whole value. [`at`](Error::at)
    /// replaces the path.
    ///
    /// ```
    /// use plantime::{Error, Path, Step};
    ///
    /// let port = Error::custom("it is no port").at(Path::new().attr("port"));
    /// let error = port.under(Step::index(2)).under(Step::attr("listeners"));
    /// assert_eq!(error.to_string(), "listeners[2].port: it is no port");
    /// assert_eq!(error.path(), &"listeners[2].port".parse::<Path>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[cold]
    #[must_use]
    pub fn under(self, step: Step) -> Error {
        with_changed_details(self, |details| details.path = take(&mut details.path).under(step))
    }

    /// The same error with its path replaced by this one. [`under`](Error::under) puts a step before it.
    ///
    /// ```
    /// use plantime::{Error, Path};
    ///
    /// let error = Error::custom("the port is taken").at("ingress[0].port".parse()?);
    /// assert_eq!(error.path(), &Path::new().attr("ingress").index(0).attr("port"));
    /// assert_eq!(error.to_string(), "ingress[0].port: the port is taken");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[cold]
    #[must_use]
    pub fn at(self, path: Path) -> Error {
        with_changed_details(self, |details| details.path = path)
    }

    /// The same error with at most `steps` steps of its path, and nothing that its message quotes: what comes below them may be
    /// content that is behind a mark.
    #[cold]
    #[doc(hidden)]
    pub fn above_content(self, steps: usize) -> Error {
        let kept = self.path().steps().iter().take(steps).cloned().collect();
        with_changed_details(self.concealed(), |details| *details = PlaceAndTypes { path: kept, types: None })
    }

    /// The path from the value that was passed in to the problem; empty for the value itself.
    ///
    /// [Example](Error::at)
    pub fn path(&self) -> &Path {
        details_of(self).map_or(&NO_STEPS, |details| &details.path)
    }

    /// The type that was expected; `None` if the error is not about types.
    ///
    /// ```
    /// use plantime::{Type, Value, convert, value};
    ///
    /// let error = convert(&value!({ "port": [] })?, &"object({port = number})".parse()?).unwrap_err();
    /// assert_eq!(error.expected(), Some(&Type::Number));
    /// assert_eq!(error.found().map(ToString::to_string).as_deref(), Some("tuple([])"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn expected(&self) -> Option<&Type> {
        details_of(self)?.types.as_ref().map(|(expected, _)| expected)
    }

    /// The type that was found; `None` if the error is not about types.
    ///
    /// [Example](Error::expected)
    pub fn found(&self) -> Option<&Type> {
        details_of(self)?.types.as_ref().map(|(_, found)| found)
    }
}
