//! Recorded plans with the text that Terraform printed for them: all of a collection where it lies beside the checkout
//! (`$PLANTIME_REAL_ALL`, else `../shared/real`), else those in `tests/rendering/plans.jsonl.gz`, which were made for this
//! project.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::packed::read;
use plantime_schema::ProviderSchemas;

/// A plan and its text.
pub(crate) struct Recording {
    pub(crate) name: String,
    pub(crate) plan: Vec<u8>,
    pub(crate) text: String,
    pub(crate) schemas: ProviderSchemas,
    schema_text: Option<(String, Vec<u8>)>,
}

/// The recordings, and whether they are those of the collection.
pub(crate) fn recordings() -> (Vec<Recording>, bool) {
    let named = std::env::var_os("PLANTIME_REAL_ALL").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real"));
    if !folder.is_dir() {
        return (read_archive(), false);
    }
    let mut texts = Vec::new();
    for part in ["dev/terraform-1.15.5-plans", "dev/terraform-1.6.6-plans", "network", "modules/dev"] {
        texts_below(&folder.join(part), &mut texts);
    }
    texts.sort();
    let recordings: Vec<Recording> = texts.iter().filter_map(|text| recording(&folder, text)).collect();
    if std::env::var_os("PLANTIME_BLESS").is_some() {
        write_archive(&recordings);
    }
    (recordings, true)
}

/// The texts of plans below a folder, without `.gz`.
fn texts_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts_below(&path, found);
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".gz");
        if matches!(name, "plan.txt" | "plan-refined.txt") {
            found.push(path.with_file_name(name));
        }
    }
}

/// The plan beside a text, with the schemas beside it or above.
fn recording(folder: &Path, text: &Path) -> Option<Recording> {
    let plan = read(&text.with_extension("json"))?;
    let names = ["schemas.json", "provider-schemas.json", "corner-schemas.json"];
    let beside = text.ancestors().skip(1).take(4).flat_map(|folder| names.map(|name| folder.join(name)));
    let shared = folder.join("dev/provider-schemas/own/probe_and_builtin.json");
    let schema_text = beside
        .chain([shared])
        .find_map(|path| Some((path.strip_prefix(folder).ok()?.display().to_string(), read(&path)?)));
    let schemas = schema_text.as_ref().map(|(_, text)| ProviderSchemas::from_json(text).unwrap());
    Some(Recording {
        name: text.strip_prefix(folder).unwrap().display().to_string(),
        plan,
        text: String::from_utf8(read(text)?).unwrap(),
        schemas: schemas.unwrap_or_default(),
        schema_text,
    })
}

const ARCHIVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rendering/plans.jsonl.gz");

/// Whether a recording was made for this project, and is small enough to come along.
fn comes_along(name: &str) -> bool {
    let is_own = name.starts_with("dev/") || name.starts_with("network/") || name.contains("/own-corners/");
    is_own && !name.ends_with("refined.txt") && !name.contains("1.15.5/plan.txt") && !name.contains("-rest/")
}

/// Writes the recordings that may be distributed with the project into the archive.
fn write_archive(recordings: &[Recording]) {
    let mut packed =
        flate2::write::GzEncoder::new(fs::File::create(ARCHIVE).unwrap(), flate2::Compression::best());
    let mut written = BTreeMap::new();
    for recording in recordings.iter().filter(|recording| comes_along(&recording.name)) {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (schema, content) = recording.schema_text.clone().unwrap_or_default();
        let row = serde_json::json!({
            "name": recording.name,
            "plan": text(&recording.plan),
            "text": recording.text,
            "schemas": schema,
            // Each file of schemas stands where it is named first.
            "schemas_text": written.insert(schema.clone(), ()).is_none().then(|| text(&content)),
        });
        writeln!(packed, "{row}").unwrap();
    }
    packed.finish().unwrap();
}

/// The recordings in the archive.
fn read_archive() -> Vec<Recording> {
    let lines = crate::packed::lines(fs::File::open(ARCHIVE).unwrap());
    let mut schemas: BTreeMap<String, String> = BTreeMap::new();
    let mut recordings = Vec::new();
    for line in lines {
        let row: serde_json::Value = serde_json::from_str(&line).unwrap();
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        if row["schemas_text"].is_string() {
            schemas.insert(text("schemas"), text("schemas_text"));
        }
        let schema = schemas.get(&text("schemas")).filter(|schema| !schema.is_empty());
        recordings.push(Recording {
            name: text("name"),
            plan: text("plan").into_bytes(),
            text: text("text"),
            schemas: schema
                .map(|text| ProviderSchemas::from_json(text.as_bytes()).unwrap())
                .unwrap_or_default(),
            schema_text: None,
        });
    }
    recordings
}
