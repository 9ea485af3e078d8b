//! The laws of the type that covers what parts may agree on.

use std::collections::HashMap;

use super::*;
use crate::capsule::Capsule;
use crate::constraint::TypeConstraint;
use crate::convert::available::Mode;
use crate::convert::convert;
use crate::error::{Error, Result};
use crate::value::Value;

/// Of every kind, decided and not, with what is lost when it is left and what is not.
const TYPES: [&str; 30] = [
    "bool",
    "number",
    "string",
    "list(bool)",
    "list(string)",
    "list(list(bool))",
    "list(list(string))",
    "list(tuple([bool]))",
    "list(set(bool))",
    "set(bool)",
    "set(string)",
    "map(bool)",
    "map(string)",
    "map(map(string))",
    "map(object({}))",
    "map(object({a = bool}))",
    "tuple([])",
    "tuple([bool])",
    "tuple([string, bool])",
    "tuple([bool, number])",
    "object({})",
    "object({a = bool})",
    "object({a = map(string)})",
    "object({a = bool, b = list(bool)})",
    "list(dynamic)",
    "list(list(dynamic))",
    "set(dynamic)",
    "map(dynamic)",
    "tuple([dynamic])",
    "object({a = dynamic})",
];

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Mute;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Textual;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Convertible;

impl Capsule for Mute {
    const NAME: &'static str = "mute";
}

impl Capsule for Textual {
    const NAME: &'static str = "textual";

    fn conversion_to(ty: &Type) -> Option<fn(&Textual, &Type) -> Result<Value>> {
        (*ty == Type::String).then_some(|_, _| Ok(Value::from("a")))
    }
}

impl Capsule for Convertible {
    const NAME: &'static str = "convertible";

    fn conversion_to(ty: &Type) -> Option<fn(&Convertible, &Type) -> Result<Value>> {
        (!matches!(ty, Type::Capsule(_)))
            .then_some(|_, ty| known(ty).pop().ok_or_else(|| Error::custom("nothing is known")))
    }
}

fn types() -> Vec<Type> {
    let capsules = [
        Type::capsule::<Mute>(),
        Type::capsule::<Textual>(),
        Type::capsule::<Convertible>(),
        Type::list(Type::capsule::<Mute>()).unwrap(),
        Type::tuple([Type::Dynamic, Type::capsule::<Textual>(), Type::String]).unwrap(),
    ];
    let parsed = TYPES.iter().map(|text| text.parse().unwrap());
    parsed.chain(capsules).chain([Type::Dynamic]).collect()
}

/// Whether a type is the other once what is undecided is decided.
fn holds(wide: &Type, narrow: &Type) -> bool {
    match (wide, narrow) {
        (Type::Dynamic, _) => true,
        (Type::Tuple(wide), Type::Tuple(narrow)) => {
            wide.len() == narrow.len()
                && wide.iter().zip(narrow.iter()).all(|(wide, narrow)| holds(wide, narrow))
        }
        (Type::Object(wide), Type::Object(narrow)) => {
            wide.attribute_names().eq(narrow.attribute_names())
                && wide.iter().zip(narrow.iter()).all(|(wide, narrow)| holds(wide.1, narrow.1))
        }
        (Type::List(_), Type::List(_)) | (Type::Set(_), Type::Set(_)) | (Type::Map(_), Type::Map(_)) => {
            let both = wide.element_type().zip(narrow.element_type());
            both.is_some_and(|(wide, narrow)| holds(wide, narrow))
        }
        _ => wide == narrow,
    }
}

/// What a part of a type is once it is known, as its type; an untyped null has none.
fn outcomes(types: &[Type], part: usize) -> Vec<usize> {
    (0..types.len()).filter(|&i| holds(&types[part], &types[i])).collect()
}

/// Each choice of one to three types, in one order.
fn choices(count: usize) -> Vec<Vec<usize>> {
    let mut choices = Vec::new();
    for a in 0..count {
        choices.push(vec![a]);
        for b in a..count {
            choices.push(vec![a, b]);
            choices.extend((b..count).map(|c| vec![a, b, c]));
        }
    }
    choices
}

const CHILD_FACTS: [ChildFacts; 4] = [
    ChildFacts { to_map: false, has_untyped_nulls: false, empty_collections_stay: false },
    ChildFacts { to_map: false, has_untyped_nulls: true, empty_collections_stay: false },
    ChildFacts { to_map: true, has_untyped_nulls: false, empty_collections_stay: false },
    ChildFacts { to_map: true, has_untyped_nulls: true, empty_collections_stay: false },
];

fn chosen(types: &[Type], choice: &[usize]) -> Vec<Type> {
    choice.iter().map(|&i| types[i].clone()).collect()
}

