//! `count`, `for_each` and `enabled`: the instances of a resource or module call.

use std::rc::Rc;

use super::arguments::fails_for_its_content;
use super::scope::{ModuleScope, Repetition};
use super::{Called, Engine, Node, NodeKind, added};
use crate::configuration::module::index;
use crate::configuration::text_key;
use plantime::{Mark, Type, Value, View};
use plantime_hcl::{Argument, Block, Body};
use plantime_hcl::{Diagnostic, Diagnostics};

/// The maximum number of instances of all blocks together.
const INSTANCES: u64 = 100_000;

/// The maximum number of instances of one block in which sensitive values are followed instance by instance; of more,
/// one symbolic instance represents all.
const FOLLOWED: usize = 64;

/// The instances of a block.
#[derive(Clone, Debug)]
pub(super) enum Expansion {
    /// The instances are unknown, since `count`, `for_each` or `enabled` is.
    Unknown,
    /// One instance with unknown keys represents all, as in a validation, which does not need their number.
    Symbolic(Repetition),
    /// One instance with the key `[*]` and unknown values of `count` and `each`, as in a check without a plan: it represents
    /// however many instances there will be, maybe none.
    Open(Repetition),
    /// One instance without a key: the block has neither `count` nor `for_each`, and is not disabled.
    Single,
    /// No instance, as `enabled` is false. The block is null.
    Disabled,
    /// This number of instances, from `count`.
    Count(usize),
    /// One instance for each key of `for_each`, with the value of the key; sorted by key.
    Each(Vec<(String, Value)>),
}

impl Expansion {
    /// The number of instances; 0 if it is unknown, if the block is disabled, or if one symbolic instance represents all.
    fn len(&self) -> usize {
        match self {
            Expansion::Unknown | Expansion::Symbolic(_) | Expansion::Open(_) | Expansion::Disabled => 0,
            Expansion::Single => 1,
            Expansion::Count(count) => *count,
            Expansion::Each(keys) => keys.len(),
        }
    }

    /// The position of the instance with a key.
    pub(super) fn position(&self, key: &Value) -> Option<usize> {
        match self {
            Expansion::Count(count) => {
                let number = key.as_number().ok()?.to_string().parse::<usize>().ok()?;
                (number < *count).then_some(number)
            }
            Expansion::Each(keys) => {
                let key = key.as_str().ok()?;
                keys.binary_search_by(|(found, _)| found.as_str().cmp(key)).ok()
            }
            _ => None,
        }
    }

    /// The expansion of a block in a validation: with `count` or `for_each`, one symbolic instance with unknown keys
    /// represents all; without, a single instance.
    pub(super) fn symbolic(body: &Body) -> Expansion {
        match (body.argument("for_each"), body.argument("count")) {
            (Some(_), _) => {
                Expansion::Symbolic(Repetition::Each(Value::unknown_not_null(Type::String), Value::dynamic()))
            }
            (None, Some(_)) => Expansion::Symbolic(Repetition::Count(Value::unknown_not_null(Type::Number))),
            (None, None) => Expansion::Single,
        }
    }

    /// The instances: the key of each in its address, and its values of `count` and `each`.
    pub(super) fn instances(&self) -> Vec<(String, Repetition)> {
        match self {
            Expansion::Unknown | Expansion::Disabled => Vec::new(),
            Expansion::Single => vec![(String::new(), Repetition::None)],
            Expansion::Symbolic(repetition) => vec![(String::new(), repetition.clone())],
            Expansion::Open(repetition) => vec![("[*]".to_owned(), repetition.clone())],
            Expansion::Count(count) => {
                (0..*count).map(|number| (format!("[{number}]"), Repetition::Count(index(number)))).collect()
            }
            Expansion::Each(keys) => keys
                .iter()
                .map(|(key, value)| {
                    (text_key(key), Repetition::Each(Value::from(key.as_str()), value.clone()))
                })
                .collect(),
        }
    }

