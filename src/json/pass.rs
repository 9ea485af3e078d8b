//! Passing over what is read later: by its brackets and strings alone, so that its depth does not matter yet.

use crate::error::Result;

use super::reader::Reader;

/// Where values of properties named `value` start and end, in the order in which they start.
pub(super) type Spans = Vec<(usize, usize)>;

/// Passes over the value that comes next, which is to be read later, when what is wrong with it is found. Notes the
/// values of properties named `value` inside it.
pub(super) fn over(reader: &mut Reader<'_>, spans: &mut Spans) -> Result<()> {
    // For each array and object that is open, the span that it is, if it is one.
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
                word(reader)?;
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

/// A number, `true`, `false`, `null`, or something like it.
fn word(reader: &mut Reader<'_>) -> Result<()> {
    let start = reader.at();
    while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.') = reader.byte() {
        reader.step();
    }
    if reader.at() == start { Err(reader.expected("a value")) } else { Ok(()) }
}
