//! Sorting many wholly known members of a set by keys, and collecting the facts that a set stores in the same pass.

use std::cmp::Ordering;

use crate::types::Type;

use super::{iteration, sort_key};
use crate::value::repr::Inside;
use crate::value::{Value, order, same};

/// The minimum number of members for which computing sort keys is cheaper than comparing members.
const KEYED: usize = 16;

/// Members in the total order, without duplicates, with the facts that a set stores.
pub(in crate::value) struct OrderedMembers {
    pub(in crate::value) members: Vec<Value>,
    /// Size, marks and known-ness of a set of these members.
    pub(in crate::value) inside: Inside,
    /// The iteration order, as positions among the members, if it is not the total order.
    pub(in crate::value) order: Option<Box<[u32]>>,
}

/// Whether members of this element type have sort keys, and are so many that sorting by keys is faster.
pub(in crate::value) fn can_sort_by_key(members: &[Value], element: &Type) -> bool {
    members.len() >= KEYED
        && !element.has_capsule()
        && !element.has_dynamic()
        && u32::try_from(members.len()).is_ok()
        && members.iter().all(Value::is_wholly_known)
}

/// A member's sort key and its position among the members.
struct MemberSortKey {
    key: u128,
    place: u32,
}

/// The sort keys of members, in the total order of the members. Calls `visit` for each member, which is in the cache
/// at that moment.
fn sorted_keys(members: &[Value], mut visit: impl FnMut(&Value)) -> Vec<MemberSortKey> {
    let mut keys = Vec::with_capacity(members.len());
    for (member, place) in members.iter().zip(0..) {
        keys.push(MemberSortKey { key: sort_key::of(member), place });
        visit(member);
    }
    keys.sort_unstable_by(|a, b| {
        let of = |key: &MemberSortKey| members.get(key.place as usize);
        a.key.cmp(&b.key).then_with(|| match (of(a), of(b)) {
            (Some(a), Some(b)) => order::content_of_one_type(a, b),
            _ => Ordering::Equal,
        })
    });
    keys
}

/// Calls `pick` with the position of each key's member, in the order of the keys, and collects the results that are
/// not `None`.
fn pick_each<T>(keys: &[MemberSortKey], mut pick: impl FnMut(usize) -> Option<T>) -> Vec<T> {
    let mut all = Vec::with_capacity(keys.len());
    all.extend(keys.iter().filter_map(|key| pick(key.place as usize)));
    all
}

/// Moves a member out of the slice and leaves an unknown in its place; `None` if there is no such position.
fn take_member(members: &mut [Value], place: usize) -> Option<Value> {
    members.get_mut(place).map(|member| std::mem::replace(member, Value::dynamic()))
}

/// Sorts members into the total order by their keys. Requires [`can_sort_by_key`].
pub(in crate::value) fn sort_by_key(mut members: Vec<Value>) -> Vec<Value> {
    let keys = sorted_keys(&members, |_| ());
    pick_each(&keys, |place| take_member(&mut members, place))
}

/// Sorts members by their keys, removes duplicates, and collects the facts that a set stores. Requires
/// [`can_sort_by_key`].
pub(in crate::value) fn order_members(mut members: Vec<Value>, element: &Type) -> OrderedMembers {
    let compound = iteration::is_compound(element);
    let mut inside = Inside::of([].iter());
    let mut starts = Vec::with_capacity(if compound { members.len() } else { 0 });
    let mut keys = sorted_keys(&members, |member| {
        inside.add(member);
        if compound {
            starts.push(iteration::key_start(member));
        }
    });
    keys.dedup_by(|b, a| {
        let of = |key: &MemberSortKey| members.get(key.place as usize);
        match (of(a), of(b)) {
            (Some(member), Some(other)) => a.key == b.key && same::content_of_one_type(member, other),
            _ => false,
        }
    });
    let each_once = keys.len() == members.len();
    let starts = match compound {
        true => pick_each(&keys, |place| starts.get(place).copied()),
        false => Vec::new(),
    };
    let members = pick_each(&keys, |place| take_member(&mut members, place));
    if !each_once {
        inside = Inside::of(members.iter());
    }
    let order = if compound { iteration::order_of_known(&members, &starts) } else { None };
    OrderedMembers { members, inside, order }
}
