//! What is known of every element of a list, set or map.

use std::cmp::Ordering;
use std::sync::Arc;

use super::structure::too_deep;
use super::{Bound, LengthRange, Nullness, NumberRange, Range, Refinement};
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::types::Type;

/// A refinement of every element of a list, set or map, the strings that the keys of a map are among, and a range of
/// lengths.
///
/// Something is known of the elements or of the keys: else it is a [`Range::Length`]. A clone shares the content.
///
/// ```
/// use plantime::{LengthRange, Range, Refinement};
///
/// let ids = Refinement::elements(Refinement::prefix("subnet-").and_not_null())?;
/// let ids = ids.meet(&Refinement::length(LengthRange::at_least(1)))?;
/// let Range::Elements(elements) = ids.range() else { unreachable!() };
/// assert_eq!(elements.element(), &Refinement::prefix("subnet-").and_not_null());
/// assert_eq!((elements.length(), elements.keys()), (LengthRange::at_least(1), &Range::Any));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ElementRange(Arc<Facts>);

/// The content that clones of an [`ElementRange`] share.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Facts {
    /// Never exactly 0: of no elements there is nothing to say. Never above the number of keys, where that is small.
    length: LengthRange,
    element: Refinement,
    /// `Any`, `Prefix` or `Language`.
    keys: Range,
    /// The number of refinements of elements and attributes inside each other, from 1 on.
    depth: usize,
}

/// What a range says of the length, the elements and the keys of a collection.
pub(super) struct CollectionFacts<'a> {
    length: LengthRange,
    element: &'a Refinement,
    keys: &'a Range,
}

static ANY: Refinement = Refinement::any();
static ANY_KEY: Range = Range::Any;

impl ElementRange {
    /// The range of the length.
    ///
    /// [Example](ElementRange)
    pub fn length(&self) -> LengthRange {
        self.0.length
    }

    /// What is known of every element.
    ///
    /// [Example](ElementRange)
    pub fn element(&self) -> &Refinement {
        &self.0.element
    }

    /// The strings that the keys of the map are among; `Any` where nothing is known of them, as for lists and sets.
    ///
    /// [Example](ElementRange)
    pub fn keys(&self) -> &Range {
        &self.0.keys
    }

    /// Whether values of the type other than null and the empty collection can be in the range.
    pub(super) fn applies_to(&self, ty: &Type) -> bool {
        let keyless = *self.keys() == Range::Any;
        // An element of unknown type may become one of any type. Until then nothing is kept of it.
        let applies = |ty: &Type| *ty == Type::Dynamic || self.element().applies_to(ty);
        match ty {
            Type::List(list) => keyless && applies(list.element()),
            Type::Set(set) => keyless && applies(set.element()),
            Type::Map(map) => applies(map.element()),
            _ => false,
        }
    }
}

impl Refinement {
    /// The refinement that the value is null or a list, set or map every element of which satisfies this refinement.
    ///
    /// A value without elements satisfies it.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let ids = Refinement::elements(Refinement::prefix("subnet-").and_not_null())?;
    /// assert_eq!(ids.to_string(), r#"elements(notnull(stringprefix("subnet-")))"#);
    /// let ids = Value::refined(Type::list(Type::String)?, ids.and_not_null())?;
    /// assert_eq!(ids.at(0)?.to_string(), r#""subnet-${(known after apply)}""#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) above [`limits::ELEMENT_REFINEMENTS`](crate::limits::ELEMENT_REFINEMENTS) refinements of elements and
    /// attributes inside each other.
    pub fn elements(element: Refinement) -> Result<Refinement> {
        if element.inner_depth() >= limits::ELEMENT_REFINEMENTS {
            return Err(too_deep());
        }
        Ok(Range::of_elements(LengthRange::default(), element, Range::Any)
            .map(Refinement::of)
            .unwrap_or_default())
    }

