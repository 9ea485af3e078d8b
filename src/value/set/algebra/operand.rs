//! A set that is asked about: what is known of its members and of their number.

use std::borrow::Cow;

use crate::limits;
use crate::refinement::{LengthRange, Refinement};
use crate::types::SetType;
use crate::value::equality::may_be_null;
use crate::value::repr::{Container, SetNode};
use crate::value::set::finite;
use crate::value::{Value, narrowed, order, set};

use super::common::common;
use super::{of_length, unknown};

/// An operand of set algebra that is not null: its members, or the range of its length.
pub(crate) struct Operand<'a> {
    /// Wholly known members, sorted.
    decided: Cow<'a, [Value]>,
    undecided: Cow<'a, [Value]>,
    /// Whether there may be members of which nothing is known.
    unknown: bool,
    pub(super) fewest: u64,
    pub(super) most: Option<u64>,
    pub(super) size: u64,
}

impl<'a> Operand<'a> {
    /// A set of the type, not null.
    pub(crate) fn of(ty: &SetType, value: &'a Value) -> Operand<'a> {
        match value.container() {
            Some(Container::Set(node)) => Operand::known(node),
            _ => {
                let range = value.range();
                Operand::unknown(
                    ty,
                    set::within_capacity(range.ty(), range.length_range().unwrap_or_default()),
                )
            }
        }
    }

    fn known(node: &'a SetNode) -> Operand<'a> {
        let (fewest, most) = node.length;
        let mut operand = Operand {
            decided: Cow::Borrowed(&node.known),
            undecided: Cow::Borrowed(&node.undecided),
            unknown: false,
            fewest,
            most: Some(most),
            size: u64::from(node.inside.size),
        };
        match &*node.undecided {
            // If the final length is 1, all candidates are the same member, so their meet says more than each.
            [first, rest @ ..] if most == 1 && !rest.is_empty() => {
                let met = rest.iter().fold(first.clone(), |met, member| common(&met, member));
                let (decided, undecided) =
                    if met.is_wholly_known() { (vec![met], Vec::new()) } else { (Vec::new(), vec![met]) };
                (operand.decided, operand.undecided) = (Cow::Owned(decided), Cow::Owned(undecided));
            }
            members if operand.is_distinct() => operand.undecided = one_null(&node.known, members),
            _ => {}
        }
        operand
    }

    fn unknown(ty: &SetType, length: LengthRange) -> Operand<'a> {
        let mut operand = Operand {
            decided: Cow::Borrowed(&[]),
            undecided: Cow::Borrowed(&[]),
            unknown: true,
            fewest: length.lower(),
            most: length.upper(),
            size: 1,
        };
        if let (Some(few), fewest @ 1..) = (operand.few(), operand.fewest) {
            // So many members, all but one of the fewest not null.
            let fewest = usize::try_from(fewest).unwrap_or(few);
            let member = Value::unknown(ty.element().clone());
            let mut members = vec![member.clone(); few];
            members.iter_mut().take(fewest).skip(1).for_each(|one| *one = not_null(&member));
            operand.unknown = false;
            operand.undecided = Cow::Owned(members);
        }
        operand
    }

    pub(super) fn decided(&self) -> &[Value] {
        &self.decided
    }

    pub(super) fn undecided(&self) -> &[Value] {
        &self.undecided
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Whether all members are different values in the end.
    pub(super) fn is_distinct(&self) -> bool {
        let members = self.decided.len().saturating_add(self.undecided.len());
        !self.unknown && self.fewest == members as u64
    }

    /// The maximum number of members, if small enough to write them out.
    pub(super) fn few(&self) -> Option<usize> {
        self.most.and_then(|most| usize::try_from(most).ok()).filter(|most| *most <= limits::COLLAPSE)
    }

    pub(super) fn is_wholly_known(&self, ty: &SetType) -> bool {
        !self.unknown && self.undecided.is_empty() && (self.decided.is_empty() || !ty.element().has_dynamic())
    }

    /// The sets that it may become, where the element type has few values.
    pub(super) fn combinations(&self, ty: &SetType) -> Option<u8> {
        if self.unknown {
            return finite::of_length(ty, self.fewest, self.most);
        }
        finite::combinations(ty, &self.decided, &self.undecided, (self.fewest, self.most?))
    }

    /// The same set, which is not null.
    pub(super) fn to_value(&self, ty: &SetType) -> Value {
        if self.unknown {
            return unknown(ty, self.fewest, self.most);
        }
        let members = self.decided().iter().chain(self.undecided()).cloned().collect();
        of_length(set::build(ty.clone(), members), self.fewest, self.most)
    }
}

/// Members that are all different values in the end: at most one of them is null. Where it cannot matter which one,
/// the others are not null.
fn one_null<'a>(known: &[Value], members: &'a [Value]) -> Cow<'a, [Value]> {
    let mut nullable = members.iter().filter(|member| may_be_null(member));
    let Some(first) = nullable.next() else { return Cow::Borrowed(members) };
    let null_known = known.last().is_some_and(Value::is_null);
    if !null_known && !nullable.all(|member| order::content(first, member).is_eq()) {
        return Cow::Borrowed(members);
    }
    let mut null_left = !null_known;
    let not_null_but_one = |member: &Value| {
        if !may_be_null(member) || std::mem::take(&mut null_left) { member.clone() } else { not_null(member) }
    };
    Cow::Owned(members.iter().map(not_null_but_one).collect())
}

/// An undecided member that is not null.
pub(super) fn not_null(member: &Value) -> Value {
    match member {
        Value::Dynamic(_) | Value::Partial(_) | Value::Known(_) => member.clone(),
        Value::Unknown(_) | Value::Refined(_) => {
            narrowed(member, &Refinement::not_null()).unwrap_or_else(|_| member.clone())
        }
    }
}
