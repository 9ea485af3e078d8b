//! What a configuration is evaluated with.

use std::collections::BTreeMap;
use std::fmt;

use plantime::Value;
use plantime::function::Functions;
use plantime_schema::{ProviderSchemas, Schema};

/// Values that a plan knows: of resources and data sources, and of what was given to the run.
pub trait KnownValues {
    /// The planned value of a resource instance, or the value of a data source that was read, with its whole address.
    fn resource(&self, address: &str) -> Option<Value>;

    /// Whether a resource instance may exist in the prior state: false for one that the plan creates.
    fn has_prior(&self, address: &str) -> bool {
        let _ = address;
        true
    }

    /// The value of a variable of the root module.
    fn variable(&self, name: &str) -> Option<Value>;

    /// When the plan was made, as RFC 3339 has it.
    fn timestamp(&self) -> Option<&str> {
        None
    }
}

/// Narrows the known values of resources by the configured ones, before what refers to them is evaluated.
pub(crate) trait Narrowing {
    /// The schema of a resource instance, by the provider that the plan names; `None` if it is not known.
    fn schema(&self, address: &str) -> Option<&Schema>;

    /// The value that references to the instance have.
    fn narrowed(&self, instance: &ConfiguredInstance<'_>) -> Value;

    /// Whether the provider is assumed to plan what is configured for a resource instance: it is created, or a data source.
    fn keeps_configured(&self, address: &str) -> bool;
}

/// An instance of a resource that is being evaluated.
pub(crate) struct ConfiguredInstance<'i> {
    pub(crate) address: &'i str,
    /// The value that the inputs know.
    pub(crate) known: &'i Value,
    /// The object of the configured arguments.
    pub(crate) configured: &'i Value,
    pub(crate) schema: Option<&'i Schema>,
    /// Whether its block has `ignore_changes`: then even a replacement may keep prior values.
    pub(crate) ignores_changes: bool,
    /// Whether it is a `terraform_data`, which Terraform itself provides.
    pub(crate) is_terraform_data: bool,
}

/// What a [`Configuration`](super::Configuration) is evaluated with. All of it is optional.
///
/// ```
/// use plantime::Value;
/// use plantime_terraform::configuration::Inputs;
///
/// let inputs = Inputs::new().variable("region", Value::from("eu-west-1")).workspace("prod");
/// # let _ = inputs;
/// ```
#[derive(Clone, Default)]
pub struct Inputs<'a> {
    pub(super) known: Option<&'a dyn KnownValues>,
    pub(super) narrowing: Option<&'a dyn Narrowing>,
    pub(super) schemas: Option<&'a ProviderSchemas>,
    pub(super) variables: BTreeMap<String, Value>,
    pub(super) workspace: Option<String>,
    pub(super) directory: Option<String>,
    pub(super) functions: Option<&'a Functions>,
    /// Whether the evaluation is a validation, which only looks for problems: every variable and resource is unknown.
    pub(super) is_validation: bool,
    /// Whether a validation follows sensitive values: it then uses the values that module calls give, and resources as
    /// their schemas describe them, with their marks.
    pub(super) follows_sensitive: bool,
    /// Whether there is no plan: what is written counts, and everything else is unknown, names that are not declared included.
    pub(super) is_without_plan: bool,
}

impl Inputs<'_> {
    /// Whether evaluation answers as `terraform validate` does, which knows no types of resources and of module outputs.
    pub(super) fn is_terraform_validation(&self) -> bool {
        self.is_validation && !self.follows_sensitive
    }
}

