//! What is known of the attributes of an object or of the elements of a tuple.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Range, Refinement};
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::text::Text;
use crate::types::Type;

/// A refinement of some attributes of an object, or of some elements of a tuple.
///
/// Something is known of one of them at least. A clone shares the content.
///
/// ```
/// use plantime::{Range, Refinement};
///
/// let id = Refinement::prefix("vpc-").and_not_null();
/// let vpc = Refinement::attribute("id", id.clone())?;
/// let Range::Structure(structure) = vpc.range() else { unreachable!() };
/// assert_eq!(structure.attributes().collect::<Vec<_>>(), [("id", &id)]);
/// assert_eq!(structure.elements().count(), 0);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructureRange(Arc<Facts>);

/// The refinements of a [`StructureRange`], which its clones share.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Facts {
    /// Sorted by name and not empty. All names are of attributes, or all are of elements. No refinement is `any()`.
    parts: Box<[(PartName, Refinement)]>,
    /// The number of refinements of elements and attributes inside each other, from 1 on.
    depth: usize,
    /// The number of refinements inside, on all levels.
    size: usize,
}

/// The place of an attribute in an object, or of an element in a tuple.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PartName {
    Attribute(Text),
    Element(usize),
}

static ANY: Refinement = Refinement::any();

impl StructureRange {
    /// The refined attributes of the object, in the order of their names; none for a tuple.
    ///
    /// [Example](StructureRange)
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &Refinement)> {
        self.0.parts.iter().filter_map(|(place, refinement)| match place {
            PartName::Attribute(name) => Some((name.as_str(), refinement)),
            PartName::Element(_) => None,
        })
    }

    /// The refined elements of the tuple, in the order of their indices; none for an object.
    ///
    /// [Example](Refinement::tuple_element)
    pub fn elements(&self) -> impl Iterator<Item = (usize, &Refinement)> {
        self.0.parts.iter().filter_map(|(place, refinement)| match place {
            PartName::Attribute(_) => None,
            PartName::Element(index) => Some((*index, refinement)),
        })
    }

    /// The refined attributes or tuple elements, in order.
    pub(crate) fn parts(&self) -> &[(PartName, Refinement)] {
        &self.0.parts
    }

    /// The range with each refinement of a part replaced; of parts that the type does not have nothing is kept.
    pub(crate) fn map(&self, ty: &Type, mut part: impl FnMut(&Refinement, &Type) -> Refinement) -> Range {
        let parts =
            self.0.parts.iter().filter_map(|(place, refinement)| {
                Some((place.clone(), part(refinement, part_type(ty, place)?)))
            });
        Range::of_structure(parts.collect())
    }

    /// The refinements of the parts that values of this type have, each with the type of the part.
    pub(crate) fn typed_parts<'a>(
        &'a self,
        ty: &'a Type,
    ) -> impl Iterator<Item = (&'a Type, &'a Refinement)> {
        self.0.parts.iter().filter_map(|(place, refinement)| Some((part_type(ty, place)?, refinement)))
    }

    /// The number of refinements inside, on all levels.
    pub(super) fn size(&self) -> usize {
        self.0.size
    }

    /// The number of refinements of elements and attributes inside each other.
    pub(super) fn depth(&self) -> usize {
        self.0.depth
    }

    /// What is known of a place.
    pub(crate) fn part(&self, place: &PartName) -> &Refinement {
        match self.0.parts.binary_search_by(|(other, _)| other.cmp(place)) {
            Ok(found) => self.0.parts.get(found).map_or(&ANY, |(_, refinement)| refinement),
            Err(_) => &ANY,
        }
    }

    /// Whether objects or tuples of the type have all these places, with types to which the refinements apply.
    pub(super) fn applies_to(&self, ty: &Type) -> bool {
        // A part of unknown type may become one of any type. Until then nothing is kept of it.
        let applies = |part: Option<&Type>, refinement: &Refinement| {
            part.is_some_and(|ty| *ty == Type::Dynamic || refinement.applies_to(ty))
        };
        self.0.parts.iter().all(|(place, refinement)| applies(part_type(ty, place), refinement))
    }

    /// The objects or tuples in both ranges; `None` if there are none. A wider range if the exact one is too large.
    pub(super) fn meet(&self, other: &StructureRange) -> Option<Range> {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Some(Range::Structure(self.clone()));
        }
        let mut parts = Vec::with_capacity(self.0.parts.len().max(other.0.parts.len()));
        for (place, own, others) in both(self, other) {
            parts.push((place.clone(), own.meet(others).ok()?));
        }
        // No value is an object and a tuple.
        if !are_of_one_kind(&parts) {
            return None;
        }
        let size = |refinement: &Refinement| match refinement.is_trivial() {
            true => 0,
            false => refinement.inner_size().saturating_add(1),
        };
        let all = parts.iter().map(|(_, part)| size(part)).fold(0, usize::saturating_add);
        if all > limits::STRUCTURE_SIZE {
            // All that this range says, and as much of the other as fits.
            let mut left = limits::STRUCTURE_SIZE.saturating_sub(self.0.size);
            for (name, met) in &mut parts {
                let own = self.part(name);
                match left.checked_sub(size(met).saturating_sub(size(own))) {
                    Some(rest) => left = rest,
                    None => *met = own.clone(),
                }
            }
        }
        Some(Range::of_structure(parts))
    }

    /// The smallest range of the objects or tuples of either.
    pub(super) fn join(&self, other: &StructureRange) -> Range {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Range::Structure(self.clone());
        }
        let parts = both(self, other).map(|(place, own, others)| (place.clone(), own.join(others)));
        Range::of_structure(parts.collect())
    }

    /// Whether every object or tuple in the other range is in this one.
    pub(super) fn covers(&self, other: &StructureRange) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.0.parts.iter().all(|(place, refinement)| refinement.contains(other.part(place)))
    }
}

