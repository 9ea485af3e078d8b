//! Resources: their configured arguments, and their values.

use std::sync::Arc;

use super::arguments::{Written, is_of_the_language, with_escaped_arguments};
use super::narrow::{narrowed, retyped};
use super::scope::{ModuleScope, Repetition};
use super::validation::BUILTIN;
use super::{Engine, Expansion, ModuleInstance, Node};
use crate::configuration::ConfiguredInstance;
use crate::configuration::module::{INVALID_ASSUMPTION, Module, Resource, ResourceMode};
use crate::configuration::validate::unsupported_argument;
use plantime::{Mark, Path, Refinement, Step, Type, Value, View};
use plantime_hcl::Diagnostic;
use plantime_schema::Schema;

/// The arguments of a `terraform_data`, which Terraform itself plans as they are configured.
pub(crate) const TERRAFORM_DATA_KEEPS: [&str; 2] = ["input", "triggers_replace"];

/// An instance of a resource, data source or ephemeral resource.
#[derive(Clone, Debug)]
pub(in crate::configuration) struct Instance {
    /// The object of configured arguments, with null for what is not configured.
    pub(in crate::configuration) configured: Value,
    /// The value that references to the instance have.
    pub(in crate::configuration) value: Value,
    /// The module that declares it, and its position among the resources there.
    pub(in crate::configuration) module: Arc<Module>,
    pub(in crate::configuration) position: usize,
    /// Whether a schema gave the types of its arguments.
    pub(in crate::configuration) has_schema: bool,
    /// The declaration in the instance of the module.
    pub(super) node: Node,
    /// The values of `count` and `each` in the instance.
    pub(super) repetition: Repetition,
}

impl<'a> Engine<'a> {
    /// Evaluates all instances of a resource.
    pub(super) fn evaluate_resource(
        &self,
        node: Node,
        instance: &ModuleInstance<'a>,
        scope: &ModuleScope<'_, 'a>,
    ) {
        let module = &instance.tree.module;
        let Some((address, resource)) = module.resources.get_index(node.position) else {
            return self.make_unknown(node);
        };
        let expansion = self.expansion_or_report(&resource.block, scope);
        let provider = module.provider(resource);
        let mut schema = self.schema(&provider, resource);
        // A plan has the values of resources of core with their types.
        if self.inputs.is_validation || self.inputs.known.is_none() || self.inputs.is_without_plan {
            schema = schema.or_else(|| Self::builtin_schema(&provider, resource));
        }
        if self.inputs.is_validation {
            self.check_type(&provider, resource, schema);
        }
        self.check_assumptions(resource, schema);
        let mut values = Vec::new();
        let instances = expansion.instances();
        if instances.is_empty() {
            self.state.borrow_mut().without_instances.insert(node);
        }
        for (key, repetition) in instances {
            let scope =
                ModuleScope::repeated(self, node.module, repetition.clone()).within(&resource.block.body);
            let address = format!("{}{address}{key}", instance.prefix);
            let schema = self.inputs.narrowing.and_then(|known| known.schema(&address)).or(schema);
            let scope = match resource.mode {
                ResourceMode::Ephemeral => scope.of_what_is_not_stored(),
                _ => scope,
            };
            let configured = self.evaluate_arguments(resource, schema, &scope);
            if self.inputs.is_validation && is_remote_state(resource) && module.provider(resource) == BUILTIN
            {
                self.check_remote_state(resource, &configured);
            }
            let known = self.inputs.known.and_then(|known| known.resource(&address));
            let value = match known {
                // Without a plan, the known value is the configured one with what is assumed of it.
                Some(known) if self.inputs.is_without_plan && schema.is_none() => known,
                Some(known) => {
                    let ignores_changes = resource.ignores_changes();
                    // The values of ignored arguments come from the state, if there is one.
                    let has_prior = self.inputs.known.is_none_or(|known| known.has_prior(&address));
                    let is_kept = ignores_changes && has_prior;
                    let is_declared = |name: &str| is_kept || is_declared(schema, name);
                    let narrowed = match self.inputs.narrowing {
                        None => narrowed(&retyped(&known, &configured, is_declared), &configured),
                        Some(narrowing) => {
                            let (known, configured) = (&known, &configured);
                            let address = address.as_str();
                            let narrowed = narrowing.narrowed(&ConfiguredInstance {
                                address,
                                known,
                                configured,
                                schema,
                                ignores_changes,
                                is_terraform_data: is_terraform_data(resource),
                            });
                            retyped(&narrowed, configured, is_declared)
                        }
                    };
                    let of_core = Self::builtin_schema(&provider, resource);
                    let narrowed = match schema.or(of_core) {
                        Some(schema) => with_nulls_of_open_types(&narrowed, &configured, schema, is_kept),
                        None => narrowed,
                    };
                    match is_terraform_data(resource) && !is_kept {
                        true => with_type_of_input(&with_configured(&narrowed, &configured), &configured),
                        false => narrowed,
                    }
                }
                None if self.inputs.follows_sensitive => self.marked_value(&configured, schema),
                None if self.inputs.is_validation => self.unknown_value(schema),
                None if self.inputs.is_without_plan && resource.mode != ResourceMode::Ephemeral => {
                    let value = self.value_without_plan(&configured, schema);
                    match is_terraform_data(resource) {
                        true => with_type_of_input(&value, &configured),
                        false => value,
                    }
                }
                None => {
                    let value = self.assumed_value(&configured, schema, resource);
                    match is_terraform_data(resource) {
                        true => with_type_of_input(&value, &configured),
                        false => value,
                    }
                }
            };
            let value = self.with_assumptions(value, resource);
            let value = match resource.mode {
                ResourceMode::Ephemeral => value.mark(Mark::EPHEMERAL),
                _ => value,
            };
            // Without a schema, what the configuration does not write is no part of the value, but of references to it.
            let is_partial = self.inputs.is_without_plan && schema.is_none();
            values.push(if is_partial { Value::dynamic() } else { value.clone() });
            let (module, position, has_schema) = (Arc::clone(module), node.position, schema.is_some());
            let instance = Instance { configured, value, module, position, has_schema, node, repetition };
            self.state.borrow_mut().resources.insert(address, instance);
        }
        let is_gathered = match &expansion {
            Expansion::Single => true,
            Expansion::Symbolic(_) => !self.inputs.is_validation,
            _ => !self.inputs.is_validation || self.inputs.follows_sensitive,
        };
        // Instances of a resource may have different types inside.
        // What a provider chooses has a type only in a plan, where Terraform checks expressions with it.
        let is_chosen = self.inputs.is_terraform_validation() && resource.mode != ResourceMode::Ephemeral;
        let value = if is_gathered && !is_chosen { expansion.gathered(values) } else { Value::dynamic() };
        self.state.borrow_mut().values.insert(node, value);
    }

