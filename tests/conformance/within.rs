//! Containment: whether everything that one value may become is something that another may become.
//!
//! Written from the meaning of the levels of known-ness, apart from the library's operations, joins and meets.
//! Where it is not sure the answer is no.

use plantime::{Bound, LengthRange, Nullness, NumberRange, Range, Refinement, SetView, Type, Value, View};

/// Whether γ(inner) ⊆ γ(outer). Marks do not matter.
pub(crate) fn within(outer: &Value, inner: &Value) -> bool {
    holds(&outer.unmark_deep().0, &inner.unmark_deep().0, false)
}

/// Whether `narrow` is `wide` with some of its undecided parts decided.
pub(crate) fn covers(wide: &Type, narrow: &Type) -> bool {
    match (wide, narrow) {
        (Type::Dynamic, _) => true,
        (Type::List(wide), Type::List(narrow)) => covers(wide.element(), narrow.element()),
        (Type::Set(wide), Type::Set(narrow)) => covers(wide.element(), narrow.element()),
        (Type::Map(wide), Type::Map(narrow)) => covers(wide.element(), narrow.element()),
        (Type::Tuple(wide), Type::Tuple(narrow)) => {
            wide.len() == narrow.len() && wide.iter().zip(narrow.iter()).all(|(a, b)| covers(a, b))
        }
        (Type::Object(wide), Type::Object(narrow)) => {
            wide.len() == narrow.len()
                && wide.iter().zip(narrow.iter()).all(|((a, x), (b, y))| a == b && covers(x, y))
        }
        _ => wide == narrow,
    }
}

/// `open`: the parts are elements of a collection whose element type is undecided, so that a null or an empty
/// collection among them is one of any type that their own type covers.
fn holds(outer: &Value, inner: &Value, open: bool) -> bool {
    if outer == inner {
        return true;
    }
    let typed = |wide: &Type, narrow: &Type| wide == narrow || open && covers(wide, narrow);
    match (outer.view(), inner.view()) {
        (View::Dynamic, _) => true,
        (View::Unknown(range), _) => covers(range.ty(), &inner.ty()) && agrees(range.refinement(), inner),
        (View::Null(ty), _) => always_null(inner) && typed(&ty, &inner.ty()),
        (View::Bool(a), View::Bool(b)) => a == b,
        (View::Number(a), View::Number(b)) => a == b,
        (View::String(a), View::String(b)) => a == b,
        (View::List(a), View::List(b)) => {
            let open = open || a.element_type().has_dynamic();
            let types = if a.is_empty() {
                typed(a.element_type(), b.element_type())
            } else {
                covers(a.element_type(), b.element_type())
            };
            types && a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| holds(a, b, open))
        }
        (View::Map(a), View::Map(b)) => {
            let open = open || a.element_type().has_dynamic();
            let types = if a.is_empty() {
                typed(a.element_type(), b.element_type())
            } else {
                covers(a.element_type(), b.element_type())
            };
            types
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((x, a), (y, b))| x == y && holds(a, b, open))
        }
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| holds(a, b, open))
        }
        (View::Object(a), View::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|((x, a), (y, b))| x == y && holds(a, b, open))
        }
        (View::Set(a), View::Set(b)) => {
            let types = if a.member_count() == 0 {
                typed(a.element_type(), b.element_type())
            } else {
                covers(a.element_type(), b.element_type())
            };
            types && members_hold(&a, &b, open || a.element_type().has_dynamic())
        }
        // Above the limit an exact length stays a refinement and means the list of so many unknowns.
        (View::List(a), View::Unknown(range)) => {
            let unknown = |element: &Value| matches!(element, Value::Dynamic(_) | Value::Unknown(_));
            range.is_not_null()
                && range.length_range().and_then(|length| length.exact()) == Some(a.len() as u64)
                && matches!(range.ty(), Type::List(ty) if covers(a.element_type(), ty.element()))
                && a.iter().all(unknown)
        }
        _ => false,
    }
}

/// Known members stand in the inner set; each further inner member is held by an undecided outer one of its own;
/// each outer one left over holds some inner member, with which it falls together.
fn members_hold(outer: &SetView<'_>, inner: &SetView<'_>, open: bool) -> bool {
    let inner_members: Vec<&Value> = inner.iter().collect();
    let (inside, outside) = (inner.length(), outer.length());
    let length = outside.lower() <= inside.lower()
        && outside.upper().is_none_or(|most| inside.upper().is_some_and(|max| max <= most));
    let mut taken = vec![false; inner_members.len()];
    let known = outer.known().iter().all(|member| {
        let place = inner_members.iter().position(|other| holds(member, other, open));
        if let Some(taken) = place.and_then(|place| taken.get_mut(place)) {
            *taken = true;
        }
        place.is_some()
    });
    let rest: Vec<&Value> =
        inner_members.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(member, _)| *member).collect();
    let mut owner = vec![None; outer.not_wholly_known().len()];
    length
        && known
        && (0..rest.len()).all(|i| {
            give(
                i,
                &rest,
                outer.not_wholly_known(),
                &mut owner,
                &mut vec![false; outer.not_wholly_known().len()],
                open,
            )
        })
        && outer.not_wholly_known().iter().zip(&owner).all(|(member, owner)| {
            owner.is_some() || inner_members.iter().any(|other| holds(member, other, open))
        })
}

/// Gives inner member `i` an undecided outer member of its own, moving others if need be.
fn give(
    i: usize,
    rest: &[&Value],
    undecided: &[Value],
    owner: &mut [Option<usize>],
    seen: &mut [bool],
    open: bool,
) -> bool {
    for j in 0..undecided.len() {
        if seen[j] || !holds(&undecided[j], rest[i], open) {
            continue;
        }
        seen[j] = true;
        if owner[j].is_none_or(|other| give(other, rest, undecided, owner, seen, open)) {
            owner[j] = Some(i);
            return true;
        }
    }
    false
}

