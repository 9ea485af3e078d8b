//! Reads the data sources of a state as Terraform and OpenTofu store it (version 4).

use super::address::provider_name;
use super::change::{note_misfit, with_schema_marks, with_sensitive_paths};
use crate::error::{Error, Kind, Result};
use crate::json::shape::{array, object, read_count, read_text};
use crate::json::{self, Reader, implied};
use crate::mark::Mark;
use crate::path::{Path, Step};
use crate::plan::{DataSource, Note};
use crate::schema::ProviderSchemas;
use crate::value::{Value, View};

/// The version of stored states that this module reads.
const VERSION: u64 = 4;

/// A resource of a stored state, without its instances.
#[derive(Default)]
struct Resource<'a> {
    module: Option<String>,
    mode: String,
    type_name: String,
    name: String,
    provider: String,
    /// The JSON of the instances.
    instances: Option<&'a str>,
}

/// Reads the data sources of a stored state, in the order of the file.
pub(super) fn read_data_sources(
    state: &[u8],
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<Vec<DataSource>> {
    let mut found = Vec::new();
    let mut reader = Reader::new(state)?;
    object(&mut reader, |key, reader| match key {
        "version" => match read_count(reader)? {
            VERSION => Ok(()),
            other => {
                let message = format!("the state in the plan has version {other}, expected {VERSION}");
                Err(Error::new(Kind::Argument, message))
            }
        },
        "resources" => array(reader, |reader| {
            let mut resource = Resource::default();
            object(reader, |key, reader| {
                match key {
                    "module" => resource.module = read_text(reader)?,
                    "mode" => resource.mode = read_text(reader)?.unwrap_or_default(),
                    "type" => resource.type_name = read_text(reader)?.unwrap_or_default(),
                    "name" => resource.name = read_text(reader)?.unwrap_or_default(),
                    "provider" => resource.provider = read_text(reader)?.unwrap_or_default(),
                    "instances" => resource.instances = Some(skipped_text(reader)?),
                    _ => reader.skip()?,
                }
                Ok(())
            })?;
            match (&*resource.mode, resource.instances) {
                ("data", Some(instances)) => resource.read_instances(instances, schemas, &mut found, notes),
                _ => Ok(()),
            }
        }),
        _ => reader.skip(),
    })?;
    reader.end()?;
    Ok(found)
}

/// Skips the next value and returns its JSON.
fn skipped_text<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    let start = *reader;
    reader.skip()?;
    Ok(start.text_until(reader))
}

impl Resource<'_> {
    /// Reads the instances of a data source.
    fn read_instances(
        &self,
        json: &str,
        schemas: &ProviderSchemas,
        found: &mut Vec<DataSource>,
        notes: &mut Vec<Note>,
    ) -> Result<()> {
        let mut reader = Reader::new(json.as_bytes())?;
        let provider = provider_name(&self.provider);
        let schema = schemas.read_data_source(provider, &self.type_name)?;
        array(&mut reader, |reader| {
            let (mut index, mut attributes, mut sensitive) = (None, "null", None);
            object(reader, |key, reader| {
                match key {
                    "index_key" => index = Some(implied(reader)?).filter(|index| !index.is_null()),
                    "attributes" => attributes = skipped_text(reader)?,
                    "sensitive_attributes" => sensitive = Some(implied(reader)?),
                    _ => reader.skip()?,
                }
                Ok(())
            })?;
            let module = self.module.as_deref().map(|module| format!("{module}.")).unwrap_or_default();
            let key = index.as_ref().map(|index: &Value| format!("[{index}]")).unwrap_or_default();
            let address = format!("{module}data.{}.{}{key}", self.type_name, self.name);
            let typed = schema.map(|schema| {
                schema.implied_type().cloned().and_then(|ty| json::from_str_as(attributes, &ty))
            });
            let value = match typed {
                Some(Ok(value)) => value,
                Some(Err(error)) => {
                    note_misfit(&error, &address, notes);
                    json::from_str(attributes)?
                }
                None => json::from_str(attributes)?,
            };
            let value =
                schema.map_or_else(|| value.clone(), |schema| with_schema_marks(value.clone(), schema));
            let value = match sensitive_paths(sensitive.as_ref()) {
                Some(paths) => with_sensitive_paths(value, &paths),
                None => value.mark(Mark::SENSITIVE),
            };
            let (type_name, name) = (self.type_name.clone(), self.name.clone());
            found.push(DataSource {
                address,
                type_name,
                name,
                index,
                provider_name: provider.to_owned(),
                value,
            });
            Ok(())
        })
    }
}

/// The paths in the list of sensitive attributes; `None` if it has another form, so that what is sensitive is not known.
fn sensitive_paths(list: Option<&Value>) -> Option<Vec<Path>> {
    let Some(list) = list.filter(|list| !list.is_null()) else { return Some(Vec::new()) };
    elements(list)?.map(|path| elements(path)?.map(sensitive_step).collect()).collect()
}

/// The elements of a JSON array.
fn elements(value: &Value) -> Option<impl Iterator<Item = &Value>> {
    match value.view() {
        View::Tuple(tuple) => Some(tuple.iter()),
        _ => None,
    }
}

/// The step of a path: `{"type": "get_attr", "value": "a"}`, or `{"type": "index", "value": {"value": 0, "type": "number"}}`.
fn sensitive_step(step: &Value) -> Option<Step> {
    let property = |value: &Value, name: &str| match value.view() {
        View::Object(object) => object.get(name).cloned(),
        _ => None,
    };
    let value = property(step, "value")?;
    match property(step, "type")?.as_str().ok()? {
        "get_attr" => value.as_str().ok().map(Step::attr),
        "index" => property(&value, "value").map(Step::Index),
        _ => None,
    }
}
