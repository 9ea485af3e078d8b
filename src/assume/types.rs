//! The assumption of a type: deciding what is undecided.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::path::{Path, Step};
use crate::refinement::{LengthRange, Refinement};
use crate::text::Text;
use crate::types::Type;
use crate::value::{Container, ObjectNode, SetNode, Value, build_list, build_map, canonical};

impl Value {
    /// The value with a type attached: each part whose type is undecided takes the type it has in `ty`.
    ///
    /// | part | gives |
    /// |---|---|
    /// | unknown of unknown type | unknown of the type |
    /// | untyped null | null of the type |
    /// | unknown, or collection, of a type that contains dynamic | the same of the type |
    /// | of a type that `ty` covers | itself |
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
    /// This is no conversion: a number is not made a string.
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch), with the path of the part.
    pub fn assume_type(&self, ty: &Type) -> Result<Value> {
        attach(self, ty)
    }
}

// One small function for each container: deep values come through here, and each frame counts in a debug build.

fn attach(value: &Value, ty: &Type) -> Result<Value> {
    let own = value.ty();
    if *ty == Type::Dynamic {
        return Ok(value.clone());
    }
    if !own.has_dynamic() {
        return if ty.covers(&own) { Ok(value.clone()) } else { Err(Error::mismatch(ty, &own)) };
    }
    let attached = match value.container() {
        None => undecided(value, &own, ty),
        Some(Container::Tuple(node)) => tuple(&node.items, &own, ty),
        Some(Container::Object(node)) => object(node, &own, ty),
        Some(Container::List(node)) => list(&node.items, &own, ty),
        Some(Container::Map(node)) => map(&node.entries, &own, ty),
        Some(Container::Set(node)) => set(node, &own, ty),
    };
    match attached {
        Ok(attached) => Ok(attached.with_marks(value.marks())),
        // Keys and members are content.
        Err(error) if value.is_marked() => Err(error.at(Path::new())),
        Err(error) => Err(error),
    }
}

/// An unknown or a null.
fn undecided(value: &Value, own: &Type, ty: &Type) -> Result<Value> {
    if !own.compatible(ty) {
        return Err(Error::mismatch(ty, own));
    }
    let decided = decided(own, ty);
    Ok(of_type(value, decided))
}

/// An unknown or a null, of another type.
fn of_type(value: &Value, ty: Type) -> Value {
    match value.refinement() {
        Some(refinement) => canonical(ty, refinement.clone()),
        None if value.is_null() => Value::null(ty),
        None => Value::unknown(ty),
    }
}

fn tuple(items: &[Value], own: &Type, ty: &Type) -> Result<Value> {
    let Type::Tuple(types) = ty else { return Err(Error::mismatch(ty, own)) };
    if types.len() != items.len() {
        return Err(Error::mismatch(ty, own));
    }
    let mut parts = Vec::with_capacity(items.len());
    for (i, (item, ty)) in items.iter().zip(types).enumerate() {
        parts.push(part(item, ty, || Step::index(i))?);
    }
    Value::tuple(parts)
}

fn object(node: &ObjectNode, own: &Type, ty: &Type) -> Result<Value> {
    let Type::Object(types) = ty else { return Err(Error::mismatch(ty, own)) };
    if !types.attribute_names().eq(node.ty.attribute_names()) {
        return Err(Error::mismatch(ty, own));
    }
    let mut slots = Vec::with_capacity(node.slots.len());
    for (slot, (name, ty)) in node.slots.iter().zip(types.iter()) {
        slots.push((name, part(slot, ty, || Step::attr(name))?));
    }
    Value::object(slots)
}

fn list(items: &[Value], own: &Type, ty: &Type) -> Result<Value> {
    let Type::List(ty) = agreed(own, ty)? else { return Err(Error::mismatch(ty, own)) };
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        parts.push(element(item, ty.element(), || Step::index(i))?);
    }
    Ok(build_list(ty, parts))
}

fn map(entries: &[(Text, Value)], own: &Type, ty: &Type) -> Result<Value> {
    let Type::Map(ty) = agreed(own, ty)? else { return Err(Error::mismatch(ty, own)) };
    let mut parts = Vec::with_capacity(entries.len());
    for (key, item) in entries {
        parts.push((key.clone(), element(item, ty.element(), || Step::index(key.as_str()))?));
    }
    Ok(build_map(ty, parts))
}

fn set(node: &Arc<SetNode>, own: &Type, ty: &Type) -> Result<Value> {
    let Type::Set(ty) = agreed(own, ty)? else { return Err(Error::mismatch(ty, own)) };
    let mut members = Vec::with_capacity(node.member_count());
    for member in node.known.iter().chain(&node.undecided) {
        members.push(element(member, ty.element(), || Step::Index(member.clone()))?);
    }
    // Narrowed by what has been assumed of its length already, which a type of few values can contradict.
    let (fewest, most) = node.length;
    let length = Refinement::length(LengthRange::new(fewest, Some(most))?);
    let members = Value::set_of(ty.element().clone(), members)?;
    members.assume(&length).map_err(|_| Error::mismatch(&Type::Set(ty), own))
}

/// A part of a collection whose own type is decided, and with it that of each part.
fn element(value: &Value, ty: &Type, step: impl FnOnce() -> Step) -> Result<Value> {
    match value.container() {
        None => Ok(of_type(value, ty.clone()).with_marks(value.marks())),
        Some(_) => part(value, ty, step),
    }
}

fn part(value: &Value, ty: &Type, step: impl FnOnce() -> Step) -> Result<Value> {
    attach(value, ty).map_err(|error| error.under(step()))
}

/// The type of a collection once it has taken what `ty` decides.
fn agreed(own: &Type, ty: &Type) -> Result<Type> {
    if own.compatible(ty) { Ok(decided(own, ty)) } else { Err(Error::mismatch(ty, own)) }
}

/// `own` with each dynamic replaced by what stands there in `wanted`; the two are compatible.
fn decided(own: &Type, wanted: &Type) -> Type {
    let met = match (own, wanted) {
        (Type::Dynamic, wanted) => return wanted.clone(),
        (Type::List(own), Type::List(wanted)) => Type::list(decided(own.element(), wanted.element())),
        (Type::Set(own), Type::Set(wanted)) => Type::set(decided(own.element(), wanted.element())),
        (Type::Map(own), Type::Map(wanted)) => Type::map(decided(own.element(), wanted.element())),
        (Type::Tuple(own), Type::Tuple(wanted)) => {
            Type::tuple(own.iter().zip(wanted.iter()).map(|(own, wanted)| decided(own, wanted)))
        }
        (Type::Object(own), Type::Object(wanted)) => Type::object(
            own.iter().zip(wanted.iter()).map(|((name, own), (_, wanted))| (name, decided(own, wanted))),
        ),
        (own, _) => return own.clone(),
    };
    met.unwrap_or_else(|_| own.clone())
}
