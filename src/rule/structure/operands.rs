//! The parts of a rule that do not depend on a value: its keyword, the rules inside it and the paths that it reads.

use crate::rule::keywords::{Keyword, row};
use crate::rule::{PathExpr, Rule, ValueRule};

impl Rule {
    /// The name of the rule in a rules file; `at` and `custom` have none there.
    ///
    /// ```
    /// use plantime::rule::{Rule, keyword};
    ///
    /// assert_eq!(Rule::min_len(1).name(), "min_len");
    /// assert_eq!(Rule::min_len(1).keyword(), Some(keyword("min_len")?));
    /// assert_eq!(Rule::at("tags".parse()?, Rule::NotNull)?.keyword(), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn name(&self) -> &'static str {
        match self.keyword() {
            Some(row) => row.name,
            None if matches!(self, Rule::Custom(_)) => "custom",
            None => "at",
        }
    }

    /// The row of the keyword table; `None` for `at` and for a function, which have no keyword.
    ///
    /// [Example](Rule::name)
    pub fn keyword(&self) -> Option<&'static Keyword> {
        Some(match self {
            Rule::NotNull => const { row("not_null") },
            Rule::IsNull => const { row("is_null") },
            Rule::Value(rule) => rule.row(),
            Rule::Text(rule) => rule.row(),
            Rule::Length(rule) => rule.row(),
            Rule::Number(rule) => rule.row(),
            Rule::Members(rule) => rule.row(),
            Rule::Presence(rule, _) => rule.row(),
            Rule::Total(rule, _) => rule.row(),
            Rule::Requires(rule) => rule.row(),
            Rule::Change(rule) => rule.row(),
            Rule::Keys(_) => const { row("keys") },
            Rule::All(_) => const { row("all") },
            Rule::Sequence(_) => const { row("sequence") },
            Rule::Any(_) => const { row("any") },
            Rule::Not(_) => const { row("not") },
            Rule::Implies(..) => const { row("implies") },
            Rule::When(..) => const { row("when") },
            Rule::At(..) | Rule::Custom(_) => return None,
        })
    }

    /// Iterates over the rules directly inside this one, not those inside them.
    #[doc(hidden)]
    pub fn nested(&self) -> impl Iterator<Item = &Rule> {
        let (first, second): (&[Rule], &[Rule]) = match self {
            Rule::At(_, rule) | Rule::Not(rule) | Rule::Keys(rule) => (std::slice::from_ref(&**rule), &[]),
            Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => (rules, &[]),
            Rule::Implies(a, b) | Rule::When(a, b) => {
                (std::slice::from_ref(&**a), std::slice::from_ref(&**b))
            }
            Rule::NotNull
            | Rule::IsNull
            | Rule::Value(_)
            | Rule::Text(_)
            | Rule::Length(_)
            | Rule::Number(_)
            | Rule::Members(_)
            | Rule::Presence(..)
            | Rule::Total(..)
            | Rule::Requires(_)
            | Rule::Change(_)
            | Rule::Custom(_) => (&[], &[]),
        };
        first.iter().chain(second)
    }

    /// The paths to other values that the rule itself reads, relative to the value that it is evaluated on; those of
    /// nested rules are left out.
    #[doc(hidden)]
    pub fn operands(&self) -> Vec<&PathExpr> {
        match self {
            Rule::Presence(_, paths) | Rule::Total(_, paths) => paths.iter().collect(),
            Rule::Requires(rule) => rule.paths(),
            // The others read their own value only, or are combinations.
            _ => Vec::new(),
        }
    }

    /// Whether the rule, or a rule inside it, is `type_is`, which tests the type of a value. Recursion ends at the
    /// depth limit of rules.
    #[doc(hidden)]
    pub fn asks_type(&self) -> bool {
        matches!(self, Rule::Value(ValueRule::TypeIs(_))) || self.nested().any(Rule::asks_type)
    }
}
