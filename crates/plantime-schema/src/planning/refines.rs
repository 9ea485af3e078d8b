//! Whether a value of a later plan is at least as known as that of an earlier plan, and agrees with it.

use plantime::{Refinement, SetView, Type, Value, ValueRange, View};

use super::matching::{Group, MATCHED, groups, unassigned};

/// Whether every value that `replan` may become is one that `plan` may become. Marks do not matter.
///
/// | earlier | later |
/// |---|---|
/// | unknown of unknown type | anything |
/// | unknown | of a type that its type covers, within its refinement |
/// | container | the same kind of container, whose children refine its children |
/// | set | its known members; each member refines one of the earlier members, no two the same, and each earlier member is refined; of allowed length |
/// | wholly known | itself |
///
/// This is a partial order. Without sets the answer is exact. With sets, `true` is always right, and `false` may be wrong:
/// where more than 64 members that are not wholly known agree in everything that is known of all of them, the answer is
/// `false`.
///
/// ```
/// use plantime_schema::planning::refines;
/// use plantime::{Type, Value};
/// use plantime::value;
///
/// let plan = value!({ "id": Value::unknown(Type::String).assume_string_prefix("i-")?, "size": 1 })?;
/// assert!(refines(&plan, &value!({ "id": "i-1", "size": 1 })?));
/// assert!(!refines(&plan, &value!({ "id": Value::unknown(Type::String), "size": 1 })?));
/// assert!(!refines(&plan, &value!({ "id": "i-1", "size": 2 })?));
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn refines(plan: &Value, replan: &Value) -> bool {
    includes(plan, replan, false)
}

/// As [`refines`]; `in_dynamic` says that the values are inside a collection whose element type contains `dynamic`,
/// where a null or an empty collection may still get another type.
fn includes(plan: &Value, replan: &Value, in_dynamic: bool) -> bool {
    let fits = |own: &Type, found: &Type| if in_dynamic { own.covers(found) } else { own == found };
    let element = |own: &Type, found: &Type, empty: bool| {
        if empty && !in_dynamic { own == found } else { own.covers(found) }
    };
    match (plan.view_below_marks(), replan.view_below_marks()) {
        (View::Dynamic, _) => true,
        (View::Unknown(_), _) if replan.is_wholly_known() => plan.may_become(replan),
        (View::Unknown(range), _) => {
            let within =
                |refinement: &Refinement| refinement.is_trivial() || range.includes(replan) == Some(true);
            range.ty().covers(&replan.ty()) && within(range.refinement())
        }
        (View::Tuple(_) | View::Object(_), View::Unknown(range)) if range.is_not_null() => {
            opened(&range).is_some_and(|replan| includes(plan, &replan, in_dynamic))
        }
        (View::Null(own), View::Null(found)) => fits(&own, &found),
        (View::List(a), View::List(b)) => {
            let inside = in_dynamic || a.element_type().has_dynamic();
            element(a.element_type(), b.element_type(), a.is_empty())
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|(a, b)| includes(a, b, inside))
        }
        (View::Map(a), View::Map(b)) => {
            let inside = in_dynamic || a.element_type().has_dynamic();
            element(a.element_type(), b.element_type(), a.is_empty())
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && includes(a, b, inside))
        }
        (View::Set(a), View::Set(b)) => {
            let inside = in_dynamic || a.element_type().has_dynamic();
            element(a.element_type(), b.element_type(), a.member_count() == 0)
                && lengths_fit(&a, &b)
                && members_fit(&a, &b, inside)
        }
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| includes(a, b, in_dynamic))
        }
        (View::Object(a), View::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && includes(a, b, in_dynamic))
        }
        (View::Bool(a), View::Bool(b)) => a == b,
        (View::Number(a), View::Number(b)) => a == b,
        (View::String(a), View::String(b)) => a == b,
        (View::Capsule(_), View::Capsule(_)) => plan.clone().unmark().0 == replan.clone().unmark().0,
        // The later value has another type, or is less known.
        _ => false,
    }
}

/// A tuple or object of this type whose elements are all unknown; `None` for other types.
fn opened(range: &ValueRange) -> Option<Value> {
    match range.ty() {
        Type::Tuple(_) => Value::tuple(range.unknown_parts()).ok(),
        Type::Object(ty) => Value::object_of(ty, range.unknown_parts()).ok(),
        _ => None,
    }
}

/// Whether the later set has only lengths that the earlier one may have.
fn lengths_fit(plan: &SetView<'_>, replan: &SetView<'_>) -> bool {
    plan.length().covers(replan.length())
}

/// Whether the later members can be assigned to different earlier members that they refine, and each earlier member is
/// refined by some later one. One later member may refine several earlier ones, since members of a set may turn out equal.
/// `in_dynamic` as for [`includes`].
fn members_fit(plan: &SetView<'_>, replan: &SetView<'_>, in_dynamic: bool) -> bool {
    let missing = |members: &[Value], among: &SetView<'_>| -> Option<Vec<Value>> {
        (!in_dynamic).then(|| members.iter().filter(|one| !among.contains_known(one)).cloned().collect())
    };
    // A known member stays. Inside a collection of undecided type it may still get another type.
    let mut earlier: Vec<Value> = plan.not_wholly_known().to_vec();
    let mut later: Vec<Value> = replan.not_wholly_known().to_vec();
    match (missing(plan.known(), replan), missing(replan.known(), plan)) {
        (Some(lost), Some(_)) if !lost.is_empty() => return false,
        (Some(_), Some(new)) => later.extend(new),
        _ => {
            earlier.extend(plan.known().iter().cloned());
            later.extend(replan.known().iter().cloned());
        }
    }
    if earlier == later {
        return true;
    }
    let whole = Group {
        earlier: earlier.iter().collect(),
        later: later.iter().collect(),
        all_later: replan.iter().collect(),
    };
    groups(whole, in_dynamic).iter().all(|group| group_fits(group, in_dynamic))
}

/// [`members_fit`] for the members of one group.
fn group_fits(group: &Group<'_>, in_dynamic: bool) -> bool {
    if !group.is_small() || group.later.len() > MATCHED {
        return group.earlier == group.later;
    }
    let refined = |one: &&Value| group.all_later.iter().any(|other| includes(one, other, in_dynamic));
    let fitting = |other: &&Value| {
        let places = group.earlier.iter().enumerate().filter(|(_, one)| includes(one, other, in_dynamic));
        places.map(|(place, _)| place).collect()
    };
    let fits: Vec<Vec<usize>> = group.later.iter().map(fitting).collect();
    group.earlier.iter().all(refined) && unassigned(&fits, group.earlier.len()).is_empty()
}
