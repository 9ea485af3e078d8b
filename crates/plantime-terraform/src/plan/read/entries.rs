//! The properties of JSON objects, found by name while walking names in order.

use std::borrow::Cow;

use crate::json::Item;
use plantime::text::nfc;
use plantime::unstable::json::Str;

/// Looks up the properties of a JSON object by name; the names must be requested in ascending order, each once. Walks
/// the object in step if its own names ascend, as Terraform writes them; else searches a sorted copy.
pub(super) enum Entries<'t, 'a> {
    InStep { rest: crate::json::Entries<'t, 'a>, next: Option<(Str<'a>, Item<'t, 'a>)>, left: usize },
    Sorted { entries: Vec<(Cow<'a, str>, Item<'t, 'a>)>, left: usize },
}

impl<'t, 'a> Entries<'t, 'a> {
    /// The properties of a JSON object; none if there is no object.
    pub(super) fn new(item: Option<Item<'t, 'a>>) -> Entries<'t, 'a> {
        match item {
            Some(item) if item.is_sorted() => {
                let mut rest = item.entries();
                let next = rest.next();
                Entries::InStep { rest, next, left: item.len() }
            }
            Some(item) => {
                let entries = sorted_entries(item);
                let left = entries.len();
                Entries::Sorted { entries, left }
            }
            None => Entries::Sorted { entries: Vec::new(), left: 0 },
        }
    }

    /// The value of the property with this name, which is in normal form C and greater than the names requested
    /// before; `None` if there is no such property.
    pub(super) fn next_named(&mut self, name: &str) -> Option<Item<'t, 'a>> {
        match self {
            Entries::InStep { rest, next, left } => loop {
                let (key, item) = (*next)?;
                match key.plain()?.cmp(name) {
                    std::cmp::Ordering::Greater => return None,
                    order => {
                        *next = rest.next();
                        if order.is_eq() {
                            *left = left.saturating_sub(1);
                            return Some(item);
                        }
                    }
                }
            },
            Entries::Sorted { entries, left, .. } => {
                let place = entries.binary_search_by(|(key, _)| (**key).cmp(name)).ok()?;
                *left = left.saturating_sub(1);
                entries.get(place).map(|(_, item)| *item)
            }
        }
    }

    /// Whether the object has properties that were not requested.
    pub(super) fn has_unread(&self) -> bool {
        match self {
            Entries::InStep { left, .. } | Entries::Sorted { left, .. } => *left > 0,
        }
    }
}

/// The properties sorted by their names in normal form C.
fn sorted_entries<'t, 'a>(item: Item<'t, 'a>) -> Vec<(Cow<'a, str>, Item<'t, 'a>)> {
    let mut entries: Vec<_> = item.entries().map(|(key, item)| (normalized_name(key), item)).collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    entries
}

/// A property name in normal form C.
fn normalized_name(key: Str<'_>) -> Cow<'_, str> {
    match key.text() {
        Cow::Borrowed(text) => nfc(text),
        Cow::Owned(text) => Cow::Owned(nfc(&text).into_owned()),
    }
}

/// The names of the properties of both objects in normal form C, sorted, each once.
pub(super) fn all_names<'a>(items: [Option<Item<'_, 'a>>; 2]) -> Vec<Cow<'a, str>> {
    let mut all = Vec::new();
    let mut ascending = true;
    for item in items.into_iter().flatten() {
        ascending = ascending && item.is_sorted() && all.is_empty();
        all.extend(item.entries().map(|(key, _)| normalized_name(key)));
    }
    if !ascending {
        all.sort_unstable();
        all.dedup();
    }
    all
}
