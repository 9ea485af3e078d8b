//! Reads states, as `terraform show -json` and `tofu show -json` write them: what exists after an apply.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::checks::read_check;
use super::fuse::{Misfits, Trees, fuse};
use crate::json::{Item, Tape};
use crate::plan::{Check, Mode, Note, Sensitivity};
use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, Token, implied};
use plantime::{Error, Mark, Result, Step, Type, Value};
use plantime_schema::ProviderSchemas;
use plantime_schema::unstable::json::{array, object, read_count, read_flag, read_text};

/// The resources and outputs that exist after an apply.
///
/// ```
/// use plantime_terraform::plan::State;
/// use plantime_schema::ProviderSchemas;
///
/// let json = br#"{"format_version": "1.0", "values": {"root_module": {"resources": [{"address": "aws_vpc.main",
///     "mode": "managed", "type": "aws_vpc", "name": "main", "values": {"id": "vpc-1"}, "sensitive_values": {}}]}}}"#;
/// let state = State::read(json, &ProviderSchemas::new())?;
/// assert_eq!(state.resource("aws_vpc.main").unwrap().value.to_string(), r#"{id = "vpc-1"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// The version of the JSON format: `0.1`, `0.2` or `1.x`.
    pub format_version: String,
    /// The version of Terraform or OpenTofu that wrote the state.
    pub terraform_version: Option<String>,
    /// Every resource instance and data source of every module, in the order of the file.
    pub resources: Vec<StateResource>,
    /// Root outputs by name; marked where they are sensitive.
    pub outputs: BTreeMap<String, Value>,
    /// The results of the configuration's own conditions, as the last apply left them.
    pub checks: Vec<Check>,
    /// Where the state did not fit the schemas.
    pub notes: Vec<Note>,
}

/// A resource instance or data source of a state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateResource {
    /// The full address, such as `module.net[0].aws_vpc.main["a"]`.
    pub address: String,
    /// Managed resource or data source.
    pub mode: Mode,
    /// The resource type, such as `aws_vpc`.
    pub type_name: String,
    /// The name in the configuration.
    pub name: String,
    /// The instance key: a number with `count`, a string with `for_each`.
    pub index: Option<Value>,
    /// The address of the provider.
    pub provider_name: String,
    /// The key of an object that an earlier, failed replacement left over.
    pub deposed: Option<String>,
    /// Whether the file or a schema says what is sensitive.
    pub sensitivity: Sensitivity,
    /// The provider's identity of the resource.
    pub identity: Option<Value>,
    /// The addresses of the resources that it depends on.
    pub depends_on: Vec<String>,
    /// The version of the schema that the value was stored with.
    pub schema_version: Option<u64>,
    /// Whether the resource is to be replaced, because its creation ended with an error.
    pub is_tainted: bool,
    /// Whether its replacement is created before it is destroyed. Only a stored state says it, inside a binary plan.
    pub create_before_destroy: bool,
    /// The value of the resource in the state.
    pub value: Value,
    /// The type that a schema gives the value; dynamic without one.
    pub(in crate::plan) declared: Type,
    /// The attributes of that type that the state does not have; the value has nulls there.
    pub(in crate::plan) absent: Vec<Box<str>>,
}

