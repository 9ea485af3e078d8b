//! YAML, read event by event: nothing is kept of what was read, and no alias is followed.

use std::cell::Cell;

use saphyr_parser::{Event, Parser};

use crate::yaml::{Beginning, NESTING, is_printable};

/// A stream of documents of YAML 1.2: also none, since an empty text is such a stream. An alias names an anchor before it.
/// Keys that are there twice are a matter of what is made of the text.
pub(super) fn accepts(text: &str) -> bool {
    text.chars().all(is_printable) && ends(&mut text.chars()).is_ok()
}

/// Whether the string is a prefix of some YAML stream.
pub(super) fn may_go_on(prefix: &str) -> bool {
    let seen_all = Cell::new(false);
    let ended = ends(&mut Beginning::new(prefix, &seen_all));
    prefix.chars().all(is_printable) && (ended.is_ok() || seen_all.get())
}

/// Reads to the end, which takes time in proportion to the text.
fn ends(chars: &mut dyn Iterator<Item = char>) -> Result<(), ()> {
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
