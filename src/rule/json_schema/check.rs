//! Checks that a document is a schema, and lists its unsupported keywords.

use crate::error::{Error, Kind, Result};
use crate::path::{Path, Step};
use crate::rule::keywords::elements;
use crate::text::with_article;
use crate::value::{ObjectView, Value, View};

use super::draft::Draft;
use super::keywords::{Shape, shape};
use super::{DEPTH, Unsupported};

/// What the check of a document found.
#[derive(Debug, Default)]
pub(super) struct CheckReport {
    /// The keywords that are not supported, with their places.
    pub(super) unsupported: Vec<Unsupported>,
    /// Whether a nested schema has an `$id`, so that references below it may mean other places.
    pub(super) identities: bool,
    /// The draft that the document names.
    pub(super) draft: Option<Draft>,
}

/// Checks that a value is a schema, with all schemas inside it, and adds unsupported keywords to `found`. `path` is
/// its place in the document. Linear in the document.
pub(super) fn check(schema: &Value, path: &mut Path, found: &mut CheckReport) -> Result<()> {
    if path.len() > DEPTH.saturating_mul(4) {
        return Err(too_deep().at(path.clone()));
    }
    match schema.view() {
        View::Bool(_) => Ok(()),
        View::Object(object) => {
            for (name, value) in object.iter() {
                path.push(Step::attr(name));
                check_keyword(name, value, path, found)?;
                path.pop();
            }
            Ok(())
        }
        _ => Err(invalid("a schema is an object, true or false", schema).at(path.clone())),
    }
}

/// The error for schemas that nest too deep.
#[cold]
pub(super) fn too_deep() -> Error {
    Error::new(Kind::Limit, format!("schemas nest at most {DEPTH} levels deep"))
}

/// Checks the value of one keyword and the schemas in it; adds the keyword to `found` if it is not supported.
fn check_keyword(name: &str, value: &Value, path: &mut Path, found: &mut CheckReport) -> Result<()> {
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
        Shape::Schemas => return check_list(value, path, found),
        Shape::Items if elements(value).is_some() => return check_list(value, path, found),
        Shape::Items => return check(value, path, found),
        Shape::Named | Shape::ByPattern | Shape::Dependencies | Shape::TextsByName => {
            return check_named(value, shape, path, found);
        }
        shape => expected_shape(value, shape),
    };
    match wanted {
        None => Ok(()),
        Some(wanted) => Err(invalid(&format!("{name} takes {wanted}"), value).at(path.clone())),
    }
}

/// What a keyword of this shape takes, in words, if the value does not fit; `None` if it fits. Subschemas are not
/// checked.
fn expected_shape(value: &Value, shape: Shape) -> Option<&'static str> {
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
        Shape::Texts => (string_list(value).is_some(), "a list of strings"),
        Shape::Types => (types(value).is_some(), "the name of a type, or a list of them"),
        Shape::Values | Shape::Rules | Shape::Cel => (elements(value).is_some(), "a list"),
        _ => (true, ""),
    };
    (!fits).then_some(wanted)
}

/// Checks a list of schemas, and every schema in it.
fn check_list(value: &Value, path: &mut Path, found: &mut CheckReport) -> Result<()> {
    let schemas =
        elements(value).ok_or_else(|| invalid("a list of schemas is needed", value).at(path.clone()))?;
    for (i, schema) in schemas.iter().enumerate() {
        path.push(Step::index(i));
        check(schema, path, found)?;
        path.pop();
    }
    Ok(())
}

/// Checks an object of schemas by name or by pattern, or of dependencies; `shape` says which.
fn check_named(value: &Value, shape: Shape, path: &mut Path, found: &mut CheckReport) -> Result<()> {
    let View::Object(object) = value.view() else {
        return Err(invalid("an object is needed", value).at(path.clone()));
    };
    for (name, value) in object.iter() {
        path.push(Step::attr(name));
        let list = string_list(value).is_some();
        match shape {
            Shape::Dependencies if list => {}
            Shape::TextsByName if list => {}
            Shape::TextsByName => return Err(invalid("a list of strings is needed", value).at(path.clone())),
            _ => check(value, path, found)?,
        }
        path.pop();
    }
    Ok(())
}

/// The strings of a list; `None` if the value is no list or an element is no string.
pub(super) fn string_list(value: &Value) -> Option<Vec<String>> {
    elements(value)?.iter().map(|text| text.as_str().ok().map(str::to_owned)).collect()
}

/// The type names in the value of the keyword `type`; `None` if one is not a type of JSON.
pub(super) fn types(value: &Value) -> Option<Vec<String>> {
    let names = value.as_str().ok().map(|name| vec![name.to_owned()]).or_else(|| string_list(value))?;
    let known = ["array", "boolean", "integer", "null", "number", "object", "string"];
    names.iter().all(|name| known.contains(&name.as_str())).then_some(names)
}

/// The keywords of a schema; `None` for `true`, `false` and anything else.
pub(super) fn object(schema: &Value) -> Option<ObjectView<'_>> {
    match schema.view() {
        View::Object(object) => Some(object),
        _ => None,
    }
}

/// The error for a value that does not fit; `wanted` says in words what is expected.
#[cold]
fn invalid(wanted: &str, value: &Value) -> Error {
    let found = match value.view() {
        View::Marked(_) => "marked".to_owned(),
        View::Null(_) => "null".to_owned(),
        View::Dynamic | View::Unknown(_) => "not known".to_owned(),
        _ => with_article(&value.ty().friendly_name()),
    };
    Error::new(Kind::Syntax, format!("{wanted}, but this is {found}"))
}
