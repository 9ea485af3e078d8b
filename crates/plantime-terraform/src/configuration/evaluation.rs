//! What the evaluation of a configuration has found.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use super::conditions::Condition;
use super::evaluate::{DeclaredFacts, Engine, PlanObject};
use super::explanation::Explanation;
use super::module::{Module, Resource};
use plantime::source::{Position, Source};
use plantime::{Path, Step, Value, View};
use plantime_hcl::Block;
use plantime_hcl::{Diagnostic, Diagnostics, Expression};

/// The values of an evaluated [`Configuration`](super::Configuration).
///
/// What is known of an attribute follows from the configuration and from the values that the inputs know of *other* resources.
/// A provider may still choose another value, for example because it normalises text; so each fact is an assumption about the
/// provider.
///
/// ```
/// use std::{collections::BTreeMap, sync::Arc};
/// use plantime_terraform::configuration::{Configuration, Inputs};
/// use plantime::Value;
/// use plantime_hcl::Expression;
///
/// let main = r#"
///     variable "size" { default = 2 }
///     resource "aws_disk" "data" { size = var.size * 10 }
///     output "size" { value = aws_disk.data.size }
/// "#;
/// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
/// let configuration = Configuration::read(Arc::new(files)).unwrap();
/// let inputs = Inputs::new().variable("size", Value::from(3));
/// let evaluation = configuration.evaluate(&inputs);
/// assert!(evaluation.problems().is_empty());
/// assert_eq!(evaluation.addresses(), ["aws_disk.data"]);
/// assert_eq!(evaluation.attribute("aws_disk.data", &"size".parse()?), Some(Value::from(30)));
/// assert_eq!(evaluation.resource("aws_disk.data").unwrap().at("size")?, Value::from(30));
/// assert!(!evaluation.has_schema("aws_disk.data"));
/// let expression = Expression::parse("var.size + 1").unwrap();
/// assert_eq!(evaluation.evaluate(&expression).unwrap(), Value::from(4));
/// # Ok::<(), plantime::Error>(())
/// ```
pub struct Evaluation<'a> {
    pub(super) engine: Engine<'a>,
}

/// An instance of a resource or data source as an evaluation without a plan has it.
pub(crate) struct WrittenInstance {
    pub(crate) address: String,
    /// The address of the module that declares it; empty for the root module.
    pub(crate) module: String,
    pub(crate) is_data_source: bool,
    pub(crate) type_name: String,
    pub(crate) name: String,
    /// The address of the provider.
    pub(crate) provider: String,
    /// The key of `count` or `for_each`, as far as it is known.
    pub(crate) index: Option<Value>,
    /// Whether it represents however many instances there will be, maybe none.
    pub(crate) is_open: bool,
    pub(crate) has_schema: bool,
    pub(crate) value: Value,
}

/// Where something is written: a file and a position in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file that it is in.
    pub source: Source,
    /// The position of the first character.
    pub position: Position,
}

/// `FILE:LINE`
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.source.name(), self.position.line)
    }
}

/// A value in the result of [`Evaluation::copies`], a list in which each value is a copy of the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopiedValue {
    /// The address of the resource that has it, else its name: `var.region`.
    pub(crate) address: String,
    pub(crate) path: Path,
    pub(crate) is_resource: bool,
    /// The argument that sets this value to the next one, on the assumption that the provider keeps it. `None` for the
    /// last value.
    pub(crate) line: Option<Origin>,
}

