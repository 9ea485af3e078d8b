//! Conversion of known sets, member by member.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Result};
use crate::limits;
use crate::path::Step;
use crate::refinement::{LengthRange, Range, Refinement};
use crate::types::Type;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{SetNode, Value, canonical, elements_of_all, join, set_iter};

use super::collection::{SourceChildren, build, with_one_type};
use super::default::{self, NotNull, convert_not_null};
use super::element::{ElementConverter, independent_child, independent_children};
use super::places::{
    Candidate, candidates_by_index, exclude_infinities, intersection, narrow_by_first_children,
};
use super::target::Target;
use super::{primitive, unknown};

/// The members of a set before (`given`) and after their conversion (`parts`), in the same order, and the minimum and
/// maximum length of the final set.
struct ConvertedMembers {
    given: Vec<Value>,
    parts: Vec<Value>,
    length: (u64, u64),
}

/// Converts a set to a list, in the set's order as far as that is certain, or to a set.
pub(super) fn convert(node: &SetNode, to: &TypeConstraint, element: &mut Target) -> Result<Value> {
    let opened = independent_children(set_iter(node), node.ty.element(), element.constraint());
    let mut parts = Vec::with_capacity(node.member_count());
    let mut converter = ElementConverter::new(element, false);
    for (i, member) in set_iter(node).enumerate() {
        let member = opened.as_ref().and_then(|opened| opened.get(i)).unwrap_or(member);
        parts.push(converter.convert(member).map_err(|error| error.under(Step::index(i)))?);
    }
    let before = SourceChildren {
        element: Some(node.ty.element()),
        known: node.not_wholly_known.is_empty(),
        open: false,
    };
    if node.length == (1, 1)
        && let Some(one) = intersection(&node.not_wholly_known).filter(|_| node.known.is_empty())
    {
        let one = element.convert(&one)?;
        return build(to, before, vec![one], element.constraint());
    }
    if node.not_wholly_known.is_empty() {
        return build(to, before, parts, element.constraint());
    }
    let given = set_iter(node).cloned().collect();
    let members = narrowed_members(ConvertedMembers { given, parts, length: node.length }, node, element)?;
    match to.as_type() {
        Type::Set(_) => {
            let (fewest, most) = members.length;
            let apart = unknown::keeps_distinct(node.ty.element(), element.constraint());
            let fewest = if apart { fewest } else { fewest.min(1) };
            let one = if members.length == (1, 1) { intersection(&members.parts) } else { None };
            let parts = one.map_or(members.parts, |one| vec![one]);
            let set = build(to, before, parts, element.constraint())?;
            set.assume(&Refinement::length(LengthRange::new(fewest, Some(most))?))
        }
        _ => ordered_list(members, to, element, before),
    }
}

/// Narrows members of a set to the values whose conversion succeeds, as the conversion fails otherwise: a member that
/// converts only if it is null, or one certain string, is that value. If all members are different and one is null, the
/// others are not null.
fn narrowed_members(
    mut members: ConvertedMembers,
    node: &SetNode,
    element: &mut Target,
) -> Result<ConvertedMembers> {
    let ty = node.ty.element();
    let mut settled = Vec::new();
    for (place, (given, part)) in members.given.iter().zip(&members.parts).enumerate() {
        settled.extend(
            only_convertible_value(given, part, element.constraint().as_type(), ty).map(|only| (place, only)),
        );
    }
    if let Some((first, _)) = settled.first() {
        let first = members.given.get(*first).cloned().unwrap_or_else(Value::dynamic);
        for (place, only) in settled {
            members.given.get_mut(place).into_iter().for_each(|given| *given = only.clone());
        }
        let (fewest, most) = members.length;
        let length = Refinement::length(LengthRange::new(fewest, Some(most))?);
        let Ok(now) = Value::set_of(ty.clone(), members.given.iter().cloned())?.assume(&length) else {
            // Several different members would all have to be this one value.
            return Err(no_conversion(&first, element));
        };
        if let Some(length) = now.range().length_range() {
            members.length = (length.lower(), length.upper().unwrap_or(most));
        }
    }
    let all_apart = members.length.0 == members.given.len() as u64;
    if all_apart && members.given.iter().any(is_always_null) {
        for (given, part) in members.given.iter_mut().zip(&mut members.parts) {
            if !is_always_null(given) {
                remove_null(given, part, element);
            }
        }
    }
    Ok(members)
}

/// The only value of a not wholly known member that converts, if there is exactly one.
fn only_convertible_value(given: &Value, part: &Value, element: &Type, ty: &Type) -> Option<Value> {
    if given.is_wholly_known() {
        return None;
    }
    if may_be_null(given) {
        return (is_always_null(part) && !is_always_null(given)).then(|| Value::null(ty.clone()));
    }
    match (ty, element) {
        (Type::String, Type::Bool) => primitive::only_word(given.range().prefix()?).map(Value::from),
        _ => None,
    }
}

