//! What reads as a number, and how long it may be.

use super::{canonical, n};
use crate::limits::DIGITS;
use crate::number::Number;

#[test]
fn the_grammar_is_that_of_cty() {
    for (text, plain) in [
        ("1", "1"),
        ("+5", "5"),
        ("-0", "0"),
        ("0777", "777"),
        ("00", "0"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("5.e1", "50"),
        ("1e5", "100000"),
        ("1E+5", "100000"),
        ("1e-5", "0.00001"),
        ("1.50", "1.5"),
        ("1.5e1", "15"),
        ("100e-2", "1"),
        ("120e-1", "12"),
        ("0e1000000000", "0"),
        ("0.000e-1000000000", "0"),
        ("1e00000000000000000000000005", "100000"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "9223372036854775808"),
        ("92233720368547758080e-1", "9223372036854775808"),
        ("92233720368547758070e-1", "9223372036854775807"),
        ("123456789012345678901234567890.12300", "123456789012345678901234567890.123"),
        ("Inf", "inf"),
        ("inf", "inf"),
        ("+Inf", "inf"),
        ("+inf", "inf"),
        ("-inf", "-inf"),
        ("-Inf", "-inf"),
    ] {
        assert_eq!(canonical(n(text)).to_string(), plain, "{text}");
    }
    for text in [
        "", " 5", "5 ", "0x10", "0b1", "0o7", "1_000", "1,000", "1e", "1e+", "e5", "-", "+", "--1", "+-1",
        "1.2.3", ".", "-.", ".e5", "1e5.", "1e1e1", "1e+-5", "NaN", "nan", "Infinity", "INF", "iNF", "infe5",
        "\u{ff15}", "5\u{301}", "1e", "1e+", "1p4", "1P2", "5\0",
    ] {
        let error = text.parse::<Number>().unwrap_err();
        assert!(error.is_syntax(), "{text}");
        assert_eq!(error.to_string(), "a number is required", "{text}");
    }
}

#[test]
fn the_limit_is_on_the_digits_shown() {
    let longest = "9".repeat(DIGITS);
    for text in [
        "1e8191".to_owned(),
        "1e-8191".to_owned(),
        longest.clone(),
        format!("-{longest}"),
        format!("9.{}", "9".repeat(DIGITS - 1)),
        format!("{}.9", "9".repeat(DIGITS - 1)),
        format!("{}e-{}", "9".repeat(DIGITS - 1), DIGITS - 1),
        format!("{longest}00e-2"),
        format!("0{longest}.0"),
        format!("{}1", "0".repeat(1_000_000)),
        format!("1{}e-1000000", "0".repeat(1_000_000)),
        format!("0.{}1e1000001", "0".repeat(1_000_000)),
    ] {
        canonical(n(&text));
    }
    for text in [
        "1e8192".to_owned(),
        "1e-8192".to_owned(),
        format!("{longest}0"),
        format!("{longest}.5"),
        format!("0.{longest}"),
        "1e1000000000".to_owned(),
        "-1e1000000000".to_owned(),
        "1e-1000000000".to_owned(),
        "1e9223372036854775807".to_owned(),
        "1e-9223372036854775808".to_owned(),
        "1e99999999999999999999".to_owned(),
        "1e-99999999999999999999".to_owned(),
        "0e99999999999999999999".to_owned(),
        "9".repeat(1_000_000),
    ] {
        let error = text.parse::<Number>().unwrap_err();
        assert!(error.is_limit(), "{}", &text[..20.min(text.len())]);
        assert_eq!(error.to_string(), "a number has at most 8192 digits before and after the point");
    }
}
