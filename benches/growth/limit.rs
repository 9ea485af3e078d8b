//! How fast a cost may grow.

#[derive(Clone, Copy, PartialEq)]
pub enum Growth {
    /// Not at all.
    Flat,
    /// As the logarithm, where something is looked up by halving.
    Halving,
    Linear,
    /// N log N, where something is sorted or looked up by halving.
    Sorting,
}

impl Growth {
    /// The highest exponent between a size and so many times that size. Over a factor of 10 a table that doubles
    /// just before its end still shows.
    pub fn most(self, size: usize, times: usize) -> f64 {
        let some = if times < 100 { 0.15 } else { 0.05 };
        let logarithm = |size: usize| (size as f64).log10();
        let halving = || (logarithm(size * times) / logarithm(size)).log10() / logarithm(times);
        match self {
            Growth::Flat => some,
            Growth::Halving => some + halving(),
            Growth::Linear => 1.0 + some,
            Growth::Sorting => 1.0 + some + halving(),
        }
    }

    /// What is said of it beside the exponent.
    pub fn kind(self) -> &'static str {
        match self {
            Growth::Flat | Growth::Linear => "",
            Growth::Halving => " (log n)",
            Growth::Sorting => " (n log n)",
        }
    }
}
