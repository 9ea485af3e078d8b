//! `format` and `formatlist`: `format("%s-%03d", name, 7)`.

mod formatlist;
mod numbers;
mod shape;
mod verb;

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::function::{Function, Parameter, work};
use crate::json;
use crate::refinement::Nullness;
use crate::text::{CharInMessage, QuotedInMessage, stable_prefix};
use crate::types::Type;
use crate::value::{Value, View};
use unicode_segmentation::UnicodeSegmentation;

use super::StandardFunction;
use super::strings::{KnownText, check_length, string_parameter, string_with_prefix};
use verb::{Piece, Pieces, Verb};

/// Adds `format` and `formatlist`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let format = Function::new("format")
        .description(
            "A string in which each verb of the format is replaced by an argument, written as the verb says.",
        )
        .parameter(string_parameter("format"))
        .variadic(Parameter::new("args", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::String)
        .not_null()
        .body_for_all(|arguments| format_values(KnownText::of(arguments.at(0)), arguments.from(1)));
    let note = "the text around the verbs whose argument is unknown, and the shape of what these write: strings as they \
                are, in quotes, numbers; an error if every possible argument gives one";
    functions.push(StandardFunction::shared(format, note));
    formatlist::register(functions);
}

/// The number of bytes reserved for the text that the verbs of a format (such as `%s`) produce.
const VERB_CAPACITY: usize = 48;

/// Computes `format`: replaces each verb of the format by the value that it refers to. While the format or a value is
/// unknown, the result is an unknown string with the prefix that is known.
fn format_values(format: KnownText<'_>, values: &[Value]) -> Result<Value> {
    let format = match format {
        KnownText::Whole(format) => format,
        KnownText::Prefix(prefix) => {
            let before = prefix.split('%').next().unwrap_or_default();
            return Ok(string_with_prefix(stable_prefix(before)));
        }
    };
    let (mut out, mut used_count) = (String::with_capacity(format.len().saturating_add(VERB_CAPACITY)), 0);
    // Known and unknown strings in turn, and a lower bound of their length.
    let (mut parts, mut min_length): (Vec<Value>, usize) = (Vec::new(), 0);
    let given = format.len().saturating_add(values.len());
    for piece in Pieces::of(format) {
        match piece? {
            Piece::Text(text) => out.push_str(text),
            Piece::Verb(verb) => {
                let value = value_for(&verb, values)?;
                used_count = used_count.max(verb.argument);
                let says_shape = parts.len() < MAX_SHAPES;
                if let Some(unknown) = append(&verb, value, says_shape, &mut out)? {
                    min_length = min_length.saturating_add(out.len()).saturating_add(unknown.min_length);
                    parts.extend([Value::from(std::mem::take(&mut out)), unknown.text]);
                }
            }
        }
        check_length(min_length.saturating_add(out.len()), given)?;
    }
    if used_count < values.len() {
        let message = match used_count {
            0 => "too many arguments; no verbs in format string".to_owned(),
            used => format!("too many arguments; only {used} used by format string"),
        };
        return Err(Error::new(Kind::Argument, message).in_argument(used_count.saturating_add(1)));
    }
    if parts.is_empty() {
        return Ok(Value::from(out));
    }
    parts.push(Value::from(out));
    work::charge(parts.len());
    Value::concat_text(&parts.iter().collect::<Vec<_>>())
}

/// The value that a verb refers to by its argument number; an error if there are fewer values.
fn value_for<'a>(verb: &Verb<'_>, values: &'a [Value]) -> Result<&'a Value> {
    let value = verb.argument.checked_sub(1).and_then(|at| values.get(at));
    value.ok_or_else(|| {
        let Verb { raw, offset, argument, .. } = verb;
        let have = values.len();
        let raw = QuotedInMessage(raw);
        let message = format!(
            "not enough arguments for {raw} at {offset}: need index {argument} but have {have} total"
        );
        Error::new(Kind::Argument, message)
    })
}

/// The string that an unknown value is written as, as far as it is known.
struct UnknownText {
    /// An unknown string, which may have a known prefix.
    text: Value,
    /// A lower bound of its length in bytes, which counts towards the limit of the result's length.
    min_length: usize,
}

impl UnknownText {
    /// An unknown string whose lower bound of the length is the length of its known prefix.
    fn new(text: Value) -> UnknownText {
        let min_length = text.range().prefix().map_or(0, str::len);
        UnknownText { text, min_length }
    }
}

/// The maximum number of parts of a result up to which the shapes of unknown parts are computed: those of long results are not
/// kept.
const MAX_SHAPES: usize = 128;

