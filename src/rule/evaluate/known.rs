//! Fast path for wholly known values: whether a rule holds, yes or no, without paths, diagnostics and obligations.
//!
//! Most values are known and most of them pass. Building the path of each element, which only a message needs, costs
//! many times what the comparison does. So a rule on a known value is evaluated here first, and only a rule that fails
//! is evaluated again by the slow path, which says where and why.

use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use super::typed;
use crate::rule::{ExprStep, PathExpr, PresenceRule, Rule, evaluate};

/// Whether a rule reads more than its value: values around it, the value before a change, or whatever a function reads.
/// The rules on sums and on required attributes count too.
pub(in crate::rule) fn reads_beyond_value(rule: &Rule) -> bool {
    match rule {
        Rule::At(path, rule) => path.parent_count() > 0 || rule.reads_beyond_value(),
        Rule::Keys(rule) | Rule::Not(rule) => rule.reads_beyond_value(),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => rules.reads_beyond_value(),
        Rule::Implies(a, b) | Rule::When(a, b) => a.reads_beyond_value() || b.reads_beyond_value(),
        Rule::Presence(_, paths) => paths.iter().any(|path| path.parent_count() > 0),
        // These compare or add up other parts, which `holds` does not do.
        Rule::Requires(_) | Rule::Total(..) | Rule::Change(_) | Rule::Custom(_) => true,
        Rule::NotNull
        | Rule::IsNull
        | Rule::Value(_)
        | Rule::Text(_)
        | Rule::Length(_)
        | Rule::Number(_)
        | Rule::Members(_) => false,
    }
}

/// Whether the rule certainly holds for a wholly known value of a type that it can read: false if it does not hold, or
/// if only the slow path can tell. `None` if the value is not wholly known, or the rule reads more than the value.
pub(in crate::rule) fn passes(rule: &Rule, value: &Value) -> Option<bool> {
    typed::passes(rule, value, &value.ty()).or_else(|| passes_untyped(rule, value))
}

/// As [`passes`], by the rule itself and not by its compiled form.
pub(in crate::rule) fn passes_untyped(rule: &Rule, value: &Value) -> Option<bool> {
    #[cfg(test)]
    if typed::tests::are_fast_paths_off() {
        return None;
    }
    (value.is_wholly_known() && !reads_beyond_value(rule)).then(|| holds(rule, value) == Some(true))
}

/// Whether the rule holds for a wholly known value. `None` where only the slow path can tell: a path leads to no
/// attribute of the type, or the rule compares with a value that is not known.
fn holds(rule: &Rule, value: &Value) -> Option<bool> {
    match rule {
        Rule::At(path, rule) => holds_at(path.inward_steps(), rule, value),
        Rule::All(rules) | Rule::Sequence(rules) => all_hold(rules.iter().map(|rule| holds(rule, value))),
        Rule::Any(rules) => Some(!all_hold(rules.iter().map(|rule| negated(rule, value)))?),
        // Null passes these, whatever the nested rule says.
        Rule::Not(_) | Rule::Implies(..) | Rule::Keys(_) if value.is_null() => Some(true),
        Rule::Not(rule) => negated(rule, value),
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            if holds(condition, value)? {
                holds(rule, value)
            } else {
                Some(true)
            }
        }
        Rule::Keys(rule) => keys_hold(rule, value),
        Rule::Presence(presence, paths) => presence_holds(*presence, paths, value),
        rule => holds_for_value(rule, value),
    }
}

/// Whether the rule does not hold for a wholly known value. `None` where only the slow path can tell.
fn negated(rule: &Rule, value: &Value) -> Option<bool> {
    Some(!holds(rule, value)?)
}

/// Whether all answers are true. Stops at the first that is false or `None`, and returns that.
pub(super) fn all_hold(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    for answer in answers {
        if !answer? {
            return Some(false);
        }
    }
    Some(true)
}

// The functions below are not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack for all frames.

