//! Writing quoted strings.

use std::fmt;

use crate::text::escape;

/// Formats a string in quotes, with escapes for quotes, backslashes and invisible characters: control characters, white
/// space other than the plain space, and format characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        escape(f, self.0, is_invisible, |f, code| write!(f, "\\u{{{code:x}}}"))?;
        f.write_str("\"")
    }
}

/// Whether a character is escaped as invisible. A fixed list for format characters, so that the output does not
/// depend on the Unicode version of the standard library.
fn is_invisible(c: char) -> bool {
    match c {
        ' '..='~' => false,
        // Soft hyphen, Arabic letter mark, Mongolian vowel separator, byte order mark.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        // Zero width characters, directions and their isolates, invisible operators, tags.
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e0fff}' => true,
        c => c.is_control() || c.is_whitespace(),
    }
}
