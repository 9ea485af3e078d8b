//! Reads states as Terraform and OpenTofu store them (version 4), piece by piece: one instance of a resource is held in memory
//! at a time, and nothing of the resources that are not wanted.

use std::io::BufRead;

use super::super::checks::read_check;
use super::address::provider_name;
use super::budget::Budget;
use super::change::{note_misfit, of_resource, with_schema_marks, with_sensitive_paths};
use super::json_stream::JsonStream;
use crate::plan::{DataSource, Mode, Note, Sensitivity, State, StateResource};
use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, implied};
use plantime::{Error, Mark, Path, Result, Step, Type, Value, View, json};
use plantime_schema::ProviderSchemas;
use plantime_schema::unstable::json::{array, object, read_count, read_flag, read_text, ty};

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

/// Reads the data sources of a stored state, in the order of the file.
pub(super) fn read_data_sources(
    source: &mut dyn BufRead,
    budget: &Budget,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<Vec<DataSource>> {
    let state = StoredState { schemas, budget, only_data_sources: true, left: DATA_SOURCE_BYTES };
    let mut read = state.read(source)?;
    notes.append(&mut read.notes);
    Ok(read.resources.into_iter().map(DataSource::from).collect())
}

/// Reads a stored state.
pub(super) fn read_state(
    source: &mut dyn BufRead,
    budget: &Budget,
    schemas: &ProviderSchemas,
) -> Result<State> {
    StoredState { schemas, budget, only_data_sources: false, left: usize::MAX }.read(source)
}

/// The inputs and limits with which a stored state is read.
struct StoredState<'s> {
    schemas: &'s ProviderSchemas,
    budget: &'s Budget,
    /// Whether everything but data sources is skipped.
    only_data_sources: bool,
    /// The number of bytes that further instances may have.
    left: usize,
}

impl StoredState<'_> {
    /// Reads the state.
    fn read(mut self, source: &mut dyn BufRead) -> Result<State> {
        let mut state = State::default();
        let (mut has_version, mut has_resources) = (false, false);
        let mut stream = JsonStream::new(source);
        stream.object(|key, stream| match key {
            "version" if !std::mem::replace(&mut has_version, true) => {
                match scalar(stream.keep()?, read_count)? {
                    VERSION => Ok(()),
                    other => {
                        let message =
                            format!("the state in the plan has version {other}, expected {VERSION}");
                        Err(Error::new(Kind::Argument, message))
                    }
                }
            }
            "resources" if !std::mem::replace(&mut has_resources, true) => {
                stream.array(|stream| self.read_resource(stream, &mut state))
            }
            "version" | "resources" => Err(twice(key)),
            _ if self.only_data_sources => stream.skip(),
            "terraform_version" => {
                state.terraform_version = scalar(stream.keep()?, read_text)?;
                Ok(())
            }
            "outputs" => stream.object(|name, stream| {
                let value = read_output(self.counted(stream.keep()?)?)?;
                state.outputs.insert(name.to_owned(), value);
                Ok(())
            }),
            "check_results" => stream.array(|stream| {
                state.checks.push(scalar(self.counted(stream.keep()?)?, read_check)?);
                Ok(())
            }),
            _ => stream.skip(),
        })?;
        stream.end()?;
        state.format_version = format!("stored {VERSION}");
        Ok(state)
    }

    /// Counts JSON that is kept, as bytes and as parts.
    fn counted<'j>(&self, json: &'j [u8]) -> Result<&'j [u8]> {
        self.budget.keep_bytes(json.len())?;
        self.budget
            .keep_parts_of(|| json.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count() as u64)?;
        Ok(json)
    }

    /// Reads a resource, and its instances if it is wanted.
    fn read_resource(&mut self, stream: &mut JsonStream<'_>, state: &mut State) -> Result<()> {
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
                "instances" if resource.mode == "data" || !self.only_data_sources => stream.array(|stream| {
                    let json = stream.keep()?;
                    self.left = self.left.checked_sub(json.len()).ok_or_else(too_many_bytes)?;
                    let instance =
                        resource.read_instance(self.counted(json)?, self.schemas, &mut state.notes)?;
                    state.resources.push(instance);
                    Ok(())
                }),
                _ => stream.skip(),
            }
        })
    }
}

/// Reads a text that holds one value.
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

/// The error for a state whose data sources have more than [`DATA_SOURCE_BYTES`] bytes.
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

