//! Bounds of an evaluation: each is a constant, and grows with the input, so that large packages pass and small ones cannot
//! take much.

/// The largest number of bytes of a file.
pub(crate) const FILE: usize = 16 << 20;

/// The largest number of nodes of a YAML file, keys counted, where what an alias copies counts again.
pub(crate) fn file_nodes(bytes: usize) -> usize {
    50_000_usize.saturating_add(bytes / 3)
}

/// The largest number of comments of a file.
pub(crate) fn comments(bytes: usize) -> usize {
    100_000_usize.saturating_add(bytes / 16)
}

/// The bounds of the evaluation of a package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The largest number of steps.
    pub(crate) steps: usize,
    /// The largest number of bytes of values that are alive, as the heap counts them.
    pub(crate) memory: usize,
    /// The largest number of nodes that templates make; 64 bytes of text count as one.
    pub(crate) nodes: usize,
    /// The largest number of nodes that all merges together look at.
    pub(crate) merged: usize,
    /// The largest number of nodes that defaults add.
    pub(crate) defaults: usize,
}

impl Bounds {
    /// The bounds for a package whose files and values have so many bytes.
    pub(crate) fn of(bytes: usize) -> Bounds {
        let bound = |least: usize, per_byte: usize| least.saturating_add(bytes.saturating_mul(per_byte));
        Bounds {
            steps: bound(5_000_000, 16),
            memory: bound(12 << 20, 32),
            nodes: bound(150_000, 1),
            merged: bound(1 << 19, 8),
            defaults: bound(100_000, 1),
        }
    }
}
