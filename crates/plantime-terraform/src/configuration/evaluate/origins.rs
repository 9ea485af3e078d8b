//! Copies of unknown values: which values are always those of another place.
//!
//! A local value, output or variable that only names another value is that value. An attribute of a resource whose
//! argument names a value equals that value if the provider plans what is configured: that is an assumption, which is
//! reported with the line of the argument.

use crate::configuration::module::{ResourceMode, Variable};
use crate::configuration::text_key;
use crate::configuration::{CopiedValue, Origin};
use plantime::{Path, Step, Type, Value};
use plantime_hcl::unstable::{Dependency, Origins};
use plantime_hcl::{Argument, Block};
use plantime_hcl::{Expression, Scope};
use plantime_schema::{Nesting, Schema};

use super::explain::{PlanObject, argument_parts, part_at};
use super::order::referred;
use super::scope::{ModuleScope, Repetition};
use super::{Engine, Expansion, Node, NodeKind};

/// The maximum number of values that one value is followed through. Beyond it the origin is not known.
const STEPS: usize = 100_000;

/// The maximum number of copies that are listed.
const COPIES: usize = 64;

/// A value, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlacedValue {
    holder: Holder,
    steps: Vec<Step>,
}

/// What a [`PlacedValue`] is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    /// A local value, variable, output, or a resource with all its instances.
    Node(Node),
    /// An instance of a resource, by its position among all instances.
    Instance(usize),
}

/// The expression that a value is computed by, and where it is.
struct Computed<'e, 'a> {
    expression: &'e Expression,
    path: Vec<Step>,
    scope: ModuleScope<'e, 'a>,
}

impl<'a> Engine<'a> {
    /// The value that `place` is a copy of, after all copies are followed; `place` itself if it is no copy.
    fn root_of(&self, place: PlacedValue) -> PlacedValue {
        let mut copies = Vec::new();
        let mut place = self.without_names(place);
        while copies.len() < STEPS {
            if let Some(root) = self.state.borrow().roots.get(&place) {
                place = root.clone();
                break;
            }
            let next = self.copied_by_resource(&place).map(|(next, _)| self.without_names(next));
            copies.push(place.clone());
            match next {
                Some(next) => place = next,
                None => break,
            }
        }
        let roots = copies.into_iter().map(|copy| (copy, place.clone()));
        self.state.borrow_mut().roots.extend(roots);
        place
    }

    /// Follows local values, variables and outputs that only name another value, up to a part of a resource or a
    /// computed value; returns `place` itself if it names no other value.
    fn without_names(&self, place: PlacedValue) -> PlacedValue {
        let (mut place, mut names) = (place, Vec::new());
        while names.len() < STEPS && place.steps.len() <= plantime::limits::DEPTH {
            let Holder::Node(node) = place.holder else { break };
            if let Some(named) = self.state.borrow().named.get(&place) {
                place = named.clone();
                break;
            }
            let next = self.named_by_node(node, &place.steps);
            names.push(place.clone());
            match next {
                Some(next) => place = next,
                None => break,
            }
        }
        let named = names.into_iter().map(|name| (name, place.clone()));
        self.state.borrow_mut().named.extend(named);
        place
    }

    /// The value that a part of a local value, variable or output names without computing anything; `None` if it is
    /// computed.
    fn named_by_node(&self, node: Node, path: &[Step]) -> Option<PlacedValue> {
        self.with_computed_by_node(node, path, &mut |computed| self.handed_on(computed))
    }

    /// Calls `read` with the expression of a part of a local value, variable or output; `None` if there is none.
    fn with_computed_by_node<T>(
        &self,
        node: Node,
        path: &[Step],
        read: &mut dyn FnMut(&Computed<'_, 'a>) -> Option<T>,
    ) -> Option<T> {
        let instance = self.instance(node.module)?;
        let module = &instance.tree.module;
        let (argument, scope) = match node.kind {
            NodeKind::Local => {
                (module.locals.get_index(node.position)?.1, ModuleScope::of(self, node.module))
            }
            NodeKind::Output => {
                let output = module.outputs.get_index(node.position)?.1;
                (output.block.body.argument("value")?, ModuleScope::of(self, node.module))
            }
            NodeKind::Variable => {
                let (caller, call, repetition) = instance.caller.as_ref()?;
                let block = &self.instance(*caller)?.tree.module.calls.get_index(*call)?.1.block;
                let (name, variable) = module.variables.get_index(node.position)?;
                let scope = ModuleScope::repeated(self, *caller, repetition.clone()).within(&block.body);
                let argument = block.body.argument(name)?;
                if !self.keeps_given_value(node, variable, argument, &scope, path) {
                    return None;
                }
                (argument, scope)
            }
            NodeKind::Call | NodeKind::Resource => return None,
        };
        read(&Computed { expression: &argument.expression, path: path.to_vec(), scope })
    }

