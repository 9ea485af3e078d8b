//! Evaluation of single nodes.

use std::ops::Range;
use std::rc::Rc;

use super::arguments::fails_for_its_content;
use super::scope::ModuleScope;
use super::without_plan::with_validations;
use super::{Engine, Expansion, KEPT_ELEMENTS, ModuleInstance, Node, NodeKind, Repetition, added};
use crate::configuration::module::Variable;
use plantime::source::Source;
use plantime::{Mark, Value, View, conversion, convert, mismatch_message};
use plantime_hcl::{Diagnostic, Diagnostics, Expression};

impl<'a> Engine<'a> {
    /// Evaluates a node. All that it refers to has been evaluated.
    pub(super) fn evaluate_node(&self, node: Node) {
        let Some(instance) = self.instance(node.module) else { return self.make_unknown(node) };
        let module = &instance.tree.module;
        let scope = ModuleScope::of(self, node.module);
        let value = match node.kind {
            NodeKind::Local => module.locals.get_index(node.position).map(|(_, local)| {
                self.kept(self.evaluate_or_report(&local.expression, &scope), &local.expression)
            }),
            NodeKind::Output => module.outputs.get_index(node.position).map(|(_, output)| {
                let value = output.block.body.argument("value");
                let value = value.map_or_else(Value::dynamic, |argument| {
                    self.kept(self.evaluate_or_report(&argument.expression, &scope), &argument.expression)
                });
                let is_root = instance.prefix.is_empty();
                if self.inputs.is_validation {
                    self.check_output(output, &value, is_root);
                }
                if self.inputs.is_terraform_validation() && !is_root {
                    return Value::dynamic();
                }
                marked(value, output.sensitive, output.ephemeral)
            }),
            NodeKind::Variable => module
                .variables
                .get_index(node.position)
                .map(|(name, variable)| self.variable(&instance, name, variable)),
            NodeKind::Resource => return self.evaluate_resource(node, &instance, &scope),
            NodeKind::Call => return self.evaluate_call(node, &instance, &scope),
        };
        self.state.borrow_mut().values.insert(node, value.unwrap_or_else(Value::dynamic));
    }

    /// The value of an expression, to be stored; unknown instead once all stored values have more than
    /// [`KEPT_ELEMENTS`] elements together. A value that only names another one is not counted.
    fn kept(&self, value: Value, expression: &Expression) -> Value {
        if expression.as_reference().is_some() || self.total.is_exceeded() {
            return value;
        }
        let before = self.counts.elements.get();
        let elements = added(&self.counts.elements, element_count(&value));
        if elements <= KEPT_ELEMENTS {
            return value;
        }
        if before <= KEPT_ELEMENTS {
            let detail = format!("The values up to here have more than {KEPT_ELEMENTS} elements together.");
            let (source, span) = (expression.source(), expression.span());
            self.report(Diagnostic::new(source, span, "Configuration too complex", detail).of_limit());
        }
        // Small values are stored even then.
        if element_count(&value) < 32 { value } else { Value::dynamic() }
    }

    /// Gives a node an unknown value.
    pub(super) fn make_unknown(&self, node: Node) {
        match node.kind {
            NodeKind::Call => self.add_call(node, Expansion::Unknown, Vec::new()),
            _ => drop(self.state.borrow_mut().values.insert(node, Value::dynamic())),
        }
    }

