//! Whether a rule holds for a value that is wholly known: yes or no, without places, words and obligations.
//!
//! Most values that are checked are known, and most of them pass. To make the place of each part, which a message
//! would name, costs many times what the comparison does. So a known value is asked about here first, and only what does
//! not hold is asked again at length, by those who say where and why.

use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use crate::rule::decide::value;
use crate::rule::{ExprStep, PathExpr, Rule, evaluate};

/// Whether a rule reads more than its value: what is around it, what was before, or whatever a function reads.
pub(in crate::rule) fn looks_around(rule: &Rule) -> bool {
    match rule {
        Rule::At(path, rule) => path.parents() > 0 || rule.looks_around(),
        Rule::Keys(rule) | Rule::Not(rule) => rule.looks_around(),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => rules.looks_around(),
        Rule::Implies(a, b) | Rule::When(a, b) => a.looks_around() || b.looks_around(),
        Rule::ExactlyOneOf(paths)
        | Rule::AtLeastOneOf(paths)
        | Rule::Conflicting(paths)
        | Rule::RequiredTogether(paths) => paths.iter().any(|path| path.parents() > 0),
        // What these say of other parts takes more than to follow paths.
        Rule::AlsoRequires(..)
        | Rule::RequiredWhen(_)
        | Rule::PreferWriteOnly(..)
        | Rule::AtLeastSumOf(_)
        | Rule::AtMostSumOf(_)
        | Rule::EqualToSumOf(_)
        | Rule::EqualToProductOf(_) => true,
        rule => rule.reads_before(),
    }
}

/// Whether the rule was found to hold for the value, whose type it can read. `None` where it was not asked: of a value
/// that is not wholly known, and a rule that [looks around](looks_around).
pub(in crate::rule) fn passes(rule: &Rule, value: &Value) -> Option<bool> {
    (value.is_wholly_known() && !looks_around(rule)).then(|| holds(rule, value) == Some(true))
}

/// Whether the rule holds, for a wholly known value of a type that it can read. `None` where it has to be asked at
/// length: of rules that [look around](looks_around), and where an operand is not known.
fn holds(rule: &Rule, value: &Value) -> Option<bool> {
    match rule {
        Rule::At(path, rule) => at(path.inward(), rule, value),
        Rule::All(rules) | Rule::Sequence(rules) => every(rules.iter().map(|rule| holds(rule, value))),
        Rule::Any(rules) => Some(!every(rules.iter().map(|rule| negated(rule, value)))?),
        // Null passes these, whatever is inside.
        Rule::Not(_) | Rule::Implies(..) | Rule::Keys(_) if value.is_null() => Some(true),
        Rule::Not(rule) => negated(rule, value),
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            if holds(condition, value)? {
                holds(rule, value)
            } else {
                Some(true)
            }
        }
        Rule::Keys(rule) => keys(rule, value),
        Rule::ExactlyOneOf(paths)
        | Rule::AtLeastOneOf(paths)
        | Rule::Conflicting(paths)
        | Rule::RequiredTogether(paths) => across(rule, paths, value),
        rule => single(rule, value),
    }
}

fn negated(rule: &Rule, value: &Value) -> Option<bool> {
    Some(!holds(rule, value)?)
}

/// Asks no more than is needed for the answer.
fn every(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    for answer in answers {
        if !answer? {
            return Some(false);
        }
    }
    Some(true)
}

// In functions of their own: rules nest, and each frame counts in a debug build.

/// Follows the steps as far as a wildcard, and asks the rule where they lead.
#[inline(never)]
fn at(steps: &[ExprStep], rule: &Rule, value: &Value) -> Option<bool> {
    let (mut here, mut rest) = (value, steps);
    while let Some((step, after)) = rest.split_first() {
        if here.is_null() {
            return on_nothing(rest, rule);
        }
        let part = match (step, view_below_marks(here)) {
            (ExprStep::AnyElement, container) => return at_each(after, rule, &container),
            // An attribute that the type lacks is misuse.
            (ExprStep::Attr(name), View::Object(object)) => Some(object.get(name)?),
            (ExprStep::Key(name), View::Object(object)) => object.get(name),
            (ExprStep::Attr(key) | ExprStep::Key(key), View::Map(map)) => map.get(key),
            (ExprStep::Index(index), View::List(list)) => place(*index).and_then(|index| list.get(index)),
            (ExprStep::Index(index), View::Tuple(tuple)) => place(*index).and_then(|index| tuple.get(index)),
            _ => return None,
        };
        match part {
            Some(part) => here = part,
            None => return on_nothing(after, rule),
        }
        rest = after;
    }
    holds(rule, here)
}

fn place(index: u64) -> Option<usize> {
    usize::try_from(index).ok()
}

#[inline(never)]
fn at_each(after: &[ExprStep], rule: &Rule, container: &View<'_>) -> Option<bool> {
    let part = |part| at(after, rule, part);
    match container {
        View::List(list) => every(list.iter().map(part)),
        View::Tuple(tuple) => every(tuple.iter().map(part)),
        View::Set(set) => every(set.iter().map(part)),
        View::Map(map) => every(map.iter().map(|(_, value)| part(value))),
        View::Object(object) => every(object.iter().map(|(_, value)| part(value))),
        _ => None,
    }
}

/// What stands below a null, or in place of an element that is not there: null, and of elements none.
#[inline(never)]
fn on_nothing(rest: &[ExprStep], rule: &Rule) -> Option<bool> {
    if rest.contains(&ExprStep::AnyElement) { Some(true) } else { holds(rule, &Value::null(Type::Dynamic)) }
}

#[inline(never)]
fn keys(rule: &Rule, value: &Value) -> Option<bool> {
    let key = |key: &str| holds(rule, &Value::from(key));
    match view_below_marks(value) {
        View::Map(map) => every(map.iter().map(|(name, _)| key(name))),
        View::Object(object) => every(object.iter().map(|(name, _)| key(name))),
        _ => None,
    }
}

/// How many of the parts are not null, and what the rule says of that.
#[inline(never)]
fn across(rule: &Rule, paths: &[PathExpr], value: &Value) -> Option<bool> {
    let mut set = 0_usize;
    for path in paths {
        let is_null = at(path.inward(), &Rule::IsNull, value)?;
        set = set.saturating_add(usize::from(!is_null));
    }
    Some(match rule {
        Rule::ExactlyOneOf(_) => set == 1,
        Rule::AtLeastOneOf(_) => set > 0,
        Rule::Conflicting(_) => set < 2,
        _ => set == 0 || set == paths.len(),
    })
}

/// A rule on the value itself. Those of imported schemas are asked here without a detour: they are asked most.
#[inline(never)]
fn single(rule: &Rule, value: &Value) -> Option<bool> {
    let null = value.is_null();
    match rule {
        Rule::NotNull => Some(!null),
        Rule::IsNull => Some(null),
        _ if null => Some(true),
        Rule::Equals(operand) => value::equals(value, operand),
        Rule::OneOf(operands) => among(value, operands),
        Rule::NoneOf(operands) => Some(!among(value, operands)?),
        rule => evaluate::holds(rule, value),
    }
}

fn among(value: &Value, operands: &[Value]) -> Option<bool> {
    let differs = |operand| Some(!value::equals(value, operand)?);
    Some(!every(operands.iter().map(differs))?)
}

#[cfg(all(test, feature = "proptest"))]
mod tests;
