//! Evaluates the custom conditions of all modules, for each instance of the objects that they are about.

use std::collections::HashMap;

use super::Engine;
use super::explain::{Explainer, PendingValue, ScopedExpression, ValueSource};
use super::scope::{ModuleScope, Repetition};
use crate::configuration::{Condition, ConditionKind, ConditionObject, ConditionVerdict, Origin};
use plantime::{Type, Value};
use plantime_hcl::{Argument, Block};

/// An instance of an object that conditions are about.
struct ObjectInstance<'b> {
    object: ConditionObject,
    address: String,
    /// The block that declares the object, which may have `count` or `for_each`.
    block: &'b Block,
    /// The instance of the module.
    module: usize,
    repetition: Repetition,
    /// The resource instance that `self` is in a postcondition, by its position among all instances; `None` for other
    /// objects.
    instance: Option<usize>,
}

impl<'a> Engine<'a> {
    /// All custom conditions of all instances, in the order of modules and of files.
    pub(in crate::configuration) fn conditions(&self) -> Vec<Condition> {
        let mut explainer = Explainer::for_plan(self);
        let mut conditions = Vec::new();
        // For each undetermined condition, its position and that of its value in the explanation.
        let mut undetermined: Vec<(usize, usize)> = Vec::new();
        let mut evaluate = |object: &ObjectInstance<'_>, kind: ConditionKind, block: &Block| {
            let Some((condition, scoped)) = self.condition(object, kind, block) else { return };
            if condition.verdict == ConditionVerdict::Undetermined {
                let (name, value) = (format!("condition {}", conditions.len()), Value::unknown(Type::Bool));
                let source = ValueSource::Expression(Box::new(scoped));
                let position = explainer.add(PendingValue { name, value, source });
                undetermined.extend(position.map(|position| (conditions.len(), position)));
            }
            conditions.push(condition);
        };
        let instances = self.instances_by_module();
        let modules = self.state.borrow().modules.len();
        for module in 0..modules {
            let resources = instances.get(&module).map_or(&[][..], Vec::as_slice);
            self.for_each_condition(module, resources, &mut evaluate);
        }
        let explanation = explainer.explanation();
        let roots_of_each = explanation.roots_of_each();
        for (condition, position) in undetermined {
            let roots = roots_of_each.get(position).into_iter().flat_map(|roots| roots.iter());
            let names = roots.filter_map(|root| Some(explanation.values.get(*root)?.name.clone()));
            if let Some(condition) = conditions.get_mut(condition) {
                condition.depends_on = names.collect();
                condition.depends_on.sort_unstable();
            }
        }
        conditions
    }

    /// The positions of the instances of resources, by the instance of the module that declares them.
    fn instances_by_module(&self) -> HashMap<usize, Vec<usize>> {
        let mut instances: HashMap<usize, Vec<usize>> = HashMap::new();
        for (position, instance) in self.state.borrow().resources.values().enumerate() {
            instances.entry(instance.node.module).or_default().push(position);
        }
        instances
    }

    /// Calls a function with each condition of an instance of a module: its object, its kind, and the block that states it.
    fn for_each_condition(
        &self,
        position: usize,
        resources: &[usize],
        evaluate: &mut dyn FnMut(&ObjectInstance<'_>, ConditionKind, &Block),
    ) {
        let Some(instance) = self.instance(position) else { return };
        let (module, prefix) = (&instance.tree.module, &instance.prefix);
        let mut evaluate_in = |object: ConditionObject, kind: ConditionKind, name: &str, block: &Block| {
            let (address, module) = (format!("{prefix}{name}"), position);
            let object = ObjectInstance {
                object,
                address,
                block,
                module,
                repetition: Repetition::None,
                instance: None,
            };
            for stated in block.body.blocks_of(&block.source, kind.name(), 0) {
                evaluate(&object, kind, &stated);
            }
        };
        for (name, variable) in &module.variables {
            let (object, kind) = (ConditionObject::Variable, ConditionKind::Validation);
            evaluate_in(object, kind, &format!("var.{name}"), &variable.block);
        }
        for (name, output) in &module.outputs {
            let (object, kind) = (ConditionObject::Output, ConditionKind::Precondition);
            evaluate_in(object, kind, &format!("output.{name}"), &output.block);
        }
        for check in &module.checks {
            let name = check.labels.first().map(|label| &**label).unwrap_or_default();
            evaluate_in(ConditionObject::Check, ConditionKind::Assertion, &format!("check.{name}"), check);
        }
        for &resource in resources {
            let found = self.with_instance(resource, |address, found| {
                (address.to_owned(), found.node.position, found.repetition.clone())
            });
            let Some((address, declared, repetition)) = found else { continue };
            let Some((_, declared)) = module.resources.get_index(declared) else { continue };
            let (object, block, instance) = (ConditionObject::Resource, &declared.block, Some(resource));
            let object = ObjectInstance { object, address, block, module: position, repetition, instance };
            for lifecycle in block.body.blocks_of(&block.source, "lifecycle", 0) {
                for kind in [ConditionKind::Precondition, ConditionKind::Postcondition] {
                    for stated in lifecycle.body.blocks_of(&lifecycle.source, kind.name(), 0) {
                        evaluate(&object, kind, &stated);
                    }
                }
            }
        }
    }

    /// Evaluates the condition that a block states; `None` if the block has none.
    fn condition(
        &self,
        object: &ObjectInstance<'_>,
        kind: ConditionKind,
        block: &Block,
    ) -> Option<(Condition, ScopedExpression)> {
        let argument = block.body.argument("condition")?;
        let mut scope = ModuleScope::repeated(self, object.module, object.repetition.clone());
        let self_instance = object.instance.filter(|_| kind == ConditionKind::Postcondition);
        if let Some(instance) = self_instance {
            let value = self.with_instance(instance, |_, instance| instance.value.clone());
            scope.iterators.push(("self".to_owned(), value.unwrap_or_else(Value::dynamic)));
        }
        let verdict = self.verdict(argument, &scope);
        let message = block.body.argument("error_message").and_then(|message| {
            let value = self.evaluate(&message.expression, &scope).ok()?;
            value.as_str().ok().filter(|_| !value.is_marked()).map(str::to_owned)
        });
        let source = argument.expression.source();
        let origin = Origin { source: source.clone(), position: source.position(argument.span.start) };
        let expression = argument.expression.clone();
        let scoped = ScopedExpression::new(expression, object.module, Vec::new())
            .repeated(&object.block.body, &object.repetition)
            .with_self(self_instance);
        let (object, address) = (object.object, object.address.clone());
        let depends_on = Vec::new();
        Some((Condition { kind, object, address, origin, verdict, message, depends_on }, scoped))
    }

    /// Evaluates a condition: true, false, unknown, or the error of the expression.
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
        match plantime::convert(&value, &Type::Bool.into()).map(|value| value.as_bool()) {
            Ok(Ok(true)) => ConditionVerdict::Pass,
            Ok(Ok(false)) => ConditionVerdict::Fail,
            Ok(Err(_)) => ConditionVerdict::Undetermined,
            Err(error) => invalid(&format!("Invalid condition result value: {}", error.message())),
        }
    }
}
