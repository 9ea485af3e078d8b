//! Compiles the tests of rules files, once for all values of a type: paths are resolved, readability is checked, and what null
//! does is made a part of the rule.
//!
//! A test is about the places that its path leads to, or about the whole value.

use std::sync::Arc;

use plantime::rule::{Misuse, PathExpr, Request, Rule};
use plantime::unstable::error::Kind;
use plantime::unstable::rule::{PlaceAnswer, at_each_place, path_by_keys, rule_by_keys};
use plantime::{Error, Path, Result, Type};

use crate::plan::rules::on_null::{OnNull, failing_nulls_inside};

/// A rule compiled for the values of one type: it is evaluated on a whole value, or at each place of a path.
pub(crate) struct CompiledTest {
    /// The path of the places that the rule is about; `None` for the whole value.
    pub(crate) path: Option<PathExpr>,
    /// The rule at one place.
    pub(crate) rule: Rule,
    /// The rule on the whole value: `rule` at `path`.
    pub(crate) whole: Arc<Rule>,
    /// What a null does. [`OnNull::Fail`] is a part of `rule` already.
    pub(crate) on_null: OnNull,
    /// Where a null decides nothing, the rule on the whole value in which the attributes inside may not be null; `None` if that
    /// is the same rule.
    pub(crate) strict: Option<Rule>,
}

impl CompiledTest {
    /// Compiles a rule at a path, or without one on the whole value, for values of the type `declared`. A step by name into
    /// a `dynamic` value is read as a map key, which may be missing. With `absent_is_null`, so is a step to an attribute
    /// that the type does not have, inside the rule.
    ///
    /// # Errors
    ///
    /// When the type has no such path, or the rule cannot read the types there.
    pub(crate) fn new(
        path: Option<&PathExpr>,
        rule: &Rule,
        declared: &Type,
        absent_is_null: bool,
        on_null: OnNull,
    ) -> Result<CompiledTest> {
        let Some(written) = path else {
            let mut rule = rule_by_keys(rule, &PathExpr::new(), declared, absent_is_null);
            rule.check_type(declared)?;
            let strict = match on_null {
                OnNull::Pass => None,
                OnNull::Fail | OnNull::Undetermined => {
                    Some(failing_nulls_inside(&rule)?).filter(|strict| *strict != rule)
                }
            };
            let strict = match (on_null, strict) {
                (OnNull::Fail, Some(strict)) => {
                    rule = strict;
                    None
                }
                (_, strict) => strict,
            };
            return Ok(CompiledTest { path: None, whole: Arc::new(rule.clone()), rule, on_null, strict });
        };
        let path = path_by_keys(written, declared, false);
        path.check_type(declared)?;
        let mut rule = rule_by_keys(rule, written, declared, absent_is_null);
        if on_null != OnNull::Pass {
            let strict = failing_nulls_inside(&rule)?;
            if strict != rule && on_null == OnNull::Undetermined {
                let message = "`null = \"undetermined\"` does not reach a block `attribute` inside a block for a place: write its \
                               path in one label";
                return Err(Error::new(Kind::Argument, message));
            }
            rule = strict;
        }
        let rule = on_null.applied_to(rule)?;
        let whole = Rule::at(path.clone(), rule.clone())?;
        whole.check_type(declared)?;
        Ok(CompiledTest { path: Some(path), rule, whole: Arc::new(whole), on_null, strict: None })
    }

    /// The answers of the rule, one for each place; `name` returns the path that messages show. `None` where the rule is
    /// about the whole value.
    ///
    /// # Errors
    ///
    /// As for [`at_each_place`].
    pub(crate) fn answers(
        &self,
        request: &Request<'_>,
        name: &mut dyn FnMut(&Path) -> Path,
    ) -> Option<std::result::Result<Vec<PlaceAnswer>, Misuse>> {
        Some(at_each_place(self.path.as_ref()?, &self.rule, request, name))
    }
}
