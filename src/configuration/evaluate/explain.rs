//! Follows unknown values back through expressions to what only an apply decides. No recursion from value to value, as a chain
//! may be long.

use std::collections::HashMap;
use std::rc::Rc;

use super::order::referred;
use super::scope::{ModuleScope, Repetition};
use super::{Engine, Expansion, Instance, Node, NodeKind};
use crate::configuration::body::{Argument, Block, Body};
use crate::configuration::module::ResourceMode;
use crate::configuration::{Cause, ExplainedValue, Explanation};
use crate::expression::{Dependency, Expression, Scope};
use crate::path::{Path, Step};
use crate::source::Source;
use crate::value::{Value, View};

/// The maximum number of values of the explanation of one name.
const VALUES: usize = 2_000;

/// The maximum number of values of the explanation of all that is open in a plan.
const MANY_VALUES: usize = 1_000_000;

/// The maximum number of parts of one value that an expression hangs on; further ones are counted.
const PARTS: usize = 20;

/// The functions that have another result with each apply.
const LATE_FUNCTIONS: [&str; 3] = ["timestamp", "uuid", "bcrypt"];

/// What the path of a value to be explained starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked<'n> {
    /// An instance of a resource, by its address.
    Resource(&'n str),
    /// An output of the root module, by its name.
    Output(&'n str),
}

/// The iterators of the `dynamic` blocks around an expression with their collections, the innermost last.
type Iterators = [(String, Rc<Expression>)];

/// An expression, and what is asked of it.
#[derive(Clone)]
pub(super) struct Site {
    expression: Rc<Expression>,
    /// The instance of the module whose names the expression uses.
    module: usize,
    /// The part of its value.
    path: Vec<Step>,
    /// `count` or `for_each` of the block around the expression, and what `count` and `each` are.
    repeated_by: Option<Rc<Expression>>,
    repetition: Repetition,
    /// The instance that `self` is, by its position among all instances.
    own: Option<usize>,
    /// The iterators of the `dynamic` blocks around it with their collections, the innermost last.
    iterators: Vec<(String, Rc<Expression>)>,
}

/// A value to be explained.
pub(super) struct Target {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) subject: Subject,
}

/// What a [`Target`] is.
#[derive(Clone)]
pub(super) enum Subject {
    /// A part of a local value, variable or output.
    Node(Node, Vec<Step>),
    /// A part of an instance of a resource, by its position among all instances.
    Attribute(usize, Vec<Step>),
    /// The instances of a resource or module call.
    Instances(Node),
    /// A resource whose changes come first.
    Resource,
    /// A module that is not installed.
    Module,
    /// A name of the language, such as `terraform.workspace`.
    Name,
    /// An expression that is not part of a value: a condition, or one of the caller.
    Expression(Box<Site>),
}

/// Targets, and how many more there are.
#[derive(Default)]
struct Targets {
    found: Vec<Target>,
    omitted: usize,
}

/// The argument that a part of a block is written in.
struct Written {
    expression: Rc<Expression>,
    place: (Source, usize),
    path: Vec<Step>,
    iterators: Vec<(String, Rc<Expression>)>,
}

impl Written {
    fn of(argument: &Argument, path: &[Step], iterators: &Iterators) -> Written {
        Written {
            expression: Rc::new(argument.expression.clone()),
            place: (argument.expression.source().clone(), argument.span.start),
            path: path.to_vec(),
            iterators: iterators.to_vec(),
        }
    }
}

pub(super) struct Tracer<'t, 'a> {
    engine: &'t Engine<'a>,
    /// The positions of the instances of each resource.
    instances: HashMap<Node, Vec<usize>>,
    values: Vec<ExplainedValue>,
    subjects: Vec<Subject>,
    by_name: HashMap<String, usize>,
    /// The maximum number of values.
    limit: usize,
}

impl<'a> Engine<'a> {
    /// Explains the value of a name, such as `module.net.aws_subnet.a[0].vpc_id` or `output.url`, or of an expression of the
    /// root module; `None` if the text is neither.
    pub(in crate::configuration) fn explain(&self, text: &str) -> Option<Explanation> {
        let mut tracer = Tracer::new(self);
        let mut asked = tracer.named(text);
        if asked.found.is_empty() {
            asked.found.push(self.as_expression(text)?);
        }
        for target in asked.found {
            tracer.add(target);
        }
        Some(tracer.explanation())
    }