    /// The schema of a resource, data source or ephemeral resource of a provider.
    pub(super) fn schema(&self, provider: &str, resource: &Resource) -> Option<&'a Schema> {
        let schemas = self.inputs.schemas?;
        match resource.mode {
            ResourceMode::Managed => schemas.resource(provider, &resource.ty),
            ResourceMode::Data => schemas.data_source(provider, &resource.ty),
            ResourceMode::Ephemeral => schemas.ephemeral_resource(provider, &resource.ty),
        }
    }

    /// Evaluates the arguments and blocks of an instance to the object of its configuration.
    fn evaluate_arguments(
        &self,
        resource: &Resource,
        schema: Option<&Schema>,
        scope: &ModuleScope<'_, 'a>,
    ) -> Value {
        let is_data_source = resource.mode != ResourceMode::Managed;
        let escaped = with_escaped_arguments(&resource.block, is_of_the_language);
        let body = escaped.as_ref().unwrap_or(&resource.block.body);
        // What is escaped is not an argument of the language, whatever its name.
        let is_resource = escaped.is_none();
        let written = Written { is_resource, is_data_source, body, ..Written::of(&resource.block) };
        match schema.and_then(|schema| Some((schema, schema.implied_type().ok()?))) {
            Some((schema, ty)) => self.object(&written, schema.block(), ty, scope),
            None => self.untyped_object(&written, scope),
        }
    }

    /// Reports the assumptions of a resource block that are about no attribute of its schema, about one that the provider does not
    /// choose, or that no value of the attribute's type upholds.
    fn check_assumptions(&self, resource: &Resource, schema: Option<&Schema>) {
        let Some((schema, ty)) = schema.and_then(|schema| Some((schema, schema.implied_type().ok()?))) else {
            return;
        };
        for stated in &resource.assumptions {
            let name = &*stated.attribute;
            let detail = match (schema.block().attributes.get(name), ty) {
                (None, _) => {
                    let names = schema.block().attributes.sorted().map(|(name, _)| name.as_str());
                    let blocks = schema.block().block_types.sorted().map(|(name, _)| name.as_str());
                    unsupported_argument(name, names, blocks)
                }
                (Some(attribute), _) if !attribute.computed => format!(
                    "The provider does not choose {name:?}: an assumption is about an attribute whose value is \
                     known after apply."
                ),
                (Some(_), Type::Object(object)) => {
                    let of_type = Value::unknown(object.get(name).cloned().unwrap_or(Type::Dynamic));
                    match of_type.assume_with_type(&stated.refinement) {
                        Ok(_) => continue,
                        // What is not known of an undecided type is decided with it.
                        Err(error) if error.needs_type() => continue,
                        Err(error) => format!("{name}: {}.", error.message()),
                    }
                }
                _ => continue,
            };
            self.report(Diagnostic::new(&stated.source, stated.span.clone(), INVALID_ASSUMPTION, detail));
        }
    }

    /// The value in which unknown attributes are narrowed by the assumptions that the resource block states about them.
    fn with_assumptions(&self, value: Value, resource: &Resource) -> Value {
        if resource.assumptions.is_empty() {
            return value;
        }
        let (bare, marks) = value.clone().unmark();
        let View::Object(object) = bare.view() else { return value };
        let attributes = object.iter().map(|(name, part)| {
            let stated = resource.assumptions.iter().find(|stated| *stated.attribute == *name);
            let narrowed = stated
                .map(|stated| part.assume_with_type(&stated.refinement).map_err(|error| (stated, error)));
            let part = match narrowed {
                Some(Ok(narrowed)) => narrowed,
                Some(Err((stated, error))) => {
                    // The check of a plan reports a violated assumption itself.
                    if self.inputs.narrowing.is_none() && !self.inputs.is_validation {
                        let detail = format!("{}: {}.", stated.attribute, error.message());
                        let summary = "Assumption not upheld";
                        self.report(Diagnostic::new(&stated.source, stated.span.clone(), summary, detail));
                    }
                    part.clone()
                }
                None => part.clone(),
            };
            (name, part)
        });
        Value::object(attributes).map_or(value, |narrowed| narrowed.with_marks(&marks))
    }

    /// The value of an instance for which no plan gives one: attributes that the provider must keep have their
    /// configured values, all others are unknown.
    fn assumed_value(&self, configured: &Value, schema: Option<&Schema>, resource: &Resource) -> Value {
        let Some(schema) = schema else { return Value::dynamic() };
        let (Ok(Type::Object(ty)), View::Object(object)) = (schema.implied_type(), configured.view()) else {
            return Value::dynamic();
        };
        let attributes = object.iter().map(|(name, value)| {
            let declared = schema.block().attributes.get(name);
            let ty = || ty.get(name).cloned().unwrap_or(Type::Dynamic);
            let stays = match declared {
                // Terraform itself plans these attributes of `terraform_data` as they are configured.
                Some(_) if is_terraform_data(resource) && TERRAFORM_DATA_KEEPS.contains(&name) => true,
                // A provider chooses what is not configured, and may do so for a default too.
                Some(_) => !value.is_null() && (value.is_wholly_known() || value.range().is_not_null()),
                None => false,
            };
            // The result of a data source may differ from what was asked.
            let stays = stays && resource.mode == ResourceMode::Managed;
            let value = if stays { value.clone() } else { Value::unknown(ty()) };
            (
                name,
                if declared.is_some_and(|declared| declared.sensitive) {
                    value.mark(Mark::SENSITIVE)
                } else {
                    value
                },
            )
        });
        Value::object(attributes).unwrap_or_else(|_| Value::dynamic())
    }
}

