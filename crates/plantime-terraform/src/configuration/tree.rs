//! The modules that a root module calls, directly and through others.

use std::collections::HashMap;
use std::sync::Arc;

use super::ModuleBlocks;
use super::files::{Files, joined};
use super::module::{Call, Module};
use super::validate::{Structure, address_problem};
use plantime::source::Source;
use plantime_hcl::Diagnostic;
use plantime_hcl::unstable::Problems;
use plantime_hcl::unstable::{JsonKind, parse_json};

/// The maximum number of module calls inside each other.
const DEPTH: usize = 48;

/// The maximum number of modules in a tree.
const MODULES: usize = 20_000;

/// A module and those that it calls.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) module: Arc<Module>,
    /// The module of each call; `None` where its source is not there.
    pub(super) calls: Vec<Option<Tree>>,
}

impl Tree {
    /// The blocks of the module and of those that it calls.
    pub(super) fn blocks(&self) -> ModuleBlocks<'_> {
        let module = &*self.module;
        let calls = module.calls.iter().zip(&self.calls);
        ModuleBlocks {
            resources: module
                .resources
                .iter()
                .map(|(name, resource)| (name.as_str(), &resource.block))
                .collect(),
            outputs: module.outputs.iter().map(|(name, output)| (&**name, &output.block)).collect(),
            locals: module.locals.iter().map(|(name, local)| (&**name, local)).collect(),
            calls: calls
                .map(|((name, call), called)| (&**name, &call.block, called.as_ref().map(Tree::blocks)))
                .collect(),
        }
    }
}

/// Reads modules, each folder once.
pub(super) struct Loader<'f> {
    files: &'f dyn Files,
    /// The folders of `.terraform/modules/modules.json`, by the names of the calls.
    manifest: HashMap<String, String>,
    folders: HashMap<String, Option<Arc<Module>>>,
    modules: usize,
    /// Whether the structure of the files is checked.
    is_validation: bool,
    /// Whether a declaration that is wrong leaves the others of its module.
    is_tolerant: bool,
    /// The calls whose source is not there, by the names of the calls.
    pub(super) missing: Vec<String>,
    pub(super) problems: Problems,
    /// The problems of called modules that could not be read, and so are missing. A validation has none: there they are problems as all
    /// others.
    pub(super) unread: Problems,
}