/// Whether the rule holds for the value that the steps lead to; with `[*]`, for every one. `None` where only the slow
/// path can tell.
#[inline(never)]
fn holds_at(steps: &[ExprStep], rule: &Rule, value: &Value) -> Option<bool> {
    let (mut here, mut rest) = (value, steps);
    while let Some((step, after)) = rest.split_first() {
        if here.is_null() {
            return holds_for_missing(rest, rule);
        }
        let part = match (step, view_below_marks(here)) {
            (ExprStep::AnyElement, container) => return holds_at_each(after, rule, &container),
            // An attribute that the type lacks is misuse: the slow path reports it.
            (ExprStep::Attr(name), View::Object(object)) => Some(object.get(name)?),
            (ExprStep::Key(name), View::Object(object)) => object.get(name),
            (ExprStep::Attr(key) | ExprStep::Key(key), View::Map(map)) => map.get(key),
            (ExprStep::Index(index), View::List(list)) => to_index(*index).and_then(|index| list.get(index)),
            (ExprStep::Index(index), View::Tuple(tuple)) => {
                to_index(*index).and_then(|index| tuple.get(index))
            }
            _ => return None,
        };
        match part {
            Some(part) => here = part,
            None => return holds_for_missing(after, rule),
        }
        rest = after;
    }
    holds(rule, here)
}

/// The index as `usize`; `None` if it does not fit, and so is larger than any collection.
fn to_index(index: u64) -> Option<usize> {
    usize::try_from(index).ok()
}

/// Whether the rule holds for the values that the steps `after` lead to from each element of a container. `None` where
/// only the slow path can tell.
#[inline(never)]
fn holds_at_each(after: &[ExprStep], rule: &Rule, container: &View<'_>) -> Option<bool> {
    let part = |part| holds_at(after, rule, part);
    match container {
        View::List(list) => all_hold(list.iter().map(part)),
        View::Tuple(tuple) => all_hold(tuple.iter().map(part)),
        View::Set(set) => all_hold(set.iter().map(part)),
        View::Map(map) => all_hold(map.iter().map(|(_, value)| part(value))),
        View::Object(object) => all_hold(object.iter().map(|(_, value)| part(value))),
        _ => None,
    }
}

/// Whether the rule holds where a path stops at a null or a missing element: on null. `rest` are the steps that remain.
/// If they contain `[*]`, the path leads to no values, so the rule holds. `None` where only the slow path can tell.
#[inline(never)]
pub(super) fn holds_for_missing(rest: &[ExprStep], rule: &Rule) -> Option<bool> {
    if rest.contains(&ExprStep::AnyElement) { Some(true) } else { holds(rule, &Value::null(Type::Dynamic)) }
}

/// Whether the rule holds for each key of a map or attribute name of an object. `None` for other types, and where only the
/// slow path can tell.
#[inline(never)]
fn keys_hold(rule: &Rule, value: &Value) -> Option<bool> {
    let key = |key: &str| holds(rule, &Value::from(key));
    match view_below_marks(value) {
        View::Map(map) => all_hold(map.iter().map(|(name, _)| key(name))),
        View::Object(object) => all_hold(object.iter().map(|(name, _)| key(name))),
        _ => None,
    }
}

/// Whether the number of paths that lead to a value that is not null satisfies the presence rule, such as
/// `exactly_one_of`. `None` where only the slow path can tell.
#[inline(never)]
fn presence_holds(presence: PresenceRule, paths: &[PathExpr], value: &Value) -> Option<bool> {
    let mut set = 0_usize;
    for path in paths {
        let is_null = holds_at(path.inward_steps(), &Rule::IsNull, value)?;
        set = set.saturating_add(usize::from(!is_null));
    }
    Some(presence.holds(set, paths.len()))
}

/// Whether a rule that has no nested rules and reads only its own value holds. Null passes all but `not_null`. `None`
/// where only the slow path can tell.
#[inline(never)]
pub(super) fn holds_for_value(rule: &Rule, value: &Value) -> Option<bool> {
    let null = value.is_null();
    match rule {
        Rule::NotNull => Some(!null),
        Rule::IsNull => Some(null),
        _ if null => Some(true),
        rule => evaluate::holds(rule, value),
    }
}

#[cfg(all(test, feature = "proptest"))]
pub(in crate::rule::evaluate) mod tests;
