//! Random types.

use std::collections::BTreeMap;

use super::{Sampler, Token};
use crate::limits;
use crate::types::Type;

impl Sampler<'_> {
    /// A random type, which contains `dynamic` only if `dynamic` is true.
    pub fn ty(&mut self, dynamic: bool) -> Type {
        let depth = self.below(self.size.depth.min(limits::DEPTH).saturating_add(1));
        // Leave half of the parts for a value of the type.
        let most = self.left().checked_div(2).unwrap_or(0).max(1);
        let mut left = most;
        self.type_within(depth, dynamic, &mut left)
    }

    /// A random type nested at most `depth` levels deep. `left` is the number of parts that may still be used, and is
    /// reduced by those of the type.
    fn type_within(&mut self, depth: usize, dynamic: bool, left: &mut usize) -> Type {
        *left = left.saturating_sub(1);
        if depth == 0 || *left == 0 {
            return self.leaf_type(dynamic);
        }
        let below = depth.saturating_sub(1);
        let ty = match self.below(7) {
            0 => Ok(self.leaf_type(dynamic)),
            1 => Type::list(self.type_within(below, dynamic, left)),
            2 => Type::set(self.type_within(below, dynamic, left)),
            3 => Type::map(self.type_within(below, dynamic, left)),
            4 => {
                let length = self.below(self.size.width.saturating_add(1)).min(*left);
                let parts: Vec<Type> = (0..length).map(|_| self.type_within(below, dynamic, left)).collect();
                Type::tuple(parts)
            }
            _ => {
                let length = self.below(self.size.width.saturating_add(1)).min(*left);
                let attributes: BTreeMap<String, Type> =
                    (0..length).map(|_| (self.name(), self.type_within(below, dynamic, left))).collect();
                Type::object(attributes)
            }
        };
        ty.unwrap_or(Type::Bool)
    }

    /// A random primitive type, the capsule [`Token`], or `dynamic` if that is allowed.
    fn leaf_type(&mut self, dynamic: bool) -> Type {
        if dynamic && self.chance(1, 5) {
            return Type::Dynamic;
        }
        if self.chance(1, 20) {
            return Type::capsule::<Token>();
        }
        self.pick(&[Type::Bool, Type::Number, Type::String, Type::String], Type::Bool)
    }

    /// A type that covers this one: the same with some random types inside it, or the whole, replaced by `dynamic`.
    pub(super) fn widened(&mut self, ty: &Type) -> Type {
        if self.chance(1, 8) {
            return Type::Dynamic;
        }
        let widened = match ty {
            Type::List(list) => Type::list(self.widened(list.element())),
            Type::Set(set) => Type::set(self.widened(set.element())),
            Type::Map(map) => Type::map(self.widened(map.element())),
            Type::Tuple(tuple) => {
                let parts: Vec<Type> = tuple.iter().map(|part| self.widened(part)).collect();
                Type::tuple(parts)
            }
            Type::Object(object) => {
                let parts: Vec<(&str, Type)> =
                    object.iter().map(|(name, part)| (name, self.widened(part))).collect();
                Type::object(parts)
            }
            other => Ok(other.clone()),
        };
        widened.unwrap_or_else(|_| ty.clone())
    }
}
