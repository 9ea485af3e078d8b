//! Evaluation without a plan: values of resources as they are written, and references to what is not declared.

use std::collections::BTreeMap;

use super::order::{attribute, referred};
use super::scope::ModuleScope;
use super::{Engine, Node, NodeKind, Repetition};
use crate::configuration::evaluation::WrittenInstance;
use crate::configuration::module::{ResourceMode, Variable};
use plantime::rule::{Pattern, Rule};
use plantime::{Refinement, Step, Type, Value, View};
use plantime_hcl::{Diagnostic, Expression, Reference, ReferenceKey, ReferenceStep, Resolved};
use plantime_schema::planning::planned_unknown;
use plantime_schema::{Block, Nesting, Schema};

/// The names that begin a reference to the language itself, which no declaration can add to.
const OF_THE_LANGUAGE: [&str; 9] =
    ["count", "each", "path", "terraform", "tofu", "self", "template", "lazy", "arg"];

impl<'a> Engine<'a> {
    /// The value of a resource instance as its configuration says it: with a schema, computed attributes that are not written are
    /// unknown and others null; without one, the object of what is written.
    pub(super) fn value_without_plan(&self, configured: &Value, schema: Option<&Schema>) -> Value {
        let Some(schema) = schema else { return configured.clone() };
        let Ok(planned) = planned_unknown(schema.block(), configured) else {
            return self.unknown_value(Some(schema));
        };
        let value = with_chosen_blocks(&planned, schema.block());
        value.mark_with_paths(&schema.marks_for(&value))
    }

    /// Whether a reference names something that a module may declare, and that this one does not.
    pub(super) fn is_undeclared(&self, reference: &Reference, scope: &ModuleScope<'_, 'a>) -> bool {
        let Some(instance) = self.instance(scope.module) else { return false };
        let named = |step: usize| reference.steps().get(step).and_then(attribute);
        let names = match reference.root() {
            "data" | "ephemeral" | "resource" => 2,
            _ => 1,
        };
        !OF_THE_LANGUAGE.contains(&reference.root())
            && (0..names).all(|step| named(step).is_some())
            && !scope.iterators.iter().any(|(name, _)| name == reference.root())
            && referred(scope.module, &instance, reference.root(), named).is_none()
    }

    /// Reports the references of an expression to names that are not declared. Their values are unknown, so that the rest of the
    /// expression counts.
    pub(super) fn report_undeclared(&self, expression: &Expression, scope: &ModuleScope<'_, 'a>) {
        for reference in expression.references() {
            if self.is_undeclared(reference, scope) {
                let wrong = scope.undeclared(reference);
                let span = reference.span_of(wrong.steps);
                self.report(Diagnostic::new(expression.source(), span, wrong.summary, wrong.detail));
            }
        }
    }

    /// Every instance of a resource or data source.
    pub(in crate::configuration) fn written_instances(&self) -> Vec<WrittenInstance> {
        let state = self.state.borrow();
        let instances = state.resources.iter().filter_map(|(address, instance)| {
            let (_, resource) = instance.module.resources.get_index(instance.position)?;
            let is_data_source = match resource.mode {
                ResourceMode::Managed => false,
                ResourceMode::Data => true,
                ResourceMode::Ephemeral => return None,
            };
            let [_, name] = resource.block.labels.as_slice() else { return None };
            let module = state.modules.get(instance.node.module)?;
            let index = match &instance.repetition {
                Repetition::Count(key) | Repetition::Each(key, _) => Some(key),
                Repetition::None | Repetition::Either => None,
            };
            Some(WrittenInstance {
                address: address.clone(),
                module: module.prefix.trim_end_matches('.').to_owned(),
                is_data_source,
                type_name: resource.ty.to_string(),
                name: name.to_string(),
                provider: instance.module.provider(resource),
                index: index.filter(|key| key.is_known()).map(|key| key.unmark_deep().0),
                is_open: has_open_key(address),
                has_schema: instance.has_schema,
                value: instance.value.clone(),
            })
        });
        instances.collect()
    }

