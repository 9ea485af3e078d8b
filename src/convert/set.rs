//! Conversion of a set that is there, member by member.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Result};
use crate::limits;
use crate::path::Step;
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{SetNode, Value, canonical, join, set_iter};

use super::collection::{Before, built, element_of, settled};
use super::default::{self, Part};
use super::parts::{Parts, opened, opened_alone};
use super::places::{Candidate, met, places};
use super::{primitive, run, unknown};

/// The members, each with what it becomes, and how many of them there are in the end.
struct Members {
    given: Vec<Value>,
    parts: Vec<Value>,
    length: (u64, u64),
}

/// Into a list, in the set's order as far as that is certain, or into a set.
pub(super) fn convert(node: &SetNode, to: &TypeConstraint) -> Result<Value> {
    let element = element_of(to)?;
    let opened = opened(set_iter(node), node.ty.element(), &element);
    let mut parts = Vec::with_capacity(node.member_count());
    let mut convert = Parts::to(&element);
    for (i, member) in set_iter(node).enumerate() {
        let member = opened.as_ref().and_then(|opened| opened.get(i)).unwrap_or(member);
        parts.push(convert.convert(member, || Step::index(i))?);
    }
    let before = Before { element: Some(node.ty.element()), known: node.undecided.is_empty(), open: false };
    if node.length == (1, 1)
        && let Some(one) = met(&node.undecided).filter(|_| node.known.is_empty())
    {
        return built(to, before, vec![run(&one, &element)?], &element);
    }
    if node.undecided.is_empty() {
        return built(to, before, parts, &element);
    }
    let given = set_iter(node).cloned().collect();
    let members = settled_members(Members { given, parts, length: node.length }, node, &element)?;
    match to.as_type() {
        Type::Set(_) => {
            let (fewest, most) = members.length;
            let apart = unknown::keeps_apart(node.ty.element(), &element);
            let fewest = if apart { fewest } else { fewest.min(1) };
            let one = if members.length == (1, 1) { met(&members.parts) } else { None };
            let set = built(to, before, one.map_or(members.parts, |one| vec![one]), &element)?;
            set.assume(&Refinement::length(LengthRange::new(fewest, Some(most))?))
        }
        _ => list(members, (to, &element), before),
    }
}

/// What the conversion says of the members. One of which nothing but null, or nothing but one text, converts is that;
/// where all members are different and one is null, the others are not.
fn settled_members(mut members: Members, node: &SetNode, element: &TypeConstraint) -> Result<Members> {
    let ty = node.ty.element();
    let mut settled = Vec::new();
    for (place, (given, part)) in members.given.iter().zip(&members.parts).enumerate() {
        settled.extend(only(given, part, element, ty).map(|only| (place, only)));
    }
    if let Some((first, _)) = settled.first() {
        let first = members.given.get(*first).cloned().unwrap_or_else(Value::dynamic);
        for (place, only) in settled {
            members.given.get_mut(place).into_iter().for_each(|given| *given = only.clone());
        }
        let (fewest, most) = members.length;
        let length = Refinement::length(LengthRange::new(fewest, Some(most))?);
        let Ok(now) = Value::set_of(ty.clone(), members.given.iter().cloned())?.assume(&length) else {
            // They cannot all be that, and nothing else converts.
            return Err(different(&first, element));
        };
        if let Some(length) = now.range().length_range() {
            members.length = (length.lower(), length.upper().unwrap_or(most));
        }
    }
    let all_apart = members.length.0 == members.given.len() as u64;
    if all_apart && members.given.iter().any(is_always_null) {
        for (given, part) in members.given.iter_mut().zip(&mut members.parts) {
            if !is_always_null(given) {
                without_null(given, part, element);
            }
        }
    }
    Ok(members)
}

/// The one value of a member that converts, where there is but one and it is not what is given.
fn only(given: &Value, part: &Value, element: &TypeConstraint, ty: &Type) -> Option<Value> {
    if given.is_wholly_known() {
        return None;
    }
    if may_be_null(given) {
        return (is_always_null(part) && !is_always_null(given)).then(|| Value::null(ty.clone()));
    }
    match (ty, element.as_type()) {
        (Type::String, Type::Bool) => primitive::only_word(given.range().prefix()?).map(Value::from),
        _ => None,
    }
}

