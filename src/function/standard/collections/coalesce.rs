//! `coalesce` of cty and of the planning languages: the first argument that is not null (nor empty).

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical, equality, join};

use super::{CommonType, common_type, invalid_argument, length_of};
use crate::function::standard::StandardFunction;

/// Adds `coalesce` of cty and `coalesce` of the planning languages, which skips empty strings too.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let note = "the first argument that is certainly not null, or what it has in common with those before it";
    let description = "The first argument that is not null, converted to the common type of all arguments.";
    functions.push(StandardFunction::cty_only(coalesce_function(description, false), note));
    let description = "The first argument that is neither null nor an empty string.";
    functions.push(StandardFunction::language_only(coalesce_function(description, true), note));
}

/// Defines `coalesce`: that of the planning languages if it skips empty strings too (`skips_empty`), else that of cty.
fn coalesce_function(description: &str, skips_empty: bool) -> Function {
    Function::new("coalesce")
        .description(description)
        .variadic(Parameter::new("vals", Type::Dynamic).allow_null().allow_dynamic())
        .returns_by(|arguments| Ok(common_argument_type(arguments)?.ty().clone()))
        .not_null()
        .body_for_all(move |arguments| coalesce(arguments, skips_empty))
}

/// The type that all arguments are converted to; an error if they have none in common.
fn common_argument_type(arguments: &Arguments<'_>) -> Result<CommonType> {
    let types: Vec<(Type, bool)> = arguments
        .all()
        .iter()
        .map(|value| {
            let ty = value.ty();
            let is_decided = value.is_wholly_known() || !ty.has_dynamic();
            (ty, is_decided)
        })
        .collect();
    common_type(&types).ok_or_else(no_common_type)
}

/// The error for arguments that cannot be converted to a common type.
#[cold]
fn no_common_type() -> Error {
    invalid_argument("all arguments must have the same type")
}

/// Computes `coalesce`: the first argument that is not null nor, with `skips_empty`, an empty string. While arguments
/// are unknown, the join (what they have in common) of all that may be that first one.
fn coalesce(arguments: &Arguments<'_>, skips_empty: bool) -> Result<Value> {
    let common = common_argument_type(arguments)?;
    let target = TypeConstraint::from(common.ty().clone());
    let is_string = matches!(&common, CommonType::Type(Type::String));
    let (mut candidates, mut conversion_error) = (Vec::new(), None);
    for value in arguments.all() {
        let Ok(not_null) = without_null(value) else { continue };
        let mut is_last = !equality::may_be_null(value);
        let converted = match &common {
            CommonType::Type(_) => convert(&not_null, &target).and_then(|converted| {
                // A collection cannot hold a null without a type: the conversion leaves the type undecided, an error.
                let is_undecided = not_null.is_wholly_known() && !converted.is_wholly_known();
                if is_undecided { Err(no_common_type()) } else { Ok(converted) }
            }),
            // The common type with a string is string or none at all: in both cases the string stays as it is.
            CommonType::Undecided(_)
                if not_null.has_type(&Type::String) && !(skips_empty && may_be_empty(&not_null)) =>
            {
                Ok(not_null)
            }
            CommonType::Undecided(ty) => Ok(converted_to_undecided(ty, &not_null)),
        };
        match converted {
            Ok(value) if skips_empty && is_string && value.as_str().is_ok_and(str::is_empty) => continue,
            Ok(value) => {
                is_last &= !(skips_empty && is_string && may_be_empty(&value));
                candidates.push(value);
            }
            Err(error) => conversion_error = Some(error),
        }
        if is_last {
            break;
        }
    }
    if candidates.is_empty() {
        let message =
            if skips_empty { "no non-null, non-empty-string arguments" } else { "no non-null arguments" };
        return Err(conversion_error.unwrap_or_else(|| invalid_argument(message)));
    }
    join(&candidates.iter().collect::<Vec<_>>()).ok_or_else(|| invalid_argument("no non-null arguments"))
}

/// The value, narrowed to not null; an error if it is certainly null.
fn without_null(value: &Value) -> Result<Value> {
    match value {
        Value::Dynamic(_) => Ok(value.clone()),
        value => value.assume_not_null(),
    }
}

/// The result of converting a value to `ty`, a type that is not fully known yet: an unknown of which only the length
/// bounds are known. For a set the lower bound is 1 at most, since conversion can make members equal.
fn converted_to_undecided(ty: &Type, value: &Value) -> Value {
    let length = length_of(value);
    let length = match ty {
        Type::List(_) | Type::Map(_) => length,
        Type::Set(_) => LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default(),
        _ => return Value::dynamic(),
    };
    canonical(ty.clone(), Refinement::length(length).and_not_null())
}

/// Whether a string may be the empty string: no first character of it is known.
fn may_be_empty(value: &Value) -> bool {
    value.range().prefix().unwrap_or("").is_empty()
}
