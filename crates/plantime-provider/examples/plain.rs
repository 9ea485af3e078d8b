//! The provider of `template.rs` as most providers are: it says nothing of its ids at plan. Variables name the id that it
//! chooses, the file that its process number is written to, how large its schema is and how long a plan takes.

use std::process::ExitCode;

use plantime::{Type, Value};
use plantime_provider::{Call, Change, Outcome, Plan, Provider, Resource, schema, serve, with_attributes};
use plantime_schema::{Attribute, AttributeType, Schema};

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

    async fn plan(&self, _: Change, plan: Plan, _: Call) -> Outcome<Plan> {
        let delay = std::env::var("PLAIN_DELAY_MICROSECONDS").ok().and_then(|delay| delay.parse().ok());
        if let Some(delay) = delay {
            // The timer of the runtime counts milliseconds only.
            std::thread::sleep(std::time::Duration::from_micros(delay));
        }
        Ok(plan)
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        let id = std::env::var("PLAIN_ID").unwrap_or_else(|_| "vpc-1".to_owned());
        Ok(with_attributes(&planned, [("id", Value::from(id))])?)
    }
}

/// A resource type whose schema has 1 MiB.
struct Large;

impl Resource for Large {
    fn schema(&self) -> Schema {
        let mut attribute = Attribute::new(AttributeType::Plain(Type::String));
        attribute.optional = true;
        attribute.description = Some("x".repeat(1 << 20));
        schema().attribute("a", attribute).build()
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        Ok(planned)
    }
}

fn main() -> ExitCode {
    if let Ok(file) = std::env::var("PLAIN_PID_FILE") {
        // A test that finds no file fails by itself.
        let _ = std::fs::write(file, std::process::id().to_string());
    }
    let provider = Provider::new("demo").resource("demo_vpc", Vpc);
    let large = std::env::var("PLAIN_SCHEMA_MIB").ok().and_then(|mebibytes| mebibytes.parse().ok());
    serve(
        (0..large.unwrap_or(0))
            .fold(provider, |provider, index| provider.resource(format!("demo_large{index}"), Large)),
    )
}
