//! The facts about values that providers choose: which of them a check assumes, and `plantime catalogue`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plantime_schema::catalogue::{Catalogue, Class};
use plantime_terraform::plan::{InputError, ProviderFacts, nearest_name};

use crate::args::{self, Facts};
use crate::input::{self, Input};
use crate::output;

/// The name of the dependency lock file, which `init` writes beside the root module.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The facts that the options choose. The versions of providers come from the lock file of the options, or from the one
/// in the folder of the configuration.
pub(crate) fn facts(
    arguments: &Facts,
    config: Option<&Path>,
    limit: u64,
) -> Result<ProviderFacts, Vec<InputError>> {
    let mut facts = ProviderFacts::default();
    let mut errors = Vec::new();
    facts.from_schemas = !arguments.no_schema_facts;
    facts.catalogues.extend((!arguments.no_catalogue).then(|| Catalogue::builtin(arguments.catalogue)));
    for pack in packs(arguments) {
        match read_pack(&pack, limit) {
            Ok(catalogue) => facts.catalogues.push(catalogue),
            Err(found) => errors.extend(found),
        }
    }
    if let Some(lock_file) = lock_file(arguments, config) {
        match input::source(&lock_file, limit) {
            Ok(source) => facts.versions = locked_versions(source.text()),
            Err(error) => errors.push(error),
        }
    }
    facts.mirrors = arguments.mirror.iter().cloned().collect();
    if errors.is_empty() { Ok(facts) } else { Err(errors) }
}

/// The files that [`facts`] reads: the packs of users and the lock file.
pub(crate) fn inputs(arguments: &Facts, config: Option<&Path>) -> Vec<Input> {
    packs(arguments).chain(lock_file(arguments, config)).collect()
}

/// The packs of users.
fn packs(arguments: &Facts) -> impl Iterator<Item = Input> {
    arguments.assume.iter().map(|path| Input::of(path))
}

/// The lock file of the options, or else the one in the folder of the configuration if there is one.
fn lock_file(arguments: &Facts, config: Option<&Path>) -> Option<Input> {
    if let Some(path) = &arguments.lock_file {
        return Some(Input::of(path));
    }
    let found: PathBuf = config?.join(LOCK_FILE);
    found.is_file().then_some(Input::File(found))
}

fn read_pack(pack: &Input, limit: u64) -> Result<Catalogue, Vec<InputError>> {
    let source = input::source(pack, limit).map_err(|error| vec![error])?;
    Catalogue::read(source).map_err(|problems| problems.into_iter().map(InputError::from).collect())
}

/// The versions in a dependency lock file, by the address of the provider. Terraform and OpenTofu write it with a line
/// for each argument.
fn locked_versions(text: &str) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::new();
    let mut provider = None;
    for line in text.lines() {
        let quoted = line.split('"').nth(1);
        match line.split_whitespace().next() {
            Some("provider") => provider = quoted,
            Some("version") => {
                if let (Some(provider), Some(version)) = (provider, quoted) {
                    versions.insert(provider.to_owned(), version.to_owned());
                }
            }
            _ => {}
        }
    }
    versions
}

/// `plantime catalogue`.
pub(crate) fn catalogue(arguments: &args::Catalogue) -> ExitCode {
    let (text, mut errors) = match listed(arguments) {
        Ok(text) => (text, Vec::new()),
        Err(errors) => (String::new(), errors),
    };
    errors.extend(output::write(text.as_bytes()).err());
    output::errors(&errors);
    ExitCode::from(if errors.is_empty() { 0 } else { 2 })
}

/// The facts about a type, or the types that have facts.
fn listed(arguments: &args::Catalogue) -> Result<String, Vec<InputError>> {
    let mut catalogues = vec![Catalogue::builtin(arguments.catalogue)];
    let mut errors = Vec::new();
    for path in &arguments.assume {
        match read_pack(&Input::of(path), arguments.max_input_size) {
            Ok(catalogue) => catalogues.push(catalogue),
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let Some(name) = &arguments.type_name else {
        let mut types: Vec<String> = catalogues.iter().flat_map(Catalogue::types).collect();
        types.sort();
        types.dedup();
        return Ok(types.iter().map(|name| format!("{name}\n")).collect());
    };
    let mut text = String::new();
    for (provider, facts) in catalogues.iter().flat_map(|catalogue| catalogue.sections(name)) {
        text.push_str(&format!("{name} {provider}\n"));
        facts.iter().for_each(|fact| text.push_str(&format!("  {fact}\n")));
    }
    if text.is_empty() {
        let types: Vec<String> = catalogues.iter().flat_map(Catalogue::types).collect();
        let near = nearest_name(name, types.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; the nearest type is `{near}`"));
        return Err(vec![InputError::new(format!("there are no facts about `{name}`{near}"))]);
    }
    Ok(plantime_terraform::plan::printable(&text))
}

/// The class of a name.
pub(crate) fn class(name: &str) -> Result<Class, String> {
    match name {
        "a" | "A" => Ok(Class::A),
        "b" | "B" => Ok(Class::B),
        _ => Err("there are a and b".to_owned()),
    }
}

/// A pair `ADDRESS=PROVIDER`.
pub(crate) fn mirror(text: &str) -> Result<(String, String), String> {
    let pair =
        text.split_once('=').filter(|(address, provider)| !address.is_empty() && provider.contains('/'));
    pair.map(|(address, provider)| (address.to_owned(), provider.to_owned())).ok_or_else(|| {
        "a mirror is ADDRESS=PROVIDER, such as mirror.example.com/acme/aws=hashicorp/aws".to_owned()
    })
}
