//! Rules inside rules. They store how deep they nest, so that no recursion over rules can overflow the stack.

use std::ops::Deref;

use crate::error::{Error, Kind, Result};
use crate::limits;

use super::constant::ConstantAnswer;
use crate::rule::Rule;
use crate::rule::evaluate::known;

/// A rule inside a rule.
#[derive(Clone, PartialEq)]
pub struct Nested {
    rule: Box<Rule>,
    /// How many levels of rules it has.
    depth: u16,
    /// The one outcome for all values other than null, if there is one.
    constant: ConstantAnswer,
    reads_beyond_value: bool,
}

impl Nested {
    /// Takes a rule as a part of another rule.
    ///
    /// # Errors
    ///
    /// When a rule around this one would nest deeper than [`limits::DEPTH`].
    pub fn new(rule: Rule) -> Result<Nested> {
        let depth = within_limit(rule.depth())?;
        let (constant, reads_beyond_value) = (ConstantAnswer::of(&rule), known::reads_beyond_value(&rule));
        Ok(Nested { rule: Box::new(rule), depth, constant, reads_beyond_value })
    }

    /// How many levels of rules it has: 1 without nested rules.
    pub fn depth(&self) -> usize {
        usize::from(self.depth)
    }

    /// The one outcome for all values other than null, if there is one. Computed when the rule is built, so that no
    /// rule is walked twice.
    pub(in crate::rule) fn constant_answer(&self) -> ConstantAnswer {
        self.constant
    }

    /// Whether it reads more than its value: see [`known::reads_beyond_value`]. Computed when the rule is built, too.
    pub(in crate::rule) fn reads_beyond_value(&self) -> bool {
        self.reads_beyond_value
    }
}

impl Deref for Nested {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        &self.rule
    }
}

/// Several rules inside a rule.
#[derive(Clone, Default, PartialEq)]
pub struct Rules {
    rules: Vec<Rule>,
    depth: u16,
    reads_beyond_value: bool,
}

impl Rules {
    /// Takes rules as the parts of another rule.
    ///
    /// # Errors
    ///
    /// When a rule around these would nest deeper than [`limits::DEPTH`].
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Result<Rules> {
        let rules: Vec<Rule> = rules.into_iter().collect();
        let depth = within_limit(rules.iter().map(Rule::depth).max().unwrap_or(0))?;
        let reads_beyond_value = rules.iter().any(known::reads_beyond_value);
        Ok(Rules { rules, depth, reads_beyond_value })
    }

    /// How many levels of rules the deepest one has.
    pub fn depth(&self) -> usize {
        usize::from(self.depth)
    }

    /// Whether one of them reads more than its value: see [`known::reads_beyond_value`].
    pub(in crate::rule) fn reads_beyond_value(&self) -> bool {
        self.reads_beyond_value
    }
}

impl Deref for Rules {
    type Target = [Rule];

    fn deref(&self) -> &[Rule] {
        &self.rules
    }
}

/// The depth of a rule around one of this depth; an error above the limit.
fn within_limit(depth: usize) -> Result<u16> {
    match u16::try_from(depth) {
        Ok(short) if depth < limits::DEPTH => Ok(short),
        _ => Err(Error::new(Kind::Limit, format!("rules nest at most {} levels deep", limits::DEPTH))),
    }
}

impl std::fmt::Debug for Nested {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&*self.rule, f)
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[")?;
        for (i, rule) in self.rules.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            std::fmt::Debug::fmt(rule, f)?;
        }
        f.write_str("]")
    }
}
