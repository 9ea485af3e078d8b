//! Durations as Go writes them: `1h30m`, `-1.5s`, `300ms`.

use std::fmt::Write;

/// Nanoseconds, or what is wrong.
pub(super) fn nanoseconds(text: &str) -> Result<i64, String> {
    let invalid = || format!("invalid duration {}", quoted(text));
    let (negative, mut rest) = match text.strip_prefix(['-', '+']) {
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
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end).unwrap_or((after, ""));
        if unit.is_empty() {
            return Err(format!("missing unit in duration {}", quoted(text)));
        }
        let size = size(unit)
            .ok_or_else(|| format!("unknown unit {} in duration {}", quoted(unit), quoted(text)))?;
        let part = part(whole, fraction, size).ok_or_else(invalid)?;
        sum = sum.checked_add(part).ok_or_else(invalid)?;
        rest = after;
    }
    let signed = if negative { sum.checked_neg() } else { Some(sum) };
    signed.and_then(|sum| i64::try_from(sum).ok()).ok_or_else(invalid)
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn size(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        // The sign of micro, and the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// So many of a unit, what is below a nanosecond left out.
fn part(whole: &str, fraction: &str, size: i128) -> Option<i128> {
    let whole = if whole.is_empty() { 0 } else { whole.parse::<i64>().ok()? };
    let fraction = fraction.get(..fraction.len().min(18)).unwrap_or_default();
    let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<i128>().ok()? };
    let below = fraction.checked_mul(size)?.checked_div(scale)?;
    i128::from(whole).checked_mul(size)?.checked_add(below)
}

/// As Go quotes here: byte by byte, whatever is no plain ASCII by its code.
fn quoted(text: &str) -> String {
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
