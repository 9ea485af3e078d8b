//! Values as parts of collections whose element type is undecided, and out of them again.

use crate::refinement::{LengthRange, Nullness};
use crate::types::Type;

use super::repr::{Container, RefinedNode};
use super::{Value, build, range, refined, set};

impl Value {
    /// What the value may become as a part of a collection whose element type is undecided: each `dynamic` in
    /// its type is decided with the collection, so a null or an empty collection in it is one of any type.
    pub(crate) fn opened(&self) -> Value {
        let ty = self.ty();
        if !ty.has_dynamic() {
            return self.clone();
        }
        let opened = match self.container() {
            Some(Container::Tuple(node)) => Value::tuple(node.items.iter().map(Value::opened)).ok(),
            Some(Container::Object(node)) => {
                let names = node.ty.iter().map(|(name, _)| name);
                Value::object(names.zip(node.slots.iter().map(Value::opened))).ok()
            }
            // A non-empty collection of undecided element type is open already.
            Some(_) if !self.is_wholly_known() => Some(self.clone().unmark().0),
            _ if self.is_known() => {
                let refinement = range::of(self).refinement().clone();
                Some(if ty == Type::Dynamic { Value::dynamic() } else { refined::canonical(ty, refinement) })
            }
            _ => Some(self.clone().unmark().0),
        };
        opened.map_or_else(Value::dynamic, |value| value.with_marks(self.marks()))
    }

    /// The converse: the value as a part of a collection whose element type is undecided, in one form only. There
    /// a null is one of any type that the type covers, which is what an unknown that is certainly null says; and
    /// an empty collection likewise.
    pub(super) fn closed(self) -> Value {
        match &self {
            Value::Refined(node) if node.0.ty.has_dynamic() => {
                let RefinedNode { ty, refinement, marks } = &*node.0;
                let empty = refinement.length_range() == Some(LengthRange::exactly(0));
                match (refinement.nullness(), ty) {
                    (Nullness::Null, ty) => Value::null(ty.clone()).with_marks(marks),
                    (Nullness::NotNull, Type::List(ty)) if empty => {
                        build::list_node(ty.clone(), Box::new([])).with_marks(marks)
                    }
                    (Nullness::NotNull, Type::Map(ty)) if empty => {
                        build::map_node(ty.clone(), Box::new([])).with_marks(marks)
                    }
                    (Nullness::NotNull, Type::Set(ty)) if empty => {
                        set::build(ty.clone(), Vec::new()).with_marks(marks)
                    }
                    _ => self,
                }
            }
            Value::Partial(partial) => {
                let parts = |parts: &[Value]| parts.iter().cloned().map(Value::closed).collect();
                let closed = match partial.0.container() {
                    Container::Tuple(node) if holds_dynamic(&node.items) => {
                        build::tuple_node(node.ty.clone(), parts(&node.items))
                    }
                    Container::Object(node) if holds_dynamic(&node.slots) => {
                        build::object_node(node.ty.clone(), parts(&node.slots))
                    }
                    // The elements of a collection of undecided type are closed already.
                    _ => return self,
                };
                closed.with_marks(self.marks())
            }
            _ => self,
        }
    }
}

/// Whether some part could have another form.
fn holds_dynamic(parts: &[Value]) -> bool {
    parts.iter().any(|part| matches!(part, Value::Refined(_) | Value::Partial(_)) && part.ty().has_dynamic())
}
