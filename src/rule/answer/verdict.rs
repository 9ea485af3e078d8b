//! The result of a user's function about a value.

use crate::path::Path;

/// The result of a function of [`Custom::of`](crate::rule::Custom::of) about a known value.
///
/// | the function returns | is |
/// |---|---|
/// | `true`, `()`, `Ok(…)` of these | pass |
/// | `false` | fail, and the failure is `"NAME()" returned False.` |
/// | `(false, "message")` | fail with a message |
/// | `Err("message")` | fail with a message |
/// | `(true, …)` | pass |
///
/// ```
/// use plantime::Value;
/// use plantime::rule::{Custom, Rule};
///
/// let even = |value: &Value| value.as_number().is_ok_and(|number| number.to_i64().is_some_and(|n| n % 2 == 0));
/// let failure = |rule: Custom| -> Result<String, plantime::Error> {
///     Ok(Rule::Custom(rule).check_value(&Value::from(5))?.diagnostics()[0].failure.clone())
/// };
/// assert_eq!(failure(Custom::of("is_even", move |value| even(value)))?, r#""is_even()" returned False."#);
/// assert_eq!(failure(Custom::of("is_even", move |value| (even(value), "it is odd")))?, "it is odd");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict(pub(in crate::rule) Option<Failure>);

/// Why a user's function refuses a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rule) struct Failure {
    /// The message of the function; `None` if it only returned false.
    pub(in crate::rule) message: Option<String>,
    /// The path from the value to the element at fault; empty for the value itself.
    pub(in crate::rule) path: Path,
}

impl Verdict {
    /// The verdict that the value passes.
    pub const PASS: Verdict = Verdict(None);

    /// The value fails, with a message such as `it is odd`.
    ///
    /// [Example](Verdict)
    pub fn fail(message: impl Into<String>) -> Verdict {
        Verdict(Some(Failure { message: Some(message.into()), path: Path::new() }))
    }

    /// Sets the path from the value to the element at fault. A pass stays a pass.
    ///
    /// [Example](Verdict)
    #[must_use]
    pub fn at(mut self, path: Path) -> Verdict {
        if let Some(failure) = &mut self.0 {
            failure.path = path;
        }
        self
    }

    /// Whether the value passes.
    ///
    /// [Example](Verdict)
    pub fn is_pass(&self) -> bool {
        self.0.is_none()
    }
}

impl From<bool> for Verdict {
    fn from(holds: bool) -> Verdict {
        Verdict((!holds).then(|| Failure { message: None, path: Path::new() }))
    }
}

impl From<()> for Verdict {
    fn from((): ()) -> Verdict {
        Verdict::PASS
    }
}

impl<T: Into<String>> From<(bool, T)> for Verdict {
    fn from((holds, message): (bool, T)) -> Verdict {
        if holds { Verdict::PASS } else { Verdict::fail(message) }
    }
}

impl<T: Into<Verdict>, E: Into<String>> From<Result<T, E>> for Verdict {
    fn from(result: Result<T, E>) -> Verdict {
        result.map_or_else(Verdict::fail, Into::into)
    }
}
