//! Explains unknown values: follows the expressions that they are computed by back to what only an apply decides.
//!
//! | file | does |
//! |---|---|
//! | this one | builds the graph of values, in the order in which they are reached |
//! | `references` | finds the values that an expression depends on |
//! | `argument_parts` | finds the arguments that compute a part of a block |
//! | `value_parts` | finds the parts of a value at a path |

mod argument_parts;
mod references;
mod value_parts;

use std::collections::HashMap;

use indexmap::IndexSet;

pub(super) use self::argument_parts::argument_parts;
pub(super) use self::value_parts::part_at;
use super::scope::{ModuleScope, Repetition};
use super::{Engine, Instance, Node, NodeKind};
use crate::configuration::module::ResourceMode;
use crate::configuration::{ExplainedValue, Explanation, UnknownCause};
use plantime::source::Source;
use plantime::{Path, Step, Value};
use plantime_hcl::Expression;
use plantime_hcl::{Argument, Block, Body};

/// The maximum number of values of the explanation of one name.
const VALUES: usize = 2_000;

/// The maximum number of values of the explanation of all that is unknown in a plan.
const VALUES_OF_PLAN: usize = 1_000_000;

/// The functions that have another result with each apply.
const LATE_FUNCTIONS: [&str; 3] = ["timestamp", "uuid", "bcrypt"];

/// An object of a plan whose values can be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlanObject<'n> {
    /// An instance of a resource, by its address.
    Resource(&'n str),
    /// An output of the root module, by its name.
    Output(&'n str),
}

/// An expression with the names that it can use, and the part of its value that is explained.
#[derive(Clone)]
pub(super) struct ScopedExpression {
    expression: Expression,
    /// The instance of the module.
    module: usize,
    path: Vec<Step>,
    /// `count` or `for_each` of the block around the expression, and the values of `count` and `each`.
    repeated_by: Option<Expression>,
    repetition: Repetition,
    /// The instance that `self` is, by its position among all instances.
    self_instance: Option<usize>,
    /// The iterators of the `dynamic` blocks around the expression with their collections, the innermost last.
    iterators: Vec<(String, Expression)>,
}

/// A value that is not explained yet.
pub(super) struct PendingValue {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) source: ValueSource,
}

/// What a [`PendingValue`] is a part of.
#[derive(Clone)]
pub(super) enum ValueSource {
    /// A local value, variable or output.
    Node(Node, Vec<Step>),
    /// An instance of a resource, by its position among all instances.
    Attribute(usize, Vec<Step>),
    /// The instances of a resource or module call, whose number is unknown.
    Instances(Node),
    /// A resource whose changes come before the read of a data source.
    EarlierChange,
    /// A module that is not installed.
    MissingModule,
    /// A name of the language, such as `terraform.workspace`.
    BuiltinName,
    /// An expression that computes no value of the configuration: a condition, or one of the caller.
    Expression(Box<ScopedExpression>),
}

/// Values that are not explained yet, and the number of further ones that are left out.
#[derive(Default)]
struct PendingValues {
    values: Vec<PendingValue>,
    omitted: usize,
}

/// A byte of a file of the configuration.
#[derive(Clone)]
pub(super) struct Location {
    pub(super) source: Source,
    pub(super) byte: usize,
}

impl Location {
    /// The location of an argument.
    fn of(argument: &Argument) -> Location {
        Location { source: argument.expression.source().clone(), byte: argument.span.start }
    }
}

/// Where a value is written, why it is unknown, and the expressions that it is computed by.
struct Computation {
    location: Option<Location>,
    cause: UnknownCause,
    expressions: Vec<ScopedExpression>,
}

impl Computation {
    /// A computation that depends on no further value: the chain of the explanation ends here.
    fn ends(location: Option<Location>, cause: UnknownCause) -> Computation {
        Computation { location, cause, expressions: Vec::new() }
    }
}

/// Builds an [`Explanation`]: values are added, and then each is explained, which adds the values that it depends on. It
/// goes through a list of values and does not recurse, because a chain of dependent values may be long.
pub(super) struct Explainer<'t, 'a> {
    engine: &'t Engine<'a>,
    /// The positions of the instances of each resource among all instances.
    instances: HashMap<Node, Vec<usize>>,
    values: Vec<ExplainedValue>,
    sources: Vec<ValueSource>,
    by_name: HashMap<String, usize>,
    /// The maximum number of values.
    limit: usize,
}

