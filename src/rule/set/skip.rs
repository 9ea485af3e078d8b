//! Skips: places whose rules are not evaluated.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Kind, Result};
use crate::ops::three_valued;
use crate::path::{Path, Step};
use crate::rule::{ExprStep, PathExpr};
use crate::value::{View, view_below_marks};

/// Whether inputs or outputs are checked. A skip may be limited to one of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Values that a user gave.
    #[default]
    Inputs,
    /// Values that were computed from them.
    Outputs,
}

/// A pattern of paths.
///
/// | text | matches |
/// |---|---|
/// | `db.port` | this place |
/// | `db.*`, `ports[*]` | exactly one more step: an attribute, a key, an index or a member |
/// | `db.**` | `db` and everything below |
/// | `**.port` | `port` at any depth |
/// | `**` | everything |
///
/// A name matches both an attribute and a map key.
///
/// ```
/// use plantime::Path;
/// use plantime::rule::set::PathGlob;
///
/// let glob: PathGlob = "services[*].**".parse()?;
/// let matches = |path: &str| -> Result<bool, plantime::Error> { Ok(glob.matches(&path.parse::<Path>()?) == Some(true)) };
/// assert!(matches("services[0]")? && matches("services[1].db.port")? && !matches("services")?);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PathGlob {
    text: String,
    steps: Vec<GlobStep>,
}

/// One step of a path pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum GlobStep {
    /// An attribute or a map key of this name.
    Name(String),
    /// An element at this index.
    Index(u64),
    /// `*`: exactly one step of any kind.
    One,
    /// `**`: any number of steps, also none.
    Any,
}

impl PathGlob {
    /// Whether it matches a path; `None` if that depends on an unknown key.
    ///
    /// [Example](PathGlob)
    pub fn matches(&self, path: &Path) -> Option<bool> {
        // For each number of pattern steps: whether they match the path so far. One pass over the path, as for a finite automaton.
        let mut here: Vec<Option<bool>> = vec![Some(false); self.steps.len().saturating_add(1)];
        if let Some(start) = here.first_mut() {
            *start = Some(true);
        }
        self.skip_any_depth(&mut here);
        for step in path.steps() {
            let mut next = vec![Some(false); here.len()];
            for (i, glob) in self.steps.iter().enumerate() {
                let (Some(before), after) = (here.get(i).copied(), i.saturating_add(1)) else { continue };
                // `**` may match further steps; any other step is consumed.
                let (target, fits) = match glob {
                    GlobStep::Any => (i, Some(true)),
                    glob => (after, glob.matches_step(step)),
                };
                if let Some(slot) = next.get_mut(target) {
                    *slot = three_valued::or(*slot, three_valued::and(before, fits));
                }
            }
            self.skip_any_depth(&mut next);
            here = next;
        }
        here.last().copied().unwrap_or(Some(false))
    }

    /// Lets each `**` match no step at all: if the steps before it match, those up to and including it do. `here`
    /// says for each number of leading pattern steps whether they match the path so far; `None` if unknown.
    fn skip_any_depth(&self, here: &mut [Option<bool>]) {
        for (i, glob) in self.steps.iter().enumerate() {
            if *glob == GlobStep::Any
                && let (Some(before), Some(after)) = (here.get(i).copied(), here.get_mut(i.saturating_add(1)))
            {
                *after = three_valued::or(*after, before);
            }
        }
    }
}

impl GlobStep {
    /// Whether the pattern step matches a step of a path; `None` if that depends on an unknown key.
    fn matches_step(&self, step: &Step) -> Option<bool> {
        match (self, step) {
            (GlobStep::One | GlobStep::Any, _) => Some(true),
            (GlobStep::Name(name), Step::Attr(attr)) => Some(name == attr.as_str()),
            (GlobStep::Index(_), Step::Attr(_)) => Some(false),
            (glob, Step::Index(key)) => match (glob, view_below_marks(key)) {
                (GlobStep::Name(name), View::String(key)) => Some(name == key),
                (GlobStep::Index(index), View::Number(key)) => Some(key.to_u64() == Some(*index)),
                (GlobStep::Name(_), View::Unknown(range)) => {
                    (*range.ty() != crate::types::Type::String).then_some(false)
                }
                (GlobStep::Index(_), View::Unknown(range)) => {
                    (*range.ty() != crate::types::Type::Number).then_some(false)
                }
                _ => Some(false),
            },
        }
    }
}

