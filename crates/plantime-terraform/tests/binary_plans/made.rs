//! Parts of plans that no recorded plan has, made by the definition of the messages.

use std::io::{Cursor, Write as _};

use plantime::Mark;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{ActionTrigger, Gap, Plan, PlanMode, PlanStates};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A field with a length.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let (key, mut length) = (u32::from(number) << 3 | 2, content.len());
    let mut bytes = Vec::new();
    if key > 127 {
        bytes.push(u8::try_from(key & 127).unwrap() | 128);
        bytes.push(u8::try_from(key >> 7).unwrap());
    } else {
        bytes.push(u8::try_from(key).unwrap());
    }
    while length > 127 {
        bytes.push(u8::try_from(length & 127).unwrap() | 128);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap());
    [bytes, content.to_vec()].concat()
}

fn text(number: u8, text: &str) -> Vec<u8> {
    field(number, text.as_bytes())
}

/// A field with a number below 16 and a value below 128.
fn varint(number: u8, value: u8) -> Vec<u8> {
    vec![number << 3, value]
}

fn dynamic(number: u8, value: &[u8]) -> Vec<u8> {
    field(number, &field(1, value))
}

/// A plan of these fields, with a file `tfschemas`.
fn read_with(parts: &[Vec<u8>], embedded: &[u8], given: &ProviderSchemas) -> plantime::Result<Plan> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in
        [("tfplan", &[b"\x08\x03", &parts.concat()[..]].concat()[..]), ("tfschemas", embedded)]
    {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    Plan::read_binary(&writer.finish().unwrap().into_inner(), given)
}

fn read(parts: &[Vec<u8>]) -> Plan {
    read_with(parts, b"", &ProviderSchemas::new()).unwrap()
}

const PROVIDER: &str = "provider[\"registry.terraform.io/example/a\"]";

/// Encodes the invocation of an action whose arguments are `{a = "x", b = "y"}`, with `b` sensitive.
fn invocation(trigger: Vec<u8>) -> Vec<u8> {
    let secret = field(5, &field(1, &text(1, "b")));
    let config = dynamic(4, b"\x82\xa1a\xa1x\xa1b\xa1y");
    [text(1, "module.m.action.a_notify.n"), text(2, PROVIDER), config, secret, trigger].concat()
}

#[test]
fn a_plan_says_how_it_was_made() {
    let backend = [text(1, "s3"), dynamic(2, b"\x81\xa6secret\xa1s"), text(3, "prod")].concat();
    let plan = read(&[
        vec![0x88, 0x01, 1],
        text(5, "aws_vpc.a"),
        text(5, "module.b"),
        text(6, "aws_vpc.c"),
        text(16, "aws_vpc.d"),
        text(32, "action.a_notify.n"),
        field(13, &backend),
        text(28, "password"),
    ]);
    let options = &plan.options;
    assert_eq!(options.mode, Some(PlanMode::Destroy));
    assert_eq!(options.targets, ["aws_vpc.a", "module.b"]);
    assert_eq!((&options.excluded[0][..], &options.replace[0][..]), ("aws_vpc.c", "aws_vpc.d"));
    assert_eq!(options.invoked_actions, ["action.a_notify.n"]);
    let backend = options.backend.as_ref().unwrap();
    assert_eq!((&*backend.type_name, &*backend.workspace), ("s3", "prod"));
    assert!(backend.config.as_ref().unwrap().marks().contains(&Mark::SENSITIVE));
    assert!(!format!("{plan:?}").contains("secret"));
    assert_eq!(options.apply_time_variables, ["password"]);
    assert_eq!(read(&[]).options.mode, Some(PlanMode::Normal));
}

/// A state store of Terraform is a backend with a provider.
#[test]
fn a_state_store_has_a_provider() {
    let provider = [text(1, "example/store"), text(2, "1.2.3"), dynamic(3, b"\x81\xa6secret\xa1s")].concat();
    let store =
        [text(1, "example_bucket"), dynamic(2, b"\xc0"), text(3, "default"), field(4, &provider)].concat();
    let plan = read(&[field(29, &store)]);
    let backend = plan.options.backend.as_ref().unwrap();
    let provider = backend.provider.as_ref().unwrap();
    assert_eq!((&*provider.source, &*provider.version), ("example/store", "1.2.3"));
    assert!(provider.config.as_ref().unwrap().marks().contains(&Mark::SENSITIVE));
    assert!(!format!("{plan:?}").contains("secret"));
}

