//! The number verbs of formats, which write numbers as Go's `big.Int` and `big.Float` do.

use num_bigint::BigInt;

use crate::number::Number;

use super::verb::Verb;

/// Appends an integer to `out`, written as the verb says, such as `%05d`. `None`, and nothing appended, if the number
/// is not an integer.
pub(super) fn append_integer(verb: &Verb<'_>, number: &Number, out: &mut String) -> Option<()> {
    if !number.is_integer() || number.is_infinite() {
        return None;
    }
    let (base, prefix) = match verb.mode {
        'b' => (2, "0b"),
        'o' => (8, "0"),
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        _ => (10, ""),
    };
    if let Verb { mode: 'd', width: 0, precision: None, .. } = verb
        && number.to_i64().is_some()
    {
        if !number.is_negative() {
            out.push_str(verb.sign(false));
        }
        number.write_to(out);
        return Some(());
    }
    let magnitude: BigInt = number.absolute().to_string().parse().ok()?;
    let mut digits = magnitude.to_str_radix(base);
    if verb.mode == 'X' {
        digits.make_ascii_uppercase();
    }
    if verb.precision == Some(0) && digits == "0" {
        return Some(());
    }
    let mut zeros = verb.precision.unwrap_or(0).saturating_sub(digits.len());
    let sign = verb.sign(number.is_negative());
    let prefix = if verb.sharp { prefix } else { "" };
    let length = [sign.len(), prefix.len(), zeros, digits.len()].into_iter().fold(0, usize::saturating_add);
    let missing = verb.width.saturating_sub(length);
    let (mut spaces_left, mut spaces_right) = (0, 0);
    match verb {
        Verb { minus: true, .. } => spaces_right = missing,
        Verb { zero: true, precision: None, .. } => zeros = zeros.saturating_add(missing),
        _ => spaces_left = missing,
    }
    out.push_str(&" ".repeat(spaces_left));
    out.extend([sign, prefix, &"0".repeat(zeros), &digits, &" ".repeat(spaces_right)]);
    Some(())
}

/// Appends a number to `out` as the verbs `%e`, `%f` and `%g` say.
pub(super) fn append_float(verb: &Verb<'_>, number: &Number, out: &mut String) {
    let precision = match verb.mode {
        'g' | 'G' => verb.precision,
        _ => Some(verb.precision.unwrap_or(6)),
    };
    let (text, mut sign) = (unsigned_text(number, verb.mode, precision), verb.sign(number.is_negative()));
    if number.is_infinite() && sign.is_empty() {
        sign = "+";
    }
    if number.is_infinite() && number.is_positive() && verb.space {
        sign = " ";
    }
    let missing = verb.width.saturating_sub(sign.len().saturating_add(text.len()));
    if verb.zero && number.is_finite() {
        out.extend([sign, &"0".repeat(missing), &text]);
    } else if verb.minus {
        out.extend([sign, &text, &" ".repeat(missing)]);
    } else {
        out.extend([&" ".repeat(missing), sign, &text]);
    }
}

/// The text that `%v` writes for a number, with its sign.
pub(super) fn default_text(number: &Number) -> String {
    let sign = match number {
        number if number.is_negative() => "-",
        number if number.is_infinite() => "+",
        _ => "",
    };
    format!("{sign}{}", unsigned_text(number, 'g', None))
}

/// A number without its sign, in decimal digits: its value is 0.DIGITS times 10 to the power of `exponent`.
struct Decimal {
    /// ASCII digits, without leading and trailing zeros.
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// The digits and the exponent of the absolute value of a number.
    fn of(number: &Number) -> Decimal {
        let text = number.absolute().to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let leading_zeros = all.iter().take_while(|digit| **digit == b'0').count();
        let mut digits: Vec<u8> = all.into_iter().skip(leading_zeros).collect();
        trim_zeros(&mut digits);
        let exponent = match digits.is_empty() {
            true => 0,
            false => (whole.len() as i64).saturating_sub(leading_zeros as i64),
        };
        Decimal { digits, exponent }
    }

