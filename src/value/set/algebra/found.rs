//! What is known of a result, and the set that says it.

use crate::refinement::Range;
use crate::types::SetType;
use crate::value::{Knownness, Value, join, order, set};

use super::among::Among;
use super::operand::{Operand, not_null};
use super::{of_length, unknown};

/// The most certain members that a possible member is joined with to find the least join.
const ANCHORS: usize = 8;

/// The members of a result while it is built.
#[derive(Default)]
pub(super) struct Found {
    /// Wholly known members.
    pub(super) decided: Vec<Value>,
    /// Other members, each of which is there in the end.
    pub(super) undecided: Vec<Value>,
    /// Members that may be there.
    pub(super) possible: Vec<Value>,
    /// Whether there may be members of which nothing is known.
    pub(super) others: bool,
    pub(super) fewest: u64,
    pub(super) most: Option<u64>,
}

impl Found {
    pub(super) fn value(self, ty: &SetType) -> Value {
        let Found { decided, undecided, mut possible, others, fewest, most } = self;
        let (decided, undecided) =
            (order::sorted(decided, ty.element()), order::sorted(undecided, ty.element()));
        let sure: Vec<&Value> = decided.iter().chain(&undecided).take(ANCHORS).collect();
        let members: Vec<Value> = match sure.first() {
            _ if others => return unknown(ty, fewest, most),
            None if possible.is_empty() => return unknown(ty, 0, Some(0)),
            None if fewest == 0 => return unknown(ty, 0, most),
            None => alike(&possible, most),
            Some(_) => {
                for member in &mut possible {
                    *member = least_join(member, &sure);
                }
                possible
            }
        };
        let all = decided.into_iter().chain(undecided).chain(members).collect();
        of_length(set::build(ty.clone(), all), fewest, most)
    }

    /// The members that may be there, each as what all of them can be, where nothing else is and the set can be empty:
    /// as a value it would be known by its length alone. The empty set is left.
    ///
    /// Not each as itself: where the set cannot be empty they are all alike, and knowing less must not say more.
    pub(super) fn taken_if_empty(&mut self) -> Vec<Value> {
        let sure = self.decided.len().saturating_add(self.undecided.len());
        if self.others || self.fewest > 0 || sure > 0 {
            return Vec::new();
        }
        let possible = alike(&std::mem::take(&mut self.possible), self.most);
        self.most = Some(0);
        possible
    }

    /// Takes the members of one set that the other set may lack.
    pub(super) fn take_only_in(&mut self, ty: &SetType, operand: &Operand<'_>, other: &Among<'_>) {
        let has_null = other.set.decided().last().is_some_and(Value::is_null);
        let left = |member: &Value| if has_null { not_null(member) } else { member.clone() };
        for member in operand.decided() {
            match other.may_have(member) {
                true if other.has(member) => {}
                true => self.possible.push(member.clone()),
                false => self.decided.push(member.clone()),
            }
        }
        // Members that the other set has only if they are null.
        let mut nulls = Vec::new();
        for member in operand.undecided() {
            let left = left(member);
            if !other.may_have(member) {
                self.undecided.push(left);
            } else if has_null && operand.is_distinct() && !other.may_have(&left) {
                nulls.push(left);
            } else {
                self.possible.push(left);
            }
        }
        // They are different, so at most one of them is null: all but one stay, and nobody knows which.
        let all: Vec<&Value> = nulls.iter().collect();
        if let Some(any) = join(&all) {
            self.undecided.extend(std::iter::repeat_n(any.clone(), nulls.len().saturating_sub(1)));
            self.possible.push(any);
        }
        if operand.is_unknown() {
            match operand.few() {
                Some(few) if has_null => {
                    let member = left(&Value::unknown(ty.element().clone()));
                    self.possible.extend(std::iter::repeat_n(member, few));
                }
                _ => self.others = true,
            }
        }
    }
}

/// So many values that can be each of these, one for each or as many as there can be at most.
fn alike(members: &[Value], most: Option<u64>) -> Vec<Value> {
    let all: Vec<&Value> = members.iter().collect();
    let count = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    join(&all).map_or_else(Vec::new, |any| vec![any; count.min(members.len())])
}

/// The least join of a member with one of several others.
fn least_join(member: &Value, others: &[&Value]) -> Value {
    let mut best: Option<Value> = None;
    for other in others {
        let joined = join(&[member, other]);
        if let Some(joined) = joined.filter(|new| best.as_ref().is_none_or(|best| says(new) > says(best))) {
            best = Some(joined);
        }
    }
    best.unwrap_or_else(Value::dynamic)
}

/// A coarse measure of what is known of a value: its level, and whether it has a range.
fn says(value: &Value) -> (Knownness, bool) {
    (value.knownness(), value.refinement().is_some_and(|refinement| *refinement.range() != Range::Any))
}
