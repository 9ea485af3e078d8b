//! `formatlist`: a text for each place in lists that are gone through together.

use std::borrow::Cow;

use crate::error::{Error, Kind, Result};
use crate::function::standard::Standard;
use crate::function::standard::collections::{items, length_of, unknown_list};
use crate::function::standard::texts::{Known, check_length, text};
use crate::function::{Arguments, Function, Parameter};
use crate::limits;
use crate::refinement::{LengthRange, Nullness};
use crate::types::Type;
use crate::value::{Value, View};

use super::written;

/// Up to so many lists that may be null are taken for a list and for a null, in every combination.
const OPEN: usize = 3;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let formatlist = Function::new("formatlist")
        .description(
            "Texts by a format, one for each place in the lists, sets and tuples among the values; \
             each other value is the same at every place.",
        )
        .parameter(text("format"))
        .variadic(Parameter::new("args", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::list(Type::String).unwrap_or(Type::Dynamic))
        .not_null()
        .body_for_all(formatted);
    all.push(Standard::both(formatlist));
}

/// What one value gives at each place.
enum Each<'a> {
    Same(&'a Value),
    Items(Cow<'a, [Value]>),
    /// Nothing more is known than this.
    Like(Value),
}

impl Each<'_> {
    fn at(&self, place: usize) -> Value {
        match self {
            Each::Same(value) => (*value).clone(),
            Each::Items(items) => items.get(place).cloned().unwrap_or_else(Value::dynamic),
            Each::Like(value) => value.clone(),
        }
    }
}

fn formatted(arguments: &Arguments<'_>) -> Result<Value> {
    let (format, values) = (Known::of(arguments.at(0)), arguments.from(1));
    let open = |value: &&Value| is_sequence(value) && value.range().nullness() == Nullness::Nullable;
    let count = values.iter().filter(open).count();
    if count == 0 || count > OPEN {
        return texts(format, values);
    }
    // A null is no list, but one value.
    let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
    for value in values {
        let outcomes = match open(&value) {
            true => value.assume_not_null().into_iter().chain([Value::null(value.ty())]).collect(),
            false => vec![value.clone()],
        };
        let with = |choice: &Vec<Value>, outcome: &Value| {
            [choice.as_slice(), std::slice::from_ref(outcome)].concat()
        };
        choices =
            choices.iter().flat_map(|choice| outcomes.iter().map(move |one| with(choice, one))).collect();
    }
    let (mut results, mut failed) = (Vec::new(), None);
    for choice in choices {
        match texts(format, &choice) {
            Ok(result) => results.push(result),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match failed {
        Some(error) if results.is_empty() => Err(error),
        _ => Value::join(&results.iter().collect::<Vec<_>>()),
    }
}

fn is_sequence(value: &Value) -> bool {
    matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_))
        && value.range().nullness() != Nullness::Null
}

fn texts(format: Known<'_>, values: &[Value]) -> Result<Value> {
    if values.is_empty() {
        return Value::list_of(Type::String, [written(format, values)?]);
    }
    let mut length: Option<(usize, LengthRange)> = None;
    let mut each = Vec::with_capacity(values.len());
    // Whether a value may be a list or not, and whether one certainly has its elements.
    let (mut open, mut counted) = (false, false);
    for (i, value) in values.iter().enumerate() {
        if !is_sequence(value) || value.range().nullness() == Nullness::Nullable {
            let decided = !is_sequence(value) && !matches!(value, Value::Dynamic(_));
            open |= !decided;
            each.push(if decided { Each::Same(value) } else { Each::Like(Value::dynamic()) });
            continue;
        }
        let here = length_of(value);
        length = Some(match length {
            None => (i, here),
            Some((first, range)) => match range.meet(here) {
                Some(both) => (first, both),
                None => return Err(inconsistent((i, here), (first, range))),
            },
        });
        let items = known_items(value);
        counted |= items.is_some();
        each.push(items.map_or_else(|| Each::Like(element(value)), Each::Items));
    }
    let length = match length {
        Some((_, length)) => length,
        None if open => LengthRange::default(),
        None => LengthRange::exactly(1),
    };
    match length.exact().and_then(|length| usize::try_from(length).ok()) {
        Some(length) if counted || length <= limits::COLLAPSE => listed(format, &each, length),
        _ => match at_place(format, &each, 0) {
            // None can be written, so there is none.
            Err(_) if length.lower() == 0 => Value::list_of(Type::String, [] as [Value; 0]),
            Err(error) => Err(error),
            Ok(_) => unknown_list(&Type::String, length),
        },
    }
}

fn listed(format: Known<'_>, each: &[Each<'_>], length: usize) -> Result<Value> {
    let (mut texts, mut read) = (Vec::with_capacity(length), 0_usize);
    // Of a format that is not known, all texts begin alike.
    let (given, begun) = match format {
        Known::Whole(format) => (format.len(), None),
        Known::Start(_) => (0, Some(at_place(format, &[], 0)?)),
    };
    for place in 0..length {
        let text = begun.clone().map_or_else(|| at_place(format, each, place), Ok)?;
        read = read.saturating_add(given).saturating_add(Known::of(&text).start().len());
        check_length(read, given)?;
        texts.push(text);
    }
    Value::list_of(Type::String, texts)
}

fn at_place(format: Known<'_>, each: &[Each<'_>], place: usize) -> Result<Value> {
    let values: Vec<Value> = each.iter().map(|each| each.at(place)).collect();
    written(format, &values).map_err(|error| {
        let message = format!("error on format iteration {place}: {}", error.message());
        error.with_message(message)
    })
}

/// The elements in their order, where that is known.
fn known_items(value: &Value) -> Option<Cow<'_, [Value]>> {
    match value.view() {
        View::Set(set) if set.member_count() == 1 => Some(Cow::Owned(set.iter().cloned().collect())),
        // What is known of them is written alike, of whatever type they turn out to be.
        View::List(list) => Some(Cow::Borrowed(list.as_slice())),
        _ => items(value),
    }
}

/// What is known of each element.
fn element(of: &Value) -> Value {
    Value::unknown(of.ty().element_type().cloned().unwrap_or(Type::Dynamic))
}

#[cold]
fn inconsistent(here: (usize, LengthRange), first: (usize, LengthRange)) -> Error {
    let (argument, other) = (here.0.saturating_add(1), first.0.saturating_add(1));
    let message = match (here.1.exact(), first.1.exact()) {
        (Some(length), Some(before)) => format!(
            "argument {argument} has length {length}, which is inconsistent with argument {other} of length {before}"
        ),
        _ => format!("argument {argument} has a length that is inconsistent with that of argument {other}"),
    };
    Error::new(Kind::Argument, message).in_argument(argument)
}
