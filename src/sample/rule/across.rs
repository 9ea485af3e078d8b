//! Random rules that compare attributes of an object, or entries of a map, with one another.

use crate::rule::{ExprStep, PathExpr, Requirement, Rule};
use crate::sample::Sampler;
use crate::types::{ObjectType, Type};

impl Sampler<'_> {
    /// A random rule that compares several children of one object, map or other container; `None` if the type has
    /// none.
    pub(super) fn rule_across(&mut self, ty: &Type) -> Option<Rule> {
        let of_numbers = match ty {
            Type::Object(object) if self.chance(1, 4) => self.total_of(object),
            _ => None,
        };
        if of_numbers.is_some() {
            return of_numbers;
        }
        let (path, part) = self.child_path(ty)?;
        let count = self.below(4);
        let mut others: Vec<PathExpr> =
            (0..count).filter_map(|_| self.child_path(ty)).map(|(path, _)| path).collect();
        Some(match self.below(7) {
            0 => Rule::also_requires(path, others),
            1 => {
                let one_of = self.operands(&part);
                Rule::required_when(Requirement { path, one_of, required: others })
            }
            2 => Rule::prefer_write_only(path, self.child_path(ty)?.0),
            kind => {
                others.push(path);
                match kind {
                    3 => Rule::exactly_one_of(others),
                    4 => Rule::at_least_one_of(others),
                    5 => Rule::conflicting(others),
                    _ => Rule::required_together(others),
                }
            }
        })
    }

    /// The name of a random attribute of the type, or a random name; always the latter unless the type is an object.
    pub(super) fn key_of(&mut self, ty: &Type) -> String {
        let own = match ty {
            Type::Object(object) => object.name_at(self.below(object.len())).map(str::to_owned),
            _ => None,
        };
        own.filter(|_| self.chance(3, 4)).unwrap_or_else(|| self.name())
    }

    /// A random rule that compares a number with the sum or product of up to two copies of itself.
    pub(super) fn total_of_itself(&mut self) -> Rule {
        let count = self.below(3);
        self.total(vec![PathExpr::new(); count])
    }

    /// A random rule that compares one number attribute of the object with the sum or product of some of them; `None`
    /// if it has no number attribute.
    fn total_of(&mut self, object: &ObjectType) -> Option<Rule> {
        let numbers: Vec<&str> =
            object.iter().filter(|(_, ty)| **ty == Type::Number).map(|(name, _)| name).collect();
        let total = *numbers.get(self.below(numbers.len()))?;
        let mut paths = Vec::new();
        for name in numbers {
            if self.chance(2, 3) {
                let steps = [ExprStep::Parent, ExprStep::Attr(name.to_owned())];
                paths.push(PathExpr::from_steps(steps).ok()?);
            }
        }
        let rule = self.total(paths);
        Rule::at(PathExpr::from_steps([ExprStep::Attr(total.to_owned())]).ok()?, rule).ok()
    }

    /// A random rule that compares the checked number with the sum or product of the numbers at these paths.
    fn total(&mut self, paths: Vec<PathExpr>) -> Rule {
        match self.below(4) {
            0 => Rule::at_least_sum_of(paths),
            1 => Rule::at_most_sum_of(paths),
            2 => Rule::equal_to_sum_of(paths),
            _ => Rule::equal_to_product_of(paths),
        }
    }
}
