//! Reads one planned change. The known, unknown and sensitive parts of a value are separate JSON properties, so the JSON is
//! buffered on tapes until all of them are read.

use std::borrow::Cow;
use std::sync::Arc;

use super::fuse::{Misfits, Trees, fuse, has_true};
use crate::json::{Item, Node, Tape};
use crate::plan::document::REFINEMENTS_KEY;
use crate::plan::{Action, Change, Importing, Note, Sensitivity};
use plantime::unstable::json::{Reader, Str, Token, implied};
use plantime::{Error, Path, Result, Step, Type, Value};
use plantime_schema::Schema;
use plantime_schema::unstable::json::{array, object, read_flag, read_text};

/// The JSON of one change, each property parsed onto a tape of its own. Its values are built once the whole change is
/// read, since a value is spread over several properties.
#[derive(Default)]
pub(super) struct Tapes<'a> {
    pub(super) type_names: RepeatedText,
    pub(super) names: RepeatedText,
    pub(super) provider_names: RepeatedText,
    actions: Vec<Action>,
    before: Property<'a>,
    after: Property<'a>,
    after_unknown: Property<'a>,
    after_refinements: Property<'a>,
    before_sensitive: Property<'a>,
    after_sensitive: Property<'a>,
    replace_paths: Property<'a>,
    importing: Option<Box<Importing>>,
    generated_config: Option<Box<str>>,
    before_identity: Option<Box<Value>>,
    after_identity: Option<Box<Value>>,
}

/// The parsed JSON of a property that may be absent.
#[derive(Default)]
struct Property<'a> {
    tape: Tape<'a>,
    is_present: bool,
}

impl<'a> Property<'a> {
    /// Reads the value of the property.
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<()> {
        self.is_present = true;
        // What is sensitive is read later, and names below the property may be content.
        self.tape.read(reader).map(|_| ()).map_err(|error| error.above_content(0))
    }

    /// The JSON of the property, if it is present.
    fn item<'t>(&'t self) -> Option<Item<'t, 'a>> {
        self.is_present.then(|| self.tape.root())
    }
}

impl<'a> Tapes<'a> {
    /// Prepares for the next change: drops the properties of the last one, and reuses the memory.
    pub(super) fn clear(&mut self) {
        for part in [
            &mut self.before,
            &mut self.after,
            &mut self.after_unknown,
            &mut self.after_refinements,
            &mut self.before_sensitive,
            &mut self.after_sensitive,
            &mut self.replace_paths,
        ] {
            part.is_present = false;
        }
        self.actions = Vec::with_capacity(1);
        self.importing = None;
        self.generated_config = None;
        self.before_identity = None;
        self.after_identity = None;
    }

    /// Reads the properties of a change.
    pub(super) fn read(&mut self, reader: &mut Reader<'a>) -> Result<()> {
        object(reader, |key, reader| match key {
            "actions" => array(reader, |reader| match reader.peek()? {
                Token::String => {
                    self.actions.push(Action::from_text(&reader.string()?.text()));
                    Ok(())
                }
                _ => Err(reader.mismatch("string")),
            }),
            "before" => self.before.read(reader),
            "after" => self.after.read(reader),
            "after_unknown" => self.after_unknown.read(reader),
            REFINEMENTS_KEY => self.after_refinements.read(reader),
            "before_sensitive" => self.before_sensitive.read(reader),
            "after_sensitive" => self.after_sensitive.read(reader),
            "replace_paths" => self.replace_paths.read(reader),
            "importing" => {
                self.importing = read_importing(reader)?.map(Box::new);
                Ok(())
            }
            "generated_config" => {
                self.generated_config = read_text(reader)?.map(String::into_boxed_str);
                Ok(())
            }
            "before_identity" => {
                self.before_identity = identity(reader)?;
                Ok(())
            }
            "after_identity" => {
                self.after_identity = identity(reader)?;
                Ok(())
            }
            _ => reader.skip_unique(),
        })
    }

    /// The JSON trees of the value before the change. It has no unknown places.
    fn before_trees(&self) -> Trees<'_, 'a> {
        Trees { known: self.before.item(), sensitive: self.before_sensitive.item(), ..Trees::default() }
    }

    /// The JSON trees of the value after the change.
    fn after_trees(&self) -> Trees<'_, 'a> {
        Trees {
            known: self.after.item(),
            unknown: self.after_unknown.item(),
            refinements: self.after_refinements.item(),
            sensitive: self.after_sensitive.item(),
            shape: None,
        }
    }

