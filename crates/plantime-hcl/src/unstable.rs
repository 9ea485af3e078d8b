//! What the crates of this project share beyond the public interface. It may change with any version: they are pinned to one.

pub use crate::expression::{
    CalledFunction, ConditionAnswer, Decision, Dependency, Evaluation, Further, Member, MemberFunctions,
    Members, Origins, Problems, Total,
};
pub use crate::json::{JsonKind, JsonNode, JsonProperty, parse_json};
pub use crate::syntax::{Freedom, format_freely, parse_body};