    /// Explains many values in instances of resources and outputs of the root module. The positions are those of the values
    /// among what is explained: several for a container, none for what the configuration does not have.
    pub(in crate::configuration) fn explain_all(
        &self,
        asked: &[(Asked<'_>, &Path)],
    ) -> (Explanation, Vec<Vec<usize>>) {
        let mut tracer = Tracer::of_many(self);
        let mut positions = Vec::with_capacity(asked.len());
        for (name, path) in asked {
            let targets = match name {
                Asked::Resource(address) => {
                    let position = self.state.borrow().resources.get_index_of(*address);
                    position.map(|position| tracer.attributes(&[position], path.steps(), true))
                }
                Asked::Output(name) => {
                    let position = self.configuration.root.module.outputs.get_index_of(*name);
                    let node = position.map(|position| Node { module: 0, kind: NodeKind::Output, position });
                    node.map(|node| tracer.parts_of_node(node, path.steps(), true))
                }
            };
            let targets = targets.into_iter().flat_map(|targets| targets.found);
            positions.push(targets.filter_map(|target| tracer.add(target)).collect());
        }
        (tracer.explanation(), positions)
    }

    /// An expression of the root module as a target.
    fn as_expression(&self, text: &str) -> Option<Target> {
        let expression = Expression::parse(text).ok()?;
        let value = self.evaluate_in_root(&expression).ok()?;
        let subject = Subject::Expression(Box::new(Site::new(Rc::new(expression), 0, Vec::new())));
        Some(Target { name: text.trim().to_owned(), value, subject })
    }

    pub(super) fn with_instance<T>(
        &self,
        position: usize,
        read: impl FnOnce(&str, &Instance) -> T,
    ) -> Option<T> {
        let state = self.state.borrow();
        state.resources.get_index(position).map(|(address, instance)| read(address, instance))
    }
}

impl<'t, 'a> Tracer<'t, 'a> {
    fn new(engine: &'t Engine<'a>) -> Tracer<'t, 'a> {
        let mut instances: HashMap<Node, Vec<usize>> = HashMap::new();
        for (position, instance) in engine.state.borrow().resources.values().enumerate() {
            instances.entry(instance.node).or_default().push(position);
        }
        let (values, subjects, by_name) = (Vec::new(), Vec::new(), HashMap::new());
        Tracer { engine, instances, values, subjects, by_name, limit: VALUES }
    }

    /// A tracer of all that is open in a plan.
    pub(super) fn of_many(engine: &'t Engine<'a>) -> Tracer<'t, 'a> {
        Tracer { limit: MANY_VALUES, ..Tracer::new(engine) }
    }

    /// The values that a name stands for.
    fn named(&mut self, text: &str) -> Targets {
        let modules = self.engine.state.borrow().modules.clone();
        let within = modules.iter().enumerate().filter(|(_, module)| text.starts_with(&module.prefix));
        // The longest prefix names the innermost module.
        let Some((module, instance)) = within.max_by_key(|(_, module)| module.prefix.len()) else {
            return Targets::default();
        };
        let Some(rest) = text.get(instance.prefix.len()..) else { return Targets::default() };
        let Ok(expression) = Expression::parse(rest) else { return Targets::default() };
        let scope = ModuleScope::of(self.engine, module);
        let dependencies = expression.dependencies(&[], &Scope::new(&scope));
        let (Some(dependency), true) = (dependencies.first(), expression.is_name()) else {
            return Targets::default();
        };
        let outputs = &instance.tree.module.outputs;
        let output = |name: &str, path: &[Step]| {
            let position = outputs.get_index_of(name)?;
            let node = Node { module, kind: NodeKind::Output, position };
            Some(self.parts_of_node(node, path, true))
        };
        let (root, steps) = (&*dependency.root, &dependency.steps[..]);
        if root == "output"
            && let Some((Step::Attr(name), path)) = steps.split_first()
        {
            return output(name.as_str(), path).unwrap_or_default();
        }
        let name = |step: usize| attribute(steps.get(step)?);
        match referred(module, &instance.clone(), root, name) {
            Some(_) => self.resolved(module, dependency, true),
            None if !instance.prefix.is_empty() => output(root, steps).unwrap_or_default(),
            None => Targets::default(),
        }
    }

    /// The explanation of the values that were added: they, and all that they hang on.
    pub(super) fn explanation(mut self) -> Explanation {
        let count = self.values.len();
        let mut position = 0;
        while let Some(subject) = self.subjects.get(position).cloned() {
            self.follow(position, &subject);
            position = position.saturating_add(1);
        }
        Explanation { values: self.values, asked: count }
    }

    /// The position of a target among the values; `None` if there are too many.
    pub(super) fn add(&mut self, target: Target) -> Option<usize> {
        if let Some(position) = self.by_name.get(&target.name) {
            return Some(*position);
        }
        let (address, path) = match &target.subject {
            Subject::Attribute(instance, path) => {
                let address = self.engine.with_instance(*instance, |address, _| address.to_owned());
                (address, Path::from_iter(path.iter().cloned()))
            }
            _ => (None, Path::new()),
        };
        let position = self.values.len();
        if position >= self.limit {
            return None;
        }
        self.by_name.insert(target.name.clone(), position);
        self.subjects.push(target.subject);
        self.values.push(ExplainedValue {
            name: target.name,
            address,
            path,
            value: target.value,
            place: None,
            line: None,
            cause: Cause::Expression,
            hangs_on: Vec::new(),
            omitted: 0,
            facts: Vec::new(),
        });
        Some(position)
    }

    /// Finds out why the value at a position is not known, and adds what it hangs on.
    fn follow(&mut self, position: usize, subject: &Subject) {
        let (place, mut cause, mut sites) = self.origin(subject);
        let is_known = self.values.get(position).is_some_and(|value| value.value.is_wholly_known());
        if is_known {
            (cause, sites) = (Cause::Known, Vec::new());
        }
        let mut targets = match subject {
            Subject::Attribute(instance, _) if cause == Cause::DataSource => {
                self.conditions_of_read(*instance)
            }
            _ => Targets::default(),
        };
        for site in &sites {
            let found = self.dependencies(site);
            targets.found.extend(found.found);
            targets.omitted = targets.omitted.saturating_add(found.omitted);
        }
        let mut hangs_on = Vec::new();
        let mut omitted = targets.omitted;
        for target in targets.found {
            match self.add(target) {
                Some(found) if found != position && !hangs_on.contains(&found) => hangs_on.push(found),
                Some(_) => {}
                None => omitted = omitted.saturating_add(1),
            }
        }
        if hangs_on.is_empty() && cause == Cause::Expression {
            cause = self.cause_of_expression(&sites);
        }
        let Some(value) = self.values.get_mut(position) else { return };
        if let Some((source, byte)) = place {
            let at = source.position(byte);
            value.place = Some(format!("{}:{}", source.name(), at.line));
            // The text may contain what the mark hides.
            let line = source.line(at.line).filter(|_| value.value.unmark_deep().1.is_empty());
            value.line = line.map(|line| line.trim().to_owned());
        }
        (value.cause, value.hangs_on, value.omitted) = (cause, hangs_on, omitted);
    }

    /// Where a value is written, why it is not known, and the expressions that it is computed by.
    fn origin(&self, subject: &Subject) -> (Option<(Source, usize)>, Cause, Vec<Site>) {
        let declared = |node: Node| self.engine.place(node).map(|(source, span)| (source, span.start));
        match subject {
            Subject::Expression(site) => (None, Cause::Expression, vec![(**site).clone()]),
            Subject::Node(node, path) => match self.site_of_node(*node, path) {
                Some((place, site)) => (Some(place), Cause::Expression, vec![site]),
                None => (declared(*node), Cause::Variable, Vec::new()),
            },
            Subject::Attribute(instance, path) => self.origin_of_attribute(*instance, path),
            Subject::Instances(node) => {
                let site = self.block(*node).and_then(|block| repeated_by(&block.body)).map(|argument| {
                    let place = (argument.expression.source().clone(), argument.span.start);
                    (place, Site::new(Rc::new(argument.expression.clone()), node.module, Vec::new()))
                });
                match site {
                    Some((place, site)) => (Some(place), Cause::Instances, vec![site]),
                    None => (declared(*node), Cause::Instances, Vec::new()),
                }
            }
            Subject::Resource => (None, Cause::Order, Vec::new()),
            Subject::Module => (None, Cause::Module, Vec::new()),
            Subject::Name => (None, Cause::Run, Vec::new()),
        }
    }

    /// The expression of a local value, an output, or a variable of a called module.
    fn site_of_node(&self, node: Node, path: &[Step]) -> Option<((Source, usize), Site)> {
        let instance = self.engine.instance(node.module)?;
        let module = &instance.tree.module;
        let of = |argument: &Argument, module: usize| {
            let place = (argument.expression.source().clone(), argument.span.start);
            (place, Site::new(Rc::new(argument.expression.clone()), module, path.to_vec()))
        };
        match node.kind {
            NodeKind::Local => Some(of(module.locals.get_index(node.position)?.1, node.module)),
            NodeKind::Output => {
                let output = module.outputs.get_index(node.position)?.1;
                Some(of(output.block.body.argument("value")?, node.module))
            }
            NodeKind::Variable => {
                let (caller, call, repetition) = instance.caller.as_ref()?;
                let calling = self.engine.instance(*caller)?;
                let block = &calling.tree.module.calls.get_index(*call)?.1.block;
                let name = module.variables.get_index(node.position)?.0;
                let (place, site) = of(block.body.argument(name)?, *caller);
                Some((place, site.repeated(&block.body, repetition)))
            }
            NodeKind::Call | NodeKind::Resource => None,
        }
    }

    /// The block that declares a resource or module call.
    fn block(&self, node: Node) -> Option<&'a Block> {
        let tree = self.engine.instance(node.module)?.tree;
        match node.kind {
            NodeKind::Resource => Some(&tree.module.resources.get_index(node.position)?.1.block),
            NodeKind::Call => Some(&tree.module.calls.get_index(node.position)?.1.block),
            NodeKind::Local | NodeKind::Variable | NodeKind::Output => None,
        }
    }

    fn origin_of_attribute(
        &self,
        instance: usize,
        path: &[Step],
    ) -> (Option<(Source, usize)>, Cause, Vec<Site>) {
        let found = self.engine.with_instance(instance, |_, instance| {
            (instance.node, instance.repetition.clone(), part(&instance.configured, path))
        });
        let Some((node, repetition, configured)) = found else { return (None, Cause::Run, Vec::new()) };
        let Some(block) = self.block(node) else { return (None, Cause::Run, Vec::new()) };
        let tree = self.engine.instance(node.module).map(|instance| instance.tree);
        let declared = tree.and_then(|tree| tree.module.resources.get_index(node.position));
        let written = match configured {
            Some(configured) if configured.clone().unmark().0.is_null() => Vec::new(),
            _ => written(block, path, &[]),
        };
        // What a provider makes of a known argument is its choice.
        let is_configured = match &part_of_instance(self.engine, instance, path) {
            Some(configured) => !configured.is_wholly_known(),
            None => true,
        };
        if let (Some(first), true) = (written.first(), is_configured) {
            let place = first.place.clone();
            let site = |written: Written| {
                let site = Site {
                    iterators: written.iterators,
                    ..Site::new(written.expression, node.module, written.path)
                };
                site.repeated(&block.body, &repetition)
            };
            return (Some(place), Cause::Expression, written.into_iter().map(site).collect());
        }
        let cause = match declared {
            Some((_, resource)) => match resource.mode {
                ResourceMode::Managed => Cause::Provider(resource.ty.to_string()),
                ResourceMode::Data => Cause::DataSource,
                ResourceMode::Ephemeral => Cause::Ephemeral,
            },
            None => Cause::Run,
        };
        let place = written.first().map(|written| written.place.clone());
        (place.or(Some((block.source.clone(), block.span.start))), cause, Vec::new())
    }

    /// What delays the read of a data source: its unknown arguments, else what it depends on.
    fn conditions_of_read(&mut self, instance: usize) -> Targets {
        let found = self.engine.with_instance(instance, |_, instance| {
            let mut unknown = Vec::new();
            add_unknown_parts(&instance.configured, &Path::new(), &mut unknown);
            (instance.node, unknown)
        });
        let Some((node, unknown)) = found else { return Targets::default() };
        let mut targets = Targets::default();
        for (path, value) in unknown {
            targets.add_one(self.attribute(instance, &path, value));
        }
        if !targets.found.is_empty() {
            return targets;
        }
        // Its own `depends_on`, and those of the module calls that it is in.
        let mut next = Some(node);
        while let Some(node) = next {
            let instance = self.engine.instance(node.module);
            let prefix = instance.as_ref().map_or("", |instance| &instance.prefix);
            let waits_for = self.block(node).and_then(|block| block.body.argument("depends_on"));
            let references = waits_for.into_iter().flat_map(|argument| argument.expression.references());
            for reference in references.take(PARTS) {
                let (name, value) = (format!("{prefix}{reference}"), Value::dynamic());
                targets.add_one(Target { name, value, subject: Subject::Resource });
            }
            let caller = instance.as_ref().and_then(|instance| instance.caller.as_ref());
            next = caller.map(|(module, position, _)| Node {
                module: *module,
                kind: NodeKind::Call,
                position: *position,
            });
        }
        targets
    }

    /// Why the value of an expression is not known although all that it refers to is.
    fn cause_of_expression(&self, sites: &[Site]) -> Cause {
        for site in sites {
            let scope = ModuleScope::repeated(self.engine, site.module, site.repetition.clone());
            if site.iterators.is_empty()
                && let Err(problems) = self.engine.evaluate(&site.expression, &scope)
            {
                return Cause::Problem(problems.first().summary().to_owned());
            }
            let functions = site.expression.function_names();
            let is_late = |name: &&str| LATE_FUNCTIONS.contains(name) || name.starts_with("provider::");
            if let Some(name) = functions.into_iter().map(|(name, _)| name).find(is_late) {
                return Cause::Function(name.to_owned());
            }
        }
        Cause::Expression
    }

    /// The unknown values that a part of the value of an expression hangs on.
    fn dependencies(&mut self, site: &Site) -> Targets {
        let scope = ModuleScope::repeated(self.engine, site.module, site.repetition.clone());
        let with_functions = Scope::new(&scope).with_functions(&self.engine.functions);
        let mut targets = Targets::default();
        for dependency in site.expression.dependencies(&site.path, &with_functions) {
            let found = match self.inner_site(site, &dependency) {
                _ if &*dependency.root == "self" && site.own.is_some() => {
                    let own: Vec<usize> = site.own.into_iter().collect();
                    self.attributes(&own, &dependency.steps, false)
                }
                Some(Some(inner)) => self.dependencies(&inner),
                Some(None) => continue,
                None => self.resolved(site.module, &dependency, false),
            };
            targets.found.extend(found.found);
            targets.omitted = targets.omitted.saturating_add(found.omitted);
        }
        targets
    }

    /// The collection behind `each` or the iterator of a `dynamic` block; `Some(None)` if the part is known anyway.
    fn inner_site(&self, site: &Site, dependency: &Dependency) -> Option<Option<Site>> {
        let (first, rest) = match dependency.steps.split_first() {
            Some((first, rest)) => (attribute(first), rest),
            None => (None, &[][..]),
        };
        let iterator = site.iterators.iter().rposition(|(name, _)| **name == *dependency.root);
        if let Some((position, (_, collection))) =
            iterator.and_then(|position| Some((position, site.iterators.get(position)?)))
        {
            let element = std::iter::once(Step::Index(Value::dynamic())).chain(rest.iter().cloned());
            let path = if first == Some("value") { element.collect() } else { Vec::new() };
            let iterators = site.iterators.get(..position).unwrap_or_default().to_vec();
            return Some(Some(Site { expression: Rc::clone(collection), path, iterators, ..site.clone() }));
        }
        match (&*dependency.root, first) {
            ("each", Some("value")) => {
                let (Some(collection), Repetition::Each(key, _)) = (&site.repeated_by, &site.repetition)
                else {
                    return Some(None);
                };
                let element = std::iter::once(Step::Index(key.clone()));
                let path = element.chain(rest.iter().cloned()).collect();
                Some(Some(Site::new(Rc::clone(collection), site.module, path)))
            }
            ("each" | "count" | "self", _) => Some(None),
            _ => None,
        }
    }

    /// The values that a dependency stands for: all if `with_known`, else the unknown ones.
    fn resolved(&mut self, module: usize, dependency: &Dependency, with_known: bool) -> Targets {
        let (root, steps) = (&*dependency.root, &dependency.steps[..]);
        let Some(instance) = self.engine.instance(module) else { return Targets::default() };
        let name = |step: usize| attribute(steps.get(step)?);
        let Some(node) = referred(module, &instance, root, name) else {
            return self.name_of_language(module, dependency);
        };
        match node.kind {
            NodeKind::Local | NodeKind::Variable | NodeKind::Output => {
                self.parts_of_node(node, steps.get(1..).unwrap_or_default(), with_known)
            }
            NodeKind::Call => self.outputs(node, steps.get(1..).unwrap_or_default(), with_known),
            NodeKind::Resource => {
                let names = if matches!(root, "data" | "ephemeral" | "resource") { 2 } else { 1 };
                self.instances_of(node, steps.get(names..).unwrap_or_default(), with_known)
            }
        }
    }

    /// `path`, `terraform` and their like, which may be unknown too.
    fn name_of_language(&self, module: usize, dependency: &Dependency) -> Targets {
        let path = Path::from_iter(dependency.steps.iter().cloned());
        let name = joined(&dependency.root, &path);
        let value = match Expression::parse(&name) {
            Ok(expression) => self.engine.evaluate(&expression, &ModuleScope::of(self.engine, module)),
            Err(_) => return Targets::default(),
        };
        match value {
            Ok(value) if !value.is_wholly_known() => {
                Targets { found: vec![Target { name, value, subject: Subject::Name }], omitted: 0 }
            }
            _ => Targets::default(),
        }
    }

    /// Parts of a local value, variable or output.
    fn parts_of_node(&self, node: Node, path: &[Step], with_known: bool) -> Targets {
        let Some(value) = self.engine.value(node) else { return Targets::default() };
        let name = match (node.kind, self.engine.instance(node.module)) {
            // As a reference names it.
            (NodeKind::Output, Some(instance)) if !instance.prefix.is_empty() => {
                let name = instance.tree.module.outputs.get_index(node.position);
                format!("{}{}", instance.prefix, name.map(|(name, _)| &**name).unwrap_or_default())
            }
            _ => self.engine.name(node),
        };
        let (parts, omitted) = parts(&value, path, with_known);
        let target = |(path, value): (Path, Value)| Target {
            name: joined(&name, &path),
            value,
            subject: Subject::Node(node, path.steps().to_vec()),
        };
        Targets { found: parts.into_iter().map(target).collect(), omitted }
    }

    /// Parts of the outputs of a module call.
    fn outputs(&self, node: Node, path: &[Step], with_known: bool) -> Targets {
        let Some(called) = self.engine.called(node) else { return Targets::default() };
        let (first, rest) = match path.split_first() {
            Some((Step::Index(key), rest)) => (Some(key.clone()), rest),
            // A part of the object of all instances.
            Some((Step::Attr(key), rest)) if matches!(called.expansion, Expansion::Each(_)) => {
                (Some(Value::from(key.as_str())), rest)
            }
            _ => (None, path),
        };
        let modules: Vec<usize> = match (&called.expansion, first) {
            (Expansion::Unknown, _) => {
                let tree = self.engine.instance(node.module).map(|instance| instance.tree);
                let is_installed =
                    tree.is_some_and(|tree| tree.calls.get(node.position).is_some_and(Option::is_some));
                let subject = if is_installed { Subject::Instances(node) } else { Subject::Module };
                let target = Target { name: self.engine.name(node), value: Value::dynamic(), subject };
                return Targets { found: vec![target], omitted: 0 };
            }
            (expansion, Some(key)) if key.is_wholly_known() && !matches!(expansion, Expansion::Single) => {
                let position = expansion.position(&key);
                position.and_then(|position| called.modules.get(position).copied()).into_iter().collect()
            }
            _ => called.modules.clone(),
        };
        let mut targets = Targets::default();
        for module in modules {
            let Some(instance) = self.engine.instance(module) else { continue };
            let outputs = &instance.tree.module.outputs;
            let (named, path) = match rest.split_first() {
                Some((step, path)) => (attribute(step), path),
                None => (None, rest),
            };
            for (position, (name, _)) in outputs.iter().enumerate() {
                if named.is_some_and(|named| *named != **name) {
                    continue;
                }
                let node = Node { module, kind: NodeKind::Output, position };
                targets.add(self.parts_of_node(node, path, with_known));
            }
        }
        targets
    }

    /// Parts of the instances of a resource.
    fn instances_of(&mut self, node: Node, path: &[Step], with_known: bool) -> Targets {
        let all = self.instances.get(&node).cloned().unwrap_or_default();
        if all.is_empty() {
            let value = self.engine.value(node).unwrap_or_else(Value::dynamic);
            if value.is_wholly_known() {
                return Targets::default();
            }
            let target = Target { name: self.engine.name(node), value, subject: Subject::Instances(node) };
            return Targets { found: vec![target], omitted: 0 };
        }
        let is_single = |position: &usize| {
            let repetition = self.engine.with_instance(*position, |_, instance| instance.repetition.clone());
            matches!(repetition, Some(Repetition::None))
        };
        let (key, rest) = match path.split_first() {
            Some((Step::Index(key), rest)) => (Some(key.clone()), rest),
            Some((Step::Attr(_), _)) if all.iter().all(is_single) => (None, path),
            // A part of the object of all instances.
            Some((Step::Attr(key), rest)) => (Some(Value::from(key.as_str())), rest),
            None => (None, path),
        };
        let is_named = |position: &usize| {
            let Some(key) = key.as_ref().filter(|key| key.is_wholly_known()) else { return true };
            let repetition = self.engine.with_instance(*position, |_, instance| instance.repetition.clone());
            match repetition {
                Some(Repetition::Count(own) | Repetition::Each(own, _)) => own == *key,
                _ => true,
            }
        };
        let named: Vec<usize> = all.iter().copied().filter(is_named).collect();
        self.attributes(&named, rest, with_known)
    }

    /// Parts of instances of resources.
    fn attributes(&mut self, instances: &[usize], path: &[Step], with_known: bool) -> Targets {
        let mut targets = Targets::default();
        for instance in instances {
            let found = self.engine.with_instance(*instance, |_, found| {
                // Nothing is known of the instance, not even its attributes.
                if !found.value.clone().unmark().0.is_known() && is_exact(path) {
                    return (vec![(Path::from_iter(path.iter().cloned()), Value::dynamic())], 0);
                }
                let (found, omitted) = parts(&found.value, path, with_known);
                let mut all = Vec::new();
                for (path, value) in found {
                    match value.is_wholly_known() || value.is_marked() {
                        true => all.push((path, value)),
                        false => add_unknown_parts(&value, &path, &mut all),
                    }
                }
                (all, omitted)
            });
            let Some((found, omitted)) = found else { continue };
            targets.omitted = targets.omitted.saturating_add(omitted);
            for (path, value) in found {
                targets.add_one(self.attribute(*instance, &path, value));
            }
        }
        targets
    }

    fn attribute(&self, instance: usize, path: &Path, value: Value) -> Target {
        let address =
            self.engine.with_instance(instance, |address, _| address.to_owned()).unwrap_or_default();
        let subject = Subject::Attribute(instance, path.steps().to_vec());
        Target { name: joined(&address, path), value, subject }
    }
}

impl Targets {
    fn add(&mut self, more: Targets) {
        self.omitted = self.omitted.saturating_add(more.omitted);
        more.found.into_iter().for_each(|target| self.add_one(target));
    }

