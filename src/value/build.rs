//! Building containers: functions for each kind of container, and one that chooses the level (known or partial).

use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::path::Step;
use crate::text::Text;
use crate::types::{ListType, MapType, ObjectType, TupleType, Type};

use super::repr::{Container, Inside, KnownRepr, ListNode, MapNode, ObjectNode, PartialRepr, TupleNode};
use super::share::share_type;
use super::{Known, Partial, Value, set};

/// Wraps a container in a value: [`Value::Known`] (level 5) if `wholly_known`, else [`Value::Partial`] (level 4).
pub(super) fn at_level(container: Container, wholly_known: bool) -> Value {
    if wholly_known {
        Value::Known(Known(KnownRepr::Container(container)))
    } else {
        Value::Partial(Partial(PartialRepr::Bare(container)))
    }
}

/// Whether a collection of `count` elements is wholly known: it is empty, or all its elements are wholly known (by
/// the facts `inside`) and its element type contains no `dynamic`.
pub(super) fn collection_is_known(element: &Type, count: usize, inside: Inside) -> bool {
    count == 0 || (inside.known && !element.has_dynamic())
}

/// Fails if a container of these children would contain more values than [`limits::SIZE`].
fn check_size<'a>(items: impl Iterator<Item = &'a Value>) -> Result<()> {
    let size = items.fold(1_usize, |size, item| size.saturating_add(item.size() as usize));
    if size > limits::SIZE { Err(too_large()) } else { Ok(()) }
}

/// The value, or an error if it contains more values than [`limits::SIZE`].
fn check_built_size(value: Value) -> Result<Value> {
    if value.size() as usize > limits::SIZE { Err(too_large()) } else { Ok(value) }
}

/// The error for a value that contains more values than [`limits::SIZE`].
#[cold]
fn too_large() -> Error {
    Error::new(Kind::Limit, format!("a value may have at most {} parts", limits::SIZE))
}

/// The type of the first item, which callers require of all items; an error if there are no items. `kind` names the
/// collection in the error.
fn common_type(kind: &str, items: &[Value]) -> Result<Type> {
    let Some(first) = items.first() else {
        return Err(Error::new(
            Kind::NeedsType,
            format!("an empty {kind} needs an element type; use {kind}_of"),
        ));
    };
    Ok(first.ty())
}

/// Fails unless the item has exactly the element type. `kind` names the collection in the error, and `step` leads to
/// the item.
fn check_element(kind: &str, element: &Type, item: &Value, step: impl FnOnce() -> Step) -> Result<()> {
    if item.has_type(element) {
        return Ok(());
    }
    let found = item.ty();
    let message = format!(
        "all elements of a {kind} must have the same type: {} required, but have {}",
        element.friendly_name(),
        found.friendly_name()
    );
    Err(Error::new(Kind::TypeMismatch, message).with_types(element.clone(), found).under(step()))
}

