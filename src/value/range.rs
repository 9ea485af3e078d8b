//! The range of a value: its type and a refinement that holds for every outcome.

use crate::limits;
use crate::refinement::{LengthRange, Nullness, NumberRange, Refinement};
use crate::types::Type;

use super::equality::known_text;
use super::repr::{Container, KnownRepr};
use super::{Value, refined};

/// The range of a value, known or not: its type, and a refinement that holds for every outcome. Operations are written
/// for ranges, so that a known value is just a narrow range.
///
/// | value | refinement |
/// |---|---|
/// | unknown | its own, or none |
/// | null | null |
/// | number 5 | not null, `[5, 5]` |
/// | string `"ab"` | not null, prefix `ab` (a range does not contain the end of the string) |
/// | list, map | not null, exact length |
/// | set | not null, minimum to maximum number of members |
/// | anything else | not null |
///
/// ```
/// use plantime::{Refinement, Type, Value};
///
/// let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
/// let range = id.range();
/// assert_eq!((range.ty(), range.prefix()), (&Type::String, Some("vpc-")));
/// assert!(range.is_not_null());
///
/// let zones = Value::set([Value::from("a"), Value::unknown(Type::String)])?;
/// let length = zones.range().length_range().unwrap();
/// assert_eq!((length.lower(), length.upper()), (1, Some(2)));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRange {
    ty: Type,
    refinement: Refinement,
}

impl ValueRange {
    /// The type of the value.
    ///
    /// [Example](ValueRange)
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The refinement: what is known of the value besides its type.
    ///
    /// [Example](ValueRange)
    pub fn refinement(&self) -> &Refinement {
        &self.refinement
    }

    /// Whether the value may be null.
    ///
    /// [Example](ValueRange)
    pub fn nullness(&self) -> Nullness {
        self.refinement.nullness()
    }

    /// Whether the value is certainly not null.
    ///
    /// [Example](ValueRange)
    pub fn is_not_null(&self) -> bool {
        self.nullness() == Nullness::NotNull
    }

    /// The prefix of the string, if it is not null; `None` if no prefix is known.
    ///
    /// [Example](ValueRange)
    pub fn prefix(&self) -> Option<&str> {
        self.refinement.prefix_str()
    }

    /// The interval of the number, if it is not null; `None` if no interval is known.
    ///
    /// [Example](ValueRange)
    pub fn number_range(&self) -> Option<&NumberRange> {
        self.refinement.number_range()
    }

    /// The length range of the collection, if it is not null; `None` if no length is known.
    ///
    /// [Example](ValueRange)
    pub fn length_range(&self) -> Option<LengthRange> {
        self.refinement.length_range()
    }
}

impl ValueRange {
    /// The unknown that stands for any element of an unknown collection of this range: it has the element type `ty` and the
    /// refinement of the elements.
    #[doc(hidden)]
    pub fn unknown_element(&self, ty: &Type) -> Value {
        refined::canonical(ty.clone(), self.refinement.element().clone())
    }

    /// The unknown attribute of an unknown object of this range that is not null: it has the type `ty` and the attribute's refinement.
    #[doc(hidden)]
    pub fn unknown_attribute(&self, name: &str, ty: &Type) -> Value {
        refined::canonical(ty.clone(), self.refinement.of_attribute(name).clone())
    }

    /// The unknown element of an unknown tuple of this range that is not null; `None` if the tuple is shorter.
    #[doc(hidden)]
    pub fn unknown_tuple_element(&self, index: usize) -> Option<Value> {
        let Type::Tuple(ty) = &self.ty else { return None };
        Some(refined::canonical(ty.get(index)?.clone(), self.refinement.of_tuple_element(index).clone()))
    }

