//! Configurations of Terraform and OpenTofu, evaluated on values that may not be known yet.
//!
//! [`Configuration::read`] reads a root module and the modules that it calls through [`Files`] that the caller gives.
//! [`Configuration::evaluate`] evaluates all of it once: variables, local values, module calls, the instances of
//! resources with their arguments and blocks, outputs. The values of resources that a plan knows are passed in as
//! [`KnownValues`]; what neither they nor the configuration gives is unknown.
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::Arc;
//! use plantime_terraform::configuration::{Configuration, Inputs};
//!
//! let main = r#"
//!     variable "name" { default = "web" }
//!     resource "aws_vpc" "main" { cidr_block = "10.0.0.0/16" }
//!     resource "aws_subnet" "a" {
//!       count  = 2
//!       vpc_id = aws_vpc.main.id
//!       tags   = { Name = "${var.name}-${count.index}-${aws_vpc.main.id}" }
//!     }
//!     output "first" { value = "https://${aws_subnet.a[0].id}" }
//! "#;
//! let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
//! let configuration = Configuration::read(Arc::new(files)).unwrap();
//! let inputs = Inputs::new();
//! let evaluation = configuration.evaluate(&inputs);
//!
//! let path = "tags.Name".parse().unwrap();
//! let name = evaluation.attribute("aws_subnet.a[1]", &path).unwrap();
//! assert_eq!(name.to_string(), r#""web-1-${(known after apply)}""#);
//! assert_eq!(evaluation.origin("aws_subnet.a[1]", &path).unwrap().to_string(), "main.tf:7");
//! assert_eq!(evaluation.output("first").unwrap().to_string(), r#""https://${(known after apply)}""#);
//! ```
//!
//! # What is read
//!
//! | part | what of it |
//! |---|---|
//! | files | `*.tf`, `*.tofu`, both in JSON, overrides; `terraform.tfvars`, `*.auto.tfvars` |
//! | modules | by local path, and what `.terraform/modules/modules.json` lists; the outputs of others are unknown |
//! | variables | types with optional attributes and defaults, `nullable`, `sensitive`, `ephemeral` |
//! | resources | `count`, `for_each`, `dynamic` blocks; data sources and ephemeral resources too |
//! | names | `var`, `local`, `module`, `data`, `each`, `count`, `path`, `terraform` |
//!
//! Conditions (`validation`, `precondition`, `postcondition`, `check`) are evaluated by [`Evaluation::conditions`]. The
//! configuration of providers is evaluated by [`Configuration::validate`] only, which reports what is wrong for all
//! possible values.
//!
//! # Values of resources
//!
//! A reference to a resource has the value that [`KnownValues`] gives for it; its unknown parts are narrowed by the
//! configured arguments. If no value is known, the attributes of a managed resource have their configured values, and
//! those that are not configured are unknown; without a schema of the resource type the whole value is unknown.

mod conditions;
mod document;
mod evaluate;
mod evaluation;
mod explanation;
mod files;
mod inputs;
mod instance_key;
mod module;
mod sensitivity;
mod tfvars;
mod tree;
mod validate;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use plantime::function::Functions;
use plantime::source::Source;
use plantime::{Type, Value};
use plantime_hcl::{Diagnostic, Diagnostics};

pub use conditions::{Condition, ConditionKind, ConditionObject, ConditionVerdict};
pub(crate) use evaluation::{CopiedValue, SourceLocations, WrittenInstance};
pub use evaluation::{Evaluation, Origin};
pub use explanation::{ExplainedValue, Explanation, UnknownCause};
pub use files::Files;
pub(crate) use files::embedded_files;
pub(crate) use inputs::{ConfiguredInstance, Narrowing};
pub use inputs::{Inputs, KnownValues};
pub(crate) use instance_key::{text_key, without_doubled_templates};
pub use sensitivity::{SensitiveOrigin, SensitiveValue, Sensitivity, SensitivityEnd};

pub(crate) use document::Published;
use evaluate::Engine;
pub(crate) use evaluate::{
    DeclaredFacts, DeclaredName, DeclaredResource, PlanObject, TERRAFORM_DATA_KEEPS, line_without_secrets,
};
pub(crate) use module::{INVALID_ASSUMPTION, InlineAssumption};
use tree::{Loader, Tree};

