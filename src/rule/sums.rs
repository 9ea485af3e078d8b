//! Rules that hold a number against the sum or the product of other parts.

use std::cmp::Ordering;

use crate::number::Number;
use crate::path::Path;
use crate::refinement::{Nullness, NumberRange, Refinement};
use crate::types::Type;
use crate::value::Value;

use super::diagnostic::detail;
use super::path_expr::concrete;
use super::{Diagnostic, How, Misuse, Outcome, PathExpr, Request, Rule, Why, at, numbers, reads};

/// Above so many intervals of sums, only what lies around all of them is kept.
const APART: usize = 64;

/// What is known of the other parts.
#[derive(Default)]
struct Operands {
    /// What is not null, or may turn out so: its interval, and whether it may be null.
    parts: Vec<(NumberRange, bool)>,
    /// A part is certainly null.
    null: bool,
    /// A part may turn out to be no number.
    untyped: bool,
    inputs: Vec<Path>,
}

/// For a value that is certainly null, or certainly not.
///
/// | another part | in a sum | in a product |
/// |---|---|---|
/// | null, or not there | counts as 0 | the rule holds |
/// | may be null | 0, or its interval | the rule may hold |
///
/// What has no sum (∞ and -∞) or product (0 and ∞) fails; so does equality with a product that is longer than a
/// number can be, if only on the way there from the smallest factor to the largest.
#[inline(never)]
pub(super) fn check(rule: &Rule, paths: &[PathExpr], request: &Request<'_>) -> Result<Outcome, Misuse> {
    reads::single(rule, &request.value.ty(), &request.path)?;
    if crate::value::equality::is_always_null(request.value) {
        return Ok(Outcome::Pass);
    }
    let operands = read(rule, paths, request)?;
    let product = matches!(rule, Rule::EqualToProductOf(_));
    if product && operands.null {
        return Ok(Outcome::Pass);
    }
    let answer = match numbers::range(request.value) {
        Some(value) if !operands.untyped => holds(rule, &value, &operands.parts),
        _ => None,
    };
    Ok(match answer {
        Some(true) => Outcome::Pass,
        Some(false) => fail(rule, paths, request),
        None => {
            let mut inputs = operands.inputs;
            if !request.value.is_wholly_known() {
                inputs.insert(0, request.path.clone());
            }
            Outcome::Undetermined(Why::new(inputs).with_obligation(rule.clone()))
        }
    })
}

fn read(rule: &Rule, paths: &[PathExpr], request: &Request<'_>) -> Result<Operands, Misuse> {
    let mut operands = Operands::default();
    for path in paths {
        let (base, found) = at::matches(path, request)?;
        for found in &found {
            let place = || base.path.clone().join(&found.path);
            let several = found.rest.contains(&super::ExprStep::AnyElement);
            let below;
            let part = match found.how {
                How::Exact => &found.value,
                // Of no elements there is nothing to add.
                _ if several && (found.how != How::StoppedAtUnknown || found.leads_nowhere()) => continue,
                How::StoppedAtNull | How::Missing => {
                    operands.null = true;
                    continue;
                }
                How::StoppedAtUnknown => {
                    below = at::unknown_below(found);
                    &below
                }
            };
            let ty = part.ty();
            if ty != Type::Number && ty != Type::Dynamic {
                let kind = ty.friendly_name();
                let message = format!("{} needs numbers, but {path} is {kind}", rule.name());
                return Err(Misuse::new(place(), message));
            }
            let nullness = part.range().nullness();
            if nullness == Nullness::Null {
                operands.null = true;
                continue;
            }
            if !part.is_wholly_known() {
                operands.inputs.push(place());
            }
            let range = numbers::range(part);
            operands.untyped |= ty == Type::Dynamic || several;
            operands.parts.push((range.unwrap_or_default(), nullness == Nullness::Nullable));
        }
    }
    Ok(operands)
}

fn holds(rule: &Rule, value: &NumberRange, parts: &[(NumberRange, bool)]) -> Option<bool> {
    let known: Option<Vec<&Number>> =
        parts.iter().map(|(range, nullable)| if *nullable { None } else { range.singleton() }).collect();
    if let (Some(value), Some(parts)) = (value.singleton(), known) {
        return Some(match rule {
            Rule::EqualToProductOf(_) => product(&parts).is_some_and(|product| product == *value),
            Rule::AtLeastSumOf(_) => compare(value, parts).is_some_and(Ordering::is_ge),
            Rule::AtMostSumOf(_) => compare(value, parts).is_some_and(Ordering::is_le),
            _ => compare(value, parts).is_some_and(Ordering::is_eq),
        });
    }
    let (results, may_be_none) = match rule {
        Rule::EqualToProductOf(_) => products(parts),
        _ => sums(parts),
    };
    let mut answer = may_be_none.then_some(false);
    for (i, result) in results.iter().enumerate() {
        let holds = match rule {
            Rule::AtLeastSumOf(_) => numbers::above(value, result),
            Rule::AtMostSumOf(_) => numbers::above(result, value),
            _ if value.meet(result).is_none() => Some(false),
            _ => (value.singleton().is_some() && value == result).then_some(true),
        };
        if (i > 0 || may_be_none) && answer != holds {
            return None;
        }
        answer = holds;
    }
    // A null among the factors passes.
    let may_be_null =
        matches!(rule, Rule::EqualToProductOf(_)) && parts.iter().any(|(_, nullable)| *nullable);
    answer.filter(|holds| *holds || !may_be_null)
}

