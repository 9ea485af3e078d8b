//! The abstract values, each with the concrete values it may become.

use std::collections::{BTreeMap, BTreeSet};

use plantime::{Bound, LengthRange, NumberRange, Refinement, Value};

use crate::concrete::{C, INF, NEG_INF, Ty, list, map, number, set};

/// An abstract value and what it may become.
#[derive(Clone, Debug)]
pub(crate) struct Abstract {
    pub(crate) value: Value,
    pub(crate) gamma: BTreeSet<C>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Null {
    Maybe,
    Never,
    Always,
}

pub(crate) const NULLS: [Null; 3] = [Null::Maybe, Null::Never, Null::Always];

/// All strings over `a` and `b` of up to five letters: room for a prefix of two and an end of three.
pub(crate) fn strings() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..5 {
        last = last.iter().flat_map(|text| ["a", "b"].map(|letter| format!("{text}{letter}"))).collect();
        all.extend(last.clone());
    }
    all
}

/// Quarters from -2 to 4, and the infinities: beyond each bound an even and an odd number.
pub(crate) fn numbers() -> Vec<i64> {
    // Among the large ones a multiple of every operand, beyond all ports.
    (-8..=16).chain([288_000, NEG_INF, INF]).collect()
}

/// Every concrete value of a type, within the bounds of the universe.
pub(crate) fn concretes(ty: &Ty) -> Vec<C> {
    let mut all = vec![C::Null(ty.clone())];
    all.extend(not_null(ty));
    all
}

fn not_null(ty: &Ty) -> Vec<C> {
    match ty {
        Ty::Any => KINDS_OF_ANY().iter().flat_map(not_null).collect(),
        Ty::Bool => vec![C::Bool(false), C::Bool(true)],
        Ty::Num => numbers().into_iter().map(C::Num).collect(),
        Ty::Str => strings().into_iter().map(C::Str).collect(),
        Ty::List(element) => each_type(element, |element, choices| {
            (0..=4)
                .flat_map(|length| rows(&vec![choices.to_vec(); length]))
                .map(|row| C::List(element.clone(), row))
                .collect()
        }),
        Ty::Set(element) => each_type(element, |element, choices| {
            let most = choices.len().min(4);
            let sets: BTreeSet<C> = (0..=most)
                .flat_map(|length| rows(&vec![choices.to_vec(); length]))
                .map(|row| C::Set(element.clone(), row.into_iter().collect()))
                .collect();
            sets.into_iter().collect()
        }),
        Ty::Map(element) => each_type(element, |element, choices| {
            let choices: Vec<Option<C>> =
                std::iter::once(None).chain(choices.iter().cloned().map(Some)).collect();
            let rows = rows(&vec![choices; 4]);
            rows.into_iter()
                .map(|row| {
                    let entries = ["a", "b", "c", "d"].into_iter().zip(row);
                    C::Map(element.clone(), entries.filter_map(|(key, item)| Some((key, item?))).collect())
                })
                .collect()
        }),
        Ty::Tuple(types) => {
            rows(&types.iter().map(concretes).collect::<Vec<_>>()).into_iter().map(C::Tuple).collect()
        }
        Ty::Object(types) => rows(&types.values().map(concretes).collect::<Vec<_>>())
            .into_iter()
            .map(|row| C::Object(types.keys().copied().zip(row).collect()))
            .collect(),
    }
}

/// The values of an element type, or enough of them for a set of four.
fn few(element: &Ty) -> Vec<C> {
    let mut all = concretes(element);
    all.truncate(5);
    all
}

/// The types that a `dynamic` may turn out.
#[allow(non_snake_case)]
fn KINDS_OF_ANY() -> Vec<Ty> {
    vec![Ty::Bool, Ty::Num, Ty::Str, list(Ty::Bool), set(Ty::Bool), map(Ty::Bool), Ty::Tuple(vec![Ty::Bool])]
}

/// Builds the collections of an element type from some of its values. What an undecided element type may become has
/// every type of an operand among it.
fn each_type(element: &Ty, build: impl Fn(&Ty, &[C]) -> Vec<C>) -> Vec<C> {
    if *element != Ty::Any {
        return build(element, &few(element));
    }
    // A collection of elements whose type stays open is concrete only when it is empty.
    let mut all: Vec<C> = build(&Ty::Bool, &few(&Ty::Bool)).into_iter().filter_map(emptied).take(1).collect();
    for element in [Ty::Bool, Ty::Str] {
        all.extend(build(&element, &few(&element)));
    }
    let types: BTreeSet<Ty> = crate::oracle::operands().iter().map(C::ty).collect();
    for element in types.iter().filter(|ty| ![Ty::Any, Ty::Bool, Ty::Str].contains(ty)) {
        all.extend(build(element, &few(element)[..3]));
    }
    all
}

