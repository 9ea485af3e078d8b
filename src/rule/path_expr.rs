//! Paths with wildcards: where in a value a rule applies.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::path::{Path, Step};
use crate::text::{Quoted, nfc, write_word};
use crate::types::Type;
use crate::value::Value;

mod find;
mod parse;
mod types;

pub(crate) use crate::text::nearest;
pub(super) use find::{PathEnd, path_ends, path_ends_but, path_ends_from, plain_end};
pub(super) use types::types_after;

/// One step of a [`PathExpr`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExprStep {
    /// `name`: into an attribute of an object, or the element of a map with this key.
    Attr(String),
    /// `[0]`: into an element of a list or tuple.
    Index(u64),
    /// `["key"]`: into the element of a map with this key, or an attribute of an object.
    Key(String),
    /// `[*]`: into every element of a list, tuple, map or set, or every attribute of an object.
    AnyElement,
    /// `<`: out to the value that contains this one. Only at the beginning.
    Parent,
}

/// A path with wildcards, from the value of a request to parts of it.
///
/// | text | leads to |
/// |---|---|
/// | `vpc_id` | an attribute |
/// | `ingress[*].cidr_blocks[*]` | every network of every ingress |
/// | `tags["Name"]`, `tags.Name` | the element of a key of a map |
/// | `<.engine` | the attribute `engine` of the value that contains this one |
/// | the empty text | the value itself |
///
/// A step inward followed by `<` cancels out: `a.<.b` is `b`. Names are stored in normalization form C.
///
/// ```
/// use plantime::rule::PathExpr;
/// use plantime::value;
///
/// let path: PathExpr = "ingress[*].port".parse()?;
/// let group = value!({ "ingress": [{ "port": 80 }, { "port": 443 }] })?;
/// let ports: Vec<String> = path.matches(&group)?.iter().map(|found| found.path.to_string()).collect();
/// assert_eq!(ports, ["ingress[0].port", "ingress[1].port"]);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathExpr(
    /// The steps; `None` for no steps. Shared, as a report keeps an expression for each answer.
    Option<Arc<[ExprStep]>>,
);

/// A place in a value that a path expression leads to, or where following it had to stop.
///
/// ```
/// use plantime::rule::{How, PathExpr};
/// use plantime::{Type, Value, value};
///
/// let rules: PathExpr = "ingress[*].port".parse()?;
/// let group = value!({ "ingress": [{ "port": 80 }, { "port": Value::unknown(Type::Number) }] })?;
/// let found = rules.matches(&group)?;
/// assert_eq!(found.iter().map(|one| one.path.to_string()).collect::<Vec<_>>(), ["ingress[0].port", "ingress[1].port"]);
/// assert!(found.iter().all(|one| one.how == How::Exact));
///
/// let later = value!({ "ingress": Value::unknown("list(object({port = number}))".parse()?) })?;
/// assert_eq!(rules.matches(&later)?[0].how, How::StoppedAtUnknown);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathMatch {
    /// The place that the expression leads to.
    pub path: Path,
    /// The value at the place, with the marks of all values that contain it.
    pub value: Value,
    /// How far the expression was followed.
    pub how: How,
}

/// How far a path expression could be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// To its end: the place exists.
    Exact,
    /// To a known container without an element of that key or index; the value is null.
    Missing,
    /// To a null that would contain the place.
    StoppedAtNull,
    /// To an unknown that may contain the place.
    StoppedAtUnknown,
}

impl PathExpr {
    /// The expression without steps: it leads to the value itself.
    ///
    /// [Example](PathExpr::from_steps)
    pub fn new() -> PathExpr {
        PathExpr::default()
    }

    /// An expression of these steps.
    ///
    /// ```
    /// use plantime::rule::{ExprStep, PathExpr};
    ///
    /// let ports = PathExpr::from_steps([ExprStep::Attr("ports".into()), ExprStep::AnyElement])?;
    /// assert_eq!(ports, "ports[*]".parse()?);
    /// assert!(ports.has_wildcard() && ports.steps().len() == 2);
    /// assert!(PathExpr::new().is_empty());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there are more than [`limits::DEPTH`].
    pub fn from_steps(steps: impl IntoIterator<Item = ExprStep>) -> Result<PathExpr> {
        let mut kept: Vec<ExprStep> = Vec::new();
        for step in steps {
            match step {
                ExprStep::Parent if kept.last().is_some_and(|last| *last != ExprStep::Parent) => {
                    kept.pop();
                }
                ExprStep::Attr(name) => kept.push(ExprStep::Attr(nfc(&name).into_owned())),
                ExprStep::Key(key) => kept.push(ExprStep::Key(nfc(&key).into_owned())),
                step => kept.push(step),
            }
        }
        if kept.len() > limits::DEPTH {
            return Err(Error::new(Kind::Limit, format!("a path has at most {} steps", limits::DEPTH)));
        }
        Ok(PathExpr((!kept.is_empty()).then(|| kept.into())))
    }

