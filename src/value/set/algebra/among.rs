//! Looking for the members of one set in another.

use crate::types::SetType;
use crate::value::Value;
use crate::value::equality::may_be_same;
use crate::value::order;

use super::common::common;
use super::operand::Operand;
use super::{count, least};

/// The most steps that comparing members in pairs may take; above, no pair is compared.
const WORK: u64 = 1 << 21;

/// A set that members of another set are looked up in.
pub(super) struct Among<'o> {
    pub(super) set: &'o Operand<'o>,
    other: &'o Operand<'o>,
    /// Whether the element type is undecided.
    open: bool,
    /// Whether looking at pairs would be out of proportion.
    too_many: bool,
}

impl<'o> Among<'o> {
    pub(super) fn new(ty: &SetType, set: &'o Operand<'o>, other: &'o Operand<'o>) -> Among<'o> {
        let pairs = |a: &Operand<'_>, b: &Operand<'_>| a.size.saturating_mul(b.undecided().len() as u64);
        let work = pairs(set, other).saturating_add(pairs(other, set));
        Among { set, other, open: ty.element().has_dynamic(), too_many: work > WORK }
    }

    /// Whether a wholly known value is certainly a member.
    pub(super) fn has(&self, member: &Value) -> bool {
        contains(self.set.decided(), member)
    }

    /// Whether a member of the other set may be a member of this one.
    pub(super) fn may_have(&self, member: &Value) -> bool {
        if member.is_wholly_known() && !self.open {
            return self.has(member) || self.may_have_undecided(member);
        }
        self.may_have_undecided(member) || self.may_have_decided(member)
    }

    /// Whether a member of the other set, undecided there, may be a wholly known one of this set.
    fn may_have_decided(&self, member: &Value) -> bool {
        let decided = self.set.decided();
        if self.too_many {
            return !decided.is_empty();
        }
        // Another value than the known members beside it, where all members there are different.
        let beside =
            if self.other.is_distinct() && !member.is_wholly_known() { self.other.decided() } else { &[] };
        decided.iter().any(|one| may_be_same(member, one, self.open) && !contains(beside, one))
    }

    /// Whether a member of the other set may be one that is undecided in this one.
    fn may_have_undecided(&self, member: &Value) -> bool {
        let undecided = self.set.undecided();
        self.set.is_unknown()
            || !undecided.is_empty()
                && (self.too_many || undecided.iter().any(|one| self.may_be(member, one)))
    }

    /// Whether a member of the other set may be an undecided one of this set: the same value, and not one that
    /// another member of a set of different members is.
    fn may_be(&self, member: &Value, one: &Value) -> bool {
        if !may_be_same(member, one, self.open) {
            return false;
        }
        let taken = |set: &Operand<'_>, member: &Value, value: &Value| {
            set.is_distinct() && !member.is_wholly_known() && contains(set.decided(), value)
        };
        let value = common(member, one);
        !value.is_wholly_known() || !taken(self.other, member, &value) && !taken(self.set, one, &value)
    }

    /// What an undecided member of the other set is, if it is one that is undecided in this one too.
    pub(super) fn common_undecided(&self, member: &Value) -> Option<Value> {
        if self.set.is_unknown() || self.too_many {
            return (self.set.is_unknown() || !self.set.undecided().is_empty()).then(|| member.clone());
        }
        let same = self.set.undecided().iter().filter(|one| self.may_be(member, one));
        let mut met = same.map(|one| common(member, one));
        let first = met.next()?;
        Some(if met.all(|other| order::content(&first, &other).is_eq()) { first } else { member.clone() })
    }

    /// How many members of the other set may be in this one, at most. `None` for any number.
    pub(super) fn left_of(&self, other: &Operand<'_>) -> Option<u64> {
        if other.is_unknown() {
            return least(other.most, self.set.most);
        }
        let members = |members: &[Value]| count(members.iter().filter(|member| self.may_have(member)));
        let (decided, undecided) = (members(other.decided()), members(other.undecided()));
        let excluded = (other.decided().len() as u64).saturating_sub(decided);
        // Undecided members that are not in this set can all be one.
        let one = u64::from(undecided < other.undecided().len() as u64 && excluded == 0);
        let left = other.most.map(|most| most.saturating_sub(excluded.max(one)));
        least(least(left, Some(decided.saturating_add(undecided))), self.set.most)
    }
}

pub(super) fn contains(sorted: &[Value], value: &Value) -> bool {
    sorted.binary_search_by(|member| order::content(member, value)).is_ok()
}
