//! What schemas say is enforced before the author's code runs: for everything that has one, with and without behaviours.

use plantime::rule::{Rule, Validators};
use plantime::{Type, Value, value};
use plantime_schema::planning::{Behaviour, Behaviours};
use plantime_schema::{Attribute, Block, NestedBlock, Schema};

use super::super::*;
use super::faults::answer;
use crate::message::{ClientCapabilities, DynamicValue};
use crate::{
    Call, Change, DataSource, EphemeralResource, Function, Opened, Parameter, Plan, Resource, Signature,
    schema, with_attributes,
};

/// Required, read-only, deprecated, and blocks that are counted, at the top and inside.
fn strict() -> Schema {
    let inner = Block::builder()
        .attribute("port", Attribute::required(Type::Number))
        .attribute("rule_id", Attribute::computed(Type::String));
    let rules = NestedBlock::list(inner.build().expect("a block")).at_least(1).at_most(2);
    schema()
        .required("name", Type::String)
        .optional("old", Type::String)
        .deprecated("old", "Use name.")
        .optional("pin", Type::String)
        .sensitive("pin")
        .computed("id", Type::String)
        .block("rule", rules)
        .build()
}

/// The configuration of a provider: nothing is computed there.
fn strict_provider() -> Schema {
    schema()
        .required("name", Type::String)
        .optional("old", Type::String)
        .deprecated("old", "Use name.")
        .build()
}

/// Fails if the code of an author runs for a configuration that the schema does not allow.
fn is_allowed(config: &Value) {
    assert_ne!(config.get_attr("name"), Ok(Value::null(Type::String)), "no name");
    if let Ok(id) = config.get_attr("id") {
        assert!(!id.is_known() || id.is_null(), "an id");
    }
}

/// Something of each kind; with behaviours if so.
#[derive(Clone, Copy)]
struct Strict {
    behaves: bool,
}

impl Resource for Strict {
    fn schema(&self) -> Schema {
        strict()
    }

    fn behaviours(&self) -> Option<Behaviours> {
        self.behaves.then(|| Behaviours::framework().at("name", Behaviour::new().force_new()))
    }

    async fn validate(&self, config: Value) -> Outcome<Vec<Diagnostic>> {
        is_allowed(&config);
        Ok(vec![Diagnostic::warning("own")])
    }

    async fn plan(&self, change: Change, plan: Plan, _: Call) -> Outcome<Plan> {
        is_allowed(&change.config);
        Ok(plan)
    }

    async fn create(&self, planned: Value, call: Call) -> Outcome<Value> {
        is_allowed(call.config().expect("a configuration"));
        Ok(planned)
    }
}

impl DataSource for Strict {
    fn schema(&self) -> Schema {
        strict()
    }

    async fn validate(&self, config: Value) -> Outcome<Vec<Diagnostic>> {
        is_allowed(&config);
        Ok(vec![Diagnostic::warning("own")])
    }

    async fn read(&self, config: Value, _: Call) -> Outcome<Value> {
        is_allowed(&config);
        Ok(with_attributes(&config, [("id", Value::from("d-1"))])?)
    }
}

impl EphemeralResource for Strict {
    fn schema(&self) -> Schema {
        strict()
    }

    async fn validate(&self, config: Value) -> Outcome<Vec<Diagnostic>> {
        is_allowed(&config);
        Ok(vec![Diagnostic::warning("own")])
    }

    async fn open(&self, config: Value, _: Call) -> Outcome<Opened> {
        is_allowed(&config);
        Ok(Opened::new(with_attributes(&config, [("id", Value::from("e-1"))])?))
    }
}

fn provider(behaves: bool) -> Provider {
    let strict = Strict { behaves };
    let provider = Provider::new("demo").resource("demo_a", strict).data_source("demo_a", strict);
    let provider = provider.ephemeral_resource("demo_a", strict);
    let provider = provider.configured(strict_provider(), |config| async move {
        is_allowed(&config);
        Ok(())
    });
    provider.validated(|config| async move {
        is_allowed(&config);
        Ok(vec![Diagnostic::warning("own")])
    })
}

/// A configuration as the host sends it.
fn sent(schema: &Schema, config: Value) -> Option<DynamicValue> {
    let config = schema.block().coerce(&config).expect("a configuration");
    wire::encode(&config, schema.implied_type().expect("a type")).ok()
}

