//! The part of a string that no continuation can change by normalisation.

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// The longest stable prefix of a string in form C: whatever is appended, the normal form of the result still
/// starts with it, and no longer prefix has this property. Only characters at the end of the string are dropped.
///
/// ```
/// use plantime::text::stable_prefix;
///
/// assert_eq!(stable_prefix("vpc-"), "vpc-");
/// assert_eq!(stable_prefix("café"), "caf"); // a cedilla makes it `cafȩ́`
/// assert_eq!(stable_prefix("日本"), "日本");
/// ```
///
/// # Why it holds
///
/// Normalisation decomposes, sorts each run of marks (characters of a combining class other than 0) by class, and
/// composes from left to right into the last starter (a character of class 0). Let `s` be the text's last starter
/// and `m…` the marks after it.
///
/// - What precedes `s` was composed before `s` was reached, and does not change any more.
/// - `s` itself changes when some following character joins it. A mark that joins can be inserted into `s`'s own
///   decomposition (`ế` and a dot below), is blocked by a mark of its own class among `m…`, and when a first such
///   mark joins, it joins also if it is the only character that follows. A starter joins only when it is adjacent.
///   So trying each single character that ever joins another decides it exactly.
/// - If `s` stays, a mark of `m…` stays exactly when no class is lower, that is when its class is 1; before any
///   other mark, the overlay U+0338 (class 1) can be inserted.
pub fn stable_prefix(nfc: &str) -> &str {
    let Some(last) = nfc.chars().next_back() else { return nfc };
    if last.is_ascii() {
        return if ascii_joins(last) { up_to(nfc, nfc.len().saturating_sub(1)) } else { nfc };
    }
    stable_under(nfc, 1)
}

/// The longest prefix of `nfc`, a string that ends with `end`, that no continuation can change, where each
/// continuation together with `end` is in form C. Such a continuation does not start with a mark of a lower class
/// than the last mark of `end`, so the result may be longer than that of [`stable_prefix`].
pub(crate) fn stable_before<'a>(nfc: &'a str, end: &str) -> &'a str {
    match end.chars().next_back().map(canonical_combining_class) {
        Some(class) if class > 0 => stable_under(nfc, class),
        _ => stable_prefix(nfc),
    }
}

/// The longest prefix of `nfc` that no continuation can change, where the marks a continuation starts with are of the
/// combining class `least` or above.
fn stable_under(nfc: &str, least: u8) -> &str {
    let mut classes = Classes::default();
    for (at, c) in nfc.char_indices().rev() {
        let class = canonical_combining_class(c);
        if class == 0 {
            let end = at.saturating_add(c.len_utf8());
            let changes = can_change(c, &classes, least);
            return if changes { up_to(nfc, at) } else { up_to(nfc, with_lower_marks(nfc, end, least)) };
        }
        classes.insert(class);
    }
    up_to(nfc, with_lower_marks(nfc, 0, least))
}

/// The byte index of the first starter (no combining mark) that never combines with its predecessor: no text before
/// the string changes it or anything after it. `None` if there is none.
pub(crate) fn first_boundary(nfc: &str) -> Option<usize> {
    nfc.char_indices().find(|(_, c)| is_boundary(*c)).map(|(at, _)| at)
}

/// The last character that is not a combining mark; `None` if there is none.
pub(crate) fn last_starter(text: &str) -> Option<char> {
    text.chars().rev().find(|c| canonical_combining_class(*c) == 0)
}

/// Whether the character is a starter (no combining mark) that never combines with its predecessor.
pub(super) fn is_boundary(c: char) -> bool {
    canonical_combining_class(c) == 0 && is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes
}

/// The first `end` bytes of the string; empty if `end` is inside a character.
fn up_to(text: &str, end: usize) -> &str {
    text.get(..end).unwrap_or_default()
}

/// The byte index after the combining marks from byte `start` on whose class is at most `least`: no mark of the class
/// `least` or above can be inserted before these.
fn with_lower_marks(text: &str, start: usize, least: u8) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let lower = |c: &char| (1..=least).contains(&canonical_combining_class(*c));
    rest.chars().take_while(lower).map(char::len_utf8).fold(start, usize::saturating_add)
}

/// Whether some following character combines with this ASCII character: true for the letters except `Q` and `q`, and
/// for `<`, `=`, `>` (with U+0338).
fn ascii_joins(c: char) -> bool {
    matches!(c, '<'..='>') || (c.is_ascii_alphabetic() && !matches!(c, 'Q' | 'q'))
}

/// A set of canonical combining classes, as 256 bits: those of the marks after the last starter.
#[derive(Default)]
struct Classes([u128; 2]);

