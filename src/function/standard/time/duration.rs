//! The parser of durations in Go's format: `1h30m`, `-1.5s`, `300ms`.

use std::fmt::Write;

use crate::text::split_digits;

/// Parses a duration and returns it in nanoseconds; else the error message of Go.
pub(super) fn parse_nanoseconds(text: &str) -> Result<i64, String> {
    let invalid = || format!("invalid duration {}", go_quoted(text));
    let (is_negative, mut rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut sum = 0_i128;
    while !rest.is_empty() {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => split_digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end).unwrap_or((after, ""));
        if unit.is_empty() {
            return Err(format!("missing unit in duration {}", go_quoted(text)));
        }
        let unit_size = unit_nanoseconds(unit)
            .ok_or_else(|| format!("unknown unit {} in duration {}", go_quoted(unit), go_quoted(text)))?;
        let part = units_to_nanoseconds(whole, fraction, unit_size).ok_or_else(invalid)?;
        sum = sum.checked_add(part).ok_or_else(invalid)?;
        rest = after;
    }
    let signed = if is_negative { sum.checked_neg() } else { Some(sum) };
    signed.and_then(|sum| i64::try_from(sum).ok()).ok_or_else(invalid)
}

/// The number of nanoseconds in a unit such as `ms`; `None` if there is no such unit.
fn unit_nanoseconds(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        // `µ` has two code points: the micro sign and the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// The number `whole.fraction` of units in nanoseconds, rounded down; both are decimal digits. `unit_size` is the unit
/// in nanoseconds. `None` if the result is out of range.
fn units_to_nanoseconds(whole: &str, fraction: &str, unit_size: i128) -> Option<i128> {
    let whole = if whole.is_empty() { 0 } else { whole.parse::<i64>().ok()? };
    let fraction = fraction.get(..fraction.len().min(18)).unwrap_or_default();
    let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<i128>().ok()? };
    let below = fraction.checked_mul(unit_size)?.checked_div(scale)?;
    i128::from(whole).checked_mul(unit_size)?.checked_add(below)
}

/// The text in quotes, as Go's package `time` quotes it in messages: every byte that is not printable ASCII becomes
/// `\xNN`.
fn go_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        let _ = match byte {
            b'"' | b'\\' => write!(out, "\\{}", char::from(byte)),
            b' '..=b'~' => write!(out, "{}", char::from(byte)),
            byte => write!(out, "\\x{byte:02x}"),
        };
    }
    out.push('"');
    out
}
