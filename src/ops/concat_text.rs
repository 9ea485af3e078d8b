//! Concatenation of strings, for templates.

use super::null_operand;
use crate::error::{Error, Result};
use crate::refinement::{Nullness, Refinement};
use crate::text::{common_prefix, first_boundary, nfc, stable_before, stable_prefix};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks};

/// The maximum number of unknown operands after the first that are joined one by one, so that the work stays linear.
const MAX_JOINED_UNKNOWNS: u32 = 8;

/// The known string, or the known prefix, of an operand.
enum TextOperand<'a> {
    Known(&'a str),
    /// The prefix of an unknown string, if one is known.
    Unknown(Option<&'a str>),
}

impl Value {
    /// Concatenates strings; the result is in normalization form C.
    ///
    /// | operands | result |
    /// |---|---|
    /// | all known | the concatenated string |
    /// | some unknown | unknown, not null, with a prefix: the operands before the first unknown one, and the prefix of that one |
    ///
    /// The string after a prefix can change the last characters of the prefix (`e` and U+0301 become `é`). So the
    /// prefix of an unknown result contains only characters that normalization cannot change, whatever follows.
    ///
    /// Nothing is converted: convert numbers and bools to strings first, with [`convert`](crate::convert::convert).
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
    /// When an operand is null, or is of a type other than string.
    pub fn concat_text(parts: &[&Value]) -> Result<Value> {
        let read: Vec<TextOperand<'_>> =
            parts.iter().map(|part| read_operand(part)).collect::<Result<_>>()?;
        let prefix = certain_prefix(&read);
        let value = if read.iter().all(|part| matches!(part, TextOperand::Known(_))) {
            Value::from(prefix)
        } else {
            canonical(Type::String, Refinement::prefix(&prefix).and_not_null())
        };
        Ok(value.with_marks_of(parts))
    }
}

/// Reads the string or the prefix of an operand; an error if it is null or of another type.
fn read_operand(part: &Value) -> Result<TextOperand<'_>> {
    match view_below_marks(part) {
        View::String(text) => Ok(TextOperand::Known(text)),
        View::Null(Type::String | Type::Dynamic) => Err(null_operand("text")),
        View::Dynamic => Ok(TextOperand::Unknown(None)),
        View::Unknown(range) if range.nullness() == Nullness::Null => Err(null_operand("text")),
        View::Unknown(range) if *range.ty() == Type::String => {
            Ok(TextOperand::Unknown(part.refinement().and_then(Refinement::prefix_str)))
        }
        _ => Err(Error::mismatch(&Type::String, &part.ty())),
    }
}

/// The concatenated string if all operands are known, else its longest prefix that is certain.
fn certain_prefix(parts: &[TextOperand<'_>]) -> String {
    let mut parts = parts.iter();
    let mut text = String::new();
    let prefix = loop {
        match parts.next() {
            None => return text,
            Some(TextOperand::Known(more)) => text.push_str(more),
            Some(TextOperand::Unknown(prefix)) => break prefix.unwrap_or(""),
        }
    };
    let before = nfc(&text).into_owned();
    // `whole`: the string for the case that the unknown operand is exactly its prefix. `kept`: the part of it that is
    // the same for every continuation of the prefix.
    let (whole, kept) = match first_boundary(prefix).and_then(|at| prefix.split_at_checked(at)) {
        // The unknown operand is in form C itself, so behind the first boundary in its prefix the operands before it
        // cannot change it.
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
    // If the unknown operand is just its prefix, the operands after it may still change the end of `whole`. Keep only
    // the prefix common to all these cases; stop at the first boundary, which nothing behind it can change.
    let (mut whole, mut kept) = (whole, kept);
    let mut following = String::new();
    for joined_unknowns in 0_u32.. {
        let next = loop {
            match parts.next() {
                None => break None,
                Some(TextOperand::Known(more)) => following.push_str(more),
                Some(TextOperand::Unknown(prefix)) => break Some(prefix.unwrap_or("")),
            }
        };
        following.push_str(next.unwrap_or(""));
        let reached = first_boundary(&following).is_some() || joined_unknowns == MAX_JOINED_UNKNOWNS;
        whole.push_str(&std::mem::take(&mut following));
        whole = nfc(&whole).into_owned();
        let stays = match next {
            None => whole.as_str(),
            Some(_) if joined_unknowns == MAX_JOINED_UNKNOWNS => stable_prefix(&whole),
            Some(prefix) => stable_before(&whole, prefix),
        };
        kept.truncate(common_prefix(&kept, stays).len());
        if reached || next.is_none_or(str::is_empty) {
            break;
        }
    }
    kept
}
