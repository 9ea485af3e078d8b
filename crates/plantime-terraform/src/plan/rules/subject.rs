//! What a rule is about: which resources and outputs its subject matches.

use std::fmt;

use super::rules_file::Subject;
use crate::plan::ResourceChange;
use crate::plan::address::glob;

/// A pattern of names, in which `*` stands for any text.
///
/// ```
/// use plantime_terraform::plan::NamePattern;
///
/// let pattern = NamePattern::new("*password*");
/// assert!(pattern.matches("db_password") && !pattern.matches("url"));
/// assert!(pattern.has_wildcard());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamePattern(String);

impl NamePattern {
    /// The pattern with this text.
    ///
    /// [Example](NamePattern)
    pub fn new(text: impl Into<String>) -> NamePattern {
        NamePattern(text.into())
    }

    /// Whether the pattern matches a name.
    ///
    /// [Example](NamePattern)
    pub fn matches(&self, name: &str) -> bool {
        glob(&self.0, name)
    }

    /// Whether the pattern may match several names.
    ///
    /// [Example](NamePattern)
    pub fn has_wildcard(&self) -> bool {
        self.0.contains('*')
    }

    /// The pattern as it was written.
    ///
    /// [Example](NamePattern)
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for NamePattern {
    fn from(text: &str) -> NamePattern {
        NamePattern::new(text)
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Subject {
    /// Whether the rule is about a resource.
    pub(in crate::plan) fn matches(&self, change: &ResourceChange) -> bool {
        matches!(self, Subject::Resource(patterns) if patterns.iter().any(|pattern| pattern.matches(change)))
    }

    /// Whether the rule may be about resources of the type of this one.
    pub(in crate::plan) fn matches_type(&self, change: &ResourceChange) -> bool {
        matches!(self, Subject::Resource(patterns) if patterns.iter().any(|pattern| pattern.matches_type(change)))
    }

    /// Whether only patterns with a wildcard in the type match the type of a resource: then it may lack what the rule is about.
    pub(in crate::plan) fn names_no_type_of(&self, change: &ResourceChange) -> bool {
        let Subject::Resource(patterns) = self else { return false };
        let mut matching = patterns.iter().filter(|pattern| pattern.matches_type(change));
        matching.all(|pattern| pattern.type_name().contains('*'))
    }
}
