//! Which attributes are there and not null, as keywords.

use crate::error::Result;
use crate::rule::{ExprStep, PathExpr, Requirement};
use crate::types::{ObjectType, Type};
use crate::value::Value;

use super::compile::kind;
use super::fragment::{Fragment, operands};

/// A schema for: exactly one of the attributes is present (`oneOf`), or at least one (`anyOf`).
pub(super) fn one_of(paths: &[PathExpr], ty: &Type, keyword: &str) -> Result<Fragment> {
    let mut fragment = Fragment::nothing();
    for path in paths {
        let Some(there) = all_there(std::slice::from_ref(path), ty)? else { return Ok(Fragment::nothing()) };
        fragment.keywords.push(keyword, there);
    }
    Ok(fragment)
}

/// One is not there, or all others are.
pub(super) fn also_requires(path: &PathExpr, others: &[PathExpr], ty: &Type) -> Result<Fragment> {
    either(all_there(std::slice::from_ref(path), ty)?, all_there(others, ty)?)
}

/// A schema for: one attribute has none of some values, or the others are present.
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
    either(Some(decides), all_there(required, ty)?)
}

/// Of the attributes with these names, or of all, one. Of null this is not asked.
pub(super) fn one_not_null(keys: Option<&[String]>, ty: &Type) -> Result<Fragment> {
    let Type::Object(object) = ty else { return Ok(Fragment::nothing()) };
    let mut fragment = Fragment::nothing();
    for path in attributes(object, keys)? {
        let Some(there) = all_there(&[path], ty)? else { return Ok(Fragment::nothing()) };
        let decided = Value::object([("type", "object")])?;
        fragment.keywords.push("oneOf", Value::object([("allOf", Value::tuple([decided, there])?)])?);
    }
    fragment.keywords.push("oneOf", Value::object([("enum", Value::tuple([Value::null(Type::Dynamic)])?)])?);
    Ok(fragment)
}

/// The attributes with these names, or all.
pub(super) fn attributes(object: &ObjectType, keys: Option<&[String]>) -> Result<Vec<PathExpr>> {
    let wanted = |name: &&str| keys.is_none_or(|keys| keys.iter().any(|key| key == name));
    let names = object.attribute_names().filter(wanted);
    names.map(|name| PathExpr::from_steps([ExprStep::Attr(name.to_owned())])).collect()
}

/// The first does not hold, or the second does.
fn either(condition: Option<Value>, rest: Option<Value>) -> Result<Fragment> {
    let mut fragment = Fragment::nothing();
    if let (Some(condition), Some(rest)) = (condition, rest) {
        fragment.keywords.push("anyOf", Value::object([("not", condition)])?);
        fragment.keywords.push("anyOf", rest);
    }
    Ok(fragment)
}

/// A schema for: the attributes are present and not null; `None` where a path leads elsewhere, or to an undecided
/// type.
fn all_there(paths: &[PathExpr], ty: &Type) -> Result<Option<Value>> {
    let (mut names, mut types) = (Vec::new(), Vec::new());
    for path in paths {
        match attribute(path, ty) {
            None | Some((_, Type::Dynamic)) => return Ok(None),
            Some((name, _)) if names.contains(&name) => {}
            Some((name, part)) => {
                names.push(name);
                types.push((name, Value::object([("type", kind(part))])?));
            }
        }
    }
    Value::object([("required", Value::tuple(names)?), ("properties", Value::object(types)?)]).map(Some)
}

fn attribute<'a>(path: &'a PathExpr, ty: &'a Type) -> Option<(&'a str, &'a Type)> {
    match (path.steps(), ty) {
        ([ExprStep::Attr(name)], Type::Object(object)) => Some((name, object.get(name)?)),
        _ => None,
    }
}