    /// The values of the variables of the root module, by name.
    pub(in crate::configuration) fn root_variables(&self) -> BTreeMap<String, Value> {
        let module = self.root_module();
        let names = module.variables.keys().enumerate();
        let value = |position| self.value(Node { module: 0, kind: NodeKind::Variable, position });
        names.filter_map(|(position, name)| Some((name.to_string(), value(position)?))).collect()
    }

    /// The part of a resource instance without a schema that a reference leads to. What is not written there is unknown: the
    /// provider may have such an attribute. `None` for a resource with a schema, and for a reference to a whole resource.
    /// `used` is the number of steps that name the resource.
    pub(super) fn written_part(&self, node: Node, reference: &Reference, used: usize) -> Option<Resolved> {
        let instance = self.instance(node.module)?;
        let (address, _) = instance.tree.module.resources.get_index(node.position)?;
        let mut steps = reference.steps().iter().enumerate().skip(used).peekable();
        let name = |key: &str| format!("{}{address}{key}", instance.prefix);
        let indexed = match steps.peek()?.1.key() {
            ReferenceKey::Index(key) => {
                steps.next();
                let key = match key.as_str() {
                    Ok(text) => crate::configuration::text_key(text),
                    Err(_) => format!("[{}]", key.as_number().ok()?),
                };
                [name(&key), name("[*]")]
            }
            ReferenceKey::Attribute(_) => [name(""), String::new()],
        };
        let found = |address: &String| {
            self.with_resource(address, |found| (!found.has_schema).then(|| found.value.clone())).flatten()
        };
        let mut here = indexed.iter().find_map(found)?;
        // A reference to the whole resource has all attributes of its type, which nobody knows.
        steps.peek()?;
        let all = reference.steps().len();
        let mut resolved = used;
        for (position, step) in steps {
            let (bare, marks) = here.clone().unmark();
            let Some(part) = part(&bare, step) else {
                return Some(match bare.view() {
                    View::Object(_) => Resolved { value: Value::dynamic().with_marks(&marks), steps: all },
                    _ => Resolved { value: here, steps: resolved },
                });
            };
            here = part.with_marks(&marks);
            resolved = position.saturating_add(1);
        }
        Some(Resolved { value: here, steps: resolved })
    }
}

/// The unknown value of a variable of the root module, narrowed by its `validation` blocks: Terraform refuses every other value.
/// Conditions are read that are one call of `contains` with a list of literals, of `startswith`, or of `can(regex(…))`.
pub(super) fn with_validations(name: &str, variable: &Variable, value: Value) -> Value {
    let blocks = variable.block.body.blocks_of(&variable.block.source, "validation", 0);
    let conditions = blocks.iter().filter_map(|block| block.body.argument("condition"));
    conditions.filter_map(|condition| promised(name, &condition.expression)).fold(value, |value, promised| {
        if value.is_known() { value } else { value.assume_with_type(&promised).unwrap_or(value) }
    })
}

