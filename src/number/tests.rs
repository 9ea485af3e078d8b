#![expect(clippy::arithmetic_side_effects, reason = "where a test overflows, it fails")]

mod grammar;
mod laws;
mod model;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Number, Repr, Rounding, digits};
use crate::limits::{DIGITS, DIVISION_DIGITS};
use crate::text::Text;

#[track_caller]
fn n(text: &str) -> Number {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks that a number is in its one form, and hands it on.
#[track_caller]
fn canonical(number: Number) -> Number {
    match &number.0 {
        Repr::Small { mantissa, scale } => assert!(*scale == 0 || mantissa % 10 != 0, "{number}"),
        Repr::Big(big) => {
            assert!(big.mantissa().to_i64().is_none(), "{number}");
            assert!(big.scale() == 0 || &*big.mantissa() % 10 != BigInt::ZERO, "{number}");
        }
        Repr::Infinity | Repr::NegInfinity => return number,
    }
    let text = number.to_string();
    assert!(text.bytes().filter(u8::is_ascii_digit).count() <= DIGITS, "{} bytes", text.len());
    assert_eq!(text.parse::<Number>().unwrap(), number);
    number
}

fn hash(number: &Number) -> u64 {
    let mut hasher = DefaultHasher::new();
    number.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn a_number_is_two_words() {
    #[expect(dead_code, reason = "measured only")]
    enum Leaf {
        Number(Number),
        Text(Text),
        Node(Arc<()>),
    }
    assert_eq!((size_of::<Number>(), size_of::<Option<Number>>()), (16, 16));
    assert_eq!((size_of::<Leaf>(), size_of::<Option<Leaf>>()), (24, 24));
    fn shared<T: Send + Sync>() {}
    shared::<Number>();
}

#[test]
fn one_value_has_one_form() {
    for same in [
        ["1", "1.0", "10e-1", "0.1e1"],
        ["0", "-0", "0e5", "-0.0"],
        ["1e30", "1000000000000000000000000000000", "1e30", "1000000000000000000000000000000.0"],
        [
            "123456789012345678901.5",
            "1234567890123456789015e-1",
            "123456789012345678901.50",
            "0123456789012345678901.5",
        ],
    ] {
        for text in same {
            assert_eq!(n(text), n(same[0]));
            assert_eq!(hash(&n(text)), hash(&n(same[0])));
            assert_eq!(n(text).cmp(&n(same[0])), Ordering::Equal);
        }
    }
    let set: HashSet<Number> = [Number::from(1_u8), n("1"), n("1.00"), Number::ONE].into();
    assert_eq!(set.len(), 1);
}

#[test]
fn numbers_come_from_integers_and_floats() {
    assert_eq!(Number::from(i64::MIN), n("-9223372036854775808"));
    assert_eq!(Number::from(u64::MAX), n("18446744073709551615"));
    assert_eq!(Number::from(i128::MIN), n("-170141183460469231731687303715884105728"));
    assert_eq!(Number::from(u128::MAX), n("340282366920938463463374607431768211455"));
    assert_eq!(Number::from(u128::from(7_u8)), Number::from(7_usize));
    assert_eq!(Number::from(-7_isize), Number::from(-7_i8));
    for (float, text) in [
        (0.1, "0.1"),
        (-0.0, "0"),
        (1e21, "1000000000000000000000"),
        (2.5e-8, "0.000000025"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        assert_eq!(canonical(Number::try_from(float).unwrap()), n(text));
    }
    canonical(Number::try_from(f64::MAX).unwrap());
    assert_eq!(Number::try_from(f64::MIN_POSITIVE).unwrap().to_f64(), f64::MIN_POSITIVE);
    assert!(Number::try_from(f64::NAN).unwrap_err().is_argument());
}

#[test]
fn numbers_become_integers_and_floats() {
    assert_eq!(n("-9223372036854775808").to_i64(), Some(i64::MIN));
    assert_eq!(n("9223372036854775808").to_i64(), None);
    assert_eq!(n("18446744073709551615").to_u64(), Some(u64::MAX));
    assert_eq!(n("-1").to_u64(), None);
    assert_eq!(n("170141183460469231731687303715884105727").to_i128(), Some(i128::MAX));
    assert_eq!(n("1.5").to_i128(), None);
    assert_eq!(Number::INFINITY.to_i64(), None);
    assert_eq!(n("0.1").to_f64(), 0.1);
    assert_eq!(n("9007199254740993").to_f64(), 9007199254740992.0);
    assert_eq!(n("9007199254740993.00000000000000000000000001").to_f64(), 9007199254740994.0);
    assert_eq!(n("1e400").to_f64(), f64::INFINITY);
    assert_eq!(n("-1e400").to_f64(), f64::NEG_INFINITY);
    assert_eq!(n("1e-400").to_f64(), 0.0);
}

#[test]
fn questions() {
    for (text, signum, integer) in [
        ("-inf", -1, false),
        ("-1e30", -1, true),
        ("-0.5", -1, false),
        ("0", 0, true),
        ("2", 1, true),
        ("inf", 1, false),
    ] {
        let number = n(text);
        assert_eq!((number.signum(), number.is_integer()), (signum, integer), "{text}");
        assert_eq!(
            (number.is_zero(), number.is_negative(), number.is_positive()),
            (signum == 0, signum < 0, signum > 0)
        );
        assert_eq!(number.is_infinite(), text.ends_with("inf"));
        assert_eq!(number.is_finite(), !number.is_infinite());
    }
}

#[test]
fn printing_pads_and_debug_names_the_type() {
    assert_eq!(
        format!("{:>6}|{:<6}|{:06}|{:+}", n("1.5"), n("-2"), n("-1.5"), n("0.25")),
        "   1.5|-2    |-001.5|+0.25"
    );
    assert_eq!(format!("{:>5}|{:05}", Number::INFINITY, Number::NEG_INFINITY), "  inf|-inf ");
    assert_eq!(format!("{:?}", n("1.5")), "Number(1.5)");
}

/// The precision of a format was ignored.
#[test]
fn a_precision_rounds_and_fills_the_places() {
    let rows = [
        ("0.123456", "0.123", "0"),
        ("2.5", "2.500", "2"),
        ("-0.0004", "0.000", "0"),
        ("-1.9996", "-2.000", "-2"),
        ("7", "7.000", "7"),
        ("12345678901234567890.5", "12345678901234567890.500", "12345678901234567890"),
    ];
    for (number, three, none) in rows {
        assert_eq!(format!("{:.3}|{:.0}", n(number), n(number)), format!("{three}|{none}"), "{number}");
    }
    assert_eq!(format!("{:>8.2}|{:08.2}|{:+.1}", n("1.255"), n("-1.5"), n("3")), "    1.26|-0001.50|+3.0");
    assert_eq!(format!("{:.1}|{:.0}", Number::INFINITY, Number::NEG_INFINITY), "inf|-inf");
}

#[test]
fn decimal_arithmetic_is_exact() {
    assert_eq!(n("0.1").add(&n("0.2")).unwrap(), n("0.3"));
    assert_ne!(n("18446744073709551616").add(&Number::ONE).unwrap(), n("18446744073709551616"));
    assert_eq!(n("9223372036854775807").add(&n("9223372036854775810")).unwrap(), n("18446744073709551617"));
    assert_eq!(n("0.3").modulo(&n("0.1")).unwrap(), Number::ZERO);
    assert_eq!(-n("-9223372036854775808"), n("9223372036854775808"));
    assert_eq!(canonical(-&n("9223372036854775808")), n("-9223372036854775808"));
    assert!(matches!(n("9223372036854775808").negate().0, Repr::Small { mantissa: i64::MIN, scale: 0 }));
    assert_eq!(n("-inf").absolute(), Number::INFINITY);
}

#[test]
fn a_quotient_that_ends_is_exact() {
    let exact = |a: &str, b: &str| {
        let (quotient, rounded) = n(a).div_inexact(&n(b)).unwrap();
        assert!(!rounded, "{a} / {b}");
        canonical(quotient)
    };
    assert_eq!(exact("1", "8"), n("0.125"));
    assert_eq!(exact("-1", "0.5"), n("-2"));
    assert_eq!(exact("1", "1e8000"), n("1e-8000"));
    assert_eq!(exact("1e8000", "1e-100"), n("1e8100"));
    assert_eq!(exact("6e-8191", "3"), n("2e-8191"));
    let long = "7".repeat(DIGITS);
    assert_eq!(exact(&long, "1"), n(&long));
    assert_eq!(exact(&long, &long), Number::ONE);
    assert_eq!(exact(&long, "7"), n(&"1".repeat(DIGITS)));
    let power = Number::canonical(BigInt::from(2).pow(2000), 0);
    let inverse = Number::ONE.divide(&power).unwrap();
    assert_eq!(canonical(inverse).multiply(&power).unwrap(), Number::ONE);
}

#[test]
fn a_quotient_that_does_not_end_has_155_digits_half_even() {
    let digits = |a: &str, b: &str| {
        let (quotient, rounded) = n(a).div_inexact(&n(b)).unwrap();
        assert!(rounded, "{a} / {b}");
        canonical(quotient).to_string()
    };
    assert_eq!(DIVISION_DIGITS, 155);
    assert_eq!(digits("1", "3"), format!("0.{}", "3".repeat(155)));
    assert_eq!(digits("-2", "3"), format!("-0.{}7", "6".repeat(154)));
    assert_eq!(digits("2e300", "3"), format!("{}7{}", "6".repeat(154), "0".repeat(145)));
    // It would end after 27,000 places: longer than the limit, so it is rounded, and that lies within.
    let power = Number::canonical(BigInt::from(2).pow(26_000), 0);
    assert!(n("1e7900").div_inexact(&power).unwrap().1);
    // Exactly half way, and too long to be exact: to even.
    let half = |last: u8| format!("1{}{last}5", "0".repeat(153));
    for (last, up) in [(2, "2"), (3, "4")] {
        let long = Number::canonical(BigInt::from(2).pow(27_000), 0);
        let product = digits::shift_left(&half(last).parse::<BigInt>().unwrap(), 0);
        let (mantissa, _) = super::divide::rounded(
            &(product.magnitude() * BigInt::from(2).pow(27_000).magnitude()),
            model::mantissa(&long).magnitude(),
            0,
        );
        assert_eq!(mantissa.to_string(), format!("1{}{up}", "0".repeat(153)));
    }
    // All nines round up into one digit more.
    let nines = format!("{}7", "9".repeat(200));
    let (quotient, rounded) = n(&nines).div_inexact(&n("3e10")).unwrap();
    assert!(rounded);
    canonical(quotient);
    assert!(n("1e-8191").divide(&n("3")).unwrap_err().is_limit());
    assert!(n("1e8191").divide(&n("0.03")).unwrap_err().is_limit());
}

#[test]
fn rounding_goes_the_way_it_is_told() {
    use Rounding::{Ceil, Floor, HalfAway, HalfEven, Trunc};
    let all = [Floor, Ceil, Trunc, HalfEven, HalfAway];
    for (number, places, expected) in [
        ("2.5", 0, ["2", "3", "2", "2", "3"]),
        ("-2.5", 0, ["-3", "-2", "-2", "-2", "-3"]),
        ("3.5", 0, ["3", "4", "3", "4", "4"]),
        ("2.51", 0, ["2", "3", "2", "3", "3"]),
        ("2.675", 2, ["2.67", "2.68", "2.67", "2.68", "2.68"]),
        ("1250", -2, ["1200", "1300", "1200", "1200", "1300"]),
        ("-0.001", 0, ["-1", "0", "0", "0", "0"]),
        ("0.001", -8191, ["0", "1e8191", "0", "0", "0"]),
        (
            "99999999999999999999.5",
            0,
            ["99999999999999999999", "1e20", "99999999999999999999", "1e20", "1e20"],
        ),
        ("inf", 0, ["inf"; 5]),
        ("1.25", i64::MAX, ["1.25"; 5]),
    ] {
        for (rounding, expected) in all.into_iter().zip(expected) {
            let rounded = canonical(n(number).round(places, rounding).unwrap());
            assert_eq!(rounded, n(expected), "{number} {rounding:?}");
            if places == 0 {
                let same = match rounding {
                    Floor => n(number).floor(),
                    Ceil => n(number).ceil(),
                    Trunc => n(number).trunc(),
                    HalfEven | HalfAway => rounded.clone(),
                };
                assert_eq!(canonical(same), rounded, "{number} {rounding:?}");
            }
        }
    }
    assert!(n("1").round(-8192, Ceil).unwrap_err().is_limit());
    assert!(n("1").round(i64::MIN, Ceil).unwrap_err().is_limit());
    assert_eq!(n("1").round(i64::MIN, HalfAway).unwrap(), Number::ZERO);
    assert_eq!(n("-1").round(i64::MIN, Trunc).unwrap(), Number::ZERO);
    let nines = n(&format!("{}.9", "9".repeat(DIGITS - 1)));
    assert_eq!(canonical(nines.ceil()), n("1e8191"));
}

#[test]
fn digits_are_counted_at_every_power_of_ten() {
    for n in 0..600 {
        let power = digits::power_of_ten(n);
        assert_eq!(digits::count(&power), n + 1);
        assert_eq!(digits::count(&(power - 1_u32)), n);
    }
}

#[test]
fn nothing_takes_long_at_the_limit() {
    let start = Instant::now();
    let large = n("1e8000");
    let odd = n(&"7".repeat(DIGITS));
    let tiny = n(&format!("3e-{}", DIGITS - 1));
    let long = Number::canonical(BigInt::from(2).pow(27_000), 0);
    let all = [large, odd, tiny, long, n("3"), n("-0.7")];
    for a in &all {
        for b in &all {
            let _ = (a.add(b), a.subtract(b), a.multiply(b), a.divide(b), a.modulo(b), a.cmp(b));
        }
        let _ = (a.to_f64(), a.to_string().parse::<Number>(), a.floor(), a.round(-9000, Rounding::HalfEven));
    }
    for text in ["1e1000000000", "1e-1000000000", "1e9223372036854775807"] {
        assert!(text.parse::<Number>().unwrap_err().is_limit());
    }
    let mut sum = Number::ZERO;
    let step = n("0.1");
    for _ in 0..1_000_000 {
        sum = sum.add(&step).unwrap();
    }
    assert_eq!(sum, Number::from(100_000));
    let taken = start.elapsed();
    println!("{taken:?}");
    assert!(taken < Duration::from_secs(2), "{taken:?}");
}

#[test]
fn big_is_shared_by_its_clones() {
    let big = n("1e100");
    let clone = big.clone();
    let (Repr::Big(a), Repr::Big(b)) = (&big.0, &clone.0) else { panic!("{big} is not big") };
    assert!(Arc::ptr_eq(a, b));
    assert_eq!((digits::count(a.mantissa().magnitude()), a.scale()), (101, 0));
}
