//! The one public error: what kind of problem it is, in words. Every module uses this module, so it uses none: the
//! path to the problem and the expected and found types are added by the module `path`, as [`Details`].

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The result of a fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation has no result.
///
/// One word wide. Programs tell errors apart by predicates such as [`is_type_mismatch`](Error::is_type_mismatch), not
/// by the message; the place is data too ([`path`](Error::path)). The message is lower case, says what was expected
/// and what was found, and never contains the content of a marked value.
///
/// ```
/// use plantime::Value;
///
/// let error = Value::from("a").as_number().unwrap_err();
/// assert!(error.is_type_mismatch());
/// assert_eq!(error.to_string(), "number required, but have string");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

/// The content of an error, behind one pointer so that results stay small.
#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    message: Cow<'static, str>,
    /// The length of the message before its suggestion, if it ends with one.
    before_suggestion: Option<usize>,
    /// The place and the types; `None` where the error has neither.
    details: Option<Box<dyn Details>>,
    /// Which argument of a call it is about, from 0.
    argument: Option<usize>,
    /// Whether the message was written by code of the caller, so that it may hold content.
    foreign: bool,
    source: Option<Source>,
}

/// The path to the problem of an error, and the types that it is about. The module `path` implements it: this module
/// lies below types and paths, as their own functions fail with errors.
pub(crate) trait Details: Any + Send + Sync {
    /// Clones the details.
    fn copy(&self) -> Box<dyn Details>;
    /// Whether the other details have the same path and the same types.
    fn equal(&self, other: &dyn Details) -> bool;
    /// Writes what precedes the message when an error is displayed: the path and a colon, if there is a path.
    fn write_before_message(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl Clone for Box<dyn Details> {
    fn clone(&self) -> Box<dyn Details> {
        (**self).copy()
    }
}

impl PartialEq for dyn Details {
    fn eq(&self, other: &dyn Details) -> bool {
        self.equal(other)
    }
}

impl Eq for dyn Details {}

/// The error of another crate that caused an error. Two are equal if their messages are.
#[derive(Clone)]
struct Source(Arc<dyn std::error::Error + Send + Sync>);

/// Two are the same that say the same: errors of other crates cannot be compared.
impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl Eq for Source {}

/// The class of problem of an error, which predicates such as [`Error::is_limit`] test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A value or type of another type is required.
    TypeMismatch,
    /// A null is given where a value is required.
    Null,
    /// An unknown value is given where a known one is required.
    Unknown,
    /// A marked value is given where an unmarked one is required.
    Marked,
    /// An attribute, key, element or member does not exist.
    NotFound,
    /// One of the documented limits is exceeded.
    Limit,
    /// The arithmetic result does not exist: 0/0, inf-inf and the like.
    Undefined,
    /// An assumption contradicts what is known of the value.
    Contradiction,
    /// The value's type must be known first.
    NeedsType,
    /// A text does not follow its grammar.
    Syntax,
    /// An argument is outside its range, such as a negative length or a lower bound above the upper.
    Argument,
    /// The caller's writer failed.
    Io,
    /// A problem that the caller's own code reports.
    Custom,
}

impl Error {
    /// An error of this kind with this message and an empty path.
    #[cold]
    #[doc(hidden)]
    pub fn new(kind: Kind, message: impl Into<String>) -> Error {
        Error::of(kind, Cow::Owned(message.into()))
    }

    /// An error of this kind with an empty path; a constant message is not copied.
    #[cold]
    #[doc(hidden)]
    pub fn of(kind: Kind, message: Cow<'static, str>) -> Error {
        Error(Box::new(Inner {
            kind,
            message,
            before_suggestion: None,
            details: None,
            argument: None,
            foreign: false,
            source: None,
        }))
    }

    /// The same error with the error that caused it, which [`source`](std::error::Error::source) then returns.
    ///
    /// ```
    /// use std::error::Error as _;
    /// use plantime::Error;
    ///
    /// let missing = std::io::Error::new(std::io::ErrorKind::NotFound, "no such file");
    /// let error = Error::custom("cannot read the defaults").with_source(missing);
    /// assert_eq!(error.source().unwrap().to_string(), "no such file");
    /// ```
    #[cold]
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        self.0.source = Some(Source(Arc::from(source.into())));
        self
    }

