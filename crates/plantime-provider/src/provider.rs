//! A provider: its configuration, resources, data sources, ephemeral resources and functions.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use plantime::Value;
use plantime_schema::{Block, Schema};

use crate::data_source::DataSource;
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::ephemeral::EphemeralResource;
use crate::erased::{AnyDataSource, AnyEphemeral, AnyFunction, AnyResource, Boxed};
use crate::function::Function;
use crate::resource::Resource;

/// What is called with the provider's configuration.
type Configure = Arc<dyn Fn(Value) -> Boxed<Outcome<()>> + Send + Sync>;

/// What is called with a configuration of the provider, in which values may be unknown.
type Validate = Arc<dyn Fn(Value) -> Boxed<Outcome<Vec<Diagnostic>>> + Send + Sync>;

/// A provider, built from its resources, data sources, ephemeral resources and functions.
///
/// Clone is cheap: all clones are the same provider.
#[derive(Clone)]
pub struct Provider {
    pub(crate) name: String,
    pub(crate) schema: Arc<Schema>,
    pub(crate) configure: Option<Configure>,
    pub(crate) validate: Option<Validate>,
    pub(crate) resources: BTreeMap<String, Served<dyn AnyResource>>,
    pub(crate) data_sources: BTreeMap<String, Served<dyn AnyDataSource>>,
    pub(crate) ephemeral_resources: BTreeMap<String, Served<dyn AnyEphemeral>>,
    pub(crate) functions: BTreeMap<String, Arc<dyn AnyFunction>>,
    /// Whether what an apply returns is compared with the plan.
    pub(crate) checks_applies: bool,
}

/// A resource or data source with its schema, whose type is computed once.
pub(crate) struct Served<T: ?Sized> {
    pub(crate) item: Arc<T>,
    pub(crate) schema: Arc<Schema>,
}

impl<T: ?Sized> Clone for Served<T> {
    fn clone(&self) -> Served<T> {
        Served { item: Arc::clone(&self.item), schema: Arc::clone(&self.schema) }
    }
}

impl Provider {
    /// A provider without resources; `name` is the last part of its address, such as `random`.
    pub fn new(name: impl Into<String>) -> Provider {
        Provider {
            name: name.into(),
            schema: Arc::new(Schema::new(0, Block::default())),
            configure: None,
            validate: None,
            resources: BTreeMap::new(),
            data_sources: BTreeMap::new(),
            ephemeral_resources: BTreeMap::new(),
            functions: BTreeMap::new(),
            checks_applies: true,
        }
    }

    /// The same provider, which has a configuration: its schema, and what is called with it before everything but
    /// validations and functions.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_provider::{Provider, schema};
    ///
    /// let region = schema().optional("region", Type::String).build();
    /// Provider::new("demo").configured(region, |config| async move {
    ///     if config.get_attr("region")?.is_null() { Err("The region is not set".into()) } else { Ok(()) }
    /// });
    /// ```
    pub fn configured<F>(
        mut self,
        schema: Schema,
        configure: impl Fn(Value) -> F + Send + Sync + 'static,
    ) -> Provider
    where
        F: Future<Output = Outcome<()>> + Send + 'static,
    {
        self.schema = Arc::new(schema);
        self.configure = Some(Arc::new(move |config| Box::pin(configure(config))));
        self
    }

    /// The same provider, which checks its configuration: what is called with it, where values may be unknown, finds the problems.
    ///
    /// ```
    /// use plantime::{Path, Type, Value};
    /// use plantime_provider::{Diagnostic, Provider, schema};
    ///
    /// let region = schema().optional("region", Type::String).build();
    /// let provider = Provider::new("demo").configured(region, |_| async { Ok(()) });
    /// provider.validated(|config| async move {
    ///     let empty = config.get_attr("region")? == Value::from("");
    ///     let error = || Diagnostic::error("The region is empty").at(Path::new().attr("region"));
    ///     Ok(empty.then(error).into_iter().collect())
    /// });
    /// ```
    pub fn validated<F>(mut self, validate: impl Fn(Value) -> F + Send + Sync + 'static) -> Provider
    where
        F: Future<Output = Outcome<Vec<Diagnostic>>> + Send + 'static,
    {
        self.validate = Some(Arc::new(move |config| Box::pin(validate(config))));
        self
    }

    /// The same provider, which leaves it to the host to compare what an apply returns with the plan. The host's text shows the
    /// values, the one of this kit does not.
    ///
    /// ```
    /// plantime_provider::Provider::new("demo").unchecked_applies();
    /// ```
    pub fn unchecked_applies(mut self) -> Provider {
        self.checks_applies = false;
        self
    }

    /// The same provider with one more resource type. The name starts with that of the provider.
    pub fn resource(mut self, name: impl Into<String>, resource: impl Resource) -> Provider {
        let schema = Arc::new(resource.schema());
        self.resources.insert(name.into(), Served { item: Arc::new(resource), schema });
        self
    }

    /// The same provider with one more data source. The name starts with that of the provider.
    pub fn data_source(mut self, name: impl Into<String>, source: impl DataSource) -> Provider {
        let schema = Arc::new(source.schema());
        self.data_sources.insert(name.into(), Served { item: Arc::new(source), schema });
        self
    }

    /// The same provider with one more ephemeral resource type. The name starts with that of the provider.
    pub fn ephemeral_resource(
        mut self,
        name: impl Into<String>,
        resource: impl EphemeralResource,
    ) -> Provider {
        let schema = Arc::new(resource.schema());
        self.ephemeral_resources.insert(name.into(), Served { item: Arc::new(resource), schema });
        self
    }

    /// The same provider with one more function, called as `provider::PROVIDER::NAME`.
    pub fn function(mut self, name: impl Into<String>, function: impl Function) -> Provider {
        self.functions.insert(name.into(), Arc::new(function));
        self
    }

    /// The resource type with this name.
    pub(crate) fn find_resource(&self, name: &str) -> Outcome<Served<dyn AnyResource>> {
        self.resources.get(name).cloned().ok_or_else(|| self.lacks("resource type", name))
    }

    /// The data source with this name.
    pub(crate) fn find_data_source(&self, name: &str) -> Outcome<Served<dyn AnyDataSource>> {
        self.data_sources.get(name).cloned().ok_or_else(|| self.lacks("data source", name))
    }

    /// The ephemeral resource type with this name.
    pub(crate) fn find_ephemeral(&self, name: &str) -> Outcome<Served<dyn AnyEphemeral>> {
        let found = self.ephemeral_resources.get(name).cloned();
        found.ok_or_else(|| self.lacks("ephemeral resource type", name))
    }

    /// The error for a name that the provider does not have.
    fn lacks(&self, kind: &str, name: &str) -> Diagnostics {
        format!("The provider {} has no {kind} {name}", self.name).into()
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider")
            .field("name", &self.name)
            .field("resources", &self.resources.keys())
            .field("data_sources", &self.data_sources.keys())
            .field("ephemeral_resources", &self.ephemeral_resources.keys())
            .field("functions", &self.functions.keys())
            .finish_non_exhaustive()
    }
}
