//! A provider: its configuration, resources, data sources, ephemeral resources and functions.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use plantime::Value;
use plantime::rule::Validators;
use plantime_schema::{Block, Schema};

use crate::built;
use crate::call::{Call, Data};
use crate::data_source::DataSource;
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::ephemeral::EphemeralResource;
use crate::erased::{AnyDataSource, AnyEphemeral, AnyFunction, AnyResource, Boxed};
use crate::function::Function;
use crate::resource::Resource;

/// What is called with the provider's configuration, and leaves data for its resources.
type Configure = Arc<dyn Fn(Value, Call) -> Boxed<Outcome<Data>> + Send + Sync>;

/// What is called with a configuration of the provider, in which values may be unknown.
type Validate = Arc<dyn Fn(Value) -> Boxed<Outcome<Vec<Diagnostic>>> + Send + Sync>;

/// A provider, built from its resources, data sources, ephemeral resources and functions.
///
/// Clone is cheap: all clones are the same provider.
///
/// Names that do not exist, names that are given twice, and types whose names do not begin with the one of the provider are errors:
/// a provider that has one shows them to its host in the place of its schemas, and [`check`](Provider::check) returns them.
#[derive(Clone)]
#[must_use = "a provider is used by `serve`"]
pub struct Provider {
    pub(crate) name: String,
    pub(crate) schema: Arc<Schema>,
    pub(crate) configure: Option<Configure>,
    pub(crate) validate: Option<Validate>,
    pub(crate) validators: Option<Validators>,
    /// The schema of the block `provider_meta`.
    pub(crate) meta: Option<Arc<Schema>>,
    pub(crate) resources: BTreeMap<String, Served<dyn AnyResource>>,
    pub(crate) data_sources: BTreeMap<String, Served<dyn AnyDataSource>>,
    pub(crate) ephemeral_resources: BTreeMap<String, Served<dyn AnyEphemeral>>,
    pub(crate) functions: BTreeMap<String, Arc<dyn AnyFunction>>,
    /// Whether what an apply returns is compared with the plan.
    pub(crate) checks_applies: bool,
    /// What is wrong with the provider, found while it was built.
    wrong: Vec<Diagnostic>,
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
            validators: None,
            meta: None,
            resources: BTreeMap::new(),
            data_sources: BTreeMap::new(),
            ephemeral_resources: BTreeMap::new(),
            functions: BTreeMap::new(),
            checks_applies: true,
            wrong: Vec::new(),
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
        self,
        schema: Schema,
        configure: impl Fn(Value) -> F + Send + Sync + 'static,
    ) -> Provider
    where
        F: Future<Output = Outcome<()>> + Send + 'static,
    {
        self.configured_with(schema, move |config, _| configure(config))
    }

    /// Like [`configured`](Provider::configured), where what is called returns what the resources need, such as a client:
    /// [`Call::data`] has it. It is called again where a host configures the provider again.
    ///
    /// ```
    /// use plantime::{Type, Value};
    /// use plantime_provider::{Call, DataSource, Diagnostic, Outcome, Provider, schema, with_attributes};
    /// use plantime_schema::Schema;
    ///
    /// struct Client {
    ///     region: String,
    /// }
    ///
    /// struct Here;
    ///
    /// impl DataSource for Here {
    ///     fn schema(&self) -> Schema {
    ///         schema().computed("region", Type::String).build()
    ///     }
    ///
    ///     async fn read(&self, config: Value, call: Call) -> Outcome<Value> {
    ///         let client = call.data::<Client>().ok_or("The provider is not configured")?;
    ///         Ok(with_attributes(&config, [("region", Value::from(client.region.as_str()))])?)
    ///     }
    /// }
    ///
    /// let region = schema().optional("region", Type::String).build();
    /// let provider = Provider::new("demo").configured_with(region, |config, call| async move {
    ///     let region = config.get_attr("region")?;
    ///     if region.is_null() {
    ///         call.warn(Diagnostic::warning("The region is eu, as none is set"));
    ///     }
    ///     Ok(Client { region: region.as_str().unwrap_or("eu").to_owned() })
    /// });
    /// let harness = plantime_provider::Harness::new(provider.data_source("demo_here", Here));
    /// harness.data_source("demo_here", plantime::value!({})?).into_result()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn configured_with<T, F>(
        mut self,
        schema: Schema,
        configure: impl Fn(Value, Call) -> F + Send + Sync + 'static,
    ) -> Provider
    where
        T: Any + Send + Sync,
        F: Future<Output = Outcome<T>> + Send + 'static,
    {
        if self.configure.is_some() {
            self.wrong("the provider", "it is configured twice");
        }
        for text in built::schema(&schema, built::Kind::Provider) {
            self.wrong("the provider's configuration", text);
        }
        self.schema = Arc::new(schema);
        self.configure = Some(Arc::new(move |config, call| {
            let configured = configure(config, call);
            Box::pin(async move { Ok(Arc::new(configured.await?) as Data) })
        }));
        self
    }

    /// The same provider with a schema of the block `provider_meta`, in which a module says something of itself to the provider:
    /// [`Call::meta`] has it.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_provider::{Provider, schema};
    ///
    /// let provider = Provider::new("demo").meta(schema().optional("module_name", Type::String).build());
    /// assert!(provider.check().is_ok());
    /// ```
    pub fn meta(mut self, schema: Schema) -> Provider {
        for text in built::schema(&schema, built::Kind::Provider) {
            self.wrong("provider_meta", text);
        }
        if self.meta.replace(Arc::new(schema)).is_some() {
            self.wrong("provider_meta", "it is given twice");
        }
        self
    }

    /// The same provider with rules on its configuration, such as attributes that exclude each other: they are evaluated before what
    /// [`validated`](Provider::validated) calls, and show nothing sensitive.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::{Rule, Validators};
    /// use plantime_provider::{Provider, schema};
    ///
    /// let login = schema().optional("token", Type::String).optional("key_file", Type::String).build();
    /// let one = Rule::exactly_one_of(["token".parse()?, "key_file".parse()?]);
    /// Provider::new("demo").configured(login, |_| async { Ok(()) }).validators(Validators::provider().rule("one-login", one));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn validators(mut self, validators: Validators) -> Provider {
        if self.validators.replace(validators).is_some() {
            self.wrong("the provider", "validators are given twice");
        }
        self
    }

    /// Nothing where all names that the provider was built with exist, are given once, and begin with its own.
    ///
    /// ```
    /// use plantime::{Type, Value};
    /// use plantime_provider::{Call, Outcome, Provider, Resource, schema};
    /// use plantime_schema::Schema;
    ///
    /// struct Vpc;
    ///
    /// impl Resource for Vpc {
    ///     fn schema(&self) -> Schema {
    ///         schema().required("cidr", Type::String).build()
    ///     }
    ///
    ///     fn replaced_by(&self) -> Vec<&'static str> {
    ///         vec!["cdir"]
    ///     }
    ///
    ///     async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
    ///         Ok(planned)
    ///     }
    /// }
    ///
    /// let wrong = Provider::new("demo").resource("demo_vpc", Vpc).resource("vpc", Vpc).check().unwrap_err();
    /// let texts: Vec<String> = wrong.list().iter().map(ToString::to_string).collect();
    /// assert!(texts[0].contains("demo_vpc: replaced_by: no attribute or block type is named \"cdir\"; did you mean \"cidr\"?"));
    /// assert!(texts[1].contains("vpc: the name must begin with \"demo_\"; did you mean \"demo_vpc\"?"));
    /// ```
    ///
    /// # Errors
    ///
    /// Each name that is wrong, with the nearest right one, and what else no schema may declare.
    pub fn check(&self) -> Outcome<()> {
        match self.wrong.is_empty() {
            true => Ok(()),
            false => Err(Diagnostics::new(self.wrong.clone())),
        }
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
        if self.validate.replace(Arc::new(move |config| Box::pin(validate(config)))).is_some() {
            self.wrong("the provider", "it is validated twice");
        }
        self
    }

    /// The same provider, which leaves it to the host to compare what an apply returns with the plan. The text is the same, but for the
    /// address of the resource, and hosts say nothing of facts about blocks.
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
        let name = name.into();
        let schema = Arc::new(resource.schema());
        let mut wrong = built::type_name(&self.name, &name);
        wrong.extend(built::schema(&schema, built::Kind::Resource));
        wrong.extend(built::resource(&schema, &resource));
        let served: Served<dyn AnyResource> = Served { item: Arc::new(resource), schema };
        if self.resources.insert(name.clone(), served).is_some() {
            wrong.push("the resource type is given twice".to_owned());
        }
        self.all_wrong(&name, wrong);
        self
    }

    /// The same provider with one more data source. The name starts with that of the provider.
    pub fn data_source(mut self, name: impl Into<String>, source: impl DataSource) -> Provider {
        let name = name.into();
        let schema = Arc::new(source.schema());
        let mut wrong = built::type_name(&self.name, &name);
        wrong.extend(built::schema(&schema, built::Kind::DataSource));
        let served: Served<dyn AnyDataSource> = Served { item: Arc::new(source), schema };
        if self.data_sources.insert(name.clone(), served).is_some() {
            wrong.push("the data source is given twice".to_owned());
        }
        self.all_wrong(&name, wrong);
        self
    }

    /// The same provider with one more ephemeral resource type. The name starts with that of the provider.
    pub fn ephemeral_resource(
        mut self,
        name: impl Into<String>,
        resource: impl EphemeralResource,
    ) -> Provider {
        let name = name.into();
        let schema = Arc::new(resource.schema());
        let mut wrong = built::type_name(&self.name, &name);
        wrong.extend(built::schema(&schema, built::Kind::Ephemeral));
        let served: Served<dyn AnyEphemeral> = Served { item: Arc::new(resource), schema };
        if self.ephemeral_resources.insert(name.clone(), served).is_some() {
            wrong.push("the ephemeral resource type is given twice".to_owned());
        }
        self.all_wrong(&name, wrong);
        self
    }

    /// The same provider with one more function, called as `provider::PROVIDER::NAME`.
    pub fn function(mut self, name: impl Into<String>, function: impl Function) -> Provider {
        let name = name.into();
        let mut wrong = built::function(&name, &function);
        if self.functions.insert(name.clone(), Arc::new(function)).is_some() {
            wrong.push("the function is given twice".to_owned());
        }
        self.all_wrong(&name, wrong);
        self
    }

    /// Remembers what is wrong with a part of the provider, each text once.
    fn all_wrong(&mut self, of: &str, texts: Vec<String>) {
        for text in texts {
            self.wrong(of, text);
        }
    }

    /// Remembers what is wrong with a part of the provider.
    fn wrong(&mut self, of: &str, text: impl fmt::Display) {
        let detail = format!("{of}: {text}. This is a bug of the provider. Please report it to its authors.");
        let wrong =
            Diagnostic::error(format!("The provider {} is not built right", self.name)).detail(detail);
        if !self.wrong.contains(&wrong) {
            self.wrong.push(wrong);
        }
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
