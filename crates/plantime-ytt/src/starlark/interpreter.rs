//! Evaluation of statements and calls.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::error::Failure;
use super::heap::{Heap, Scope};
use super::syntax::{Place, Statement, StatementKind, Target};
use super::unit::Unit;
use super::value::{Arguments, Builtin, Value};
use crate::bounds::Bounds;
use crate::node::{Content, Node, Scalar};
use crate::package::Skipped;
use crate::validation::Undetermined;

/// The largest depth of nested calls, statements and expressions.
const MAX_DEPTH: usize = 400;

/// How a statement ended.
pub(crate) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// Where an evaluation is: in a file, in a scope.
pub(crate) struct Context {
    pub(crate) unit: Rc<Unit>,
    pub(crate) scope: Rc<Scope>,
}

/// Where `load` finds files. A package implements it; as a trait it keeps packages out of what the interpreter knows.
pub(crate) trait Library {
    /// Returns a file of code by the name that `load` gives it in another file; the error is ytt's.
    fn unit(&self, name: &str, from: &str) -> Result<Rc<Unit>, Failure>;

    /// The number of bytes of all files and values.
    fn size(&self) -> usize;

    /// Whether a later key of a map replaces an earlier one, without an annotation.
    fn overrides_keys(&self) -> bool;

    /// Whether rules are those of the proposal, of which ytt has a part.
    fn has_proposal(&self) -> bool;

    /// Whether there is a library in the package.
    fn has_library(&self, path: &str) -> bool;

    /// Evaluates a library of the package; the error is ytt's.
    fn evaluate_library(&self, request: &LibraryRequest) -> Result<LibraryResult, String>;

    /// The names of the files below a folder, as another file names it; the error is ytt's.
    fn list_files(&self, folder: &str, from: &str) -> Result<Vec<String>, String>;

    /// The text of a file, as another file names it; the error is ytt's.
    fn read_file(&self, path: &str, from: &str) -> Result<&str, String>;
}

/// A library as it is to be evaluated.
pub(crate) struct LibraryRequest {
    pub(crate) path: String,
    /// The name among several uses of the library; empty if it has none.
    pub(crate) alias: String,
    /// What is not validated.
    pub(crate) skipped: Skipped,
    pub(crate) schemas: Vec<Content>,
    /// Data values, and whether they are plain.
    pub(crate) values: Vec<(Content, bool)>,
    /// Whether its documents are evaluated, and not its data values alone.
    pub(crate) wants_documents: bool,
}

/// What an evaluation of a library returned.
pub(crate) struct LibraryResult {
    pub(crate) content: Content,
    pub(crate) undetermined: Vec<Undetermined>,
    pub(crate) printed: String,
    pub(crate) steps: usize,
}

impl Default for LibraryResult {
    fn default() -> LibraryResult {
        let content = Content::Scalar(Scalar::Null);
        LibraryResult { content, undetermined: Vec::new(), printed: String::new(), steps: 0 }
    }
}

/// An evaluation of files.
pub(crate) struct Interpreter<'l> {
    // Before the heap, so that values are released while their heap is there.
    modules: HashMap<String, Rc<Scope>>,
    /// The children of the nodes that are evaluated, innermost last.
    pub(crate) children: Vec<Children>,
    /// What the module `data` has as values; `None` where there are none yet.
    pub(crate) data_values: Option<Value>,
    pub(crate) heap: Heap,
    pub(crate) library: &'l dyn Library,
    /// The paths and aliases of the libraries that were evaluated.
    pub(crate) used_libraries: Vec<(String, String)>,
    /// The rules of libraries without an answer.
    pub(crate) undetermined: Vec<Undetermined>,
    /// What `print` wrote.
    pub(crate) printed: String,
    /// Whether a value of a file is unknown, so that built-in functions look for such values in their arguments.
    has_unknowns: bool,
    depth: usize,
    /// The number of templates that were evaluated, which messages of ytt show.
    units: usize,
    loading: Vec<String>,
}

/// The nodes that the statements of a node, a function or a file made.
#[derive(Default)]
pub(crate) struct Children {
    pub(crate) nodes: Vec<Node>,
    /// What identifies the keys of the nodes that are map items.
    pub(crate) keys: HashSet<String>,
}

/// The largest length of what is printed.
const MAX_PRINTED: usize = 1 << 20;

