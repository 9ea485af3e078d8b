//! Which values of an evaluated configuration are sensitive, and from which others they derive.

use std::collections::HashMap;

use super::order::{attribute, referred};
use super::scope::{ModuleScope, Repetition};
use super::{Engine, Node, NodeKind};
use crate::configuration::{SensitiveOrigin, SensitiveValue, Sensitivity, SensitivityEnd};
use plantime::source::Source;
use plantime::{Mark, Marks, Path, Value, View};
use plantime_hcl::{Block, Body};
use plantime_hcl::{Diagnostic, Expression, Reference, ReferenceKey, Scope};
use plantime_schema::Schema;
use plantime_schema::planning::planned_unknown;

/// A value that may be sensitive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Place {
    Node(Node),
    /// An attribute or block of an instance of a resource, by its position among all instances.
    Attribute(usize, String),
}

/// The positions of the instances of each resource.
type InstancesOfResources = HashMap<Node, Vec<usize>>;

/// A value that may be sensitive, with the expressions that it is computed by.
struct Candidate<'e> {
    place: Place,
    name: String,
    declared: Option<(Source, usize)>,
    is_sensitive: bool,
    /// Why it is sensitive if none of its references is.
    origin: SensitiveOrigin,
    expressions: Vec<&'e Expression>,
    module: usize,
    repetition: Repetition,
}

impl<'a> Engine<'a> {
    /// The value of a resource of which nothing is known but its schema and its configuration, with what is sensitive in it
    /// marked.
    pub(super) fn marked_value(&self, configured: &Value, schema: Option<&Schema>) -> Value {
        let Some(schema) = schema else { return self.unknown_value(None) };
        let Ok(value) = planned_unknown(schema.block(), configured) else {
            return self.unknown_value(Some(schema));
        };
        let is_secret = |(_, marks): &(Path, Marks)| marks.contains(&Mark::SENSITIVE);
        let places: Vec<(Path, Marks)> = schema.marks_for(&value).into_iter().filter(is_secret).collect();
        value.mark_with_paths(&places)
    }

    /// The sensitive values and where sensitivity ends, for an evaluation that follows sensitive values.
    pub(in crate::configuration) fn sensitivity(&self) -> Sensitivity {
        let candidates = self.candidates();
        let instances = self.instances_of_resources();
        let mut positions: HashMap<&Place, usize> = HashMap::new();
        let mut found = Sensitivity::default();
        for candidate in candidates.iter().filter(|candidate| candidate.is_sensitive) {
            positions.insert(&candidate.place, found.values.len());
            found.values.push(SensitiveValue {
                name: candidate.name.clone(),
                place: candidate.shown_place(),
                origin: candidate.origin,
                via: None,
            });
        }
        for candidate in &candidates {
            let own = positions.get(&candidate.place).copied();
            let of = candidate.expressions.iter().find_map(|expression| {
                let scope = ModuleScope::repeated(self, candidate.module, candidate.repetition.clone());
                self.sensitive_reference(expression, &scope, &positions, &instances)
                    .filter(|of| Some(*of) != own)
            });
            match (own.and_then(|own| found.values.get_mut(own)), of) {
                (Some(value), Some(of)) => {
                    // A value that its own flag makes sensitive keeps that origin, although it also derives from
                    // another sensitive value.
                    if value.origin != SensitiveOrigin::Variable && value.origin != SensitiveOrigin::Schema {
                        value.origin = SensitiveOrigin::Reference;
                    }
                    value.via = Some(of);
                }
                (None, Some(of)) => found.ends.push(SensitivityEnd {
                    name: candidate.name.clone(),
                    place: candidate.shown_place(),
                    of,
                    is_by_nonsensitive: candidate.calls_nonsensitive(),
                }),
                (_, None) => {}
            }
        }
        found.refusals = self.refusals(&found, &positions, &instances);
        found
    }

    /// The instances of each resource, by their positions.
    fn instances_of_resources(&self) -> InstancesOfResources {
        let mut instances = InstancesOfResources::new();
        for (position, instance) in self.state.borrow().resources.values().enumerate() {
            instances.entry(instance.node).or_default().push(position);
        }
        instances
    }