fn emptied(collection: C) -> Option<C> {
    match collection {
        C::List(_, items) if items.is_empty() => Some(C::List(Ty::Any, items)),
        C::Set(_, items) if items.is_empty() => Some(C::Set(Ty::Any, items)),
        C::Map(_, items) if items.is_empty() => Some(C::Map(Ty::Any, items)),
        _ => None,
    }
}

/// Every way to choose one of each.
pub(crate) fn rows<T: Clone>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |rows, choices| {
        rows.iter()
            .flat_map(|row| {
                choices.iter().map(move |choice| row.iter().cloned().chain([choice.clone()]).collect())
            })
            .collect()
    })
}

pub(crate) fn known(c: &C) -> Abstract {
    Abstract { value: c.to_value(), gamma: BTreeSet::from([c.clone()]) }
}

/// An unknown of a type with nullness and a range; `inside` says which concrete values are in the range.
pub(crate) fn unknown(
    ty: &Ty,
    null: Null,
    range: Refinement,
    inside: impl Fn(&C) -> bool,
) -> Option<Abstract> {
    let refinement = match null {
        Null::Maybe => range,
        Null::Never => range.and_not_null(),
        Null::Always => Refinement::null(),
    };
    let value = Value::refined(ty.to_type(), refinement).ok()?;
    // Where the type is open, it may become the null of each type that it covers.
    let nulls = not_null(ty).into_iter().map(|c| C::Null(c.ty()));
    let gamma = concretes(ty)
        .into_iter()
        .chain(nulls)
        .filter(|c| match (c.is_null(), null) {
            (true, null) => null != Null::Never,
            (false, Null::Always) => false,
            (false, _) => inside(c),
        })
        .collect();
    Some(Abstract { value, gamma })
}

pub(crate) fn unknown_of(ty: &Ty, null: Null) -> Abstract {
    unknown(ty, null, Refinement::any(), |_| true).unwrap()
}

pub(crate) fn bools() -> Vec<Abstract> {
    let mut all: Vec<Abstract> = NULLS.iter().map(|null| unknown_of(&Ty::Bool, *null)).collect();
    all.extend([false, true].map(|truth| known(&C::Bool(truth))));
    all
}

pub(crate) fn texts() -> Vec<Abstract> {
    let mut all: Vec<Abstract> = strings().into_iter().map(|text| known(&C::Str(text))).collect();
    for null in NULLS {
        for prefix in strings().into_iter().filter(|text| text.len() <= 2) {
            all.extend(unknown(&Ty::Str, null, Refinement::prefix(&prefix), |c| match c {
                C::Str(text) => text.starts_with(&prefix),
                _ => false,
            }));
        }
        for (pattern, inside) in LANGUAGES {
            let range = Refinement::pattern(pattern).unwrap();
            all.extend(unknown(&Ty::Str, null, range, |c| matches!(c, C::Str(text) if inside(text))));
        }
    }
    all
}

/// Languages of strings of `a` and `b`, each with its model.
#[allow(clippy::type_complexity)]
const LANGUAGES: &[(&str, fn(&str) -> bool)] = &[
    ("^[ab]*b$", |text| text.ends_with('b')),
    ("^[ab]*ab$", |text| text.ends_with("ab")),
    ("^a[ab]*b$", |text| text.len() > 1 && text.starts_with('a') && text.ends_with('b')),
    ("^[ab]{1,2}$", |text| (1..=2).contains(&text.len())),
    ("^(?:[ab]|[ab]{3})$", |text| [1, 3].contains(&text.len())),
    ("^(?:a|ba)$", |text| ["a", "ba"].contains(&text)),
    ("^(?:aa|ab|b)?$", |text| ["", "aa", "ab", "b"].contains(&text)),
    ("^a*$", |text| !text.contains('b')),
    ("^[ab]*ba[ab]*$", |text| text.contains("ba")),
];

