//! Whether two sets can become equal, where not all members are wholly known.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use crate::value::equality::{TypeRelation, may_be_same_child};
use crate::value::repr::SetNode;
use crate::value::set::bit;
use crate::value::{Value, order, set};

/// Up to this number of members of both sets together, every way in which members can become equal is tried.
const GROUPED: usize = 8;

/// Up to this number of members of both sets together, each pair of members is compared. A `u64` has a bit for each.
const PAIRED: usize = 64;

/// If the square of the number of values inside both sets is above this, only lengths and known members are compared,
/// so that the work stays bounded.
const WORK: usize = 1 << 16;

/// Whether two sets of compatible element types can become equal. Each known member of one set needs a member of its
/// own in the other set that may become it; each undecided member needs some member that it may equal. `types` is the
/// relation of the element types, which are not compared again for each pair. May be `true` for some sets that never
/// become equal if they are large.
pub(in crate::value) fn may_equal(a: &SetNode, b: &SetNode, types: TypeRelation) -> bool {
    let has_dynamic = types == TypeRelation::InDynamic;
    let (a_min, a_max) = a.length;
    let (b_min, b_max) = b.length;
    if a_max < b_min || b_max < a_min {
        return false;
    }
    if let Some(meet) = set::finite_sets_may_equal(a, b) {
        return meet;
    }
    if !has_dynamic
        && (missing_count(&a.known, &b.known) > b.not_wholly_known.len()
            || missing_count(&b.known, &a.known) > a.not_wholly_known.len())
    {
        return false;
    }
    match MemberPairs::of(a, b, types) {
        None => true,
        Some(pairs) if pairs.may_equal_masks.len() <= GROUPED => {
            pairs.can_be_grouped(0, &mut Vec::new(), &(a_min.max(b_min)..=a_max.min(b_max)))
        }
        Some(pairs) => pairs.have_partners() && (has_dynamic || pairs.known_can_be_matched(a, b)),
    }
}

/// The number of values of the first sorted slice that are not in the second.
fn missing_count(values: &[Value], others: &[Value]) -> usize {
    let mut others = others.iter().peekable();
    let missing = values.iter().filter(|value| {
        while others.next_if(|other| order::content(other, value) == Ordering::Less).is_some() {}
        others.peek().is_none_or(|other| order::content(other, value) != Ordering::Equal)
    });
    missing.count()
}

/// Which members of two sets can become one value: the members of the first set, then those of the second,
/// each with one bit for each other member. Every pair is looked at once.
struct MemberPairs {
    may_equal_masks: Vec<u64>,
    /// The members of the first set.
    first: u64,
}

impl MemberPairs {
    /// The pairs of two sets; `None` where there would be too many.
    fn of(a: &SetNode, b: &SetNode, types: TypeRelation) -> Option<MemberPairs> {
        let members: Vec<&Value> =
            [&a.known, &a.not_wholly_known, &b.known, &b.not_wholly_known].into_iter().flatten().collect();
        let parts = a.inside.size.saturating_add(b.inside.size) as usize;
        if members.len() > PAIRED || parts.saturating_mul(parts) > WORK {
            return None;
        }
        let mut may_equal_masks = vec![0_u64; members.len()];
        for (i, x) in members.iter().enumerate() {
            for (j, y) in members.iter().enumerate().take(i) {
                if may_be_same_child(x, y, types) {
                    if let Some(row) = may_equal_masks.get_mut(i) {
                        *row |= bit(j);
                    }
                    if let Some(row) = may_equal_masks.get_mut(j) {
                        *row |= bit(i);
                    }
                }
            }
        }
        Some(MemberPairs { may_equal_masks, first: bit(a.member_count()).wrapping_sub(1) })
    }

    /// The mask of the members that this member may equal.
    fn row(&self, member: usize) -> u64 {
        self.may_equal_masks.get(member).copied().unwrap_or(0)
    }

