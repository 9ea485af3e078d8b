//! The order of compound members: that of the texts by which cty hashes them.
//!
//! | part | its text |
//! |---|---|
//! | unknown, null | `?`, `~` |
//! | bool | `T`, `F` |
//! | number | ten significant digits, as C's `%.10g` writes them |
//! | text | in quotes, as Go's `%q` writes it |
//! | list, set | `[`, each member followed by `;`, `]` |
//! | tuple, object | `<`, each part followed by `;`, `>` |
//! | map | `{`, each key, `:`, element, `;`, `}` |
//! | capsule | the same for all |
//!
//! The texts are not written: two members are walked side by side up to the first difference. So what a comparison
//! costs is in proportion to the smaller one, and sets in sets do not cost their depth times their size.

use std::cmp::Ordering;
use std::fmt::Write;

use crate::number::{Number, Significant};

use crate::value::order::Children;
use crate::value::repr::{Container, KnownRepr};
use crate::value::set::iteration;
use crate::value::{Value, View, view};

/// Compares the key texts of two values of one type.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    if let (Some(a), Some(b)) = (a.container(), b.container())
        && a.same(b)
    {
        return Ordering::Equal;
    }
    if !a.is_known() || !b.is_known() {
        return first(a).cmp(&first(b));
    }
    match (view::below_marks(a), view::below_marks(b)) {
        (View::Number(a), View::Number(b)) => numbers(a, b),
        (View::String(a), View::String(b)) => texts(a, b),
        (View::List(a), View::List(b)) => sequences(a.iter(), b.iter(), ']'),
        (View::Set(a), View::Set(b)) => sequences(a.iter(), b.iter(), ']'),
        (View::Tuple(a), View::Tuple(b)) => sequences(a.iter(), b.iter(), '>'),
        (View::Object(a), View::Object(b)) => {
            sequences(a.iter().map(|(_, part)| part), b.iter().map(|(_, part)| part), '>')
        }
        (View::Map(a), View::Map(b)) => entries(a.iter(), b.iter()),
        _ => first(a).cmp(&first(b)),
    }
}

/// The first bytes of the key text of a value.
pub(super) fn start(value: &Value) -> u128 {
    let mut start = Start::default();
    start.add(value);
    u128::from_be_bytes(start.bytes)
}

/// Integers below this have at most the ten digits that a key writes.
const IN_FULL: u64 = 10_000_000_000;

/// The first bytes of the key text of a set member, by which cty orders members: enough to compare most of them.
#[derive(Default)]
struct Start {
    bytes: [u8; 16],
    length: usize,
}

impl Start {
    fn is_full(&self) -> bool {
        self.length >= self.bytes.len()
    }

    fn push(&mut self, text: &[u8]) {
        for byte in text {
            let Some(place) = self.bytes.get_mut(self.length) else { return };
            *place = *byte;
            self.length = self.length.saturating_add(1);
        }
    }

    fn add(&mut self, value: &Value) {
        match value.container() {
            Some(container) => self.parts(container),
            None => match value.known_primitive() {
                Some(KnownRepr::Number(number)) => self.number(number),
                Some(KnownRepr::String(text)) => self.quoted(text.as_str()),
                _ => self.push(first(value).encode_utf8(&mut [0; 4]).as_bytes()),
            },
        }
    }

    // A loop: deep values come through here, and each frame counts in a debug build.
    fn parts(&mut self, container: &Container) {
        let (open, close) = match container {
            Container::List(_) | Container::Set(_) => (b'[', b']'),
            Container::Tuple(_) | Container::Object(_) => (b'<', b'>'),
            Container::Map(_) => (b'{', b'}'),
        };
        self.push(&[open]);
        let mut keys = match container {
            Container::Map(node) => node.entries.iter(),
            _ => [].iter(),
        };
        let mut members = match container {
            Container::Set(node) => Parts::Members(iteration::iter(node)),
            other => Parts::Children(other.children()),
        };
        while !self.is_full() {
            let part = match &mut members {
                Parts::Members(members) => members.next(),
                Parts::Children(children) => children.next(),
            };
            let Some(part) = part else { return self.push(&[close]) };
            if let Some((key, _)) = keys.next() {
                self.quoted(key.as_str());
                self.push(b":");
            }
            self.add(part);
            self.push(b";");
        }
    }

    fn number(&mut self, number: &Number) {
        let Some(mut rest) = number.to_i64().map(i64::unsigned_abs).filter(|digits| *digits < IN_FULL) else {
            return self.push(number_text(number).as_bytes());
        };
        if number.is_negative() {
            self.push(b"-");
        }
        let mut digits = [b'0'; 10];
        let mut first = digits.len();
        for (place, digit) in digits.iter_mut().enumerate().rev() {
            *digit = b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or(0));
            rest /= 10;
            first = place;
            if rest == 0 {
                break;
            }
        }
        self.push(digits.get(first..).unwrap_or_default());
    }

    fn quoted(&mut self, text: &str) {
        self.push(b"\"");
        let room = self.bytes.len().saturating_sub(self.length);
        let plain = text.bytes().take(room).take_while(|byte| is_plain_ascii(*byte)).count();
        let (plain, rest) = text.split_at_checked(plain).unwrap_or(("", text));
        self.push(plain.as_bytes());
        for c in rest.chars() {
            if self.is_full() {
                return;
            }
            match is_plain(c) {
                true => self.push(c.encode_utf8(&mut [0; 4]).as_bytes()),
                false => self.push(escape(Some(c)).as_bytes()),
            }
        }
        self.push(b"\"");
    }
}