fn none_of(mut wrong: Vec<String>) {
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(40)]);
}

#[test]
fn what_parts_agree_on_once_known_is_held() {
    let types = types();
    let dynamic = types.len() - 1;
    let mut wrong = Vec::new();
    for facts in CHILD_FACTS {
        let of: Vec<Vec<usize>> = (0..types.len()).map(|part| outcomes(&types, part)).collect();
        let mut agreed_on: HashMap<Vec<usize>, Option<Type>> = HashMap::new();
        for choice in choices(types.len()) {
            let covered = covering_type(&chosen(&types, &choice), facts);
            let each = choice.iter().map(|&part| &of[part]).collect::<Vec<_>>();
            let all = each.iter().fold(vec![Vec::new()], |all: Vec<Vec<usize>>, part| {
                let longer = |some: &Vec<usize>| {
                    part.iter().map(|&i| [some.as_slice(), &[i]].concat()).collect::<Vec<_>>()
                };
                all.iter().flat_map(longer).collect()
            });
            for mut outcome in all {
                if facts.has_untyped_nulls {
                    outcome.push(dynamic);
                }
                outcome.sort();
                outcome.dedup();
                let agreed = agreed_on.entry(outcome.clone()).or_insert_with(|| {
                    agreed_type(&chosen(&types, &outcome), facts.to_map, &Query::new(Mode::Unsafe))
                });
                let Some(agreed) = agreed else { continue };
                if !covered.as_ref().is_some_and(|covered| holds(covered, agreed)) {
                    let [parts, outcome] = [&choice, &outcome]
                        .map(|all| chosen(&types, all).iter().map(Type::to_string).collect::<Vec<_>>());
                    let covered = covered.as_ref().map(Type::to_string);
                    wrong.push(format!("{facts:?} {parts:?} is {covered:?}, but {outcome:?} is {agreed}"));
                }
            }
        }
    }
    none_of(wrong);
}

#[test]
fn what_is_decided_later_stays_within_what_parts_may_agree_on() {
    let types = types();
    let mut wrong = Vec::new();
    for facts in CHILD_FACTS {
        let covered = |choice: &[usize]| covering_type(&chosen(&types, choice), facts);
        for choice in choices(types.len()) {
            let wide = covered(&choice);
            for place in 0..choice.len() {
                for part in outcomes(&types, choice[place]) {
                    let mut choice = choice.clone();
                    choice[place] = part;
                    let narrow = covered(&choice);
                    let fine = match (&wide, &narrow) {
                        (_, None) => true,
                        (None, Some(_)) => false,
                        (Some(wide), Some(narrow)) => holds(wide, narrow),
                    };
                    if !fine {
                        let parts: Vec<String> =
                            chosen(&types, &choice).iter().map(Type::to_string).collect();
                        let [wide, narrow] = [&wide, &narrow].map(|ty| ty.as_ref().map(Type::to_string));
                        wrong.push(format!(
                            "{facts:?} {parts:?} is {narrow:?}, but {wide:?} with {place} wider"
                        ));
                    }
                }
            }
        }
    }
    none_of(wrong);
}

/// Known values of a type: null, empty, and with one part each.
fn known(ty: &Type) -> Vec<Value> {
    let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
    let parts = ty.element_type().map(known).unwrap_or_default();
    let lists = std::iter::once(Vec::new()).chain(parts.into_iter().map(|part| vec![part]));
    let more: Vec<Value> = match ty {
        Type::Bool => vec![Value::from(true)],
        Type::Number => vec![Value::from(1)],
        Type::String => vec![Value::from("true"), Value::from("a")],
        Type::List(_) => lists.map(|parts| Value::list_of(element.clone(), parts).unwrap()).collect(),
        Type::Set(_) => lists.map(|parts| Value::set_of(element.clone(), parts).unwrap()).collect(),
        Type::Map(_) => {
            let maps = lists.map(|parts| parts.into_iter().map(|part| ("a", part)));
            maps.map(|parts| Value::map_of(element.clone(), parts).unwrap()).collect()
        }
        Type::Tuple(tuple) => vec![Value::tuple(tuple.iter().map(|ty| known(ty).swap_remove(0))).unwrap()],
        Type::Object(object) => {
            let attributes = object.iter().map(|(name, ty)| (name, known(ty).swap_remove(0)));
            vec![Value::object(attributes).unwrap()]
        }
        Type::Capsule(capsule) if capsule.is::<Textual>() => vec![Value::capsule(Textual)],
        Type::Capsule(capsule) if capsule.is::<Convertible>() => vec![Value::capsule(Convertible)],
        Type::Capsule(_) => vec![Value::capsule(Mute)],
        Type::Dynamic => Vec::new(),
    };
    std::iter::once(Value::null(ty.clone()))
        .chain(more)
        .filter(|value| value.ty() == *ty && value.is_wholly_known())
        .collect()
}

