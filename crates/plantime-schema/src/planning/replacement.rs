//! The changes that force a replacement of the object.

use plantime::Path;
use plantime::rule::{Replaces, Why};

/// A value whose change replaces the object, or may replace it.
///
/// [Example](super::plan_resource)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Replacement {
    /// The path of the value.
    pub path: Path,
    /// Whether the change replaces the object for certain, or may replace it, with what that depends on; never `No`.
    pub replaces: Replaces,
    /// What makes the change a replacement.
    pub trigger: Trigger,
}

/// What makes a change a replacement.
///
/// [Example](super::plan_resource)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Trigger {
    /// Every change of the value replaces the object.
    Change,
    /// A change replaces the object if a rule holds for it.
    Condition,
    /// A change replaces the object if the configuration sets the value.
    Configured,
    /// A [`CustomizeDiff`](super::CustomizeDiff) of the provider makes the change a replacement.
    Customized,
}

impl Replacement {
    /// A replacement that may happen; `why` says what it depends on.
    pub(super) fn possible(path: Path, why: Why, trigger: Trigger) -> Replacement {
        Replacement { path, replaces: Replaces::Maybe(why), trigger }
    }
}

/// Whether the object is replaced, given all replacements that its changes force or may force.
pub(super) fn overall(replacements: &[Replacement]) -> Replaces {
    let mut open: Option<Why> = None;
    for one in replacements {
        match &one.replaces {
            Replaces::Yes => return Replaces::Yes,
            Replaces::No => {}
            Replaces::Maybe(why) => {
                open = Some(match open.take() {
                    Some(before) => before.and(why.clone()),
                    None => why.clone(),
                });
            }
        }
    }
    open.map_or(Replaces::No, Replaces::Maybe)
}
