//! Which types convert to which, by the types alone.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use crate::constraint::TypeConstraint;
use crate::types::{ObjectType, TupleType, Type};

use super::capsule;
use super::common_element::{ChildFacts, agreed_type, covering_type};
use super::safe;
use super::table::{ChildTypes, Conversion};

/// Whether a conversion can fail or lose information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// The conversion succeeds for every value of the type, and loses nothing.
    Safe,
    /// The conversion fails for some values (`"x"` is no number), or loses information (a set loses the order of a
    /// list).
    Unsafe,
}

/// Which conversions count as available.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Safe,
    Unsafe,
    /// As `Unsafe`, but nothing converts to a capsule: for the common type of several types.
    Common,
    /// As `Unsafe`, and `dynamic` is a type that is not known yet: for values that are not wholly known.
    Open,
}

/// Whether values of one type convert to another, and how safely; `None` if no value does.
///
/// | from \ to | bool | number | string | list | set | map | object | tuple | any |
/// |---|---|---|---|---|---|---|---|---|---|
/// | bool | safe | | safe | | | | | | safe |
/// | number | | safe | safe | | | | | | safe |
/// | string | unsafe | unsafe | safe | | | | | | safe |
/// | list | | | | by element | unsafe | | | | safe |
/// | set | | | | by element | by element | | | | safe |
/// | map | | | | | | by element | unsafe | | safe |
/// | tuple | | | | by elements | by elements | | | by elements | safe |
/// | object | | | | | | by attributes | by attributes | | safe |
/// | dynamic | unsafe | unsafe | unsafe | unsafe | unsafe | unsafe | unsafe | unsafe | safe |
///
/// ```
/// use plantime::{Safety, Type, conversion};
///
/// assert_eq!(conversion(&Type::Number, &Type::String.into()), Some(Safety::Safe));
/// assert_eq!(conversion(&Type::String, &Type::Number.into()), Some(Safety::Unsafe));
/// assert_eq!(conversion(&Type::Bool, &Type::Number.into()), None);
/// ```
pub fn conversion(from: &Type, to: &TypeConstraint) -> Option<Safety> {
    if available(from, to, Mode::Safe) {
        Some(Safety::Safe)
    } else {
        available(from, to, Mode::Unsafe).then_some(Safety::Unsafe)
    }
}

/// Whether the conversion between two types is available in this mode.
pub(super) fn available(from: &Type, to: &TypeConstraint, mode: Mode) -> bool {
    is_available(from, to, &Query::new(mode))
}

/// A query about types, with a cache of intermediate results.
pub(super) struct Query {
    mode: Mode,
    /// The common type of the children of a tuple or object, by its type. A nested type is reached in many ways:
    /// without the cache the time would double with each level.
    agreed: RefCell<HashMap<Type, Option<Type>>>,
    /// The query for common types, created at its first use; see the method of this name.
    of_common: OnceCell<Box<Query>>,
}

impl Query {
    /// A query with an empty cache.
    pub(super) fn new(mode: Mode) -> Query {
        Query { mode, agreed: RefCell::default(), of_common: OnceCell::new() }
    }

    /// The query for the common type of several types: with the mode `Common` in place of `Unsafe`.
    pub(super) fn of_common(&self) -> &Query {
        match self.mode {
            Mode::Unsafe => self.of_common.get_or_init(|| Box::new(Query::new(Mode::Common))),
            _ => self,
        }
    }

    /// Whether only conversions that never fail and lose nothing count.
    pub(super) fn is_safe(&self) -> bool {
        self.mode == Mode::Safe
    }

    /// The element type that the children of a tuple or object agree on, where the target's element type is `any`.
    pub(super) fn agreed_type(&self, from: &Type, children: impl FnOnce() -> Vec<Type>) -> Option<Type> {
        if let Some(found) = self.agreed.borrow().get(from) {
            return found.clone();
        }
        let found = agreed_type(&children(), matches!(from, Type::Object(_)), self);
        self.agreed.borrow_mut().insert(from.clone(), found.clone());
        found
    }
}

/// Whether the conversion between two types is available in the mode of the query: in the mode `Safe` for every value,
/// else for some.
pub(super) fn is_available(from: &Type, to: &TypeConstraint, query: &Query) -> bool {
    let (ty, is_safe) = (to.as_type(), query.is_safe());
    if is_safe && ty.has_dynamic() {
        return safe::safe_target(from, to, query).is_some();
    }
    if from == ty && !to.has_optional() {
        return true;
    }
    match Conversion::of(from, ty) {
        Conversion::Unchanged | Conversion::ToString => true,
        Conversion::FromAny | Conversion::FromString => !is_safe,
        Conversion::Capsule => !is_safe && capsule::available(from, ty, query.mode),
        Conversion::Elements { from, is_list_to_set } => {
            !(is_safe && is_list_to_set) && is_available(from, &to.element_or_any(), query)
        }
        Conversion::ToCollection(children) => children_convert(from, &children, to, query),
        Conversion::MapToObject(map, object) => {
            !is_safe && element_converts(map.element(), object, to, query)
        }
        Conversion::ObjectToObject(from, object) => attributes_convert(from, object, to, query),
        Conversion::TupleToTuple(from, tuple) => tuple_elements_convert(from, tuple, to, query),
        Conversion::Impossible => false,
    }
}

/// Whether the elements of a map convert to all required attributes of an object.
fn element_converts(element: &Type, object: &ObjectType, to: &TypeConstraint, query: &Query) -> bool {
    (0..object.len())
        .filter_map(|index| to.attribute_at(index))
        .all(|attribute| attribute.is_optional() || is_available(element, attribute.constraint(), query))
}

/// Whether the children of a tuple or object convert to the elements of a collection.
fn children_convert(from: &Type, children: &ChildTypes<'_>, to: &TypeConstraint, query: &Query) -> bool {
    let element = to.element_or_any();
    let mut children = children.clone().peekable();
    if *element.as_type() != Type::Dynamic {
        // Consecutive children of the same type need one query.
        let mut last = None;
        return children.all(|ty| last.replace(ty) == Some(ty) || is_available(ty, &element, query));
    }
    if children.peek().is_none() {
        return true;
    }
    let types = || children.cloned().collect::<Vec<Type>>();
    match query.mode {
        Mode::Open => {
            covering_type(&types(), ChildFacts::types_only(matches!(from, Type::Object(_)))).is_some()
        }
        _ => query.agreed_type(from, types).is_some(),
    }
}

/// Whether the attributes of an object convert to those of another object type.
fn attributes_convert(from: &ObjectType, object: &ObjectType, to: &TypeConstraint, query: &Query) -> bool {
    object.attribute_names().enumerate().all(|(index, name)| match (from.get(name), to.attribute_at(index)) {
        (Some(from), Some(attribute)) => is_available(from, attribute.constraint(), query),
        (None, Some(attribute)) => attribute.is_optional(),
        (_, None) => false,
    })
}

/// Whether the elements of a tuple convert to those of another tuple type.
fn tuple_elements_convert(from: &TupleType, tuple: &TupleType, to: &TypeConstraint, query: &Query) -> bool {
    from.len() == tuple.len()
        && from.iter().enumerate().all(|(index, from)| {
            to.element_at(index).is_some_and(|element| is_available(from, &element, query))
        })
}