/// Field 22 is a list of hashes in plans of Terraform, and of names in plans of OpenTofu.
#[test]
fn function_calls_and_ephemeral_variables_have_one_number() {
    let call = [field(1, b"\x01\x02"), field(2, b"\xff")].concat();
    let plan = read(&[field(22, &call), field(22, b"token"), text(28, "password")]);
    let [call] = &plan.function_calls[..] else { panic!("{plan:?}") };
    assert_eq!((&call.key[..], &call.result[..]), (&b"\x01\x02"[..], &b"\xff"[..]));
    assert_eq!(plan.options.apply_time_variables, ["token", "password"]);
}

#[test]
fn deferred_changes_and_actions_are_the_same_from_json() {
    let change = [varint(1, 1), dynamic(2, b"\x81\xa2id\xd4\x00\x00")].concat();
    let resource = [text(13, "a_thing.x[*]"), text(8, PROVIDER), field(9, &change)].concat();
    let deferred = [field(1, &varint(1, 3)), field(2, &resource)].concat();
    let lifecycle = [text(1, "a_thing.y"), varint(2, 4), varint(4, 1), varint(5, 1)].concat();
    let invoked = [field(1, &varint(1, 2)), field(2, &invocation(field(7, &text(1, "a_thing.z"))))].concat();
    let plan =
        read(&[field(27, &deferred), field(30, &invocation(field(6, &lifecycle))), field(31, &invoked)]);
    assert_eq!(plan.gaps(), [Gap::Deferred(1)]);
    let [deferred] = &plan.deferred_changes[..] else { panic!("{plan:?}") };
    assert_eq!(deferred.reason.as_deref(), Some("provider_config_unknown"));
    let change = deferred.change.as_ref().unwrap();
    assert_eq!((&*change.address, &change.index), ("a_thing.x[*]", &None));
    assert!(change.has_unknown_index);
    let [action, invoked] = &plan.action_invocations[..] else { panic!("{plan:?}") };
    assert_eq!((&*action.type_name, &*action.name), ("a_notify", "n"));
    assert_eq!(action.provider_name, "registry.terraform.io/example/a");
    assert!(action.config.as_ref().unwrap().at("b").unwrap().marks().contains(&Mark::SENSITIVE));
    let Some(ActionTrigger::Lifecycle { resource, event, block_index, action_index, on_failure }) =
        &action.trigger
    else {
        panic!("{action:?}")
    };
    assert_eq!(on_failure.as_deref(), Some("taint"));
    assert_eq!((&**resource, &**event, *block_index, *action_index), ("a_thing.y", "after_update", 0, 1));
    assert_eq!(invoked.trigger, Some(ActionTrigger::Invoked { resource: Some("a_thing.z".to_owned()) }));
    assert_eq!(invoked.deferred.as_deref(), Some("resource_config_unknown"));
    // Written as JSON and read again. What is sensitive is not written.
    let json = plan.to_json_text(&ProviderSchemas::new()).unwrap();
    assert!(!json.contains("\"y\""), "{json}");
    let again = Plan::read(json.as_bytes(), &ProviderSchemas::new()).unwrap();
    assert_eq!(again.deferred_changes, plan.deferred_changes);
    for (again, first) in again.action_invocations.iter().zip(&plan.action_invocations) {
        assert_eq!(
            (&again.trigger, &again.deferred, &again.address),
            (&first.trigger, &first.deferred, &first.address)
        );
        assert_eq!(
            again.config.as_ref().unwrap().at("a").unwrap(),
            first.config.as_ref().unwrap().at("a").unwrap()
        );
        assert!(again.config.as_ref().unwrap().at("b").unwrap().marks().contains(&Mark::SENSITIVE));
    }
    assert_eq!(again.action_invocations.len(), 2);
}

/// Terraform's JSON names events as its program does.
#[test]
fn events_have_one_name() {
    for event in ["after_create", "AfterCreate"] {
        let json = format!(
            "{{\"format_version\":\"1.2\",\"resource_changes\":[],\"action_invocations\":[{{\"address\":\"action.a.b\",\"type\":\"a\",
            \"name\":\"b\",\"lifecycle_action_trigger\":{{\"triggering_resource_address\":\"c.d\",\"action_trigger_event\":\"{event}\",
            \"action_trigger_block_index\":2,\"actions_list_index\":1}}}}]}}"
        );
        let plan = Plan::read(json.as_bytes(), &ProviderSchemas::new()).unwrap();
        let Some(ActionTrigger::Lifecycle { event, block_index, .. }) = &plan.action_invocations[0].trigger
        else {
            panic!("{plan:?}")
        };
        assert_eq!((&**event, *block_index), ("after_create", 2));
    }
}

