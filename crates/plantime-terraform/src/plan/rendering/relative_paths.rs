//! The paths of a plan that lie below a value: those that force a replacement, those that the plan depends on.

use plantime::{Path, Step};

/// Paths relative to a value. An empty path is the value itself.
#[derive(Clone, Debug, Default)]
pub(super) struct RelativePaths<'p> {
    suffixes: Vec<&'p [Step]>,
    /// Whether every path is included, whatever `suffixes` has.
    is_everything: bool,
}

impl<'p> RelativePaths<'p> {
    /// The given paths.
    pub(super) fn of(paths: impl IntoIterator<Item = &'p Path>) -> RelativePaths<'p> {
        RelativePaths { suffixes: paths.into_iter().map(Path::steps).collect(), is_everything: false }
    }

    /// Every path.
    pub(super) fn all() -> RelativePaths<'p> {
        RelativePaths { suffixes: Vec::new(), is_everything: true }
    }

    /// Whether the value itself is one of the paths.
    pub(super) fn include_value(&self) -> bool {
        self.suffixes.iter().any(|rest| rest.is_empty())
    }

    /// Whether a path is the value itself or leads into it.
    pub(super) fn overlap_value(&self) -> bool {
        self.is_everything || !self.suffixes.is_empty()
    }

    /// The paths below the part that a step leads to, relative to that part.
    pub(super) fn below(&self, is_step: impl Fn(&Step) -> bool) -> RelativePaths<'p> {
        if self.suffixes.is_empty() {
            return RelativePaths { suffixes: Vec::new(), is_everything: self.is_everything };
        }
        let below = self.suffixes.iter().filter_map(|rest| rest.split_first());
        let suffixes = below.filter(|(step, _)| is_step(step)).map(|(_, rest)| rest).collect();
        RelativePaths { suffixes, is_everything: self.is_everything }
    }

    /// The paths below the attribute or map entry with this name.
    pub(super) fn below_name(&self, name: &str) -> RelativePaths<'p> {
        self.below(|step| match step {
            Step::Attr(attribute) => attribute.as_str() == name,
            Step::Index(key) => key.as_str().is_ok_and(|key| key == name),
        })
    }

    /// The paths below the element at an index.
    pub(super) fn below_index(&self, index: usize) -> RelativePaths<'p> {
        self.below(|step| match step {
            Step::Attr(_) => false,
            Step::Index(key) => {
                key.as_number().ok().and_then(plantime::Number::to_u64) == u64::try_from(index).ok()
            }
        })
    }

    /// Every path if the value itself is included, else the same paths: if a plan depends on a value, it depends on all parts.
    pub(super) fn with_descendants(self) -> RelativePaths<'p> {
        if self.include_value() { RelativePaths::all() } else { self }
    }
}