    /// An error of the caller's own with an empty path: what a function passed to
    /// [`transform`](crate::Value::transform), or a conversion of a [`Capsule`](crate::Capsule), returns on failure.
    ///
    /// The message should be lower case and must not hold anything of a marked value.
    ///
    /// ```
    /// use plantime::{Error, Value};
    ///
    /// let ports = Value::list([80, 0])?;
    /// let error = ports.transform(|_, part| match part.as_number() {
    ///     Ok(number) if *number == 0.into() => Err(Error::custom("no port has the number 0")),
    ///     _ => Ok(part),
    /// });
    /// assert_eq!(error.unwrap_err().to_string(), "[1]: no port has the number 0");
    /// # Ok::<(), Error>(())
    /// ```
    #[cold]
    pub fn custom(message: impl Into<String>) -> Error {
        Error::new(Kind::Custom, message).foreign()
    }

    /// Whether the error was created by the caller's own code, with [`custom`](Error::custom).
    ///
    /// [Example](Error::custom)
    pub fn is_custom(&self) -> bool {
        self.0.kind == Kind::Custom
    }

    /// The same error, recorded as written by code of the caller, so that its message may contain marked content.
    #[cold]
    pub(crate) fn foreign(mut self) -> Error {
        self.0.foreign = true;
        self
    }

    /// The same error, recorded as free of marked content, whoever wrote its message.
    #[cold]
    pub(crate) fn vetted(mut self) -> Error {
        self.0.foreign = false;
        self
    }

    /// The same error; if it was written by code of the caller, without the message, path and types, which may
    /// contain marked content.
    #[cold]
    pub(crate) fn concealed(self) -> Error {
        if self.0.foreign { self.behind_mark() } else { self }
    }

    /// The same error with a fixed message, and without path, types and source, which may depend on marked content.
    #[cold]
    #[doc(hidden)]
    pub fn behind_mark(mut self) -> Error {
        self.0.message = "the value is not fit, and it is marked, so the reason is not shown".into();
        self.0.before_suggestion = None;
        self.0.details = None;
        self.0.source = None;
        self
    }

    /// The same error with its kind replaced.
    #[cold]
    #[doc(hidden)]
    pub fn of_kind(mut self, kind: Kind) -> Error {
        self.0.kind = kind;
        self
    }

    /// The same error with its message replaced.
    #[cold]
    #[doc(hidden)]
    pub fn with_message(mut self, message: String) -> Error {
        self.0.message = message.into();
        self.0.before_suggestion = None;
        self
    }

    /// The same error with `; did you mean "name"?` at the end of its message.
    #[cold]
    pub(crate) fn with_suggestion(mut self, name: &str) -> Error {
        self.0.before_suggestion = Some(self.0.message.len());
        self.0.message = format!("{}; did you mean \"{name}\"?", self.0.message).into();
        self
    }

    /// The length in bytes of the message before the suggestion at its end; `None` if it has no suggestion.
    pub(crate) fn before_suggestion(&self) -> Option<usize> {
        self.0.before_suggestion
    }

    /// Records which argument of a function call the problem is about, counted from 0. The path starts at that
    /// argument.
    ///
    /// ```
    /// use plantime::Error;
    ///
    /// let error = Error::custom("it is no port").in_argument(1);
    /// assert_eq!(error.argument(), Some(1));
    /// assert_eq!(error.to_string(), "argument 2: it is no port");
    /// ```
    #[cold]
    #[must_use]
    pub fn in_argument(mut self, index: usize) -> Error {
        self.0.argument = Some(index);
        self
    }

    /// The index of the argument of a function call that the problem is about, from 0; `None` if it is about no
    /// single one.
    ///
    /// [Example](Error::in_argument)
    pub fn argument(&self) -> Option<usize> {
        self.0.argument
    }

    /// The path and the types; `None` if the error has neither.
    pub(crate) fn details(&self) -> Option<&dyn Details> {
        self.0.details.as_deref()
    }

    /// Removes the path and the types from the error and returns them, to be changed.
    #[cold]
    pub(crate) fn take_details(&mut self) -> Option<Box<dyn Details>> {
        self.0.details.take()
    }

    /// Sets the path and the types.
    #[cold]
    pub(crate) fn set_details(&mut self, details: Box<dyn Details>) {
        self.0.details = Some(details);
    }

    /// The message of the error, without the path.
    ///
    /// ```
    /// use plantime::{Value, convert, value};
    ///
    /// let error = convert(&value!({ "port": [] })?, &"object({port = number})".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "port: number required, but have tuple");
    /// assert_eq!(error.message(), "number required, but have tuple");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the error is about a value or type where one of another type is required.
    ///
    /// [Example](Error)
    pub fn is_type_mismatch(&self) -> bool {
        self.0.kind == Kind::TypeMismatch
    }

