//! Sets of marks.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::Mark;
use super::tree::{self, Node, Tree};

/// The maximum number of marks that are stored in a sorted vector; more are stored in a tree.
const MAX_VECTOR: usize = 16;

/// An ordered set of marks.
///
/// A small set is a vector. A large set is a tree that shares nodes with the sets it was built from, so that adding
/// marks one by one does not copy all of them each time.
///
/// ```
/// use plantime::{Mark, Marks};
///
/// let marks: Marks = [Mark::new("b"), Mark::new("a"), Mark::new("b")].into_iter().collect();
/// assert_eq!(marks.iter().map(|mark| mark.name()).collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Clone)]
pub struct Marks(MarksRepr);

/// How a set is stored: as a sorted vector, or as a tree if it has more than [`MAX_VECTOR`] marks. It never shrinks:
/// marks are never removed.
#[derive(Clone)]
enum MarksRepr {
    Vector(SmallVec<[Mark; 1]>),
    Tree(Tree),
}

/// The empty set as a static, for functions that return a reference.
pub(crate) static NO_MARKS: Marks = Marks(MarksRepr::Vector(SmallVec::new_const()));

impl Marks {
    /// A set without marks.
    ///
    /// [Example](Marks::insert)
    pub fn new() -> Marks {
        Marks(MarksRepr::Vector(SmallVec::new()))
    }

    /// Whether the set has no marks.
    ///
    /// [Example](Marks)
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of marks.
    ///
    /// [Example](Marks)
    pub fn len(&self) -> usize {
        match &self.0 {
            MarksRepr::Vector(marks) => marks.len(),
            MarksRepr::Tree(tree) => tree::len(tree),
        }
    }

    /// Whether the set contains this mark with this note.
    ///
    /// [Example](Marks::has_name)
    pub fn contains(&self, mark: &Mark) -> bool {
        match &self.0 {
            MarksRepr::Vector(marks) => marks.binary_search(mark).is_ok(),
            MarksRepr::Tree(tree) => tree::contains(tree, mark),
        }
    }

    /// Whether the set contains a mark with this name, whatever its note.
    ///
    /// ```
    /// use plantime::{Mark, Marks};
    ///
    /// let marks = Marks::from(Mark::new("deprecated").with_note("use `size`"));
    /// assert!(marks.has_name("deprecated"));
    /// // The note is a part of the mark.
    /// assert!(!marks.contains(&Mark::new("deprecated")));
    /// ```
    pub fn has_name(&self, name: &str) -> bool {
        self.iter().any(|mark| mark.name() == name)
    }

    /// Iterates over the marks in their order.
    ///
    /// [Example](Marks::insert)
    pub fn iter(&self) -> MarksIter<'_> {
        MarksIter(match &self.0 {
            MarksRepr::Vector(marks) => MarksIterRepr::Vector(marks.iter()),
            MarksRepr::Tree(tree) => {
                let mut rest = TreePosition { nodes: SmallVec::new(), left: tree::len(tree) };
                rest.descend(tree);
                MarksIterRepr::Tree(rest)
            }
        })
    }

    /// Adds a mark; does nothing if the set contains it.
    ///
    /// ```
    /// use plantime::{Mark, Marks};
    ///
    /// let mut marks = Marks::new();
    /// marks.insert(Mark::SENSITIVE);
    /// marks.extend_from(&Marks::from(Mark::new("cost")));
    /// assert_eq!(marks.iter().map(Mark::name).collect::<Vec<_>>(), ["cost", "sensitive"]);
    /// assert_eq!(marks.union(&Marks::from(Mark::SENSITIVE)), marks);
    /// ```
    pub fn insert(&mut self, mark: Mark) {
        match &mut self.0 {
            MarksRepr::Vector(marks) if marks.len() < MAX_VECTOR => {
                if let Err(place) = marks.binary_search(&mark) {
                    marks.insert(place, mark);
                }
            }
            _ => self.extend_from(&Marks::from(mark)),
        }
    }

    /// Adds all marks of `other`.
    ///
    /// [Example](Marks::insert)
    pub fn extend_from(&mut self, other: &Marks) {
        match (&mut self.0, &other.0) {
            (MarksRepr::Vector(marks), _) if marks.is_empty() => self.clone_from(other),
            (MarksRepr::Vector(marks), MarksRepr::Vector(more)) => {
                for mark in more {
                    if let Err(place) = marks.binary_search(mark) {
                        marks.insert(place, mark.clone());
                    }
                }
                if marks.len() > MAX_VECTOR {
                    self.0 = MarksRepr::Tree(tree::from_ordered(marks));
                }
            }
            (MarksRepr::Vector(few), MarksRepr::Tree(many)) => {
                self.0 = MarksRepr::Tree(tree::union(many, &tree::from_ordered(few)));
            }
            (MarksRepr::Tree(many), MarksRepr::Vector(few)) => {
                *many = tree::union(many, &tree::from_ordered(few));
            }
            (MarksRepr::Tree(many), MarksRepr::Tree(more)) => *many = tree::union(many, more),
        }
    }

    /// Whether the set contains all marks of `other`.
    pub(crate) fn contains_all(&self, other: &Marks) -> bool {
        if let (MarksRepr::Tree(own), MarksRepr::Tree(other)) = (&self.0, &other.0)
            && tree::is_same(own, other)
        {
            return true;
        }
        other.len() <= self.len() && other.iter().all(|mark| self.contains(mark))
    }

    /// The marks of both sets.
    ///
    /// [Example](Marks::insert)
    #[must_use]
    pub fn union(&self, other: &Marks) -> Marks {
        let mut marks = self.clone();
        marks.extend_from(other);
        marks
    }

    /// Whether the set is stored as a tree, so that adding marks shares nodes instead of copying.
    pub(super) fn is_tree(&self) -> bool {
        matches!(self.0, MarksRepr::Tree(_))
    }
}