impl Evaluation<'_> {
    /// The problems that evaluation has found. What depends on a wrong expression is unknown. What fails for every value that an
    /// unknown may become is a warning where Terraform reports it only once the value is known, such as an index into a list
    /// without elements.
    ///
    /// [Example](Evaluation)
    pub fn problems(&self) -> Vec<Diagnostic> {
        self.engine.problems()
    }

    /// The value of an output of the root module.
    ///
    /// [Example](super)
    pub fn output(&self, name: &str) -> Option<Value> {
        self.engine.output(name)
    }

    /// The file and position of the argument `value` of an output of the root module.
    pub(crate) fn output_origin(&self, name: &str) -> Option<Origin> {
        let block = &self.engine.declared_output(name)?.block;
        origin(block, Path::new().attr("value").steps())
    }

    /// The addresses of all instances of resources, data sources and ephemeral resources.
    ///
    /// [Example](Evaluation)
    pub fn addresses(&self) -> Vec<String> {
        self.engine.addresses()
    }

    /// The object of the configured arguments of a resource instance, its nested blocks included. What is not configured is
    /// null, or is missing where no schema is known.
    ///
    /// [Example](Evaluation)
    pub fn resource(&self, address: &str) -> Option<Value> {
        self.engine.with_resource(address, |resource| resource.configured.clone())
    }

    /// The value that a reference to a resource instance has: what the inputs know of it, narrowed by what is configured.
    ///
    /// [Example](Evaluation)
    pub fn value(&self, address: &str) -> Option<Value> {
        self.engine.with_resource(address, |resource| resource.value.clone())
    }

    /// The configured value at a path in a resource instance; `None` if nothing is configured there.
    ///
    /// [Example](Evaluation)
    pub fn attribute(&self, address: &str, path: &Path) -> Option<Value> {
        let value = self.resource(address)?.get(path).ok()?;
        (!value.is_null()).then_some(value)
    }

    /// Where the value at a path in a resource instance is written: the argument or block that contains it.
    ///
    /// [Example](super)
    pub fn origin(&self, address: &str, path: &Path) -> Option<Origin> {
        let found = |(_, declared): (&String, &Resource)| origin(&declared.block, path.steps());
        let origin = self.engine.with_resource(address, |resource| {
            resource.module.resources.get_index(resource.position).and_then(found)
        });
        origin.flatten()
    }

    /// Where the values of resources and outputs are written, without their values.
    pub(crate) fn source_locations(&self) -> SourceLocations {
        let resources = self.engine.addresses().into_iter().filter_map(|address| {
            let declared =
                self.engine.with_resource(&address, |resource| (resource.module.clone(), resource.position));
            Some((address, declared?))
        });
        SourceLocations { resources: resources.collect(), root: self.engine.root_module() }
    }

    /// Every instance of a resource or data source, in the order of evaluation.
    pub(crate) fn resource_instances(&self) -> Vec<WrittenInstance> {
        self.engine.written_instances()
    }

    /// The values of the variables of the root module, by name.
    pub(crate) fn root_variables(&self) -> BTreeMap<String, Value> {
        self.engine.root_variables()
    }

    /// The values of the outputs of the root module, by name.
    pub(crate) fn root_outputs(&self) -> BTreeMap<String, Value> {
        let module = self.engine.root_module();
        let names = module.outputs.keys();
        names.filter_map(|name| Some((name.to_string(), self.engine.output(name)?))).collect()
    }

    /// Whether a schema gave the types of the arguments of a resource instance.
    ///
    /// [Example](Evaluation)
    pub fn has_schema(&self, address: &str) -> bool {
        self.engine.with_resource(address, |resource| resource.has_schema).unwrap_or_default()
    }

    /// The conditions that the modules state themselves, evaluated for each instance: `validation` of variables,
    /// `precondition` of resources and outputs, `postcondition` of resources, `assert` of checks.
    ///
    /// ```
    /// use std::{collections::BTreeMap, sync::Arc};
    /// use plantime_terraform::configuration::{ConditionKind, ConditionVerdict, Configuration, Inputs};
    ///
    /// let main = r#"
    ///     variable "size" {
    ///       default = 20
    ///       validation {
    ///         condition     = var.size <= 10
    ///         error_message = "At most 10, not ${var.size}."
    ///       }
    ///     }
    ///     resource "aws_vpc" "main" {}
    ///     output "vpc" {
    ///       value = aws_vpc.main.id
    ///       precondition {
    ///         condition     = startswith(aws_vpc.main.id, "vpc-")
    ///         error_message = "Not the id of a network."
    ///       }
    ///     }
    /// "#;
    /// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    /// let configuration = Configuration::read(Arc::new(files)).unwrap();
    /// let inputs = Inputs::new();
    /// let conditions = configuration.evaluate(&inputs).conditions();
    /// assert_eq!(conditions[0].verdict, ConditionVerdict::Fail);
    /// assert_eq!(conditions[0].message.as_deref(), Some("At most 10, not 20."));
    /// assert_eq!((conditions[1].kind, &*conditions[1].address), (ConditionKind::Precondition, "output.vpc"));
    /// assert_eq!(conditions[1].verdict, ConditionVerdict::Undetermined);
    /// assert_eq!(conditions[1].depends_on, ["aws_vpc.main.id"]);
    /// ```
    pub fn conditions(&self) -> Vec<Condition> {
        self.engine.conditions()
    }

    /// Explains why a value is not known: that of a name, or of an expression of the root module; `None` if the text is
    /// neither.
    pub(crate) fn explain(&self, text: &str) -> Option<Explanation> {
        self.engine.explain(text)
    }

    /// Explains many values at once. Returns also, for each pair of object and path, the positions of its values in
    /// [`Explanation::values`].
    pub(crate) fn explain_all(&self, asked: &[(PlanObject<'_>, &Path)]) -> (Explanation, Vec<Vec<usize>>) {
        self.engine.explain_all(asked)
    }

    /// The chain of copies that begins with a part of a resource or output: each value is a copy of the next one, since
    /// a resource is configured with it.
    pub(crate) fn copies(&self, object: PlanObject<'_>, path: &Path) -> Vec<CopiedValue> {
        self.engine.copies(object, path)
    }

    /// The value whose JSON a part of a resource is, if it is configured with `jsonencode`.
    pub(crate) fn json_source(&self, address: &str, path: &Path) -> Option<Value> {
        self.engine.json_source(address, path)
    }

    /// What the configuration says beside the values of resources.
    pub(crate) fn declared_facts(&self) -> DeclaredFacts {
        self.engine.declared_facts()
    }

    /// Evaluates an expression in the root module, as `terraform console` does.
    ///
    /// [Example](Evaluation)
    ///
    /// # Errors
    ///
    /// As [`Expression::evaluate`].
    pub fn evaluate(&self, expression: &Expression) -> Result<Value, Diagnostics> {
        self.engine.evaluate_in_root(expression)
    }
}

/// Where the values of resources and outputs are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceLocations {
    /// For each address of a resource instance: the module that declares it, and the position of the resource in that
    /// module.
    resources: HashMap<String, (Arc<Module>, usize)>,
    root: Arc<Module>,
}

