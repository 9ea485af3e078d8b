//! Plain scalars of YAML 1.1, resolved as yaml.v2 of Go does.

use std::ops::RangeInclusive;

use num_bigint::BigInt;

use crate::node::Scalar;

/// Resolves a plain scalar: null, a boolean, a number, or else a string.
pub(crate) fn resolve(text: &str) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        _ => number(text).unwrap_or_else(|| Scalar::Text(text.to_owned())),
    }
}

/// Reads a plain scalar as a number; `None` if it is none.
fn number(text: &str) -> Option<Scalar> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return None;
    }
    // Only ints, and floats that start with a digit or a sign, may have underscores.
    let plain = if text.starts_with('.') { text.to_owned() } else { text.replace('_', "") };
    if let Some(int) = integer(&plain) {
        return Some(Scalar::Int(int));
    }
    // A number beyond all floats is a string.
    let float: f64 = is_float(&plain).then(|| plain.parse().ok()).flatten()?;
    float.is_finite().then_some(Scalar::Float(float))
}

/// Reads a plain scalar as an int, with the prefixes `0x`, `0o` and `0b`; `None` if it is none, or does not fit 64 bits.
fn integer(text: &str) -> Option<BigInt> {
    // The Go library reads `0b-1` too.
    if let Some(digits) = text.strip_prefix("0b-").or_else(|| text.strip_prefix("0b+")) {
        let magnitude = signed(text.starts_with("0b-"), digits, 2)?;
        return (magnitude.bits() < 64).then_some(magnitude);
    }
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.chars().next(), digits),
        None => (None, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, digits.get(2..)?),
        [b'0', b'o' | b'O', ..] => (8, digits.get(2..)?),
        [b'0', b'b' | b'B', ..] => (2, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    let int = signed(sign == Some('-'), digits, radix)?;
    // With a sign it has to fit a signed int, without one an unsigned one.
    let fits = match sign {
        None => int.bits() <= 64,
        Some('-') => int >= BigInt::from(i64::MIN),
        _ => int.bits() < 64,
    };
    fits.then_some(int)
}

/// Returns digits as an int; `None` if there are none, or others.
fn signed(is_negative: bool, digits: &str, radix: u32) -> Option<BigInt> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let magnitude = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    if is_negative { BigInt::ZERO.checked_sub(&magnitude) } else { Some(magnitude) }
}

