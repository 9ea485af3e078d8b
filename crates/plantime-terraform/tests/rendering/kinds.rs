//! The text of each kind of change.

use serde_json::{Value as Json, json};

use super::made::{change, plan, rendered_plan, resource, schemas};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, Plan, PlanMode, RenderStyle, UnknownDetail};

/// The body of an update of one attribute of this type.
fn update(ty: &Json, before: &Json, after: &Json) -> String {
    let block = json!({"attributes": {"a": {"type": ty, "optional": true}}});
    resource(&change(&json!({"a": before}), &json!({"a": after})), &block)
}

#[track_caller]
fn shows(text: &str, expected: &[&str]) {
    let body = text
        .trim_start_matches("resource \"x_y\" \"r\" {\n")
        .trim_end_matches("    }\n")
        .trim_end_matches('\n');
    assert_eq!(body.trim_end_matches("\n    }"), expected.join("\n"), "\n{text}");
}

#[test]
fn a_long_list_shows_what_is_next_to_a_change() {
    let list = |items: &[&str]| json!(items);
    shows(
        &update(
            &json!(["list", "string"]),
            &list(&["a", "b", "c", "d", "e"]),
            &list(&["a", "b", "x", "c", "d", "e"]),
        ),
        &[
            "      ~ a = [",
            "            # (1 unchanged element hidden)",
            "            \"b\",",
            "          + \"x\",",
            "            \"c\",",
            "            # (2 unchanged elements hidden)",
            "        ]",
        ],
    );
}

#[test]
fn a_list_of_which_only_the_order_changes_shows_what_stays() {
    let list = json!(["list", "string"]);
    shows(
        &update(&list, &json!(["a", "b", "c"]), &json!(["c", "a", "b"])),
        &[
            "      ~ a = [",
            "          + \"c\",",
            "            \"a\",",
            "            \"b\",",
            "          - \"c\",",
            "        ]",
        ],
    );
    shows(
        &update(&list, &json!(["a", "b", "c"]), &json!(["b", "a", "x"])),
        &[
            "      ~ a = [",
            "          ~ \"a\" -> \"b\",",
            "          ~ \"b\" -> \"a\",",
            "          ~ \"c\" -> \"x\",",
            "        ]",
        ],
    );
}

#[test]
fn an_empty_string_is_null_where_a_schema_may_be_of_the_legacy_sdk() {
    let attributes = |more: Json| {
        let mut attributes = json!({
            "a": {"type": "string", "optional": true}, "l": {"type": ["list", "string"], "optional": true},
            "m": {"type": ["map", "string"], "optional": true},
        });
        attributes.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "attributes": attributes })
    };
    let change = change(&Json::Null, &json!({"a": "", "l": [""], "m": {"k": ""}}));
    let list = ["      + l = [", "          + null,", "        ]"];
    let body = [
        "      + m = {",
        "          + \"k\" = null",
        "        }",
        "        # (1 unchanged attribute hidden)",
    ];
    shows(&resource(&change, &attributes(json!({}))), &[&list[..], &body].concat());
    // The legacy SDK has no attributes of dynamic type.
    let recent = attributes(json!({"d": {"type": "dynamic", "optional": true}}));
    let body = ["      + m = {", "          + \"k\" = \"\"", "        }"];
    shows(&resource(&change, &recent), &[&["      + a = \"\""][..], &list, &body].concat());
}

#[test]
fn a_sensitive_null_that_becomes_empty_does_not_change() {
    let secret = json!({"type": "string", "optional": true, "sensitive": true});
    let block = json!({"attributes": {"s": secret, "d": {"type": "dynamic", "optional": true}}});
    let mut change = change(&json!({"s": null, "d": 1}), &json!({"s": "", "d": 2}));
    for side in ["before_sensitive", "after_sensitive"] {
        change[side] = json!({"s": true});
    }
    shows(&resource(&change, &block), &["      ~ d = 1 -> 2", "        # (1 unchanged attribute hidden)"]);
}

#[test]
fn an_imported_object_is_shown_whole() {
    let block = json!({"attributes": {"a": {"type": "string", "optional": true}, "b": {"type": "string", "optional": true}}});
    let mut change = change(&json!({"a": "x", "b": "1"}), &json!({"a": "x", "b": "2"}));
    change["importing"] = json!({"id": "the \"id\""});
    shows(&resource(&change, &block), &["        a = \"x\"", "      ~ b = \"1\" -> \"2\""]);
    change["actions"] = json!(["delete", "create"]);
    let text = rendered_plan(&plan(&change), &schemas(&block), UnknownDetail::Omitted);
    let comments = "  # (imported from \"the \"id\"\")\n  # Warning: this will destroy the imported resource\n-/+ resource";
    assert!(text.contains(comments), "{text}");
}

