//! Schemas that are read when they are first asked for.
//!
//! The file of a large provider has thousands of types, and a plan names a few of them: reading all costs more time
//! and memory than the plan does.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, Kind, Result};
use crate::json::{Reader, ReaderPlace};

use super::{ProviderSchema, Schema, read};

/// The text of a schema file, and its name for messages.
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: String,
}

/// The schemas of one provider that were passed over so far, by type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Unread {
    pub(super) resources: BTreeMap<String, UnreadSchema>,
    pub(super) data_sources: BTreeMap<String, UnreadSchema>,
    pub(super) ephemeral_resources: BTreeMap<String, UnreadSchema>,
}

/// A schema by its place in a file, read once at most.
#[derive(Clone)]
pub(super) struct UnreadSchema {
    file: Arc<File>,
    place: ReaderPlace,
    read: OnceLock<Box<Result<Schema>>>,
}

impl UnreadSchema {
    /// Passes over the schema that comes next and remembers where it stands.
    pub(super) fn pass_over(reader: &mut Reader<'_>, file: &Arc<File>) -> Result<UnreadSchema> {
        let place = reader.place();
        reader.skip()?;
        Ok(UnreadSchema { file: file.clone(), place, read: OnceLock::new() })
    }

    fn schema(&self) -> Result<&Schema> {
        let read = self.read.get_or_init(|| {
            let mut reader = Reader::at_place(&self.file.text, self.place);
            Box::new(read::schema(&mut reader))
        });
        read.as_ref().as_ref().map_err(Error::clone)
    }
}

impl fmt::Debug for UnreadSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnreadSchema").field(&self.file.name).finish()
    }
}

impl PartialEq for UnreadSchema {
    fn eq(&self, other: &UnreadSchema) -> bool {
        self.schema() == other.schema()
    }
}

/// The schema of a type among those that are read and those that are not yet.
pub(super) fn schema_of<'s>(
    read: &'s BTreeMap<String, Schema>,
    unread: &'s BTreeMap<String, UnreadSchema>,
    ty: &str,
) -> Result<Option<&'s Schema>> {
    if let Some(schema) = read.get(ty) {
        return Ok(Some(schema));
    }
    let Some(unread) = unread.get(ty) else { return Ok(None) };
    let told = |error: Error| Error::new(Kind::Syntax, format!("{}: {ty}: {error}", unread.file.name));
    unread.schema().map(Some).map_err(told)
}

impl ProviderSchema {
    /// The names of the managed resource types, in no order.
    ///
    /// ```
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let file = br#"{"provider_schemas": {"hashicorp/random": {"resource_schemas": {"random_id": {"block": {}}}}}}"#;
    /// let schemas = ProviderSchemas::from_json(file)?;
    /// let names: Vec<&str> = schemas.providers["hashicorp/random"].resource_types().collect();
    /// assert_eq!(names, ["random_id"]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn resource_types(&self) -> impl Iterator<Item = &str> {
        self.resource_schemas.keys().chain(self.unread.resources.keys()).map(String::as_str)
    }

    /// The names of the data source types, in no order.
    pub fn data_source_types(&self) -> impl Iterator<Item = &str> {
        self.data_source_schemas.keys().chain(self.unread.data_sources.keys()).map(String::as_str)
    }

    /// The same with every schema read.
    pub(super) fn read_whole(&self) -> Result<Cow<'_, ProviderSchema>> {
        if self.unread == Unread::default() {
            return Ok(Cow::Borrowed(self));
        }
        let mut whole = self.clone();
        let unread = std::mem::take(&mut whole.unread);
        for (unread, read) in [
            (unread.resources, &mut whole.resource_schemas),
            (unread.data_sources, &mut whole.data_source_schemas),
            (unread.ephemeral_resources, &mut whole.ephemeral_resource_schemas),
        ] {
            for (ty, unread) in unread {
                let schema = unread.schema()?.clone();
                read.insert(ty, schema);
            }
        }
        Ok(Cow::Owned(whole))
    }
}
