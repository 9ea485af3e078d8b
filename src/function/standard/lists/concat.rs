//! Lists one after the other, and the first of several that has elements.

use std::borrow::Cow;

use crate::constraint::TypeConstraint;
use crate::convert::{Safety, convert, unify};
use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::collections::{check_number, items, length_of, unfit, unknown_list};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::{ListType, Type};
use crate::value::{Container, Value, View, equality, join, list_of_typed, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let concat = Function::new("concat")
        .description("The elements of all the lists or tuples, one after the other.")
        .variadic(Parameter::new("seqs", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(concat_type)
        .not_null()
        .body_for_all(concat);
    all.push(Standard::both(concat));
    let coalesce = Function::new("coalescelist")
        .description("The first list or tuple that has elements.")
        .variadic(Parameter::new("vals", Type::Dynamic).allow_null().allow_dynamic())
        .returns_by(coalesced_type)
        .not_null()
        .body_for_all(coalesce);
    all.push(Standard::both(coalesce));
}

fn concat_type(arguments: &Arguments<'_>) -> Result<Type> {
    let all = arguments.all();
    let Some((first, rest)) = all.split_first() else { return check(&[]).map(|()| Type::Dynamic) };
    check_number(all.iter().map(|list| length_of(list).lower()))?;
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
        check_one(i, &value.ty())?;
        match items(value) {
            Some(items) => elements.extend(items.iter().map(Value::ty)),
            None => return Ok(Type::Dynamic),
        }
    }
    Type::tuple(elements)
}

fn check(types: &[Type]) -> Result<()> {
    if types.is_empty() {
        return Err(unfit("at least one argument is required"));
    }
    types.iter().enumerate().try_for_each(|(i, ty)| check_one(i, ty))
}

fn check_one(index: usize, ty: &Type) -> Result<()> {
    match ty {
        Type::List(_) | Type::Tuple(_) | Type::Dynamic => Ok(()),
        ty => {
            let message = format!("all arguments must be lists or tuples; got {}", ty.friendly_name());
            Err(unfit(message).in_argument(index))
        }
    }
}

fn concat(arguments: &Arguments<'_>) -> Result<Value> {
    match arguments.ty() {
        Type::List(ty) => lists(arguments.ty(), ty, arguments.all()),
        Type::Tuple(_) => {
            let all: Option<Vec<_>> = arguments.all().iter().map(items).collect();
            match all {
                Some(all) => Value::tuple(all.iter().flat_map(|items| items.iter().cloned())),
                None => Ok(Value::dynamic()),
            }
        }
        _ => {
            check(&arguments.all().iter().map(Value::ty).collect::<Vec<_>>())?;
            Ok(Value::dynamic())
        }
    }
}

/// `wanted` is the type of lists `ty`.
fn lists(wanted: &Type, ty: &ListType, all: &[Value]) -> Result<Value> {
    let there = all.iter().filter_map(Value::container).map(Container::child_count);
    let there = there.fold(0, usize::saturating_add);
    let (mut items, mut is_whole) = (Vec::with_capacity(there), true);
    let (mut fewest, mut most) = (0_u64, Some(0_u64));
    for list in all {
        let list = match list.has_type(wanted) {
            true => Cow::Borrowed(list),
            false => Cow::Owned(convert(list, &TypeConstraint::from(wanted.clone()))?),
        };
        if let View::List(list) = view_below_marks(&list) {
            items.extend(list.iter().cloned());
        } else {
            is_whole = false;
        }
        let length = length_of(&list);
        fewest = fewest.saturating_add(length.lower());
        most = most.and_then(|most| Some(most.saturating_add(length.upper()?)));
    }
    match is_whole {
        true => list_of_typed(ty, items),
        false => unknown_list(ty.element(), LengthRange::new(fewest, most).unwrap_or_default()),
    }
}

fn coalesced_type(arguments: &Arguments<'_>) -> Result<Type> {
    let all = arguments.all();
    let Some(first) = all.first().map(Value::ty) else {
        return Err(unfit("at least one argument is required"));
    };
    for value in all {
        if !value.is_known() {
            return Ok(Type::Dynamic);
        }
        check_list(&value.ty())?;
    }
    let is_one = all.iter().all(|value| value.has_type(&first))
        && (!first.has_dynamic() || all.iter().all(Value::is_wholly_known));
    Ok(if is_one { first } else { Type::Dynamic })
}

fn check_list(ty: &Type) -> Result<()> {
    match ty {
        Type::List(_) | Type::Tuple(_) => Ok(()),
        _ => Err(unfit("coalescelist arguments must be lists or tuples")),
    }
}

fn coalesce(arguments: &Arguments<'_>) -> Result<Value> {
    let all = arguments.all();
    for value in all.iter().filter(|value| !matches!(value, Value::Dynamic(_))) {
        check_list(&value.ty())?;
    }
    let mut found = Vec::new();
    for value in all {
        let length = length_of(value);
        if length.upper() == Some(0) {
            continue;
        }
        let there = match value {
            Value::Dynamic(_) => Ok(value.clone()),
            value if matches!(value.ty(), Type::Tuple(_)) => value.assume_not_null(),
            value => value.assume(&Refinement::length(LengthRange::at_least(1)).and_not_null()),
        };
        let Ok(there) = there else { continue };
        found.push(there);
        if !equality::may_be_null(value) && length.lower() > 0 {
            break;
        }
    }
    join(&found.iter().collect::<Vec<_>>()).ok_or_else(|| unfit("no non-null arguments"))
}
