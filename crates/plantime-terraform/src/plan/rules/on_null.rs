//! What null does to the tests of a rules file.

use plantime::rule::{Nested, Outcome, PathExpr, Rule, Rules, Why};
use plantime::{Path, Result};

/// The answer of a test for a null, where null would pass it: an attribute that is not set, or a key that a map lacks.
///
/// Null satisfies each test but `not_null`. The provider's default stands in its place, and for most switches of
/// security that default is "off".
///
/// | in a rules file | answer where the value is null |
/// |---|---|
/// | `null = "pass"` (default) | pass, and the report says that the value is not set |
/// | `null = "fail"` | fail, as `not_null` beside the test does |
/// | `null = "undetermined"` | undetermined |
///
/// The setting also applies to the tests of attributes inside `all`, `any`, `sequence`, `not` and `implies`: with
/// `fail` no null helps the rule to pass, and with `undetermined` a rule that passes only because of a null is
/// undetermined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OnNull {
    /// A null passes the test.
    #[default]
    Pass,
    /// A null fails the test.
    Fail,
    /// The test is undetermined for a null.
    Undetermined,
}

impl OnNull {
    /// All settings, each with its name in a rules file.
    pub const NAMES: &'static [(&'static str, OnNull)] =
        &[("pass", OnNull::Pass), ("fail", OnNull::Fail), ("undetermined", OnNull::Undetermined)];

    /// The setting with this name; `None` if there is none.
    ///
    /// ```
    /// use plantime_terraform::plan::OnNull;
    ///
    /// assert_eq!(OnNull::named("fail"), Some(OnNull::Fail));
    /// assert_eq!(OnNull::named("ignore"), None);
    /// ```
    pub fn named(name: &str) -> Option<OnNull> {
        OnNull::NAMES.iter().find(|(known, _)| *known == name).map(|(_, on_null)| *on_null)
    }

    /// The rule that is evaluated with this setting: `rule` together with `not_null` if a null fails; otherwise `rule`
    /// itself, and also if it is `is_null`, which tests for null.
    pub(crate) fn applied_to(self, rule: Rule) -> Result<Rule> {
        match self {
            OnNull::Fail if rule != Rule::IsNull => Rule::all([Rule::NotNull, rule]),
            _ => Ok(rule),
        }
    }

    /// The outcome with this setting, where `outcome` is that of the rule on a value: a pass is undetermined where a null
    /// decides nothing and the value may be null or may not be there. `place` is the path to the value, which becomes part of
    /// the obligation, and `shown` the same path in messages.
    pub(crate) fn outcome(
        self,
        outcome: Outcome,
        rule: &Rule,
        may_be_null: bool,
        (place, shown): (Option<&PathExpr>, &Path),
    ) -> Outcome {
        let says_itself = matches!(rule, Rule::IsNull | Rule::NotNull);
        if self != OnNull::Undetermined || says_itself || !may_be_null {
            return outcome;
        }
        let place = place.cloned().unwrap_or_default();
        match outcome {
            Outcome::Fail(_) => outcome,
            Outcome::Pass => undetermined_by_null(Why::new([shown.clone()]), || {
                Rule::at(place, Rule::all([Rule::NotNull, rule.clone()])?)
            }),
            // A null satisfies what remains of the rule alone.
            Outcome::Undetermined(why) => match why.obligation().cloned() {
                Some(left) => undetermined_by_null(why, || match left {
                    Rule::At(path, inner) if path == place => {
                        Rule::at(place, Rule::all([Rule::NotNull, Rule::clone(&inner)])?)
                    }
                    left => Rule::all([Rule::at(place, Rule::NotNull)?, left]),
                }),
                None => Outcome::Undetermined(why),
            },
        }
    }
}

/// The note of an outcome that is undetermined because of a null.
const NOTE: &str = "null would say nothing: `null = \"undetermined\"`";

/// An undetermined outcome in which `left` remains to be checked.
fn undetermined_by_null(why: Why, left: impl FnOnce() -> Result<Rule>) -> Outcome {
    let why = why.without_note(NOTE).with_note(NOTE);
    Outcome::Undetermined(match left() {
        Ok(left) => why.with_obligation(left),
        Err(_) => why,
    })
}

/// The outcome of a rule where a null decides nothing: `outcome` is that of the rule, where nulls pass, and `strict` that
/// of the rule `must`, where they fail. A rule that passes only because of a null is undetermined.
pub(crate) fn outcome_without_nulls(outcome: Outcome, strict: Outcome, must: &Rule) -> Outcome {
    match (outcome, strict) {
        (Outcome::Pass, Outcome::Fail(failures)) => {
            let inputs: Vec<Path> = failures.iter().map(|failure| failure.path.clone()).collect();
            undetermined_by_null(Why::new(inputs), || Ok(must.clone()))
        }
        (Outcome::Pass | Outcome::Undetermined(_), strict @ Outcome::Undetermined(_)) => strict,
        (Outcome::Undetermined(why), Outcome::Fail(_)) => undetermined_by_null(why, || Ok(must.clone())),
        (outcome, _) => outcome,
    }
}

/// Whether a rule that passes helps the rule around it to pass, or makes it fail.
#[derive(Clone, Copy)]
enum Polarity {
    Positive,
    /// Inside `not`, and as the condition of `implies` or `when`.
    Negative,
}

impl Polarity {
    fn reversed(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
        }
    }
}

/// The rule with `not_null` beside each test of an attribute inside it, so that no null helps it to pass. Where a test that
/// passes makes the rule fail (inside `not`, as the condition of `implies` or `when`), null passes it, as before.
///
/// # Errors
///
/// When the rule would nest too deep.
pub(crate) fn failing_nulls_inside(rule: &Rule) -> Result<Rule> {
    failing_nulls(rule, Polarity::Positive)
}

fn failing_nulls(rule: &Rule, polarity: Polarity) -> Result<Rule> {
    let nested = |inner: &Rule, polarity| Nested::new(failing_nulls(inner, polarity)?);
    let several = |rules: &Rules| {
        Rules::new(rules.iter().map(|rule| failing_nulls(rule, polarity)).collect::<Result<Vec<Rule>>>()?)
    };
    Ok(match rule {
        Rule::At(path, inner) => {
            let inside = failing_nulls(inner, polarity)?;
            let inside = match polarity {
                Polarity::Positive => OnNull::Fail.applied_to(inside)?,
                Polarity::Negative => inside,
            };
            Rule::At(path.clone(), Nested::new(inside)?)
        }
        Rule::All(rules) => Rule::All(several(rules)?),
        Rule::Any(rules) => Rule::Any(several(rules)?),
        Rule::Sequence(rules) => Rule::Sequence(several(rules)?),
        Rule::Not(inner) => Rule::Not(nested(inner, polarity.reversed())?),
        Rule::Implies(condition, inner) => {
            Rule::Implies(nested(condition, polarity.reversed())?, nested(inner, polarity)?)
        }
        Rule::When(guard, inner) => Rule::When(nested(guard, polarity.reversed())?, nested(inner, polarity)?),
        rule => rule.clone(),
    })
}
