//! Skips a value that is read later, by its brackets and strings alone: without a limit on its depth.

use crate::error::Result;

use super::reader::Reader;

/// The values of all properties named `value`: the start and the end of each as byte indexes of the text, by start.
pub(super) type Spans = Vec<(usize, usize)>;

/// Skips the next value without checking its syntax, which is checked when the value is read. Records in `spans`
/// the values of properties named `value` inside it.
pub(super) fn skip_unchecked(reader: &mut Reader<'_>, spans: &mut Spans) -> Result<()> {
    // For each enclosing array and object, the index of its span if it is the value of such a property.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut span = None;
    loop {
        let ended = match reader.next_byte() {
            Some(b'[' | b'{') => {
                open.push(span.take());
                reader.step();
                continue;
            }
            Some(b']' | b'}') => {
                let Some(ended) = open.pop() else { return Err(reader.expected("a value")) };
                reader.step();
                ended
            }
            Some(b',') if !open.is_empty() => {
                reader.step();
                continue;
            }
            Some(b'"') => {
                let text = reader.string()?;
                if reader.next_byte() == Some(b':') {
                    reader.step();
                    reader.next_byte();
                    span = text.is("value").then_some(spans.len());
                    if span.is_some() {
                        spans.push((reader.at(), reader.at()));
                    }
                    continue;
                }
                span.take()
            }
            _ => {
                skip_word(reader)?;
                span.take()
            }
        };
        if let Some(span) = ended.and_then(|span| spans.get_mut(span)) {
            span.1 = reader.at();
        }
        if open.is_empty() {
            return Ok(());
        }
    }
}

/// Skips a number, `true`, `false`, `null`, or any other word.
fn skip_word(reader: &mut Reader<'_>) -> Result<()> {
    let start = reader.at();
    while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.') = reader.byte() {
        reader.step();
    }
    if reader.at() == start { Err(reader.expected("a value")) } else { Ok(()) }
}
