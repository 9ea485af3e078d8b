//! The canonical form of an unknown with a refinement.

use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::mark::Marks;
use crate::refinement::{ElementRange, LengthRange, Nullness, Range, Refinement, StructureRange};
use crate::text::Text;
use crate::types::{MapType, Type};

use super::repr::RefinedNode;
use super::{Refined, Value, build, set};

/// The canonical value of a type and a refinement, or an error if they do not go together; see [`Value::refined`].
#[inline]
pub(super) fn refined(ty: Type, mut refinement: Refinement) -> Result<Value> {
    // Fast path, a tenth of the instructions less: these apply to the type, and are in canonical form for every such type.
    if let (Type::String, Range::Prefix(_) | Range::Language(_))
    | (Type::Number, Range::Number(_) | Range::Multiples(_) | Range::Numbers(_))
    | (Type::List(_) | Type::Map(_), Range::Length(_)) = (&ty, refinement.range())
    {
        return Ok(canonical_of_fitted(ty, &mut refinement));
    }
    check_refinement(&ty, &refinement)?;
    Ok(canonical_by_ref(ty, &mut refinement))
}

/// Checks that the refinement applies to the type and leaves at least one value.
#[inline(never)]
fn check_refinement(ty: &Type, refinement: &Refinement) -> Result<()> {
    if *ty == Type::Dynamic && !refinement.is_trivial() && refinement.nullness() != Nullness::Null {
        return Err(Error::new(
            Kind::NeedsType,
            "a value of unknown type cannot be refined: its type must be known first",
        ));
    }
    if !refinement.applies_to(ty) {
        let message = format!("a {} has no such refinement: {refinement}", ty.friendly_name());
        return Err(Error::new(Kind::TypeMismatch, message));
    }
    if is_impossible(ty, refinement) {
        let message = format!("no {} has so many different elements: {refinement}", ty.friendly_name());
        return Err(Error::new(Kind::Contradiction, message));
    }
    Ok(())
}

/// The canonical value of a type and a refinement that applies to it (L9).
pub fn canonical(ty: Type, mut refinement: Refinement) -> Value {
    canonical_by_ref(ty, &mut refinement)
}

/// As [`canonical`]. `left` is the budget of values that it may build; the number of those is subtracted.
pub(super) fn canonical_within(ty: Type, mut refinement: Refinement, left: &mut usize) -> Value {
    canonical_with_budget(ty, &mut refinement, left)
}

/// As [`canonical`], but takes the refinement by reference: moving one copies its bytes.
#[inline]
fn canonical_by_ref(ty: Type, refinement: &mut Refinement) -> Value {
    let depends_on_type = match refinement.range() {
        Range::Elements(_) | Range::Structure(_) => true,
        Range::Length(_) => matches!(ty, Type::Set(_)),
        _ => false,
    };
    if depends_on_type {
        return canonical_with_budget(ty, refinement, &mut { limits::STRUCTURE_SIZE });
    }
    canonical_of_fitted(ty, refinement)
}

/// As [`canonical_within`], but takes the refinement by reference. Not inlined: most refinements are in canonical form.
#[inline(never)]
fn canonical_with_budget(ty: Type, refinement: &mut Refinement, left: &mut usize) -> Value {
    fit(&ty, refinement);
    if !fits_budget(&ty, refinement, left) {
        // Its attributes are read one at a time.
        let refinement = std::mem::take(refinement);
        return Value::Refined(Refined(Arc::new(RefinedNode { ty, refinement, marks: Marks::new() })));
    }
    canonical_of_fitted(ty, refinement)
}

/// Gives the refinement the canonical form that the type asks for.
fn fit(ty: &Type, refinement: &mut Refinement) {
    *refinement = std::mem::take(refinement).fitted_to(ty);
    match within_type(ty, refinement) {
        Ok(None) => {}
        Ok(Some(possible)) => *refinement = possible,
        Err(NoCollection) if refinement.allows_null() => *refinement = Refinement::null(),
        Err(NoCollection) => {}
    }
}

/// Whether the value has at most `left` values inside; if so, subtracts their number from `left`.
fn fits_budget(ty: &Type, refinement: &Refinement, left: &mut usize) -> bool {
    match values_inside(ty, refinement, *left).and_then(|inside| left.checked_sub(inside)) {
        Some(rest) => {
            *left = rest;
            true
        }
        None => false,
    }
}

