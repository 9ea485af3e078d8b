//! Key texts: the strings by which cty hashes compound set members, and whose order is the iteration order.
//!
//! | value | its key text |
//! |---|---|
//! | unknown, null | `?`, `~` |
//! | bool | `T`, `F` |
//! | number | ten significant digits, as C's `%.10g` writes them |
//! | string | in quotes, as Go's `%q` writes it |
//! | list, set | `[`, each member followed by `;`, `]` |
//! | tuple, object | `<`, each element or attribute value followed by `;`, `>` |
//! | map | `{`, each key, `:`, element, `;`, `}` |
//! | capsule | the same for all |
//!
//! A comparison writes no key text: it walks both members side by side up to the first difference. So it costs time in
//! proportion to the smaller member, and sets in sets do not cost their depth times their size.

use std::cmp::Ordering;
use std::fmt::Write;

use crate::number::{Number, Significant};

use crate::value::order::Children;
use crate::value::repr::{Container, KnownRepr};
use crate::value::set::iteration;
use crate::value::{Value, View, view};

pub(super) mod certain;

/// Compares the key texts of two values of the same type.
pub(super) fn compare_keys(a: &Value, b: &Value) -> Ordering {
    if let (Some(a), Some(b)) = (a.container(), b.container())
        && a.same(b)
    {
        return Ordering::Equal;
    }
    if !a.is_known() || !b.is_known() {
        return first_char(a).cmp(&first_char(b));
    }
    match (view::below_marks(a), view::below_marks(b)) {
        (View::Number(a), View::Number(b)) => compare_numbers(a, b),
        (View::String(a), View::String(b)) => compare_quoted(a, b),
        (View::List(a), View::List(b)) => compare_sequences(a.iter(), b.iter(), ']'),
        (View::Set(a), View::Set(b)) => compare_sequences(a.iter(), b.iter(), ']'),
        (View::Tuple(a), View::Tuple(b)) => compare_sequences(a.iter(), b.iter(), '>'),
        (View::Object(a), View::Object(b)) => {
            compare_sequences(a.iter().map(|(_, part)| part), b.iter().map(|(_, part)| part), '>')
        }
        (View::Map(a), View::Map(b)) => compare_entries(a.iter(), b.iter()),
        _ => first_char(a).cmp(&first_char(b)),
    }
}

/// The first 16 bytes of the key text of a value, as a number that compares like the bytes.
pub(super) fn key_start(value: &Value) -> u128 {
    let mut start = KeyStart::<16>::new();
    start.push_value(value);
    u128::from_be_bytes(start.bytes)
}

/// Integers below this have at most ten digits, so a key text contains all of them.
const IN_FULL: u64 = 10_000_000_000;

/// A buffer for the first `N` bytes of a key text; what does not fit is dropped. 16 are enough to compare most members.
#[derive(Clone, Copy)]
struct KeyStart<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> KeyStart<N> {
    /// An empty buffer.
    fn new() -> Self {
        KeyStart { bytes: [0; N], length: 0 }
    }

    /// Whether all bytes of the buffer are written, so that more are dropped.
    fn is_full(&self) -> bool {
        self.length >= self.bytes.len()
    }

    /// Appends bytes; drops those that do not fit.
    fn push(&mut self, text: &[u8]) {
        for byte in text {
            let Some(place) = self.bytes.get_mut(self.length) else { return };
            *place = *byte;
            self.length = self.length.saturating_add(1);
        }
    }

    /// Appends the key text of a value.
    fn push_value(&mut self, value: &Value) {
        match value.container() {
            Some(container) => self.container(container),
            None => match value.known_primitive() {
                Some(KnownRepr::Number(number)) => self.push_number(number),
                Some(KnownRepr::String(text)) => self.push_quoted(text.as_str()),
                _ => self.push(first_char(value).encode_utf8(&mut [0; 4]).as_bytes()),
            },
        }
    }

