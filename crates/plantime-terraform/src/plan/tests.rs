use std::sync::Arc;

use super::*;
use plantime::{Knownness, Mark, Marks, Type, View};

const PLAN: &[u8] = super::example::PLAN;
const SCHEMAS: &[u8] = super::example::PROVIDER_SCHEMAS;

fn network() -> Plan {
    Plan::read(PLAN, &ProviderSchemas::from_json(SCHEMAS).unwrap()).unwrap()
}

#[track_caller]
fn after(plan: &Plan, address: &str) -> Value {
    plan.resource_change(address).unwrap().change.after.clone().unwrap()
}

#[track_caller]
fn part(value: &Value, path: &str) -> Value {
    value.get(&path.parse().unwrap()).unwrap()
}

/// A plan of one resource with this change and no schema, or with these attributes in its schema.
fn one(change: &str, attributes: Option<&str>) -> Result<Plan> {
    let text = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "r.x", "mode": "managed", "type": "r",
            "name": "x", "provider_name": "p", "change": {change}}}]}}"#
    );
    let mut schemas = ProviderSchemas::new();
    if let Some(attributes) = attributes {
        let file = format!(
            r#"{{"provider_schemas": {{"p": {{"resource_schemas": {{"r": {{"block": {attributes}}}}}}}}}}}"#
        );
        schemas = ProviderSchemas::from_json(file.as_bytes()).unwrap();
    }
    Plan::read(text.as_bytes(), &schemas)
}

#[test]
fn the_example_fits_its_schemas() {
    let plan = network();
    assert_eq!(plan.notes, []);
    assert_eq!(plan.format_version, "1.2");
    assert_eq!(plan.terraform_version.as_deref(), Some("1.15.5"));
    assert_eq!((plan.resource_changes.len(), plan.output_changes.len()), (22, 17));
    assert_eq!((plan.errored, plan.complete), (Some(false), Some(true)));
    let schemas = ProviderSchemas::from_json(SCHEMAS).unwrap();
    let vpc = schemas.resource("registry.terraform.io/example/aws", "aws_vpc").unwrap();
    assert_eq!(&after(&plan, "aws_vpc.main").ty(), vpc.implied_type().unwrap());
}

