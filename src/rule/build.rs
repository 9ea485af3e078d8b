//! Rules made of rules.

use crate::error::Result;

use super::{Nested, PathExpr, Rule, Rules};

impl Rule {
    /// The rule at every match of a path.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::value;
    ///
    /// let no_world = Rule::at("ingress[*].cidr_blocks[*]".parse()?, Rule::NoneOf(vec!["0.0.0.0/0".into()]))?;
    /// let group = value!({ "ingress": [{ "cidr_blocks": ["10.0.0.0/8", "0.0.0.0/0"] }] })?;
    /// assert!(no_world.check_value(&group)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When rules would nest deeper than [`limits::DEPTH`](crate::limits::DEPTH); so for the others below.
    pub fn at(path: PathExpr, rule: Rule) -> Result<Rule> {
        Ok(Rule::At(path, Nested::new(rule)?))
    }

    /// The rule for each key of a map, or the name of each attribute of an object; null passes.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// let short = Rule::keys(Rule::MaxLen(3))?;
    /// assert!(short.check_value(&Value::map([("env", "prod")])?)?.is_pass());
    /// assert!(short.check_value(&Value::map([("environment", "prod")])?)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn keys(rule: Rule) -> Result<Rule> {
        Ok(Rule::Keys(Nested::new(rule)?))
    }

    /// All rules hold; of no rules this is true.
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn all(rules: impl IntoIterator<Item = Rule>) -> Result<Rule> {
        Ok(Rule::All(Rules::new(rules)?))
    }

    /// All rules hold, asked one after the other. The answer is that of [`all`](Rule::all); a failure tells the first
    /// rule that certainly does not hold, and the rules after it are not asked.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// let name = Rule::sequence([Rule::MinLen(1), Rule::StartsWith("vpc-".into())])?;
    /// assert_eq!(name.check_value(&Value::from(""))?.diagnostics().len(), 1);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn sequence(rules: impl IntoIterator<Item = Rule>) -> Result<Rule> {
        Ok(Rule::Sequence(Rules::new(rules)?))
    }

    /// At least one rule holds; of no rules this is false.
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn any(rules: impl IntoIterator<Item = Rule>) -> Result<Rule> {
        Ok(Rule::Any(Rules::new(rules)?))
    }

    /// The rule does not hold, or the value is null.
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    #[expect(clippy::should_implement_trait, reason = "it is fallible, and `!rule` would not read as a rule")]
    pub fn not(rule: Rule) -> Result<Rule> {
        Ok(Rule::Not(Nested::new(rule)?))
    }

    /// Where `condition` holds, `rule` holds too; or the value is null.
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn implies(condition: Rule, rule: Rule) -> Result<Rule> {
        Ok(Rule::Implies(Nested::new(condition)?, Nested::new(rule)?))
    }

    /// Where `guard` holds, `rule` holds too.
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn when(guard: Rule, rule: Rule) -> Result<Rule> {
        Ok(Rule::When(Nested::new(guard)?, Nested::new(rule)?))
    }

    /// How deep rules nest in this one: 1 for a rule without rules inside. O(1).
    pub fn depth(&self) -> usize {
        let inside = match self {
            Rule::At(_, rule) | Rule::Not(rule) | Rule::Keys(rule) => rule.depth(),
            Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => rules.depth(),
            Rule::Implies(a, b) | Rule::When(a, b) => a.depth().max(b.depth()),
            _ => 0,
        };
        inside.saturating_add(1)
    }
}
