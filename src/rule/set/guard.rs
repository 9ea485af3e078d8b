//! Guards: conditions under which the rules of a set apply.

use crate::error::Result;
use crate::rule::{ExprStep, PathExpr, Rule};

/// A guard: rules on a value, on its parent and on the root that must hold for the rules of a set to apply.
///
/// If the guard does not hold, every rule passes. If it is undetermined, rules that pass still pass, and all others are
/// undetermined.
///
/// ```
/// use plantime::rule::Rule;
/// use plantime::rule::set::{Guard, RuleSet, RuledType};
/// use plantime::{Value, value};
///
/// let on = Rule::at("enabled".parse()?, Rule::equals(true))?;
/// let service = RuledType::new("object({enabled = bool, name = string})".parse::<plantime::Type>()?)
///     .at("name", RuleSet::new([Rule::min_len(1)]).when(Guard::parent(on)))?;
/// let valid = |enabled: Value| service.check(&value!({ "enabled": (enabled), "name": "" })?);
/// assert!(valid(false.into())?.outcome().is_pass());
/// assert!(valid(true.into())?.outcome().is_fail());
/// assert!(valid(Value::unknown(plantime::Type::Bool))?.outcome().is_undetermined());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The rules that must hold for the value itself.
    value: Vec<Rule>,
    /// The rules that must hold for its parent.
    parent: Vec<Rule>,
    /// The rules that must hold for the root.
    root: Vec<Rule>,
}

impl Guard {
    /// A rule that must hold for the value itself.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{Guard, RuleSet, RuledType};
    /// use plantime::{Type, value};
    ///
    /// let in_prod = Guard::root(Rule::at("stage".parse()?, Rule::equals("prod"))?);
    /// let set = RuleSet::new([Rule::min(2)]).when(in_prod.and(Guard::value(Rule::NotNull)));
    /// let service = RuledType::new("object({replicas = number, stage = string})".parse::<Type>()?).at("replicas", set)?;
    /// assert!(service.check(&value!({ "replicas": 1, "stage": "prod" })?)?.outcome().is_fail());
    /// assert!(service.check(&value!({ "replicas": 1, "stage": "test" })?)?.outcome().is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn value(rule: Rule) -> Guard {
        Guard { value: vec![rule], ..Guard::default() }
    }

    /// A rule that must hold for the parent of the value: the object of an attribute, the list of an element.
    ///
    /// [Example](Guard)
    pub fn parent(rule: Rule) -> Guard {
        Guard { parent: vec![rule], ..Guard::default() }
    }

    /// A rule that must hold for the root.
    ///
    /// [Example](Guard::value)
    pub fn root(rule: Rule) -> Guard {
        Guard { root: vec![rule], ..Guard::default() }
    }

    /// A guard that holds where this one and the other hold.
    ///
    /// [Example](Guard::value)
    #[must_use]
    pub fn and(mut self, other: Guard) -> Guard {
        self.value.extend(other.value);
        self.parent.extend(other.parent);
        self.root.extend(other.root);
        self
    }

    /// Whether a rule of the guard is about the parent, so that the guard cannot apply to the root.
    pub(super) fn needs_parent(&self) -> bool {
        !self.parent.is_empty()
    }

    /// Combines the guard into one rule on a value that is `depth` steps below the root.
    pub(super) fn rule(&self, depth: usize) -> Result<Rule> {
        let mut all = self.value.clone();
        for rule in &self.parent {
            all.push(Rule::at(parent_path(1)?, rule.clone())?);
        }
        for rule in &self.root {
            all.push(Rule::at(parent_path(depth)?, rule.clone())?);
        }
        if all.len() == 1
            && let Some(only) = all.pop()
        {
            return Ok(only);
        }
        Rule::all(all)
    }
}

/// The path expression that leads this many levels out of a value: one `<` for each.
fn parent_path(steps: usize) -> Result<PathExpr> {
    PathExpr::from_steps(std::iter::repeat_n(ExprStep::Parent, steps))
}
