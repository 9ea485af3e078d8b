//! Plain scalars of YAML 1.1, resolved as yaml.v2 of Go does.

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
    let plain = text.replace('_', "");
    integer(&plain).or_else(|| is_float(&plain).then(|| plain.parse().ok().map(Scalar::Float)).flatten())
}

/// Reads a plain scalar as an int, with the prefixes `0x`, `0o` and `0b`; `None` if it is none.
fn integer(text: &str) -> Option<Scalar> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, digits.get(2..)?),
        [b'0', b'o' | b'O', ..] => (8, digits.get(2..)?),
        [b'0', b'b' | b'B', ..] => (2, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let magnitude = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    // yaml.v2 reads what does not fit 64 bits as a float.
    if magnitude.bits() > 64 || (negative && magnitude.bits() > 63) {
        return text.parse().ok().map(Scalar::Float);
    }
    Some(Scalar::Int(if negative { BigInt::ZERO.checked_sub(&magnitude)? } else { magnitude }))
}

/// Whether a text is a float of YAML 1.1: digits with a point or an exponent.
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    (digits(whole) || (whole.is_empty() && digits(fraction)))
        && (fraction.is_empty() || digits(fraction))
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
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
