//! Serde reads and writes a rule as the value that is its form.

use serde_core::de::Error as _;
use serde_core::ser::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rule::Rule;
use crate::value::Value;

/// Writes the [form](Rule::to_form) of the rule, which is a value.
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_form().map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Reads the [form](Rule::from_form) of a rule.
impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rule, D::Error> {
        let form = Value::deserialize(deserializer)?;
        Rule::from_form(&form).map_err(D::Error::custom)
    }
}
