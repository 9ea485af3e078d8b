//! Writes rules about which attributes are present as keywords.

use crate::error::Result;
use crate::rule::{ExprStep, PathExpr, Requirement};
use crate::types::{ObjectType, Type};
use crate::value::Value;

use super::compile::json_type;
use super::fragment::{Fragment, operands};

/// A schema for: exactly one of the attributes is present (`keyword` is `oneOf`), or at least one (`anyOf`). No
/// keywords if a path does not lead to an attribute.
pub(super) fn one_of(paths: &[PathExpr], ty: &Type, keyword: &str) -> Result<Fragment> {
    let mut fragment = Fragment::nothing();
    for path in paths {
        let Some(there) = all_present(std::slice::from_ref(path), ty)? else {
            return Ok(Fragment::nothing());
        };
        fragment.keywords.push(keyword, there);
    }
    Ok(fragment)
}

/// A schema for: the attribute at `path` is absent, or all others are present. No keywords if a path does not lead to
/// an attribute.
pub(super) fn also_requires(path: &PathExpr, others: &[PathExpr], ty: &Type) -> Result<Fragment> {
    implication(all_present(std::slice::from_ref(path), ty)?, all_present(others, ty)?)
}

/// A schema for: the attribute that the requirement tests has none of its values, or all required attributes are
/// present.
pub(super) fn required_when(requirement: &Requirement, ty: &Type) -> Result<Fragment> {
    let Requirement { path, one_of, required } = requirement;
    let (Some((name, part)), false) = (attribute(path, ty), one_of.iter().any(Value::is_null)) else {
        return Ok(Fragment::nothing());
    };
    let (values, exact) = operands(one_of, part)?;
    if !exact || values.is_empty() {
        return Ok(Fragment::nothing());
    }
    let values = Value::object([("enum", Value::tuple(values)?)])?;
    let decides = Value::object([
        ("required", Value::tuple([name])?),
        ("properties", Value::object([(name, values)])?),
    ])?;
    implication(Some(decides), all_present(required, ty)?)
}

/// A schema for: exactly one of the attributes (all, or those with these names) is present. Null passes.
pub(super) fn one_not_null(keys: Option<&[String]>, ty: &Type) -> Result<Fragment> {
    let Type::Object(object) = ty else { return Ok(Fragment::nothing()) };
    let mut fragment = Fragment::nothing();
    for path in attributes(object, keys)? {
        let Some(there) = all_present(&[path], ty)? else { return Ok(Fragment::nothing()) };
        let decided = Value::object([("type", "object")])?;
        fragment.keywords.push("oneOf", Value::object([("allOf", Value::tuple([decided, there])?)])?);
    }
    fragment.keywords.push("oneOf", Value::object([("enum", Value::tuple([Value::null(Type::Dynamic)])?)])?);
    Ok(fragment)
}

/// The paths of the attributes with these names; of all attributes if `keys` is `None`.
pub(super) fn attributes(object: &ObjectType, keys: Option<&[String]>) -> Result<Vec<PathExpr>> {
    let wanted = |name: &&str| keys.is_none_or(|keys| keys.iter().any(|key| key == name));
    let names = object.attribute_names().filter(wanted);
    names.map(|name| PathExpr::from_steps([ExprStep::Attr(name.to_owned())])).collect()
}

/// A schema for: the condition does not hold, or `rest` does. No keywords if one of the two schemas is `None`.
fn implication(condition: Option<Value>, rest: Option<Value>) -> Result<Fragment> {
    let mut fragment = Fragment::nothing();
    if let (Some(condition), Some(rest)) = (condition, rest) {
        fragment.keywords.push("anyOf", Value::object([("not", condition)])?);
        fragment.keywords.push("anyOf", rest);
    }
    Ok(fragment)
}

/// A schema for: the attributes at the paths are present and not null. `None` if a path does not lead to an
/// attribute, or the type of the attribute is undecided.
fn all_present(paths: &[PathExpr], ty: &Type) -> Result<Option<Value>> {
    let (mut names, mut types) = (Vec::new(), Vec::new());
    for path in paths {
        match attribute(path, ty) {
            None | Some((_, Type::Dynamic)) => return Ok(None),
            Some((name, _)) if names.contains(&name) => {}
            Some((name, part)) => {
                names.push(name);
                types.push((name, Value::object([("type", json_type(part))])?));
            }
        }
    }
    Value::object([("required", Value::tuple(names)?), ("properties", Value::object(types)?)]).map(Some)
}

/// The name and type of the attribute of `ty` that a path leads to; `None` for any other path.
fn attribute<'a>(path: &'a PathExpr, ty: &'a Type) -> Option<(&'a str, &'a Type)> {
    match (path.steps(), ty) {
        ([ExprStep::Attr(name)], Type::Object(object)) => Some((name, object.get(name)?)),
        _ => None,
    }
}
