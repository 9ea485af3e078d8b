//! A test harness for authors of providers, without a host.
//!
//! | file | does |
//! |---|---|
//! | this one | what a test is made of |
//! | `client` | calls the provider in process, with the messages of the protocol |
//! | `life` | the life of an object, step by step |
//! | `change` | one plan and its apply |
//! | `adopt` | import, and upgrade of a stored state |
//! | `others` | schemas, data sources, functions, ephemeral resources |
//! | `secrets` | content of sensitive attributes in other places |
//! | `differences` | where two values differ |
//! | `report` | what was found |

mod adopt;
mod change;
mod client;
mod differences;
mod life;
mod others;
mod report;
mod secrets;
#[cfg(test)]
mod tests;

use plantime::Value;

use self::client::Client;
pub use self::life::Life;
use self::report::Findings;
pub use self::report::{Report, Violation};
use crate::handshake::Protocol;
use crate::provider::Provider;

/// Drives a provider in process as Terraform's core does, and checks after each call what core checks, and more.
///
/// | call | what is checked |
/// |---|---|
/// | `GetProviderSchema` | what no provider may declare: [`Block::check`](plantime_schema::Block::check) |
/// | `ValidateResourceConfig` | the configuration is accepted, also while its values are unknown |
/// | `PlanResourceChange` | the planned state fits type, configuration and prior state; paths of replacements exist; a plan made while values are unknown is kept by the one made when they are known; the plan of a deletion is null |
/// | `ApplyResourceChange` | the state is wholly known and keeps the plan and its refinements; a deletion leaves none |
/// | `UpgradeResourceState` | a stored state reads back as it was; of an earlier version's state, no attribute is lost |
/// | `ReadResource` | the state has the type, and is the one that was just applied |
/// | `PlanResourceChange` again | nothing is left to do |
/// | `ImportResourceState` | there is one object, of its type, whose state after a read is the one that is known |
/// | `ReadDataSource`, `OpenEphemeralResource` | the result has the type, is wholly known, and keeps the configuration |
/// | `CallFunction` | two calls agree; the result for unknown arguments may become the one for known arguments |
/// | all | no errors, no panics; private state is kept; content of sensitive attributes shows nowhere else |
///
/// All violations are reported, each with the call and the place.
///
/// ```
/// use plantime_schema::Schema;
/// use plantime::{Type, Value};
/// use plantime::value;
/// use plantime_provider::{Call, Harness, Outcome, Provider, Report, Resource, schema, with_attributes};
///
/// struct Vpc;
///
/// impl Resource for Vpc {
///     fn schema(&self) -> Schema {
///         schema().required("cidr", Type::String).computed("id", Type::String).build()
///     }
///
///     async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
///         // The fault: the provider writes another value than the planned one.
///         Ok(with_attributes(&planned, [("id", Value::from("vpc-1")), ("cidr", Value::from("10.0.0.0/8"))])?)
///     }
/// }
///
/// let harness = Harness::new(Provider::new("demo").resource("demo_vpc", Vpc));
/// let report = harness.resource("demo_vpc").apply(value!({ "cidr": "10.0.0.0/16" })?).run();
/// assert!(report.to_string().contains(
///     "ApplyResourceChange (create) of demo_vpc: .cidr: was cty.StringVal(\"10.0.0.0/16\"), \
///      but now cty.StringVal(\"10.0.0.0/8\")"
/// ));
/// assert!(report.into_result().is_err());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Harness {
    provider: Provider,
    protocol: Protocol,
    config: Option<Value>,
    #[cfg(test)]
    tamper: Option<client::Tamper>,
}

impl Harness {
    /// A harness of this provider, over protocol 6.
    ///
    /// [Example](Harness)
    pub fn new(provider: Provider) -> Harness {
        Harness {
            provider,
            protocol: Protocol::V6,
            config: None,
            #[cfg(test)]
            tamper: None,
        }
    }

    /// The same harness over protocol 5.
    pub fn protocol_5(mut self) -> Harness {
        self.protocol = Protocol::V5;
        self
    }

    /// The same harness with a configuration of the provider. Attributes that are left out are null.
    pub fn configured(mut self, config: Value) -> Harness {
        self.config = Some(config);
        self
    }

    /// The life of an object of this resource type, to which steps are added.
    ///
    /// [Example](Harness)
    pub fn resource(&self, type_name: impl Into<String>) -> Life {
        Life::new(self.clone(), type_name.into())
    }

    /// Checks all schemas of the provider, and its configuration.
    pub fn schemas(&self) -> Report {
        self.run("", async |_, _| {})
    }

    /// Reads a data source.
    pub fn data_source(&self, type_name: &str, config: Value) -> Report {
        self.run(type_name, async |client, found| {
            others::data_source(client, found, type_name, &config).await
        })
    }

    /// Opens an ephemeral resource, renews it if it asks for that, and closes it.
    pub fn ephemeral_resource(&self, type_name: &str, config: Value) -> Report {
        self.run(type_name, async |client, found| others::ephemeral(client, found, type_name, &config).await)
    }

    /// Calls a function with known arguments, and with some of them unknown where its signature allows that.
    pub fn function(&self, name: &str, arguments: &[Value]) -> Report {
        self.run(name, async |client, found| others::function(client, found, name, arguments).await)
    }

    /// Checks the schemas, configures the provider, and runs the rest.
    fn run(&self, subject: &str, rest: impl AsyncFnOnce(&Client, &mut Findings)) -> Report {
        let mut found = Findings::new(subject);
        match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Err(error) => found.add("", format!("no runtime could be started: {error}")),
            Ok(runtime) => runtime.block_on(async {
                let client = Client::new(self);
                if others::prepare(&client, &mut found, self.config.as_ref()).await {
                    rest(&client, &mut found).await;
                }
            }),
        }
        found.into_report()
    }
}
