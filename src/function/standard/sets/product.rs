//! Every combination of one element of each of several collections.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::function::standard::Standard;
use crate::function::standard::collections::{Common, common_type, items, length_of, unfit};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::{TupleType, Type};
use crate::value::{Value, View, canonical, view_below_marks};

/// There are at most so many combinations.
const MOST: usize = 1 << 17;

/// The members of an unknown set are told apart up to this many.
const FEW: u64 = 16;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let product = Function::new("setproduct")
        .description("Every combination of one element of each of the lists or sets.")
        .variadic(Parameter::new("sets", Type::Dynamic).allow_unknown().marks(MarkHandling::Carried))
        .returns_by(product_type)
        .not_null()
        .body_for_all(product);
    all.push(Standard::both(product));
}

fn product_type(arguments: &Arguments<'_>) -> Result<Type> {
    let all = arguments.all();
    if all.len() < 2 {
        return Err(unfit("at least two arguments are required"));
    }
    let elements = all.iter().enumerate().map(|(i, value)| element_type(value).map_err(|e| e.in_argument(i)));
    let tuple = Type::tuple(elements.collect::<Result<Vec<_>>>()?)?;
    match all.iter().any(|value| matches!(value.ty(), Type::Set(_))) {
        true => Type::set(tuple),
        false => Type::list(tuple),
    }
}

fn element_type(value: &Value) -> Result<Type> {
    match value.ty() {
        Type::Set(ty) => Ok(ty.element().clone()),
        Type::List(ty) => Ok(ty.element().clone()),
        Type::Tuple(ty) if ty.is_empty() => Ok(Type::Dynamic),
        Type::Tuple(ty) => {
            let parts = items(value).unwrap_or_default();
            let decided =
                |at: usize, ty: &Type| !ty.has_dynamic() || parts.get(at).is_some_and(Value::is_wholly_known);
            let types: Vec<(Type, bool)> =
                ty.iter().enumerate().map(|(at, ty)| (ty.clone(), decided(at, ty))).collect();
            match common_type(&types) {
                Some(Common::Type(ty)) => Ok(ty),
                Some(Common::Undecided(_)) => Ok(Type::Dynamic),
                None => Err(unfit("all elements must be of the same type")),
            }
        }
        _ => Err(unfit("a set or a list is required")),
    }
}

fn product(arguments: &Arguments<'_>) -> Result<Value> {
    let all = arguments.all();
    let (ty, elements) = match arguments.ty() {
        ty @ (Type::Set(_) | Type::List(_)) => match ty.element_type() {
            Some(Type::Tuple(elements)) => (ty, elements),
            _ => return Ok(Value::dynamic()),
        },
        _ => {
            for (i, value) in all.iter().enumerate().filter(|(_, value)| !matches!(value, Value::Dynamic(_)))
            {
                element_type(value).map_err(|error| error.in_argument(i))?;
            }
            return Ok(Value::dynamic());
        }
    };
    let is_set = matches!(ty, Type::Set(_));
    if !is_set {
        return product_of(all, ty, elements);
    }
    // What is in a list twice is in a set once.
    let sets: Vec<Value> =
        all.iter().zip(elements).map(|(value, ty)| as_set(value, ty)).collect::<Result<_>>()?;
    // A set has no marks on its members: those of a list's elements are on the set made of it, and so on the product.
    Ok(product_of(&sets, ty, elements)?.with_same_marks(&sets))
}

/// The combinations of collections that are all lists or tuples, or all sets.
fn product_of(all: &[Value], ty: &Type, elements: &TupleType) -> Result<Value> {
    let lengths = all.iter().map(length_of).fold(LengthRange::new(1, Some(1)), |product, length| {
        let product = product?;
        let most = match (product.upper(), length.upper()) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (left, right) => left.zip(right).and_then(|(left, right)| left.checked_mul(right)),
        };
        LengthRange::new(product.lower().saturating_mul(length.lower()), most)
    })?;
    let length = Refinement::length(lengths).and_not_null();
    if lengths.upper() == Some(0) {
        let is_decided = |(value, ty): (&Value, &Type)| !ty.has_dynamic() || value.is_wholly_known();
        return match all.iter().zip(elements).all(is_decided) {
            true => collected(ty, Vec::new()),
            false => Ok(canonical(ty.clone(), length)),
        };
    }
    match parts(all, elements)? {
        Some(parts) => collected(ty, combinations(&parts)?)?.assume(&length),
        None => Ok(canonical(ty.clone(), length)),
    }
}