impl Value {
    /// Whether the value's type is exactly `ty`, without building the type of the value.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// assert!(Value::from("a").has_type(&Type::String));
    /// assert!(!Value::from("1").has_type(&Type::Number));
    /// assert!(Value::unknown(Type::Bool).has_type(&Type::Bool));
    /// ```
    #[inline]
    pub fn has_type(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Value::Known(Known(KnownRepr::String(_))), Type::String)
            | (Value::Known(Known(KnownRepr::Number(_))), Type::Number)
            | (Value::Known(Known(KnownRepr::Bool(_))), Type::Bool) => true,
            _ => self.has_other_type(ty),
        }
    }

    /// The slow path of [`has_type`](Value::has_type).
    fn has_other_type(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Value::Dynamic(_), ty) => *ty == Type::Dynamic,
            (Value::Unknown(unknown), ty) => unknown.0.ty() == ty,
            (Value::Refined(refined), ty) => refined.0.ty == *ty,
            (Value::Known(known), ty) => match (known.0.bare(), ty) {
                (KnownRepr::Null(null), ty) => null == ty,
                (KnownRepr::Bool(_), Type::Bool)
                | (KnownRepr::Number(_), Type::Number)
                | (KnownRepr::String(_), Type::String) => true,
                (KnownRepr::Capsule(content), Type::Capsule(ty)) => content.ty() == *ty,
                (KnownRepr::Container(container), ty) => container.has_type(ty),
                _ => false,
            },
            (Value::Partial(partial), ty) => partial.0.container().has_type(ty),
        }
    }

    /// A list of items that are all of one type.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let list = Value::list([Value::from("a"), Value::from("b")])?;
    /// assert_eq!(list.to_string(), r#"["a", "b"]"#);
    /// assert!(Value::list([Value::from("a"), Value::from(1)]).unwrap_err().is_type_mismatch());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no item (an empty list needs a type: [`list_of`](Value::list_of)), when the types differ,
    /// or above [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn list<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Result<Value> {
        let items: Vec<Value> = items.into_iter().map(Into::into).collect();
        Value::list_of(common_type("list", &items)?, items)
    }

    /// A list of items of this element type.
    ///
    /// Elements of a list whose element type is undecided (`dynamic`) are unknown of unknown type, or untyped nulls.
    ///
    /// ```
    /// use plantime::{Path, Type, Value};
    ///
    /// // An empty list needs this function: it has no element to tell the type.
    /// let none = Value::list_of(Type::String, Vec::<Value>::new())?;
    /// assert_eq!(none.ty().to_string(), "list(string)");
    /// let error = Value::list_of(Type::String, [Value::from("a"), Value::from(1)]).unwrap_err();
    /// assert!(error.is_type_mismatch() && error.path() == &Path::new().index(1));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an item is not of exactly this type, or above [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn list_of<V: Into<Value>>(element: Type, items: impl IntoIterator<Item = V>) -> Result<Value> {
        let Type::List(ty) = Type::list(element)? else { return Err(not_built()) };
        let mut items: Box<[Value]> = items.into_iter().map(Into::into).collect();
        for (i, item) in items.iter_mut().enumerate() {
            check_element("list", ty.element(), item, || Step::index(i))?;
            share_type(item, ty.element());
        }
        check_size(items.iter())?;
        Ok(list_node(ty, items))
    }

    /// A set of items that are all of one type. Marks of the items move to the set.
    ///
    /// | members | the set has |
    /// |---|---|
    /// | two equal known ones | one of them |
    /// | an unknown one | it, and a range of lengths: it may turn out equal to another member |
    /// | a marked one | it without the mark, and the mark on the set |
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let zones = Value::set(["b", "a", "b"])?;
    /// assert_eq!(zones, Value::set(["a", "b"])?);
    /// assert_eq!(zones.length()?, Value::from(2));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`list`](Value::list).
    pub fn set<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Result<Value> {
        let items: Vec<Value> = items.into_iter().map(Into::into).collect();
        Value::set_of(common_type("set", &items)?, items)
    }

    /// A set of items of this element type. Marks of the items move to the set.
    ///
    /// Equal wholly known items become one member. Two items that are not wholly known stay two, even when they
    /// look the same: they may become different.
    ///
    /// ```
    /// use plantime::{Type, Value, View};
    ///
    /// let unknown = Value::unknown(Type::String);
    /// let set = Value::set_of(Type::String, ["a".into(), "a".into(), unknown.clone(), unknown])?;
    /// let View::Set(set) = set.view() else { unreachable!() };
    /// assert_eq!((set.length().lower(), set.length().upper()), (1, Some(3)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`list_of`](Value::list_of).
    pub fn set_of<V: Into<Value>>(element: Type, items: impl IntoIterator<Item = V>) -> Result<Value> {
        let Type::Set(ty) = Type::set(element)? else { return Err(not_built()) };
        let mut items: Vec<Value> = items.into_iter().map(Into::into).collect();
        for item in &mut items {
            check_element("set", ty.element(), item, || Step::Index(item.clone()))?;
            share_type(item, ty.element());
        }
        check_size(items.iter())?;
        Ok(set::build(ty, items))
    }

    /// A map of values that are all of one type.
    ///
    /// Of two equal keys (after normalisation) the later one wins.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let tags = Value::map([("Name", Value::from("web")), ("Owner", Value::unknown(Type::String))])?;
    /// assert_eq!(tags.ty().to_string(), "map(string)");
    /// assert_eq!(tags.at("Name")?, Value::from("web"));
    /// assert!(Value::map([("a", Value::from(1)), ("b", Value::from("x"))]).unwrap_err().is_type_mismatch());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`list`](Value::list).
    pub fn map<K: AsRef<str>, V: Into<Value>>(entries: impl IntoIterator<Item = (K, V)>) -> Result<Value> {
        let entries: Vec<(K, Value)> = entries.into_iter().map(|(key, value)| (key, value.into())).collect();
        let Some((_, first)) = entries.first() else {
            return Err(Error::new(Kind::NeedsType, "an empty map needs an element type; use map_of"));
        };
        Value::map_of(first.ty(), entries)
    }

    /// A map of values of this element type. Of two equal keys (after normalisation) the later one wins.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let no_tags = Value::map_of(Type::String, Vec::<(&str, Value)>::new())?;
    /// assert_eq!(no_tags.ty().to_string(), "map(string)");
    /// assert_eq!(no_tags.length()?, Value::from(0));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`list_of`](Value::list_of).
    pub fn map_of<K: AsRef<str>, V: Into<Value>>(
        element: Type,
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Value> {
        let Type::Map(ty) = Type::map(element)? else { return Err(not_built()) };
        let mut entries: Vec<(Text, Value)> =
            entries.into_iter().map(|(key, value)| (Text::from(key.as_ref()), value.into())).collect();
        for (key, value) in &mut entries {
            check_element("map", ty.element(), value, || Step::index(key.as_str()))?;
            share_type(value, ty.element());
        }
        check_size(entries.iter().map(|(_, value)| value))?;
        keep_last_of_equal_keys(&mut entries);
        Ok(map_node(ty, entries.into_boxed_slice()))
    }

    /// A tuple of these elements, each of its own type.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let pair = Value::tuple([Value::from(1), Value::from("a")])?;
    /// assert_eq!(pair.ty().to_string(), "tuple([number, string])");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Above [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn tuple<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Result<Value> {
        let items: Box<[Value]> = items.into_iter().map(Into::into).collect();
        check_size(items.iter())?;
        let ty = TupleType::new(items.iter().map(Value::ty))?;
        Ok(tuple_node(ty, items))
    }

    /// An object. Of two equal names (after normalisation) the later one wins.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let vpc = Value::object([("id", Value::unknown(Type::String)), ("main", Value::from(true))])?;
    /// assert_eq!(vpc.ty().to_string(), "object({id = string, main = bool})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Above [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn object<K: AsRef<str>, V: Into<Value>>(
        attributes: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Value> {
        let mut attributes: Vec<(Text, Value)> =
            attributes.into_iter().map(|(name, value)| (Text::from(name.as_ref()), value.into())).collect();
        keep_last_of_equal_keys(&mut attributes);
        check_size(attributes.iter().map(|(_, value)| value))?;
        let ty = ObjectType::of_parts(&attributes, Value::has_type, Value::ty)?;
        Ok(object_node(ty, attributes.into_iter().map(|(_, value)| value).collect()))
    }

    /// An object of an existing type, from its values in the order of the type's attributes (by name). If the type
    /// declares an attribute as `dynamic` and its value has another type, the object gets a type with the types of
    /// its values.
    ///
    /// Building many objects this way shares one type between them.
    ///
    /// ```
    /// use plantime::{ObjectType, Type, Value};
    ///
    /// let port = ObjectType::new([("to", Type::Number), ("from", Type::Number)])?;
    /// // The order of the names: `from`, then `to`.
    /// let https = Value::object_of(&port, vec![Value::from(443), Value::from(444)])?;
    /// assert_eq!(https.at("to")?, Value::from(444));
    /// assert!(Value::object_of(&port, vec![Value::from(443)]).unwrap_err().is_type_mismatch());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there are more or fewer values than attributes, or when a value's type is not covered by the one
    /// declared.
    pub fn object_of(ty: &ObjectType, slots: Vec<Value>) -> Result<Value> {
        if slots.len() != ty.len() {
            return Err(Error::new(
                Kind::TypeMismatch,
                format!("{} attributes are required, but have {}", ty.len(), slots.len()),
            ));
        }
        check_size(slots.iter())?;
        let mut as_declared = true;
        for ((name, declared), value) in ty.iter().zip(&slots) {
            if !value.has_type(declared) {
                as_declared = false;
                let found = value.ty();
                if !declared.covers(&found) {
                    return Err(Error::mismatch(declared, &found).under(Step::attr(name)));
                }
            }
        }
        let ty = if as_declared {
            ty.clone()
        } else {
            ObjectType::new(ty.iter().map(|(name, _)| name).zip(slots.iter().map(Value::ty)))?
        };
        Ok(object_node(ty, slots.into_boxed_slice()))
    }
}