    /// Adds a target, or counts it if there are many.
    fn add_one(&mut self, target: Target) {
        match self.found.len() < PARTS {
            true => self.found.push(target),
            false => self.omitted = self.omitted.saturating_add(1),
        }
    }
}

impl Site {
    pub(super) fn new(expression: Rc<Expression>, module: usize, path: Vec<Step>) -> Site {
        let (repeated_by, repetition, iterators) = (None, Repetition::None, Vec::new());
        Site { expression, module, path, repeated_by, repetition, own: None, iterators }
    }

    /// The same in a block that may be repeated.
    pub(super) fn repeated(self, body: &Body, repetition: &Repetition) -> Site {
        let repeated_by = repeated_by(body).map(|argument| Rc::new(argument.expression.clone()));
        Site { repeated_by, repetition: repetition.clone(), ..self }
    }

    /// The same with an instance as `self`.
    pub(super) fn owned_by(self, own: Option<usize>) -> Site {
        Site { own, ..self }
    }
}

/// The argument that says how many instances of a block there are.
fn repeated_by(body: &Body) -> Option<&Argument> {
    ["for_each", "count", "enabled"].into_iter().find_map(|name| body.argument(name))
}

/// The name of a step, if it is an attribute or a string.
fn attribute(step: &Step) -> Option<&str> {
    match step {
        Step::Attr(name) => Some(name.as_str()),
        Step::Index(key) => key.as_str().ok(),
    }
}

/// A name followed by a path.
fn joined(name: &str, path: &Path) -> String {
    let path = path.to_string();
    match path.as_str() {
        "" => name.to_owned(),
        keyed if keyed.starts_with('[') => format!("{name}{keyed}"),
        named => format!("{name}.{named}"),
    }
}

/// Whether steps lead to one part.
fn is_exact(path: &[Step]) -> bool {
    path.iter().all(|step| match step {
        Step::Attr(_) => true,
        Step::Index(key) => key.is_wholly_known(),
    })
}

/// The part of a value that steps lead to; `None` if they lead nowhere or to several parts.
fn part(value: &Value, path: &[Step]) -> Option<Value> {
    path.iter().try_fold(value.clone(), |value, step| child(&value, step))
}

/// What is configured at a path in an instance; `None` if no single part is.
fn part_of_instance(engine: &Engine<'_>, instance: usize, path: &[Step]) -> Option<Value> {
    engine.with_instance(instance, |_, instance| part(&instance.configured, path)).flatten()
}

/// The child of a value at a step: attributes and keys of maps name the same.
fn child(value: &Value, step: &Step) -> Option<Value> {
    let get = |step: Step| value.get(&Path::from_iter([step])).ok();
    let other = || match step {
        Step::Attr(name) => get(Step::index(name.as_str())),
        Step::Index(key) => get(Step::attr(key.as_str().ok()?)),
    };
    get(step.clone()).or_else(other)
}

/// The parts of a value that steps lead to, with their paths: all if `with_known`, else the unknown ones; and the number of
/// those that are left out. A step to every element leads to each, except in sets and behind marks.
fn parts(value: &Value, steps: &[Step], with_known: bool) -> (Vec<(Path, Value)>, usize) {
    let (mut found, mut omitted) = (Vec::new(), 0_usize);
    let mut todo = vec![(Path::new(), value.clone(), steps)];
    while let Some((path, value, steps)) = todo.pop() {
        if value.is_wholly_known() && !(with_known && steps.is_empty()) {
            continue;
        }
        let is_every = |step: &Step| matches!(step, Step::Index(key) if !key.is_wholly_known());
        let next = steps.split_first().filter(|_| value.clone().unmark().0.is_known());
        let children: Vec<(Step, Value)> = match next {
            Some((step, _)) if is_every(step) && !value.is_marked() => elements(&value),
            Some((step, _)) => child(&value, step).map(|part| (step.clone(), part)).into_iter().collect(),
            None => Vec::new(),
        };
        if children.is_empty() {
            match found.len() < PARTS {
                true => found.push((path, value)),
                false => omitted = omitted.saturating_add(1),
            }
            continue;
        }
        let rest = steps.get(1..).unwrap_or_default();
        for (step, part) in children.into_iter().rev() {
            let mut path = path.clone();
            path.push(step);
            todo.push((path, part, rest));
        }
    }
    (found, omitted)
}

/// The elements of a container with their steps; none of a set.
fn elements(value: &Value) -> Vec<(Step, Value)> {
    match value.view() {
        View::List(list) => {
            list.iter().enumerate().map(|(at, item)| (Step::at_index(at), item.clone())).collect()
        }
        View::Tuple(tuple) => {
            tuple.iter().enumerate().map(|(at, item)| (Step::at_index(at), item.clone())).collect()
        }
        View::Map(map) => map.iter().map(|(key, item)| (Step::index(key), item.clone())).collect(),
        View::Object(object) => object.iter().map(|(name, item)| (Step::attr(name), item.clone())).collect(),
        _ => Vec::new(),
    }
}

/// Adds the innermost parts of a value that are unknown: of a set and of what is marked the whole.
fn add_unknown_parts(value: &Value, path: &Path, found: &mut Vec<(Path, Value)>) {
    value.walk(|inner, part| {
        if part.is_wholly_known() {
            return false;
        }
        let is_whole = !part.is_known() || part.is_marked() || matches!(part.view(), View::Set(_));
        if is_whole {
            let mut whole = path.clone();
            inner.steps().iter().for_each(|step| whole.push(step.clone()));
            found.push((whole, part.clone()));
        }
        !is_whole
    });
}

/// Where the part of a block that a path leads to is written: its argument, or those of nested blocks. Of a whole block, all
/// arguments.
fn written(block: &Block, path: &[Step], iterators: &Iterators) -> Vec<Written> {
    let Some((first, rest)) = path.split_first() else {
        let mut found: Vec<Written> =
            block.body.arguments.iter().map(|argument| Written::of(argument, &[], iterators)).collect();
        let mut kinds: Vec<&str> = block.body.blocks.iter().filter_map(kind_of).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            found.extend(written_blocks(block, kind, &[], iterators));
        }
        return found;
    };
    let Some(name) = attribute(first) else { return Vec::new() };
    match block.body.argument(name) {
        Some(argument) => vec![Written::of(argument, rest, iterators)],
        None => written_blocks(block, name, rest, iterators),
    }
}