fn as_set(value: &Value, element: &Type) -> Result<Value> {
    match value.ty() {
        Type::Set(_) => Ok(value.clone()),
        _ => convert(value, &TypeConstraint::set(element.clone())?),
    }
}

/// The elements of each, where all are there, as what they are in a combination.
fn parts(all: &[Value], elements: &TupleType) -> Result<Option<Vec<Vec<Value>>>> {
    let mut parts = Vec::with_capacity(all.len());
    for (value, ty) in all.iter().zip(elements) {
        let found: Vec<Value> = match view_below_marks(value) {
            View::Set(set) => members(set.iter().cloned().collect(), length_of(value)),
            View::Unknown(_) if matches!(value.ty(), Type::Set(_)) => match length_of(value).exact() {
                Some(count) if count <= FEW => {
                    members((0..count).map(|_| Value::unknown(ty.clone())).collect(), length_of(value))
                }
                _ => return Ok(None),
            },
            View::List(list) => list.iter().cloned().collect(),
            _ => match items(value) {
                Some(items) if ty.has_dynamic() && !value.is_wholly_known() => {
                    items.iter().map(|item| undecided(item, ty)).collect()
                }
                Some(items) => {
                    let wanted = TypeConstraint::from(ty.clone());
                    items.iter().map(|item| convert(item, &wanted)).collect::<Result<_>>()?
                }
                None => return Ok(None),
            },
        };
        parts.push(found);
    }
    Ok(Some(parts))
}

/// The members of a set of this length, with what they say of each other's nullness.
///
/// | the set has | so |
/// |---|---|
/// | one member, described more than once | it is null nowhere if one place says so |
/// | as many as are described | of those of which the same is known only one is null, say the last, and none beside one that is null |
fn members(set: Vec<Value>, length: LengthRange) -> Vec<Value> {
    let is_one = length.upper() == Some(1) && set.iter().any(|member| member.range().is_not_null());
    let has_null = set.iter().any(Value::is_null);
    let all_differ = length.lower() >= set.len() as u64;
    let mut after = set.iter().skip(1);
    let member = |member: &Value| {
        let is_next_the_same = after.next() == Some(member);
        let is_not_null = is_one || all_differ && (has_null || is_next_the_same);
        match is_not_null && !member.is_null() {
            true => member.assume_not_null().unwrap_or_else(|_| member.clone()),
            false => member.clone(),
        }
    };
    set.iter().map(member).collect()
}

/// An item of a tuple where the others have yet to decide the type.
fn undecided(item: &Value, ty: &Type) -> Value {
    let undecided = match item.is_null() {
        true => Value::null(ty.clone()),
        false => Value::unknown(ty.clone()),
    };
    if item.contains_marks() { undecided.with_marks(&item.unmark_deep().1) } else { undecided }
}

/// The last one changes fastest.
fn combinations(parts: &[Vec<Value>]) -> Result<Vec<Value>> {
    let count = parts.iter().try_fold(1_usize, |count, part| count.checked_mul(part.len()));
    if count.is_none_or(|count| count.saturating_mul(parts.len()) > MOST) {
        return Err(too_many());
    }
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for part in parts {
        rows = rows
            .iter()
            .flat_map(|row| {
                part.iter().map(move |value| row.iter().cloned().chain([value.clone()]).collect())
            })
            .collect();
    }
    rows.into_iter().map(Value::tuple).collect()
}

fn collected(ty: &Type, tuples: Vec<Value>) -> Result<Value> {
    match ty {
        Type::Set(ty) => Value::set_of(ty.element().clone(), tuples),
        ty => Value::list_of(ty.element_type().cloned().unwrap_or(Type::Dynamic), tuples),
    }
}

#[cold]
fn too_many() -> Error {
    Error::new(Kind::Limit, format!("the combinations have more than {MOST} parts"))
}