/// Whether a schema gives an attribute or block a whole type.
fn is_declared(schema: Option<&Schema>, name: &str) -> bool {
    let Some(Ok(Type::Object(ty))) = schema.map(Schema::implied_type) else { return false };
    ty.get(name).is_some_and(|ty| !ty.has_dynamic())
}

/// Whether the resource is a `terraform_remote_state`, which Terraform itself provides.
fn is_remote_state(resource: &Resource) -> bool {
    resource.mode == ResourceMode::Data && &*resource.ty == "terraform_remote_state"
}

/// Whether the resource is a `terraform_data`, which Terraform itself provides.
fn is_terraform_data(resource: &Resource) -> bool {
    resource.mode == ResourceMode::Managed && &*resource.ty == "terraform_data"
}

/// The value of a `terraform_data` with the configured values of the arguments that Terraform itself plans as they are configured, where
/// the plan does not know them.
fn with_configured(value: &Value, configured: &Value) -> Value {
    let (View::Object(object), View::Object(configured)) = (value.view(), configured.view()) else {
        return value.clone();
    };
    let attributes = object.iter().map(|(name, part)| {
        let argument = configured.get(name).filter(|_| TERRAFORM_DATA_KEEPS.contains(&name));
        let kept =
            argument.filter(|argument| argument.is_known() && part.clone().unmark().0 == Value::dynamic());
        (name, kept.map_or_else(|| part.clone(), |argument| argument.clone().with_marks(part.marks())))
    });
    Value::object(attributes).unwrap_or_else(|_| value.clone())
}