    /// The value of an input variable, converted to its type.
    fn variable(&self, instance: &ModuleInstance<'a>, name: &str, variable: &Variable) -> Value {
        let (given, source, span, summary) = match &instance.caller {
            Some((caller, call, repetition)) => {
                let calling = self.instance(*caller);
                let call = calling.and_then(|calling| calling.tree.module.calls.get_index(*call));
                let block = call.map(|(_, call)| &call.block);
                match block.and_then(|block| Some((block, block.body.argument(name)?))) {
                    Some((block, argument)) => {
                        let scope = ModuleScope::repeated(self, *caller, repetition.clone());
                        let scope = scope.within(&block.body);
                        let value = self.evaluate_or_report(&argument.expression, &scope);
                        let value = self.kept(value, &argument.expression);
                        let (source, span) =
                            (argument.expression.source().clone(), argument.expression.span());
                        (Some(value), source, span, "Invalid value for input variable")
                    }
                    None => (None, variable.block.source.clone(), variable.block.span.clone(), ""),
                }
            }
            None => {
                let (source, span) = (variable.block.source.clone(), variable.block.span.clone());
                (self.root_variable(name, variable), source, span, "Invalid value for input variable")
            }
        };
        let whole = format!("{}var.{name}", instance.prefix);
        if self.inputs.is_validation {
            if let Some(value) = &given {
                self.check_variable(value, variable, (&source, &span));
                if value.clone().unmark().0.is_null() && !variable.nullable && variable.default.is_none() {
                    let declared = variable.block.source.range_text(variable.block.head());
                    let detail = format!(
                        "The given value is not suitable for {whole} defined at {declared}: required variable may not be set \
                         to null."
                    );
                    self.report(Diagnostic::new(&source, span.clone(), "Required variable not set", detail));
                }
                let value = self.converted_variable(value, &whole, variable, &source, &span, summary);
                if self.inputs.follows_sensitive && instance.caller.is_some() {
                    return marked(value, variable.sensitive, variable.ephemeral);
                }
            }
            return marked(Value::unknown(variable.ty.to_type()), variable.sensitive, variable.ephemeral);
        }
        let given =
            given.map(|value| self.converted_variable(&value, &whole, variable, &source, &span, summary));
        let is_open = self.inputs.is_without_plan && instance.caller.is_none() && given.is_none();
        let value = value_or_default(given, variable);
        let value = if is_open { with_validations(name, variable, value) } else { value };
        marked(value, variable.sensitive, variable.ephemeral)
    }

    /// Converts the value of an input variable to its type constraint.
    fn converted_variable(
        &self,
        value: &Value,
        name: &str,
        variable: &Variable,
        source: &Source,
        span: &Range<usize>,
        summary: &str,
    ) -> Value {
        let marks = value.marks().clone();
        convert(value, &variable.ty).unwrap_or_else(|error| {
            let declared = variable.block.source.range_text(variable.block.head());
            let is_hidden = variable.sensitive || value.contains_marks();
            let reason = match conversion(&value.ty(), &variable.ty) {
                // What the type of the value is compared with may have keys of the value, as the path to the wrong part does.
                None if is_hidden && !value.ty().has_dynamic() => {
                    format!("{} required", variable.ty.as_type().friendly_name())
                }
                None if !value.ty().has_dynamic() => mismatch_message(&value.ty(), &variable.ty),
                _ => error.message().to_owned(),
            };
            if variable.sensitive {
                let given = source.range_text(span.clone());
                let detail = format!(
                    "The given value is not suitable for {name}, which is sensitive: {reason}. Invalid value defined at {given}."
                );
                let block = &variable.block;
                self.report(Diagnostic::new(&block.source, block.head(), summary, detail));
                return Value::unknown(variable.ty.to_type()).with_marks(&marks);
            }
            let detail =
                format!("The given value is not suitable for {name} declared at {declared}: {reason}.");
            let problem: Diagnostics = Diagnostic::new(source, span.clone(), summary, detail).into();
            self.report(problem.reported_once_known_if(fails_for_its_content(value, &variable.ty)));
            Value::unknown(variable.ty.to_type()).with_marks(&marks)
        })
    }

    /// The given value of a variable of the root module: from the caller, from the plan, from files. A plan does not store the
    /// value of an ephemeral variable, which may have been given otherwise.
    fn root_variable(&self, name: &str, variable: &Variable) -> Option<Value> {
        let given = self.inputs.variables.get(name).cloned();
        let planned = || self.inputs.known.and_then(|known| known.variable(name));
        let not_stored = || (variable.ephemeral && self.inputs.known.is_some()).then(Value::dynamic);
        let given = given.or_else(planned).or_else(not_stored);
        given.or_else(|| self.configuration.variables.get(name).cloned())
    }

