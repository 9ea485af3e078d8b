//! Narrowing a value by an assumed refinement.

use crate::error::{Error, Kind, Result};
use crate::refinement::{ElementRange, LengthRange, Nullness, Range, Refinement};
use crate::text::Text;
use crate::types::Type;

use super::equality::is_always_null;
use super::refined::{canonical, is_impossible};
use super::repr::Container;
use super::set;
use super::view::below_marks;
use super::{Value, View, build};

/// The value under an assumption: an unknown gets narrower, a known value is checked. See [`Value::assume`].
pub(crate) fn narrowed(value: &Value, assumption: &Refinement) -> Result<Value> {
    if assumption.is_trivial() {
        return Ok(value.clone());
    }
    let ty = value.ty();
    // Of a value of unknown type it can be assumed that it is null, and nothing else.
    let is_about_null = is_always_null(value) || assumption.nullness() == Nullness::Null;
    if ty == Type::Dynamic && (!is_about_null || *assumption.range() != Range::Any) {
        return Err(needs_type());
    }
    if !assumption.applies_to(&ty) && ty != Type::Dynamic {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!("{} cannot be assumed to be {assumption}", ty.friendly_name()),
        ));
    }
    match value {
        Value::Dynamic(_) => Ok(canonical(ty, assumption.clone()).with_marks(value.marks())),
        Value::Unknown(_) | Value::Refined(_) => {
            let known = value.range();
            let met = known.refinement().meet(assumption).ok();
            let met =
                met.filter(|met| !is_impossible(&ty, met)).ok_or_else(|| not_upheld(value, assumption))?;
            Ok(canonical(ty, met).with_marks(value.marks()))
        }
        Value::Partial(_) | Value::Known(_) => check_assumption(value, assumption),
    }
}

/// The known value if the assumption holds for it, else an error. A partial set may get a narrower length.
fn check_assumption(value: &Value, assumption: &Refinement) -> Result<Value> {
    if value.is_null() {
        return match assumption.nullness() {
            Nullness::NotNull => Err(not_upheld(value, assumption)),
            Nullness::Nullable | Nullness::Null => Ok(value.clone()),
        };
    }
    if assumption.nullness() == Nullness::Null {
        return Err(not_upheld(value, assumption));
    }
    let view = below_marks(value);
    // Each kind of range is named, so that the compiler reports a new one that is forgotten here.
    let holds = match assumption.range() {
        Range::Any => true,
        Range::Prefix(prefix) => matches!(view, View::String(text) if text.starts_with(prefix.as_str())),
        Range::Language(language) => {
            matches!(view, View::String(text) if language.language().contains(text))
        }
        Range::Number(range) => matches!(view, View::Number(number) if range.contains(number)),
        range @ (Range::Multiples(_) | Range::Numbers(_)) => {
            matches!(view, View::Number(number) if range.contains_number(number))
        }
        Range::Length(range) => match (view, value.container()) {
            (View::List(list), _) => range.contains(list.len() as u64),
            (View::Map(map), _) => range.contains(map.len() as u64),
            (View::Set(_), Some(Container::Set(set))) => {
                let narrowed = set::narrow(set, range).ok_or_else(|| not_upheld(value, assumption))?;
                return Ok(narrowed.with_marks(value.marks()));
            }
            _ => false,
        },
        Range::Elements(elements) => return narrow_elements(value, elements, assumption),
        Range::Structure(_) => return narrow_parts(value, assumption),
    };
    if holds { Ok(value.clone()) } else { Err(not_upheld(value, assumption)) }
}

