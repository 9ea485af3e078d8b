//! Derives a type from a schema.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::Result;
use crate::path::Path;
use crate::rule::keywords::elements;
use crate::types::Type;
use crate::value::{ObjectView, Value};

use super::check::{object, string_list, too_deep, types};
use super::draft::Draft;
use super::keywords::TYPE;
use super::{DEPTH, Nulls, fit};

/// Derives the type of the values that a schema describes; `any` if the schema does not determine one. `path` is its
/// place in the document, `depth` how many schemas contain it.
pub(super) fn constraint(
    schema: &Value,
    draft: Option<Draft>,
    path: &Path,
    depth: usize,
) -> Result<TypeConstraint> {
    if depth >= DEPTH {
        return Err(too_deep().at(path.clone()));
    }
    let Some(keywords) = object(schema) else { return Ok(TypeConstraint::ANY) };
    // Older drafts ignore the keywords beside `$ref`.
    let alone = draft.is_some_and(Draft::reference_stands_alone);
    let named = keywords.get("$schema").and_then(|name| name.as_str().ok());
    if alone && keywords.get("$ref").is_some() || named.is_some_and(|name| Draft::named(name).is_none()) {
        return Ok(TypeConstraint::ANY);
    }
    if let Some(text) = keywords.get(TYPE).and_then(|text| text.as_str().ok()) {
        return text.parse().map_err(|error: crate::Error| error.at(path.clone().attr(TYPE)));
    }
    let names = keywords.get("type").and_then(types).unwrap_or_default();
    let mut kinds = names.iter().filter(|name| *name != "null").map(String::as_str);
    let kind = match (kinds.next(), kinds.next()) {
        (Some(kind), None) => kind,
        (Some("integer"), Some("number")) | (Some("number"), Some("integer")) => "number",
        _ => return Ok(TypeConstraint::ANY),
    };
    let depth = depth.saturating_add(1);
    match kind {
        "string" => Ok(Type::String.into()),
        "boolean" => Ok(Type::Bool.into()),
        "number" | "integer" => Ok(Type::Number.into()),
        "array" => array(keywords, draft, path, depth),
        "object" => attributes(keywords, draft, path, depth),
        _ => Ok(TypeConstraint::ANY),
    }
}

/// Derives a list, set or tuple type from a schema of arrays; `any` if the schema does not determine one.
fn array(
    keywords: ObjectView<'_>,
    draft: Option<Draft>,
    path: &Path,
    depth: usize,
) -> Result<TypeConstraint> {
    let rest = keywords.get("items").filter(|items| elements(items).is_none());
    let has_prefix = draft.is_none_or(|draft| draft.has("prefixItems"));
    if let Some(first) = keywords.get("prefixItems").filter(|_| has_prefix).and_then(elements) {
        // The number of elements is known only if no more may follow.
        if rest.is_none_or(|rest| rest.as_bool() != Ok(false)) {
            return Ok(TypeConstraint::ANY);
        }
        let mut all = Vec::with_capacity(first.len());
        for (i, schema) in first.iter().enumerate() {
            all.push(constraint(schema, draft, &path.clone().attr("prefixItems").index(i), depth)?);
        }
        return TypeConstraint::tuple(all);
    }
    let Some(rest) = rest else { return Ok(TypeConstraint::ANY) };
    if rest.as_bool() == Ok(false) {
        return TypeConstraint::tuple(Vec::<TypeConstraint>::new());
    }
    let element = constraint(rest, draft, &path.clone().attr("items"), depth)?;
    let is_set = keywords.get("x-kubernetes-list-type").is_some_and(|kind| kind.as_str() == Ok("set"));
    if is_set { TypeConstraint::set(element) } else { TypeConstraint::list(element) }
}

/// Derives an object or map type from a schema of objects; `any` if the schema does not determine one.
fn attributes(
    keywords: ObjectView<'_>,
    draft: Option<Draft>,
    path: &Path,
    depth: usize,
) -> Result<TypeConstraint> {
    let listed = keywords.get("properties").and_then(object);
    let others = keywords.get("additionalProperties").filter(|schema| schema.as_bool().is_err());
    match (listed, others) {
        (None, Some(schema)) => {
            TypeConstraint::map(constraint(schema, draft, &path.clone().attr("additionalProperties"), depth)?)
        }
        (Some(listed), None) => {
            let required = keywords.get("required").and_then(string_list).unwrap_or_default();
            let mut all = Vec::with_capacity(listed.len());
            for (name, schema) in listed.iter() {
                let part = constraint(schema, draft, &path.clone().attr("properties").attr(name), depth)?;
                let default = object(schema).and_then(|schema| schema.get("default"));
                let default = default.and_then(|default| fit::fit(default, part.as_type(), Nulls::AreAbsent));
                let attribute = match default {
                    Some(default) => AttributeConstraint::with_default(part, &default)?,
                    None if required.iter().any(|known| known == name) => AttributeConstraint::required(part),
                    None => AttributeConstraint::optional(part),
                };
                all.push((name, attribute));
            }
            TypeConstraint::object(all)
        }
        _ => Ok(TypeConstraint::ANY),
    }
}
