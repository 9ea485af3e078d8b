//! Sets of rules on the nodes of a type, as in ytt's validations, with three outcomes.
//!
//! A [`RuleSet`] is a list of rules, each with a name or a description, and an optional [`Guard`]. A [`RuledType`] is a type
//! with a set at each of some nodes. The rules of a node apply to every value of that node: each element of a list, each
//! entry of a map. [`RuledType::check`] evaluates all of them and returns a [`Report`].
//!
//! ```
//! use plantime::rule::set::{RuleSet, RuledType};
//! use plantime::{Refinement, Type, TypeConstraint, Value, value};
//!
//! let ty: TypeConstraint = "object({ adminPort = optional(number, 0), hosts = list(string) })".parse()?;
//! let config = RuledType::new(ty)
//!     .at("adminPort", RuleSet::keywords([("min", 1024), ("max", 65535)])?)?     // 0 is not enough: it is required
//!     .at("hosts[*]", RuleSet::keywords([("starts_with", "10.")])?)?;
//!
//! let planned = Value::refined(Type::String, Refinement::prefix("10.0.").and_not_null())?;
//! let given = value!({ "hosts": [(planned), (Value::unknown(Type::String))] })?;
//! let report = config.check(&config.fill(&given)?)?;
//! assert_eq!(report.ytt(), "  adminPort\n    - must be: a value >= 1024\n      found: value < 1024\n\n");
//! assert_eq!(report.undetermined().map(|answer| answer.path.to_string()).collect::<Vec<_>>(), ["hosts[1]"]);
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # Which rules are evaluated, in which order
//!
//! | | |
//! |---|---|
//! | places | leaves first: all children of a value before the value, attributes by name, elements in order |
//! | rules of one place | by priority, highest first, then in the order of the set; none after a critical one has failed |
//! | a null value | only `not_null` is evaluated; it has no children |
//! | a guard that does not hold | all rules of the set pass |
//! | an undetermined guard | rules that pass pass; all others are undetermined |
//! | a failing child | the rules of its parents are evaluated all the same, and all violations are reported. The parents are not valid: [`Report::outcome_at`] covers a place and everything below it |
//! | a [skipped](Skip) place | its rules are not evaluated; those of its children are, unless they are skipped too |
//! | warnings | are reported, and make no value invalid |
//! | below an unknown | the rules are evaluated on an unknown of the child's type. A pass is a pass; a failure is one if the child certainly exists, as in a list of at least one element, and undetermined otherwise |
//!
//! # Messages
//!
//! | rule | message |
//! |---|---|
//! | positional, with a description | `"port" requires a valid value: a TCP/UDP port number; it is 0.` |
//! | named | `"username" requires a valid value (a length of at least 1); it is a length of 0.` |
//! | named, with a text: `min_len = ["a non-empty string", 1]` | `"username" requires a valid value (a non-empty string); it is a length of 0.` |
//! | with a [`Template`](super::Template) | the filled-in template |
//!
//! The failure contains the value unless it is marked; marked content is in no message.
//!
//! # Differences from ytt
//!
//! | | ytt | here |
//! |---|---|---|
//! | lengths of text | bytes | code points; `min_byte_len` counts bytes |
//! | a function that returns nothing | violates | passes |
//! | a guard | a function of the value or its surroundings | rules on the value, its parent, and the root |
//! | rules on outputs | not evaluated | evaluated, and skipped by place ([`Phase`]) |
//! | annotations of an overlay | replace | replace, merge or remove ([`Edit`]) |
//! | defaults for all strings | none | for all nodes of a kind ([`RuledType::defaults_for`]) |
//! | exported schemas | without rules | with them: [`RuledType::to_rule`] |

mod compile;
mod guard;
pub(crate) mod guard_answer;
mod item;
mod json;
mod merge;
mod null;
mod obligation;
mod overlay;
mod places;
mod report;
mod ruled;
mod skip;
mod text;
mod tree;
mod walk;
mod words;
mod ytt;

pub use guard::Guard;
pub use item::{NOT_NULL_PRIORITY, SetRule};
pub use places::{NodeKind, PLACES};
pub use report::{Answer, Report, Skipped};
pub use ruled::{Edit, Predicate, RuledType};
pub use skip::{PathGlob, Phase, Skip};
pub use text::{NodeText, NodeTexts};
pub use walk::Checking;

pub(crate) use guard_answer::GuardAnswer;

use std::fmt;

use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

/// Rules that are evaluated on one value if a guard holds.
///
/// ```
/// use plantime::rule::Rule;
/// use plantime::rule::set::{RuleSet, validate};
/// use plantime::Value;
///
/// let rules = RuleSet::new([Rule::NotNull, Rule::min_len(1)]);
/// let report = validate("username", &Value::from(""), &rules, None)?;
/// let messages = report.messages();
/// assert_eq!(messages, [r#""username" requires a valid value (a length of at least 1); it is a length of 0."#]);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleSet {
    pub(super) rules: Vec<SetRule>,
    pub(super) guard: Option<Guard>,
}

