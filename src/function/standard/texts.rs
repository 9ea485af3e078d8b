//! Text: letters, trimming, parts, and what a text begins with.
//!
//! A part of a text in normal form is in that form, so that what is cut out of a text begins with just these bytes
//! whatever follows.

mod case;
mod clusters;
mod ends;
mod indent;
mod lists;
mod paths;
mod trim;

use std::ops::RangeInclusive;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Parameter};
use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical};

use super::Standard;

pub(super) use trim::overlap;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["upper", "lower", "title"], "what it begins with, in these letters"),
    (
        &["trimspace", "trim", "chomp", "trimprefix", "trimsuffix"],
        "what it begins with, but for what may be cut off; nothing is cut off where the beginnings differ",
    ),
    (&["strlen"], "at least as many characters as are known"),
    (&["substr"], "the part, if the characters and the one after them are known, else what it begins with"),
    (&["reverse"], "that it is a text"),
    (&["indent"], "what it begins with, indented as far as that is certain"),
    (&["join"], "what stands before the first unknown part, and what that begins with"),
    (&["split"], "at least as many elements as are known; one, where the separator cannot be found"),
    (&["startswith", "endswith", "strcontains"], "the answer, if what both begin with decides it"),
    (&["basename"], "that it is a text"),
    (&["dirname"], "the root of an absolute path, and leading `..` of a relative one"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    case::add_to(all);
    clusters::add_to(all);
    trim::add_to(all);
    indent::add_to(all);
    lists::add_to(all);
    ends::add_to(all);
    paths::add_to(all);
}

/// What is known of a text.
#[derive(Clone, Copy)]
pub(super) enum Known<'a> {
    Whole(&'a str),
    /// What it begins with.
    Start(&'a str),
}

impl<'a> Known<'a> {
    /// What is known of an argument that is a text, not null.
    pub(super) fn of(value: &'a Value) -> Known<'a> {
        match value.view() {
            View::String(text) => Known::Whole(text),
            _ => Known::Start(value.refinement().and_then(Refinement::prefix_str).unwrap_or_default()),
        }
    }

    /// What it certainly begins with.
    pub(super) fn start(self) -> &'a str {
        match self {
            Known::Whole(text) | Known::Start(text) => text,
        }
    }

    /// The value that this is known of.
    pub(super) fn value(self) -> Value {
        match self {
            Known::Whole(text) => Value::from(text),
            Known::Start(start) => starting(start),
        }
    }
}

/// A text of which only the beginning is known.
pub(super) fn starting(start: &str) -> Value {
    canonical(Type::String, Refinement::prefix(start).and_not_null())
}

/// A bool that may not be known.
fn answer(truth: Option<bool>) -> Value {
    truth.map_or_else(|| canonical(Type::Bool, Refinement::not_null()), Value::from)
}

/// A parameter that takes a text.
pub(super) fn text(name: &str) -> Parameter {
    Parameter::new(name, Type::String)
}

/// Refuses to make so many bytes of arguments that have so many.
pub(super) fn check_length(made: usize, given: usize) -> Result<()> {
    if made <= given.max(limits::TEXT) {
        return Ok(());
    }
    Err(Error::new(Kind::Limit, format!("the text would have more than {} bytes", limits::TEXT)))
}

/// The whole numbers of 64 bits that an argument may become, of which there is at least one.
fn whole_numbers(arguments: &Arguments<'_>, index: usize) -> Result<RangeInclusive<i64>> {
    let value = arguments.at(index);
    if value.is_known() {
        return arguments.whole(index).map(|number| number..=number);
    }
    let range = value.range().number_range().cloned().unwrap_or_default();
    let least = match range.lower() {
        Bound::Unbounded => Some(Number::NEG_INFINITY),
        Bound::Inclusive(number) => Some(number.ceil()),
        Bound::Exclusive(number) => number.floor().add(&Number::ONE).ok(),
    };
    let most = match range.upper() {
        Bound::Unbounded => Some(Number::INFINITY),
        Bound::Inclusive(number) => Some(number.floor()),
        Bound::Exclusive(number) => number.ceil().subtract(&Number::ONE).ok(),
    };
    let (first, last) = (Number::from(i64::MIN), Number::from(i64::MAX));
    let (least, most) = (least.map(|number| number.max(first)), most.map(|number| number.min(last)));
    match (least.and_then(|number| number.to_i64()), most.and_then(|number| number.to_i64())) {
        (Some(least), Some(most)) if least <= most => Ok(least..=most),
        _ => Err(Error::new(Kind::Argument, "value must be a whole number").in_argument(index)),
    }
}
