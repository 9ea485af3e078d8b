//! The kinds of ranges for crates beside this one.

use super::{
    ElementRange, LengthRange, Multiples, NumberRange, Numbers, Prefix, Range, StringLanguage, StructureRange,
};

/// A [`Range`] that other crates match without a wildcard: a new kind of range is an error of the compiler there, too.
#[derive(Clone, Copy, Debug)]
pub enum RangeKind<'r> {
    /// [`Range::Any`].
    Any,
    /// [`Range::Prefix`].
    Prefix(&'r Prefix),
    /// [`Range::Number`].
    Number(&'r NumberRange),
    /// [`Range::Length`].
    Length(&'r LengthRange),
    /// [`Range::Language`].
    Language(&'r StringLanguage),
    /// [`Range::Multiples`].
    Multiples(&'r Multiples),
    /// [`Range::Elements`].
    Elements(&'r ElementRange),
    /// [`Range::Numbers`].
    Numbers(&'r Numbers),
    /// [`Range::Structure`].
    Structure(&'r StructureRange),
}

impl<'r> RangeKind<'r> {
    /// The kind of a range, with its payload.
    #[inline]
    pub fn of(range: &'r Range) -> RangeKind<'r> {
        match range {
            Range::Any => RangeKind::Any,
            Range::Prefix(prefix) => RangeKind::Prefix(prefix),
            Range::Number(range) => RangeKind::Number(range),
            Range::Length(range) => RangeKind::Length(range),
            Range::Language(language) => RangeKind::Language(language),
            Range::Multiples(multiples) => RangeKind::Multiples(multiples),
            Range::Elements(elements) => RangeKind::Elements(elements),
            Range::Numbers(few) => RangeKind::Numbers(few),
            Range::Structure(structure) => RangeKind::Structure(structure),
        }
    }
}
