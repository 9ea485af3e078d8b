//! Random rules of every kind except custom functions.

use super::Sampler;
use crate::limits;
use crate::rule::{ExprStep, PathExpr, Rule};
use crate::types::Type;

mod across;
mod single;

impl Sampler<'_> {
    /// A rule that can read values of this type, nested up to the depth of the size.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::sample::{Sampler, Seed, Size};
    ///
    /// let rule = Sampler::new(&mut Seed::new(1), Size::default()).rule_for(&Type::String);
    /// assert!(rule.check_type(&Type::String).is_ok());
    /// ```
    pub fn rule_for(&mut self, ty: &Type) -> Rule {
        let depth = self.below(self.size.depth.min(limits::DEPTH).saturating_add(1));
        let rule = self.rule_within(ty, depth);
        if rule.check_type(ty).is_ok() { rule } else { Rule::NotNull }
    }

    /// A random rule that can read values of the type, nested at most `depth` levels deep.
    fn rule_within(&mut self, ty: &Type, depth: usize) -> Rule {
        self.spend(1);
        if depth == 0 || self.left() == 0 || self.chance(1, 2) {
            return self.single_rule(ty);
        }
        let below = depth.saturating_sub(1);
        let rule = match self.below(6) {
            0 if matches!(ty, Type::Map(_) | Type::Object(_)) => {
                Rule::keys(self.rule_within(&Type::String, below))
            }
            0 => Rule::not(self.rule_within(ty, below)),
            1 => Rule::implies(self.rule_within(ty, below), self.rule_within(ty, below)),
            2 => Rule::when(self.rule_within(ty, below), self.rule_within(ty, below)),
            3 => {
                let rules: Vec<Rule> = self.few_rules(ty, below);
                if self.chance(1, 4) { Rule::sequence(rules) } else { Rule::all(rules) }
            }
            4 => {
                let rules: Vec<Rule> = self.few_rules(ty, below);
                Rule::any(rules)
            }
            _ => match self.child_path(ty) {
                Some((place, part)) => Rule::at(place, self.rule_within(&part, below)),
                None => Rule::not(self.rule_within(ty, below)),
            },
        };
        rule.unwrap_or(Rule::NotNull)
    }

    /// Up to three random rules that can read values of the type, each nested at most `depth` levels deep.
    fn few_rules(&mut self, ty: &Type, depth: usize) -> Vec<Rule> {
        let count = self.below(4);
        (0..count).map(|_| self.rule_within(ty, depth)).collect()
    }

    /// A path of one random step into values of the type, and the type of the child there; `None` if the type has no
    /// children.
    pub(super) fn child_path(&mut self, ty: &Type) -> Option<(PathExpr, Type)> {
        let (step, part) = match ty {
            Type::Object(object) => {
                let place = self.below(object.len());
                (ExprStep::Attr(object.name_at(place)?.to_owned()), object.type_at(place)?.clone())
            }
            Type::Tuple(tuple) => {
                let place = self.below(tuple.len());
                (ExprStep::Index(place as u64), tuple.get(place)?.clone())
            }
            Type::List(list) => {
                let some = ExprStep::Index(self.below(3) as u64);
                let step = if self.chance(1, 2) { some } else { ExprStep::AnyElement };
                (step, list.element().clone())
            }
            Type::Set(set) => (ExprStep::AnyElement, set.element().clone()),
            Type::Map(map) => {
                let some = ExprStep::Key(self.name());
                let step = if self.chance(1, 2) { some } else { ExprStep::AnyElement };
                (step, map.element().clone())
            }
            _ => return None,
        };
        Some((PathExpr::from_steps([step]).ok()?, part))
    }
}
