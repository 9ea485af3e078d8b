//! Whether a later value keeps what an earlier one promised.

use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{SetView, Value, View, view_below_marks};

/// The maximum number of members of a set that are matched one by one.
const MATCHED: usize = 64;

/// Whether every outcome of a later value is one of an earlier value. Marks do not matter.
///
/// | earlier | later |
/// |---|---|
/// | unknown of unknown type | anything |
/// | unknown | of a type that its type covers, within its refinement |
/// | container | the same kind of container, whose children refine its children |
/// | set | its known members; each member refines one of the earlier members, no two the same, and each earlier member is refined; of allowed length |
/// | wholly known | itself |
///
/// This is a partial order: two values that refine each other have the same outcomes. Of two values without sets it is
/// exactly the inclusion of their outcomes. `true` is always
/// right. A set of more than 64 members that are not wholly known and differ from the earlier ones refines none.
///
/// ```
/// use plantime::planning::refines;
/// use plantime::{Type, Value, value};
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

/// The same; `in_dynamic` says that the values are inside a collection whose element type contains `dynamic`, where a
/// null or an empty collection may still get another type.
fn includes(plan: &Value, replan: &Value, in_dynamic: bool) -> bool {
    if !in_dynamic && replan.is_wholly_known() {
        return plan.may_become(replan);
    }
    let fits = |own: &Type, found: &Type| if in_dynamic { own.covers(found) } else { own == found };
    let element = |own: &Type, found: &Type, empty: bool| {
        if empty && !in_dynamic { own == found } else { own.covers(found) }
    };
    match (view_below_marks(plan), view_below_marks(replan)) {
        (View::Dynamic, _) => true,
        (View::Unknown(range), _) => {
            let within =
                |refinement: &Refinement| refinement.is_trivial() || range.includes(replan) == Some(true);
            range.ty().covers(&replan.ty()) && within(range.refinement())
        }
        (View::Tuple(_) | View::Object(_), View::Unknown(range)) if range.is_not_null() => {
            opened(range.ty()).is_some_and(|replan| includes(plan, &replan, in_dynamic))
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
        // A later value of another kind, or one that is not known any more.
        _ => false,
    }
}

/// The value of this tuple or object type of which nothing is known but that it is not null.
fn opened(ty: &Type) -> Option<Value> {
    match ty {
        Type::Tuple(ty) => Value::tuple(ty.iter().cloned().map(Value::unknown)).ok(),
        Type::Object(ty) => {
            Value::object_of(ty, ty.iter().map(|(_, ty)| Value::unknown(ty.clone())).collect()).ok()
        }
        _ => None,
    }
}

/// Whether the later set has only lengths that the earlier one may have.
fn lengths_fit(plan: &SetView<'_>, replan: &SetView<'_>) -> bool {
    plan.length().covers(replan.length())
}

/// Whether each later member refines an earlier one of its own, and each earlier member is refined.
fn members_fit(plan: &SetView<'_>, replan: &SetView<'_>, in_dynamic: bool) -> bool {
    let missing = |members: &[Value], among: &SetView<'_>| -> Option<Vec<Value>> {
        (!in_dynamic).then(|| members.iter().filter(|one| !among.contains_known(one)).cloned().collect())
    };
    // A known member stays. Inside a collection of undecided type it may still get another type.
    let mut earlier: Vec<Value> = plan.undecided().to_vec();
    let mut later: Vec<Value> = replan.undecided().to_vec();
    match (missing(plan.known(), replan), missing(replan.known(), plan)) {
        (Some(lost), Some(_)) if !lost.is_empty() => return false,
        (Some(_), Some(new)) => later.extend(new),
        _ => {
            earlier.extend(plan.known().iter().cloned());
            later.extend(replan.known().iter().cloned());
        }
    }
    let all_later: Vec<&Value> = replan.iter().collect();
    if earlier == later {
        return true;
    }
    if earlier.len() > MATCHED || later.len() > MATCHED {
        return false;
    }
    let refined = |one: &Value| all_later.iter().any(|other| includes(one, other, in_dynamic));
    let fits: Vec<Vec<usize>> = later
        .iter()
        .map(|other| {
            let of = earlier.iter().enumerate().filter(|(_, one)| includes(one, other, in_dynamic));
            of.map(|(place, _)| place).collect()
        })
        .collect();
    earlier.iter().all(refined) && unassigned(&fits, earlier.len()).is_empty()
}

/// The rows that get no place of their own, if each row may have one of these places: by augmenting paths, so that there
/// are as few as possible.
pub(super) fn unassigned(rows: &[Vec<usize>], places: usize) -> Vec<usize> {
    let mut holders: Vec<Option<usize>> = vec![None; places];
    let mut left = Vec::new();
    for row in 0..rows.len() {
        if !assign(row, rows, &mut holders, &mut vec![false; places]) {
            left.push(row);
        }
    }
    left
}

/// Gives a row a place, and other places to the rows that lose theirs; false if that is impossible.
fn assign(row: usize, rows: &[Vec<usize>], holders: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    let Some(places) = rows.get(row) else { return false };
    places.iter().any(|&place| {
        let Some(visited) = seen.get_mut(place) else { return false };
        if std::mem::replace(visited, true) {
            return false;
        }
        let holder = holders.get(place).copied().flatten();
        if holder.is_some_and(|holder| !assign(holder, rows, holders, seen)) {
            return false;
        }
        if let Some(held) = holders.get_mut(place) {
            *held = Some(row);
        }
        true
    })
}
