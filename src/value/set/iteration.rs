//! The iteration order of a set: the one that users of cty see.

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

/// A member, with what its position is decided by.
struct Member<'a> {
    group: u8,
    /// What its key text starts with.
    start: u128,
    value: &'a Value,
    place: u32,
}

/// The members in order.
pub(crate) fn iter(set: &SetNode) -> Members<'_> {
    Members { set, next: 0 }
}

/// The members of a set in iteration order.
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
            // Known members sort null last: undecided ones come just before it.
            let before_null =
                set.known.len().saturating_sub(set.known.last().map_or(0, |m| usize::from(m.is_null())));
            return if place < before_null {
                set.known.get(place)
            } else {
                let place = place.saturating_sub(before_null);
                match set.undecided.get(place) {
                    Some(member) => Some(member),
                    None => {
                        set.known.get(place.saturating_sub(set.undecided.len()).saturating_add(before_null))
                    }
                }
            };
        };
        let place = *order.get(place)? as usize;
        set.known.get(place).or_else(|| set.undecided.get(place.saturating_sub(set.known.len())))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.set.member_count().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Members<'_> {}

/// Whether members are iterated by their key text, as cty does for compound members.
pub(in crate::value) fn is_compound(element: &Type) -> bool {
    !matches!(element, Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Capsule(_))
}

/// The prefix of a member's key text.
pub(in crate::value) fn start(member: &Value) -> u128 {
    key::start(member)
}

/// The iteration order of wholly known compound members, in the total order, of which each key text starts so; `None`
/// where that is their order already.
pub(in crate::value) fn of_known(known: &[Value], starts: &[u128]) -> Option<Box<[u32]>> {
    // Null comes last in both.
    let nulls = known.iter().rev().take_while(|member| member.is_null()).count();
    let count = known.len().saturating_sub(nulls);
    let starts = starts.get(..count)?;
    let mut order: Vec<(u128, u32)> = starts.iter().copied().zip(0..).collect();
    // Both orders are mostly the same, so a sort that takes what is in order as it is. It is stable: the places are those
    // of the total order.
    order.sort_by(|(a_start, a), (b_start, b)| {
        a_start.cmp(b_start).then_with(|| match (known.get(*a as usize), known.get(*b as usize)) {
            (Some(a), Some(b)) => key::compare(a, b),
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

/// The iteration order where it is not the stored one: compound members go by their key text.
pub(in crate::value) fn stored(ty: &SetType, known: &[Value], undecided: &[Value]) -> Option<Box<[u32]>> {
    let compound = is_compound(ty.element());
    let count = known.len().saturating_add(undecided.len());
    if !compound || count < 2 {
        return None;
    }
    if undecided.is_empty() && !ty.element().has_capsule() {
        let starts: Vec<u128> = known.iter().map(key::start).collect();
        return of_known(known, &starts);
    }
    let mut members: Vec<Member<'_>> = known
        .iter()
        .chain(undecided)
        .zip(0_u32..)
        .map(|(value, place)| Member { group: group(value), start: key::start(value), value, place })
        .collect();
    let in_order = |a: &Member<'_>, b: &Member<'_>| {
        let order = (a.group, a.start).cmp(&(b.group, b.start));
        order
            .then_with(|| key::compare(a.value, b.value))
            .then_with(|| order::of_elements(ty.element(), a.value, b.value))
    };
    if ty.element().has_capsule() {
        members = order::merge_sort(members, &in_order);
    } else {
        members.sort_by(in_order);
    }
    Some(members.into_iter().map(|member| member.place).collect())
}
