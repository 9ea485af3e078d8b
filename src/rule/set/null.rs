//! What null does to the rules of a set: in a set of a type, and in a rules file.

use crate::error::Result;
use crate::path::Path;
use crate::rule::{Custom, Nested, Outcome, PathExpr, Rule, Why};
use crate::value::Value;
use crate::value::equality::may_be_null;

/// What a test that a null satisfies answers for a null: an attribute that is not set, or a key that a map lacks.
///
/// Null satisfies each test but `not_null`. The provider's default stands in its place, and for most switches of
/// security that default is "off".
///
/// | in a rules file | answer where the value is null |
/// |---|---|
/// | `null = "pass"` (default) | pass, and the report says that the value is not set |
/// | `null = "fail"` | fail, as `not_null` beside the test does |
/// | `null = "undetermined"` | undetermined |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OnNull {
    /// A null passes.
    #[default]
    Pass,
    /// A null fails.
    Fail,
    /// A null decides nothing.
    Undetermined,
}

impl OnNull {
    /// All of them, with the words of a rules file.
    pub const NAMES: &'static [(&'static str, OnNull)] =
        &[("pass", OnNull::Pass), ("fail", OnNull::Fail), ("undetermined", OnNull::Undetermined)];

    /// The setting with this name; `None` if there is none.
    ///
    /// ```
    /// use plantime::plan::OnNull;
    ///
    /// assert_eq!(OnNull::named("fail"), Some(OnNull::Fail));
    /// assert_eq!(OnNull::named("ignore"), None);
    /// ```
    pub fn named(name: &str) -> Option<OnNull> {
        OnNull::NAMES.iter().find(|(known, _)| *known == name).map(|(_, on_null)| *on_null)
    }

    /// The rule that is evaluated with this setting: with `not_null` beside it where a null fails. A test for null says
    /// itself what a null does.
    pub(super) fn applied_to(self, rule: Rule) -> Result<Rule> {
        match self {
            OnNull::Fail if rule != Rule::IsNull => Rule::all([Rule::NotNull, rule]),
            _ => Ok(rule),
        }
    }

    /// The outcome with this setting, where `outcome` is that of the rule on `value`: a pass is undetermined where a null
    /// decides nothing and the value may be null. `place` is the path to the value, which becomes part of the
    /// obligation, and `shown` the same path in messages.
    pub(crate) fn outcome(
        self,
        outcome: Outcome,
        rule: &Rule,
        value: &Value,
        (place, shown): (Option<&PathExpr>, &Path),
    ) -> Outcome {
        let is_decided = self != OnNull::Undetermined || *rule == Rule::IsNull || !outcome.is_pass();
        if is_decided || !(value.is_null() || may_be_null(value)) {
            return outcome;
        }
        let left = Rule::all([Rule::NotNull, rule.clone()]);
        let left = left.and_then(|rule| Rule::at(place.cloned().unwrap_or_default(), rule));
        let why = Why::new([shown.clone()]).with_note("null would say nothing: `null = \"undetermined\"`");
        Outcome::Undetermined(match left {
            Ok(left) => why.with_obligation(left),
            Err(_) => why,
        })
    }
}

/// Changes the rule so that null passes it; `not_null` is unchanged.
pub(super) fn passing_null(rule: &Rule) -> Result<Rule> {
    if *rule == Rule::NotNull || null_passes(rule) {
        return Ok(rule.clone());
    }
    Ok(Rule::Implies(Nested::new(Rule::all([])?)?, Nested::new(rule.clone())?))
}

/// Whether null certainly passes the rule. False for the kinds where it depends on nested rules, paths or functions.
fn null_passes(rule: &Rule) -> bool {
    !matches!(
        rule,
        Rule::NotNull
            | Rule::IsNull
            | Rule::At(..)
            | Rule::All(_)
            | Rule::Sequence(_)
            | Rule::Any(_)
            | Rule::When(..)
            | Rule::Custom(Custom { .. })
            | Rule::Presence(..)
            | Rule::Requires(_)
            | Rule::Change(_)
    )
}