/// Whether a text is a float of YAML 1.1: digits with a point or an exponent.
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    (all(whole) || (whole.is_empty() && all(fraction)))
        && (fraction.is_empty() || all(fraction))
        && exponent.is_none_or(|exponent| all(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// Whether a text without quotes would be no string in YAML 1.1, as the Go library resolves it: null, a boolean, a number,
/// a time, or a number in base 60, which the library itself reads as a string.
pub(crate) fn is_resolved(text: &str) -> bool {
    !matches!(resolve(text), Scalar::Text(_)) || is_base_60(text) || is_time(text)
}

/// Whether a text without quotes would be no string for other readers of YAML 1.1 or 1.2: the keys `<<` and `=`, times that
/// the Go library does not know, and numbers that are too large for it or have underscores where it has none.
pub(crate) fn is_resolved_elsewhere(text: &str) -> bool {
    matches!(text, "<<" | "=") || is_time_elsewhere(text) || is_number_elsewhere(text)
}

/// Splits a text after its leading digits, `most` of them at most; `None` if it begins with none.
fn split_digits(text: &str, most: usize) -> Option<(&str, &str)> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    if count == 0 { None } else { text.split_at_checked(count) }
}

/// Takes digits as a number that is in a range.
fn number_within(text: &str, range: RangeInclusive<u32>) -> Option<(u32, &str)> {
    let (number, rest) = split_digits(text, 2)?;
    let number = number.parse().ok().filter(|number| range.contains(number))?;
    Some((number, rest))
}

/// Whether a text is a number in base 60: `12:30`, `1:20:30.5`.
fn is_base_60(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let Some((first, mut rest)) = text.split_once(':') else { return false };
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    if !first.starts_with(|first: char| first.is_ascii_digit()) || !first.bytes().all(is_digit) {
        return false;
    }
    loop {
        let Some((_, after)) = number_within(rest, 0..=59) else { return false };
        match after.as_bytes() {
            [] => return true,
            [b':', ..] => rest = after.get(1..).unwrap_or(""),
            [b'.', fraction @ ..] => return fraction.iter().copied().all(is_digit),
            _ => return false,
        }
    }
}

/// Whether a text is a time as the Go library has it: a date, whose month and day may have one digit, or a date and a time
/// with a zone, or after a blank without one.
pub(crate) fn is_time(text: &str) -> bool {
    let after_date = || {
        let (year, rest) = split_digits(text, 5).filter(|(year, _)| year.len() == 4)?;
        let (month, rest) = number_within(rest.strip_prefix('-')?, 1..=12)?;
        let year: u32 = year.parse().ok()?;
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        Some(number_within(rest.strip_prefix('-')?, 1..=days)?.1)
    };
    let is_clock = |text: &str, is_zone: fn(&str) -> bool| {
        let after = || {
            let (_, rest) = number_within(text, 0..=23)?;
            let (_, rest) = number_within(rest.strip_prefix(':')?, 0..=59)?;
            let (_, rest) = number_within(rest.strip_prefix(':')?, 0..=59)?;
            let fraction = rest.strip_prefix(['.', ',']).and_then(|rest| split_digits(rest, usize::MAX));
            Some(fraction.map_or(rest, |(_, rest)| rest))
        };
        after().is_some_and(is_zone)
    };
    match after_date() {
        Some("") => true,
        Some(rest) => match rest.split_at_checked(1) {
            Some(("T" | "t", clock)) => is_clock(clock, is_zone),
            Some((" ", clock)) => is_clock(clock.trim_start_matches(' '), str::is_empty),
            _ => false,
        },
        None => false,
    }
}

/// Whether a text is `Z`, or a sign with hours and minutes.
fn is_zone(text: &str) -> bool {
    let two = |text: &str, most: u32| {
        text.len() == 2 && number_within(text, 0..=most).is_some_and(|(_, rest)| rest.is_empty())
    };
    match text.strip_prefix(['+', '-']).and_then(|zone| zone.split_once(':')) {
        Some((hours, minutes)) => two(hours, 24) && two(minutes, 60),
        None => text == "Z",
    }
}

/// Whether a text has the form of a time in YAML 1.1, even if there is no such day.
fn is_time_elsewhere(text: &str) -> bool {
    let clock = |text: &str| {
        let (_, rest) = split_digits(text, 2)?;
        let (minutes, rest) = split_digits(rest.strip_prefix(':')?, 2)?;
        let (seconds, rest) = split_digits(rest.strip_prefix(':')?, 2)?;
        let rest = rest
            .strip_prefix('.')
            .map_or(rest, |rest| split_digits(rest, usize::MAX).map_or(rest, |(_, rest)| rest));
        let zone = rest.trim_start_matches([' ', '\t']);
        let is_offset = |zone: &str| {
            let (_, rest) = split_digits(zone, 2)?;
            let minutes = rest.strip_prefix(':').and_then(|rest| split_digits(rest, 2));
            let is_whole = |(minutes, rest): (&str, &str)| minutes.len() == 2 && rest.is_empty();
            Some(rest.is_empty() || minutes.is_some_and(is_whole))
        };
        let has_zone = zone == "Z" || zone.strip_prefix(['+', '-']).and_then(is_offset).unwrap_or(false);
        Some(minutes.len() == 2 && seconds.len() == 2 && (rest.is_empty() || has_zone))
    };
    let date = || {
        let (year, rest) = split_digits(text, 5)?;
        let (month, rest) = split_digits(rest.strip_prefix('-')?, 2)?;
        let (day, rest) = split_digits(rest.strip_prefix('-')?, 2)?;
        if year.len() != 4 {
            return None;
        }
        if rest.is_empty() {
            return Some(month.len() == 2 && day.len() == 2);
        }
        let after = rest.trim_start_matches([' ', '\t']);
        clock(if after.len() < rest.len() { after } else { rest.strip_prefix(['T', 't'])? })
    };
    date().unwrap_or(false)
}

/// Whether a text has the form of a number in YAML 1.1 or 1.2, of any size and with underscores.
fn is_number_elsewhere(text: &str) -> bool {
    if text.starts_with('_') {
        return false;
    }
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_of = |text: &str, radix: u32| {
        !text.is_empty() && text.chars().all(|char| char == '_' || char.is_digit(radix))
    };
    for (prefix, radix) in [("0b", 2), ("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return is_of(digits, radix);
        }
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    is_of(&mantissa.replacen('.', "", 1), 10)
        && split_digits(exponent, usize::MAX).is_some_and(|(_, rest)| rest.is_empty())
}

/// Refuses a plain scalar whose type is not plain to see, as ytt does in its strict mode.
pub(crate) fn check_strictly(text: &str) -> Result<(), String> {
    let tag = |scalar: &Scalar| match scalar {
        Scalar::Null | Scalar::Unknown => "!!null",
        Scalar::Bool(_) => "!!bool",
        Scalar::Int(_) => "!!int",
        Scalar::Float(_) => "!!float",
        Scalar::Text(_) => "!!str",
    };
    let is_number = is_plain_int(text) || is_plain_float(text);
    let plain = match text {
        "" => Scalar::Null,
        "true" | "false" => Scalar::Bool(text == "true"),
        _ if is_number => resolve(text),
        _ if text.contains(char::is_whitespace) => {
            return Err(format!("Strings with whitespace must be explicitly quoted: '{text}'"));
        }
        _ if text.contains(':') => {
            return Err(format!("Strings with colon must be explicitly quoted: '{text}'"));
        }
        _ if text.contains("---") => {
            return Err(format!("Strings with triple-dash must be explicitly quoted: '{text}'"));
        }
        _ => Scalar::Text(text.to_owned()),
    };
    let (plain, native) = (tag(&plain), tag(&resolve(text)));
    if plain == native {
        return Ok(());
    }
    Err(format!("Found '{text}' ambigious (could be {plain} or {native})"))
}

/// Whether a text is an int without sign, prefix and leading zeros but for a minus.
fn is_plain_int(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

/// Whether a text is a float as JSON has it.
fn is_plain_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    is_plain_int(whole)
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}
