//! What the crates of this project share beyond the public interface. It may change with any version: they are pinned to one.

pub use crate::expression::{Dependency, Origins, Problems, Total};
pub use crate::json::{JsonKind, JsonNode, JsonProperty, parse_json};
pub use crate::syntax::{Freedom, format_freely, parse_body};
