//! Questions about marks at any depth, and changing them where they are.

use crate::mark::{GatheredMarks, Mark, Marks};
use crate::path::Path;

use super::Value;

/// What becomes of a mark; the answer of the function given to [`Value::wrangle_marks`].
///
/// | answer | the mark at its place | beside it |
/// |---|---|---|
/// | `Keep` | stays | |
/// | `Drop` | goes | |
/// | `Replace(other)` | goes | `other` at the same place |
/// | `Add(other)` | stays | `other` at the same place |
/// | `Raise` | stays | the mark at the top of the whole value |
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MarkChange {
    /// The mark stays.
    Keep,
    /// The mark goes.
    Drop,
    /// Another mark stands in its place.
    Replace(Mark),
    /// Another mark stands beside it.
    Add(Mark),
    /// The mark stays, and the whole value carries it as well.
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

    /// Whether both carry the same marks at their top. What is inside does not matter.
    pub fn has_same_marks(&self, other: &Value) -> bool {
        self.marks() == other.marks()
    }

    /// The value with the marks at the top of the others as well.
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

    /// The value with each mark in it, at any depth, kept, dropped or changed as `change` says: asked once for
    /// each mark at each place, the outermost first, in the order of [`walk`](Value::walk).
    ///
    /// A subtree in which nothing changes is the same one, not a copy.
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
        wrangle(self, &mut change, &mut raised, &mut Path::new()).with_marks(&raised.into_marks())
    }
}

type Change<'f> = &'f mut dyn FnMut(&Path, &Mark) -> MarkChange;

fn wrangle(value: &Value, change: Change<'_>, raised: &mut GatheredMarks, path: &mut Path) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    let marks = changed(value.marks(), change, raised, path);
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
        let new = wrangle(child, change, raised, path);
        path.pop();
        same &= new.is_same(child);
        new
    });
    if same { value.clone() } else { rebuilt.with_marks(&marks) }
}

#[inline(never)]
fn changed(marks: &Marks, change: Change<'_>, raised: &mut GatheredMarks, path: &Path) -> Marks {
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
