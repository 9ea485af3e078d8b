//! Evaluation of a configuration: each local value, variable, output, module call and resource once, after what it refers to.

mod arguments;
mod conditions;
mod cycles;
mod expansion;
mod explain;
mod facts;
mod functions;
mod narrow;
mod order;
mod origins;
mod resource;
mod scope;
mod sensitivity;
mod validation;
mod values;
mod without_plan;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::module::{Module, Output};
use super::tree::Tree;
use super::{Configuration, Inputs};
use plantime::Value;
use plantime::function::Functions;
use plantime_hcl::unstable::{Problems, Total};
use plantime_hcl::{Diagnostic, Diagnostics, Expression, Limits, Scope};

use expansion::Expansion;
pub(crate) use explain::{PlanObject, line_without_secrets};
pub(crate) use facts::{DeclaredFacts, DeclaredName, DeclaredResource};
pub(super) use functions::functions;
use origins::PlacedValue;
pub(super) use resource::Instance;
pub(crate) use resource::TERRAFORM_DATA_KEEPS;
use scope::ModuleScope;
pub(super) use scope::Repetition;
pub(super) use validation::BUILTIN;

/// A declaration that is evaluated once for each instance of its module: a local value, variable, output, module call
/// or resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    /// The instance of the module.
    module: usize,
    kind: NodeKind,
    /// The position among the declarations of its kind.
    position: usize,
}

/// What a node of the evaluation is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NodeKind {
    Local,
    Variable,
    Output,
    Call,
    Resource,
}

/// An instance of a module.
pub(super) struct ModuleInstance<'a> {
    pub(super) tree: &'a Tree,
    /// What addresses in the instance begin with: `module.net[0].`; empty for the root.
    pub(super) prefix: String,
    /// The instance that calls it, the position of the call there, and the key of the instance.
    caller: Option<(usize, usize, Repetition)>,
}

/// A configuration in evaluation, and afterwards.
pub(super) struct Engine<'a> {
    configuration: &'a Configuration,
    inputs: &'a Inputs<'a>,
    functions: Functions,
    state: RefCell<State<'a>>,
    /// What the expressions of the configuration have taken together.
    total: Total,
    /// The numbers of instances, of blocks of `dynamic` blocks and of kept elements so far.
    counts: Counts,
    /// How many more times a declared name may be compared with an undeclared one, to suggest the nearest in a message.
    comparisons: Cell<usize>,
    /// Whether problems are not reported: what is evaluated may not exist in the end.
    is_quiet: Cell<bool>,
}

/// The maximum number of times that a declared name is compared with an undeclared one; beyond it messages suggest no
/// name.
const COMPARISONS: usize = 50_000;

/// The limits of all expressions of a configuration together: iterations, steps, and bytes of text. They bound the time
/// to about a second, and the memory of the built values.
const TOGETHER: (u64, u64, u64) = (750_000, 16_000_000, 24 << 20);

/// The maximum number of elements of all stored values together. Elements of nested containers are not counted, nor are
/// those of a value that only names another one.
const KEPT_ELEMENTS: u64 = 1_000_000;

/// How many instances, blocks and elements an evaluation has made so far; each has a limit.
#[derive(Default)]
struct Counts {
    instances: Cell<u64>,
    blocks: Cell<u64>,
    elements: Cell<u64>,
}

/// Adds to a counter, and returns the sum.
fn added(counter: &Cell<u64>, amount: usize) -> u64 {
    counter.set(counter.get().saturating_add(u64::try_from(amount).unwrap_or(u64::MAX)));
    counter.get()
}

/// The results of the evaluation so far: values, module and resource instances, problems.
#[derive(Default)]
struct State<'a> {
    modules: Vec<Rc<ModuleInstance<'a>>>,
    values: HashMap<Node, Value>,
    /// The instances of module calls: the position of each in `modules`.
    calls: HashMap<Node, Rc<Called>>,
    /// The instances of resources by their addresses, in the order of evaluation.
    resources: indexmap::IndexMap<String, Instance>,
    /// The results of `without_names` and, in `roots`, of `root_of`, each cached when it is first computed.
    named: HashMap<PlacedValue, PlacedValue>,
    roots: HashMap<PlacedValue, PlacedValue>,
    /// The resources of which there is no instance: nothing in their blocks is evaluated.
    without_instances: HashSet<Node>,
    problems: Problems,
    /// The file, the first byte and the sentences of each problem in `problems`, so that none is reported twice.
    reported: HashSet<(String, usize, String)>,
}

/// The instances of a module call.
struct Called {
    expansion: Expansion,
    modules: Vec<usize>,
}

