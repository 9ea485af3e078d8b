//! The properties of JSON objects, found by name while walking names in order.

use std::borrow::Cow;

use crate::json::{Item, Str};
use crate::text::nfc;

/// Hands out the properties of an object for names that are asked for in ascending order, each once. In step with
/// the object where its names ascend too, as writers of plans leave them; else by a sorted copy.
pub(super) enum Entries<'t, 'a> {
    InStep { rest: crate::json::Entries<'t, 'a>, next: Option<(Str<'a>, Item<'t, 'a>)>, left: usize },
    Sorted { entries: Vec<(Cow<'a, str>, Item<'t, 'a>)>, left: usize, twice: Option<String> },
}

impl<'t, 'a> Entries<'t, 'a> {
    /// The properties of an object; none for anything else.
    pub(super) fn of(item: Option<Item<'t, 'a>>) -> Entries<'t, 'a> {
        match item {
            Some(item) if item.is_sorted() => {
                let mut rest = item.entries();
                let next = rest.next();
                Entries::InStep { rest, next, left: item.len() }
            }
            Some(item) => {
                let (entries, twice) = sorted(item);
                let left = entries.len();
                Entries::Sorted { entries, left, twice }
            }
            None => Entries::Sorted { entries: Vec::new(), left: 0, twice: None },
        }
    }

    /// The property of this name, which is in normal form C.
    pub(super) fn take(&mut self, name: &str) -> Option<Item<'t, 'a>> {
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

    /// A name that the object has twice; the last one counts, as for other readers of JSON.
    pub(super) fn twice(&self) -> Option<&str> {
        match self {
            Entries::InStep { .. } => None,
            Entries::Sorted { twice, .. } => twice.as_deref(),
        }
    }

    /// Whether there are properties that nobody asked for.
    pub(super) fn has_more(&self) -> bool {
        match self {
            Entries::InStep { left, .. } | Entries::Sorted { left, .. } => *left > 0,
        }
    }
}

/// The properties sorted by their names in normal form C, and a name that came twice.
fn sorted<'t, 'a>(item: Item<'t, 'a>) -> (Vec<(Cow<'a, str>, Item<'t, 'a>)>, Option<String>) {
    let mut entries: Vec<_> = item.entries().map(|(key, item)| (normal(key), item)).collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut twice = None;
    entries.dedup_by(|(later, item), (kept, place)| {
        let same = later == kept;
        if same {
            *place = *item;
            twice.get_or_insert_with(|| kept.to_string());
        }
        same
    });
    (entries, twice)
}

/// The name in normal form C.
fn normal(key: Str<'_>) -> Cow<'_, str> {
    match key.text() {
        Cow::Borrowed(text) => nfc(text),
        Cow::Owned(text) => Cow::Owned(nfc(&text).into_owned()),
    }
}

/// All names of some objects, sorted, in normal form C, each once.
pub(super) fn names<'a>(items: [Option<Item<'_, 'a>>; 2]) -> Vec<Cow<'a, str>> {
    let mut all = Vec::new();
    let mut ascending = true;
    for item in items.into_iter().flatten() {
        ascending = ascending && item.is_sorted() && all.is_empty();
        all.extend(item.entries().map(|(key, _)| normal(key)));
    }
    if !ascending {
        all.sort_unstable();
        all.dedup();
    }
    all
}
