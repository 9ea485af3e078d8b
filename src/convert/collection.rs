//! Conversion of known lists, maps, tuples and objects into collections, child by child.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::refinement::{LengthRange, Refinement};
use crate::text::Text;
use crate::types::{MapType, Type};
use crate::value::{
    Container, Value, View, build_list_of_parts, build_map_of_parts, least_type, view_below_marks,
};

use super::available::{Mode, Query, available};
use super::common_element::{ChildFacts, agreed_type, covering_type};
use super::element::{ElementConverter, independent_children};
use super::target::Target;
use super::unify::unify_in;
use super::widen::widened;
use super::{result_type, unknown};

/// Facts about the children of a container before their conversion.
#[derive(Clone, Copy)]
pub(super) struct SourceChildren<'a> {
    /// The element type, if the container is a collection.
    pub(super) element: Option<&'a Type>,
    /// Whether all children are wholly known, so that the results are known too.
    pub(super) known: bool,
    /// Whether the element type of the result depends on children whose type contains `dynamic`.
    pub(super) open: bool,
}

// Small functions and loops without `?`: a deep value recurses through here, and stack frames are large in a debug
// build.

/// Converts a list, map, tuple or object to a collection, child by child.
pub(super) fn convert(
    container: &Container,
    from: &Type,
    to: &TypeConstraint,
    element: &mut Target,
) -> Result<Value> {
    if let Some(from) = from.element_type() {
        return convert_collection(container, from, to, element);
    }
    if *element.constraint().as_type() != Type::Dynamic || container.child_count() == 0 {
        return convert_structure(container, to, element, false);
    }
    let (common, open) = common_element_type(container, to)?;
    convert_structure(container, to, &mut Target::new(common), open)
}

/// Converts a list or map to a collection.
fn convert_collection(
    container: &Container,
    from: &Type,
    to: &TypeConstraint,
    element: &mut Target,
) -> Result<Value> {
    if let Some(map) = map_of_decided_elements(to, element.constraint()) {
        return to_map(container, map, element);
    }
    let elements = match independent_children(container.children(), from, element.constraint()) {
        Some(opened) => convert_children(container, opened.iter(), element, false),
        None => convert_children(container, container.children(), element, false),
    };
    build_from_collection(container, from, to, elements, element.constraint())
}

/// Converts a tuple or object to a collection. `open` says that the element type still depends on children whose type
/// contains `dynamic`.
fn convert_structure(
    container: &Container,
    to: &TypeConstraint,
    element: &mut Target,
    open: bool,
) -> Result<Value> {
    if let Some(map) = map_of_decided_elements(to, element.constraint()) {
        return to_map(container, map, element);
    }
    let elements = convert_children(container, container.children(), element, open);
    build_from_structure(container, to, elements, element.constraint(), open)
}

/// The target, if it is a map type with exactly this element type, without `dynamic`: then no element depends on the
/// others.
fn map_of_decided_elements<'t>(to: &'t TypeConstraint, element: &TypeConstraint) -> Option<&'t MapType> {
    match to.as_type() {
        Type::Map(map) if !map.element().has_dynamic() && map.element() == element.as_type() => Some(map),
        _ => None,
    }
}

/// The map of the converted children, built in one pass: most maps in plans are small, and a vector of elements
/// beside that of the entries takes a tenth of the conversion.
fn to_map(container: &Container, to: &MapType, element: &mut Target) -> Result<Value> {
    let mut converter = ElementConverter::new(element, false);
    let mut entries = Vec::with_capacity(container.child_count());
    match container {
        Container::Map(node) => {
            for (key, child) in &node.entries {
                match converter.convert(child) {
                    Ok(element) => entries.push((key.clone(), element)),
                    Err(error) => return Err(error.under(Step::index(key.as_str()))),
                }
            }
        }
        Container::Object(node) => {
            for (key, child) in node.ty.names().zip(&node.slots) {
                match converter.convert(child) {
                    Ok(element) => entries.push((key.clone(), element)),
                    Err(error) => return Err(error.under(Step::index(key.as_str()))),
                }
            }
        }
        // Nothing else has keys, and nothing else becomes a map.
        _ => {}
    }
    build_map_of_parts(to, entries)
}