#[test]
fn unknown_parts_have_the_types_of_the_schema() {
    let plan = network();
    let vpc = after(&plan, "aws_vpc.main");
    assert_eq!(part(&vpc, "id"), Value::unknown(Type::String));
    assert_eq!(part(&vpc, "cidr_block"), Value::from("10.20.0.0/16"));
    let web = after(&plan, "aws_instance.web[0]");
    assert_eq!(part(&web, "network_interface_ids"), Value::unknown("list(string)".parse().unwrap()));
    assert_eq!(part(&web, "root_block_device[0].volume_size"), Value::unknown(Type::Number));
    assert_eq!(part(&web, r#"tags["Subnet"]"#), Value::unknown(Type::String));
    assert_eq!(part(&web, r#"tags["Name"]"#), Value::from("shop-web-0"));
    let orders = after(&plan, "aws_db_instance.orders");
    assert_eq!(part(&orders, "port"), Value::unknown(Type::Number));
    assert_eq!(part(&orders, "replicas[1].instance_class"), Value::unknown(Type::String));
    assert_eq!(part(&orders, "replicas[1].region"), Value::from("eu-central-1"));
}

#[test]
fn absent_and_null_differ() {
    let table = after(&network(), "aws_route_table.main");
    assert_eq!(part(&table, "route[0].gateway_id"), Value::unknown(Type::String));
    assert_eq!(part(&table, "route[0].nat_gateway_id"), Value::null(Type::String));
    let reports = after(&network(), "aws_db_instance.reports");
    assert!(part(&reports, "replicas").is_null());
}

#[test]
fn a_set_keeps_unknown_members_apart() {
    let orders = after(&network(), "aws_db_instance.orders");
    let subnets = part(&orders, "subnet_ids");
    let View::Set(set) = subnets.view() else { panic!("{subnets}") };
    assert_eq!(set.not_wholly_known(), [Value::unknown(Type::String), Value::unknown(Type::String)]);
    assert_eq!((set.length().lower(), set.length().upper()), (1, Some(2)));
}

#[test]
fn members_of_a_set_are_paired_before_they_are_sorted() {
    let group = after(&network(), "aws_security_group.database");
    let ingress = part(&group, "ingress");
    let View::Set(set) = ingress.view() else { panic!("{ingress}") };
    assert_eq!((set.length().lower(), set.length().upper()), (2, Some(2)));
    for member in set.iter() {
        let postgres = part(member, "from_port") == Value::from(5432);
        let (unknown, null) =
            if postgres { ("cidr_blocks", "security_groups") } else { ("security_groups", "cidr_blocks") };
        assert_eq!(part(member, unknown).knownness(), Knownness::Partial);
        assert!(part(member, null).is_null());
    }
}

#[test]
fn a_dynamic_attribute_takes_its_shape_from_both_trees() {
    let release = after(&network(), "terraform_data.release");
    let input = part(&release, "input");
    assert_eq!(input.ty().to_string(), "object({config = dynamic, version = string, vpc = dynamic})");
    assert_eq!(part(&input, "version"), Value::from("2026.3"));
    assert_eq!(part(&input, "vpc"), Value::dynamic());
    assert_eq!(part(&release, "output"), Value::dynamic());
}

#[test]
fn sensitive_parts_are_marked() {
    let plan = network();
    let orders = after(&plan, "aws_db_instance.orders");
    assert_eq!(part(&orders, "password").marks(), &Marks::from(Mark::SENSITIVE));
    assert!(!part(&orders, "username").is_marked());
    assert!(plan.variables["db_password"].is_marked());
    assert!(!plan.variables["name"].is_marked());
    let login = plan.output_changes["database_login"].after.clone().unwrap();
    assert!(login.is_marked());
    assert_eq!(part(&login, "host").unmark().0, Value::dynamic());
    let change = &plan.resource_change("aws_db_instance.orders").unwrap().change;
    assert_eq!(change.after_sensitivity, Sensitivity::Stated);
    assert!(!format!("{plan:?}").contains("made-up-for-the-example"));
}

#[test]
fn a_schema_marks_what_the_plan_does_not() {
    let block = r#"{"attributes": {"pw": {"type": "string", "sensitive": true}}, "block_types": {
        "b": {"nesting_mode": "set", "block": {"attributes": {"key": {"type": "string", "sensitive": true}}}}}}"#;
    let change = r#"{"actions": ["create"], "before": null, "after": {"pw": null, "b": [{"key": "k"}]}, "after_unknown": {}}"#;
    let plan = one(change, Some(block)).unwrap();
    let change = &plan.resource_changes[0].change;
    assert_eq!(change.after_sensitivity, Sensitivity::Unstated);
    assert_eq!(change.before_sensitivity, Sensitivity::Stated, "there is nothing before");
    let after = change.after.clone().unwrap();
    assert!(part(&after, "pw").is_marked());
    assert!(part(&after, "b").is_marked(), "marks of members are on the set");
}

#[test]
fn changes_tell_what_is_done() {
    let plan = network();
    let orders = &plan.resource_change("aws_db_instance.orders").unwrap();
    assert_eq!(orders.change.actions, [Action::Delete, Action::Create]);
    assert!(orders.change.is_replacement());
    assert_eq!(orders.change.replace_paths, ["identifier".parse().unwrap()]);
    let legacy = &plan.resource_change("aws_security_group.legacy").unwrap();
    assert_eq!((legacy.change.after.is_none(), legacy.change.before.is_some()), (true, true));
    assert_eq!(legacy.action_reason.as_deref(), Some("delete_because_no_resource_config"));
    let archive = &plan.resource_change("module.archive.aws_s3_bucket.this").unwrap();
    assert!(archive.change.is_no_op());
    assert_eq!(archive.module_address.as_deref(), Some("module.archive"));
    let subnet = &plan.resource_change(r#"aws_subnet.main["app"]"#).unwrap();
    assert_eq!(subnet.index, Some(Value::from("app")));
    let outputs = &plan.output_changes;
    assert!(outputs["database_endpoints"].after.is_none());
    assert_eq!(outputs["subnet_count"].after, Some(Value::from(2)));
    assert_eq!(outputs["vpc_id"].after, Some(Value::dynamic()));
    assert_eq!(
        outputs["subnet_cidrs"].after.as_ref().unwrap().to_string(),
        r#"{app = "10.20.1.0/24", data = (known after apply)}"#
    );
    let zones = &plan.data_sources[0];
    assert_eq!(zones.address, "data.aws_availability_zones.available");
    assert!(zones.value.is_wholly_known() && matches!(part(&zones.value, "names").ty(), Type::List(_)));
}

#[test]
fn an_output_has_one_type_before_and_after_where_it_fits() {
    let read = |ty: &str, before: &str| {
        let text = format!(
            r#"{{"format_version": "1.2", "planned_values": {{"outputs": {{"o": {{"type": {ty}}}}}}},
                "output_changes": {{"o": {{"actions": ["update"], "before": {before}, "after": ["a"]}}}}}}"#
        );
        let plan = Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap();
        assert_eq!(plan.notes, []);
        plan.output_changes["o"].clone()
    };
    let same = read(r#"["list", "string"]"#, r#"["a"]"#);
    assert_eq!(same.before, Some(Value::list(["a"]).unwrap()));
    assert_eq!(same.before, same.after);
    let other = read(r#"["list", "string"]"#, r#"{"a": 1}"#);
    assert_eq!(other.before, Some(plantime::value!({ "a": 1 }).unwrap()));
}

#[test]
fn references_lead_through_modules() {
    let plan = network();
    let references = |address: &str, path: &str| plan.references.of(address, &path.parse().unwrap());
    assert_eq!(references(r#"aws_subnet.main["app"]"#, "vpc_id"), ["aws_vpc.main.id"]);
    assert_eq!(references("aws_db_instance.orders", "identifier"), ["random_id.database.hex"]);
    assert_eq!(references("module.flow_logs.aws_s3_bucket.this", "bucket"), ["random_id.database.hex"]);
    assert_eq!(references("aws_route_table.main", "route[0].gateway_id"), ["aws_internet_gateway.main.id"]);
    assert_eq!(references("aws_route_table.main", "route[1].gateway_id"), [""; 0]);
    assert_eq!(references("aws_vpc.main", "id"), [""; 0]);
    assert_eq!(plan.references.of_output("flow_log_bucket_arn"), ["module.flow_logs.aws_s3_bucket.this.arn"]);
}

#[test]
fn references_in_a_circle_end() {
    let text = br#"{"format_version": "1.0", "resource_changes": [], "configuration": {"root_module": {
        "outputs": {"o": {"expression": {"references": ["module.m[\"a.b\"].out", "module.m"]}}},
        "module_calls": {"m": {"expressions": {"in": {"references": ["module.m[\"a.b\"].out", "var.x", "each.key"]}},
            "module": {"outputs": {"out": {"expression": {"references": ["var.in"]}}}}}}}}}"#;
    let plan = Plan::read(text, &ProviderSchemas::new()).unwrap();
    assert_eq!(plan.references.of_output("o"), ["var.x"]);
}

#[test]
fn keys_of_any_text_lead_through_modules() {
    // A bracket, a dot, a quote, a template that is none, and what cannot be printed.
    let key = r#"a].b\"$${c}\u0001"#;
    let escaped = key.replace('\\', "\\\\").replace('"', "\\\"");
    let json = format!(
        r#"{{"format_version": "1.2", "resource_changes": [], "configuration": {{"root_module": {{
        "outputs": {{"o": {{"expression": {{"references": ["module.m[\"{escaped}\"].out", "module.m"]}}}}}},
        "module_calls": {{"m": {{"expressions": {{}},
            "module": {{"outputs": {{"out": {{"expression": {{"references": ["r.x.id"]}}}}}}}}}}}}}}}}}}"#
    );
    let plan = Plan::read(json.as_bytes(), &ProviderSchemas::new()).unwrap();
    assert_eq!(plan.references.of_output("o"), [format!("module.m[\"{key}\"].r.x.id")]);
    let pattern: AddressPattern = format!("r.x[\"{key}\"]").parse().unwrap();
    let index = "a].b\"${c}\u{1}";
    assert!(pattern.matches_address(&format!("r.x[\"{key}\"]")));
    let mut change = one(r#"{"actions": ["no-op"]}"#, None).unwrap().resource_changes.remove(0);
    let change = Arc::make_mut(&mut change);
    change.index = Some(Value::from(index));
    assert!(pattern.matches(change));
}