/// Removes null from the outcomes of a member, and from those of its conversion.
fn remove_null(given: &mut Value, part: &mut Value, element: &mut Target) {
    if let NotNull::Converted(Ok(converted)) = convert_not_null(given, element) {
        *part = converted;
    }
    let other = default::without_null(given);
    // Members that became known by the conversion are not sorted yet.
    if given.is_wholly_known() || !other.is_wholly_known() {
        *given = other;
    }
}

/// The error of members that are different, but would have to be equal to convert.
#[cold]
fn no_conversion(first: &Value, element: &mut Target) -> Error {
    match element.convert(&default::without_null(first)) {
        Err(error) => error,
        Ok(_) => primitive::not_a_bool(None),
    }
}

/// The list in the set's order: with the possible elements at each index if the length is known, else in any order.
fn ordered_list(
    members: ConvertedMembers,
    to: &TypeConstraint,
    element: &mut Target,
    before: SourceChildren<'_>,
) -> Result<Value> {
    let ConvertedMembers { given, parts, length: (fewest, most) } = members;
    let count = usize::try_from(fewest).ok().filter(|count| fewest == most && *count <= limits::COLLAPSE);
    let found = count.and_then(|count| candidates_by_index(&given, count));
    if let Some(found) = found {
        let mut items = Vec::with_capacity(found.len());
        for candidates in found {
            items.extend(element_at(&candidates, (&given, &parts), element));
        }
        if before.element.is_some_and(|own| *own == *element.constraint().as_type()) {
            narrow_by_first_children(&mut items, &given);
        }
        if count == Some(items.len()) {
            return build(to, before, items, element.constraint());
        }
    }
    let not_null = count.and_then(|_| not_null_member(&given, &parts, element));
    let are_numbers = given.iter().all(|member| member.ty() == Type::Number);
    let (ty, parts) = with_one_type(to, before, parts, element.constraint())?;
    list_in_any_order(ty, &parts, not_null, are_numbers, (fewest, most))
}

/// The narrowest value that contains every possible element at any index but the last one, where null is.
fn not_null_member(given: &[Value], parts: &[Value], element: &mut Target) -> Option<Value> {
    let members: Vec<Candidate> = (0..given.len()).map(Candidate::Member).collect();
    element_at(&members, (given, parts), element)
}

/// The list to which a set with these members converts while their order is unknown: each element may be every member.
fn list_in_any_order(
    ty: Type,
    parts: &[Value],
    not_null: Option<Value>,
    are_numbers: bool,
    (fewest, most): (u64, u64),
) -> Result<Value> {
    let any = join(&parts.iter().collect::<Vec<&Value>>()).unwrap_or_else(Value::dynamic);
    match usize::try_from(fewest) {
        Ok(count) if fewest == most && count <= limits::COLLAPSE && any.has_type(&ty) => {
            let not_null = not_null.filter(|value| value.has_type(&ty)).unwrap_or_else(|| any.clone());
            let mut items = vec![not_null; count];
            items.last_mut().into_iter().for_each(|last| *last = any.clone());
            if are_numbers && ty == Type::Number {
                exclude_infinities(&mut items);
            }
            Value::list_of(ty, items)
        }
        _ => {
            let length = LengthRange::new(fewest, Some(most))?;
            let elements =
                Value::list_of(ty.clone(), [any]).map_or(Refinement::any(), |list| elements_of_all([&list]));
            let range = Range::of_elements(length, elements, Range::Any);
            Ok(canonical(Type::list(ty)?, Refinement::of(range.unwrap_or_default()).and_not_null()))
        }
    }
}

/// The narrowest value that contains every candidate for an index; `None` if no candidate converts.
fn element_at(
    candidates: &[Candidate],
    (given, parts): (&[Value], &[Value]),
    element: &mut Target,
) -> Option<Value> {
    let mut converted = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        converted.extend(match candidate {
            Candidate::Null(value) | Candidate::Narrowed(value) => {
                element.convert(&independent_child(value, element.constraint())).ok()
            }
            Candidate::Member(place) => {
                let pair = given.get(*place).zip(parts.get(*place));
                pair.and_then(|(given, part)| match convert_not_null(given, element) {
                    // It is converted already.
                    NotNull::Whole => Some(part.clone()),
                    NotNull::Converted(converted) => converted.ok(),
                    NotNull::Nothing => None,
                })
            }
        });
    }
    let all: Vec<&Value> = converted.iter().collect();
    join(&all)
}

/// The list of `count` elements that an unknown set of that length becomes, whose members are each this unknown; `None`
/// above the limit of collapsing.
pub(super) fn list_of_unknowns(member: &Value, count: u64, to: &TypeConstraint) -> Option<Result<Value>> {
    let members = usize::try_from(count).ok().filter(|count| (1..=limits::COLLAPSE).contains(count))?;
    let mut element = Target::new(to.element_or_any().into_owned());
    let given = vec![member.clone(); members];
    let part = element.convert(member);
    let members =
        part.map(|part| ConvertedMembers { parts: vec![part; members], given, length: (count, count) });
    Some(members.and_then(|members| {
        ordered_list(
            members,
            to,
            &mut element,
            SourceChildren { element: Some(&member.ty()), known: false, open: false },
        )
    }))
}
