//! `concat` and `coalescelist`: lists joined to one, and the first list that is not empty.

use std::borrow::Cow;

use crate::constraint::TypeConstraint;
use crate::convert::{Safety, convert, unify};
use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{
    check_total_elements, elements_of, invalid_argument, length_of, unknown_list_with,
};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::{ListType, Type};
use crate::value::{
    Container, Value, View, elements_of_all, equality, join, list_of_typed, view_below_marks,
};

/// Adds `concat` and `coalescelist`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let concat = Function::new("concat")
        .description("The elements of all the lists or tuples, one after the other.")
        .variadic(Parameter::new("seqs", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(concat_type)
        .not_null()
        .body_for_all(concat);
    let note = "the elements, if all lengths are known; else the sum of the length bounds";
    functions.push(StandardFunction::shared(concat, note));
    let coalesce = Function::new("coalescelist")
        .description("The first list or tuple that has elements.")
        .variadic(Parameter::new("vals", Type::Dynamic).allow_null().allow_dynamic())
        .returns_by(coalescelist_type)
        .not_null()
        .body_for_all(coalescelist);
    let note = "the first list that certainly has elements, or what it has in common with those before it";
    functions.push(StandardFunction::shared(coalesce, note));
}

/// The result type of `concat`: a list type if all arguments are lists of types that unify, else a tuple type.
/// `dynamic` while that depends on unknowns.
fn concat_type(arguments: &Arguments<'_>) -> Result<Type> {
    let all = arguments.all();
    let Some((first, rest)) = all.split_first() else {
        return check_lists_or_tuples(&[]).map(|()| Type::Dynamic);
    };
    check_total_elements(all.iter().map(|list| length_of(list).lower()))?;
    let ty = first.ty();
    if matches!(ty, Type::List(_)) && !ty.has_dynamic() && rest.iter().all(|list| list.has_type(&ty)) {
        return Ok(ty);
    }
    let types: Vec<Type> = all.iter().map(Value::ty).collect();
    if types.iter().all(|ty| matches!(ty, Type::List(_))) {
        match types.as_slice() {
            [ty] => return Ok(ty.clone()),
            _ if all.iter().zip(&types).any(|(list, ty)| ty.has_dynamic() && !list.is_wholly_known()) => {
                return Ok(Type::Dynamic);
            }
            types => {
                if let Some(ty) = unify(types, Safety::Unsafe) {
                    return Ok(ty);
                }
            }
        }
    }
    let mut elements = Vec::new();
    for (i, value) in all.iter().enumerate() {
        check_list_or_tuple(i, &value.ty())?;
        match elements_of(value) {
            Some(items) => elements.extend(items.iter().map(Value::ty)),
            None => return Ok(Type::Dynamic),
        }
    }
    Type::tuple(elements)
}

/// An error if there are no types, or one is neither a list nor a tuple type nor `dynamic`.
fn check_lists_or_tuples(types: &[Type]) -> Result<()> {
    if types.is_empty() {
        return Err(invalid_argument("at least one argument is required"));
    }
    types.iter().enumerate().try_for_each(|(i, ty)| check_list_or_tuple(i, ty))
}

/// An error if the type of the argument at this index is neither a list nor a tuple type nor `dynamic`.
fn check_list_or_tuple(index: usize, ty: &Type) -> Result<()> {
    match ty {
        Type::List(_) | Type::Tuple(_) | Type::Dynamic => Ok(()),
        ty => {
            let message = format!("all arguments must be lists or tuples; got {}", ty.friendly_name());
            Err(invalid_argument(message).in_argument(index))
        }
    }
}

/// Computes `concat`: the elements of all lists or tuples, one after the other, or bounds of their number.
fn concat(arguments: &Arguments<'_>) -> Result<Value> {
    match arguments.ty() {
        Type::List(ty) => concat_lists(arguments.ty(), ty, arguments.all()),
        Type::Tuple(_) => {
            let all: Option<Vec<_>> = arguments.all().iter().map(elements_of).collect();
            match all {
                Some(all) => Value::tuple(all.iter().flat_map(|items| items.iter().cloned())),
                None => Ok(Value::dynamic()),
            }
        }
        _ => {
            check_lists_or_tuples(&arguments.all().iter().map(Value::ty).collect::<Vec<_>>())?;
            Ok(Value::dynamic())
        }
    }
}

/// Concatenates lists, each converted to the result type. If one is unknown, the result is an unknown list with bounds
/// of its length. `result_type` and `ty` are the same type.
fn concat_lists(result_type: &Type, ty: &ListType, lists: &[Value]) -> Result<Value> {
    let counts = lists.iter().filter_map(Value::container).map(Container::child_count);
    let capacity = counts.fold(0, usize::saturating_add);
    let (mut elements, mut is_complete) = (Vec::with_capacity(capacity), true);
    let (mut min, mut max) = (0_u64, Some(0_u64));
    for list in lists {
        let list = match list.has_type(result_type) {
            true => Cow::Borrowed(list),
            false => Cow::Owned(convert(list, &TypeConstraint::from(result_type.clone()))?),
        };
        if let View::List(list) = view_below_marks(&list) {
            elements.extend(list.iter().cloned());
        } else {
            is_complete = false;
        }
        let length = length_of(&list);
        min = min.saturating_add(length.lower());
        max = max.and_then(|max| Some(max.saturating_add(length.upper()?)));
    }
    match is_complete {
        true => list_of_typed(ty, elements),
        false => {
            let length = LengthRange::new(min, max).unwrap_or_default();
            let given = lists.iter().all(|list| list.has_type(result_type));
            let of_elements = if given { elements_of_all(lists) } else { Refinement::any() };
            unknown_list_with(ty.element(), length, of_elements)
        }
    }
}

/// The result type of `coalescelist`: the type of all arguments, if they have the same; else `dynamic`.
fn coalescelist_type(arguments: &Arguments<'_>) -> Result<Type> {
    let all = arguments.all();
    let Some(first) = all.first().map(Value::ty) else {
        return Err(invalid_argument("at least one argument is required"));
    };
    for value in all {
        if !value.is_known() {
            return Ok(Type::Dynamic);
        }
        check_coalescelist_argument(&value.ty())?;
    }
    let is_same = all.iter().all(|value| value.has_type(&first))
        && (!first.has_dynamic() || all.iter().all(Value::is_wholly_known));
    Ok(if is_same { first } else { Type::Dynamic })
}

/// An error if the type of an argument of `coalescelist` is neither a list nor a tuple type.
fn check_coalescelist_argument(ty: &Type) -> Result<()> {
    match ty {
        Type::List(_) | Type::Tuple(_) => Ok(()),
        _ => Err(invalid_argument("coalescelist arguments must be lists or tuples")),
    }
}

/// Computes `coalescelist`: the first list or tuple that is neither null nor empty. While lists are unknown, the join
/// (what they have in common) of all that may be that first one.
fn coalescelist(arguments: &Arguments<'_>) -> Result<Value> {
    let all = arguments.all();
    let is_untyped_null = |value: &&Value| value.is_known() && value.ty() == Type::Dynamic;
    for value in all.iter().filter(|value| value.ty() != Type::Dynamic || is_untyped_null(value)) {
        check_coalescelist_argument(&value.ty())?;
    }
    let mut candidates = Vec::new();
    for value in all {
        let length = length_of(value);
        if length.upper() == Some(0) {
            continue;
        }
        let with_elements = match value {
            Value::Dynamic(_) => Ok(value.clone()),
            value if matches!(value.ty(), Type::Tuple(_)) => value.assume_not_null(),
            value => value.assume(&Refinement::length(LengthRange::at_least(1)).and_not_null()),
        };
        let Ok(with_elements) = with_elements else { continue };
        candidates.push(with_elements);
        if !equality::may_be_null(value) && length.lower() > 0 {
            break;
        }
    }
    join(&candidates.iter().collect::<Vec<_>>()).ok_or_else(|| invalid_argument("no non-null arguments"))
}