    /// Evaluates `count` or `for_each` of a module call, and adds the instances.
    fn evaluate_call(&self, node: Node, instance: &ModuleInstance<'a>, scope: &ModuleScope<'_, 'a>) {
        let tree = instance.tree.calls.get(node.position).and_then(Option::as_ref);
        let call = instance.tree.module.calls.get_index(node.position);
        let (Some(tree), Some((name, call))) = (tree, call) else { return self.make_unknown(node) };
        let expansion = self.expansion_or_report(&call.block, scope);
        if self.inputs.is_validation {
            self.check_call(call, &tree.module);
        }
        let modules = expansion.instances().into_iter().map(|(key, repetition)| {
            let mut state = self.state.borrow_mut();
            let prefix = format!("{}module.{name}{key}.", instance.prefix);
            let is_either = self.inputs.is_terraform_validation();
            let repetition = if is_either { Repetition::Either } else { repetition };
            let caller = Some((node.module, node.position, repetition));
            state.modules.push(Rc::new(ModuleInstance { tree, prefix, caller }));
            state.modules.len().saturating_sub(1)
        });
        let modules = modules.collect();
        self.add_call(node, expansion, modules);
    }

    /// How messages name a node.
    pub(super) fn name(&self, node: Node) -> String {
        let Some(instance) = self.instance(node.module) else { return String::new() };
        let module = &instance.tree.module;
        let position = node.position;
        let name = match node.kind {
            NodeKind::Local => module.locals.get_index(position).map(|(name, _)| format!("local.{name}")),
            NodeKind::Variable => module.variables.get_index(position).map(|(name, _)| format!("var.{name}")),
            NodeKind::Output => module.outputs.get_index(position).map(|(name, _)| format!("output.{name}")),
            NodeKind::Call => module.calls.get_index(position).map(|(name, _)| format!("module.{name}")),
            NodeKind::Resource => module.resources.get_index(position).map(|(address, _)| address.clone()),
        };
        format!("{}{}", instance.prefix, name.unwrap_or_default())
    }

    /// Where a node is declared.
    pub(super) fn place(&self, node: Node) -> Option<(Source, Range<usize>)> {
        let instance = self.instance(node.module)?;
        let module = &instance.tree.module;
        let block = match node.kind {
            NodeKind::Local => {
                let (_, local) = module.locals.get_index(node.position)?;
                return Some((local.expression.source().clone(), local.span.clone()));
            }
            NodeKind::Variable => &module.variables.get_index(node.position)?.1.block,
            NodeKind::Output => &module.outputs.get_index(node.position)?.1.block,
            NodeKind::Call => &module.calls.get_index(node.position)?.1.block,
            NodeKind::Resource => &module.resources.get_index(node.position)?.1.block,
        };
        Some((block.source.clone(), block.span.clone()))
    }
}

/// The number of elements of a container, without the elements of nested containers; 0 for other values.
fn element_count(value: &Value) -> usize {
    match value.clone().unmark().0.view() {
        View::List(list) => list.len(),
        View::Tuple(tuple) => tuple.len(),
        View::Map(map) => map.len(),
        View::Object(object) => object.len(),
        View::Set(set) => set.member_count(),
        _ => 0,
    }
}

/// The value of a variable that is given this value. A variable that is not nullable has its default in place of null;
/// while it is unknown whether the value is null, the result is what the value and the default have in common.
fn value_or_default(given: Option<Value>, variable: &Variable) -> Value {
    // A variable without a default must be given a value, which is unknown here.
    let required = || match variable.nullable {
        true => Value::unknown(variable.ty.to_type()),
        false => Value::unknown_not_null(variable.ty.to_type()),
    };
    let Some(given) = given else { return variable.default.clone().unwrap_or_else(required) };
    if variable.nullable {
        return given;
    }
    let (bare, marks) = given.clone().unmark();
    let is_certain = bare.is_known() && !bare.is_null() || bare.range().is_not_null();
    let kept = given.assume_not_null();
    match (&variable.default, kept) {
        (_, Ok(kept)) if is_certain => kept,
        (Some(default), Ok(kept)) => Value::join(&[&kept, default]).unwrap_or_else(|_| Value::dynamic()),
        // It is null.
        (Some(default), Err(_)) => default.clone(),
        (None, Ok(kept)) => kept,
        (None, Err(_)) => required(),
    }
    .with_marks(&marks)
}

/// The value, marked as sensitive, as ephemeral or as both.
fn marked(value: Value, sensitive: bool, ephemeral: bool) -> Value {
    let value = if sensitive { value.mark(Mark::SENSITIVE) } else { value };
    if ephemeral { value.mark(Mark::EPHEMERAL) } else { value }
}
