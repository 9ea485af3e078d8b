//! `join` and `split`.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::error::{Error, Kind, Result};
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::unknown_list_with;
use crate::function::{Arguments, Function, Parameter, work};
use crate::language::{Language, hull};
use crate::refinement::{LengthRange, Refinement};
use crate::text::Text;
use crate::types::Type;
use crate::value::{Value, View};

use super::{KnownText, ascii_language_of, check_length, in_language, string_parameter, string_with_prefix};

/// The maximum number of parts of a string of which only the shape is known.
const MAX_PARTS: usize = 64;

/// Registers `join` and `split`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let strings = Type::list(Type::String).unwrap_or(Type::Dynamic);
    let join = Function::new("join")
        .description("The strings of all lists, one after the other, with a separator between them.")
        .parameter(string_parameter("separator"))
        .variadic(Parameter::new("lists", strings.clone()))
        .returns(Type::String)
        .not_null()
        .body_for_all(join);
    let note = "the text before the first unknown string, and the known prefix of that string";
    functions.push(StandardFunction::shared(join, note));
    let split = Function::new("split")
        .description(
            "The parts of a string between separators. An empty separator splits between all code points.",
        )
        .parameter(string_parameter("separator"))
        .parameter(string_parameter("str"))
        .returns(strings)
        .not_null()
        .transformer(unknown_split)
        .body(|arguments| split(arguments.text(0)?, arguments.text(1)?).map(work::charged));
    let note = "a lower bound of the number of parts; the whole string, if it certainly has no separator; the parts of a shape \
                whose strings all have the same number of parts";
    functions.push(StandardFunction::shared(split, note));
}

/// The body of `join`.
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
    // Whether a list of unknown length has occurred, and whether an element certainly follows `parts`.
    let (mut has_unknown_list, mut continues) = (false, false);
    for (i, list) in lists.iter().enumerate() {
        let View::List(items) = list.view() else {
            has_unknown_list = true;
            continues |= list.range().length_range().is_some_and(|length| length.lower() > 0);
            continue;
        };
        for (j, item) in items.iter().enumerate() {
            if item.is_null() {
                return Err(null_element(i, j, lists.len()));
            }
            continues |= has_unknown_list;
            if !has_unknown_list {
                parts.extend((!parts.is_empty()).then_some(separator));
                parts.push(item);
            }
        }
    }
    let unknown = Value::unknown(Type::String);
    if !has_unknown_list {
        return concat_parts(&parts);
    }
    // If no element certainly follows, the result may end after `parts`; else a separator and another string follow.
    let ended = if continues { None } else { Some(concat_parts(&parts)?) };
    parts.extend((!parts.is_empty()).then_some(separator));
    parts.push(&unknown);
    let continued = concat_parts(&parts)?;
    ended.map_or(Ok(continued.clone()), |ended| Value::join(&[&ended, &continued]))
}

/// Fast path of `join` for lists that are wholly known and have no marks.
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
    Ok(Value::from(Text::concat(made, parts.into_iter())))
}

/// The parts, concatenated. Too long a result is an error if all parts are known, else an unknown string.
fn concat_parts(parts: &[&Value]) -> Result<Value> {
    let lengths = parts.iter().map(|part| KnownText::of(part).known_prefix().len());
    let made = lengths.clone().fold(0, usize::saturating_add);
    let given = lengths.max().unwrap_or(0);
    match check_length(made, given) {
        Err(error) if parts.iter().all(|part| part.is_known()) => Err(error),
        Err(_) => Ok(string_with_prefix("")),
        Ok(()) if parts.iter().all(|part| part.is_known() && !part.is_marked()) => {
            let mut text = String::with_capacity(made);
            parts.iter().for_each(|part| text.push_str(part.as_str().unwrap_or_default()));
            Ok(Value::from(text))
        }
        Ok(()) => Value::concat_text(parts),
    }
}

#[cold]
/// The error for a null at these indices of list and element.
fn null_element(list: usize, element: usize, lists: usize) -> Error {
    let which = match lists {
        1 => String::new(),
        _ => format!(" of list {}", list.saturating_add(1)),
    };
    let message = format!("element {element}{which} is null; cannot concatenate null values");
    Error::new(Kind::Null, message).in_argument(list.saturating_add(1))
}

/// The body of `split`.
fn split(separator: &str, text: &str) -> Result<Value> {
    if separator.is_empty() {
        let mut bytes = [0; 4];
        return Value::list_of(Type::String, text.chars().map(|c| Value::from(&*c.encode_utf8(&mut bytes))));
    }
    Value::list_of(Type::String, text.split(separator))
}

/// The transformer of `split`: bounds of the number of parts.
fn unknown_split(arguments: &Arguments<'_>) -> Result<Value> {
    let (separator, text) = (KnownText::of(arguments.at(0)), KnownText::of(arguments.at(1)));
    if let (KnownText::Whole(separator), Some(language)) = (separator, ascii_language_of(arguments.at(1)))
        && let Some(parts) = parts_of(language, separator)
    {
        return Value::list_of(Type::String, parts);
    }
    let (separator_prefix, prefix) = (separator.known_prefix(), text.known_prefix());
    let part_count = |separator: &str| match separator {
        "" => prefix.chars().count() as u64,
        separator => (prefix.matches(separator).count() as u64).saturating_add(1),
    };
    let length = match (separator, text) {
        (KnownText::Whole(separator), _) => LengthRange::at_least(part_count(separator)),
        // An empty separator splits the empty string into no parts.
        (_, KnownText::Prefix(_)) => {
            LengthRange::at_least(u64::from(!separator_prefix.is_empty() || !prefix.is_empty()))
        }
        (_, KnownText::Whole(text)) if separator_prefix.is_empty() => {
            LengthRange::new(u64::from(!text.is_empty()), Some(part_count("").max(max_part_count(text))))?
        }
        (_, KnownText::Whole(text)) if !text.contains(separator_prefix) => {
            return Value::list_of(Type::String, [text]);
        }
        _ => LengthRange::new(1, Some(part_count(separator_prefix)))?,
    };
    let part = match separator {
        // No part contains the separator.
        KnownText::Whole(separator) if !separator.is_empty() => Language::containing(separator)
            .ok()
            .and_then(|with| Refinement::language(with.complement()).ok())
            .unwrap_or_default(),
        _ => Refinement::any(),
    };
    unknown_list_with(&Type::String, length, part.and_not_null())
}

/// The parts of the strings of a language of ASCII, where each of them has the same number of parts; `None` where they do not, or
/// have more than [`MAX_PARTS`].
fn parts_of(language: &Language, separator: &str) -> Option<Vec<Value>> {
    let with_separator = Language::containing(separator).ok().filter(|_| !separator.is_empty())?;
    let (mut rest, mut parts) = (language.clone(), Vec::new());
    while !rest.is_disjoint(&with_separator) {
        if parts.len() >= MAX_PARTS || !rest.is_subset(&with_separator) {
            return None;
        }
        let [part, after] = rest.divided_at(separator);
        parts.push(part);
        rest = hull(after);
    }
    parts.push(Ok(rest));
    Some(parts.into_iter().map(|part| in_language(string_with_prefix(""), part)).collect())
}

/// The largest number of parts that any non-empty separator splits a string into. It is enough to try separators of one
/// character: a longer one occurs at most as often as its first character.
fn max_part_count(text: &str) -> u64 {
    let mut times: HashMap<char, u64> = HashMap::new();
    for c in text.chars() {
        let times = times.entry(c).or_default();
        *times = times.saturating_add(1);
    }
    times.into_values().max().unwrap_or(0).saturating_add(1)
}
