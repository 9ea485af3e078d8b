//! Data sources that were read while planning: plan JSON has their values in the prior state only.

use super::state::{self, StateResource};
use std::sync::Arc;

use crate::plan::address::parse_address;
use crate::plan::{Action, Change, Mode, Note, ResourceChange, Sensitivity};
use plantime::unstable::json::Reader;
use plantime::{Result, Value};
use plantime_schema::ProviderSchemas;
use plantime_schema::unstable::json::object;

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
    /// The instance key: a number with `count`, a string with `for_each`.
    pub index: Option<Value>,
    /// The address of the provider.
    pub provider_name: String,
    /// The value that was read.
    pub value: Value,
    /// Whether the file or a schema says what of the value is sensitive.
    pub sensitivity: Sensitivity,
}

impl DataSource {
    /// The data source as a resource that stays as it is: with the value that was read before and after.
    pub(in crate::plan) fn as_change(&self) -> ResourceChange {
        let module_address = parse_address(&self.address).and_then(|address| address.module_address());
        let value = || Some(self.value.clone());
        ResourceChange {
            address: self.address.clone(),
            previous_address: None,
            module_address,
            mode: Mode::Data,
            type_name: Arc::from(self.type_name.as_str()),
            name: Arc::from(self.name.as_str()),
            index: self.index.clone(),
            has_unknown_index: false,
            provider_name: Arc::from(self.provider_name.as_str()),
            deposed: None,
            action_reason: None,
            change: Change {
                actions: vec![Action::NoOp],
                before: value(),
                after: value(),
                before_sensitivity: self.sensitivity,
                after_sensitivity: self.sensitivity,
                ..Change::default()
            },
        }
    }
}

impl From<StateResource> for DataSource {
    fn from(found: StateResource) -> DataSource {
        DataSource {
            address: found.address,
            type_name: found.type_name,
            name: found.name,
            index: found.index,
            provider_name: found.provider_name,
            value: found.value,
            sensitivity: found.sensitivity,
        }
    }
}

/// Reads the data sources of a prior state, in the order of the file.
pub(super) fn read_data_sources(
    reader: &mut Reader<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<Vec<DataSource>> {
    let mut found = Vec::new();
    object(reader, |key, reader| match key {
        "values" => object(reader, |key, reader| match key {
            "root_module" => {
                state::read_module(reader, schemas, &|mode| mode == Mode::Data, &mut found, notes)
            }
            _ => reader.skip_unique(),
        }),
        _ => reader.skip_unique(),
    })?;
    Ok(found.into_iter().map(DataSource::from).collect())
}
