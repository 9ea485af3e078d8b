//! Replacing one text by another.

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::texts::{Known, check_length, overlap, starting, text};
use crate::function::{Arguments, Function, FunctionBuilder};
use crate::text::{first_boundary, nfc, stable_prefix};
use crate::types::Type;
use crate::value::Value;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let signature = |description: &str| -> FunctionBuilder {
        let function = Function::new("replace").description(description);
        function
            .parameter(text("str"))
            .parameter(text("substr"))
            .parameter(text("replace"))
            .returns(Type::String)
            .not_null()
    };
    let literal = signature("The text with one part, wherever it stands, replaced by another.");
    let literal = literal.transformer(unknown);
    all.push(Standard::cty(
        literal.body(|arguments| known(arguments.text(0)?, arguments.text(1)?, arguments.text(2)?)),
    ));
    let either = signature(
        "The text with one part, wherever it stands, replaced by another. A part between slashes is a regular \
         expression.",
    );
    let either = either.transformer(|arguments| match Known::of(arguments.at(1)) {
        Known::Whole(part) if between_slashes(part).is_some() => Ok(starting("")),
        // What begins with a slash may end with one.
        Known::Start(part) if part.is_empty() || part.starts_with('/') => Ok(starting("")),
        _ => unknown(arguments),
    });
    all.push(Standard::language(either.body(|arguments| {
        let (text, part, by) = (arguments.text(0)?, arguments.text(1)?, arguments.text(2)?);
        match between_slashes(part) {
            Some(pattern) => super::replaced(text, &super::to_replace(pattern)?, by),
            None => known(text, part, by),
        }
    })));
}

/// The regular expression that a text between slashes is.
fn between_slashes(part: &str) -> Option<&str> {
    part.strip_prefix('/')?.strip_suffix('/')
}

fn known(text: &str, part: &str, by: &str) -> Result<Value> {
    if !text.contains(part) {
        return Ok(Value::from(text));
    }
    let more = text.matches(part).count().saturating_mul(by.len());
    check_length(text.len().saturating_add(more), text.len().saturating_add(by.len()))?;
    Ok(Value::from(text.replace(part, by)))
}

fn unknown(arguments: &Arguments<'_>) -> Result<Value> {
    let [text, part, by] = [0, 1, 2].map(|index| Known::of(arguments.at(index)));
    let has = text.start();
    // Where something that is replaced may begin first.
    let first = match (text, has.find(part.start())) {
        (_, Some(at)) => at,
        (Known::Whole(_), None) => return Ok(text.value()),
        (Known::Start(_), None) => has.len().saturating_sub(overlap(has, part.start())),
    };
    if let (Known::Start(_), Known::Whole(part), Known::Whole(by)) = (text, part, by) {
        return Ok(starting(&beginning(has, part, by)));
    }
    let before = has.get(..first).unwrap_or_default();
    Ok(starting(if first_boundary(by.start()) == Some(0) { before } else { stable_prefix(before) }))
}

/// What a text that begins so begins with when a part of it is replaced.
fn beginning(start: &str, part: &str, by: &str) -> String {
    if start.matches(part).count().saturating_mul(by.len()) > crate::limits::TEXT {
        return String::new();
    }
    // Not replaced for certain, after what is.
    let rest = start.rsplit(part).next().filter(|_| !part.is_empty()).unwrap_or_default();
    let open = overlap(rest, part);
    let certain = start.get(..start.len().saturating_sub(open)).unwrap_or_default();
    let replaced = nfc(&certain.replace(part, by)).into_owned();
    // What follows is the text's own, which does not join it, or the replacement. After a replacement, it may be either.
    let closed = rest.len() > open && first_boundary(by) == Some(0) || part.is_empty() && by.is_empty();
    if closed { replaced } else { stable_prefix(&replaced).to_owned() }
}