#[test]
fn sensitive_blocks_of_a_set_are_counted_and_never_shown() {
    let attributes = json!({"a": {"type": "string", "optional": true}, "s": {"type": "string", "optional": true, "sensitive": true}});
    let nested = json!({"nesting_mode": "set", "block": {"attributes": attributes}});
    let block = json!({ "block_types": { "b": nested } });
    let blocks = |secrets: &[&str]| json!({"b": secrets.iter().map(|secret| json!({"a": "x", "s": secret})).collect::<Vec<_>>()});
    let mut change = change(&blocks(&["hunter1", "hunter2"]), &blocks(&["hunter2", "hunter3"]));
    for side in ["before_sensitive", "after_sensitive"] {
        change[side] = json!({"b": true});
    }
    let hidden = [
        "          # At least one attribute in this block is (or was) sensitive,",
        "          # so its contents will not be displayed.",
        "        }",
    ];
    let unchanged = ["", "        # (1 unchanged block hidden)"];
    shows(
        &resource(&change, &block),
        &[&["      - b {"][..], &hidden, &["      + b {"], &hidden, &unchanged].concat(),
    );
    // How many of them stay is content.
    let text = rendered_plan(&plan(&change), &schemas(&block), UnknownDetail::Summary);
    assert!(text.matches(" b {").count() == 1 && !text.contains("hunter"), "{text}");
}

#[test]
fn members_of_sets_stay_go_or_come() {
    shows(
        &update(&json!(["set", "string"]), &json!(["a", "b", "c"]), &json!(["b", "c", "d"])),
        &[
            "      ~ a = [",
            "          - \"a\",",
            "          + \"d\",",
            "            # (2 unchanged elements hidden)",
            "        ]",
        ],
    );
}

#[test]
fn a_map_entry_that_goes_becomes_null() {
    shows(
        &update(&json!(["map", "string"]), &json!({"a": "1", "b": "2"}), &json!({"a": "1", "long": "3"})),
        &[
            "      ~ a = {",
            "          - \"b\"    = \"2\" -> null",
            "          + \"long\" = \"3\"",
            "            # (1 unchanged element hidden)",
            "        }",
        ],
    );
}

#[test]
fn text_of_several_lines_shows_the_lines_that_change() {
    shows(
        &update(&json!("string"), &json!("a\nb\nc\n"), &json!("a\nx\nc\n")),
        &[
            "      ~ a = <<-EOT",
            "            a",
            "          - b",
            "          + x",
            "            c",
            "        EOT",
        ],
    );
}

#[test]
fn json_text_shows_the_values_that_change() {
    shows(
        &update(&json!("string"), &json!("{\"A\": 1, \"B\": [1]}"), &json!("{\"A\": 2, \"B\": [1]}")),
        &[
            "      ~ a = jsonencode(",
            "          ~ {",
            "              ~ A = 1 -> 2",
            "                # (1 unchanged attribute hidden)",
            "            }",
            "        )",
        ],
    );
    shows(
        &update(&json!("string"), &json!("{\"A\": 1}"), &json!("{ \"A\": 1 }")),
        &[
            "      ~ a = jsonencode( # whitespace changes",
            "            {",
            "                A = 1",
            "            }",
            "        )",
        ],
    );
    // The spelling of a number is part of it.
    shows(
        &update(&json!("string"), &json!("[1.0, 1E3, 2]"), &json!("[1, 1E3, 2]")),
        &[
            "      ~ a = jsonencode(",
            "          ~ [",
            "              ~ 1.0 -> 1,",
            "                1E3,",
            "                # (1 unchanged element hidden)",
            "            ]",
            "        )",
        ],
    );
}

#[test]
fn blocks_are_written_as_blocks_and_unchanged_ones_counted() {
    let nested =
        json!({"nesting_mode": "list", "block": {"attributes": {"p": {"type": "number", "optional": true}}}});
    let block = json!({"attributes": {"id": {"type": "string", "computed": true}}, "block_types": {"b": nested, "c": nested}});
    let value = |p: u32| json!({"id": "i", "b": [{"p": 1}, {"p": p}], "c": [{"p": 1}]});
    shows(
        &resource(&change(&value(2), &value(3)), &block),
        &[
            "        id = \"i\"",
            "",
            "      ~ b {",
            "          ~ p = 2 -> 3",
            "        }",
            "",
            "        # (2 unchanged blocks hidden)",
        ],
    );
}

#[test]
fn what_forces_a_replacement_says_so() {
    let block = json!({"attributes": {
        "a": {"type": "string", "optional": true}, "m": {"type": ["map", "string"], "optional": true},
    }});
    let mut change = change(&json!({"a": "x", "m": {"k": "1"}}), &json!({"a": "y", "m": {"k": "2"}}));
    change["actions"] = json!(["delete", "create"]);
    change["replace_paths"] = json!([["a"], ["m"]]);
    shows(
        &resource(&change, &block),
        &[
            "      ~ a = \"x\" -> \"y\" # forces replacement",
            "      ~ m = { # forces replacement",
            "          ~ \"k\" = \"1\" -> \"2\"",
            "        }",
        ],
    );
}

