//! The reader of plan JSON: one pass over the text, one resource at a time.

use std::collections::BTreeMap;

use crate::error::{Error, Kind, Result};
use crate::json::shape::{array, flag, object, text};
use crate::json::{Item, Node, Reader, Str, Tape, Token, implied};
use crate::mark::Mark;
use crate::path::{Path, Step};
use crate::schema::{ProviderSchemas, Schema, Shape};
use crate::types::Type;
use crate::value::Value;

use super::fuse::{Misfits, Trees, fuse};
use super::{
    Action, Change, Importing, Mode, Note, Plan, References, ResourceChange, Sensitivity, check, data,
};

pub(super) fn plan(text: &[u8], schemas: &ProviderSchemas) -> Result<Plan> {
    let mut reader = Reader::new(text)?;
    if reader.peek()? != Token::Object {
        return Err(Error::new(Kind::Syntax, "not a plan: the JSON is no object"));
    }
    let mut root = Root {
        schemas,
        plan: Plan::default(),
        tapes: Tapes::default(),
        outputs: Vec::new(),
        types: BTreeMap::new(),
        version: None,
        has_changes: false,
    };
    let result = object(&mut reader, |key, reader| root.property(key, reader)).and_then(|()| reader.end());
    root.finish(result)
}

/// What has been read of the root so far.
struct Root<'a, 's> {
    schemas: &'s ProviderSchemas,
    plan: Plan,
    tapes: Tapes<'a>,
    /// Held back, since their types stand elsewhere.
    outputs: Vec<(String, Tapes<'a>)>,
    types: BTreeMap<String, Type>,
    version: Option<String>,
    has_changes: bool,
}

impl<'a> Root<'a, '_> {
    fn property(&mut self, key: &str, reader: &mut Reader<'a>) -> Result<()> {
        match key {
            "format_version" => {
                self.version = text(reader)?;
                self.version.as_deref().map_or(Ok(()), check_version)?;
            }
            "terraform_version" => self.plan.terraform_version = text(reader)?,
            "variables" => variables(reader, &mut self.plan.variables)?,
            "planned_values" => {
                self.has_changes = true;
                output_types(reader, &mut self.types)?;
            }
            "resource_changes" => {
                self.has_changes = true;
                self.resources(reader, |plan| &mut plan.resource_changes)?;
            }
            "resource_drift" => self.resources(reader, |plan| &mut plan.resource_drift)?,
            "output_changes" => object(reader, |name, reader| {
                let mut tapes = Tapes::default();
                tapes.read(reader)?;
                self.outputs.push((name.to_owned(), tapes));
                Ok(())
            })?,
            "prior_state" => {
                self.plan.data_sources = data::sources(reader, self.schemas, &mut self.plan.notes)?;
            }
            "configuration" => self.plan.references = References::read(reader)?,
            "relevant_attributes" => array(reader, |reader| {
                self.plan.relevant_attributes.push(relevant(reader)?);
                Ok(())
            })?,
            "checks" => array(reader, |reader| {
                self.plan.checks.push(check::read(reader)?);
                Ok(())
            })?,
            "timestamp" => self.plan.timestamp = text(reader)?,
            "errored" => self.plan.errored = Some(flag(reader)?),
            "complete" => self.plan.complete = Some(flag(reader)?),
            "applyable" => self.plan.applyable = Some(flag(reader)?),
            _ => reader.skip()?,
        }
        Ok(())
    }

    fn resources(
        &mut self,
        reader: &mut Reader<'a>,
        into: fn(&mut Plan) -> &mut Vec<ResourceChange>,
    ) -> Result<()> {
        let (tapes, schemas) = (&mut self.tapes, self.schemas);
        let plan = &mut self.plan;
        array(reader, |reader| {
            let change = resource(reader, tapes, schemas, &mut plan.notes)?;
            into(plan).push(change);
            Ok(())
        })
    }

