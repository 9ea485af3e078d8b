//! Texts one after the other, as templates put them together.

use super::null_operand;
use crate::error::{Error, Result};
use crate::refinement::{Nullness, Refinement};
use crate::text::{common_prefix, first_boundary, nfc, stable_before, stable_prefix};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks};

/// So many unknown parts of which only marks are known are looked at one by one, so that the work stays linear.
const TURNS: u32 = 8;

/// What is known of an operand.
enum Part<'a> {
    Known(&'a str),
    /// What it certainly starts with.
    Unknown(Option<&'a str>),
}

impl Value {
    /// The texts one after the other, in normalization form C.
    ///
    /// | parts | answer |
    /// |---|---|
    /// | all known | the text |
    /// | some unknown | unknown, not null, with the prefix that is certain: what stands before the first unknown part, and what that part starts with |
    ///
    /// What follows can change the last characters of a text (`e` and U+0301 are `é`). Of a prefix that is followed by
    /// something not known, only what normalization cannot change any more is kept.
    ///
    /// Nothing is converted: numbers and bools have to be made text before, with [`convert`](crate::convert::convert).
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let id = Value::unknown(Type::String).assume_string_prefix("vpc-")?;
    /// let name = Value::concat_text(&[&Value::from("net/"), &id, &Value::from("/main")])?;
    /// assert_eq!(name.to_string(), r#""net/vpc-${(known after apply)}""#);
    /// assert_eq!(Value::concat_text(&[&Value::from("a"), &Value::from("b")])?, Value::from("ab"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a part is null, or is of a type other than string.
    pub fn concat_text(parts: &[&Value]) -> Result<Value> {
        let read: Vec<Part<'_>> = parts.iter().map(|part| read(part)).collect::<Result<_>>()?;
        let prefix = certain(&read);
        let value = if read.iter().all(|part| matches!(part, Part::Known(_))) {
            Value::from(prefix)
        } else {
            canonical(Type::String, Refinement::prefix(&prefix).and_not_null())
        };
        Ok(value.with_marks_of(parts))
    }
}

fn read(part: &Value) -> Result<Part<'_>> {
    match view_below_marks(part) {
        View::String(text) => Ok(Part::Known(text)),
        View::Null(Type::String | Type::Dynamic) => Err(null_operand("text")),
        View::Dynamic => Ok(Part::Unknown(None)),
        View::Unknown(range) if range.nullness() == Nullness::Null => Err(null_operand("text")),
        View::Unknown(range) if *range.ty() == Type::String => {
            Ok(Part::Unknown(part.refinement().and_then(Refinement::prefix_str)))
        }
        _ => Err(Error::mismatch(&Type::String, &part.ty())),
    }
}

/// The text, or what it certainly starts with.
fn certain(parts: &[Part<'_>]) -> String {
    let mut parts = parts.iter();
    let mut text = String::new();
    let prefix = loop {
        match parts.next() {
            None => return text,
            Some(Part::Known(more)) => text.push_str(more),
            Some(Part::Unknown(prefix)) => break prefix.unwrap_or(""),
        }
    };
    let before = nfc(&text).into_owned();
    // The text built from the known prefix alone, and how much of it is stable for every continuation.
    let (whole, kept) = match first_boundary(prefix).and_then(|at| prefix.split_at_checked(at)) {
        // The unknown part is in form C: from the first boundary of its prefix on, nothing before it matters.
        Some((joint, rest)) => {
            let whole = nfc(&(before + joint)).into_owned() + rest;
            (whole.clone(), whole)
        }
        None if before.is_empty() => (prefix.to_owned(), prefix.to_owned()),
        None => {
            let whole = nfc(&(before + prefix)).into_owned();
            let kept = stable_before(&whole, prefix).to_owned();
            (whole, kept)
        }
    };
    // Then what follows meets it, as far as it can reach.
    let (mut whole, mut kept) = (whole, kept);
    let mut following = String::new();
    for turn in 0_u32.. {
        let next = loop {
            match parts.next() {
                None => break None,
                Some(Part::Known(more)) => following.push_str(more),
                Some(Part::Unknown(prefix)) => break Some(prefix.unwrap_or("")),
            }
        };
        following.push_str(next.unwrap_or(""));
        let reached = first_boundary(&following).is_some() || turn == TURNS;
        whole.push_str(&std::mem::take(&mut following));
        whole = nfc(&whole).into_owned();
        let stays = match next {
            None => whole.as_str(),
            Some(_) if turn == TURNS => stable_prefix(&whole),
            Some(prefix) => stable_before(&whole, prefix),
        };
        kept.truncate(common_prefix(&kept, stays).len());
        if reached || next.is_none_or(str::is_empty) {
            break;
        }
    }
    kept
}
