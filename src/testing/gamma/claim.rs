//! What is known of an unknown.

use crate::{Bound, Nullness, Range, Refinement};

use super::super::concrete::{Con, Num, Ty};

/// What is known of an unknown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// Whether it may be null.
    pub null: bool,
    /// Whether it may be something else.
    pub other: bool,
    /// The range of what it may be other than null.
    pub range: Within,
}

/// The range of what is not null.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Within {
    /// Anywhere.
    Any,
    /// A string that starts with this.
    Prefix(String),
    /// A number between two ends, each with whether it belongs to the range.
    Number(Option<(Num, bool)>, Option<(Num, bool)>),
    /// A collection of so many elements at least and at most.
    Length(u64, Option<u64>),
}

impl Claim {
    /// What a refinement says.
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
            Range::Number(range) => Within::Number(end(range.lower()), end(range.upper())),
            Range::Length(range) => Within::Length(range.lower(), range.upper()),
        };
        Claim { null, other, range }
    }

    /// Whether the value agrees, its type left aside.
    pub fn holds(&self, con: &Con) -> bool {
        if con.is_null() { self.null } else { self.other && self.range.holds(con) }
    }
}

impl Within {
    /// Whether values of the type can lie in it.
    pub fn applies_to(&self, ty: &Ty) -> bool {
        match self {
            Within::Any => true,
            Within::Prefix(_) => *ty == Ty::Str,
            Within::Number(..) => *ty == Ty::Num,
            Within::Length(..) => matches!(ty, Ty::List(_) | Ty::Set(_) | Ty::Map(_)),
        }
    }

    /// Whether a value that is not null lies in it.
    pub fn holds(&self, con: &Con) -> bool {
        let of_length = |length: usize| match self {
            Within::Length(min, max) => *min <= length as u64 && max.is_none_or(|max| length as u64 <= max),
            _ => false,
        };
        match (self, con) {
            (Within::Any, _) => true,
            (Within::Prefix(prefix), Con::Str(text)) => text.as_bytes().starts_with(prefix.as_bytes()),
            (Within::Number(low, high), Con::Num(number)) => {
                let above = low.as_ref().is_none_or(|(low, closed)| low < number || *closed && low == number);
                let below =
                    high.as_ref().is_none_or(|(high, closed)| number < high || *closed && high == number);
                above && below
            }
            (_, Con::List(_, items)) => of_length(items.len()),
            (_, Con::Set(_, items)) => of_length(items.len()),
            (_, Con::Map(_, entries)) => of_length(entries.len()),
            _ => false,
        }
    }
}