    /// Rounds to this many significant digits: to the nearest, and half to even.
    fn round(&mut self, count: i64) {
        let Ok(count) = usize::try_from(count) else { return };
        let Some((next, rest)) = self.digits.get(count..).and_then(<[u8]>::split_first) else { return };
        let is_odd =
            count.checked_sub(1).and_then(|last| self.digits.get(last)).is_some_and(|digit| digit % 2 == 1);
        let rounds_up = if *next == b'5' && rest.is_empty() { is_odd } else { *next >= b'5' };
        self.digits.truncate(count);
        if rounds_up {
            while self.digits.last() == Some(&b'9') {
                self.digits.pop();
            }
            match self.digits.last_mut() {
                Some(last) => *last = last.saturating_add(1),
                // All digits were 9.
                None => {
                    self.digits.push(b'1');
                    self.exponent = self.exponent.saturating_add(1);
                }
            }
        }
        trim_zeros(&mut self.digits);
        if self.digits.is_empty() {
            self.exponent = 0;
        }
    }

    /// The digit at an index, where 0 is the first significant digit; `0` before the first and after the last.
    fn digit(&self, index: i64) -> char {
        let digit = usize::try_from(index).ok().and_then(|index| self.digits.get(index));
        char::from(digit.copied().unwrap_or(b'0'))
    }

    /// The number in positional notation, with this many digits after the point: `123.40`.
    fn positional(&self, decimals: i64) -> String {
        let mut text: String = (0..self.exponent).map(|index| self.digit(index)).collect();
        if text.is_empty() {
            text.push('0');
        }
        if decimals > 0 {
            text.push('.');
            text.extend((0..decimals).map(|place| self.digit(self.exponent.saturating_add(place))));
        }
        text
    }

    /// The number in scientific notation, with one digit before the point and `decimals` after it: `1.23e+02`. `letter`
    /// is `e` or `E`.
    fn scientific(&self, decimals: i64, letter: char) -> String {
        let mut text = String::from(self.digit(0));
        if decimals > 0 {
            text.push('.');
            text.extend((0..decimals).map(|place| self.digit(place.saturating_add(1))));
        }
        let exponent = if self.digits.is_empty() { 0 } else { self.exponent.saturating_sub(1) };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{text}{letter}{sign}{:02}", exponent.unsigned_abs())
    }
}

/// Removes the zeros at the end of ASCII digits.
fn trim_zeros(digits: &mut Vec<u8>) {
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
}

/// The number without its sign, in the notation of the verb whose letter is `mode`: `e`, `f` or `g`. `precision` is the
/// number of digits after the point, for `g` that of significant digits; without it, `g` writes all digits.
fn unsigned_text(number: &Number, mode: char, precision: Option<usize>) -> String {
    if number.is_infinite() {
        return "Inf".to_owned();
    }
    let mut decimal = Decimal::of(number);
    let precision = precision.map(|precision| i64::try_from(precision).unwrap_or(i64::MAX));
    match mode {
        'e' | 'E' => {
            let decimals = precision.unwrap_or(6);
            decimal.round(decimals.saturating_add(1));
            decimal.scientific(decimals, mode)
        }
        'f' => {
            let decimals = precision.unwrap_or(6);
            decimal.round(decimal.exponent.saturating_add(decimals));
            decimal.positional(decimals)
        }
        _ => {
            let significant = precision.map(|precision| precision.max(1));
            if let Some(count) = significant {
                decimal.round(count);
            }
            let count = decimal.digits.len() as i64;
            let digits = significant.unwrap_or(count);
            // The exponent from which on Go writes `%g` in scientific notation.
            let max_exponent = match significant {
                None => 6,
                Some(significant) if significant > count && count >= decimal.exponent => count,
                Some(significant) => significant,
            };
            let exponent = decimal.exponent.saturating_sub(1);
            if exponent < -4 || exponent >= max_exponent {
                decimal.scientific(digits.min(count).saturating_sub(1), if mode == 'G' { 'E' } else { 'e' })
            } else {
                let digits = if digits > decimal.exponent { count } else { digits };
                decimal.positional(digits.saturating_sub(decimal.exponent).max(0))
            }
        }
    }
}
