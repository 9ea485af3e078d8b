//! Text in quotes.

use std::fmt;

use crate::text::escape;

/// Text in quotes, with escapes for quotes, backslashes, and what would not be seen: control characters, white space
/// other than the plain space, and invisible format characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        escape(f, self.0, is_invisible, |f, code| write!(f, "\\u{{{code:x}}}"))?;
        f.write_str("\"")
    }
}

/// A fixed list rather than the tables of the standard library, so that the text does not depend on its version.
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
