//! Trying calls that may fail: `try` and `can` of the planning languages, on closures.

use crate::error::{Error, Kind, Result};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Function;

impl Function {
    /// What the first of some calls gives that does not fail, as `try` in the planning languages.
    ///
    /// A result that is not wholly known may be an error once more is known. Then the next call counts, so the answer is
    /// what both have in common.
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
    /// # Errors
    ///
    /// The last one, when all fail.
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
                Err(error) => last = Some(error),
            }
        }
        match (results.is_empty(), last) {
            (true, Some(error)) => Err(error),
            (true, None) => Err(Error::new(Kind::Argument, "at least one call is required")),
            (false, _) => Value::join(&results.iter().collect::<Vec<_>>()),
        }
    }

    /// Whether a call gives a result, as `can` in the planning languages: it is not known of one that is not wholly
    /// known. Marks of the result are on the answer.
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
        match call() {
            Err(_) => Value::from(false),
            Ok(value) => {
                let certain = value.is_wholly_known();
                let unknown = || canonical(Type::Bool, Refinement::not_null());
                let answer = if certain { Value::from(true) } else { unknown() };
                answer.with_marks(&value.unmark_deep().1)
            }
        }
    }
}
