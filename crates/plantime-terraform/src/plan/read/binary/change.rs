//! Reads the changes of resources and outputs.

use smallvec::SmallVec;

use super::address::{InstanceAddress, provider_name};
use super::dynamic_value;
use super::protobuf::{Field, Message, malformed};
use crate::plan::{Action, Change, Importing, Mode, Note, ResourceChange, Sensitivity};
use plantime::unstable::error::Kind;
use plantime::{Error, Mark, Marks, Path, Result, Step, Type, Value, View, limits, msgpack};
use plantime_schema::{ProviderSchemas, Schema};

/// The parts of a message `Change`, with values still in MessagePack.
#[derive(Default)]
struct RawChange<'a> {
    action: u64,
    /// At most two are used, whatever the file has.
    values: SmallVec<[&'a [u8]; 2]>,
    before_sensitive: Vec<Path>,
    after_sensitive: Vec<Path>,
    importing: Option<Box<Importing>>,
    generated_config: Option<Box<str>>,
    before_identity: Option<Box<Value>>,
    after_identity: Option<Box<Value>>,
}

/// The values before and after a change in MessagePack, each `None` if there is none.
type Sides<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

impl<'a> RawChange<'a> {
    /// Reads a message `Change`.
    fn read(message: Message<'a>) -> Result<RawChange<'a>> {
        let mut change = RawChange::default();
        message.for_each(&[1, 5, 6, 7, 8], |number, field| {
            match number {
                1 => change.action = field.varint()?,
                2 if change.values.len() < 2 => change.values.push(dynamic_value(field)?),
                2 => return Err(malformed()),
                3 => change.before_sensitive.push(read_path(field.message()?)?),
                4 => change.after_sensitive.push(read_path(field.message()?)?),
                5 => change.importing = Some(Box::new(read_importing(field.message()?)?)),
                6 => change.generated_config = field.set_text()?.map(String::into_boxed_str),
                7 => change.before_identity = read_identity(field)?.map(Box::new),
                8 => change.after_identity = read_identity(field)?.map(Box::new),
                _ => {}
            }
            Ok(())
        })?;
        Ok(change)
    }

    /// The values before and after the change. The action says which of them the file has.
    fn sides(&self) -> Result<Sides<'a>> {
        let (first, second) = (self.values.first().copied(), self.values.get(1).copied());
        match (self.action, first, second) {
            // Nothing changes: one value stands for both sides.
            (0, Some(value), None) => Ok((Some(value), Some(value))),
            (1, Some(after), None) => Ok((None, Some(after))),
            (5 | 8, Some(before), None) => Ok((Some(before), None)),
            (2 | 3 | 6 | 7 | 9 | 10, Some(before), Some(after)) => Ok((Some(before), Some(after))),
            _ => Err(malformed()),
        }
    }

    /// The actions, as the JSON of a plan names them.
    fn actions(&self) -> Result<Vec<Action>> {
        Ok(match self.action {
            0 => vec![Action::NoOp],
            1 => vec![Action::Create],
            2 => vec![Action::Read],
            3 => vec![Action::Update],
            5 => vec![Action::Delete],
            6 => vec![Action::Delete, Action::Create],
            7 => vec![Action::Create, Action::Delete],
            8 => vec![Action::Forget],
            9 => vec![Action::Create, Action::Forget],
            10 => vec![Action::Forget, Action::Create],
            other => {
                let message = format!("the plan has a change with the action {other}, which is not known");
                return Err(Error::new(Kind::Argument, message));
            }
        })
    }

    /// The change with these values.
    fn finish(self, before: Option<Value>, after: Option<Value>, replace_paths: Vec<Path>) -> Result<Change> {
        Ok(Change {
            actions: self.actions()?,
            before,
            after,
            before_sensitivity: Sensitivity::Stated,
            after_sensitivity: Sensitivity::Stated,
            replace_paths,
            importing: self.importing,
            generated_config: self.generated_config,
            before_identity: self.before_identity,
            after_identity: self.after_identity,
        })
    }
}

