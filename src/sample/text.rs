//! Random strings.

use super::Sampler;
use crate::text::nfc;

/// The pieces that random strings consist of.
const PIECES: [&str; 60] = [
    // Ordinary.
    "a",
    "b",
    "ab",
    "A",
    "0",
    "1",
    "vpc-",
    "x",
    " ",
    "-",
    // Numbers and bools.
    "12",
    "+",
    ".",
    ".5",
    "e",
    "e5",
    "E-3",
    "inf",
    "true",
    "false",
    "t",
    // Characters that combine with the next or previous one: combining marks, also out of order, and starters that
    // compose.
    "\u{301}",
    "\u{e9}",
    "e\u{301}",
    "\u{323}",
    "\u{307}",
    "s\u{323}\u{307}",
    "\u{1e9b}",
    "\u{9c7}",
    "\u{9be}",
    "\u{344}",
    "\u{212b}",
    "\u{2126}",
    "\u{fb1d}",
    "\u{f900}",
    "\u{1d15e}",
    // Hangul, whole and in parts.
    "\u{1100}",
    "\u{1161}",
    "\u{11a8}",
    "\u{ac00}",
    "\u{ac01}",
    // Joined emoji and flags.
    "\u{200d}",
    "\u{1f469}",
    "\u{1f680}",
    "\u{1f469}\u{200d}\u{1f680}",
    "\u{1f1e9}",
    "\u{fe0f}",
    // Quotes, template markers and line ends.
    "\"",
    "\\",
    "${",
    "%{",
    "}",
    "\n",
    "\r\n",
    "\t",
    "\u{0}",
    "\u{7f}",
    "\u{2028}",
    "\u{10ffff}",
    "[*]",
];

/// Names that are drawn often for attributes and keys, so that different types share some.
const NAMES: [&str; 10] = ["a", "b", "c", "id", "name", "tags", "e\u{301}", "odd name", "", "0"];

impl Sampler<'_> {
    /// A random string in normal form NFC.
    pub fn text(&mut self) -> String {
        let pieces = self.below(self.size.text.saturating_add(1));
        let mut text = String::new();
        for _ in 0..pieces {
            // Half of the pieces are ordinary, so that strings have common prefixes.
            let among = if self.chance(1, 2) { PIECES.len() } else { 8 };
            let place = self.below(among);
            text.push_str(PIECES.get(place).copied().unwrap_or_default());
        }
        if self.chance(1, 16) {
            let code = u32::try_from(self.below(0x11_0000)).unwrap_or(0);
            text.extend(char::from_u32(code));
        }
        nfc(&text).into_owned()
    }

    /// A random name for an attribute, or key for a map.
    pub(super) fn name(&mut self) -> String {
        if self.chance(1, 6) { self.text() } else { nfc(self.pick(&NAMES, "a")).into_owned() }
    }

    /// A random prefix of the string, cut between code points; it may be empty or the whole string.
    pub(super) fn beginning(&mut self, text: &str) -> String {
        let length = text.chars().count();
        let kept = length.saturating_sub(self.below(length.saturating_add(1)));
        text.chars().take(kept).collect()
    }
}