/// What holds of a variable for which a condition is true; `None` if that is not read.
fn promised(name: &str, condition: &Expression) -> Option<Refinement> {
    let is_variable = |expression: &Expression| {
        expression.as_reference().is_some_and(|reference| {
            let steps: Vec<_> = reference.steps().iter().map(attribute).collect();
            reference.root() == "var" && steps == [Some(name)]
        })
    };
    let text = |expression: &Expression| expression.as_literal()?.as_str().ok().map(str::to_owned);
    let (function, arguments) = condition.as_call()?;
    match (function, arguments.as_slice()) {
        ("contains", [list, value]) if is_variable(value) => {
            let literals: Option<Vec<Value>> = list.items()?.iter().map(Expression::as_literal).collect();
            let literals = literals?;
            let texts: Option<Vec<&str>> = literals.iter().map(|value| value.as_str().ok()).collect();
            Refinement::one_of(texts?).ok().map(Refinement::and_not_null)
        }
        ("startswith", [value, prefix]) if is_variable(value) => {
            Some(Refinement::prefix(&text(prefix)?).and_not_null())
        }
        ("can", [call]) => match call.as_call()? {
            ("regex", arguments) => match arguments.as_slice() {
                [pattern, value] if is_variable(value) => {
                    let rule = Rule::matches(Pattern::new(&text(pattern)?).ok()?);
                    Some(rule.implied_refinement(&Type::String).and_not_null())
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether an address has a key `[*]`, of the instance or of a module.
fn has_open_key(address: &str) -> bool {
    // A text in quotes is a key of `for_each`, which may have any characters; a quote inside it is escaped.
    let mut quoted = false;
    let mut escaped = false;
    let outside: String = address
        .chars()
        .filter(|c| {
            match c {
                '"' if !escaped => quoted = !quoted,
                _ => {}
            }
            escaped = *c == '\\' && !escaped;
            !quoted
        })
        .collect();
    outside.contains("[*]")
}

/// The part of a value that a step of a reference leads to.
fn part(value: &Value, step: &ReferenceStep) -> Option<Value> {
    let step = match step.key() {
        ReferenceKey::Attribute(name) => Step::attr(name),
        ReferenceKey::Index(key) => Step::Index(key.clone()),
    };
    value.part(&step).cloned()
}

/// The object, in which blocks that are not written are unknown if the provider may choose them: if an attribute inside is
/// computed. A schema does not tell whether it does. Attributes that are only written are null, as in every plan.
fn with_chosen_blocks(value: &Value, block: &Block) -> Value {
    let View::Object(object) = value.view() else { return value.clone() };
    if block.block_types.is_empty() && !block.attributes.values().any(|attribute| attribute.write_only) {
        return value.clone();
    }
    let parts = object.iter().map(|(name, part)| {
        if block.attributes.get(name).is_some_and(|attribute| attribute.write_only) {
            return (name, Value::null(part.ty()));
        }
        let Some(nested) = block.block_types.get(name) else { return (name, part.clone()) };
        let (bare, marks) = part.clone().unmark();
        let is_absent = match bare.view() {
            View::List(list) => list.is_empty(),
            View::Set(set) => set.member_count() == 0,
            View::Map(map) => map.is_empty(),
            View::Tuple(tuple) => tuple.is_empty(),
            _ => bare.is_null(),
        };
        let chosen = match is_absent && nested.nesting != Nesting::Group {
            true if has_computed(&nested.block) => match nested.nesting {
                Nesting::Single => Value::unknown(bare.ty()),
                _ if bare.ty().has_dynamic() => Value::dynamic(),
                _ => Value::unknown_not_null(bare.ty()),
            },
            true => bare,
            false => with_chosen_blocks_inside(&bare, &nested.block),
        };
        (name, chosen.with_marks(&marks))
    });
    Value::object(parts).unwrap_or_else(|_| value.clone())
}

/// The blocks of one kind, each as [`with_chosen_blocks`] gives it.
fn with_chosen_blocks_inside(value: &Value, block: &Block) -> Value {
    match value.view() {
        View::Object(_) => with_chosen_blocks(value, block),
        View::List(_) | View::Set(_) | View::Map(_) | View::Tuple(_) => value
            .map_children(|_, child| {
                let (bare, marks) = child.clone().unmark();
                with_chosen_blocks(&bare, block).with_marks(&marks)
            })
            .unwrap_or_else(|| value.clone()),
        _ => value.clone(),
    }
}

/// Whether the provider computes an attribute in a block or in one inside it.
fn has_computed(block: &Block) -> bool {
    block.attributes.values().any(|attribute| attribute.computed)
        || block.block_types.values().any(|nested| has_computed(&nested.block))
}
