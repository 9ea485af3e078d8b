//! MessagePack over the universes: what is written and read again may become all that it was.

use plantime::testing::gamma::Abs;
use plantime::{Bound, Range, Refinement, Type, Value, View, msgpack};

use super::marks::{mark, marked_inside};
use super::universe::world;

/// Whether no set has two undecided members of which one loses something on the wire.
fn has_members_in_order(value: &Value) -> bool {
    let mut in_order = true;
    value.walk(|_, part| {
        if let View::Set(set) = part.view() {
            let members = set.not_wholly_known();
            let is_structure =
                |member: &Value| matches!(member.range().refinement().range(), Range::Structure(_));
            in_order &= members.len() < 2 || !members.iter().any(is_structure);
        }
        true
    });
    in_order
}

/// Whether something is known that the wire has no place for: the end of a range that leaves out an infinity alone, which
/// integers and multiples have, null of a type that is not decided, the length that an assumption has given a set.
fn says_more(value: &Value) -> bool {
    let mut more = false;
    value.walk(|_, part| {
        more |= match part.view() {
            View::Unknown(range) => {
                let open = range.number_range().is_some_and(|range| {
                    let infinite = |end: &plantime::Bound| {
                        !end.is_inclusive() && end.number().is_some_and(plantime::Number::is_infinite)
                    };
                    infinite(range.lower()) || infinite(range.upper())
                });
                // The wire has bounds, prefixes and lengths only.
                let shape = matches!(
                    range.refinement().range(),
                    Range::Multiples(_)
                        | Range::Numbers(_)
                        | Range::Language(_)
                        | Range::Elements(_)
                        | Range::Structure(_)
                );
                open || shape || range.nullness() == plantime::Nullness::Null
            }
            View::Set(set) => !set.not_wholly_known().is_empty(),
            _ => false,
        };
        true
    });
    more
}

#[test]
fn what_is_written_and_read_again_may_become_all_that_it_was() {
    let world = world();
    let (mut count, mut less) = (0, 0);
    for entry in &world.abstracts {
        let value = &entry.value;
        for ty in [value.ty(), Type::Dynamic] {
            let bytes = match msgpack::to_vec(value, &ty) {
                Ok(bytes) => bytes,
                // Capsules have no form on the wire, and their types no JSON.
                Err(error) => {
                    let capsule = ["capsule types", "type not allowed"];
                    assert!(capsule.iter().any(|words| error.message().starts_with(words)), "{error}");
                    continue;
                }
            };
            let read = msgpack::from_slice(&bytes, &ty).unwrap();
            let gamma = world.gamma(&Abs::of(&read));
            assert!(entry.gamma.within(&gamma), "{value:?} is read as {read:?}");
            assert_eq!(read.ty(), value.ty());
            let again = msgpack::to_vec(&read, &ty).unwrap();
            // Members that lost what the wire does not hold are in another order.
            if has_members_in_order(value) {
                assert_eq!(again, bytes, "{value:?} is read as {read:?}");
            }
            assert_eq!(msgpack::from_slice(&again, &ty).unwrap(), read, "{value:?}");
            if let View::Unknown(range) = value.view()
                && let Range::Multiples(multiples) = range.refinement().range()
            {
                // The bounds of multiples are multiples, or infinities, which the wire leaves out.
                let finite = |bound: &Bound| bound.number().filter(|number| number.is_finite()).cloned();
                let (lower, upper) = (finite(multiples.range().lower()), finite(multiples.range().upper()));
                let lower = lower.map_or(Refinement::any(), Refinement::number_at_least);
                let bounds =
                    lower.meet(&upper.map_or(Refinement::any(), Refinement::number_at_most)).unwrap();
                let bounds = if range.is_not_null() { bounds.and_not_null() } else { bounds };
                assert_eq!(read, Value::refined(Type::Number, bounds).unwrap(), "{value:?}");
            }
            if read != *value {
                assert!(says_more(value), "{value:?} is read as {read:?}");
                less += 1;
            }
            count += 1;
        }
    }
    println!("msgpack: {count} values, of which {less} lose something");
    assert!(count > 1_000 && less * 4 < count);
}

#[test]
fn a_type_that_leaves_parts_open_loses_no_outcome_but_the_type_of_what_is_empty_or_null() {
    let world = world();
    let open = |ty: &Type| -> Option<Type> {
        match ty {
            Type::List(_) => Type::list(Type::Dynamic).ok(),
            Type::Set(_) => Type::set(Type::Dynamic).ok(),
            Type::Map(_) => Type::map(Type::Dynamic).ok(),
            Type::Tuple(tuple) => Type::tuple(tuple.iter().map(|_| Type::Dynamic)).ok(),
            Type::Object(object) => {
                Type::object(object.attribute_names().map(|name| (name, Type::Dynamic))).ok()
            }
            _ => None,
        }
    };
    let mut count = 0;
    for entry in &world.abstracts {
        let value = &entry.value;
        let Some(ty) = open(&value.ty()) else { continue };
        let empty = match value.view() {
            View::List(list) => list.is_empty(),
            View::Set(set) => set.member_count() == 0,
            View::Map(map) => map.is_empty(),
            _ => value.is_null(),
        };
        let Ok(bytes) = msgpack::to_vec(value, &ty) else { continue };
        let read = msgpack::from_slice(&bytes, &ty).unwrap();
        if !empty {
            let gamma = world.gamma(&Abs::of(&read));
            assert!(entry.gamma.within(&gamma), "{value:?} as {ty} is read as {read:?}");
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn marked_values_are_not_written() {
    for entry in &world().abstracts {
        for marked in [vec![entry.value.clone().mark(mark())], marked_inside(&entry.value)].concat() {
            let error = msgpack::to_vec(&marked, &marked.ty()).unwrap_err();
            assert!(error.is_marked(), "{error}");
        }
    }
}
