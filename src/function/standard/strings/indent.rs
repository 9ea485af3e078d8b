//! `indent`: spaces at the start of all lines but the first.

use crate::error::{Error, Kind, Result};
use crate::function::standard::StandardFunction;
use crate::function::{Arguments, Function, Parameter};
use crate::language::CharMap;
use crate::text::common_prefix;
use crate::types::Type;
use crate::value::Value;

use super::{
    KnownText, ascii_language_of, check_length, in_language, integer_range, string_parameter,
    string_with_prefix,
};

/// The maximum number of spaces by which the automaton of a shape is indented: it gets a state for each.
const MAX_SPACES: usize = 64;

/// Registers `indent`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let indent = Function::new("indent")
        .description("The string with a number of spaces at the start of each line but the first.")
        .parameter(Parameter::new("spaces", Type::Number))
        .parameter(string_parameter("str"))
        .returns(Type::String)
        .not_null()
        .transformer(unknown_indent)
        .body(|arguments| {
            let spaces = u64::try_from(arguments.integer(0)?).map_err(|_| negative())?;
            indented(arguments.text(1)?, spaces).map(Value::from)
        });
    let note = "the known prefix, indented as far as the number of spaces is certain";
    functions.push(StandardFunction::shared(indent, note));
}

/// The error for a negative number of spaces.
fn negative() -> Error {
    Error::new(Kind::Argument, "the number of spaces must not be negative").in_argument(0)
}

/// The string with this many spaces after each line break; an error if it becomes too long.
fn indented(text: &str, spaces: u64) -> Result<String> {
    let spaces = usize::try_from(spaces).unwrap_or(usize::MAX);
    let breaks = text.matches('\n').count();
    if breaks == 0 {
        return Ok(text.to_owned());
    }
    check_length(breaks.saturating_mul(spaces).saturating_add(text.len()), text.len())?;
    Ok(text.replace('\n', &format!("\n{}", " ".repeat(spaces))))
}

/// The transformer of `indent`.
fn unknown_indent(arguments: &Arguments<'_>) -> Result<Value> {
    let spaces = integer_range(arguments, 0)?;
    let max = u64::try_from(*spaces.end()).map_err(|_| negative())?;
    let min = u64::try_from(*spaces.start()).unwrap_or(0);
    let text = KnownText::of(arguments.at(1));
    let spaces = usize::try_from(min).ok().filter(|spaces| min == max && *spaces <= MAX_SPACES);
    let language = ascii_language_of(arguments.at(1))
        .zip(spaces)
        .map(|(language, spaces)| language.map(&CharMap::new([('\n', format!("\n{}", " ".repeat(spaces)))])));
    let known = known_prefix_indented(text, min, max);
    Ok(match language {
        Some(language) => in_language(known, language),
        None => known,
    })
}

/// What the known beginning of a text says of the indented one. For several possible numbers of spaces the results for the two
/// least are compared: their common prefix is that of all.
fn known_prefix_indented(text: KnownText<'_>, min: u64, max: u64) -> Value {
    if !text.known_prefix().contains('\n') {
        return text.value();
    }
    let Ok(by_min) = indented(text.known_prefix(), min) else { return string_with_prefix("") };
    match (text, indented(text.known_prefix(), min.saturating_add(1))) {
        (KnownText::Whole(_), _) if min == max => Value::from(by_min),
        (_, Ok(by_more)) if min < max => string_with_prefix(common_prefix(&by_min, &by_more)),
        _ => string_with_prefix(&by_min),
    }
}
