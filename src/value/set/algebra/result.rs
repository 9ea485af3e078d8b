//! The members of a result of set algebra, and the set built from them.

use crate::refinement::{Range, Refinement};
use crate::types::SetType;
use crate::value::join::refinement_of_all;
use crate::value::{Knownness, Value, canonical, join_to_prefixes, order, range, set};

use super::lookup::Lookup;
use super::operand::{Operand, not_null};
use super::{unknown_set, with_length};

/// The maximum number of certain members that a possible member is joined with to find the narrowest join.
const ANCHORS: usize = 8;

/// The members of a result of set algebra, before the set is built.
#[derive(Default)]
pub(super) struct ResultMembers {
    /// Wholly known members.
    pub(super) known: Vec<Value>,
    /// Members that are not wholly known; each of them exists in the end.
    pub(super) not_wholly_known: Vec<Value>,
    /// Members that may or may not exist in the end.
    pub(super) possible: Vec<Value>,
    /// What is known of every member that the result may have beside these; `None` if there are none.
    pub(super) further: Option<Refinement>,
    /// The minimum number of members.
    pub(super) fewest: u64,
    /// The maximum number of members; `None` if there is no bound.
    pub(super) most: Option<u64>,
}

impl ResultMembers {
    /// Builds the set of these members: an unknown set with a length if a partial set cannot express them.
    pub(super) fn value(self, ty: &SetType) -> Value {
        let ResultMembers { known, not_wholly_known, mut possible, further, fewest, most } = self;
        let (known, not_wholly_known) =
            (order::sorted(known, ty.element()), order::sorted(not_wholly_known, ty.element()));
        let sure: Vec<&Value> = known.iter().chain(&not_wholly_known).take(ANCHORS).collect();
        let members: Vec<Value> = match sure.first() {
            _ if further.is_some() => {
                let members: Vec<&Value> = known.iter().chain(&not_wholly_known).chain(&possible).collect();
                let members = refinement_of_all(&members, ty.element());
                let member = further.into_iter().chain(members).reduce(|a, b| a.join(&b));
                return unknown_set(ty, fewest, most, member.unwrap_or_default());
            }
            None if possible.is_empty() => return unknown_set(ty, 0, Some(0), Refinement::any()),
            None if fewest == 0 => {
                let member = refinement_of_all(&possible.iter().collect::<Vec<_>>(), ty.element());
                return unknown_set(ty, 0, most, member.unwrap_or_default());
            }
            None => repeated_join(&possible, most),
            Some(_) => {
                for member in &mut possible {
                    *member = narrowest_join(member, &sure);
                }
                possible
            }
        };
        let all = known.into_iter().chain(not_wholly_known).chain(members).collect();
        with_length(set::build(ty.clone(), all), fewest, most)
    }

    /// Takes the possible members out of a result that has no other members and may be empty, each replaced by the join
    /// of all, and leaves the empty set. The set built from such a result would keep only its length, so that a union
    /// with it would lose these members.
    ///
    /// Each is the join of all, as in a result that cannot be empty: else knowing less would say more (L3).
    pub(super) fn take_possible_if_empty(&mut self) -> Vec<Value> {
        let sure = self.known.len().saturating_add(self.not_wholly_known.len());
        if self.further.is_some() || self.fewest > 0 || sure > 0 {
            return Vec::new();
        }
        let possible = repeated_join(&std::mem::take(&mut self.possible), self.most);
        self.most = Some(0);
        possible
    }

    /// Adds the members of `operand` that are not certainly in the other set.
    pub(super) fn add_difference(&mut self, ty: &SetType, operand: &Operand<'_>, other: &Lookup<'_>) {
        let has_null = other.set.known().last().is_some_and(Value::is_null);
        let left_member = |member: &Value| if has_null { not_null(member) } else { member.clone() };
        for member in operand.known() {
            match other.may_contain(member) {
                true if other.contains_known(member) => {}
                true => self.possible.push(member.clone()),
                false => self.known.push(member.clone()),
            }
        }
        // Members that are in the other set only if they are null.
        let mut nulls = Vec::new();
        for member in operand.not_wholly_known() {
            let left = left_member(member);
            if !other.may_contain(member) {
                self.not_wholly_known.push(left);
            } else if has_null && operand.is_pairwise_distinct() && !other.may_contain(&left) {
                nulls.push(left);
            } else {
                self.possible.push(left);
            }
        }
        // They are different values, so at most one of them is null: all but one are certain, but it is unknown which.
        let all: Vec<&Value> = nulls.iter().collect();
        if let Some(any) = join_to_prefixes(&all) {
            self.not_wholly_known.extend(std::iter::repeat_n(any.clone(), nulls.len().saturating_sub(1)));
            self.possible.push(any);
        }
        if let Some(all) = operand.unknown_member() {
            let member = left_member(&canonical(ty.element().clone(), all.clone()));
            match operand.expandable_length() {
                Some(length) if has_null => self.possible.extend(std::iter::repeat_n(member, length)),
                // In a value of undecided type, a member cannot be known not to be null.
                _ => self.further = Some(range::of(&member).refinement().clone()),
            }
        }
    }
}

/// The join of all members, repeated once for each member but at most `most` times.
fn repeated_join(members: &[Value], most: Option<u64>) -> Vec<Value> {
    let all: Vec<&Value> = members.iter().collect();
    let count = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    join_to_prefixes(&all).map_or_else(Vec::new, |any| vec![any; count.min(members.len())])
}

/// The narrowest among the joins of a member with each of several others.
fn narrowest_join(member: &Value, others: &[&Value]) -> Value {
    let mut best: Option<Value> = None;
    for other in others {
        let joined = join_to_prefixes(&[member, other]);
        if let Some(joined) =
            joined.filter(|new| best.as_ref().is_none_or(|best| precision(new) > precision(best)))
        {
            best = Some(joined);
        }
    }
    best.unwrap_or_else(Value::dynamic)
}

/// A coarse measure of how much is known of a value: its level, and whether its refinement has a range.
fn precision(value: &Value) -> (Knownness, bool) {
    (value.knownness(), value.refinement().is_some_and(|refinement| *refinement.range() != Range::Any))
}