/// A place in a block of the configuration.
pub(crate) struct SourceLocation {
    pub(crate) origin: Origin,
    /// The head of the outermost block: `resource "aws_vpc" "main"`.
    pub(crate) head: String,
}

impl SourceLocations {
    /// The argument or nested block that the value at a path in a resource instance is written in.
    pub(crate) fn of_resource(&self, address: &str, path: &Path) -> Option<SourceLocation> {
        let (module, position) = self.resources.get(address)?;
        source_location(&module.resources.get_index(*position)?.1.block, path)
    }

    /// The argument that the value of an output of the root module is written in.
    pub(crate) fn of_output(&self, name: &str) -> Option<SourceLocation> {
        source_location(&self.root.outputs.get(name)?.block, &Path::new().attr("value"))
    }
}

/// The location of the part of a block at a path; `None` if several nested blocks may have written it.
fn source_location(block: &Block, path: &Path) -> Option<SourceLocation> {
    let labels: String = block.labels.iter().map(|label| format!(" {label:?}")).collect();
    Some(SourceLocation { origin: origin(block, path.steps())?, head: format!("{}{labels}", block.kind) })
}

/// Where the part of a block is written that a path leads to; `None` if several nested blocks may have it.
fn origin(block: &Block, steps: &[Step]) -> Option<Origin> {
    let at =
        |source: &Source, byte: usize| Origin { source: source.clone(), position: source.position(byte) };
    let Some(Step::Attr(name)) = steps.first() else { return Some(at(&block.source, block.span.start)) };
    let name = name.as_str();
    if let Some(argument) = block.body.argument(name) {
        return Some(at(argument.expression.source(), argument.span.start));
    }
    let mut nested = block.body.blocks.iter().filter(|nested| nested.produced_kind() == name);
    let position = match steps.get(1) {
        Some(Step::Index(key)) => key.as_number().ok().and_then(|n| n.to_string().parse::<usize>().ok()),
        _ => None,
    };
    let first = nested.clone().next()?;
    let rest = match position {
        Some(_) => steps.get(2..).unwrap_or_default(),
        None => steps.get(1..).unwrap_or_default(),
    };
    if position.is_none() && !rest.is_empty() && nested.clone().count() > 1 {
        return None;
    }
    let found = match position {
        // The blocks before a `dynamic` one have a place each.
        Some(position) if nested.clone().all(|nested| &*nested.kind != "dynamic") => nested.nth(position)?,
        _ => first,
    };
    match &*found.kind {
        "dynamic" => Some(at(&found.source, found.span.start)),
        _ => origin(found, rest).or_else(|| Some(at(&found.source, found.span.start))),
    }
}

impl fmt::Debug for Evaluation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resources = self.addresses().into_iter().map(|address| {
            let shown = match self.resource(&address) {
                Some(value) if !matches!(value.view(), View::Unknown(_)) => value.to_string(),
                _ => String::new(),
            };
            (address, shown)
        });
        f.debug_map().entries(resources).finish()
    }
}
