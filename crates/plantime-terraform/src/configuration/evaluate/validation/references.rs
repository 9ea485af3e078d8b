//! References of expressions and of `depends_on`, against declarations and schemas.

use super::super::scope::ModuleScope;
use super::super::{Engine, order};
use super::traversal::check_reference_steps;
use crate::configuration::validate::ListedReference;
use plantime::source::Source;
use plantime_hcl::Body;
use plantime_hcl::{
    Diagnostic, Diagnostics, Expression, Reference, ReferenceKey, ReferenceStep, Resolved, Scope, Unresolved,
    Variables,
};

/// A scope in which each reference leads to one value.
struct OneValue(Resolved);

impl Variables for OneValue {
    fn resolve(&self, _reference: &Reference) -> Result<Resolved, Unresolved> {
        Ok(self.0.clone())
    }
}

impl<'a> Engine<'a> {
    /// Checks the references of an expression: names that are not declared, instances without their key, attributes
    /// that a schema does not have.
    pub(in crate::configuration::evaluate) fn check_references(
        &self,
        expression: &Expression,
        scope: &ModuleScope<'_, 'a>,
    ) -> Result<(), Diagnostics> {
        let references = expression.references();
        let problems = references.into_iter().filter_map(|reference| {
            let source = expression.source();
            match scope.resolve(reference) {
                Err(wrong) => {
                    let mut span = reference.span_of(wrong.steps);
                    // Here Terraform points at the step that is wrong, not at all before it.
                    if wrong.detail.ends_with("does not support this operation.")
                        || wrong.detail.contains("must be followed by at least one attribute access")
                            && wrong.steps > 0
                    {
                        span.start = reference.span_of(wrong.steps.saturating_sub(1)).end;
                    }
                    Some(Diagnostic::new(source, span, wrong.summary, wrong.detail))
                }
                Ok(_) => self.check_resource_reference(reference, source, scope),
            }
        });
        let calls = expression.function_names().into_iter();
        let calls = calls.filter_map(|(name, span)| {
            let (summary, detail) = match name {
                // Only the console of Terraform has it.
                "type" | "core::type" => {
                    ("Call to unknown function", format!("There is no function named {name:?}."))
                }
                _ => ("Unknown provider function", self.check_provider_function(name, scope)?),
            };
            Some(Diagnostic::new(expression.source(), span, summary, detail))
        });
        Diagnostics::of(problems.chain(calls)).map_or(Ok(()), Err)
    }

    /// Checks the name of a provider function; returns the sentence of the problem.
    fn check_provider_function(&self, name: &str, scope: &ModuleScope<'_, 'a>) -> Option<String> {
        let (namespace, rest) = name.split_once("::")?;
        if namespace == "core" && self.functions.get(rest).is_some() {
            return None;
        }
        let Some(rest) = name.strip_prefix("provider::") else {
            return Some(format!(
                "The function namespace {namespace:?} is not valid. Provider function calls must use the \"provider::\" \
                 namespace prefix."
            ));
        };
        let Some((local, function)) = rest.split_once("::") else {
            let detail = "The function call must include the provider name after the \"provider::\" prefix.";
            return Some(detail.to_owned());
        };
        let instance = self.instance(scope.module)?;
        let address = instance.tree.module.providers.get(local);
        let schema = address.and_then(|address| self.provider_schema(address));
        let is_given = self.inputs.functions.is_some_and(|given| given.get(name).is_some());
        let is_there = is_given
            || address.is_some() && schema.is_none_or(|schema| schema.functions.contains_key(function));
        (!is_there).then(|| {
            format!(
                "There is no function named {name:?}. Ensure that provider name {local:?} is declared in this module's \
                 required_providers block, and that this provider offers a function named {function:?}."
            )
        })
    }