    /// The unknown attributes or elements of an unknown object or tuple of this range that is not null, in order.
    #[doc(hidden)]
    pub fn unknown_parts(&self) -> Vec<Value> {
        let mut left = limits::STRUCTURE_SIZE;
        let mut part =
            |ty: &Type, known: &Refinement| refined::canonical_within(ty.clone(), known.clone(), &mut left);
        match &self.ty {
            Type::Object(ty) => {
                ty.iter().map(|(name, ty)| part(ty, self.refinement.of_attribute(name))).collect()
            }
            Type::Tuple(ty) => {
                let parts = ty.iter().enumerate();
                parts.map(|(index, ty)| part(ty, self.refinement.of_tuple_element(index))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether an unknown map of this range may have an element at the key.
    pub(crate) fn may_have_key(&self, key: &Value) -> bool {
        let keys = self.refinement.key_range();
        match (known_text(key), key.ty()) {
            (Some(text), _) => keys.contains_string(text),
            (None, Type::String) => keys.overlaps(key.range().refinement().range()),
            (None, ty) => ty == Type::Dynamic,
        }
    }

    /// The unknown key of an unknown map of this range.
    #[doc(hidden)]
    pub fn unknown_key(&self) -> Value {
        let keys = Refinement::of(self.refinement.key_range().clone());
        refined::canonical(Type::String, keys.and_not_null())
    }
}

/// The range of a value.
pub(super) fn of(value: &Value) -> ValueRange {
    ValueRange { ty: value.ty(), refinement: refinement_of(value) }
}

impl Value {
    /// The type and refinement of an unknown of known type without marks; `None` for other values.
    pub(crate) fn bare_unknown(&self) -> Option<(&Type, &Refinement)> {
        self.as_unknown().filter(|_| !self.is_marked())
    }

    /// The type and refinement of an unknown of known type, marked or not; `None` for other values.
    #[doc(hidden)]
    pub fn as_unknown(&self) -> Option<(&Type, &Refinement)> {
        static ANY: Refinement = Refinement::any();
        match self {
            Value::Unknown(unknown) => Some((unknown.0.ty(), &ANY)),
            Value::Refined(refined) => Some((&refined.0.ty, &refined.0.refinement)),
            _ => None,
        }
    }

    /// The refinement of a refined unknown (level 3); `None` for other values.
    pub(crate) fn refinement(&self) -> Option<&Refinement> {
        match self {
            Value::Refined(refined) => Some(&refined.0.refinement),
            _ => None,
        }
    }
}

/// The refinement that holds for every outcome of the value.
fn refinement_of(value: &Value) -> Refinement {
    match value {
        Value::Dynamic(_) | Value::Unknown(_) => Refinement::any(),
        Value::Refined(refined) => refined.0.refinement.clone(),
        Value::Partial(partial) => container_refinement(partial.0.container()),
        Value::Known(known) => match known.0.bare() {
            KnownRepr::Null(_) => Refinement::null(),
            KnownRepr::Number(number) => {
                Refinement::number(NumberRange::exactly(number.clone())).and_not_null()
            }
            KnownRepr::String(text) => Refinement::prefix(text.as_str()).and_not_null(),
            KnownRepr::Container(node) => container_refinement(node),
            KnownRepr::Bool(_) | KnownRepr::Capsule(_) | KnownRepr::Marked(_) => Refinement::not_null(),
        },
    }
}

/// The refinement of a container: not null, and its length if it is a collection.
fn container_refinement(container: &Container) -> Refinement {
    match container.length() {
        Some(length) => Refinement::length(length).and_not_null(),
        None => Refinement::not_null(),
    }
}

impl Container {
    /// The length range of a collection; `None` for tuples and objects, whose type contains their length.
    pub(crate) fn length(&self) -> Option<LengthRange> {
        let exactly = |length: usize| LengthRange::exactly(length as u64);
        match self {
            Container::List(node) => Some(exactly(node.items.len())),
            Container::Map(node) => Some(exactly(node.entries.len())),
            Container::Set(node) => {
                let (min, max) = node.length;
                LengthRange::new(min, Some(max)).ok()
            }
            Container::Tuple(_) | Container::Object(_) => None,
        }
    }
}

impl ValueRange {
    /// Whether every outcome of a value is within the range (`Some(true)`), none is (`Some(false)`), or some are
    /// (`None`).
    ///
    /// A range contains the type, whether the value may be null, and what is known of strings, numbers or collections. It does not
    /// contain the children of containers, so `Some(true)` does not mean that a planned value may become the value:
    /// see [`Value::may_become`].
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let vpc = Value::refined(Type::String, Refinement::prefix("vpc-"))?.range();
    /// assert_eq!(vpc.includes(&Value::from("vpc-1")), Some(true));
    /// assert_eq!(vpc.includes(&Value::from("sg-1")), Some(false));
    /// assert_eq!(vpc.includes(&Value::unknown(Type::String)), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn includes(&self, value: &Value) -> Option<bool> {
        let (can_be_in, can_be_out) = super::includes::inside_and_outside(self, value);
        match (can_be_in, can_be_out) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}
