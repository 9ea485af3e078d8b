//! Data sources that were read while planning: plan JSON has their values in the prior state only.

use crate::error::Result;
use crate::json::shape::{array, object, text};
use crate::json::{Reader, Tape, implied};
use crate::schema::ProviderSchemas;
use crate::value::Value;

use super::Note;
use super::fuse::{Trees, fuse};

/// A data source that was read while planning.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DataSource {
    /// The full address, such as `data.aws_ami.base`.
    pub address: String,
    /// The type, such as `aws_ami`.
    pub type_name: String,
    /// The name in the configuration.
    pub name: String,
    /// The instance key.
    pub index: Option<Value>,
    /// The address of the provider.
    pub provider_name: String,
    /// What was read.
    pub value: Value,
}

/// The data sources of a prior state, in the order of the file.
pub(super) fn sources(
    reader: &mut Reader<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<Vec<DataSource>> {
    let mut found = Vec::new();
    object(reader, |key, reader| match key {
        "values" => object(reader, |key, reader| match key {
            "root_module" => module(reader, schemas, &mut found, notes),
            _ => reader.skip(),
        }),
        _ => reader.skip(),
    })?;
    Ok(found)
}

fn module(
    reader: &mut Reader<'_>,
    schemas: &ProviderSchemas,
    found: &mut Vec<DataSource>,
    notes: &mut Vec<Note>,
) -> Result<()> {
    object(reader, |key, reader| match key {
        "resources" => array(reader, |reader| {
            found.extend(resource(reader, schemas, notes)?);
            Ok(())
        }),
        "child_modules" => array(reader, |reader| module(reader, schemas, found, notes)),
        _ => reader.skip(),
    })
}

fn resource(
    reader: &mut Reader<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<Option<DataSource>> {
    let (mut mode, mut values, mut sensitive) = (None, Tape::new(), Tape::new());
    let mut source = DataSource {
        address: String::new(),
        type_name: String::new(),
        name: String::new(),
        index: None,
        provider_name: String::new(),
        value: Value::null(crate::types::Type::Dynamic),
    };
    object(reader, |key, reader| {
        match key {
            "mode" => mode = text(reader)?,
            "address" => source.address = text(reader)?.unwrap_or_default(),
            "type" => source.type_name = text(reader)?.unwrap_or_default(),
            "name" => source.name = text(reader)?.unwrap_or_default(),
            "provider_name" => source.provider_name = text(reader)?.unwrap_or_default(),
            "index" => source.index = Some(implied(reader)?).filter(|index| !index.is_null()),
            // Terraform writes the mode first: what is no data source is passed over unread.
            "values" if mode.as_deref().is_none_or(|mode| mode == "data") => {
                values.read(reader)?;
            }
            "sensitive_values" if mode.as_deref().is_none_or(|mode| mode == "data") => {
                sensitive.read(reader)?;
            }
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    if mode.as_deref() != Some("data") {
        return Ok(None);
    }
    let trees = Trees { known: Some(values.root()), unknown: None, sensitive: Some(sensitive.root()) };
    let schema = schemas.data_source(&source.provider_name, &source.type_name);
    source.value = super::read::typed(trees, schema, &source.address, notes, fuse)?;
    Ok(Some(source))
}
