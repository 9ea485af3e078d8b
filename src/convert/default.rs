//! Attributes with their defaults, which replace nulls and attributes that are left out.

use crate::error::Result;
use crate::refinement::{Nullness, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical, join};

use super::target::{AttributeTarget, Target};
use super::unknown;

impl AttributeTarget {
    /// Converts the given value of the attribute, and replaces null by the default. For an unknown that may be null
    /// the result is the join of the default and of every other outcome.
    pub(super) fn convert(&mut self, given: &Value) -> Result<Value> {
        let Some(default) = self.constraint.default().filter(|default| !default.is_null()) else {
            return self.target.convert(given);
        };
        let not_null = match convert_not_null(given, &mut self.target) {
            NotNull::Whole => return self.target.convert(given),
            NotNull::Nothing => None,
            NotNull::Converted(converted) => converted.ok(),
        };
        let filled = match not_null {
            Some(not_null) => join(&[&not_null, default]).unwrap_or(not_null),
            None => default.clone(),
        };
        Ok(filled.with_marks(given.marks()))
    }

    /// The value of the attribute in an object that lacks it.
    pub(super) fn value_if_missing(&self) -> Value {
        match self.constraint.default() {
            Some(default) => default.clone(),
            None => Value::null(self.constraint.constraint().to_type()),
        }
    }

    /// The join of the converted value and, if the attribute may be missing, its value then.
    pub(super) fn or_missing(&self, converted: Value) -> Value {
        if !self.constraint.is_optional() {
            return converted;
        }
        join(&[&converted, &self.value_if_missing()]).unwrap_or(converted)
    }
}

/// The outcomes of a value other than null.
pub(super) enum NotNull {
    /// All outcomes: the value is not null.
    Whole,
    /// No outcome: the value is null.
    Nothing,
    /// Some outcomes, converted.
    Converted(Result<Value>),
}

/// Converts the outcomes of a value other than null, where null is one of several outcomes.
pub(super) fn convert_not_null(given: &Value, target: &mut Target) -> NotNull {
    match given {
        Value::Known(_) if given.is_null() => NotNull::Nothing,
        Value::Known(_) | Value::Partial(_) => NotNull::Whole,
        Value::Dynamic(_) => NotNull::Converted(unknown::of_any_type(target)),
        Value::Unknown(_) => {
            let given = canonical(given.ty(), Refinement::not_null());
            NotNull::Converted(target.convert(&given))
        }
        Value::Refined(_) => match given.range().nullness() {
            Nullness::NotNull => NotNull::Whole,
            Nullness::Null => NotNull::Nothing,
            Nullness::Nullable => NotNull::Converted(target.convert(&without_null(given))),
        },
    }
}

/// The value without null as an outcome, and without its marks.
pub(super) fn without_null(value: &Value) -> Value {
    match value {
        Value::Unknown(_) | Value::Refined(_) if value.ty() != Type::Dynamic => {
            let refinement = value.range().refinement().clone().and_not_null();
            canonical(value.ty(), refinement)
        }
        _ => value.clone().unmark().0,
    }
}
