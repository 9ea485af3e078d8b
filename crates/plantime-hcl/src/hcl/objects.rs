//! Hides the items of objects from the HCL parser where there are many, or where a key occurs twice, and splits these items
//! into pieces that are parsed one by one.

use std::ops::Range;

use super::{OpenDelimiter, Scan};

/// The maximum number of items of one object that the parser gets at once.
const MAX_ITEMS: usize = 512;

/// The byte offsets of the braces of an object in a text, and its approximate number of items.
struct ObjectPlace {
    open: usize,
    close: usize,
    items: usize,
}

/// Finds the objects in a text, except `for` expressions in braces; inner objects come before those around them.
fn objects(text: &str) -> Vec<ObjectPlace> {
    let (mut found, mut open) = (Vec::new(), Vec::<(usize, ObjectPlace)>::new());
    let mut scan = Scan::new(text);
    loop {
        let (depth, c) = (scan.open.len(), scan.cursor.peek());
        let Some(place) = scan.next() else { return found };
        let is_object =
            matches!(scan.open.last(), Some(OpenDelimiter::Bracket { is_body: false, .. })) && c == Some('{');
        if scan.open.len() > depth && is_object {
            open.push((scan.open.len(), ObjectPlace { open: place, close: place, items: 0 }));
            continue;
        }
        if open.last().is_none_or(|(inside, _)| *inside != depth) {
            continue;
        }
        if scan.open.len() < depth {
            if let Some((_, object)) = open.pop()
                && !is_for(text, object.open)
            {
                found.push(ObjectPlace { close: place, ..object });
            }
        } else if let (Some(',' | '\n'), Some((_, object))) = (c, open.last_mut()) {
            object.items = object.items.saturating_add(1);
        }
    }
}

/// Whether the brace at byte `open` begins a `for` expression.
fn is_for(text: &str, open: usize) -> bool {
    let inner = text.get(open.saturating_add(1)..).unwrap_or_default().trim_start();
    inner.strip_prefix("for").is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Writes spaces over the items of each object that has more than [`MAX_ITEMS`]; `None` if there is no such object.
pub(super) fn without_items_of_large_objects(text: &str) -> Option<String> {
    let separators = memchr::memchr2_iter(b',', b'\n', text.as_bytes()).take(MAX_ITEMS);
    if separators.count() < MAX_ITEMS {
        return None;
    }
    let large: Vec<ObjectPlace> =
        objects(text).into_iter().filter(|object| object.items > MAX_ITEMS).collect();
    if large.is_empty() {
        return None;
    }
    let mut changed = text.to_owned();
    for object in large {
        without_items(&mut changed, &object);
    }
    Some(changed)
}

/// Writes spaces over the items of the innermost object around byte `place`; `None` if no object encloses it.
pub(super) fn without_items_of_object_around(text: &str, place: usize) -> Option<String> {
    let object = objects(text).into_iter().find(|object| object.open < place && place < object.close)?;
    let mut changed = text.to_owned();
    without_items(&mut changed, &object);
    Some(changed)
}

fn without_items(text: &mut String, object: &ObjectPlace) {
    let inner = object.open.saturating_add(1)..object.close;
    let spaces = " ".repeat(inner.len());
    if text.get(inner.clone()).is_some() {
        text.replace_range(inner, &spaces);
    }
}

/// Splits the items of an object into pieces of at most [`MAX_ITEMS`], as ranges of bytes in order. `text` is the object
/// from its opening to its closing brace.
pub(crate) fn object_pieces(text: &str) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut items) = (Vec::new(), 1_usize, 0_usize);
    let mut scan = Scan::new(text);
    loop {
        let (depth, c) = (scan.open.len(), scan.cursor.peek());
        let Some(place) = scan.next() else { break };
        if depth == 1 && scan.open.len() == 1 && matches!(c, Some(',' | '\n')) {
            items = items.saturating_add(1);
            if items >= MAX_ITEMS {
                let end = place.saturating_add(1);
                pieces.push(start..end);
                (start, items) = (end, 0);
            }
        }
    }
    pieces.push(start..text.len().saturating_sub(1).max(start));
    pieces
}

/// Splits some items of an object into two halves of about the same number of items; `None` if there is only one item.
pub(crate) fn halves(items: &str) -> Option<(&str, &str)> {
    let text = format!("{{{items}}}");
    let mut ends = Vec::new();
    let mut scan = Scan::new(&text);
    loop {
        let (depth, c) = (scan.open.len(), scan.cursor.peek());
        let Some(place) = scan.next() else { break };
        let has_more = items.get(place..).is_some_and(|rest| !rest.trim().is_empty());
        let has_before = items.get(..place).is_some_and(|before| !before.trim().is_empty());
        if depth == 1 && scan.open.len() == 1 && matches!(c, Some(',' | '\n')) && has_more && has_before {
            ends.push(place);
        }
    }
    let middle = ends.get(ends.len().div_euclid(2))?;
    items.split_at_checked(*middle)
}
