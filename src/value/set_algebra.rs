//! Union, intersection and difference of sets of which not all is decided.
//!
//! A member of the result is *sure*, or it *may* be there. A partial set has no room for a member that may be there:
//! each of its undecided members is there in the end. But an undecided member that may be the same as a sure one adds
//! nothing when it is, so what may be there stands in the result as the [join] of itself and a sure member. Where
//! nothing is sure and the set is not empty, each member that may be there is the join of all of them. Where the set
//! can become empty, or has members of which nothing is known, it is unknown with a length.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::limits;
use crate::refinement::{LengthRange, Range, Refinement};
use crate::types::{SetType, Type};

use super::equality::{may_be_null, may_be_same};
use super::repr::{Container, SetNode};
use super::{Knownness, Value, build, canonical, join, order, set, set_finite};

/// What is asked of two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetOperation {
    Union,
    Intersection,
    Difference,
    SymmetricDifference,
}

/// Where comparing members in pairs would take more steps than this, no two of them are compared.
const WORK: u64 = 1 << 21;

/// How many sure members a possible one is joined with, to take the best.
const ANCHORS: usize = 8;

/// A set, not null: known or partly known, or unknown with a length.
pub(crate) struct Operand<'a> {
    /// Wholly known members, sorted.
    decided: Cow<'a, [Value]>,
    undecided: Cow<'a, [Value]>,
    /// Whether there may be members of which nothing is known.
    unknown: bool,
    fewest: u64,
    most: Option<u64>,
    size: u64,
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
            // Of one member in the end, which is what all are: what they have in common says more than each.
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

    fn decided(&self) -> &[Value] {
        &self.decided
    }

    fn undecided(&self) -> &[Value] {
        &self.undecided
    }

    fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Whether all members are different values in the end.
    fn is_distinct(&self) -> bool {
        let members = self.decided.len().saturating_add(self.undecided.len());
        !self.unknown && self.fewest == members as u64
    }

    /// The most members, where these are few enough to be written down.
    fn few(&self) -> Option<usize> {
        self.most.and_then(|most| usize::try_from(most).ok()).filter(|most| *most <= limits::COLLAPSE)
    }

    fn is_wholly_known(&self, ty: &SetType) -> bool {
        !self.unknown && self.undecided.is_empty() && (self.decided.is_empty() || !ty.element().has_dynamic())
    }

    /// The sets that it may become, where the element type has few values.
    fn combinations(&self, ty: &SetType) -> Option<u8> {
        if self.unknown {
            return set_finite::of_length(ty, self.fewest, self.most);
        }
        set_finite::combinations(ty, &self.decided, &self.undecided, (self.fewest, self.most?))
    }

    /// The same set, which is not null.
    fn to_value(&self, ty: &SetType) -> Value {
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
fn not_null(member: &Value) -> Value {
    match member {
        Value::Dynamic(_) | Value::Partial(_) | Value::Known(_) => member.clone(),
        Value::Unknown(_) | Value::Refined(_) => {
            member.assume(&Refinement::not_null()).unwrap_or_else(|_| member.clone())
        }
    }
}

/// What two values that turn out the same have in common, near enough.
fn common(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Known(_), _) | (Value::Partial(_), Value::Dynamic(_) | Value::Unknown(_)) => a.clone(),
        (_, Value::Known(_)) | (Value::Dynamic(_) | Value::Unknown(_), _) => b.clone(),
        (Value::Partial(a), Value::Partial(b)) => same_shape(a.0.container(), b.0.container()),
        (known, Value::Refined(refined)) | (Value::Refined(refined), known) => {
            known.assume(&refined.0.refinement).unwrap_or_else(|_| known.clone())
        }
    }
}

fn same_shape(a: &Container, b: &Container) -> Value {
    let parts = |a: &[Value], b: &[Value]| -> Vec<Value> {
        let mut parts = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            parts.push(common(a, b));
        }
        parts
    };
    let met = match (a, b) {
        (Container::Tuple(a), Container::Tuple(b)) => Value::tuple(parts(&a.items, &b.items)),
        (Container::List(a), Container::List(b)) if a.ty == b.ty => {
            Value::list_of(a.ty.element().clone(), parts(&a.items, &b.items))
        }
        (Container::Object(a), Container::Object(b)) => Value::object_of(&a.ty, parts(&a.slots, &b.slots)),
        _ => return build::at_level(a.clone(), false),
    };
    met.unwrap_or_else(|_| build::at_level(a.clone(), false))
}

