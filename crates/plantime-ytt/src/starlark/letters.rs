//! The cases of characters as Go has them: one character for one, where other rules make several of it.

/// Returns the only character of a mapping; `None` if there are several.
fn single(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    match (mapped.next(), mapped.next()) {
        (Some(char), None) => Some(char),
        _ => None,
    }
}

/// Returns a character so much further on.
fn further(char: char, by: u32) -> char {
    u32::from(char).checked_add(by).and_then(char::from_u32).unwrap_or(char)
}

/// The upper case.
pub(super) fn upper(char: char) -> char {
    single(char.to_uppercase()).unwrap_or(match char {
        // Greek letters with an iota below have one character with an iota beside.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => further(char, 8),
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => further(char, 9),
        other => other,
    })
}

/// The lower case.
pub(super) fn lower(char: char) -> char {
    single(char.to_lowercase()).unwrap_or(if char == 'İ' { 'i' } else { char })
}

/// The case at the start of a word, in which pairs of letters have one of their own.
pub(super) fn title(char: char) -> char {
    match char {
        'Ǆ' | 'ǅ' | 'ǆ' => 'ǅ',
        'Ǉ' | 'ǈ' | 'ǉ' => 'ǈ',
        'Ǌ' | 'ǋ' | 'ǌ' => 'ǋ',
        'Ǳ' | 'ǲ' | 'ǳ' => 'ǲ',
        // Georgian words have no upper case at their start.
        '\u{10d0}'..='\u{10ff}' => char,
        other => upper(other),
    }
}

/// Whether a character has another case.
pub(super) fn is_cased(char: char) -> bool {
    lower(char) != char || upper(char) != char
}
