//! Why one type does not convert to another, in words.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind};
use crate::path::{Path, Step};
use crate::text::write_quoted;
use crate::types::{ObjectType, Type};
use crate::value::Value;

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
    let Mismatch { mut words, message, .. } = innermost(from, to);
    words.reverse();
    words.concat() + &message
}

/// The error of types that do not convert: at the innermost place, with the types that are expected and found there.
#[cold]
pub(super) fn mismatch(from: &Type, to: &TypeConstraint) -> Error {
    let Mismatch { steps, message, expected, found, .. } = innermost(from, to);
    let path = steps.into_iter().rev().collect();
    Error::new(Kind::TypeMismatch, message).with_types(expected, found).at(path)
}

/// The error of a value whose type does not convert. From a mark on no key is named: keys are content. What the types alone
/// say, any element or one of a tuple or an attribute that is asked for, is not.
#[cold]
pub(super) fn mismatch_of(value: &Value, to: &TypeConstraint) -> Error {
    let error = mismatch(&value.ty(), to);
    if !value.contains_marks() {
        return error;
    }
    // None below a mark, and where the steps are those of a type and not of this value.
    let mut here = Some(value);
    let is_shown = |step: &&Step| {
        let whole = here.filter(|whole| !whole.is_marked());
        here = whole.and_then(|whole| whole.part(step));
        let is_key = matches!(step, Step::Index(key) if key.as_str().is_ok());
        whole.is_some() || !is_key
    };
    let shown: Path = error.path().steps().iter().take_while(is_shown).cloned().collect();
    error.at(shown)
}

/// The first part of a type that keeps it from converting.
struct Mismatch {
    /// cty's words for each step, from the inside out.
    words: Vec<String>,
    /// The steps, from the inside out.
    steps: Vec<Step>,
    message: String,
    expected: Type,
    found: Type,
}

impl Mismatch {
    fn here(message: impl Into<String>, from: &Type, to: &TypeConstraint) -> Mismatch {
        let (expected, found) = (to.to_type(), from.clone());
        Mismatch { words: Vec::new(), steps: Vec::new(), message: message.into(), expected, found }
    }

    fn below(mut self, words: String, step: Step) -> Mismatch {
        self.words.push(words);
        self.steps.push(step);
        self
    }
}

fn innermost(from: &Type, to: &TypeConstraint) -> Mismatch {
    let ty = to.as_type();
    match (from, ty) {
        (Type::Object(object), Type::Object(wanted)) => return objects((from, object), wanted, to),
        (Type::Tuple(_), Type::List(list)) if *list.element() == Type::Dynamic => {
            return Mismatch::here("all list elements must have the same type", from, to);
        }
        (Type::Tuple(_), Type::Set(set)) if *set.element() == Type::Dynamic => {
            return Mismatch::here("all set elements must have the same type", from, to);
        }
        (Type::Object(_), Type::Map(map)) if *map.element() == Type::Dynamic => {
            return Mismatch::here("all map elements must have the same type", from, to);
        }
        (Type::Tuple(tuple), Type::List(_) | Type::Set(_)) => {
            let parts = tuple.iter().enumerate().map(|(i, ty)| (i.to_string(), Step::index(i), ty));
            return parts_of_collection(parts, from, to);
        }
        (Type::Object(object), Type::Map(_)) => {
            let parts = object.iter().map(|(name, ty)| (quoted(name), Step::index(name), ty));
            return parts_of_collection(parts, from, to);
        }
        (Type::List(_) | Type::Set(_), Type::List(_) | Type::Set(_)) | (Type::Map(_), Type::Map(_)) => {
            return elements(from, to);
        }
        (Type::Tuple(_) | Type::Object(_) | Type::List(_) | Type::Set(_) | Type::Map(_), ty)
            if ty.is_collection() => {}
        (from, ty) if !is_confusing(from, ty) => {
            let message = format!("{} required, but have {}", ty.friendly_name(), from.friendly_name());
            return Mismatch::here(message, from, to);
        }
        _ => {}
    }
    Mismatch::here(format!("{} required", ty.friendly_name_for_constraint()), from, to)
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

fn objects((from, given): (&Type, &ObjectType), object: &ObjectType, to: &TypeConstraint) -> Mismatch {
    let attributes = || {
        object.attribute_names().enumerate().filter_map(|(index, name)| Some((name, to.attribute_at(index)?)))
    };
    let missing: Vec<String> = attributes()
        .filter(|(name, attribute)| !attribute.is_optional() && given.get(name).is_none())
        .map(|(name, _)| quoted(name))
        .collect();
    let message = match missing.as_slice() {
        [] => None,
        [one] => Some(format!("attribute {one} is required")),
        [one, two] => Some(format!("attributes {one} and {two} are required")),
        [most @ .., last] => Some(format!("attributes {}, and {last} are required", most.join(", "))),
    };
    if let Some(message) = message {
        return Mismatch::here(message, from, to);
    }
    for mode in [Mode::Unsafe, Mode::Safe] {
        for (name, attribute) in attributes() {
            if let Some(from) = given.get(name)
                && !available(from, attribute.constraint(), mode)
            {
                let words = format!("attribute {}: ", quoted(name));
                return innermost(from, attribute.constraint()).below(words, Step::attr(name));
            }
        }
    }
    Mismatch::here("incorrect object attributes", from, to)
}

fn parts_of_collection<'a>(
    parts: impl Iterator<Item = (String, Step, &'a Type)>,
    from: &Type,
    to: &TypeConstraint,
) -> Mismatch {
    let Some(element) = to.element() else { return Mismatch::here("", from, to) };
    for (name, step, ty) in parts {
        if !available(ty, &element, Mode::Unsafe) {
            return innermost(ty, &element).below(format!("element {name}: "), step);
        }
    }
    let message = format!("all elements must be {}", element.friendly_name_for_constraint());
    Mismatch::here(message, from, to)
}

fn elements(from: &Type, to: &TypeConstraint) -> Mismatch {
    let (kind, any) = match (from, to.as_type()) {
        (Type::Map(_), _) => ("map", Value::unknown(Type::String)),
        (Type::Set(set), Type::Set(_)) => ("set", Value::unknown(set.element().clone())),
        (Type::Set(set), _) => ("list", Value::unknown(set.element().clone())),
        (_, Type::Set(_)) => ("set", Value::unknown(Type::Number)),
        _ => ("list", Value::unknown(Type::Number)),
    };
    match (from.element_type(), to.element()) {
        (Some(from), Some(to)) => {
            innermost(from, &to).below(format!("incorrect {kind} element type: "), Step::index(any))
        }
        _ => Mismatch::here("", from, to),
    }
}
