//! Sets of paths.

use std::collections::{BTreeSet, btree_set};
use std::fmt;

use super::Path;

/// An ordered set of paths that can also be searched by prefixes.
///
/// Paths are equal if their steps are equal, with keys compared by representation: `[*]` equals only `[*]`. The order
/// is that of [`Path`]: step by step, a path before its extensions.
///
/// | method | returns |
/// |---|---|
/// | [`contains`](PathSet::contains) | whether the path itself is in the set |
/// | [`covers`](PathSet::covers) | whether the path or a prefix of it is in the set |
/// | [`below`](PathSet::below) | the paths in the set that start with the path |
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
    ///
    /// [Example](PathSet)
    pub fn new() -> PathSet {
        PathSet::default()
    }

    /// The number of paths in the set.
    ///
    /// [Example](PathSet)
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no path is in the set.
    ///
    /// [Example](PathSet::insert)
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a path. Returns whether it was not in the set.
    ///
    /// ```
    /// use plantime::PathSet;
    ///
    /// let mut changed = PathSet::new();
    /// assert!(changed.insert("tags".parse()?));
    /// assert!(!changed.insert("tags".parse()?));
    /// assert!(changed.remove(&"tags".parse()?) && changed.is_empty());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn insert(&mut self, path: Path) -> bool {
        self.0.insert(path)
    }

    /// Adds a path and all its prefixes except the empty path.
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

    /// Removes a path. Returns whether it was in the set.
    ///
    /// [Example](PathSet::insert)
    pub fn remove(&mut self, path: &Path) -> bool {
        self.0.remove(path)
    }

    /// Whether the path itself is in the set.
    ///
    /// [Example](PathSet)
    pub fn contains(&self, path: &Path) -> bool {
        self.0.contains(path)
    }

    /// Whether the path or a prefix of it is in the set.
    ///
    /// [Example](PathSet)
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

    /// The paths in the set that start with `prefix`, in order, `prefix` itself included.
    ///
    /// [Example](PathSet)
    pub fn below<'a>(&'a self, prefix: &'a Path) -> impl Iterator<Item = &'a Path> {
        self.0.range(prefix..).take_while(move |path| path.starts_with(prefix))
    }

    /// The paths in order.
    ///
    /// [Example](PathSet)
    pub fn iter(&self) -> btree_set::Iter<'_, Path> {
        self.0.iter()
    }

    /// The paths that are in either set.
    ///
    /// ```
    /// use plantime::{Path, PathSet};
    ///
    /// let paths = |texts: &[&str]| texts.iter().map(|text| text.parse::<Path>()).collect::<Result<PathSet, _>>();
    /// let (before, after) = (paths(&["name", "tags"])?, paths(&["size", "tags"])?);
    /// assert_eq!(before.union(&after), paths(&["name", "size", "tags"])?);
    /// assert_eq!(before.intersection(&after), paths(&["tags"])?);
    /// assert_eq!(before.difference(&after), paths(&["name"])?);
    /// assert_eq!(before.symmetric_difference(&after), paths(&["name", "size"])?);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn union(&self, other: &PathSet) -> PathSet {
        self.0.union(&other.0).cloned().collect()
    }

    /// The paths that are in both sets.
    ///
    /// [Example](PathSet::union)
    #[must_use]
    pub fn intersection(&self, other: &PathSet) -> PathSet {
        self.0.intersection(&other.0).cloned().collect()
    }

    /// The paths of this set that are not in the other.
    ///
    /// [Example](PathSet::union)
    #[must_use]
    pub fn difference(&self, other: &PathSet) -> PathSet {
        self.0.difference(&other.0).cloned().collect()
    }

    /// The paths that are in exactly one of the two sets.
    ///
    /// [Example](PathSet::union)
    #[must_use]
    pub fn symmetric_difference(&self, other: &PathSet) -> PathSet {
        self.0.symmetric_difference(&other.0).cloned().collect()
    }
}

impl FromIterator<Path> for PathSet {
    fn from_iter<I: IntoIterator<Item = Path>>(paths: I) -> PathSet {
        // Inserts one by one: collecting would sort, which may panic on capsules in keys whose order is inconsistent
        // (L6).
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
