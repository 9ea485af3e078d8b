//! Whether a change replaces the object that it is made to.

use crate::value::equality::may_be_null;

use crate::rule::evaluate::at;
use crate::rule::{ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// A part whose change replaces the object it belongs to, under a condition or always.
///
/// ```
/// use plantime::rule::{ForceNew, Replaces, Request, Rule};
/// use plantime::{Type, Value, value};
///
/// // Storage can grow in place; what shrinks is made anew.
/// let storage = ForceNew::new("storage".parse()?).when(Rule::not(Rule::OnlyIncrease)?);
/// let database = |storage: Value| value!({ "name": "orders", "storage": (storage) });
/// let before = database(Value::from(40))?;
/// let answer = |after: Value| storage.check(&Request::new(&after).before(&before));
/// assert_eq!(answer(database(Value::from(20))?)?, Replaces::Yes);
/// assert_eq!(answer(database(Value::from(80))?)?, Replaces::No);
/// assert!(matches!(answer(database(Value::unknown(Type::Number))?)?, Replaces::Maybe(_)));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ForceNew {
    path: PathExpr,
    condition: Option<Rule>,
}

/// Whether a change makes a new object in place of the old one.
#[derive(Clone, Debug, PartialEq)]
pub enum Replaces {
    /// It does not, whatever the unknown turns out to be.
    No,
    /// It does.
    Yes,
    /// That depends, and on what.
    Maybe(Why),
}

impl ForceNew {
    /// Every change of the part replaces.
    pub fn new(path: PathExpr) -> ForceNew {
        ForceNew { path, condition: None }
    }

    /// Only changes for which a rule on the part holds: on its planned value, on the change, or on both.
    #[must_use]
    pub fn when(mut self, condition: Rule) -> ForceNew {
        self.condition = Some(condition);
        self
    }

    /// The part whose changes replace the object.
    pub fn path(&self) -> &PathExpr {
        &self.path
    }

    /// Whether the change from the value before to the planned one replaces.
    ///
    /// | the part | the condition | answer |
    /// |---|---|---|
    /// | stays as it was, or the whole is created or deleted | | no |
    /// | changes | holds | yes |
    /// | anything | does not hold | no |
    /// | otherwise | | maybe |
    ///
    /// Of a path with several matches, one that replaces is enough. Matches are parts of the planned value, so that an
    /// element which is gone is not one of them, and members of sets have no value before: of a list that
    /// gets shorter, and of a set, name the collection itself.
    ///
    /// # Errors
    ///
    /// [`Misuse`] when the path leads nowhere, or the condition cannot read the type of the part.
    pub fn check(&self, request: &Request<'_>) -> Result<Replaces, Misuse> {
        let (base, found) = at::matches(&self.path, request)?;
        let mut open: Option<Why> = None;
        for found in &found {
            let changed = at::at_match(&Rule::Immutable, found, &base, request, request.is_broken)?;
            if changed.is_pass() {
                continue;
            }
            let condition = match &self.condition {
                Some(condition) => at::at_match(condition, found, &base, request, request.is_broken)?,
                None => Outcome::Pass,
            };
            // Of elements that are not there yet, one that does not satisfy it says nothing of the others.
            let each = found.how == How::StoppedAtUnknown && found.rest.contains(&ExprStep::AnyElement);
            let why = match (changed, condition) {
                (_, Outcome::Fail(_)) if !each => continue,
                (Outcome::Fail(_), Outcome::Pass) if request.not_null || !may_be_null(request.value) => {
                    return Ok(Replaces::Yes);
                }
                (Outcome::Undetermined(a), Outcome::Undetermined(b)) => a.and(b),
                (Outcome::Undetermined(why), _) | (_, Outcome::Undetermined(why)) => why,
                _ => Why::new([base.path.clone().join(&found.path)]),
            };
            open = Some(match open.take() {
                Some(before) => before.and(why),
                None => why,
            });
        }
        Ok(open.map_or(Replaces::No, Replaces::Maybe))
    }
}