impl<'a> Engine<'a> {
    /// Evaluates all of a configuration.
    pub(super) fn run(configuration: &'a Configuration, inputs: &'a Inputs<'a>) -> Engine<'a> {
        let functions = functions(configuration.files.clone(), inputs);
        let mut together = Limits::default();
        (together.iterations, together.steps, together.text) = TOGETHER;
        let engine = Engine {
            configuration,
            inputs,
            functions,
            state: RefCell::default(),
            total: Total::new(together),
            counts: Counts::default(),
            comparisons: Cell::new(COMPARISONS),
            is_quiet: Cell::new(false),
        };
        engine.state.borrow_mut().modules.push(Rc::new(ModuleInstance {
            tree: &configuration.root,
            prefix: String::new(),
            caller: None,
        }));
        let mut module = 0;
        // Module calls add instances while they are evaluated.
        while let Some(instance) = engine.instance(module) {
            for node in nodes(module, &instance.tree.module) {
                engine.demand(node);
            }
            module = module.saturating_add(1);
        }
        if inputs.is_validation {
            engine.report_cycles();
            (0..module).for_each(|module| engine.validate_module(module));
        }
        engine
    }

    /// Evaluates an expression in the root module.
    pub(super) fn evaluate_in_root(&self, expression: &Expression) -> Result<Value, Diagnostics> {
        let scope = ModuleScope::of(self, 0);
        expression.evaluate(&Scope::new(&scope).with_functions(&self.functions).with_origins(&scope))
    }

    /// Evaluates an expression with the names of a module. In a validation, checks the references in it against the
    /// declarations first.
    fn evaluate(&self, expression: &Expression, scope: &ModuleScope<'_, 'a>) -> Result<Value, Diagnostics> {
        if self.inputs.is_validation {
            self.check_references(expression, scope)?;
        }
        if self.inputs.is_without_plan {
            self.report_undeclared(expression, scope);
        }
        // The problem was reported for the expression that exceeded the limit.
        if self.total.is_exceeded() {
            return Ok(Value::dynamic());
        }
        let inner = Scope::new(scope).with_functions(&self.functions).with_origins(scope);
        let inner = inner.for_validation(self.inputs.is_terraform_validation());
        expression.evaluate(&inner.within(&self.total))
    }

    /// The value of an expression. If the evaluation fails, reports the problems and returns an unknown value.
    fn evaluate_or_report(&self, expression: &Expression, scope: &ModuleScope<'_, 'a>) -> Value {
        self.evaluate(expression, scope).unwrap_or_else(|problems| {
            self.report(problems);
            Value::dynamic()
        })
    }

    /// Adds problems to the list, each once: an expression is evaluated for each instance.
    fn report(&self, problems: impl Into<Diagnostics>) {
        if self.is_quiet.get() {
            return;
        }
        let problems = problems.into();
        let mut state = self.state.borrow_mut();
        for problem in problems.iter() {
            // A problem that would be omitted anyway need not be remembered as reported.
            if state.problems.is_full_for(problem) {
                continue;
            }
            let (place, detail) = (problem.span().start, problem.detail().to_owned());
            if state.reported.insert((problem.source().name().to_owned(), place, detail)) {
                state.problems.push(problem.clone());
            }
        }
    }

    /// Runs without reporting problems.
    fn quietly<T>(&self, run: impl FnOnce() -> T) -> T {
        let before = self.is_quiet.replace(true);
        let result = run();
        self.is_quiet.set(before);
        result
    }

    /// An instance of a module.
    fn instance(&self, module: usize) -> Option<Rc<ModuleInstance<'a>>> {
        self.state.borrow().modules.get(module).cloned()
    }

    /// Whether the value of a node is evaluated.
    fn is_done(&self, node: Node) -> bool {
        let state = self.state.borrow();
        match node.kind {
            NodeKind::Call => state.calls.contains_key(&node),
            _ => state.values.contains_key(&node),
        }
    }

    /// The value of a node that has been evaluated.
    fn value(&self, node: Node) -> Option<Value> {
        self.state.borrow().values.get(&node).cloned()
    }

    /// The value of an output of the root module.
    pub(super) fn output(&self, name: &str) -> Option<Value> {
        let position = self.configuration.root.module.outputs.get_index_of(name)?;
        self.value(Node { module: 0, kind: NodeKind::Output, position })
    }

    /// The declaration of an output of the root module.
    pub(super) fn declared_output(&self, name: &str) -> Option<&'a Output> {
        self.configuration.root.module.outputs.get(name)
    }

    /// The root module.
    pub(super) fn root_module(&self) -> Arc<Module> {
        Arc::clone(&self.configuration.root.module)
    }

    /// Calls `read` with the evaluated resource instance at this address; `None` if there is none.
    pub(super) fn with_resource<T>(&self, address: &str, read: impl FnOnce(&Instance) -> T) -> Option<T> {
        self.state.borrow().resources.get(address).map(read)
    }

    /// The addresses of all instances of resources.
    pub(super) fn addresses(&self) -> Vec<String> {
        self.state.borrow().resources.keys().cloned().collect()
    }

    /// The problems found so far. What Terraform reports only once a value is known is a warning before: its plan succeeds.
    pub(super) fn problems(&self) -> Vec<Diagnostic> {
        let found = self.state.borrow().problems.clone();
        let problems = self.configuration.unread.iter().cloned().chain(found);
        let is_late = Diagnostic::is_reported_once_known;
        problems.map(|problem| if is_late(&problem) { problem.as_warning() } else { problem }).collect()
    }
}

/// All nodes of an instance of a module.
fn nodes(module: usize, declared: &Module) -> impl Iterator<Item = Node> {
    let counts = [
        (NodeKind::Variable, declared.variables.len()),
        (NodeKind::Local, declared.locals.len()),
        (NodeKind::Call, declared.calls.len()),
        (NodeKind::Resource, declared.resources.len()),
        (NodeKind::Output, declared.outputs.len()),
    ];
    counts
        .into_iter()
        .flat_map(move |(kind, count)| (0..count).map(move |position| Node { module, kind, position }))
}
