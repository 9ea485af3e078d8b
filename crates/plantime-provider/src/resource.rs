//! Resource types.

use std::future::{Future, ready};
use std::time::Duration;

use plantime::{Refinement, Value};
use plantime_schema::Schema;
use plantime_schema::planning::Behaviours;

use crate::call::Call;
use crate::diagnostic::{Diagnostic, Outcome};
use crate::plan::{Change, Plan};
use crate::schema::with_attributes;
use crate::timeouts::Operation;

/// How long an operation may take where nothing else is said: 20 minutes, as the SDK for Go has it.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20 * 60);

/// A resource type: its schema, and how its objects are planned, created, read, updated and deleted.
///
/// All values have the implied type of the schema. Only `schema` and `create` have no default.
///
/// | what | methods |
/// |---|---|
/// | schema | [`schema`](Resource::schema), [`upgrade`](Resource::upgrade) of what an earlier version stored |
/// | plan | [`validate`](Resource::validate), [`facts`](Resource::facts), [`replaced_by`](Resource::replaced_by), [`behaviours`](Resource::behaviours), [`plan`](Resource::plan) |
/// | objects | [`create`](Resource::create), [`read`](Resource::read), [`update`](Resource::update), [`delete`](Resource::delete), [`timeout`](Resource::timeout) |
/// | objects that exist | [`import`](Resource::import), [`identity`](Resource::identity), [`import_by_identity`](Resource::import_by_identity), [`take_over`](Resource::take_over) |
///
/// ```
/// use plantime_schema::Schema;
/// use plantime::{Refinement, Type, Value};
/// use plantime_provider::{Call, Operation, Outcome, Resource, schema, with_attributes};
///
/// struct Database;
///
/// impl Resource for Database {
///     fn schema(&self) -> Schema {
///         let schema = schema().required("name", Type::String).optional("password", Type::String).sensitive("password");
///         schema.computed("id", Type::String).timeouts(&[Operation::Create]).build()
///     }
///
///     fn facts(&self) -> Vec<(&'static str, Refinement)> {
///         vec![("id", Refinement::prefix("db-").and_not_null())]
///     }
///
///     async fn create(&self, planned: Value, call: Call) -> Outcome<Value> {
///         // Without `redacted`, the log would show the password.
///         tracing::info!(planned = %call.redacted(&planned), "create a database");
///         call.set_private("shard", serde_json::json!(7));
///         Ok(with_attributes(&planned, [("id", Value::from("db-1"))])?)
///     }
/// }
/// ```
pub trait Resource: Send + Sync + 'static {
    /// The attributes and blocks.
    fn schema(&self) -> Schema;

    /// What is known of values that the provider will choose, by path, such as `id` or `disk[*].id`. Planned unknowns carry
    /// it, so that conditions can be decided at plan; what an apply returns is checked against it.
    fn facts(&self) -> Vec<(&'static str, Refinement)> {
        Vec::new()
    }

    /// The attributes that cannot be changed: a change replaces the object.
    fn replaced_by(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// How attributes and blocks behave: defaults, rules, what replaces the object, what stays known at an update; see
    /// [`plan_resource`](plantime_schema::planning::plan_resource), whose plan it is then, with `facts` and `replaced_by` added. Rules are
    /// evaluated when the configuration is validated and when the change is planned. None means that the schema says it all:
    /// computed attributes keep their values at an update.
    ///
    /// Of a type with behaviours of the [SDK](plantime_schema::planning::Behaviours::sdk), hosts hear that it plans by the type system of
    /// the SDK: they accept defaults of what is not computed, and state functions, whose plans differ from the configuration, and hold
    /// what an apply returns against the facts only.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviour, Behaviours};
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::RuleSet;
    /// use plantime_schema::Schema;
    /// use plantime::{Type, Value};
    /// use plantime::value;
    /// use plantime_provider::{Call, Harness, Outcome, Provider, Resource, schema, with_attributes};
    ///
    /// struct Vpc;
    ///
    /// impl Resource for Vpc {
    ///     fn schema(&self) -> Schema {
    ///         let schema = schema().required("cidr", Type::String).optional_computed("tenancy", Type::String);
    ///         schema.computed("id", Type::String).build()
    ///     }
    ///
    ///     fn behaviours(&self) -> Option<Behaviours> {
    ///         let cidr = Behaviour::new().force_new().validate(RuleSet::new([Rule::starts_with("10.")]));
    ///         let tenancy = Behaviour::new().default_value("default");
    ///         let behaviours = Behaviours::framework().at("cidr", cidr).at("tenancy", tenancy);
    ///         Some(behaviours.at("id", Behaviour::new().use_state_for_unknown()))
    ///     }
    ///
    ///     async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
    ///         Ok(with_attributes(&planned, [("id", Value::from("vpc-1"))])?)
    ///     }
    /// }
    ///
    /// let harness = Harness::new(Provider::new("demo").resource("demo_vpc", Vpc));
    /// let life = harness.resource("demo_vpc").refuse(value!({ "cidr": "192.168.0.0/16" })?);
    /// life.apply(value!({ "cidr": "10.0.0.0/16" })?).apply(value!({ "cidr": "10.1.0.0/16" })?).run().into_result()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn behaviours(&self) -> Option<Behaviours> {
        None
    }

    /// The attributes that identify an object among those of its type, such as `id`; hosts from Terraform 1.12 on store their
    /// values beside the state, and import by them. None means that the type has no identity.
    fn identity(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The attributes in which different values may mean the same, such as JSON texts, each with a function that says whether two
    /// do: of a plan, an apply and a read, a value that means what was there before is no difference, and the earlier one stays.
    /// The function gets wholly known values that are not null.
    ///
    /// ```
    /// use plantime::{Type, Value};
    /// use plantime_provider::{Call, Outcome, Resource, SameMeaning, schema};
    /// use plantime_schema::Schema;
    ///
    /// struct Policy;
    ///
    /// impl Resource for Policy {
    ///     fn schema(&self) -> Schema {
    ///         schema().required("document", Type::String).build()
    ///     }
    ///
    ///     fn semantic_equality(&self) -> Vec<(&'static str, SameMeaning)> {
    ///         vec![("document", |before, now| {
    ///             let json = |value: &Value| serde_json::from_str::<serde_json::Value>(value.as_str().unwrap_or_default()).ok();
    ///             json(before).is_some() && json(before) == json(now)
    ///         })]
    ///     }
    ///
    ///     async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
    ///         Ok(planned)
    ///     }
    /// }
    /// ```
    fn semantic_equality(&self) -> Vec<(&'static str, SameMeaning)> {
        Vec::new()
    }

    /// How long an operation may take where the block `timeouts` does not say: see [`Call::until_cancelled`].
    fn timeout(&self, operation: Operation) -> Duration {
        let _ = operation;
        DEFAULT_TIMEOUT
    }

    /// The problems of a configuration, in which values may be unknown. What the schema says of it is enforced before: it is called
    /// with no null for what is required, and with no value for what only the provider sets.
    fn validate(&self, config: Value) -> impl Future<Output = Outcome<Vec<Diagnostic>>> + Send {
        let _ = config;
        ready(Ok(Vec::new()))
    }

    /// The plan of a change. `plan` is the one that follows from the schema, the facts and `replaced_by`.
    fn plan(&self, change: Change, plan: Plan, call: Call) -> impl Future<Output = Outcome<Plan>> + Send {
        let _ = (change, call);
        ready(Ok(plan))
    }

    /// Creates the object and returns its state: the planned one with every unknown value made known.
    fn create(&self, planned: Value, call: Call) -> impl Future<Output = Outcome<Value>> + Send;

    /// The current state of an object; `None` if it is gone.
    fn read(&self, state: Value, call: Call) -> impl Future<Output = Outcome<Option<Value>>> + Send {
        let _ = call;
        ready(Ok(Some(state)))
    }

    /// Changes the object and returns its state.
    fn update(
        &self,
        prior: Value,
        planned: Value,
        call: Call,
    ) -> impl Future<Output = Outcome<Value>> + Send {
        let _ = (prior, call);
        ready(Ok(planned))
    }

    /// Deletes the object.
    fn delete(&self, prior: Value, call: Call) -> impl Future<Output = Outcome<()>> + Send {
        let _ = (prior, call);
        ready(Ok(()))
    }

    /// The state of the existing object with this id; [`Call::object_with`] makes one that has no more. Attributes other than those that [`read`](Resource::read) needs may be null:
    /// the host calls `read` next, which fills them in.
    fn import(&self, id: String, call: Call) -> impl Future<Output = Outcome<Value>> + Send {
        let _ = (id, call);
        ready(Err("This resource type cannot be imported".into()))
    }

    /// The state of the existing object with these attributes of [`identity`](Resource::identity), like
    /// [`import`](Resource::import). It is the object with these attributes, and null for all others.
    fn import_by_identity(&self, identity: Value, call: Call) -> impl Future<Output = Outcome<Value>> + Send {
        let _ = call;
        let state = || {
            let empty = self.schema().block().empty_value()?;
            let names = self.identity();
            let known = names.iter().map(|name| Ok((*name, identity.get_attr(name)?)));
            Ok(with_attributes(&empty, known.collect::<plantime::Result<Vec<_>>>()?)?)
        };
        ready(state())
    }

    /// A state of an earlier schema version as one of the current schema.
    fn upgrade(&self, version: i64, state: serde_json::Value) -> Outcome<serde_json::Value> {
        let _ = version;
        Ok(state)
    }

    /// The state of an object of another resource type, perhaps of another provider, as one of this type: for `moved` blocks.
    fn take_over(&self, source: MoveSource) -> Outcome<serde_json::Value> {
        Err(format!("This resource type cannot take over objects of {}", source.type_name).into())
    }
}

/// Whether two values, the earlier one and the new one, mean the same: see [`Resource::semantic_equality`].
pub type SameMeaning = fn(&Value, &Value) -> bool;

/// An object of another resource type: see [`Resource::take_over`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoveSource {
    /// The full address of the provider that has the type, such as `registry.terraform.io/hashicorp/aws`.
    pub provider: String,
    /// The resource type.
    pub type_name: String,
    /// The schema version of the state.
    pub version: i64,
    /// The stored state.
    pub state: serde_json::Value,
    /// The call, which can [warn](Call::warn).
    pub call: Call,
}
