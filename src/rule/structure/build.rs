//! Constructors of rules that contain rules.

use crate::error::{Error, Kind, Result};

use super::constant::{ConstantAnswer, of_implication};
use crate::rule::{Nested, PathExpr, Rule, Rules};

impl Rule {
    /// The rule must hold at every match of a path.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::value;
    ///
    /// let no_world = Rule::at("ingress[*].cidr_blocks[*]".parse()?, Rule::none_of(["0.0.0.0/0"]))?;
    /// let group = value!({ "ingress": [{ "cidr_blocks": ["10.0.0.0/8", "0.0.0.0/0"] }] })?;
    /// assert!(no_world.check_value(&group)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When rules would nest deeper than [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn at(path: PathExpr, rule: Rule) -> Result<Rule> {
        Ok(Rule::At(path, Nested::new(rule)?))
    }

    /// The rule must hold for each key of a map, or the name of each attribute of an object; null passes.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// let short = Rule::keys(Rule::max_len(3))?;
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

    /// All rules must hold; without rules every value passes.
    ///
    /// The [module](crate::rule#combinators) has the table of outcomes.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// let port = Rule::all([Rule::min(1024), Rule::max(65535)])?;
    /// assert!(port.check_value(&Value::from(8080))?.is_pass());
    /// assert!(port.check_value(&Value::from(80))?.is_fail());
    /// let even_or_large = Rule::any([Rule::even(), Rule::min(1000)])?;
    /// assert!(even_or_large.check_value(&Value::from(1001))?.is_pass());
    /// assert!(even_or_large.check_value(&Value::from(7))?.is_fail());
    /// assert_eq!((port.depth(), Rule::even().depth()), (2, 1));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn all(rules: impl IntoIterator<Item = Rule>) -> Result<Rule> {
        Ok(Rule::All(Rules::new(rules)?))
    }

    /// All rules must hold, evaluated one after the other. The outcome is that of [`all`](Rule::all), but a failure
    /// reports only the first rule that certainly fails, and later rules are not evaluated.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// let name = Rule::sequence([Rule::min_len(1), Rule::starts_with("vpc-")])?;
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

    /// At least one rule must hold; without rules no value passes.
    ///
    /// [Example](Rule::all)
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn any(rules: impl IntoIterator<Item = Rule>) -> Result<Rule> {
        Ok(Rule::Any(Rules::new(rules)?))
    }

    /// The rule must not hold, or the value is null.
    ///
    /// ```
    /// use plantime::rule::Rule;
    ///
    /// let error = Rule::not(Rule::IsNull).unwrap_err();
    /// assert_eq!(error.to_string(), "no value breaks not(is_null), as null passes not: write not_null");
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at), and for a rule that only null satisfies: as null passes, no value would break its
    /// negation ([`is_argument`](crate::Error::is_argument)).
    #[expect(clippy::should_implement_trait, reason = "it is fallible, and `!rule` would not read as a rule")]
    pub fn not(rule: Rule) -> Result<Rule> {
        let inside = Nested::new(rule)?;
        let constant = inside.constant_answer().negated();
        refuse_constant(Rule::Not(inside), constant, "not")
    }

    /// If `condition` holds, `rule` must hold too, or the value is null.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::value;
    ///
    /// let public = Rule::at("public".parse()?, Rule::equals(true))?;
    /// let encrypted = Rule::at("encrypted".parse()?, Rule::equals(true))?;
    /// let rule = Rule::when(public, encrypted)?;
    /// assert!(rule.check_value(&value!({ "public": false, "encrypted": false })?)?.is_pass());
    /// assert!(rule.check_value(&value!({ "public": true, "encrypted": false })?)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`not`](Rule::not): for a condition that only null satisfies, and a rule that only null breaks.
    pub fn implies(condition: Rule, rule: Rule) -> Result<Rule> {
        let (condition, rule) = (Nested::new(condition)?, Nested::new(rule)?);
        let constant = of_implication(&condition, &rule);
        refuse_constant(Rule::Implies(condition, rule), constant, "implies")
    }

    /// If `guard` holds, `rule` must hold too.
    ///
    /// [Example](Rule::implies)
    ///
    /// # Errors
    ///
    /// As for [`at`](Rule::at).
    pub fn when(guard: Rule, rule: Rule) -> Result<Rule> {
        Ok(Rule::When(Nested::new(guard)?, Nested::new(rule)?))
    }

    /// The number of levels of rules: 1 for a rule without rules inside. O(1).
    ///
    /// [Example](Rule::all)
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

/// Returns the rule; an error if `constant` says that it passes for every value. `name` is the keyword, for the
/// message.
fn refuse_constant(rule: Rule, constant: ConstantAnswer, name: &str) -> Result<Rule> {
    if constant != ConstantAnswer::Always(true) {
        return Ok(rule);
    }
    let message = match rule.depth() {
        // The text of a rule that nests is long, and may hold operands that are marked.
        2 if rule == Rule::Not(Nested::new(Rule::IsNull)?) => format!("no value breaks {rule}"),
        _ => format!("no value breaks this {name}"),
    };
    Err(Error::new(Kind::Argument, format!("{message}, as null passes {name}: write not_null")))
}
