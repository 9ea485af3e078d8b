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
