//! Trying calls that may fail: `try` and `can` of the planning languages, on closures.

use crate::error::{Error, Kind, Result};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Function;

/// Why a call did not succeed, for [`Function::attempt`] and [`Function::can`]: the error of this crate, or one of your
/// own around it.
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
    /// Whether the call may succeed once more is known. What says no where it does not know makes an answer at plan time
    /// of what may turn out otherwise: an error around one of this crate answers as that does.
    fn may_succeed_later(&self) -> bool;
}

impl CallError for Error {
    /// Whether something [is not known](Error::is_unknown) or [has no type](Error::needs_type) yet. A null of no type and an
    /// empty list need a type too, for ever; an assumption about a value of unknown type does only until that is known.
    fn may_succeed_later(&self) -> bool {
        self.is_unknown() || self.needs_type()
    }
}

impl Function {
    /// The result of the first call that does not fail, as `try` in the planning languages.
    ///
    /// | a call gives | the answer |
    /// |---|---|
    /// | a wholly known result | that result; no later call is made |
    /// | a result that is not wholly known | what it has in common with the later ones: it may be an error once more is known |
    /// | an error after which it [may succeed later](CallError): something is not known or has no type yet | not known |
    /// | any other error | that of the later calls |
    ///
    /// A wholly known result counts as certain. An operation on a number that is null or 5 gives what it gives for 5, so a
    /// call that shall fail for the null has to look for it.
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
    /// At plan time a call may need what is not known before the change is applied:
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
    /// The last one, when all calls certainly fail.
    pub fn attempt<E: CallError>(calls: &[&dyn Fn() -> Result<Value, E>]) -> Result<Value, E> {
        let (mut results, mut last) = (Vec::new(), None);
        for call in calls {
            match call() {
                Ok(value) => {
                    let certain = value.is_wholly_known();
                    results.push(value);
                    if certain {
                        break;
                    }
                }
                // Whether it fails is not known, and neither is what it gives if it does not.
                Err(error) if error.may_succeed_later() => results.push(Value::dynamic()),
                Err(error) => last = Some(error),
            }
        }
        match (results.is_empty(), last) {
            (true, Some(error)) => Err(error),
            (true, None) => Err(Error::new(Kind::Argument, "at least one call is required").into()),
            (false, _) => Ok(Value::join(&results.iter().collect::<Vec<_>>())?),
        }
    }

    /// Whether a call gives a result, as `can` in the planning languages. That is not known of a result that is not
    /// wholly known, nor after an error after which the call [may succeed later](CallError).
    ///
    /// Marks of a result are on the answer. An error has no marks: where a call can fail because of what a marked value
    /// holds, mark the answer yourself, or it tells that. The same goes for the choice that [`attempt`](Function::attempt)
    /// makes.
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
                let certain = value.is_wholly_known();
                let answer = if certain { Value::from(true) } else { unknown() };
                answer.with_marks(&value.unmark_deep().1)
            }
        }
    }
}
