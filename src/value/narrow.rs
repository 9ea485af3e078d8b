//! A value narrowed by what is assumed of it.

use crate::error::{Error, Kind, Result};
use crate::refinement::{Nullness, Range, Refinement};
use crate::types::Type;

use super::refined::{canonical, is_impossible};
use super::repr::Container;
use super::set;
use super::view::below_marks;
use super::{Value, View};

/// The value under an assumption: what [`Value::assume`] gives.
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
        Value::Partial(_) | Value::Known(_) => checked(value, assumption),
    }
}

/// A known value, if the assumption holds of it.
fn checked(value: &Value, assumption: &Refinement) -> Result<Value> {
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
    // Each kind of range is named, so that a new one is not forgotten here.
    let holds = match assumption.range() {
        Range::Any => true,
        Range::Prefix(prefix) => matches!(view, View::String(text) if text.starts_with(prefix.as_str())),
        Range::Number(range) => matches!(view, View::Number(number) if range.contains(number)),
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

#[cold]
pub(crate) fn needs_type() -> Error {
    Error::new(Kind::NeedsType, "the given value must have a known type: attach one with `assume_type` first")
}
