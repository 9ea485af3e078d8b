//! Arithmetic of Starlark's ints and floats, and their texts.

use num_bigint::BigInt;

use super::error::Failure;
use super::heap::Heap;
use super::value::Value;

/// The largest number of bits of an int.
const MAX_BITS: u64 = 8_192;

/// Returns a float as an int if it is a whole number.
pub(crate) fn whole(float: f64) -> Option<BigInt> {
    let is_whole = float.is_finite() && float.fract() == 0.0;
    is_whole.then(|| format!("{float:.0}").parse().ok()).flatten()
}

/// Returns an int as a float; one that is too large is infinite.
pub(crate) fn float_of(int: &BigInt) -> f64 {
    int.to_string().parse().unwrap_or(f64::NAN)
}

/// Returns a float as Go's `%g` prints it with six digits.
pub(crate) fn float_text(float: f64) -> String {
    if float.is_nan() {
        return "NaN".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{float:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if float != 0.0 && !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.unsigned_abs());
    }
    let digits = usize::try_from(5_i32.saturating_sub(exponent)).unwrap_or(0);
    trimmed(&format!("{float:.digits$}"))
}

/// A pair of operands: two ints, or two floats.
pub(crate) enum Pair {
    Ints(BigInt, BigInt),
    Floats(f64, f64),
}

impl Pair {
    /// Returns the operands if both are numbers.
    pub(crate) fn of(left: &Value, right: &Value) -> Option<Pair> {
        Some(match (left, right) {
            (Value::Int(left), Value::Int(right)) => Pair::Ints(left.clone(), right.clone()),
            (Value::Float(left), Value::Float(right)) => Pair::Floats(*left, *right),
            (Value::Int(left), Value::Float(right)) => Pair::Floats(float_of(left), *right),
            (Value::Float(left), Value::Int(right)) => Pair::Floats(*left, float_of(right)),
            _ => return None,
        })
    }
}

/// Returns the result of an operator on numbers; `None` for an operator that numbers do not have.
pub(crate) fn arithmetic(heap: &Heap, operator: &str, pair: Pair) -> Option<Result<Value, Failure>> {
    let floats = |left: f64, right: f64, zero: &str| match operator {
        "+" => Ok(left + right),
        "-" => Ok(left - right),
        "*" => Ok(left * right),
        _ if right == 0.0 => Err(Failure::from(zero)),
        "/" => Ok(left / right),
        "//" => Ok((left / right).floor()),
        // The remainder has the sign of the dividend, unlike that of ints.
        _ => Ok(left % right),
    };
    let zero = match operator {
        "+" | "-" | "*" => "",
        "/" => "real division by zero",
        "//" => "floored division by zero",
        "%" => "float modulo by zero",
        _ => {
            return match pair {
                Pair::Ints(left, right) => bitwise(operator, &left, &right),
                Pair::Floats(..) => None,
            };
        }
    };
    Some(match pair {
        Pair::Floats(left, right) => floats(left, right, zero).map(Value::Float),
        Pair::Ints(left, right) if operator == "/" => {
            floats(float_of(&left), float_of(&right), zero).map(Value::Float)
        }
        Pair::Ints(left, right) => ints(heap, operator, &left, &right),
    })
}

/// Returns the result of an operator on two ints.
fn ints(heap: &Heap, operator: &str, left: &BigInt, right: &BigInt) -> Result<Value, Failure> {
    let words = (left.bits() / 64).saturating_mul(right.bits() / 64) / 8;
    heap.work(usize::try_from(words).unwrap_or(usize::MAX))?;
    let result = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        _ => {
            let zero = if operator == "//" { "floored division by zero" } else { "integer modulo by zero" };
            let quotient = left.checked_div(right).ok_or(zero)?;
            let rest = left.checked_sub(&quotient.checked_mul(right).unwrap_or_default()).unwrap_or_default();
            // The quotient is rounded down, and the rest has the sign of the divisor.
            let adjust = rest != BigInt::ZERO && (rest < BigInt::ZERO) != (*right < BigInt::ZERO);
            match operator {
                "//" if adjust => quotient.checked_sub(&BigInt::from(1)),
                "//" => Some(quotient),
                _ if adjust => rest.checked_add(right),
                _ => Some(rest),
            }
        }
    };
    bounded(result.unwrap_or_default())
}

/// Returns an int as a value, unless it is too large.
fn bounded(int: BigInt) -> Result<Value, Failure> {
    if int.bits() > MAX_BITS {
        return Err(Failure::Limit(format!("ints of more than {MAX_BITS} bits are not supported")));
    }
    Ok(Value::Int(int))
}

/// Returns the result of a bitwise operator on two ints; `None` for another operator.
fn bitwise(operator: &str, left: &BigInt, right: &BigInt) -> Option<Result<Value, Failure>> {
    Some(match operator {
        "&" => Ok(Value::Int(left & right)),
        "|" => Ok(Value::Int(left | right)),
        "^" => Ok(Value::Int(left ^ right)),
        "<<" | ">>" => shift(operator == "<<", left, right),
        _ => return None,
    })
}

/// Returns an int shifted by so many bits.
fn shift(is_left: bool, int: &BigInt, count: &BigInt) -> Result<Value, Failure> {
    if *count < BigInt::ZERO {
        return Err(format!("negative shift count: {count}").into());
    }
    let Ok(count) = u32::try_from(count) else {
        return Err(format!("shift count too large: {count}").into());
    };
    if is_left && count >= 512 {
        return Err(format!("shift count too large: {count}").into());
    }
    if is_left {
        let factor = BigInt::from(2).pow(count);
        return bounded(int.checked_mul(&factor).unwrap_or_default());
    }
    if u64::from(count) > int.bits() {
        return Ok(Value::int(if *int < BigInt::ZERO { -1 } else { 0 }));
    }
    // The quotient is rounded down, as a shift of two's complement is.
    let factor = BigInt::from(2).pow(count);
    let quotient = int.checked_div(&factor).unwrap_or_default();
    let exact = quotient.checked_mul(&factor).is_some_and(|product| product == *int);
    let adjust = *int < BigInt::ZERO && !exact;
    Ok(Value::Int(if adjust { quotient.checked_sub(&BigInt::from(1)).unwrap_or_default() } else { quotient }))
}