/// The blocks of a module, and of those that it calls.
pub(crate) struct ModuleBlocks<'c> {
    pub(crate) resources: Vec<(&'c str, &'c plantime_hcl::Block)>,
    pub(crate) outputs: Vec<(&'c str, &'c plantime_hcl::Block)>,
    pub(crate) locals: Vec<(&'c str, &'c plantime_hcl::Argument)>,
    pub(crate) calls: Vec<(&'c str, &'c plantime_hcl::Block, Option<ModuleBlocks<'c>>)>,
}

/// The place of the head of a block.
fn declared_at(block: &plantime_hcl::Block) -> Origin {
    Origin { source: block.source.clone(), position: block.source.position(block.span.start) }
}

/// A root module and the modules that it calls.
pub struct Configuration {
    files: Arc<dyn Files>,
    root: Tree,
    /// The values in `terraform.tfvars` and `*.auto.tfvars`.
    variables: BTreeMap<String, Value>,
    missing: Vec<String>,
    /// What is wrong with the files of called modules that could not be read.
    unread: Vec<Diagnostic>,
}

impl Configuration {
    /// Reads the root module in the root folder, and the modules that it calls. A called module whose files are wrong is one of the
    /// [missing modules](Configuration::missing_modules), and what is wrong with it is among the
    /// [problems](Evaluation::problems) of each evaluation.
    ///
    /// [Example](self)
    ///
    /// # Errors
    ///
    /// When files of the root module are invalid: each problem in them, with its position.
    pub fn read(files: Arc<dyn Files>) -> Result<Configuration, Diagnostics> {
        let loader = Loader::new(&*files);
        Configuration::load(files.clone(), loader)
    }

    /// Reads a configuration as [`read`](Configuration::read) does, but takes declarations that are wrong, such as an output without
    /// a value, as far as they go: what is wrong with them is among the [problems](Evaluation::problems) of each evaluation.
    ///
    /// ```
    /// use std::{collections::BTreeMap, sync::Arc};
    /// use plantime_terraform::configuration::{Configuration, Inputs};
    ///
    /// let main = "output \"a\" {}\nresource \"aws_vpc\" \"main\" {}\n";
    /// let files = Arc::new(BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]));
    /// assert!(Configuration::read(files.clone()).is_err());
    /// let configuration = Configuration::read_tolerantly(files).unwrap();
    /// let inputs = Inputs::new().without_plan();
    /// let evaluation = configuration.evaluate(&inputs);
    /// assert_eq!(evaluation.addresses(), ["aws_vpc.main"]);
    /// assert_eq!(evaluation.problems()[0].summary(), "Missing required argument");
    /// ```
    ///
    /// # Errors
    ///
    /// When the syntax of files of the root module is wrong: each problem in them, with its position.
    pub fn read_tolerantly(files: Arc<dyn Files>) -> Result<Configuration, Diagnostics> {
        let loader = Loader::tolerant(&*files);
        Configuration::load(files.clone(), loader)
    }

    /// Reads the root module and those that it calls.
    fn load(files: Arc<dyn Files>, mut loader: Loader<'_>) -> Result<Configuration, Diagnostics> {
        let root = loader.tree("", &mut Vec::new());
        let (mut problems, missing, unread) = (loader.problems, loader.missing, loader.unread.into());
        let variables = tfvars::read(&*files, &mut problems);
        let root = root.unwrap_or_else(|| Tree { module: Arc::default(), calls: Vec::new() });
        match Diagnostics::of(problems) {
            Some(problems) => Err(problems),
            None => Ok(Configuration { files, root, variables, missing, unread }),
        }
    }

