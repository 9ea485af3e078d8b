//! Meet, join and containment of refinements. Nullness and range are combined separately.

use super::{Contradiction, Nullness, Range, Refinement};

impl Refinement {
    /// The refinement that exactly the values satisfying both refinements satisfy: γ(meet) = γ(a) ∩ γ(b).
    ///
    /// If both allow null and no other value satisfies both, the meet is [`null()`](Refinement::null).
    ///
    /// # Errors
    ///
    /// A [`Contradiction`] if no value satisfies both.
    pub fn meet(&self, other: &Refinement) -> Result<Refinement, Contradiction> {
        let null = self.allows_null() && other.allows_null();
        let range = match (self.nullness, other.nullness) {
            (Nullness::Null, _) | (_, Nullness::Null) => None,
            _ => self.range.meet(&other.range),
        };
        match (null, range) {
            (true, Some(range)) => Ok(Refinement { nullness: Nullness::Nullable, range }),
            (false, Some(range)) => Ok(Refinement { nullness: Nullness::NotNull, range }),
            (true, None) => Ok(Refinement::null()),
            (false, None) => Err(Contradiction::new(self, other)),
        }
    }

    /// The narrowest refinement that holds if either refinement holds: the smallest with γ(join) ⊇ γ(a) ∪ γ(b).
    #[must_use]
    pub fn join(&self, other: &Refinement) -> Refinement {
        match (self.nullness, other.nullness) {
            (Nullness::Null, Nullness::Null) => Refinement::null(),
            (Nullness::Null, _) => Refinement::of(other.range.clone()),
            (_, Nullness::Null) => Refinement::of(self.range.clone()),
            (Nullness::NotNull, Nullness::NotNull) => {
                Refinement { nullness: Nullness::NotNull, range: self.range.join(&other.range) }
            }
            _ => Refinement::of(self.range.join(&other.range)),
        }
    }

    /// Whether every value that satisfies `other` also satisfies this refinement: γ(self) ⊇ γ(other).
    pub fn contains(&self, other: &Refinement) -> bool {
        let null = self.allows_null() || !other.allows_null();
        let rest = match (self.nullness, other.nullness) {
            (_, Nullness::Null) => true,
            (Nullness::Null, _) => false,
            _ => self.range.covers(&other.range),
        };
        null && rest
    }

    /// Whether null satisfies the refinement.
    pub fn allows_null(&self) -> bool {
        self.nullness != Nullness::NotNull
    }
}

impl Range {
    /// The intersection of two ranges; `None` if it is empty, as for ranges of different kinds.
    fn meet(&self, other: &Range) -> Option<Range> {
        match (self, other) {
            (Range::Any, range) | (range, Range::Any) => Some(range.clone()),
            (Range::Prefix(a), Range::Prefix(b)) => a.meet(b).map(Range::Prefix),
            (Range::Number(a), Range::Number(b)) => a.meet(b).map(Range::Number),
            (Range::Length(a), Range::Length(b)) => a.meet(*b).map(Range::Length),
            _ => None,
        }
    }

    /// The smallest range that contains both ranges.
    fn join(&self, other: &Range) -> Range {
        match (self, other) {
            (Range::Prefix(a), Range::Prefix(b)) => a.join(b).map_or(Range::Any, Range::Prefix),
            (Range::Number(a), Range::Number(b)) => Range::number(a.join(b)),
            (Range::Length(a), Range::Length(b)) => Range::length(a.join(*b)),
            _ => Range::Any,
        }
    }

    /// Whether the range contains the other range.
    fn covers(&self, other: &Range) -> bool {
        match (self, other) {
            (Range::Any, _) => true,
            (Range::Prefix(a), Range::Prefix(b)) => a.covers(b),
            (Range::Number(a), Range::Number(b)) => a.covers(b),
            (Range::Length(a), Range::Length(b)) => a.covers(*b),
            _ => false,
        }
    }
}
