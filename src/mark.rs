//! Marks: labels that operations carry from operands to results (sensitive, ephemeral, deprecated, or your own).

use std::fmt;
use std::sync::Arc;

use crate::text::Text;

mod gathered;
mod set;
mod tree;

pub(crate) use gathered::GatheredMarks;
pub(crate) use set::NO_MARKS;
pub use set::{Marks, MarksIter};

/// A label on a value that every operation carries from its operands to its result.
///
/// A mark is a name with an optional note. Two marks are equal if name and note are; the order is by name, then note.
/// Marks never change the result of an operation; they say who may see it.
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

/// The name of a mark: static for the predefined marks, shared for others. Both kinds compare by the string.
#[derive(Clone)]
enum Name {
    Fixed(&'static str),
    Own(Arc<Text>),
}

impl Name {
    /// The name as a string.
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

/// The note of a mark on an answer that only depends on whether something marked succeeds: `can(tonumber(secret))`.
pub const NOTE_OF_SUCCESS: &str = "whether it succeeds";

impl Mark {
    /// The value must not be shown (Terraform's *sensitive*).
    pub const SENSITIVE: Mark = Mark { name: Name::Fixed("sensitive"), note: None };
    /// The value must not be stored in a plan or state (Terraform's *ephemeral*).
    pub const EPHEMERAL: Mark = Mark { name: Name::Fixed("ephemeral"), note: None };
    /// The value comes from something deprecated; the note says what.
    pub const DEPRECATED: Mark = Mark { name: Name::Fixed("deprecated"), note: None };

    /// A mark of your own with this name.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let cost = Mark::new("cost").with_note("estimated from the list price");
    /// assert_eq!((cost.name(), cost.note()), ("cost", Some("estimated from the list price")));
    /// let price = Value::from(3).mark(cost.clone());
    /// assert!(price.add(&Value::from(4))?.marks().contains(&cost));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new(name: &str) -> Mark {
        Mark { name: Name::Own(Arc::new(Text::from(name))), note: None }
    }

    /// The same mark with a note.
    ///
    /// [Example](Mark::new)
    pub fn with_note(mut self, note: &str) -> Mark {
        self.note = Some(Arc::new(Text::from(note)));
        self
    }

    /// The name of the mark, such as `sensitive`.
    ///
    /// [Example](Mark::new)
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The note, if there is one.
    ///
    /// [Example](Mark::new)
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
