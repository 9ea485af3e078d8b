//! The provider of `template.rs` as most providers are: it says nothing of its ids at plan. A variable names the id that it
//! chooses, another one the file that its process number is written to.

use std::process::ExitCode;

use plantime::schema::Schema;
use plantime::{Type, Value};
use plantime_provider::{Call, Outcome, Provider, Resource, schema, serve, with_attributes};

/// A network that exists in the state only.
struct Vpc;

impl Resource for Vpc {
    fn schema(&self) -> Schema {
        schema()
            .required("cidr", Type::String)
            .optional("name", Type::String)
            .optional("token", Type::String)
            .sensitive("token")
            .computed("id", Type::String)
            .build()
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        let id = std::env::var("PLAIN_ID").unwrap_or_else(|_| "vpc-1".to_owned());
        Ok(with_attributes(&planned, [("id", Value::from(id))])?)
    }
}

fn main() -> ExitCode {
    if let Ok(file) = std::env::var("PLAIN_PID_FILE") {
        // A test that finds no file fails by itself.
        let _ = std::fs::write(file, std::process::id().to_string());
    }
    serve(Provider::new("demo").resource("demo_vpc", Vpc))
}
