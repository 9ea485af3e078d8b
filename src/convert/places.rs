//! The possible elements at each index of the list to which a set of known length converts.

use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{Value, View, is_certainly_before};

use super::default::without_null;

/// The maximum number of members that are ordered; in larger sets each member may be at every index.
const MAX_ORDERED: usize = 8;

/// A possible element at an index of the list.
#[derive(Clone, PartialEq)]
pub(super) enum Candidate {
    Null(Value),
    /// A number, string or bool, narrowed by its index.
    Narrowed(Value),
    /// The member at this position, but not null.
    Member(usize),
}

/// The candidates for each of `count` places: the members in their order, nulls last. `None` above [`MAX_ORDERED`]
/// members.
pub(super) fn candidates_by_index(members: &[Value], count: usize) -> Option<Vec<Vec<Candidate>>> {
    if members.len() > MAX_ORDERED {
        return None;
    }
    if count == 1 {
        return Some(vec![single_place(members)]);
    }
    let all_distinct = members.len() == count;
    let others: Vec<NotNullMember> =
        members.iter().enumerate().map(|(i, member)| NotNullMember::new(i, member, all_distinct)).collect();
    let before: Vec<u32> =
        others.iter().map(|b| bits(&others, |a| a.place != b.place && is_before(a, b))).collect();
    let mut places = vec![Vec::new(); count];
    // Either no member is null, or one of the nullable members is; if members may be equal, several may be.
    let nulls = (0..members.len()).filter(|i| members.get(*i).is_some_and(may_be_null)).map(Some);
    for null in std::iter::once(None).chain(nulls) {
        let never = |other: &NotNullMember| other.always_null && Some(other.place) != null;
        if others.iter().any(never) && (null.is_none() || all_distinct) {
            continue;
        }
        let room = if null.is_some() { count.saturating_sub(1) } else { count };
        if room == 0 && !members.iter().all(may_be_null) {
            continue;
        }
        let left: Vec<&NotNullMember> =
            others.iter().filter(|other| !other.always_null && Some(other.place) != null).collect();
        let Some(arranged) = candidates_by_place(&left, &before, room, all_distinct) else { continue };
        let null =
            null.and_then(|null| members.get(null)).map(|null| Candidate::Null(Value::null(null.ty())));
        let at = arranged.into_iter().chain(null.map(|null| vec![null]));
        for (place, more) in places.iter_mut().zip(at) {
            for candidate in more {
                if !place.contains(&candidate) {
                    place.push(candidate);
                }
            }
        }
    }
    Some(places)
}

/// The mask of the members for which `holds` is true.
fn bits(members: &[NotNullMember], holds: impl Fn(&NotNullMember) -> bool) -> u32 {
    members.iter().filter(|member| holds(member)).fold(0, |bits, member| bits | member.bit())
}

/// The candidates for the only place of a list of one: the known member, else the intersection of all members.
fn single_place(members: &[Value]) -> Vec<Candidate> {
    if let Some(known) = members.iter().position(Value::is_wholly_known) {
        let null =
            members.get(known).filter(|known| known.is_null()).map(|null| Candidate::Null(null.clone()));
        return vec![null.unwrap_or(Candidate::Member(known))];
    }
    if let Some(one) = intersection(members) {
        return vec![Candidate::Narrowed(one)];
    }
    let null =
        members.first().filter(|_| members.iter().all(may_be_null)).map(|first| Value::null(first.ty()));
    (0..members.len()).map(Candidate::Member).chain(null.map(Candidate::Null)).collect()
}

/// The meet of members that are all equal; `None` if some have children, or if they cannot be equal.
pub(super) fn intersection(members: &[Value]) -> Option<Value> {
    let (first, rest) = members.split_first()?;
    let unknown = |member: &Value| matches!(member, Value::Unknown(_) | Value::Refined(_));
    if !members.iter().all(unknown) {
        return None;
    }
    rest.iter().try_fold(first.clone(), |one, member| one.assume(member.range().refinement()).ok())
}

/// A member under the assumption that it is not null.
struct NotNullMember {
    place: usize,
    value: Value,
    always_null: bool,
    /// Whether the member is certainly an element of the list that differs from all others.
    certainly_distinct: bool,
}

impl NotNullMember {
    /// The member at a position of the set; `all_distinct` says that all members certainly differ.
    fn new(place: usize, member: &Value, all_distinct: bool) -> NotNullMember {
        let known = member.is_wholly_known();
        let (value, always_null) = (without_null(member), is_always_null(member));
        NotNullMember { place, value, always_null, certainly_distinct: all_distinct || known }
    }

    /// The mask of this member.
    fn bit(&self) -> u32 {
        u32::try_from(self.place).ok().and_then(|place| 1_u32.checked_shl(place)).unwrap_or(0)
    }
}

