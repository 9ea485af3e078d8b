//! Whether a planned value may become an actual one.

use crate::refinement::{Nullness, Range, Refinement};
use crate::types::Type;

use super::repr::Container;
use super::{SetView, Value, View, view_below_marks};

/// The maximum number of a set's members that are matched one by one with members of the actual set. Each is compared
/// with each, so without a limit the work would grow with the square of their number.
const MATCHED: usize = 64;

impl Value {
    /// Whether this planned value may become the actual one: whether `actual` is one of its outcomes. Compares every
    /// part of the value. Marks do not matter; the answer is `false` unless `actual` is wholly known.
    ///
    /// | planned | may become |
    /// |---|---|
    /// | unknown of unknown type | everything |
    /// | unknown | what its type covers and its refinement allows; null of such a type, if not excluded |
    /// | container | the same kind of container, whose children its children may become; if its element type contains `dynamic`, all elements become one type |
    /// | set | a set of allowed length whose members are outcomes of its members, some of which may be equal |
    /// | wholly known | itself |
    ///
    /// Nothing is converted: `"1"` is not an outcome of an unknown number.
    ///
    /// `false` is always right. `true` is right except perhaps for a set with more than 64 undecided members: there
    /// only the length and the known members are compared, so that the work stays in proportion.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let planned = Value::object([("arn", Value::unknown(Type::String).assume_string_prefix("arn:")?)])?;
    /// assert!(planned.may_become(&Value::object([("arn", "arn:aws:s3")])?));
    /// assert!(!planned.may_become(&Value::object([("arn", "x")])?));
    ///
    /// let set = Value::set_of(Type::Number, [Value::from(1), Value::unknown(Type::Number)])?;
    /// assert!(set.may_become(&Value::set([1, 2])?));
    /// assert!(set.may_become(&Value::set([1])?));
    /// assert!(!set.may_become(&Value::set([2, 3])?));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn may_become(&self, actual: &Value) -> bool {
        actual.is_wholly_known() && becomes(self, actual, false)
    }
}

/// Whether a value may become a wholly known one. `in_dynamic` says that the value is inside a collection whose
/// element type contains `dynamic`: all elements get one type in the end, so a null or an empty collection there may
/// still become one of any type that its own type covers.
fn becomes(value: &Value, concrete: &Value, in_dynamic: bool) -> bool {
    let fits = |own: &Type, found: &Type| if in_dynamic { own.covers(found) } else { own == found };
    match (view_below_marks(value), view_below_marks(concrete)) {
        (View::Dynamic, _) => true,
        (View::Unknown(range), _) => {
            range.ty().covers(&concrete.ty()) && satisfies(range.refinement(), concrete)
        }
        (View::Null(own), View::Null(found)) => fits(&own, &found),
        (View::List(a), View::List(b)) => {
            let inside = in_dynamic || a.element_type().has_dynamic();
            element_type_may_become(a.element_type(), b.element_type(), a.is_empty(), in_dynamic)
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|(a, b)| becomes(a, b, inside))
        }
        (View::Map(a), View::Map(b)) => {
            let inside = in_dynamic || a.element_type().has_dynamic();
            element_type_may_become(a.element_type(), b.element_type(), a.is_empty(), in_dynamic)
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && becomes(a, b, inside))
        }
        (View::Set(a), View::Set(b)) => {
            element_type_may_become(a.element_type(), b.element_type(), a.member_count() == 0, in_dynamic)
                && a.length().contains(b.member_count() as u64)
                && members_become(&a, &b, in_dynamic || a.element_type().has_dynamic())
        }
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| becomes(a, b, in_dynamic))
        }
        (View::Object(a), View::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && becomes(a, b, in_dynamic))
        }
        (View::Bool(a), View::Bool(b)) => a == b,
        (View::Number(a), View::Number(b)) => a == b,
        (View::String(a), View::String(b)) => a == b,
        (View::Capsule(_), View::Capsule(_)) => value.clone().unmark().0 == concrete.clone().unmark().0,
        _ => false,
    }
}

/// Whether a collection with the element type `planned` may become one with the element type `actual`.
fn element_type_may_become(own: &Type, found: &Type, empty: bool, in_dynamic: bool) -> bool {
    if empty && !in_dynamic { own == found } else { own.covers(found) }
}

