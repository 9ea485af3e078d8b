//! The public entry points: check a rule on a value or on a type.

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;

use super::conceal::concealed;
use super::{known, typed, unknown};
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
    /// let outcome = Rule::only_increase().check(&Request::new(&after).before(&before))?;
    /// assert!(outcome.is_fail());
    /// # Ok::<(), plantime::rule::Misuse>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misuse`] when the rule cannot read the type of the value, or a path in it leads to no attribute or element of
    /// the type.
    pub fn check(&self, request: &Request<'_>) -> Result<Outcome, Misuse> {
        match self.check_with_suggestions(request).map_err(|misuse| misuse.on(request))? {
            Outcome::Fail(diagnostics) => Ok(Outcome::Fail(concealed(diagnostics, request))),
            outcome => Ok(outcome),
        }
    }

    /// As [`check`](Rule::check), except that the message of a [`Misuse`] may suggest attribute names of marked
    /// objects, which the caller has to remove.
    fn check_with_suggestions(&self, request: &Request<'_>) -> Result<Outcome, Misuse> {
        // The fast path only answers for types that the rule can read, so the type check may come after it.
        if let Some(outcome) = unknown::check_range(self, request) {
            return Ok(outcome);
        }
        let ty = request.value.ty();
        let passes = match typed::passes(self, request.value, &ty) {
            // It was compiled for the type, so it can read it.
            Some(passes) => Some(passes),
            None => {
                reads::check(self, &ty, &request.path)?;
                known::passes_untyped(self, request.value)
            }
        };
        match passes {
            Some(true) => Ok(Outcome::Pass),
            // A rule without nested rules has nothing that `types_checked` and `is_failing` could spare.
            None if self.depth() == 1 => evaluate::check_slow(self, request),
            passes => {
                let (types_checked, is_failing) = (!ty.has_dynamic(), passes.is_some());
                evaluate::check_slow(self, &Request { types_checked, is_failing, ..request.clone() })
            }
        }
    }

    /// Checks that the rule can read the value of a request, without evaluating it.
    pub(in crate::rule) fn check_readable(&self, request: &Request<'_>) -> Result<(), Misuse> {
        reads::check(self, &request.value.ty(), &request.path).map_err(|misuse| misuse.on(request))
    }

    /// Evaluates the rule on a value without a path, a root or a value before.
    ///
    /// [Example](crate::rule)
    ///
    /// # Errors
    ///
    /// As for [`check`](Rule::check).
    pub fn check_value(&self, value: &Value) -> Result<Outcome, Misuse> {
        self.check(&Request::new(value))
    }

    /// Checks that the rule can read values of a type, before there is a value.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::Rule;
    ///
    /// let misuse = Rule::starts_with("a").check_type(&Type::Number).unwrap_err();
    /// assert_eq!(misuse.to_string(), "starts_with needs a string, but the value is a number");
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misuse`] when it cannot read them.
    pub fn check_type(&self, ty: &Type) -> Result<(), Misuse> {
        reads::check(self, ty, &Path::new())
    }
}
