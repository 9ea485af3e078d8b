//! Texts of lists and lists of texts.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::error::{Error, Kind, Result};
use crate::function::standard::Standard;
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::text::Text;
use crate::types::Type;
use crate::value::{Value, View, canonical};

use super::{Known, check_length, starting, text};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let texts = Type::list(Type::String).unwrap_or(Type::Dynamic);
    let join = Function::new("join")
        .description("The texts of lists one after the other, with a separator between each two.")
        .parameter(text("separator"))
        .variadic(Parameter::new("lists", texts.clone()))
        .returns(Type::String)
        .not_null()
        .body_for_all(join);
    all.push(Standard::both(join));
    let split = Function::new("split")
        .description(
            "The parts of a text that stand between separators. No separator is between all code points.",
        )
        .parameter(text("separator"))
        .parameter(text("str"))
        .returns(texts)
        .not_null()
        .transformer(unknown_split)
        .body(|arguments| split(arguments.text(0)?, arguments.text(1)?));
    all.push(Standard::both(split));
}

fn join(arguments: &Arguments<'_>) -> Result<Value> {
    let (separator, lists) = (arguments.at(0), arguments.from(1));
    if lists.is_empty() {
        return Err(Error::new(Kind::Argument, "at least one list is required"));
    }
    if let Ok(separator) = separator.as_str()
        && lists.iter().all(|list| list.is_wholly_known() && !list.contains_marks())
    {
        return join_known(separator, lists);
    }
    let mut parts: Vec<&Value> = Vec::new();
    // Whether a list has come that may have any elements, and whether one is certain after the parts.
    let (mut open, mut more) = (false, false);
    for (i, list) in lists.iter().enumerate() {
        let View::List(items) = list.view() else {
            open = true;
            more |= list.range().length_range().is_some_and(|length| length.lower() > 0);
            continue;
        };
        for (j, item) in items.iter().enumerate() {
            if item.is_null() {
                return Err(null_element(i, j, lists.len()));
            }
            more |= open;
            if !open {
                parts.extend((!parts.is_empty()).then_some(separator));
                parts.push(item);
            }
        }
    }
    let unknown = Value::unknown(Type::String);
    if !open {
        return joined(&parts);
    }
    let through = if more { None } else { Some(joined(&parts)?) };
    parts.extend((!parts.is_empty()).then_some(separator));
    parts.push(&unknown);
    let beyond = joined(&parts)?;
    through.map_or(Ok(beyond.clone()), |through| Value::join(&[&through, &beyond]))
}

fn join_known(separator: &str, lists: &[Value]) -> Result<Value> {
    let mut parts: SmallVec<[&str; 16]> = SmallVec::new();
    for (i, list) in lists.iter().enumerate() {
        let View::List(items) = list.view() else { continue };
        for (j, item) in items.iter().enumerate() {
            if !parts.is_empty() {
                parts.push(separator);
            }
            parts.push(item.as_str().map_err(|_| null_element(i, j, lists.len()))?);
        }
    }
    let lengths = parts.iter().map(|part| part.len());
    let made = lengths.clone().fold(0, usize::saturating_add);
    check_length(made, lengths.max().unwrap_or(0))?;
    Ok(Value::from(Text::of_parts(made, parts.into_iter())))
}

/// The parts one after the other. What would be too long and is not all known begins with nothing certain.
fn joined(parts: &[&Value]) -> Result<Value> {
    let lengths = parts.iter().map(|part| Known::of(part).start().len());
    let made = lengths.clone().fold(0, usize::saturating_add);
    let given = lengths.max().unwrap_or(0);
    match check_length(made, given) {
        Err(error) if parts.iter().all(|part| part.is_known()) => Err(error),
        Err(_) => Ok(starting("")),
        Ok(()) if parts.iter().all(|part| part.is_known() && !part.is_marked()) => {
            let mut text = String::with_capacity(made);
            parts.iter().for_each(|part| text.push_str(part.as_str().unwrap_or_default()));
            Ok(Value::from(text))
        }
        Ok(()) => Value::concat_text(parts),
    }
}

#[cold]
fn null_element(list: usize, element: usize, lists: usize) -> Error {
    let which = match lists {
        1 => String::new(),
        _ => format!(" of list {}", list.saturating_add(1)),
    };
    let message = format!("element {element}{which} is null; cannot concatenate null values");
    Error::new(Kind::Null, message).in_argument(list.saturating_add(1))
}

fn split(separator: &str, text: &str) -> Result<Value> {
    if separator.is_empty() {
        let mut bytes = [0; 4];
        return Value::list_of(Type::String, text.chars().map(|c| Value::from(&*c.encode_utf8(&mut bytes))));
    }
    Value::list_of(Type::String, text.split(separator))
}

fn unknown_split(arguments: &Arguments<'_>) -> Result<Value> {
    let (separator, text) = (Known::of(arguments.at(0)), Known::of(arguments.at(1)));
    let (by, start) = (separator.start(), text.start());
    let parts = |by: &str| match by {
        "" => start.chars().count() as u64,
        by => (start.matches(by).count() as u64).saturating_add(1),
    };
    let length = match (separator, text) {
        (Known::Whole(by), _) => LengthRange::at_least(parts(by)),
        // Where it is not known whether there is a separator, the list is empty if there is nothing to split.
        (_, Known::Start(_)) => LengthRange::at_least(u64::from(!by.is_empty() || !start.is_empty())),
        (_, Known::Whole(text)) if by.is_empty() => {
            LengthRange::new(u64::from(!text.is_empty()), Some(parts("").max(most_parts(text))))?
        }
        (_, Known::Whole(text)) if !text.contains(by) => return Value::list_of(Type::String, [text]),
        _ => LengthRange::new(1, Some(parts(by)))?,
    };
    Ok(canonical(arguments.ty().clone(), Refinement::length(length).and_not_null()))
}

/// The most parts that a separator makes of a text: one character makes no fewer than what begins with it.
fn most_parts(text: &str) -> u64 {
    let mut times: HashMap<char, u64> = HashMap::new();
    for c in text.chars() {
        let times = times.entry(c).or_default();
        *times = times.saturating_add(1);
    }
    times.into_values().max().unwrap_or(0).saturating_add(1)
}
