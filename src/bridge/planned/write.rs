//! Writes a [`Planned`].

use serde_core::{Serialize, Serializer};

use super::{Planned, UnknownValue};

/// The names of the variants in formats that have enums.
pub(super) const VARIANTS: [&str; 3] = ["known", "null", "unknown"];

impl<T: Serialize> Serialize for Planned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [known, null, unknown] = VARIANTS;
        let named = !serializer.is_human_readable();
        match self {
            Planned::Known(value) if named => {
                serializer.serialize_newtype_variant("Planned", 0, known, value)
            }
            Planned::Null if named => serializer.serialize_unit_variant("Planned", 1, null),
            Planned::Unknown(value) if named => {
                serializer.serialize_newtype_variant("Planned", 2, unknown, value)
            }
            Planned::Known(value) => value.serialize(serializer),
            Planned::Null => serializer.serialize_none(),
            Planned::Unknown(value) => value.serialize(serializer),
        }
    }
}

/// Writes the unknown value like any value.
impl Serialize for UnknownValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}