fn always_null(value: &Value) -> bool {
    match value.view() {
        View::Null(_) => true,
        View::Unknown(range) => range.nullness() == Nullness::Null,
        _ => false,
    }
}

fn maybe_null(value: &Value) -> bool {
    match value.view() {
        View::Null(_) | View::Dynamic => true,
        View::Unknown(range) => range.nullness() != Nullness::NotNull,
        _ => false,
    }
}

/// Whether all that the value may become agrees with the refinement.
fn agrees(refinement: &Refinement, value: &Value) -> bool {
    if maybe_null(value) && refinement.nullness() == Nullness::NotNull {
        return false;
    }
    if always_null(value) {
        return true;
    }
    if refinement.nullness() == Nullness::Null {
        return false;
    }
    match refinement.range() {
        Range::Any => true,
        Range::Prefix(prefix) => match value.view() {
            View::String(text) => text.starts_with(prefix.as_str()),
            View::Unknown(range) => range.prefix().is_some_and(|own| own.starts_with(prefix.as_str())),
            _ => false,
        },
        Range::Number(wanted) => match value.view() {
            View::Number(number) => {
                let end = Bound::Inclusive(number.clone());
                above(wanted.lower(), &end) && below(wanted.upper(), &end)
            }
            View::Unknown(range) => range.number_range().is_some_and(|own| interval_in(wanted, own)),
            _ => false,
        },
        Range::Multiples(wanted) => match value.view() {
            View::Number(number) => wanted.contains(number),
            View::Unknown(range) => refinement.contains(&range.refinement().clone().and_not_null()),
            _ => false,
        },
        Range::Numbers(wanted) => match value.view() {
            View::Number(number) => wanted.contains(number),
            View::Unknown(range) => refinement.contains(&range.refinement().clone().and_not_null()),
            _ => false,
        },
        Range::Length(wanted) => match value.view() {
            View::List(list) => length_in(*wanted, LengthRange::exactly(list.len() as u64)),
            View::Map(map) => length_in(*wanted, LengthRange::exactly(map.len() as u64)),
            View::Set(set) => length_in(*wanted, set.length()),
            View::Unknown(range) => range.length_range().is_some_and(|own| length_in(*wanted, own)),
            _ => false,
        },
        Range::Elements(wanted) => {
            let all = |mut elements: Box<dyn Iterator<Item = &Value> + '_>| {
                elements.all(|element| agrees(wanted.element(), element))
            };
            let length = |own: LengthRange| length_in(wanted.length(), own);
            match value.view() {
                View::List(list) => {
                    length(LengthRange::exactly(list.len() as u64)) && all(Box::new(list.iter()))
                }
                View::Map(map) => {
                    let is_key = |key: &str| match wanted.keys() {
                        Range::Any => true,
                        Range::Prefix(prefix) => key.starts_with(prefix.as_str()),
                        Range::Language(language) => language.contains(key),
                        _ => false,
                    };
                    length(LengthRange::exactly(map.len() as u64))
                        && map.iter().all(|(key, _)| is_key(key))
                        && all(Box::new(map.iter().map(|(_, element)| element)))
                }
                View::Set(set) => length(set.length()) && all(Box::new(set.iter())),
                View::Unknown(range) => refinement.contains(&range.refinement().clone().and_not_null()),
                _ => false,
            }
        }
        Range::Structure(wanted) => match value.view() {
            View::Object(object) => wanted
                .attributes()
                .all(|(name, known)| object.get(name).is_some_and(|part| agrees(known, part))),
            View::Tuple(tuple) => wanted
                .elements()
                .all(|(index, known)| tuple.get(index).is_some_and(|part| agrees(known, part))),
            View::Unknown(range) => refinement.contains(&range.refinement().clone().and_not_null()),
            _ => false,
        },
        Range::Language(wanted) => match value.view() {
            View::String(text) => wanted.contains(text),
            View::Unknown(range) => refinement.contains(&range.refinement().clone().and_not_null()),
            _ => false,
        },
        other => panic!("the recordings have no {other:?}"),
    }
}

fn length_in(wanted: LengthRange, own: LengthRange) -> bool {
    wanted.lower() <= own.lower()
        && wanted.upper().is_none_or(|most| own.upper().is_some_and(|max| max <= most))
}

fn interval_in(wanted: &NumberRange, own: &NumberRange) -> bool {
    above(wanted.lower(), own.lower()) && below(wanted.upper(), own.upper())
}

/// Whether nothing from the inner lower end on is below the outer one.
fn above(outer: &Bound, inner: &Bound) -> bool {
    match (outer, inner) {
        (Bound::Unbounded, _) => true,
        (_, Bound::Unbounded) => false,
        (Bound::Inclusive(a), Bound::Inclusive(b) | Bound::Exclusive(b)) => a <= b,
        (Bound::Exclusive(a), Bound::Inclusive(b)) => a < b,
        (Bound::Exclusive(a), Bound::Exclusive(b)) => a <= b,
    }
}

/// Whether nothing up to the inner upper end is above the outer one.
fn below(outer: &Bound, inner: &Bound) -> bool {
    match (outer, inner) {
        (Bound::Unbounded, _) => true,
        (_, Bound::Unbounded) => false,
        (Bound::Inclusive(a), Bound::Inclusive(b) | Bound::Exclusive(b)) => a >= b,
        (Bound::Exclusive(a), Bound::Inclusive(b)) => a > b,
        (Bound::Exclusive(a), Bound::Exclusive(b)) => a >= b,
    }
}
