//! `lookup`: the element of a map or object at a key, or a default.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, View, join, view_below_marks};

use super::{invalid_argument, length_of};
use crate::function::standard::StandardFunction;

/// Adds `lookup` of cty, and `lookup` of the planning languages, where the default is optional.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let value_parameter = |name: &str| Parameter::new(name, Type::Dynamic).marks(MarkHandling::Picked);
    let signature = || {
        Function::new("lookup")
            .description("The element of a map or object at a key, or a default where there is none.")
            .parameter(value_parameter("inputMap"))
            .parameter(Parameter::new("key", Type::String))
    };
    let cty = signature().parameter(value_parameter("default")).returns_by(lookup_type).body_for_all(lookup);
    let note = "the element if the key is known, else what the elements that it may select have in common with the default";
    functions.push(StandardFunction::cty_only(cty, note));
    let language = signature()
        .variadic(value_parameter("default").allow_null().allow_dynamic())
        .returns_by(lookup_type)
        .body_for_all(lookup);
    functions.push(StandardFunction::language_only(language, note));
}

/// The result type of `lookup`: that of the attribute or element with the key, or of the default. `dynamic` for an
/// unknown key of an object.
fn lookup_type(arguments: &Arguments<'_>) -> Result<Type> {
    let default = match arguments.from(2) {
        [] => None,
        [default] => Some(default),
        defaults => {
            let count = defaults.len().saturating_add(2);
            return Err(invalid_argument(format!("lookup() takes two or three arguments, got {count}")));
        }
    };
    match arguments.at(0).ty() {
        Type::Object(_) if !arguments.at(1).is_known() => Ok(Type::Dynamic),
        Type::Object(ty) => match (ty.get(arguments.text(1)?), default) {
            (Some(ty), _) => Ok(ty.clone()),
            (None, Some(default)) => Ok(default.ty()),
            (None, None) => Err(no_attribute(arguments.text(1)?)),
        },
        Type::Map(ty) => {
            if let Some(default) = default {
                convert_default(default, ty.element())?;
            }
            Ok(ty.element().clone())
        }
        _ => Err(not_a_map()),
    }
}

/// The error of `lookup` for a first argument that is neither a map nor an object.
#[cold]
fn not_a_map() -> crate::Error {
    invalid_argument("lookup() requires a map as the first argument").in_argument(0)
}

/// The error of `lookup` for an object without this attribute, where no default is given.
#[cold]
fn no_attribute(key: &str) -> crate::Error {
    invalid_argument(format!("the given object has no attribute {}", QuotedInMessage(key))).in_argument(0)
}

/// The default of `lookup`, converted to the element type of the map; an error if there is no conversion.
fn convert_default(default: &Value, element: &Type) -> Result<Value> {
    if default.has_type(element) {
        return Ok(default.clone());
    }
    convert(default, &TypeConstraint::from(element.clone())).map_err(|_| {
        invalid_argument("the default value must have the same type as the map elements").in_argument(2)
    })
}

/// Computes `lookup`: the element of a map or attribute of an object at a key, else the default; an error without a
/// default. For an unknown key, the join (what they have in common) of all elements that it may select, and of the
/// default if the key may be missing.
fn lookup(arguments: &Arguments<'_>) -> Result<Value> {
    let (map, key) = (arguments.at(0), arguments.at(1));
    let name = key.as_str().ok();
    if let (Some(name), View::Map(map)) = (name, view_below_marks(map))
        && let Some(element) = map.get(name)
    {
        return Ok(element.outside_collection());
    }
    let range = key.range();
    let prefix = range.prefix().unwrap_or("");
    let may_be_key = |other: &str| name.map_or_else(|| other.starts_with(prefix), |name| other == name);
    let element = map.ty().element_type().cloned();
    let is_undecided = element.as_ref().is_some_and(Type::has_dynamic) && !map.is_wholly_known();
    let mut selectable: Vec<Value> = match view_below_marks(map) {
        View::Map(map) => match name {
            Some(name) => map.get(name).map(Value::outside_collection).into_iter().collect(),
            None => map
                .iter()
                .filter(|(key, _)| may_be_key(key))
                .map(|(_, value)| value.outside_collection())
                .collect(),
        },
        View::Object(object) => {
            object.iter().filter(|(name, _)| may_be_key(name)).map(|(_, value)| value.clone()).collect()
        }
        View::Unknown(range) => match range.ty() {
            Type::Object(ty) => ty
                .iter()
                .filter(|(name, _)| may_be_key(name))
                .map(|(name, ty)| range.unknown_attribute(name, ty))
                .collect(),
            Type::Map(ty) if length_of(map).upper() != Some(0) => {
                let may_have = range.may_have_key(key);
                may_have.then(|| range.unknown_element(ty.element())).into_iter().collect()
            }
            Type::Map(_) => Vec::new(),
            _ => return Err(not_a_map()),
        },
        View::Dynamic => return Ok(Value::dynamic()),
        _ => return Err(not_a_map()),
    };
    let is_found = name.is_some() && map.is_known() && !selectable.is_empty()
        || name.is_some() && matches!(map.ty(), Type::Object(_)) && !selectable.is_empty();
    if !is_found && let Some(default) = arguments.from(2).first() {
        selectable.push(match &element {
            // The element type that the default is converted to is not decided yet.
            Some(_) if is_undecided => Value::dynamic(),
            Some(element) => convert_default(default, element)?,
            None => default.clone(),
        });
    }
    let missing = || match name {
        Some(name) => invalid_argument(format!("lookup failed to find key {}", QuotedInMessage(name))),
        None => invalid_argument("lookup failed to find the key"),
    };
    join(&selectable.iter().collect::<Vec<_>>()).ok_or_else(missing)
}
