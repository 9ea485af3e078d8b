//! Which other parts a rule looks at.

use super::{PathExpr, Rule};

impl Rule {
    /// The paths by which the rule looks at other parts, from the value that it is asked of; those of rules inside are
    /// their own.
    pub(crate) fn operands(&self) -> Vec<&PathExpr> {
        match self {
            Rule::ExactlyOneOf(paths)
            | Rule::AtLeastOneOf(paths)
            | Rule::Conflicting(paths)
            | Rule::RequiredTogether(paths)
            | Rule::AtLeastSumOf(paths)
            | Rule::AtMostSumOf(paths)
            | Rule::EqualToSumOf(paths)
            | Rule::EqualToProductOf(paths) => paths.iter().collect(),
            Rule::AlsoRequires(path, others) => std::iter::once(path).chain(others).collect(),
            Rule::RequiredWhen(requirement) => {
                std::iter::once(&requirement.path).chain(&requirement.required).collect()
            }
            Rule::PreferWriteOnly(path, alternative) => vec![path, alternative],
            _ => Vec::new(),
        }
    }
}
