//! The concatenation of strings in normalization form C, which is normalised again.
//!
//! If `x` and `y` are in form C, `xy` may not be: `e` and U+0301 are, and together they become `é`. Only the
//! characters around the seam change. Let *the end of x* be its last starter and the marks after it, and *the
//! beginning of y* the characters before the first one that neither is a mark nor composes with an earlier one. Then
//! the normalised concatenation is `x` without its end, some string, and `y` without its beginning.
//!
//! | `x` | `y` | result |
//! |---|---|---|
//! | any | empty, or starts with a character that does not join | exactly `xy` |
//! | empty, or ends with a character that is not joined | any | exactly `xy` |
//! | ends otherwise | starts otherwise | `x` without its end, then any string, then `y` without its beginning |
//!
//! A character *joins* if it is a mark, or composes with some earlier character. It *is joined* if it is a mark, which
//! another mark may overtake, contains such a mark as `é` does, or composes with some later character: of ASCII `<`,
//! `=`, `>` and the letters but `q` and `Q`.

use std::sync::OnceLock;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfc_quick};

use super::alphabet::{Range, common, merged};
use super::build::{EVERY, exactly};
use super::facts::FIRST_MARK;
use super::nfa::Builder;
use super::{Language, Result, Steps};

/// The characters that normalisation may change at the seam of a concatenation (where the second string begins), and
/// languages to remove them with.
struct Seam {
    /// The characters that may compose with, or move before, a character before them.
    joining: Vec<Range>,
    /// The characters that a following character may change.
    joined: Vec<Range>,
    /// The strings that start with a character that joins.
    starts: Language,
    /// The strings that end with a character that is joined.
    ends: Language,
    /// The strings of characters that join, without the empty one: all beginnings, and more.
    beginning: Language,
    /// Any character, then characters that join: all ends, and more.
    end: Language,
}

/// The codes among which all marks and all characters of compositions are.
const COMPOSING: [Range; 3] = [(0, 0x1_2000), (0x1_6000, 0x1_7000), (0x1_b000, 0x1_f000)];

/// The ASCII characters that are joined: `<`, `=`, `>` and the letters but `q` and `Q`.
const JOINED_ASCII: [Range; 5] = [(0x3c, 0x3e), (0x41, 0x50), (0x52, 0x5a), (0x61, 0x70), (0x72, 0x7a)];

impl Seam {
    /// The characters and languages from the tables of Unicode: computed once, in about 3 ms.
    fn get() -> &'static Seam {
        static SEAM: OnceLock<Seam> = OnceLock::new();
        SEAM.get_or_init(|| {
            let (mut joining, mut joined) = (Vec::new(), Vec::new());
            let codes = COMPOSING.iter().flat_map(|(first, last)| *first..=*last);
            for c in codes.filter_map(char::from_u32) {
                let is_mark = canonical_combining_class(c) != 0;
                if is_mark || is_nfc_quick(std::iter::once(c)) == IsNormalized::Maybe {
                    joining.push((u32::from(c), u32::from(c)));
                }
                let mut is_joined = is_mark;
                // Whatever is composed from c's parts, one after the other, composes with the next part.
                let mut whole: Option<char> = None;
                decompose_canonical(c, |part| {
                    // A mark may be inserted before this one, as the dot below into `é`.
                    is_joined |= canonical_combining_class(part) > 1;
                    let next = whole.and_then(|whole| compose(whole, part));
                    if let (Some(whole), Some(_)) = (whole, next) {
                        joined.push((u32::from(whole), u32::from(whole)));
                    }
                    whole = next.or(Some(part));
                });
                if is_joined {
                    joined.push((u32::from(c), u32::from(c)));
                }
            }
            let (joining, joined) = (merged(joining), merged(joined));
            let end = sequence(&EVERY, &joining);
            let beginning = sequence(&joining, &joining);
            Seam {
                starts: starting_with(&joining),
                ends: ending_with(&joined),
                joining,
                joined,
                beginning,
                end,
            }
        })
    }
}

