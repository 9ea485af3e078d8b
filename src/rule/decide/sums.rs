//! Rules that compare a number with the sum or the product of other attributes.

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
use crate::rule::keywords::{Keyword, row};
use crate::rule::path_expr::append_steps;
use crate::rule::structure::reads;
use crate::rule::{Diagnostic, ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

use exact::{compare, product};
use intervals::{products, sums};

/// A comparison of a number with the sum or product of the numbers at some paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TotalRule {
    /// At least the sum; a null counts as 0.
    AtLeastSum,
    /// At most the sum; a null counts as 0.
    AtMostSum,
    /// Equal to the sum; a null counts as 0.
    EqualToSum,
    /// Equal to the product; it passes if one of the numbers is null.
    EqualToProduct,
}

impl Rule {
    /// The number is at least the sum of the numbers at these paths; a null counts as 0.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Type, Value, value};
    ///
    /// let rule = Rule::at("total".parse()?, Rule::at_least_sum_of(["<.used".parse()?, "<.reserved".parse()?]))?;
    /// assert!(rule.check_value(&value!({ "total": 10, "used": 4, "reserved": 6 })?)?.is_pass());
    /// assert!(rule.check_value(&value!({ "total": 9, "used": 4, "reserved": 6 })?)?.is_fail());
    /// let open = value!({ "total": 10, "used": 4, "reserved": Value::unknown(Type::Number) })?;
    /// assert!(rule.check_value(&open)?.is_undetermined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn at_least_sum_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Total(TotalRule::AtLeastSum, paths.into_iter().collect())
    }

    /// The number is at most the sum of the numbers at these paths; a null counts as 0.
    ///
    /// [Example](Rule::at_least_sum_of)
    pub fn at_most_sum_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Total(TotalRule::AtMostSum, paths.into_iter().collect())
    }

    /// The number is the sum of the numbers at these paths; a null counts as 0.
    ///
    /// [Example](Rule::at_least_sum_of)
    pub fn equal_to_sum_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Total(TotalRule::EqualToSum, paths.into_iter().collect())
    }

    /// The number is the product of the numbers at these paths; it passes if one of those is null.
    ///
    /// [Example](Rule::at_least_sum_of)
    pub fn equal_to_product_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Total(TotalRule::EqualToProduct, paths.into_iter().collect())
    }
}

impl TotalRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(self) -> &'static Keyword {
        match self {
            TotalRule::AtLeastSum => const { row("at_least_sum_of") },
            TotalRule::AtMostSum => const { row("at_most_sum_of") },
            TotalRule::EqualToSum => const { row("equal_to_sum_of") },
            TotalRule::EqualToProduct => const { row("equal_to_product_of") },
        }
    }

    /// The words for the comparison, and the operator that joins the operands: `at least the sum of` and ` + `.
    fn comparison(self) -> (&'static str, &'static str) {
        match self {
            TotalRule::AtLeastSum => ("at least the sum of", " + "),
            TotalRule::AtMostSum => ("at most the sum of", " + "),
            TotalRule::EqualToSum => ("equal to the sum of", " + "),
            TotalRule::EqualToProduct => ("equal to the product of", " * "),
        }
    }
}

/// The numbers at the paths of the rule, which are added or multiplied, as far as they are known.
#[derive(Default)]
struct Operands {
    /// One entry for each number that is not certainly null: its interval, and whether it may be null.
    parts: Vec<(NumberRange, bool)>,
    /// Whether a path leads to a value that is certainly null or missing.
    null: bool,
    /// Whether an entry of `parts` stands for any number of numbers (`[*]` below an unknown), or may have another type.
    /// Then no interval bounds the result.
    untyped: bool,
    /// The paths of the values of dynamic type, which may turn out not to be numbers.
    undecided: Vec<Path>,
    /// The paths of the values that are not wholly known.
    inputs: Vec<Path>,
}

/// Evaluates a rule that compares the value of the request with the sum or product of the numbers at the paths. The
/// value is certainly null, or certainly not null. `total` and `paths` are the payload of `rule`.
///
/// | number at a path | in a sum | in a product |
/// |---|---|---|
/// | null, or missing | counts as 0 | the rule holds |
/// | may be null | 0, or its interval | the rule may hold |
///
/// The rule fails if there is no sum (∞ and -∞) or no product (0 and ∞). Equality with a product also fails if the
/// product, or an intermediate one, has more digits than a number can have. Factors are multiplied smallest first.
#[inline(never)]
pub(in crate::rule) fn check(
    rule: &Rule,
    total: TotalRule,
    paths: &[PathExpr],
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    reads::check_single(rule, &request.value.ty(), &request.path)?;
    if crate::value::equality::is_always_null(request.value) {
        return Ok(Outcome::Pass);
    }
    let operands = read_operands(rule, paths, request)?;
    if total == TotalRule::EqualToProduct && operands.null {
        return Ok(Outcome::Pass.undetermined_if_misuse(rule, operands.undecided));
    }
    let answer = match numbers::range(request.value) {
        Some(value) if !operands.untyped => holds(total, &value, &operands.parts),
        _ => None,
    };
    let mut undecided = operands.undecided;
    if !reads::can_read_every_outcome(rule, request.value) {
        undecided.push(request.path.clone());
    }
    let outcome = match answer {
        Some(true) => Outcome::Pass,
        Some(false) => failure(total, paths, request),
        None => {
            let mut inputs = operands.inputs;
            if !request.value.is_wholly_known() {
                inputs.insert(0, request.path.clone());
            }
            Outcome::Undetermined(Why::new(inputs).with_obligation(rule.clone()))
        }
    };
    Ok(outcome.undetermined_if_misuse(rule, undecided))
}

