//! Whether a value may become another: what fits the plan.

use crate::refinement::{Nullness, Range, Refinement};
use crate::types::Type;

use super::{SetView, Value, View, view_below_marks};

/// How many members of a set whose outcome is open are matched with members of the actual set. Each is held against
/// each, so without a limit the work would grow with the square of their number.
const MATCHED: usize = 64;

impl Value {
    /// Whether this value, which was planned, may become `actual`: whether `actual` fits the plan. It asks about every
    /// part of the value. Marks do not count; the answer is `false` unless `actual` is wholly known.
    ///
    /// | planned | may become |
    /// |---|---|
    /// | unknown of unknown type | everything |
    /// | unknown | what its type covers and its refinement allows; null of such a type, if not excluded |
    /// | container | the same container of parts that its parts may become; where its element type is undecided, of one type for all elements |
    /// | set | a set of allowed length whose members are the outcomes of its members, some of them the same |
    /// | wholly known | itself |
    ///
    /// No conversion takes place: `"1"` is no outcome of an unknown number.
    ///
    /// `false` is always certain. `true` is too, but for a set with more than 64 members that are not known: these
    /// are not assigned to the members of `actual` one by one, so that the work stays in proportion. There the
    /// length and the known members decide.
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

/// `open`: below a collection whose element type is undecided. Each dynamic there is decided together with the
/// element type, so that a null or an empty collection is one of any such type.
fn becomes(value: &Value, concrete: &Value, open: bool) -> bool {
    let fits = |own: &Type, found: &Type| if open { own.covers(found) } else { own == found };
    match (view_below_marks(value), view_below_marks(concrete)) {
        (View::Dynamic, _) => true,
        (View::Unknown(range), _) => range.ty().covers(&concrete.ty()) && holds(range.refinement(), concrete),
        (View::Null(own), View::Null(found)) => fits(&own, &found),
        (View::List(a), View::List(b)) => {
            let inside = open || a.element_type().has_dynamic();
            of_collection(a.element_type(), b.element_type(), a.is_empty(), open)
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|(a, b)| becomes(a, b, inside))
        }
        (View::Map(a), View::Map(b)) => {
            let inside = open || a.element_type().has_dynamic();
            of_collection(a.element_type(), b.element_type(), a.is_empty(), open)
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && becomes(a, b, inside))
        }
        (View::Set(a), View::Set(b)) => {
            of_collection(a.element_type(), b.element_type(), a.member_count() == 0, open)
                && a.length().contains(b.member_count() as u64)
                && members_become(&a, &b, open || a.element_type().has_dynamic())
        }
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| becomes(a, b, open))
        }
        (View::Object(a), View::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && becomes(a, b, open))
        }
        (View::Bool(a), View::Bool(b)) => a == b,
        (View::Number(a), View::Number(b)) => a == b,
        (View::String(a), View::String(b)) => a == b,
        (View::Capsule(_), View::Capsule(_)) => value.clone().unmark().0 == concrete.clone().unmark().0,
        _ => false,
    }
}

/// Whether a collection of element type `own` may become one of element type `found`.
fn of_collection(own: &Type, found: &Type, empty: bool, open: bool) -> bool {
    if empty && !open { own == found } else { own.covers(found) }
}

/// Whether the refinement holds for a wholly known value.
fn holds(refinement: &Refinement, concrete: &Value) -> bool {
    let within = |length: usize| match refinement.range() {
        Range::Length(range) => range.contains(length as u64),
        range => *range == Range::Any,
    };
    let in_range = match (view_below_marks(concrete), refinement.range()) {
        (View::Null(_), _) => return refinement.nullness() != Nullness::NotNull,
        (View::String(text), Range::Prefix(prefix)) => text.starts_with(prefix.as_str()),
        (View::Number(number), Range::Number(range)) => range.contains(number),
        (View::List(list), _) => within(list.len()),
        (View::Map(map), _) => within(map.len()),
        (View::Set(set), _) => within(set.member_count()),
        (_, range) => *range == Range::Any,
    };
    refinement.nullness() != Nullness::Null && in_range
}

/// Whether each member can choose an outcome so that every outcome is chosen.
fn members_become(from: &SetView<'_>, to: &SetView<'_>, open: bool) -> bool {
    let outcomes = to.known();
    let mut members: Vec<&Value> = from.undecided().iter().collect();
    let mut chosen = vec![false; outcomes.len()];
    if open {
        // A null or an empty collection there is one of several types, so it has several outcomes too.
        members.extend(from.known());
    } else if !choose_themselves(from.known(), outcomes, &mut chosen) {
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
            if becomes(member, outcome, open) {
                fitting.push(i);
                any = true;
            }
        }
        if !any {
            return false;
        }
    }
    // A matching that gives each outcome which is left a member of its own; members left over choose freely.
    let mut taken: Vec<Option<usize>> = vec![None; members.len()];
    chosen.iter().enumerate().filter(|(_, chosen)| !**chosen).all(|(outcome, _)| {
        let mut seen = vec![false; taken.len()];
        matched(outcome, &fits, &mut taken, &mut seen)
    })
}

/// Marks the outcomes that are known members; whether each member is among them. Both are in one order.
fn choose_themselves(known: &[Value], outcomes: &[Value], chosen: &mut [bool]) -> bool {
    let mut places = outcomes.iter().zip(chosen);
    known.iter().all(|member| match places.find(|(outcome, _)| *outcome == member) {
        Some((_, chosen)) => {
            *chosen = true;
            true
        }
        None => false,
    })
}

/// Finds a member for the outcome, moving others where they have another choice.
fn matched(outcome: usize, fits: &[Vec<usize>], taken: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    let Some(members) = fits.get(outcome) else { return false };
    members.iter().any(|&member| {
        let Some(visited) = seen.get_mut(member) else { return false };
        if std::mem::replace(visited, true) {
            return false;
        }
        let holder = taken.get(member).copied().flatten();
        if holder.is_some_and(|holder| !matched(holder, fits, taken, seen)) {
            return false;
        }
        if let Some(place) = taken.get_mut(member) {
            *place = Some(outcome);
        }
        true
    })
}
