//! Rules on lengths: code points of a string, elements of a collection or tuple, attributes of an object.

use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// The lengths that a value that is not null may have; `None` if its type has no length or is not known.
///
/// | value | length |
/// |---|---|
/// | known string | its code points |
/// | unknown string | at least the code points of its known prefix |
/// | list, map | its length, known even if elements are not |
/// | set | from the minimum to the maximum number of distinct members |
/// | tuple, object | what the type says |
pub(in crate::rule) fn length_range(value: &Value) -> Option<LengthRange> {
    let exactly = |length: usize| Some(LengthRange::exactly(length as u64));
    match view_below_marks(value) {
        View::String(text) => exactly(text.chars().count()),
        View::List(list) => exactly(list.len()),
        View::Map(map) => exactly(map.len()),
        View::Set(set) => Some(set.length()),
        View::Tuple(tuple) => exactly(tuple.len()),
        View::Object(object) => exactly(object.len()),
        View::Unknown(range) => match range.ty() {
            Type::String => {
                let beginning = range.prefix().unwrap_or_default();
                Some(LengthRange::at_least(beginning.chars().count() as u64))
            }
            Type::Tuple(ty) => exactly(ty.len()),
            Type::Object(ty) => exactly(ty.len()),
            Type::List(_) | Type::Set(_) | Type::Map(_) => Some(range.length_range().unwrap_or_default()),
            _ => None,
        },
        _ => None,
    }
}

/// The unit of a length of a string, other than code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Grapheme clusters: what readers see as one character.
    Graphemes,
}

impl Unit {
    /// The length of a string in this unit.
    fn count(self, text: &str) -> u64 {
        match self {
            Unit::Bytes => text.len() as u64,
            Unit::Graphemes => crate::text::grapheme_count(text) as u64,
        }
    }

    /// The name of the unit in the singular: `byte`.
    pub(in crate::rule) fn noun(self) -> &'static str {
        match self {
            Unit::Bytes => "byte",
            Unit::Graphemes => "grapheme",
        }
    }
}

/// The lengths that a string that is not null may have, in a unit. Appending to a prefix never makes it shorter: a
/// boundary between grapheme clusters depends on the string before it and one character after it.
pub(in crate::rule) fn string_length_range(value: &Value, unit: Unit) -> Option<LengthRange> {
    match view_below_marks(value) {
        View::String(text) => Some(LengthRange::exactly(unit.count(text))),
        View::Unknown(range) if *range.ty() == Type::String => {
            Some(LengthRange::at_least(unit.count(range.prefix().unwrap_or_default())))
        }
        _ => None,
    }
}

/// Whether every length of the range (true), or none (false), is at least `least`.
pub(in crate::rule) fn at_least(length: Option<LengthRange>, least: u64) -> Option<bool> {
    let length = length?;
    if length.lower() >= least {
        Some(true)
    } else if length.upper().is_some_and(|upper| upper < least) {
        Some(false)
    } else {
        None
    }
}

/// Whether every length of the range (true), or none (false), is at most `most`.
pub(in crate::rule) fn at_most(length: Option<LengthRange>, most: u64) -> Option<bool> {
    let length = length?;
    if length.upper().is_some_and(|upper| upper <= most) {
        Some(true)
    } else if length.lower() > most {
        Some(false)
    } else {
        None
    }
}

/// Whether every length of the range (true), or none (false), is `wanted`.
pub(in crate::rule) fn exactly(length: Option<LengthRange>, wanted: u64) -> Option<bool> {
    let length = length?;
    match length.exact() {
        Some(length) => Some(length == wanted),
        None if !length.contains(wanted) => Some(false),
        None => None,
    }
}
