//! `setproduct`: all combinations of one element of each of several collections.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{
    CommonType, common_type, elements_of, invalid_argument, length_of, refined_elements,
};
use crate::function::{Arguments, Function, MarkHandling, Parameter, work};
use crate::refinement::{LengthRange, Refinement};
use crate::types::{TupleType, Type};
use crate::value::{Value, View, canonical, view_below_marks};

/// The maximum number of elements in all tuples of the result of `setproduct` together.
const MAX_CHILDREN: usize = 1 << 17;

/// The maximum length for which an unknown set of exact length is expanded to that many unknown members.
const MAX_UNKNOWN_MEMBERS: u64 = 16;

/// Adds `setproduct`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let product = Function::new("setproduct")
        .description("All combinations of one element of each of the lists or sets.")
        .variadic(Parameter::new("sets", Type::Dynamic).allow_unknown().marks(MarkHandling::Carried))
        .returns_by(product_type)
        .not_null()
        .body_for_all(|arguments| product(arguments).map(work::charged));
    let note = "the combinations, if all lengths are known; else bounds of their number";
    functions.push(StandardFunction::shared(product, note));
}

/// The result type of `setproduct`: a set of tuples if an argument is a set, else a list of tuples.
fn product_type(arguments: &Arguments<'_>) -> Result<Type> {
    let all = arguments.all();
    if all.len() < 2 {
        return Err(invalid_argument("at least two arguments are required"));
    }
    let elements = all.iter().enumerate().map(|(i, value)| element_type(value).map_err(|e| e.in_argument(i)));
    let tuple = Type::tuple(elements.collect::<Result<Vec<_>>>()?)?;
    match all.iter().any(|value| matches!(value.ty(), Type::Set(_))) {
        true => Type::set(tuple),
        false => Type::list(tuple),
    }
}

/// The type that the elements of an argument of `setproduct` have in the result; `dynamic` while it is undecided. An
/// error if the elements of a tuple have no common type.
fn element_type(value: &Value) -> Result<Type> {
    match value.ty() {
        Type::Set(ty) => Ok(ty.element().clone()),
        Type::List(ty) => Ok(ty.element().clone()),
        Type::Tuple(ty) if ty.is_empty() => Ok(Type::Dynamic),
        Type::Tuple(ty) => {
            let elements = elements_of(value).unwrap_or_default();
            let is_decided = |index: usize, ty: &Type| {
                !ty.has_dynamic() || elements.get(index).is_some_and(Value::is_wholly_known)
            };
            let types: Vec<(Type, bool)> =
                ty.iter().enumerate().map(|(i, ty)| (ty.clone(), is_decided(i, ty))).collect();
            match common_type(&types) {
                Some(CommonType::Type(ty)) => Ok(ty),
                Some(CommonType::Undecided(_)) => Ok(Type::Dynamic),
                None => Err(invalid_argument("all elements must be of the same type")),
            }
        }
        _ => Err(invalid_argument("a set or a list is required")),
    }
}

/// Computes `setproduct`: all combinations of one element of each list, set or tuple, as tuples. Bounds of their number
/// if a length is unknown.
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
    // An element that a list has twice is in a set once.
    let sets: Vec<Value> =
        all.iter().zip(elements).map(|(value, ty)| as_set(value, ty)).collect::<Result<_>>()?;
    // Members of a set have no marks: the marks of a list's elements are on the set built from it, so they go on the
    // product.
    Ok(product_of(&sets, ty, elements)?.with_same_marks(&sets))
}

/// The combinations of collections that are all lists or tuples, or all sets. `ty` is the type of the result, and
/// `elements` the type of each combination.
fn product_of(all: &[Value], ty: &Type, elements: &TupleType) -> Result<Value> {
    let lengths = all.iter().map(length_of).fold(LengthRange::new(1, Some(1)), |product, length| {
        let product = product?;
        let max = match (product.upper(), length.upper()) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (left, right) => left.zip(right).and_then(|(left, right)| left.checked_mul(right)),
        };
        LengthRange::new(product.lower().saturating_mul(length.lower()), max)
    })?;
    let length = refined_elements(lengths, Refinement::not_null());
    if lengths.upper() == Some(0) {
        let is_decided = |(value, ty): (&Value, &Type)| !ty.has_dynamic() || value.is_wholly_known();
        return match all.iter().zip(elements).all(is_decided) {
            true => collection_of(ty, Vec::new()),
            false => Ok(canonical(ty.clone(), length)),
        };
    }
    match converted_elements(all, elements)? {
        Some(elements) => collection_of(ty, combinations(&elements)?)?.assume(&length),
        None => Ok(canonical(ty.clone(), length)),
    }
}

