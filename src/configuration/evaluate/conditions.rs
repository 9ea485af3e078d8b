//! Evaluates the conditions that modules state themselves, for each instance.

use std::collections::HashMap;
use std::rc::Rc;

use super::Engine;
use super::explain::{Site, Subject, Target, Tracer};
use super::scope::{ModuleScope, Repetition};
use crate::configuration::body::{Argument, Block, Body};
use crate::configuration::{Condition, ConditionKind, ConditionVerdict, Origin};
use crate::source::Source;
use crate::types::Type;
use crate::value::Value;

/// A condition that is about to be evaluated.
struct Stated<'b> {
    kind: ConditionKind,
    address: String,
    /// The block with `condition` and `error_message`.
    block: &'b Block,
    /// The content of the block that it is about, which may have `count` or `for_each`.
    owner: &'b Body,
    module: usize,
    repetition: Repetition,
    /// The instance that `self` is, by its position among all instances.
    own: Option<usize>,
}

impl<'a> Engine<'a> {
    /// All conditions of all instances, in the order of modules and of files.
    pub(in crate::configuration) fn conditions(&self) -> Vec<Condition> {
        let mut tracer = Tracer::of_many(self);
        let mut conditions = Vec::new();
        // The position of each undetermined condition among the explained values.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut evaluate = |stated: &Stated<'_>| {
            let Some((condition, site)) = self.evaluated_condition(stated) else { return };
            if condition.verdict == ConditionVerdict::Undetermined {
                let (name, value) = (format!("condition {}", conditions.len()), Value::unknown(Type::Bool));
                let target = Target { name, value, subject: Subject::Expression(Box::new(site)) };
                open.extend(tracer.add(target).map(|position| (conditions.len(), position)));
            }
            conditions.push(condition);
        };
        // The instances of resources in each instance of a module.
        let mut own_instances: HashMap<usize, Vec<usize>> = HashMap::new();
        for (own, found) in self.state.borrow().resources.values().enumerate() {
            own_instances.entry(found.node.module).or_default().push(own);
        }
        let modules = self.state.borrow().modules.len();
        for module in 0..modules {
            self.each_condition_of_module(module, &own_instances, &mut evaluate);
        }
        let explanation = tracer.explanation();
        for (condition, position) in open {
            let roots = explanation.roots_of(&[position]).into_iter();
            let names = roots.filter_map(|root| Some(explanation.values.get(root)?.name.clone()));
            if let Some(condition) = conditions.get_mut(condition) {
                condition.waits_for = names.collect();
                condition.waits_for.sort_unstable();
            }
        }
        conditions
    }

    fn each_condition_of_module(
        &self,
        position: usize,
        own_instances: &HashMap<usize, Vec<usize>>,
        evaluate: &mut dyn FnMut(&Stated<'_>),
    ) {
        let Some(instance) = self.instance(position) else { return };
        let (module, prefix) = (&instance.tree.module, &instance.prefix);
        let mut each = |kind: ConditionKind, body: &Body, source: &Source, address: String| {
            for block in body.blocks_of(source, kind.name(), 0) {
                let (repetition, address) = (Repetition::None, address.clone());
                let (owner, module) = (body, position);
                evaluate(&Stated { kind, address, block: &block, owner, module, repetition, own: None });
            }
        };
        for (name, variable) in &module.variables {
            let block = &variable.block;
            each(ConditionKind::Validation, &block.body, &block.source, format!("{prefix}var.{name}"));
        }
        for (name, output) in &module.outputs {
            let block = &output.block;
            each(ConditionKind::Precondition, &block.body, &block.source, format!("{prefix}output.{name}"));
        }
        for check in &module.checks {
            let name = check.labels.first().map(|label| &**label).unwrap_or_default();
            each(ConditionKind::Assertion, &check.body, &check.source, format!("{prefix}check.{name}"));
        }
        let mut instances: Vec<(usize, String, usize, Repetition)> = Vec::new();
        for &own in own_instances.get(&position).into_iter().flatten() {
            let found = self.with_instance(own, |address, found| {
                (own, address.to_owned(), found.node.position, found.repetition.clone())
            });
            instances.extend(found);
        }
        for (own, address, declared, repetition) in instances {
            let Some((_, resource)) = module.resources.get_index(declared) else { continue };
            for lifecycle in resource.block.body.blocks_of(&resource.block.source, "lifecycle", 0) {
                for kind in [ConditionKind::Precondition, ConditionKind::Postcondition] {
                    for block in lifecycle.body.blocks_of(&lifecycle.source, kind.name(), 0) {
                        let (address, repetition) = (address.clone(), repetition.clone());
                        let own = (kind == ConditionKind::Postcondition).then_some(own);
                        let (owner, module) = (&resource.block.body, position);
                        evaluate(&Stated { kind, address, block: &block, owner, module, repetition, own });
                    }
                }
            }
        }
    }

    /// Evaluates a condition; `None` if the block has none.
    fn evaluated_condition(&self, stated: &Stated<'_>) -> Option<(Condition, Site)> {
        let argument = stated.block.body.argument("condition")?;
        let mut scope = ModuleScope::repeated(self, stated.module, stated.repetition.clone());
        if let Some(own) = stated.own {
            let value = self.with_instance(own, |_, instance| instance.value.clone());
            scope.iterators.push(("self".to_owned(), value.unwrap_or_else(Value::dynamic)));
        }
        let verdict = self.verdict(argument, &scope);
        let message = stated.block.body.argument("error_message").and_then(|message| {
            let value = self.evaluate(&message.expression, &scope).ok()?;
            value.as_str().ok().filter(|_| !value.is_marked()).map(str::to_owned)
        });
        let source = argument.expression.source();
        let origin = Origin { source: source.clone(), position: source.position(argument.span.start) };
        let site = Site::new(Rc::new(argument.expression.clone()), stated.module, Vec::new())
            .repeated(stated.owner, &stated.repetition)
            .owned_by(stated.own);
        let (kind, address) = (stated.kind, stated.address.clone());
        Some((Condition { kind, address, origin, verdict, message, waits_for: Vec::new() }, site))
    }

    fn verdict(&self, argument: &Argument, scope: &ModuleScope<'_, 'a>) -> ConditionVerdict {
        let value = match self.evaluate(&argument.expression, scope) {
            Ok(value) => value.unmark_deep().0,
            Err(problems) => {
                let problem = problems.first();
                return ConditionVerdict::Invalid(format!("{}: {}", problem.summary(), problem.detail()));
            }
        };
        let invalid =
            |reason: &str| ConditionVerdict::Invalid(format!("Invalid condition result: {reason}."));
        if value.is_null() {
            return invalid("Condition expression must return either true or false, not null");
        }
        match crate::convert(&value, &Type::Bool.into()).map(|value| value.as_bool()) {
            Ok(Ok(true)) => ConditionVerdict::Pass,
            Ok(Ok(false)) => ConditionVerdict::Fail,
            Ok(Err(_)) => ConditionVerdict::Undetermined,
            Err(error) => invalid(&format!("Invalid condition result value: {}", error.message())),
        }
    }
}
