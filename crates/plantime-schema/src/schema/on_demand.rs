//! Schemas that are read on demand.
//!
//! The file of a large provider contains thousands of types, and a plan uses a few of them: reading all would cost
//! more time and memory than reading the plan.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, ReaderPosition};
use plantime::{Error, Result};

use super::{ProviderSchema, Schema, read};

/// The text of a schema file, and the file's name for messages.
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: String,
}

/// The schemas of one provider that are read on demand, by type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Unread {
    pub(super) resources: BTreeMap<String, UnreadSchema>,
    pub(super) data_sources: BTreeMap<String, UnreadSchema>,
    pub(super) ephemeral_resources: BTreeMap<String, UnreadSchema>,
}

/// A schema that is read on demand: its position in the file, and the result once it was read.
#[derive(Clone)]
pub(super) struct UnreadSchema {
    file: Arc<File>,
    place: ReaderPosition,
    read: OnceLock<Box<Result<Schema>>>,
}

impl UnreadSchema {
    /// Skips the schema that the reader is at, and records its position for later.
    pub(super) fn skip(reader: &mut Reader<'_>, file: &Arc<File>) -> Result<UnreadSchema> {
        let place = reader.position();
        reader.skip()?;
        Ok(UnreadSchema { file: file.clone(), place, read: OnceLock::new() })
    }

    /// The schema; parsed at the first call, whose error later calls return too.
    fn schema(&self) -> Result<&Schema> {
        let read = self.read.get_or_init(|| {
            let mut reader = Reader::resume(&self.file.text, self.place);
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

/// The schema of a type: one of `read`, which are parsed already, or one of `unread`, which is parsed now. `None` if
/// neither has the type.
pub(super) fn schema_of<'s>(
    read: &'s BTreeMap<String, Schema>,
    unread: &'s BTreeMap<String, UnreadSchema>,
    ty: &str,
) -> Result<Option<&'s Schema>> {
    if let Some(schema) = read.get(ty) {
        return Ok(Some(schema));
    }
    let Some(unread) = unread.get(ty) else { return Ok(None) };
    let in_file = |error: Error| Error::new(Kind::Syntax, format!("{}: {ty}: {error}", unread.file.name));
    unread.schema().map(Some).map_err(in_file)
}

impl ProviderSchema {
    /// The names of the managed resource types, in no particular order.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
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

    /// The names of the data source types, in no particular order.
    ///
    /// [Example](ProviderSchema::resource_types)
    pub fn data_source_types(&self) -> impl Iterator<Item = &str> {
        self.data_source_schemas.keys().chain(self.unread.data_sources.keys()).map(String::as_str)
    }

    /// The provider's schemas with every schema read.
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
