//! Three-valued membership: whether a value that may be unknown is a member of a set that may be unknown.

use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::{SetType, Type};

use super::finite;
use crate::value::equality::{may_be_null, may_be_of_type, may_be_same, may_equal_not_null};
use crate::value::includes::refinement_outcomes;
use crate::value::repr::{Container, SetNode};
use crate::value::{Value, refined, set};

/// Up to this number of members, every way in which members can become equal is tried.
const GROUPED: usize = 8;

/// Whether the value is a member for some outcomes of value and set, and whether it is no member for some.
pub(crate) type MembershipOutcomes = (bool, bool);

/// The membership of a value in a set of unknown element type.
pub(crate) fn in_any_set(value: &Value) -> MembershipOutcomes {
    (may_have_known_type(value), true)
}

/// The membership of a value in an unknown set of this type and refinement.
pub(crate) fn in_unknown_set(ty: &SetType, refinement: &Refinement, value: &Value) -> MembershipOutcomes {
    let (length, member) = (refinement.length_range().unwrap_or_default(), refinement.element());
    if let Some(outcomes) = finite::member_outcomes(ty, None, length, member, value) {
        return outcomes;
    }
    let may_be_member = may_be_of_element_type(value, ty.element()) && refinement_outcomes(member, value).0;
    (length.upper() != Some(0) && may_be_member, true)
}

/// The membership of a value in a set with known and undecided members.
pub(crate) fn in_set(set: &SetNode, value: &Value) -> MembershipOutcomes {
    let (min, max) = set.length;
    let length = LengthRange::new(min, Some(max)).unwrap_or_default();
    if let Some(outcomes) = finite::member_outcomes(&set.ty, Some(set), length, &Refinement::any(), value) {
        return outcomes;
    }
    let element = set.element_type();
    let has_dynamic = element.has_dynamic();
    let is_known = |value: &Value| set::contains_known(set, value);
    if !may_be_of_element_type(value, element) {
        return (false, true);
    }
    if !has_dynamic && value.is_wholly_known() {
        if is_known(value) {
            return (true, false);
        }
        if set.not_wholly_known.is_empty() {
            return (false, true);
        }
    }
    // An unknown value can become a value that is no member. The exception is a value that is null or one other value,
    // where both are known members.
    let may_be_absent = match only_non_null_value(value) {
        Some(part) => has_dynamic || !is_known(&part) || !is_known(&Value::null(element.clone())),
        None => true,
    };
    (some_member_may_equal(set, value), may_be_absent)
}

/// The other value, if the value is either null or exactly one other value.
fn only_non_null_value(value: &Value) -> Option<Value> {
    let refinement = value.refinement()?;
    let part = refined::canonical(value.ty(), refinement.clone().and_not_null());
    (refinement.nullness() == Nullness::Nullable && part.is_wholly_known()).then_some(part)
}

/// Whether some member can become equal to the value. If the maximum length is below the number of members, the
/// members must form groups of equal members, at most as many groups as the length, one of which equals the value.
fn some_member_may_equal(set: &SetNode, value: &Value) -> bool {
    let has_dynamic = set.element_type().has_dynamic();
    let members = || set.known.iter().chain(&set.not_wholly_known);
    let count = set.member_count();
    if set.length.1 >= count as u64 || count > GROUPED {
        return members().any(|member| may_be_same(member, value, has_dynamic));
    }
    let members: Vec<&Value> = members().collect();
    can_be_grouped(&members, has_dynamic, set.length.1, &mut vec![vec![value]])
}

/// Whether the members can be added to the groups, at most `room` of them, so that each group can become one value.
/// The first group contains the value and must get at least one member. Tries every way.
fn can_be_grouped<'a>(
    members: &[&'a Value],
    has_dynamic: bool,
    room: u64,
    groups: &mut Vec<Vec<&'a Value>>,
) -> bool {
    let Some((member, rest)) = members.split_first() else {
        return groups.first().is_some_and(|group| group.len() > 1);
    };
    for i in 0..groups.len() {
        let Some(group) = groups.get_mut(i) else { break };
        group.push(member);
        let found = may_all_be_equal(group, has_dynamic) && can_be_grouped(rest, has_dynamic, room, groups);
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
    let found = can_be_grouped(rest, has_dynamic, room, groups);
    groups.pop();
    found
}

/// Whether all values of a group can become null, or all one other value. Compares pairs: intervals,
/// prefixes and length ranges that overlap in pairs have a common value. Languages need not: there the answer may be "can" where
/// none is common.
fn may_all_be_equal(group: &[&Value], has_dynamic: bool) -> bool {
    let pairs = || group.iter().enumerate().flat_map(|(i, a)| group.iter().take(i).map(move |b| (a, b)));
    group.iter().all(|value| may_be_null(value)) && pairs().all(|(a, b)| may_be_same(a, b, has_dynamic))
        || pairs().all(|(a, b)| may_equal_not_null(a, b, has_dynamic))
}

/// Whether the value can become a value of the element type, which may contain `dynamic`.
fn may_be_of_element_type(value: &Value, element: &Type) -> bool {
    may_be_of_type(value, element, false) && (!element.has_dynamic() || may_have_known_type(value))
}

/// Whether the value can become one whose type contains no `dynamic`. Only such values are members of sets.
fn may_have_known_type(value: &Value) -> bool {
    match value.container() {
        Some(Container::Tuple(node)) => node.items.iter().all(may_have_known_type),
        Some(Container::Object(node)) => node.slots.iter().all(may_have_known_type),
        _ => !value.is_wholly_known() || !value.ty().has_dynamic(),
    }
}