/// The operation on two sets of one type.
pub(crate) fn operate(operation: SetOperation, ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Value {
    if let Some(value) = with_the_empty_set(operation, ty, a, b) {
        return value;
    }
    if let (Some(x), Some(y)) = (a.combinations(ty), b.combinations(ty))
        && let Some(value) = set_finite::operate(operation, ty, x, y)
    {
        return value;
    }
    let found = match operation {
        SetOperation::Union => union(ty, a, b),
        SetOperation::Intersection => intersection(ty, a, b),
        SetOperation::Difference => difference(ty, a, b),
        SetOperation::SymmetricDifference => symmetric_difference(ty, a, b),
    };
    found.value(ty)
}

/// The exact answer where one of the sets is certainly empty.
fn with_the_empty_set(
    operation: SetOperation,
    ty: &SetType,
    a: &Operand<'_>,
    b: &Operand<'_>,
) -> Option<Value> {
    let (a_empty, b_empty) = (a.most == Some(0), b.most == Some(0));
    if !a_empty && !b_empty {
        return None;
    }
    // An empty set of an undecided type may be one of any type that the other set has.
    let empty = || {
        if a.is_wholly_known(ty) && b.is_wholly_known(ty) {
            set::build(ty.clone(), Vec::new())
        } else {
            unknown(ty, 0, Some(0))
        }
    };
    Some(match operation {
        SetOperation::Union | SetOperation::SymmetricDifference if !b_empty => b.to_value(ty),
        SetOperation::Union | SetOperation::SymmetricDifference | SetOperation::Difference if !a_empty => {
            a.to_value(ty)
        }
        _ => empty(),
    })
}

/// What is known of a result.
#[derive(Default)]
struct Found {
    /// Wholly known members.
    decided: Vec<Value>,
    /// Other members, each of which is there in the end.
    undecided: Vec<Value>,
    /// Members that may be there.
    possible: Vec<Value>,
    /// Whether there may be members of which nothing is known.
    others: bool,
    fewest: u64,
    most: Option<u64>,
}

impl Found {
    fn value(self, ty: &SetType) -> Value {
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
}

/// So many values that can be each of these, one for each or as many as there can be at most.
fn alike(members: &[Value], most: Option<u64>) -> Vec<Value> {
    let all: Vec<&Value> = members.iter().collect();
    let count = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    join(&all).map_or_else(Vec::new, |any| vec![any; count.min(members.len())])
}

/// The join of a member with the one of several others that leaves most known.
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

/// How much is known of a value, coarsely: the level, and whether there is a range.
fn says(value: &Value) -> (Knownness, bool) {
    (value.knownness(), value.refinement().is_some_and(|refinement| *refinement.range() != Range::Any))
}

/// An unknown set of a length, not null.
fn unknown(ty: &SetType, fewest: u64, most: Option<u64>) -> Value {
    let length = LengthRange::new(fewest, most).unwrap_or_default();
    canonical(Type::Set(ty.clone()), Refinement::length(length).and_not_null())
}

/// The set with a narrower length.
fn of_length(value: Value, fewest: u64, most: Option<u64>) -> Value {
    let length = LengthRange::new(fewest, most).unwrap_or_default();
    value.assume(&Refinement::length(length)).unwrap_or(value)
}

fn union(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let (both, only_a, only_b) = parted(a.decided(), b.decided());
    let (in_a, in_b) = (Among::new(ty, a, b), Among::new(ty, b, a));
    // Each known member that the other set cannot have is one more than the other set has.
    let more_a = count(only_a.iter().filter(|member| !in_b.may_have(member)));
    let more_b = count(only_b.iter().filter(|member| !in_a.may_have(member)));
    let fewest = a.fewest.saturating_add(more_b).max(b.fewest.saturating_add(more_a));
    let most = sum(a.most, b.most).map(|most| most.saturating_sub(both.len() as u64));
    let mut found = Found { fewest, most, ..Found::default() };
    found.decided = [both, only_a, only_b].concat();
    found.undecided = [a.undecided(), b.undecided()].concat();
    for operand in [a, b].into_iter().filter(|operand| operand.is_unknown()) {
        match operand.few() {
            Some(few) if !(a.is_unknown() && b.is_unknown()) => {
                found.possible.extend(std::iter::repeat_n(Value::unknown(ty.element().clone()), few));
            }
            _ => found.others = true,
        }
    }
    found
}

fn intersection(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let (both, only_a, only_b) = parted(a.decided(), b.decided());
    let (in_a, in_b) = (Among::new(ty, a, b), Among::new(ty, b, a));
    let mut possible: Vec<Value> = only_a.into_iter().filter(|member| in_b.may_have(member)).collect();
    possible.extend(only_b.into_iter().filter(|member| in_a.may_have(member)));
    // A member that is undecided in both counts once.
    let (fewer, other) = if a.undecided().len() <= b.undecided().len() { (a, &in_b) } else { (b, &in_a) };
    possible.extend(fewer.undecided().iter().filter_map(|member| other.common_undecided(member)));
    let mut possible = order::sorted(possible, ty.element());
    possible.dedup_by(|a, b| a.is_wholly_known() && order::content(a, b).is_eq());
    possible.retain(|member| !contains(&both, member));
    let all = (both.len() as u64).saturating_add(possible.len() as u64);
    let others = a.is_unknown() || b.is_unknown();
    let most = least(in_b.left_of(a), in_a.left_of(b));
    let most = least(most, (!others).then_some(all));
    Found { fewest: both.len() as u64, most, decided: both, possible, others, ..Found::default() }
}

fn difference(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let common = intersection(ty, a, b);
    let mut found = Found::default();
    found.take_only_in(ty, a, &Among::new(ty, b, a));
    found.fewest = common.most.map_or(0, |most| a.fewest.saturating_sub(most));
    found.most = a.most.map(|most| most.saturating_sub(common.fewest));
    found
}

/// The union of both differences: what is only in one set is not in the other difference.
fn symmetric_difference(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let (mut only_a, mut only_b) = (difference(ty, a, b), difference(ty, b, a));
    let common = intersection(ty, a, b);
    let without_common = common
        .most
        .map_or(0, |most| a.fewest.saturating_add(b.fewest).saturating_sub(most.saturating_mul(2)));
    let twice = common.fewest.saturating_mul(2);
    let fewest = without_common.max(only_a.fewest.saturating_add(only_b.fewest));
    let most =
        least(sum(a.most, b.most).map(|most| most.saturating_sub(twice)), sum(only_a.most, only_b.most));
    let possible = [only_a.taken_if_empty(), only_b.taken_if_empty()].concat();
    let (only_a, only_b) = (only_a.value(ty), only_b.value(ty));
    let mut found = union(ty, &Operand::of(ty, &only_a), &Operand::of(ty, &only_b));
    found.possible.extend(possible);
    Found { fewest, most, ..found }
}

impl Found {
    /// The members that may be there, each as what all of them can be, where nothing else is and the set can be empty:
    /// as a value it would be known by its length alone. The empty set is left.
    ///
    /// Not each as itself: where the set cannot be empty they are all alike, and knowing less must not say more.
    fn taken_if_empty(&mut self) -> Vec<Value> {
        let sure = self.decided.len().saturating_add(self.undecided.len());
        if self.others || self.fewest > 0 || sure > 0 {
            return Vec::new();
        }
        let possible = alike(&std::mem::take(&mut self.possible), self.most);
        self.most = Some(0);
        possible
    }

    /// The members of one set that the other may not have.
    fn take_only_in(&mut self, ty: &SetType, operand: &Operand<'_>, other: &Among<'_>) {
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

/// A set in which members of another are looked for.
struct Among<'o> {
    set: &'o Operand<'o>,
    other: &'o Operand<'o>,
    /// Whether the element type is undecided.
    open: bool,
    /// Whether looking at pairs would be out of proportion.
    too_many: bool,
}

impl<'o> Among<'o> {
    fn new(ty: &SetType, set: &'o Operand<'o>, other: &'o Operand<'o>) -> Among<'o> {
        let pairs = |a: &Operand<'_>, b: &Operand<'_>| a.size.saturating_mul(b.undecided().len() as u64);
        let work = pairs(set, other).saturating_add(pairs(other, set));
        Among { set, other, open: ty.element().has_dynamic(), too_many: work > WORK }
    }

    /// Whether a wholly known value is certainly a member.
    fn has(&self, member: &Value) -> bool {
        contains(self.set.decided(), member)
    }

    /// Whether a member of the other set may be a member of this one.
    fn may_have(&self, member: &Value) -> bool {
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
    fn common_undecided(&self, member: &Value) -> Option<Value> {
        if self.set.is_unknown() || self.too_many {
            return (self.set.is_unknown() || !self.set.undecided().is_empty()).then(|| member.clone());
        }
        let same = self.set.undecided().iter().filter(|one| self.may_be(member, one));
        let mut met = same.map(|one| common(member, one));
        let first = met.next()?;
        Some(if met.all(|other| order::content(&first, &other).is_eq()) { first } else { member.clone() })
    }

    /// How many members of the other set may be in this one, at most. `None` for any number.
    fn left_of(&self, other: &Operand<'_>) -> Option<u64> {
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

fn contains(sorted: &[Value], value: &Value) -> bool {
    sorted.binary_search_by(|member| order::content(member, value)).is_ok()
}

/// The values in both sorted slices, those only in the first, and those only in the second.
fn parted(a: &[Value], b: &[Value]) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    let (mut both, mut only_a, mut only_b) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = b.iter().peekable();
    for value in a {
        while let Some(before) = rest.next_if(|other| order::content(other, value) == Ordering::Less) {
            only_b.push(before.clone());
        }
        let same = rest.next_if(|other| order::content(other, value) == Ordering::Equal);
        if same.is_some() { both.push(value.clone()) } else { only_a.push(value.clone()) }
    }
    only_b.extend(rest.cloned());
    (both, only_a, only_b)
}

fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    items.count() as u64
}

/// The sum of two bounds; no bound when one is missing.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    Some(a?.saturating_add(b?))
}

/// The lower of two bounds.
fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (bound, None) | (None, bound) => bound,
    }
}
