//! The assumption of a type: replacing `dynamic` in a value's type by known types.

use crate::error::{Error, Result};
use crate::path::{Path, Step};
use crate::refinement::{LengthRange, Refinement};
use crate::text::Text;
use crate::types::{ObjectType, SetType, TupleType, Type};
use crate::value::{
    Container, ObjectNode, SetNode, Value, build_list, build_map, build_set, build_tuple, canonical,
    object_of_parts as build_object,
};

impl Value {
    /// The value with a known type attached: each `dynamic` in its type is replaced by the type in the same place of
    /// `ty`.
    ///
    /// | part | result |
    /// |---|---|
    /// | unknown of unknown type | unknown of the type |
    /// | untyped null | null of the type |
    /// | unknown, or collection, of a type that contains dynamic | the same with the type |
    /// | of a type that `ty` covers | the part itself |
    /// | anything else | an error |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let settings = Value::dynamic().assume_type(&"object({name = string})".parse()?)?;
    /// assert_eq!(settings.ty().to_string(), "object({name = string})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Nothing is converted: a number does not become a string.
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch), with the path of the part.
    pub fn assume_type(&self, ty: &Type) -> Result<Value> {
        attach(self, ty)
    }
}

// One small function for each container: a deep value recurses through here, and stack frames are large in a debug
// build.

/// Attaches the type to a value; see [`Value::assume_type`].
fn attach(value: &Value, ty: &Type) -> Result<Value> {
    let own = value.ty();
    if *ty == Type::Dynamic {
        return Ok(value.clone());
    }
    if !own.has_dynamic() {
        return if ty.covers(&own) { Ok(value.clone()) } else { Err(Error::mismatch(ty, &own)) };
    }
    let attached = match value.container() {
        None => attach_to_unknown(value, &own, ty),
        Some(Container::Tuple(node)) => attach_to_tuple(&node.items, &own, ty),
        Some(Container::Object(node)) => attach_to_object(node, &own, ty),
        Some(Container::List(_) | Container::Map(_) | Container::Set(_)) => {
            attach_to_collection(value, &own, ty)
        }
    };
    match attached {
        Ok(attached) => Ok(attached.with_marks(value.marks())),
        // A path may contain map keys and set members, which are content of the marked value (L5).
        Err(error) if value.is_marked() => Err(error.at(Path::new())),
        Err(error) => Err(error),
    }
}

/// Attaches the type to an unknown or a null.
fn attach_to_unknown(value: &Value, own: &Type, ty: &Type) -> Result<Value> {
    if !own.compatible(ty) {
        return Err(Error::mismatch(ty, own));
    }
    let decided = resolve_dynamic(own, ty);
    Ok(unknown_or_null_of_type(value, decided))
}

/// An unknown or a null like `value`, of the type `ty`, with the same refinement.
pub(crate) fn unknown_or_null_of_type(value: &Value, ty: Type) -> Value {
    match value.refinement() {
        Some(refinement) => canonical(ty, refinement.clone()),
        None if value.is_null() => Value::null(ty),
        None => Value::unknown(ty),
    }
}

/// Attaches the type to a tuple.
fn attach_to_tuple(items: &[Value], own: &Type, ty: &Type) -> Result<Value> {
    let Type::Tuple(types) = ty else { return Err(Error::mismatch(ty, own)) };
    if types.len() != items.len() {
        return Err(Error::mismatch(ty, own));
    }
    build_tuple(types, tuple_children(items, types, attach)?)
}

/// Attaches the type to an object.
fn attach_to_object(node: &ObjectNode, own: &Type, ty: &Type) -> Result<Value> {
    let Type::Object(types) = ty else { return Err(Error::mismatch(ty, own)) };
    if !types.attribute_names().eq(node.ty.attribute_names()) {
        return Err(Error::mismatch(ty, own));
    }
    build_object(types, object_children(node, types, attach)?)
}

/// Attaches the type to a collection. Its type tells for all elements whether they are compatible.
fn attach_to_collection(value: &Value, own: &Type, ty: &Type) -> Result<Value> {
    if !own.compatible(ty) {
        return Err(Error::mismatch(ty, own));
    }
    resolve_types(value, &resolve_dynamic(own, ty))
}

