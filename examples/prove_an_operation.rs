//! Proves an operation of one's own with `plantime::testing`, and shows what becomes of a mistake in it.
//!
//! ```text
//! cargo run --all-features --example prove_an_operation
//! ```

use plantime::testing::{self, Domain};
use plantime::{Bound, NumberRange, Result, Type, Value};

/// The number, or the limit where that is less. What is known of an unknown number is kept.
fn at_most(number: &Value, limit: i64) -> Result<Value> {
    let (number, marks) = number.clone().unmark();
    let number = number.assume_type(&Type::Number)?.assume_not_null()?;
    let limit = plantime::Number::from(limit);
    let answer = if let Ok(known) = number.as_number() {
        Value::from(known.clone().min(limit))
    } else {
        let known = number.range().number_range().cloned().unwrap_or_default();
        let low = match known.lower().clone() {
            Bound::Inclusive(low) if low >= limit => return Ok(Value::from(limit).with_marks(&marks)),
            Bound::Exclusive(low) if low >= limit => return Ok(Value::from(limit).with_marks(&marks)),
            low => low,
        };
        let high = match known.upper().clone() {
            Bound::Inclusive(high) if high <= limit => Bound::Inclusive(high),
            Bound::Exclusive(high) if high <= limit => Bound::Exclusive(high),
            _ => Bound::Inclusive(limit),
        };
        Value::unknown(Type::Number).assume_not_null()?.assume_number_range(NumberRange::new(low, high)?)?
    };
    Ok(answer.with_marks(&marks))
}

/// The same with a mistake: an unknown number is taken to be below the limit, never at it.
fn below(number: &Value, limit: i64) -> Result<Value> {
    if number.is_known() {
        return at_most(number, limit);
    }
    let (number, marks) = number.clone().unmark();
    number.assume_type(&Type::Number)?.assume_not_null()?;
    let range = NumberRange::below(limit)?;
    let answer = Value::unknown(Type::Number).assume_not_null()?.assume_number_range(range)?;
    Ok(answer.with_marks(&marks))
}

fn main() {
    let numbers = Domain::small().of(&Type::Number);
    let report =
        testing::unary("at_most", |number| at_most(number, 1)).on([numbers.clone()]).optimal().report();
    println!("{report}");
    assert!(report.is_proven());

    let report = testing::unary("below", |number| below(number, 1)).on([numbers]).report();
    println!("{report}");
    assert!(!report.is_proven());
}