impl<'a> Inputs<'a> {
    /// Creates inputs without values: every resource is unknown.
    ///
    /// [Example](Inputs)
    pub fn new() -> Inputs<'a> {
        Inputs::default()
    }

    /// Sets the values that a plan knows.
    ///
    /// [Example](Inputs)
    #[must_use]
    pub fn known(mut self, known: &'a dyn KnownValues) -> Inputs<'a> {
        self.known = Some(known);
        self
    }

    /// Sets how known values are narrowed by configured ones.
    pub(crate) fn narrowing(mut self, narrowing: &'a dyn Narrowing) -> Inputs<'a> {
        self.narrowing = Some(narrowing);
        self
    }

    /// Sets the schemas of the providers. Without them, the arguments of resources keep the types that they are written in.
    ///
    /// [Example](Inputs)
    #[must_use]
    pub fn schemas(mut self, schemas: &'a ProviderSchemas) -> Inputs<'a> {
        self.schemas = Some(schemas);
        self
    }

    /// Sets a variable of the root module, in place of its default, of `*.tfvars` and of the plan.
    ///
    /// [Example](Inputs)
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: Value) -> Inputs<'a> {
        self.variables.insert(name.into(), value);
        self
    }

    /// Sets the value of `terraform.workspace`. Otherwise it is `default`, or unknown where values of a plan are given, since a
    /// plan in JSON does not say in which workspace it was made.
    ///
    /// [Example](Inputs)
    #[must_use]
    pub fn workspace(mut self, name: impl Into<String>) -> Inputs<'a> {
        self.workspace = Some(name.into());
        self
    }

    /// Sets the working directory: the value of `path.cwd`, and what `abspath` starts from. Both are unknown otherwise.
    ///
    /// [Example](Inputs)
    #[must_use]
    pub fn directory(mut self, path: impl Into<String>) -> Inputs<'a> {
        self.directory = Some(path.into());
        self
    }

    /// Evaluates for a check without a plan. What is written counts, with and without schemas; everything else is unknown:
    ///
    /// | part | value |
    /// |---|---|
    /// | an argument that is written | as it is written |
    /// | one that is not written | unknown if its schema says that the provider computes it, else null; without a schema [`value`](super::Evaluation::value) has no such attribute, and references to it are unknown |
    /// | a block that is not written | none; unknown if its schema has an attribute inside that the provider computes |
    /// | a reference to a name that is not declared | unknown, and a problem of the evaluation |
    /// | a variable without a value, `terraform.workspace` | unknown, as far as type and `validation` tell |
    /// | `count` or `for_each` that is unknown | one instance, whose key is `[*]` |
    ///
    /// ```
    /// use std::{collections::BTreeMap, sync::Arc};
    /// use plantime_terraform::configuration::{Configuration, Inputs};
    ///
    /// let main = r#"
    ///     variable "names" { type = set(string) }
    ///     resource "aws_sqs_queue" "main" {
    ///       for_each = var.names
    ///       name     = "q-${each.key}"
    ///       policy   = aws_iam_policy.other.json
    ///     }
    /// "#;
    /// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    /// let configuration = Configuration::read(Arc::new(files)).unwrap();
    /// let inputs = Inputs::new().without_plan();
    /// let evaluation = configuration.evaluate(&inputs);
    /// assert_eq!(evaluation.addresses(), ["aws_sqs_queue.main[*]"]);
    /// let queue = evaluation.value("aws_sqs_queue.main[*]").unwrap();
    /// assert_eq!(queue.to_string(), r#"{name = "q-${(known after apply)}", policy = (known after apply)}"#);
    /// assert_eq!(evaluation.problems()[0].summary(), "Reference to undeclared resource");
    /// ```
    #[must_use]
    pub fn without_plan(mut self) -> Inputs<'a> {
        self.is_without_plan = true;
        self
    }

    /// Sets functions of providers, by their whole names: `provider::NAME::FUNCTION`. Those of the language are there anyway.
    ///
    /// [Example](Inputs)
    #[must_use]
    pub fn functions(mut self, functions: &'a Functions) -> Inputs<'a> {
        self.functions = Some(functions);
        self
    }
}

impl fmt::Debug for Inputs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs")
            .field("variables", &self.variables.keys().collect::<Vec<_>>())
            .field("workspace", &self.workspace)
            .finish_non_exhaustive()
    }
}