/// What a provider says of a configuration in each call that has one, each diagnostic with its severity and path: first the
/// validations of each kind, then the calls that use it.
fn said(behaves: bool, schema: &Schema, config: Value) -> Vec<(&'static str, Vec<String>)> {
    let (of, type_name) = (|| provider(behaves), "demo_a".to_owned());
    let config = sent(schema, config);
    let one = |list: Vec<message::Diagnostic>| {
        let text = |one: message::Diagnostic| {
            let path =
                one.attribute.as_ref().map(|path| wire::read_path(path).to_string()).unwrap_or_default();
            let severity = if one.severity() == message::Severity::Error { "error" } else { "warning" };
            format!("{severity} {path}: {}", one.summary)
        };
        list.into_iter().map(text).collect::<Vec<_>>()
    };
    if schema.block().attributes.get("id").is_none() {
        let validate = calls::ProviderConfigRequest { config: config.clone() };
        let configure = calls::ConfigureRequest { config, ..Default::default() };
        let validated: calls::ProviderConfigResponse = answer(of(), "ValidateProviderConfig", &validate);
        let configured: calls::DiagnosticsResponse = answer(of(), "ConfigureProvider", &configure);
        return vec![("validate", one(validated.diagnostics)), ("configure", one(configured.diagnostics))];
    }
    let host = ClientCapabilities { write_only_attributes_allowed: true, ..Default::default() };
    let resource = calls::ResourceConfigRequest {
        type_name: type_name.clone(),
        config: config.clone(),
        client_capabilities: Some(host),
    };
    let plain = calls::ConfigRequest { type_name: type_name.clone(), config: config.clone() };
    let plan = calls::PlanRequest {
        type_name: type_name.clone(),
        config: config.clone(),
        proposed_new_state: config.clone(),
        ..Default::default()
    };
    let apply = calls::ApplyRequest {
        type_name: type_name.clone(),
        config: config.clone(),
        planned_state: config.clone(),
        ..Default::default()
    };
    let read = calls::ReadDataRequest { type_name, config, provider_meta: None };
    let validated = |method| {
        let answered: calls::DiagnosticsResponse = match method {
            "ValidateResourceConfig" => answer(of(), method, &resource),
            _ => answer(of(), method, &plain),
        };
        one(answered.diagnostics)
    };
    vec![
        ("validate", validated("ValidateResourceConfig")),
        ("validate", validated("ValidateDataResourceConfig")),
        ("validate", validated("ValidateEphemeralResourceConfig")),
        ("plan", one(answer::<calls::PlanResponse>(of(), "PlanResourceChange", &plan).diagnostics)),
        ("apply", one(answer::<calls::ApplyResponse>(of(), "ApplyResourceChange", &apply).diagnostics)),
        ("read", one(answer::<calls::DataResponse>(of(), "ReadDataSource", &read).diagnostics)),
        ("open", one(answer::<calls::OpenResponse>(of(), "OpenEphemeralResource", &plain).diagnostics)),
    ]
}

#[test]
fn what_a_schema_does_not_allow_reaches_no_code_of_the_author() -> plantime::Result<()> {
    let rule = || value!([{ "port": 1 }]);
    let missing = "Missing Configuration for Required Attribute";
    let read_only = "Invalid Configuration for Read-Only Attribute";
    let cases: Vec<(Value, String)> = vec![
        (value!({ "name": null, "rule": rule()? })?, format!("error name: {missing}")),
        (value!({ "name": "n", "id": "x", "rule": rule()? })?, format!("error id: {read_only}")),
        (value!({ "name": "n", "rule": [{ "port": null }] })?, format!("error rule[0].port: {missing}")),
        (
            value!({ "name": "n", "rule": [{ "port": 1, "rule_id": "x" }] })?,
            format!("error rule[0].rule_id: {read_only}"),
        ),
        (value!({ "name": "n" })?, "error rule: Insufficient rule blocks".to_owned()),
        (
            value!({ "name": "n", "rule": [{ "port": 1 }, { "port": 2 }, { "port": 3 }] })?,
            "error rule: Too many rule blocks".to_owned(),
        ),
    ];
    for behaves in [false, true] {
        for (config, expected) in &cases {
            for (call, said) in said(behaves, &strict(), config.clone()) {
                assert_eq!(said, [expected.as_str()], "{call} of {config}, {behaves}");
            }
        }
    }
    for (call, said) in said(false, &strict_provider(), value!({ "name": null })?) {
        assert_eq!(said, [format!("error name: {missing}")], "{call}");
    }
    Ok(())
}

