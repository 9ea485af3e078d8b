//! The provider of `template.rs` with faults: names make its resource fail, panic, or break its plan.

use std::process::ExitCode;

use plantime::{Path, Refinement, Type, Value};
use plantime_provider::{Call, Diagnostic, Outcome, Provider, Resource, schema, serve, with_attributes};
use plantime_schema::Schema;

/// A network that exists in the state only.
struct Vpc;

impl Resource for Vpc {
    fn schema(&self) -> Schema {
        let schema = schema()
            .required("cidr", Type::String)
            .optional("name", Type::String)
            .computed("id", Type::String);
        // No attribute has this name.
        let is_misspelt = std::env::var_os("FAULTY_MISSPELT").is_some();
        if is_misspelt { schema.sensitive("nme").build() } else { schema.build() }
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
        let name = planned.get_attr("name")?;
        assert_ne!(name, Value::from("panic"), "the name is panic");
        if name == Value::from("fail") {
            return Err("There is no room for another network".into());
        }
        let id = if name == Value::from("liar") { "net-1" } else { "vpc-1" };
        Ok(with_attributes(&planned, [("id", Value::from(id))])?)
    }

    async fn import(&self, id: String, _: Call) -> Outcome<Value> {
        let text = || Value::from("10.0.0.0/16");
        Ok(Value::object([("cidr", text()), ("id", Value::from(id)), ("name", Value::null(Type::String))])?)
    }
}

fn main() -> ExitCode {
    let provider = Provider::new("demo").resource("demo_vpc", Vpc);
    // Then the host finds out by itself that a plan was not kept.
    let is_checked = std::env::var_os("FAULTY_UNCHECKED").is_none();
    serve(if is_checked { provider } else { provider.unchecked_applies() })
}
