//! Values as elements of collections whose element type contains `dynamic`, and back.
//!
//! All elements of a collection get the same type in the end. So inside a collection whose element type contains
//! `dynamic`, a null or an empty collection of such a type stands for one of any type that its own type covers. The
//! same value outside a collection is one known value. `outside_collection` and `inside_collection` translate between
//! these two meanings.

use crate::refinement::{LengthRange, Nullness};
use crate::types::Type;

use super::repr::{Container, RefinedNode};
use super::{Value, build, range, refined, set};

impl Value {
    /// Takes an element out of a collection whose element type contains `dynamic`: a null or an empty collection in it
    /// becomes an unknown of its type that is refined as null or as empty, which stands for all types that it may get.
    pub(crate) fn outside_collection(&self) -> Value {
        let ty = self.ty();
        if !ty.has_dynamic() {
            return self.clone();
        }
        let opened = match self.container() {
            Some(Container::Tuple(node)) => {
                Value::tuple(node.items.iter().map(Value::outside_collection)).ok()
            }
            Some(Container::Object(node)) => {
                let names = node.ty.iter().map(|(name, _)| name);
                Value::object(names.zip(node.slots.iter().map(Value::outside_collection))).ok()
            }
            // A non-empty collection whose element type contains `dynamic` has the same outcomes in both forms.
            Some(_) if !self.is_wholly_known() => Some(self.clone().unmark().0),
            _ if self.is_known() => {
                let refinement = range::of(self).refinement().clone();
                Some(refined::canonical(ty, refinement))
            }
            _ => Some(self.clone().unmark().0),
        };
        opened.map_or_else(Value::dynamic, |value| value.with_marks(self.marks()))
    }

    /// The converse of [`outside_collection`](Value::outside_collection): the value as an element of a collection
    /// whose element type contains `dynamic`. An unknown refined as null becomes the null, and one refined as empty
    /// the empty collection, so that equal elements have one form (L9).
    pub(super) fn inside_collection(self) -> Value {
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
                let children =
                    |children: &[Value]| children.iter().cloned().map(Value::inside_collection).collect();
                let closed = match partial.0.container() {
                    Container::Tuple(node) if some_may_need_closing(&node.items) => {
                        build::tuple_node(node.ty.clone(), children(&node.items))
                    }
                    Container::Object(node) if some_may_need_closing(&node.slots) => {
                        build::object_node(node.ty.clone(), children(&node.slots))
                    }
                    // Building such a collection has closed its elements.
                    _ => return self,
                };
                closed.with_marks(self.marks())
            }
            _ => self,
        }
    }
}

/// Whether [`Value::inside_collection`] may change some child: a refined unknown or a partial container whose type
/// contains `dynamic`.
fn some_may_need_closing(children: &[Value]) -> bool {
    children
        .iter()
        .any(|child| matches!(child, Value::Refined(_) | Value::Partial(_)) && child.ty().has_dynamic())
}