    /// The change of a resource, with values typed by its schema. A null value means that there is no object before
    /// or after.
    pub(super) fn resource_change(
        &mut self,
        schema: Option<&Schema>,
        address: &str,
        notes: &mut Vec<Note>,
    ) -> Result<Change> {
        let side = |trees: Trees<'_, '_>, name: &str, notes: &mut Vec<Note>| -> Result<Option<Value>> {
            let absent = trees.known.is_none_or(Item::is_null);
            // A value that is wholly unknown is written as null, or not at all.
            let unknown =
                trees.unknown.is_some_and(|mask| has_true(mask) || trees.known.is_none() && mask.len() > 0);
            if absent && !unknown {
                return Ok(None);
            }
            let value = fuse_with_schema(trees, schema, address, notes);
            value.map(Some).map_err(|error| public_error(error, trees, 1).under(Step::attr(name)))
        };
        let before = side(self.before_trees(), "before", notes)?;
        let after = side(self.after_trees(), "after", notes)?;
        let ty = schema.and_then(|schema| schema.implied_type().ok()).unwrap_or(&Type::Dynamic);
        self.build_change(before, after, ty)
    }

    /// The change of an output, with values of its declared type. A null is a value of an output, so only the actions
    /// tell whether there is one before and after.
    pub(super) fn output_change(
        mut self,
        ty: Option<&Type>,
        name: &str,
        notes: &mut Vec<Note>,
    ) -> Result<Change> {
        let address = format!("output.{name}");
        let only = |action: Action| *self.actions == [action];
        let ty = ty.unwrap_or(&Type::Dynamic);
        let before = (!only(Action::Create)).then(|| self.prior_output(ty)).transpose()?;
        let after = match only(Action::Delete) {
            true => None,
            false => {
                let mut misfits = Misfits::new();
                let trees = self.after_trees();
                let after = fuse(trees, ty, &mut misfits).map_err(|error| public_error(error, trees, 0))?;
                if !misfits.is_empty() && trees.sensitive.is_none_or(Item::is_null) {
                    misfits = vec![(Path::new(), "what is inside does not fit".to_owned())];
                }
                add_notes(misfits, &address, notes);
                Some(after)
            }
        };
        self.build_change(before, after, &Type::Dynamic)
    }

    /// The value of an output before the change: of the type `ty`, which the plan gives the value after it, if it
    /// fits; else of the type that its JSON implies.
    fn prior_output(&self, ty: &Type) -> Result<Value> {
        let mut misfits = Misfits::new();
        let trees = self.before_trees();
        let read = |ty: &Type, misfits: &mut Misfits| {
            fuse(trees, ty, misfits).map_err(|error| public_error(error, trees, 0))
        };
        let typed = read(ty, &mut misfits)?;
        if misfits.is_empty() { Ok(typed) } else { read(&Type::Dynamic, &mut Misfits::new()) }
    }

    /// The change with these values and the other properties that were read. `ty` is the type that paths are read
    /// with.
    fn build_change(&mut self, before: Option<Value>, after: Option<Value>, ty: &Type) -> Result<Change> {
        let sensitivity = |value: &Option<Value>, part: &Property<'_>| {
            let is_stated = part.item().is_some_and(|mask| !mask.is_null());
            if is_stated || value.is_none() { Sensitivity::Stated } else { Sensitivity::Unstated }
        };
        let replace_paths = match self.replace_paths.item() {
            Some(paths) => paths.elements().map(|path| path_of(path, ty)).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        Ok(Change {
            actions: std::mem::take(&mut self.actions),
            before_sensitivity: sensitivity(&before, &self.before_sensitive),
            after_sensitivity: sensitivity(&after, &self.after_sensitive),
            before,
            after,
            replace_paths,
            importing: self.importing.take(),
            generated_config: self.generated_config.take(),
            before_identity: self.before_identity.take(),
            after_identity: self.after_identity.take(),
        })
    }
}

/// The error as it may be shown: where nothing says what is sensitive, its path has at most `steps` steps.
fn public_error(error: Error, trees: Trees<'_, '_>, steps: usize) -> Error {
    if trees.sensitive.is_some_and(|mask| !mask.is_null()) { error } else { error.above_content(steps) }
}

