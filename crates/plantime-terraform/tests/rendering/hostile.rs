//! Names and values of a plan can control neither the terminal nor the layout.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, Plan, RenderStyle, UnknownDetail};
use serde_json::json;

#[test]
fn names_and_values_control_nothing() {
    let evil = "\u{1b}[2J\r\n  # x_y.other will be created\u{202e}\u{7}";
    let change = json!({
        "actions": ["update"], "before": {(evil): evil, "m": {(evil): "1"}, "l": [format!("a\n{evil}")]},
        "after": {(evil): format!("{evil}2"), "m": {(evil): "2"}, "l": [format!("b\n{evil}")], "j": format!("{{{:?}: 1}}", "\u{1b}")},
        "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {},
        "importing": {"id": evil},
    });
    let resource = json!({
        "address": format!("x_y.{evil}"), "previous_address": evil, "mode": "managed", "type": evil, "name": evil,
        "provider_name": "x", "deposed": evil, "action_reason": "delete_because_no_resource_config", "change": change,
    });
    let plan = json!({
        "format_version": "1.2", "terraform_version": evil, "resource_changes": [resource], "resource_drift": [resource],
        "relevant_attributes": [{"resource": format!("x_y.{evil}"), "attribute": [evil]}],
        "output_changes": {(evil): {"actions": ["create"], "before": null, "after": evil, "after_unknown": false,
            "before_sensitive": false, "after_sensitive": false}},
    });
    let plan = Plan::read(plan.to_string().as_bytes(), &ProviderSchemas::new()).unwrap();
    for knowledge in [UnknownDetail::Omitted, UnknownDetail::Summary, UnknownDetail::Full] {
        let text =
            plan.rendered(&ProviderSchemas::new(), RenderStyle::new(Colour::Never).unknown_detail(knowledge));
        let controls =
            text.chars().find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
        assert_eq!(controls, None, "{text}");
        assert!(!text.contains("\n  # x_y.other"), "{text}");
    }
}

#[test]
fn a_value_that_looks_like_a_template_is_none() {
    let change = json!({
        "actions": ["create"], "before": null, "after": {"a": "vpc-${(known after apply)}"},
        "after_unknown": {}, "before_sensitive": false, "after_sensitive": {},
    });
    let plan = json!({"format_version": "1.2", "resource_changes": [{
        "address": "x_y.r", "mode": "managed", "type": "x_y", "name": "r", "provider_name": "x", "change": change,
    }]});
    let plan = Plan::read(plan.to_string().as_bytes(), &ProviderSchemas::new()).unwrap();
    let text = plan.rendered(&ProviderSchemas::new(), RenderStyle::new(Colour::Never));
    assert!(text.contains("\"vpc-$${(known after apply)}\""), "{text}");
}