impl State {
    /// Reads a state in JSON, of format 0.1, 0.2 or 1.x, into values with the types of these schemas.
    ///
    /// Unknown properties are ignored. An empty state has a format version and nothing else.
    ///
    /// ```
    /// use plantime_terraform::plan::State;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let json = br#"{"format_version": "1.0", "values": {"root_module": {"resources": [{
    ///     "address": "random_id.s", "mode": "managed", "type": "random_id", "name": "s",
    ///     "provider_name": "random", "values": {"hex": "5676a737"}}]}}}"#;
    /// let state = State::read(json, &ProviderSchemas::new())?;
    /// let id = state.resource("random_id.s").unwrap();
    /// assert_eq!(id.value.to_string(), r#"{hex = "5676a737"}"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not JSON, is no state of that form (a plan, or a state as it is stored), or has another major
    /// version; for limits see [`limits`](plantime::limits). Syntax errors end with line and column, the error's path
    /// leads to the place.
    pub fn read(json: &[u8], schemas: &ProviderSchemas) -> Result<State> {
        let mut reader = Reader::new(json)?;
        if reader.peek()? != Token::Object {
            reader.skip_unique()?;
            reader.end()?;
            return Err(no_state("the JSON is no object"));
        }
        let mut state = State::default();
        let (mut version, mut other, mut strange) = (None, None, false);
        let mut has_values = false;
        object(&mut reader, |key, reader| {
            match key {
                "format_version" => {
                    version = read_text(reader)?;
                    version.as_deref().map_or(Ok(()), |version| super::check_version("states", version))?;
                }
                "terraform_version" => state.terraform_version = read_text(reader)?,
                "values" => {
                    has_values = true;
                    read_values(reader, schemas, &mut state)?;
                }
                "checks" => array(reader, |reader| {
                    state.checks.push(read_check(reader)?);
                    Ok(())
                })?,
                "planned_values" | "resource_changes" => {
                    other = Some("this is a plan");
                    reader.skip_unique()?;
                }
                "lineage" | "serial" => {
                    other =
                        Some("this is a state as it is stored; write it as JSON with `terraform show -json`");
                    reader.skip_unique()?;
                }
                _ => {
                    strange = true;
                    reader.skip_unique()?;
                }
            }
            Ok(())
        })?;
        reader.end()?;
        if let Some(other) = other {
            return Err(no_state(other));
        }
        if strange && !has_values {
            return Err(no_state("there are no values"));
        }
        state.format_version = version.ok_or_else(|| no_state("there is no format_version"))?;
        Ok(state)
    }

    /// The resource instance or data source at an address. Searches all resources: for many addresses,
    /// [`by_address`](State::by_address) costs less.
    ///
    /// [Example](State)
    pub fn resource(&self, address: &str) -> Option<&StateResource> {
        self.resources.iter().find(|resource| resource.address == address && resource.deposed.is_none())
    }

    /// All resources that [`resource`](State::resource) can find, by address.
    ///
    /// ```
    /// use plantime_terraform::plan::{State, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let state = State::read(example::STATE_AFTER, &ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?)?;
    /// let resources = state.by_address();
    /// assert_eq!(resources["aws_vpc.main"], state.resource("aws_vpc.main").unwrap());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn by_address(&self) -> BTreeMap<&str, &StateResource> {
        let mut found = BTreeMap::new();
        for resource in self.resources.iter().filter(|resource| resource.deposed.is_none()) {
            found.entry(resource.address.as_str()).or_insert(resource);
        }
        found
    }
}

/// The error for a file that is not a state; `why` is the end of its message.
#[cold]
fn no_state(why: &str) -> Error {
    Error::new(Kind::Syntax, format!("not a state: {why}"))
}

/// Reads the resources and outputs of a state into `state`.
fn read_values(reader: &mut Reader<'_>, schemas: &ProviderSchemas, state: &mut State) -> Result<()> {
    let State { resources, outputs, notes, .. } = state;
    object(reader, |key, reader| match key {
        "root_module" => read_module(reader, schemas, &|_| true, resources, notes),
        "outputs" => object(reader, |name, reader| {
            let value = read_output(reader, name, notes)?;
            outputs.insert(name.to_owned(), value);
            Ok(())
        }),
        _ => reader.skip_unique(),
    })
}

/// Reads the resources of a module and its child modules into `found`; only those for whose mode `wanted` returns
/// true.
pub(super) fn read_module(
    reader: &mut Reader<'_>,
    schemas: &ProviderSchemas,
    wanted: &dyn Fn(Mode) -> bool,
    found: &mut Vec<StateResource>,
    notes: &mut Vec<Note>,
) -> Result<()> {
    object(reader, |key, reader| match key {
        "resources" => array(reader, |reader| {
            found.extend(read_resource(reader, schemas, wanted, notes)?);
            Ok(())
        }),
        "child_modules" => array(reader, |reader| read_module(reader, schemas, wanted, found, notes)),
        _ => reader.skip_unique(),
    })
}

