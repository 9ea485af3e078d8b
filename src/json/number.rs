//! Numbers from the digits of JSON.

use crate::error::Result;
use crate::number::Number;

/// The number that a JSON number stands for, exactly.
pub(crate) fn number(digits: &str) -> Result<Number> {
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    // Up to 18 digits fit 64 bits.
    if unsigned.len() <= 18
        && unsigned.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(small) = digits.parse::<i64>()
    {
        return Ok(Number::from(small));
    }
    digits.parse()
}