/// What an instance of a resource says beside its value.
#[derive(Default)]
struct Instance<'j> {
    index: Option<Value>,
    attributes: Option<&'j str>,
    sensitive: Option<Value>,
    deposed: Option<String>,
    identity: Option<Value>,
    depends_on: Vec<String>,
    schema_version: Option<u64>,
    is_tainted: bool,
    create_before_destroy: bool,
}

impl<'j> Instance<'j> {
    /// Reads an instance. The private data of providers is opaque, and may be secret: it is skipped.
    fn read(json: &'j [u8]) -> Result<Instance<'j>> {
        let mut instance = Instance::default();
        let mut reader = Reader::new(json)?;
        let not_null = |value: Value| Some(value).filter(|value| !value.is_null());
        object(&mut reader, |key, reader| {
            match key {
                "index_key" => instance.index = not_null(implied(reader)?),
                "attributes" => instance.attributes = Some(skipped_text(reader)?),
                "sensitive_attributes" => instance.sensitive = Some(implied(reader)?),
                "deposed" => instance.deposed = read_text(reader)?.filter(|key| !key.is_empty()),
                "identity" => instance.identity = not_null(implied(reader)?),
                "dependencies" => array(reader, |reader| {
                    instance.depends_on.extend(read_text(reader)?);
                    Ok(())
                })?,
                "schema_version" => instance.schema_version = Some(read_count(reader)?),
                "status" => instance.is_tainted = read_text(reader)?.as_deref() == Some("tainted"),
                "create_before_destroy" => instance.create_before_destroy = read_flag(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        reader.end()?;
        Ok(instance)
    }
}

impl Resource {
    /// Reads an instance of the resource.
    fn read_instance(
        &self,
        json: &[u8],
        schemas: &ProviderSchemas,
        notes: &mut Vec<Note>,
    ) -> Result<StateResource> {
        let instance = Instance::read(json)?;
        let mode = Mode::from_text(&self.mode);
        let provider = provider_name(&self.provider);
        let schema = match mode {
            Mode::Managed => schemas.read_resource(provider, &self.type_name)?,
            Mode::Data => schemas.read_data_source(provider, &self.type_name)?,
            Mode::Ephemeral | Mode::Other => None,
        };
        let module = self.module.as_deref().map(|module| format!("{module}.")).unwrap_or_default();
        let key = instance.index.as_ref().map(|index| format!("[{index}]")).unwrap_or_default();
        let address = format!("{module}{}{}.{}{key}", mode.prefix(), self.type_name, self.name);
        let attributes = instance.attributes.unwrap_or("null");
        let typed = schema
            .map(|schema| schema.implied_type().cloned().and_then(|ty| json::from_str_as(attributes, &ty)));
        let untyped = || json::from_str(attributes).map_err(|error| of_resource(error, &address));
        let value = match typed {
            Some(Ok(value)) => value,
            Some(Err(error)) => {
                note_misfit(&error, &address, notes);
                untyped()?
            }
            None => untyped()?,
        };
        let value = schema.map_or_else(|| value.clone(), |schema| with_schema_marks(value.clone(), schema));
        let value = match sensitive_paths(instance.sensitive.as_ref()) {
            Some(paths) => with_sensitive_paths(value, &paths),
            None => value.mark(Mark::SENSITIVE),
        };
        let is_stated = instance.sensitive.is_some() || schema.is_some();
        Ok(StateResource {
            address,
            mode,
            type_name: self.type_name.clone(),
            name: self.name.clone(),
            index: instance.index,
            provider_name: provider.to_owned(),
            deposed: instance.deposed,
            sensitivity: if is_stated { Sensitivity::Stated } else { Sensitivity::Unstated },
            identity: instance.identity,
            depends_on: instance.depends_on,
            schema_version: instance.schema_version,
            is_tainted: instance.is_tainted,
            create_before_destroy: instance.create_before_destroy,
            // A value that lacks attributes does not fit its schema.
            absent: Vec::new(),
            declared: schema.and_then(|schema| schema.implied_type().ok()).cloned().unwrap_or(Type::Dynamic),
            value,
        })
    }
}

/// Reads the value of a root output, of the type that the state says.
fn read_output(json: &[u8]) -> Result<Value> {
    let mut reader = Reader::new(json)?;
    let (mut value, mut declared, mut is_sensitive) = ("null", Type::Dynamic, false);
    object(&mut reader, |key, reader| {
        match key {
            "value" => value = skipped_text(reader)?,
            "type" => declared = ty(reader)?,
            "sensitive" => is_sensitive = read_flag(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    reader.end()?;
    let value = json::from_str_as(value, &declared).map_err(|error| error.above_content(0))?;
    Ok(if is_sensitive { value.mark(Mark::SENSITIVE) } else { value })
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
