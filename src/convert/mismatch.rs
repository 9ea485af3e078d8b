//! Why one type does not convert to another, in words.

use crate::constraint::TypeConstraint;
use crate::text::write_quoted;
use crate::types::{ObjectType, Type};

use super::matrix::{Mode, available};

/// Why values of a type do not convert to another, in cty's words.
///
/// ```
/// use plantime::{Type, mismatch_message};
///
/// let from: Type = "object({a = list(string)})".parse()?;
/// let missing = mismatch_message(&from, &"object({a = any, b = any})".parse()?);
/// assert_eq!(missing, r#"attribute "b" is required"#);
/// let inside = mismatch_message(&from, &"object({a = string})".parse()?);
/// assert_eq!(inside, r#"attribute "a": string required, but have list of string"#);
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn mismatch_message(from: &Type, to: &TypeConstraint) -> String {
    let ty = to.as_type();
    match (from, ty) {
        (Type::Object(from), Type::Object(object)) => return objects(from, object, to),
        (Type::Tuple(_), Type::List(list)) if *list.element() == Type::Dynamic => {
            return "all list elements must have the same type".to_owned();
        }
        (Type::Tuple(_), Type::Set(set)) if *set.element() == Type::Dynamic => {
            return "all set elements must have the same type".to_owned();
        }
        (Type::Object(_), Type::Map(map)) if *map.element() == Type::Dynamic => {
            return "all map elements must have the same type".to_owned();
        }
        (Type::Tuple(tuple), Type::List(_) | Type::Set(_)) => {
            let parts = tuple.iter().enumerate().map(|(index, ty)| (index.to_string(), ty));
            return parts_of_collection(parts, to);
        }
        (Type::Object(object), Type::Map(_)) => {
            return parts_of_collection(object.iter().map(|(name, ty)| (quoted(name), ty)), to);
        }
        (Type::List(_) | Type::Set(_), Type::List(_) | Type::Set(_)) | (Type::Map(_), Type::Map(_)) => {
            return elements(from, to);
        }
        (Type::Tuple(_) | Type::Object(_) | Type::List(_) | Type::Set(_) | Type::Map(_), ty)
            if ty.is_collection() => {}
        (from, ty) if !is_confusing(from, ty) => {
            return format!("{} required, but have {}", ty.friendly_name(), from.friendly_name());
        }
        _ => {}
    }
    format!("{} required", ty.friendly_name_for_constraint())
}

/// Whether the name of what is there would not help to see the difference.
fn is_confusing(from: &Type, to: &Type) -> bool {
    let helps = from.is_primitive() != to.is_primitive()
        || *to == Type::String
        || matches!((from, to), (Type::Bool, Type::Number) | (Type::Number, Type::Bool))
        || matches!((from, to), (Type::Tuple(_), Type::Object(_)));
    !helps
}

fn quoted(name: &str) -> String {
    let mut text = String::new();
    match write_quoted(&mut text, name) {
        Ok(()) | Err(_) => text,
    }
}

fn objects(from: &ObjectType, object: &ObjectType, to: &TypeConstraint) -> String {
    let attributes = || {
        object.attribute_names().enumerate().filter_map(|(index, name)| Some((name, to.attribute_at(index)?)))
    };
    let missing: Vec<String> = attributes()
        .filter(|(name, attribute)| !attribute.is_optional() && from.get(name).is_none())
        .map(|(name, _)| quoted(name))
        .collect();
    match missing.as_slice() {
        [] => {}
        [one] => return format!("attribute {one} is required"),
        [one, two] => return format!("attributes {one} and {two} are required"),
        [most @ .., last] => return format!("attributes {}, and {last} are required", most.join(", ")),
    }
    for mode in [Mode::Unsafe, Mode::Safe] {
        for (name, attribute) in attributes() {
            if let Some(from) = from.get(name)
                && !available(from, attribute.constraint(), mode)
            {
                return format!(
                    "attribute {}: {}",
                    quoted(name),
                    mismatch_message(from, attribute.constraint())
                );
            }
        }
    }
    "incorrect object attributes".to_owned()
}

fn parts_of_collection<'a>(parts: impl Iterator<Item = (String, &'a Type)>, to: &TypeConstraint) -> String {
    let Some(element) = to.element() else { return String::new() };
    for (name, ty) in parts {
        if !available(ty, &element, Mode::Unsafe) {
            return format!("element {name}: {}", mismatch_message(ty, &element));
        }
    }
    format!("all elements must be {}", element.friendly_name_for_constraint())
}

fn elements(from: &Type, to: &TypeConstraint) -> String {
    let kind = match to.as_type() {
        Type::List(_) => "list",
        Type::Set(_) => "set",
        _ => "map",
    };
    match (from.element_type(), to.element()) {
        (Some(from), Some(to)) => {
            format!("incorrect {kind} element type: {}", mismatch_message(from, &to))
        }
        _ => String::new(),
    }
}
