//! The best common upper bound: the least value that contains everything some values may become.

use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;

use super::repr::{Container, RefinedNode};
use super::{Value, build, order, range, refined, set};

/// The least value that contains every outcome of all the values; `None` for no values. Marks are united at
/// the top, and inside containers of one shape at their place; those inside what is no container any more go up.
pub(crate) fn join(values: &[&Value]) -> Option<Value> {
    let (first, rest) = values.split_first()?;
    Some(rest.iter().fold((*first).clone(), |joined, value| two(&joined, value)))
}

fn two(a: &Value, b: &Value) -> Value {
    if a == b {
        return a.clone();
    }
    let marks = a.marks().union(b.marks());
    if let Some(joined) = same_shape(a, b) {
        return joined.with_marks(&marks);
    }
    if order::content(a, b).is_eq() {
        return a.clone().with_marks(&marks);
    }
    // What was inside is no more: its marks go to the top.
    by_range(a, b).with_marks(&a.unmark_deep().1).with_marks(&b.unmark_deep().1)
}

/// Containers of one shape, joined part by part.
fn same_shape(a: &Value, b: &Value) -> Option<Value> {
    match (a.container()?, b.container()?) {
        (Container::Tuple(a), Container::Tuple(b)) if a.items.len() == b.items.len() => {
            Value::tuple(pairs(&a.items, &b.items)).ok()
        }
        (Container::Object(a), Container::Object(b))
            if a.ty == b.ty || a.ty.iter().map(|(name, _)| name).eq(b.ty.iter().map(|(name, _)| name)) =>
        {
            Value::object(a.ty.iter().map(|(name, _)| name).zip(pairs(&a.slots, &b.slots))).ok()
        }
        (Container::List(a), Container::List(b)) if a.ty == b.ty && a.items.len() == b.items.len() => {
            Some(build::list_node(a.ty.clone(), pairs(&a.items, &b.items).collect()))
        }
        (Container::Map(a), Container::Map(b))
            if a.ty == b.ty
                && a.entries.iter().map(|(key, _)| key).eq(b.entries.iter().map(|(key, _)| key)) =>
        {
            let entries = a.entries.iter().zip(&b.entries).map(|((key, a), (_, b))| (key.clone(), two(a, b)));
            Some(build::map_node(a.ty.clone(), entries.collect()))
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

fn pairs(a: &[Value], b: &[Value]) -> impl Iterator<Item = Value> {
    a.iter().zip(b).map(|(a, b)| two(a, b))
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
fn least_type(a: &Type, b: &Type) -> Type {
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
