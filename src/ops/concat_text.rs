//! Concatenation of strings, for templates.

use super::null_operand;
use crate::error::{Error, Result};
use crate::language::{self, Language, Piece};
use crate::refinement::{Nullness, Refinement, StringLanguage};
use crate::text::{common_prefix, first_boundary, nfc, stable_before, stable_prefix};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks};

/// The maximum number of operands at each end whose languages are concatenated.
const MAX_LANGUAGES: usize = 8;

/// The maximum length in characters of the prefix and of the suffix of an unknown result with a certain suffix, so that
/// every such pair fits a [`Language`]. A longer suffix loses its beginning. The bounds do not depend on each other, so
/// that operands of which more is known never give a result of which less is known.
const MAX_PREFIX: usize = 64;
const MAX_SUFFIX: usize = 48;

/// The maximum length in characters of a text whose [`Language`] fits without trying.
const SURE_LITERAL: usize = 96;

/// The maximum number of unknown operands after the first that are joined one by one, so that the work stays linear.
const MAX_JOINED_UNKNOWNS: u32 = 8;

/// The known string, or the known prefix, of an operand.
#[derive(Clone, Copy)]
enum TextOperand<'a> {
    Known(&'a str),
    /// The prefix of an unknown string, if one is known.
    Unknown(Option<&'a str>),
    /// An unknown string of which a language is known.
    Language(&'a StringLanguage),
}

impl<'a> TextOperand<'a> {
    /// The known prefix of an unknown operand, which may be empty; the string of a known one as an error.
    fn prefix(&self) -> std::result::Result<&'a str, &'a str> {
        match self {
            TextOperand::Known(text) => Err(text),
            TextOperand::Unknown(prefix) => Ok(prefix.unwrap_or_default()),
            TextOperand::Language(language) => Ok(language.prefix()),
        }
    }
}

impl Value {
    /// Concatenates strings; the result is in normalization form C.
    ///
    /// | operands | result |
    /// |---|---|
    /// | all known | the concatenated string |
    /// | some unknown | unknown, not null, with a prefix: the operands before the first unknown one, and the prefix of that one |
    /// | the last operands known | also with a suffix: these operands, from the first character on that what precedes cannot change |
    /// | of some a language is known, or a text stands between two unknown ones | also in the concatenation of the languages of all operands |
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
    /// assert_eq!(name.to_string(), r#""net/vpc-${(known after apply)}/main""#);
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
            let known = Refinement::prefix(&prefix).and_not_null();
            let (known, is_exact) = match language_of_result(&read) {
                Some((language, is_exact)) => (known.and_language(Ok(language)), is_exact),
                None => (known, false),
            };
            let texts = certain_texts(&read);
            let known = match (texts.is_empty(), is_exact) {
                (true, true) => known,
                (true, false) => with_certain_suffix(known, &prefix, &read),
                (false, _) => with_certain_texts(known, &prefix, texts, &read),
            };
            canonical(Type::String, known)
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
        View::Unknown(range) if *range.ty() == Type::String => Ok(match part.refinement() {
            Some(known) => match known.string_language() {
                Some(language) => TextOperand::Language(language),
                None => TextOperand::Unknown(known.prefix_str()),
            },
            None => TextOperand::Unknown(None),
        }),
        _ => Err(Error::mismatch(&Type::String, &part.ty())),
    }
}

/// Adds to `known`, the refinement of an unknown result with this prefix, the suffix of the result.
fn with_certain_suffix(known: Refinement, prefix: &str, parts: &[TextOperand<'_>]) -> Refinement {
    let suffix = certain_suffix(parts);
    if suffix.is_empty() {
        return known;
    }
    let (prefix, suffix) = truncated_ends(prefix, &suffix);
    known.and_language(Language::between(prefix, suffix))
}

/// The suffix of the result: the known operands at the end, from the first character on that the operands before them cannot change.
fn certain_suffix(parts: &[TextOperand<'_>]) -> String {
    let mut last: Vec<&str> = parts.iter().rev().map_while(|part| part.prefix().err()).collect();
    last.reverse();
    let last = last.concat();
    let last = nfc(&last);
    first_boundary(&last).and_then(|at| last.get(at..)).unwrap_or_default().to_owned()
}

/// The first characters of the prefix and the last ones of the suffix: as many as a language may have literally.
fn truncated_ends<'t>(prefix: &'t str, suffix: &'t str) -> (&'t str, &'t str) {
    let start = suffix.char_indices().rev().take(MAX_SUFFIX).last().map_or(0, |(at, _)| at);
    let end = prefix.char_indices().nth(MAX_PREFIX).map_or(prefix.len(), |(at, _)| at);
    (prefix.get(..end).unwrap_or_default(), suffix.get(start..).unwrap_or_default())
}

/// The texts that the concatenated strings contain, in this order: what is known between the first and the last unknown operand. Without
/// the characters at their ends that a neighbour can change.
fn certain_texts(parts: &[TextOperand<'_>]) -> Vec<String> {
    let mut all = Vec::new();
    let mut text: Option<String> = None;
    let mut rest = parts;
    while let Some((part, following)) = rest.split_first() {
        rest = following;
        match (part.prefix(), &mut text) {
            (Err(more), Some(text)) => text.push_str(more),
            // What stands before the first unknown operand is the prefix of the result.
            (Err(_), None) => {}
            (Ok(prefix), _) => {
                if let Some(text) = text.replace(String::new()) {
                    let text = text + prefix;
                    let text = nfc(&text);
                    // What follows the prefix changes nothing of it, but may do so where it joined what stands before it.
                    let stays = first_boundary(prefix).is_some() && changes_nothing_before(following);
                    let kept = if stays { &*text } else { stable_prefix(&text) };
                    all.extend(first_boundary(kept).and_then(|at| kept.get(at..)).map(str::to_owned));
                }
            }
        }
    }
    all.retain(|text| !text.is_empty());
    all
}

/// Whether no string of these operands begins with a character that changes what stands before it.
fn changes_nothing_before(parts: &[TextOperand<'_>]) -> bool {
    let known: String = parts.iter().map_while(|part| part.prefix().err()).collect();
    let unknown = parts.iter().find_map(|part| part.prefix().ok());
    let start = known + unknown.unwrap_or_default();
    match start.is_empty() {
        true => unknown.is_none(),
        false => first_boundary(&nfc(&start)) == Some(0),
    }
}

/// Adds to `known`, the refinement of an unknown result with this prefix, its suffix and the texts that it contains between the two.
fn with_certain_texts(
    known: Refinement,
    prefix: &str,
    mut texts: Vec<String>,
    parts: &[TextOperand<'_>],
) -> Refinement {
    let mut left = SURE_LITERAL;
    texts.retain(|text| match left.checked_sub(text.chars().count()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    if texts.is_empty() {
        return with_certain_suffix(known, prefix, parts);
    }
    let suffix = certain_suffix(parts);
    let (prefix, suffix) = truncated_ends(prefix, &suffix);
    let any = || Piece::Language(Language::all());
    let literal = |text: &str| (!text.is_empty()).then(|| Piece::Literal(text.to_owned()));
    let mut pieces: Vec<Piece> = literal(prefix).into_iter().chain([any()]).collect();
    pieces.extend(texts.into_iter().flat_map(|text| [Piece::Literal(text), any()]));
    pieces.extend(literal(suffix));
    // What a neighbour can change is in none of these texts.
    match Language::concat_stable(&pieces) {
        Some(language) => known.and_language(Ok(language)),
        None => with_certain_suffix(known, prefix, parts),
    }
}

/// The language of the concatenated strings, and whether it is exact; `None` if no operand has a known language.
fn language_of_result(parts: &[TextOperand<'_>]) -> Option<(Language, bool)> {
    let has_language = parts.iter().any(|part| matches!(part, TextOperand::Language(_)));
    has_language.then(|| concatenation(parts))
}

/// The language of the concatenated strings, and whether it is exact. If there are many operands, those between the
/// first and the last [`MAX_LANGUAGES`] count as any string, so that the work stays linear.
fn concatenation(parts: &[TextOperand<'_>]) -> (Language, bool) {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut text = String::new();
    let is_exact = std::cell::Cell::new(parts.len() <= 2 * MAX_LANGUAGES);
    // A hull contains the exact result, and so does a concatenation with it.
    let hull = |made: language::Result| {
        made.unwrap_or_else(|too_large| {
            is_exact.set(false);
            too_large.into_hull()
        })
    };
    // A text whose language is too large counts as the hull of it.
    let take_literal = |text: &mut String| {
        let text = nfc(&std::mem::take(text)).into_owned();
        if text.chars().nth(SURE_LITERAL).is_none() {
            return Piece::Literal(text);
        }
        match Language::literal(&text) {
            Ok(_) => Piece::Literal(text),
            too_large => Piece::Language(hull(too_large)),
        }
    };
    let (first, last) = (MAX_LANGUAGES, parts.len().saturating_sub(MAX_LANGUAGES));
    for (place, part) in parts.iter().enumerate() {
        if place >= first && place < last {
            if place == first {
                pieces.push(take_literal(&mut text));
                pieces.push(Piece::Language(Language::all()));
            }
            continue;
        }
        let piece = match part {
            TextOperand::Known(more) => {
                text.push_str(more);
                continue;
            }
            TextOperand::Unknown(prefix) => hull(Language::prefix(prefix.unwrap_or_default())),
            TextOperand::Language(language) => language.language().clone(),
        };
        if !text.is_empty() {
            pieces.push(take_literal(&mut text));
        }
        pieces.push(Piece::Language(piece));
    }
    if !text.is_empty() || pieces.is_empty() {
        pieces.push(take_literal(&mut text));
    }
    if let Some(all) = Language::concat_all(&pieces) {
        return (all, is_exact.get());
    }
    let languages = pieces.iter().map(|piece| hull(piece.to_language()));
    let all = languages.reduce(|all, next| hull(all.concat_nfc(&next)));
    // Where strings change at a seam, the language has more strings.
    (all.unwrap_or_else(Language::all), false)
}

/// The concatenated string if all operands are known, else its longest prefix that is certain.
fn certain_prefix(parts: &[TextOperand<'_>]) -> String {
    let mut parts = parts.iter();
    let mut text = String::new();
    let prefix = loop {
        match parts.next().map(TextOperand::prefix) {
            None => return text,
            Some(Err(more)) => text.push_str(more),
            Some(Ok(prefix)) => break prefix,
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
            match parts.next().map(TextOperand::prefix) {
                None => break None,
                Some(Err(more)) => following.push_str(more),
                Some(Ok(prefix)) => break Some(prefix),
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

#[cfg(test)]
mod tests {
    use super::{MAX_PREFIX, MAX_SUFFIX};
    use crate::language::Language;

    #[test]
    fn a_prefix_and_a_suffix_of_the_maximum_length_fit() {
        let different = |first: char, count: usize| (first..).take(count).collect::<String>();
        let (prefix, suffix) = (different('\u{4e00}', MAX_PREFIX), different('\u{5e00}', MAX_SUFFIX));
        let language = Language::between(&prefix, &suffix).unwrap();
        println!("{} states, {} bytes", language.states(), language.size());
        assert!(language.contains(&format!("{prefix}{suffix}")));
    }
}