impl Language {
    /// A language with the concatenations, normalised to form C, of a string in form C of this language and one of
    /// the other.
    ///
    /// It is exactly that language if no string of the one ends with a character that others compose with, such as a
    /// letter, or if no string of the other starts with a character that composes, such as U+0301; otherwise a larger
    /// one. Strings that start below U+0300 compose with nothing before them.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let (all, id) = (Language::all(), Language::literal("id-")?);
    /// assert_eq!(id.concat_nfc(&all)?, Language::prefix("id-")?);
    /// // What follows may begin with U+0301, so `e` is not certain.
    /// assert_eq!(Language::literal("the")?.concat_nfc(&all)?, Language::prefix("th")?);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn concat_nfc(&self, other: &Language) -> Result {
        if self.joins_exactly(other) {
            return self.concat(other);
        }
        let seam = Seam::get();
        let mut steps = Steps::default();
        let safe_rest = steps.take(other.difference(&seam.starts));
        let inert_part = steps.take(self.difference(&seam.ends));
        let changed = steps.take(self.meet(&seam.ends));
        let before = steps.take(changed.right_quotient(&seam.end));
        let changing = steps.take(other.meet(&seam.starts));
        let after = steps.take(changing.left_quotient(&seam.beginning));
        let before = steps.take(before.concat(&Language::all()));
        let parts = [(self, &safe_rest), (&inert_part, other), (&before, &after)];
        let mut builder = Builder::new();
        for (first, second) in parts {
            let start = builder.language(first, false);
            let rest = builder.language(second, true);
            builder.empties.push((0, start));
            builder.empties.extend(Builder::ends(first, start).map(|end| (end, rest)));
            builder.accepting.extend(Builder::ends(second, rest));
        }
        steps.finish(builder.build())
    }

    /// Whether [`concat_nfc`](Self::concat_nfc) has no other strings than the normalised concatenations: none of them
    /// changes at the seam.
    ///
    /// [`concat_nfc`](Self::concat_nfc) has an example.
    pub fn joins_exactly(&self, other: &Language) -> bool {
        Piece::Language(self.clone()).joins_exactly(&Piece::Language(other.clone()))
    }

    /// The concatenation of all these pieces in one step, if none of their strings changes at a seam and the result fits; `None`
    /// otherwise. One automaton is built, where one concatenation after the other would build each beginning again.
    pub(crate) fn concat_all(pieces: &[Piece]) -> Option<Language> {
        for (place, piece) in pieces.iter().enumerate().skip(1) {
            // If a piece may be empty, those around it may meet.
            for before in pieces.get(..place)?.iter().rev() {
                if !before.joins_exactly(piece) {
                    return None;
                }
                if !before.may_be_empty() {
                    break;
                }
            }
        }
        Language::concat_stable(pieces)
    }

    /// The concatenation of pieces that stay as they are under normalization where they meet, which the caller has made sure of;
    /// `None` if the automaton is too large.
    pub(crate) fn concat_stable(pieces: &[Piece]) -> Option<Language> {
        let mut builder = Builder::new();
        let mut ends = vec![0];
        for (place, piece) in pieces.iter().enumerate() {
            let (start, own_ends) = match piece {
                Piece::Literal(text) => {
                    let (start, end) = (builder.state(), builder.state());
                    builder.literal(start, text, end);
                    (start, vec![end])
                }
                Piece::Language(language) => {
                    let is_last = place.saturating_add(1) == pieces.len();
                    let start = builder.next_language(language, is_last);
                    (start, Builder::ends(language, start).collect())
                }
            };
            builder.empties.extend(ends.iter().map(|end| (*end, start)));
            ends = own_ends;
        }
        builder.accepting.extend(ends);
        builder.build().ok()
    }

    /// Like [`Piece::ends_in_inert_ascii`].
    fn ends_in_inert_ascii(&self) -> bool {
        self.classes().iter().zip(0..).all(|(own, class)| {
            is_inert_ascii(own) || !self.numbers().any(|state| self.accepts_at(self.target(state, class)))
        })
    }

    /// Like [`Piece::starts_below_marks`].
    fn starts_below_marks(&self) -> bool {
        let dead = self.dead_state();
        self.classes_with_marks().all(|class| Some(self.target(0, class)) == dead)
    }

    /// Whether some string starts with a character in the ranges.
    fn starts_in(&self, ranges: &[Range]) -> bool {
        let dead = self.dead_state();
        let mut classes = self.classes().into_iter().zip(self.row(0));
        classes.any(|(own, target)| Some(u32::from(*target)) != dead && !common(&own, ranges).is_empty())
    }

    /// Whether some string ends with a character in the ranges.
    fn ends_in(&self, ranges: &[Range]) -> bool {
        let classes = self.classes();
        let mut used = classes.iter().zip(0..).filter(|(own, _)| !common(own, ranges).is_empty());
        used.any(|(_, class)| self.numbers().any(|state| self.accepts_at(self.target(state, class))))
    }
}