/// The number of values inside the list, object or tuple that stands for an unknown which is not null; `None` if they are more
/// than `most`.
fn values_inside(ty: &Type, refinement: &Refinement, most: usize) -> Option<usize> {
    if refinement.nullness() != Nullness::NotNull {
        return Some(0);
    }
    let structure = match refinement.range() {
        Range::Structure(structure) => structure,
        Range::Length(_) | Range::Elements(_) => {
            let Some(ty) = ty.element_type() else { return Some(0) };
            let length = refinement.length_range().and_then(|length| usize::try_from(length.exact()?).ok());
            // Other collections have at most one element; the caller builds it before it counts.
            let length = length.filter(|length| *length <= limits::COLLAPSE).unwrap_or(1);
            let inside = values_inside(ty, refinement.element(), most)?.saturating_add(1);
            return Some(inside.saturating_mul(length)).filter(|inside| *inside <= most);
        }
        _ => return Some(0),
    };
    let mut inside = match ty {
        Type::Object(ty) => ty.len(),
        Type::Tuple(ty) => ty.len(),
        _ => 0,
    };
    for (ty, part) in structure.typed_parts(ty) {
        let left = most.checked_sub(inside)?;
        inside = inside.saturating_add(values_inside(ty, part, left)?);
    }
    Some(inside).filter(|inside| *inside <= most)
}

/// As [`canonical`], for a refinement whose parts are all in canonical form.
fn canonical_of_fitted(ty: Type, refinement: &mut Refinement) -> Value {
    // Of a value of unknown type it can be known that it is null, and nothing else.
    if refinement.is_trivial() || matches!(ty, Type::Dynamic) && refinement.nullness() != Nullness::Null {
        return Value::unknown(ty);
    }
    let decided = match refinement.nullness() {
        Nullness::Nullable => None,
        Nullness::Null if ty.has_dynamic() => None,
        Nullness::Null => Some(Value::null(ty.clone())),
        Nullness::NotNull => only_value(&ty, refinement),
    };
    if let Some(value) = decided {
        return value;
    }
    let refinement = std::mem::take(refinement);
    Value::Refined(Refined(Arc::new(RefinedNode { ty, refinement, marks: Marks::new() })))
}

/// A refinement of a collection in canonical form, after what the type says: a set has no more members than there are
/// values for them. `Ok(None)` if nothing changes, `Err` if only values that are null or none at all are left.
fn within_type(ty: &Type, refinement: &Refinement) -> std::result::Result<Option<Refinement>, NoCollection> {
    let changed = match refinement.range() {
        // Only sets have a number of members that their type limits.
        Range::Length(_) if !matches!(ty, Type::Set(_)) => return Ok(None),
        Range::Length(_) => None,
        Range::Elements(elements) if elements.element().is_trivial() => None,
        Range::Elements(elements) => element_within_type(ty, elements)?,
        Range::Structure(structure) => {
            return Ok(structure_within_type(ty, structure)?.map(|range| refinement.clone().and_range(range)));
        }
        _ => return Ok(None),
    };
    let changed = changed.map(|range| refinement.clone().and_range(range));
    let refinement = changed.as_ref().unwrap_or(refinement);
    let Some(most) = set::capacity(ty, refinement.element()) else { return Ok(changed) };
    let length = refinement.length_range().unwrap_or_default();
    if length.lower() > most {
        return Err(NoCollection);
    }
    Ok(match length.upper() {
        Some(upper) if upper >= most => Some(refinement.with_length(LengthRange::at_least(length.lower()))),
        _ => changed,
    })
}

/// What [`within_type`] answers if no list, set, map, object or tuple of the type is within the refinement.
struct NoCollection;

/// The range with the refinement of the elements in canonical form.
fn element_within_type(
    ty: &Type,
    elements: &ElementRange,
) -> std::result::Result<Option<Range>, NoCollection> {
    let Some(element_type) = ty.element_type() else { return Ok(None) };
    let element = match within_type(element_type, elements.element()) {
        Ok(None) => return Ok(None),
        Ok(Some(element)) => element,
        Err(NoCollection) if elements.element().allows_null() => Refinement::null(),
        // No value can be an element.
        Err(NoCollection) if elements.length().contains(0) => {
            return Ok(Some(Range::Length(LengthRange::exactly(0))));
        }
        Err(NoCollection) => return Err(NoCollection),
    };
    Ok(Range::of_elements(elements.length(), element, elements.keys().clone()))
}

/// The range with the refinements of the parts in canonical form; `None` if nothing changes.
fn structure_within_type(
    ty: &Type,
    structure: &StructureRange,
) -> std::result::Result<Option<Range>, NoCollection> {
    let (mut changes, mut is_impossible) = (false, false);
    let range = structure.map(ty, |part, ty| match within_type(ty, part) {
        Ok(None) => part.clone(),
        Ok(Some(part)) => {
            changes = true;
            part
        }
        Err(NoCollection) => {
            changes = true;
            is_impossible |= !part.allows_null();
            Refinement::null()
        }
    });
    if is_impossible { Err(NoCollection) } else { Ok(changes.then_some(range)) }
}

