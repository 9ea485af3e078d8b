//! What the crates of this project share beyond the public interface. It may change with any version: they are pinned to one.

pub use crate::expression::{Dependency, Origins, Problems, Total, body_errors, template_error};
pub use crate::hcl::{
    JsonKind, JsonNode, JsonProperty, block_braces, parse_body, parse_json, parse_repeated_keys,
    with_small_numbers,
};