    /// The refinement that the value is null or a map whose keys all satisfy this refinement of strings. Keys are never
    /// null: what it says of null does not matter.
    ///
    /// A collection without elements satisfies it.
    ///
    /// ```
    /// use plantime::{Path, Refinement, Type, Value};
    ///
    /// let tags = Refinement::keys(&Refinement::one_of(["name", "stage"])?)?;
    /// assert_eq!(tags.to_string(), r#"lengthmax(2), keys(oneof("name", "stage"))"#);
    /// let tags = Value::refined(Type::map(Type::String)?, tags.and_not_null())?;
    /// assert!(tags.get(&Path::new().index("owner")).unwrap_err().is_not_found());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch) if no string satisfies a refinement of its kind.
    pub fn keys(strings: &Refinement) -> Result<Refinement> {
        if !strings.applies_to(&Type::String) {
            let message = format!("the keys of a map are strings and have no such refinement: {strings}");
            return Err(Error::new(Kind::TypeMismatch, message));
        }
        if strings.nullness() == Nullness::Null {
            return Ok(Refinement::length(LengthRange::exactly(0)));
        }
        let keys = strings.range().clone();
        Ok(Range::of_elements(LengthRange::default(), Refinement::any(), keys)
            .map(Refinement::of)
            .unwrap_or_default())
    }

    /// What is known of every element of the list, set or map; [`any()`](Refinement::any) if nothing is.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let ports = Refinement::elements(Refinement::integer().and_not_null())?;
    /// assert_eq!(ports.element(), &Refinement::integer().and_not_null());
    /// assert!(Refinement::not_null().element().is_trivial());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn element(&self) -> &Refinement {
        match self.range() {
            Range::Elements(elements) => elements.element(),
            _ => &ANY,
        }
    }

    /// The strings that the keys of the map are among; `Any` if nothing is known of them.
    ///
    /// [Example](ElementRange)
    pub fn key_range(&self) -> &Range {
        match self.range() {
            Range::Elements(elements) => elements.keys(),
            _ => &ANY_KEY,
        }
    }

    /// The refinement with this range in place of its own.
    pub(crate) fn and_range(self, range: Range) -> Refinement {
        Refinement { range, ..self }
    }

    /// The refinement, or, if what it says of elements or attributes does not apply to the type or cannot be known yet, one
    /// that says less of them: if need be, only whether they can be null.
    pub(crate) fn fitted_to(self, ty: &Type) -> Refinement {
        match self.range() {
            Range::Elements(elements) => {
                let element = elements.element();
                let fitted = part_fitted_to(element, ty.element_type());
                if fitted == *element {
                    return self;
                }
                let range = Range::of_elements(elements.length(), fitted, elements.keys().clone());
                Refinement { nullness: self.nullness(), range: range.unwrap_or_default() }
            }
            Range::Structure(structure) => {
                let range = structure.map(ty, |part, ty| part_fitted_to(part, Some(ty)));
                Refinement { nullness: self.nullness(), range }
            }
            _ => self,
        }
    }

    /// The refinement with another range of lengths, and what it says of elements, keys and null.
    #[doc(hidden)]
    pub fn with_length(&self, length: LengthRange) -> Refinement {
        let range = Range::of_elements(length, self.element().clone(), self.key_range().clone());
        Refinement { nullness: self.nullness(), range: range.unwrap_or_default() }
    }

    /// About the number of bytes of memory that the digits of all its numbers take.
    #[doc(hidden)]
    pub fn number_bytes(&self) -> usize {
        let of_bounds = |range: &NumberRange| {
            let ends = [range.lower(), range.upper()].into_iter().filter_map(Bound::number);
            ends.map(Number::heap_bytes).fold(0, usize::saturating_add)
        };
        match self.range() {
            Range::Number(range) => of_bounds(range),
            Range::Multiples(multiples) => of_bounds(multiples.range()),
            Range::Numbers(few) => {
                few.as_slice().iter().map(Number::heap_bytes).fold(0, usize::saturating_add)
            }
            Range::Elements(elements) => elements.element().number_bytes(),
            Range::Structure(structure) => {
                let parts = structure.parts().iter().map(|(_, part)| part.number_bytes());
                parts.fold(0, usize::saturating_add)
            }
            _ => 0,
        }
    }

    /// The number of refinements of elements and attributes inside, on all levels.
    pub(super) fn inner_size(&self) -> usize {
        match self.range() {
            Range::Elements(elements) => elements.element().inner_size().saturating_add(1),
            Range::Structure(structure) => structure.size(),
            _ => 0,
        }
    }

    /// The number of refinements of elements and attributes inside each other.
    pub(super) fn inner_depth(&self) -> usize {
        match self.range() {
            Range::Elements(elements) => elements.0.depth,
            Range::Structure(structure) => structure.depth(),
            _ => 0,
        }
    }
}

