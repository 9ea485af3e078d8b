//! Sets of a *finite* element type, which has one or two values beside null (bool, `object({})`, `tuple([])`): all
//! sets that such a set may become, as a mask.

use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::{SetType, Type};

use super::algebra::SetOperation;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::repr::{Container, SetNode};
use crate::value::{Value, View, build, canonical, narrowed, set, view};

/// The number of values other than null that a type has, if the type is finite.
pub(in crate::value) fn finite_value_count(ty: &Type) -> Option<usize> {
    match ty {
        Type::Bool => Some(2),
        Type::Object(ty) if ty.is_empty() => Some(1),
        Type::Tuple(ty) if ty.is_empty() => Some(1),
        _ => None,
    }
}

/// The sets that a set of a finite element type may become, as a mask with one bit for each combination of members;
/// `None` for other element types. A combination is a mask of members itself: for bool bit 0 is false, bit 1 true,
/// bit 2 null; for a type of one value bit 0 is that value and bit 1 null.
pub(in crate::value) fn combinations(
    ty: &SetType,
    known: &[Value],
    not_wholly_known: &[Value],
    length: (u64, u64),
) -> Option<u8> {
    let values = finite_value_count(ty.element())?;
    let null: u32 = 1_u32.checked_shl(u32::try_from(values).ok()?)?;
    let decided = known.iter().fold(0, |all, member| {
        all | match view::below_marks(member) {
            View::Null(_) => null,
            View::Bool(true) => 2,
            _ => 1,
        }
    });
    let nullable = not_wholly_known.iter().filter(|member| may_be_null(member)).count();
    let not_null = not_wholly_known.len().saturating_sub(nullable);
    let possible = |all: &u32| {
        let more = all & !decided;
        let (more_null, more_values) = (more & null != 0, (more & !null).count_ones() as usize);
        let count = u64::from(all.count_ones());
        all & decided == decided
            && (length.0..=length.1).contains(&count)
            && (!more_null || nullable > 0)
            && more_values.saturating_add(usize::from(more_null)) <= not_wholly_known.len()
            && (nullable == 0 || *all != 0)
            && (not_null == 0 || all & !null != 0)
    };
    let all = 0..null.saturating_mul(2);
    all.filter(possible).try_fold(0_u8, |mask, all| Some(mask | 1_u8.checked_shl(all)?))
}

/// Whether some set that this one may become contains the value, and whether some does not; `None` unless the element
/// type is finite. `None` for `set` stands for an unknown set of this length.
pub(in crate::value) fn member_outcomes(
    ty: &SetType,
    set: Option<&SetNode>,
    length: LengthRange,
    member: &Refinement,
    value: &Value,
) -> Option<(bool, bool)> {
    let values = finite_value_count(ty.element())?;
    let null = 1_u32.checked_shl(u32::try_from(values).ok()?)?;
    let not_null = null.wrapping_sub(1);
    let mask = match set {
        Some(set) => combinations(ty, &set.known, &set.not_wholly_known, set.length)?,
        None => combinations_of_length(ty, length.lower(), length.upper(), member)?,
    };
    // The mask of the members that the value may become.
    let own = value.ty();
    let typed = own == *ty.element();
    let members = match view::below_marks(value) {
        View::Null(_) if typed => null,
        View::Bool(true) if typed => 2,
        View::Unknown(_) | View::Dynamic if typed || own == Type::Dynamic => {
            let null = if may_be_null(value) { null } else { 0 };
            null | if is_always_null(value) { 0 } else { not_null }
        }
        _ if typed => 1,
        _ => 0,
    };
    let sets = || combinations_in(mask);
    Some((sets().any(|all| all & members != 0), !typed || sets().any(|all| members & !all != 0)))
}

/// The members of a combination, which is a mask as in [`combinations`].
pub(in crate::value) fn members_of(ty: &SetType, combination: u32) -> Vec<Value> {
    let values = match ty.element() {
        Type::Bool => vec![Value::from(false), Value::from(true)],
        Type::Object(ty) => vec![build::object_node(ty.clone(), Box::new([]))],
        Type::Tuple(ty) => vec![build::tuple_node(ty.clone(), Box::new([]))],
        _ => Vec::new(),
    };
    let all = values.into_iter().chain([Value::null(ty.element().clone())]);
    all.zip(0_u32..)
        .filter(|(_, i)| combination.checked_shr(*i).is_some_and(|bit| bit & 1 == 1))
        .map(|(v, _)| v)
        .collect()
}

/// All sets of a finite element type with `fewest` to `most` members, each of which satisfies the refinement, as a mask
/// like that of [`combinations`].
pub(in crate::value) fn combinations_of_length(
    ty: &SetType,
    fewest: u64,
    most: Option<u64>,
    member: &Refinement,
) -> Option<u8> {
    let values = u32::try_from(finite_value_count(ty.element())?).ok()?;
    let null = 1_u32.checked_shl(values)?;
    let excluded = match member.nullness() {
        Nullness::Nullable => 0,
        Nullness::NotNull => null,
        Nullness::Null => null.wrapping_sub(1),
    };
    let all = 0..null.saturating_mul(2);
    let fits = |all: &u32| {
        let count = u64::from(all.count_ones());
        count >= fewest && most.is_none_or(|most| count <= most) && all & excluded == 0
    };
    all.filter(fits).try_fold(0_u8, |mask, all| Some(mask | 1_u8.checked_shl(all)?))
}

