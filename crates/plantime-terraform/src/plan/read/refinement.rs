//! Reads the refinement of an unknown value from its object in the tree `after_refinements`.

use crate::json::{Item, Node};
use plantime::unstable::error::Kind;
use plantime::{Error, LengthRange, Number, NumberRange, Range, Refinement, Result, Type, Value};

/// The maximum of the bytes that a number or a language takes for each byte of its text, so that a plan takes no memory
/// out of proportion: `1e8000` is six bytes and has 8,001 digits.
const BYTES_PER_BYTE: usize = 32;

/// The unknown value of type `ty` that the object describes. Where `ty` is dynamic, its type is that of the object.
///
/// # Errors
///
/// When a property has another kind of value, or the facts contradict each other or the type.
pub(super) fn refined_unknown(ty: &Type, item: Item<'_, '_>) -> Result<Value> {
    let (mut stated, mut known, mut lengths) = (None, Refinement::any(), (0, None));
    for (name, item) in item.entries() {
        let fact = match &*name.text() {
            "type" => {
                stated = Some(string(item)?.parse::<Type>()?);
                continue;
            }
            "min_length" => {
                lengths.0 = length(item)?;
                continue;
            }
            "max_length" => {
                lengths.1 = Some(length(item)?);
                continue;
            }
            "not_null" if item.is_true() => Refinement::not_null(),
            "null" if item.is_true() => Refinement::null(),
            "prefix" => Refinement::prefix(&string(item)?),
            "strings" => strings(&string(item)?)?,
            "elements" => Refinement::elements(strings(&string(item)?)?)?,
            "attributes" => read_parts(item, Refinement::attribute)?,
            "tuple_elements" => read_parts(item, |index, known| {
                let index = index.parse().map_err(|_| item.mismatch("an object whose keys are indices"))?;
                Refinement::tuple_element(index, known)
            })?,
            "keys" => Refinement::keys(&strings(&string(item)?)?)?,
            "one_of" => one_of(item)?,
            "multiple_of" => Refinement::multiple_of(step(&string(item)?)?),
            "min" => Refinement::number_at_least(number(&string(item)?)?),
            "max" => Refinement::number_at_most(number(&string(item)?)?),
            "above" => Refinement::number(NumberRange::above(number(&string(item)?)?)?),
            "below" => Refinement::number(NumberRange::below(number(&string(item)?)?)?),
            // A later minor version may have more facts.
            _ => continue,
        };
        known = known.meet(&fact)?;
    }
    if lengths != (0, None) {
        known = known.meet(&Refinement::length(LengthRange::new(lengths.0, lengths.1)?))?;
    }
    let ty = match stated {
        Some(stated) if ty.covers(&stated) => stated,
        Some(stated) => {
            let message = format!("the refinements are of {}", stated.friendly_name());
            return Err(Error::new(Kind::TypeMismatch, message));
        }
        None => ty.clone(),
    };
    Value::refined(ty, known)
}

/// The refinement of an object or tuple, from an object with a refinement of each of some parts.
fn read_parts(
    item: Item<'_, '_>,
    of_part: impl Fn(&str, Refinement) -> Result<Refinement>,
) -> Result<Refinement> {
    let mut all = Vec::new();
    for (place, part) in item.entries() {
        all.push(of_part(&place.text(), strings(&string(part)?)?)?);
    }
    Ok(Refinement::meet_all(all)?)
}

/// The decoded string; an error for another kind of JSON.
fn string<'a>(item: Item<'_, 'a>) -> Result<std::borrow::Cow<'a, str>> {
    item.as_text().ok_or_else(|| item.mismatch("string"))
}

/// The length that a number of JSON states.
fn length(item: Item<'_, '_>) -> Result<u64> {
    match item.node() {
        Node::Number(digits) => digits.parse().map_err(|_| item.mismatch("a whole number")),
        _ => Err(item.mismatch("number")),
    }
}

/// The whole number from 1 on that a string states.
fn step(text: &str) -> Result<u64> {
    let step = text.parse().ok().filter(|step| *step > 0);
    step.ok_or_else(|| Error::new(Kind::Syntax, "multiple_of is not a whole number from 1 on"))
}

/// One of the numbers that the strings of an array state.
fn one_of(item: Item<'_, '_>) -> Result<Refinement> {
    if !matches!(item.node(), Node::Array { .. }) {
        return Err(item.mismatch("array"));
    }
    let numbers: Result<Vec<Number>> = item.elements().map(|item| number(&string(item)?)).collect();
    Refinement::one_of_numbers(numbers?)
}

/// The number that a string states.
fn number(text: &str) -> Result<Number> {
    let number = text.parse::<Number>()?;
    in_proportion(number.heap_bytes(), text)?;
    Ok(number)
}

/// The refinement that its text form states.
fn strings(text: &str) -> Result<Refinement> {
    let refinement = text.parse::<Refinement>()?;
    in_proportion(refinement.number_bytes(), text)?;
    let mut part = &refinement;
    while !part.is_trivial() {
        for range in [part.range(), part.key_range()] {
            if let Range::Language(strings) = range {
                in_proportion(strings.language().size(), text)?;
            }
        }
        part = part.element();
    }
    Ok(refinement)
}

/// An error if what was read from a text takes far more memory than the text.
fn in_proportion(bytes: usize, text: &str) -> Result<()> {
    if bytes > text.len().saturating_mul(BYTES_PER_BYTE).saturating_add(256) {
        return Err(Error::new(Kind::Limit, "a refinement is far larger than its text"));
    }
    Ok(())
}
