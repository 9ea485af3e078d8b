//! Lists that belong to numbered states, stored one after the other in one allocation.

/// A list of items for each of several numbered rows.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    /// For each row the index after its last item.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// Groups items by their row number, in linear time. Items of one row keep their order.
    pub(super) fn group(rows: usize, items: &[(u32, T)]) -> Rows<T> {
        let mut next = vec![0_u32; rows.saturating_add(1)];
        for (row, _) in items {
            add(&mut next, row.saturating_add(1), 1);
        }
        let mut sum = 0_u32;
        for start in &mut next {
            sum = sum.saturating_add(*start);
            *start = sum;
        }
        let ends = next.get(1..).unwrap_or_default().to_vec();
        let Some((_, filler)) = items.first() else { return Rows { ends, items: Vec::new() } };
        let mut sorted = vec![*filler; items.len()];
        for (row, item) in items {
            put(&mut sorted, get(&next, *row), *item);
            add(&mut next, *row, 1);
        }
        Rows { ends, items: sorted }
    }

    /// The items of a row; none if there is no such row.
    pub(super) fn row(&self, row: u32) -> &[T] {
        let start = row.checked_sub(1).map_or(0, |before| get(&self.ends, before));
        self.items.get(to_usize(start)..to_usize(get(&self.ends, row))).unwrap_or_default()
    }
}

/// The number of a state or class as an index.
#[inline]
pub(super) fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// An index as the number of a state or class.
#[inline]
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The item with a number; the default if there is none.
#[inline]
pub(super) fn get<T: Copy + Default>(items: &[T], at: u32) -> T {
    items.get(to_usize(at)).copied().unwrap_or_default()
}

/// Replaces the item at an index, if there is one.
#[inline]
pub(super) fn put<T>(items: &mut [T], at: u32, item: T) {
    if let Some(place) = items.get_mut(to_usize(at)) {
        *place = item;
    }
}

/// Adds `amount` to the item at an index, if there is one.
#[inline]
pub(super) fn add(items: &mut [u32], at: u32, amount: u32) {
    if let Some(place) = items.get_mut(to_usize(at)) {
        *place = place.saturating_add(amount);
    }
}

/// Marks in `reached` all states from which a state marked there can be reached. `before` lists for each state the
/// states with a transition to it.
pub(super) fn spread(before: &Rows<u32>, reached: &mut [bool]) {
    let mut open: Vec<u32> =
        reached.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| number(at)).collect();
    while let Some(state) = open.pop() {
        for earlier in before.row(state) {
            if !get(reached, *earlier) {
                put(reached, *earlier, true);
                open.push(*earlier);
            }
        }
    }
}
