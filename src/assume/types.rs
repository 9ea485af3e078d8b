//! The assumption of a type: deciding what is undecided.

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

// One small function for each container: a deep value recurses through here, and stack frames are large in a debug
// build.

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
        Some(Container::List(_) | Container::Map(_) | Container::Set(_)) => collection(value, &own, ty),
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
pub(crate) fn of_type(value: &Value, ty: Type) -> Value {
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
    build_tuple(types, parts(items, types, attach)?)
}

fn object(node: &ObjectNode, own: &Type, ty: &Type) -> Result<Value> {
    let Type::Object(types) = ty else { return Err(Error::mismatch(ty, own)) };
    if !types.attribute_names().eq(node.ty.attribute_names()) {
        return Err(Error::mismatch(ty, own));
    }
    build_object(types, slots(node, types, attach)?)
}

/// A collection takes what `ty` decides, and all inside it with it: its type says already what is compatible there.
fn collection(value: &Value, own: &Type, ty: &Type) -> Result<Value> {
    if !own.compatible(ty) {
        return Err(Error::mismatch(ty, own));
    }
    settle(value, &decided(own, ty))
}

/// The value as one of type `ty`, which is its own type with what is undecided there decided.
pub(crate) fn settle(value: &Value, ty: &Type) -> Result<Value> {
    if value.has_type(ty) {
        return Ok(value.clone());
    }
    let settled = match (value.container(), ty) {
        (None, ty) => Ok(of_type(value, ty.clone())),
        (Some(Container::Tuple(node)), Type::Tuple(ty)) => build_tuple(ty, parts(&node.items, ty, settle)?),
        (Some(Container::Object(node)), Type::Object(ty)) => build_object(ty, slots(node, ty, settle)?),
        (Some(Container::List(node)), Type::List(ty)) => {
            Ok(build_list(ty.clone(), elements(&node.items, ty.element())?))
        }
        (Some(Container::Map(node)), Type::Map(ty)) => {
            Ok(build_map(ty.clone(), entries(&node.entries, ty.element())?))
        }
        (Some(Container::Set(node)), Type::Set(set_type)) => set(node, set_type, ty),
        _ => Err(Error::mismatch(ty, &value.ty())),
    };
    settled.map(|settled| settled.with_marks(value.marks()))
}

/// How the parts of a tuple or an object take their types.
type Take = fn(&Value, &Type) -> Result<Value>;

fn parts(items: &[Value], types: &TupleType, take: Take) -> Result<Vec<Value>> {
    let mut parts = Vec::with_capacity(items.len());
    for (i, (item, ty)) in items.iter().zip(types).enumerate() {
        parts.push(take(item, ty).map_err(|error| error.under(Step::index(i)))?);
    }
    Ok(parts)
}

fn slots(node: &ObjectNode, types: &ObjectType, take: Take) -> Result<Vec<Value>> {
    let mut slots = Vec::with_capacity(node.slots.len());
    for (slot, (name, ty)) in node.slots.iter().zip(types.iter()) {
        slots.push(take(slot, ty).map_err(|error| error.under(Step::attr(name)))?);
    }
    Ok(slots)
}

fn elements(items: &[Value], ty: &Type) -> Result<Vec<Value>> {
    let mut elements = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        elements.push(settle(item, ty).map_err(|error| error.under(Step::index(i)))?);
    }
    Ok(elements)
}

fn entries(entries: &[(Text, Value)], ty: &Type) -> Result<Vec<(Text, Value)>> {
    let mut settled = Vec::with_capacity(entries.len());
    for (key, item) in entries {
        let item = settle(item, ty).map_err(|error| error.under(Step::index(key.as_str())))?;
        settled.push((key.clone(), item));
    }
    Ok(settled)
}

fn set(node: &SetNode, set_type: &SetType, ty: &Type) -> Result<Value> {
    let mut members = Vec::with_capacity(node.member_count());
    for member in node.known.iter().chain(&node.undecided) {
        let settled = settle(member, set_type.element());
        members.push(settled.map_err(|error| error.under(Step::Index(member.clone())))?);
    }
    // Narrowed by what has been assumed of its length already, which a type of few values can contradict.
    let (fewest, most) = node.length;
    let length = Refinement::length(LengthRange::new(fewest, Some(most))?);
    let members = build_set(set_type.clone(), members);
    members.assume(&length).map_err(|_| Error::mismatch(ty, &Type::Set(node.ty.clone())))
}

/// `own` with each dynamic replaced by what stands there in `wanted`; the two are compatible.
pub(crate) fn decided(own: &Type, wanted: &Type) -> Type {
    if !wanted.has_dynamic() {
        return wanted.clone();
    }
    if !own.has_dynamic() {
        return own.clone();
    }
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
