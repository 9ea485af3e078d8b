//! Rules that null decides: what they say of every value that is not null, without a look at it.
//!
//! Null passes `not` and `implies`, so what is inside matters for other values only. Where it says one thing of all of
//! those, as `is_null` does, no value breaks the rule around it, and whoever wrote it means something else.

use crate::value::equality::is_always_null;

use crate::rule::{Nested, Rule};

/// The one answer that a rule gives for all values other than null, if it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rule) enum Silence {
    /// The answer depends on the value.
    #[default]
    None,
    /// The same answer for each of them: the rule is about null.
    Always(bool),
    /// The same answer for each of them: the rule is about nothing, as `all` of no rules.
    Empty(bool),
}

impl Silence {
    pub(in crate::rule) fn of(rule: &Rule) -> Silence {
        let is_null =
            |values: &[crate::value::Value]| !values.is_empty() && values.iter().all(is_always_null);
        match rule {
            Rule::NotNull => Silence::Always(true),
            Rule::IsNull => Silence::Always(false),
            Rule::Equals(value) if is_always_null(value) => Silence::Always(false),
            Rule::OneOf(values) if is_null(values) => Silence::Always(false),
            Rule::NoneOf(values) if is_null(values) => Silence::Always(true),
            Rule::At(path, rule) if path.is_empty() => rule.silence(),
            Rule::All(rules) | Rule::Sequence(rules) => several(rules.iter().map(Silence::of), false),
            Rule::Any(rules) => several(rules.iter().map(Silence::of), true),
            Rule::Not(rule) => rule.silence().negated(),
            Rule::Implies(condition, rule) | Rule::When(condition, rule) => implied(condition, rule),
            _ => Silence::None,
        }
    }

    pub(in crate::rule) fn negated(self) -> Silence {
        match self {
            Silence::None => Silence::None,
            Silence::Always(holds) => Silence::Always(!holds),
            Silence::Empty(holds) => Silence::Empty(!holds),
        }
    }

    fn holds(self) -> Option<bool> {
        match self {
            Silence::None => None,
            Silence::Always(holds) | Silence::Empty(holds) => Some(holds),
        }
    }
}

/// The condition does not hold, or the rule does.
pub(in crate::rule) fn implied(condition: &Nested, rule: &Nested) -> Silence {
    several([condition.silence().negated(), rule.silence()].into_iter(), true)
}

/// Rules of which one that says `decides` is enough; without any, the other is said.
fn several(rules: impl Iterator<Item = Silence>, decides: bool) -> Silence {
    let mut all = Silence::Empty(!decides);
    for rule in rules {
        all = match (all, rule) {
            (Silence::Always(holds), _) | (_, Silence::Always(holds)) if holds == decides => {
                return Silence::Always(decides);
            }
            (all, rule) if rule.holds() == Some(decides) || all.holds() == Some(decides) => {
                Silence::Empty(decides)
            }
            (Silence::None, _) | (_, Silence::None) => Silence::None,
            (Silence::Empty(_), Silence::Empty(_)) => Silence::Empty(!decides),
            _ => Silence::Always(!decides),
        };
    }
    all
}