impl Classes {
    /// Adds a combining class to the set.
    fn insert(&mut self, class: u8) {
        let [low, high] = &mut self.0;
        let half = if class < 128 { low } else { high };
        *half |= 1_u128 << (class & 127);
    }

    /// Whether the class is in the set.
    fn contains(&self, class: u8) -> bool {
        let [low, high] = self.0;
        let half = if class < 128 { low } else { high };
        half >> (class & 127) & 1 == 1
    }

    /// Whether the set contains no class: no mark follows the starter.
    fn is_empty(&self) -> bool {
        self.0 == [0, 0]
    }
}

/// Whether a continuation can change a starter that is followed by marks of the classes `following`. The marks that
/// the continuation starts with are of the class `least` or above.
fn can_change(starter: char, following: &Classes, least: u8) -> bool {
    if starter.is_ascii() && !ascii_joins(starter) {
        return false;
    }
    if unicode_normalization::UNICODE_VERSION != JOINERS_VERSION {
        return true;
    }
    let mut parts = smallvec::SmallVec::<[char; 8]>::new();
    decompose_canonical(starter, |c| parts.push(c));
    joiners().any(|joiner| match canonical_combining_class(joiner) {
        0 => following.is_empty() && compose(starter, joiner).is_some(),
        class if class < least || following.contains(class) => false,
        class => {
            // By the canonical order the joiner is tried on the starter composed with its own marks up to the
            // joiner's class.
            let before = parts.iter().filter(|c| canonical_combining_class(**c) <= class).copied();
            let met = before.map(Some).reduce(|composed, c| compose(composed?, c?)).flatten();
            met.is_none_or(|met| compose(met, joiner).is_some())
        }
    })
}

/// The characters that combine with some character before them: those of [`JOINERS`].
pub(super) fn joiners() -> impl Iterator<Item = char> {
    JOINERS.iter().flat_map(|(first, last)| *first..=*last)
}

/// The Unicode version from which [`JOINERS`] is taken. If the normalisation tables are of another version, every
/// non-ASCII starter at the end of a string is treated as unstable.
pub(super) const JOINERS_VERSION: (u8, u8, u8) = (18, 0, 0);

/// The ranges of all characters that combine with some character before them: the property `NFC_Quick_Check=Maybe`.
#[rustfmt::skip]
pub(super) const JOINERS: &[(char, char)] = &[
    ('\u{0300}', '\u{0304}'), ('\u{0306}', '\u{030C}'), ('\u{030F}', '\u{030F}'), ('\u{0311}', '\u{0311}'),
    ('\u{0313}', '\u{0314}'), ('\u{031B}', '\u{031B}'), ('\u{0323}', '\u{0328}'), ('\u{032D}', '\u{032E}'),
    ('\u{0330}', '\u{0331}'), ('\u{0338}', '\u{0338}'), ('\u{0342}', '\u{0342}'), ('\u{0345}', '\u{0345}'),
    ('\u{0653}', '\u{0655}'), ('\u{093C}', '\u{093C}'), ('\u{09BE}', '\u{09BE}'), ('\u{09D7}', '\u{09D7}'),
    ('\u{0B3E}', '\u{0B3E}'), ('\u{0B56}', '\u{0B57}'), ('\u{0BBE}', '\u{0BBE}'), ('\u{0BD7}', '\u{0BD7}'),
    ('\u{0C56}', '\u{0C56}'), ('\u{0CC2}', '\u{0CC2}'), ('\u{0CD5}', '\u{0CD6}'), ('\u{0D3E}', '\u{0D3E}'),
    ('\u{0D57}', '\u{0D57}'), ('\u{0DCA}', '\u{0DCA}'), ('\u{0DCF}', '\u{0DCF}'), ('\u{0DDF}', '\u{0DDF}'),
    ('\u{102E}', '\u{102E}'), ('\u{1161}', '\u{1175}'), ('\u{11A8}', '\u{11C2}'), ('\u{1B35}', '\u{1B35}'),
    ('\u{3099}', '\u{309A}'), ('\u{110BA}', '\u{110BA}'), ('\u{11127}', '\u{11127}'), ('\u{1133E}', '\u{1133E}'),
    ('\u{11357}', '\u{11357}'), ('\u{113B8}', '\u{113B8}'), ('\u{113BB}', '\u{113BB}'), ('\u{113C2}', '\u{113C2}'),
    ('\u{113C5}', '\u{113C5}'), ('\u{113C7}', '\u{113C9}'), ('\u{114B0}', '\u{114B0}'), ('\u{114BA}', '\u{114BA}'),
    ('\u{114BD}', '\u{114BD}'), ('\u{115AF}', '\u{115AF}'), ('\u{11930}', '\u{11930}'), ('\u{1611E}', '\u{16129}'),
    ('\u{16D67}', '\u{16D68}'),
];
