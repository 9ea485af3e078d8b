//! The position of a byte in a string, in words.

/// The position of the byte at index `byte` in words, counted in characters from 1 as editors do: `column 14`, or
/// `line 2, column 3` if the string has several lines.
pub(crate) fn position(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let column = before.get(start..).unwrap_or("").chars().count().saturating_add(1);
    if text.contains('\n') {
        let line = before.matches('\n').count().saturating_add(1);
        format!("line {line}, column {column}")
    } else {
        format!("column {column}")
    }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn columns_count_characters_from_one() {
        assert_eq!(position("abc", 0), "column 1");
        assert_eq!(position("äbc", 2), "column 2");
        assert_eq!(position("abc", 3), "column 4");
        assert_eq!(position("a\nbc", 3), "line 2, column 2");
        assert_eq!(position("a\n", 0), "line 1, column 1");
        assert_eq!(position("abc", 99), "column 4");
    }
}
