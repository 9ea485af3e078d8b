//! The life of an object of a resource type.

use std::sync::Arc;

use bytes::Bytes;
use plantime::{Type, Value};
use plantime_schema::Schema;

use super::client::{Client, SchemaKind};
use super::report::{Findings, Report};
use super::{Harness, adopt, change};

/// The life of an object: steps that are added, run in their order, with a deletion at the end.
///
/// Configurations may leave attributes out: these are null.
///
/// ```
/// use plantime_schema::Schema;
/// use plantime::{Type, Value};
/// use plantime::value;
/// use plantime_provider::{Call, Harness, Outcome, Provider, Resource, schema, with_attributes};
///
/// struct Vpc;
///
/// impl Resource for Vpc {
///     fn schema(&self) -> Schema {
///         schema().version(1).required("cidr", Type::String).computed("id", Type::String).build()
///     }
///
///     fn replaced_by(&self) -> Vec<&'static str> {
///         vec!["cidr"]
///     }
///
///     async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
///         Ok(with_attributes(&planned, [("id", Value::from("vpc-1"))])?)
///     }
///
///     async fn import(&self, id: String, _: Call) -> Outcome<Value> {
///         Ok(Value::object([("cidr", Value::from("10.1.0.0/16")), ("id", Value::from(id))])?)
///     }
/// }
///
/// let harness = Harness::new(Provider::new("demo").resource("demo_vpc", Vpc));
/// harness
///     .resource("demo_vpc")
///     .upgrade(0, serde_json::json!({ "cidr": "10.0.0.0/8", "id": "vpc-1" }))
///     .apply(value!({ "cidr": "10.0.0.0/16" })?)
///     .apply(value!({ "cidr": "10.1.0.0/16" })?)
///     .import("vpc-1")
///     .run()
///     .into_result()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Life {
    harness: Harness,
    type_name: String,
    steps: Vec<Step>,
}

/// A step of a life.
#[derive(Clone, Debug)]
enum Step {
    Apply(Value),
    Refuse(Value),
    Import { id: String, except: Vec<String> },
    Upgrade { version: i64, state: serde_json::Value },
}

/// An object in the middle of its life.
pub(super) struct Object {
    pub(super) type_name: String,
    pub(super) schema: Arc<Schema>,
    pub(super) ty: Type,
    /// The state; null if there is no object.
    pub(super) state: Value,
    pub(super) private: Bytes,
}

impl Life {
    /// A life without steps.
    pub(super) fn new(harness: Harness, type_name: String) -> Life {
        Life { harness, type_name, steps: Vec::new() }
    }

    /// The same life, in which this configuration is applied next: the object is created, changed or replaced, read, and
    /// planned again.
    ///
    /// [Example](Life)
    pub fn apply(self, config: Value) -> Life {
        self.step(Step::Apply(config))
    }

    /// The same life, in which this configuration must be refused next, by an error at validation or plan.
    pub fn refuse(self, config: Value) -> Life {
        self.step(Step::Refuse(config))
    }

    /// The same life, in which the object is imported by its id next. If there is an object, what is imported must be equal to it.
    ///
    /// [Example](Life)
    pub fn import(self, id: impl Into<String>) -> Life {
        self.import_except(id, &[])
    }

    /// Like [`import`](Life::import), where these attributes need not be equal: those that no system gives back, such as
    /// passwords.
    pub fn import_except(self, id: impl Into<String>, attributes: &[&str]) -> Life {
        let except = attributes.iter().map(|name| (*name).to_owned()).collect();
        self.step(Step::Import { id: id.into(), except })
    }

    /// The same life, in which the state is the one that a schema of this version stored next.
    ///
    /// [Example](Life)
    pub fn upgrade(self, version: i64, state: serde_json::Value) -> Life {
        self.step(Step::Upgrade { version, state })
    }

    /// Adds a step.
    fn step(mut self, step: Step) -> Life {
        self.steps.push(step);
        self
    }

    /// Runs the steps, and deletes the object at the end. A step that fails is reported, and the rest runs all the same.
    ///
    /// [Example](Life)
    pub fn run(self) -> Report {
        let Life { harness, type_name, steps } = self;
        harness.run(&type_name, async |client, found| live(client, found, &type_name, steps).await)
    }
}

/// Runs the steps of a life.
async fn live(client: &Client, found: &mut Findings, type_name: &str, steps: Vec<Step>) {
    let Some((schema, ty)) = client.schema(found, SchemaKind::Resource, type_name).await else { return };
    let state = Value::null(ty.clone());
    let mut object = Object { type_name: type_name.to_owned(), schema, ty, state, private: Bytes::new() };
    for step in steps {
        match step {
            Step::Apply(config) => match object.schema.block().coerce(&config) {
                Ok(config) => change::apply(client, found, &mut object, &config).await,
                Err(error) => found.add_error("the configuration", &error),
            },
            Step::Refuse(config) => match object.schema.block().coerce(&config) {
                Ok(config) => change::refuse(client, found, &object, &config).await,
                Err(error) => found.add_error("the configuration", &error),
            },
            Step::Import { id, except } => adopt::import(client, found, &mut object, id, &except).await,
            Step::Upgrade { version, state } => {
                adopt::upgrade(client, found, &mut object, version, &state).await
            }
        }
    }
    if !object.state.is_null() {
        change::delete(client, found, &mut object).await;
    }
}