impl<'l> Interpreter<'l> {
    /// An interpreter that has evaluated nothing.
    pub(crate) fn new(library: &'l dyn Library) -> Interpreter<'l> {
        Interpreter {
            modules: HashMap::new(),
            children: Vec::new(),
            data_values: None,
            units: 1,
            heap: Heap::new(Bounds::of(library.size())),
            library,
            used_libraries: Vec::new(),
            undetermined: Vec::new(),
            printed: String::new(),
            has_unknowns: false,
            depth: 0,
            loading: Vec::new(),
        }
    }

    /// Sets the data values that templates see.
    pub(crate) fn set_data_values(&mut self, content: &Content) -> Result<(), Failure> {
        self.note_unknowns(content);
        let empty = Content::Map(Vec::new());
        // Where there are no data values, templates see an empty struct.
        let content = if content.is_null() { &empty } else { content };
        self.data_values = Some(super::convert::data_values(&self.heap, content, "")?);
        Ok(())
    }

    /// Adds a line to what is printed.
    pub(crate) fn print(&mut self, line: &str) -> Result<(), Failure> {
        if self.printed.len().saturating_add(line.len()) > MAX_PRINTED {
            return Err(Failure::Limit("the functions print too much".to_owned()));
        }
        self.printed.push_str(line);
        self.printed.push('\n');
        Ok(())
    }

    /// Notes whether a content that functions may read has an unknown value.
    pub(crate) fn note_unknowns(&mut self, content: &Content) {
        self.has_unknowns |= match content {
            Content::Scalar(scalar) => *scalar == Scalar::Unknown,
            other => {
                other.children().iter().for_each(|child| self.note_unknowns(&child.content));
                false
            }
        };
    }

    /// Evaluates the statements of a file and returns the YAML nodes that they made.
    pub(crate) fn evaluate_file(&mut self, unit: &Rc<Unit>) -> Result<Vec<Node>, Failure> {
        Ok(self.run_file(unit)?.1)
    }

    /// Evaluates a file and returns its global variables and its nodes.
    fn run_file(&mut self, unit: &Rc<Unit>) -> Result<(Rc<Scope>, Vec<Node>), Failure> {
        unit.nodes.iter().for_each(|node| self.note_unknowns(&node.content));
        let scope = self.heap.scope(unit.names.len(), None)?;
        self.units = self.units.saturating_add(1);
        unit.number.set(self.units);
        let context = Context { unit: Rc::clone(unit), scope: Rc::clone(&scope) };
        self.children.push(Children::default());
        let result = self.statements(&unit.body, &context);
        let nodes = self.children.pop().unwrap_or_default().nodes;
        result.map_err(|failure| failure.leaving(&"<toplevel>".into(), &unit.source))?;
        Ok((scope, nodes))
    }

    /// Counts a level of nesting and a step while a part is evaluated.
    pub(super) fn nested<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.heap.work(1)?;
        if self.depth >= MAX_DEPTH {
            return Err(Failure::Limit("functions call each other too deeply".to_owned()));
        }
        self.depth = self.depth.saturating_add(1);
        let result = part(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }

    /// Evaluates statements until one of them ends the block.
    pub(super) fn statements(&mut self, body: &[Statement], context: &Context) -> Result<Flow, Failure> {
        for statement in body {
            let flow = self.nested(|this| this.statement(statement, context));
            match flow.map_err(|failure| failure.at_line(statement.line))? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    /// Evaluates a statement.
    fn statement(&mut self, statement: &Statement, context: &Context) -> Result<Flow, Failure> {
        match &statement.kind {
            StatementKind::Expr(value) => drop(self.eval(value, context)?),
            StatementKind::Assign(target, value) => {
                let value = self.eval(value, context)?;
                self.assign(target, value, context)?;
            }
            StatementKind::Update(target, operator, value) => {
                self.update(target, operator, value, context)?
            }
            StatementKind::If(condition, then, otherwise) => {
                let branch = if self.eval(condition, context)?.truth()? { then } else { otherwise };
                return self.statements(branch, context);
            }
            StatementKind::For(target, iterable, body) => {
                let iterable = self.eval(iterable, context)?;
                return self.for_each(&iterable, |this, item| {
                    this.assign(target, item, context)?;
                    this.statements(body, context)
                });
            }
            StatementKind::While(condition, body) => {
                while self.eval(condition, context)?.truth()? {
                    match self.statements(body, context)? {
                        Flow::Break => break,
                        Flow::Next | Flow::Continue => {}
                        returned => return Ok(returned),
                    }
                    self.heap.work(1)?;
                }
            }
            StatementKind::Define(definition, place) => {
                let function = self.function(definition, context)?;
                self.set(place.get(), function, context);
            }
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(value, context)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or(Value::None)));
            }
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
            StatementKind::Pass => {}
            StatementKind::Load(file, names) => {
                let from = context.unit.source.name.clone();
                for (_, name, place) in names {
                    let value = self.load(file, name, &from)?;
                    self.set(place.get(), value, context);
                }
            }
            StatementKind::Node(node) => {
                let nodes = self.node(node, context)?;
                if let Some(children) = self.children.last_mut() {
                    children.nodes.extend(nodes);
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Runs a loop over the elements of a value, which cannot change meanwhile.
    pub(super) fn for_each(
        &mut self,
        iterable: &Value,
        mut body: impl FnMut(&mut Self, Value) -> Result<Flow, Failure>,
    ) -> Result<Flow, Failure> {
        let items = self
            .iterate(iterable)?
            .ok_or_else(|| format!("{} value is not iterable", iterable.type_name()))?;
        let loops = match iterable {
            Value::List(list) => Some(&list.loops),
            Value::Dict(dict) | Value::Set(dict) => Some(&dict.loops),
            _ => None,
        };
        let count = |change: fn(usize, usize) -> usize| {
            if let Some(loops) = loops {
                loops.set(change(loops.get(), 1));
            }
        };
        count(usize::saturating_add);
        let mut flow = Ok(Flow::Next);
        for item in items {
            flow = self.heap.work(1).and_then(|()| body(self, item));
            match flow {
                Ok(Flow::Next | Flow::Continue) => flow = Ok(Flow::Next),
                Ok(Flow::Break) => {
                    flow = Ok(Flow::Next);
                    break;
                }
                Ok(Flow::Return(_)) | Err(_) => break,
            }
        }
        count(usize::saturating_sub);
        flow
    }

    /// Returns a variable of a module of ytt or of another file, which is evaluated if it was not yet.
    fn load(&mut self, file: &str, name: &str, from: &str) -> Result<Value, Failure> {
        if let Some(module) = file.strip_prefix("@ytt:") {
            let module = super::modules::module(self, module, from)?;
            let missing = || format!("load: name {name} not found in module {file}");
            return Ok(module.field(name).cloned().ok_or_else(missing)?);
        }
        if name.starts_with('_') {
            return Err(format!("load: name {name} not found in module {file}").into());
        }
        if self.loading.iter().any(|loading| loading == file) {
            return Err(format!("cannot load {file}: cycle in load graph").into());
        }
        let unit = self.library.unit(file, from)?;
        let path = unit.source.name.clone();
        let scope = match self.modules.get(&path) {
            Some(scope) => Rc::clone(scope),
            None => {
                self.loading.push(file.to_owned());
                let result = self.nested(|this| this.run_file(&unit));
                self.loading.pop();
                let fail = |failure: Failure| match failure {
                    Failure::Error(_) => Failure::from(format!("cannot load {file}: {}", failure.shown())),
                    other => other,
                };
                let (scope, _) = result.map_err(fail)?;
                super::freeze::freeze(&self.heap, &scope)?;
                self.modules.insert(path, Rc::clone(&scope));
                scope
            }
        };
        let slot = unit.names.iter().position(|known| **known == *name);
        let value = slot.and_then(|slot| scope.values.borrow().get(slot).cloned().flatten());
        Ok(value.ok_or_else(|| format!("load: name {name} not found in module {file}"))?)
    }

    /// Sets a variable.
    fn set(&self, place: Place, value: Value, context: &Context) {
        let Place::Slot { up, slot } = place else { return };
        let mut scope = Some(&context.scope);
        for _ in 0..up {
            scope = scope.and_then(|scope| scope.parent.as_ref());
        }
        if let Some(scope) = scope
            && let Some(variable) = scope.values.borrow_mut().get_mut(slot)
        {
            *variable = Some(value);
        }
    }

    /// Assigns a value to a target: a variable, several, an element or an attribute.
    pub(super) fn assign(&mut self, target: &Target, value: Value, context: &Context) -> Result<(), Failure> {
        match target {
            Target::Name(_, place) => {
                self.set(place.get(), value, context);
                Ok(())
            }
            Target::Index(collection, index, line) => {
                let collection = self.eval(collection, context)?;
                let index = self.eval(index, context)?;
                self.set_index(&collection, &index, value).map_err(|failure| failure.at_line(*line))
            }
            Target::Attribute(owner, name, line) => {
                let owner = self.eval(owner, context)?;
                let message = format!("can't assign to .{name} field of {}", owner.known()?.type_name());
                Err(Failure::from(message).at_line(*line))
            }
            Target::Items(targets, line) => {
                let Some(items) = self.iterate(&value)? else {
                    let message = format!("got {} in sequence assignment", value.type_name());
                    return Err(Failure::from(message).at_line(*line));
                };
                let (given, wanted) = (items.len(), targets.len());
                if given != wanted {
                    let few = if given < wanted { "few" } else { "many" };
                    let message = format!("too {few} values to unpack (got {given}, want {wanted})");
                    return Err(Failure::from(message).at_line(*line));
                }
                targets.iter().zip(items).try_for_each(|(target, item)| self.assign(target, item, context))
            }
        }
    }

    /// Evaluates `TARGET OPERATOR= VALUE`; the parts of the target are evaluated once.
    fn update(
        &mut self,
        target: &Target,
        operator: &'static str,
        value: &super::syntax::Expr,
        context: &Context,
    ) -> Result<(), Failure> {
        match target {
            Target::Name(name, place) => {
                let before = self.variable(name, place.get(), context)?;
                let value = self.eval(value, context)?;
                let after = self.updated(operator, before, value)?;
                self.set(place.get(), after, context);
                Ok(())
            }
            Target::Index(collection, index, _) => {
                let collection = self.eval(collection, context)?;
                let index = self.eval(index, context)?;
                let before = self.index(&collection, &index)?;
                let value = self.eval(value, context)?;
                let after = self.updated(operator, before, value)?;
                self.set_index(&collection, &index, after)
            }
            _ => Err("invalid left-hand side in augmented assignment".into()),
        }
    }

    /// Returns the result of `BEFORE OPERATOR= VALUE`: a list grows in place.
    fn updated(&mut self, operator: &'static str, before: Value, value: Value) -> Result<Value, Failure> {
        if let (Value::List(list), "+") = (&before, operator)
            && let Some(items) = self.iterate(&value)?
        {
            super::methods::check_change(&list.loops, "extend", "list")?;
            for item in items {
                self.heap.grow_list()?;
                list.items.borrow_mut().push(item);
            }
            return Ok(before);
        }
        self.binary(operator, &before, &value)
    }

    /// Calls a function with arguments.
    pub(crate) fn call(&mut self, function: &Value, arguments: Arguments) -> Result<Value, Failure> {
        self.nested(|this| match function.known()? {
            Value::Function(function) => this.call_function(function, arguments),
            Value::Builtin(builtin) => this.call_builtin(builtin, arguments),
            other => Err(format!("invalid call of non-function ({})", other.type_name()).into()),
        })
    }

    /// Calls a built-in function, unless its arguments have unknown values that it would read.
    fn call_builtin(&mut self, builtin: &Rc<Builtin>, arguments: Arguments) -> Result<Value, Failure> {
        // Looking into all arguments is only worth its cost where a value can be unknown.
        if !self.has_unknowns {
            return self.call_native(builtin, arguments);
        }
        // Functions that add values to a collection do not read them.
        let stores = ["append", "insert", "setdefault", "template.replace"].contains(&&*builtin.name);
        let values = arguments.positional.iter().chain(arguments.keywords.iter().map(|(_, value)| value));
        for value in values.filter(|_| !stores).chain(builtin.receiver.as_ref()) {
            if builtin.shallow { value.known().map(drop)? } else { self.wholly_known(value, 0)? }
        }
        self.call_native(builtin, arguments)
    }

    /// Calls a built-in function; errors of functions of modules begin with their name.
    fn call_native(&mut self, builtin: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
        let result = (builtin.native)(self, builtin, arguments);
        // Errors of functions of modules start with their names, and those of other functions already do.
        result.map_err(|failure| match failure {
            Failure::Error(mut error) if builtin.name.contains('.') && !error.message.starts_with("(p) ") => {
                error.message = format!("{}: {}", builtin.name, error.message);
                Failure::Error(error)
            }
            other => other,
        })
    }
}