/// Whether the refinement requires a set with more members than its element type has values, and excludes null.
pub(crate) fn is_impossible(ty: &Type, refinement: &Refinement) -> bool {
    !refinement.allows_null() && within_type(ty, refinement).is_err()
}

static ANY: Refinement = Refinement::any();

/// The value of this type and range that is not null, if only one value or one partial container is possible.
fn only_value(ty: &Type, refinement: &Refinement) -> Option<Value> {
    match (ty, refinement.range()) {
        (Type::Number, Range::Number(range)) => range.singleton().map(|number| Value::from(number.clone())),
        (Type::String, Range::Language(language)) => language.single().map(Value::from),
        (Type::Object(object), Range::Structure(_)) => {
            let known = |name| refinement.of_attribute(name).clone();
            let slots = object.iter().map(|(name, ty)| canonical_of_fitted(ty.clone(), &mut known(name)));
            Some(build::object_node(object.clone(), slots.collect()))
        }
        (Type::Tuple(tuple), Range::Structure(_)) => {
            let items = tuple.iter().enumerate();
            let items = items
                .map(|(i, ty)| canonical_of_fitted(ty.clone(), &mut refinement.of_tuple_element(i).clone()));
            Some(build::tuple_node(tuple.clone(), items.collect()))
        }
        (Type::Object(ty), _) if ty.is_empty() => Some(build::object_node(ty.clone(), Box::new([]))),
        (Type::Tuple(ty), _) if ty.is_empty() => Some(build::tuple_node(ty.clone(), Box::new([]))),
        (Type::Set(set), Range::Length(range)) if set::capacity(ty, &ANY) == Some(range.lower()) => {
            set::set_of_all_values(set, &ANY)
        }
        (Type::Set(set), Range::Elements(elements))
            if set::capacity(ty, elements.element()) == Some(elements.length().lower()) =>
        {
            set::set_of_all_values(set, elements.element())
        }
        (_, Range::Length(range)) => collection_of_unknowns(ty, range.exact()?, &ANY),
        (Type::Map(map), Range::Elements(elements)) => map_of_unknowns(map, elements),
        (_, Range::Elements(elements)) => {
            collection_of_unknowns(ty, elements.length().exact()?, elements.element())
        }
        _ => None,
    }
}

/// The collection of exactly `length` unknown elements with this refinement; `None` unless it is a list of at most [`limits::COLLAPSE`]
/// elements, a set of at most one member, or an empty map, and, if empty, of a type without `dynamic`.
fn collection_of_unknowns(ty: &Type, length: u64, refinement: &Refinement) -> Option<Value> {
    let length = usize::try_from(length).ok()?;
    if length == 0 && ty.has_dynamic() {
        return None;
    }
    match ty {
        Type::List(list) if length <= limits::COLLAPSE => {
            let item = canonical(list.element().clone(), refinement.clone());
            let items = fits_inside(&item, length).then(|| vec![item; length])?;
            Some(build::list_node(list.clone(), items.into_boxed_slice()))
        }
        Type::Set(set) if length <= 1 => {
            let member = canonical(set.element().clone(), refinement.clone());
            Some(set::build(set.clone(), vec![member; length]))
        }
        Type::Map(map) if length == 0 => Some(build::map_node(map.clone(), Box::new([]))),
        _ => None,
    }
}

/// Whether a collection of so many such elements is small enough to be listed.
fn fits_inside(element: &Value, length: usize) -> bool {
    (element.size() as usize).saturating_mul(length) <= limits::COLLAPSE_SIZE
}

/// The map of unknown elements, if its keys are few and its length is their number.
fn map_of_unknowns(ty: &MapType, elements: &ElementRange) -> Option<Value> {
    let Range::Language(keys) = elements.keys() else { return None };
    let length = usize::try_from(elements.length().lower()).ok()?;
    // Most maps may have fewer elements than keys: then the keys need not be listed.
    if length == 0 || length > limits::COLLAPSE || elements.length().exact().is_none() {
        return None;
    }
    let keys = keys.language().members().filter(|keys| keys.len() == length)?;
    let element = canonical(ty.element().clone(), elements.element().clone());
    if !fits_inside(&element, length) {
        return None;
    }
    let entries = keys.into_iter().map(|key| (Text::from(key), element.clone()));
    Some(build::map_node(ty.clone(), entries.collect()))
}