/// The candidates for each of `count` indexes. `before` has for each member the mask of the members certainly before
/// it. `None` if the members cannot fill so many indexes.
fn candidates_by_place(
    members: &[&NotNullMember],
    before: &[u32],
    count: usize,
    all_distinct: bool,
) -> Option<Vec<Vec<Candidate>>> {
    let given = members.iter().map(|member| range_of(&member.value)).collect::<Option<Vec<_>>>();
    let bools = members.iter().all(|member| member.value.ty() == Type::Bool);
    let ranges = match given {
        // Only two bools exist, so two members fill the list whatever their number.
        Some(_) if bools && count > 1 => {
            Some(distinct_ranges(&vec![range_of(&Value::unknown(Type::Bool))?; count], bools)?)
        }
        Some(given) if all_distinct => Some(distinct_ranges(&given, bools)?),
        // Whichever members they are, the elements are different numbers.
        Some(_) if count > 1 => {
            Some(distinct_ranges(&vec![range_of(&Value::unknown(Type::Number))?; count], false)?)
        }
        _ => None,
    };
    let certainly_distinct =
        members.iter().filter(|member| member.certainly_distinct).fold(0, |bits, member| bits | member.bit());
    let mut places = Vec::with_capacity(count);
    for place in 0..count {
        let left = count.saturating_sub(place).saturating_sub(1);
        let mut candidates = Vec::new();
        for member in members {
            let fewest_before =
                before.get(member.place).map_or(0, |before| before & certainly_distinct).count_ones();
            let is_after = |other: &&&NotNullMember| {
                other.certainly_distinct
                    && before.get(other.place).is_some_and(|before| before & member.bit() != 0)
            };
            let fewest_after = members.iter().filter(is_after).count();
            if fewest_before as usize <= place && fewest_after <= left {
                candidates
                    .extend(narrowed_candidate(member, ranges.as_ref().and_then(|ranges| ranges.get(place))));
            }
        }
        if candidates.is_empty() {
            return None;
        }
        places.push(candidates);
    }
    Some(places)
}

/// The member as a candidate for an index whose elements are in the range; `None` if it cannot be in the range.
fn narrowed_candidate(member: &NotNullMember, range: Option<&NumberRange>) -> Option<Candidate> {
    let primitive = matches!(member.value.ty(), Type::Bool | Type::Number | Type::String);
    let Some(range) = range.zip(range_of(&member.value)) else {
        let value = member.value.clone();
        return Some(if primitive { Candidate::Narrowed(value) } else { Candidate::Member(member.place) });
    };
    let met = range.0.meet(&range.1)?;
    let value = match (member.value.view(), met.singleton()) {
        (View::Unknown(unknown), Some(number)) if *unknown.ty() == Type::Bool => {
            Value::from(*number != Number::ZERO)
        }
        (View::Unknown(unknown), _) if *unknown.ty() == Type::Number => {
            member.value.assume_number_range(met).ok()?
        }
        _ => member.value.clone(),
    };
    Some(Candidate::Narrowed(value))
}

/// Whether one of two different members certainly comes before the other.
fn is_before(a: &NotNullMember, b: &NotNullMember) -> bool {
    if let Some((a, b)) = range_of(&a.value).zip(range_of(&b.value)) {
        return match (a.upper().number(), b.lower().number()) {
            (Some(most), Some(least)) => most <= least,
            _ => false,
        };
    }
    if let Some(((a, a_whole), (b, b_whole))) = known_text(&a.value).zip(known_text(&b.value)) {
        return match (a_whole, b_whole) {
            (true, true) => a < b,
            (true, false) => a <= b,
            (false, _) => a < b && !b.starts_with(&a),
        };
    }
    is_certainly_before(&a.value.ty(), &a.value, &b.value)
}

/// The first element of a tuple, or the first attribute of an object, known or not; `None` for other values.
fn first_child(value: &Value) -> Option<Value> {
    match value.view() {
        View::Tuple(tuple) => tuple.iter().next().cloned(),
        View::Object(object) => object.iter().next().map(|(_, part)| part.clone()),
        View::Unknown(range) if matches!(range.ty(), Type::Tuple(_) | Type::Object(_)) => {
            range.unknown_parts().into_iter().next()
        }
        _ => None,
    }
}

/// Narrows the elements of the list to which a set of distinct tuples or objects converts, by their first element or attribute, which
/// decides the order. Null comes after all else, so if it is certainly not null in n members, it is not null in the first n elements of
/// the list.
pub(super) fn narrow_by_first_children(items: &mut [Value], members: &[Value]) {
    if items.len() != members.len() || items.len() > MAX_ORDERED {
        return;
    }
    let Some(parts) = members.iter().map(first_child).collect::<Option<Vec<_>>>() else { return };
    let is_certain = |(member, part): &(&Value, &Value)| {
        !may_be_null(member) && !may_be_null(part) && !matches!(part.ty(), Type::Capsule(_))
    };
    let certain = members.iter().zip(&parts).filter(is_certain).count();
    for item in items.iter_mut().take(certain) {
        let whole = match item.ty() {
            Type::Tuple(_) => Refinement::tuple_element(0, Refinement::not_null()),
            Type::Object(ty) => match ty.attribute_names().next() {
                Some(name) => Refinement::attribute(name, Refinement::not_null()),
                None => continue,
            },
            _ => continue,
        };
        if let Ok(narrowed) = whole.and_then(|whole| item.assume(&whole.and_not_null())) {
            *item = narrowed;
        }
    }
}

