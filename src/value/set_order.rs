//! The order in which the members of a set are met: the one that users of cty see.

use std::fmt::Write;

use crate::types::{SetType, Type};

use super::repr::SetNode;
use super::{Value, View, order, view};

/// Which group a member belongs to: values, then unknowns, then null.
fn group(member: &Value) -> u8 {
    match member {
        value if value.is_null() => 2,
        value if value.is_known() => 0,
        _ => 1,
    }
}

/// The members in order.
pub(crate) fn iter(set: &SetNode) -> Members<'_> {
    Members { set, next: 0 }
}

/// The members of a set in iteration order.
#[derive(Clone)]
pub(crate) struct Members<'a> {
    set: &'a SetNode,
    next: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        let set = self.set;
        let place = self.next;
        self.next = place.saturating_add(1);
        let Some(order) = &set.order else {
            // Known members sort null last: undecided ones come just before it.
            let before_null =
                set.known.len().saturating_sub(set.known.last().map_or(0, |m| usize::from(m.is_null())));
            return if place < before_null {
                set.known.get(place)
            } else {
                let place = place.saturating_sub(before_null);
                match set.undecided.get(place) {
                    Some(member) => Some(member),
                    None => {
                        set.known.get(place.saturating_sub(set.undecided.len()).saturating_add(before_null))
                    }
                }
            };
        };
        let place = *order.get(place)? as usize;
        set.known.get(place).or_else(|| set.undecided.get(place.saturating_sub(set.known.len())))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.set.member_count().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Members<'_> {}

/// A member with its group, its key text and its place.
type Keyed<'a> = (u8, String, &'a Value, u32);

/// The iteration order where it is not the stored one: compound members go by their key text.
pub(super) fn stored(ty: &SetType, known: &[Value], undecided: &[Value]) -> Option<Box<[u32]>> {
    let compound =
        !matches!(ty.element(), Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Capsule(_));
    let count = known.len().saturating_add(undecided.len());
    if !compound || count < 2 {
        return None;
    }
    let mut members: Vec<Keyed<'_>> = known
        .iter()
        .chain(undecided)
        .zip(0_u32..)
        .map(|(member, place)| {
            let mut key = String::new();
            key_text(&mut key, member);
            (group(member), key, member, place)
        })
        .collect();
    let by_key = |(a_group, a_key, a, _): &Keyed<'_>, (b_group, b_key, b, _): &Keyed<'_>| {
        a_group.cmp(b_group).then_with(|| a_key.cmp(b_key)).then_with(|| order::content(a, b))
    };
    if ty.element().has_capsule() {
        members = order::merge_sort(members, &by_key);
    } else {
        members.sort_by(by_key);
    }
    Some(members.into_iter().map(|(_, _, _, place)| place).collect())
}

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

/// Letters, marks, numbers, punctuation and symbols, near enough: what Rust's own debug form leaves as it is.
fn is_printable(c: char) -> bool {
    let mut escaped = c.escape_debug();
    escaped.next() == Some(c) || unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::number_key;

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
        }
    }
}