    /// The value of a reference to all instances, built from their values: a tuple for `count`, an object for
    /// `for_each`, and the value of the only instance without these.
    pub(super) fn gathered(&self, values: Vec<Value>) -> Value {
        let built = match self {
            Expansion::Unknown | Expansion::Open(_) => return Value::dynamic(),
            Expansion::Disabled => return Value::null(Type::Dynamic),
            Expansion::Symbolic(repetition) => {
                let ty = values.first().map_or(Type::Dynamic, Value::ty);
                let all = match repetition {
                    Repetition::Count(_) => Type::list(ty),
                    _ => Type::map(ty),
                };
                return Value::unknown(all.unwrap_or(Type::Dynamic));
            }
            Expansion::Single => return values.into_iter().next().unwrap_or_else(Value::dynamic),
            Expansion::Count(_) => Value::tuple(values),
            Expansion::Each(keys) => Value::object(keys.iter().map(|(key, _)| key).zip(values)),
        };
        built.unwrap_or_else(|_| Value::dynamic())
    }
}

impl<'a> Engine<'a> {
    /// The instances of a block. If they are unknown, or the argument that gives them is wrong, which is reported, one symbolic
    /// instance represents all in a validation, and one with the key `[*]` without a plan.
    pub(super) fn expansion_or_report(&self, block: &Block, scope: &ModuleScope<'_, 'a>) -> Expansion {
        let expansion = self.expansion(block, scope).unwrap_or_else(|problems| {
            self.report(problems);
            match self.inputs.is_validation {
                true => Expansion::symbolic(&block.body),
                false => Expansion::Unknown,
            }
        });
        match expansion {
            Expansion::Unknown if self.inputs.is_without_plan => self.open_expansion(block, scope),
            expansion => expansion,
        }
    }

    /// The expansion of a block whose instances are unknown, with what is known of `each.value`.
    fn open_expansion(&self, block: &Block, scope: &ModuleScope<'_, 'a>) -> Expansion {
        if block.body.argument("for_each").is_none() {
            return match block.body.argument("count") {
                Some(_) => Expansion::Open(Repetition::Count(Value::unknown_not_null(Type::Number))),
                None => Expansion::Open(Repetition::None),
            };
        }
        let key = Value::unknown_not_null(Type::String);
        let each =
            block.body.argument("for_each").and_then(|each| self.evaluate(&each.expression, scope).ok());
        let element = match each.as_ref().map(Value::ty) {
            Some(Type::Map(map)) => Value::unknown(map.element().clone()),
            Some(Type::Set(_)) => key.clone(),
            _ => Value::dynamic(),
        };
        Expansion::Open(Repetition::Each(key, element))
    }

    /// The instances of a block, as its `count` or `for_each` gives them.
    fn expansion(&self, block: &Block, scope: &ModuleScope<'_, 'a>) -> Result<Expansion, Diagnostics> {
        let body = &block.body;
        let (expansion, argument) = match (body.argument("for_each"), body.argument("count")) {
            (Some(argument), _) => (self.each(argument, scope)?, argument),
            (None, Some(argument)) => (self.count(argument, scope)?, argument),
            (None, None) => {
                return match block.enabled_argument().filter(|_| !self.inputs.is_validation) {
                    Some(argument) => self.enabled(&argument, scope),
                    None => Ok(Expansion::Single),
                };
            }
        };
        if let Some(enabled) = block.enabled_argument() {
            let (source, span) = (enabled.expression.source(), enabled.expression.span());
            let detail = format!("{:?} and \"enabled\" cannot both be set.", &*argument.name);
            return Err(Diagnostic::new(source, span, "Invalid combination of arguments", detail).into());
        }
        let is_symbolic = match &expansion {
            // Where sensitive values are followed, one instance stands for many.
            Expansion::Count(_) | Expansion::Each(_) if self.inputs.follows_sensitive => {
                expansion.len() > FOLLOWED
            }
            _ => self.inputs.is_validation,
        };
        if is_symbolic {
            return Ok(Expansion::symbolic(body));
        }
        if added(&self.counts.instances, expansion.len()) > INSTANCES {
            return Err(too_many(argument));
        }
        Ok(expansion)
    }

