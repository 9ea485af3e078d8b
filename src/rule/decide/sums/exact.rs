//! Sums and products of known numbers, also of ones that no number can hold.

use std::cmp::Ordering;

use crate::number::Number;

/// Compares a number with a sum that may have more digits than a number can; `None` where there is no sum.
pub(super) fn compare(value: &Number, parts: Vec<&Number>) -> Option<Ordering> {
    let infinite: Vec<&Number> = parts.iter().copied().filter(|part| part.is_infinite()).collect();
    if let Some(first) = infinite.first() {
        return infinite.iter().all(|part| part == first).then(|| value.cmp(first));
    }
    if value.is_infinite() {
        return Some(value.cmp(&Number::ZERO));
    }
    // Whole parts and fractions apart: fractions carry, so that each of both stays as long as its operands.
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

/// Adding against the sign of the sum so far keeps it within its operands until the rest is of one sign.
fn compare_whole(value: &Number, parts: Vec<Number>) -> Ordering {
    let (mut down, mut up): (Vec<Number>, Vec<Number>) = parts.into_iter().partition(Number::is_negative);
    let mut sum = Number::ZERO;
    loop {
        let next =
            if sum.is_positive() { down.pop().or_else(|| up.pop()) } else { up.pop().or_else(|| down.pop()) };
        let Some(next) = next else { return value.cmp(&sum) };
        match sum.add(&next) {
            Ok(more) => sum = more,
            // Beyond every number, and all that is left has its sign.
            Err(_) if sum.is_positive() => return Ordering::Less,
            Err(_) => return Ordering::Greater,
        }
    }
}

/// The product, computed from the smallest factor to the largest; `None` where it is undefined.
pub(super) fn product(parts: &[&Number]) -> Option<Number> {
    let mut parts: Vec<Number> = parts.iter().map(|part| (*part).clone()).collect();
    parts.sort_by_cached_key(Number::absolute);
    parts.iter().try_fold(Number::ONE, |product, part| product.multiply(part).ok())
}