    /// Appends the key text of a container.
    // A loop: a deep value recurses through here, and stack frames are large in a debug build.
    fn container(&mut self, container: &Container) {
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
            Container::Set(node) => KeyChildren::Members(iteration::iter(node)),
            other => KeyChildren::Children(other.children()),
        };
        while !self.is_full() {
            let part = match &mut members {
                KeyChildren::Members(members) => members.next(),
                KeyChildren::Children(children) => children.next(),
            };
            let Some(part) = part else { return self.push(&[close]) };
            if let Some((key, _)) = keys.next() {
                self.push_quoted(key.as_str());
                self.push(b":");
            }
            self.push_value(part);
            self.push(b";");
        }
    }

    /// Appends the key text of a number; small integers without an allocation.
    fn push_number(&mut self, number: &Number) {
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

    /// The bytes that were written.
    fn written(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Appends a quoted string, as Go's `%q` writes it.
    fn push_quoted(&mut self, text: &str) {
        self.push_quote_start(text);
        self.push(b"\"");
    }

    /// Appends the opening quote and the start of a string, as Go's `%q` writes it.
    fn push_quote_start(&mut self, text: &str) {
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
    }
}

/// The children of a container in the order of the key text.
enum KeyChildren<'a> {
    Members(iteration::Members<'a>),
    Children(Children<'a>),
}

/// The first character of a value's key text. All numbers give `0`: `compare_numbers` compares two numbers, and
/// within one type a number is compared only with unknowns, nulls and closing brackets, where one digit is as good as
/// another.
fn first_char(value: &Value) -> char {
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

// Loops: a deep value recurses through here, and stack frames are large in a debug build.

/// Compares the key texts of two sequences of values, each followed by `;` and in the end by the closing bracket.
fn compare_sequences<'a>(
    mut a: impl Iterator<Item = &'a Value>,
    mut b: impl Iterator<Item = &'a Value>,
    close: char,
) -> Ordering {
    loop {
        let order = match (a.next(), b.next()) {
            (Some(a), Some(b)) => compare_keys(a, b),
            (Some(a), None) => return first_char(a).cmp(&close),
            (None, Some(b)) => return close.cmp(&first_char(b)),
            (None, None) => return Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Compares the key texts of the entries of two maps.
fn compare_entries<'a>(
    mut a: impl Iterator<Item = (&'a str, &'a Value)>,
    mut b: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Ordering {
    loop {
        let order = match (a.next(), b.next()) {
            (Some((a_key, a)), Some((b_key, b))) => {
                compare_quoted(a_key, b_key).then_with(|| compare_keys(a, b))
            }
            // The opening quote of a key is compared with the closing brace.
            (Some(_), None) => return '"'.cmp(&'}'),
            (None, Some(_)) => return '}'.cmp(&'"'),
            (None, None) => return Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Compares the key texts of two numbers.
fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let (a, b) = (number_text(a), number_text(b));
    // A `;` follows every number in a key text.
    a.bytes().chain([b';']).cmp(b.bytes().chain([b';']))
}

/// Formats a number with ten significant digits, as C's `%.10g` does.
fn number_text(number: &Number) -> String {
    let mut out = String::with_capacity(24);
    let sign = if number.is_negative() { "-" } else { "" };
    let Some(Significant { digits, exponent }) = number.significant() else {
        return if number.is_negative() { "-Inf" } else { "+Inf" }.to_owned();
    };
    out.push_str(sign);
    let digits = digits.to_string();
    let count = digits.len() as i64;
    // The position of the decimal point, counted in digits from the first.
    let point = count.saturating_add(exponent);
    if digits == "0" {
        out.push('0');
        return out;
    }
    let zeros = |out: &mut String, count: i64| (0..count).for_each(|_| out.push('0'));
    let leading = point.saturating_sub(1);
    // A number with digits after the point is written with all of them, another one with up to ten.
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

/// Compares two strings as Go's `%q` writes them.
fn compare_quoted(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.chars(), b.chars());
    loop {
        let (x, y) = (a.next(), b.next());
        if x != y {
            return first_quoted_char(x).cmp(&first_quoted_char(y)).then_with(|| escape(x).cmp(&escape(y)));
        }
        if x.is_none() {
            return Ordering::Equal;
        }
    }
}

/// The first character of what Go's `%q` writes for a character; for the end of the string the closing quote.
fn first_quoted_char(c: Option<char>) -> char {
    match c {
        None => '"',
        Some(c) if is_plain(c) => c,
        Some(_) => '\\',
    }
}

/// Whether Go's `%q` writes a character without an escape.
fn is_plain(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte < 0x80 => is_plain_ascii(byte),
        _ => is_printable(c),
    }
}

/// Whether Go's `%q` writes an ASCII byte without an escape: it is printable, and neither a quote nor a backslash.
fn is_plain_ascii(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

/// The escape that Go's `%q` writes for a character that needs one; empty at the end of the string.
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

/// Whether a character is printable, approximately as in Go: Rust's `Debug` does not escape it.
fn is_printable(c: char) -> bool {
    let mut escaped = c.escape_debug();
    escaped.next() == Some(c) || unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests;