/// Builds a value from its JSON trees, typed by a schema if there is one. Adds a note for each place that does not fit.
pub(super) fn fuse_with_schema(
    trees: Trees<'_, '_>,
    schema: Option<&Schema>,
    address: &str,
    notes: &mut Vec<Note>,
) -> Result<Value> {
    let mut misfits = Misfits::new();
    let value = match schema.map(Schema::compiled) {
        Some(Ok(compiled)) => {
            let trees = Trees { shape: Some(compiled.shape()), ..trees };
            fuse(trees, compiled.ty(), &mut misfits)?
        }
        Some(Err(error)) => {
            misfits.push((Path::new(), format!("the schema is not usable: {error}")));
            fuse(trees, &Type::Dynamic, &mut misfits)?
        }
        None => {
            let value = fuse(trees, &Type::Dynamic, &mut misfits)?;
            if trees.sensitive.is_none_or(Item::is_null) {
                misfits.iter_mut().for_each(conceal_misfit);
            }
            value
        }
    };
    add_notes(misfits, address, notes);
    Ok(value)
}

/// Leaves of a misfit no more than the attribute that it is in, where nothing says what is sensitive.
fn conceal_misfit((path, message): &mut (Path, String)) {
    if !path.is_empty() {
        *path = path.steps().iter().take(1).cloned().collect();
        "what is inside does not fit".clone_into(message);
    }
}

/// Adds a note for each misfit of the value at an address.
fn add_notes(misfits: Misfits, address: &str, notes: &mut Vec<Note>) {
    notes.extend(misfits.into_iter().map(|(path, message)| Note {
        address: address.to_owned(),
        path,
        message,
    }));
}

/// Reads from where a resource is imported; `None` for null.
fn read_importing(reader: &mut Reader<'_>) -> Result<Option<Importing>> {
    if reader.peek()? == Token::Null {
        return reader.null().map(|()| None);
    }
    let mut importing = Importing::default();
    object(reader, |key, reader| {
        match key {
            "id" => importing.id = read_text(reader)?,
            "identity" => importing.identity = Some(implied(reader)?).filter(|identity| !identity.is_null()),
            "unknown" => importing.unknown = read_flag(reader)?,
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok(Some(importing))
}

/// Reads a path into a value of type `ty` from a JSON array of steps: a string is an attribute or a map key, a number
/// is an index, anything else is the member of a set.
pub(super) fn path_of(steps: Item<'_, '_>, ty: &Type) -> Result<Path> {
    if steps.kind() != Token::Array {
        return Err(steps.mismatch("array"));
    }
    let mut path = Path::new();
    let mut here = Some(ty.clone());
    for step in steps.elements() {
        let (step, below) = path_step(step, here.as_ref())?;
        path.push(step);
        here = below;
    }
    Ok(path)
}

/// Reads one step of a path into a value of type `ty`; also returns the type of the value that it leads to, if it is
/// known.
fn path_step(step: Item<'_, '_>, ty: Option<&Type>) -> Result<(Step, Option<Type>)> {
    let element = || ty.and_then(Type::element_type).cloned();
    let trees = Trees { known: Some(step), ..Trees::default() };
    Ok(match (step.node(), ty) {
        (Node::String(text), Some(Type::Map(_))) => (Step::index(text.text()), element()),
        (Node::String(text), Some(Type::Object(object))) => {
            (Step::attr(&text.text()), object.get(&text.text()).cloned())
        }
        (Node::String(text), _) if !matches!(ty, Some(Type::Set(_))) => (attr(text), None),
        _ => {
            let member = match ty {
                Some(Type::Set(set)) => set.element().clone(),
                _ => Type::Dynamic,
            };
            (Step::Index(fuse(trees, &member, &mut Misfits::new())?), element())
        }
    })
}

/// The path step to the attribute with this name.
fn attr(name: Str<'_>) -> Step {
    Step::attr(&name.text())
}

/// Reads texts that mostly repeat from one resource to the next, and shares equal ones that follow each other.
#[derive(Default)]
pub(super) struct RepeatedText {
    last: Arc<str>,
}

impl RepeatedText {
    /// Reads a string; empty for `null`.
    pub(super) fn read(&mut self, reader: &mut Reader<'_>) -> Result<Arc<str>> {
        let text = match reader.peek()? {
            Token::String => reader.string()?.text(),
            Token::Null => {
                reader.null()?;
                Cow::Borrowed("")
            }
            _ => return Err(reader.mismatch("string")),
        };
        if *text != *self.last {
            self.last = Arc::from(text);
        }
        Ok(Arc::clone(&self.last))
    }
}

/// Reads a string that is rarely there; `None` for `null`.
pub(super) fn boxed_text(reader: &mut Reader<'_>) -> Result<Option<Box<str>>> {
    Ok(read_text(reader)?.map(String::into_boxed_str))
}

/// Reads the identity of a resource; `None` for `null`.
fn identity(reader: &mut Reader<'_>) -> Result<Option<Box<Value>>> {
    Ok(Some(implied(reader)?).filter(|identity| !identity.is_null()).map(Box::new))
}