/// Unknown numbers that are multiples of 1 or 2, with bounds.
pub(crate) fn multiples() -> Vec<Abstract> {
    let ends = [None, Some(0), Some(4), Some(8)];
    let mut all = Vec::new();
    for step in [1, 2] {
        for low in ends {
            for high in ends {
                let least = low.map_or(Refinement::any(), |end| Refinement::number_at_least(number(end)));
                let most = high.map_or(Refinement::any(), |end| Refinement::number_at_most(number(end)));
                let Ok(range) = least.meet(&most) else { continue };
                let range = match Refinement::multiple_of(step).meet(&range) {
                    Ok(range) if range.nullness() != plantime::Nullness::Null => range,
                    _ => continue,
                };
                let quarters = 4 * i64::try_from(step).unwrap();
                for null in NULLS {
                    all.extend(unknown(&Ty::Num, null, range.clone(), |c| match c {
                        C::Num(INF | NEG_INF) => false,
                        C::Num(n) => {
                            n.rem_euclid(quarters) == 0
                                && low.is_none_or(|low| low <= *n)
                                && high.is_none_or(|high| *n <= high)
                        }
                        _ => false,
                    }));
                }
            }
        }
    }
    all
}

/// Unknown numbers of which a list is known, in quarters.
pub(crate) fn few_numbers() -> Vec<Abstract> {
    let lists: [&[i64]; 9] =
        [&[4, 12], &[0, 2], &[-4, 4], &[0, 4, 12], &[2, 6], &[8, 288_000], &[4, 16], &[1, INF], &[-8, 0, 16]];
    let mut all = Vec::new();
    for list in lists {
        let range = Refinement::one_of_numbers(list.iter().map(|quarters| number(*quarters))).unwrap();
        for null in NULLS {
            all.extend(unknown(
                &Ty::Num,
                null,
                range.clone(),
                |c| matches!(c, C::Num(n) if list.contains(n)),
            ));
        }
    }
    all
}

pub(crate) fn intervals() -> Vec<Abstract> {
    let ends = [0, 4, 8];
    let mut all: Vec<Abstract> = numbers().into_iter().map(|quarters| known(&C::Num(quarters))).collect();
    let bounds: Vec<(Bound, Option<(i64, bool)>)> = std::iter::once((Bound::Unbounded, None))
        .chain(ends.iter().flat_map(|end| {
            [
                (Bound::Inclusive(number(*end)), Some((*end, true))),
                (Bound::Exclusive(number(*end)), Some((*end, false))),
            ]
        }))
        .collect();
    let lowers = bounds.iter().cloned().chain([(Bound::Exclusive(number(NEG_INF)), Some((NEG_INF, false)))]);
    let uppers: Vec<_> =
        bounds.iter().cloned().chain([(Bound::Exclusive(number(INF)), Some((INF, false)))]).collect();
    for (lower, low) in lowers {
        for (upper, high) in &uppers {
            let Ok(range) = NumberRange::new(lower.clone(), upper.clone()) else { continue };
            for null in NULLS {
                all.extend(unknown(&Ty::Num, null, Refinement::number(range.clone()), |c| match c {
                    C::Num(n) => {
                        low.is_none_or(|(end, closed)| *n > end || closed && *n == end)
                            && high.is_none_or(|(end, closed)| *n < end || closed && *n == end)
                    }
                    _ => false,
                }));
            }
        }
    }
    all
}

fn size(c: &C) -> u64 {
    match c {
        C::List(_, items) => items.len() as u64,
        C::Set(_, items) => items.len() as u64,
        C::Map(_, items) => items.len() as u64,
        _ => u64::MAX,
    }
}

/// Unknown collections of every length interval up to three.
fn sized(ty: &Ty, out: &mut Vec<Abstract>) {
    for null in NULLS {
        for low in 0..=3 {
            for high in (low..=3).map(Some).chain([None]) {
                let Ok(range) = LengthRange::new(low, high) else { continue };
                let inside = |c: &C| size(c) >= low && high.is_none_or(|high| size(c) <= high);
                out.extend(unknown(ty, null, Refinement::length(range), inside));
            }
        }
    }
}

fn combined(
    parts: &[&Abstract],
    build: impl Fn(Vec<Value>) -> Value,
    join: impl Fn(Vec<C>) -> C,
) -> Abstract {
    let gammas: Vec<Vec<C>> = parts.iter().map(|part| part.gamma.iter().cloned().collect()).collect();
    Abstract {
        value: build(parts.iter().map(|part| part.value.clone()).collect()),
        gamma: rows(&gammas).into_iter().map(join).collect(),
    }
}

