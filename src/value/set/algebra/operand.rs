//! An operand of set algebra: a set's known and undecided members, and the range of its length.

use std::borrow::Cow;

use crate::limits;
use crate::refinement::{LengthRange, Refinement};
use crate::types::SetType;
use crate::value::equality::may_be_null;
use crate::value::join::refinement_of_all;
use crate::value::repr::{Container, SetNode};
use crate::value::set::finite;
use crate::value::{Value, canonical, narrowed, order, set};

use super::meet::meet;
use super::{unknown_set, with_length};

/// An operand of set algebra, not null: the members of a partial or known set, or what is known of those of an unknown set.
pub(crate) struct Operand<'a> {
    /// Wholly known members, sorted.
    known: Cow<'a, [Value]>,
    not_wholly_known: Cow<'a, [Value]>,
    /// What is known of every member of an unknown set, of which both lists of members are empty; `None` for other sets.
    unknown_member: Option<Refinement>,
    /// The minimum length.
    pub(super) fewest: u64,
    /// The maximum length; `None` if there is no bound.
    pub(super) most: Option<u64>,
    /// The number of values in the set, counting it and everything inside: a measure of the work of comparing.
    pub(super) size: u64,
}

impl<'a> Operand<'a> {
    /// The operand for a value of the set type that is not null.
    pub(crate) fn of(ty: &SetType, value: &'a Value) -> Operand<'a> {
        match value.container() {
            Some(Container::Set(node)) => Operand::of_known(node),
            _ => {
                let range = value.range();
                let length = range.length_range().unwrap_or_default();
                let length = set::within_capacity(range.ty(), range.refinement().element(), length);
                Operand::of_unknown(ty, length, range.refinement().element())
            }
        }
    }

    /// The operand for a set with members, narrowed by what its length tells of them.
    fn of_known(node: &'a SetNode) -> Operand<'a> {
        let (fewest, most) = node.length;
        let mut operand = Operand {
            known: Cow::Borrowed(&node.known),
            not_wholly_known: Cow::Borrowed(&node.not_wholly_known),
            unknown_member: None,
            fewest,
            most: Some(most),
            size: u64::from(node.inside.size),
        };
        match &*node.not_wholly_known {
            // If the final length is 1, all candidates are the same member, so their meet says more than each.
            [first, rest @ ..] if most == 1 && !rest.is_empty() => {
                let met = rest.iter().fold(first.clone(), |met, member| meet(&met, member));
                let (known, not_wholly_known) =
                    if met.is_wholly_known() { (vec![met], Vec::new()) } else { (Vec::new(), vec![met]) };
                (operand.known, operand.not_wholly_known) = (Cow::Owned(known), Cow::Owned(not_wholly_known));
            }
            members if operand.is_pairwise_distinct() => {
                operand.not_wholly_known = at_most_one_nullable(&node.known, members)
            }
            _ => {}
        }
        operand
    }

    /// The operand for an unknown set of this length and these members. With a small maximum and a minimum above 0, it is written out
    /// as a set of unknown members.
    fn of_unknown(ty: &SetType, length: LengthRange, member: &Refinement) -> Operand<'a> {
        let mut operand = Operand {
            known: Cow::Borrowed(&[]),
            not_wholly_known: Cow::Borrowed(&[]),
            unknown_member: Some(member.clone()),
            fewest: length.lower(),
            most: length.upper(),
            size: 1,
        };
        if let (Some(most), fewest @ 1..) = (operand.expandable_length(), operand.fewest) {
            // Write the maximum number of unknown members out. At least `fewest` of them are different values, and
            // only one value is null, so all but one of these are not null.
            let fewest = usize::try_from(fewest).unwrap_or(most);
            operand.unknown_member = None;
            let member = canonical(ty.element().clone(), member.clone());
            let mut members = vec![member.clone(); most];
            members.iter_mut().take(fewest).skip(1).for_each(|one| *one = not_null(&member));
            if member.is_wholly_known() {
                // All members are this value.
                operand.known = Cow::Owned(vec![member]);
                (operand.fewest, operand.most) = (1, Some(1));
            } else {
                operand.not_wholly_known = Cow::Owned(members);
            }
        }
        operand
    }

    /// The wholly known members, sorted.
    pub(super) fn known(&self) -> &[Value] {
        &self.known
    }

    /// The members that are not wholly known.
    pub(super) fn not_wholly_known(&self) -> &[Value] {
        &self.not_wholly_known
    }

    /// Whether the set is unknown.
    pub(super) fn is_unknown(&self) -> bool {
        self.unknown_member.is_some()
    }

    /// What is known of every member of an unknown set; `None` for other sets.
    pub(super) fn unknown_member(&self) -> Option<&Refinement> {
        self.unknown_member.as_ref()
    }

    /// What is known of every member of the set.
    pub(super) fn member(&self, ty: &SetType) -> Refinement {
        match &self.unknown_member {
            Some(member) => member.clone(),
            None => {
                let members: Vec<&Value> = self.known.iter().chain(&*self.not_wholly_known).collect();
                refinement_of_all(&members, ty.element()).unwrap_or_default()
            }
        }
    }

    /// Whether all members certainly become different values: the minimum length is the number of members.
    pub(super) fn is_pairwise_distinct(&self) -> bool {
        let members = self.known.len().saturating_add(self.not_wholly_known.len());
        !self.is_unknown() && self.fewest == members as u64
    }

    /// The maximum length, if it is small enough to write out that many unknown members.
    pub(super) fn expandable_length(&self) -> Option<usize> {
        self.most.and_then(|most| usize::try_from(most).ok()).filter(|most| *most <= limits::COLLAPSE)
    }

    /// Whether all members are wholly known, and the element type is known unless the set is empty.
    pub(super) fn is_wholly_known(&self, ty: &SetType) -> bool {
        !self.is_unknown()
            && self.not_wholly_known.is_empty()
            && (self.known.is_empty() || !ty.element().has_dynamic())
    }

    /// The sets that the operand may become, as a mask of [`finite::combinations`], if the element type is finite.
    pub(super) fn combinations(&self, ty: &SetType) -> Option<u8> {
        if let Some(member) = &self.unknown_member {
            return finite::combinations_of_length(ty, self.fewest, self.most, member);
        }
        finite::combinations(ty, &self.known, &self.not_wholly_known, (self.fewest, self.most?))
    }

    /// The operand as a value, not null.
    pub(super) fn to_value(&self, ty: &SetType) -> Value {
        if let Some(member) = &self.unknown_member {
            return unknown_set(ty, self.fewest, self.most, member.clone());
        }
        let members = self.known().iter().chain(self.not_wholly_known()).cloned().collect();
        with_length(set::build(ty.clone(), members), self.fewest, self.most)
    }
}

/// The undecided members of a set whose members all become different values, so at most one of them is null: if all
/// nullable ones are the same, or null is a known member already, the others get the refinement not null.
fn at_most_one_nullable<'a>(known: &[Value], members: &'a [Value]) -> Cow<'a, [Value]> {
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

/// The undecided member, assumed not null.
pub(super) fn not_null(member: &Value) -> Value {
    match member {
        Value::Dynamic(_) | Value::Partial(_) | Value::Known(_) => member.clone(),
        Value::Unknown(_) | Value::Refined(_) => {
            narrowed(member, &Refinement::not_null()).unwrap_or_else(|_| member.clone())
        }
    }
}
