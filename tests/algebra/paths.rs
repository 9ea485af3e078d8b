//! Reading a place: what stands there may become everything that can stand there in the end.

use plantime::{Path, Value};

use super::concrete::{self, Con, Num};
use super::gamma::Abs;
use super::laws::{Violations, kinds};
use super::universe::world;

fn at(con: &Con, step: &str) -> Option<Con> {
    match (con, step.parse::<i64>()) {
        (con, Ok(place)) => concrete::index(con, &Con::Num(Num::whole(place))),
        (Con::Map(_, entries) | Con::Object(entries), _) => entries.get(step).cloned(),
        _ => None,
    }
}

#[test]
fn a_place_holds_everything_that_can_stand_there() {
    let world = world();
    let mut wrong = Violations::default();
    for universe in [&world.m, &world.nested] {
        for step in ["0", "1", "a", "b"] {
            for &i in &universe.abstracts {
                let (value, abs): (&Value, &Abs) = (&world.abstracts[i].value, &world.abstracts[i].abs);
                let path = match (step.parse::<i64>(), abs.ty()) {
                    (Ok(place), _) => Path::new().index(place),
                    (_, concrete::Ty::Object(_)) => Path::new().attr(step),
                    _ => Path::new().index(step),
                };
                let found = value.get(&path).map(|part| Abs::of(&part));
                for con in world.abstracts[i].gamma.and(&universe.mask).iter().map(|i| &world.concretes[i]) {
                    let Some(part) = at(con, step) else { continue };
                    if *abs != Abs::Dynamic && !found.as_ref().is_ok_and(|found| found.may_become(&part)) {
                        wrong.add(kinds("get", &[abs]), || {
                            format!("{abs:?} at {path}: {found:?}, not {part:?}")
                        });
                    }
                }
            }
        }
    }
    wrong.none("get");
}

/// What a step of this key leads to: an element, or the member of a set that is the key.
fn element(con: &Con, key: &Con) -> Option<Con> {
    match (con, key) {
        (Con::Map(_, entries), Con::Str(key)) => entries.get(key).cloned(),
        (Con::Map(..), _) => None,
        (Con::Set(_, members), key) => members.get(key).cloned(),
        _ => concrete::index(con, key),
    }
}

/// An unknown key is every key that it may become, and a step fails exactly where no key of all can be there.
#[test]
fn a_step_of_an_unknown_key_holds_everything_that_it_can_lead_to() {
    let world = world();
    let mut wrong = Violations::default();
    for universe in [&world.m, &world.nested] {
        let collections = universe.abstracts.iter().map(|i| &world.abstracts[*i]);
        for entry in collections {
            for key in world.s.abstracts.iter().map(|i| &world.abstracts[*i]) {
                let found = entry.value.get(&Path::new().index(key.value.clone()));
                let part = found.as_ref().ok().map(Abs::of);
                let call = || format!("{:?} at {:?}: {:?}", entry.abs, key.abs, part);
                let none = |answer: plantime::Result<Value>| {
                    answer.is_err() || answer.is_ok_and(|is| is == false.into())
                };
                let is_nowhere =
                    none(entry.value.has_index(&key.value)) && none(entry.value.has_element(&key.value));
                if is_nowhere != found.is_err() {
                    wrong.add(kinds("errs where nothing is, and only there", &[&entry.abs, &key.abs]), call);
                }
                if matches!(part, None | Some(Abs::Dynamic)) {
                    continue;
                }
                for con in entry.gamma.and(&universe.mask).iter().map(|i| &world.concretes[i]) {
                    for key in key.gamma.and(&world.s.mask).iter().map(|i| &world.concretes[i]) {
                        let Some(there) = element(con, key) else { continue };
                        if !part.as_ref().is_some_and(|part| part.may_become(&there)) {
                            wrong.add(kinds("L1", &[&entry.abs]), || format!("{}, not {there:?}", call()));
                        }
                    }
                }
            }
        }
    }
    wrong.none("get with keys");
}
