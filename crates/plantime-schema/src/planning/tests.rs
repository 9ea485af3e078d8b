use crate::schema::{Block, ProviderSchemas};
use plantime::value;
use plantime::{Mark, Refinement, Type, Value};

use super::{
    TypeSystem, Verdict, assert_object_compatible, assert_plan_valid, assert_refines, planned_unknown,
    proposed_new, refines,
};

mod plan_resource;
mod promises;
mod proposals;
mod universe;

/// The block of a schema as a file has it.
fn block(text: &str) -> Block {
    let file = format!(
        r#"{{"provider_schemas": {{"p": {{"resource_schemas": {{"r": {{"version": 0, "block": {text}}}}}}}}}}}"#
    );
    let schemas = ProviderSchemas::from_json(file.as_bytes()).unwrap();
    schemas.resource("p", "r").unwrap().block().clone()
}

/// The values that a string may have: known, refined, unknown.
fn strings() -> Vec<Value> {
    let refined = |refinement| Value::refined(Type::String, refinement).unwrap();
    vec![
        Value::null(Type::String),
        "x".into(),
        "y".into(),
        Value::unknown(Type::String),
        refined(Refinement::not_null()),
        refined(Refinement::prefix("x")),
    ]
}
