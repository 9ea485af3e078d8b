//! Sums and products of known numbers, including sums with more digits than a number can have.

use std::cmp::Ordering;

use crate::number::Number;

/// Compares `value` with the sum of `parts`, exactly, even if the sum has more digits than a number can have: `Less` if
/// the value is smaller than the sum. `None` if there is no sum (∞ and -∞).
pub(super) fn compare(value: &Number, parts: Vec<&Number>) -> Option<Ordering> {
    let infinite: Vec<&Number> = parts.iter().copied().filter(|part| part.is_infinite()).collect();
    if let Some(first) = infinite.first() {
        return infinite.iter().all(|part| part == first).then(|| value.cmp(first));
    }
    if value.is_infinite() {
        return Some(value.cmp(&Number::ZERO));
    }
    // Integer parts and fractions are added apart: 10^5000 + 10^-5000 would need 10,000 digits at once.
    let (mut whole, mut fraction) = (Vec::new(), Number::ZERO);
    for part in parts {
        let floor = part.floor();
        let more = part.subtract(&floor).ok()?;
        let room = Number::ONE.subtract(&more).ok()?;
        if fraction >= room {
            fraction = fraction.subtract(&room).ok()?;
            whole.push(Number::ONE);
        } else {
            fraction = fraction.add(&more).ok()?;
        }
        whole.push(floor);
    }
    let floor = value.floor();
    let rest = value.subtract(&floor).ok()?;
    Some(compare_whole(&floor, whole).then_with(|| rest.cmp(&fraction)))
}

/// Compares the integer `value` with the sum of the integers `parts`: `Less` if the value is smaller than the sum.
/// Numbers of the opposite sign are added first, which keeps the sum within the size of the operands until all that
/// remain have one sign.
fn compare_whole(value: &Number, parts: Vec<Number>) -> Ordering {
    let (mut down, mut up): (Vec<Number>, Vec<Number>) = parts.into_iter().partition(Number::is_negative);
    let mut sum = Number::ZERO;
    loop {
        let next =
            if sum.is_positive() { down.pop().or_else(|| up.pop()) } else { up.pop().or_else(|| down.pop()) };
        let Some(next) = next else { return value.cmp(&sum) };
        match sum.add(&next) {
            Ok(more) => sum = more,
            // The sum exceeds every number, and the remaining terms have the same sign.
            Err(_) if sum.is_positive() => return Ordering::Less,
            Err(_) => return Ordering::Greater,
        }
    }
}

/// The product of the numbers, multiplied from the smallest absolute value to the largest. `None` for 0 times ∞, and if
/// it or an intermediate product has more digits than a number can have.
pub(super) fn product(parts: &[&Number]) -> Option<Number> {
    let mut parts: Vec<Number> = parts.iter().map(|part| (*part).clone()).collect();
    parts.sort_by_cached_key(Number::absolute);
    parts.iter().try_fold(Number::ONE, |product, part| product.multiply(part).ok())
}
