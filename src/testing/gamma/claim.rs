//! A model of refinements: the facts known about an unknown value.

use crate::language::Language;
use crate::{Bound, Nullness, Range, Refinement};

use super::super::concrete::{Con, Num, Ty};

/// The facts known about an unknown value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// Whether the value may be null.
    pub null: bool,
    /// Whether the value may be other than null.
    pub other: bool,
    /// The range of the values other than null.
    pub range: Within,
}

/// A range of values other than null.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Within {
    /// All values.
    Any,
    /// Strings with this prefix.
    Prefix(String),
    /// Strings of this language.
    Language(Language),
    /// Numbers between two bounds, each with whether it is included.
    Number(Option<(Num, bool)>, Option<(Num, bool)>),
    /// Multiples of an integer between two bounds.
    Multiples(i64, Option<(Num, bool)>, Option<(Num, bool)>),
    /// These numbers.
    Numbers(Vec<Num>),
    /// Collections of at least and at most this number of elements.
    Length(u64, Option<u64>),
    /// Collections of such a length, with such elements, and, of maps, with such keys.
    Elements((u64, Option<u64>), Box<Claim>, Box<Within>),
    /// Objects with such attributes.
    Attributes(Vec<(String, Claim)>),
    /// Tuples with such elements.
    TupleElements(Vec<(usize, Claim)>),
}

impl Claim {
    /// The facts of a refinement.
    pub fn of(refinement: &Refinement) -> Claim {
        let (null, other) = match refinement.nullness() {
            Nullness::Nullable => (true, true),
            Nullness::NotNull => (false, true),
            Nullness::Null => (true, false),
        };
        let end = |bound: &Bound| match bound {
            Bound::Unbounded => None,
            Bound::Inclusive(number) => Some((Num::from(number), true)),
            Bound::Exclusive(number) => Some((Num::from(number), false)),
        };
        let range = match refinement.range() {
            Range::Any => Within::Any,
            Range::Prefix(prefix) => Within::Prefix(prefix.as_str().to_owned()),
            Range::Language(language) => Within::Language(language.language().clone()),
            Range::Number(range) => Within::Number(end(range.lower()), end(range.upper())),
            Range::Multiples(multiples) => {
                let step = i64::try_from(multiples.step()).expect("a step of the universes");
                Within::Multiples(step, end(multiples.range().lower()), end(multiples.range().upper()))
            }
            Range::Numbers(few) => Within::Numbers(few.as_slice().iter().map(Num::from).collect()),
            Range::Length(range) => Within::Length(range.lower(), range.upper()),
            Range::Elements(elements) => Within::Elements(
                (elements.length().lower(), elements.length().upper()),
                Box::new(Claim::of(elements.element())),
                Box::new(Claim::of(&Refinement::of(elements.keys().clone())).range),
            ),
            Range::Structure(structure) if structure.attributes().next().is_some() => {
                let attributes = structure.attributes();
                Within::Attributes(
                    attributes.map(|(name, part)| (name.to_owned(), Claim::of(part))).collect(),
                )
            }
            Range::Structure(structure) => Within::TupleElements(
                structure.elements().map(|(index, part)| (index, Claim::of(part))).collect(),
            ),
        };
        Claim { null, other, range }
    }

    /// Whether the facts hold for the value. Its type is not compared.
    pub fn holds(&self, con: &Con) -> bool {
        if con.is_null() { self.null } else { self.other && self.range.holds(con) }
    }
}

impl Within {
    /// Whether the range applies to values of the type.
    pub fn applies_to(&self, ty: &Ty) -> bool {
        match self {
            Within::Any => true,
            Within::Prefix(_) | Within::Language(_) => *ty == Ty::Str,
            Within::Number(..) | Within::Multiples(..) | Within::Numbers(_) => *ty == Ty::Num,
            Within::Length(..) => matches!(ty, Ty::List(_) | Ty::Set(_) | Ty::Map(_)),
            Within::Elements(_, element, keys) => match ty {
                Ty::List(ty) | Ty::Set(ty) => element.range.applies_to(ty) && **keys == Within::Any,
                Ty::Map(ty) => element.range.applies_to(ty),
                _ => false,
            },
            Within::Attributes(parts) => match ty {
                Ty::Object(attributes) => parts
                    .iter()
                    .all(|(name, part)| attributes.get(name).is_some_and(|ty| part.range.applies_to(ty))),
                _ => false,
            },
            Within::TupleElements(parts) => match ty {
                Ty::Tuple(elements) => parts
                    .iter()
                    .all(|(index, part)| elements.get(*index).is_some_and(|ty| part.range.applies_to(ty))),
                _ => false,
            },
        }
    }

    /// Whether a value that is not null is in the range.
    pub fn holds(&self, con: &Con) -> bool {
        let of_length = |length: usize| match self {
            Within::Length(min, max) | Within::Elements((min, max), ..) => {
                *min <= length as u64 && max.is_none_or(|max| length as u64 <= max)
            }
            _ => false,
        };
        match (self, con) {
            (Within::Any, _) => true,
            (Within::Prefix(prefix), Con::Str(text)) => text.as_bytes().starts_with(prefix.as_bytes()),
            (Within::Language(language), Con::Str(text)) => language.contains(text),
            (Within::Multiples(step, low, high), Con::Num(number)) => {
                number.is_multiple_of(*step) && Within::Number(low.clone(), high.clone()).holds(con)
            }
            (Within::Numbers(few), Con::Num(number)) => few.contains(number),
            (Within::Number(low, high), Con::Num(number)) => {
                let above = low.as_ref().is_none_or(|(low, closed)| low < number || *closed && low == number);
                let below =
                    high.as_ref().is_none_or(|(high, closed)| number < high || *closed && high == number);
                above && below
            }
            (Within::Elements(_, element, _), Con::List(_, items)) => {
                of_length(items.len()) && items.iter().all(|item| element.holds(item))
            }
            (Within::Elements(_, element, _), Con::Set(_, items)) => {
                of_length(items.len()) && items.iter().all(|item| element.holds(item))
            }
            (Within::Elements(_, element, keys), Con::Map(_, entries)) => {
                of_length(entries.len())
                    && entries
                        .iter()
                        .all(|(key, item)| element.holds(item) && keys.holds(&Con::Str(key.clone())))
            }
            (Within::Attributes(claims), Con::Object(parts)) => {
                claims.iter().all(|(name, claim)| parts.get(name).is_some_and(|part| claim.holds(part)))
            }
            (Within::TupleElements(claims), Con::Tuple(parts)) => {
                claims.iter().all(|(index, claim)| parts.get(*index).is_some_and(|part| claim.holds(part)))
            }
            (_, Con::List(_, items)) => of_length(items.len()),
            (_, Con::Set(_, items)) => of_length(items.len()),
            (_, Con::Map(_, entries)) => of_length(entries.len()),
            _ => false,
        }
    }
}