    /// Whether a part of a variable certainly equals that part of the value that the module call gives: both have the
    /// same type, so nothing is converted, and no default can take its place.
    fn keeps_given_value(
        &self,
        node: Node,
        variable: &Variable,
        argument: &Argument,
        scope: &ModuleScope<'_, 'a>,
        path: &[Step],
    ) -> bool {
        let given = self.quiet_value(&argument.expression, scope).and_then(|given| part_at(&given, path));
        let (Some(given), Some(part)) = (given, self.value(node).and_then(|value| part_at(&value, path)))
        else {
            return false;
        };
        let has_defaults = !variable.nullable && variable.default.is_some() || variable.ty.has_optional();
        let keeps_null = !has_defaults || part.range().is_not_null() && given.range().is_not_null();
        let (given, part) = (given.ty(), part.ty());
        keeps_null && given == part && (!part.has_dynamic() || *variable.ty.as_type() == Type::Dynamic)
    }

    /// The value that an expression returns unchanged; `None` if it converts or computes.
    fn handed_on(&self, computed: &Computed<'_, 'a>) -> Option<PlacedValue> {
        let scope = Scope::new(&computed.scope).with_functions(&self.functions);
        let reference = computed.expression.identity(&computed.path, &scope)?;
        self.place_of(&reference, &computed.scope)
    }

    /// The value of a place.
    fn value_at(&self, place: &PlacedValue) -> Option<Value> {
        match place.holder {
            Holder::Node(node) => part_at(&self.value(node)?, &place.steps),
            Holder::Instance(position) => {
                self.with_instance(position, |_, instance| part_at(&instance.value, &place.steps)).flatten()
            }
        }
    }

    /// Evaluates an expression in a scope without reporting its problems; `None` if it fails.
    fn quiet_value(&self, expression: &Expression, scope: &ModuleScope<'_, 'a>) -> Option<Value> {
        expression.evaluate(&Scope::new(scope).with_functions(&self.functions)).ok()
    }

    /// The value that a reference names.
    fn place_of(&self, reference: &Dependency, scope: &ModuleScope<'_, 'a>) -> Option<PlacedValue> {
        let (root, steps) = (&*reference.root, &reference.steps[..]);
        if scope.iterators.iter().any(|(name, _)| name == root) {
            return None;
        }
        let first = steps.first().and_then(Step::name);
        match (root, first, &scope.repetition) {
            ("each", Some("value"), Repetition::Each(key, _)) => {
                let collection = scope.repeated_by?;
                let rest = steps.get(1..).unwrap_or_default().iter().cloned();
                let path = std::iter::once(Step::attr(key.as_str().ok()?)).chain(rest).collect();
                let scope = ModuleScope::of(self, scope.module);
                return self.handed_on(&Computed { expression: collection, path, scope });
            }
            ("each" | "count" | "self" | "path" | "terraform" | "tofu", ..) => return None,
            _ => {}
        }
        let instance = self.instance(scope.module)?;
        let node = referred(scope.module, &instance, root, |step| steps.get(step)?.name())?;
        let of_node =
            |node: Node, steps: &[Step]| PlacedValue { holder: Holder::Node(node), steps: steps.to_vec() };
        match node.kind {
            NodeKind::Local | NodeKind::Variable | NodeKind::Output => Some(of_node(node, steps.get(1..)?)),
            NodeKind::Call => {
                let called = self.called(node)?;
                let (module, next) = match &called.expansion {
                    Expansion::Single => (called.modules.first()?, 1),
                    Expansion::Count(_) | Expansion::Each(_) => {
                        let key = step_key(steps.get(1)?);
                        (called.modules.get(called.expansion.position(&key)?)?, 2)
                    }
                    Expansion::Unknown
                    | Expansion::Symbolic(_)
                    | Expansion::Open(_)
                    | Expansion::Disabled => return None,
                };
                let module = *module;
                let outputs = &self.instance(module)?.tree.module.outputs;
                let position = outputs.get_index_of(steps.get(next)?.name()?)?;
                let output = Node { module, kind: NodeKind::Output, position };
                Some(of_node(output, steps.get(next.saturating_add(1)..)?))
            }
            NodeKind::Resource => {
                let names = if matches!(root, "data" | "ephemeral" | "resource") { 2 } else { 1 };
                let steps = steps.get(names..)?;
                let address = self.name(node);
                let state = self.state.borrow();
                if let Some(instance) = state.resources.get_index_of(&address) {
                    return Some(PlacedValue { holder: Holder::Instance(instance), steps: steps.to_vec() });
                }
                let Some((key, rest)) = steps.split_first() else { return Some(of_node(node, steps)) };
                let key = match step_key(key).as_str() {
                    Ok(key) => text_key(key),
                    Err(_) => format!("[{}]", step_key(key)),
                };
                let instance = state.resources.get_index_of(&format!("{address}{key}"))?;
                Some(PlacedValue { holder: Holder::Instance(instance), steps: rest.to_vec() })
            }
        }
    }