/// The known or partial collection with each element narrowed by the assumption; an error if its length, a key or an
/// element contradicts it.
fn narrow_elements(value: &Value, elements: &ElementRange, assumption: &Refinement) -> Result<Value> {
    let refused = || not_upheld(value, assumption);
    let narrowed = match value.container() {
        Some(Container::List(node)) if elements.length().contains(node.items.len() as u64) => {
            let items: Option<_> = node.items.iter().map(|item| narrow_element(item, elements)).collect();
            build::list_node(node.ty.clone(), items.ok_or_else(refused)?)
        }
        Some(Container::Map(node)) if elements.length().contains(node.entries.len() as u64) => {
            let entry = |(key, item): &(Text, Value)| {
                let is_key = elements.keys().contains_string(key.as_str());
                is_key.then(|| Some((key.clone(), narrow_element(item, elements)?))).flatten()
            };
            let entries: Option<_> = node.entries.iter().map(entry).collect();
            build::map_node(node.ty.clone(), entries.ok_or_else(refused)?)
        }
        Some(Container::Set(node)) => {
            let members = node.known.iter().chain(&node.not_wholly_known);
            let members: Option<_> = members.map(|member| narrow_element(member, elements)).collect();
            let narrowed = set::build(node.ty.clone(), members.ok_or_else(refused)?);
            let Some(Container::Set(built)) = narrowed.container() else { return Err(refused()) };
            // What was known of the length before is not in the members.
            let before = LengthRange::new(node.length.0, Some(node.length.1)).ok();
            let length = before.and_then(|before| before.meet(elements.length())).ok_or_else(refused)?;
            set::narrow(built, &length).ok_or_else(refused)?
        }
        _ => return Err(refused()),
    };
    Ok(narrowed.with_marks(value.marks()))
}

/// The known or partial object or tuple with each part narrowed by what is assumed of it; an error if a part contradicts
/// it.
fn narrow_parts(value: &Value, assumption: &Refinement) -> Result<Value> {
    let refused = || not_upheld(value, assumption);
    let narrowed = match value.container() {
        Some(Container::Object(node)) => {
            let slots = node.ty.attribute_names().zip(&node.slots);
            let slots: Option<Vec<Value>> =
                slots.map(|(name, slot)| narrow_part(slot, assumption.of_attribute(name))).collect();
            build::object_of_parts(&node.ty, slots.ok_or_else(refused)?)?
        }
        Some(Container::Tuple(node)) => {
            let items = node.items.iter().enumerate();
            let items: Option<Vec<Value>> =
                items.map(|(index, item)| narrow_part(item, assumption.of_tuple_element(index))).collect();
            build::tuple_of_parts(&node.ty, items.ok_or_else(refused)?)?
        }
        _ => return Err(refused()),
    };
    Ok(narrowed.with_marks(value.marks()))
}

/// An element of a collection under what is assumed of every element; `None` if the assumption does not hold.
fn narrow_element(element: &Value, assumed: &ElementRange) -> Option<Value> {
    narrow_part(element, assumed.element())
}

/// A part of a container under what is assumed of it; `None` if the assumption does not hold.
fn narrow_part(part: &Value, assumed: &Refinement) -> Option<Value> {
    match narrowed(part, assumed) {
        Ok(part) => Some(part),
        // It can be assumed only once the type is known. Of a null of unknown type only whether it may be null counts.
        Err(error) if error.needs_type() && (!part.is_null() || assumed.allows_null()) => Some(part.clone()),
        Err(_) => None,
    }
}

/// The error for a value that contradicts an assumption. Says nothing of a marked value.
#[cold]
fn not_upheld(value: &Value, assumption: &Refinement) -> Error {
    let what = match value {
        value if value.is_marked() => String::new(),
        value if value.is_null() => ", but the value is null".to_owned(),
        Value::Refined(refined) => format!(", but the value is {}", refined.0.refinement),
        _ => String::new(),
    };
    Error::new(Kind::Contradiction, format!("assumption was not upheld: {assumption} is assumed{what}"))
}

/// The error for an assumption about a value of unknown type.
#[cold]
pub fn needs_type() -> Error {
    Error::new(Kind::NeedsType, "the given value must have a known type: convert it to one first")
}
