//! The traits that a provider implements.

use std::future::{Future, ready};

use plantime::schema::Schema;
use plantime::{Refinement, Type, Value};

use crate::diagnostic::{Diagnostic, Outcome};
use crate::plan::{Change, Plan};

/// A resource type: its schema, and how its objects are planned, created, read, updated and deleted.
///
/// All values have the implied type of the schema. Only `schema` and `create` have no default.
pub trait Resource: Send + Sync + 'static {
    /// The attributes and blocks.
    fn schema(&self) -> Schema;

    /// What is known of attributes that the provider will choose, by name. Planned unknowns carry it, so that
    /// conditions can be decided at plan; what an apply returns is checked against it.
    fn facts(&self) -> Vec<(&'static str, Refinement)> {
        Vec::new()
    }

    /// The attributes that cannot be changed: a change replaces the object.
    fn replaced_by(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The problems of a configuration, in which values may be unknown.
    fn validate(&self, config: Value) -> impl Future<Output = Outcome<Vec<Diagnostic>>> + Send {
        let _ = config;
        ready(Ok(Vec::new()))
    }

    /// The plan of a change. `plan` is the one that follows from the schema, the facts and `replaced_by`.
    fn plan(&self, change: Change, plan: Plan) -> impl Future<Output = Outcome<Plan>> + Send {
        let _ = change;
        ready(Ok(plan))
    }

    /// Creates the object and returns its state: the planned one with every unknown value made known.
    fn create(&self, planned: Value) -> impl Future<Output = Outcome<Value>> + Send;

    /// The current state of an object; `None` if it is gone.
    fn read(&self, state: Value) -> impl Future<Output = Outcome<Option<Value>>> + Send {
        ready(Ok(Some(state)))
    }

    /// Changes the object and returns its state.
    fn update(&self, prior: Value, planned: Value) -> impl Future<Output = Outcome<Value>> + Send {
        let _ = prior;
        ready(Ok(planned))
    }

    /// Deletes the object.
    fn delete(&self, prior: Value) -> impl Future<Output = Outcome<()>> + Send {
        let _ = prior;
        ready(Ok(()))
    }

    /// The state of the existing object with this id. Attributes other than those that [`read`](Resource::read) needs may be null:
    /// the host calls `read` next, which fills them in.
    fn import(&self, id: String) -> impl Future<Output = Outcome<Value>> + Send {
        let _ = id;
        ready(Err("This resource type cannot be imported".into()))
    }

    /// A state of an earlier schema version as one of the current schema.
    fn upgrade(&self, version: i64, state: serde_json::Value) -> Outcome<serde_json::Value> {
        let _ = version;
        Ok(state)
    }
}

/// A data source: its schema, and how it is read.
pub trait DataSource: Send + Sync + 'static {
    /// The attributes and blocks.
    fn schema(&self) -> Schema;

    /// The problems of a configuration, in which values may be unknown.
    fn validate(&self, config: Value) -> impl Future<Output = Outcome<Vec<Diagnostic>>> + Send {
        let _ = config;
        ready(Ok(Vec::new()))
    }

    /// The configuration with everything computed filled in.
    fn read(&self, config: Value) -> impl Future<Output = Outcome<Value>> + Send;
}

/// A provider function.
pub trait Function: Send + Sync + 'static {
    /// Parameters and result.
    fn signature(&self) -> Signature;

    /// The result for arguments of the declared types; those of the variadic parameter follow the others.
    ///
    /// # Errors
    ///
    /// The text that the user reads, and the index of the argument that it is about.
    fn call(
        &self,
        arguments: Vec<Value>,
    ) -> impl Future<Output = Result<Value, (String, Option<usize>)>> + Send;
}

/// The signature of a [`Function`].
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) variadic: Option<Parameter>,
    pub(crate) result: Type,
    pub(crate) summary: String,
    pub(crate) description: String,
}

impl Signature {
    /// A function without parameters and with this result type.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_provider::{Parameter, Signature};
    ///
    /// Signature::new(Type::Bool, "Whether a name is valid").parameter(Parameter::new("name", Type::String).unknown());
    /// ```
    pub fn new(result: Type, summary: impl Into<String>) -> Signature {
        Signature {
            parameters: Vec::new(),
            variadic: None,
            result,
            summary: summary.into(),
            description: String::new(),
        }
    }

    /// The same signature with one more parameter.
    pub fn parameter(mut self, parameter: Parameter) -> Signature {
        self.parameters.push(parameter);
        self
    }

    /// The same signature with a parameter that takes any number of arguments, after all others.
    pub fn variadic(mut self, parameter: Parameter) -> Signature {
        self.variadic = Some(parameter);
        self
    }

    /// The same signature with a description in Markdown.
    pub fn description(mut self, description: impl Into<String>) -> Signature {
        self.description = description.into();
        self
    }
}

/// A parameter of a [`Signature`].
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) nullable: bool,
    pub(crate) unknown: bool,
    pub(crate) description: String,
}

impl Parameter {
    /// A parameter that takes neither null nor unknown values: the host answers calls with those itself.
    pub fn new(name: impl Into<String>, ty: Type) -> Parameter {
        Parameter { name: name.into(), ty, nullable: false, unknown: false, description: String::new() }
    }

    /// The same parameter, which takes null too.
    pub fn nullable(mut self) -> Parameter {
        self.nullable = true;
        self
    }

    /// The same parameter, which takes unknown values too.
    pub fn unknown(mut self) -> Parameter {
        self.unknown = true;
        self
    }

    /// The same parameter with a description in Markdown.
    pub fn description(mut self, description: impl Into<String>) -> Parameter {
        self.description = description.into();
        self
    }
}