/// A piece of a concatenation.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// One string in form C, whose language fits.
    Literal(String),
    /// Any string of a language.
    Language(Language),
}

impl Piece {
    /// The language of the strings of the piece.
    pub(crate) fn to_language(&self) -> Result {
        match self {
            Piece::Literal(text) => Language::literal(text),
            Piece::Language(language) => Ok(language.clone()),
        }
    }

    /// Whether the empty string is a string of the piece.
    fn may_be_empty(&self) -> bool {
        match self {
            Piece::Literal(text) => text.is_empty(),
            Piece::Language(language) => language.contains(""),
        }
    }

    /// Whether normalisation changes no concatenation of a string of this piece and one of the other.
    fn joins_exactly(&self, next: &Piece) -> bool {
        // Nearly all concatenations in configurations are those of ASCII, which need no table.
        if next.starts_below_marks() || self.ends_in_inert_ascii() {
            return true;
        }
        let seam = Seam::get();
        !next.starts_in(&seam.joining) || !self.ends_in(&seam.joined)
    }

    /// Whether each string is empty or starts with a character below U+0300: none of these is a combining mark or composes with a
    /// character before it.
    fn starts_below_marks(&self) -> bool {
        match self {
            Piece::Literal(text) => text.chars().next().is_none_or(|c| u32::from(c) < FIRST_MARK),
            Piece::Language(language) => language.starts_below_marks(),
        }
    }

    /// Whether each string is empty or ends with an ASCII character that no following character changes, such as a space, a quote or a
    /// digit.
    fn ends_in_inert_ascii(&self) -> bool {
        match self {
            Piece::Literal(text) => text.chars().next_back().is_none_or(|c| is_inert_ascii(&[single(c)])),
            Piece::Language(language) => language.ends_in_inert_ascii(),
        }
    }

    /// Whether some string starts with a character in the ranges.
    fn starts_in(&self, ranges: &[Range]) -> bool {
        match self {
            Piece::Literal(text) => {
                text.chars().next().is_some_and(|c| !common(&[single(c)], ranges).is_empty())
            }
            Piece::Language(language) => language.starts_in(ranges),
        }
    }

    /// Whether some string ends with a character in the ranges.
    fn ends_in(&self, ranges: &[Range]) -> bool {
        match self {
            Piece::Literal(text) => {
                text.chars().next_back().is_some_and(|c| !common(&[single(c)], ranges).is_empty())
            }
            Piece::Language(language) => language.ends_in(ranges),
        }
    }
}

/// The range of one character.
fn single(c: char) -> Range {
    (u32::from(c), u32::from(c))
}

/// Whether all characters in the sorted ranges are ASCII characters that no following character changes.
fn is_inert_ascii(ranges: &[Range]) -> bool {
    ranges.iter().all(|(_, last)| *last < 0x80) && common(ranges, &JOINED_ASCII).is_empty()
}

/// The strings that start with a character in the ranges.
fn starting_with(ranges: &[Range]) -> Language {
    let mut builder = Builder::new();
    let rest = builder.universal();
    builder.class(0, ranges, rest);
    exactly(builder).unwrap_or_else(Language::all)
}

/// The strings that end with a character in the ranges.
fn ending_with(ranges: &[Range]) -> Language {
    let mut builder = Builder::new();
    let last = builder.state();
    builder.class(0, &EVERY, 0);
    builder.class(0, ranges, last);
    builder.accepting.push(last);
    exactly(builder).unwrap_or_else(Language::all)
}

