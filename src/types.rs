//! Types of values: primitives, collections, tuples, objects, capsules, and `dynamic`, the type that is not known yet.
//!
//! One file per noun beside this one: the payloads ([`ListType`] and its kin, [`TupleType`], [`ObjectType`]), names
//! for people, the text form, the JSON form, and whether a type covers another.

mod capsule;
mod collection;
mod covers;
pub(crate) mod cursor;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod node;
mod object;
mod recent;
pub(crate) mod text;
mod tuple;

#[cfg(test)]
mod tests;

pub use capsule::CapsuleType;
pub(crate) use capsule::Descriptor;
pub use collection::{ListType, MapType, SetType};
pub use object::{AttributeTypes, ObjectType};
pub(crate) use text::did_you_mean;
pub use tuple::TupleType;

use crate::error::Result;

/// The type of a value.
///
/// 16 bytes; cloning is O(1). A list, set, map, tuple or object type is one shared allocation, which also stores its
/// [depth](Type::depth) and whether it [contains `dynamic`](Type::has_dynamic).
///
/// | type | text form | values |
/// |---|---|---|
/// | `Dynamic` | `dynamic` (`any` is read too) | a value whose type is not known yet, or an untyped null |
/// | `Bool`, `Number`, `String` | `bool`, `number`, `string` | scalars |
/// | `List`, `Set`, `Map` | `list(string)`, `set(string)`, `map(string)` | collections: one element type for all members |
/// | `Tuple` | `tuple([string, number])` | a type for each position |
/// | `Object` | `object({a = string, "odd name" = number})` | a type for each attribute |
/// | `Capsule` | `capsule("name")`, which is not read back | values of a Rust type |
///
/// Two types are equal if their kind, their attribute names and the types inside are. Types are ordered by variant, as
/// in the table above, then by the types inside. `Debug` and `Display` write the text form, which
/// [`FromStr`](std::str::FromStr) reads.
///
/// ```
/// use plantime::Type;
///
/// let rule = Type::object([("port", Type::Number), ("cidrs", Type::list(Type::String)?)])?;
/// assert_eq!(rule.to_string(), "object({cidrs = list(string), port = number})");
/// assert_eq!("object({port = number, cidrs = list(string)})".parse::<Type>()?, rule);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A type that is not known yet; as a constraint, any type.
    Dynamic,
    /// `true` or `false`.
    Bool,
    /// An exact decimal number, or an infinity.
    Number,
    /// Text in Unicode normal form C.
    String,
    /// A sequence of elements of one type.
    List(ListType),
    /// Distinct members of one type.
    Set(SetType),
    /// Elements of one type, by key.
    Map(MapType),
    /// A sequence with a type for each position.
    Tuple(TupleType),
    /// Named attributes with a type each.
    Object(ObjectType),
    /// Values of a Rust type.
    Capsule(CapsuleType),
}

impl Type {
    /// The type of lists with this element type.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let zones = Type::list(Type::String)?;
    /// assert_eq!(zones, "list(string)".parse()?);
    /// assert_eq!(zones.element_type(), Some(&Type::String));
    /// assert!(zones.is_collection());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels.
    pub fn list(element: Type) -> Result<Type> {
        ListType::new(element).map(Type::List)
    }

    /// The type of sets with this member type.
    ///
    /// [Example](Type::list)
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels.
    pub fn set(element: Type) -> Result<Type> {
        SetType::new(element).map(Type::Set)
    }

    /// The type of maps with this element type; keys are strings.
    ///
    /// [Example](Type::list)
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels.
    pub fn map(element: Type) -> Result<Type> {
        MapType::new(element).map(Type::Map)
    }

    /// The type of tuples with these element types.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let pair = Type::tuple([Type::String, Type::Number])?;
    /// assert_eq!(pair.to_string(), "tuple([string, number])");
    /// // A tuple is no collection: its elements have types of their own.
    /// assert_eq!(pair.element_type(), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels.
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Result<Type> {
        TupleType::new(elements).map(Type::Tuple)
    }

