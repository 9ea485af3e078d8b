//! How grave a failure is: the severities of rules, in their order.

use plantime::rule::Severity;

/// How grave a failure of a rule is, as its author says.
///
/// | name | rank | fails the run |
/// |---|---|---|
/// | `info` | 0 | from `--fail-on info` |
/// | `low`, `warning` | 1 | from `--fail-on low` or `warning` |
/// | `medium` | 2 | from `--fail-on medium` |
/// | `high`, `error` | 3 | without an option, and from `--fail-on high` or `error` |
/// | `critical` | 4 | always |
///
/// A rule that says nothing has `error`.
///
/// ```
/// use plantime_terraform::plan::SeverityLevel;
///
/// let medium = SeverityLevel::named("medium").unwrap();
/// assert!(medium.reaches(SeverityLevel::Warning) && !medium.reaches(SeverityLevel::default()));
/// assert!(SeverityLevel::Error.reaches(SeverityLevel::High) && SeverityLevel::High.reaches(SeverityLevel::Error));
/// assert_eq!((medium.name(), medium.rank()), ("medium", 2));
/// assert_eq!(SeverityLevel::named("fatal"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SeverityLevel {
    /// Good to know.
    Info,
    /// Little harm.
    Low,
    /// As `low`.
    Warning,
    /// Between `low` and `high`.
    Medium,
    /// Fails the run by default.
    High,
    /// As `high`.
    #[default]
    Error,
    /// Fails every run.
    Critical,
}

impl SeverityLevel {
    /// All levels with their names, in ascending order.
    pub const NAMES: &'static [(&'static str, SeverityLevel)] = &[
        ("info", SeverityLevel::Info),
        ("low", SeverityLevel::Low),
        ("warning", SeverityLevel::Warning),
        ("medium", SeverityLevel::Medium),
        ("high", SeverityLevel::High),
        ("error", SeverityLevel::Error),
        ("critical", SeverityLevel::Critical),
    ];

    /// The level with this name.
    ///
    /// [Example](SeverityLevel)
    pub fn named(name: &str) -> Option<SeverityLevel> {
        SeverityLevel::NAMES.iter().find(|(known, _)| *known == name).map(|(_, level)| *level)
    }

    /// The name of the level in rules files.
    ///
    /// [Example](SeverityLevel)
    pub fn name(self) -> &'static str {
        SeverityLevel::NAMES.iter().find(|(_, level)| *level == self).map_or("", |(name, _)| name)
    }

    /// The place in the order of the levels, the least grave first; two names may have one rank.
    ///
    /// [Example](SeverityLevel)
    pub fn rank(self) -> u8 {
        match self {
            SeverityLevel::Info => 0,
            SeverityLevel::Low | SeverityLevel::Warning => 1,
            SeverityLevel::Medium => 2,
            SeverityLevel::High | SeverityLevel::Error => 3,
            SeverityLevel::Critical => 4,
        }
    }

    /// Whether the level is at least as grave as a bound.
    ///
    /// [Example](SeverityLevel)
    pub fn reaches(self, bound: SeverityLevel) -> bool {
        self.rank() >= bound.rank()
    }

    /// Whether a failure of this level fails a run that fails from a bound on.
    pub(in crate::plan) fn severity(self, bound: SeverityLevel) -> Severity {
        if self.reaches(bound) { Severity::Error } else { Severity::Warning }
    }
}