/// The schemas of a provider with one resource type, which has this block.
fn schemas(block: &[Vec<u8>]) -> Vec<u8> {
    let schema = [varint(1, 2), field(2, &block.concat())].concat();
    let resource = [text(1, "a_thing"), field(2, &field(1, &schema))].concat();
    let provider = [text(1, "registry.opentofu.org/example/a"), field(2, &field(2, &resource))].concat();
    field(1, &provider)
}

/// A change that creates `a_thing.x`.
fn creation(after: &[u8]) -> Vec<u8> {
    let change = [varint(1, 1), dynamic(2, after)].concat();
    let provider = "provider[\"registry.opentofu.org/example/a\"]";
    field(3, &[text(13, "a_thing.x"), text(8, provider), field(9, &change)].concat())
}

#[test]
fn values_have_the_types_of_schemas_inside() {
    let attribute = |name: &str, ty: &str| field(1, &[text(1, name), text(2, ty), varint(6, 1)].concat());
    let port = [text(1, "port"), text(2, "\"number\""), varint(5, 1)].concat();
    let nested = [text(1, "ports"), field(3, &[field(1, &port), varint(2, 4)].concat())].concat();
    let secret = field(1, &[text(1, "secret"), text(2, "\"string\""), varint(7, 1)].concat());
    let rule = field(
        2,
        &[text(1, "rule"), field(2, &attribute("id", "\"string\"")), varint(3, 3), varint(5, 2)].concat(),
    );
    let block = [attribute("tags", "[\"map\",\"string\"]"), field(1, &nested), secret, rule];
    let after = b"\x84\xa4tags\x81\xa1k\xa1v\xa5ports\x91\x81\xa4port\x01\xa6secret\xa1s\xa4rule\x91\x81\xa2id\xd4\x00\x00";
    let plan = read_with(&[creation(after)], &schemas(&block), &ProviderSchemas::new()).unwrap();
    let value = plan.resource_changes[0].change.after.as_ref().unwrap();
    assert_eq!(
        value.ty().to_string(),
        "object({ports = set(object({port = number})), rule = list(object({id = string})), secret = string, tags = map(string)})"
    );
    assert!(value.at("secret").unwrap().marks().contains(&Mark::SENSITIVE));
    assert_eq!((plan.notes.len(), plan.schemas.providers.len()), (0, 1));
    let schema = plan.schemas.resource("registry.opentofu.org/example/a", "a_thing").unwrap();
    assert_eq!((schema.version(), schema.block().block_types.get("rule").unwrap().max_items), (2, 2));
    assert!(schema.block().attributes.get("tags").unwrap().computed);
    // Schemas that are given have precedence, also of another registry.
    let given = br#"{"provider_schemas": {"registry.terraform.io/example/a": {"resource_schemas": {"a_thing": {"block": {"attributes": {
        "tags": {"type": "dynamic", "optional": true}, "ports": {"type": "dynamic", "optional": true},
        "secret": {"type": "string", "optional": true}, "rule": {"type": "dynamic", "optional": true}}}}}}}}"#;
    let given = ProviderSchemas::from_json(given).unwrap();
    assert_eq!(plan.schemas_with(&given), given);
}

#[test]
fn resource_types_have_an_identity() {
    let id = [text(1, "id"), text(2, "\"string\""), varint(4, 1)].concat();
    let identity = [varint(1, 3), field(2, &[field(1, &id), varint(2, 1)].concat())].concat();
    let resource =
        [text(1, "a_thing"), field(2, &[field(1, &varint(1, 0)), field(2, &identity)].concat())].concat();
    let provider = [text(1, "registry.opentofu.org/example/a"), field(2, &field(2, &resource))].concat();
    let plan = read_with(&[], &field(1, &provider), &ProviderSchemas::new()).unwrap();
    let provider = &plan.schemas.providers["registry.opentofu.org/example/a"];
    let identity = &provider.resource_identity_schemas["a_thing"];
    assert_eq!((identity.version, identity.attributes["id"].required_for_import), (3, true));
    assert_eq!(identity.attributes["id"].ty, plantime::Type::String);
}