#[test]
fn notes_on_something_sensitive_name_nothing_in_it() {
    let change = r#"{"actions": ["create"], "after": {"m": {"hunter2": [1]}, "o": {"hunter2": 1}},
        "after_sensitive": {"m": true, "o": true}}"#;
    let attributes =
        r#"{"attributes": {"m": {"type": ["map", "string"]}, "o": {"type": ["object", {"a": "string"}]}}}"#;
    let plan = one(change, Some(attributes)).unwrap();
    assert_eq!(plan.notes.len(), 2);
    assert!(!format!("{:?}", plan.notes).contains("hunter2"), "{:?}", plan.notes);
}

#[test]
fn without_a_schema_types_are_implied() {
    let change = r#"{"actions": ["create"], "before": null, "after": {"l": [1, null], "s": "x"},
        "after_unknown": {"l": [false, true], "id": true, "deep": {"a": [{"b": true}]}}, "after_sensitive": {"l": [true]}}"#;
    let plan = one(change, None).unwrap();
    let value = plan.resource_changes[0].change.after.clone().unwrap();
    let ty = "object({deep = object({a = tuple([object({b = dynamic})])}), id = dynamic, l = tuple([number, dynamic]), s = string})";
    assert_eq!(value.ty(), ty.parse().unwrap());
    assert!(part(&value, "l[0]").is_marked() && !part(&value, "l[1]").is_marked());
}

