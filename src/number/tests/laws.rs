//! Arithmetic against fractions, over a small ring and at random.

use std::cmp::Ordering;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::model::{self, Model, Undefined};
use super::{canonical, hash};
use crate::limits::DIVISION_DIGITS;
use crate::number::{Number, digits};

/// Everything there is to check about two numbers.
#[track_caller]
fn check_pair(a: &Number, b: &Number) {
    let (x, y) = (Model::of(a), Model::of(b));
    assert_eq!(a.cmp(b), x.cmp(&y), "{a} <=> {b}");
    assert_eq!(a == b, x.cmp(&y) == Ordering::Equal, "{a} == {b}");
    if a == b {
        assert_eq!(hash(a), hash(b));
    }
    let check =
        |name: &str, ours: crate::Result<Number>, theirs: Result<Model, Undefined>| match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(Model::of(&canonical(ours)).cmp(&theirs), Ordering::Equal, "{a} {name} {b}");
            }
            (Err(error), Err(Undefined)) => assert!(error.is_undefined(), "{a} {name} {b}: {error}"),
            (Err(error), Ok(theirs)) => {
                assert!(error.is_limit() && theirs.is_long(), "{a} {name} {b}: {error}")
            }
            (Ok(ours), Err(Undefined)) => panic!("{a} {name} {b} is {ours}"),
        };
    check("+", a.add(b), x.add(&y));
    check("-", a.subtract(b), x.sub(&y));
    check("*", a.multiply(b), x.mul(&y));
    check("rem", a.modulo(b), x.rem(&y));
    match (a.div_inexact(b), x.div(&y)) {
        (Ok((ours, true)), Ok(theirs)) => {
            assert!(!theirs.ends(), "{a} / {b}");
            assert!(theirs.rounds_to(&canonical(ours), DIVISION_DIGITS), "{a} / {b}");
        }
        (ours, theirs) => check("/", ours.map(|(quotient, _)| quotient), theirs),
    }
}

fn check_one(a: &Number) {
    let x = Model::of(a);
    canonical(a.clone());
    assert_eq!(Model::of(&canonical(-a)).cmp(&x.neg()), Ordering::Equal);
    assert_eq!(canonical(a.absolute()), if a.is_negative() { -a } else { a.clone() });
    for whole in [a.floor(), a.ceil(), a.trunc()] {
        assert!(canonical(whole.clone()).is_integer() || a.is_infinite());
        assert!(a.is_infinite() || whole.subtract(a).unwrap().absolute() < Number::ONE);
    }
    assert!(a.floor() <= *a && *a <= a.ceil());
    assert_eq!(a.trunc(), if a.is_negative() { a.ceil() } else { a.floor() });
    if a.is_finite() {
        let float = a.to_f64();
        assert_eq!(float, a.to_string().parse::<f64>().unwrap());
    }
}

#[test]
fn arithmetic_agrees_with_fractions_over_a_small_ring() {
    let mut ring = vec![Number::INFINITY, Number::NEG_INFINITY];
    for mantissa in -16_i64..=16 {
        ring.extend((0..=2).map(|scale| Number::small(mantissa, scale).unwrap()));
    }
    for edge in [i64::MAX.into(), i64::MIN.into(), i128::from(u64::MAX), i128::from(i64::MIN) * 10, 1 << 100]
    {
        for scale in [0, 1, 17, 30] {
            for near in -1..=1 {
                ring.push(canonical(Number::medium(edge + near, scale).unwrap()));
            }
        }
    }
    for a in &ring {
        check_one(a);
        for b in &ring {
            check_pair(a, b);
        }
    }
    println!("{} pairs", ring.len() * ring.len());
}

fn any_number() -> impl Strategy<Value = Number> {
    let digits = prop_oneof![6 => 1..25_usize, 2 => 25..400_usize, 1 => 7900..8100_usize];
    let mantissa = digits.prop_flat_map(|digits| {
        let digit = prop_oneof![3 => Just(0_u8), 1 => Just(9_u8), 4 => 0..10_u8];
        (any::<bool>(), prop::collection::vec(digit, digits))
    });
    let scale = prop_oneof![2 => Just(0_i32), 6 => -25..25_i32, 2 => -400..400_i32, 1 => -8100..8100_i32];
    (mantissa, scale).prop_map(|((negative, digits), scale)| {
        let digits: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let sign = if negative { "-" } else { "" };
        format!("{sign}{digits}e{scale}").parse().unwrap_or_else(|_| Number::from(scale))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_agrees_with_fractions(a in any_number(), b in any_number()) {
        check_one(&a);
        check_pair(&a, &b);
    }

    #[test]
    fn sum_and_difference_undo_each_other(a in any_number(), b in any_number()) {
        if let Ok(sum) = a.add(&b) {
            prop_assert_eq!(sum.subtract(&b).unwrap(), a.clone());
            prop_assert_eq!(b.add(&a).unwrap(), sum);
        }
        if let Ok(product) = a.multiply(&b) && !b.is_zero() {
            prop_assert_eq!(product.div_inexact(&b).unwrap(), (a.clone(), false));
        }
    }

    #[test]
    fn floats_survive(bits in any::<u64>()) {
        let float = f64::from_bits(bits);
        if !float.is_nan() {
            prop_assert_eq!(Number::try_from(float).unwrap().to_f64(), float);
        }
    }

    #[test]
    fn plain_text_reads_back(a in any_number()) {
        canonical(a);
    }

    #[test]
    fn any_text_is_a_number_or_an_error(text in "[-+0-9.eE_infI]{0,12}") {
        if let Ok(number) = text.parse::<Number>() {
            canonical(number);
        }
    }

    #[test]
    fn digits_are_counted(number in any_number()) {
        let mantissa = model::mantissa(&number);
        let shown = if mantissa == BigInt::ZERO { 0 } else { mantissa.magnitude().to_string().len() };
        prop_assert_eq!(digits::count(mantissa.magnitude()), shown as u64);
    }
}
