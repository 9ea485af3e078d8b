//! Unknown values: what survives, and what is certain to fail.

use crate::constraint::TypeConstraint;
use crate::error::Result;
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::{MapType, ObjectType, Type};
use crate::value::{Value, ValueRange, canonical, join, within_capacity};

use super::matrix::{Mode, available};
use super::primitive::{BOOLS, not_a_bool, not_a_number};
use super::table::Conversion;
use super::{capsule, default, mismatch, number_text, run, set, structure, types};

/// An unknown of a known type. Where nothing but null converts, it is null.
pub(super) fn convert(range: &ValueRange, to: &TypeConstraint) -> Result<Value> {
    let nulls = types::of_nulls(range.ty(), to);
    match range.nullness() {
        Nullness::Null => Ok(canonical(nulls, Refinement::null())),
        Nullness::NotNull => not_null(range, to),
        Nullness::Nullable => match not_null(range, to) {
            Ok(value) => {
                let null = canonical(nulls, Refinement::null());
                Ok(join(&[&value, &null]).unwrap_or(value))
            }
            Err(_) if !available(range.ty(), to, Mode::Open) => Err(mismatch(range.ty(), to)),
            Err(_) => Ok(canonical(nulls, Refinement::null())),
        },
    }
}

fn not_null(range: &ValueRange, to: &TypeConstraint) -> Result<Value> {
    let from = range.ty();
    match Conversion::of(from, to.as_type()) {
        Conversion::Capsule => capsule::unknown(range, to),
        Conversion::ToString => Ok(to_string(range)),
        Conversion::FromString if *to.as_type() == Type::Bool => to_bool(range),
        Conversion::FromString => to_number(range),
        Conversion::Elements { from, .. } => collection(range, from, to),
        Conversion::MapToObject(map, object) => object_of_map(range, map, object, to),
        Conversion::ToCollection(_) | Conversion::TupleToTuple(..) | Conversion::ObjectToObject(..) => {
            structure(from, to)
        }
        Conversion::Unchanged | Conversion::FromAny | Conversion::Impossible => Err(mismatch(from, to)),
    }
}

/// A collection, which becomes one of as many parts.
#[inline(never)]
fn collection(range: &ValueRange, from: &Type, to: &TypeConstraint) -> Result<Value> {
    if !available(from, &to.element_or_any(), Mode::Open) {
        return Err(mismatch(range.ty(), to));
    }
    let length = length(range, to);
    if let (Type::Set(_), Type::List(_), Some(count)) = (range.ty(), to.as_type(), length.exact())
        && let Some(list) = set::list_of_unknowns(from, count, to)
    {
        return list;
    }
    // Nothing in what is empty takes a default.
    let ty = if length.exact() == Some(0) {
        types::of_nulls(range.ty(), to)
    } else {
        types::of_any(range.ty(), to)
    };
    Ok(of_length(ty, length))
}

/// A tuple or an object: what one of unknown parts becomes.
#[inline(never)]
fn structure(ty: &Type, to: &TypeConstraint) -> Result<Value> {
    let whole = unknown_parts(ty)?;
    let converted = run(&whole, to)?;
    Ok(kept(converted, ty, to))
}

#[inline(never)]
fn kept(value: Value, from: &Type, to: &TypeConstraint) -> Value {
    shape_kept(value, types::of_any(from, to))
}

#[inline(never)]
fn unknown_parts(ty: &Type) -> Result<Value> {
    match ty {
        Type::Tuple(tuple) => Value::tuple(tuple.iter().cloned().map(Value::unknown)),
        Type::Object(object) => {
            Value::object(object.iter().map(|(name, ty)| (name, Value::unknown(ty.clone()))))
        }
        ty => Ok(Value::unknown(ty.clone())),
    }
}

/// An object or tuple of which nothing is known but the type stays the unknown it was.
fn shape_kept(value: Value, cover: Type) -> Value {
    let says_nothing = |part: &Value| matches!(part, Value::Unknown(_) | Value::Dynamic(_));
    let plain = match value.view() {
        crate::View::Tuple(tuple) => tuple.iter().all(says_nothing),
        crate::View::Object(object) => object.iter().all(|(_, part)| says_nothing(part)),
        _ => false,
    };
    if plain && value.has_type(&cover) { canonical(cover, Refinement::not_null()) } else { value }
}

fn to_string(range: &ValueRange) -> Value {
    let prefix = range.number_range().map(number_text::text_of).unwrap_or_default();
    if let Some(number) = range.number_range().and_then(|range| range.singleton()) {
        return Value::from(number.to_string());
    }
    canonical(Type::String, Refinement::prefix(&prefix).and_not_null())
}

fn to_number(range: &ValueRange) -> Result<Value> {
    let Some(prefix) = range.prefix() else { return Ok(canonical(Type::Number, Refinement::not_null())) };
    match number_text::numbers_of(prefix) {
        Some(range) => Ok(canonical(Type::Number, Refinement::number(range).and_not_null())),
        None => Err(not_a_number()),
    }
}

