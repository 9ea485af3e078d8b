//! Paths: the steps from a value to a part of it.

use std::fmt;
use std::str::FromStr;

use smallvec::SmallVec;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::text::{Quoted, Text, write_word};
use crate::value::{Value, View};

mod error;
pub(crate) mod parse;
mod set;

pub use set::PathSet;

/// One step of a [`Path`].
///
/// ```
/// use plantime::{Path, Step, Value};
///
/// let path: Path = "ingress[0]".parse()?;
/// let [Step::Attr(name), Step::Index(key)] = path.steps() else { unreachable!() };
/// assert_eq!((name.as_str(), key), ("ingress", &Value::from(0)));
/// assert_eq!(path, Path::from_iter([Step::attr("ingress"), Step::index(0)]));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// To an attribute of an object.
    Attr(AttrName),
    /// To an element of a list or tuple (the key is a whole number), of a map (a string) or to a member of a set (the
    /// member itself). In a path through types an unknown key means *any element*.
    Index(Value),
}

/// The name of an attribute, in normalization form C.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttrName(Text);

impl AttrName {
    /// The name as a string slice.
    ///
    /// [Example](Step)
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Debug for AttrName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Step {
    /// A step to the attribute with this name, which is shared, not copied.
    #[inline]
    pub(crate) fn named(name: &Text) -> Step {
        Step::Attr(AttrName(name.clone()))
    }

    /// A step to the element of a map with this key, which is shared, not copied.
    #[inline]
    pub(crate) fn key(key: &Text) -> Step {
        Step::Index(Value::from(key.clone()))
    }

    /// A step to the attribute with this name.
    ///
    /// [Example](Step)
    pub fn attr(name: &str) -> Step {
        Step::Attr(AttrName(Text::from(name)))
    }

    /// A step to the element of a list or tuple at this index.
    #[inline]
    pub(crate) fn at_index(place: usize) -> Step {
        Step::Index(Value::from(Number::from(place)))
    }

    /// A step to the element with this key or index, or to this member of a set.
    ///
    /// [Example](Step)
    pub fn index(key: impl Into<Value>) -> Step {
        Step::Index(key.into())
    }

    /// The name of the attribute, or the key if it is a string; `None` for other keys.
    ///
    /// ```
    /// use plantime::Step;
    ///
    /// assert_eq!(Step::attr("tags").name(), Some("tags"));
    /// assert_eq!(Step::index("Name").name(), Some("Name"));
    /// assert_eq!(Step::index(0).name(), None);
    /// ```
    pub fn name(&self) -> Option<&str> {
        match self {
            Step::Attr(name) => Some(name.as_str()),
            Step::Index(key) => key.as_str().ok(),
        }
    }

    /// The key as a position in a list or tuple, from 0; `None` for attributes and other keys.
    ///
    /// ```
    /// use plantime::Step;
    ///
    /// assert_eq!(Step::index(2).position(), Some(2));
    /// assert_eq!(Step::index("2").position(), None);
    /// ```
    pub fn position(&self) -> Option<usize> {
        match self {
            Step::Index(key) => usize::try_from(key.as_number().ok()?.to_u64()?).ok(),
            Step::Attr(_) => None,
        }
    }
}

/// The steps from a value to a part of it: attribute names and element keys.
///
/// | text | steps |
/// |---|---|
/// | `tags["Name"]` | attribute `tags`, key `"Name"` |
/// | `ingress[0].cidr_blocks[1]` | attribute, index 0, attribute, index 1 |
/// | `[*]` | any element: an unknown key, as in the paths of type errors |
///
/// ```
/// use plantime::Path;
///
/// let path: Path = r#"ingress[0].tags["Name"]"#.parse()?;
/// assert_eq!(path, Path::new().attr("ingress").index(0).attr("tags").index("Name"));
/// assert_eq!(path.to_string(), r#"ingress[0].tags["Name"]"#);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(SmallVec<[Step; 1]>);

impl Path {
    /// The path without steps: it leads to the value itself.
    ///
    /// ```
    /// use plantime::{Path, value};
    ///
    /// let server = value!({ "tags": { "Name": "web" } })?;
    /// assert_eq!(server.get(&Path::new())?, server);
    /// assert_eq!(server.get(&Path::new().attr("tags").attr("Name"))?, "web".into());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new() -> Path {
        Path::default()
    }

    /// The path extended by a step to an attribute.
    ///
    /// [Example](Path)
    #[must_use]
    pub fn attr(mut self, name: &str) -> Path {
        self.0.push(Step::attr(name));
        self
    }

    /// The path extended by a step to an element.
    ///
    /// [Example](Path)
    #[must_use]
    pub fn index(mut self, key: impl Into<Value>) -> Path {
        self.0.push(Step::index(key));
        self
    }

    /// Adds a step at the end.
    ///
    /// ```
    /// use plantime::{Path, Step};
    ///
    /// let mut path: Path = "ingress[0]".parse()?;
    /// path.push(Step::attr("port"));
    /// assert_eq!(path.to_string(), "ingress[0].port");
    /// assert_eq!(path.pop(), Some(Step::attr("port")));
    /// assert_eq!(path.len(), 2);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[inline]
    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Removes and returns the last step; `None` if the path has no steps.
    ///
    /// [Example](Path::push)
    #[inline]
    pub fn pop(&mut self) -> Option<Step> {
        self.0.pop()
    }

