//! Where quotes may stand: the reader of CSV takes them anywhere, Go's does not.

/// Where in a field the text is.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Start,
    Plain,
    Quoted,
    /// After a quote in a quoted field: the end, or one half of a doubled quote.
    Quote,
}

const BARE: &str = "bare \" in non-quoted-field";
const EXTRANEOUS: &str = "extraneous or missing \" in quoted-field";

/// A quote that stands wrong: its line, and what is wrong with it.
pub(super) type Wrong = (u64, &'static str);

/// Checks a whole text.
pub(super) fn check(text: &str) -> Result<(), Wrong> {
    let (place, line, _) = scan(text)?;
    let line = if text.ends_with('\n') { line.saturating_sub(1) } else { line };
    if place == Place::Quoted { Err((line, EXTRANEOUS)) } else { Ok(()) }
}

/// The records of a text that are complete, however it goes on.
pub(super) fn complete(text: &str) -> Result<&str, Wrong> {
    let (_, _, end) = scan(text)?;
    Ok(text.get(..end).unwrap_or_default())
}

/// Where the text ends: in which place of a field, on which line, and where its last whole record ends.
fn scan(text: &str) -> Result<(Place, u64, usize), Wrong> {
    let (mut place, mut line, mut end) = (Place::Start, 1_u64, 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        place = match (place, byte) {
            (Place::Start | Place::Quote, b'"') => Place::Quoted,
            (Place::Plain, b'"') => return Err((line, BARE)),
            (Place::Quoted, b'"') => Place::Quote,
            (Place::Quoted, _) => Place::Quoted,
            (_, b',' | b'\n') => Place::Start,
            (Place::Quote, _) => return Err((line, EXTRANEOUS)),
            (Place::Start | Place::Plain, _) => Place::Plain,
        };
        if byte == b'\n' {
            line = line.saturating_add(1);
            end = if place == Place::Start { at.saturating_add(1) } else { end };
        }
    }
    Ok((place, line, end))
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