/// The states inside are of the stored form; the one before the refresh is apart.
#[test]
fn states_inside_a_plan_are_read() {
    let state = |serial: u64, size: &str| {
        format!(
            r#"{{"version": 4, "terraform_version": "1.15.5", "serial": {serial}, "lineage": "l",
            "outputs": {{"o": {{"value": ["x"], "type": ["list", "string"], "sensitive": true}}, "p": {{"value": 1, "type": "number"}}}},
            "resources": [{{"module": "module.m", "mode": "managed", "type": "a_thing", "name": "x",
              "provider": "provider[\"registry.terraform.io/example/a\"]", "instances": [
                {{"index_key": "k", "schema_version": 2, "attributes": {{"size": {size}, "token": "hunter2"}},
                  "sensitive_attributes": [[{{"type": "get_attr", "value": "token"}}]], "private": "c2VjcmV0",
                  "identity": {{"id": "i-1"}}, "dependencies": ["a_thing.y", "data.a_thing.z"], "create_before_destroy": true}},
                {{"index_key": "k", "deposed": "0a1b2c3d", "status": "tainted", "schema_version": 2, "attributes": {{"size": 0}}}}]}},
              {{"mode": "data", "type": "a_list", "name": "l", "provider": "p", "instances": [{{"attributes": null}}]}}],
            "check_results": [{{"object_kind": "output", "config_addr": "output.o", "status": "fail",
              "objects": [{{"object_addr": "output.o", "status": "fail", "failure_messages": ["No."]}}]}},
              {{"object_kind": "check", "config_addr": "check.c", "status": "unknown", "objects": null}}]}}"#
        )
    };
    let (previous, prior) = (state(1, "5"), state(2, "7"));
    let files = [("tfplan", "\u{8}\u{3}"), ("tfstate", &*prior), ("tfstate-prev", &*previous)];
    let states = read_states(&files).unwrap();
    let (previous, prior) = (states.previous.as_ref().unwrap(), states.prior.as_ref().unwrap());
    let address = "module.m.a_thing.x[\"k\"]";
    for (state, size) in [(previous, 5), (prior, 7)] {
        let found = state.resource(address).unwrap();
        assert_eq!(found.value.at("size").unwrap(), plantime::Value::from(size));
        assert_eq!(
            (found.schema_version, found.create_before_destroy, found.is_tainted),
            (Some(2), true, false)
        );
        assert_eq!(found.depends_on, ["a_thing.y", "data.a_thing.z"]);
        assert_eq!(found.identity.as_ref().unwrap().to_string(), "{id = \"i-1\"}");
        let deposed = state.resources.iter().find(|found| found.deposed.is_some()).unwrap();
        assert_eq!((deposed.is_tainted, &*deposed.address), (true, address));
        assert_eq!(state.resources.len(), 3);
        assert_eq!(
            (&*state.checks[0].kind, &*state.checks[0].instances[0].problems[0]),
            ("output_value", "No.")
        );
        assert_eq!(state.outputs["p"], plantime::Value::from(1));
        assert_eq!(
            (&*state.format_version, state.terraform_version.as_deref()),
            ("stored 4", Some("1.15.5"))
        );
    }
    assert!(!format!("{states:?}").contains("hunter2") && !format!("{states:?}").contains("c2VjcmV0"));
    assert!(!format!("{states:?}").contains("[\"x\"]"));
    let none = read_states(&[("tfplan", "\u{8}\u{3}")]).unwrap();
    assert_eq!((none.previous, none.prior), (None, None));
    for wrong in
        ["[]", r#"{"version": 3}"#, r#"{"version": 4, "version": 4}"#, "{", r#"{"outputs": {"o": 1}}"#]
    {
        assert!(read_states(&[("tfplan", "\u{8}\u{3}"), ("tfstate-prev", wrong)]).is_err(), "{wrong}");
    }
}

/// The states of a plan with these files.
fn read_states(files: &[(&str, &str)]) -> plantime::Result<PlanStates> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    PlanStates::read_binary(&writer.finish().unwrap().into_inner(), &ProviderSchemas::new())
}

#[test]
fn damaged_schemas_are_errors() {
    let error = |block: &[Vec<u8>]| read_with(&[], &schemas(block), &ProviderSchemas::new()).unwrap_err();
    let untyped = field(1, &text(1, "a"));
    assert!(error(&[untyped]).to_string().contains("damaged"));
    let no_mode = field(2, &[text(1, "b"), field(2, b"")].concat());
    assert!(error(&[no_mode]).to_string().contains("damaged"));
    // An attribute in an attribute, and so on.
    let mut nested = [text(1, "a"), text(2, "\"bool\"")].concat();
    for _ in 0..300 {
        nested = [text(1, "a"), field(3, &[field(1, &nested), varint(2, 1)].concat())].concat();
    }
    assert!(error(&[field(1, &nested)]).is_limit());
    let small = field(1, &[text(1, "a"), text(2, "\"bool\"")].concat());
    let error = error(&[small.repeat((1 << 17) + 1)]);
    assert!(error.is_limit(), "{error}");
}

