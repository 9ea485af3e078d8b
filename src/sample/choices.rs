//! Where randomness comes from, and how it is spent.

use super::Size;

/// A source of choices: a [`Seed`], or the bytes of a fuzzer (`Unstructured` of the crate `arbitrary`).
///
/// A source that runs dry goes on with 0, which every generator makes the simplest.
pub trait Choices {
    /// A number below `bound`; 0 for a bound of 0.
    fn below(&mut self, bound: u64) -> u64;
}

/// Choices without end from a number: the same ones for the same number (SplitMix64).
///
/// ```
/// use plantime::sample::{Sampler, Seed, Size};
///
/// let value = |seed: u64| Sampler::new(&mut Seed::new(seed), Size::default()).pair();
/// assert_eq!(value(7), value(7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    /// The choices of this number.
    pub const fn new(seed: u64) -> Seed {
        Seed(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Choices for Seed {
    fn below(&mut self, bound: u64) -> u64 {
        // The bias is bound / 2^64.
        self.bits().checked_rem(bound).unwrap_or(0)
    }
}

/// Makes random values and what belongs to them out of [`Choices`], within a [`Size`].
///
/// | method | makes |
/// |---|---|
/// | [`number`](Sampler::number), [`text`](Sampler::text), [`mark`](Sampler::mark) | small things with the traps of their kind |
/// | [`ty`](Sampler::ty), [`constraint`](Sampler::constraint), [`constraint_for`](Sampler::constraint_for) | types and constraints |
/// | [`concrete`](Sampler::concrete), [`concrete_of`](Sampler::concrete_of) | wholly known values |
/// | [`pair`](Sampler::pair), [`pair_of`](Sampler::pair_of), [`pair_of_type`](Sampler::pair_of_type) | a concrete value and one that contains it |
/// | [`weakened`](Sampler::weakened) | a value that contains the given one, also one that is not wholly known |
/// | [`refinement`](Sampler::refinement), [`refinement_of`](Sampler::refinement_of), [`refinement_holding`](Sampler::refinement_holding) | refinements |
/// | [`marked`](Sampler::marked) | the value with marks at random places |
/// | [`path`](Sampler::path), [`path_in`](Sampler::path_in) | paths |
/// | `rule_for` (feature `rules`) | rules that can read a type |
///
/// What is made of all choices of one sampler has at most `parts` parts; [`refill`](Sampler::refill) begins anew.
///
/// ```
/// use plantime::sample::{Sampler, Seed, Size, may_become};
///
/// let mut seed = Seed::new(1);
/// let mut sampler = Sampler::new(&mut seed, Size::default());
/// for _ in 0..100 {
///     sampler.refill();
///     let pair = sampler.pair();
///     // Weakened twice: a chain of values that contain each other.
///     let wider = sampler.weakened(pair.value());
///     assert!(may_become(pair.value(), pair.concrete()) && may_become(&wider, pair.concrete()));
/// }
/// ```
pub struct Sampler<'c> {
    choices: &'c mut dyn Choices,
    pub(super) size: Size,
    parts: usize,
}

impl std::fmt::Debug for Sampler<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampler")
            .field("size", &self.size)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}

impl Sampler<'_> {
    /// A sampler that chooses by `choices`.
    pub fn new(choices: &mut dyn Choices, size: Size) -> Sampler<'_> {
        Sampler { choices, size, parts: size.parts }
    }

    /// Begins anew, with all parts of the size.
    pub fn refill(&mut self) {
        self.parts = self.size.parts;
    }

    /// A number below `bound`; 0 for a bound of 0. For choices of your own.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.choices.below(bound as u64)).unwrap_or(0)
    }

    /// Yes, so many times of so many; no where the source has run dry.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) >= of.saturating_sub(times)
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.choices.below(u64::MAX)
    }

    pub(super) fn pick<T: Clone>(&mut self, items: &[T], otherwise: T) -> T {
        let place = self.below(items.len());
        items.get(place).cloned().unwrap_or(otherwise)
    }

    /// Takes parts from what is left.
    pub(super) fn spend(&mut self, parts: usize) {
        self.parts = self.parts.saturating_sub(parts);
    }

    pub(super) fn left(&self) -> usize {
        self.parts
    }

    /// A length of something whose elements have so many parts.
    pub(super) fn length(&mut self, each: usize) -> usize {
        let most = self.left().checked_div(each.max(1)).unwrap_or(0).min(self.size.width);
        self.below(most.saturating_add(1))
    }
}