/// Iterates over the sets that a mask of [`combinations`] contains: the positions of its bits.
fn combinations_in(mask: u8) -> impl Iterator<Item = u32> + Clone {
    (0..8_u32).filter(move |all| mask.checked_shr(*all).is_some_and(|bits| bits & 1 == 1))
}

/// The result of an operation on two sets, given as masks of [`combinations`]: applies it to every pair of sets that
/// the operands may become, and returns the narrowest value that contains all results.
pub(in crate::value) fn operate(operation: SetOperation, ty: &SetType, a: u8, b: u8) -> Option<Value> {
    let mut mask = 0_u8;
    for x in combinations_in(a) {
        for y in combinations_in(b) {
            let combined = match operation {
                SetOperation::Union => x | y,
                SetOperation::Intersection => x & y,
                SetOperation::Difference => x & !y,
                SetOperation::SymmetricDifference => x ^ y,
            };
            mask |= 1_u8.checked_shl(combined)?;
        }
    }
    narrowest_value(ty, mask)
}

/// The join of two sets of this type: the narrowest value that contains both. `None` if the element type is not finite
/// or a value may be null.
pub(crate) fn join(a: &Value, b: &Value, ty: &SetType) -> Option<Value> {
    finite_value_count(ty.element())?;
    let wanted = Type::Set(ty.clone());
    if !a.has_type(&wanted) || !b.has_type(&wanted) {
        return None;
    }
    let joined = narrowest_value(ty, combinations_of_value(a, ty)? | combinations_of_value(b, ty)?)?;
    Some(joined)
}

/// The sets that a value may become, as a mask; `None` if the value may be null.
fn combinations_of_value(value: &Value, ty: &SetType) -> Option<u8> {
    if let Some(Container::Set(node)) = value.container() {
        return combinations(ty, &node.known, &node.not_wholly_known, node.length);
    }
    let refinement = value.refinement().filter(|all| all.nullness() == Nullness::NotNull)?;
    let length = refinement.length_range().unwrap_or_default();
    combinations_of_length(ty, length.lower(), length.upper(), refinement.element())
}

/// All sets that a value without marks may become; `None` if it may be null or its element type is not finite.
pub fn possible_sets(value: &Value) -> Option<Vec<Value>> {
    let Type::Set(ty) = value.ty() else { return None };
    finite_value_count(ty.element())?;
    let combinations = combinations_in(combinations_of_value(value, &ty)?);
    Some(combinations.map(|all| set::build(ty.clone(), members_of(&ty, all))).collect())
}

/// The narrowest value that contains all sets of a mask. Tries each partial set of up to three undecided members.
fn narrowest_value(ty: &SetType, mask: u8) -> Option<Value> {
    let lengths = || combinations_in(mask).map(|all| u64::from(all.count_ones()));
    let (fewest, most) = (lengths().min()?, lengths().max()?);
    if let (1, Some(only)) = (mask.count_ones(), combinations_in(mask).next()) {
        return Some(set::build(ty.clone(), members_of(ty, only)));
    }
    let length = LengthRange::new(fewest, Some(most)).ok()?;
    let member = member_refinement(ty, mask).unwrap_or_default();
    let mut best = (
        combinations_of_length(ty, fewest, Some(most), &member)?.count_ones(),
        unknown_set(ty, length, member),
    );
    if fewest == 0 && most > 0 {
        // A partial set is not empty.
        return Some(best.1);
    }
    let common = combinations_in(mask).fold(u32::MAX, |common, all| common & all);
    let members = members_of(ty, common);
    let nullable = Value::unknown(ty.element().clone());
    let not_null = canonical(ty.element().clone(), Refinement::not_null());
    for count in 0..=3_usize {
        for nulls in 0..=count {
            let not_wholly_known = std::iter::repeat_n(nullable.clone(), nulls)
                .chain(std::iter::repeat_n(not_null.clone(), count.saturating_sub(nulls)));
            let all: Vec<Value> = members.iter().cloned().chain(not_wholly_known).collect();
            let Ok(value) = narrowed(&set::build(ty.clone(), all), &Refinement::length(length)) else {
                continue;
            };
            let Some(crate::value::Container::Set(node)) = value.container() else { continue };
            let Some(becomes) = combinations(ty, &node.known, &node.not_wholly_known, node.length) else {
                continue;
            };
            if becomes & mask == mask && becomes.count_ones() < best.0 {
                best = (becomes.count_ones(), value);
            }
        }
    }
    Some(best.1)
}

/// The unknown set of these lengths, which is not null, and each member of which satisfies the refinement.
pub(super) fn unknown_set(ty: &SetType, length: LengthRange, member: Refinement) -> Value {
    let range = Range::of_elements(length, member, Range::Any).unwrap_or_default();
    canonical(Type::Set(ty.clone()), Refinement::of(range).and_not_null())
}

/// Whether the members of the sets of a mask can be null, as a refinement; `None` if none has a member.
pub(in crate::value) fn member_refinement(ty: &SetType, mask: u8) -> Option<Refinement> {
    let null = 1_u32.checked_shl(u32::try_from(finite_value_count(ty.element())?).ok()?)?;
    let some = |members: u32| combinations_in(mask).any(|all| all & members != 0);
    Some(match (some(null), some(!null)) {
        (true, true) => Refinement::any(),
        // Of no members nothing is known.
        (false, false) => return None,
        (true, false) => Refinement::null(),
        (false, true) => Refinement::not_null(),
    })
}
