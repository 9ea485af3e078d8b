//! Plans made for one test.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, Plan, RenderStyle, UnknownDetail};
use serde_json::{Value as Json, json};

/// The change of one resource `x_y.r`, from a value to another; null stands for none.
pub(crate) fn change(before: &Json, after: &Json) -> Json {
    let actions = match (before.is_null(), after.is_null()) {
        (true, _) => json!(["create"]),
        (_, true) => json!(["delete"]),
        _ => json!(["update"]),
    };
    json!({"actions": actions, "before": before, "after": after, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}})
}

/// A plan with the change of `x_y.r`.
pub(crate) fn plan(change: &Json) -> Json {
    json!({"format_version": "1.2", "terraform_version": "1.15.5", "resource_changes": [{
        "address": "x_y.r", "mode": "managed", "type": "x_y", "name": "r", "provider_name": "example.com/x/x", "change": change,
    }]})
}

/// The schemas of `x_y` with this block.
pub(crate) fn schemas(block: &Json) -> ProviderSchemas {
    let schemas = json!({"format_version": "1.0", "provider_schemas": {"example.com/x/x": {
        "resource_schemas": {"x_y": {"version": 0, "block": block}},
    }}});
    ProviderSchemas::from_json(schemas.to_string().as_bytes()).unwrap()
}

/// The text of a plan.
pub(crate) fn rendered_plan(plan: &Json, schemas: &ProviderSchemas, knowledge: UnknownDetail) -> String {
    let plan = Plan::read(plan.to_string().as_bytes(), schemas).unwrap();
    plan.rendered(schemas, RenderStyle::new(Colour::Never).unknown_detail(knowledge))
}

/// The lines of the only resource, from its header on, in the text of Terraform.
pub(crate) fn resource(change: &Json, block: &Json) -> String {
    let schemas = schemas(block);
    let text = rendered_plan(&plan(change), &schemas, UnknownDetail::Omitted);
    let start = text.find("resource \"x_y\" \"r\"").unwrap_or_else(|| panic!("no resource in\n{text}"));
    let end = text[start..].find("\n    }\n").map_or(text.len(), |end| start + end + 6);
    text[start..end].to_owned()
}
