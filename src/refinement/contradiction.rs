//! The error for two refinements that no value satisfies together.

use std::fmt;

use super::Refinement;
use crate::error::{Error, Kind};

/// The error that no value satisfies both an existing refinement and an assumed one.
///
/// Its message describes both, unless the existing one is [withheld](Contradiction::withhold_existing).
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
pub struct Contradiction(Box<Refinements>);

/// The two refinements; `existing` is `None` if it is withheld.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refinements {
    existing: Option<Refinement>,
    assumed: Refinement,
}

impl Contradiction {
    #[cold]
    pub(super) fn new(existing: &Refinement, assumed: &Refinement) -> Contradiction {
        Contradiction(Box::new(Refinements { existing: Some(existing.clone()), assumed: assumed.clone() }))
    }

    /// The existing refinement, whose [`meet`](Refinement::meet) was called; `None` if it is withheld.
    ///
    /// [Example](Contradiction)
    pub fn existing(&self) -> Option<&Refinement> {
        self.0.existing.as_ref()
    }

    /// The assumed refinement, the argument of [`meet`](Refinement::meet).
    ///
    /// [Example](Contradiction)
    pub fn assumed(&self) -> &Refinement {
        &self.0.assumed
    }

    /// The contradiction without the existing refinement, for a value whose content must not be shown.
    ///
    /// [Example](Contradiction)
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
        write!(f, " contradicts the assumption ({})", self.0.assumed.describe_demand())
    }
}

impl std::error::Error for Contradiction {}

impl From<Contradiction> for Error {
    fn from(contradiction: Contradiction) -> Error {
        Error::new(Kind::Contradiction, contradiction.to_string())
    }
}