    /// All values that can be sensitive.
    fn candidates(&self) -> Vec<Candidate<'a>> {
        let mut candidates = Vec::new();
        let count = self.state.borrow().modules.len();
        for module in 0..count {
            let Some(instance) = self.instance(module) else { continue };
            for node in super::nodes(module, &instance.tree.module) {
                candidates.extend(self.candidate_of_node(node));
            }
        }
        let instances = self.state.borrow().resources.len();
        for position in 0..instances {
            self.add_attributes(position, &mut candidates);
        }
        candidates
    }

    /// The candidate for a variable, local value or output, with the expressions that its value comes from.
    fn candidate_of_node(&self, node: Node) -> Option<Candidate<'a>> {
        let instance = self.instance(node.module)?;
        let module = &instance.tree.module;
        let mut candidate = Candidate {
            place: Place::Node(node),
            name: self.name(node),
            declared: self.place(node).map(|(source, span)| (source, span.start)),
            is_sensitive: self.value(node).is_some_and(|value| is_sensitive(&value)),
            origin: SensitiveOrigin::Expression,
            expressions: Vec::new(),
            module: node.module,
            repetition: Repetition::None,
        };
        match node.kind {
            NodeKind::Local => {
                candidate.expressions.push(&module.locals.get_index(node.position)?.1.expression);
            }
            NodeKind::Output => {
                let output = module.outputs.get_index(node.position)?.1;
                if output.sensitive {
                    candidate.origin = SensitiveOrigin::Output;
                }
                let argument = output.block.body.argument("value");
                candidate.expressions.extend(argument.map(|argument| &argument.expression));
            }
            NodeKind::Variable => {
                let (name, variable) = module.variables.get_index(node.position)?;
                if variable.sensitive {
                    candidate.origin = SensitiveOrigin::Variable;
                }
                if let Some((caller, call, repetition)) = &instance.caller {
                    let calling = self.instance(*caller)?;
                    let block = &calling.tree.module.calls.get_index(*call)?.1.block;
                    if let Some(argument) = block.body.argument(name) {
                        candidate.expressions.push(&argument.expression);
                        add_repetition(&block.body, &mut candidate.expressions);
                    }
                    candidate.module = *caller;
                    candidate.repetition = repetition.clone();
                }
            }
            NodeKind::Call | NodeKind::Resource => return None,
        }
        Some(candidate)
    }

    /// Adds the attributes and blocks of an instance of a resource.
    fn add_attributes(&self, position: usize, candidates: &mut Vec<Candidate<'a>>) {
        let read = |address: &str, instance: &super::Instance| {
            (address.to_owned(), instance.node, instance.repetition.clone(), instance.value.clone())
        };
        let Some((address, node, repetition, value)) = self.with_instance(position, read) else { return };
        let Some(block) = self.instance(node.module).and_then(|instance| {
            instance.tree.module.resources.get_index(node.position).map(|(_, resource)| &resource.block)
        }) else {
            return;
        };
        let View::Object(object) = value.view_below_marks() else { return };
        for (name, value) in object.iter() {
            let (expressions, declared) = written(block, name);
            candidates.push(Candidate {
                place: Place::Attribute(position, name.to_owned()),
                name: format!("{address}.{name}"),
                declared: Some((block.source.clone(), declared.unwrap_or(block.span.start))),
                is_sensitive: is_sensitive(value),
                origin: SensitiveOrigin::Schema,
                expressions,
                module: node.module,
                repetition: repetition.clone(),
            });
        }
    }

    /// The first sensitive value that an expression refers to.
    fn sensitive_reference(
        &self,
        expression: &Expression,
        scope: &ModuleScope<'_, 'a>,
        positions: &HashMap<&Place, usize>,
        instances: &InstancesOfResources,
    ) -> Option<usize> {
        expression.references().into_iter().find_map(|reference| {
            let places = self.places_of(reference, scope.module, instances);
            let position = places.iter().find_map(|place| positions.get(place).copied())?;
            // The reference may name a part of the value that is not sensitive.
            let part = self.value_of(expression, reference, scope);
            part.is_none_or(|part| is_sensitive(&part)).then_some(position)
        })
    }

    /// Evaluates a reference alone; `None` if that fails, as for an iterator, which has no value outside its `dynamic`
    /// block.
    fn value_of(
        &self,
        expression: &Expression,
        reference: &Reference,
        scope: &ModuleScope<'_, 'a>,
    ) -> Option<Value> {
        let text = expression.source().text().get(reference.span())?;
        let part = Expression::parse(text).ok()?;
        part.evaluate(&Scope::new(scope).with_functions(&self.functions)).ok()
    }

    /// The values that a reference leads to.
    fn places_of(
        &self,
        reference: &Reference,
        module: usize,
        instances: &InstancesOfResources,
    ) -> Vec<Place> {
        let Some(instance) = self.instance(module) else { return Vec::new() };
        let name = |step: usize| reference.steps().get(step).and_then(attribute);
        let Some(node) = referred(module, &instance, reference.root(), name) else { return Vec::new() };
        let mut rest = reference.steps().iter().skip(match reference.root() {
            "data" | "ephemeral" | "resource" => 2,
            _ => 1,
        });
        let next = rest.find(|step| matches!(step.key(), ReferenceKey::Attribute(_)));
        let part = next.and_then(attribute);
        match node.kind {
            NodeKind::Resource => {
                let own = instances.get(&node).into_iter().flatten();
                let places = own.filter_map(|position| {
                    self.with_instance(*position, |_, instance| {
                        attribute_places(*position, &instance.value, part)
                    })
                });
                places.flatten().collect()
            }
            NodeKind::Call => {
                let state = self.state.borrow();
                let called = state.calls.get(&node).into_iter().flat_map(|called| &called.modules);
                called
                    .flat_map(|module| {
                        let outputs =
                            state.modules.get(*module).map(|instance| &instance.tree.module.outputs);
                        let positions = match (outputs, part) {
                            (Some(outputs), Some(part)) => Vec::from_iter(outputs.get_index_of(part)),
                            (Some(outputs), None) => (0..outputs.len()).collect(),
                            (None, _) => Vec::new(),
                        };
                        let module = *module;
                        let place =
                            move |position| Place::Node(Node { module, kind: NodeKind::Output, position });
                        positions.into_iter().map(place).collect::<Vec<_>>()
                    })
                    .collect()
            }
            NodeKind::Local | NodeKind::Variable | NodeKind::Output => vec![Place::Node(node)],
        }
    }

    /// What Terraform refuses when it plans, each with the way to the sensitive value.
    fn refusals(
        &self,
        found: &Sensitivity,
        positions: &HashMap<&Place, usize>,
        instances: &InstancesOfResources,
    ) -> Vec<Diagnostic> {
        let mut refusals = Vec::new();
        for problem in self.problems() {
            let span = problem.span();
            let (is_output, is_each) = (
                problem.summary() == "Output refers to sensitive values",
                problem.summary() == "Invalid for_each argument"
                    && problem.detail().starts_with("Sensitive values"),
            );
            if !is_output && !is_each {
                continue;
            }
            let position = if is_output {
                let outputs = self.configuration.root.module.outputs.values();
                let output = outputs.enumerate().find(|(_, output)| {
                    output.block.source.name() == problem.source().name() && output.block.head() == span
                });
                output.and_then(|(position, _)| {
                    let place = Place::Node(Node { module: 0, kind: NodeKind::Output, position });
                    positions.get(&place).copied()
                })
            } else {
                self.repetition_at(problem.source(), span.start).and_then(|(expression, module)| {
                    self.sensitive_reference(expression, &ModuleScope::of(self, module), positions, instances)
                })
            };
            let mut detail = problem.detail().to_owned();
            if let Some(position) = position {
                let names = found.path(position);
                let way = if is_output { names.get(1..).unwrap_or_default() } else { &names };
                if !way.is_empty() {
                    detail.push_str("\n\nThe value derives from ");
                    detail.push_str(&way.join(", which derives from "));
                    detail.push('.');
                }
            }
            let refusal = Diagnostic::new(problem.source(), span, problem.summary().to_owned(), detail);
            refusals.push(refusal.as_warning());
        }
        refusals
    }

    /// The `for_each` of a resource or module call that begins at a byte of a file, and the module that it is in.
    fn repetition_at(&self, source: &Source, byte: usize) -> Option<(&'a Expression, usize)> {
        let count = self.state.borrow().modules.len();
        (0..count).find_map(|module| {
            let instance = self.instance(module)?;
            let module_of = &instance.tree.module;
            let resources = module_of.resources.values().map(|resource| &resource.block);
            let mut blocks = resources.chain(module_of.calls.values().map(|call| &call.block));
            let found = blocks.find_map(|block| {
                let argument = block.body.argument("for_each")?;
                let is_it = block.source.name() == source.name() && argument.expression.span().start == byte;
                is_it.then_some(&argument.expression)
            })?;
            Some((found, module))
        })
    }
}

