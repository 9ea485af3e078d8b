//! A provider with one resource type, whose ids are known to start with `vpc-` before they exist.

use std::process::ExitCode;

use plantime::{Path, Refinement, Type, Value};
use plantime_provider::{Call, Diagnostic, Outcome, Provider, Resource, schema, serve, with_attributes};
use plantime_schema::Schema;

/// A network that exists in the state only.
struct Vpc;

impl Resource for Vpc {
    fn schema(&self) -> Schema {
        schema()
            .required("cidr", Type::String)
            .optional("name", Type::String)
            .computed("id", Type::String)
            .build()
    }

    fn facts(&self) -> Vec<(&'static str, Refinement)> {
        vec![("id", Refinement::prefix("vpc-").and_not_null())]
    }

    fn replaced_by(&self) -> Vec<&'static str> {
        vec!["cidr"]
    }

    async fn validate(&self, config: Value) -> Outcome<Vec<Diagnostic>> {
        let empty = config.get_attr("cidr")? == Value::from("");
        let error = || Diagnostic::error("The range of addresses is empty").at(Path::new().attr("cidr"));
        Ok(empty.then(error).into_iter().collect())
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        Ok(with_attributes(&planned, [("id", Value::from("vpc-1"))])?)
    }

    async fn import(&self, id: String, _: Call) -> Outcome<Value> {
        let text = || Value::from("10.0.0.0/16");
        Ok(Value::object([("cidr", text()), ("id", Value::from(id)), ("name", Value::null(Type::String))])?)
    }
}

fn main() -> ExitCode {
    serve(Provider::new("demo").resource("demo_vpc", Vpc))
}
