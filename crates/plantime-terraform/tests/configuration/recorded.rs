//! The recorded roots: where they lie, and what belongs to each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plantime::Value;
use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{Configuration, Files, Inputs, read_variables};
use plantime_terraform::plan::Plan;

/// The folder of the modules, or a line that says that there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real/dev");
    let path = named.unwrap_or_else(beside).join("../modules/dev");
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: there is no {} (PLANTIME_REAL names another folder)", path.display());
    None
}

pub(crate) use crate::packed::read as content;

pub(crate) fn text(path: &Path) -> Option<String> {
    content(path).map(|content| String::from_utf8(content).unwrap())
}

/// A folder on the disk.
pub(crate) struct Disk(pub(crate) PathBuf);

impl Files for Disk {
    fn entries(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.join(folder)) else { return Vec::new() };
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            // The longer files are compressed.
            let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
            if entry.path().is_dir() { format!("{name}/") } else { name }
        };
        entries.map(|entry| name(entry.unwrap())).collect()
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        content(&self.0.join(path))
    }
}

/// A root and its plan.
pub(crate) struct Root {
    pub(crate) name: String,
    /// The folder of the recording.
    pub(crate) folder: PathBuf,
    pub(crate) configuration: PathBuf,
    pub(crate) plan: Plan,
    pub(crate) schemas: ProviderSchemas,
    pub(crate) variables: BTreeMap<String, Value>,
}

impl Root {
    pub(crate) fn read(&self) -> Option<Configuration> {
        let files = Arc::new(Disk(self.configuration.clone()));
        Configuration::read(files).map_err(|problems| println!("READ {}: {problems}", self.name)).ok()
    }

    /// The plan of the provider that refines what it does not know, if there is one.
    pub(crate) fn refined_plan(&self) -> Option<Plan> {
        let binary = content(&self.folder.join("plan-refined.tfplan"))
            .filter(|_| succeeded(&self.folder, "-refined"))?;
        Some(Plan::read_binary(&binary, &self.schemas).unwrap())
    }

    /// The inputs without the values of the plan.
    pub(crate) fn inputs(&self) -> Inputs<'_> {
        // Examples have the name of their folder in names.
        let folder = self.configuration.canonicalize().unwrap();
        let inputs =
            Inputs::new().schemas(&self.schemas).directory(folder.display().to_string()).workspace("default");
        self.variables.iter().fold(inputs, |inputs, (name, value)| inputs.variable(name, value.clone()))
    }
}

/// Whether the command that made a plan succeeded.
fn succeeded(folder: &Path, mode: &str) -> bool {
    text(&folder.join(format!("plan_cmd{mode}.txt"))).is_some_and(|command| command.contains("\nexit 0"))
}

/// The roots that Terraform has planned without an error.
pub(crate) fn roots() -> Vec<Root> {
    let Some(folder) = folder() else { return Vec::new() };
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut roots = Vec::new();
    for group in ["modules", "own-corners"] {
        let mut names: Vec<PathBuf> =
            fs::read_dir(folder.join(group)).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        for path in names.into_iter().filter(|path| path.is_dir()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.contains(&only) || !succeeded(&path, "") {
                continue;
            }
            let meta = text(&path.join("meta.txt")).unwrap();
            let directory = meta.lines().find_map(|line| line.strip_prefix("root directory"));
            let configuration = match directory {
                Some(directory) => path.join(directory.trim()),
                None => path.join("config"),
            };
            let schemas = content(&path.join("schemas.json"))
                .unwrap_or_else(|| content(&folder.join("own-corners/corner-schemas.json")).unwrap());
            let mut schemas = ProviderSchemas::from_json(&schemas).unwrap();
            if group == "own-corners" {
                schemas.extend(builtin());
            }
            let plan = Plan::read(&content(&path.join("plan.json")).unwrap(), &schemas).unwrap();
            let given = text(&path.join("vars.tfvars"));
            let given = given.map(|text| read_variables(&Source::new("vars.tfvars", text)).unwrap());
            let variables = given.unwrap_or_default();
            roots.push(Root { name, folder: path, configuration, plan, schemas, variables });
        }
    }
    roots
}

/// The texts of the schemas of all recorded modules, and of an older version of a provider with nearly all its types.
pub(crate) fn schema_files() -> Vec<Vec<u8>> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder.join("modules")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let all = folder.join("../../dev/provider-schemas/terraform-json/testdata_120_basic_schemas.json");
    let all = content(&all).into_iter();
    folders.iter().filter_map(|folder| content(&folder.join("schemas.json"))).chain(all).collect()
}

/// The schemas of the provider that is part of Terraform, from a module that uses it.
pub(crate) fn builtin() -> ProviderSchemas {
    let path = folder().unwrap().join("modules/aws-vpc--unk1-cidr/schemas.json");
    let mut schemas = ProviderSchemas::from_json(&content(&path).unwrap()).unwrap();
    schemas.providers.retain(|address, _| address.contains("builtin"));
    schemas
}