/// The list or tuple converted to a set of this element type; a set stays as it is.
fn as_set(value: &Value, element: &Type) -> Result<Value> {
    match value.ty() {
        Type::Set(_) => Ok(value.clone()),
        _ => convert(value, &TypeConstraint::set(element.clone())?),
    }
}

/// The elements of each collection, converted to their types in the combinations: `types` has one for each collection.
/// `None` if the number of elements of one is not known.
fn converted_elements(all: &[Value], types: &TupleType) -> Result<Option<Vec<Vec<Value>>>> {
    let mut converted = Vec::with_capacity(all.len());
    for (value, ty) in all.iter().zip(types) {
        let is_undecided = ty.has_dynamic() && !value.is_wholly_known();
        let elements: Vec<Value> = match view_below_marks(value) {
            View::Set(set) => narrowed_members(set.iter().cloned().collect(), length_of(value)),
            View::Unknown(_) if matches!(value.ty(), Type::Set(_)) => match length_of(value).exact() {
                Some(count) if count <= MAX_UNKNOWN_MEMBERS => narrowed_members(
                    (0..count).map(|_| Value::unknown(ty.clone())).collect(),
                    length_of(value),
                ),
                _ => return Ok(None),
            },
            View::List(list) => list.iter().cloned().collect(),
            _ => match elements_of(value) {
                Some(items) if is_undecided => items.to_vec(),
                Some(items) => {
                    let target = TypeConstraint::from(ty.clone());
                    items.iter().map(|item| convert(item, &target)).collect::<Result<_>>()?
                }
                None => return Ok(None),
            },
        };
        // The combinations have one type, so elements of which more is known than their type in it do not fit.
        converted.push(match is_undecided {
            true => elements.iter().map(|item| of_undecided_type(item, ty)).collect(),
            false => elements,
        });
    }
    Ok(Some(converted))
}

/// The members of a set, narrowed by the fact that null is a member at most once. `length` are the bounds of the number
/// of distinct members: members (candidates) that are not wholly known may turn out equal.
///
/// | the set has | so |
/// |---|---|
/// | one member in the end, described by several candidates | no candidate is null if one of them is certainly not null |
/// | as many members as candidates | if one is null, no other is; of equal unknowns only one may be null: the last one |
fn narrowed_members(set: Vec<Value>, length: LengthRange) -> Vec<Value> {
    let is_one_not_null = length.upper() == Some(1) && set.iter().any(|member| member.range().is_not_null());
    let has_null = set.iter().any(Value::is_null);
    let all_differ = length.lower() >= set.len() as u64;
    let mut after = set.iter().skip(1);
    let member = |member: &Value| {
        let equals_next = after.next() == Some(member);
        let is_not_null = is_one_not_null || all_differ && (has_null || equals_next);
        match is_not_null && !member.is_null() {
            true => member.assume_not_null().unwrap_or_else(|_| member.clone()),
            false => member.clone(),
        }
    };
    set.iter().map(member).collect()
}

/// An element of a collection whose element type is undecided, as an unknown or null of `ty`, the type that is known
/// so far, with all its marks.
fn of_undecided_type(item: &Value, ty: &Type) -> Value {
    let undecided = match item.is_null() {
        true => Value::null(ty.clone()),
        false => Value::unknown(ty.clone()),
    };
    if item.contains_marks() { undecided.with_marks(&item.unmark_deep().1) } else { undecided }
}

/// All combinations of one element of each list, as tuples; the last element varies fastest. An error if they have too
/// many elements.
fn combinations(lists: &[Vec<Value>]) -> Result<Vec<Value>> {
    let count = lists.iter().try_fold(1_usize, |count, list| count.checked_mul(list.len()));
    if count.is_none_or(|count| count.saturating_mul(lists.len()) > MAX_CHILDREN) {
        return Err(too_many_combinations());
    }
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for list in lists {
        rows = rows
            .iter()
            .flat_map(|row| {
                list.iter().map(move |value| row.iter().cloned().chain([value.clone()]).collect())
            })
            .collect();
    }
    rows.into_iter().map(Value::tuple).collect()
}

/// The tuples as a set or list of the type `ty`.
fn collection_of(ty: &Type, tuples: Vec<Value>) -> Result<Value> {
    match ty {
        Type::Set(ty) => Value::set_of(ty.element().clone(), tuples),
        ty => Value::list_of(ty.element_type().cloned().unwrap_or(Type::Dynamic), tuples),
    }
}

/// The error for combinations with more than [`MAX_CHILDREN`] elements together.
#[cold]
fn too_many_combinations() -> Error {
    Error::new(Kind::Limit, format!("the combinations have more than {MAX_CHILDREN} parts"))
}