impl Container {
    /// Whether the container's type is exactly `ty`.
    fn has_type(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Container::List(node), Type::List(ty)) => node.ty == *ty,
            (Container::Set(node), Type::Set(ty)) => node.ty == *ty,
            (Container::Map(node), Type::Map(ty)) => node.ty == *ty,
            (Container::Tuple(node), Type::Tuple(ty)) => node.ty == *ty,
            (Container::Object(node), Type::Object(ty)) => node.ty == *ty,
            _ => false,
        }
    }
}

/// Sorts the entries by key and removes all but the last one of equal keys.
fn keep_last_of_equal_keys(entries: &mut Vec<(Text, Value)>) {
    if !entries.is_sorted_by(|(a, _), (b, _)| a < b) {
        // Stable: equal keys keep the order in which they were given, so the first after reversing is the last.
        entries.reverse();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.dedup_by(|(later, _), (kept, _)| later == kept);
    }
}

/// Builds a list from elements that have the element type. Checks no limits.
pub(super) fn list_node(ty: ListType, mut items: Box<[Value]>) -> Value {
    if ty.element().has_dynamic() {
        items = items.into_iter().map(Value::inside_collection).collect();
    }
    let inside = Inside::of(items.iter());
    let known = collection_is_known(ty.element(), items.len(), inside);
    at_level(Container::List(Arc::new(ListNode { ty, items, inside })), known)
}