impl RuleSet {
    /// A set of rules, in the order of evaluation.
    ///
    /// [Example](RuleSet)
    pub fn new(rules: impl IntoIterator<Item = impl Into<SetRule>>) -> RuleSet {
        RuleSet { rules: rules.into_iter().map(Into::into).collect(), guard: None }
    }

    /// Rules by keyword, as [`SetRule::keyword`] reads them.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::RuleSet;
    /// use plantime::value;
    ///
    /// let port = RuleSet::keywords([("min", value!(1)?), ("max", value!(["at most 65535", 65535])?)])?;
    /// assert_eq!(port.rules()[1].description(), "at most 65535");
    /// assert!(port.guard().is_none() && !port.is_empty());
    /// let error = RuleSet::keywords([("mni", 1)]).unwrap_err();
    /// assert!(error.to_string().contains("min"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For an unknown name, with the nearest one, and for an invalid argument.
    pub fn keywords<'k>(rules: impl IntoIterator<Item = (&'k str, impl Into<Value>)>) -> Result<RuleSet> {
        let rule = |(name, argument): (&str, _)| SetRule::keyword(name, &Into::<Value>::into(argument));
        let rules = rules.into_iter().map(rule).collect::<Result<Vec<_>>>()?;
        Ok(RuleSet { rules, guard: None })
    }

    /// Adds a rule at the end.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{RuleSet, SetRule};
    ///
    /// let name = RuleSet::new([Rule::NotNull])
    ///     .with(Rule::min_len(3))
    ///     .with(SetRule::new(Rule::max_len(63)).warning())
    ///     .written_at("schema.yml:4");
    /// assert_eq!(name.rules().len(), 3);
    /// assert_eq!(name.rules()[1].position(), Some("schema.yml:4"));
    /// ```
    #[must_use]
    pub fn with(mut self, rule: impl Into<SetRule>) -> RuleSet {
        self.rules.push(rule.into());
        self
    }

    /// Adds a guard, which must hold together with the present one.
    ///
    /// [Example](Guard)
    #[must_use]
    pub fn when(mut self, guard: Guard) -> RuleSet {
        self.guard = Some(match self.guard.take() {
            Some(before) => before.and(guard),
            None => guard,
        });
        self
    }

    /// Sets the source position of the set (`schema.yml:4`), for all rules without a position of their own.
    ///
    /// [Example](RuleSet::with)
    #[must_use]
    pub fn written_at(mut self, place: &str) -> RuleSet {
        for item in &mut self.rules {
            item.from.get_or_insert_with(|| place.to_owned());
        }
        self
    }

    /// The rules, in their order.
    ///
    /// [Example](RuleSet::keywords)
    pub fn rules(&self) -> &[SetRule] {
        &self.rules
    }

    /// The condition under which the rules of the set apply; `None` if they always do.
    ///
    /// [Example](RuleSet::keywords)
    pub fn guard(&self) -> Option<&Guard> {
        self.guard.as_ref()
    }

    /// Whether there are no rules.
    ///
    /// [Example](RuleSet::keywords)
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether one of the rules is `not_null`, so that null fails the set.
    pub(super) fn has_not_null(&self) -> bool {
        self.rules.iter().any(SetRule::has_not_null)
    }
}

/// Writes the rules one after the other.
impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.rules.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            fmt::Display::fmt(&item.rule, f)?;
        }
        Ok(())
    }
}

/// Checks one value, called `key` in messages, against some rules.
///
/// [Example](RuleSet)
///
/// # Errors
///
/// When a rule cannot read the type of the value, or a guard reads the parent of the value.
pub fn validate(key: &str, value: &Value, rules: &RuleSet, when: Option<Guard>) -> Result<Report> {
    let rules = match when {
        Some(guard) => rules.clone().when(guard),
        None => rules.clone(),
    };
    RuledType::new(Type::Dynamic).named(key).at("", rules)?.check(value)
}

/// The answers of the rules that a value violates: none if the value is valid or may still become so.
///
/// ```
/// use plantime::rule::set::{RuleSet, RuledType, valid};
/// use plantime::{Type, Value, value};
///
/// let listener = RuledType::new("object({port = number})".parse::<Type>()?)
///     .at("port", RuleSet::keywords([("min", 1024)])?)?;
/// assert_eq!(valid(&listener, &value!({ "port": 80 })?)?.len(), 1);
/// // The port may still become a valid one.
/// assert!(valid(&listener, &value!({ "port": Value::unknown(Type::Number) })?)?.is_empty());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As for [`RuledType::check`].
pub fn valid(ty: &RuledType, value: &Value) -> Result<Vec<Answer>> {
    Ok(ty.check(value)?.violations().cloned().collect())
}
