//! The published schemas of the collection, as far as it has them: those of the types that public modules use.

use std::fs;

use plantime_schema::ProviderSchemas;

use super::collection;

/// The schemas beside each recorded module, and those of files of their own.
pub(super) fn published() -> Vec<ProviderSchemas> {
    files().into_iter().filter_map(|content| ProviderSchemas::from_json(&content).ok()).collect()
}

/// The files of these schemas.
pub(super) fn files() -> Vec<Vec<u8>> {
    let Some(folder) = collection().map(|root| root.join("../modules/dev/modules")) else {
        return Vec::new();
    };
    let Ok(modules) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = modules.map(|entry| entry.unwrap().path().join("schemas.json.gz")).collect();
    files.sort();
    let read = |path: std::path::PathBuf| Some(crate::packed::bytes(fs::File::open(path).ok()?));
    let mut all: Vec<Vec<u8>> = files.into_iter().filter_map(read).collect();
    // Of older versions, which the public plans were made with.
    let older = collection().map(|root| super::files(&root)).unwrap_or_default();
    let older = older.into_iter().filter(|(name, _)| name.starts_with("provider-schemas"));
    all.extend(older.map(|(_, content)| content));
    all
}

/// All of them as one: each provider has the types of all modules.
pub(super) fn together() -> ProviderSchemas {
    let mut all = ProviderSchemas::new();
    for schemas in published() {
        for (address, provider) in schemas.providers {
            let known = all.providers.entry(address).or_default();
            known.resource_schemas.extend(provider.resource_schemas);
            known.data_source_schemas.extend(provider.data_source_schemas);
        }
    }
    all
}