enum Parts<'a> {
    Members(iteration::Members<'a>),
    Children(Children<'a>),
}

/// With what a text begins. Numbers are told from each other elsewhere, and begin alike beside anything else.
fn first(value: &Value) -> char {
    if !value.is_known() {
        return '?';
    }
    match view::below_marks(value) {
        View::Dynamic | View::Unknown(_) | View::Marked(_) => '?',
        View::Null(_) => '~',
        View::Bool(true) => 'T',
        View::Bool(false) => 'F',
        View::Number(_) => '0',
        View::String(_) => '"',
        View::Capsule(_) => '\u{ab}',
        View::List(_) | View::Set(_) => '[',
        View::Tuple(_) | View::Object(_) => '<',
        View::Map(_) => '{',
    }
}

// Loops: deep values come through here, and each frame counts in a debug build.

fn sequences<'a>(
    mut a: impl Iterator<Item = &'a Value>,
    mut b: impl Iterator<Item = &'a Value>,
    close: char,
) -> Ordering {
    loop {
        let order = match (a.next(), b.next()) {
            (Some(a), Some(b)) => compare(a, b),
            (Some(a), None) => return first(a).cmp(&close),
            (None, Some(b)) => return close.cmp(&first(b)),
            (None, None) => return Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn entries<'a>(
    mut a: impl Iterator<Item = (&'a str, &'a Value)>,
    mut b: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Ordering {
    loop {
        let order = match (a.next(), b.next()) {
            (Some((a_key, a)), Some((b_key, b))) => texts(a_key, b_key).then_with(|| compare(a, b)),
            // The quote of a key against the end.
            (Some(_), None) => return '"'.cmp(&'}'),
            (None, Some(_)) => return '}'.cmp(&'"'),
            (None, None) => return Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn numbers(a: &Number, b: &Number) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let (a, b) = (number_text(a), number_text(b));
    // A `;` follows every number.
    a.bytes().chain([b';']).cmp(b.bytes().chain([b';']))
}

/// A number to ten significant digits, in the manner of C's `%.10g`.
fn number_text(number: &Number) -> String {
    let mut out = String::with_capacity(24);
    let sign = if number.is_negative() { "-" } else { "" };
    let Some(Significant { digits, exponent }) = number.significant() else {
        return if number.is_negative() { "-Inf" } else { "+Inf" }.to_owned();
    };
    out.push_str(sign);
    let digits = digits.to_string();
    let count = digits.len() as i64;
    // Where the point stands, counted in digits from the first.
    let point = count.saturating_add(exponent);
    if digits == "0" {
        out.push('0');
        return out;
    }
    let zeros = |out: &mut String, count: i64| (0..count).for_each(|_| out.push('0'));
    let leading = point.saturating_sub(1);
    // All digits of a number that has some after the point, else ten.
    let limit = if count >= point { count } else { 10 };
    if leading < -4 || leading >= limit {
        let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let _ = write!(out, "e{}{:02}", if leading < 0 { '-' } else { '+' }, leading.unsigned_abs());
        return out;
    }
    match usize::try_from(point) {
        Err(_) | Ok(0) => {
            out.push_str("0.");
            zeros(&mut out, point.saturating_neg());
            out.push_str(&digits);
        }
        Ok(whole) => match digits.split_at_checked(whole) {
            Some((whole, "")) => out.push_str(whole),
            Some((whole, fraction)) => {
                out.push_str(whole);
                out.push('.');
                out.push_str(fraction);
            }
            None => {
                out.push_str(&digits);
                zeros(&mut out, exponent);
            }
        },
    }
    out
}

/// Compares texts as they stand in quotes.
fn texts(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.chars(), b.chars());
    loop {
        let (x, y) = (a.next(), b.next());
        if x != y {
            return quoted_first(x).cmp(&quoted_first(y)).then_with(|| escape(x).cmp(&escape(y)));
        }
        if x.is_none() {
            return Ordering::Equal;
        }
    }
}

/// With what a character begins as Go's `%q` writes it; at the end of the text that is the quote.
fn quoted_first(c: Option<char>) -> char {
    match c {
        None => '"',
        Some(c) if is_plain(c) => c,
        Some(_) => '\\',
    }
}

/// Whether Go's `%q` leaves a character as it is.
fn is_plain(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte < 0x80 => is_plain_ascii(byte),
        _ => is_printable(c),
    }
}

fn is_plain_ascii(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

/// A character as Go's `%q` writes it, where it does not leave it as it is.
fn escape(c: Option<char>) -> String {
    let Some(c) = c else { return String::new() };
    match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        c if (c as u32) < 0x80 => format!("\\x{:02x}", c as u32),
        c if (c as u32) < 0x1_0000 => format!("\\u{:04x}", c as u32),
        c => format!("\\U{:08x}", c as u32),
    }
}

/// Whether a character is printable, approximately as Go has it: what Rust's `Debug` does not escape.
fn is_printable(c: char) -> bool {
    let mut escaped = c.escape_debug();
    escaped.next() == Some(c) || unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests;
