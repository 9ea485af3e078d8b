//! Recognises YAML event by event, without storing what is read or following aliases.

use std::cell::Cell;

use saphyr_parser::{Event, Parser};

use crate::text::yaml::{NESTING, PrefixChars, is_printable};

/// Whether the string is a stream of YAML 1.2 documents. The empty string is one, without documents. An alias must
/// name an earlier anchor. Duplicate keys are accepted: they matter only when the stream is converted to values.
pub(super) fn accepts(text: &str) -> bool {
    text.chars().all(is_printable) && read_all(&mut text.chars()).is_ok()
}

/// Whether the string is a prefix of some YAML stream.
pub(super) fn is_prefix(prefix: &str) -> bool {
    let read_past_end = Cell::new(false);
    let ended = read_all(&mut PrefixChars::new(prefix, &read_past_end));
    prefix.chars().all(is_printable) && (ended.is_ok() || read_past_end.get())
}

/// Whether the characters are YAML that nests no deeper than `NESTING`. Reads up to the first error, in linear time.
fn read_all(chars: &mut dyn Iterator<Item = char>) -> Result<(), ()> {
    let mut parser = Parser::new_from_iter(chars);
    let mut depth: usize = 0;
    while let Some(event) = parser.next_event() {
        match event {
            Err(_) => return Err(()),
            Ok((Event::SequenceStart(..) | Event::MappingStart(..), _)) => {
                depth = depth.saturating_add(1);
                if depth > NESTING {
                    return Err(());
                }
            }
            Ok((Event::SequenceEnd | Event::MappingEnd, _)) => depth = depth.saturating_sub(1),
            Ok(_) => {}
        }
    }
    Ok(())
}