/// Reads one resource; `None` if `wanted` returns false for its mode.
fn read_resource(
    reader: &mut Reader<'_>,
    schemas: &ProviderSchemas,
    wanted: &dyn Fn(Mode) -> bool,
    notes: &mut Vec<Note>,
) -> Result<Option<StateResource>> {
    let (mut mode, mut values, mut sensitive, mut unknown) = (None, Tape::new(), Tape::new(), Tape::new());
    let (mut has_values, mut has_sensitive, mut has_unknown) = (false, false, false);
    let mut found = StateResource {
        address: String::new(),
        mode: Mode::Other,
        type_name: String::new(),
        name: String::new(),
        index: None,
        provider_name: String::new(),
        deposed: None,
        sensitivity: Sensitivity::Unstated,
        identity: None,
        depends_on: Vec::new(),
        schema_version: None,
        is_tainted: false,
        create_before_destroy: false,
        value: Value::null(Type::Dynamic),
        declared: Type::Dynamic,
        absent: Vec::new(),
    };
    object(reader, |key, reader| {
        match key {
            "mode" => mode = read_text(reader)?.map(|mode| Mode::from_text(&mode)),
            "address" => found.address = read_text(reader)?.unwrap_or_default(),
            "type" => found.type_name = read_text(reader)?.unwrap_or_default(),
            "name" => found.name = read_text(reader)?.unwrap_or_default(),
            "provider_name" => found.provider_name = read_text(reader)?.unwrap_or_default(),
            "index" => found.index = Some(implied(reader)?).filter(|index| !index.is_null()),
            "deposed_key" => found.deposed = read_text(reader)?,
            "schema_version" => found.schema_version = Some(read_count(reader)?),
            "tainted" => found.is_tainted = read_flag(reader)?,
            "identity" if mode.is_none_or(wanted) => {
                found.identity = Some(implied(reader)?).filter(|identity| !identity.is_null());
            }
            "depends_on" if mode.is_none_or(wanted) => array(reader, |reader| {
                found.depends_on.extend(read_text(reader)?);
                Ok(())
            })?,
            // Terraform writes the mode first, so the values of unwanted modes are skipped without being parsed.
            "values" if mode.is_none_or(wanted) => {
                has_values = true;
                values.read(reader).map_err(|error| error.above_content(0))?;
            }
            "sensitive_values" if mode.is_none_or(wanted) => {
                has_sensitive = true;
                sensitive.read(reader).map_err(|error| error.above_content(0))?;
            }
            // What this project leaves out as it is sensitive.
            "unknown_values" if mode.is_none_or(wanted) => {
                has_unknown = true;
                unknown.read(reader).map_err(|error| error.above_content(0))?;
            }
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    let Some(mode) = mode.filter(|mode| wanted(*mode)) else { return Ok(None) };
    found.mode = mode;
    let trees = Trees {
        known: has_values.then(|| values.root()),
        sensitive: has_sensitive.then(|| sensitive.root()),
        unknown: has_unknown.then(|| unknown.root()),
        ..Trees::default()
    };
    let schema = match mode {
        Mode::Managed => schemas.read_resource(&found.provider_name, &found.type_name)?,
        Mode::Data => schemas.read_data_source(&found.provider_name, &found.type_name)?,
        Mode::Ephemeral => schemas.read_ephemeral_resource(&found.provider_name, &found.type_name)?,
        Mode::Other => None,
    };
    if let Some(ty) = schema.and_then(|schema| schema.implied_type().ok()) {
        found.declared = ty.clone();
        found.absent = absent_attributes(ty, trees.known);
    }
    if trees.sensitive.is_some_and(|mask| !mask.is_null()) || schema.is_some() {
        found.sensitivity = Sensitivity::Stated;
    }
    let is_stated = found.sensitivity == Sensitivity::Stated;
    found.value = super::fuse_with_schema(trees, schema, &found.address, notes)
        .map_err(|error| if is_stated { error } else { error.above_content(1) })?;
    Ok(Some(found))
}

/// The attributes of a type that the JSON of a value does not have.
fn absent_attributes(ty: &Type, known: Option<Item<'_, '_>>) -> Vec<Box<str>> {
    let (Type::Object(ty), Some(known)) = (ty, known.filter(|known| known.kind() == Token::Object)) else {
        return Vec::new();
    };
    // Most values have all.
    let mut present: Vec<Cow<'_, str>> = known.entries().map(|(name, _)| name.text()).collect();
    present.sort_unstable();
    let is_absent = |name: &&str| present.binary_search_by(|known| (**known).cmp(*name)).is_err();
    ty.attribute_names().filter(is_absent).map(Box::from).collect()
}

/// Reads the value of one root output.
fn read_output(reader: &mut Reader<'_>, name: &str, notes: &mut Vec<Note>) -> Result<Value> {
    let (mut sensitive, mut ty, mut value) = (false, Type::Dynamic, Tape::new());
    let mut has_value = false;
    object(reader, |key, reader| {
        match key {
            "sensitive" => sensitive = read_flag(reader)?,
            "type" => ty = plantime_schema::unstable::json::ty(reader)?,
            "value" => {
                has_value = true;
                value.read(reader).map_err(|error| error.above_content(0))?;
            }
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    let trees = Trees { known: has_value.then(|| value.root()), ..Trees::default() };
    let mut misfits = Misfits::new();
    let value = fuse(trees, &ty, &mut misfits).map_err(|error| {
        let error = if sensitive { error.above_content(0) } else { error };
        error.under(Step::attr("value"))
    })?;
    if sensitive {
        return Ok(value.mark(Mark::SENSITIVE));
    }
    notes.extend(misfits.into_iter().map(|(path, message)| Note {
        address: format!("output.{name}"),
        path,
        message,
    }));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<State> {
        State::read(json.as_bytes(), &ProviderSchemas::new())
    }

    #[test]
    fn resources_of_all_modules_and_outputs_are_read() {
        let state = read(
            r#"{"format_version": "1.0", "terraform_version": "1.9.0", "values": {
                "outputs": {"o": {"sensitive": true, "type": ["list", "string"], "value": ["hunter2"]}},
                "root_module": {
                    "resources": [
                        {"mode": "managed", "address": "r.a", "type": "r", "name": "a", "values": {"n": 1}},
                        {"mode": "managed", "address": "r.a", "type": "r", "name": "a", "deposed_key": "0123",
                         "values": {"n": 2}, "sensitive_values": {}}
                    ],
                    "child_modules": [{"address": "module.m", "resources": [
                        {"mode": "data", "address": "module.m.data.d.x[0]", "type": "d", "name": "x", "index": 0,
                         "values": {"p": "hunter2"}, "sensitive_values": {"p": true}}
                    ]}]
                }
            }}"#,
        )
        .unwrap();
        assert_eq!(state.terraform_version.as_deref(), Some("1.9.0"));
        let kept = state.resource("r.a").unwrap();
        assert_eq!((kept.value.to_string().as_str(), kept.sensitivity), ("{n = 1}", Sensitivity::Unstated));
        let data = state.resource("module.m.data.d.x[0]").unwrap();
        let by_address = [("module.m.data.d.x[0]", data), ("r.a", kept)];
        assert_eq!(state.by_address().into_iter().collect::<Vec<_>>(), by_address);
        assert_eq!((data.mode, data.index.clone()), (Mode::Data, Some(Value::from(0))));
        assert_eq!(data.value.to_string(), "{p = (sensitive value)}");
        assert_eq!(state.outputs.get("o").unwrap().ty().to_string(), "list(string)");
        assert!(!format!("{state:?}").contains("hunter2"));
        assert_eq!(read(r#"{"format_version": "1.0"}"#).unwrap().resources, []);
    }

    #[test]
    fn what_is_no_state_says_what_it_is() {
        for (json, message) in [
            ("[]", "not a state: the JSON is no object"),
            ("{}", "not a state: there is no format_version"),
            (r#"{"format_version": "1.0", "provider_schemas": {}}"#, "not a state: there are no values"),
            (
                r#"{"format_version": "2.0"}"#,
                "states of format \"2.0\" are not supported, expected 0.1, 0.2 or 1.x",
            ),
            (r#"{"format_version": "1.2", "planned_values": {}}"#, "not a state: this is a plan"),
            (
                r#"{"version": 4, "serial": 1, "lineage": "x", "resources": []}"#,
                "not a state: this is a state as it is stored; write it as JSON with `terraform show -json`",
            ),
        ] {
            assert_eq!(read(json).unwrap_err().message(), message, "{json}");
        }
        let error =
            read(r#"{"format_version": "1.0", "values": {"root_module": {"resources": [3]}}}"#).unwrap_err();
        assert_eq!(error.path().to_string(), "values.root_module.resources[0]");
    }
}