/// The type of the part of an object or tuple at a place, if it has one.
fn part_type<'t>(ty: &'t Type, place: &PartName) -> Option<&'t Type> {
    match (ty, place) {
        (Type::Object(ty), PartName::Attribute(name)) => ty.get(name.as_str()),
        (Type::Tuple(ty), PartName::Element(index)) => ty.get(*index),
        _ => None,
    }
}

/// Every place of which either range knows something, in order, with what each knows of it.
fn both<'a>(
    a: &'a StructureRange,
    b: &'a StructureRange,
) -> impl Iterator<Item = (&'a PartName, &'a Refinement, &'a Refinement)> {
    let (mut own, mut others) = (a.0.parts.iter().peekable(), b.0.parts.iter().peekable());
    std::iter::from_fn(move || {
        let order = match (own.peek(), others.peek()) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        let from_own = if order.is_le() { own.next() } else { None };
        let from_others = if order.is_ge() { others.next() } else { None };
        let (place, _) = from_own.or(from_others)?;
        Some((place, from_own.map_or(&ANY, |(_, it)| it), from_others.map_or(&ANY, |(_, it)| it)))
    })
}

/// Whether all places are attributes, or all are elements.
fn are_of_one_kind(parts: &[(PartName, Refinement)]) -> bool {
    let is_attribute = |(place, _): &(PartName, Refinement)| matches!(place, PartName::Attribute(_));
    parts.iter().all(is_attribute) || !parts.iter().any(is_attribute)
}

impl Refinement {
    /// The refinement that the value is null or an object whose attribute of this name satisfies the refinement. The name is
    /// taken in normalization form C.
    ///
    /// [`any()`](Refinement::any) if nothing is said of the attribute: whether there is one is said by the type.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let vpc = Refinement::attribute("id", Refinement::prefix("vpc-").and_not_null())?;
    /// assert_eq!(vpc.to_string(), r#"attribute("id", notnull(stringprefix("vpc-")))"#);
    /// let vpc = Value::refined("object({ id = string, name = string })".parse()?, vpc)?;
    /// assert_eq!(vpc.at("id")?.to_string(), r#""vpc-${(known after apply)}""#);
    /// // An object that is not null is one of unknown attributes.
    /// assert_eq!(vpc.assume_not_null()?.at("name")?, Value::unknown(Type::String));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) above [`limits::ELEMENT_REFINEMENTS`](crate::limits::ELEMENT_REFINEMENTS) refinements of elements and
    /// attributes inside each other, or [`limits::STRUCTURE_SIZE`](crate::limits::STRUCTURE_SIZE) altogether.
    pub fn attribute(name: &str, refinement: Refinement) -> Result<Refinement> {
        of_part(PartName::Attribute(Text::from(name)), refinement)
    }

