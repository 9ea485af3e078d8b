//! Numbers printed as plain text.

use std::fmt;

use super::{Number, Repr, Rounding};

/// Plain text without exponent: `-12.5`, `0.001`, `inf`, `-inf`. The width, fill and sign of the format apply. With
/// a precision (`{:.2}`) the number is rounded to that number of decimal places, half to even, and padded with
/// zeros.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(places) = f.precision() {
            return write_with_places(self, places, f);
        }
        match &self.0 {
            Repr::Small { mantissa, scale: 0 } => fmt::Display::fmt(mantissa, f),
            Repr::Small { mantissa, scale } => {
                write_plain(f, mantissa.unsigned_abs().to_string(), *scale, *mantissa < 0)
            }
            Repr::Big(big) => {
                write_plain(f, big.mantissa().magnitude().to_string(), big.scale(), self.is_negative())
            }
            Repr::Infinity => f.pad("inf"),
            Repr::NegInfinity => f.pad("-inf"),
        }
    }
}

/// Writes the number with exactly `places` digits after the point, rounded half to even or padded with zeros; an
/// infinity without any.
fn write_with_places(number: &Number, places: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let places_wanted = i64::try_from(places).unwrap_or(i64::MAX);
    // If rounding gives more digits than the limit, the number is written unrounded.
    let rounded = number.round(places_wanted, Rounding::HalfEven);
    let text = rounded.as_ref().unwrap_or(number).to_string();
    let (is_negative, mut digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits.to_owned()),
        None => (false, text),
    };
    if number.is_finite() && places > 0 {
        let written = match digits.split_once('.') {
            Some((_, fraction)) => fraction.len(),
            None => {
                digits.push('.');
                0
            }
        };
        digits.extend(std::iter::repeat_n('0', places.saturating_sub(written)));
    }
    f.pad_integral(!is_negative, "", &digits)
}

impl Number {
    /// Appends the plain text of the number to a string.
    #[doc(hidden)]
    pub fn write_to(&self, out: &mut String) {
        match self.0 {
            Repr::Small { mantissa, scale } => append_small(mantissa, usize::from(scale), out),
            // Writing to a `String` cannot fail.
            _ => drop(fmt::Write::write_fmt(out, format_args!("{self}"))),
        }
    }
}

/// Appends the plain text of `mantissa * 10^-scale` to `out`. It produces the digits itself: with `fmt` this took
/// half of the time of writing a number.
fn append_small(mantissa: i64, scale: usize, out: &mut String) {
    if mantissa < 0 {
        out.push('-');
    }
    let mut digits = [b'0'; 20];
    let mut rest = mantissa.unsigned_abs();
    let mut count = 0_usize;
    for digit in digits.iter_mut().rev() {
        *digit = b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or(0));
        rest /= 10;
        count = count.saturating_add(1);
        if rest == 0 {
            break;
        }
    }
    let digits = digits.get(digits.len().saturating_sub(count)..).unwrap_or_default();
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    if scale == 0 {
        out.push_str(digits);
    } else if let Some((whole, fraction)) =
        count.checked_sub(scale).filter(|whole| *whole > 0).and_then(|whole| digits.split_at_checked(whole))
    {
        out.push_str(whole);
        out.push('.');
        out.push_str(fraction);
    } else {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', scale.saturating_sub(count)));
        out.push_str(digits);
    }
}

/// Writes a number in plain text from its decimal digits, with the decimal point before the last `scale` of them.
fn write_plain(f: &mut fmt::Formatter<'_>, mut digits: String, scale: u16, negative: bool) -> fmt::Result {
    let scale = usize::from(scale);
    if scale > 0 {
        match digits.len().checked_sub(scale) {
            Some(whole @ 1..) => digits.insert(whole, '.'),
            _ => digits = format!("0.{digits:0>scale$}"),
        }
    }
    f.pad_integral(!negative, "", &digits)
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}
