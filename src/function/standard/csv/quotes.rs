//! Checks the quotes in CSV: the reader used here accepts a quote anywhere, while Go's rejects it inside a field.

/// Where in a field the scan of the quotes is.
#[derive(Clone, Copy, PartialEq)]
enum FieldState {
    /// At the start of a field.
    Start,
    /// Inside a field that does not start with a quote.
    Unquoted,
    /// Between the quotes of a field.
    Quoted,
    /// After a quote inside a quoted field: the field ends here, or this is the first half of a doubled quote.
    AfterQuote,
}

/// The message of Go for a quote inside an unquoted field.
const BARE: &str = "bare \" in non-quoted-field";
/// The message of Go for a wrong or missing quote in a quoted field.
const EXTRANEOUS: &str = "extraneous or missing \" in quoted-field";

/// The error for a quote in a wrong position: the number of its line, from 1 on, and the message.
pub(super) type QuoteError = (u64, &'static str);

/// An error if the quotes of a complete CSV text are wrong: inside an unquoted field, or not closed.
pub(super) fn check(text: &str) -> Result<(), QuoteError> {
    let (state, line, _) = scan(text)?;
    let line = if text.ends_with('\n') { line.saturating_sub(1) } else { line };
    if state == FieldState::Quoted { Err((line, EXTRANEOUS)) } else { Ok(()) }
}

/// The complete records, each with its line end, at the start of a CSV text that may continue. An error if its quotes
/// are already wrong.
pub(super) fn complete_records(text: &str) -> Result<&str, QuoteError> {
    let (_, _, end) = scan(text)?;
    Ok(text.get(..end).unwrap_or_default())
}

/// Scans the quotes of a CSV text. Returns the state at its end, the number of its last line from 1 on, and the byte
/// offset of the end of its last complete record.
fn scan(text: &str) -> Result<(FieldState, u64, usize), QuoteError> {
    let (mut state, mut line, mut end) = (FieldState::Start, 1_u64, 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        state = match (state, byte) {
            (FieldState::Start | FieldState::AfterQuote, b'"') => FieldState::Quoted,
            (FieldState::Unquoted, b'"') => return Err((line, BARE)),
            (FieldState::Quoted, b'"') => FieldState::AfterQuote,
            (FieldState::Quoted, _) => FieldState::Quoted,
            (_, b',' | b'\n') => FieldState::Start,
            (FieldState::AfterQuote, _) => return Err((line, EXTRANEOUS)),
            (FieldState::Start | FieldState::Unquoted, _) => FieldState::Unquoted,
        };
        if byte == b'\n' {
            line = line.saturating_add(1);
            end = if state == FieldState::Start { at.saturating_add(1) } else { end };
        }
    }
    Ok((state, line, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stand_around_fields() {
        for text in ["a,\"b\"\n", "\"a\"\"b\",\"\n\"", "", "\"\",\"\""] {
            assert_eq!(check(text), Ok(()), "{text:?}");
        }
        assert_eq!(check("a\nb\"c"), Err((2, BARE)));
        assert_eq!(check("\"a\"b"), Err((1, EXTRANEOUS)));
        assert_eq!(check("a,\"b\n1,2"), Err((2, EXTRANEOUS)));
    }
}