#[test]
fn what_known_parts_become_is_held_where_they_are_unknown() {
    let types = types();
    let values: Vec<Vec<Value>> = types.iter().map(known).collect();
    let constraint = |text: &str| text.parse::<TypeConstraint>().unwrap();
    let (list, map) = (constraint("list(any)"), constraint("map(any)"));
    let as_list = |parts: &[Value]| convert(&Value::tuple(parts.iter().cloned()).unwrap(), &list);
    let as_map = |parts: &[Value]| {
        convert(&Value::object(["a", "b", "c"].into_iter().zip(parts.iter().cloned())).unwrap(), &map)
    };
    type Conversion<'a> = &'a dyn Fn(&[Value]) -> Result<Value>;
    let conversions: [Conversion<'_>; 2] = [&as_list, &as_map];
    // A type that holds this one, and is undecided in part where there is one.
    let wider: Vec<usize> = (0..types.len())
        .map(|part| {
            (0..types.len() - 1).rfind(|&i| i != part && holds(&types[i], &types[part])).unwrap_or(part)
        })
        .collect();
    let (mut wrong, mut held) = (Vec::new(), 0);
    for conversion in conversions {
        let mut unknown: HashMap<Vec<usize>, Result<(Type, String)>> = HashMap::new();
        for choice in choices(types.len()) {
            let all = choice.iter().fold(vec![Vec::new()], |all: Vec<Vec<(usize, usize)>>, &part| {
                let longer = |some: &Vec<(usize, usize)>| {
                    let each = (0..values[part].len()).map(|i| [some.as_slice(), &[(part, i)]].concat());
                    each.collect::<Vec<_>>()
                };
                all.iter().flat_map(longer).collect()
            });
            for places in all {
                let parts: Vec<Value> = places.iter().map(|&(part, i)| values[part][i].clone()).collect();
                let Ok(outcome) = conversion(&parts) else { continue };
                for open in 1..1_usize << parts.len() {
                    let is_open = |i: usize| open >> i & 1 == 1;
                    // All of undecided type, or all of the first type that holds theirs.
                    for least in [false, true] {
                        let key = places.iter().enumerate().map(|(i, &(part, value))| match is_open(i) {
                            true if least => wider[part] << 8 | 0xff,
                            true => usize::MAX,
                            false => part << 8 | value,
                        });
                        let covered = unknown.entry(key.collect()).or_insert_with(|| {
                            let parts =
                                places.iter().zip(&parts).enumerate().map(
                                    |(i, (place, part))| match is_open(i) {
                                        true if least => Value::unknown(types[wider[place.0]].clone()),
                                        true => Value::dynamic(),
                                        false => part.clone(),
                                    },
                                );
                            conversion(&parts.collect::<Vec<_>>())
                                .map(|value| (value.ty(), value.to_string()))
                        });
                        held += 1;
                        if !covered.as_ref().is_ok_and(|(covered, _)| holds(covered, &outcome.ty())) {
                            wrong.push(format!(
                                "{parts:?} with {open:b} {least} unknown is {covered:?}, but {}",
                                outcome.ty()
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(held > 100_000, "{held}");
    none_of(wrong);
}

/// Where nothing is undecided.
#[test]
fn what_parts_cannot_agree_on_is_known() {
    for texts in [
        ["list(bool)", "list(list(bool))", "set(bool)"],
        ["map(bool)", "map(map(string))", "object({a = bool})"],
    ] {
        let types = texts.map(|text| text.parse().unwrap());
        assert_eq!(covering_type(&types, ChildFacts::types_only(false)), None, "{texts:?}");
    }
    let list: Type = "list(bool)".parse().unwrap();
    let types = [list.clone(), list, Type::capsule::<Mute>()];
    assert_eq!(covering_type(&types, ChildFacts::types_only(false)), None);
}

#[test]
fn a_capsule_beside_a_text_leaves_the_others_texts() {
    let with_capsule = Type::tuple([Type::Dynamic, Type::capsule::<Textual>(), Type::String]).unwrap();
    let texts = Value::list(["a"]).unwrap();
    for first in ["tuple([bool, number])", "tuple([bool, number, dynamic])", "tuple([bool, string])"] {
        let first = Value::unknown(first.parse().unwrap());
        let parts = [first, Value::unknown(with_capsule.clone()), texts.clone()];
        let list = convert(&Value::tuple(parts).unwrap(), &"list(any)".parse().unwrap()).unwrap();
        assert_eq!(list.ty().to_string(), "list(list(string))", "{list:?}");
    }
}
