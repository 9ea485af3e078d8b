//! Providers whose code panics, or returns what is no value of the schema.

use plantime::{Type, Value};
use plantime_schema::Schema;
use prost::Message;

use super::super::*;
use super::{state, summaries};
use crate::timeouts::Operation;
use crate::{Call, DataSource, Function, Resource, Signature, schema, with_attributes};

fn panics<T>() -> T {
    panic!("no such region")
}

/// A resource type that panics in one place, or creates another value than one of its schema.
#[derive(Clone, Copy, PartialEq)]
enum Faulty {
    Identity,
    Timeout,
    WrongType,
    LacksName,
}

impl Resource for Faulty {
    fn schema(&self) -> Schema {
        schema().required("name", Type::String).computed("id", Type::String).build()
    }

    fn identity(&self) -> Vec<&'static str> {
        if *self == Faulty::Identity { panics() } else { Vec::new() }
    }

    fn timeout(&self, _: Operation) -> std::time::Duration {
        if *self == Faulty::Timeout { panics() } else { std::time::Duration::from_secs(9) }
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        Ok(match self {
            Faulty::WrongType => Value::object([("name", Value::list([true])?), ("id", Value::from("f-1"))])?,
            Faulty::LacksName => Value::object([("id", Value::from("f-1"))])?,
            Faulty::Identity | Faulty::Timeout => with_attributes(&planned, [("id", Value::from("f-1"))])?,
        })
    }
}

/// A data source whose method `timeout` panics.
struct Source;

impl DataSource for Source {
    fn schema(&self) -> Schema {
        schema().computed("id", Type::String).build()
    }

    fn timeout(&self) -> std::time::Duration {
        panics()
    }

    async fn read(&self, config: Value, _: Call) -> Outcome<Value> {
        Ok(config)
    }
}

/// A function whose method `signature` panics.
struct Nameless;

impl Function for Nameless {
    fn signature(&self) -> Signature {
        panics()
    }

    async fn call(&self, _: Vec<Value>) -> crate::erased::Called {
        Ok(Value::from(true))
    }
}

/// The answer to a call of this provider.
pub(super) fn answer<A: Message + Default>(provider: Provider, method: &str, request: &impl Message) -> A {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let server = Server::new(provider, Protocol::V6);
    let path = format!("/tfplugin6.Provider/{method}");
    let answer = runtime.block_on(server.call(&path, &request.encode_to_vec())).expect("an answer");
    A::decode(answer.as_slice()).expect("a message")
}

/// What an apply of a new object leaves behind.
fn created(resource: Faulty) -> (Option<message::DynamicValue>, Vec<String>) {
    let apply = calls::ApplyRequest {
        type_name: "demo_faulty".to_owned(),
        planned_state: state(Value::from("n"), Value::unknown(Type::String)),
        config: state(Value::from("n"), Value::null(Type::String)),
        ..calls::ApplyRequest::default()
    };
    let provider = Provider::new("demo").resource("demo_faulty", resource);
    let answer: calls::ApplyResponse = answer(provider, "ApplyResourceChange", &apply);
    (answer.new_state, summaries(answer.diagnostics))
}

#[test]
fn what_was_created_is_not_lost() {
    let whole = state(Value::from("n"), Value::from("f-1"));
    assert_eq!(created(Faulty::Identity), (whole.clone(), vec!["The object has no identity".to_owned()]));
    for fault in [Faulty::WrongType, Faulty::LacksName] {
        let (stored, problems) = created(fault);
        assert_eq!((stored, problems.is_empty()), (whole.clone(), false), "{problems:?}");
    }
    // Before it begins.
    let (stored, problems) = created(Faulty::Timeout);
    assert_eq!((stored, problems), (None, vec!["The provider panicked: no such region".to_owned()]));
}

#[test]
fn panics_of_what_does_not_wait_are_diagnostics() {
    let demo = || Provider::new("demo");
    let text = "The provider panicked: no such region";
    let empty = schema().build();
    let configured = demo().configured(empty.clone(), |_| -> std::future::Ready<Outcome<()>> { panics() });
    let answered: calls::DiagnosticsResponse =
        answer(configured, "ConfigureProvider", &calls::ConfigureRequest::default());
    assert_eq!(summaries(answered.diagnostics), [text]);
    let validated = demo().validated(|_| -> std::future::Ready<Outcome<Vec<Diagnostic>>> { panics() });
    let answered: calls::ProviderConfigResponse =
        answer(validated, "ValidateProviderConfig", &calls::ProviderConfigRequest::default());
    assert_eq!(summaries(answered.diagnostics), [text]);
    let read =
        calls::ReadDataRequest { type_name: "demo_source".to_owned(), ..calls::ReadDataRequest::default() };
    let answered: calls::DataResponse =
        answer(demo().data_source("demo_source", Source), "ReadDataSource", &read);
    assert_eq!(summaries(answered.diagnostics), [text]);
    let answered: calls::FunctionsResponse =
        answer(demo().function("f", Nameless), "GetFunctions", &calls::Empty {});
    assert_eq!(summaries(answered.diagnostics), [text]);
    let call = calls::CallRequest { name: "f".to_owned(), ..calls::CallRequest::default() };
    let answered: calls::CallResponse = answer(demo().function("f", Nameless), "CallFunction", &call);
    assert_eq!(answered.error.map(|error| error.text), Some(text.to_owned()));
    let identities: calls::IdentitySchemasResponse = answer(
        demo().resource("demo_faulty", Faulty::Identity),
        "GetResourceIdentitySchemas",
        &calls::Empty {},
    );
    assert_eq!(summaries(identities.diagnostics), [text]);
}
