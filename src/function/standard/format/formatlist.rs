//! `formatlist`: formats the elements of several lists position by position.

use std::borrow::Cow;

use crate::error::{Error, Kind, Result};
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{elements_of, length_of, unknown_list_with};
use crate::function::standard::strings::{KnownText, check_length, string_parameter};
use crate::function::{Arguments, Function, Parameter, work};
use crate::limits;
use crate::refinement::{LengthRange, Nullness};
use crate::types::Type;
use crate::value::{Value, View, canonical, elements_of_all, refinement_of_outcomes};

use super::format_values;

/// The maximum number of lists that may be null for which `formatlist` computes the result of each combination of null
/// and not null.
const MAX_NULLABLE_LISTS: usize = 3;

/// Adds `formatlist`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let formatlist = Function::new("formatlist")
        .description(
            "A list of formatted strings, one for each position in the lists, sets and tuples among the arguments; \
             an argument of another type is the same at every position.",
        )
        .parameter(string_parameter("format"))
        .variadic(Parameter::new("args", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::list(Type::String).unwrap_or(Type::Dynamic))
        .not_null()
        .body_for_all(formatlist);
    let note = "the length, if that of a list is known; of each string what `format` keeps";
    functions.push(StandardFunction::shared(formatlist, note));
}

/// The values that one argument of `formatlist` has at the positions of the result.
enum ArgumentValues<'a> {
    /// The same value at every position: the argument is not a list.
    Same(&'a Value),
    /// One value for each position.
    Elements(Cow<'a, [Value]>),
    /// The elements are unknown: the same unknown stands for each of them.
    Unknown(Value),
}

impl ArgumentValues<'_> {
    /// The value of this one argument at a position of the resulting list, from 0 on; an unknown beyond its last element.
    fn at(&self, position: usize) -> Value {
        match self {
            ArgumentValues::Same(value) => (*value).clone(),
            ArgumentValues::Elements(elements) => {
                elements.get(position).cloned().unwrap_or_else(Value::dynamic)
            }
            ArgumentValues::Unknown(value) => value.clone(),
        }
    }
}

/// Computes `formatlist`. A null argument counts as a single value and not as a list, so the results for all
/// combinations of null and not null are joined where lists may be null.
fn formatlist(arguments: &Arguments<'_>) -> Result<Value> {
    let (format, values) = (KnownText::of(arguments.at(0)), arguments.from(1));
    let may_be_null = |value: &&Value| is_sequence(value) && value.range().nullness() == Nullness::Nullable;
    let nullable_count = values.iter().filter(may_be_null).count();
    if nullable_count == 0 || nullable_count > MAX_NULLABLE_LISTS {
        return format_lists(format, values);
    }
    // A null counts as a single value, not as a list.
    let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
    for value in values {
        let outcomes = match may_be_null(&value) {
            true => value.assume_not_null().into_iter().chain([Value::null(value.ty())]).collect(),
            false => vec![value.clone()],
        };
        let with = |choice: &Vec<Value>, outcome: &Value| {
            [choice.as_slice(), std::slice::from_ref(outcome)].concat()
        };
        choices = choices
            .iter()
            .flat_map(|choice| outcomes.iter().map(move |outcome| with(choice, outcome)))
            .collect();
    }
    let (mut results, mut failed) = (Vec::new(), None);
    for choice in choices {
        match format_lists(format, &choice) {
            Ok(result) => results.push(result),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match failed {
        Some(error) if results.is_empty() => Err(error),
        _ => Value::join(&results.iter().collect::<Vec<_>>()),
    }
}

/// Whether a value is a list, set or tuple that is not certainly null.
fn is_sequence(value: &Value) -> bool {
    matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_))
        && value.range().nullness() != Nullness::Null
}