    /// The refinement that the value is null or a tuple whose element at this index satisfies the refinement.
    ///
    /// [`any()`](Refinement::any) if nothing is said of the element: whether there is one is said by the type.
    ///
    /// ```
    /// use plantime::{Range, Refinement, Value};
    ///
    /// let pair = Refinement::tuple_element(1, Refinement::number_at_least(1))?;
    /// assert_eq!(pair.to_string(), "tupleelement(1, numbermin(1))");
    /// let Range::Structure(structure) = pair.range() else { unreachable!() };
    /// assert_eq!(structure.elements().collect::<Vec<_>>(), [(1, &Refinement::number_at_least(1))]);
    /// let pair = Value::refined("tuple([string, number])".parse()?, pair)?;
    /// assert_eq!(pair.at(1)?.range().refinement(), &Refinement::number_at_least(1));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) above [`limits::ELEMENT_REFINEMENTS`](crate::limits::ELEMENT_REFINEMENTS) refinements of elements and
    /// attributes inside each other, or [`limits::STRUCTURE_SIZE`](crate::limits::STRUCTURE_SIZE) altogether.
    pub fn tuple_element(index: usize, refinement: Refinement) -> Result<Refinement> {
        of_part(PartName::Element(index), refinement)
    }

    /// What is known of the attribute of the object; [`any()`](Refinement::any) if nothing is.
    pub(crate) fn of_attribute(&self, name: &str) -> &Refinement {
        match self.range() {
            Range::Structure(structure) => structure.part(&PartName::Attribute(Text::from(name))),
            _ => &ANY,
        }
    }

    /// What is known of the element of the tuple; [`any()`](Refinement::any) if nothing is.
    pub(crate) fn of_tuple_element(&self, index: usize) -> &Refinement {
        match self.range() {
            Range::Structure(structure) => structure.part(&PartName::Element(index)),
            _ => &ANY,
        }
    }
}

/// The refinement of one part of an object or tuple.
fn of_part(place: PartName, refinement: Refinement) -> Result<Refinement> {
    if refinement.inner_depth() >= limits::ELEMENT_REFINEMENTS {
        return Err(too_deep());
    }
    if refinement.inner_size() >= limits::STRUCTURE_SIZE {
        let most = limits::STRUCTURE_SIZE;
        return Err(Error::new(
            Kind::Limit,
            format!("a refinement has at most {most} refinements of attributes inside"),
        ));
    }
    Ok(Refinement::of(Range::of_structure(vec![(place, refinement)])))
}

/// The error for refinements of elements and attributes that nest too deep.
#[cold]
pub(super) fn too_deep() -> Error {
    let most = limits::ELEMENT_REFINEMENTS;
    Error::new(Kind::Limit, format!("refinements of elements and attributes nest at most {most} levels"))
}

impl Range {
    /// The objects or tuples whose parts satisfy these refinements, in canonical form. The places are sorted and of one
    /// kind. Of parts that nest too deep, or are too large together with those before them, only whether they can be null.
    pub(crate) fn of_structure(mut parts: Vec<(PartName, Refinement)>) -> Range {
        let (mut depth, mut size) = (0, 0_usize);
        parts.retain_mut(|(_, refinement)| {
            let with_this =
                |refinement: &Refinement| size.saturating_add(1).saturating_add(refinement.inner_size());
            if refinement.inner_depth() >= limits::ELEMENT_REFINEMENTS
                || with_this(refinement) > limits::STRUCTURE_SIZE
            {
                *refinement = Refinement { nullness: refinement.nullness(), range: Range::Any };
            }
            let is_kept = !refinement.is_trivial() && with_this(refinement) <= limits::STRUCTURE_SIZE;
            if is_kept {
                depth = depth.max(refinement.inner_depth());
                size = with_this(refinement);
            }
            is_kept
        });
        if parts.is_empty() {
            return Range::Any;
        }
        let depth = depth.saturating_add(1);
        Range::Structure(StructureRange(Arc::new(Facts { parts: parts.into_boxed_slice(), depth, size })))
    }
}

impl Ord for StructureRange {
    fn cmp(&self, other: &StructureRange) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.parts.cmp(&other.0.parts) }
    }
}

impl PartialOrd for StructureRange {
    fn partial_cmp(&self, other: &StructureRange) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