/// The strings of one character in `first`, followed by any number of characters in `others`.
fn sequence(first: &[Range], others: &[Range]) -> Language {
    let mut builder = Builder::new();
    let rest = builder.state();
    builder.class(0, first, rest);
    builder.class(rest, others, rest);
    builder.accepting.push(rest);
    exactly(builder).unwrap_or_else(Language::all)
}

#[cfg(test)]
mod tests {
    use super::{COMPOSING, JOINED_ASCII, Piece, Seam};
    use crate::language::Language;
    use unicode_normalization::char::{canonical_combining_class, compose};
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

    fn is_in(c: char, ranges: &[(u32, u32)]) -> bool {
        ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(c)))
    }

    #[test]
    fn one_step_concatenates_as_several_do() {
        let literal = |text: &str| Language::literal(text).unwrap();
        let optional = literal("").join(&literal("x ")).unwrap();
        let digits = Language::class(&[('0', '9')]).unwrap().star().unwrap();
        let languages = [
            literal("a "),
            literal("e"),
            literal("\u{301}"),
            Language::all(),
            Language::prefix("\u{e9}-").unwrap(),
            optional,
            digits,
            Language::empty(),
        ];
        let (mut same, mut refused) = (0, 0);
        for a in &languages {
            for b in &languages {
                for c in &languages {
                    let several = a.concat_nfc(b).and_then(|ab| ab.concat_nfc(c));
                    let pieces = [a, b, c].map(|language| match language.as_literal() {
                        Some(text) => Piece::Literal(text),
                        None => Piece::Language(language.clone()),
                    });
                    let languages = [a, b, c].map(|language| Piece::Language(language.clone()));
                    let one = Language::concat_all(&pieces);
                    assert_eq!(one, Language::concat_all(&languages));
                    match one {
                        Some(one) => {
                            assert_eq!(Ok(one), several.map_err(|_| ()));
                            same += 1;
                        }
                        None => refused += 1,
                    }
                }
            }
        }
        assert!(same > 200 && refused > 50, "{same} {refused}");
    }

    #[test]
    fn characters_that_join_or_are_joined_are_those_of_unicode() {
        let seam = Seam::get();
        for c in (0..0x80_u8).map(char::from) {
            assert_eq!(is_in(c, &JOINED_ASCII), is_in(c, &seam.joined), "{c:?}");
        }
        let is_mark = |c| canonical_combining_class(c) != 0;
        let maybe: Vec<char> =
            ('\0'..=char::MAX).filter(|c| is_nfc_quick(std::iter::once(*c)) == IsNormalized::Maybe).collect();
        for c in '\0'..=char::MAX {
            let joins = is_mark(c) || maybe.contains(&c);
            assert_eq!(is_in(c, &seam.joining), joins, "{}", c.escape_unicode());
            assert!(!joins || is_in(c, &COMPOSING) && c >= '\u{300}');
        }
        let near = ('\0'..'\u{12000}').chain('\u{16000}'..'\u{17000}').chain('\u{1b000}'..'\u{1f000}');
        for c in near.filter(|c| is_nfc_quick(std::iter::once(*c)) != IsNormalized::No) {
            let composes = is_mark(c) || maybe.iter().any(|next| compose(c, *next).is_some());
            let text = c.to_string();
            let changes =
                || maybe.iter().any(|next| !format!("{c}{next}").nfc().collect::<String>().starts_with(c));
            if unicode_normalization::is_nfd(&text) || ('\u{ac00}'..='\u{d7a3}').contains(&c) {
                assert_eq!(is_in(c, &seam.joined), composes, "{}", c.escape_unicode());
            } else if !is_in(c, &seam.joined) {
                assert!(!composes && !changes(), "{}", c.escape_unicode());
            }
        }
    }

    #[test]
    fn the_languages_of_the_seam_fit() {
        let seam = Seam::get();
        for language in [&seam.starts, &seam.ends, &seam.beginning, &seam.end] {
            println!("{} states, {} bytes", language.states(), language.size());
            assert!(!language.is_all());
        }
    }
}
