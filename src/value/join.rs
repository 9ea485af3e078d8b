//! The best common upper bound: the least value that contains everything some values may become.

use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::text::Text;
use crate::types::Type;

use super::repr::{Container, RefinedNode};
use super::{Value, build, order, range, refined, set};

/// The least value that contains every outcome of all the values; `None` for no values. Marks are united at
/// the top, and inside containers of one shape at their place; those inside what is no container any more go up.
pub(crate) fn join(values: &[&Value]) -> Option<Value> {
    let (first, rest) = values.split_first()?;
    Some(rest.iter().fold((*first).clone(), |joined, value| two(&joined, value)))
}

// Small functions with loops: deep values come through here, and each frame counts in a debug build.

fn two(a: &Value, b: &Value) -> Value {
    let joined = match (a.container(), b.container()) {
        (Some(x), Some(y)) if x.same(y) => Some(a.clone()),
        (Some(x), Some(y)) => same_shape(x, y),
        _ => None,
    };
    let joined = match joined {
        Some(joined) => joined,
        None if order::content(a, b).is_eq() => a.clone(),
        // What was inside is no more: its marks go to the top.
        None => by_range(a, b).with_marks(&a.unmark_deep().1).with_marks(&b.unmark_deep().1),
    };
    joined.with_marks(a.marks()).with_marks(b.marks())
}

/// Containers of one shape, joined part by part.
fn same_shape(a: &Container, b: &Container) -> Option<Value> {
    match (a, b) {
        (Container::Tuple(a), Container::Tuple(b)) if a.items.len() == b.items.len() => {
            Value::tuple(pairs(&a.items, &b.items)).ok()
        }
        (Container::Object(a), Container::Object(b))
            if a.ty == b.ty || a.ty.attribute_names().eq(b.ty.attribute_names()) =>
        {
            Value::object(a.ty.attribute_names().zip(pairs(&a.slots, &b.slots))).ok()
        }
        (Container::List(a), Container::List(b)) if a.ty == b.ty && a.items.len() == b.items.len() => {
            Some(build::list_node(a.ty.clone(), pairs(&a.items, &b.items).into_boxed_slice()))
        }
        (Container::Map(a), Container::Map(b)) if a.ty == b.ty => {
            Some(build::map_node(a.ty.clone(), entry_pairs(&a.entries, &b.entries)?))
        }
        (Container::Set(a), Container::Set(b))
            if a.ty == b.ty && a.member_count() == 1 && b.member_count() == 1 =>
        {
            let a = a.known.first().or(a.undecided.first())?;
            let b_member = b.known.first().or(b.undecided.first())?;
            Some(set::build(b.ty.clone(), vec![two(a, b_member)]))
        }
        _ => None,
    }
}

fn pairs(a: &[Value], b: &[Value]) -> Vec<Value> {
    let mut joined = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        joined.push(two(a, b));
    }
    joined
}

/// `None` where the keys differ.
fn entry_pairs(a: &[(Text, Value)], b: &[(Text, Value)]) -> Option<Box<[(Text, Value)]>> {
    if !a.iter().map(|(key, _)| key).eq(b.iter().map(|(key, _)| key)) {
        return None;
    }
    let mut joined = Vec::with_capacity(a.len());
    for ((key, a), (_, b)) in a.iter().zip(b) {
        joined.push((key.clone(), two(a, b)));
    }
    Some(joined.into_boxed_slice())
}

/// An unknown of the least type that covers both, with what both ranges have in common.
fn by_range(a: &Value, b: &Value) -> Value {
    let ty = least_type(&a.ty(), &b.ty());
    let joined: Refinement = range::of(a).refinement().join(range::of(b).refinement());
    if ty == Type::Dynamic || !joined.applies_to(&ty) {
        return Value::unknown(ty);
    }
    refined::canonical(ty, joined)
}

/// The least type that covers both: equal parts stay, parts that differ become dynamic.
pub(crate) fn least_type(a: &Type, b: &Type) -> Type {
    if a == b {
        return a.clone();
    }
    let joined = match (a, b) {
        (Type::List(a), Type::List(b)) => Type::list(least_type(a.element(), b.element())),
        (Type::Set(a), Type::Set(b)) => Type::set(least_type(a.element(), b.element())),
        (Type::Map(a), Type::Map(b)) => Type::map(least_type(a.element(), b.element())),
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            Type::tuple(a.iter().zip(b.iter()).map(|(a, b)| least_type(a, b)))
        }
        (Type::Object(a), Type::Object(b))
            if a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)) =>
        {
            Type::object(a.iter().zip(b.iter()).map(|((name, a), (_, b))| (name, least_type(a, b))))
        }
        _ => return Type::Dynamic,
    };
    joined.unwrap_or(Type::Dynamic)
}

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