    /// Whether the error is about a null where a value is required.
    ///
    /// ```
    /// use plantime::{Mark, Type, Value};
    ///
    /// let why = |value: Value| value.as_str().unwrap_err();
    /// assert!(why(Value::null(Type::String)).is_null());
    /// assert!(why(Value::unknown(Type::String)).is_unknown());
    /// assert!(why(Value::from("hunter2").mark(Mark::SENSITIVE)).is_marked());
    /// assert!(why(Value::from(1)).is_type_mismatch());
    /// ```
    pub fn is_null(&self) -> bool {
        self.0.kind == Kind::Null
    }

    /// Whether the error is about an unknown where a known value is required.
    ///
    /// [Example](Error::is_null)
    pub fn is_unknown(&self) -> bool {
        self.0.kind == Kind::Unknown
    }

    /// Whether the error is about a marked value where an unmarked one is required.
    ///
    /// [Example](Error::is_null)
    pub fn is_marked(&self) -> bool {
        self.0.kind == Kind::Marked
    }

    /// Whether the error is about an attribute, key, element or member that does not exist.
    ///
    /// ```
    /// use plantime::{Value, value};
    ///
    /// let server = value!({ "name": "web", "ports": [80] })?;
    /// assert!(server.get_attr("nam").unwrap_err().is_not_found());
    /// assert!(server.at("ports")?.at(1).unwrap_err().is_not_found());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn is_not_found(&self) -> bool {
        self.0.kind == Kind::NotFound
    }

    /// Whether one of the documented [limits](crate::limits) is exceeded.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let nested = "list(".repeat(300) + "string" + &")".repeat(300);
    /// assert!(nested.parse::<Type>().unwrap_err().is_limit());
    /// ```
    pub fn is_limit(&self) -> bool {
        self.0.kind == Kind::Limit
    }

    /// Whether the arithmetic result does not exist (0/0, inf-inf, 0*inf, inf/inf, modulo by 0).
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let error = Value::from(0).divide(&Value::from(0)).unwrap_err();
    /// assert!(error.is_undefined());
    /// ```
    pub fn is_undefined(&self) -> bool {
        self.0.kind == Kind::Undefined
    }

    /// Whether an assumption contradicts what is known of the value.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let error = Value::from("subnet-1").assume_string_prefix("vpc-").unwrap_err();
    /// assert!(error.is_contradiction());
    /// ```
    pub fn is_contradiction(&self) -> bool {
        self.0.kind == Kind::Contradiction
    }

    /// Whether the operation requires a value whose type is known.
    ///
    /// ```
    /// use plantime::{Refinement, Value};
    ///
    /// // Of a value of unknown type nobody knows yet whether it can have a prefix.
    /// let error = Value::dynamic().assume(&Refinement::prefix("vpc-")).unwrap_err();
    /// assert!(error.needs_type());
    /// ```
    pub fn needs_type(&self) -> bool {
        self.0.kind == Kind::NeedsType
    }

    /// Whether a text does not follow its grammar.
    ///
    /// ```
    /// use plantime::{Refinement, Type};
    ///
    /// assert!("list(int)".parse::<Type>().unwrap_err().is_syntax());
    /// assert!("numbermin(x)".parse::<Refinement>().is_err());
    /// ```
    pub fn is_syntax(&self) -> bool {
        self.0.kind == Kind::Syntax
    }

    /// Whether the caller's writer failed; the message contains its error.
    ///
    /// The functions `to_writer` and `from_reader` of the modules `json` and `msgpack` return it.
    pub fn is_io(&self) -> bool {
        self.0.kind == Kind::Io
    }

    /// Whether an argument is outside its range: a negative length, a lower bound above the upper.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let zones = Value::unknown(Type::list(Type::String)?);
    /// assert!(zones.assume_list_length(3, 1).unwrap_err().is_argument());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn is_argument(&self) -> bool {
        self.0.kind == Kind::Argument
    }
}

/// Hashes what equal errors have in common: the kind, the message and the argument.
impl std::hash::Hash for Error {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0.kind, &self.0.message, self.0.argument).hash(state);
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.0.argument {
            write!(f, "argument {}: ", index.saturating_add(1))?;
        }
        if let Some(details) = &self.0.details {
            details.write_before_message(f)?;
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Error {
    /// What a writer that was handed in said, or what [`with_source`](Error::with_source) gave.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| &*source.0 as &(dyn std::error::Error + 'static))
    }
}
