//! Finds the nodes of a type by their paths.

use crate::error::{Error, Kind, Result};
use crate::rule::{ExprStep, PathExpr};
use crate::types::Type;

/// The maximum number of places of a type that have rules, and of places that are visited for defaults.
pub const PLACES: usize = 1 << 16;

/// The kind of a type, without its element types or attributes. Default rules are set for a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// `bool`.
    Bool,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `list(…)`.
    List,
    /// `set(…)`.
    Set,
    /// `map(…)`.
    Map,
    /// `tuple([…])`.
    Tuple,
    /// `object({…})`.
    Object,
}

impl NodeKind {
    /// The kind of a type; none of `dynamic` and capsules.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::set::NodeKind;
    ///
    /// assert_eq!(NodeKind::of(&Type::list(Type::String)?), Some(NodeKind::List));
    /// assert_eq!(NodeKind::of(&Type::Dynamic), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn of(ty: &Type) -> Option<NodeKind> {
        Some(match ty {
            Type::Bool => NodeKind::Bool,
            Type::Number => NodeKind::Number,
            Type::String => NodeKind::String,
            Type::List(_) => NodeKind::List,
            Type::Set(_) => NodeKind::Set,
            Type::Map(_) => NodeKind::Map,
            Type::Tuple(_) => NodeKind::Tuple,
            Type::Object(_) => NodeKind::Object,
            _ => return None,
        })
    }
}

/// The type of the child that a step leads to: an attribute of an object, an element of a tuple, `[*]` in a
/// collection. `None` for any other step.
pub(super) fn child_type(ty: &Type, step: &ExprStep) -> Option<Type> {
    match (step, ty) {
        (ExprStep::Attr(name), Type::Object(object)) => object.get(name).cloned(),
        (ExprStep::Index(index), Type::Tuple(tuple)) => tuple.get(usize::try_from(*index).ok()?).cloned(),
        (ExprStep::AnyElement, Type::List(_) | Type::Set(_) | Type::Map(_)) => ty.element_type().cloned(),
        _ => None,
    }
}

/// The type that a path leads to inside a type.
///
/// # Errors
///
/// When the type has no such node.
pub(super) fn node(ty: &Type, path: &PathExpr) -> Result<Type> {
    let mut here = ty.clone();
    for (i, step) in path.steps().iter().enumerate() {
        here = match child_type(&here, step) {
            Some(part) => part,
            None => {
                // For its error, which has the nearest name.
                path.check_type(ty)?;
                let taken = PathExpr::from_steps(path.steps().iter().take(i).cloned())?;
                return Err(no_node(path, &taken, &here));
            }
        };
    }
    Ok(here)
}

/// The error for a path that leads to no type inside the whole. `taken` are the steps that could be followed, `ty` is
/// the type that they lead to.
#[cold]
fn no_node(path: &PathExpr, taken: &PathExpr, ty: &Type) -> Error {
    let taken = if taken.is_empty() { "the whole".to_owned() } else { taken.to_string() };
    let parts = match ty {
        Type::Object(_) => "its attributes by name",
        Type::Tuple(_) => "its elements by index",
        Type::List(_) | Type::Set(_) | Type::Map(_) => "all its elements, [*]",
        _ => "no parts that are known",
    };
    let kind = ty.friendly_name();
    Error::new(Kind::NotFound, format!("{path} is no node of the type: {taken} is {kind}, and has {parts}"))
}

/// Lists the type itself and all element and attribute types inside it, each with its path; parents come first.
///
/// # Errors
///
/// [`is_limit`](Error::is_limit) above [`PLACES`].
pub(super) fn nodes(ty: &Type) -> Result<Vec<(PathExpr, Type)>> {
    let mut all = vec![(PathExpr::new(), ty.clone())];
    let mut next = 0;
    while let Some((path, ty)) = all.get(next).cloned() {
        next = next.saturating_add(1);
        let mut child = |step: ExprStep, ty: &Type| -> Result<()> {
            if all.len() >= PLACES {
                return Err(too_many());
            }
            let steps = path.steps().iter().cloned().chain([step]);
            all.push((PathExpr::from_steps(steps)?, ty.clone()));
            Ok(())
        };
        match &ty {
            Type::Object(object) => {
                object.iter().try_for_each(|(name, ty)| child(ExprStep::Attr(name.to_owned()), ty))?;
            }
            Type::Tuple(tuple) => {
                (0..).zip(tuple.iter()).try_for_each(|(i, ty)| child(ExprStep::Index(i), ty))?;
            }
            ty => {
                if let Some(element) = ty.element_type() {
                    child(ExprStep::AnyElement, element)?;
                }
            }
        }
    }
    Ok(all)
}

/// The error for more than [`PLACES`] places with rules.
#[cold]
pub(super) fn too_many() -> Error {
    Error::new(Kind::Limit, format!("rules stand at no more than {PLACES} places of a type"))
}

/// Whether the rules at a path of the base type `ty` stay under an overlay of type `over`: the path still leads to a
/// value of the same kind, or to an attribute that the overlay lacks.
pub(super) fn is_kept_by_overlay(path: &PathExpr, ty: &Type, over: &Type) -> bool {
    let (mut here, mut there) = (ty.clone(), over.clone());
    for step in path.steps() {
        if NodeKind::of(&here) != NodeKind::of(&there) {
            return false;
        }
        match (child_type(&here, step), child_type(&there, step)) {
            (Some(a), Some(b)) => (here, there) = (a, b),
            // The overlay lacks this node. An attribute that it lacks stays; an element of a shorter tuple is gone.
            (_, None) => return matches!(there, Type::Object(_)),
            (None, _) => return false,
        }
    }
    NodeKind::of(&here) == NodeKind::of(&there)
}
