//! Asking a rule.

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;

use super::{Misuse, Outcome, Request, Rule, evaluate, glance, reads};

impl Rule {
    /// Evaluates the rule on the value of a request.
    ///
    /// ```
    /// use plantime::rule::{Request, Rule};
    /// use plantime::Value;
    ///
    /// let (before, after) = (Value::from(40), Value::from(20));
    /// let outcome = Rule::OnlyIncrease.check(&Request::new(&after).before(&before))?;
    /// assert!(outcome.is_fail());
    /// # Ok::<(), plantime::rule::Misuse>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misuse`] when the rule cannot read the type of the value, or a path in it leads nowhere.
    pub fn check(&self, request: &Request<'_>) -> Result<Outcome, Misuse> {
        // What is answered at a glance can be read.
        if let Some(outcome) = glance::check(self, request) {
            return Ok(outcome);
        }
        reads::check(self, &request.value.ty(), &request.path)?;
        evaluate::at_length(self, request)
    }

    /// Checks the rule on a value that stands alone.
    ///
    /// # Errors
    ///
    /// As for [`check`](Rule::check).
    pub fn check_value(&self, value: &Value) -> Result<Outcome, Misuse> {
        self.check(&Request::new(value))
    }

    /// Whether the rule can be checked on values of a type, before there is one.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::Rule;
    ///
    /// let misuse = Rule::StartsWith("a".into()).check_type(&Type::Number).unwrap_err();
    /// assert_eq!(misuse.to_string(), "starts_with needs a string, but the value is a number");
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misuse`] when it cannot.
    pub fn check_type(&self, ty: &Type) -> Result<(), Misuse> {
        reads::check(self, ty, &Path::new())
    }
}
