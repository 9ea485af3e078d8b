//! The first of several arguments that is not null.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical, equality, join};

use super::{Common, common_type, length_of, unfit};
use crate::function::standard::Standard;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let description = "The first argument that is not null, as what all arguments have in common.";
    all.push(Standard::cty(coalesce(description, false)));
    let description = "The first argument that is neither null nor an empty text.";
    all.push(Standard::language(coalesce(description, true)));
}

fn coalesce(description: &str, passes_empty: bool) -> Function {
    Function::new("coalesce")
        .description(description)
        .variadic(Parameter::new("vals", Type::Dynamic).allow_null().allow_dynamic())
        .returns_by(|arguments| Ok(common(arguments)?.ty().clone()))
        .not_null()
        .body_for_all(move |arguments| first(arguments, passes_empty))
}

fn common(arguments: &Arguments<'_>) -> Result<Common> {
    let types: Vec<(Type, bool)> = arguments
        .all()
        .iter()
        .map(|value| {
            let ty = value.ty();
            let decided = value.is_wholly_known() || !ty.has_dynamic();
            (ty, decided)
        })
        .collect();
    common_type(&types).ok_or_else(no_common_type)
}

#[cold]
fn no_common_type() -> Error {
    unfit("all arguments must have the same type")
}

fn first(arguments: &Arguments<'_>, passes_empty: bool) -> Result<Value> {
    let common = common(arguments)?;
    let wanted = TypeConstraint::from(common.ty().clone());
    let is_text = matches!(&common, Common::Type(Type::String));
    let (mut found, mut failed) = (Vec::new(), None);
    for value in arguments.all() {
        let Ok(not_null) = there(value) else { continue };
        let mut is_last = !equality::may_be_null(value);
        let converted = match &common {
            Common::Type(_) => convert(&not_null, &wanted).and_then(|converted| {
                // A null of no type has no place in a collection.
                let is_open = not_null.is_wholly_known() && !converted.is_wholly_known();
                if is_open { Err(no_common_type()) } else { Ok(converted) }
            }),
            // What all have in common with a text is text, or no type: it stays as it is.
            Common::Undecided(_)
                if not_null.has_type(&Type::String) && !(passes_empty && may_be_empty(&not_null)) =>
            {
                Ok(not_null)
            }
            Common::Undecided(ty) => Ok(of_undecided(ty, &not_null)),
        };
        match converted {
            Ok(value) if passes_empty && is_text && value.as_str().is_ok_and(str::is_empty) => continue,
            Ok(value) => {
                is_last &= !(passes_empty && is_text && may_be_empty(&value));
                found.push(value);
            }
            Err(error) => failed = Some(error),
        }
        if is_last {
            break;
        }
    }
    if found.is_empty() {
        let none =
            if passes_empty { "no non-null, non-empty-string arguments" } else { "no non-null arguments" };
        return Err(failed.unwrap_or_else(|| unfit(none)));
    }
    join(&found.iter().collect::<Vec<_>>()).ok_or_else(|| unfit("no non-null arguments"))
}

/// The value as one that is not null, if it can be that.
fn there(value: &Value) -> Result<Value> {
    match value {
        Value::Dynamic(_) => Ok(value.clone()),
        value => value.assume_not_null(),
    }
}

/// What is known of a value that is converted to a type that is not decided: how many elements it has. Members of a set
/// can become one.
fn of_undecided(ty: &Type, value: &Value) -> Value {
    let length = length_of(value);
    let length = match ty {
        Type::List(_) | Type::Map(_) => length,
        Type::Set(_) => LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default(),
        _ => return Value::dynamic(),
    };
    canonical(ty.clone(), Refinement::length(length).and_not_null())
}

fn may_be_empty(value: &Value) -> bool {
    value.range().prefix().unwrap_or("").is_empty()
}