impl<'f> Loader<'f> {
    pub(super) fn new(files: &'f dyn Files) -> Loader<'f> {
        let manifest = manifest(files);
        let (folders, missing) = (HashMap::new(), Vec::new());
        let (problems, unread) = (Problems::default(), Problems::default());
        Loader {
            files,
            manifest,
            folders,
            modules: 0,
            is_validation: false,
            is_tolerant: false,
            missing,
            problems,
            unread,
        }
    }

    /// Reads modules and checks the structure of their files.
    pub(super) fn for_validation(files: &'f dyn Files) -> Loader<'f> {
        Loader { is_validation: true, ..Loader::new(files) }
    }

    /// Reads modules for a check without a plan: what is wrong with a declaration is among the problems of each evaluation.
    pub(super) fn tolerant(files: &'f dyn Files) -> Loader<'f> {
        Loader { is_tolerant: true, ..Loader::new(files) }
    }

    /// The module in a folder with those that it calls.
    pub(super) fn tree(&mut self, folder: &str, names: &mut Vec<String>) -> Option<Tree> {
        let module = self.module(folder)?;
        self.modules = self.modules.saturating_add(1);
        let mut calls = Vec::with_capacity(module.calls.len());
        for (name, call) in &module.calls {
            if names.len() >= DEPTH || self.modules >= MODULES {
                let detail = format!(
                    "Modules call each other more than {DEPTH} levels deep, or there are more than {MODULES}."
                );
                let block = &call.block;
                self.problems.push(Diagnostic::new(
                    &block.source,
                    block.span.clone(),
                    "Too many modules",
                    detail,
                ));
                calls.push(None);
                continue;
            }
            names.push(name.to_string());
            let source = self.folder(folder, call, names);
            if self.is_validation {
                self.check_installed(call, source.as_deref(), names);
            }
            let called = source.and_then(|folder| self.tree(&folder, names));
            if called.is_none() {
                self.missing.push(names.join("."));
            }
            calls.push(called);
            names.pop();
        }
        Some(Tree { module, calls })
    }

    /// Reports a call whose module is not there. The module of a local path needs no installation.
    fn check_installed(&mut self, call: &Call, folder: Option<&str>, names: &[String]) {
        let exists = folder.is_some_and(|folder| {
            let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            // An empty folder is a module without content.
            let is_entry = |entry: String| entry.strip_suffix('/') == Some(name);
            matches!(name, "" | "..")
                || self.folders.contains_key(folder)
                || !self.files.entries(folder).is_empty()
                || self.files.entries(above).into_iter().any(is_entry)
        });
        // A source that is no valid address was reported before.
        let has_version = call.block.body.argument("version").is_some();
        let is_address = |source: &String| address_problem(source, has_version).is_none();
        if exists || !call.source.as_ref().is_some_and(is_address) {
            return;
        }
        let reason = match self.manifest.contains_key(&names.join(".")) {
            // Terraform names no directory either.
            true => "This module's local cache directory  could not be read.",
            false => "This module is not yet installed.",
        };
        let detail =
            format!("{reason} Run \"terraform init\" to install all modules required by this configuration.");
        let block = &call.block;
        self.problems.push(Diagnostic::new(&block.source, block.head(), "Module not installed", detail));
    }

    /// The module in a folder, read once however often it is called; `None` if the folder has no configuration.
    fn module(&mut self, folder: &str) -> Option<Arc<Module>> {
        if let Some(read) = self.folders.get(folder) {
            return read.clone();
        }
        let structure = self.is_validation.then(|| Structure::new(folder.is_empty()));
        let mut problems = Problems::default();
        let declared = self.is_tolerant.then_some(&mut self.unread);
        let mut module = Module::read(self.files, folder, structure, &mut problems, declared).map(Arc::new);
        if folder.is_empty() || self.is_validation {
            self.problems.extend(problems);
        } else {
            module = module.filter(|_| !problems.has_errors());
            self.unread.extend(problems);
        }
        self.folders.insert(folder.to_owned(), module.clone());
        module
    }

    /// The folder of the module that a call names.
    fn folder(&self, caller: &str, call: &Call, names: &[String]) -> Option<String> {
        let source = call.source.as_deref()?;
        match source.starts_with("./") || source.starts_with("../") || source == "." || source == ".." {
            true => Some(joined(caller, source)),
            false => self.manifest.get(&names.join(".")).cloned(),
        }
    }
}

/// The folders that `terraform init` has installed modules in.
pub(super) fn manifest(files: &dyn Files) -> HashMap<String, String> {
    let mut folders = HashMap::new();
    let content = files.content(".terraform/modules/modules.json");
    let text = content.and_then(|content| String::from_utf8(content).ok()).unwrap_or_default();
    let source = Source::new(".terraform/modules/modules.json", text);
    let Some(json) = parse_json(&source, &mut Problems::default()) else { return folders };
    let JsonKind::Object(properties) = json.kind else { return folders };
    for property in properties.into_iter().filter(|property| property.name == "Modules") {
        let JsonKind::Array(entries) = property.value.kind else { continue };
        for entry in entries {
            let JsonKind::Object(properties) = entry.kind else { continue };
            let text = |name: &str| {
                properties.iter().find(|property| property.name == name).and_then(|property| match &property
                    .value
                    .kind
                {
                    JsonKind::String(text) => Some(text.clone()),
                    _ => None,
                })
            };
            if let (Some(key), Some(folder)) = (text("Key"), text("Dir")) {
                folders.insert(key, joined("", &folder.replace('\\', "/")));
            }
        }
    }
    folders
}