/// Builds a map from entries that are sorted by key and whose values have the element type. Checks no limits.
pub(super) fn map_node(ty: MapType, mut entries: Box<[(Text, Value)]>) -> Value {
    if ty.element().has_dynamic() {
        entries = entries.into_iter().map(|(key, value)| (key, value.inside_collection())).collect();
    }
    let inside = Inside::of(entries.iter().map(|(_, value)| value));
    let known = collection_is_known(ty.element(), entries.len(), inside);
    at_level(Container::Map(Arc::new(MapNode { ty, entries, inside })), known)
}

/// Builds a tuple from elements that have the types of the tuple type. Checks no limits.
pub(super) fn tuple_node(ty: TupleType, items: Box<[Value]>) -> Value {
    let inside = Inside::of(items.iter());
    at_level(Container::Tuple(Arc::new(TupleNode { ty, items, inside })), inside.known)
}

/// Builds an object from values in the order of the type's attributes, of these types. Checks no limits.
pub fn object_node(ty: ObjectType, slots: Box<[Value]>) -> Value {
    let inside = Inside::of(slots.iter());
    at_level(Container::Object(Arc::new(ObjectNode { ty, slots, inside })), inside.known)
}

/// The error if a type constructor returned another kind of type, which it never does.
#[cold]
fn not_built() -> Error {
    Error::new(Kind::TypeMismatch, "the type could not be built")
}