/// Converts the children to elements, in order.
fn convert_children<'a>(
    container: &Container,
    children: impl Iterator<Item = &'a Value>,
    element: &mut Target,
    open: bool,
) -> Result<Vec<Value>> {
    let mut converter = ElementConverter::new(element, open);
    let mut elements = Vec::with_capacity(container.child_count());
    for child in children {
        match converter.convert(child) {
            Ok(element) => elements.push(element),
            Err(error) => return Err(error.under(step_to(container, elements.len()))),
        }
    }
    Ok(elements)
}

/// Builds the collection of elements converted from a list or map.
#[inline(never)]
fn build_from_collection(
    container: &Container,
    from: &Type,
    to: &TypeConstraint,
    elements: Result<Vec<Value>>,
    element: &TypeConstraint,
) -> Result<Value> {
    let source = SourceChildren { element: Some(from), known: container.inside().known, open: false };
    let built = build_from_container(container, to, source, elements?, element)?;
    if is_undecided_set(&built) {
        return limit_to_distinct(&built, container, from, element);
    }
    Ok(built)
}

/// Builds the collection of elements converted from a tuple or object.
#[inline(never)]
fn build_from_structure(
    container: &Container,
    to: &TypeConstraint,
    elements: Result<Vec<Value>>,
    element: &TypeConstraint,
    open: bool,
) -> Result<Value> {
    let source = SourceChildren { element: None, known: container.inside().known, open };
    let built = build_from_container(container, to, source, elements?, element)?;
    if is_undecided_set(&built)
        && let Some(first) = container.children().next().map(Value::ty)
        && container.children().all(|child| child.has_type(&first))
    {
        return limit_to_distinct(&built, container, &first, element);
    }
    Ok(built)
}

/// The step to the child at a position.
#[cold]
fn step_to(container: &Container, position: usize) -> Step {
    let key = match container {
        Container::Map(node) => node.entries.get(position).map(|(key, _)| key),
        Container::Object(node) => node.ty.name(position),
        _ => None,
    };
    key.map_or_else(|| Step::index(position), |key| Step::index(key.as_str()))
}

/// Whether the value is a set that is not wholly known.
fn is_undecided_set(value: &Value) -> bool {
    !value.is_wholly_known() && matches!(value.ty(), Type::Set(_))
}

/// Narrows the length of a converted set by the number of distinct children before the conversion, which are of type
/// `from`: at most as many, and at least as many if the conversion keeps different values different.
#[inline(never)]
fn limit_to_distinct(
    built: &Value,
    container: &Container,
    from: &Type,
    element: &TypeConstraint,
) -> Result<Value> {
    let distinct = Value::set_of(from.clone(), container.children().cloned())?.range().length_range();
    let Some(distinct) = distinct else { return Ok(built.clone()) };
    let fewest = if unknown::keeps_distinct(from, element) { distinct.lower() } else { 0 };
    built.assume(&Refinement::length(LengthRange::new(fewest, distinct.upper())?))
}

/// The common type that the children of a tuple or object are converted to, where the target's elements may be of any
/// one type; and whether children of undecided types decide the rest of it.
#[inline(never)]
fn common_element_type(container: &Container, to: &TypeConstraint) -> Result<(TypeConstraint, bool)> {
    let items = || container.children();
    let to_map = matches!(to.as_type(), Type::Map(_));
    let open = any_undecided_type(items());
    let found = if open {
        let stays_collection = |item: &Value| match view_below_marks(item) {
            View::List(_) => item.is_wholly_known(),
            View::Map(map) => map.is_empty(),
            _ => item.ty().element_type() != Some(&Type::Dynamic),
        };
        let is_untyped_null = |item: &&Value| matches!(item, Value::Known(_)) && item.ty() == Type::Dynamic;
        let facts = ChildFacts {
            to_map,
            has_untyped_nulls: items().any(|item| is_untyped_null(&item)),
            empty_collections_stay: items().all(stays_collection),
        };
        let types: Vec<Type> = items().filter(|item| !is_untyped_null(item)).map(Value::ty).collect();
        // A null alone converts to any type, but takes no part in the common type if its own type does not convert.
        let takes_all = |found: &Type| {
            let found = TypeConstraint::from(found);
            let mut last = None;
            types.iter().all(|ty| last.replace(ty) == Some(ty) || available(ty, &found, Mode::Open))
        };
        covering_type(&types, facts).filter(|found| found.has_dynamic() || takes_all(found))
    } else {
        let mut types = items().map(Value::ty).collect::<Vec<_>>();
        types.dedup();
        agreed_type(&types, to_map, &Query::new(Mode::Unsafe))
    };
    match found {
        Some(ty) => {
            let open = open && ty.has_dynamic();
            Ok((ty.into(), open))
        }
        None => Err(no_common_type(to)),
    }
}