/// The intervals in which sums are, and whether there may be no sum.
fn sums(parts: &[(NumberRange, bool)]) -> (Vec<NumberRange>, bool) {
    let mut sums = vec![NumberRange::exactly(Number::ZERO)];
    for (range, nullable) in parts {
        let with = sums.iter().filter_map(|sum| combined(sum, range, Value::add));
        let mut next: Vec<NumberRange> = with.collect();
        if *nullable {
            next.extend(sums);
        }
        sums = apart(next);
    }
    let up = |range: &NumberRange| range.contains(&Number::INFINITY);
    let down = |range: &NumberRange| range.contains(&Number::NEG_INFINITY);
    (sums, two_of(parts, up, down))
}

fn products(parts: &[(NumberRange, bool)]) -> (Vec<NumberRange>, bool) {
    let start = Some(NumberRange::exactly(Number::ONE));
    let product = parts.iter().fold(start, |product, (range, _)| combined(&product?, range, Value::multiply));
    let zero = |range: &NumberRange| range.contains(&Number::ZERO);
    let infinite =
        |range: &NumberRange| range.contains(&Number::INFINITY) || range.contains(&Number::NEG_INFINITY);
    (product.into_iter().collect(), two_of(parts, zero, infinite))
}

/// Whether one part can be the one, and another part the other.
fn two_of(
    parts: &[(NumberRange, bool)],
    one: impl Fn(&NumberRange) -> bool,
    other: impl Fn(&NumberRange) -> bool,
) -> bool {
    let count = |is: &dyn Fn(&NumberRange) -> bool| parts.iter().filter(|(range, _)| is(range)).count();
    let both = |range: &NumberRange| one(range) && other(range);
    match (count(&one), count(&other)) {
        (0, _) | (_, 0) => false,
        (1, 1) => count(&both) == 0,
        _ => true,
    }
}

/// The interval of results, by the arithmetic of values; none where there is no result.
fn combined(
    a: &NumberRange,
    b: &NumberRange,
    operation: fn(&Value, &Value) -> crate::error::Result<Value>,
) -> Option<NumberRange> {
    let value = |range: &NumberRange| {
        let refinement = Refinement::number(range.clone()).and_not_null();
        Value::refined(Type::Number, refinement).unwrap_or_else(|_| Value::unknown(Type::Number))
    };
    match operation(&value(a), &value(b)) {
        Ok(result) => Some(numbers::range(&result).unwrap_or_default()),
        // Longer than a number can be: somewhere.
        Err(error) if error.is_limit() => Some(NumberRange::default()),
        Err(_) => None,
    }
}

/// The intervals without those that lie in others; one around all where they are many.
fn apart(ranges: Vec<NumberRange>) -> Vec<NumberRange> {
    let mut kept: Vec<NumberRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        if !kept.iter().any(|other| other.covers(&range)) {
            kept.retain(|other| !range.covers(other));
            kept.push(range);
        }
    }
    match kept.split_first() {
        Some((first, rest)) if kept.len() > APART => {
            vec![rest.iter().fold(first.clone(), |all, range| all.join(range))]
        }
        _ => kept,
    }
}

/// A number against a sum that may be longer than a number can be; none where there is no sum.
fn compare(value: &Number, parts: Vec<&Number>) -> Option<Ordering> {
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
        let more = part.sub(&floor).ok()?;
        let room = Number::ONE.sub(&more).ok()?;
        if fraction >= room {
            fraction = fraction.sub(&room).ok()?;
            whole.push(Number::ONE);
        } else {
            fraction = fraction.add(&more).ok()?;
        }
        whole.push(floor);
    }
    let floor = value.floor();
    let rest = value.sub(&floor).ok()?;
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

/// The product, from the smallest factor to the largest; none where there is none.
fn product(parts: &[&Number]) -> Option<Number> {
    let mut parts: Vec<Number> = parts.iter().map(|part| (*part).clone()).collect();
    parts.sort_by_cached_key(Number::abs);
    parts.iter().try_fold(Number::ONE, |product, part| product.mul(part).ok())
}

/// What the number is held against, in words: `at least the sum of a, b`.
pub(super) fn words(rule: &Rule, operands: &[impl ToString]) -> String {
    let names: Vec<String> = operands.iter().map(ToString::to_string).collect();
    let (how, joint) = match rule {
        Rule::AtLeastSumOf(_) => ("at least the sum of", " + "),
        Rule::AtMostSumOf(_) => ("at most the sum of", " + "),
        Rule::EqualToSumOf(_) => ("equal to the sum of", " + "),
        _ => ("equal to the product of", " * "),
    };
    format!("{how} {}", names.join(joint))
}

#[cold]
fn fail(rule: &Rule, paths: &[PathExpr], request: &Request<'_>) -> Outcome {
    let value = request.value;
    // As seen from the whole that messages name places in.
    let names: Vec<String> = paths
        .iter()
        .map(|path| match at::base(path, request) {
            Ok(base) => concrete_or_wild(path, base.path),
            Err(_) => path.to_string(),
        })
        .collect();
    let detail = detail(&request.path, &format!("value must be {}, got: {value}", words(rule, &names)));
    let failure = format!("it is {value}");
    Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, request.path.clone(), failure))
}

fn concrete_or_wild(path: &PathExpr, base: Path) -> String {
    if !path.has_wildcard() {
        return concrete(path.inward(), base).to_string();
    }
    match PathExpr::exactly(&base) {
        Some(mut steps) => {
            steps.extend(path.inward().iter().cloned());
            PathExpr::from_steps(steps).map_or_else(|_| path.to_string(), |path| path.to_string())
        }
        None => path.to_string(),
    }
}