#[test]
fn what_does_not_fit_the_schema_is_kept_and_noted() {
    let block = r#"{"attributes": {"a": {"type": "number"}, "l": {"type": ["list", "string"]}, "n": {"type": "number"},
        "t": {"type": "string"}, "b": {"type": "bool"}}}"#;
    let change = r#"{"actions": ["update"], "before": {"a": "12", "l": {"x": 1}, "t": 5.50, "b": "true"},
        "after": {"a": [1], "l": ["x", {"y": null}], "old": "z"}, "after_unknown": {"gone": true}, "after_sensitive": {}}"#;
    let plan = one(change, Some(block)).unwrap();
    let change = &plan.resource_changes[0].change;
    let (before, after) = (change.before.clone().unwrap(), change.after.clone().unwrap());
    assert_eq!(before.to_string(), r#"{a = 12, b = true, l = {x = 1}, n = null, t = "5.5"}"#);
    assert_eq!(
        after.to_string(),
        r#"{a = [1], b = null, gone = (known after apply), l = ["x", {y = null}], n = null, old = "z", t = null}"#
    );
    let notes: Vec<String> =
        plan.notes.iter().map(|note| format!("{} {}: {}", note.address, note.path, note.message)).collect();
    assert_eq!(
        notes,
        [
            "r.x l: the schema has list of string, the plan object",
            "r.x a: the schema has number, the plan array",
            "r.x l[1]: the schema has string, the plan object",
            "r.x gone: the schema has no such attribute",
            "r.x old: the schema has no such attribute",
        ]
    );
}

#[test]
fn blocks_with_dynamic_attributes_are_tuples() {
    let block = r#"{"block_types": {"b": {"nesting_mode": "list", "block": {"attributes": {"d": {"type": "dynamic"}, "n": {"type": "number"}}}}},
        "attributes": {"l": {"type": ["list", "dynamic"]}, "e": {"type": ["list", "dynamic"]}}}"#;
    let change = r#"{"actions": ["create"], "after": {"b": [{"d": 1}, {"d": "x", "n": 2}], "l": [null, "x"], "e": []},
        "after_unknown": {"b": [{"n": true}, {}], "l": [true, false]}, "after_sensitive": {}}"#;
    let plan = one(change, Some(block)).unwrap();
    assert_eq!(plan.notes, []);
    let after = plan.resource_changes[0].change.after.clone().unwrap();
    assert_eq!(
        part(&after, "b").ty().to_string(),
        "tuple([object({d = number, n = number}), object({d = string, n = number})])"
    );
    assert_eq!(part(&after, "b[0].n"), Value::unknown(Type::Number));
    assert_eq!(part(&after, "l"), Value::list([Value::unknown(Type::String), Value::from("x")]).unwrap());
    assert_eq!(part(&after, "e"), Value::list_of(Type::Dynamic, Vec::<Value>::new()).unwrap());
}

