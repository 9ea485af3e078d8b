//! The error for an input that cannot be used.

use std::fmt;

use serde_json::{Value as Json, json};

use plantime::source::Problem;

/// Why an input cannot be used: which one, where in it, and what is wrong.
///
/// | made by | `Display` |
/// |---|---|
/// | [`InputError::new`] | `MESSAGE` |
/// | [`InputError::input`] | `NAME: MESSAGE` |
/// | a [`Problem`] | `FILE:LINE:COLUMN: MESSAGE`, and the line with a pointer below it |
///
/// ```
/// use plantime_terraform::plan::InputError;
/// use plantime::source::Source;
///
/// assert_eq!(InputError::input("plan.json", "no such file").to_string(), "plan.json: no such file");
/// let problem = Source::new("rules.hcl", "rule {").problem(5, "a rule has a name");
/// assert_eq!(InputError::from(problem).to_json()["position"]["column"], 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError(ErrorPlace);

/// Where an input error is: in an input as a whole (or in none in particular), or at a position of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorPlace {
    Input { input: Option<String>, message: String },
    At(Problem),
}

impl InputError {
    /// An error with a message that is about no input in particular.
    ///
    /// [Example](InputError)
    pub fn new(message: impl Into<String>) -> InputError {
        InputError(ErrorPlace::Input { input: None, message: message.into() })
    }

    /// An error with a message that is about the input `name` as a whole.
    ///
    /// [Example](InputError)
    pub fn input(name: impl Into<String>, message: impl Into<String>) -> InputError {
        InputError(ErrorPlace::Input { input: Some(name.into()), message: message.into() })
    }

    /// The message, without the name and position of the input.
    ///
    /// [Example](InputError)
    pub fn message(&self) -> &str {
        match &self.0 {
            ErrorPlace::Input { message, .. } => message,
            ErrorPlace::At(problem) => problem.message(),
        }
    }

    /// The entry in the `errors` of [`to_json`](crate::plan::to_json): `input`, `position` (each null where there is none)
    /// and `message`.
    ///
    /// [Example](InputError)
    pub fn to_json(&self) -> Json {
        let (input, position) = match &self.0 {
            ErrorPlace::Input { input, .. } => (input.as_deref(), Json::Null),
            ErrorPlace::At(problem) => {
                let file = problem.source().name();
                let position = problem.position();
                (Some(file), json!({ "file": file, "line": position.line, "column": position.column }))
            }
        };
        json!({ "input": input, "position": position, "message": self.message() })
    }
}

impl From<Problem> for InputError {
    fn from(problem: Problem) -> InputError {
        InputError(ErrorPlace::At(problem))
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ErrorPlace::Input { input: Some(input), message } => write!(f, "{input}: {message}"),
            ErrorPlace::Input { input: None, message } => f.write_str(message),
            ErrorPlace::At(problem) => write!(f, "{problem:#}"),
        }
    }
}

impl std::error::Error for InputError {}
