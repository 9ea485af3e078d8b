//! Compiles the bounds of numbers and of lengths.

use crate::error::Result;
use crate::number::Number;
use crate::rule::Rule;

use super::compile::{Compiler, Here};
use super::compiled::Compiled;

/// Compiles `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`, and the OpenAPI formats
/// `int32` and `int64` where formats are read as rules; adds the rules to `all`. A keyword of the wrong kind has been
/// refused before, so it is ignored.
pub(super) fn read(compiler: &Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let number = |keyword: &str| here.get(keyword).and_then(|value| value.as_number().ok()).cloned();
    let flag = |keyword: &str| here.get(keyword).is_some_and(|value| value.as_bool() == Ok(true));
    if let Some(least) = number("minimum") {
        let open = flag("exclusiveMinimum");
        all.rules.push(if open { Rule::not(Rule::max(least))? } else { Rule::min(least) });
    }
    if let Some(most) = number("maximum") {
        let open = flag("exclusiveMaximum");
        all.rules.push(if open { Rule::not(Rule::min(most))? } else { Rule::max(most) });
    }
    if let Some(below) = number("exclusiveMinimum") {
        all.rules.push(Rule::not(Rule::max(below))?);
    }
    if let Some(above) = number("exclusiveMaximum") {
        all.rules.push(Rule::not(Rule::min(above))?);
    }
    if let Some(step) = number("multipleOf") {
        all.rules.push(Rule::multiple_of(step));
    }
    let format = here.get("format").and_then(|name| name.as_str().ok()).filter(|_| compiler.reading.formats);
    let (least, most) = match format {
        Some("int32") => (Number::from(i32::MIN), Number::from(i32::MAX)),
        Some("int64") => (Number::from(i64::MIN), Number::from(i64::MAX)),
        _ => return Ok(()),
    };
    all.rules.extend([Rule::multiple_of(1), Rule::min(least), Rule::max(most)]);
    Ok(())
}

/// The value of a keyword that takes a count, such as `minLength`; `None` if the keyword is absent. A count beyond 64
/// bits becomes `u64::MAX`.
pub(super) fn count(here: &Here<'_>, keyword: &str) -> Option<u64> {
    let number: &Number = here.get(keyword)?.as_number().ok()?;
    Some(number.to_u64().unwrap_or(u64::MAX))
}

/// Compiles a minimum and a maximum length and adds the rules to `all`. `least` and `most` are the names of the two
/// keywords, such as `minLength` and `maxLength`.
pub(super) fn lengths(here: &Here<'_>, least: &str, most: &str, all: &mut Compiled) {
    match (count(here, least), count(here, most)) {
        (Some(least), Some(most)) if least == most => all.rules.push(Rule::len(least)),
        (least, most) => {
            all.rules.extend(least.filter(|least| *least > 0).map(Rule::min_len));
            all.rules.extend(most.map(Rule::max_len));
        }
    }
}