impl Default for Marks {
    fn default() -> Marks {
        Marks::new()
    }
}

impl From<Mark> for Marks {
    fn from(mark: Mark) -> Marks {
        Marks(MarksRepr::Vector(SmallVec::from_elem(mark, 1)))
    }
}

impl Extend<Mark> for Marks {
    fn extend<I: IntoIterator<Item = Mark>>(&mut self, marks: I) {
        self.extend_from(&marks.into_iter().collect());
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Marks {
        let mut marks: SmallVec<[Mark; 1]> = marks.into_iter().collect();
        marks.sort_unstable();
        marks.dedup();
        Marks(if marks.len() > MAX_VECTOR {
            MarksRepr::Tree(tree::from_ordered(&marks))
        } else {
            MarksRepr::Vector(marks)
        })
    }
}

impl PartialEq for Marks {
    fn eq(&self, other: &Marks) -> bool {
        match (&self.0, &other.0) {
            (MarksRepr::Vector(own), MarksRepr::Vector(other)) => own == other,
            (MarksRepr::Tree(own), MarksRepr::Tree(others)) => {
                tree::is_same(own, others) || self.len() == other.len() && self.iter().eq(other)
            }
            _ => false,
        }
    }
}

impl Eq for Marks {}

impl PartialOrd for Marks {
    fn partial_cmp(&self, other: &Marks) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Marks {
    fn cmp(&self, other: &Marks) -> Ordering {
        self.iter().cmp(other)
    }
}

impl Hash for Marks {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|mark| mark.hash(state));
    }
}

impl<'a> IntoIterator for &'a Marks {
    type Item = &'a Mark;
    type IntoIter = MarksIter<'a>;

    fn into_iter(self) -> MarksIter<'a> {
        self.iter()
    }
}

/// An iterator over marks in order; returned by [`Marks::iter`].
#[derive(Clone)]
pub struct MarksIter<'a>(MarksIterRepr<'a>);

/// Iterates over a set of marks, stored either way.
#[derive(Clone)]
enum MarksIterRepr<'a> {
    Vector(std::slice::Iter<'a, Mark>),
    Tree(TreePosition<'a>),
}

/// A position in a tree of marks: the nodes of which the mark and the `after` side are still to be visited, the next
/// one last, and the number of marks left.
#[derive(Clone)]
struct TreePosition<'a> {
    nodes: SmallVec<[&'a Node; 16]>,
    left: usize,
}

impl<'a> TreePosition<'a> {
    /// Pushes the nodes from the root of `tree` down to its first mark, which becomes the next one.
    fn descend(&mut self, mut tree: &'a Tree) {
        while let Some(node) = tree {
            self.nodes.push(node);
            tree = &node.before;
        }
    }
}

impl<'a> Iterator for MarksIter<'a> {
    type Item = &'a Mark;

    fn next(&mut self) -> Option<&'a Mark> {
        match &mut self.0 {
            MarksIterRepr::Vector(marks) => marks.next(),
            MarksIterRepr::Tree(path) => {
                let node = path.nodes.pop()?;
                path.descend(&node.after);
                path.left = path.left.saturating_sub(1);
                Some(&node.mark)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            MarksIterRepr::Vector(marks) => marks.len(),
            MarksIterRepr::Tree(path) => path.left,
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for MarksIter<'_> {}

impl std::iter::FusedIterator for MarksIter<'_> {}

impl fmt::Debug for MarksIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mark) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            fmt::Display::fmt(mark, f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        fmt::Display::fmt(self, f)?;
        f.write_str("}")
    }
}
