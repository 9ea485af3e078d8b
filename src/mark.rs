//! Marks: what travels with a value without being part of it (sensitive, ephemeral, deprecated, your own).

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::text::Text;

/// A note that travels with a value through every operation.
///
/// A mark is a name, with an optional text note. Marks are ordered by name, then note, and two marks are the
/// same when both agree. They never change an answer; they say who may see it.
///
/// ```
/// use plantime::{Mark, Value};
///
/// let password = Value::from("hunter2").mark(Mark::SENSITIVE);
/// assert!(password.marks().contains(&Mark::SENSITIVE));
/// assert_eq!(password.to_string(), "(sensitive value)");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    name: Name,
    note: Option<Arc<Text>>,
}

#[derive(Clone)]
enum Name {
    Fixed(&'static str),
    Own(Arc<Text>),
}

impl Name {
    fn as_str(&self) -> &str {
        match self {
            Name::Fixed(name) => name,
            Name::Own(name) => name.as_str(),
        }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for Name {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Mark {
    /// The value must not be shown (Terraform's *sensitive*).
    pub const SENSITIVE: Mark = Mark { name: Name::Fixed("sensitive"), note: None };
    /// The value must not be stored in a plan or state (Terraform's *ephemeral*).
    pub const EPHEMERAL: Mark = Mark { name: Name::Fixed("ephemeral"), note: None };
    /// The value comes from something deprecated; the note says what.
    pub const DEPRECATED: Mark = Mark { name: Name::Fixed("deprecated"), note: None };

    /// A mark of your own.
    pub fn new(name: &str) -> Mark {
        Mark { name: Name::Own(Arc::new(Text::from(name))), note: None }
    }

    /// The same mark with a note.
    pub fn with_note(mut self, note: &str) -> Mark {
        self.note = Some(Arc::new(Text::from(note)));
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The note, if there is one.
    pub fn note(&self) -> Option<&str> {
        self.note.as_ref().map(|note| note.as_str())
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.note {
            None => f.write_str(self.name()),
            Some(note) => write!(f, "{} ({})", self.name(), note.as_str()),
        }
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An ordered set of marks.
///
/// ```
/// use plantime::{Mark, Marks};
///
/// let marks: Marks = [Mark::new("b"), Mark::new("a"), Mark::new("b")].into_iter().collect();
/// assert_eq!(marks.iter().map(|mark| mark.name()).collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(SmallVec<[Mark; 1]>);

/// The empty set, for borrowing.
pub(crate) static NO_MARKS: Marks = Marks(SmallVec::new_const());

impl Marks {
    /// No marks.
    pub fn new() -> Marks {
        Marks::default()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether this mark, note included, is among them.
    pub fn contains(&self, mark: &Mark) -> bool {
        self.0.binary_search(mark).is_ok()
    }

    /// Whether a mark of this name is among them, whatever its note.
    pub fn has_name(&self, name: &str) -> bool {
        self.0.iter().any(|mark| mark.name() == name)
    }

    /// In order.
    pub fn iter(&self) -> std::slice::Iter<'_, Mark> {
        self.0.iter()
    }

    /// Adds a mark.
    pub fn insert(&mut self, mark: Mark) {
        if let Err(place) = self.0.binary_search(&mark) {
            self.0.insert(place, mark);
        }
    }

    /// Adds all of `other`.
    pub fn extend_from(&mut self, other: &Marks) {
        if self.is_empty() {
            self.clone_from(other);
        } else if !self.contains_all(other) {
            self.0.extend(other.iter().cloned());
            // Stable: it finds the two runs that are in order and merges them.
            self.0.sort();
            self.0.dedup();
        }
    }

    /// Whether all marks of `other` are among them.
    pub(crate) fn contains_all(&self, other: &Marks) -> bool {
        other.iter().all(|mark| self.contains(mark))
    }

    /// The marks of both.
    #[must_use]
    pub fn union(&self, other: &Marks) -> Marks {
        let mut marks = self.clone();
        marks.extend_from(other);
        marks
    }
}

impl From<Mark> for Marks {
    fn from(mark: Mark) -> Marks {
        Marks(SmallVec::from_elem(mark, 1))
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Marks {
        let mut marks: SmallVec<[Mark; 1]> = marks.into_iter().collect();
        marks.sort_unstable();
        marks.dedup();
        Marks(marks)
    }
}

/// Marks that are being gathered from any number of places.
///
/// They are put in order whenever their number has doubled: adding them to [`Marks`] one by one would move all that
/// are there for each new one.
#[derive(Default)]
pub(crate) struct GatheredMarks {
    ordered: Marks,
    /// Not among the ordered ones.
    more: Vec<Mark>,
}

impl GatheredMarks {
    pub(crate) fn add(&mut self, marks: &Marks) {
        marks.iter().for_each(|mark| self.insert(mark));
    }

    pub(crate) fn insert(&mut self, mark: &Mark) {
        if self.ordered.contains(mark) {
            return;
        }
        self.more.push(mark.clone());
        if self.more.len() > self.ordered.len() {
            self.put_in_order();
        }
    }

    fn put_in_order(&mut self) {
        let all = std::mem::take(&mut self.ordered).0.into_iter().chain(self.more.drain(..));
        self.ordered = all.collect();
    }

    pub(crate) fn into_marks(mut self) -> Marks {
        if !self.more.is_empty() {
            self.put_in_order();
        }
        self.ordered
    }
}

impl<'a> IntoIterator for &'a Marks {
    type Item = &'a Mark;
    type IntoIter = std::slice::Iter<'a, Mark>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
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