impl FromStr for PathGlob {
    type Err = Error;

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// When the text is not a pattern, or contains `<`.
    fn from_str(text: &str) -> Result<PathGlob> {
        let mut steps = Vec::new();
        let pieces = split_at_stars(text);
        let count = pieces.len();
        for (i, mut piece) in pieces.into_iter().enumerate() {
            let (first, last) = (i == 0, i.saturating_add(1) == count);
            if !first {
                steps.push(GlobStep::Any);
                piece = trim_dot(text, piece, piece.strip_prefix('.'), piece.starts_with('['))?;
            }
            if !last {
                piece = trim_dot(text, piece, piece.strip_suffix('.'), false)?;
            }
            for step in piece.parse::<PathExpr>()?.steps() {
                steps.push(match step {
                    ExprStep::Attr(name) | ExprStep::Key(name) => GlobStep::Name(name.clone()),
                    ExprStep::Index(index) => GlobStep::Index(*index),
                    ExprStep::AnyElement => GlobStep::One,
                    ExprStep::Parent => {
                        return Err(Error::new(Kind::Syntax, format!("`{text}` leads outward")));
                    }
                });
            }
        }
        if steps.len() > crate::limits::DEPTH {
            let message = format!("a pattern has at most {} steps", crate::limits::DEPTH);
            return Err(Error::new(Kind::Limit, message));
        }
        Ok(PathGlob { text: text.to_owned(), steps })
    }
}

/// Returns the text beside a `**` without the dot that separates them. `cut` is the text without the dot, `None` if
/// it has none, which is an error unless the text is empty or begins with a `bracket`.
fn trim_dot<'t>(text: &str, piece: &'t str, cut: Option<&'t str>, bracket: bool) -> Result<&'t str> {
    match cut {
        Some(rest) if !rest.is_empty() => Ok(rest),
        None if piece.is_empty() || bracket => Ok(piece),
        _ => Err(Error::new(
            Kind::Syntax,
            format!("`{text}` is no pattern of paths: `**` is a step of its own"),
        )),
    }
}

/// Splits the text at each `**` that is not in double quotes, and drops the stars.
fn split_at_stars(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (i, c) in text.char_indices() {
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = c == '\\' && !escaped;
        if !quoted && i >= start && text.get(i..).is_some_and(|rest| rest.starts_with("**")) {
            pieces.push(text.get(start..i).unwrap_or_default());
            start = i.saturating_add(2);
        }
    }
    pieces.push(text.get(start..).unwrap_or_default());
    pieces
}

impl fmt::Display for PathGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for PathGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PathGlob({self})")
    }
}

/// Rules to skip: at some places, optionally limited to one rule name, and to inputs or outputs.
///
/// As text: `db.**`, `outputs:db.port`, `inputs:**`.
///
/// ```
/// use plantime::rule::set::{Phase, Skip};
///
/// let skip: Skip = "outputs:db.**".parse()?;
/// assert_eq!((skip.phase, skip.places.to_string()), (Some(Phase::Outputs), "db.**".to_owned()));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Skip {
    /// The places whose rules are skipped.
    pub places: PathGlob,
    /// Limits the skip to rules of this name.
    pub rule: Option<String>,
    /// Limits the skip to inputs or outputs.
    pub phase: Option<Phase>,
    /// Why the rules are skipped, for reports.
    pub reason: Option<String>,
}

impl Skip {
    /// Skips all rules at some places.
    ///
    /// ```
    /// use plantime::rule::set::Skip;
    ///
    /// let skip = Skip::new("db.**".parse()?).of_rule("min").because("the database is old");
    /// assert_eq!(skip.rule.as_deref(), Some("min"));
    /// assert_eq!(skip.places.matches(&"db.port".parse()?), Some(true));
    /// assert_eq!(skip.reason.as_deref(), Some("the database is old"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new(places: PathGlob) -> Skip {
        Skip { places, rule: None, phase: None, reason: None }
    }

    /// Limits the skip to rules of one name.
    ///
    /// [Example](Skip::new)
    #[must_use]
    pub fn of_rule(mut self, name: impl Into<String>) -> Skip {
        self.rule = Some(name.into());
        self
    }

    /// Sets the reason of the skip.
    ///
    /// [Example](Skip::new)
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Skip {
        self.reason = Some(reason.into());
        self
    }

    /// Whether this skip applies to the rule `name` at a path in a phase; `None` if that depends on an unknown key in
    /// the path.
    pub(super) fn covers(&self, path: &Path, name: Option<&str>, phase: Phase) -> Option<bool> {
        let other_rule = self.rule.as_deref().is_some_and(|rule| Some(rule) != name);
        if other_rule || self.phase.is_some_and(|own| own != phase) {
            return Some(false);
        }
        self.places.matches(path)
    }
}

impl FromStr for Skip {
    type Err = Error;

    /// # Errors
    ///
    /// When the text after `inputs:` or `outputs:` is not a [`PathGlob`].
    fn from_str(text: &str) -> Result<Skip> {
        let (phase, places) = match (text.strip_prefix("inputs:"), text.strip_prefix("outputs:")) {
            (Some(rest), _) => (Some(Phase::Inputs), rest),
            (_, Some(rest)) => (Some(Phase::Outputs), rest),
            _ => (None, text),
        };
        Ok(Skip { phase, ..Skip::new(places.trim().parse()?) })
    }
}