    /// The expansion that an `enabled` argument selects: one instance or none.
    fn enabled(&self, argument: &Argument, scope: &ModuleScope<'_, 'a>) -> Result<Expansion, Diagnostics> {
        let (value, marks) = self.evaluate(&argument.expression, scope)?.unmark_deep();
        let wrong = |detail: String| -> Diagnostics {
            let (source, span) = (argument.expression.source(), argument.expression.span());
            Diagnostic::new(source, span, "Invalid enabled argument", detail).into()
        };
        if !marks.is_empty() {
            let detail = "The value is marked (sensitive or ephemeral), and the instances of a block are shown and stored.";
            return Err(wrong(detail.to_owned()));
        }
        if value.is_certainly_null() {
            return Err(wrong("The value is null. A bool is required.".to_owned()));
        }
        let truth = plantime::convert(&value, &Type::Bool.into())
            .map_err(|error| wrong(format!("The value is unsuitable: {}.", error.message())))?;
        Ok(match truth.as_bool() {
            Ok(true) => Expansion::Single,
            Ok(false) => Expansion::Disabled,
            Err(_) => Expansion::Unknown,
        })
    }

    /// The instances that a `count` argument asks for.
    fn count(&self, argument: &Argument, scope: &ModuleScope<'_, 'a>) -> Result<Expansion, Diagnostics> {
        let (value, marks) = self.evaluate(&argument.expression, scope)?.unmark_deep();
        let wrong = |detail: String| -> Diagnostics {
            let (source, span) = (argument.expression.source(), argument.expression.span());
            Diagnostic::new(source, span, "Invalid count argument", detail).into()
        };
        if marks.contains(&Mark::EPHEMERAL) {
            let detail = "The given \"count\" is derived from an ephemeral value, which means that Terraform cannot persist \
                          it between plan/apply rounds. Use only non-ephemeral values to specify the number of resource \
                          instances.";
            return Err(wrong(detail.to_owned()));
        }
        if value.is_certainly_null() {
            return Err(wrong(
                "The given \"count\" argument value is null. An integer is required.".to_owned(),
            ));
        }
        let unsuitable =
            |reason: &str| wrong(format!("The given \"count\" argument value is unsuitable: {reason}."));
        let number = plantime::convert(&value, &Type::Number.into()).map_err(|error| -> Diagnostics {
            let (source, span) = (argument.expression.source(), argument.expression.span());
            let reason = match plantime::conversion(&value.ty(), &Type::Number.into()) {
                None => "number required",
                Some(_) => error.message(),
            };
            let detail = format!("Invalid expression value: {reason}.");
            let problem: Diagnostics = Diagnostic::new(source, span, "Incorrect value type", detail).into();
            problem.reported_once_known_if(fails_for_its_content(&value, &Type::Number.into()))
        })?;
        let Ok(number) = number.as_number() else { return Ok(Expansion::Unknown) };
        if !number.is_integer() {
            let range = "between -9223372036854775808 and 9223372036854775807";
            return Err(unsuitable(&format!("value must be a whole number, {range}")));
        }
        if *number < plantime::Number::from(0) {
            return Err(unsuitable("must be greater than or equal to zero"));
        }
        if *number > plantime::Number::from(INSTANCES) {
            return Err(unsuitable("more than 100000 instances are not supported"));
        }
        Ok(Expansion::Count(number.to_string().parse().unwrap_or_default()))
    }