    /// Sets the step at index `place` to the attribute `name`. `place` is the index of the last step or the one after
    /// it. Overwriting the last step is faster than popping it and pushing another one for each child.
    pub(crate) fn set_attr(&mut self, place: usize, name: &Text) {
        match self.0.get_mut(place) {
            Some(last) => *last = Step::named(name),
            None => self.0.push(Step::named(name)),
        }
    }

    /// Sets the step at index `place`, as [`set_attr`](Path::set_attr) does, to the element of a map with this key.
    pub(crate) fn set_key(&mut self, place: usize, key: &Text) {
        match self.0.get_mut(place) {
            Some(last) => *last = Step::key(key),
            None => self.0.push(Step::key(key)),
        }
    }

    /// Sets the step at index `place`, as [`set_attr`](Path::set_attr) does, to the element at `index`.
    pub(crate) fn set_index(&mut self, place: usize, index: usize) {
        match self.0.get_mut(place) {
            Some(last) => *last = Step::at_index(index),
            None => self.0.push(Step::at_index(index)),
        }
    }

    /// Sets the step at index `place`, as [`set_attr`](Path::set_attr) does, to this member of a set.
    pub(crate) fn set_member(&mut self, place: usize, member: &Value) {
        match self.0.get_mut(place) {
            Some(last) => *last = Step::Index(member.clone()),
            None => self.0.push(Step::Index(member.clone())),
        }
    }

    /// Keeps only the first `length` steps.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// The path with `step` before its first step.
    ///
    /// ```
    /// use plantime::{Path, Step};
    ///
    /// let port: Path = "port".parse()?;
    /// assert_eq!(port.under(Step::index(0)).under(Step::attr("ingress")).to_string(), "ingress[0].port");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn under(mut self, step: Step) -> Path {
        self.0.insert(0, step);
        self
    }

    /// The path extended by the steps of `rest`.
    ///
    /// ```
    /// use plantime::Path;
    ///
    /// let ingress: Path = "ingress[0]".parse()?;
    /// let port = ingress.clone().join(&"ports.to".parse()?);
    /// assert_eq!(port.to_string(), "ingress[0].ports.to");
    /// assert!(port.starts_with(&ingress) && !ingress.starts_with(&port));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn join(mut self, rest: &Path) -> Path {
        self.0.extend(rest.0.iter().cloned());
        self
    }

    /// A name followed by the path, as references are written.
    ///
    /// ```
    /// use plantime::Path;
    ///
    /// assert_eq!(Path::new().attr("tags").index("a").after_name("aws_vpc.main"), r#"aws_vpc.main.tags["a"]"#);
    /// assert_eq!(Path::new().index(0).after_name("aws_vpc.main"), "aws_vpc.main[0]");
    /// ```
    pub fn after_name(&self, name: &str) -> String {
        match self.steps().first() {
            None => name.to_owned(),
            Some(Step::Index(_)) => format!("{name}{self}"),
            Some(Step::Attr(_)) => format!("{name}.{self}"),
        }
    }

    /// The steps in order, outermost first.
    ///
    /// [Example](Step)
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The number of steps.
    ///
    /// [Example](Path::push)
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the path has no steps: it leads to the value itself.
    ///
    /// [Example](Path::push)
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this path starts with all steps of `prefix`.
    ///
    /// [Example](Path::join)
    pub fn starts_with(&self, prefix: &Path) -> bool {
        self.0.starts_with(&prefix.0)
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Path {
        Path(steps.into_iter().collect())
    }
}

impl Extend<Step> for Path {
    fn extend<I: IntoIterator<Item = Step>>(&mut self, steps: I) {
        self.0.extend(steps);
    }
}

impl<'p> IntoIterator for &'p Path {
    type Item = &'p Step;
    type IntoIter = std::slice::Iter<'p, Step>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl From<&[Step]> for Path {
    fn from(steps: &[Step]) -> Path {
        Path(steps.iter().cloned().collect())
    }
}

impl FromStr for Path {
    type Err = Error;

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// When the text is no path, or has more than [`limits::DEPTH`] steps.
    fn from_str(text: &str) -> Result<Path> {
        let path = parse::path(text)?;
        if path.len() > limits::DEPTH {
            return Err(Error::new(Kind::Limit, format!("a path has at most {} steps", limits::DEPTH)));
        }
        Ok(path)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Attr(name) => {
                    f.write_str(if i > 0 { "." } else { "" })?;
                    write_word(f, name.as_str())?;
                }
                Step::Index(key) if !key.is_known() && !key.is_marked() => f.write_str("[*]")?,
                Step::Index(key) => match key.view() {
                    // Not by the `Display` of a value, which doubles characters that would start a template.
                    View::String(key) => write!(f, "[{}]", Quoted(key))?,
                    _ => write!(f, "[{key}]")?,
                },
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Attr(name) => write!(f, ".{}", name.as_str()),
            Step::Index(key) => write!(f, "[{key:?}]"),
        }
    }
}

#[cfg(test)]
mod tests;