/// Go makes one message of two in a field that occurs once, so Terraform would apply another change.
#[test]
fn a_field_that_occurs_once_is_not_read_twice() {
    let change = |value: &[u8]| [varint(1, 1), dynamic(2, value)].concat();
    let (one, other) = (change(b"\x81\xa2id\xa1x"), change(b"\x81\xa2id\xa1y"));
    let named = [text(13, "a_thing.x"), text(8, PROVIDER)].concat();
    let error = |parts: &[Vec<u8>]| read_with(parts, b"", &ProviderSchemas::new()).unwrap_err().to_string();
    for content in [
        [&named[..], &field(9, &one), &field(9, &other)].concat(),
        [&named[..], &text(13, "a_thing.y"), &field(9, &one)].concat(),
        [&named[..], &field(9, &[&one[..], &varint(1, 5)].concat())].concat(),
        [
            &named[..],
            &field(9, &[varint(1, 1), field(2, &[field(1, b"\xc0"), field(1, b"\xc0")].concat())].concat()),
        ]
        .concat(),
    ] {
        assert!(error(&[field(3, &content)]).contains("occurs twice"), "{}", error(&[field(3, &content)]));
    }
    assert!(
        read_with(&[field(3, &[&named[..], &field(9, &one)].concat())], b"", &ProviderSchemas::new()).is_ok()
    );
    let output = [text(1, "o"), field(2, &one), field(2, &other)].concat();
    assert!(error(&[field(4, &output)]).contains("occurs twice"));
    assert!(error(&[text(14, "1.15.0"), text(14, "1.15.1")]).contains("occurs twice"));
    let twice = field(2, &[text(1, "v"), dynamic(2, b"\xa1a"), dynamic(2, b"\xa1b")].concat());
    assert!(error(&[twice]).contains("occurs twice"));
}

/// Errors name the resource, and no key: what is sensitive may be below.
#[test]
fn what_cannot_be_read_names_its_resource_and_no_key() {
    let broken: [&[u8]; 2] = [b"\x81\xa4tags\x81\xa4hush\xc1", b"\x81\xa4tags\x81\xa4hush\xa9x"];
    let attribute = field(1, &[text(1, "tags"), text(2, "[\"map\",\"string\"]"), varint(6, 1)].concat());
    for bytes in broken {
        for embedded in [Vec::new(), schemas(std::slice::from_ref(&attribute))] {
            let error =
                read_with(&[creation(bytes)], &embedded, &ProviderSchemas::new()).unwrap_err().to_string();
            assert!(error.contains("a_thing.x") && !error.contains("hush"), "{error}");
        }
        let typed = [b"\x92\xc4\x1c[\"object\",{\"hush\":\"string\"}]".as_slice(), &bytes[6..]].concat();
        for part in [
            field(2, &[text(1, "v"), dynamic(2, &typed)].concat()),
            field(
                4,
                &[text(1, "o"), field(2, &[varint(1, 1), dynamic(2, &typed)].concat()), varint(3, 1)]
                    .concat(),
            ),
        ] {
            if let Err(error) = read_with(&[part], b"", &ProviderSchemas::new()) {
                assert!(!error.to_string().contains("hush"), "{error}");
            }
        }
    }
}

/// The JSON of a plan has no type for a null in an attribute of type `dynamic`, so the value read from a binary plan has none either.
#[test]
fn a_null_of_a_dynamic_attribute_has_no_type() {
    let attribute = field(1, &[text(1, "input"), text(2, "\"dynamic\""), varint(5, 1)].concat());
    let after = b"\x81\xa5input\x92\xc4\x08\"string\"\xc0";
    let plan = read_with(&[creation(after)], &schemas(&[attribute]), &ProviderSchemas::new()).unwrap();
    let input = plan.resource_changes[0].change.after.as_ref().unwrap().at("input").unwrap();
    assert_eq!((input.is_null(), input.ty()), (true, plantime::Type::Dynamic));
    assert!(plan.notes.is_empty());
}