    /// The instances that a `for_each` argument asks for.
    fn each(&self, argument: &Argument, scope: &ModuleScope<'_, 'a>) -> Result<Expansion, Diagnostics> {
        let (value, marks) = self.evaluate(&argument.expression, scope)?.unmark();
        let refused = |detail: &str| -> Diagnostics {
            let (source, span) = (argument.expression.source(), argument.expression.span());
            Diagnostic::new(source, span, "Invalid for_each argument", detail).into()
        };
        if marks.contains(&Mark::SENSITIVE) {
            return Err(refused(
                "Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, \
                 the sensitive value could be exposed as a resource instance key.",
            ));
        }
        if marks.contains(&Mark::EPHEMERAL) {
            return Err(refused(
                "The given \"for_each\" value is derived from an ephemeral value, which means that Terraform cannot persist \
                 it between plan/apply rounds. Use only non-ephemeral values to specify a resource's instance keys.",
            ));
        }
        let of = |summary: &str, reason: &str| -> Diagnostics {
            let (source, span) = (argument.expression.source(), argument.expression.span());
            let detail = format!("The given \"for_each\" argument value is unsuitable: {reason}.");
            Diagnostic::new(source, span, summary, detail).into()
        };
        let unsuitable = |reason: &str| of("Invalid for_each argument", reason);
        let unsuitable_set = |reason: &str| of("Invalid for_each set argument", reason);
        if value.is_certainly_null() {
            let reason = "the given \"for_each\" argument value is null. A map, or set of strings is allowed";
            return Err(unsuitable(reason));
        }
        let mut keys: Vec<(String, Value)> = match value.view() {
            View::Map(map) => map.iter().map(|(key, value)| (key.to_owned(), value.clone())).collect(),
            View::Object(object) => {
                object.iter().map(|(key, value)| (key.to_owned(), value.clone())).collect()
            }
            View::Set(set) if !matches!(set.element_type(), Type::String | Type::Dynamic) => {
                let reason = "\"for_each\" supports maps and sets of strings, but you have provided a set containing type";
                let ty = set.element_type().friendly_name();
                return Err(unsuitable_set(&format!("{reason} {ty}")));
            }
            View::Set(set) => {
                let mut keys = Vec::with_capacity(set.member_count());
                for member in set.iter() {
                    let (member, _) = member.clone().unmark();
                    if member.is_null() {
                        return Err(unsuitable_set("\"for_each\" sets must not contain null values"));
                    }
                    match member.as_str() {
                        Ok(key) => keys.push((key.to_owned(), member.clone())),
                        Err(_) => return Ok(Expansion::Unknown),
                    }
                }
                keys
            }
            View::Unknown(_) | View::Dynamic
                if matches!(value.ty(), Type::Map(_) | Type::Object(_) | Type::Set(_) | Type::Dynamic) =>
            {
                return Ok(Expansion::Unknown);
            }
            _ => {
                let ty = value.ty();
                let reason = "the \"for_each\" argument must be a map, or set of strings, and you have provided a value of \
                              type";
                return Err(unsuitable(&format!("{reason} {}", ty.friendly_name())));
            }
        };
        keys.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Expansion::Each(keys))
    }

    /// The instances of a module call that has been evaluated, and their positions.
    pub(super) fn called(&self, node: Node) -> Option<Rc<Called>> {
        self.state.borrow().calls.get(&node).cloned()
    }

    /// The value of a whole module call: objects of outputs.
    pub(super) fn module_value(&self, node: Node) -> Value {
        if let Some(value) = self.value(node) {
            return value;
        }
        let Some(called) = self.called(node) else { return Value::dynamic() };
        let mut is_complete = true;
        let values = called.modules.iter().map(|&module| {
            let Some(instance) = self.instance(module) else { return Value::dynamic() };
            let outputs = instance.tree.module.outputs.keys().enumerate().map(|(position, name)| {
                let value = self.value(Node { module, kind: NodeKind::Output, position });
                is_complete &= value.is_some();
                (name, value.unwrap_or_else(Value::dynamic))
            });
            Value::object(outputs).unwrap_or_else(|_| Value::dynamic())
        });
        let value = called.expansion.gathered(values.collect());
        // A reference to one output does not wait for the others.
        if is_complete {
            self.state.borrow_mut().values.insert(node, value.clone());
        }
        value
    }

    /// Records the instances of a module call.
    pub(super) fn add_call(&self, node: Node, expansion: Expansion, modules: Vec<usize>) {
        self.state.borrow_mut().calls.insert(node, Rc::new(Called { expansion, modules }));
    }
}

/// The error for an argument that makes the instances of the configuration too many.
#[cold]
fn too_many(argument: &Argument) -> Diagnostics {
    let (source, span) = (argument.expression.source(), argument.expression.span());
    let detail = format!("The configuration has more than {INSTANCES} instances, which are not supported.");
    Diagnostic::new(source, span, "Too many instances", detail).of_limit().into()
}
