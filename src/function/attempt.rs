//! `try` and `can` of the planning languages, as [`Function::attempt`] and [`Function::can`] on closures.

use crate::error::{Error, Kind, Result};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Function;

/// An error of the closures that [`Function::attempt`] and [`Function::can`] call: [`Error`], or an error type of
/// your own that wraps it.
///
/// ```
/// use plantime::function::{CallError, Function};
/// use plantime::{Error, Type, Value};
///
/// #[derive(Debug)]
/// enum Fault {
///     Library(Error),
///     NoVariable(String),
/// }
///
/// impl From<Error> for Fault {
///     fn from(error: Error) -> Fault {
///         Fault::Library(error)
///     }
/// }
///
/// impl CallError for Fault {
///     fn may_succeed_later(&self) -> bool {
///         match self {
///             Fault::Library(error) => error.may_succeed_later(),
///             Fault::NoVariable(_) => false,
///         }
///     }
/// }
///
/// let missing = || Err(Fault::NoVariable("hots".to_owned()));
/// let length = || Ok(Value::from(Value::unknown(Type::String).as_str()?.len()));
/// assert_eq!(Function::attempt(&[&missing, &|| Ok(Value::from(80))])?, Value::from(80));
/// assert_eq!(Function::attempt(&[&missing, &length])?, Value::dynamic());
/// # Ok::<(), Fault>(())
/// ```
pub trait CallError: From<Error> {
    /// Whether the call may succeed once unknown values become known. An error that wraps an [`Error`] must return what
    /// that returns: a wrong `false` makes a final answer at plan time that may differ from the one at apply (law L8).
    fn may_succeed_later(&self) -> bool;
}

impl CallError for Error {
    /// Whether a value [is unknown](Error::is_unknown) or [needs a type](Error::needs_type). An assumption about a
    /// value of unknown type needs a type only until that is known; a null without a type and an empty list need one
    /// for ever.
    fn may_succeed_later(&self) -> bool {
        self.is_unknown() || self.needs_type()
    }
}

impl Function {
    /// The result of the first call that succeeds, as `try` in the planning languages.
    ///
    /// | a call returns | the answer |
    /// |---|---|
    /// | a wholly known result | that result; later calls are not made |
    /// | a result that is not wholly known | what it has in common with the later results, since the call may still fail |
    /// | an error after which it [may succeed later](CallError) | unknown |
    /// | any other error | that of the later calls |
    ///
    /// A wholly known result counts as certain. An operation on a number that is null or 5 returns what it returns
    /// for 5, and so does an index into a list of unknown length all elements of which are 5, or an attribute that is 5 of an
    /// object that may be null: a closure that must fail for the null or the missing element has to check for it itself.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Function;
    ///
    /// let settings = Value::object([("port", 80)])?;
    /// let host = || settings.get_attr("host");
    /// let port = || settings.get_attr("port");
    /// assert_eq!(Function::attempt(&[&host, &port])?, Value::from(80));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// At plan time a call may need a value that is unknown until the change is applied:
    ///
    /// ```
    /// use plantime::function::Function;
    /// use plantime::{Type, Value};
    ///
    /// let shout = |name: &Value| -> plantime::Result<Value> {
    ///     Function::attempt(&[&|| Ok(Value::from(name.as_str()?.to_uppercase())), &|| Ok("none".into())])
    /// };
    /// assert_eq!(shout(&Value::unknown(Type::String))?, Value::dynamic());
    /// assert_eq!(shout(&"a".into())?, Value::from("A"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the last call, when all calls certainly fail.
    pub fn attempt<E: CallError>(calls: &[&dyn Fn() -> Result<Value, E>]) -> Result<Value, E> {
        let (mut results, mut last_error) = (Vec::new(), None);
        for call in calls {
            match call() {
                Ok(value) => {
                    let is_certain = value.is_wholly_known();
                    results.push(value);
                    if is_certain {
                        break;
                    }
                }
                // The call may succeed later, with any result.
                Err(error) if error.may_succeed_later() => results.push(Value::dynamic()),
                Err(error) => last_error = Some(error),
            }
        }
        match (results.is_empty(), last_error) {
            (true, Some(error)) => Err(error),
            (true, None) => Err(Error::new(Kind::Argument, "at least one call is required").into()),
            (false, _) => Ok(Value::join(&results.iter().collect::<Vec<_>>())?),
        }
    }

    /// Whether a call succeeds, as `can` in the planning languages. The answer is unknown for a result that is not
    /// wholly known, and for an error after which the call [may succeed later](CallError).
    ///
    /// The answer has the marks of the result. An error has no marks: if a call can fail because of the content of a
    /// marked value, mark the answer yourself, else it reveals something about that content. The same holds for the
    /// result that [`attempt`](Function::attempt) chooses.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Function;
    ///
    /// let settings = Value::object([("port", 80)])?;
    /// assert_eq!(Function::can(|| settings.get_attr("host")), Value::from(false));
    /// assert_eq!(Function::can(|| settings.get_attr("port")), Value::from(true));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn can<E: CallError>(call: impl Fn() -> Result<Value, E>) -> Value {
        let unknown = || canonical(Type::Bool, Refinement::not_null());
        match call() {
            Err(error) if error.may_succeed_later() => unknown(),
            Err(_) => Value::from(false),
            Ok(value) => {
                let is_certain = value.is_wholly_known();
                let answer = if is_certain { Value::from(true) } else { unknown() };
                answer.with_marks(&value.unmark_deep().1)
            }
        }
    }
}