/// The kind of the blocks that a block stands for.
fn kind_of(block: &Block) -> Option<&str> {
    match &*block.kind {
        "dynamic" => block.labels.first().map(|label| &**label),
        kind => Some(kind),
    }
}

/// Where a part of the nested blocks of a kind is written.
fn written_blocks(block: &Block, kind: &str, path: &[Step], iterators: &Iterators) -> Vec<Written> {
    let plain = block.body.blocks_of(&block.source, kind, 0);
    let dynamic = block.body.blocks_of(&block.source, "dynamic", 1);
    let dynamic = dynamic.iter().filter(|block| kind_of(block) == Some(kind));
    let (position, rest) = match path.split_first() {
        Some((Step::Index(key), rest)) => {
            let position = key.as_number().ok().and_then(|key| key.to_string().parse::<usize>().ok());
            (position, rest)
        }
        _ => (None, path),
    };
    let mut found = Vec::new();
    for (at, nested) in plain.iter().enumerate() {
        if position.is_none_or(|position| position == at) {
            found.extend(written(nested, rest, iterators));
        }
    }
    for nested in dynamic {
        let Some(each) = nested.body.argument("for_each") else { continue };
        if position.is_some_and(|position| position < plain.len()) {
            continue;
        }
        // How many blocks there are is a part of a whole one.
        if rest.is_empty() {
            found.push(Written::of(each, &[], iterators));
        }
        let iterator = nested.body.argument("iterator").and_then(|argument| {
            argument.expression.as_reference().map(|reference| reference.root().to_owned())
        });
        let mut inner = iterators.to_vec();
        inner.push((iterator.unwrap_or_else(|| kind.to_owned()), Rc::new(each.expression.clone())));
        for content in nested.body.blocks_of(&nested.source, "content", 0) {
            found.extend(written(&content, rest, &inner));
        }
    }
    found
}
