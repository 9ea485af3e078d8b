//! The comparison against the texts themselves, written out.

use std::fmt::Write;

use super::{compare_keys, is_printable, number_text, view};
use crate::number::Number;
use crate::{Type, Value, View};

/// The text that cty hashes a member by, which is also what it sorts compound members by.
fn key_text(out: &mut String, value: &Value) {
    match view::below_marks(value) {
        View::Dynamic | View::Unknown(_) | View::Marked(_) => out.push('?'),
        View::Null(_) => out.push('~'),
        View::Bool(truth) => out.push(if truth { 'T' } else { 'F' }),
        View::Number(number) => number_key(out, &number.to_string()),
        View::String(text) => go_quoted(out, text),
        // As cty's that have no key of their own.
        View::Capsule(_) => out.push_str("\u{ab}?\u{bb}"),
        View::Map(map) => {
            out.push('{');
            for (key, value) in map.iter() {
                go_quoted(out, key);
                out.push(':');
                key_text(out, value);
                out.push(';');
            }
            out.push('}');
        }
        View::List(list) => sequence(out, '[', list.iter(), ']'),
        View::Set(set) => sequence(out, '[', set.iter(), ']'),
        View::Tuple(tuple) => sequence(out, '<', tuple.iter(), '>'),
        View::Object(object) => sequence(out, '<', object.iter().map(|(_, value)| value), '>'),
    }
}

fn sequence<'a>(out: &mut String, open: char, items: impl Iterator<Item = &'a Value>, close: char) {
    out.push(open);
    for item in items {
        key_text(out, item);
        out.push(';');
    }
    out.push(close);
}

/// A number to ten significant digits, in the manner of C's `%.10g`, from its plain text.
fn number_key(out: &mut String, plain: &str) {
    const PRECISION: usize = 10;
    let (sign, magnitude) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain),
    };
    if magnitude == "inf" {
        out.push_str(if sign.is_empty() { "+Inf" } else { "-Inf" });
        return;
    }
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let all: Vec<u8> =
        whole.bytes().chain(fraction.bytes()).map(|digit| digit.saturating_sub(b'0')).collect();
    let leading = all.iter().take_while(|digit| **digit == 0).count();
    let mut digits: Vec<u8> = all.get(leading..).unwrap_or_default().to_vec();
    // Where the point stands, counted in digits from the first significant one.
    let mut point = (whole.len() as i64).saturating_sub(leading as i64);
    round_half_even(&mut digits, PRECISION, &mut point);
    while digits.last() == Some(&0) {
        digits.pop();
    }
    out.push_str(sign);
    if digits.is_empty() {
        out.push('0');
        return;
    }
    let digit_at = |i: i64| {
        let digit = usize::try_from(i).ok().and_then(|i| digits.get(i)).copied().unwrap_or(0);
        char::from(b'0'.saturating_add(digit))
    };
    let count = digits.len() as i64;
    let exponent = point.saturating_sub(1);
    let mut limit = PRECISION as i64;
    if limit > count && count >= point {
        limit = count;
    }
    if exponent < -4 || exponent >= limit {
        out.push(digit_at(0));
        if count > 1 {
            out.push('.');
            (1..count).for_each(|i| out.push(digit_at(i)));
        }
        let _ = write!(out, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs());
    } else {
        if point <= 0 {
            out.push('0');
        }
        (0..point).for_each(|i| out.push(digit_at(i)));
        if count > point {
            out.push('.');
            (point..count).for_each(|i| out.push(digit_at(i)));
        }
    }
}

fn round_half_even(digits: &mut Vec<u8>, precision: usize, point: &mut i64) {
    let Some(tail) = digits.get(precision..) else { return };
    let Some((first, rest)) = tail.split_first() else { return };
    let odd = precision.checked_sub(1).and_then(|last| digits.get(last)).is_some_and(|digit| digit % 2 == 1);
    let up = *first > 5 || *first == 5 && (odd || rest.iter().any(|digit| *digit > 0));
    digits.truncate(precision);
    if !up {
        return;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit = digit.saturating_add(1);
            return;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
    digits.truncate(precision);
    *point = point.saturating_add(1);
}

/// A text in quotes as Go's `%q` writes it.
fn go_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ' '..='~' => out.push(c),
            c if (c as u32) < 0x80 => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if is_printable(c) => out.push(c),
            c if (c as u32) < 0x1_0000 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out.push('"');
}

#[track_caller]
fn as_the_texts_are(values: &[Value]) {
    let texts: Vec<String> = values
        .iter()
        .map(|value| {
            let mut text = String::new();
            key_text(&mut text, value);
            // In a set or a part of a member, something follows every text.
            text + ";"
        })
        .collect();
    for (a, a_text) in values.iter().zip(&texts) {
        for (b, b_text) in values.iter().zip(&texts) {
            assert_eq!(compare_keys(a, b), a_text.cmp(b_text), "{a} and {b}: {a_text} and {b_text}");
        }
    }
}