pub(crate) fn lists() -> Vec<Abstract> {
    let ty = Ty::Bool;
    let mut all = Vec::new();
    sized(&list(Ty::Bool), &mut all);
    let elements = bools();
    for length in 0..=3 {
        for row in rows(&vec![elements.iter().collect::<Vec<_>>(); length]) {
            let build =
                |items| Value::list_of(ty.to_type(), Vec::<Value>::from_iter::<Vec<Value>>(items)).unwrap();
            all.push(combined(&row, build, |items| C::List(Ty::Bool, items)));
        }
    }
    all
}

pub(crate) fn sets() -> Vec<Abstract> {
    let mut all = Vec::new();
    sized(&set(Ty::Bool), &mut all);
    let elements = bools();
    for length in 0..=3 {
        for row in rows(&vec![elements.iter().collect::<Vec<_>>(); length]) {
            let build = |items| {
                Value::set_of(Ty::Bool.to_type(), Vec::<Value>::from_iter::<Vec<Value>>(items)).unwrap()
            };
            let whole = combined(&row, build, |items| C::Set(Ty::Bool, items.into_iter().collect()));
            // Each narrower length that an assumption may leave.
            for (low, high) in [(0, 1), (0, 2), (2, 3), (3, 3), (2, 2), (1, 1)] {
                let range = LengthRange::new(low, Some(high)).unwrap();
                if let Ok(value) = whole.value.assume(&Refinement::length(range)) {
                    let within = whole.gamma.iter().filter(|c| size(c) >= low && size(c) <= high);
                    all.push(Abstract { value, gamma: within.cloned().collect() });
                }
            }
            all.push(whole);
        }
    }
    all
}

pub(crate) fn maps() -> Vec<Abstract> {
    let mut all = Vec::new();
    sized(&map(Ty::Bool), &mut all);
    let elements = bools();
    for keys in [&[][..], &["a"], &["b"], &["a", "b"]] {
        for row in rows(&vec![elements.iter().collect::<Vec<_>>(); keys.len()]) {
            let build =
                |items: Vec<Value>| Value::map_of(Ty::Bool.to_type(), keys.iter().zip(items)).unwrap();
            let join = |items: Vec<C>| C::Map(Ty::Bool, keys.iter().copied().zip(items).collect());
            all.push(combined(&row, build, join));
        }
    }
    all
}

pub(crate) fn tuples() -> Vec<Abstract> {
    let elements = bools();
    let mut all = Vec::new();
    for length in 0..=2 {
        let ty = Ty::Tuple(vec![Ty::Bool; length]);
        all.extend(NULLS.iter().map(|null| unknown_of(&ty, *null)));
        for row in rows(&vec![elements.iter().collect::<Vec<_>>(); length]) {
            all.push(combined(&row, |items| Value::tuple(items).unwrap(), C::Tuple));
        }
    }
    all
}

pub(crate) fn objects() -> Vec<Abstract> {
    let elements = bools();
    let ty = Ty::Object(BTreeMap::from([("p", Ty::Bool), ("q", Ty::Bool)]));
    let mut all: Vec<Abstract> = NULLS.iter().map(|null| unknown_of(&ty, *null)).collect();
    for row in rows(&vec![elements.iter().collect::<Vec<_>>(); 2]) {
        let build = |items: Vec<Value>| Value::object(["p", "q"].into_iter().zip(items)).unwrap();
        let join = |items: Vec<C>| C::Object(["p", "q"].into_iter().zip(items).collect());
        all.push(combined(&row, build, join));
    }
    all
}

/// Types that are not decided, or only outside.
pub(crate) fn undecided() -> Vec<Abstract> {
    let mut all =
        vec![Abstract { value: Value::dynamic(), gamma: concretes(&Ty::Any).into_iter().collect() }];
    all.push(known(&C::Null(Ty::Any)));
    for ty in [list(Ty::Any), set(Ty::Any), map(Ty::Any)] {
        sized(&ty, &mut all);
    }
    all
}

/// Everything.
pub(crate) fn all() -> Vec<Abstract> {
    let mut all = bools();
    all.extend(texts());
    all.extend(intervals());
    all.extend(multiples());
    all.extend(few_numbers());
    all.extend(lists());
    all.extend(sets());
    all.extend(maps());
    all.extend(tuples());
    all.extend(objects());
    all.extend(undecided());
    all
}