    /// The value that a part of a resource is configured with, if the provider is assumed to keep it, and the line that configures
    /// it.
    ///
    /// `None` if the provider may choose another value: the attribute is computed and its configured value may be null,
    /// or the resource has `ignore_changes` or is not created. Also `None` if the argument cannot be determined, for a
    /// value inside a set or inside blocks of which some are made by `dynamic`.
    fn copied_by_resource(&self, place: &PlacedValue) -> Option<(PlacedValue, Origin)> {
        self.with_computed_by_resource(place, &mut |computed, ty, origin| {
            let next = self.handed_on(computed)?;
            // A value of another type would be converted, and so be no copy.
            let source_type = self.value_at(&self.without_names(next.clone()))?.ty();
            (source_type == *ty || ty.has_dynamic()).then_some((next, origin))
        })
    }

    /// Calls `read` with the expression that a part of a resource is configured with, the type of the part, and the line that
    /// configures it; `None` where [`copied_by_resource`](Evaluator::copied_by_resource) says so.
    fn with_computed_by_resource<T>(
        &self,
        place: &PlacedValue,
        read: &mut dyn FnMut(&Computed<'_, 'a>, &Type, Origin) -> Option<T>,
    ) -> Option<T> {
        let (Holder::Instance(position), path) = (place.holder, &place.steps[..]) else { return None };
        let found = self.with_instance(position, |address, instance| {
            let parts = (part_at(&instance.configured, path)?, part_at(&instance.value, path)?);
            let has_schema = instance.has_schema;
            Some((address.to_owned(), instance.node, instance.repetition.clone(), has_schema, parts))
        });
        let (address, node, repetition, has_schema, (configured, value)) = found??;
        let module = &self.instance(node.module)?.tree.module;
        let resource = module.resources.get_index(node.position)?.1;
        let (configured, value) = (configured.unmark_deep().0, value.unmark_deep().0);
        let is_kept = resource.mode != ResourceMode::Ephemeral
            && !resource.ignores_changes()
            && self.inputs.narrowing.is_none_or(|narrowing| narrowing.keeps_configured(&address));
        let is_open = !configured.is_wholly_known() && !value.is_wholly_known() && !configured.is_null();
        let has_position = path.iter().any(|step| matches!(step, Step::Index(_)));
        let (ty, other) = (value.ty(), configured.ty());
        let is_same_type = ty == other || ty.has_dynamic();
        if !is_kept || !is_open || !is_same_type || has_position && !has_schema {
            return None;
        }
        let schema = self.inputs.narrowing.and_then(|narrowing| narrowing.schema(&address));
        let schema = schema.or_else(|| self.schema(&module.provider(resource), resource));
        if is_chosen_for_null(schema, path) && !configured.range().is_not_null() {
            return None;
        }
        let block = &resource.block;
        if has_dynamic_blocks(block, path) {
            return None;
        }
        let parts = argument_parts(block, path, &[]);
        let [part] = parts.as_slice() else { return None };
        let scope = ModuleScope::repeated(self, node.module, repetition).within(&block.body);
        let computed = Computed { expression: &part.expression, path: part.path.clone(), scope };
        let (source, byte) = (part.location.source.clone(), part.location.byte);
        read(&computed, &ty, Origin { position: source.position(byte), source })
    }

    /// The value whose JSON a part of a resource is: what the call of `jsonencode` takes that it is configured with, or copies.
    pub(in crate::configuration) fn json_source(&self, address: &str, path: &Path) -> Option<Value> {
        let position = self.state.borrow().resources.get_index_of(address)?;
        let place = PlacedValue { holder: Holder::Instance(position), steps: path.steps().to_vec() };
        let mut read = |computed: &Computed<'_, 'a>| {
            let (name, arguments) = computed.expression.as_call().filter(|_| computed.path.is_empty())?;
            let [argument] = arguments.as_slice() else { return None };
            let is_encoded = name.strip_prefix("core::").unwrap_or(name) == "jsonencode";
            if is_encoded { self.quiet_value(argument, &computed.scope) } else { None }
        };
        let root = self.root_of(place);
        match root.holder {
            Holder::Node(node) => self.with_computed_by_node(node, &root.steps, &mut read),
            Holder::Instance(_) => {
                self.with_computed_by_resource(&root, &mut |computed, _, _| read(computed))
            }
        }
    }

