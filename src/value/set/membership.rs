//! Whether what a value may become is a member of what a set may become.

use crate::refinement::{LengthRange, Nullness};
use crate::types::{SetType, Type};

use super::finite;
use crate::value::equality::{may_be_null, may_be_of_type, may_be_same, may_equal_not_null};
use crate::value::repr::{Container, SetNode};
use crate::value::{Value, refined, set};

/// Up to this many members, every way in which they can become the same is looked at.
const GROUPED: usize = 8;

/// Whether some choice of the two has the member, and whether some has it not.
pub(crate) type Outcomes = (bool, bool);

/// A set of unknown type.
pub(crate) fn in_any_set(value: &Value) -> Outcomes {
    (can_be_decided(value), true)
}

/// The answer for a set whose members are unknown.
pub(crate) fn in_unknown_set(ty: &SetType, length: LengthRange, value: &Value) -> Outcomes {
    if let Some(outcomes) = finite::member_outcomes(ty, None, length, value) {
        return outcomes;
    }
    (length.upper() != Some(0) && can_be_member(value, ty.element()), true)
}

pub(crate) fn in_set(set: &SetNode, value: &Value) -> Outcomes {
    let (min, max) = set.length;
    let length = LengthRange::new(min, Some(max)).unwrap_or_default();
    if let Some(outcomes) = finite::member_outcomes(&set.ty, Some(set), length, value) {
        return outcomes;
    }
    let element = set.element_type();
    // A set that is empty and of an undecided type is a value in its own right.
    let open = element.has_dynamic();
    let is_known = |value: &Value| set::contains_known(set, value);
    if !can_be_member(value, element) {
        return (false, true);
    }
    if !open && value.is_wholly_known() {
        if is_known(value) {
            return (true, false);
        }
        if set.undecided.is_empty() {
            return (false, true);
        }
    }
    // What is undecided can become something that is no member, of another type or another value; but not
    // where the only other value beside null is a member as well.
    let can_lack = match not_null_part(value) {
        Some(part) => open || !is_known(&part) || !is_known(&Value::null(element.clone())),
        None => true,
    };
    (can_be_joined(set, value), can_lack)
}

/// What a value is that may be null and one other value.
fn not_null_part(value: &Value) -> Option<Value> {
    let refinement = value.refinement()?;
    let part = refined::canonical(value.ty(), refinement.clone().and_not_null());
    (refinement.nullness() == Nullness::Nullable && part.is_wholly_known()).then_some(part)
}

/// Whether a member can become the value, in a set that has room for no more members than its length says: the
/// members fall into groups that each become one, and one of the groups becomes the value.
fn can_be_joined(set: &SetNode, value: &Value) -> bool {
    let open = set.element_type().has_dynamic();
    let members = || set.known.iter().chain(&set.undecided);
    let count = set.member_count();
    if set.length.1 >= count as u64 || count > GROUPED {
        return members().any(|member| may_be_same(member, value, open));
    }
    let members: Vec<&Value> = members().collect();
    grouped(&members, open, set.length.1, &mut vec![vec![value]])
}

/// The first group is the one that becomes the value.
fn grouped<'a>(members: &[&'a Value], open: bool, room: u64, groups: &mut Vec<Vec<&'a Value>>) -> bool {
    let Some((member, rest)) = members.split_first() else {
        return groups.first().is_some_and(|group| group.len() > 1);
    };
    for i in 0..groups.len() {
        let Some(group) = groups.get_mut(i) else { break };
        group.push(member);
        let found = can_be_one(group, open) && grouped(rest, open, room, groups);
        if let Some(group) = groups.get_mut(i) {
            group.pop();
        }
        if found {
            return true;
        }
    }
    if groups.len() as u64 >= room {
        return false;
    }
    groups.push(vec![member]);
    let found = grouped(rest, open, room, groups);
    groups.pop();
    found
}

/// Whether all can become null, or all one other value. Intervals, prefixes and lengths that meet in pairs meet.
fn can_be_one(group: &[&Value], open: bool) -> bool {
    let pairs = || group.iter().enumerate().flat_map(|(i, a)| group.iter().take(i).map(move |b| (a, b)));
    group.iter().all(|value| may_be_null(value)) && pairs().all(|(a, b)| may_be_same(a, b, open))
        || pairs().all(|(a, b)| may_equal_not_null(a, b, open))
}

/// Whether the value can become one of a type that the element type of a set becomes.
fn can_be_member(value: &Value, element: &Type) -> bool {
    may_be_of_type(value, element, false) && (!element.has_dynamic() || can_be_decided(value))
}

/// Whether the type of the value can become one without `dynamic`: no other value is a member of a set.
fn can_be_decided(value: &Value) -> bool {
    match value.container() {
        Some(Container::Tuple(node)) => node.items.iter().all(can_be_decided),
        Some(Container::Object(node)) => node.slots.iter().all(can_be_decided),
        _ => !value.is_wholly_known() || !value.ty().has_dynamic(),
    }
}
