//! Indenting.

use crate::error::{Error, Kind, Result};
use crate::function::standard::Standard;
use crate::function::{Arguments, Function, Parameter};
use crate::text::common_prefix;
use crate::types::Type;
use crate::value::Value;

use super::{Known, check_length, starting, text, whole_numbers};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let indent = Function::new("indent")
        .description("The text with so many spaces at the start of each line but the first.")
        .parameter(Parameter::new("spaces", Type::Number))
        .parameter(text("str"))
        .returns(Type::String)
        .not_null()
        .transformer(unknown)
        .body(|arguments| {
            let spaces = u64::try_from(arguments.whole(0)?).map_err(|_| negative())?;
            indented(arguments.text(1)?, spaces).map(Value::from)
        });
    all.push(Standard::both(indent));
}

fn negative() -> Error {
    Error::new(Kind::Argument, "the number of spaces must not be negative").in_argument(0)
}

fn indented(text: &str, spaces: u64) -> Result<String> {
    let spaces = usize::try_from(spaces).unwrap_or(usize::MAX);
    let breaks = text.matches('\n').count();
    if breaks == 0 {
        return Ok(text.to_owned());
    }
    check_length(breaks.saturating_mul(spaces).saturating_add(text.len()), text.len())?;
    Ok(text.replace('\n', &format!("\n{}", " ".repeat(spaces))))
}

/// Of several numbers of spaces, the two least ones have in common what all have.
fn unknown(arguments: &Arguments<'_>) -> Result<Value> {
    let spaces = whole_numbers(arguments, 0)?;
    let most = u64::try_from(*spaces.end()).map_err(|_| negative())?;
    let least = u64::try_from(*spaces.start()).unwrap_or(0);
    let text = Known::of(arguments.at(1));
    if !text.start().contains('\n') {
        return Ok(text.value());
    }
    let Ok(by_least) = indented(text.start(), least) else { return Ok(starting("")) };
    Ok(match (text, indented(text.start(), least.saturating_add(1))) {
        (Known::Whole(_), _) if least == most => Value::from(by_least),
        (_, Ok(by_more)) if least < most => starting(common_prefix(&by_least, &by_more)),
        _ => starting(&by_least),
    })
}
