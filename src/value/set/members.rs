//! Many wholly known members of a set: sorted by keys, each looked at once while it is at hand.

use std::cmp::Ordering;

use crate::types::Type;

use super::{iteration, sort_key};
use crate::value::repr::Inside;
use crate::value::{Value, order, same};

/// The smallest number of members for which sorting by keys pays.
const KEYED: usize = 16;

/// Members in the total order, without duplicates.
pub(in crate::value) struct Ordered {
    pub(in crate::value) members: Vec<Value>,
    /// What is inside a set of these members.
    pub(in crate::value) inside: Inside,
    /// The order in which they are met, where it is not this one.
    pub(in crate::value) order: Option<Box<[u32]>>,
}

/// Whether members of this element type have sort keys, and building them pays.
pub(in crate::value) fn are_keyed(members: &[Value], element: &Type) -> bool {
    members.len() >= KEYED
        && !element.has_capsule()
        && !element.has_dynamic()
        && u32::try_from(members.len()).is_ok()
        && members.iter().all(Value::is_wholly_known)
}

/// A member's sort key and its position among the members.
struct Keyed {
    key: u128,
    place: u32,
}

/// The sort keys of members, sorted.
fn keys(members: &[Value], mut seen: impl FnMut(&Value)) -> Vec<Keyed> {
    let mut keys = Vec::with_capacity(members.len());
    for (member, place) in members.iter().zip(0..) {
        keys.push(Keyed { key: sort_key::of(member), place });
        seen(member);
    }
    keys.sort_unstable_by(|a, b| {
        let of = |key: &Keyed| members.get(key.place as usize);
        a.key.cmp(&b.key).then_with(|| match (of(a), of(b)) {
            (Some(a), Some(b)) => order::content_of_one_type(a, b),
            _ => Ordering::Equal,
        })
    });
    keys
}

fn picked<T>(keys: &[Keyed], mut pick: impl FnMut(usize) -> Option<T>) -> Vec<T> {
    let mut all = Vec::with_capacity(keys.len());
    all.extend(keys.iter().filter_map(|key| pick(key.place as usize)));
    all
}

fn take(members: &mut [Value], place: usize) -> Option<Value> {
    members.get_mut(place).map(|member| std::mem::replace(member, Value::dynamic()))
}

/// Sorts members for which [`are_keyed`] is true.
pub(in crate::value) fn sorted(mut members: Vec<Value>) -> Vec<Value> {
    let keys = keys(&members, |_| ());
    picked(&keys, |place| take(&mut members, place))
}

/// Sorts members for which [`are_keyed`] is true, removes duplicates, and collects the facts that a set stores.
pub(in crate::value) fn ordered(mut members: Vec<Value>, element: &Type) -> Ordered {
    let compound = iteration::is_compound(element);
    let mut inside = Inside::of([].iter());
    let mut starts = Vec::with_capacity(if compound { members.len() } else { 0 });
    let mut keys = keys(&members, |member| {
        inside.add(member);
        if compound {
            starts.push(iteration::start(member));
        }
    });
    keys.dedup_by(|b, a| {
        let of = |key: &Keyed| members.get(key.place as usize);
        match (of(a), of(b)) {
            (Some(member), Some(other)) => a.key == b.key && same::content_of_one_type(member, other),
            _ => false,
        }
    });
    let each_once = keys.len() == members.len();
    let starts = match compound {
        true => picked(&keys, |place| starts.get(place).copied()),
        false => Vec::new(),
    };
    let members = picked(&keys, |place| take(&mut members, place));
    if !each_once {
        inside = Inside::of(members.iter());
    }
    let order = if compound { iteration::of_known(&members, &starts) } else { None };
    Ordered { members, inside, order }
}
