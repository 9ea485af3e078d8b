//! Whether a document is a schema, and which of its keywords are not supported.

use crate::error::{Error, Kind, Result};
use crate::path::{Path, Step};
use crate::rule::keywords::elements;
use crate::text::with_article;
use crate::value::{ObjectView, Value, View};

use super::draft::Draft;
use super::keywords::{Shape, shape};
use super::{DEPTH, Unsupported};

/// What a look at a whole document found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) unsupported: Vec<Unsupported>,
    /// Whether a schema inside has an identity of its own, so that references below it mean other places.
    pub(super) identities: bool,
    /// The draft that the document names.
    pub(super) draft: Option<Draft>,
}

/// Looks at a schema and all that are inside it. Linear in the document.
pub(super) fn check(schema: &Value, path: &mut Path, found: &mut Found) -> Result<()> {
    if path.len() > DEPTH.saturating_mul(4) {
        return Err(too_deep().at(path.clone()));
    }
    match schema.view() {
        View::Bool(_) => Ok(()),
        View::Object(object) => {
            for (name, value) in object.iter() {
                path.push(Step::attr(name));
                keyword(name, value, path, found)?;
                path.pop();
            }
            Ok(())
        }
        _ => Err(wrong("a schema is an object, true or false", schema).at(path.clone())),
    }
}

#[cold]
pub(super) fn too_deep() -> Error {
    Error::new(Kind::Limit, format!("schemas nest at most {DEPTH} levels deep"))
}

fn keyword(name: &str, value: &Value, path: &mut Path, found: &mut Found) -> Result<()> {
    let Some(shape) = shape(name) else {
        if !name.starts_with("x-") {
            found.unsupported.push(Unsupported::new(path.clone(), name, "no keyword that is supported"));
        }
        return Ok(());
    };
    if found.draft.is_some_and(|draft| !draft.has(name)) {
        if shape != Shape::Note {
            let why = "no keyword of the draft that $schema names";
            found.unsupported.push(Unsupported::new(path.clone(), name, why));
        }
        return Ok(());
    }
    if name == "$schema"
        && let Ok(text) = value.as_str()
    {
        let draft = Draft::named(text);
        let why = match draft {
            None => "the metaschema is not known, so nothing is read",
            Some(_) if path.len() > 1 && draft != found.draft => "another draft than that of the document",
            Some(_) => return Ok(()),
        };
        found.unsupported.push(Unsupported::new(path.clone(), name, why));
    }
    if path.len() > 1 && (name == "$id" || name == "id" && value.as_str().is_ok()) {
        found.identities = true;
    }
    let wanted = match shape {
        Shape::Schema => return check(value, path, found),
        Shape::Schemas => return each(value, path, found),
        Shape::Items if elements(value).is_some() => return each(value, path, found),
        Shape::Items => return check(value, path, found),
        Shape::Named | Shape::ByPattern | Shape::Dependencies | Shape::TextsByName => {
            return named(value, shape, path, found);
        }
        shape => plain(value, shape),
    };
    match wanted {
        None => Ok(()),
        Some(wanted) => Err(wrong(&format!("{name} takes {wanted}"), value).at(path.clone())),
    }
}

/// What a keyword without subschemas takes, if this value is not that.
fn plain(value: &Value, shape: Shape) -> Option<&'static str> {
    let number = value.as_number().ok();
    let (fits, wanted) = match shape {
        Shape::Flag => (value.as_bool().is_ok(), "true or false"),
        Shape::Text | Shape::Pattern => (value.as_str().is_ok(), "a string"),
        Shape::Number => (number.is_some(), "a number"),
        Shape::Bound => (number.is_some() || value.as_bool().is_ok(), "a number"),
        Shape::Step => (number.is_some_and(|number| number.is_positive()), "a number above 0"),
        Shape::Count => (
            number.is_some_and(|number| number.is_integer() && !number.is_negative()),
            "a whole number that is not negative",
        ),
        Shape::Texts => (texts(value).is_some(), "a list of strings"),
        Shape::Types => (types(value).is_some(), "the name of a type, or a list of them"),
        Shape::Values | Shape::Rules | Shape::Cel => (elements(value).is_some(), "a list"),
        _ => (true, ""),
    };
    (!fits).then_some(wanted)
}

fn each(value: &Value, path: &mut Path, found: &mut Found) -> Result<()> {
    let schemas =
        elements(value).ok_or_else(|| wrong("a list of schemas is needed", value).at(path.clone()))?;
    for (i, schema) in schemas.iter().enumerate() {
        path.push(Step::index(i));
        check(schema, path, found)?;
        path.pop();
    }
    Ok(())
}

fn named(value: &Value, shape: Shape, path: &mut Path, found: &mut Found) -> Result<()> {
    let View::Object(object) = value.view() else {
        return Err(wrong("an object is needed", value).at(path.clone()));
    };
    for (name, value) in object.iter() {
        path.push(Step::attr(name));
        let list = texts(value).is_some();
        match shape {
            Shape::Dependencies if list => {}
            Shape::TextsByName if list => {}
            Shape::TextsByName => return Err(wrong("a list of strings is needed", value).at(path.clone())),
            _ => check(value, path, found)?,
        }
        path.pop();
    }
    Ok(())
}

pub(super) fn texts(value: &Value) -> Option<Vec<String>> {
    elements(value)?.iter().map(|text| text.as_str().ok().map(str::to_owned)).collect()
}

/// The names of types; none where one is no type of JSON.
pub(super) fn types(value: &Value) -> Option<Vec<String>> {
    let names = value.as_str().ok().map(|name| vec![name.to_owned()]).or_else(|| texts(value))?;
    let known = ["array", "boolean", "integer", "null", "number", "object", "string"];
    names.iter().all(|name| known.contains(&name.as_str())).then_some(names)
}

pub(super) fn object(schema: &Value) -> Option<ObjectView<'_>> {
    match schema.view() {
        View::Object(object) => Some(object),
        _ => None,
    }
}

#[cold]
fn wrong(wanted: &str, value: &Value) -> Error {
    let found = match value.view() {
        View::Marked(_) => "marked".to_owned(),
        View::Null(_) => "null".to_owned(),
        View::Dynamic | View::Unknown(_) => "not known".to_owned(),
        _ => with_article(&value.ty().friendly_name()),
    };
    Error::new(Kind::Syntax, format!("{wanted}, but this is {found}"))
}