/// Reads the change of a resource instance, with values typed by its schema. A null value means that there is no object.
pub(super) fn read_resource(
    message: Message<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<ResourceChange> {
    let (mut address, mut previous, mut deposed, mut provider) = (None, None, None, String::new());
    let (mut change, mut replace_paths, mut reason) = (None, Vec::new(), 0);
    message.for_each(&[7, 8, 9, 12, 13, 14], |number, field| {
        match number {
            13 => address = field.set_text()?,
            14 => previous = field.set_text()?,
            7 => deposed = field.set_text()?,
            8 => provider = provider_name(field.text()?).to_owned(),
            9 => change = Some(field.message()?),
            11 => replace_paths.push(read_path(field.message()?)?),
            12 => reason = field.varint()?,
            _ => {}
        }
        Ok(())
    })?;
    let (Some(address), Some(change)) = (address, change) else { return Err(malformed()) };
    let parts = InstanceAddress::parse(&address)?;
    let schema = match parts.mode {
        Mode::Managed => schemas.read_resource(&provider, &parts.type_name)?,
        Mode::Data => schemas.read_data_source(&provider, &parts.type_name)?,
        Mode::Ephemeral => schemas.read_ephemeral_resource(&provider, &parts.type_name)?,
        Mode::Other => None,
    };
    let change = RawChange::read(change)?;
    let (before, after) = change.sides()?;
    let mut side = |bytes: Option<&[u8]>, sensitive: &[Path]| -> Result<Option<Value>> {
        let Some(bytes) = bytes else { return Ok(None) };
        let value = typed_value(bytes, schema, &address, notes)?;
        Ok(Some(value).filter(|value| !value.is_null()).map(|value| with_sensitive_paths(value, sensitive)))
    };
    let before = side(before, &change.before_sensitive)?;
    let after = side(after, &change.after_sensitive)?;
    Ok(ResourceChange {
        previous_address: previous.filter(|previous| *previous != address).map(String::into_boxed_str),
        module_address: parts.module.map(String::into_boxed_str),
        mode: parts.mode,
        type_name: parts.type_name.into(),
        name: parts.name.into(),
        index: parts.index,
        has_unknown_index: parts.has_unknown_index,
        provider_name: provider.into(),
        deposed: deposed.map(String::into_boxed_str),
        action_reason: action_reason(reason).map(String::into_boxed_str),
        change: change.finish(before, after, replace_paths)?,
        address,
    })
}

/// Reads the change of an output: its name, the type of the value after it, the change.
pub(super) fn read_output(message: Message<'_>) -> Result<(String, Option<Type>, Change)> {
    let (mut name, mut change, mut sensitive) = (String::new(), None, false);
    message.for_each(&[1, 2, 3], |number, field| {
        match number {
            1 => field.text()?.clone_into(&mut name),
            2 => change = Some(field.message()?),
            3 => sensitive = field.flag()?,
            _ => {}
        }
        Ok(())
    })?;
    let change = RawChange::read(change.ok_or_else(malformed)?)?;
    let (before, after) = change.sides()?;
    let side = |bytes: Option<&[u8]>, paths: &[Path]| -> Result<Option<Value>> {
        let Some(bytes) = bytes else { return Ok(None) };
        let under = |error: Error| {
            error.above_content(0).under(Step::attr(&name)).under(Step::attr("output_changes"))
        };
        let value = msgpack::from_slice(bytes, &Type::Dynamic).map_err(under)?;
        // The JSON of a sensitive output does not say which parts of it are sensitive either.
        Ok(Some(if sensitive { value.mark(Mark::SENSITIVE) } else { with_sensitive_paths(value, paths) }))
    };
    let before = side(before, &change.before_sensitive)?;
    let after = side(after, &change.after_sensitive)?;
    let ty = after.as_ref().map(Value::ty);
    Ok((name, ty, change.finish(before, after, Vec::new())?))
}

/// Reads the address and path of an attribute that contributed to the plan.
pub(super) fn read_relevant_attribute(message: Message<'_>) -> Result<Option<(String, Path)>> {
    let (mut resource, mut path) = (None, Path::new());
    message.for_each(&[1, 2], |number, field| {
        match number {
            1 => resource = field.set_text()?,
            2 => path = read_path(field.message()?)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(resource.map(|resource| (resource, path)))
}

/// The value in MessagePack, of the type that the schema gives it. A value that does not fit is read as without a schema,
/// with a note.
pub(super) fn typed_value(
    bytes: &[u8],
    schema: Option<&Schema>,
    address: &str,
    notes: &mut Vec<Note>,
) -> Result<Value> {
    // The schema has the names of attributes, so they are no secret; keys below them may be.
    let untyped = || {
        plantime::unstable::msgpack::from_slice_untyped(bytes).map_err(|error| of_resource(error, address))
    };
    let Some(schema) = schema else { return untyped() };
    let typed = schema
        .implied_type()
        .cloned()
        .and_then(|ty| msgpack::from_slice(bytes, &ty).map(|value| with_open_nulls(value, &ty)));
    let value = match typed {
        Ok(value) => value,
        Err(error) => {
            note_misfit(&error, address, notes);
            untyped()?
        }
    };
    Ok(with_schema_marks(value, schema))
}

/// The error for a value of a resource, which names the resource and at most the attribute.
pub(super) fn of_resource(error: Error, address: &str) -> Error {
    let error = error.above_content(1);
    let message = format!("{}, in a value of {address}", error.message());
    error.with_message(message)
}

/// The value with each null of a dynamic attribute as a null of no type. The file says with which type it was written, and
/// plan JSON does not: a rule has to answer the same from both.
fn with_open_nulls(value: Value, declared: &Type) -> Value {
    match (declared, value.view()) {
        (Type::Dynamic, View::Null(_)) => Value::null(Type::Dynamic),
        (Type::Dynamic, View::Tuple(_) | View::Object(_)) => {
            value.map_children(|_, child| with_open_nulls(child.clone(), &Type::Dynamic)).unwrap_or(value)
        }
        (Type::Object(ty), View::Object(_)) if ty.iter().any(|(_, ty)| ty.has_dynamic()) => {
            let declared = |step: &Step| ty.get(step.name()?);
            let child = |step: &Step, child: &Value| {
                with_open_nulls(child.clone(), declared(step).unwrap_or(&Type::Bool))
            };
            value.map_children(child).unwrap_or(value)
        }
        _ => value,
    }
}

/// Notes that a value does not fit its schema.
pub(super) fn note_misfit(error: &Error, address: &str, notes: &mut Vec<Note>) {
    // The schema has the names of attributes, so they are no secret; keys below them are content.
    let names = error.path().steps().iter().take(1).take_while(|step| matches!(step, Step::Attr(_)));
    notes.push(Note {
        address: address.to_owned(),
        path: names.cloned().collect(),
        message: "the value does not fit the schema, so it is read without".to_owned(),
    });
}

/// The value with the marks for what its schema declares sensitive.
pub(super) fn with_schema_marks(value: Value, schema: &Schema) -> Value {
    let mut places = schema.marks_for(&value);
    places.retain(|(_, marks)| marks.contains(&Mark::SENSITIVE));
    for (_, marks) in &mut places {
        *marks = Marks::from(Mark::SENSITIVE);
    }
    value.mark_with_paths(&places)
}

/// The value marked as sensitive at each of these paths, or above it where the path cannot be followed.
pub(super) fn with_sensitive_paths(value: Value, paths: &[Path]) -> Value {
    paths.iter().fold(value, |value, path| with_sensitive_path(&value, path.steps()))
}

/// The value with a mark at the end of a path, or above it where the path cannot be followed. Without a schema the kind
/// of a container is not known, so a path may lead into a map that was read as an object, or into a set.
fn with_sensitive_path(value: &Value, steps: &[Step]) -> Value {
    let Some((step, rest)) = steps.split_first() else { return value.clone().mark(Mark::SENSITIVE) };
    let key = match step {
        Step::Attr(name) => Some(name.as_str().to_owned()),
        Step::Index(key) => key.as_str().ok().map(str::to_owned),
    };
    let leads_on = match value.view_below_marks() {
        View::Object(_) => key.is_some(),
        View::Map(_) => matches!(step, Step::Index(_)) && key.is_some(),
        View::List(_) | View::Tuple(_) => value.part(step).is_some(),
        // Core ignores the marks inside what is null.
        View::Null(_) => return value.clone(),
        _ => false,
    };
    if !leads_on {
        return value.clone().mark(Mark::SENSITIVE);
    }
    value.rebuilt(&mut |own, part| {
        let same = match (&own, &key) {
            (Step::Attr(name), Some(key)) => name.as_str() == key,
            (Step::Index(own), Some(key)) => own.as_str().is_ok_and(|own| own == key),
            _ => own == *step,
        };
        if same { with_sensitive_path(part, rest) } else { part.clone() }
    })
}

/// Reads a message `Path`.
pub(super) fn read_path(message: Message<'_>) -> Result<Path> {
    let mut path = Path::new();
    message.for_each(&[], |number, field| {
        if number != 1 {
            return Ok(());
        }
        if path.len() >= limits::DEPTH {
            return Err(Error::new(Kind::Limit, format!("a path may have at most {} steps", limits::DEPTH)));
        }
        let mut step = None;
        field.message()?.for_each(&[1, 2], |number, field| {
            match number {
                1 | 2 if step.is_some() => return Err(malformed()),
                1 => step = Some(Step::attr(field.text()?)),
                2 => {
                    step = Some(Step::Index(plantime::unstable::msgpack::from_slice_untyped(dynamic_value(
                        field,
                    )?)?))
                }
                _ => {}
            }
            Ok(())
        })?;
        path.push(step.ok_or_else(malformed)?);
        Ok(())
    })?;
    Ok(path)
}

/// Reads the existing object that a resource is imported from.
fn read_importing(message: Message<'_>) -> Result<Importing> {
    let mut importing = Importing::default();
    message.for_each(&[1, 2, 3], |number, field| {
        match (number, field) {
            (1, field) => importing.id = field.set_text()?,
            // Field 2 is a flag of Terraform, and the identity of OpenTofu.
            (2, Field::Varint(unknown)) => importing.unknown = unknown != 0,
            (2 | 3, Field::Bytes(..)) => importing.identity = read_identity(field)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(importing)
}

/// Reads the identity of a resource, whose schema is not in the plan; `None` for null and for no value.
fn read_identity(field: Field<'_>) -> Result<Option<Value>> {
    match dynamic_value(field)? {
        [] => Ok(None),
        bytes => plantime::unstable::msgpack::from_slice_untyped(bytes)
            .map(|value| Some(value).filter(|value| !value.is_null())),
    }
}

/// Terraform's constant for a reason; `None` for no reason.
fn action_reason(reason: u64) -> Option<String> {
    let text = match reason {
        0 => return None,
        1 => "replace_because_tainted",
        2 => "replace_by_request",
        3 => "replace_because_cannot_update",
        4 => "delete_because_no_resource_config",
        5 => "delete_because_wrong_repetition",
        6 => "delete_because_count_index",
        7 => "delete_because_each_key",
        8 => "delete_because_no_module",
        9 => "replace_by_triggers",
        10 => "read_because_config_unknown",
        11 => "read_because_dependency_pending",
        12 => "delete_because_no_move_target",
        13 => "read_because_check_nested",
        14 => "delete_because_enabled_false",
        15 => "forgot_because_lifecycle_destroy_in_state",
        16 => "forgot_because_lifecycle_destroy_in_config",
        other => return Some(format!("unknown reason {other}")),
    };
    Some(text.to_owned())
}
