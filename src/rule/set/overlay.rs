//! Ruled types in layers.

use std::sync::Arc;

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::Result;
use crate::types::Type;

use super::RuledType;
use super::places::{self, NodeKind};

impl RuledType {
    /// This type with another one laid over it.
    ///
    /// | | |
    /// |---|---|
    /// | objects in both | the attributes of both; those in both are laid one over the other |
    /// | lists, sets, maps, tuples of one length in both | the elements are laid one over the other |
    /// | anything else | the node of the overlay, and its rules, in place of what was there |
    /// | a default | that of the overlay, else that of the base |
    /// | an attribute | may be left out if one of the two says so |
    /// | rules | changed by the [edits](super::Edit) of the overlay |
    /// | defaults for a kind | of each layer for its own nodes, where no layer has rules; those of the overlay first |
    ///
    /// Laying three over each other gives the same, whichever two are put together first.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{Edit, RuleSet, RuledType};
    /// use plantime::Type;
    ///
    /// let base = RuledType::new("object({ host = string, port = number })".parse::<Type>()?)
    ///     .at("host", RuleSet::new([Rule::MinLen(1)]))?;
    /// let over = RuledType::new("object({ host = string, user = string })".parse::<Type>()?)
    ///     .edit("host", Edit::Merge(RuleSet::new([Rule::MaxLen(253)])))?;
    /// let both = base.overlay(&over)?;
    /// assert_eq!(both.constraint().to_string(), "object({host = string, port = number, user = string})");
    /// assert_eq!(both.rules_at("host")?.unwrap().to_string(), "min_len(1), max_len(253)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a default of one does not convert to the type of both, and [`is_limit`](crate::Error::is_limit) above
    /// [`PLACES`](super::PLACES).
    pub fn overlay(&self, over: &RuledType) -> Result<RuledType> {
        let constraint = lay(&self.constraint, &over.constraint)?;
        let name = over.name.clone().or_else(|| self.name.clone());
        let mut merged = RuledType { name, ..RuledType::new(constraint) };
        let (ty, over_ty) = (self.constraint.as_type(), over.constraint.as_type());
        for (path, place) in self.handed_out()? {
            if places::survives(&path, ty, over_ty) {
                *merged.place(path)? = place;
            }
        }
        for (path, place) in over.handed_out()? {
            let here = merged.place(path)?;
            place.edits.into_iter().for_each(|edit| here.edit(edit));
            here.default = place.default.or(here.default.take());
        }
        Ok(merged)
    }
}

fn lay(base: &TypeConstraint, over: &TypeConstraint) -> Result<TypeConstraint> {
    if base == over {
        return Ok(over.clone());
    }
    match (base.as_type(), over.as_type()) {
        (Type::Object(_), Type::Object(_)) => objects(base, over),
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => tuples(base, over, a.len()),
        (a, b) if NodeKind::of(a) == NodeKind::of(b) => elements(base, over),
        _ => Ok(over.clone()),
    }
}

#[inline(never)]
fn elements(base: &TypeConstraint, over: &TypeConstraint) -> Result<TypeConstraint> {
    let (Some(a), Some(b)) = (base.element(), over.element()) else { return Ok(over.clone()) };
    let element = lay(&a, &b)?;
    match over.as_type() {
        Type::List(_) => TypeConstraint::list(element),
        Type::Set(_) => TypeConstraint::set(element),
        _ => TypeConstraint::map(element),
    }
}

#[inline(never)]
fn tuples(base: &TypeConstraint, over: &TypeConstraint, length: usize) -> Result<TypeConstraint> {
    let pairs = (0..length).filter_map(|i| base.element_at(i).zip(over.element_at(i)));
    let parts = pairs.map(|(a, b)| lay(&a, &b)).collect::<Result<Vec<_>>>()?;
    TypeConstraint::tuple(parts)
}

#[inline(never)]
fn objects(base: &TypeConstraint, over: &TypeConstraint) -> Result<TypeConstraint> {
    let (Type::Object(a), Type::Object(b)) = (base.as_type(), over.as_type()) else {
        return Ok(over.clone());
    };
    let mut all: Vec<(Arc<str>, AttributeConstraint)> = Vec::new();
    for name in a.attribute_names() {
        let Some(mine) = base.attribute(name) else { continue };
        let laid = match over.attribute(name) {
            Some(theirs) => attribute(&mine, &theirs)?,
            None => mine.into_owned(),
        };
        all.push((name.into(), laid));
    }
    for name in b.attribute_names().filter(|name| a.get(name).is_none()) {
        all.extend(over.attribute(name).map(|theirs| (Arc::from(name), theirs.into_owned())));
    }
    TypeConstraint::object(all)
}

#[inline(never)]
fn attribute(mine: &AttributeConstraint, theirs: &AttributeConstraint) -> Result<AttributeConstraint> {
    let constraint = lay(mine.constraint(), theirs.constraint())?;
    Ok(match theirs.default().or(mine.default()) {
        Some(default) => AttributeConstraint::with_default(constraint, default)?,
        None if mine.is_optional() || theirs.is_optional() => AttributeConstraint::optional(constraint),
        None => AttributeConstraint::required(constraint),
    })
}
