//! Whether a change of an attribute replaces the object.

use crate::value::equality::may_be_null;

use crate::rule::evaluate::at;
use crate::rule::{ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// An attribute whose change replaces the object, always or under a condition.
///
/// ```
/// use plantime::rule::{ForceNew, Replaces, Request, Rule};
/// use plantime::{Type, Value, value};
///
/// // Storage can grow in place; what shrinks is made anew.
/// let storage = ForceNew::new("storage".parse()?).when(Rule::not(Rule::only_increase())?);
/// let database = |storage: Value| value!({ "name": "orders", "storage": (storage) });
/// let before = database(Value::from(40))?;
/// let answer = |after: Value| storage.check(&Request::new(&after).before(&before));
/// assert_eq!(answer(database(Value::from(20))?)?, Replaces::Yes);
/// assert_eq!(answer(database(Value::from(80))?)?, Replaces::No);
/// assert!(matches!(answer(database(Value::unknown(Type::Number))?)?, Replaces::Maybe(_)));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForceNew {
    /// The path to the attribute.
    path: PathExpr,
    /// The rule that must hold for a change to replace the object; `None`: every change does.
    condition: Option<Rule>,
}

/// Whether a change replaces the object: deletes it and creates a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// It does not, whatever the unknowns turn out to be.
    No,
    /// It does, whatever the unknowns turn out to be.
    Yes,
    /// It depends on unknowns; the reason names them.
    Maybe(Why),
}

impl ForceNew {
    /// Every change of the value at the path replaces the object.
    ///
    /// [Example](ForceNew)
    pub fn new(path: PathExpr) -> ForceNew {
        ForceNew { path, condition: None }
    }

    /// Restricts replacement to changes for which the condition holds at the path: a rule on the planned value, on the
    /// change, or on both.
    ///
    /// [Example](ForceNew)
    #[must_use]
    pub fn when(mut self, condition: Rule) -> ForceNew {
        self.condition = Some(condition);
        self
    }

    /// The path to the value whose changes replace the object.
    ///
    /// [Example](ForceNew)
    pub fn path(&self) -> &PathExpr {
        &self.path
    }

    /// Whether the change from the value before to the planned one replaces the object.
    ///
    /// | the value at the path | the condition | answer |
    /// |---|---|---|
    /// | stays as it was, or the whole is created or deleted | | no |
    /// | changes | holds | yes |
    /// | anything | does not hold | no |
    /// | otherwise | | maybe |
    ///
    /// If the path leads to several values, one whose change replaces is enough. They are elements of the planned
    /// value: a removed element is not among them, and members of sets have no value before. So for a list that may get
    /// shorter, and for a set, name the collection itself.
    ///
    /// [Example](ForceNew)
    ///
    /// # Errors
    ///
    /// [`Misuse`] when the path leads to no attribute of the type, or the condition cannot read the type there.
    pub fn check(&self, request: &Request<'_>) -> Result<Replaces, Misuse> {
        let (start, ends) = at::follow_path(&self.path, request)?;
        let mut open: Option<Why> = None;
        for end in &ends {
            let changed = at::check_match(&Rule::immutable(), end, &start, request, request.is_failing)?;
            if changed.is_pass() {
                continue;
            }
            let condition = match &self.condition {
                Some(condition) => at::check_match(condition, end, &start, request, request.is_failing)?,
                None => Outcome::Pass,
            };
            // One outcome stands for all elements of an unknown collection, and a failure for one says nothing of the
            // others.
            let each = end.how == How::StoppedAtUnknown && end.rest.contains(&ExprStep::AnyElement);
            let why = match (changed, condition) {
                (_, Outcome::Fail(_)) if !each => continue,
                (Outcome::Fail(_), Outcome::Pass) if request.not_null || !may_be_null(request.value) => {
                    return Ok(Replaces::Yes);
                }
                (Outcome::Undetermined(a), Outcome::Undetermined(b)) => a.and(b),
                (Outcome::Undetermined(why), _) | (_, Outcome::Undetermined(why)) => why,
                _ => Why::new([start.path.clone().join(&end.path)]),
            };
            open = Some(match open.take() {
                Some(before) => before.and(why),
                None => why,
            });
        }
        Ok(open.map_or(Replaces::No, Replaces::Maybe))
    }
}
