//! Asking a rule.

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;

use super::{glance, known};
use crate::rule::structure::reads;
use crate::rule::{Misuse, Outcome, Request, Rule, evaluate};

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
        let ty = request.value.ty();
        reads::check(self, &ty, &request.path)?;
        match known::passes(self, request.value) {
            Some(true) => Ok(Outcome::Pass),
            // Without rules inside, nobody asks for the types again.
            None if self.depth() == 1 => evaluate::at_length(self, request),
            passes => {
                let (is_read, is_broken) = (!ty.has_dynamic(), passes.is_some());
                evaluate::at_length(self, &Request { is_read, is_broken, ..request.clone() })
            }
        }
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