    /// The blocks of the root module and of those that it calls.
    pub(crate) fn blocks(&self) -> ModuleBlocks<'_> {
        self.root.blocks()
    }

    /// The configuration that has only these variables.
    pub(crate) fn of_variables(blocks: &[plantime_hcl::Block]) -> Result<Configuration, Diagnostics> {
        let mut problems = plantime_hcl::unstable::Problems::default();
        let module = module::Module::of_variables(blocks, &mut problems);
        let root = Tree { module: Arc::new(module), calls: Vec::new() };
        match Diagnostics::of(problems) {
            Some(problems) => Err(problems),
            None => Ok(Configuration {
                files: Arc::new(BTreeMap::<String, Vec<u8>>::new()),
                root,
                variables: BTreeMap::new(),
                missing: Vec::new(),
                unread: Vec::new(),
            }),
        }
    }

    /// Evaluates the configuration. Problems are in the [evaluation](Evaluation::problems).
    ///
    /// [Example](self)
    pub fn evaluate<'a>(&'a self, inputs: &'a Inputs<'a>) -> Evaluation<'a> {
        Evaluation { engine: Engine::run(self, inputs) }
    }

    /// Where a resource is declared. `calls` are the names of the module calls that lead to its module, and `name` is `TYPE.NAME`
    /// or `data.TYPE.NAME`.
    pub(crate) fn declaration(&self, calls: &[&str], name: &str) -> Option<Origin> {
        Some(declared_at(&self.declared_resource(calls, name)?.block))
    }

    /// Whether a command line gives the value of a variable of the root module as a text, since its type is primitive or not declared;
    /// `None` if it is not declared.
    pub(crate) fn is_text_variable(&self, name: &str) -> Option<bool> {
        let variable = self.root.module.variables.get(name)?;
        let is_typed = variable.block.body.argument("type").is_some();
        Some(!is_typed || matches!(variable.ty.as_type(), Type::String | Type::Number | Type::Bool))
    }

    /// The names of the variables of the root module.
    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.root.module.variables.keys().map(|name| &**name)
    }

    /// Where an output of the root module is declared.
    pub(crate) fn output_declaration(&self, name: &str) -> Option<Origin> {
        Some(declared_at(&self.root.module.outputs.get(name)?.block))
    }

    /// The assumptions that the block of a resource states about its attributes. `calls` and `name` are as for
    /// [`declaration`](Configuration::declaration).
    pub(crate) fn inline_assumptions(&self, calls: &[&str], name: &str) -> &[InlineAssumption] {
        self.declared_resource(calls, name).map_or(&[], |resource| &resource.assumptions)
    }

    /// A resource by the names of the module calls that lead to it and its name there.
    fn declared_resource(&self, calls: &[&str], name: &str) -> Option<&module::Resource> {
        let module = calls.iter().try_fold(&self.root, |tree, call| {
            tree.calls.get(tree.module.calls.get_index_of(*call)?)?.as_ref()
        });
        module?.module.resources.get(name)
    }

    /// The module calls whose source folder was not found, each with the names of the module calls that lead to it,
    /// such as `network.subnets`. The outputs of these modules are unknown.
    ///
    /// ```
    /// use std::{collections::BTreeMap, sync::Arc};
    /// use plantime_terraform::configuration::Configuration;
    ///
    /// let main = r#"module "vpc" { source = "terraform-aws-modules/vpc/aws" }"#;
    /// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    /// let configuration = Configuration::read(Arc::new(files)).unwrap();
    /// assert_eq!(configuration.missing_modules(), ["vpc"]);
    /// ```
    pub fn missing_modules(&self) -> &[String] {
        &self.missing
    }
}

/// Reads the values of variables from a text in the format of a `.tfvars` file, or in JSON if the name of the source
/// says so.
///
/// ```
/// use plantime::Value;
/// use plantime_terraform::configuration::read_variables;
/// use plantime::source::Source;
///
/// let values = read_variables(&Source::new("prod.tfvars", "region = \"eu-west-1\"")).unwrap();
/// assert_eq!(values["region"], Value::from("eu-west-1"));
/// ```
///
/// # Errors
///
/// When the text is invalid: each problem in it, with its position.
pub fn read_variables(source: &Source) -> Result<BTreeMap<String, Value>, Diagnostics> {
    tfvars::read_text(source)
}

/// The functions that a configuration with these files can call: those of the language, those that read files or depend on the run, and
/// those that the inputs add.
///
/// ```
/// use std::{collections::BTreeMap, sync::Arc};
/// use plantime_terraform::configuration::{Inputs, functions};
/// use plantime_hcl::{Expression, Scope};
///
/// let files = BTreeMap::from([("motd.txt".to_owned(), b"hello".to_vec())]);
/// let functions = functions(Arc::new(files), &Inputs::new());
/// let variables = BTreeMap::new();
/// let scope = Scope::new(&variables).with_functions(&functions);
/// let value = |text: &str| Expression::parse(text).unwrap().evaluate(&scope).unwrap();
/// assert_eq!(value(r#"upper(file("motd.txt"))"#), "HELLO".into());
/// // The hour of the apply is not known at plan.
/// assert!(!value("timestamp()").is_known());
/// ```
pub fn functions(files: Arc<dyn Files>, inputs: &Inputs<'_>) -> Functions {
    evaluate::functions(files, inputs)
}

impl fmt::Debug for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let module = &self.root.module;
        f.debug_struct("Configuration")
            .field("resources", &module.resources.keys().collect::<Vec<_>>())
            .field("calls", &module.calls.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
