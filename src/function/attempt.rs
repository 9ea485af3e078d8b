//! Trying calls that may fail: `try` and `can` of the planning languages, on closures.

use crate::error::{Error, Kind, Result};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Function;

impl Function {
    /// The result of the first call that does not fail, as `try` in the planning languages.
    ///
    /// | a call gives | the answer |
    /// |---|---|
    /// | a wholly known result | that result; no later call is made |
    /// | a result that is not wholly known | what it has in common with the later ones: it may be an error once more is known |
    /// | an error that says that something [is not known](Error::is_unknown) or [has no type](Error::needs_type) yet | not known: the call may succeed once it is |
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
    /// let shout = |name: &Value| {
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
    pub fn attempt(calls: &[&dyn Fn() -> Result<Value>]) -> Result<Value> {
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
                Err(error) if is_of_plan_time(&error) => results.push(Value::dynamic()),
                Err(error) => last = Some(error),
            }
        }
        match (results.is_empty(), last) {
            (true, Some(error)) => Err(error),
            (true, None) => Err(Error::new(Kind::Argument, "at least one call is required")),
            (false, _) => Value::join(&results.iter().collect::<Vec<_>>()),
        }
    }

    /// Whether a call gives a result, as `can` in the planning languages. That is not known of a result that is not
    /// wholly known, nor where the error says that something [is not known](Error::is_unknown) or [has no
    /// type](Error::needs_type) yet. Marks of the result are on the answer.
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
    pub fn can(call: impl Fn() -> Result<Value>) -> Value {
        let unknown = || canonical(Type::Bool, Refinement::not_null());
        match call() {
            Err(error) if is_of_plan_time(&error) => unknown(),
            Err(_) => Value::from(false),
            Ok(value) => {
                let certain = value.is_wholly_known();
                let answer = if certain { Value::from(true) } else { unknown() };
                answer.with_marks(&value.unmark_deep().1)
            }
        }
    }
}

/// Whether a call that fails with this error may succeed once more is known. A null of no type and an empty list need a
/// type too, for ever; an assumption about a value of unknown type does only until that is known.
fn is_of_plan_time(error: &Error) -> bool {
    error.is_unknown() || error.needs_type()
}