/// The value in which the nulls of attributes of any type have the type that they are configured with, or one that is not decided: plans
/// do not tell it, and it is not that of an untyped null. With `is_kept` the value does not come from the configuration.
fn with_nulls_of_open_types(value: &Value, configured: &Value, schema: &Schema, is_kept: bool) -> Value {
    let (View::Object(object), View::Object(arguments), Ok(Type::Object(ty))) =
        (value.view(), configured.view(), schema.implied_type())
    else {
        return value.clone();
    };
    if !ty.iter().any(|(_, ty)| ty.has_dynamic()) {
        return value.clone();
    }
    let attributes = object.iter().map(|(name, part)| {
        let is_computed = schema.block().attributes.get(name).is_none_or(|attribute| attribute.computed);
        let argument = arguments.get(name).filter(|argument| {
            !is_kept && argument.is_null() && !(is_computed && argument.ty() == Type::Dynamic)
        });
        let is_untyped = part.is_null() && part.ty() == Type::Dynamic;
        let part = match (ty.get(name), argument) {
            (Some(Type::Dynamic), Some(argument)) if is_untyped => {
                Value::null(argument.ty()).with_marks(part.marks())
            }
            (Some(ty), _) if ty.has_dynamic() => {
                let argument = arguments.get(name).filter(|argument| !is_kept && !argument.is_null());
                with_open_nulls(part, ty, argument)
            }
            _ => part.clone(),
        };
        (name, part)
    });
    Value::object(attributes).unwrap_or_else(|_| value.clone())
}

/// The value in which untyped nulls, where the declared type leaves the type open, have the type that the null at the same place of the
/// configured value has, or an undecided one.
fn with_open_nulls(value: &Value, declared: &Type, configured: Option<&Value>) -> Value {
    let configured = configured.map(|configured| configured.clone().unmark().0);
    let child_of = |step: &Step| {
        let path = Path::from(std::slice::from_ref(step));
        configured.as_ref().and_then(|configured| configured.get(&path).ok())
    };
    match (declared, value.view()) {
        (Type::Dynamic, View::Null(Type::Dynamic)) => match configured.filter(Value::is_null) {
            Some(configured) => configured,
            None => Value::refined(Type::Dynamic, Refinement::null()).unwrap_or_else(|_| Value::dynamic()),
        },
        (_, View::Marked(_)) => {
            let (bare, marks) = value.clone().unmark();
            with_open_nulls(&bare, declared, configured.as_ref()).with_marks(&marks)
        }
        (Type::Dynamic, View::Tuple(_) | View::Object(_)) => {
            let child =
                |step: &Step, child: &Value| with_open_nulls(child, declared, child_of(step).as_ref());
            value.map_children(child).unwrap_or_else(|| value.clone())
        }
        (Type::Object(ty), View::Object(_)) => {
            let declared = |step: &Step| step.name().and_then(|name| ty.get(name)).unwrap_or(&Type::Bool);
            let child =
                |step: &Step, child: &Value| with_open_nulls(child, declared(step), child_of(step).as_ref());
            value.map_children(child).unwrap_or_else(|| value.clone())
        }
        _ => value.clone(),
    }
}

/// The value of a `terraform_data`, whose output has the type of its input: plans in JSON do not tell it. While the output is not known
/// it has the marks of the input, also where a plan tells the type: keys that are attributes there may be sensitive.
fn with_type_of_input(value: &Value, configured: &Value) -> Value {
    let (View::Object(object), View::Object(configured)) = (value.view(), configured.view()) else {
        return value.clone();
    };
    let Some(input) = configured.get("input") else { return value.clone() };
    let attributes = object.iter().map(|(name, part)| {
        let bare = part.clone().unmark().0;
        let is_null = bare.is_certainly_null() && bare.ty() == Type::Dynamic && input.is_null();
        let is_open = name == "output" && (bare == Value::dynamic() || is_null);
        let is_typed = name == "output" && matches!(bare.view(), View::Unknown(_));
        if !is_open && !is_typed {
            return (name, part.clone());
        }
        let (input, marks) = input.unmark_deep();
        // The output of no input is null, whatever the plan says of its type.
        let output = match is_open {
            false => part.clone(),
            true if input.is_null() => input.with_marks(part.marks()),
            true => Value::unknown(input.ty()).with_marks(part.marks()),
        };
        (name, output.with_marks(&marks))
    });
    Value::object(attributes).unwrap_or_else(|_| value.clone())
}