#[test]
fn what_is_deprecated_is_a_warning_and_what_is_unknown_is_allowed() -> plantime::Result<()> {
    let of = |old: Value, name: Value| value!({ "name": name, "old": old, "rule": [{ "port": 1 }] });
    let unknown = || Value::unknown(Type::String);
    for behaves in [false, true] {
        for (call, said) in said(behaves, &strict(), of("x".into(), "n".into())?) {
            if call == "validate" {
                let text = if behaves && said[0].contains("Attribute") {
                    "Attribute Deprecated"
                } else {
                    "Argument is deprecated"
                };
                assert_eq!(said, [format!("warning old: {text}"), "warning : own".to_owned()], "{behaves}");
            }
        }
        for (call, said) in said(behaves, &strict(), of(unknown(), unknown())?) {
            let expected: &[&str] = if call == "validate" { &["warning : own"] } else { &[] };
            // What is created of it stays unknown here, which is another error.
            if call != "apply" && call != "read" && call != "open" {
                assert_eq!(said, expected, "{call}");
            }
        }
    }
    for (call, said) in said(false, &strict_provider(), value!({ "name": "n", "old": "x" })?) {
        let expected: &[&str] =
            if call == "validate" { &["warning old: Argument is deprecated", "warning : own"] } else { &[] };
        assert_eq!(said, expected, "{call}");
    }
    Ok(())
}

/// Takes neither null nor unknown values, and then both.
struct Length;

impl Function for Length {
    fn signature(&self) -> Signature {
        let text = Parameter::new("text", Type::String);
        Signature::new(Type::Number, "A length")
            .parameter(text)
            .variadic(Parameter::new("more", Type::String))
    }

    async fn call(&self, arguments: Vec<Value>) -> crate::erased::Called {
        assert!(arguments.iter().all(|one| one.is_wholly_known() && !one.is_null()), "not allowed");
        Ok(Value::from(arguments.len() as i64))
    }
}

#[test]
fn arguments_that_a_parameter_does_not_take_reach_no_code_of_the_author() {
    let called = |arguments: &[Value]| {
        let arguments =
            arguments.iter().map(|one| wire::encode(one, &Type::String).expect("a value")).collect();
        let request = calls::CallRequest { name: "length".to_owned(), arguments };
        let provider = Provider::new("demo").function("length", Length);
        let answered: calls::CallResponse = answer(provider, "CallFunction", &request);
        answered.error.map(|error| (error.text, error.function_argument))
    };
    let (text, null, unknown) = (Value::from("a"), Value::null(Type::String), Value::unknown(Type::String));
    assert_eq!(called(&[text.clone(), text.clone()]), None);
    let wrong = |name: &str, what: &str, index| {
        Some((format!("Invalid value for \"{name}\" parameter: argument must {what}."), Some(index)))
    };
    assert_eq!(called(std::slice::from_ref(&null)), wrong("text", "not be null", 0));
    assert_eq!(called(&[text.clone(), null]), wrong("more", "not be null", 1));
    assert_eq!(called(&[text, unknown]), wrong("more", "be known", 1));
}

/// Has two attributes, of which a rule allows one.
struct One;

impl DataSource for One {
    fn schema(&self) -> Schema {
        schema().optional("a", Type::String).optional("b", Type::String).sensitive("b").build()
    }

    fn validators(&self) -> Option<Validators> {
        Some(Validators::data_source("demo_one").rule("one", one()))
    }

    async fn validate(&self, config: Value) -> Outcome<Vec<Diagnostic>> {
        assert!(config.get_attr("a")?.is_null() || config.get_attr("b")?.is_null(), "both");
        Ok(Vec::new())
    }

    async fn read(&self, config: Value, _: Call) -> Outcome<Value> {
        Ok(config)
    }
}

fn one() -> Rule {
    Rule::conflicting(["a", "b"].map(|path| path.parse().expect("a path")))
}

#[test]
fn declared_validators_of_data_sources_and_of_the_provider_are_asked() -> plantime::Result<()> {
    let schema = DataSource::schema(&One);
    let both = || value!({ "a": "x", "b": "hunter2" });
    let provider = || Provider::new("demo").data_source("demo_one", One);
    let request = calls::ConfigRequest { type_name: "demo_one".to_owned(), config: sent(&schema, both()?) };
    let answered: calls::DiagnosticsResponse = answer(provider(), "ValidateDataResourceConfig", &request);
    let configured = Provider::new("demo").configured(schema.clone(), |_| async { Ok(()) });
    let configured = configured.validators(Validators::provider().rule("one", one()));
    let request = calls::ProviderConfigRequest { config: sent(&schema, both()?) };
    let of_provider: calls::ProviderConfigResponse = answer(configured, "ValidateProviderConfig", &request);
    for list in [answered.diagnostics, of_provider.diagnostics] {
        assert!(list.len() == 1 && list[0].severity() == message::Severity::Error, "{list:?}");
        assert!(list[0].detail.contains('a') && !format!("{list:?}").contains("hunter2"), "{list:?}");
    }
    Ok(())
}