fn to_bool(range: &ValueRange) -> Result<Value> {
    let prefix = range.prefix().unwrap_or_default();
    let mut possible = BOOLS.iter().filter(|(word, _)| word.starts_with(prefix)).map(|(_, bool)| *bool);
    match possible.next() {
        None => Err(not_a_bool(None)),
        Some(first) if possible.all(|other| other == first) => Ok(Value::from(first)),
        Some(_) => Ok(canonical(Type::Bool, Refinement::not_null())),
    }
}

/// The length of a collection as one of another kind.
fn length(range: &ValueRange, to: &TypeConstraint) -> LengthRange {
    let length = within_capacity(range.ty(), range.length_range().unwrap_or_default());
    let (Type::Set(_), Some(from)) = (to.as_type(), range.ty().element_type()) else { return length };
    // Members that are equal stay so.
    let length = match Type::set(from.clone()) {
        Ok(distinct) => {
            let most = within_capacity(&distinct, LengthRange::default()).upper().unwrap_or(u64::MAX);
            LengthRange::new(
                length.lower().min(most),
                length.upper().map_or(Some(most), |upper| Some(upper.min(most))),
            )
            .unwrap_or(length)
        }
        Err(_) => length,
    };
    if matches!(range.ty(), Type::Set(_)) && keeps_apart(from, &to.element_or_any()) {
        return length;
    }
    LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default()
}

/// Whether different values of one type stay different when they are converted. Null and a default do not.
pub(super) fn keeps_apart(from: &Type, to: &TypeConstraint) -> bool {
    !to.has_optional() && stay_apart(from, to.as_type())
}

fn stay_apart(from: &Type, to: &Type) -> bool {
    let element = to.element_type().unwrap_or(&Type::Dynamic);
    match Conversion::of(from, to) {
        Conversion::Unchanged | Conversion::ToString => true,
        Conversion::Elements { from, is_list_to_set } => !is_list_to_set && stay_apart(from, element),
        Conversion::ToCollection(mut children) => {
            !matches!(to, Type::Set(_)) && children.all(|from| stay_apart(from, element))
        }
        Conversion::TupleToTuple(from, to) => {
            from.len() == to.len() && from.iter().zip(to).all(|(from, to)| stay_apart(from, to))
        }
        Conversion::ObjectToObject(from, to) => {
            from.attribute_names().eq(to.attribute_names())
                && from.iter().zip(to.iter()).all(|((_, from), (_, to))| stay_apart(from, to))
        }
        Conversion::Capsule => from == to,
        Conversion::FromAny
        | Conversion::FromString
        | Conversion::MapToObject(..)
        | Conversion::Impossible => false,
    }
}

fn of_length(ty: Type, length: LengthRange) -> Value {
    canonical(ty, Refinement::length(length).and_not_null())
}

/// What a value of any type may become, null left out.
pub(super) fn of_any_type(to: &TypeConstraint) -> Result<Value> {
    let ty = to.as_type();
    let mut parts = Vec::new();
    match ty {
        Type::Dynamic => Ok(Value::dynamic()),
        Type::Tuple(tuple) => {
            for element in (0..tuple.len()).filter_map(|index| to.element_at(index)) {
                parts.push(run(&Value::dynamic(), &element)?);
            }
            Ok(shape_kept(Value::tuple(parts)?, ty.clone()))
        }
        Type::Object(object) => {
            for attribute in (0..object.len()).filter_map(|index| to.attribute_at(index)) {
                let given = default::attribute(&Value::dynamic(), &attribute)?;
                let missing = attribute.is_optional().then(|| default::missing(&attribute));
                parts.push(match missing {
                    Some(missing) => join(&[&given, &missing]).unwrap_or(given),
                    None => given,
                });
            }
            Ok(shape_kept(Value::object(object.attribute_names().zip(parts))?, ty.clone()))
        }
        ty => Ok(canonical(ty.clone(), Refinement::not_null())),
    }
}

fn object_of_map(
    range: &ValueRange,
    map: &MapType,
    object: &ObjectType,
    to: &TypeConstraint,
) -> Result<Value> {
    let most = range.length_range().and_then(|length| length.upper());
    let element = Value::unknown(map.element().clone());
    let mut required = 0_u64;
    let mut slots = Vec::with_capacity(object.len());
    for (index, name) in object.attribute_names().enumerate() {
        let Some(attribute) = to.attribute_at(index) else { break };
        if !attribute.is_optional() {
            required = required.saturating_add(1);
            if most.is_some_and(|most| most < required) {
                return Err(structure::no_element(name));
            }
        }
        let given = available(map.element(), attribute.constraint(), Mode::Open) && most != Some(0);
        let given = if given { default::attribute(&element, &attribute).ok() } else { None };
        slots.push(match given {
            Some(given) if attribute.is_optional() => {
                let missing = default::missing(&attribute);
                join(&[&given, &missing]).unwrap_or(given)
            }
            Some(given) => given,
            None if attribute.is_optional() => default::missing(&attribute),
            None => return Err(mismatch(range.ty(), to)),
        });
    }
    let whole = Value::object(object.attribute_names().zip(slots))?;
    Ok(shape_kept(whole, types::of_any(range.ty(), to)))
}