    /// The plan, once everything is read; a file that is no plan says so, whatever else went wrong in it.
    fn finish(self, read: Result<()>) -> Result<Plan> {
        let Root { mut plan, version, has_changes, outputs, types, .. } = self;
        read?;
        let Some(version) = version else {
            return Err(Error::new(Kind::Syntax, "not a plan: there is no format_version"));
        };
        if !has_changes {
            let message = "not a plan: there is neither planned_values nor resource_changes";
            return Err(Error::new(Kind::Syntax, message));
        }
        plan.format_version = version;
        for (name, tapes) in outputs {
            let under = |error: Error| error.under(Step::attr(&name)).under(Step::attr("output_changes"));
            let change = tapes.output(types.get(&name), &name, &mut plan.notes).map_err(under)?;
            plan.output_changes.insert(name, change);
        }
        for (name, value) in &mut plan.variables {
            if plan.references.is_sensitive_variable(name) {
                let bare = std::mem::replace(value, Value::dynamic());
                *value = bare.mark(Mark::SENSITIVE);
            }
        }
        Ok(plan)
    }
}

fn check_version(version: &str) -> Result<()> {
    match version.split('.').next().and_then(|major| major.parse::<u64>().ok()) {
        Some(0 | 1) => Ok(()),
        _ => Err(Error::new(
            Kind::Argument,
            format!("plans of format {version:?} are not supported, expected 0.1, 0.2 or 1.x"),
        )),
    }
}

