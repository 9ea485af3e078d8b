//! When no value agrees with two refinements.

use std::fmt;

use super::Refinement;
use crate::error::{Error, Kind};

/// No value agrees both with what was known and with what was assumed.
///
/// Its text quotes both in words, unless what was known is [withheld](Contradiction::withhold_existing).
///
/// ```
/// use plantime::Refinement;
///
/// let known = Refinement::prefix("vpc-").and_not_null();
/// let contradiction = known.meet(&Refinement::prefix("subnet-")).unwrap_err();
/// assert_eq!(
///     contradiction.to_string(),
///     r#"what is known (not null, starts with "vpc-") contradicts the assumption (starts with "subnet-")"#,
/// );
/// assert!(plantime::Error::from(contradiction).is_contradiction());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    existing: Option<Refinement>,
    assumed: Refinement,
}

impl Contradiction {
    #[cold]
    pub(super) fn new(existing: &Refinement, assumed: &Refinement) -> Contradiction {
        Contradiction(Box::new(Parts { existing: Some(existing.clone()), assumed: assumed.clone() }))
    }

    /// What was known before: the refinement whose [`meet`](Refinement::meet) was asked for.
    pub fn existing(&self) -> Option<&Refinement> {
        self.0.existing.as_ref()
    }

    /// What was assumed on top: the argument.
    pub fn assumed(&self) -> &Refinement {
        &self.0.assumed
    }

    /// The contradiction without the earlier facts, for a value whose content must not be shown.
    #[must_use]
    pub fn withhold_existing(mut self) -> Contradiction {
        self.0.existing = None;
        self
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what is known")?;
        if let Some(existing) = &self.0.existing {
            write!(f, " ({})", existing.describe())?;
        }
        write!(f, " contradicts the assumption ({})", self.0.assumed.demand())
    }
}

impl std::error::Error for Contradiction {}

impl From<Contradiction> for Error {
    fn from(contradiction: Contradiction) -> Error {
        Error::new(Kind::Contradiction, contradiction.to_string())
    }
}