/// The refinement of an element or attribute, as far as it applies to a value of this type.
fn part_fitted_to(part: &Refinement, ty: Option<&Type>) -> Refinement {
    match ty {
        // Of a value of unknown type nothing can be known.
        None | Some(Type::Dynamic) => Refinement::any(),
        Some(ty) => match part.clone().fitted_to(ty) {
            fitted if fitted.applies_to(ty) => fitted,
            fitted => Refinement { nullness: fitted.nullness(), range: Range::Any },
        },
    }
}

impl Range {
    /// The collections whose length, elements and keys are in these ranges, in canonical form; `None` if there are none.
    /// Of elements that nest too deep only whether they can be null.
    pub(crate) fn of_elements(length: LengthRange, element: Refinement, keys: Range) -> Option<Range> {
        let element = match element.inner_depth() < limits::ELEMENT_REFINEMENTS {
            true => element,
            false => Refinement { nullness: element.nullness(), range: Range::Any },
        };
        let most = key_count(&keys).map_or(LengthRange::default(), LengthRange::at_most);
        let length = length.meet(most)?;
        if length.upper() == Some(0) || element.is_trivial() && keys == Range::Any {
            return Some(Range::length(length));
        }
        let depth = element.inner_depth().saturating_add(1);
        Some(Range::Elements(ElementRange(Arc::new(Facts { length, element, keys, depth }))))
    }

    /// What the range says of a collection; `None` if it is a range of other values.
    pub(super) fn of_collection(&self) -> Option<CollectionFacts<'_>> {
        match self {
            Range::Length(length) => Some(CollectionFacts { length: *length, element: &ANY, keys: &ANY_KEY }),
            Range::Elements(elements) => Some(CollectionFacts {
                length: elements.length(),
                element: elements.element(),
                keys: elements.keys(),
            }),
            _ => None,
        }
    }
}

impl CollectionFacts<'_> {
    /// The collections of which both hold; `None` if there are none. Where no element satisfies both, only the empty
    /// collection is left.
    pub(super) fn meet(&self, other: &CollectionFacts<'_>) -> Option<Range> {
        let length = self.length.meet(other.length)?;
        match (self.element.meet(other.element), self.keys.meet(other.keys)) {
            (Ok(element), Some(keys)) => Range::of_elements(length, element, keys).or_else(|| empty(length)),
            _ => empty(length),
        }
    }

    /// The smallest range of the collections of either. A collection without elements says nothing of elements.
    pub(super) fn join(&self, other: &CollectionFacts<'_>) -> Range {
        let length = self.length.join(other.length);
        let (element, keys) = match (self.is_empty(), other.is_empty()) {
            (true, _) => (other.element.clone(), other.keys.clone()),
            (_, true) => (self.element.clone(), self.keys.clone()),
            _ => (self.element.join(other.element), self.keys.join(other.keys)),
        };
        // The keys of both are no fewer than those of either, so the length stays.
        Range::of_elements(length, element, keys).unwrap_or_default()
    }

    /// Whether every collection for which the other facts hold is one for which these hold.
    pub(super) fn covers(&self, other: &CollectionFacts<'_>) -> bool {
        self.length.covers(other.length)
            && (other.is_empty() || self.element.contains(other.element) && self.keys.covers(other.keys))
    }

    /// Whether there are no elements.
    fn is_empty(&self) -> bool {
        self.length.upper() == Some(0)
    }
}

/// The range of the empty collection, if its length is allowed.
fn empty(length: LengthRange) -> Option<Range> {
    length.contains(0).then_some(Range::Length(LengthRange::exactly(0)))
}

/// The number of keys, if they are few.
fn key_count(keys: &Range) -> Option<u64> {
    match keys {
        Range::Language(language) => language.language().members().map(|members| members.len() as u64),
        _ => None,
    }
}

impl Ord for ElementRange {
    fn cmp(&self, other: &ElementRange) -> Ordering {
        let key = |elements: &ElementRange| (elements.length().lower(), elements.length().upper());
        key(self)
            .cmp(&key(other))
            .then_with(|| self.element().cmp(other.element()))
            .then_with(|| self.keys().cmp(other.keys()))
    }
}

impl PartialOrd for ElementRange {
    fn partial_cmp(&self, other: &ElementRange) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