#[test]
fn attributes_are_found_in_any_order_and_normal_form() {
    let block =
        r#"{"attributes": {"a": {"type": "number"}, "é": {"type": "string"}, "z": {"type": "string"}}}"#;
    let change = "{\"actions\": [\"create\"], \"after\": {\"z\": \"1\", \"e\\u0301\": \"2\"}, \"after_unknown\": {\"z\": false, \"a\": true}}";
    let plan = one(change, Some(block)).unwrap();
    assert_eq!(plan.notes, []);
    let after = plan.resource_changes[0].change.after.clone().unwrap();
    assert_eq!(
        after.to_string(),
        "{a = (known after apply), z = \"1\", \"é\" = \"2\"}".replace("\"é\" =", "é =")
    );
}

#[test]
fn a_property_twice_at_any_depth_is_an_error() {
    let plan = |root: &str, change: &str| {
        let text = format!(
            r#"{{"format_version": "1.2", "resource_changes": [{{"address": "a.b", "type": "a", "name": "b",
            "change": {{"actions": ["create"], "after_unknown": {{}}, {change}}}}}] {root}}}"#
        );
        Plan::read(text.as_bytes(), &ProviderSchemas::new()).map(|_| ())
    };
    plan("", r#""after": {"b": [{"b": 1, "a": 2}]}"#).unwrap();
    for change in [
        r#""after": {"a": 1, "a": 2}"#,
        r#""after": {"b": [{"a": 1, "a": 1}]}"#,
        r#""after": {"b": 1, "c": 2, "a": 3, "b": 4}"#,
        r#""after": {"é": 1, "é": 2}"#,
        r#""after": {}, "before": {"a": 1, "a": 2}"#,
        r#""after": {}, "after_sensitive": {"a": true, "a": false}"#,
        r#""after": {}, "other": {"a": {"z": 1, "b": 2, "z": 3}}"#,
        r#""after": {}, "after": {}"#,
    ] {
        let error = plan("", change).unwrap_err().to_string();
        assert!(error.contains("twice") || error.contains("duplicate"), "{change}: {error}");
        assert!(!error.contains("\"a\""), "names may be content: {error}");
    }
    for root in [
        r#""planned_values": {"root_module": {"resources": [{"values": {"a": 1, "a": 2}}]}}"#,
        r#""configuration": {"root_module": {"resources": [{"expressions": {"a": {"a": 1, "a": 2}}}]}}"#,
        r#""prior_state": {"values": {"root_module": {"resources": [{"values": {"a": 1, "a": 2}}]}}}"#,
        r#""variables": {"v": {"value": {"b": {"a": 1, "a": 2}}}}"#,
        r#""variables": {"v": {"value": 1, "value": 2}}"#,
        r#""infracost": {"a": 1, "b": 2, "a": 3}"#,
        r#""checks": [{"status": "pass", "status": "fail"}]"#,
        r#""resource_changes": []"#,
    ] {
        assert!(plan(&format!(", {root}"), r#""after": {}"#).is_err(), "{root}");
    }
}

#[test]
fn numbers_are_exact() {
    let change = r#"{"actions": ["create"], "after": {"big": 18446744073709551617, "tenth": 0.1}, "after_unknown": {}}"#;
    let after = one(change, None).unwrap().resource_changes[0].change.after.clone().unwrap();
    assert_eq!(after.to_string(), "{big = 18446744073709551617, tenth = 0.1}");
}

#[test]
fn what_is_no_plan_says_so() {
    let read = |text: &str| {
        Plan::read(text.as_bytes(), &ProviderSchemas::new()).map(|_| ()).unwrap_err().to_string()
    };
    for (text, message) in [
        ("[]", "not a plan: the JSON is no object"),
        (r#"{"resource_changes": []}"#, "not a plan: there is no format_version"),
        (
            r#"{"format_version": "1.0", "variables": {}}"#,
            "not a plan: there is neither planned_values nor resource_changes",
        ),
        (r#"{"format_version": "1.0", "values": {}}"#, "not a plan: this is a state"),
        (r#"{"format_version": "1.0", "provider_schemas": {}}"#, "not a plan: these are provider schemas"),
        (r#"{"version": 4, "serial": 1, "lineage": "x"}"#, "not a plan: this is a state as it is stored"),
        (
            "{\"@level\": \"info\", \"@message\": \"Terraform 1.9.0\"}\n{\"@level\": \"info\"}\n",
            "not a plan: this is the log of `terraform plan -json`; write the plan with `terraform plan -out=FILE` and \
             `terraform show -json FILE`",
        ),
        (
            r#"{"format_version": "1.0", "resource_changes": [{"address": "a.b", "change": {}}]}"#,
            "resource_changes[0]: the type is missing in a resource change that ends at line 1 column 80",
        ),
        (
            r#"{"format_version": "2.0", "resource_changes": []}"#,
            "format_version: plans of format \"2.0\" are not supported, expected 0.1, 0.2 or 1.x",
        ),
        (
            r#"{"format_version": "1.0", "resource_changes": {}}"#,
            "resource_changes: array required, but have object at line 1 column 47",
        ),
        (
            r#"{"format_version": "1.0", "resource_changes": [{"address": 1}]}"#,
            "resource_changes[0].address: string required, but have number at line 1 column 60",
        ),
        (
            r#"{"format_version": "1.0", "resource_changes": [{"change": {"actions": [true]}}]}"#,
            "resource_changes[0].change.actions[0]: string required, but have bool at line 1 column 72",
        ),
        (
            r#"{"format_version": "1.0", "resource_changes": [], "resource_changes": []}"#,
            "duplicate \"resource_changes\" property in a JSON object that ends at line 1 column 74",
        ),
        (
            "{\"format_version\": \"1.0\",\n \"resource_changes\": [{\"change\": {\"after\": {\"a\": tru}}}]}",
            "resource_changes[0].change.after: not JSON: true expected at line 2 column 50",
        ),
        (
            r#"{"format_version": "1.0", "resource_changes": [{"type": "t"}]}"#,
            "resource_changes[0]: the change is missing in a resource change that ends at line 1 column 61",
        ),
        (
            r#"{"format_version": "1.0", "resource_changes": []} x"#,
            "extraneous data after the JSON value at line 1 column 51",
        ),
    ] {
        assert_eq!(read(text), message, "{text}");
    }
    let error = one(r#"{"actions": [], "after": {"a": [1e99999]}}"#, None).unwrap_err();
    assert!(error.is_limit());
    // Nothing says that the value is not sensitive, so the path ends at the attribute.
    assert_eq!(error.path().to_string(), "resource_changes[0].change.after.a");
}

/// As much stack as every recursion of the crate has to get by with.
#[track_caller]
fn on_a_small_stack(test: fn()) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

fn deep_change(levels: usize) -> String {
    format!(r#"{{"actions": [], "after": {{"a": {}1{}}}}}"#, "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn deep_values_are_read_up_to_the_limit() {
    on_a_small_stack(|| {
        let plan = one(&deep_change(251), None).unwrap();
        assert!(plan.resource_changes[0].change.after.is_some());
        assert!(one(&deep_change(252), None).unwrap_err().is_limit());
    });
}

#[test]
fn deep_values_of_deep_types_are_read_up_to_the_limit() {
    on_a_small_stack(|| {
        let ty = format!("{}\"number\"{}", "[\"list\",".repeat(240), "]".repeat(240));
        let block = format!(r#"{{"attributes": {{"a": {{"type": {ty}}}}}}}"#);
        let plan = one(&deep_change(240), Some(&block)).unwrap();
        assert_eq!(plan.notes, []);
    });
}

#[test]
fn deep_places_are_narrowed() {
    on_a_small_stack(|| {
        let (open, close) = ("[".repeat(245), "]".repeat(245));
        let change = format!(
            r#"{{"actions": [], "after": {{"a": {open}null{close}}}, "after_unknown": {{"a": {open}true{close}}}}}"#
        );
        let mut plan = one(&change, None).unwrap();
        let path = format!("a{}", "[*]".repeat(245)).parse().unwrap();
        let refinement = r#"stringprefix("x")"#.parse().unwrap();
        let assumed = plan.assume(&[Assumption::new("r".parse().unwrap(), path, refinement)]);
        assert_eq!((assumed.narrowed.len(), assumed.failures.len()), (1, 0));
    });
}

#[test]
fn deep_documents_are_refused() {
    on_a_small_stack(|| {
        let open = format!(r#"{{"format_version": "1.0", "x": {}"#, "[".repeat(100_000));
        assert!(Plan::read(open.as_bytes(), &ProviderSchemas::new()).unwrap_err().is_limit());
        let nested = |open: &str| {
            let text = format!(r#"{{"format_version": "1.0", {open}"#);
            assert!(
                Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap_err().is_limit(),
                "{open:.60}"
            );
        };
        let modules = r#"{"module_calls": {"m": {"module": "#.repeat(90);
        nested(&format!(r#""configuration": {{"root_module": {modules}"#));
        let modules = r#"{"child_modules": ["#.repeat(130);
        nested(&format!(r#""prior_state": {{"values": {{"root_module": {modules}"#));
        let blocks = r#"{"b": ["#.repeat(130);
        nested(&format!(r#""configuration": {{"root_module": {{"resources": [{{"expressions": {blocks}"#));
        let blocks = r#"{"block_types": {"b": {"block": "#.repeat(90);
        let text =
            format!(r#"{{"provider_schemas": {{"p": {{"resource_schemas": {{"r": {{"block": {blocks}"#);
        assert!(ProviderSchemas::from_json(text.as_bytes()).unwrap_err().is_limit());
        let attributes = r#"{"nested_type": {"attributes": {"a": "#.repeat(90);
        let text = format!(
            r#"{{"provider_schemas": {{"p": {{"resource_schemas": {{"r": {{"block": {{"attributes": {{"a": {attributes}"#
        );
        assert!(ProviderSchemas::from_json(text.as_bytes()).unwrap_err().is_limit());
    });
}

#[test]
fn addresses_match_patterns() {
    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let pattern: AddressPattern = pattern.parse().unwrap();
        for address in matching {
            assert!(pattern.matches_address(address), "{pattern} should match {address}");
        }
        for address in others {
            assert!(!pattern.matches_address(address), "{pattern} should not match {address}");
        }
    }
    check("aws_vpc", &["aws_vpc.a", "module.x[0].aws_vpc.b[1]"], &["data.aws_vpc.a", "aws_vpc_x.a"]);
    check("data.aws_ami", &["data.aws_ami.x", r#"module.a["k.1"].data.aws_ami.x"#], &["aws_ami.x"]);
    check("aws_subnet.main", &["aws_subnet.main", r#"aws_subnet.main["a"]"#], &["module.n.aws_subnet.main"]);
    check(
        r#"aws_subnet.main["app"]"#,
        &[r#"aws_subnet.main["app"]"#],
        &["aws_subnet.main", r#"aws_subnet.main["b"]"#],
    );
    check(
        "aws_instance.web[0]",
        &["aws_instance.web[0]"],
        &["aws_instance.web[1]", r#"aws_instance.web["0"]"#],
    );
    check(
        "module.net[*].aws_vpc.*",
        &["module.net.aws_vpc.a", r#"module.net["x"].aws_vpc.b[0]"#],
        &["aws_vpc.a", "module.net.module.in.aws_vpc.a", "module.other.aws_vpc.a"],
    );
    check(r#"module.net["a"].aws_vpc"#, &[r#"module.net["a"].aws_vpc.x"#], &["module.net.aws_vpc.x"]);
    check("aws_*.main", &["aws_vpc.main", "aws_.main"], &["gcp_vpc.main", "aws_vpc.other"]);
    check("*a*b*.x", &["aab.x", "xayb.x"], &["ba.x"]);
    check("module.net", &["module.net.aws_vpc.x"], &["module.net.data.aws_ami.x"]);

    for (text, message) in [
        ("", "a name is missing"),
        ("aws_vpc.", "a name is missing"),
        ("a.b.c", "there are more parts than a type and a name"),
        ("a.b[x]", "a key is [*]"),
        ("a[0].b", "a type has no key"),
        ("data", "a resource type is missing"),
        ("module", "a module name is missing"),
        ("a b.c", "' ' cannot stand in a name"),
    ] {
        let error = text.parse::<AddressPattern>().unwrap_err();
        assert!(error.is_syntax() && error.message().contains(message), "{text}: {error}");
    }
    let plan = network();
    let count = |pattern: &str| {
        let pattern: AddressPattern = pattern.parse().unwrap();
        for change in &plan.resource_changes {
            assert_eq!(
                pattern.matches(change),
                pattern.matches_address(&change.address),
                "{}",
                change.address
            );
        }
        plan.resource_changes.iter().filter(|change| pattern.matches(change)).count()
    };
    assert_eq!(count("aws_subnet"), 4);
    assert_eq!(count("aws_subnet.main"), 2);
    assert_eq!(count("module.*.aws_s3_bucket.this"), 2);
    assert_eq!(count("data.aws_subnets"), 1);
    assert_eq!(count("*"), 21);
}