#[test]
fn what_was_known_and_is_not_any_more_is_shown_going() {
    let block = json!({"attributes": {"a": {"type": ["list", "string"], "computed": true}}});
    let mut change = change(&json!({"a": ["x"]}), &json!({}));
    change["after_unknown"] = json!({"a": true});
    shows(
        &resource(&change, &block),
        &["      ~ a = [", "          - \"x\",", "        ] -> (known after apply)"],
    );
}

#[test]
fn changes_outside_are_shown_where_the_plan_depends_on_them() {
    let block = json!({"attributes": {"a": {"type": "string", "optional": true}, "b": {"type": "string", "optional": true}}});
    let mut plan = plan(&change(&json!({"a": "x", "b": "1"}), &json!({"a": "z", "b": "1"})));
    let mut drift = plan["resource_changes"][0].clone();
    drift["change"] = change(&json!({"a": "x", "b": "1"}), &json!({"a": "y", "b": "2"}));
    plan["resource_drift"] = json!([drift]);
    let schemas = schemas(&block);
    assert!(!rendered_plan(&plan, &schemas, UnknownDetail::Omitted).contains("outside"));
    plan["relevant_attributes"] = json!([{"resource": "x_y.r", "attribute": ["a"]}]);
    let text = rendered_plan(&plan, &schemas, UnknownDetail::Omitted);
    let expected = "\nNote: Objects have changed outside of Terraform\n\nTerraform detected the following changes made outside of \
                    Terraform since the\nlast \"terraform apply\" which may have affected this plan:\n\n  # x_y.r has changed\n  ~ \
                    resource \"x_y\" \"r\" {\n      ~ a = \"x\" -> \"y\"\n        # (1 unchanged attribute hidden)\n    }\n\n\nUnless \
                    you have made equivalent changes to your configuration, or ignored the\nrelevant attributes using \
                    ignore_changes, the following plan may include\nactions to undo or respond to these changes.\n\n───";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn a_plan_that_only_records_changes_outside_says_so_if_that_is_known() {
    let block = json!({"attributes": {"a": {"type": "string", "optional": true}}});
    let mut plan = plan(&change(&json!({"a": "y"}), &json!({"a": "y"})));
    plan["resource_changes"][0]["change"]["actions"] = json!(["no-op"]);
    let mut drift = plan["resource_changes"][0].clone();
    drift["change"] = change(&json!({"a": "x"}), &json!({"a": "y"}));
    plan["resource_drift"] = json!([drift]);
    let schemas = schemas(&block);
    // A plan that only refreshes lists no resource, not even one that stays.
    let text = rendered_plan(&plan, &schemas, UnknownDetail::Omitted);
    assert!(text.starts_with("\nNo changes. Your infrastructure matches the configuration.\n"), "{text}");
    plan["resource_changes"] = json!([]);
    let text = rendered_plan(&plan, &schemas, UnknownDetail::Omitted);
    assert!(
        text.contains("x_y.r has changed")
            && text.contains("If this is a refresh-only plan, Terraform will not"),
        "{text}"
    );
    plan["applyable"] = json!(true);
    let text = rendered_plan(&plan, &schemas, UnknownDetail::Omitted);
    assert!(text.contains("This is a refresh-only plan, so Terraform will not"), "{text}");
    plan["applyable"] = json!(false);
    let text = rendered_plan(&plan, &schemas, UnknownDetail::Omitted);
    assert!(!text.contains("refresh-only") && text.contains("No changes."), "{text}");
}

#[test]
fn a_plan_without_changes_says_so() {
    let plan = json!({"format_version": "1.2", "resource_changes": []});
    let text = rendered_plan(&plan, &schemas(&json!({})), UnknownDetail::Omitted);
    assert!(text.starts_with("\nNo changes. Your infrastructure matches the configuration.\n"), "{text}");
    // As Terraform 1.11.4 prints them.
    let of_mode = |mode| {
        let mut read = Plan::read(plan.to_string().as_bytes(), &ProviderSchemas::new()).unwrap();
        read.options.mode = Some(mode);
        let style = RenderStyle::new(Colour::Never).unknown_detail(UnknownDetail::Omitted);
        read.rendered(&ProviderSchemas::new(), style)
    };
    assert_eq!(
        of_mode(PlanMode::Destroy),
        "
No changes. No objects need to be destroyed.

Either you have not created any objects yet or the existing objects were
already deleted outside of Terraform.
"
    );
    assert_eq!(
        of_mode(PlanMode::RefreshOnly),
        "
No changes. Your infrastructure still matches the configuration.

Terraform has checked that the real remote objects still match the result of
your most recent changes, and found no differences.
"
    );
}

#[test]
fn plans_that_do_not_say_what_is_sensitive_show_no_values() {
    let mut change = change(&Json::Null, &json!({"a": "hunter2"}));
    change.as_object_mut().unwrap().retain(|key, _| !key.ends_with("_sensitive"));
    let mut plan = plan(&change);
    plan["format_version"] = json!("0.1");
    let none = plantime_schema::ProviderSchemas::new();
    assert!(!rendered_plan(&plan, &none, UnknownDetail::Summary).contains("hunter2"));
    assert!(rendered_plan(&plan, &none, UnknownDetail::Omitted).contains("hunter2"));
}
