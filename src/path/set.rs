//! Sets of paths.

use std::collections::{BTreeSet, btree_set};
use std::fmt;

use super::Path;

/// A set of paths in a fixed order, with the questions about prefixes that places inside values raise.
///
/// Paths are the same when their steps are, keys compared by representation: a step `[*]` is found again by the
/// same step. The order is that of [`Path`]: step by step, a path before all that it is a prefix of.
///
/// | question | answer |
/// |---|---|
/// | [`contains`](PathSet::contains) | is this very path in the set |
/// | [`covers`](PathSet::covers) | is it, or a path on the way to it, in the set |
/// | [`below`](PathSet::below) | the paths of the set that start with it |
///
/// ```
/// use plantime::{Path, PathSet};
///
/// let paths = |texts: &[&str]| texts.iter().map(|text| text.parse()).collect::<Result<PathSet, _>>();
/// let changed = paths(&["tags", "ingress[0].port"])?;
/// let ignored = paths(&["tags"])?;
/// assert_eq!(changed.difference(&ignored), paths(&["ingress[0].port"])?);
///
/// let name: Path = r#"tags["Name"]"#.parse()?;
/// assert!(ignored.covers(&name) && !ignored.contains(&name));
/// assert_eq!(changed.below(&"ingress".parse()?).count(), 1);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathSet(BTreeSet<Path>);

impl PathSet {
    /// A set without paths.
    pub fn new() -> PathSet {
        PathSet::default()
    }

    /// How many paths are in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no path is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a path; whether it is new.
    pub fn insert(&mut self, path: Path) -> bool {
        self.0.insert(path)
    }

    /// Adds a path and every path on the way to it, but for the empty one.
    ///
    /// ```
    /// use plantime::PathSet;
    ///
    /// let mut set = PathSet::new();
    /// set.add_all_steps(&"a.b[0]".parse()?);
    /// assert_eq!(set.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a", "a.b", "a.b[0]"]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn add_all_steps(&mut self, path: &Path) {
        let mut here = Path::new();
        for step in path.steps() {
            here.push(step.clone());
            self.0.insert(here.clone());
        }
    }

    /// Takes a path out; whether it was in the set.
    pub fn remove(&mut self, path: &Path) -> bool {
        self.0.remove(path)
    }

    /// Whether this very path is in the set.
    pub fn contains(&self, path: &Path) -> bool {
        self.0.contains(path)
    }

    /// Whether the path, or one that it starts with, is in the set.
    pub fn covers(&self, path: &Path) -> bool {
        let mut here = path.clone();
        loop {
            if self.0.contains(&here) {
                return true;
            }
            if here.pop().is_none() {
                return false;
            }
        }
    }

    /// The paths of the set that start with this one, itself included, in order.
    pub fn below<'a>(&'a self, prefix: &'a Path) -> impl Iterator<Item = &'a Path> {
        self.0.range(prefix..).take_while(move |path| path.starts_with(prefix))
    }

    /// The paths in order.
    pub fn iter(&self) -> btree_set::Iter<'_, Path> {
        self.0.iter()
    }

    /// The paths of both.
    #[must_use]
    pub fn union(&self, other: &PathSet) -> PathSet {
        self.0.union(&other.0).cloned().collect()
    }

    /// The paths that are in both.
    #[must_use]
    pub fn intersection(&self, other: &PathSet) -> PathSet {
        self.0.intersection(&other.0).cloned().collect()
    }

    /// The paths of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &PathSet) -> PathSet {
        self.0.difference(&other.0).cloned().collect()
    }

    /// The paths that are in one of the two only.
    #[must_use]
    pub fn symmetric_difference(&self, other: &PathSet) -> PathSet {
        self.0.symmetric_difference(&other.0).cloned().collect()
    }
}

impl FromIterator<Path> for PathSet {
    fn from_iter<I: IntoIterator<Item = Path>>(paths: I) -> PathSet {
        // One by one: collecting sorts, and the order of a capsule in a key may be none, which a sort may panic for.
        let mut set = PathSet::new();
        set.extend(paths);
        set
    }
}

impl Extend<Path> for PathSet {
    fn extend<I: IntoIterator<Item = Path>>(&mut self, paths: I) {
        self.0.extend(paths);
    }
}

impl IntoIterator for PathSet {
    type Item = Path;
    type IntoIter = btree_set::IntoIter<Path>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a PathSet {
    type Item = &'a Path;
    type IntoIter = btree_set::Iter<'a, Path>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for PathSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}
