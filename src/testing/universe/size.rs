//! The sizes of the universes of scalars and containers of bools.

use super::combine::sequences;

/// The values that a universe contains.
pub(super) struct Size {
    /// Bounds of number intervals.
    pub(super) bounds: &'static [i64],
    /// Whether the universe has unknown integers and multiples with these bounds.
    pub(super) multiples: bool,
    /// Whether there are refinements of elements and of keys.
    pub(super) elements: bool,
    /// Known numbers among the abstract values, in quarters.
    pub(super) known: &'static [i64],
    /// Concrete numbers, in quarters.
    pub(super) points: std::ops::RangeInclusive<i64>,
    pub(super) texts: usize,
    pub(super) prefixes: usize,
    pub(super) unicode: bool,
    pub(super) lists: usize,
    pub(super) sets: usize,
}

/// The small universe.
pub(super) const S: Size = Size {
    bounds: &[0, 1],
    multiples: false,
    elements: false,
    known: &[0, 2, 4],
    points: -2..=8,
    texts: 2,
    prefixes: 1,
    unicode: false,
    lists: 2,
    sets: 2,
};

/// The medium universe.
pub(super) const M: Size = Size {
    bounds: &[-1, 0, 1],
    multiples: true,
    elements: true,
    known: &[-4, -2, 0, 2, 4, 8],
    points: -8..=16,
    texts: 4,
    prefixes: 3,
    unicode: true,
    lists: 3,
    sets: 3,
};

/// The known strings of the size.
pub(super) fn texts(size: &Size) -> Vec<String> {
    let mut all: Vec<String> =
        sequences(&["a", "b"], size.texts).iter().map(|parts| parts.concat()).collect();
    if size.unicode {
        let more =
            ["e", "ee", "e\u{e9}", "e\u{200d}", "\u{e9}", "\u{e9}a", "\u{e9}\u{301}", "\u{301}", "\u{301}e"];
        all.extend(more.map(str::to_owned));
        // Each prefix of this size, also with what the languages of strings require.
        all.extend(["eab", "\u{e9}ab", "\u{301}ab", "bbbab"].map(str::to_owned));
    }
    all
}
