//! Text by a format: `format("%s-%03d", name, 7)`.

mod lists;
mod numbers;
mod verb;

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::function::{Function, Parameter};
use crate::json;
use crate::refinement::Nullness;
use crate::text::{CharInMessage, QuotedInMessage, stable_prefix};
use crate::types::Type;
use crate::value::{Value, View};
use unicode_segmentation::UnicodeSegmentation;

use super::Standard;
use super::texts::{Known, check_length, starting, text};
use verb::{Piece, Pieces, Verb};

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (
        &["format"],
        "what stands before the first verb whose argument is not known, and what that begins with if it is a text; that there is no such text, where every choice is an error",
    ),
    (&["formatlist"], "the length, if a list has one; of each text what `format` keeps"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let format = Function::new("format")
        .description("A text with values in it, each written as a verb in the format says.")
        .parameter(text("format"))
        .variadic(Parameter::new("args", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::String)
        .not_null()
        .body_for_all(|arguments| written(Known::of(arguments.at(0)), arguments.from(1)));
    all.push(Standard::both(format));
    lists::add_to(all);
}

/// Room for what the verbs of most formats become.
const USUAL: usize = 48;

/// The text, or what it begins with while the format or a value is not known.
fn written(format: Known<'_>, values: &[Value]) -> Result<Value> {
    let format = match format {
        Known::Whole(format) => format,
        Known::Start(start) => {
            let before = start.split('%').next().unwrap_or_default();
            return Ok(starting(stable_prefix(before)));
        }
    };
    let (mut out, mut used) = (String::with_capacity(format.len().saturating_add(USUAL)), 0);
    // Texts and what is known of those that are not known, in turn, and how long they are at least.
    let (mut parts, mut least): (Vec<Value>, usize) = (Vec::new(), 0);
    let given = format.len().saturating_add(values.len());
    for piece in Pieces::of(format) {
        match piece? {
            Piece::Text(text) => out.push_str(text),
            Piece::Verb(verb) => {
                let value = value_for(&verb, values)?;
                used = used.max(verb.argument);
                if let Some(open) = append(&verb, value, &mut out)? {
                    least = least.saturating_add(out.len()).saturating_add(open.least);
                    parts.extend([Value::from(std::mem::take(&mut out)), open.text]);
                }
            }
        }
        check_length(least.saturating_add(out.len()), given)?;
    }
    if used < values.len() {
        let message = match used {
            0 => "too many arguments; no verbs in format string".to_owned(),
            used => format!("too many arguments; only {used} used by format string"),
        };
        return Err(Error::new(Kind::Argument, message).in_argument(used.saturating_add(1)));
    }
    if parts.is_empty() {
        return Ok(Value::from(out));
    }
    parts.push(Value::from(out));
    Value::concat_text(&parts.iter().collect::<Vec<_>>())
}

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

/// The text of a value that is not known.
struct Open {
    text: Value,
    /// How many bytes it has at least: they count to the limit, whatever else it becomes.
    least: usize,
}

impl Open {
    fn of(text: Value) -> Open {
        let least = text.range().prefix().map_or(0, str::len);
        Open { text, least }
    }
}

/// Adds a value to the text. If it is not known, what is known of its text instead.
fn append(verb: &Verb<'_>, value: &Value, out: &mut String) -> Result<Option<Open>> {
    let unfit = |why: &str| unfit(verb, why);
    if verb.mode != 'v' && value.is_null() {
        return Err(unfit("null value cannot be formatted"));
    }
    let ty = match verb.mode {
        'v' => return as_it_is(verb, value, out),
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
    if let (View::Number(number), Type::String) = (value.view(), &ty)
        && number.is_infinite()
    {
        return append(verb, &Value::from(numbers::plainly(number)), out);
    }
    if let (View::String(text), 's', 0, None) = (value.view(), verb.mode, verb.width, verb.precision) {
        out.push_str(text);
        return Ok(None);
    }
    let is_text = value.has_type(&Type::String);
    let converted = match value.has_type(&ty) {
        true => None,
        false => Some(convert(value, &ty.into()).map_err(|error| unfit(error.message()))?),
    };
    let value = converted.as_ref().unwrap_or(value);
    if !value.is_known() {
        let plain = is_text
            && verb.mode == 's'
            && verb.width == 0
            && verb.precision.is_none_or(|precision| precision == 0);
        let text = if plain { value.assume_not_null()? } else { Value::unknown(Type::String) };
        return Ok(Some(Open::of(text)));
    }
    match (verb.mode, value.view()) {
        ('e' | 'E' | 'f' | 'g' | 'G', View::Number(number)) => numbers::float(verb, number, out),
        (_, View::Number(number)) => {
            numbers::integer(verb, number, out).ok_or_else(|| unfit("an integer is required"))?;
        }
        (_, View::Bool(truth)) => out.push_str(if truth { "true" } else { "false" }),
        (mode, View::String(text)) => {
            let text = match verb.precision {
                None | Some(0) => text,
                Some(most) => {
                    let end = text.grapheme_indices(true).nth(most).map_or(text.len(), |(at, _)| at);
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

/// `%v`: a text or a number as it is, all else as JSON; with `#`, these too.
fn as_it_is(verb: &Verb<'_>, value: &Value, out: &mut String) -> Result<Option<Open>> {
    check_length(verb.width, 0)?;
    if value.is_wholly_known() && !verb.sharp {
        match value.view() {
            View::String(text) => {
                verb.pad(text, out);
                return Ok(None);
            }
            View::Number(number) => {
                verb.pad(&numbers::plainly(number), out);
                return Ok(None);
            }
            _ => {}
        }
    } else if !verb.sharp && matches!(value.ty(), Type::String | Type::Number | Type::Dynamic) {
        // Null is written as JSON, and a text as it is.
        let plain = verb.width == 0 && value.range().nullness() == Nullness::NotNull;
        let is_text = value.ty() == Type::String;
        let text = if plain && is_text { value.clone() } else { Value::unknown(Type::String) };
        return Ok(Some(Open::of(text)));
    }
    let written = json::lead(value).map_err(|error| {
        let unfit = unfit(verb, error.message());
        error.with_message(unfit.message().to_owned()).in_argument(verb.argument)
    })?;
    Ok(match written {
        json::Lead::Whole(text) => {
            verb.pad(&text, out);
            None
        }
        // How much it is filled up by hangs on how long it becomes.
        json::Lead::Start(text) if verb.width > 0 && !verb.minus => {
            Some(Open { text: Value::unknown(Type::String), least: text.len() })
        }
        json::Lead::Start(text) => Some(Open { text: starting(&text), least: text.len() }),
    })
}

fn unfit(verb: &Verb<'_>, why: &str) -> Error {
    let message = format!("unsupported value for {} at {}: {why}", QuotedInMessage(verb.raw), verb.offset);
    Error::new(Kind::Argument, message).in_argument(verb.argument)
}
