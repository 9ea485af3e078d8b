//! A provider for texts of plans: its resources have attributes and blocks of every shape. `SHAPES_SCHEMAS` names the file of the
//! schemas, and `SHAPES_OUTSIDE` a file of what was changed outside of Terraform: attributes by id.

use std::process::ExitCode;

use plantime::{Type, Value, View, json};
use plantime_provider::{Call, Outcome, Provider, Resource, schema, serve, with_attributes};
use plantime_schema::planning::{Behaviour, Behaviours};
use plantime_schema::{ProviderSchemas, Schema};

const ADDRESS: &str = "registry.terraform.io/test/shapes";

/// The places that force a replacement, by resource type.
const FORCED: [(&str, &[&str]); 3] = [
    ("shapes_attributes", &["zone", "rings", "colours", "marks", "frame", "seal"]),
    ("shapes_blocks", &["forced.a"]),
    ("shapes_nested", &["forced.a"]),
];

/// Resources of one type, which exist in the state only.
struct Shape {
    name: &'static str,
    schema: Schema,
}

impl Shape {
    /// The state with what was changed outside; `None` for an object that was deleted.
    fn changed(&self, state: Value) -> Outcome<Option<Value>> {
        let Ok(file) = std::env::var("SHAPES_OUTSIDE") else { return Ok(Some(state)) };
        let text = std::fs::read(file).map_err(|error| error.to_string())?;
        let objects: serde_json::Value = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        let id = state.get_attr("id")?;
        let attributes = match id.as_str().ok().and_then(|id| objects.get(id)) {
            None => return Ok(Some(state)),
            Some(serde_json::Value::Null) => return Ok(None),
            Some(attributes) => attributes.as_object().cloned().unwrap_or_default(),
        };
        let ty = self.schema.implied_type()?;
        let Type::Object(object) = &ty else { return Ok(Some(state)) };
        let changed = attributes.iter().filter_map(|(name, content)| {
            let ty = object.get(name)?;
            Some(json::from_slice_as(content.to_string().as_bytes(), ty).map(|value| (name.as_str(), value)))
        });
        Ok(Some(with_attributes(&state, changed.collect::<plantime::Result<Vec<_>>>()?)?))
    }
}

/// The value with something known in each unknown place.
fn known(value: &Value) -> Value {
    match value.view() {
        View::Unknown(_) | View::Dynamic => match value.ty() {
            Type::Number => Value::from(7),
            Type::Bool => Value::from(true),
            Type::String | Type::Dynamic => Value::from("computed"),
            other => Value::null(other),
        },
        _ => value.rebuilt(&mut |_, part| known(part)),
    }
}

impl Resource for Shape {
    fn schema(&self) -> Schema {
        let schema = schema().version(0).with(self.schema.block().clone());
        schema.build()
    }

    fn behaviours(&self) -> Option<Behaviours> {
        let forced = FORCED.iter().filter(|(name, _)| *name == self.name).flat_map(|(_, places)| *places);
        let behaviours = forced.fold(Behaviours::framework(), |behaviours, place| {
            behaviours.at(*place, Behaviour::new().force_new())
        });
        Some(behaviours.at("id", Behaviour::new().use_state_for_unknown()))
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        let name = planned.get_attr("name")?;
        let id = format!("id-{}", name.as_str().unwrap_or_default());
        Ok(known(&with_attributes(&planned, [("id", Value::from(id))])?))
    }

    async fn update(&self, _: Value, planned: Value, _: Call) -> Outcome<Value> {
        Ok(known(&planned))
    }

    async fn read(&self, state: Value, _: Call) -> Outcome<Option<Value>> {
        self.changed(state)
    }

    async fn import(&self, id: String, _: Call) -> Outcome<Value> {
        Ok(with_attributes(&self.schema.block().empty_value()?, [("id", Value::from(id))])?)
    }
}

fn main() -> ExitCode {
    let file = std::env::var("SHAPES_SCHEMAS").unwrap_or_default();
    let schemas = std::fs::read(&file).ok().and_then(|text| ProviderSchemas::from_json(&text).ok());
    let Some(schemas) = schemas else {
        eprintln!("SHAPES_SCHEMAS does not name a file of schemas");
        return ExitCode::FAILURE;
    };
    let shapes = FORCED.iter().filter_map(|(name, _)| {
        let schema = schemas.resource(ADDRESS, name)?.clone();
        Some((*name, Shape { name, schema }))
    });
    serve(shapes.fold(Provider::new("shapes"), |provider, (name, shape)| provider.resource(name, shape)))
}