/// The list of strings that `formatlist` returns. A list, set or tuple that may be null counts as an unknown value, of
/// which not even the type is known.
fn format_lists(format: KnownText<'_>, values: &[Value]) -> Result<Value> {
    if values.is_empty() {
        return Value::list_of(Type::String, [format_values(format, values)?]);
    }
    let mut length: Option<(usize, LengthRange)> = None;
    let mut arguments = Vec::with_capacity(values.len());
    // Whether an argument may turn out to be a list, and whether the elements of a list are known.
    let (mut may_be_list, mut has_known_elements) = (false, false);
    for (i, value) in values.iter().enumerate() {
        if !is_sequence(value) || value.range().nullness() == Nullness::Nullable {
            let is_single = !is_sequence(value) && !matches!(value, Value::Dynamic(_));
            may_be_list |= !is_single;
            arguments.push(match is_single {
                true => ArgumentValues::Same(value),
                false => ArgumentValues::Unknown(Value::dynamic()),
            });
            continue;
        }
        let here = length_of(value);
        length = Some(match length {
            None => (i, here),
            Some((first, range)) => match range.meet(here) {
                Some(both) => (first, both),
                None => return Err(inconsistent_lengths((i, here), (first, range))),
            },
        });
        let elements = known_elements(value);
        has_known_elements |= elements.is_some();
        let unknown = || ArgumentValues::Unknown(unknown_element(value));
        arguments.push(elements.map_or_else(unknown, ArgumentValues::Elements));
    }
    let length = match length {
        Some((_, length)) => length,
        None if may_be_list => LengthRange::default(),
        None => LengthRange::exactly(1),
    };
    match length.exact().and_then(|length| usize::try_from(length).ok()) {
        Some(length) if has_known_elements || length <= limits::COLLAPSE => {
            format_positions(format, &arguments, length)
        }
        _ => match format_position(format, &arguments, 0) {
            // No element can be formatted, so only a list without elements gives no error.
            Err(_) if length.lower() == 0 => Value::list_of(Type::String, [] as [Value; 0]),
            Err(error) => Err(error),
            Ok(one) => unknown_list_with(&Type::String, length, refinement_of_outcomes(&one).and_not_null()),
        },
    }
}

/// The list of formatted strings for the positions from 0 up to `length`, which is that of the lists.
fn format_positions(format: KnownText<'_>, arguments: &[ArgumentValues<'_>], length: usize) -> Result<Value> {
    let (mut strings, mut total_bytes) = (Vec::with_capacity(length), 0_usize);
    // With an unknown format all strings have the same known prefix: it is computed once.
    let (format_bytes, shared) = match format {
        KnownText::Whole(format) => (format.len(), None),
        KnownText::Prefix(_) => (0, Some(format_position(format, &[], 0)?)),
    };
    let mut work = work::Loop::default();
    for position in 0..length {
        let string = shared.clone().map_or_else(|| format_position(format, arguments, position), Ok)?;
        let known_bytes = KnownText::of(&string).known_prefix().len();
        total_bytes = total_bytes.saturating_add(format_bytes).saturating_add(known_bytes);
        check_length(total_bytes, format_bytes)?;
        work.turn((format_bytes.saturating_add(known_bytes) / work::BYTES).saturating_add(2))?;
        strings.push(string);
    }
    Value::list_of(Type::String, strings)
}

/// The formatted string for one position of the lists, counted from 0. An error names the position.
fn format_position(
    format: KnownText<'_>,
    arguments: &[ArgumentValues<'_>],
    position: usize,
) -> Result<Value> {
    let values: Vec<Value> = arguments.iter().map(|argument| argument.at(position)).collect();
    format_values(format, &values).map_err(|error| {
        let message = format!("error on format iteration {position}: {}", error.message());
        error.with_message(message)
    })
}

/// The elements of a list, set or tuple in order, some of which may be unknown. `None` if their number or order is not
/// known.
fn known_elements(value: &Value) -> Option<Cow<'_, [Value]>> {
    match value.view() {
        View::Set(set) if set.member_count() == 1 => Some(Cow::Owned(set.iter().cloned().collect())),
        // Not `elements_of`: elements of undecided type are formatted in the same way whatever type they turn out to
        // have.
        View::List(list) => Some(Cow::Borrowed(list.as_slice())),
        _ => elements_of(value),
    }
}

/// An unknown value that stands for any element of the list or set, refined by what is known of every element; of unknown type
/// for a tuple.
fn unknown_element(of: &Value) -> Value {
    let ty = of.ty().element_type().cloned().unwrap_or(Type::Dynamic);
    canonical(ty, elements_of_all([of]))
}

#[cold]
/// The error for two lists of different length, each with the index of its argument.
fn inconsistent_lengths(here: (usize, LengthRange), first: (usize, LengthRange)) -> Error {
    let (argument, other) = (here.0.saturating_add(1), first.0.saturating_add(1));
    let message = match (here.1.exact(), first.1.exact()) {
        (Some(length), Some(before)) => format!(
            "argument {argument} has length {length}, which is inconsistent with argument {other} of length {before}"
        ),
        _ => format!("argument {argument} has a length that is inconsistent with that of argument {other}"),
    };
    Error::new(Kind::Argument, message).in_argument(argument)
}
