//! The table of conversions: which conversion applies between two types.

use crate::types::{MapType, ObjectType, TupleType, Type};

/// The conversion that applies between two types.
///
/// It depends only on the kinds of the two types, not on the types inside. Its users handle the types inside: whether
/// the conversion exists (`available`), the type of its result (`result_type`), the results for known and unknown
/// values (`target`, `unknown`), and the error message if it does not exist (`mismatch`).
#[derive(Clone)]
pub(super) enum Conversion<'a> {
    /// To `any`, or from a primitive type to itself: the value stays as it is.
    Unchanged,
    /// From `any`: depends on the type that the value gets.
    FromAny,
    /// From or to a capsule: depends on the Rust type inside.
    Capsule,
    /// A bool or number to a string.
    ToString,
    /// A string to the number or bool that it spells.
    FromString,
    /// A list, set or map to a collection, element by element.
    Elements {
        /// The element type of the collection that is converted.
        from: &'a Type,
        /// Whether it is a list that becomes a set, so that the order is lost and equal elements become one.
        is_list_to_set: bool,
    },
    /// A tuple to a list or set, or an object to a map: children of different types to elements of one type.
    ToCollection(ChildTypes<'a>),
    /// A map to an object: its keys to attributes.
    MapToObject(&'a MapType, &'a ObjectType),
    /// An object to an object, attribute by attribute.
    ObjectToObject(&'a ObjectType, &'a ObjectType),
    /// A tuple to a tuple, element by element. There is no conversion where the lengths differ.
    TupleToTuple(&'a TupleType, &'a TupleType),
    /// There is no conversion.
    Impossible,
}

impl Conversion<'_> {
    /// The conversion that applies between two types.
    pub(super) fn of<'a>(from: &'a Type, to: &'a Type) -> Conversion<'a> {
        let elements = |from, is_list_to_set| Conversion::Elements { from, is_list_to_set };
        match (from, to) {
            (_, Type::Dynamic)
            | (Type::Bool, Type::Bool)
            | (Type::Number, Type::Number)
            | (Type::String, Type::String) => Conversion::Unchanged,
            (Type::Dynamic, _) => Conversion::FromAny,
            (Type::Capsule(_), _) | (_, Type::Capsule(_)) => Conversion::Capsule,
            (Type::Bool | Type::Number, Type::String) => Conversion::ToString,
            (Type::String, Type::Bool | Type::Number) => Conversion::FromString,
            (Type::List(from), Type::List(_)) => elements(from.element(), false),
            (Type::List(from), Type::Set(_)) => elements(from.element(), true),
            (Type::Set(from), Type::List(_) | Type::Set(_)) => elements(from.element(), false),
            (Type::Map(from), Type::Map(_)) => elements(from.element(), false),
            (Type::Map(from), Type::Object(to)) => Conversion::MapToObject(from, to),
            (Type::Tuple(_), Type::List(_) | Type::Set(_)) | (Type::Object(_), Type::Map(_)) => {
                Conversion::ToCollection(ChildTypes { structure: from, next: 0 })
            }
            (Type::Tuple(from), Type::Tuple(to)) => Conversion::TupleToTuple(from, to),
            (Type::Object(from), Type::Object(to)) => Conversion::ObjectToObject(from, to),
            _ => Conversion::Impossible,
        }
    }
}

/// Iterates over the types of the elements of a tuple, or over those of the attributes of an object in the order of their
/// names.
#[derive(Clone)]
pub(super) struct ChildTypes<'a> {
    structure: &'a Type,
    next: usize,
}

impl<'a> Iterator for ChildTypes<'a> {
    type Item = &'a Type;

    fn next(&mut self) -> Option<&'a Type> {
        let ty = match self.structure {
            Type::Tuple(tuple) => tuple.get(self.next),
            Type::Object(object) => object.type_at(self.next),
            _ => None,
        }?;
        self.next = self.next.saturating_add(1);
        Some(ty)
    }
}

/// The list, set or map type of the same kind as a collection type, with another element type; `None` if that is too
/// deep, or `collection` is no collection.
pub(super) fn with_element_type(collection: &Type, element: Type) -> Option<Type> {
    match collection {
        Type::List(_) => Type::list(element).ok(),
        Type::Set(_) => Type::set(element).ok(),
        Type::Map(_) => Type::map(element).ok(),
        _ => None,
    }
}
