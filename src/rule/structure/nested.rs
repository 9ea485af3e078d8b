//! Rules inside rules. They store how deep they nest, so that no recursion over rules can overflow the stack.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::types::Type;

use super::constant::ConstantAnswer;
use crate::rule::evaluate::known;
use crate::rule::evaluate::typed::{TypedRule, cache::TypedRules};
use crate::rule::{PathExpr, Rule};

/// A rule inside a rule, shared by clones. It stores how deep it nests.
#[derive(Clone)]
pub struct Nested(Arc<NestedNode>);

/// The shared content of a `Nested`: the rule, with facts computed once when it is built.
struct NestedNode {
    rule: Rule,
    /// The number of levels of rules in it: 1 without nested rules.
    depth: u16,
    /// The one outcome for all values other than null, if there is one.
    constant: ConstantAnswer,
    /// Whether the rule reads more than its own value, such as the parent or the value before a change.
    reads_beyond_value: bool,
    /// The rule compiled for types of values, filled as it is checked.
    typed: TypedRules,
}

impl Nested {
    /// Takes a rule as a part of another rule.
    ///
    /// [Example](Rules)
    ///
    /// # Errors
    ///
    /// When a rule around this one would nest deeper than [`limits::DEPTH`].
    pub fn new(rule: Rule) -> Result<Nested> {
        let depth = within_limit(rule.depth())?;
        let (constant, reads_beyond_value) = (ConstantAnswer::of(&rule), known::reads_beyond_value(&rule));
        let typed = TypedRules::default();
        Ok(Nested(Arc::new(NestedNode { rule, depth, constant, reads_beyond_value, typed })))
    }

    /// How many levels of rules it has: 1 without nested rules.
    ///
    /// [Example](Rules)
    pub fn depth(&self) -> usize {
        usize::from(self.0.depth)
    }

    /// The one outcome that the rule has for all values other than null, if it has one. Computed when the rule is
    /// built, so that no rule is walked twice.
    pub(in crate::rule) fn constant_answer(&self) -> ConstantAnswer {
        self.0.constant
    }

    /// Whether it reads more than its value: see [`known::reads_beyond_value`]. Computed when the rule is built, too.
    pub(in crate::rule) fn reads_beyond_value(&self) -> bool {
        self.0.reads_beyond_value
    }

    /// The rule compiled for the values that a path leads to inside values of the type `ty`. `None` at the first
    /// call, and where the rule cannot be compiled.
    pub(in crate::rule) fn typed_rule(&self, path: &PathExpr, ty: &Type) -> Option<&TypedRule> {
        self.0.typed.at_path(&self.0.rule, path, ty)
    }
}

impl PartialEq for Nested {
    fn eq(&self, other: &Nested) -> bool {
        self.0.rule == other.0.rule
    }
}

impl Eq for Nested {}

impl Hash for Nested {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.rule.hash(state);
    }
}

impl Deref for Nested {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        &self.0.rule
    }
}

/// The list of rules inside a combinator, shared by clones. It stores how deep they nest.
///
/// ```
/// use plantime::rule::{Nested, Rule, Rules};
///
/// let bounds = Rules::new([Rule::min(1), Rule::max(9)])?;
/// assert_eq!((bounds.len(), bounds.depth()), (2, 1));
/// assert_eq!(Rule::All(bounds), Rule::all([Rule::min(1), Rule::max(9)])?);
/// assert_eq!(Nested::new(Rule::min(1))?.depth(), 1);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Rules(Arc<RulesNode>);

/// The shared content of a `Rules`: the rules, with facts computed once when they are built.
#[derive(Default)]
struct RulesNode {
    rules: Vec<Rule>,
    /// The number of levels of the deepest rule.
    depth: u16,
    /// Whether one of the rules reads more than its own value.
    reads_beyond_value: bool,
    /// The rules compiled for types of values, filled as they are checked.
    typed: TypedRules,
}

impl Rules {
    /// Takes rules as the parts of another rule.
    ///
    /// [Example](Rules)
    ///
    /// # Errors
    ///
    /// When a rule around these would nest deeper than [`limits::DEPTH`].
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Result<Rules> {
        let rules: Vec<Rule> = rules.into_iter().collect();
        let depth = within_limit(rules.iter().map(Rule::depth).max().unwrap_or(0))?;
        let reads_beyond_value = rules.iter().any(known::reads_beyond_value);
        let typed = TypedRules::default();
        Ok(Rules(Arc::new(RulesNode { rules, depth, reads_beyond_value, typed })))
    }

    /// The number of levels of the rule that nests deepest; 0 without rules.
    ///
    /// [Example](Rules)
    pub fn depth(&self) -> usize {
        usize::from(self.0.depth)
    }

    /// Whether one of them reads more than its value: see [`known::reads_beyond_value`].
    pub(in crate::rule) fn reads_beyond_value(&self) -> bool {
        self.0.reads_beyond_value
    }

    /// Each rule compiled for values of the type `ty`, in order. `None` at the first call, and where one of them
    /// cannot be compiled.
    pub(in crate::rule) fn typed_rules(&self, ty: &Type) -> Option<&[TypedRule]> {
        self.0.typed.of_values(&self.0.rules, ty)
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.0.rules == other.0.rules
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.rules.hash(state);
    }
}

impl Deref for Rules {
    type Target = [Rule];

    fn deref(&self) -> &[Rule] {
        &self.0.rules
    }
}

/// Checks that a rule around one of this depth stays within the limit; returns the depth unchanged.
fn within_limit(depth: usize) -> Result<u16> {
    match u16::try_from(depth) {
        Ok(short) if depth < limits::DEPTH => Ok(short),
        _ => Err(Error::new(Kind::Limit, format!("rules nest at most {} levels deep", limits::DEPTH))),
    }
}

impl std::fmt::Debug for Nested {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&self.0.rule, f)
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[")?;
        for (i, rule) in self.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            std::fmt::Debug::fmt(rule, f)?;
        }
        f.write_str("]")
    }
}