    /// The chain of copies that begins with a part of a resource or output: each value is a copy of the next one. The
    /// last one is no copy, or is followed no further; it may be a value that no resource has, such as a variable.
    pub(in crate::configuration) fn copies(&self, object: PlanObject<'_>, path: &Path) -> Vec<CopiedValue> {
        let steps = path.steps().iter().map(|step| match step {
            Step::Index(key) => key.as_str().map_or_else(|_| step.clone(), Step::attr),
            Step::Attr(_) => step.clone(),
        });
        let steps: Vec<Step> = steps.collect();
        let holder = match object {
            PlanObject::Resource(address) => {
                self.state.borrow().resources.get_index_of(address).map(Holder::Instance)
            }
            PlanObject::Output(name) => {
                let position = self.configuration.root.module.outputs.get_index_of(name);
                position.map(|position| Holder::Node(Node { module: 0, kind: NodeKind::Output, position }))
            }
        };
        let mut next = holder.map(|holder| self.without_names(PlacedValue { holder, steps }));
        let mut copies = Vec::new();
        while let Some(place) = next.take().filter(|_| copies.len() < COPIES) {
            let (address, is_in_mark) = match place.holder {
                Holder::Node(node) => (self.name(node), false),
                Holder::Instance(position) => {
                    let read = |address: &str, instance: &super::Instance| {
                        (address.to_owned(), is_inside_mark(&instance.value, &place.steps))
                    };
                    self.with_instance(position, read).unwrap_or_default()
                }
            };
            // The parts of a marked container are content.
            if is_in_mark {
                break;
            }
            let copied = self.copied_by_resource(&place);
            let is_resource = matches!(place.holder, Holder::Instance(_));
            let path = Path::from_iter(place.steps);
            let line = match copied {
                Some((copied, line)) => {
                    next = Some(self.without_names(copied));
                    Some(line)
                }
                None => None,
            };
            copies.push(CopiedValue { address, path, is_resource, line });
        }
        copies
    }

    /// The name of the value that a reference in a scope is a copy of.
    fn origin_of(&self, reference: &Dependency, scope: &ModuleScope<'_, 'a>) -> Option<Dependency> {
        let root = self.root_of(self.place_of(reference, scope)?);
        let name = match root.holder {
            Holder::Node(node) => self.name(node),
            Holder::Instance(position) => self.with_instance(position, |address, _| address.to_owned())?,
        };
        Some(Dependency { root: name.into(), steps: root.steps })
    }
}

impl Origins for ModuleScope<'_, '_> {
    fn origin(&self, reference: &Dependency) -> Option<Dependency> {
        self.engine().origin_of(reference, self)
    }
}

/// The key that a step stands for.
fn step_key(step: &Step) -> Value {
    match step {
        Step::Attr(name) => Value::from(name.as_str()),
        Step::Index(key) => key.clone(),
    }
}

/// Whether a container around the part of a value at a path is marked.
fn is_inside_mark(value: &Value, path: &[Step]) -> bool {
    let containers = (0..path.len()).filter_map(|steps| path.get(..steps));
    containers.filter_map(|path| part_at(value, path)).any(|container| container.is_marked())
}

/// Whether the provider may choose the value of an attribute whose configured value is null: it is computed, or no schema says
/// that it is not.
fn is_chosen_for_null(schema: Option<&Schema>, path: &[Step]) -> bool {
    let Some(schema) = schema else { return true };
    let (mut block, mut rest) = (schema.block(), path);
    while let Some((step, after)) = rest.split_first() {
        let Some(name) = step.name() else { return true };
        if let Some(nested) = block.block_types.get(name) {
            block = &nested.block;
            rest = match nested.nesting {
                Nesting::Single | Nesting::Group => after,
                _ => after.get(1..).unwrap_or_default(),
            };
            continue;
        }
        // The attributes inside of an attribute may be computed each by itself; the elements of a list are not.
        let is_element = after.iter().all(|step| matches!(step, Step::Index(_)));
        return !is_element || block.attributes.get(name).is_none_or(|attribute| attribute.computed);
    }
    true
}

/// Whether a path leads into blocks of a kind of which some are made by `dynamic`: then their positions are not known.
fn has_dynamic_blocks(block: &Block, path: &[Step]) -> bool {
    let names = path.iter().filter_map(Step::name);
    names.into_iter().any(|name| contains_dynamic(block, name))
}

/// Whether a block contains, at any depth, a `dynamic` block for blocks of a kind.
fn contains_dynamic(block: &Block, kind: &str) -> bool {
    let dynamic = block.body.blocks_of(&block.source, "dynamic", 1);
    dynamic.iter().any(|nested| nested.produced_kind() == kind)
        || block.body.blocks.iter().any(|nested| contains_dynamic(nested, kind))
}
