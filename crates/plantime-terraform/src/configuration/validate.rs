//! Validation: what is wrong with a configuration, whatever the values of its variables and resources will be.

mod constants;
mod declarations;
mod module_source;
mod provisioners;
mod quoted;
mod required_providers;
mod structure;
mod version;

use std::collections::HashSet;
use std::sync::Arc;

use super::evaluate::{BUILTIN, Engine};
use super::files::Files;
use super::tree::{Loader, Tree};
use super::{Configuration, Inputs};
use plantime_hcl::Diagnostic;
use plantime_hcl::unstable::Problems;
use plantime_schema::ProviderSchemas;

pub(super) use constants::{constant_problems, value_despite_problems};
pub(super) use module_source::address_problem;
pub(super) use quoted::ListedReference;
pub(super) use required_providers::local_name_problem;
pub(super) use structure::{
    Structure, check_labels, missing_argument, unsupported_argument, unsupported_block,
};

impl Configuration {
    /// The problems of the configuration in the root folder, as `terraform validate` finds them: without a plan, without
    /// values of variables, and without asking a provider.
    ///
    /// | what is checked | without schemas |
    /// |---|---|
    /// | syntax, block types and arguments of the language, duplicate declarations | yes |
    /// | sources of modules, and whether a module is there or installed; provisioners that run at destroy | yes |
    /// | references to undeclared objects; references to a resource with `count` or `for_each` that lack an instance key | yes |
    /// | operand types, function arguments, module arguments | yes |
    /// | sensitive and ephemeral values in places that do not allow them | only those of variables |
    /// | what a plan will refuse, as sensitive values reach it from resources or through modules: warnings, with the way | only through modules |
    /// | what a plan will refuse for the types of attributes and of outputs of modules, to which `terraform validate` gives no types: warnings | only those of modules |
    /// | arguments and nested blocks of resources, data sources and providers; attributes in references | no |
    ///
    /// Every variable, resource and data source is unknown, so each error that is reported occurs for all of their values. If
    /// the files have errors of structure, only these are reported, since the declarations may be incomplete. The same problem
    /// at the same place is reported once.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use std::sync::Arc;
    /// use plantime_terraform::configuration::Configuration;
    ///
    /// let main = "locals { size = 3 }\noutput \"name\" { value = local.sise }\n";
    /// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    /// let problems = Configuration::validate(Arc::new(files), None);
    /// assert_eq!(
    ///     problems[0].to_string(),
    ///     "main.tf:2:25: Reference to undeclared local value: \
    ///      A local value with the name \"sise\" has not been declared. Did you mean \"size\"?",
    /// );
    /// ```
    pub fn validate(files: Arc<dyn Files>, schemas: Option<&ProviderSchemas>) -> Vec<Diagnostic> {
        let mut loader = Loader::for_validation(&*files);
        let root = loader.tree("", &mut Vec::new());
        let (mut problems, missing) = (loader.problems, loader.missing);
        let root = root.unwrap_or_else(|| Tree { module: Arc::default(), calls: Vec::new() });
        if problems.has_errors() {
            // The files have been read for their declarations too, which finds some problems again.
            return without_repetition(problems);
        }
        let configuration =
            Configuration { files, root, variables: Default::default(), missing, unread: Vec::new() };
        let inputs = Inputs { schemas, is_validation: true, ..Inputs::new() };
        let found = Engine::run(&configuration, &inputs).problems().into_iter();
        problems.extend(found);
        if !problems.has_errors() {
            let inputs = Inputs { follows_sensitive: true, ..inputs };
            let precise = Engine::run(&configuration, &inputs);
            let refusals = precise.sensitivity().refusals;
            // These problems depend on the types of resources and the values of modules, so Terraform finds them only
            // when it plans: they are warnings here.
            let place = |problem: &Diagnostic| {
                (problem.summary().to_owned(), problem.source().name().to_owned(), problem.span().start)
            };
            let known: HashSet<_> = refusals.iter().chain(problems.iter()).map(place).collect();
            let found = precise.problems().into_iter().filter(|problem| !known.contains(&place(problem)));
            problems.extend(refusals);
            problems.extend(found.map(Diagnostic::as_warning));
        }
        without_repetition(problems)
    }

    /// The resources and data sources whose provider has no schema here, so that [`validate`](Configuration::validate) checks none of
    /// their arguments: their addresses, without instance keys.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use std::sync::Arc;
    /// use plantime_terraform::configuration::Configuration;
    ///
    /// let main = "resource \"aws_vpc\" \"main\" {}\nresource \"terraform_data\" \"own\" {}\n";
    /// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    /// assert_eq!(Configuration::not_checked(Arc::new(files), None), ["aws_vpc.main"]);
    /// ```
    pub fn not_checked(files: Arc<dyn Files>, schemas: Option<&ProviderSchemas>) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(root) = Loader::new(&*files).tree("", &mut Vec::new()) {
            add_not_checked(&root, "", schemas, &mut found);
        }
        found
    }
}

/// Adds the addresses of resources without a schema of their provider: those in this module, and those in the modules that it calls.
/// `prefix` is what the addresses begin with: `module.a.`, or nothing in the root module.
fn add_not_checked(tree: &Tree, prefix: &str, schemas: Option<&ProviderSchemas>, found: &mut Vec<String>) {
    for (address, resource) in &tree.module.resources {
        let provider = tree.module.provider(resource);
        let has_schema = schemas.is_some_and(|schemas| schemas.providers.contains_key(&provider));
        if !has_schema && provider != BUILTIN {
            found.push(format!("{prefix}{address}"));
        }
    }
    for ((name, _), called) in tree.module.calls.iter().zip(&tree.calls) {
        if let Some(called) = called {
            add_not_checked(called, &format!("{prefix}module.{name}."), schemas, found);
        }
    }
}

/// Each problem once.
fn without_repetition(problems: Problems) -> Vec<Diagnostic> {
    let mut known = HashSet::new();
    let is_new = |problem: &Diagnostic| {
        let place = (problem.source().name().to_owned(), problem.span().start);
        known.insert((place, problem.summary().to_owned(), problem.detail().to_owned()))
    };
    problems.into_iter().filter(is_new).collect()
}
