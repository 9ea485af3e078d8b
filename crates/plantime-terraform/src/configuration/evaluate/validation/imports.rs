//! `import` blocks: their place, their identifier, and the resource that they name.

use super::super::{Engine, order};
use plantime::Type;
use plantime_hcl::Block;
use plantime_hcl::{Diagnostic, Expression};

impl<'a> Engine<'a> {
    /// Checks an `import` block: its place, its identifier, and that a resource in another module exists.
    pub(super) fn check_import(&self, position: usize, import: &Block) {
        let (source, body) = (&import.source, &import.body);
        if position != 0 {
            let path = self.module_path(position);
            let detail = format!(
                "An import block was detected in {:?}. Import blocks are only allowed in the root module.",
                path.trim_end_matches('.')
            );
            self.report(Diagnostic::new(source, import.head(), "Invalid import configuration", detail));
            return;
        }
        let scope = self.repeated_scope(position, body);
        if let Some(to) = body.argument("to")
            && let Some(detail) = self.undeclared_import(&to.expression)
        {
            let (source, span) = (to.expression.source(), to.expression.span());
            let summary = "Configuration for import target does not exist";
            self.report(Diagnostic::new(source, span, summary, detail));
        }
        let Some(id) = body.argument("id") else { return };
        let value = self.evaluate_or_report(&id.expression, &scope);
        let report = |summary: &str, detail: &str| {
            self.report(Diagnostic::new(id.expression.source(), id.expression.span(), summary, detail));
        };
        let plain = value.unmark_deep().0;
        if plain.is_null() {
            report("Invalid import id argument", "The import ID cannot be null.");
        } else if let Err(error) = plantime::convert(&plain, &Type::String.into()) {
            report("Incorrect value type", &format!("Invalid expression value: {}.", error.message()));
        } else if plain.as_str().is_ok_and(str::is_empty) {
            let detail =
                "The import ID value evaluates to an empty string, please provide a non-empty value.";
            report("Invalid import id argument", detail);
        }
    }

    /// What is wrong with the target of an import in another module: the module or the resource is not declared.
    fn undeclared_import(&self, to: &Expression) -> Option<String> {
        let reference = to.as_reference().filter(|reference| reference.root() == "module")?;
        let names: Vec<&str> = reference.steps().iter().filter_map(order::attribute).collect();
        let mut tree = Some(&self.configuration.root);
        let mut rest = names.as_slice();
        let mut address = String::new();
        loop {
            let (name, behind) = rest.split_first()?;
            address.push_str(&format!("module.{name}."));
            if let Some(parent) = tree {
                match parent.module.calls.get_index_of(*name) {
                    // A module that is not installed is an error of its own.
                    Some(position) => tree = Some(parent.calls.get(position)?.as_ref()?),
                    None => tree = None,
                }
            }
            match behind {
                ["module", behind @ ..] => rest = behind,
                [ty, name] if *ty != "data" => {
                    let resource = format!("{ty}.{name}");
                    return match tree {
                        Some(tree) if tree.module.resources.contains_key(&resource) => None,
                        Some(_) => Some(format!(
                            "Resource {address}{resource} not found. Only resources within the root module are eligible for \
                             config generation."
                        )),
                        None => Some(format!(
                            "The configuration for the given import target {address}{resource} does not exist. All target instances \
                             must have an associated configuration to be imported."
                        )),
                    };
                }
                _ => return None,
            }
        }
    }
}
