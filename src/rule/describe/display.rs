//! Writes a rule on one line: `Display` and `Debug`.

use std::fmt;

use crate::rule::Rule;
use crate::rule::keywords::operand::write_list;

/// The names are those of the [keyword table](crate::rule::keywords). Operands that are marked are not shown.
///
/// ```
/// use plantime::rule::Rule;
///
/// let rule = Rule::at("vpc_id".parse()?, Rule::all([Rule::NotNull, Rule::starts_with("vpc-")])?)?;
/// assert_eq!(rule.to_string(), r#"at(vpc_id, all(not_null, starts_with("vpc-")))"#);
/// # Ok::<(), plantime::Error>(())
/// ```
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Rule::At(path, rule) => write!(f, "{name}({path}, {})", &**rule),
            Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => write_rules(f, name, rules),
            Rule::Not(rule) | Rule::Keys(rule) => write!(f, "{name}({})", &**rule),
            Rule::Implies(a, b) | Rule::When(a, b) => write!(f, "{name}({}, {})", &**a, &**b),
            rule => write_leaf(rule, name, f),
        }
    }
}

/// Writes a rule without nested rules. Not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack
/// for all their frames.
#[inline(never)]
fn write_leaf(rule: &Rule, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    rule.operand().write_call(name, f)
}

/// Writes a name and rules: `all(not_null, even)`.
fn write_rules(f: &mut fmt::Formatter<'_>, name: &str, rules: &[Rule]) -> fmt::Result {
    f.write_str(name)?;
    write_list(f, rules)
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