    /// The steps, from the outside in.
    ///
    /// [Example](PathExpr::from_steps)
    pub fn steps(&self) -> &[ExprStep] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether the expression has no steps, so that it leads to the value itself.
    ///
    /// [Example](PathExpr::from_steps)
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it may lead to several places.
    ///
    /// [Example](PathExpr::from_steps)
    pub fn has_wildcard(&self) -> bool {
        self.steps().contains(&ExprStep::AnyElement)
    }

    /// The number of `<` at the beginning: how many containing values the expression goes out to before it goes in.
    pub(super) fn parent_count(&self) -> usize {
        self.steps().iter().take_while(|step| **step == ExprStep::Parent).count()
    }

    /// The steps after the `<` at the beginning: attributes, indexes, keys and `[*]`.
    pub(super) fn inward_steps(&self) -> &[ExprStep] {
        self.steps().get(self.parent_count()..).unwrap_or_default()
    }

    /// The places in a value that the expression leads to; none where it first leads out of the value.
    ///
    /// [Example](PathMatch)
    ///
    /// # Errors
    ///
    /// When it asks for a part that the type of the value does not have, with the nearest name.
    pub fn matches(&self, value: &Value) -> Result<Vec<PathMatch>> {
        if self.parent_count() > 0 {
            return Ok(Vec::new());
        }
        let found = path_ends(self.inward_steps(), value)?;
        Ok(found
            .into_iter()
            .map(|found| PathMatch { path: found.path, value: found.value, how: found.how })
            .collect())
    }

    /// The types of the parts that the expression leads to in values of a type, each once. A part of undecided type
    /// has the type dynamic.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::PathExpr;
    ///
    /// let ports: PathExpr = "ingress[*].port".parse()?;
    /// let group: Type = "object({ingress = list(object({port = number}))})".parse()?;
    /// assert_eq!(ports.types(&group)?, [Type::Number]);
    /// assert!(ports.types(&"object({ingres = string})".parse()?).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When values of the type have no such part.
    pub fn types(&self, ty: &Type) -> Result<Vec<Type>> {
        if self.parent_count() > 0 {
            return Ok(vec![Type::Dynamic]);
        }
        types::end_types(self.inward_steps(), ty)
    }

    /// Checks that values of a type have the part that the expression leads to.
    ///
    /// # Errors
    ///
    /// When they do not, with the path up to the missing part and the nearest name.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::PathExpr;
    ///
    /// let path: PathExpr = "vpc_ip".parse()?;
    /// let subnet: Type = "object({vpc_id = string})".parse()?;
    /// let error = path.check_type(&subnet).unwrap_err();
    /// assert_eq!(error.to_string(), r#"there is no attribute "vpc_ip"; did you mean "vpc_id"?"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn check_type(&self, ty: &Type) -> Result<()> {
        self.types(ty).map(drop)
    }

    /// The expression steps that lead to exactly the place of a path. `None` where a step cannot be written: to a
    /// member of a set, or by a key that is marked or unknown.
    #[doc(hidden)]
    pub fn exact_steps(path: &Path) -> Option<Vec<ExprStep>> {
        path.steps().iter().map(exact_step).collect()
    }
}

/// The expression step for one step of a path; `None` for a set member, and for a key that is marked or unknown.
pub(super) fn exact_step(step: &Step) -> Option<ExprStep> {
    match step {
        Step::Attr(name) => Some(ExprStep::Attr(name.as_str().to_owned())),
        Step::Index(key) => match (key.as_str(), key.as_number()) {
            (Ok(key), _) => Some(ExprStep::Key(key.to_owned())),
            (_, Ok(index)) => index.to_u64().map(ExprStep::Index),
            _ => None,
        },
    }
}

/// Appends the steps of an expression to a path, for a place that may not exist: `[*]` becomes an unknown index, and
/// `<` removes the last step.
pub(super) fn append_steps(steps: &[ExprStep], mut path: Path) -> Path {
    for step in steps {
        match step {
            ExprStep::Attr(name) => path.push(Step::attr(name)),
            ExprStep::Index(index) => path.push(Step::index(*index)),
            ExprStep::Key(key) => path.push(Step::index(key.as_str())),
            ExprStep::AnyElement => path.push(Step::Index(Value::unknown(Type::Number))),
            ExprStep::Parent => {
                path.pop();
            }
        }
    }
    path
}

impl FromStr for PathExpr {
    type Err = Error;

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// When the text is no path expression, or has more than [`limits::DEPTH`] steps.
    fn from_str(text: &str) -> Result<PathExpr> {
        PathExpr::from_steps(parse::steps(text)?)
    }
}

impl fmt::Display for PathExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps().iter().enumerate() {
            let dot = if i > 0 { "." } else { "" };
            match step {
                ExprStep::Attr(name) => {
                    f.write_str(dot)?;
                    write_word(f, name)?;
                }
                ExprStep::Index(index) => write!(f, "[{index}]")?,
                ExprStep::Key(key) => write!(f, "[{}]", Quoted(key))?,
                ExprStep::AnyElement => f.write_str("[*]")?,
                ExprStep::Parent => write!(f, "{dot}<")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for PathExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PathExpr({self})")
    }
}

#[cfg(test)]
mod tests;
