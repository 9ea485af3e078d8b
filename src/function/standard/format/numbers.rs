//! Numbers in formats, as Go writes whole numbers and floats of any size.

use num_bigint::BigInt;

use crate::number::Number;

use super::verb::Verb;

/// Writes a whole number. None if it is not whole.
pub(super) fn integer(verb: &Verb<'_>, number: &Number, out: &mut String) -> Option<()> {
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
    let size: BigInt = number.absolute().to_string().parse().ok()?;
    let mut digits = size.to_str_radix(base);
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
    let (mut left, mut right) = (0, 0);
    match verb {
        Verb { minus: true, .. } => right = missing,
        Verb { zero: true, precision: None, .. } => zeros = zeros.saturating_add(missing),
        _ => left = missing,
    }
    out.push_str(&" ".repeat(left));
    out.extend([sign, prefix, &"0".repeat(zeros), &digits, &" ".repeat(right)]);
    Some(())
}

/// Writes a number as a float.
pub(super) fn float(verb: &Verb<'_>, number: &Number, out: &mut String) {
    let precision = match verb.mode {
        'g' | 'G' => verb.precision,
        _ => Some(verb.precision.unwrap_or(6)),
    };
    let (text, mut sign) = (digits(number, verb.mode, precision), verb.sign(number.is_negative()));
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

/// A number as `%v` writes it.
pub(super) fn plainly(number: &Number) -> String {
    let sign = match number {
        number if number.is_negative() => "-",
        number if number.is_infinite() => "+",
        _ => "",
    };
    format!("{sign}{}", digits(number, 'g', None))
}

/// The digits of a number with its first one just after a point that is shifted by `point`.
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    fn of(number: &Number) -> Decimal {
        let text = number.absolute().to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let leading = all.iter().take_while(|digit| **digit == b'0').count();
        let mut digits: Vec<u8> = all.into_iter().skip(leading).collect();
        trim(&mut digits);
        let point = if digits.is_empty() { 0 } else { (whole.len() as i64).saturating_sub(leading as i64) };
        Decimal { digits, point }
    }

    /// Keeps so many digits, rounded to the nearest, half to even.
    fn round(&mut self, keep: i64) {
        let Ok(keep) = usize::try_from(keep) else { return };
        let Some((next, rest)) = self.digits.get(keep..).and_then(<[u8]>::split_first) else { return };
        let odd =
            keep.checked_sub(1).and_then(|last| self.digits.get(last)).is_some_and(|digit| digit % 2 == 1);
        let up = if *next == b'5' && rest.is_empty() { odd } else { *next >= b'5' };
        self.digits.truncate(keep);
        if up {
            while self.digits.last() == Some(&b'9') {
                self.digits.pop();
            }
            match self.digits.last_mut() {
                Some(last) => *last = last.saturating_add(1),
                None => {
                    self.digits.push(b'1');
                    self.point = self.point.saturating_add(1);
                }
            }
        }
        trim(&mut self.digits);
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    fn at(&self, place: i64) -> char {
        let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place));
        char::from(digit.copied().unwrap_or(b'0'))
    }

    fn plain(&self, decimals: i64) -> String {
        let mut text: String = (0..self.point).map(|place| self.at(place)).collect();
        if text.is_empty() {
            text.push('0');
        }
        if decimals > 0 {
            text.push('.');
            text.extend((0..decimals).map(|place| self.at(self.point.saturating_add(place))));
        }
        text
    }

    fn scientific(&self, decimals: i64, sign: char) -> String {
        let mut text = String::from(self.at(0));
        if decimals > 0 {
            text.push('.');
            text.extend((0..decimals).map(|place| self.at(place.saturating_add(1))));
        }
        let exponent = if self.digits.is_empty() { 0 } else { self.point.saturating_sub(1) };
        let minus = if exponent < 0 { '-' } else { '+' };
        format!("{text}{sign}{minus}{:02}", exponent.unsigned_abs())
    }
}

fn trim(digits: &mut Vec<u8>) {
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
}

/// The number without its sign. Without a precision all its digits are written.
fn digits(number: &Number, mode: char, precision: Option<usize>) -> String {
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
            decimal.round(decimal.point.saturating_add(decimals));
            decimal.plain(decimals)
        }
        _ => {
            let wanted = precision.map(|precision| precision.max(1));
            if let Some(wanted) = wanted {
                decimal.round(wanted);
            }
            let has = decimal.digits.len() as i64;
            let digits = wanted.unwrap_or(has);
            let most = match wanted {
                None => 6,
                Some(wanted) if wanted > has && has >= decimal.point => has,
                Some(wanted) => wanted,
            };
            let exponent = decimal.point.saturating_sub(1);
            if exponent < -4 || exponent >= most {
                decimal.scientific(digits.min(has).saturating_sub(1), if mode == 'G' { 'E' } else { 'e' })
            } else {
                let digits = if digits > decimal.point { has } else { digits };
                decimal.plain(digits.saturating_sub(decimal.point).max(0))
            }
        }
    }
}
