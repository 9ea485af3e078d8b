//! Narrowing a value by an assumed refinement.

use crate::error::{Error, Kind, Result};
use crate::refinement::{Nullness, Range, Refinement};
use crate::types::Type;

use super::refined::{canonical, is_impossible};
use super::repr::Container;
use super::set;
use super::view::below_marks;
use super::{Value, View};

/// The value under an assumption: an unknown gets narrower, a known value is checked. See [`Value::assume`].
pub(crate) fn narrowed(value: &Value, assumption: &Refinement) -> Result<Value> {
    if assumption.is_trivial() {
        return Ok(value.clone());
    }
    let ty = value.ty();
    if ty == Type::Dynamic && (!value.is_null() || *assumption.range() != Range::Any) {
        return Err(needs_type());
    }
    if !assumption.applies_to(&ty) && ty != Type::Dynamic {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!("{} cannot be assumed to be {assumption}", ty.friendly_name()),
        ));
    }
    match value {
        Value::Dynamic(_) => Err(needs_type()),
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
        Range::Multiples(multiples) => {
            matches!(view, View::Number(number) if multiples.contains(number))
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
    };
    if holds { Ok(value.clone()) } else { Err(not_upheld(value, assumption)) }
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
pub(crate) fn needs_type() -> Error {
    Error::new(Kind::NeedsType, "the given value must have a known type: attach one with `assume_type` first")
}
