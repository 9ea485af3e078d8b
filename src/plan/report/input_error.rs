//! Inputs that cannot be used.

use std::fmt;

use serde_json::{Value as Json, json};

use crate::plan::source::Problem;

/// Why an input cannot be used: which one, where in it, and what is wrong.
///
/// | made by | `Display` |
/// |---|---|
/// | [`InputError::new`] | `MESSAGE` |
/// | [`InputError::input`] | `NAME: MESSAGE` |
/// | a [`Problem`] | `FILE:LINE:COLUMN: MESSAGE`, and the line with a pointer below it |
///
/// ```
/// use plantime::plan::{Source, InputError};
///
/// assert_eq!(InputError::input("plan.json", "no such file").to_string(), "plan.json: no such file");
/// let problem = Source::new("rules.hcl", "rule {").problem(5, "a rule has a name");
/// assert_eq!(InputError::from(problem).to_json()["position"]["column"], 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError(Why);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    Whole { input: Option<String>, message: String },
    At(Problem),
}

impl InputError {
    /// Something wrong that is about no input in particular.
    pub fn new(message: impl Into<String>) -> InputError {
        InputError(Why::Whole { input: None, message: message.into() })
    }

    /// Something wrong with an input as a whole.
    pub fn input(name: impl Into<String>, message: impl Into<String>) -> InputError {
        InputError(Why::Whole { input: Some(name.into()), message: message.into() })
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        match &self.0 {
            Why::Whole { message, .. } => message,
            Why::At(problem) => problem.message(),
        }
    }

    /// The entry in the `errors` of [`to_json`](super::to_json): `input`, `position` (each null where there is none)
    /// and `message`.
    pub fn to_json(&self) -> Json {
        let (input, position) = match &self.0 {
            Why::Whole { input, .. } => (input.as_deref(), Json::Null),
            Why::At(problem) => {
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
        InputError(Why::At(problem))
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Whole { input: Some(input), message } => write!(f, "{input}: {message}"),
            Why::Whole { input: None, message } => f.write_str(message),
            Why::At(problem) => write!(f, "{problem:#}"),
        }
    }
}

impl std::error::Error for InputError {}
