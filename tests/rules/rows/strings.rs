//! Validators of strings.

use plantime::Value;
use plantime::rule::Rule;

use super::{Fail, Pass, Undetermined, answers, begins, list, named, null, passes_if, some, unknown};
use crate::laws::word;

fn text(text: &str) -> Value {
    Value::from(text)
}

#[test]
fn length_at_least() {
    answers(
        &named("length_at_least", 4),
        [
            (text("abcd"), Pass),
            (text("\u{e9}\u{e9}"), Pass),
            (text("abc"), Fail),
            (null("string"), Pass),
            (begins("vpc-"), Pass),
            (begins("vpc"), Undetermined),
            (unknown("string", ""), Undetermined),
        ],
    );
    answers(&named("length_at_least", 0), [(unknown("string", ""), Pass)]);
    assert_eq!(
        passes_if(&named("length_at_least", 4), &some(begins(""))),
        "it turns out to have at least 4 bytes"
    );
}

#[test]
fn length_at_most() {
    answers(
        &named("length_at_most", 3),
        [
            (text("abc"), Pass),
            (text("\u{e9}\u{e9}"), Fail),
            (null("string"), Pass),
            (some(begins("vpc-")), Fail),
            (begins("vpc-"), Undetermined),
            (begins("vpc"), Undetermined),
        ],
    );
    assert_eq!(passes_if(&named("length_at_most", 3), &begins("vpc-")), "it turns out null");
}

#[test]
fn length_between() {
    let between = Rule::all([named("length_at_least", 2), named("length_at_most", 4)]).unwrap();
    answers(
        &between,
        [
            (text("abc"), Pass),
            (text("a"), Fail),
            (text("abcde"), Fail),
            (some(begins("abcde")), Fail),
            (begins("abc"), Undetermined),
        ],
    );
}

#[test]
fn utf8_length_at_least_at_most_and_between() {
    let two = "\u{e9}\u{e9}";
    answers(
        &named("utf8_length_at_least", 2),
        [(text(two), Pass), (text("\u{e9}"), Fail), (begins(two), Pass)],
    );
    answers(&named("utf8_length_at_most", 1), [(text("\u{e9}"), Pass), (some(begins(two)), Fail)]);
    let between = Rule::all([named("utf8_length_at_least", 1), named("utf8_length_at_most", 2)]).unwrap();
    answers(&between, [(text(two), Pass), (some(begins("abc")), Fail), (begins("ab"), Undetermined)]);
    answers(&named("min_grapheme_len", 2), [(begins("ab"), Pass), (text("a"), Fail)]);
}

#[test]
fn not_empty() {
    answers(
        &named("not_zero", true),
        [(begins("a"), Pass), (text("a"), Pass), (text(""), Fail), (unknown("string", ""), Undetermined)],
    );
}

#[test]
fn one_of() {
    let rule = named("one_of", list(&["vpc-1", "vpc-2", "b"]));
    answers(
        &rule,
        [
            (text("b"), Pass),
            (text("c"), Fail),
            (null("string"), Pass),
            (some(begins("vpc-")), Undetermined),
            (some(begins("ami-")), Fail),
            (begins("ami-"), Undetermined),
        ],
    );
    let outcome = rule.check_value(&some(begins("vpc-"))).unwrap();
    assert_eq!(
        outcome.why().unwrap().notes(),
        ["starts with \"vpc-\"", "it may still be \"vpc-1\", \"vpc-2\""]
    );
    assert_eq!(passes_if(&named("one_of", list(&["a"])), &begins("vpc-")), "it turns out null");
    assert_eq!(
        passes_if(&named("one_of", list(&["a", "b"])), &some(begins("a"))),
        "it turns out to be \"a\""
    );
}

#[test]
fn none_of() {
    answers(
        &named("none_of", list(&["a", "vpc-1"])),
        [
            (begins("x"), Pass),
            (begins("vpc-"), Undetermined),
            (begins("vpc-2"), Pass),
            (text("a"), Fail),
            (text("b"), Pass),
            (null("string"), Pass),
        ],
    );
}

#[test]
fn one_of_case_insensitive_and_none_of_case_insensitive() {
    answers(
        &named("one_of_case_insensitive", list(&["VPC-1"])),
        [(text("vpc-1"), Pass), (some(begins("Vpc")), Undetermined), (some(begins("ami")), Fail)],
    );
    answers(
        &named("none_of_case_insensitive", list(&["VPC-1"])),
        [(text("vpc-1"), Fail), (begins("Vpc"), Undetermined), (begins("ami"), Pass)],
    );
}

#[test]
fn starts_with() {
    answers(
        &named("starts_with", "vpc-"),
        [
            (begins("vpc-1"), Pass),
            (begins("vp"), Undetermined),
            (some(begins("ami-")), Fail),
            (begins("ami-"), Undetermined),
            (text("vpc"), Fail),
        ],
    );
    let prefix = named("starts_with", "vpc-").as_refinement().unwrap();
    assert_eq!(prefix.to_string(), r#"stringprefix("vpc-")"#);
}

#[test]
fn ends_with_and_contains() {
    answers(
        &named("ends_with", "-x"),
        [(text("a-x"), Pass), (text("a"), Fail), (some(begins("-x")), Undetermined)],
    );
    answers(&named("ends_with", ""), [(begins("a"), Pass)]);
    answers(
        &named("contains", "pc"),
        [(begins("vpc-"), Pass), (some(begins("ami")), Undetermined), (text("ami"), Fail)],
    );
}

#[test]
fn regex_matches() {
    for (pattern, prefix, expected) in [
        ("^vpc-", "vpc-", Pass),
        ("^vpc-", "ami-", Fail),
        ("^vpc-", "vp", Undetermined),
        ("^vpc-[0-9a-f]{8}$", "vpc-", Undetermined),
        ("^vpc-[0-9a-f]{8}$", "vpc-zz", Fail),
        ("(?s)^.*$", "anything", Pass),
    ] {
        assert_eq!(
            word(&named("regex_matches", pattern), &some(begins(prefix))),
            expected,
            "{pattern} {prefix}"
        );
    }
    assert_eq!(word(&named("regex_matches", "^vpc-"), &begins("ami-")), Undetermined);
}

#[test]
fn is_json_is_cidr_is_uuid_is_ip_is_url_is_base64_is_rfc3339() {
    for (format, viable, hopeless) in [
        ("json", "{\"a\": [1, ", "{]"),
        ("cidr", "10.0.", "10.256"),
        ("uuid", "0123abcd-", "0123-"),
        ("ip", "2001:db8", "1.2.3.4.5"),
        ("ipv4", "10.", "a"),
        ("ipv6", "::", "g"),
        ("mac", "00:1b", "00:1g"),
        ("port", "65", "65536"),
        ("uri", "https://a", "1:"),
        ("base64", "YWJj", "YW=j"),
        ("rfc3339", "2024-02-", "2024-13"),
    ] {
        let rule = named("format", format);
        answers(&rule, [(some(begins(viable)), Undetermined), (some(begins(hopeless)), Fail)]);
        answers(&rule, [(begins(hopeless), Undetermined), (null("string"), Pass)]);
    }
    let web = named("url_with_scheme", list(&["https"]));
    answers(
        &web,
        [(some(begins("http:")), Fail), (begins("https"), Undetermined), (text("https://a"), Pass)],
    );
}