/// Appends a value to `out`, written as the verb says, and returns `None`. If the written text is not known, nothing is
/// appended, and what is known of the text is returned, its shape only if `says_shape`. An error if the verb cannot write the
/// value.
fn append(verb: &Verb<'_>, value: &Value, says_shape: bool, out: &mut String) -> Result<Option<UnknownText>> {
    let unsupported = |why: &str| unsupported_value(verb, why);
    if verb.mode != 'v' && value.is_null() {
        return Err(unsupported("null value cannot be formatted"));
    }
    let ty = match verb.mode {
        'v' => return append_default(verb, value, says_shape, out),
        't' => Type::Bool,
        'b' | 'd' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'g' | 'G' => Type::Number,
        's' | 'q' => Type::String,
        mode => {
            let (mode, raw) = (CharInMessage(mode), QuotedInMessage(verb.raw));
            let message = format!("unsupported format verb {mode} in {raw} at offset {}", verb.offset);
            return Err(Error::new(Kind::Syntax, message));
        }
    };
    check_length(verb.width.max(verb.precision.unwrap_or(0)), 0)?;
    // A null would be an error.
    let not_null = if value.is_known() { None } else { value.assume_not_null().ok() };
    let value = not_null.as_ref().unwrap_or(value);
    if let (View::Number(number), Type::String) = (value.view(), &ty)
        && number.is_infinite()
    {
        return append(verb, &Value::from(numbers::default_text(number)), says_shape, out);
    }
    if let (View::String(text), 's', 0, None) = (value.view(), verb.mode, verb.width, verb.precision) {
        out.push_str(text);
        return Ok(None);
    }
    let given_type = value.ty();
    let converted = match value.has_type(&ty) {
        true => None,
        false => Some(convert(value, &ty.into()).map_err(|error| unsupported(error.message()))?),
    };
    let value = converted.as_ref().unwrap_or(value);
    if value.is_null() {
        // Nothing but its null converts.
        return Err(unsupported("null value cannot be formatted"));
    }
    if !value.is_known() && !says_shape {
        return Ok(Some(UnknownText::new(Value::unknown(Type::String))));
    }
    if !value.is_known() {
        return shape::of_unknown(verb, &value.assume_not_null()?, &given_type)
            .map(UnknownText::new)
            .map(Some);
    }
    match (verb.mode, value.view()) {
        ('e' | 'E' | 'f' | 'g' | 'G', View::Number(number)) => numbers::append_float(verb, number, out),
        (_, View::Number(number)) => {
            numbers::append_integer(verb, number, out)
                .ok_or_else(|| unsupported("an integer is required"))?;
        }
        (_, View::Bool(truth)) => out.push_str(if truth { "true" } else { "false" }),
        (mode, View::String(text)) => {
            let text = match verb.precision {
                None | Some(0) => text,
                Some(max) => {
                    let end = text.grapheme_indices(true).nth(max).map_or(text.len(), |(at, _)| at);
                    text.get(..end).unwrap_or(text)
                }
            };
            match mode {
                'q' => verb.pad(&json::text(&Value::from(text))?, out),
                _ => verb.pad(text, out),
            }
        }
        _ => {}
    }
    Ok(None)
}

/// Appends a value for `%v`: strings and numbers as they are, all else as JSON. `%#v` is JSON for all values. Returns
/// what is known of the text where it is not known, as `append` does.
fn append_default(
    verb: &Verb<'_>,
    value: &Value,
    says_shape: bool,
    out: &mut String,
) -> Result<Option<UnknownText>> {
    check_length(verb.width, 0)?;
    if value.is_wholly_known() && !verb.sharp {
        match value.view() {
            View::String(text) => {
                verb.pad(text, out);
                return Ok(None);
            }
            View::Number(number) => {
                verb.pad(&numbers::default_text(number), out);
                return Ok(None);
            }
            _ => {}
        }
    } else if !verb.sharp && matches!(value.ty(), Type::String | Type::Number | Type::Dynamic) {
        // A null is written as `null`, so only a string that is not null is certainly written as it is.
        let is_plain = verb.width == 0 && value.range().nullness() == Nullness::NotNull;
        let text = match value.ty() {
            Type::String if is_plain => value.clone(),
            Type::Number if is_plain && says_shape => shape::of_number_by_default(value),
            _ => Value::unknown(Type::String),
        };
        return Ok(Some(UnknownText::new(text)));
    }
    let written = json::known_text(value).map_err(|error| {
        let unsupported = unsupported_value(verb, error.message());
        error.with_message(unsupported.message().to_owned()).in_argument(verb.argument)
    })?;
    Ok(match written {
        json::KnownText::Complete(text) => {
            verb.pad(&text, out);
            None
        }
        // The padding on the left depends on the final length.
        json::KnownText::Open(text) if verb.width > 0 && !verb.minus => {
            Some(UnknownText { text: Value::unknown(Type::String), min_length: text.prefix.len() })
        }
        json::KnownText::Open(text) => {
            let min_length = text.prefix.len();
            let text = if verb.width > 0 || !says_shape {
                string_with_prefix(&text.prefix)
            } else {
                text.into_value()
            };
            Some(UnknownText { text, min_length })
        }
    })
}

/// The error for a value that a verb cannot write. `why` says what is wrong with the value.
fn unsupported_value(verb: &Verb<'_>, why: &str) -> Error {
    let message = format!("unsupported value for {} at {}: {why}", QuotedInMessage(verb.raw), verb.offset);
    Error::new(Kind::Argument, message).in_argument(verb.argument)
}
