//! `upper`, `lower`, `title`: the simple case mappings of Unicode, as Go's package `unicode` has them.

use smallvec::SmallVec;

use crate::function::Function;
use crate::function::standard::StandardFunction;
use crate::language::{self, CharMap, Language, Transducer};
use crate::text::image_prefix;
use crate::types::Type;
use crate::value::Value;

use super::{KnownText, ascii_language_of, in_language, string_parameter, string_with_prefix};

/// Registers `upper`, `lower` and `title`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let image: LanguageImage = |language| language.map(&CharMap::ascii_upper());
    let upper = mapping_function("upper", "The string in upper case.", |_, c| upper_case(c), image);
    functions.push(StandardFunction::shared(upper, "the known prefix, in upper case"));
    let image: LanguageImage = |language| language.map(&CharMap::ascii_lower());
    let lower = mapping_function("lower", "The string in lower case.", |_, c| lower_case(c), image);
    functions.push(StandardFunction::shared(lower, "the known prefix, in lower case"));
    let map = |previous, c| if is_word_separator(previous) { title_case(c) } else { c };
    let image: LanguageImage = |language| language.transduce(&Transducer::ascii_title());
    let title =
        mapping_function("title", "The string with the first letter of each word in title case.", map, image);
    functions.push(StandardFunction::shared(title, "the known prefix, with its words in title case"));
}

/// A function that replaces each character of a string. `map` gets the previous character, which is a space at the
/// start, and the character to replace.
fn mapping_function(
    name: &str,
    description: &str,
    map: impl Fn(char, char) -> char + Copy + Send + Sync + 'static,
    language_image: LanguageImage,
) -> Function {
    let apply = move |mut previous: char, text: &str| -> String {
        let mut mapped = String::with_capacity(text.len());
        mapped.extend(text.chars().map(|c| map(std::mem::replace(&mut previous, c), c)));
        mapped
    };
    Function::new(name)
        .description(description)
        .parameter(string_parameter("str"))
        .returns(Type::String)
        .not_null()
        .body_for_all(move |arguments| {
            Ok(match KnownText::of(arguments.at(0)) {
                KnownText::Whole(text) => match map_ascii(text, map) {
                    Some(mapped) => mapped,
                    None => Value::from(apply(' ', text)),
                },
                KnownText::Prefix(prefix) => {
                    let known = string_with_prefix(&image_prefix(prefix, ' ', apply));
                    match ascii_language_of(arguments.at(0)).map(language_image) {
                        Some(image) => in_language(known, image),
                        None => known,
                    }
                }
            })
        })
}

/// The language of the mapped strings of a language of ASCII.
type LanguageImage = fn(&Language) -> language::Result;

/// Fast path: the mapped string, if it is ASCII before and after. No characters need to be decoded then.
fn map_ascii(text: &str, map: impl Fn(char, char) -> char) -> Option<Value> {
    if !text.is_ascii() {
        return None;
    }
    let mut previous = ' ';
    let mut mapped: SmallVec<[u8; 64]> = SmallVec::from_slice(text.as_bytes());
    for byte in &mut mapped {
        let c = char::from(*byte);
        *byte = u8::try_from(map(std::mem::replace(&mut previous, c), c)).unwrap_or(u8::MAX);
    }
    std::str::from_utf8(&mapped).ok().filter(|mapped| mapped.is_ascii()).map(Value::from)
}

/// The upper case of a character. A character whose upper case is several characters, such as `SS` for `ß`, stays.
#[inline]
fn upper_case(c: char) -> char {
    if c.is_ascii() { c.to_ascii_uppercase() } else { upper_case_beyond_ascii(c) }
}

/// The upper case of a character that is not ASCII.
fn upper_case_beyond_ascii(c: char) -> char {
    let mut letters = c.to_uppercase();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => letter,
        _ => match c {
            // Greek letters with an iota subscript: `to_uppercase` gives two characters, but there is a title case
            // letter of one, which Go uses.
            '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => shifted(c, 8),
            '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => shifted(c, 9),
            c => c,
        },
    }
}

/// The lower case of a character.
#[inline]
fn lower_case(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // Only `İ` has a lower case of two characters, `i` and a combining dot: Go takes the `i`.
    c.to_lowercase().next().unwrap_or(c)
}

/// The title case of a character: mostly its upper case.
fn title_case(c: char) -> char {
    match c {
        '\u{01C4}'..='\u{01C6}' => '\u{01C5}',
        '\u{01C7}'..='\u{01C9}' => '\u{01C8}',
        '\u{01CA}'..='\u{01CC}' => '\u{01CB}',
        '\u{01F1}'..='\u{01F3}' => '\u{01F2}',
        // Georgian letters have an upper case, but their title case is the letter itself.
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' => c,
        c => upper_case(c),
    }
}

/// The character `by` code points later.
fn shifted(c: char, by: u32) -> char {
    u32::from(c).checked_add(by).and_then(char::from_u32).unwrap_or(c)
}

/// Whether a word starts after this character. In ASCII these are all characters but letters, digits and `_`; beyond
/// ASCII only white space.
fn is_word_separator(c: char) -> bool {
    if c.is_ascii() { !c.is_ascii_alphanumeric() && c != '_' } else { c.is_whitespace() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::nfc;
    use unicode_normalization::char::canonical_combining_class;

    #[test]
    fn letters_become_no_marks() {
        let maps: [fn(char) -> char; 3] = [upper_case, lower_case, title_case];
        for c in '\0'..=char::MAX {
            for map in maps {
                assert!(canonical_combining_class(map(c)) == 0 || map(c) == c, "{c:?}");
            }
        }
    }

    /// Compares with brute force: letters with and without combining marks, followed by one or two further characters.
    #[test]
    fn the_image_of_a_beginning_is_what_all_images_begin_with() {
        let following =
            ['\0', 'a', '-', '\u{300}', '\u{301}', '\u{307}', '\u{308}', '\u{30A}', '\u{30C}', '\u{323}'];
        let following =
            [&following[..], &['\u{331}', '\u{338}', '\u{345}', '\u{1161}', '\u{313}', '\u{31B}']].concat();
        let ends = [
            'I', 'i', 'W', 'w', 'J', 'h', 'T', 'y', 'ı', 'İ', 'é', 'ᾳ', 'α', 'Ά', 'ǰ', 'ß', 'ﬁ', 'ǆ', '-',
            '가',
        ];
        for map in [upper_case, lower_case, title_case] {
            let apply = |_, text: &str| text.chars().map(map).collect::<String>();
            for start in ends
                .iter()
                .flat_map(|end| [format!("a{end}"), format!("{end}\u{323}"), format!("{end}\u{308}")])
            {
                let start = nfc(&start).into_owned();
                let mut expected = nfc(&apply(' ', &start)).into_owned();
                for a in &following {
                    for b in &following {
                        let text = nfc(&format!("{start}{a}{b}")).into_owned();
                        if text.starts_with(&start) {
                            let image = nfc(&apply(' ', &text)).into_owned();
                            let same = crate::text::common_prefix(&expected, &image).len();
                            expected.truncate(same);
                        }
                    }
                }
                assert_eq!(image_prefix(&start, ' ', apply), expected, "{}", start.escape_unicode());
            }
        }
    }
}
