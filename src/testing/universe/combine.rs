//! Combinations of items into sequences and maps.

use std::collections::BTreeMap;

/// All sequences of up to `most` items.
pub(super) fn sequences<T: Clone>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|front: &Vec<T>| {
                items.iter().map(|item| [front.as_slice(), std::slice::from_ref(item)].concat())
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// All maps with one of the items, or none, for each key.
pub(super) fn entries<T: Clone>(keys: &[&str], items: &[T]) -> Vec<BTreeMap<String, T>> {
    keys.iter().fold(vec![BTreeMap::new()], |all, key| {
        all.iter()
            .flat_map(|front| {
                let with = items.iter().map(|item| {
                    let mut map = front.clone();
                    map.insert((*key).to_owned(), item.clone());
                    map
                });
                std::iter::once(front.clone()).chain(with)
            })
            .collect()
    })
}