/// Takes null out of what a member may be, and out of what it becomes.
fn without_null(given: &mut Value, part: &mut Value, element: &TypeConstraint) {
    if let Part::Some(Ok(converted)) = default::not_null(given, element) {
        *part = converted;
    }
    let other = default::without_null(given);
    // Members that became known by the conversion are not sorted yet.
    if given.is_wholly_known() || !other.is_wholly_known() {
        *given = other;
    }
}

/// Of members that must differ, and do not where they convert.
#[cold]
fn different(first: &Value, element: &TypeConstraint) -> Error {
    match run(&default::without_null(first), element) {
        Err(error) => error,
        Ok(_) => primitive::not_a_bool(None),
    }
}

/// A list as long as the set may be, with what may stand at each place where the length is certain.
fn list(
    members: Members,
    (to, element): (&TypeConstraint, &TypeConstraint),
    before: Before<'_>,
) -> Result<Value> {
    let Members { given, parts, length: (fewest, most) } = members;
    let count = usize::try_from(fewest).ok().filter(|count| fewest == most && *count <= limits::COLLAPSE);
    let found = count.and_then(|count| places(&given, count));
    if let Some(found) = found {
        let mut items = Vec::with_capacity(found.len());
        for candidates in found {
            items.extend(at_place(&candidates, (&given, &parts), element));
        }
        if count == Some(items.len()) {
            return built(to, before, items, element);
        }
    }
    let not_null = count.and_then(|_| not_null(&given, &parts, element));
    let (ty, parts) = settled(to, before, parts, element)?;
    anywhere(ty, &parts, not_null, (fewest, most))
}

/// What may stand at each place but the last, where the one member stands that may be null.
fn not_null(given: &[Value], parts: &[Value], element: &TypeConstraint) -> Option<Value> {
    let members: Vec<Candidate> = (0..given.len()).map(Candidate::Member).collect();
    at_place(&members, (given, parts), element)
}

/// The list of so many members of which each may stand anywhere.
fn anywhere(ty: Type, parts: &[Value], not_null: Option<Value>, (fewest, most): (u64, u64)) -> Result<Value> {
    let any = join(&parts.iter().collect::<Vec<&Value>>()).unwrap_or_else(Value::dynamic);
    match usize::try_from(fewest) {
        Ok(count) if fewest == most && count <= limits::COLLAPSE && any.has_type(&ty) => {
            let not_null = not_null.filter(|value| value.has_type(&ty)).unwrap_or_else(|| any.clone());
            let mut items = vec![not_null; count];
            items.last_mut().into_iter().for_each(|last| *last = any.clone());
            Value::list_of(ty, items)
        }
        _ => {
            let length = LengthRange::new(fewest, Some(most))?;
            Ok(canonical(Type::list(ty)?, Refinement::length(length).and_not_null()))
        }
    }
}

/// The least value that holds what may stand at a place; none where nothing that may stand there converts.
fn at_place(
    candidates: &[Candidate],
    (given, parts): (&[Value], &[Value]),
    element: &TypeConstraint,
) -> Option<Value> {
    let mut converted = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        converted.extend(match candidate {
            Candidate::Null(value) | Candidate::Narrowed(value) => {
                run(&opened_alone(value, element), element).ok()
            }
            Candidate::Member(place) => {
                let pair = given.get(*place).zip(parts.get(*place));
                pair.and_then(|(given, part)| match default::not_null(given, element) {
                    // What is there is not converted a second time.
                    Part::Whole => Some(part.clone()),
                    Part::Some(converted) => converted.ok(),
                    Part::None => None,
                })
            }
        });
    }
    let all: Vec<&Value> = converted.iter().collect();
    join(&all)
}

/// The list of so many members that an unknown set becomes; none where there are too many to list.
pub(super) fn list_of_unknowns(from: &Type, count: u64, to: &TypeConstraint) -> Option<Result<Value>> {
    let members = usize::try_from(count).ok().filter(|count| (1..=limits::COLLAPSE).contains(count))?;
    let element = element_of(to).ok()?;
    let given = vec![Value::unknown(from.clone()); members];
    let part = run(&Value::unknown(from.clone()), &element);
    let members = part.map(|part| Members { parts: vec![part; members], given, length: (count, count) });
    Some(members.and_then(|members| {
        list(members, (to, &element), Before { element: Some(from), known: false, open: false })
    }))
}
