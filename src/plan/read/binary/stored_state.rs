//! Reads the data sources of a state as Terraform and OpenTofu store it (version 4).

use std::io::BufRead;

use super::address::provider_name;
use super::change::{note_misfit, with_schema_marks, with_sensitive_paths};
use super::json_stream::JsonStream;
use crate::error::{Error, Kind, Result};
use crate::json::shape::{object, read_count, read_text};
use crate::json::{self, Reader, implied};
use crate::mark::Mark;
use crate::path::{Path, Step};
use crate::plan::{DataSource, Note};
use crate::schema::ProviderSchemas;
use crate::value::{Value, View};

/// The version of stored states that this module reads.
const VERSION: u64 = 4;

/// The most bytes of the data sources of a state.
const DATA_SOURCE_BYTES: usize = 1 << 25;

/// A resource of a stored state, without its instances.
#[derive(Default)]
struct Resource {
    module: Option<String>,
    mode: String,
    type_name: String,
    name: String,
    provider: String,
}

/// Reads the data sources of a stored state, in the order of the file. The state is read piece by piece: one instance of a
/// data source is held in memory at a time, and nothing of the managed resources.
pub(super) fn read_data_sources(
    source: &mut dyn BufRead,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<Vec<DataSource>> {
    let mut found = Vec::new();
    let (mut has_version, mut has_resources, mut left) = (false, false, DATA_SOURCE_BYTES);
    let mut stream = JsonStream::new(source);
    stream.object(|key, stream| match key {
        "version" if !std::mem::replace(&mut has_version, true) => {
            match scalar(stream.keep()?, read_count)? {
                VERSION => Ok(()),
                other => {
                    let message = format!("the state in the plan has version {other}, expected {VERSION}");
                    Err(Error::new(Kind::Argument, message))
                }
            }
        }
        "resources" if !std::mem::replace(&mut has_resources, true) => {
            stream.array(|stream| read_resource(stream, schemas, &mut found, &mut left, notes))
        }
        "version" | "resources" => Err(twice(key)),
        _ => stream.skip(),
    })?;
    stream.end()?;
    Ok(found)
}

/// Reads a resource; its instances if it is a data source, each of them within the bytes that are `left`.
fn read_resource(
    stream: &mut JsonStream<'_>,
    schemas: &ProviderSchemas,
    found: &mut Vec<DataSource>,
    left: &mut usize,
    notes: &mut Vec<Note>,
) -> Result<()> {
    let (mut resource, mut has_instances) = (Resource::default(), false);
    stream.object(|key, stream| {
        match key {
            "module" | "mode" | "type" | "name" | "provider" => {
                // Terraform and OpenTofu write the instances last.
                if has_instances {
                    return Err(late(key));
                }
                let text = scalar(stream.keep()?, read_text)?;
                match key {
                    "module" => resource.module = text,
                    "mode" => resource.mode = text.unwrap_or_default(),
                    "type" => resource.type_name = text.unwrap_or_default(),
                    "name" => resource.name = text.unwrap_or_default(),
                    _ => resource.provider = text.unwrap_or_default(),
                }
                Ok(())
            }
            "instances" if std::mem::replace(&mut has_instances, true) => Err(twice(key)),
            "instances" if resource.mode == "data" => stream.array(|stream| {
                let json = stream.keep()?;
                *left = left.checked_sub(json.len()).ok_or_else(too_many_bytes)?;
                resource.read_instance(json, schemas, found, notes)
            }),
            _ => stream.skip(),
        }
    })
}

/// Reads a text that holds one scalar.
fn scalar<T>(json: &[u8], read: impl FnOnce(&mut Reader<'_>) -> Result<T>) -> Result<T> {
    let mut reader = Reader::new(json)?;
    let value = read(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The error for a property that occurs twice.
#[cold]
fn twice(key: &str) -> Error {
    Error::new(Kind::Syntax, format!("the state in the plan has an object with two properties {key:?}"))
}

/// The error for a property of a resource that comes after its instances.
#[cold]
fn late(key: &str) -> Error {
    let message =
        format!("the state in the plan has a resource whose property {key:?} comes after its instances");
    Error::new(Kind::Syntax, message)
}

/// The error for a state with too many data sources.
#[cold]
fn too_many_bytes() -> Error {
    let message = format!(
        "the state in the plan has data sources of more than {DATA_SOURCE_BYTES} bytes; that is too much"
    );
    Error::new(Kind::Limit, message)
}

/// Skips the next value and returns its JSON.
fn skipped_text<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    let start = *reader;
    reader.skip()?;
    Ok(start.text_until(reader))
}

impl Resource {
    /// Reads an instance of a data source.
    fn read_instance(
        &self,
        json: &[u8],
        schemas: &ProviderSchemas,
        found: &mut Vec<DataSource>,
        notes: &mut Vec<Note>,
    ) -> Result<()> {
        let mut reader = Reader::new(json)?;
        let provider = provider_name(&self.provider);
        let schema = schemas.read_data_source(provider, &self.type_name)?;
        let (mut index, mut attributes, mut sensitive) = (None, "null", None);
        object(&mut reader, |key, reader| {
            match key {
                "index_key" => index = Some(implied(reader)?).filter(|index| !index.is_null()),
                "attributes" => attributes = skipped_text(reader)?,
                "sensitive_attributes" => sensitive = Some(implied(reader)?),
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        reader.end()?;
        let module = self.module.as_deref().map(|module| format!("{module}.")).unwrap_or_default();
        let key = index.as_ref().map(|index: &Value| format!("[{index}]")).unwrap_or_default();
        let address = format!("{module}data.{}.{}{key}", self.type_name, self.name);
        let typed = schema
            .map(|schema| schema.implied_type().cloned().and_then(|ty| json::from_str_as(attributes, &ty)));
        let value = match typed {
            Some(Ok(value)) => value,
            Some(Err(error)) => {
                note_misfit(&error, &address, notes);
                json::from_str(attributes)?
            }
            None => json::from_str(attributes)?,
        };
        let value = schema.map_or_else(|| value.clone(), |schema| with_schema_marks(value.clone(), schema));
        let value = match sensitive_paths(sensitive.as_ref()) {
            Some(paths) => with_sensitive_paths(value, &paths),
            None => value.mark(Mark::SENSITIVE),
        };
        let (type_name, name) = (self.type_name.clone(), self.name.clone());
        found.push(DataSource { address, type_name, name, index, provider_name: provider.to_owned(), value });
        Ok(())
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
