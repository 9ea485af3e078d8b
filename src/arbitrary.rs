//! Implements `Arbitrary` of the crate `arbitrary`: builds values from a fuzzer's bytes.
//!
//! A value has at most as many parts as the input has bytes, and at most 512 on eight levels. Input that is used up
//! gives the simplest value.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::constraint::TypeConstraint;
use crate::mark::Mark;
use crate::number::Number;
use crate::path::Path;
use crate::refinement::Refinement;
use crate::sample::{Choices, Sampler, Size, Weakened};
use crate::types::Type;
use crate::value::Value;

impl Choices for Unstructured<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        bound.checked_sub(1).map_or(0, |most| self.int_in_range(0..=most).unwrap_or(0))
    }
}

/// Runs `make` with a sampler that takes its choices from a fuzzer's input.
fn made<T>(input: &mut Unstructured<'_>, make: impl FnOnce(&mut Sampler<'_>) -> T) -> Result<T> {
    let size = Size { depth: 8, parts: input.len().min(512), width: 64, text: 16 };
    Ok(make(&mut Sampler::new(input, size)))
}

macro_rules! arbitrary {
    ($($(#[$doc:meta])* $ty:ty: $make:expr;)*) => {$(
        $(#[$doc])*
        impl<'a> Arbitrary<'a> for $ty {
            fn arbitrary(input: &mut Unstructured<'a>) -> Result<$ty> {
                made(input, $make)
            }
        }
    )*};
}

arbitrary! {
    Number: |sampler| sampler.number();
    Mark: |sampler| sampler.mark();
    Path: |sampler| sampler.path();
    Refinement: |sampler| sampler.refinement();
    /// Generates a type that may contain `dynamic`.
    Type: |sampler| {
        let dynamic = sampler.chance(1, 3);
        sampler.ty(dynamic)
    };
    TypeConstraint: |sampler| sampler.constraint();
    /// Generates a value of any level of known-ness, sometimes marked: like a [`Weakened`] without the concrete
    /// value.
    Value: |sampler| {
        let value = sampler.pair().into_parts().1;
        if sampler.chance(1, 4) { sampler.marked(&value) } else { value }
    };
    /// Generates a pair of values without marks.
    Weakened: |sampler| sampler.pair();
}

impl Weakened {
    /// Generates a pair whose concrete value is of this type.
    ///
    /// ```
    /// use arbitrary::Unstructured;
    /// use plantime::Type;
    /// use plantime::sample::Weakened;
    ///
    /// let mut input = Unstructured::new(b"bytes of a fuzzer");
    /// let pair = Weakened::arbitrary_of(&Type::Number, &mut input)?;
    /// assert_eq!(pair.concrete().ty(), Type::Number);
    /// # Ok::<(), arbitrary::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Never: input that is used up gives the simplest value.
    pub fn arbitrary_of(ty: &Type, input: &mut Unstructured<'_>) -> Result<Weakened> {
        made(input, |sampler| sampler.pair_of_type(ty))
    }
}
