//! Converts the digits of a JSON number to a [`Number`].

use crate::error::Result;
use crate::number::Number;

/// The exact value of a JSON number.
pub fn number(digits: &str) -> Result<Number> {
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    // Fast path: up to 18 digits fit 64 bits.
    if unsigned.len() <= 18
        && unsigned.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(small) = digits.parse::<i64>()
    {
        return Ok(Number::from(small));
    }
    digits.parse()
}
