//! Rewrites rules for values of undecided type, where no schema says whether `{…}` in a plan is an object or a map.
//!
//! An object has every attribute of its type; a map may lack a key, and then the value there is null. Where the
//! declared type does not say which it is, each name in a path is read as a key: a resource that lacks it has a null
//! there, and the rule is checked instead of being refused.

use crate::rule::{ExprStep, Nested, PathExpr, Requirement, RequiresRule, Rule, Rules};
use crate::types::Type;

/// Turns every attribute name in a path into a map key, from the first step on whose container has no decided type in
/// `declared`.
///
/// `absent_is_null`: an attribute that the declared type lacks counts as null as well.
pub fn path_by_keys(path: &PathExpr, declared: &Type, absent_is_null: bool) -> PathExpr {
    Declared { ty: declared, absent_is_null }.path(&[], path)
}

/// The rule with [`path_by_keys`] applied to every path in it. `from` is the path from the whole value to the one
/// that the rule is checked on; `declared` is the type of the whole.
pub fn rule_by_keys(rule: &Rule, from: &PathExpr, declared: &Type, absent_is_null: bool) -> Rule {
    let declared = Declared { ty: declared, absent_is_null };
    // Rewriting keeps the depth of the rule, so building it cannot exceed the limit.
    declared.rule(from.steps(), rule).unwrap_or_else(|_| rule.clone())
}

/// The declared type of the whole value, by which paths are rewritten.
struct Declared<'t> {
    /// The declared type of the whole value.
    ty: &'t Type,
    /// Whether an attribute that the declared type lacks counts as null, so that its name becomes a key too.
    absent_is_null: bool,
}

impl Declared<'_> {
    /// Rewrites a path: names become keys where the declared type is undecided. `from` are the steps from the whole
    /// value to the one that the path starts from.
    fn path(&self, from: &[ExprStep], path: &PathExpr) -> PathExpr {
        let Some(absolute) = absolute(from, path) else { return path.clone() };
        let decided = self.decided_steps(&absolute);
        let before = absolute.len().saturating_sub(path.inward_steps().len());
        let mut steps = path.steps().to_vec();
        let inward = steps.iter_mut().skip(path.parent_count());
        for (at, step) in inward.enumerate() {
            if let ExprStep::Attr(name) = step
                && before.saturating_add(at) >= decided
            {
                *step = ExprStep::Key(std::mem::take(name));
            }
        }
        PathExpr::from_steps(steps).unwrap_or_else(|_| path.clone())
    }

    /// The number of leading steps whose containers have a decided type. `steps` start from the whole value.
    fn decided_steps(&self, steps: &[ExprStep]) -> usize {
        for taken in 0..steps.len() {
            let Some(prefix) = steps.get(..taken).map(<[ExprStep]>::to_vec) else { break };
            match PathExpr::from_steps(prefix).and_then(|prefix| prefix.types(self.ty)) {
                Ok(types) if types.contains(&Type::Dynamic) => return taken,
                Ok(types) => {
                    let absent = |ty: &Type| {
                        matches!((ty, steps.get(taken)), (Type::Object(ty), Some(ExprStep::Attr(name)))
                            if ty.get(name).is_none())
                    };
                    if self.absent_is_null && types.iter().any(absent) {
                        return taken;
                    }
                }
                Err(_) => break,
            }
        }
        steps.len()
    }

    /// Turns names into keys in every path of a rule, where the declared type is undecided. `from` are the steps from the whole value to the one that the rule is checked
    /// on.
    fn rule(&self, from: &[ExprStep], rule: &Rule) -> crate::error::Result<Rule> {
        let nested = |inner: &Rule| Nested::new(self.rule(from, inner)?);
        let several = |rules: &Rules| {
            let rules: crate::error::Result<Vec<Rule>> =
                rules.iter().map(|rule| self.rule(from, rule)).collect();
            Rules::new(rules?)
        };
        let paths = |paths: &[PathExpr]| paths.iter().map(|path| self.path(from, path)).collect::<Vec<_>>();
        Ok(match rule {
            Rule::At(path, inner) => {
                let Some(inside) = absolute(from, path) else { return Ok(rule.clone()) };
                Rule::At(self.path(from, path), Nested::new(self.rule(&inside, inner)?)?)
            }
            Rule::All(rules) => Rule::All(several(rules)?),
            Rule::Any(rules) => Rule::Any(several(rules)?),
            Rule::Sequence(rules) => Rule::Sequence(several(rules)?),
            Rule::Not(inner) => Rule::Not(nested(inner)?),
            Rule::Implies(condition, inner) => Rule::Implies(nested(condition)?, nested(inner)?),
            Rule::When(guard, inner) => Rule::When(nested(guard)?, nested(inner)?),
            Rule::Presence(presence, operands) => Rule::Presence(*presence, paths(operands)),
            Rule::Total(total, operands) => Rule::Total(*total, paths(operands)),
            Rule::Requires(RequiresRule::AlsoRequires(path, others)) => {
                Rule::also_requires(self.path(from, path), paths(others))
            }
            Rule::Requires(RequiresRule::RequiredWhen(requirement)) => Rule::required_when(Requirement {
                path: self.path(from, &requirement.path),
                one_of: requirement.one_of.clone(),
                required: paths(&requirement.required),
            }),
            Rule::Requires(RequiresRule::PreferWriteOnly(path, other)) => {
                Rule::prefer_write_only(self.path(from, path), self.path(from, other))
            }
            // `keys` reads strings, and the other rules have no paths.
            Rule::Keys(_)
            | Rule::NotNull
            | Rule::IsNull
            | Rule::Value(_)
            | Rule::Text(_)
            | Rule::Length(_)
            | Rule::Number(_)
            | Rule::Members(_)
            | Rule::Change(_)
            | Rule::Custom(_) => rule.clone(),
        })
    }
}

/// The steps from the whole value to the target of a path that starts at `from`; `None` if the path leads out of the
/// whole.
fn absolute(from: &[ExprStep], path: &PathExpr) -> Option<Vec<ExprStep>> {
    let kept = from.len().checked_sub(path.parent_count())?;
    Some(from.get(..kept)?.iter().chain(path.inward_steps()).cloned().collect())
}
