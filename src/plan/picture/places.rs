//! Places below a value: those that force a replacement, those that contributed to a plan.

use crate::path::{Path, Step};

/// Places in a value, as the rest of a path for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Places<'p> {
    rests: Vec<&'p [Step]>,
    /// Whether all places are meant, whatever the paths say.
    is_all: bool,
}

impl<'p> Places<'p> {
    /// The places that these paths lead to.
    pub(super) fn of(paths: impl IntoIterator<Item = &'p Path>) -> Places<'p> {
        Places { rests: paths.into_iter().map(Path::steps).collect(), is_all: false }
    }

    /// All places.
    pub(super) fn all() -> Places<'p> {
        Places { rests: Vec::new(), is_all: true }
    }

    /// Whether the value itself is one of the places.
    pub(super) fn is_here(&self) -> bool {
        self.rests.iter().any(|rest| rest.is_empty())
    }

    /// Whether a place is the value itself, is in it, or contains it.
    pub(super) fn touches(&self) -> bool {
        self.is_all || !self.rests.is_empty()
    }

    /// The places in the part that a step leads to.
    pub(super) fn below(&self, is_step: impl Fn(&Step) -> bool) -> Places<'p> {
        if self.rests.is_empty() {
            return Places { rests: Vec::new(), is_all: self.is_all };
        }
        let below = self.rests.iter().filter_map(|rest| rest.split_first());
        let rests = below.filter(|(step, _)| is_step(step)).map(|(_, rest)| rest).collect();
        Places { rests, is_all: self.is_all }
    }

    /// The places in the attribute or map element with this name.
    pub(super) fn below_name(&self, name: &str) -> Places<'p> {
        self.below(|step| match step {
            Step::Attr(attribute) => attribute.as_str() == name,
            Step::Index(key) => key.as_str().is_ok_and(|key| key == name),
        })
    }

    /// The places in the element at an index.
    pub(super) fn below_index(&self, index: usize) -> Places<'p> {
        self.below(|step| match step {
            Step::Attr(_) => false,
            Step::Index(key) => {
                key.as_number().ok().and_then(crate::number::Number::to_u64) == u64::try_from(index).ok()
            }
        })
    }

    /// As these places, with everything below a place that is reached: what contributed to a plan, contributed with all
    /// its parts.
    pub(super) fn with_parts(self) -> Places<'p> {
        if self.is_here() { Places::all() } else { self }
    }
}
