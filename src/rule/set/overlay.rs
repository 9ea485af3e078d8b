//! Overlays: ruled types in layers.

use std::sync::Arc;

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::Result;
use crate::rule::PathExpr;
use crate::types::Type;

use super::RuledType;
use super::places::{self, NodeKind};

impl RuledType {
    /// Lays another ruled type over this one, and returns the combined type.
    ///
    /// | | |
    /// |---|---|
    /// | objects in both | the attributes of both; an attribute in both is overlaid in turn |
    /// | lists, sets, maps, tuples of one length in both | the elements are overlaid |
    /// | anything else | the node of the overlay and its rules replace those of the base |
    /// | a default | that of the overlay, otherwise that of the base |
    /// | an attribute | is optional if it is in one of the two |
    /// | rules | changed by the [edits](super::Edit) of the overlay |
    /// | texts | those of the overlay, otherwise those of the base |
    /// | defaults for a kind | each layer's apply to its own nodes that no layer has rules for; those of the overlay first |
    ///
    /// Overlaying is associative: of three layers, any two neighbours may be combined first.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{Edit, RuleSet, RuledType};
    /// use plantime::Type;
    ///
    /// let base = RuledType::new("object({ host = string, port = number })".parse::<Type>()?)
    ///     .at("host", RuleSet::new([Rule::min_len(1)]))?;
    /// let over = RuledType::new("object({ host = string, user = string })".parse::<Type>()?)
    ///     .edit("host", Edit::Merge(RuleSet::new([Rule::max_len(253)])))?;
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
        let constraint = overlay_types(&self.constraint, &over.constraint)?;
        let name = over.name.clone().or_else(|| self.name.clone());
        let mut merged = RuledType { name, ..RuledType::new(constraint) };
        let (ty, over_ty) = (self.constraint.as_type(), over.constraint.as_type());
        for (path, place) in self.with_defaults()? {
            if places::is_kept_by_overlay(&path, ty, over_ty) {
                *merged.place(path)? = place;
            }
        }
        for (path, place) in over.with_defaults()? {
            let here = merged.place(path)?;
            place.edits.into_iter().for_each(|edit| here.edit(edit));
            here.default = place.default.or(here.default.take());
        }
        merged.texts = self.texts.kept(|path| places::is_kept_by_overlay(path, ty, over_ty));
        merged.texts.include(&PathExpr::new(), &over.texts)?;
        Ok(merged)
    }
}

/// The type that results from an overlay: that of the overlay, except where both layers are containers of one kind,
/// which are overlaid child by child.
fn overlay_types(base: &TypeConstraint, over: &TypeConstraint) -> Result<TypeConstraint> {
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

/// Overlays the element types of two lists, sets or maps of one kind, and returns the collection type.
#[inline(never)]
fn elements(base: &TypeConstraint, over: &TypeConstraint) -> Result<TypeConstraint> {
    let (Some(a), Some(b)) = (base.element(), over.element()) else { return Ok(over.clone()) };
    let element = overlay_types(&a, &b)?;
    match over.as_type() {
        Type::List(_) => TypeConstraint::list(element),
        Type::Set(_) => TypeConstraint::set(element),
        _ => TypeConstraint::map(element),
    }
}

/// Overlays two tuple types of the same length, element by element.
#[inline(never)]
fn tuples(base: &TypeConstraint, over: &TypeConstraint, length: usize) -> Result<TypeConstraint> {
    let pairs = (0..length).filter_map(|i| base.element_at(i).zip(over.element_at(i)));
    let parts = pairs.map(|(a, b)| overlay_types(&a, &b)).collect::<Result<Vec<_>>>()?;
    TypeConstraint::tuple(parts)
}

/// Overlays two object types: the result has the attributes of both layers.
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

/// Overlays an attribute that both layers have: `mine` is that of the base, `theirs` that of the overlay, whose
/// default wins.
#[inline(never)]
fn attribute(mine: &AttributeConstraint, theirs: &AttributeConstraint) -> Result<AttributeConstraint> {
    let constraint = overlay_types(mine.constraint(), theirs.constraint())?;
    Ok(match theirs.default().or(mine.default()) {
        Some(default) => AttributeConstraint::with_default(constraint, default)?,
        None if mine.is_optional() || theirs.is_optional() => AttributeConstraint::optional(constraint),
        None => AttributeConstraint::required(constraint),
    })
}