impl Candidate<'_> {
    /// File and line of the declaration, as `main.tf:3`; `None` if they are not known.
    fn shown_place(&self) -> Option<String> {
        let (source, byte) = self.declared.as_ref()?;
        Some(format!("{}:{}", source.name(), source.position(*byte).line))
    }

    /// Whether one of its expressions calls `nonsensitive`.
    fn calls_nonsensitive(&self) -> bool {
        let mut names = self.expressions.iter().flat_map(|expression| expression.function_names());
        names.any(|(name, _)| name.trim_start_matches("core::") == "nonsensitive")
    }
}

/// Whether something in the value is sensitive.
fn is_sensitive(value: &Value) -> bool {
    value.has_mark_deep(&Mark::SENSITIVE)
}

/// The attribute of this name of the resource instance at `position`; for `None`, all attributes of its value.
fn attribute_places(position: usize, value: &Value, name: Option<&str>) -> Vec<Place> {
    match (name, value.view_below_marks()) {
        (Some(name), _) => vec![Place::Attribute(position, name.to_owned())],
        (None, View::Object(object)) => {
            object.iter().map(|(name, _)| Place::Attribute(position, name.to_owned())).collect()
        }
        (None, _) => Vec::new(),
    }
}

/// The expressions of the argument and of the nested blocks with this name, and the byte at which the first of these
/// begins.
fn written<'b>(block: &'b Block, name: &str) -> (Vec<&'b Expression>, Option<usize>) {
    let mut expressions = Vec::new();
    let mut first = None;
    if let Some(argument) = block.body.argument(name) {
        expressions.push(&argument.expression);
        first = Some(argument.span.start);
    }
    for nested in &block.body.blocks {
        let is_dynamic =
            nested.kind.as_ref() == "dynamic" && nested.labels.first().is_some_and(|label| **label == *name);
        if nested.kind.as_ref() == name || is_dynamic {
            first = first.or(Some(nested.span.start));
            add_all(&nested.body, &mut expressions);
        }
    }
    if !expressions.is_empty() {
        add_repetition(&block.body, &mut expressions);
    }
    (expressions, first)
}

/// Adds all expressions of a body.
fn add_all<'b>(body: &'b Body, expressions: &mut Vec<&'b Expression>) {
    expressions.extend(body.arguments.iter().map(|argument| &argument.expression));
    for block in &body.blocks {
        add_all(&block.body, expressions);
    }
}

/// Adds `for_each` where one of the expressions uses `each`.
fn add_repetition<'b>(body: &'b Body, expressions: &mut Vec<&'b Expression>) {
    let uses_each =
        |expression: &&Expression| expression.references().iter().any(|reference| reference.root() == "each");
    if expressions.iter().any(uses_each) {
        expressions.extend(body.argument("for_each").map(|argument| &argument.expression));
    }
}
