//! Intended differences from go-cty, Terraform and OpenTofu: the rows of COMPATIBILITY.md that no recorded case shows.

use plantime::function::Functions;
use plantime::{Mark, Number, Value};

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    Functions::standard().call(name, arguments).map_err(|error| error.to_string())
}

fn number(text: &str) -> Value {
    Value::from(text.parse::<Number>().unwrap())
}

#[test]
fn whole_powers_are_exact() {
    assert_eq!(call("pow", &[number("0.1"), 3.into()]), Ok(number("0.001")));
    assert_eq!(call("pow", &[number("1.1"), 2.into()]), Ok(number("1.21")));
    assert_eq!(call("pow", &[2.into(), 200.into()]), Ok(number(&power(2, 200))));
}

/// The power of two integers, computed digit by digit.
fn power(base: u32, power: u32) -> String {
    let mut digits = vec![1_u32];
    for _ in 0..power {
        let mut carry = 0;
        for digit in &mut digits {
            let product = *digit * base + carry;
            (*digit, carry) = (product % 10, product / 10);
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits.iter().rev().map(|digit| digit.to_string()).collect()
}

#[test]
fn logarithms_are_right_but_for_the_last_place() {
    for (of, base, theirs) in [("2.5", 3, 0.834_043_767_146_469_9), ("8", 2, 3.0), ("100", 10, 2.0)] {
        let ours = call("log", &[number(of), base.into()]).unwrap().as_number().unwrap().to_f64();
        let units = ours.to_bits().abs_diff(f64::to_bits(theirs));
        assert!(units <= 2, "log({of}, {base}) = {ours}, theirs {theirs}");
    }
}

#[test]
fn a_range_refuses_every_step_of_zero() {
    for (start, end) in [(5, 5), (1, 5), (5, 1), (0, 0)] {
        let error = call("range", &[start.into(), end.into(), number("0.0")]).unwrap_err();
        assert_eq!(error, "argument 3: step must not be zero");
    }
}

#[test]
fn a_default_that_is_not_needed_marks_the_result() {
    let map = Value::map([("a", "x")]).unwrap();
    let default = Value::from("y").mark(Mark::SENSITIVE);
    let found = call("lookup", &[map, "a".into(), default]);
    assert_eq!(found, Ok(Value::from("x").mark(Mark::SENSITIVE)));
}

#[test]
fn paths_are_taken_apart_with_slashes() {
    assert_eq!(call("basename", &["a\\b/c\\d".into()]), Ok("c\\d".into()));
    assert_eq!(call("dirname", &["a\\b/c\\d".into()]), Ok("a\\b".into()));
}

#[test]
fn networks_contain_networks() {
    let contains = |a: &str, b: &str| call("cidrcontains", &[a.into(), b.into()]);
    for (containing, contained, expected) in [
        ("192.168.2.0/20", "192.168.2.1", true),
        ("192.168.2.0/20", "192.168.2.0/22", true),
        ("192.168.2.0/20", "192.126.2.1", false),
        ("192.168.2.0/20", "192.168.0.0/16", false),
        ("10.0.0.0/8", "010.1.0.0/16", true),
        ("fe80::/48", "fe80::1", true),
        ("fe80::/48", "fe81::/64", false),
        ("::ffff:10.0.0.0/104", "10.1.2.3", true),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("::/0", "::/80", true),
    ] {
        assert_eq!(contains(containing, contained), Ok(expected.into()), "{containing} {contained}");
    }
    let error = |a, b| contains(a, b).unwrap_err();
    assert_eq!(
        error("10.0.0.0", "10.0.0.0"),
        "argument 1: invalid CIDR expression: invalid CIDR address: 10.0.0.0"
    );
    assert_eq!(error("10.0.0.0/8", "x"), "argument 2: invalid IP address or prefix: \"x\"");
    assert_eq!(
        error("10.0.0.0/8", "fe80::1"),
        "argument 2: an IPv4 and an IPv6 network have no addresses in common"
    );
}

#[test]
fn times_are_compared_as_instants() {
    let order = |a: &str, b: &str| call("timecmp", &[a.into(), b.into()]);
    for (a, b, expected) in [
        ("2017-11-22T00:00:00Z", "2017-11-22T00:00:00Z", 0),
        ("2017-11-22T00:00:00Z", "2017-11-22T01:00:00+01:00", 0),
        ("2017-11-22T00:00:00Z", "2017-11-22T00:00:00.5Z", -1),
        ("2017-11-22T01:00:00Z", "2017-11-22T00:00:00-00:30", 1),
        ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59Z", 1),
        ("0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z", -1),
    ] {
        assert_eq!(order(a, b), Ok(expected.into()), "{a} {b}");
    }
    let error = order("2017-11-22", "").unwrap_err();
    assert!(error.starts_with("argument 1: not a valid RFC3339 timestamp"), "{error}");
}

/// Every length is at least a negative number, so that such a bound says nothing; a negative upper bound leaves no length.
#[test]
fn a_negative_lower_bound_of_a_length_counts_as_zero() {
    let list = || Value::unknown("list(string)".parse().unwrap());
    let zero = call("assumelistlength", &[list(), 0.into(), 2.into()]);
    assert!(zero.is_ok());
    assert_eq!(call("assumelistlength", &[list(), number("-1"), 2.into()]), zero);
    assert!(call("assumelistlength", &[list(), number("-2"), number("-1")]).is_err());
    let least = call("assumelistlengthmin", &[list(), number("-1")]).unwrap();
    assert_eq!(call("assumelistlengthmin", &[list(), 0.into()]), Ok(least));
}
