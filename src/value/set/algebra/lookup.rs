//! Looking up the members of one set in another set.

use crate::types::SetType;
use crate::value::equality::may_be_same;
use crate::value::includes::refinement_outcomes;
use crate::value::order;
use crate::value::{Value, narrowed};

use super::meet::meet;
use super::operand::Operand;
use super::{count, min_bound};

/// The maximum number of steps for comparing members in pairs; if it would take more, no pair is compared.
const WORK: u64 = 1 << 21;

/// A set in which the members of another set are looked up.
pub(super) struct Lookup<'o> {
    pub(super) set: &'o Operand<'o>,
    other: &'o Operand<'o>,
    /// Whether the element type contains `dynamic`.
    has_dynamic: bool,
    /// Whether comparing all pairs would take more than [`WORK`] steps: then any member may equal an undecided one.
    too_many_pairs: bool,
}

impl<'o> Lookup<'o> {
    /// Prepares looking up members of `other` in `set`.
    pub(super) fn new(ty: &SetType, set: &'o Operand<'o>, other: &'o Operand<'o>) -> Lookup<'o> {
        let pairs =
            |a: &Operand<'_>, b: &Operand<'_>| a.size.saturating_mul(b.not_wholly_known().len() as u64);
        let work = pairs(set, other).saturating_add(pairs(other, set));
        Lookup { set, other, has_dynamic: ty.element().has_dynamic(), too_many_pairs: work > WORK }
    }

    /// Whether a wholly known value is certainly a member of this set.
    pub(super) fn contains_known(&self, member: &Value) -> bool {
        sorted_contains(self.set.known(), member)
    }

    /// Whether a member of the other set may be a member of this one.
    pub(super) fn may_contain(&self, member: &Value) -> bool {
        if member.is_wholly_known() && !self.has_dynamic {
            return self.contains_known(member) || self.may_contain_undecided(member);
        }
        self.may_contain_undecided(member) || self.may_contain_known(member)
    }

    /// Whether a member of the other set may equal a wholly known member of this set.
    fn may_contain_known(&self, member: &Value) -> bool {
        let known = self.set.known();
        if self.too_many_pairs {
            return !known.is_empty();
        }
        // If all members of the other set are different values, its undecided member is none of its known ones.
        let beside = if self.other.is_pairwise_distinct() && !member.is_wholly_known() {
            self.other.known()
        } else {
            &[]
        };
        known.iter().any(|one| may_be_same(member, one, self.has_dynamic) && !sorted_contains(beside, one))
    }

    /// Whether a member of the other set may equal an undecided member of this set.
    fn may_contain_undecided(&self, member: &Value) -> bool {
        let not_wholly_known = self.set.not_wholly_known();
        self.set.unknown_member().is_some_and(|all| refinement_outcomes(all, member).0)
            || !not_wholly_known.is_empty()
                && (self.too_many_pairs
                    || not_wholly_known.iter().any(|one| self.may_equal_undecided(member, one)))
    }

    /// Whether a member of the other set may equal this undecided member: both can become the same value, and in a set
    /// whose members all differ no other member has that value already.
    fn may_equal_undecided(&self, member: &Value, one: &Value) -> bool {
        if !may_be_same(member, one, self.has_dynamic) {
            return false;
        }
        let taken = |set: &Operand<'_>, member: &Value, value: &Value| {
            set.is_pairwise_distinct() && !member.is_wholly_known() && sorted_contains(set.known(), value)
        };
        let value = meet(member, one);
        !value.is_wholly_known() || !taken(self.other, member, &value) && !taken(self.set, one, &value)
    }

    /// The meet of an undecided member of the other set with the undecided members of this set that it may equal; the
    /// member as it is if these give several meets. `None` if it can equal none of them.
    pub(super) fn meet_with_undecided(&self, member: &Value) -> Option<Value> {
        if let Some(all) = self.set.unknown_member() {
            return refinement_outcomes(all, member)
                .0
                .then(|| narrowed(member, all).unwrap_or_else(|_| member.clone()));
        }
        if self.too_many_pairs {
            return (!self.set.not_wholly_known().is_empty()).then(|| member.clone());
        }
        let same = self.set.not_wholly_known().iter().filter(|one| self.may_equal_undecided(member, one));
        let mut meets = same.map(|one| meet(member, one));
        let first = meets.next()?;
        Some(if meets.all(|other| order::content(&first, &other).is_eq()) { first } else { member.clone() })
    }

    /// The maximum number of members that the other set has in common with this set; `None` if there is no bound.
    pub(super) fn max_common(&self, other: &Operand<'_>) -> Option<u64> {
        if other.is_unknown() {
            return min_bound(other.most, self.set.most);
        }
        let members = |members: &[Value]| count(members.iter().filter(|member| self.may_contain(member)));
        let (known, not_wholly_known) = (members(other.known()), members(other.not_wholly_known()));
        let excluded = (other.known().len() as u64).saturating_sub(known);
        // All undecided members that are not in this set may turn out to be one value, so together they exclude only
        // one.
        let one = u64::from(not_wholly_known < other.not_wholly_known().len() as u64 && excluded == 0);
        let left = other.most.map(|most| most.saturating_sub(excluded.max(one)));
        min_bound(min_bound(left, Some(known.saturating_add(not_wholly_known))), self.set.most)
    }
}

/// Whether a sorted slice contains the value. Marks do not matter.
pub(super) fn sorted_contains(sorted: &[Value], value: &Value) -> bool {
    sorted.binary_search_by(|member| order::content(member, value)).is_ok()
}
