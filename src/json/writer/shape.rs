//! The languages of the JSON texts that unknown values may have.

use std::sync::OnceLock;

use crate::language::{CharMap, Language, hull};
use crate::refinement::{Nullness, Refinement};
use crate::text::{last_starter, nfc, stable_prefix};
use crate::types::Type;
use crate::types::json::write_escaped;
use crate::value::{Value, ValueRange, canonical};

/// The maximum number of bytes of known text beside which the languages of unknown values are computed. With more, the
/// automaton of the whole text would be too large.
const MAX_TEXT: usize = 192;

/// The maximum number of unknown values at each end of a text whose languages are computed.
const MAX_HOLES: usize = 4;

/// The JSON texts of all strings, and more: normalization may compose the letter of an escape with a mark that follows.
const STRINGS: &str = r#"^"(?:[^\x00-\x1f"\\<>&]|\\[^\x00-\x1f<>&])*"$"#;

/// The JSON texts of all numbers: none has an exponent or ends with a zero after the point.
const NUMBERS: &str = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$";

/// What stands at a place of a text that is not known.
pub(super) enum Hole {
    /// The text of an unknown value.
    Value(ValueRange),
    /// The texts of the members of a set, in brackets.
    Set,
    /// The JSON of a value of unknown type.
    Any,
}

/// The text of a value that is not wholly known: what is known of it.
pub(crate) struct OpenText {
    /// The longest certain prefix.
    pub(crate) prefix: String,
    /// The text; at a hole stands what is certain of its beginning, or known members of a set.
    pub(super) text: String,
    /// The places that are not known, with the bytes from the first to the second position in `text`.
    pub(super) holes: Vec<(usize, usize, Hole)>,
}

impl OpenText {
    /// An unknown string that is not null, with what is known of the text: its prefix, its end, and the language of all
    /// that it may be. With values of undecided types it has no language: what is between brackets can be anything then,
    /// so that the automaton would soon be too large.
    pub(crate) fn into_value(self) -> Value {
        let prefix = canonical(Type::String, Refinement::prefix(&self.prefix).and_not_null());
        let is_decided = |(_, _, hole): &(usize, usize, Hole)| match hole {
            Hole::Value(range) => !range.ty().has_dynamic(),
            Hole::Set => true,
            Hole::Any => false,
        };
        let has_language = self.text.len() <= MAX_TEXT && self.holes.iter().all(is_decided);
        let last_holes = self.holes.len().saturating_sub(MAX_HOLES);
        let (mut parts, mut from) = (Vec::new(), 0);
        for (place, (start, end, hole)) in self.holes.iter().enumerate() {
            parts.push(Value::from(self.text.get(from..*start).unwrap_or_default()));
            let is_near_an_end = place < MAX_HOLES || place >= last_holes;
            let known = match has_language && is_near_an_end {
                true => Refinement::not_null().and_language(Ok(hole.language())),
                false => Refinement::not_null(),
            };
            parts.push(canonical(Type::String, known));
            from = *end;
        }
        parts.push(Value::from(self.text.get(from..).unwrap_or_default()));
        let whole = Value::concat_text(&parts.iter().collect::<Vec<_>>());
        let both = whole
            .ok()
            .and_then(|whole| whole.refinement().and_then(|known| prefix.assume(known).ok()).or(Some(whole)));
        both.unwrap_or(prefix)
    }
}

impl Hole {
    /// The language of the texts that may stand here.
    fn language(&self) -> Language {
        match self {
            Hole::Value(range) => texts_of(range),
            Hole::Set => brackets('[', ']').clone(),
            Hole::Any => Language::all(),
        }
    }
}

/// The language of the JSON texts of the values of a range.
fn texts_of(range: &ValueRange) -> Language {
    let texts = match range.ty() {
        Type::Bool => hull(Language::one_of(["false", "true"])),
        Type::String => texts_of_strings(range),
        Type::Number => texts_of_numbers(range),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => brackets('[', ']').clone(),
        Type::Map(_) | Type::Object(_) => brackets('{', '}').clone(),
        _ => return Language::all(),
    };
    match range.nullness() {
        Nullness::NotNull => texts,
        Nullness::Null => hull(Language::literal("null")),
        Nullness::Nullable => hull(texts.join(&hull(Language::literal("null")))),
    }
}