/// The known prefix of a string, and whether it is the whole string.
fn known_text(member: &Value) -> Option<(String, bool)> {
    match member.view() {
        View::String(text) => Some((text.to_owned(), true)),
        View::Unknown(range) if *range.ty() == Type::String => {
            Some((range.prefix().unwrap_or_default().to_owned(), false))
        }
        _ => None,
    }
}

/// The interval of a number, or of a bool as 0 or 1.
fn range_of(member: &Value) -> Option<NumberRange> {
    let of_bools =
        || NumberRange::new(Bound::Inclusive(Number::ZERO), Bound::Inclusive(Number::from(1))).ok();
    match member.view() {
        View::Bool(truth) => Some(NumberRange::exactly(i64::from(truth))),
        View::Number(number) => Some(NumberRange::exactly(number.clone())),
        View::Unknown(range) if *range.ty() == Type::Bool => of_bools(),
        View::Unknown(range) if *range.ty() == Type::Number => {
            let all = || NumberRange::new(Bound::Unbounded, Bound::Unbounded).ok();
            range.number_range().cloned().or_else(all)
        }
        _ => None,
    }
}

/// Narrows the numbers of a sorted list without duplicates: only the first may be negative infinity, and only the last positive
/// infinity. Null is sorted last, so if the last element may be null, the one before it may be positive infinity too.
pub(super) fn exclude_infinities(items: &mut [Value]) {
    let numbers = match items.last() {
        Some(last) if may_be_null(last) => items.len().saturating_sub(1),
        _ => items.len(),
    };
    for (place, item) in items.iter_mut().enumerate() {
        let end = |is_excluded: bool, infinity: Number| {
            if is_excluded { Bound::Exclusive(infinity) } else { Bound::Unbounded }
        };
        let lower = end(place > 0, Number::NEG_INFINITY);
        let upper = end(place.saturating_add(1) < numbers, Number::INFINITY);
        let range = NumberRange::new(lower, upper).map(Refinement::number);
        if let Ok(narrowed) = range.and_then(|range| item.assume(&range)) {
            *item = narrowed;
        }
    }
}

/// The range of the number or bool at each index, if all are different and sorted; `None` if they cannot be.
fn distinct_ranges(ranges: &[NumberRange], bools: bool) -> Option<Vec<NumberRange>> {
    let (mut lower, mut upper) = sorted_bounds(ranges);
    separate_bounds(lower.iter_mut(), bools, 1);
    separate_bounds(upper.iter_mut().rev(), bools, -1);
    lower.into_iter().zip(upper).map(|(lower, upper)| NumberRange::new(lower, upper).ok()).collect()
}

/// The lower and the upper bounds of ranges, each in ascending order: those of the least number, of the next one and so on.
fn sorted_bounds(ranges: &[NumberRange]) -> (Vec<Bound>, Vec<Bound>) {
    let mut lower: Vec<Bound> = ranges.iter().map(|range| range.lower().clone()).collect();
    let mut upper: Vec<Bound> = ranges.iter().map(|range| range.upper().clone()).collect();
    // Of bounds at one number the exclusive one is further inside; a missing bound is outermost.
    lower.sort_by(|a, b| (a.number(), !a.is_inclusive()).cmp(&(b.number(), !b.is_inclusive())));
    upper.sort_by(|a, b| {
        let end = |bound: &Bound| (bound.number().is_none(), bound.number().cloned(), bound.is_inclusive());
        end(a).cmp(&end(b))
    });
    (lower, upper)
}

/// Moves each bound beyond the one before it, since no two elements are equal. `step` is 1 for ascending lower
/// bounds, -1 for descending upper bounds; with `bools` a bound moves to the next integer.
fn separate_bounds<'a>(ends: impl Iterator<Item = &'a mut Bound>, bools: bool, step: i64) {
    let infinity = if step > 0 { Number::NEG_INFINITY } else { Number::INFINITY };
    let at = |end: &Bound| end.number().cloned().unwrap_or_else(|| infinity.clone());
    let mut last: Option<Number> = None;
    for end in ends {
        if let (Some(last), number) = (&last, at(end))
            && if step > 0 { number <= *last } else { number >= *last }
        {
            *end = match last.add(&Number::from(step)) {
                Ok(next) if bools => Bound::Inclusive(next),
                _ => Bound::Exclusive(last.clone()),
            };
        }
        last = Some(at(end));
    }
}