/// Follows each path and collects the numbers there as far as they are known. An error if a value has another type.
fn read_operands(rule: &Rule, paths: &[PathExpr], request: &Request<'_>) -> Result<Operands, Misuse> {
    let mut operands = Operands::default();
    for path in paths {
        let (start, ends) = at::follow_path(path, request)?;
        for end in &ends {
            let place = || start.path.clone().join(&end.path);
            let several = end.rest.contains(&crate::rule::ExprStep::AnyElement);
            let below;
            let part = match end.how {
                How::Exact => &end.value,
                // A path with `[*]` that ends at a null or an empty collection has no elements to add.
                _ if several && (end.how != How::StoppedAtUnknown || end.leads_nowhere()) => continue,
                How::StoppedAtNull | How::Missing => {
                    operands.null = true;
                    continue;
                }
                How::StoppedAtUnknown => {
                    below = at::unknown_below(end);
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

/// Whether the rule holds for all numbers that `value` and the operands may be (`Some(true)`), or for none
/// (`Some(false)`). Each of `parts` is the interval of an operand, and whether that may be null.
fn holds(total: TotalRule, value: &NumberRange, parts: &[(NumberRange, bool)]) -> Option<bool> {
    let known: Option<Vec<&Number>> =
        parts.iter().map(|(range, nullable)| if *nullable { None } else { range.singleton() }).collect();
    if let (Some(value), Some(parts)) = (value.singleton(), known) {
        return Some(match total {
            TotalRule::EqualToProduct => product(&parts).is_some_and(|product| product == *value),
            TotalRule::AtLeastSum => compare(value, parts).is_some_and(Ordering::is_ge),
            TotalRule::AtMostSum => compare(value, parts).is_some_and(Ordering::is_le),
            TotalRule::EqualToSum => compare(value, parts).is_some_and(Ordering::is_eq),
        });
    }
    let (results, may_be_none) = match total {
        TotalRule::EqualToProduct => products(parts),
        TotalRule::AtLeastSum | TotalRule::AtMostSum | TotalRule::EqualToSum => sums(parts),
    };
    let mut answer = may_be_none.then_some(false);
    for (i, result) in results.iter().enumerate() {
        let holds = match total {
            TotalRule::AtLeastSum => numbers::is_at_least(value, result),
            TotalRule::AtMostSum => numbers::is_at_least(result, value),
            TotalRule::EqualToSum | TotalRule::EqualToProduct if value.meet(result).is_none() => Some(false),
            TotalRule::EqualToSum | TotalRule::EqualToProduct => {
                (value.singleton().is_some() && value == result).then_some(true)
            }
        };
        if (i > 0 || may_be_none) && answer != holds {
            return None;
        }
        answer = holds;
    }
    // A null factor lets the rule pass, so a factor that may be null excludes a failure.
    let may_be_null = total == TotalRule::EqualToProduct && parts.iter().any(|(_, nullable)| *nullable);
    answer.filter(|holds| *holds || !may_be_null)
}

/// The comparison in words, with the operands given by name: `at least the sum of a + b`.
pub(in crate::rule) fn words(total: TotalRule, operands: &[impl ToString]) -> String {
    let names: Vec<String> = operands.iter().map(ToString::to_string).collect();
    let (words, operator) = total.comparison();
    format!("{words} {}", names.join(operator))
}

/// The comparison in words for a rule that is described apart from a value, so that its paths are relative: `<.a` is
/// named `a beside it`, as in `at least the sum of a + b beside it`.
pub(in crate::rule) fn words_beside(total: TotalRule, operands: &[PathExpr]) -> String {
    let parents = |path: &PathExpr| path.steps().iter().take_while(|step| **step == ExprStep::Parent).count();
    let (words, operator) = total.comparison();
    let below = |path: &PathExpr| {
        let rest = path.steps().iter().skip(parents(path)).cloned();
        PathExpr::from_steps(rest).map_or_else(|_| path.to_string(), |rest| rest.to_string())
    };
    let is_beside = |path: &PathExpr| parents(path) == 1 && path.steps().len() > 1;
    if operands.iter().all(is_beside) {
        let names: Vec<String> = operands.iter().map(below).collect();
        return format!("{words} {} beside it", names.join(operator));
    }
    let name = |path: &PathExpr| match parents(path) {
        parents if parents == 0 || parents == path.steps().len() => path.to_string(),
        1 => format!("{} beside it", below(path)),
        2 => format!("{} one level above it", below(path)),
        levels => format!("{} {} levels above it", below(path), levels.saturating_sub(1)),
    };
    let names: Vec<String> = operands.iter().map(name).collect();
    format!("{words} {}", names.join(operator))
}

/// The failed outcome, whose message names the operands by their paths from the root.
#[cold]
fn failure(total: TotalRule, paths: &[PathExpr], request: &Request<'_>) -> Outcome {
    let value = request.value;
    let names: Vec<String> = paths
        .iter()
        .map(|path| match at::path_start(path, request) {
            Ok(start) => path_text(path, start.path),
            Err(_) => path.to_string(),
        })
        .collect();
    let detail =
        detail(&request.path, &["value must be ", &words(total, &names), ", got: ", &value.to_string()]);
    let failure = format!("it is {value}");
    Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, request.path.clone(), failure))
}

/// A path of the rule as text, seen from the root and with its `[*]`. `start` is the path of the value that it starts
/// from.
fn path_text(path: &PathExpr, start: Path) -> String {
    if !path.has_wildcard() {
        return append_steps(path.inward_steps(), start).to_string();
    }
    match PathExpr::exact_steps(&start) {
        Some(mut steps) => {
            steps.extend(path.inward_steps().iter().cloned());
            PathExpr::from_steps(steps).map_or_else(|_| path.to_string(), |path| path.to_string())
        }
        None => path.to_string(),
    }
}