    /// The type of objects with these attributes, as [`ObjectType::new`].
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let port = Type::object([("to", Type::Number), ("from", Type::Number)])?;
    /// assert_eq!(port.to_string(), "object({from = number, to = number})");
    /// assert!(Type::object([("a", Type::Bool), ("a", Type::Bool)]).unwrap_err().is_syntax());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels,
    /// [`is_syntax`](crate::Error::is_syntax) when two names are equal once normalised.
    pub fn object(attributes: impl IntoIterator<Item = (impl AsRef<str>, Type)>) -> Result<Type> {
        ObjectType::new(attributes).map(Type::Object)
    }

    /// The number of levels that the type nests: 0 for `dynamic`, primitive and capsule types; for others one more
    /// than the deepest type inside (1 for `list(string)`, `object({})` and `tuple([])`). O(1).
    ///
    /// ```
    /// use plantime::{Type, limits};
    ///
    /// let mut nested = Type::String;
    /// assert_eq!((nested.depth(), Type::list(nested.clone())?.depth()), (0, 1));
    /// for _ in 0..limits::DEPTH {
    ///     nested = Type::list(nested)?;
    /// }
    /// assert!(Type::list(nested).unwrap_err().is_limit());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn depth(&self) -> usize {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Capsule(_) => 0,
            Type::List(list) => list.depth(),
            Type::Set(set) => set.depth(),
            Type::Map(map) => map.depth(),
            Type::Tuple(tuple) => tuple.depth(),
            Type::Object(object) => object.depth(),
        }
    }

    /// The number of types in this type, on all levels, itself included: 2 for `list(string)`. O(1).
    pub(crate) fn size(&self) -> usize {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Capsule(_) => 1,
            Type::List(list) => list.size(),
            Type::Set(set) => set.size(),
            Type::Map(map) => map.size(),
            Type::Tuple(tuple) => tuple.size(),
            Type::Object(object) => object.size(),
        }
    }

    /// Whether the type is `dynamic` or has `dynamic` anywhere inside. O(1).
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let tags: Type = "object({name = string, tags = map(any)})".parse()?;
    /// assert!(tags.has_dynamic());
    /// assert!(!Type::list(Type::String)?.has_dynamic());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String | Type::Capsule(_) => false,
            Type::List(list) => list.has_dynamic(),
            Type::Set(set) => set.has_dynamic(),
            Type::Map(map) => map.has_dynamic(),
            Type::Tuple(tuple) => tuple.has_dynamic(),
            Type::Object(object) => object.has_dynamic(),
        }
    }

    /// Whether both types are the same primitive type or share the same allocation. O(1), so false may be wrong:
    /// equal types can have different allocations.
    pub(crate) fn is_same(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Dynamic, Type::Dynamic)
            | (Type::Bool, Type::Bool)
            | (Type::Number, Type::Number)
            | (Type::String, Type::String) => true,
            (Type::List(a), Type::List(b)) => a.is_same(b),
            (Type::Set(a), Type::Set(b)) => a.is_same(b),
            (Type::Map(a), Type::Map(b)) => a.is_same(b),
            (Type::Tuple(a), Type::Tuple(b)) => a.is_same(b),
            (Type::Object(a), Type::Object(b)) => a.is_same(b),
            (Type::Capsule(a), Type::Capsule(b)) => a == b,
            _ => false,
        }
    }

    /// Whether the type is a capsule type or contains one at any depth. O(1).
    pub(crate) fn has_capsule(&self) -> bool {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String => false,
            Type::Capsule(_) => true,
            Type::List(list) => list.has_capsule(),
            Type::Set(set) => set.has_capsule(),
            Type::Map(map) => map.has_capsule(),
            Type::Tuple(tuple) => tuple.has_capsule(),
            Type::Object(object) => object.has_capsule(),
        }
    }

    /// Whether this is bool, number or string.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// assert!(Type::Bool.is_primitive() && Type::Number.is_primitive() && Type::String.is_primitive());
    /// assert!(!Type::Dynamic.is_primitive() && !Type::list(Type::String)?.is_primitive());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::Bool | Type::Number | Type::String)
    }

    /// Whether this is a list, set or map. Tuples and objects are no collections.
    ///
    /// [Example](Type::list)
    pub fn is_collection(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_))
    }

    /// The type of the elements of a list, set or map; `None` for other types.
    ///
    /// [Example](Type::list)
    pub fn element_type(&self) -> Option<&Type> {
        match self {
            Type::List(list) => Some(list.element()),
            Type::Set(set) => Some(set.element()),
            Type::Map(map) => Some(map.element()),
            _ => None,
        }
    }
}