fn numbers() -> Vec<Value> {
    let texts = [
        "0",
        "1",
        "-1",
        "10",
        "100",
        "12",
        "1.5",
        "-1.5",
        "0.1",
        "0.0001",
        "0.00001",
        "1234567890",
        "12345678901",
        "12345678905",
        "12345678915",
        "12345678900",
        "123456789012",
        "0.12345678905",
        "0.12345678915",
        "99999999999",
        "99999999995",
        "10000000000",
        "1000000000",
        "1e-20",
        "1e20",
        "1e21",
        "123e30",
        "-123e30",
        "1e8000",
        "12345678905e7000",
        "12345678915e7000",
        "12345678905.1e7000",
        "1e-8000",
        "inf",
        "-inf",
    ];
    texts.iter().map(|text| Value::from(text.parse::<Number>().unwrap())).collect()
}

fn strings() -> Vec<Value> {
    let texts = [
        "",
        "a",
        "ab",
        "b",
        " ",
        "!",
        "\"",
        "#",
        "\\",
        "[",
        "]",
        "\n",
        "\t",
        "\u{7}",
        "\u{8}",
        "\u{b}",
        "\u{c}",
        "\r",
        "\u{0}",
        "\u{1b}",
        "\u{7f}",
        "~",
        "\u{80}",
        "\u{e9}",
        "e\u{301}",
        "\u{200b}",
        "\u{2028}",
        "\u{fffd}",
        "\u{10000}",
        "\u{1f600}",
        "\u{10ffff}",
        "a\n",
        "a\\",
        "a\"",
        "a b",
        "\u{ad}",
        "\u{ad}a",
    ];
    texts.iter().map(|text| Value::from(*text)).collect()
}

fn with_gaps(mut values: Vec<Value>) -> Vec<Value> {
    let ty = values[0].ty();
    values.extend([Value::null(ty.clone()), Value::unknown(ty)]);
    values
}

/// Lists, sets, tuples, maps and objects of up to two of these.
fn compounds(parts: &[Value]) -> [Vec<Value>; 5] {
    let ty = parts[0].ty();
    let mut all = [const { Vec::new() }; 5];
    let [lists, sets, tuples, maps, objects] = &mut all;
    lists.push(Value::list_of::<Value>(ty.clone(), []).unwrap());
    sets.push(Value::set_of::<Value>(ty.clone(), []).unwrap());
    maps.push(Value::map_of::<&str, Value>(ty, []).unwrap());
    for a in parts {
        lists.push(Value::list([a.clone()]).unwrap());
        sets.push(Value::set([a.clone()]).unwrap());
        for key in ["", "a", "ab", "a\"b", "\n"] {
            maps.push(Value::map([(key, a.clone())]).unwrap());
        }
        for b in parts.iter().step_by(3) {
            let both = || [a.clone(), b.clone()];
            lists.push(Value::list(both()).unwrap());
            sets.push(Value::set(both()).unwrap());
            tuples.push(Value::tuple(both()).unwrap());
            maps.push(Value::map(["a", "b"].into_iter().zip(both())).unwrap());
            objects.push(Value::object(["a", "b"].into_iter().zip(both())).unwrap());
        }
    }
    all
}

#[test]
fn members_are_in_the_order_of_their_texts() {
    for parts in [with_gaps(numbers()), with_gaps(strings()), with_gaps(vec![true.into(), false.into()])] {
        as_the_texts_are(&parts);
        for compounds in compounds(&parts) {
            as_the_texts_are(&compounds);
        }
    }
    for ty in [Type::Number, Type::String] {
        let all = if ty == Type::Number { numbers() } else { strings() };
        let few: Vec<Value> = all.into_iter().step_by(6).collect();
        for inner in compounds(&few) {
            let few: Vec<Value> = inner.into_iter().step_by(5).collect();
            for outer in compounds(&with_gaps(few)) {
                as_the_texts_are(&outer);
            }
        }
    }
}

#[test]
fn number_keys_have_ten_significant_digits() {
    for (plain, key) in [
        ("0", "0"),
        ("1", "1"),
        ("-1.5", "-1.5"),
        ("100", "100"),
        ("1234567890", "1234567890"),
        ("12345678901", "1.23456789e+10"),
        ("0.1", "0.1"),
        ("0.00001", "1e-05"),
        ("0.0001", "0.0001"),
        ("0.12345678905", "0.123456789"),
        ("99999999999", "1e+11"),
        ("10000000000", "1e+10"),
        ("1000000000", "1000000000"),
        ("inf", "+Inf"),
        ("-inf", "-Inf"),
    ] {
        let mut out = String::new();
        number_key(&mut out, plain);
        assert_eq!(out, key, "{plain}");
        assert_eq!(number_text(&plain.parse().unwrap()), key, "{plain}");
    }
}

/// Facts of `%q`, and not of what is tested.
#[test]
fn texts_are_in_the_order_of_their_quoted_forms() {
    // A space and `!` before the closing quote, a backslash between upper and lower case.
    let ordered = ["a ", "a!", "a", "a#", "aZ", "a\u{e0001}", "a\\", "a\n", "a\u{200b}", "aa"];
    let values = ordered.map(Value::from);
    let expected: Vec<usize> = (0..ordered.len()).collect();
    let mut found = expected.clone();
    found.reverse();
    found.sort_by(|a, b| compare_keys(&values[*a], &values[*b]));
    assert_eq!(found, expected);
}