    /// Checks a reference to a declared resource: its instance key, and the attributes and blocks that it names.
    fn check_resource_reference(
        &self,
        reference: &Reference,
        source: &Source,
        scope: &ModuleScope<'_, 'a>,
    ) -> Option<Diagnostic> {
        let of = |(span, summary, detail)| Diagnostic::new(source, span, summary, detail);
        let check_steps =
            |steps: &'_ [ReferenceStep]| check_reference_steps(scope.self_schema?.block(), steps);
        if reference.root() == "self" {
            return check_steps(reference.steps()).map(of);
        }
        if scope.iterators.iter().any(|(name, _)| name == reference.root()) {
            return None;
        }
        let instance = self.instance(scope.module)?;
        let module = &instance.tree.module;
        let steps = reference.steps();
        let name = |step: usize| steps.get(step).and_then(order::attribute);
        let (address, used) = match reference.root() {
            "resource" => (format!("{}.{}", name(0)?, name(1)?), 2),
            root @ ("data" | "ephemeral") => (format!("{root}.{}.{}", name(0)?, name(1)?), 2),
            root => (format!("{root}.{}", name(0)?), 1),
        };
        let resource = module.resources.get(&address)?;
        let body = &resource.block.body;
        let repeated = ["count", "for_each"].into_iter().find(|name| body.argument(name).is_some());
        let next = steps.get(used);
        let rest = match (repeated, next.map(ReferenceStep::key)) {
            (Some(argument), Some(ReferenceKey::Attribute(_))) => {
                let key = if argument == "count" { "count.index" } else { "each.key" };
                let detail = format!(
                    "Because {address} has {argument:?} set, its attributes must be accessed on specific \
                     instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    \
                     {address}[{key}]"
                );
                let summary = "Missing resource instance key";
                return Some(Diagnostic::new(source, reference.span_of(used), summary, detail));
            }
            (None, Some(ReferenceKey::Index(_))) => {
                let detail = format!(
                    "Because {address} does not have \"count\" or \"for_each\" set, references to it must not include \
                     an index key. Remove the bracketed index to refer to the single instance of this resource."
                );
                let summary = "Unexpected resource instance key";
                let span = reference.span_of(used.saturating_add(1));
                return Some(Diagnostic::new(source, span, summary, detail));
            }
            (Some(_), _) => used.saturating_add(1),
            (None, _) => used,
        };
        let schema = self.resource_schema(module, resource)?;
        let below = steps.get(rest..).unwrap_or_default();
        check_reference_steps(schema.block(), below).map(of).or_else(|| {
            // The type of the attribute decides about the steps behind it.
            let value = OneValue(Resolved { value: self.unknown_value(Some(schema)), steps: rest });
            let followed = Expression::of_reference(source, reference).evaluate(&Scope::new(&value));
            followed.err().filter(|_| below.len() > 1).map(|problems| problems.first().clone())
        })
    }

    /// Reports each name in `depends_on` that is not declared.
    pub(super) fn check_dependencies(&self, body: &Body, scope: &ModuleScope<'_, 'a>) {
        let Some(argument) = body.argument("depends_on") else { return };
        for item in argument.expression.items().unwrap_or_default() {
            let Some(listed) = ListedReference::of(&item) else { continue };
            let Some(reference) = listed.expression.as_reference() else { continue };
            let steps = reference.steps();
            let is_key = |step: &ReferenceStep| matches!(step.key(), ReferenceKey::Index(_));
            let whole = |used: usize| used.saturating_add(usize::from(steps.get(used).is_some_and(is_key)));
            let (used, undeclared) = match scope.resolve(reference) {
                // The output of a module stands for the module.
                Ok(_) if reference.root() == "module" => continue,
                Ok(resolved) => (whole(resolved.steps), None),
                Err(wrong) => (whole(wrong.steps), Some(wrong)),
            };
            // Terraform reads the reference before it looks for what it names.
            let is_part = steps.len() > used && reference.root() != "module";
            match undeclared {
                Some(wrong)
                    if !is_part
                        || !(wrong.summary.starts_with("Reference to undeclared")
                            || reference.root() == "self") =>
                {
                    let span = listed.place(reference.span_of(wrong.steps));
                    self.report(Diagnostic::new(item.source(), span, wrong.summary, wrong.detail));
                }
                _ if is_part => {
                    let detail = "References in depends_on must be to a whole object (resource, etc), not to an attribute of \
                                  an object.";
                    let span = listed.place(reference.span_of(used).end..reference.span().end);
                    self.report(Diagnostic::new(item.source(), span, "Invalid depends_on reference", detail));
                }
                _ => {}
            }
        }
    }
}