impl<'a> Engine<'a> {
    /// Explains the value of a name, such as `module.net.aws_subnet.a[0].vpc_id` or `output.url`, or of an expression of the
    /// root module; `None` if the text is neither.
    pub(in crate::configuration) fn explain(&self, text: &str) -> Option<Explanation> {
        let mut explainer = Explainer::new(self, VALUES);
        let mut requested = explainer.values_named(text).values;
        if requested.is_empty() {
            let expression = Expression::parse(text).ok()?;
            let value = self.evaluate_in_root(&expression).ok()?;
            let scoped = ScopedExpression::new(expression, 0, Vec::new());
            let (name, source) = (text.trim().to_owned(), ValueSource::Expression(Box::new(scoped)));
            requested.push(PendingValue { name, value, source });
        }
        for value in requested {
            explainer.add(value);
        }
        Some(explainer.explanation())
    }

    /// Explains values of many objects in one graph. For each pair of object and path, the positions of its values in
    /// [`Explanation::values`]: several for a container, none if the configuration does not have the object.
    pub(in crate::configuration) fn explain_all(
        &self,
        requested: &[(PlanObject<'_>, &Path)],
    ) -> (Explanation, Vec<Vec<usize>>) {
        let mut explainer = Explainer::for_plan(self);
        let mut positions = Vec::with_capacity(requested.len());
        for (object, path) in requested {
            let pending = match object {
                PlanObject::Resource(address) => {
                    let instance = self.state.borrow().resources.get_index_of(*address);
                    instance.map(|instance| explainer.parts_of_instances(&[instance], path.steps(), true))
                }
                PlanObject::Output(name) => {
                    let position = self.configuration.root.module.outputs.get_index_of(*name);
                    let node = position.map(|position| Node { module: 0, kind: NodeKind::Output, position });
                    node.map(|node| explainer.parts_of_node(node, path.steps(), true))
                }
            };
            let values = pending.into_iter().flat_map(|pending| pending.values);
            positions.push(values.filter_map(|value| explainer.add(value)).collect());
        }
        (explainer.explanation(), positions)
    }

    /// Calls `read` with the address of a resource instance and the evaluated instance, given its position among all
    /// instances; `None` if there is none.
    pub(super) fn with_instance<T>(
        &self,
        position: usize,
        read: impl FnOnce(&str, &Instance) -> T,
    ) -> Option<T> {
        let state = self.state.borrow();
        state.resources.get_index(position).map(|(address, instance)| read(address, instance))
    }
}

impl<'t, 'a> Explainer<'t, 'a> {
    fn new(engine: &'t Engine<'a>, limit: usize) -> Explainer<'t, 'a> {
        let mut instances: HashMap<Node, Vec<usize>> = HashMap::new();
        for (position, instance) in engine.state.borrow().resources.values().enumerate() {
            instances.entry(instance.node).or_default().push(position);
        }
        let (values, sources, by_name) = (Vec::new(), Vec::new(), HashMap::new());
        Explainer { engine, instances, values, sources, by_name, limit }
    }

    /// An explainer for all unknown values of a plan.
    pub(super) fn for_plan(engine: &'t Engine<'a>) -> Explainer<'t, 'a> {
        Explainer::new(engine, VALUES_OF_PLAN)
    }

    /// Explains the values that were added, and all that they depend on.
    pub(super) fn explanation(mut self) -> Explanation {
        let requested = self.values.len();
        let mut position = 0;
        while let Some(source) = self.sources.get(position).cloned() {
            self.explain_value(position, &source);
            position = position.saturating_add(1);
        }
        Explanation { values: self.values, requested }
    }

    /// Adds a value unless one of its name was added before, and returns its position; `None` beyond the maximum number.
    pub(super) fn add(&mut self, pending: PendingValue) -> Option<usize> {
        if let Some(position) = self.by_name.get(&pending.name) {
            return Some(*position);
        }
        let position = self.values.len();
        if position >= self.limit {
            return None;
        }
        let (address, path) = match &pending.source {
            ValueSource::Attribute(instance, path) => {
                let address = self.engine.with_instance(*instance, |address, _| address.to_owned());
                (address, Path::from_iter(path.iter().cloned()))
            }
            _ => (None, Path::new()),
        };
        self.by_name.insert(pending.name.clone(), position);
        self.sources.push(pending.source);
        self.values.push(ExplainedValue {
            name: pending.name,
            address,
            path,
            value: pending.value,
            place: None,
            line: None,
            cause: UnknownCause::Expression,
            depends_on: Vec::new(),
            omitted: 0,
            facts: Vec::new(),
        });
        Some(position)
    }

    /// Completes the value at a position, and adds the values that it depends on.
    fn explain_value(&mut self, position: usize, source: &ValueSource) {
        let Computation { location, mut cause, mut expressions } = self.computation(source);
        if self.values.get(position).is_some_and(|value| value.value.is_wholly_known()) {
            (cause, expressions) = (UnknownCause::Known, Vec::new());
        }
        let mut pending = match source {
            ValueSource::Attribute(instance, _) if cause == UnknownCause::DataSource => {
                self.dependencies_of_read(*instance)
            }
            _ => PendingValues::default(),
        };
        for expression in &expressions {
            pending.append(self.dependencies_of_expression(expression));
        }
        let (mut depends_on, mut omitted) = (IndexSet::new(), pending.omitted);
        for value in pending.values {
            match self.add(value) {
                Some(found) if found == position => {}
                Some(found) => drop(depends_on.insert(found)),
                None => omitted = omitted.saturating_add(1),
            }
        }
        if depends_on.is_empty() && cause == UnknownCause::Expression {
            cause = self.cause_without_dependencies(&expressions);
        }
        let has_marks = self.has_marks(source);
        let Some(value) = self.values.get_mut(position) else { return };
        if let Some(Location { source, byte }) = location {
            let line = source.position(byte).line;
            value.place = Some(format!("{}:{line}", source.name()));
            value.line = line_without_secrets(&source, line, has_marks).map(|line| line.trim().to_owned());
        }
        (value.cause, value.depends_on, value.omitted) = (cause, depends_on.into_iter().collect(), omitted);
    }

    /// Whether the argument that a value is a part of has a mark anywhere: then the text of the argument may show what
    /// the mark hides.
    fn has_marks(&self, source: &ValueSource) -> bool {
        let is_marked = |value: &Value| !value.unmark_deep().1.is_empty();
        match source {
            ValueSource::Node(node, _) => self.engine.value(*node).is_some_and(|value| is_marked(&value)),
            ValueSource::Attribute(instance, path) => {
                let argument = path.get(..1).unwrap_or_default();
                let found = self.engine.with_instance(*instance, |_, found| {
                    let of = |value: &Value| part_at(value, argument).is_some_and(|part| is_marked(&part));
                    of(&found.value) || of(&found.configured)
                });
                found.unwrap_or(true)
            }
            _ => false,
        }
    }

    /// Where the value of a source is written, why it is unknown, and the expressions that compute it.
    fn computation(&self, source: &ValueSource) -> Computation {
        let declaration = |node: Node| {
            let place = self.engine.place(node);
            place.map(|(source, span)| Location { source, byte: span.start })
        };
        match source {
            ValueSource::Expression(scoped) => Computation {
                location: None,
                cause: UnknownCause::Expression,
                expressions: vec![(**scoped).clone()],
            },
            ValueSource::Node(node, path) => match self.expression_of_node(*node, path) {
                Some((location, scoped)) => Computation {
                    location: Some(location),
                    cause: UnknownCause::Expression,
                    expressions: vec![scoped],
                },
                None => Computation::ends(declaration(*node), UnknownCause::Variable),
            },
            ValueSource::Attribute(instance, path) => {
                let computation = self.computation_of_attribute(*instance, path);
                computation.unwrap_or_else(|| Computation::ends(None, UnknownCause::Run))
            }
            ValueSource::Instances(node) => {
                let argument = self.declaring_block(*node).and_then(|block| repetition_argument(&block.body));
                let location = argument.map(Location::of).or_else(|| declaration(*node));
                let scoped = argument.map(|argument| {
                    ScopedExpression::new(argument.expression.clone(), node.module, Vec::new())
                });
                let expressions = scoped.into_iter().collect();
                Computation { location, cause: UnknownCause::Instances, expressions }
            }
            ValueSource::EarlierChange => Computation::ends(None, UnknownCause::Order),
            ValueSource::MissingModule => Computation::ends(None, UnknownCause::Module),
            ValueSource::BuiltinName => Computation::ends(None, UnknownCause::Run),
        }
    }

    /// The expression of a local value, of an output, or of an argument of a module call that gives a variable its value.
    fn expression_of_node(&self, node: Node, path: &[Step]) -> Option<(Location, ScopedExpression)> {
        let instance = self.engine.instance(node.module)?;
        let module = &instance.tree.module;
        let scoped = |argument: &Argument, module: usize| {
            let expression = argument.expression.clone();
            (Location::of(argument), ScopedExpression::new(expression, module, path.to_vec()))
        };
        match node.kind {
            NodeKind::Local => Some(scoped(module.locals.get_index(node.position)?.1, node.module)),
            NodeKind::Output => {
                let output = module.outputs.get_index(node.position)?.1;
                Some(scoped(output.block.body.argument("value")?, node.module))
            }
            NodeKind::Variable => {
                let (caller, call, repetition) = instance.caller.as_ref()?;
                let calling = self.engine.instance(*caller)?;
                let block = &calling.tree.module.calls.get_index(*call)?.1.block;
                let name = module.variables.get_index(node.position)?.0;
                let (location, scoped) = scoped(block.body.argument(name)?, *caller);
                Some((location, scoped.repeated(&block.body, repetition)))
            }
            NodeKind::Call | NodeKind::Resource => None,
        }
    }

    /// The block that declares a resource or module call.
    fn declaring_block(&self, node: Node) -> Option<&'a Block> {
        let tree = self.engine.instance(node.module)?.tree;
        match node.kind {
            NodeKind::Resource => Some(&tree.module.resources.get_index(node.position)?.1.block),
            NodeKind::Call => Some(&tree.module.calls.get_index(node.position)?.1.block),
            NodeKind::Local | NodeKind::Variable | NodeKind::Output => None,
        }
    }

    /// The computation of the part of a resource instance at `path`; `None` if there is no such instance.
    fn computation_of_attribute(&self, instance: usize, path: &[Step]) -> Option<Computation> {
        let (node, repetition, configured) = self.engine.with_instance(instance, |_, instance| {
            (instance.node, instance.repetition.clone(), part_at(&instance.configured, path))
        })?;
        let tree = self.engine.instance(node.module)?.tree;
        let resource = tree.module.resources.get_index(node.position)?.1;
        let block = &resource.block;
        let configured = configured.map(|configured| configured.unmark_deep().0);
        let arguments = match &configured {
            Some(configured) if configured.is_null() => Vec::new(),
            _ => argument_parts(block, path, &[]),
        };
        let location = arguments.first().map(|argument| argument.location.clone());
        // What a provider makes of a known argument is its own choice.
        let is_computed = configured.is_none_or(|configured| !configured.is_wholly_known());
        if is_computed && !arguments.is_empty() {
            let expressions = arguments.into_iter().map(|argument| {
                let scoped = ScopedExpression::new(argument.expression, node.module, argument.path);
                ScopedExpression { iterators: argument.iterators, ..scoped }
                    .repeated(&block.body, &repetition)
            });
            let expressions = expressions.collect();
            return Some(Computation { location, cause: UnknownCause::Expression, expressions });
        }
        let cause = match resource.mode {
            ResourceMode::Managed => UnknownCause::Provider(resource.ty.to_string()),
            ResourceMode::Data => UnknownCause::DataSource,
            ResourceMode::Ephemeral => UnknownCause::Ephemeral,
        };
        let declaration = Location { source: block.source.clone(), byte: block.span.start };
        Some(Computation::ends(location.or(Some(declaration)), cause))
    }

    /// Why the value of expressions is unknown although every value that they refer to is known.
    fn cause_without_dependencies(&self, expressions: &[ScopedExpression]) -> UnknownCause {
        for scoped in expressions {
            let scope = ModuleScope::repeated(self.engine, scoped.module, scoped.repetition.clone());
            if scoped.iterators.is_empty()
                && let Err(problems) = self.engine.evaluate(&scoped.expression, &scope)
            {
                return UnknownCause::Problem(problems.first().summary().to_owned());
            }
            let functions = scoped.expression.function_names();
            let is_late = |name: &&str| LATE_FUNCTIONS.contains(name) || name.starts_with("provider::");
            if let Some(name) = functions.into_iter().map(|(name, _)| name).find(is_late) {
                return UnknownCause::Function(name.to_owned());
            }
        }
        UnknownCause::Expression
    }
}

impl ScopedExpression {
    pub(super) fn new(expression: Expression, module: usize, path: Vec<Step>) -> ScopedExpression {
        ScopedExpression {
            expression,
            module,
            path,
            repeated_by: None,
            repetition: Repetition::None,
            self_instance: None,
            iterators: Vec::new(),
        }
    }

    /// The expression in a block that may have `count` or `for_each`.
    pub(super) fn repeated(self, body: &Body, repetition: &Repetition) -> ScopedExpression {
        let repeated_by = repetition_argument(body).map(|argument| argument.expression.clone());
        ScopedExpression { repeated_by, repetition: repetition.clone(), ..self }
    }

    /// The expression with an instance as `self`.
    pub(super) fn with_self(self, self_instance: Option<usize>) -> ScopedExpression {
        ScopedExpression { self_instance, ..self }
    }
}

/// The argument that says how many instances of a block there are.
fn repetition_argument(body: &Body) -> Option<&Argument> {
    let in_lifecycle = || {
        let lifecycle = body.blocks.iter().filter(|block| &*block.kind == "lifecycle");
        lifecycle.into_iter().find_map(|block| block.body.argument("enabled"))
    };
    body.argument("for_each").or_else(|| body.argument("count")).or_else(in_lifecycle)
}

/// The text of a line for output; `None` if it may contain what a mark hides: where the value that is written there has a
/// mark, or the line calls `sensitive`.
pub(crate) fn line_without_secrets(source: &Source, line: usize, has_marks: bool) -> Option<&str> {
    source.line(line).filter(|text| !has_marks && !text.contains("sensitive("))
}