/// The language of the JSON texts of the strings of a range.
fn texts_of_strings(range: &ValueRange) -> Language {
    let own = range.refinement().string_language().map(|known| known.language());
    match own {
        Some(strings) if strings.is_below_marks() => in_quotes(strings),
        _ => {
            let prefix = beginning_of_string(range.prefix().unwrap_or_default());
            let with_prefix = hull(Language::prefix(&prefix));
            let texts = hull(all_strings().meet(&with_prefix));
            match own.and_then(end_of_strings) {
                Some(end) => hull(texts.meet(&end)),
                None => texts,
            }
        }
    }
}

/// The JSON texts of the strings of a language whose characters are all below U+0300, so that none joins another.
fn in_quotes(strings: &Language) -> Language {
    static ESCAPES: OnceLock<CharMap> = OnceLock::new();
    let escapes = ESCAPES.get_or_init(|| {
        let low = ('\0'..='\u{7f}').map(|c| {
            let (mut text, mut buffer) = (String::new(), [0; 4]);
            write_escaped(c.encode_utf8(&mut buffer), &mut text);
            (c, text)
        });
        CharMap::new(low)
    });
    let quote = hull(Language::literal("\""));
    let escaped = hull(strings.map(escapes));
    hull(hull(quote.concat(&escaped)).concat(&quote))
}

/// The strings with the end that the JSON texts of the strings of a language share, if these end with ASCII.
fn end_of_strings(strings: &Language) -> Option<Language> {
    let suffix = strings.common_suffix();
    let start = suffix.char_indices().rev().take_while(|(_, c)| c.is_ascii()).last()?.0;
    let mut text = String::new();
    write_escaped(suffix.get(start..)?, &mut text);
    text.push('"');
    Language::suffix(&text).ok()
}

/// The JSON texts of all strings, and more.
fn all_strings() -> &'static Language {
    static ALL: OnceLock<Language> = OnceLock::new();
    ALL.get_or_init(|| language(STRINGS))
}

/// The JSON texts of the numbers of a range.
fn texts_of_numbers(range: &ValueRange) -> Language {
    static NUMERALS: OnceLock<Language> = OnceLock::new();
    let all = NUMERALS.get_or_init(|| language(NUMBERS));
    let number = canonical(Type::Number, range.refinement().clone().and_not_null());
    let text = crate::convert::convert(&number, &Type::String.into());
    let Ok(text) = text else { return all.clone() };
    if let Ok(text) = text.as_str() {
        // Infinities have no JSON.
        return hull(all.meet(&hull(Language::literal(text))));
    }
    match text.refinement().map(|text| (text.string_language(), text.prefix_str())) {
        Some((Some(known), _)) => hull(all.meet(known.language())),
        Some((None, Some(prefix))) => hull(all.meet(&hull(Language::prefix(prefix)))),
        _ => all.clone(),
    }
}

/// The texts in brackets.
fn brackets(open: char, close: char) -> &'static Language {
    static PAIRS: OnceLock<[Language; 2]> = OnceLock::new();
    let [square, curly] = PAIRS
        .get_or_init(|| [("[", "]"), ("{", "}")].map(|(open, close)| hull(Language::between(open, close))));
    if (open, close) == ('[', ']') { square } else { curly }
}

/// The certain beginning of the JSON text of a string with this prefix.
pub(super) fn beginning_of_string(prefix: &str) -> String {
    let mut text = String::from("\"");
    write_escaped(prefix, &mut text);
    let whole = nfc(&text);
    // An accent that follows combines with the letter that an escape ends with (`n` of `\n`).
    let escaped = last_starter(prefix).is_some_and(|c| {
        let (mut text, mut buffer) = (String::new(), [0; 4]);
        write_escaped(c.encode_utf8(&mut buffer), &mut text);
        text.len() != c.len_utf8()
    });
    if escaped { stable_prefix(&whole).to_owned() } else { whole.into_owned() }
}

/// The language of a pattern of this file.
fn language(pattern: &str) -> Language {
    let read = crate::regexp::language(pattern);
    read.ok().map_or_else(Language::all, hull)
}
