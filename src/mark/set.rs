//! Sets of marks.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::Mark;
use super::tree::{self, Node, Tree};

/// Up to so many marks stand side by side.
const FEW: usize = 16;

/// An ordered set of marks.
///
/// Few marks stand side by side. Many share what they can with the sets they were made from, so that a value which
/// collects marks one by one does not pay for all of them at each step.
///
/// ```
/// use plantime::{Mark, Marks};
///
/// let marks: Marks = [Mark::new("b"), Mark::new("a"), Mark::new("b")].into_iter().collect();
/// assert_eq!(marks.iter().map(|mark| mark.name()).collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Clone)]
pub struct Marks(Form);

/// More than [`FEW`] are always a tree, and never fewer: marks are never taken out.
#[derive(Clone)]
enum Form {
    Few(SmallVec<[Mark; 1]>),
    Many(Tree),
}

/// The empty set, for borrowing.
pub(crate) static NO_MARKS: Marks = Marks(Form::Few(SmallVec::new_const()));

impl Marks {
    /// A set without marks.
    pub fn new() -> Marks {
        Marks(Form::Few(SmallVec::new()))
    }

    /// Whether the set has no marks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Few(marks) => marks.len(),
            Form::Many(tree) => tree::len(tree),
        }
    }

    /// Whether this mark, note included, is among them.
    pub fn contains(&self, mark: &Mark) -> bool {
        match &self.0 {
            Form::Few(marks) => marks.binary_search(mark).is_ok(),
            Form::Many(tree) => tree::contains(tree, mark),
        }
    }

    /// Whether a mark of this name is among them, whatever its note.
    pub fn has_name(&self, name: &str) -> bool {
        self.iter().any(|mark| mark.name() == name)
    }

    /// Iterates over the marks in their order.
    pub fn iter(&self) -> MarksIter<'_> {
        MarksIter(match &self.0 {
            Form::Few(marks) => Rest::Few(marks.iter()),
            Form::Many(tree) => {
                let mut rest = Path { nodes: SmallVec::new(), left: tree::len(tree) };
                rest.descend(tree);
                Rest::Many(rest)
            }
        })
    }

    /// Adds a mark, unless it is there already.
    pub fn insert(&mut self, mark: Mark) {
        match &mut self.0 {
            Form::Few(marks) if marks.len() < FEW => {
                if let Err(place) = marks.binary_search(&mark) {
                    marks.insert(place, mark);
                }
            }
            _ => self.extend_from(&Marks::from(mark)),
        }
    }

    /// Adds all of `other`.
    pub fn extend_from(&mut self, other: &Marks) {
        match (&mut self.0, &other.0) {
            (Form::Few(marks), _) if marks.is_empty() => self.clone_from(other),
            (Form::Few(marks), Form::Few(more)) => {
                for mark in more {
                    if let Err(place) = marks.binary_search(mark) {
                        marks.insert(place, mark.clone());
                    }
                }
                if marks.len() > FEW {
                    self.0 = Form::Many(tree::from_ordered(marks));
                }
            }
            (Form::Few(few), Form::Many(many)) => {
                self.0 = Form::Many(tree::union(many, &tree::from_ordered(few)));
            }
            (Form::Many(many), Form::Few(few)) => {
                *many = tree::union(many, &tree::from_ordered(few));
            }
            (Form::Many(many), Form::Many(more)) => *many = tree::union(many, more),
        }
    }

    /// Whether all marks of `other` are among them.
    pub(crate) fn contains_all(&self, other: &Marks) -> bool {
        if let (Form::Many(own), Form::Many(other)) = (&self.0, &other.0)
            && tree::is_same(own, other)
        {
            return true;
        }
        other.len() <= self.len() && other.iter().all(|mark| self.contains(mark))
    }

    /// The marks of both.
    #[must_use]
    pub fn union(&self, other: &Marks) -> Marks {
        let mut marks = self.clone();
        marks.extend_from(other);
        marks
    }

    /// Whether there are so many that they are shared.
    pub(super) fn is_tree(&self) -> bool {
        matches!(self.0, Form::Many(_))
    }
}

impl Default for Marks {
    fn default() -> Marks {
        Marks::new()
    }
}

impl From<Mark> for Marks {
    fn from(mark: Mark) -> Marks {
        Marks(Form::Few(SmallVec::from_elem(mark, 1)))
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
        Marks(if marks.len() > FEW { Form::Many(tree::from_ordered(&marks)) } else { Form::Few(marks) })
    }
}

impl PartialEq for Marks {
    fn eq(&self, other: &Marks) -> bool {
        match (&self.0, &other.0) {
            (Form::Few(own), Form::Few(other)) => own == other,
            (Form::Many(own), Form::Many(others)) => {
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

/// Marks in order; what [`Marks::iter`] gives.
#[derive(Clone)]
pub struct MarksIter<'a>(Rest<'a>);

#[derive(Clone)]
enum Rest<'a> {
    Few(std::slice::Iter<'a, Mark>),
    Many(Path<'a>),
}

/// The nodes whose marks and later sides are yet to come, the next one last.
#[derive(Clone)]
struct Path<'a> {
    nodes: SmallVec<[&'a Node; 16]>,
    left: usize,
}

impl<'a> Path<'a> {
    /// Down to the first mark of the tree.
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
            Rest::Few(marks) => marks.next(),
            Rest::Many(path) => {
                let node = path.nodes.pop()?;
                path.descend(&node.after);
                path.left = path.left.saturating_sub(1);
                Some(&node.mark)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            Rest::Few(marks) => marks.len(),
            Rest::Many(path) => path.left,
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