/// Whether the type of some child contains a `dynamic` that may still become another type.
fn any_undecided_type<'a>(mut items: impl Iterator<Item = &'a Value>) -> bool {
    items.any(|item| !item.is_wholly_known() && item.ty().has_dynamic())
}

/// Builds the collection of the converted children of a container, with its keys if the target is a map.
fn build_from_container(
    container: &Container,
    to: &TypeConstraint,
    source: SourceChildren<'_>,
    elements: Vec<Value>,
    element: &TypeConstraint,
) -> Result<Value> {
    let Type::Map(map) = to.as_type() else { return build(to, source, elements, element) };
    let (ty, elements) = with_one_type(to, source, elements, element)?;
    let entries: Vec<(Text, Value)> = match container {
        Container::Map(node) => node.entries.iter().map(|(key, _)| key.clone()).zip(elements).collect(),
        Container::Object(node) => node.ty.names().cloned().zip(elements).collect(),
        // Nothing else has keys, and nothing else becomes a map.
        _ => Vec::new(),
    };
    if *map.element() == ty { build_map_of_parts(map, entries) } else { Value::map_of(ty, entries) }
}

/// Builds the list or set of converted elements.
pub(super) fn build(
    to: &TypeConstraint,
    source: SourceChildren<'_>,
    elements: Vec<Value>,
    element: &TypeConstraint,
) -> Result<Value> {
    let (ty, elements) = with_one_type(to, source, elements, element)?;
    match to.as_type() {
        Type::Set(_) => Value::set_of(ty, elements),
        Type::List(list) if *list.element() == ty => build_list_of_parts(list, elements),
        _ => Value::list_of(ty, elements),
    }
}

/// The converted elements as values of one type, and that type; an error if they have no common type.
pub(super) fn with_one_type(
    to: &TypeConstraint,
    source: SourceChildren<'_>,
    parts: Vec<Value>,
    element: &TypeConstraint,
) -> Result<(Type, Vec<Value>)> {
    if !element.as_type().has_dynamic() {
        return Ok((element.to_type(), parts));
    }
    let Some(first) = parts.first().map(Value::ty) else {
        return Ok((
            source.element.map_or_else(|| element.to_type(), |from| result_type::of_null(from, element)),
            parts,
        ));
    };
    // Elements that are null or empty do not determine the type of a `dynamic`.
    let undecided =
        source.element.filter(|from| from.has_dynamic()).map(|from| result_type::of_nulls(from, element));
    let first = undecided.as_ref().map_or_else(|| first.clone(), |ty| least_type(ty, &first));
    if parts.iter().all(|part| part.has_type(&first)) {
        return Ok((first, parts));
    }
    if undecided.is_some() || !source.known && (source.open || any_undecided_type(parts.iter())) {
        let ty = parts.iter().fold(first, |all, part| least_type(&all, &part.ty()));
        let parts = parts.into_iter().map(|part| widened(part, &ty)).collect();
        return Ok((ty, parts));
    }
    let mut types: Vec<Type> = parts.iter().map(Value::ty).collect();
    types.dedup();
    let unified = match (to.as_type(), element.as_type()) {
        (Type::Set(_), _) => None,
        (Type::Map(_), ty) if !ty.is_collection() && !matches!(ty, Type::Object(_)) => None,
        _ => match unify_in(&types, Mode::Safe) {
            // Untyped elements take the type of the others.
            Some(ty) if ty.has_dynamic() => unify_in(&types, Mode::Unsafe),
            unified => unified,
        },
    };
    let Some(ty) = unified else { return Err(no_common_type(to)) };
    let mut target = Target::new(&ty);
    let mut unified = Vec::with_capacity(parts.len());
    for part in &parts {
        unified.push(target.convert(part)?);
    }
    if !unified.iter().all(|part| part.has_type(&ty)) {
        return Err(no_common_type(to));
    }
    Ok((ty, unified))
}

/// The error for elements without a common type, in cty's words for the target's kind of collection.
#[cold]
fn no_common_type(to: &TypeConstraint) -> Error {
    let message = match to.as_type() {
        Type::Set(_) => "element types must all match for conversion to set",
        Type::Map(_) => "cannot find a common base type for all elements",
        _ => "element types must all match for conversion to list",
    };
    Error::new(Kind::TypeMismatch, message)
}
