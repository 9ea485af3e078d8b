//! Finding marks at any depth of a value, and changing them in place.

use crate::mark::{GatheredMarks, Mark, Marks};
use crate::path::Path;

use super::Value;

/// What to do with a mark; returned by the function given to [`Value::wrangle_marks`].
///
/// | change | the mark | added |
/// |---|---|---|
/// | `Keep` | is kept | |
/// | `Drop` | is removed | |
/// | `Replace(other)` | is removed | `other` on the same part of the value |
/// | `Add(other)` | is kept | `other` on the same part of the value |
/// | `Raise` | is kept | the mark at the top of the whole value |
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MarkChange {
    /// Keeps the mark.
    Keep,
    /// Removes the mark.
    Drop,
    /// Replaces the mark by another one.
    Replace(Mark),
    /// Keeps the mark and adds another one.
    Add(Mark),
    /// Keeps the mark and adds it to the top of the whole value.
    Raise,
}

impl Value {
    /// Whether the value or anything inside it carries this mark, note included.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let value = Value::list([Value::from("a").mark(Mark::SENSITIVE)])?;
    /// assert!(value.has_mark_deep(&Mark::SENSITIVE) && !value.is_marked());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn has_mark_deep(&self, mark: &Mark) -> bool {
        let mut found = false;
        self.walk(|_, part| {
            found |= part.marks().contains(mark);
            !found && part.contains_marks()
        });
        found
    }

    /// Whether both values carry the same marks at their top. Marks inside them do not matter.
    ///
    /// [Example](Value::with_same_marks)
    pub fn has_same_marks(&self, other: &Value) -> bool {
        self.marks() == other.marks()
    }

    /// The value with the marks at the top of other values added to its own.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let password = Value::from("hunter2").mark(Mark::SENSITIVE);
    /// assert!(Value::from(7).with_same_marks([&password]).has_same_marks(&password));
    /// ```
    #[must_use]
    pub fn with_same_marks<'a>(self, others: impl IntoIterator<Item = &'a Value>) -> Value {
        let mut marks = GatheredMarks::default();
        others.into_iter().for_each(|other| marks.add(other.marks()));
        self.with_marks(&marks.into_marks())
    }

    /// The value with each mark in it, at any depth, kept, removed or changed as `change` says. `change` is called
    /// once for each mark on each part of the value, parents first, in the order of [`walk`](Value::walk).
    ///
    /// A subtree in which nothing changes is shared, not copied.
    ///
    /// ```
    /// use plantime::{Mark, MarkChange, Value};
    ///
    /// let old = Mark::new("old");
    /// let value = Value::object([
    ///     ("a", Value::from(1).mark(old.clone())),
    ///     ("b", Value::from(2).mark(Mark::SENSITIVE)),
    /// ])?;
    /// let value = value.wrangle_marks(|path, mark| match mark {
    ///     mark if *mark == old => MarkChange::Drop,
    ///     _ if path.to_string() == "b" => MarkChange::Raise,
    ///     _ => MarkChange::Keep,
    /// });
    /// assert!(!value.has_mark_deep(&old));
    /// assert!(value.marks().contains(&Mark::SENSITIVE));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn wrangle_marks(&self, mut change: impl FnMut(&Path, &Mark) -> MarkChange) -> Value {
        let mut raised = GatheredMarks::default();
        wrangle_at(self, &mut change, &mut raised, &mut Path::new()).with_marks(&raised.into_marks())
    }
}

/// The function given to [`Value::wrangle_marks`]: chooses what to do with a mark at a path.
type Change<'f> = &'f mut dyn FnMut(&Path, &Mark) -> MarkChange;

/// Changes the marks of a value at `path` and of everything inside it, and collects the raised marks.
fn wrangle_at(value: &Value, change: Change<'_>, raised: &mut GatheredMarks, path: &mut Path) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    let marks = changed_marks(value.marks(), change, raised, path);
    let bare = value.clone().unmark().0;
    let mut same = marks == *value.marks();
    if !bare.contains_marks() {
        return if same { value.clone() } else { bare.with_marks(&marks) };
    }
    let rebuilt = bare.rebuilt(&mut |step, child| {
        if !child.contains_marks() {
            return child.clone();
        }
        path.push(step);
        let new = wrangle_at(child, change, raised, path);
        path.pop();
        same &= new.is_same(child);
        new
    });
    if same { value.clone() } else { rebuilt.with_marks(&marks) }
}

/// The marks of one part of a value after the change. Not inlined, so that the recursive caller has a small stack
/// frame.
#[inline(never)]
fn changed_marks(marks: &Marks, change: Change<'_>, raised: &mut GatheredMarks, path: &Path) -> Marks {
    let mut new = Vec::with_capacity(marks.len());
    for mark in marks {
        let answer = change(path, mark);
        if !matches!(answer, MarkChange::Drop | MarkChange::Replace(_)) {
            new.push(mark.clone());
        }
        match answer {
            MarkChange::Keep | MarkChange::Drop => {}
            MarkChange::Replace(other) | MarkChange::Add(other) => new.push(other),
            MarkChange::Raise => raised.insert(mark),
        }
    }
    new.into_iter().collect()
}