/// The value with the type `ty`, which must be its own type with some `dynamic` replaced by known types.
pub(crate) fn resolve_types(value: &Value, ty: &Type) -> Result<Value> {
    if value.has_type(ty) {
        return Ok(value.clone());
    }
    let settled = match (value.container(), ty) {
        (None, ty) => Ok(unknown_or_null_of_type(value, ty.clone())),
        (Some(Container::Tuple(node)), Type::Tuple(ty)) => {
            build_tuple(ty, tuple_children(&node.items, ty, resolve_types)?)
        }
        (Some(Container::Object(node)), Type::Object(ty)) => {
            build_object(ty, object_children(node, ty, resolve_types)?)
        }
        (Some(Container::List(node)), Type::List(ty)) => {
            Ok(build_list(ty.clone(), resolve_items(&node.items, ty.element())?))
        }
        (Some(Container::Map(node)), Type::Map(ty)) => {
            Ok(build_map(ty.clone(), resolve_entries(&node.entries, ty.element())?))
        }
        (Some(Container::Set(node)), Type::Set(set_type)) => resolve_members(node, set_type, ty),
        _ => Err(Error::mismatch(ty, &value.ty())),
    };
    settled.map(|settled| settled.with_marks(value.marks()))
}

/// The function that gives a type to each child of a tuple or an object: [`attach`] or [`resolve_types`].
type GiveType = fn(&Value, &Type) -> Result<Value>;

/// Gives each element of a tuple its type.
fn tuple_children(items: &[Value], types: &TupleType, give_type: GiveType) -> Result<Vec<Value>> {
    let mut parts = Vec::with_capacity(items.len());
    for (i, (item, ty)) in items.iter().zip(types).enumerate() {
        parts.push(give_type(item, ty).map_err(|error| error.under(Step::index(i)))?);
    }
    Ok(parts)
}

/// Gives each attribute of an object its type.
fn object_children(node: &ObjectNode, types: &ObjectType, give_type: GiveType) -> Result<Vec<Value>> {
    let mut slots = Vec::with_capacity(node.slots.len());
    for (slot, (name, ty)) in node.slots.iter().zip(types.iter()) {
        slots.push(give_type(slot, ty).map_err(|error| error.under(Step::attr(name)))?);
    }
    Ok(slots)
}

/// Resolves the types of the elements of a list.
fn resolve_items(items: &[Value], ty: &Type) -> Result<Vec<Value>> {
    let mut elements = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        elements.push(resolve_types(item, ty).map_err(|error| error.under(Step::index(i)))?);
    }
    Ok(elements)
}

/// Resolves the types of the entries of a map.
fn resolve_entries(entries: &[(Text, Value)], ty: &Type) -> Result<Vec<(Text, Value)>> {
    let mut settled = Vec::with_capacity(entries.len());
    for (key, item) in entries {
        let item = resolve_types(item, ty).map_err(|error| error.under(Step::index(key.as_str())))?;
        settled.push((key.clone(), item));
    }
    Ok(settled)
}

/// Resolves the types of the members of a set.
fn resolve_members(node: &SetNode, set_type: &SetType, ty: &Type) -> Result<Value> {
    let mut members = Vec::with_capacity(node.member_count());
    for member in node.known.iter().chain(&node.not_wholly_known) {
        let settled = resolve_types(member, set_type.element());
        members.push(settled.map_err(|error| error.under(Step::Index(member.clone())))?);
    }
    // Keep the range of the length, which may have been assumed. A set of a finite type may contradict it.
    let (fewest, most) = node.length;
    let length = Refinement::length(LengthRange::new(fewest, Some(most))?);
    let members = build_set(set_type.clone(), members);
    members.assume(&length).map_err(|_| Error::mismatch(ty, &Type::Set(node.ty.clone())))
}

/// The type `own` with each `dynamic` replaced by the type in the same place of `wanted`. The types must be compatible.
pub(crate) fn resolve_dynamic(own: &Type, wanted: &Type) -> Type {
    if !wanted.has_dynamic() {
        return wanted.clone();
    }
    if !own.has_dynamic() {
        return own.clone();
    }
    let resolved = match (own, wanted) {
        (Type::Dynamic, wanted) => return wanted.clone(),
        (Type::List(own), Type::List(wanted)) => Type::list(resolve_dynamic(own.element(), wanted.element())),
        (Type::Set(own), Type::Set(wanted)) => Type::set(resolve_dynamic(own.element(), wanted.element())),
        (Type::Map(own), Type::Map(wanted)) => Type::map(resolve_dynamic(own.element(), wanted.element())),
        (Type::Tuple(own), Type::Tuple(wanted)) => {
            Type::tuple(own.iter().zip(wanted.iter()).map(|(own, wanted)| resolve_dynamic(own, wanted)))
        }
        (Type::Object(own), Type::Object(wanted)) => Type::object(
            own.iter()
                .zip(wanted.iter())
                .map(|((name, own), (_, wanted))| (name, resolve_dynamic(own, wanted))),
        ),
        (own, _) => return own.clone(),
    };
    resolved.unwrap_or_else(|_| own.clone())
}
