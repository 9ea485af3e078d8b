//! Random type constraints.

use std::collections::BTreeMap;

use super::{Sampler, Token};
use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::limits;
use crate::types::Type;
use crate::value::Value;

impl Sampler<'_> {
    /// A random constraint, which may contain `any`, optional attributes and defaults.
    pub fn constraint(&mut self) -> TypeConstraint {
        let depth = self.below(self.size.depth.min(limits::DEPTH).saturating_add(1));
        let mut left = self.left().checked_div(2).unwrap_or(0).max(1);
        self.constraint_within(depth, &mut left)
    }

    /// A random constraint nested at most `depth` levels deep. `left` is the number of parts that may still be used,
    /// and is reduced by those of the constraint.
    fn constraint_within(&mut self, depth: usize, left: &mut usize) -> TypeConstraint {
        *left = left.saturating_sub(1);
        if depth == 0 || *left == 0 {
            return self.leaf_constraint();
        }
        let below = depth.saturating_sub(1);
        let constraint = match self.below(7) {
            0 => Ok(self.leaf_constraint()),
            1 => TypeConstraint::list(self.constraint_within(below, left)),
            2 => TypeConstraint::set(self.constraint_within(below, left)),
            3 => TypeConstraint::map(self.constraint_within(below, left)),
            4 => {
                let length = self.below(self.size.width.saturating_add(1)).min(*left);
                let parts: Vec<TypeConstraint> =
                    (0..length).map(|_| self.constraint_within(below, left)).collect();
                TypeConstraint::tuple(parts)
            }
            _ => {
                let length = self.below(self.size.width.saturating_add(1)).min(*left);
                let attributes: BTreeMap<String, AttributeConstraint> = (0..length)
                    .map(|_| {
                        let inside = self.constraint_within(below, left);
                        (self.name(), self.attribute(inside))
                    })
                    .collect();
                TypeConstraint::object(attributes)
            }
        };
        constraint.unwrap_or(TypeConstraint::ANY)
    }

    /// A random constraint of a primitive type, `any`, or the capsule [`Token`].
    fn leaf_constraint(&mut self) -> TypeConstraint {
        if self.chance(1, 20) {
            return TypeConstraint::from(Type::capsule::<Token>());
        }
        let ty = self.pick(&[Type::String, Type::Number, Type::Bool, Type::Dynamic], Type::Dynamic);
        TypeConstraint::from(ty)
    }

    /// An attribute whose values must meet the constraint `inside`: required, optional, or optional with a default.
    fn attribute(&mut self, inside: TypeConstraint) -> AttributeConstraint {
        match self.below(4) {
            0 | 1 => AttributeConstraint::required(inside),
            2 => AttributeConstraint::optional(inside),
            _ => {
                // A missing attribute takes the default, which may omit optional attributes itself.
                let default = self.concrete_of(inside.as_type());
                AttributeConstraint::with_default(inside.clone(), &default)
                    .unwrap_or_else(|_| AttributeConstraint::optional(inside))
            }
        }
    }

    /// A random constraint to which values of this type often convert: the type with some types in it replaced.
    pub fn constraint_for(&mut self, ty: &Type) -> TypeConstraint {
        if self.chance(1, 6) {
            return self.leaf_constraint();
        }
        let constraint = match ty {
            Type::Bool | Type::Number | Type::String | Type::Capsule(_) if self.chance(1, 2) => {
                Ok(self.leaf_constraint())
            }
            Type::List(_) | Type::Set(_) => {
                let inside = self.element_constraint(ty);
                if self.chance(1, 2) { TypeConstraint::set(inside) } else { TypeConstraint::list(inside) }
            }
            Type::Map(map) => match self.below(3) {
                0 => {
                    let mut attributes = BTreeMap::new();
                    for _ in 0..self.below(4) {
                        let inside = self.constraint_for(map.element());
                        attributes.insert(self.name(), self.attribute(inside));
                    }
                    TypeConstraint::object(attributes)
                }
                _ => TypeConstraint::map(self.element_constraint(ty)),
            },
            Type::Tuple(tuple) => match self.below(3) {
                0 => {
                    let parts: Vec<TypeConstraint> =
                        tuple.iter().map(|part| self.constraint_for(part)).collect();
                    TypeConstraint::tuple(parts)
                }
                1 => TypeConstraint::list(self.common_constraint(tuple.elements())),
                _ => TypeConstraint::set(self.common_constraint(tuple.elements())),
            },
            Type::Object(object) => {
                if self.chance(1, 3) {
                    let parts: Vec<Type> = object.iter().map(|(_, part)| part.clone()).collect();
                    TypeConstraint::map(self.common_constraint(&parts))
                } else {
                    let mut attributes = BTreeMap::new();
                    for (name, part) in object.iter() {
                        if !self.chance(1, 8) {
                            let inside = self.constraint_for(part);
                            attributes.insert(name.to_owned(), self.attribute(inside));
                        }
                    }
                    if self.chance(1, 3) {
                        let inside = self.leaf_constraint();
                        attributes.insert(self.name(), self.attribute(inside));
                    }
                    TypeConstraint::object(attributes)
                }
            }
            other => Ok(TypeConstraint::from(other)),
        };
        constraint.unwrap_or(TypeConstraint::ANY)
    }

    /// A constraint for the elements of a collection of type `ty`; `any` for types that are no collection.
    fn element_constraint(&mut self, ty: &Type) -> TypeConstraint {
        match ty.element_type() {
            Some(element) => self.constraint_for(element),
            None => TypeConstraint::ANY,
        }
    }

    /// A constraint derived from one of the types, chosen at random, for collections built from values of all these
    /// types.
    fn common_constraint(&mut self, types: &[Type]) -> TypeConstraint {
        let ty = self.pick(types, Type::Dynamic);
        self.constraint_for(&ty)
    }

    /// A random value that often converts to the constraint.
    pub fn convertible(&mut self, constraint: &TypeConstraint) -> Value {
        let ty = constraint.to_type();
        if ty.has_dynamic() { self.concrete() } else { self.concrete_of(&ty) }
    }
}