/// Whether a wholly known value satisfies the refinement.
fn satisfies(refinement: &Refinement, concrete: &Value) -> bool {
    let within = |length: usize| match refinement.range() {
        Range::Any => true,
        Range::Length(range) => range.contains(length as u64),
        Range::Elements(elements) => {
            elements.length().contains(length as u64)
                && concrete.container().is_some_and(|container| {
                    container.children().all(|element| satisfies(elements.element(), element))
                        && has_keys_in(container, elements.keys())
                })
        }
        _ => false,
    };
    let in_range = match (view_below_marks(concrete), refinement.range()) {
        (View::Null(_), _) => return refinement.nullness() != Nullness::NotNull,
        (View::String(text), range) => range.contains_string(text),
        (View::Number(number), range) => range.contains_number(number),
        (View::List(list), _) => within(list.len()),
        (View::Map(map), _) => within(map.len()),
        (View::Set(set), _) => within(set.member_count()),
        (View::Object(object), Range::Structure(_)) => {
            object.iter().all(|(name, part)| satisfies(refinement.of_attribute(name), part))
        }
        (View::Tuple(tuple), Range::Structure(_)) => {
            let mut parts = tuple.iter().enumerate();
            parts.all(|(index, part)| satisfies(refinement.of_tuple_element(index), part))
        }
        (_, range) => *range == Range::Any,
    };
    refinement.nullness() != Nullness::Null && in_range
}

/// Whether all keys are in the range; collections without keys are.
pub(super) fn has_keys_in(container: &Container, keys: &Range) -> bool {
    match container {
        Container::Map(map) => map.entries.iter().all(|(key, _)| keys.contains_string(key.as_str())),
        _ => true,
    }
}

/// Whether the members of a set may become exactly the members of a wholly known set: each member becomes one of
/// these, and each of these is the outcome of some member.
fn members_become(from: &SetView<'_>, to: &SetView<'_>, in_dynamic: bool) -> bool {
    let outcomes = to.known();
    let mut members: Vec<&Value> = from.not_wholly_known().iter().collect();
    let mut chosen = vec![false; outcomes.len()];
    if in_dynamic {
        // Inside such a collection a null or an empty collection may become one of several types: also several
        // outcomes.
        members.extend(from.known());
    } else if !choose_known_members(from.known(), outcomes, &mut chosen) {
        return false;
    }
    let left = chosen.iter().filter(|chosen| !**chosen).count();
    if members.len() > MATCHED {
        return left <= members.len();
    }
    let mut fits: Vec<Vec<usize>> = vec![Vec::new(); outcomes.len()];
    for (i, member) in members.iter().enumerate() {
        let mut any = false;
        for (fitting, outcome) in fits.iter_mut().zip(outcomes) {
            if becomes(member, outcome, in_dynamic) {
                fitting.push(i);
                any = true;
            }
        }
        if !any {
            return false;
        }
    }
    // Each remaining outcome needs a member of its own, by augmenting paths; the other members are free to become any
    // outcome that they fit.
    let mut assigned: Vec<Option<usize>> = vec![None; members.len()];
    chosen.iter().enumerate().filter(|(_, chosen)| !**chosen).all(|(outcome, _)| {
        let mut seen = vec![false; assigned.len()];
        assign_member(outcome, &fits, &mut assigned, &mut seen)
    })
}

/// Sets `chosen` for the outcomes that are known members of the planned set. Returns whether every known member is an
/// outcome. Both slices are in the total order.
fn choose_known_members(known: &[Value], outcomes: &[Value], chosen: &mut [bool]) -> bool {
    let mut places = outcomes.iter().zip(chosen);
    known.iter().all(|member| match places.find(|(outcome, _)| *outcome == member) {
        Some((_, chosen)) => {
            *chosen = true;
            true
        }
        None => false,
    })
}

/// Assigns a member to the outcome, and other members to the outcomes that lose theirs; false if that is impossible.
fn assign_member(
    outcome: usize,
    fits: &[Vec<usize>],
    assigned: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    let Some(members) = fits.get(outcome) else { return false };
    members.iter().any(|&member| {
        let Some(visited) = seen.get_mut(member) else { return false };
        if std::mem::replace(visited, true) {
            return false;
        }
        let holder = assigned.get(member).copied().flatten();
        if holder.is_some_and(|holder| !assign_member(holder, fits, assigned, seen)) {
            return false;
        }
        if let Some(place) = assigned.get_mut(member) {
            *place = Some(outcome);
        }
        true
    })
}
