//! Rust types and values: what is made is read as the same.

use arbitrary::Unstructured;
use plantime::sample::{Sampler, Size};
use proptest::collection::vec;
use proptest::prelude::any;

use crate::checks::bridge;
use crate::{law, pairs};

#[test]
fn what_is_made_of_a_struct_is_read_as_the_same() {
    law(256, &vec(any::<u8>(), 0..4_000), |bytes| {
        let mut choices = Unstructured::new(&bytes);
        let mut sampler = Sampler::new(&mut choices, Size { parts: 40, ..Size::default() });
        bridge::round_trip(&bridge::record(&mut sampler, 2));
    });
}

#[test]
fn whatever_is_read_from_a_value_is_made_again() {
    law(256, &pairs(), |pair| {
        bridge::reads(pair.value());
        bridge::reads(pair.concrete());
    });
}
