//! Messages: why one type does not convert to another. DESIGN.md lists who words the other errors about types.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind};
use crate::path::{Path, Step};
use crate::text::write_quoted;
use crate::types::{ObjectType, Type};
use crate::value::Value;

use super::available::{Mode, available};
use super::table::{ChildTypes, Conversion};

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
    let Mismatch { mut words, message, .. } = innermost_mismatch(from, to);
    words.reverse();
    words.concat() + &message
}

/// The error of types that do not convert: at the innermost place, with the types that are expected and found there.
#[cold]
pub(super) fn mismatch(from: &Type, to: &TypeConstraint) -> Error {
    let Mismatch { steps, message, expected, found, .. } = innermost_mismatch(from, to);
    let path = steps.into_iter().rev().collect();
    Error::new(Kind::TypeMismatch, message).with_types(expected, found).at(path)
}

/// The error for a value whose type does not convert. Below a mark its path names no key, since keys are content.
/// Steps that the types alone determine (any element, a tuple position, an attribute of the target) are not content
/// and stay.
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

/// The innermost types that do not convert, of the first part that does not.
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
    /// The mismatch of these two types themselves.
    fn here(message: impl Into<String>, from: &Type, to: &TypeConstraint) -> Mismatch {
        let (expected, found) = (to.to_type(), from.clone());
        Mismatch { words: Vec::new(), steps: Vec::new(), message: message.into(), expected, found }
    }

    /// The mismatch with one more step, and cty's words for it, in front of its path.
    fn below(mut self, words: String, step: Step) -> Mismatch {
        self.words.push(words);
        self.steps.push(step);
        self
    }
}

/// The innermost mismatch of two types that do not convert, in their first part that does not.
fn innermost_mismatch(from: &Type, to: &TypeConstraint) -> Mismatch {
    let ty = to.as_type();
    match Conversion::of(from, ty) {
        Conversion::ObjectToObject(given, wanted) => object_mismatch((from, given), wanted, to),
        Conversion::ToCollection(_) if ty.element_type() == Some(&Type::Dynamic) => {
            let kind = match ty {
                Type::Set(_) => "set",
                Type::Map(_) => "map",
                _ => "list",
            };
            Mismatch::here(format!("all {kind} elements must have the same type"), from, to)
        }
        Conversion::ToCollection(children) => child_mismatch(children, from, to),
        Conversion::Elements { from: element, .. } => element_mismatch(element, from, to),
        _ => Mismatch::here(required_sentence(from, ty), from, to),
    }
}

/// The sentence for two types that do not convert because of their kinds.
fn required_sentence(from: &Type, to: &Type) -> String {
    let both_have_elements = to.is_collection() && (from.is_collection() || is_structure(from));
    if both_have_elements || is_confusing(from, to) {
        return format!("{} required", to.friendly_name_for_constraint());
    }
    format!("{} required, but have {}", to.friendly_name(), from.friendly_name())
}

/// Whether the type is a tuple or object type.
fn is_structure(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_) | Type::Object(_))
}

/// Whether the name of the found type would not explain the difference.
fn is_confusing(from: &Type, to: &Type) -> bool {
    let helps = from.is_primitive() != to.is_primitive()
        || *to == Type::String
        || matches!((from, to), (Type::Bool, Type::Number) | (Type::Number, Type::Bool))
        || matches!((from, to), (Type::Tuple(_), Type::Object(_)));
    !helps
}

/// The name in quotes, escaped.
pub(super) fn quoted(name: &str) -> String {
    let mut text = String::new();
    match write_quoted(&mut text, name) {
        Ok(()) | Err(_) => text,
    }
}

/// The mismatch of two object types: a missing attribute, or the first one that does not convert.
fn object_mismatch(
    (from, given): (&Type, &ObjectType),
    object: &ObjectType,
    to: &TypeConstraint,
) -> Mismatch {
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
                return innermost_mismatch(from, attribute.constraint()).below(words, Step::attr(name));
            }
        }
    }
    Mismatch::here("incorrect object attributes", from, to)
}

/// The mismatch of a tuple or object and a collection: the first child that does not convert.
fn child_mismatch(children: ChildTypes<'_>, from: &Type, to: &TypeConstraint) -> Mismatch {
    let element = to.element_or_any();
    for (index, ty) in children.enumerate() {
        if !available(ty, &element, Mode::Unsafe) {
            let (name, step) = match from {
                Type::Object(object) => {
                    let name = object.name_at(index).unwrap_or_default();
                    (quoted(name), Step::index(name))
                }
                _ => (index.to_string(), Step::index(index)),
            };
            return innermost_mismatch(ty, &element).below(format!("element {name}: "), step);
        }
    }
    let message = format!("all elements must be {}", element.friendly_name_for_constraint());
    Mismatch::here(message, from, to)
}

/// The mismatch of the element types of two collections.
fn element_mismatch(element: &Type, from: &Type, to: &TypeConstraint) -> Mismatch {
    let kind = match to.as_type() {
        Type::Map(_) => "map",
        Type::Set(_) => "set",
        _ => "list",
    };
    let any_element = match from {
        Type::Map(_) => Value::unknown(Type::String),
        Type::Set(_) => Value::unknown(element.clone()),
        _ => Value::unknown(Type::Number),
    };
    innermost_mismatch(element, &to.element_or_any())
        .below(format!("incorrect {kind} element type: "), Step::index(any_element))
}