/// Builds a list from elements that have the element type. Checks no limits.
pub fn list_of_items(ty: ListType, items: Vec<Value>) -> Value {
    list_node(ty, items.into_boxed_slice())
}

/// Builds a map from entries that are sorted by key and whose values have the element type. Checks no limits.
pub fn map_of_entries(ty: MapType, entries: Vec<(Text, Value)>) -> Value {
    map_node(ty, entries.into_boxed_slice())
}

/// Builds a list from elements that have the element type; an error above the size limit.
pub(crate) fn list_of_typed(ty: &ListType, mut items: Vec<Value>) -> Result<Value> {
    items.iter_mut().for_each(|item| share_type(item, ty.element()));
    check_size(items.iter())?;
    Ok(list_node(ty.clone(), items.into_boxed_slice()))
}

/// Builds a map from entries whose values have the element type; an error above the size limit. Of equal keys the last
/// one wins.
pub(crate) fn map_of_typed(ty: &MapType, mut entries: Vec<(Text, Value)>) -> Result<Value> {
    entries.iter_mut().for_each(|(_, value)| share_type(value, ty.element()));
    check_size(entries.iter().map(|(_, value)| value))?;
    keep_last_of_equal_keys(&mut entries);
    Ok(map_node(ty.clone(), entries.into_boxed_slice()))
}

/// Builds a tuple from elements that have the types of the tuple type; an error above the size limit.
pub(crate) fn tuple_of_items(ty: &TupleType, items: Vec<Value>) -> Result<Value> {
    check_size(items.iter())?;
    Ok(tuple_node(ty.clone(), items.into_boxed_slice()))
}

/// Builds a list from elements of one type. The list shares the type `ty` if all elements have its element type, else
/// it gets the type of the first element. An error if the types differ or above the limits.
pub(crate) fn list_of_parts(ty: &ListType, mut parts: Vec<Value>) -> Result<Value> {
    if !parts.iter().all(|part| part.has_type(ty.element())) {
        return Value::list_of(common_type("list", &parts)?, parts);
    }
    if !ty.element().is_primitive() {
        parts.iter_mut().for_each(|part| share_type(part, ty.element()));
    }
    check_built_size(list_node(ty.clone(), parts.into_boxed_slice()))
}

/// Builds a map from entries that are sorted by key. The map shares the type `ty` if all values have its element type,
/// else it gets the type of the first value. An error if the types differ or above the limits.
pub(crate) fn map_of_parts(ty: &MapType, mut parts: Vec<(Text, Value)>) -> Result<Value> {
    if !parts.iter().all(|(_, part)| part.has_type(ty.element())) {
        return Value::map(parts);
    }
    if !ty.element().is_primitive() {
        parts.iter_mut().for_each(|(_, part)| share_type(part, ty.element()));
    }
    check_built_size(map_node(ty.clone(), parts.into_boxed_slice()))
}

/// Builds a tuple from elements. The tuple shares the type `ty` if each element has its type there, else it gets a new
/// type. An error above the limits.
pub(crate) fn tuple_of_parts(ty: &TupleType, parts: Vec<Value>) -> Result<Value> {
    if ty.len() == parts.len() && parts.iter().zip(ty).all(|(part, ty)| part.has_type(ty)) {
        return check_built_size(tuple_node(ty.clone(), parts.into_boxed_slice()));
    }
    Value::tuple(parts)
}

/// Builds an object from one value for each attribute of a type. The object shares the type `ty` if each value has its
/// type there, else it gets a new type. An error above the limits.
pub(crate) fn object_of_parts(ty: &ObjectType, parts: Vec<Value>) -> Result<Value> {
    if ty.len() == parts.len() && parts.iter().zip(ty.iter()).all(|(part, (_, ty))| part.has_type(ty)) {
        return check_built_size(object_node(ty.clone(), parts.into_boxed_slice()));
    }
    Value::object(ty.attribute_names().zip(parts))
}
