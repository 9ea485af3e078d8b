//! Rules that hold a number against the sum or the product of other parts.

mod exact;
mod intervals;

use std::cmp::Ordering;

use crate::number::Number;
use crate::path::Path;
use crate::refinement::{Nullness, NumberRange};
use crate::types::Type;

use super::numbers;
use crate::rule::answer::diagnostic::detail;
use crate::rule::evaluate::at;
use crate::rule::path_expr::concrete;
use crate::rule::structure::reads;
use crate::rule::{Diagnostic, ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

use exact::{compare, product};
use intervals::{products, sums};

/// The numbers at the other paths, as far as they are known.
#[derive(Default)]
struct Operands {
    /// What is not null, or may turn out so: its interval, and whether it may be null.
    parts: Vec<(NumberRange, bool)>,
    /// A part is certainly null.
    null: bool,
    /// A part may be any number of numbers, or of another type.
    untyped: bool,
    /// The parts that may turn out to be no numbers.
    undecided: Vec<Path>,
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
pub(in crate::rule) fn check(
    rule: &Rule,
    paths: &[PathExpr],
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    reads::single(rule, &request.value.ty(), &request.path)?;
    if crate::value::equality::is_always_null(request.value) {
        return Ok(Outcome::Pass);
    }
    let operands = read(rule, paths, request)?;
    let product = matches!(rule, Rule::EqualToProductOf(_));
    if product && operands.null {
        return Ok(Outcome::Pass.unless_misuse(rule, operands.undecided));
    }
    let answer = match numbers::range(request.value) {
        Some(value) if !operands.untyped => holds(rule, &value, &operands.parts),
        _ => None,
    };
    let mut undecided = operands.undecided;
    if !reads::certainly(rule, request.value) {
        undecided.push(request.path.clone());
    }
    let outcome = match answer {
        Some(true) => Outcome::Pass,
        Some(false) => fail(rule, paths, request),
        None => {
            let mut inputs = operands.inputs;
            if !request.value.is_wholly_known() {
                inputs.insert(0, request.path.clone());
            }
            Outcome::Undetermined(Why::new(inputs).with_obligation(rule.clone()))
        }
    };
    Ok(outcome.unless_misuse(rule, undecided))
}

fn read(rule: &Rule, paths: &[PathExpr], request: &Request<'_>) -> Result<Operands, Misuse> {
    let mut operands = Operands::default();
    for path in paths {
        let (base, found) = at::matches(path, request)?;
        for found in &found {
            let place = || base.path.clone().join(&found.path);
            let several = found.rest.contains(&crate::rule::ExprStep::AnyElement);
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
            if ty == Type::Dynamic {
                operands.undecided.push(place());
            }
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

/// What the number is held against, in words: `at least the sum of a, b`.
pub(in crate::rule) fn words(rule: &Rule, operands: &[impl ToString]) -> String {
    let names: Vec<String> = operands.iter().map(ToString::to_string).collect();
    let (how, joint) = how(rule);
    format!("{how} {}", names.join(joint))
}

/// The same where the place of the number is not known, so that its neighbours have no path: `at least the sum of a + b
/// beside it`.
pub(in crate::rule) fn words_beside(rule: &Rule, operands: &[PathExpr]) -> String {
    let parents = |path: &PathExpr| path.steps().iter().take_while(|step| **step == ExprStep::Parent).count();
    let (how, joint) = how(rule);
    let below = |path: &PathExpr| {
        let rest = path.steps().iter().skip(parents(path)).cloned();
        PathExpr::from_steps(rest).map_or_else(|_| path.to_string(), |rest| rest.to_string())
    };
    let is_beside = |path: &PathExpr| parents(path) == 1 && path.steps().len() > 1;
    if operands.iter().all(is_beside) {
        let names: Vec<String> = operands.iter().map(below).collect();
        return format!("{how} {} beside it", names.join(joint));
    }
    let name = |path: &PathExpr| match parents(path) {
        parents if parents == 0 || parents == path.steps().len() => path.to_string(),
        1 => format!("{} beside it", below(path)),
        2 => format!("{} one level above it", below(path)),
        levels => format!("{} {} levels above it", below(path), levels.saturating_sub(1)),
    };
    let names: Vec<String> = operands.iter().map(name).collect();
    format!("{how} {}", names.join(joint))
}

fn how(rule: &Rule) -> (&'static str, &'static str) {
    match rule {
        Rule::AtLeastSumOf(_) => ("at least the sum of", " + "),
        Rule::AtMostSumOf(_) => ("at most the sum of", " + "),
        Rule::EqualToSumOf(_) => ("equal to the sum of", " + "),
        _ => ("equal to the product of", " * "),
    }
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
