//! The iteration order of sets, which is the one of cty.

use std::cmp::Ordering;

use crate::types::{SetType, Type};

use crate::value::repr::SetNode;
use crate::value::{Value, order};

mod key;

/// The group of a member in iteration order: known values, then unknowns, then null.
fn group(member: &Value) -> u8 {
    match member {
        value if value.is_null() => 2,
        value if value.is_known() => 0,
        _ => 1,
    }
}

/// A member with its sort key for iteration order.
struct MemberKey<'a> {
    group: u8,
    /// The first 16 bytes of the key text.
    key_start: u128,
    value: &'a Value,
    /// The position among the known members followed by the undecided ones.
    place: u32,
}

/// The members of a set in iteration order.
pub(crate) fn iter(set: &SetNode) -> Members<'_> {
    Members { set, next: 0 }
}

/// An iterator over the members of a set in iteration order.
#[derive(Clone)]
pub(crate) struct Members<'a> {
    set: &'a SetNode,
    next: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        let set = self.set;
        let place = self.next;
        self.next = place.saturating_add(1);
        let Some(order) = &set.order else {
            // Null is the last known member, and undecided members come just before it.
            let before_null =
                set.known.len().saturating_sub(set.known.last().map_or(0, |m| usize::from(m.is_null())));
            return if place < before_null {
                set.known.get(place)
            } else {
                let place = place.saturating_sub(before_null);
                match set.not_wholly_known.get(place) {
                    Some(member) => Some(member),
                    None => set
                        .known
                        .get(place.saturating_sub(set.not_wholly_known.len()).saturating_add(before_null)),
                }
            };
        };
        let place = *order.get(place)? as usize;
        set.known.get(place).or_else(|| set.not_wholly_known.get(place.saturating_sub(set.known.len())))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.set.member_count().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Members<'_> {}

/// Whether members of this element type are iterated in the order of their key texts, as cty does for compound types.
pub(in crate::value) fn is_compound(element: &Type) -> bool {
    !matches!(element, Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Capsule(_))
}

/// The first 16 bytes of a member's key text, as a number that compares like the bytes.
pub(in crate::value) fn key_start(member: &Value) -> u128 {
    key::key_start(member)
}

/// Whether one of two compound members is iterated before the other, whatever they become.
pub(crate) fn is_certainly_before(element: &Type, a: &Value, b: &Value) -> bool {
    match key::certain::order(a, b) {
        Some(Ordering::Equal) => order::of_elements(element, a, b).is_lt(),
        order => order == Some(Ordering::Less),
    }
}

/// The iteration order of wholly known compound members that are sorted in the total order: their positions in it;
/// `None` if both orders are the same. `starts` are the starts of their key texts.
pub(in crate::value) fn order_of_known(known: &[Value], starts: &[u128]) -> Option<Box<[u32]>> {
    // Null is last in both orders.
    let nulls = known.iter().rev().take_while(|member| member.is_null()).count();
    let count = known.len().saturating_sub(nulls);
    let starts = starts.get(..count)?;
    let mut order: Vec<(u128, u32)> = starts.iter().copied().zip(0..).collect();
    // The stable sort is fast on sorted runs, and both orders are mostly the same. Members with equal key texts stay in
    // the total order.
    order.sort_by(|(a_start, a), (b_start, b)| {
        a_start.cmp(b_start).then_with(|| match (known.get(*a as usize), known.get(*b as usize)) {
            (Some(a), Some(b)) => key::compare_keys(a, b),
            _ => Ordering::Equal,
        })
    });
    if order.is_sorted_by_key(|(_, place)| *place) {
        return None;
    }
    let mut places = Vec::with_capacity(known.len());
    places.extend(order.into_iter().map(|(_, place)| place));
    places.extend((0..).take(known.len()).skip(count));
    Some(places.into_boxed_slice())
}

/// The iteration order of the members of a set, as positions among the known members followed by the undecided ones;
/// `None` if members are iterated in the order in which they are stored, as primitive members are.
pub(in crate::value) fn order_of(
    ty: &SetType,
    known: &[Value],
    not_wholly_known: &[Value],
) -> Option<Box<[u32]>> {
    let compound = is_compound(ty.element());
    let count = known.len().saturating_add(not_wholly_known.len());
    if !compound || count < 2 {
        return None;
    }
    if not_wholly_known.is_empty() && !ty.element().has_capsule() {
        let starts: Vec<u128> = known.iter().map(key::key_start).collect();
        return order_of_known(known, &starts);
    }
    let mut members: Vec<MemberKey<'_>> = known
        .iter()
        .chain(not_wholly_known)
        .zip(0_u32..)
        .map(|(value, place)| MemberKey {
            group: group(value),
            key_start: key::key_start(value),
            value,
            place,
        })
        .collect();
    let in_order = |a: &MemberKey<'_>, b: &MemberKey<'_>| {
        let order = (a.group, a.key_start).cmp(&(b.group, b.key_start));
        order
            .then_with(|| key::compare_keys(a.value, b.value))
            .then_with(|| order::of_elements(ty.element(), a.value, b.value))
    };
    if ty.element().has_capsule() {
        members = order::merge_sort(members, &in_order);
    } else {
        members.sort_by(in_order);
    }
    Some(members.into_iter().map(|member| member.place).collect())
}