fn variables(reader: &mut Reader<'_>, into: &mut BTreeMap<String, Value>) -> Result<()> {
    object(reader, |name, reader| {
        let mut value = Value::null(Type::Dynamic);
        object(reader, |key, reader| {
            match key {
                "value" => value = implied(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        into.insert(name.to_owned(), value);
        Ok(())
    })
}

/// The types of root outputs, which only newer formats have.
fn output_types(reader: &mut Reader<'_>, types: &mut BTreeMap<String, Type>) -> Result<()> {
    object(reader, |key, reader| match key {
        "outputs" => object(reader, |name, reader| {
            object(reader, |key, reader| {
                match key {
                    "type" => {
                        types.insert(name.to_owned(), crate::json::shape::ty(reader)?);
                    }
                    _ => reader.skip()?,
                }
                Ok(())
            })
        }),
        _ => reader.skip(),
    })
}

fn relevant(reader: &mut Reader<'_>) -> Result<(String, Path)> {
    let (mut resource, mut path) = (String::new(), Path::new());
    object(reader, |key, reader| {
        match key {
            "resource" => resource = text(reader)?.unwrap_or_default(),
            "attribute" => path = Tape::new().read(reader).map(|item| path_of(item, &Type::Dynamic))??,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    Ok((resource, path))
}

/// The parts of a change as they stand, until everything that is needed for them is known.
#[derive(Default)]
struct Tapes<'a> {
    actions: Vec<Action>,
    before: Part<'a>,
    after: Part<'a>,
    after_unknown: Part<'a>,
    before_sensitive: Part<'a>,
    after_sensitive: Part<'a>,
    replace_paths: Part<'a>,
    importing: Option<Importing>,
    generated_config: Option<String>,
    before_identity: Option<Value>,
    after_identity: Option<Value>,
}

/// A property that may be absent.
#[derive(Default)]
struct Part<'a> {
    tape: Tape<'a>,
    is_there: bool,
}

impl<'a> Part<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<()> {
        self.is_there = true;
        self.tape.read(reader).map(|_| ())
    }

    fn item<'t>(&'t self) -> Option<Item<'t, 'a>> {
        self.is_there.then(|| self.tape.root())
    }
}

impl<'a> Tapes<'a> {
    /// Forgets the last change; keeps the memory.
    fn clear(&mut self) {
        let Tapes { before, after, after_unknown, before_sensitive, after_sensitive, replace_paths, .. } =
            self;
        for part in [before, after, after_unknown, before_sensitive, after_sensitive, replace_paths] {
            part.is_there = false;
        }
        self.actions = Vec::new();
        self.importing = None;
        self.generated_config = None;
        self.before_identity = None;
        self.after_identity = None;
    }

    fn read(&mut self, reader: &mut Reader<'a>) -> Result<()> {
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
            "before_sensitive" => self.before_sensitive.read(reader),
            "after_sensitive" => self.after_sensitive.read(reader),
            "replace_paths" => self.replace_paths.read(reader),
            "importing" => {
                self.importing = importing(reader)?;
                Ok(())
            }
            "generated_config" => {
                self.generated_config = text(reader)?;
                Ok(())
            }
            "before_identity" => {
                self.before_identity = Some(implied(reader)?).filter(|identity| !identity.is_null());
                Ok(())
            }
            "after_identity" => {
                self.after_identity = Some(implied(reader)?).filter(|identity| !identity.is_null());
                Ok(())
            }
            _ => reader.skip(),
        })
    }

    fn before(&self) -> Trees<'_, 'a> {
        Trees { known: self.before.item(), unknown: None, sensitive: self.before_sensitive.item() }
    }

    fn after(&self) -> Trees<'_, 'a> {
        Trees {
            known: self.after.item(),
            unknown: self.after_unknown.item(),
            sensitive: self.after_sensitive.item(),
        }
    }

    /// The change of a resource.
    fn resource(&mut self, schema: Option<&Schema>, address: &str, notes: &mut Vec<Note>) -> Result<Change> {
        let side = |trees: Trees<'_, '_>, name: &str, notes: &mut Vec<Note>| -> Result<Option<Value>> {
            let absent = trees.known.is_none_or(Item::is_null);
            let unknown = trees.unknown.is_some_and(|item| item.is_true() || item.len() > 0);
            if absent && !(trees.known.is_none() && unknown) {
                return Ok(None);
            }
            let value = typed(trees, schema, address, notes, fuse);
            value.map(Some).map_err(|error| error.under(Step::attr(name)))
        };
        let before = side(self.before(), "before", notes)?;
        let after = side(self.after(), "after", notes)?;
        let ty = schema.and_then(|schema| schema.implied_type().ok()).unwrap_or(&Type::Dynamic);
        self.change(before, after, ty)
    }

    /// The change of an output. There null is a value: absent is what is not made, or what is deleted.
    fn output(mut self, ty: Option<&Type>, name: &str, notes: &mut Vec<Note>) -> Result<Change> {
        let address = format!("output.{name}");
        let only = |action: Action| *self.actions == [action];
        let ty = ty.unwrap_or(&Type::Dynamic);
        let before = (!only(Action::Create)).then(|| self.output_before(ty)).transpose()?;
        let after = match only(Action::Delete) {
            true => None,
            false => {
                let mut misfits = Misfits::new();
                let after = fuse(self.after(), ty, None, &mut misfits)?;
                take_notes(misfits, &address, notes);
                Some(after)
            }
        };
        self.change(before, after, &Type::Dynamic)
    }

    /// The value of an output before. The file gives only the type after, which is the type before too where the
    /// value fits it.
    fn output_before(&self, ty: &Type) -> Result<Value> {
        let mut misfits = Misfits::new();
        let typed = fuse(self.before(), ty, None, &mut misfits)?;
        if misfits.is_empty() {
            Ok(typed)
        } else {
            fuse(self.before(), &Type::Dynamic, None, &mut Misfits::new())
        }
    }

    fn change(&mut self, before: Option<Value>, after: Option<Value>, ty: &Type) -> Result<Change> {
        let sensitivity = |value: &Option<Value>, part: &Part<'_>| {
            if part.is_there || value.is_none() { Sensitivity::Stated } else { Sensitivity::Unstated }
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

/// The value of the trees with the type of a schema, or as they imply.
pub(super) fn typed(
    trees: Trees<'_, '_>,
    schema: Option<&Schema>,
    address: &str,
    notes: &mut Vec<Note>,
    fuse: fn(Trees<'_, '_>, &Type, Option<&Shape>, &mut Misfits) -> Result<Value>,
) -> Result<Value> {
    let mut misfits = Misfits::new();
    let value = match schema.map(Schema::compiled) {
        Some(Ok(compiled)) => fuse(trees, compiled.ty(), Some(compiled.shape()), &mut misfits)?,
        Some(Err(error)) => {
            misfits.push((Path::new(), format!("the schema is not usable: {error}")));
            fuse(trees, &Type::Dynamic, None, &mut misfits)?
        }
        None => fuse(trees, &Type::Dynamic, None, &mut misfits)?,
    };
    take_notes(misfits, address, notes);
    Ok(value)
}

fn take_notes(misfits: Misfits, address: &str, notes: &mut Vec<Note>) {
    notes.extend(misfits.into_iter().map(|(path, message)| Note {
        address: address.to_owned(),
        path,
        message,
    }));
}

fn importing(reader: &mut Reader<'_>) -> Result<Option<Importing>> {
    if reader.peek()? == Token::Null {
        return reader.null().map(|()| None);
    }
    let mut importing = Importing::default();
    object(reader, |key, reader| {
        match key {
            "id" => importing.id = text(reader)?,
            "identity" => importing.identity = Some(implied(reader)?).filter(|identity| !identity.is_null()),
            "unknown" => importing.unknown = flag(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    Ok(Some(importing))
}

/// A path as an array of steps: text is an attribute, or the key of a map; a number is an index; anything else is
/// the member of a set.
fn path_of(steps: Item<'_, '_>, ty: &Type) -> Result<Path> {
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
            (Step::Index(fuse(trees, &member, None, &mut Misfits::new())?), element())
        }
    })
}

fn attr(name: Str<'_>) -> Step {
    Step::attr(&name.text())
}

fn resource<'a>(
    reader: &mut Reader<'a>,
    tapes: &mut Tapes<'a>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<ResourceChange> {
    tapes.clear();
    let (mut address, mut previous_address, mut module_address) = (None, None, None);
    let (mut mode, mut type_name, mut name) = (Mode::Managed, String::new(), String::new());
    let (mut index, mut provider_name, mut deposed, mut action_reason) = (None, String::new(), None, None);
    let mut has_change = false;
    object(reader, |key, reader| {
        match key {
            "address" => address = text(reader)?,
            "previous_address" => previous_address = text(reader)?,
            "module_address" => module_address = text(reader)?.filter(|module| !module.is_empty()),
            "mode" => mode = Mode::from_text(&text(reader)?.unwrap_or_default()),
            "type" => type_name = text(reader)?.unwrap_or_default(),
            "name" => name = text(reader)?.unwrap_or_default(),
            "index" => index = Some(implied(reader)?).filter(|index| !index.is_null()),
            "provider_name" => provider_name = text(reader)?.unwrap_or_default(),
            "deposed" => deposed = text(reader)?,
            "action_reason" => action_reason = text(reader)?,
            "change" => {
                has_change = true;
                tapes.read(reader)?;
            }
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    if !has_change {
        return Err(reader.error("the change is missing in a resource change that ends"));
    }
    let address = address.unwrap_or_else(|| {
        let module = module_address.as_deref().map(|module| format!("{module}.")).unwrap_or_default();
        let index = index.as_ref().map(|index: &Value| format!("[{index}]")).unwrap_or_default();
        format!("{module}{}{type_name}.{name}{index}", mode.prefix())
    });
    let schema = match mode {
        Mode::Managed => schemas.resource(&provider_name, &type_name),
        Mode::Data => schemas.data_source(&provider_name, &type_name),
        Mode::Ephemeral => schemas.ephemeral_resource(&provider_name, &type_name),
        Mode::Other => None,
    };
    let change =
        tapes.resource(schema, &address, notes).map_err(|error| error.under(Step::attr("change")))?;
    Ok(ResourceChange {
        address,
        previous_address,
        module_address,
        mode,
        type_name,
        name,
        index,
        provider_name,
        deposed,
        action_reason,
        change,
    })
}
