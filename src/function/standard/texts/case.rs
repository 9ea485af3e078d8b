//! Letters: capitals, small ones, and a capital at the start of each word.

use smallvec::SmallVec;

use crate::function::Function;
use crate::function::standard::Standard;
use crate::text::image;
use crate::types::Type;
use crate::value::Value;

use super::{Known, starting, text};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    all.push(Standard::both(mapped("upper", "The text in capital letters.", |_, c| upper(c))));
    all.push(Standard::both(mapped("lower", "The text in small letters.", |_, c| lower(c))));
    let title = |before, c| if is_between_words(before) { first_letter(c) } else { c };
    all.push(Standard::both(mapped("title", "The text with a capital at the start of each word.", title)));
}

/// `map` says what a character becomes, which may hang on the one before it. At the start that is a space.
fn mapped(
    name: &str,
    description: &str,
    map: impl Fn(char, char) -> char + Copy + Send + Sync + 'static,
) -> Function {
    let apply = move |mut before: char, text: &str| -> String {
        let mut mapped = String::with_capacity(text.len());
        mapped.extend(text.chars().map(|c| map(std::mem::replace(&mut before, c), c)));
        mapped
    };
    Function::new(name)
        .description(description)
        .parameter(text("str"))
        .returns(Type::String)
        .not_null()
        .body_for_all(move |arguments| {
            Ok(match Known::of(arguments.at(0)) {
                Known::Whole(text) => match ascii(text, map) {
                    Some(mapped) => mapped,
                    None => Value::from(apply(' ', text)),
                },
                Known::Start(start) => starting(&image(start, ' ', apply)),
            })
        })
}

/// The text where it is ASCII and stays so: a byte for each character.
fn ascii(text: &str, map: impl Fn(char, char) -> char) -> Option<Value> {
    if !text.is_ascii() {
        return None;
    }
    let mut before = ' ';
    let mut mapped: SmallVec<[u8; 64]> = SmallVec::from_slice(text.as_bytes());
    for byte in &mut mapped {
        let c = char::from(*byte);
        *byte = u8::try_from(map(std::mem::replace(&mut before, c), c)).unwrap_or(u8::MAX);
    }
    std::str::from_utf8(&mapped).ok().filter(|mapped| mapped.is_ascii()).map(Value::from)
}

/// The one capital letter for a letter, if there is one: of what only several characters would be the capital, as `SS`
/// of `ß`, the letter is left.
#[inline]
fn upper(c: char) -> char {
    if c.is_ascii() { c.to_ascii_uppercase() } else { upper_beyond_ascii(c) }
}

fn upper_beyond_ascii(c: char) -> char {
    let mut letters = c.to_uppercase();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => letter,
        _ => match c {
            // With the small iota below, which has a capital beside the letter.
            '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => later(c, 8),
            '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => later(c, 9),
            c => c,
        },
    }
}

#[inline]
fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // The capital I with a dot becomes a small one with two; the first of these characters is the simple mapping.
    c.to_lowercase().next().unwrap_or(c)
}

/// The letter that a word in a title begins with: mostly the capital.
fn first_letter(c: char) -> char {
    match c {
        '\u{01C4}'..='\u{01C6}' => '\u{01C5}',
        '\u{01C7}'..='\u{01C9}' => '\u{01C8}',
        '\u{01CA}'..='\u{01CC}' => '\u{01CB}',
        '\u{01F1}'..='\u{01F3}' => '\u{01F2}',
        // Georgian titles have no capitals.
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' => c,
        c => upper(c),
    }
}

fn later(c: char, by: u32) -> char {
    u32::from(c).checked_add(by).and_then(char::from_u32).unwrap_or(c)
}

/// Whether a word begins after this character: of ASCII all but letters, digits and `_`, beyond that space only.
fn is_between_words(c: char) -> bool {
    if c.is_ascii() { !c.is_ascii_alphanumeric() && c != '_' } else { c.is_whitespace() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::nfc;
    use unicode_normalization::char::canonical_combining_class;

    #[test]
    fn letters_become_no_marks() {
        let maps: [fn(char) -> char; 3] = [upper, lower, first_letter];
        for c in '\0'..=char::MAX {
            for map in maps {
                assert!(canonical_combining_class(map(c)) == 0 || map(c) == c, "{c:?}");
            }
        }
    }

    /// By trial: all that one or two characters which follow can make of a letter with and without marks.
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
        for map in [upper, lower, first_letter] {
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
                assert_eq!(image(&start, ' ', apply), expected, "{}", start.escape_unicode());
            }
        }
    }
}