    /// The mask of the members of the set that does not contain `member`.
    fn other_side(&self, member: usize) -> u64 {
        if self.first & bit(member) == 0 { self.first } else { !self.first }
    }

    /// Whether each member may equal some member of the other set.
    fn have_partners(&self) -> bool {
        (0..self.may_equal_masks.len()).all(|member| self.row(member) & self.other_side(member) != 0)
    }

    /// Whether the members from index `next` on can be added to the groups (masks of the members before), or form new
    /// ones, so that each group can become one value, contains members of both sets, and the number of groups is
    /// within `lengths`. Tries every way.
    fn can_be_grouped(&self, next: usize, groups: &mut Vec<u64>, lengths: &RangeInclusive<u64>) -> bool {
        let count = groups.len() as u64;
        if count > *lengths.end() {
            return false;
        }
        if next == self.may_equal_masks.len() {
            let of_both = |group: &u64| group & self.first != 0 && group & !self.first != 0;
            return lengths.contains(&count) && groups.iter().all(of_both);
        }
        let (row, own) = (self.row(next), bit(next));
        let after = next.saturating_add(1);
        for i in 0..groups.len() {
            let Some(group) = groups.get(i).copied().filter(|group| group & !row == 0) else { continue };
            let mut joined = |members: u64| {
                if let Some(group) = groups.get_mut(i) {
                    *group = members;
                }
            };
            joined(group | own);
            let found = self.can_be_grouped(after, groups, lengths);
            if found {
                return true;
            }
            if let Some(slot) = groups.get_mut(i) {
                *slot = group;
            }
        }
        groups.push(own);
        let found = self.can_be_grouped(after, groups, lengths);
        groups.pop();
        found
    }

    /// Whether each known member that only one set has can be assigned an undecided member of the other set, no
    /// undecided member twice.
    fn known_can_be_matched(&self, a: &SetNode, b: &SetNode) -> bool {
        let in_a = a.member_count();
        let known_a = 0..a.known.len();
        let known_b = in_a..in_a.saturating_add(b.known.len());
        let undecided_a = bits(a.known.len()..in_a);
        let undecided_b = bits(known_b.end..self.may_equal_masks.len());
        let alone = |known: &std::ops::Range<usize>, others: u64| -> Vec<u64> {
            known.clone().map(|member| self.row(member)).filter(|row| row & others == 0).collect()
        };
        let wanted_of_b = alone(&known_a, bits(known_b.clone()));
        let wanted_of_a = alone(&known_b, bits(known_a));
        all_can_be_matched(&wanted_of_b, undecided_b) && all_can_be_matched(&wanted_of_a, undecided_a)
    }
}

/// The mask with the bits at these positions set.
fn bits(places: std::ops::Range<usize>) -> u64 {
    places.fold(0, |all, place| all | bit(place))
}

/// Whether each row can be assigned one of its bits that is in `free`, no bit twice: a maximum matching in a bipartite
/// graph, by augmenting paths.
fn all_can_be_matched(rows: &[u64], free: u64) -> bool {
    let mut owners = [None; PAIRED];
    (0..rows.len()).all(|row| augment(row, rows, free, &mut owners, &mut 0))
}

/// Assigns a bit in `free` to the row at index `row`, and other bits to the rows that lose theirs; false if there is
/// no such assignment. `owners` has the row that owns each bit, `visited` the bits tried so far.
fn augment(
    row: usize,
    rows: &[u64],
    free: u64,
    owners: &mut [Option<usize>; PAIRED],
    visited: &mut u64,
) -> bool {
    let Some(possible) = rows.get(row) else { return false };
    loop {
        let left = possible & free & !*visited;
        if left == 0 {
            return false;
        }
        let place = left.trailing_zeros() as usize;
        *visited |= bit(place);
        let owner = owners.get(place).copied().flatten();
        if owner.is_none_or(|owner| augment(owner, rows, free, owners, visited)) {
            if let Some(slot) = owners.get_mut(place) {
                *slot = Some(row);
            }
            return true;
        }
    }
}
