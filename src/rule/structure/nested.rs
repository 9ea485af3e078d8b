//! Rules inside rules: they know how deep they nest, so that no recursion over rules can overflow the stack.

use std::ops::Deref;

use crate::error::{Error, Kind, Result};
use crate::limits;

use super::silence::Silence;
use crate::rule::Rule;
use crate::rule::evaluate::known;

/// A rule inside a rule.
#[derive(Clone, PartialEq)]
pub struct Nested {
    rule: Box<Rule>,
    depth: u16,
    silence: Silence,
    looks_around: bool,
}

impl Nested {
    /// Takes a rule as a part of another rule.
    ///
    /// # Errors
    ///
    /// When a rule around this one would nest deeper than [`limits::DEPTH`].
    pub fn new(rule: Rule) -> Result<Nested> {
        let depth = within_limit(rule.depth())?;
        let (silence, looks_around) = (Silence::of(&rule), known::looks_around(&rule));
        Ok(Nested { rule: Box::new(rule), depth, silence, looks_around })
    }

    /// How deep rules nest in it.
    pub fn depth(&self) -> usize {
        usize::from(self.depth)
    }

    /// The one answer for all values other than null, if there is one. Computed when the rule is built, so that no rule is
    /// walked twice.
    pub(in crate::rule) fn silence(&self) -> Silence {
        self.silence
    }

    /// Whether it reads more than its value: see [`known::looks_around`]. Kept for the same reason.
    pub(in crate::rule) fn looks_around(&self) -> bool {
        self.looks_around
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
    looks_around: bool,
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
        let looks_around = rules.iter().any(known::looks_around);
        Ok(Rules { rules, depth, looks_around })
    }

    /// How deep rules nest in them.
    pub fn depth(&self) -> usize {
        usize::from(self.depth)
    }

    /// Whether one of them reads more than its value: see [`known::looks_around`].
    pub(in crate::rule) fn looks_around(&self) -> bool {
        self.looks_around
    }
}

impl Deref for Rules {
    type Target = [Rule];

    fn deref(&self) -> &[Rule] {
        &self.rules
    }
}

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
