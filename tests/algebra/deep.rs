//! Laws of everything that goes into values: walking, transforming, marks at any depth (L5), sets of paths.

use std::collections::{BTreeSet, HashSet};

use plantime::{Mark, MarkChange, Marks, Path, PathSet, Step, Type, Value, View};

use super::gamma::Abs;
use super::laws::{Violations, kinds};
use super::universe::world;

fn values() -> impl Iterator<Item = (&'static Value, &'static Abs)> {
    let world = world();
    world.abstracts.iter().map(|entry| (&entry.value, &entry.abs))
}

fn a() -> Mark {
    Mark::new("a")
}

fn b() -> Mark {
    Mark::new("b").with_note("why")
}

/// Whether the way leads into a set.
fn through_a_set(value: &Value, path: &Path) -> bool {
    let mut found = false;
    value.walk(|here, part| {
        found |= here.len() < path.len() && path.starts_with(here) && matches!(part.ty(), Type::Set(_));
        path.starts_with(here)
    });
    found
}

/// Whether it is the key of a known member of undecided type, such as an untyped null.
fn is_known_of_open_type(step: &Step) -> bool {
    matches!(step, Step::Index(key) if key.is_wholly_known() && key.ty().has_dynamic())
}

fn places(value: &Value) -> Vec<Path> {
    value.parts().map(|(path, _)| path).collect()
}

/// The value with mark a at one place and mark b at another one, for all places of small values.
fn marked(value: &Value) -> Vec<Value> {
    let places = places(value);
    let mut all = Vec::new();
    for (i, one) in places.iter().enumerate().take(6) {
        for other in places.iter().skip(i).take(6) {
            let marks = [(one.clone(), Marks::from(a())), (other.clone(), Marks::from(b()))];
            all.push(value.mark_with_paths(&marks));
        }
    }
    let everywhere: Vec<(Path, Marks)> = places.into_iter().map(|place| (place, Marks::from(a()))).collect();
    all.push(value.mark_with_paths(&everywhere));
    all
}

#[test]
fn a_walk_meets_each_part_once_and_its_path_leads_back() {
    let mut wrong = Violations::default();
    for (value, abs) in values() {
        let mut walked: Vec<(Path, Value)> = Vec::new();
        value.walk(|path, part| {
            walked.push((path.clone(), part.clone()));
            true
        });
        let parts: Vec<(Path, Value)> = value.parts().map(|(path, part)| (path, part.clone())).collect();
        if walked != parts {
            wrong.add(kinds("parts", &[abs]), || format!("{value:?}: {walked:?}, not {parts:?}"));
        }
        let mut met: HashSet<&Path> = HashSet::new();
        for (i, (path, part)) in walked.iter().enumerate() {
            let parent = path.steps().split_last().map(|(_, rest)| Path::from(rest));
            let parent = parent.map(|parent| walked[..i].iter().rev().find(|(path, _)| *path == parent));
            if !matches!(parent, None | Some(Some(_))) {
                wrong.add(kinds("order", &[abs]), || format!("{value:?} at {path}"));
            }
            // Two undecided members of a set can look the same.
            if !met.insert(path) && !through_a_set(value, path) {
                wrong.add(kinds("twice", &[abs]), || format!("{value:?} at {path}"));
            }
            match value.get(path) {
                Ok(found) if found == *part => {}
                // Read out of a collection of undecided type, a null may be of any type.
                Ok(found) if value.ty().has_dynamic() && found.ty() == part.ty() => {}
                // What the member becomes is of another type than this key, so no set that it may be has the key.
                Err(error) if error.is_not_found() && path.steps().iter().any(is_known_of_open_type) => {}
                found => wrong.add(kinds("get", &[abs]), || format!("{value:?} at {path}: {found:?}")),
            }
        }
    }
    wrong.none("walk");
}

#[test]
fn a_walk_passes_over_what_it_is_told_to() {
    let mut wrong = Violations::default();
    for (value, abs) in values() {
        let all = places(value);
        for closed in &all {
            let mut met = Vec::new();
            value.walk(|path, _| {
                met.push(path.clone());
                path != closed
            });
            let wanted: Vec<&Path> =
                all.iter().filter(|path| path.len() <= closed.len() || !path.starts_with(closed)).collect();
            if met.iter().collect::<Vec<_>>() != wanted {
                wrong.add(kinds("closed", &[abs]), || format!("{value:?} at {closed}: {met:?}"));
            }
        }
    }
    wrong.none("walk");
}

#[test]
fn a_transform_that_changes_nothing_gives_the_same() {
    let mut wrong = Violations::default();
    let mut tried = 0;
    for (value, abs) in values() {
        for value in std::iter::once(value.clone()).chain(marked(value)) {
            tried += 1;
            let (mut entered, mut left) = (Vec::new(), Vec::new());
            let same = value.transform_with(
                |path, part| {
                    entered.push((path.clone(), part.clone()));
                    Ok(part)
                },
                |path, part| {
                    left.push((path.clone(), part.clone()));
                    Ok(part)
                },
            );
            if same.as_ref().ok() != Some(&value) {
                wrong.add(kinds("same", &[abs]), || format!("{value:?}: {same:?}"));
            }
            let parts: Vec<(Path, Value)> = value.parts().map(|(path, part)| (path, part.clone())).collect();
            if entered != parts {
                wrong.add(kinds("entered", &[abs]), || format!("{value:?}: {entered:?}"));
            }
            // Children before parents, and else in the order of the walk.
            let mut wanted = Vec::new();
            fn post(parts: &[(Path, Value)], wanted: &mut Vec<(Path, Value)>) {
                let Some((first, mut rest)) = parts.split_first() else { return };
                while let Some((child, _)) = rest.split_first() {
                    let end = 1 + rest[1..].iter().take_while(|(path, _)| path.len() > child.0.len()).count();
                    post(&rest[..end], wanted);
                    rest = &rest[end..];
                }
                wanted.push(first.clone());
            }
            post(&parts, &mut wanted);
            if left != wanted {
                wrong.add(kinds("left", &[abs]), || format!("{value:?}: {left:?}"));
            }
        }
    }
    println!("transform: {tried} values");
    wrong.none("transform");
}

/// The value built anew by hand, with another part at one place. None inside sets.
fn replaced(value: &Value, steps: &[Step], new: &Value) -> Option<Value> {
    let Some((first, rest)) = steps.split_first() else { return Some(new.clone()) };
    let (bare, marks) = value.clone().unmark();
    let at = |step: Step, child: &Value| {
        if step == *first { replaced(child, rest, new) } else { Some(child.clone()) }
    };
    let items = |items: &mut dyn Iterator<Item = &Value>| -> Option<Vec<Value>> {
        items.enumerate().map(|(i, item)| at(Step::index(i), item)).collect()
    };
    let built = match bare.view() {
        View::List(list) => Value::list_of(list.element_type().clone(), items(&mut list.iter())?),
        View::Tuple(tuple) => Value::tuple(items(&mut tuple.iter())?),
        View::Map(map) => {
            let entries = map.iter().map(|(key, item)| Some((key, at(Step::index(key), item)?)));
            Value::map_of(map.element_type().clone(), entries.collect::<Option<Vec<_>>>()?)
        }
        View::Object(object) => {
            let parts = object.iter().map(|(name, part)| Some((name, at(Step::attr(name), part)?)));
            Value::object(parts.collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    };
    Some(built.unwrap().with_marks(&marks))
}

#[test]
fn a_transform_of_one_part_changes_that_part_only() {
    let mut wrong = Violations::default();
    for (value, abs) in values() {
        for place in places(value) {
            let part = value.parts().find(|(path, _)| *path == place).unwrap().1;
            for new in [Value::unknown(part.ty()), Value::null(part.ty()), part.clone().mark(a())] {
                let exit = |path: &Path, part: Value| Ok(if *path == place { new.clone() } else { part });
                let (left, entered) = (value.transform(exit), value.transform_with(exit, |_, part| Ok(part)));
                if left != entered {
                    wrong.add(kinds("enter", &[abs]), || {
                        format!("{value:?} at {place}: {left:?} {entered:?}")
                    });
                }
                match replaced(value, place.steps(), &new) {
                    Some(wanted) if left.as_ref().ok() != Some(&wanted) => {
                        wrong.add(kinds("replace", &[abs]), || {
                            format!("{value:?} at {place}: {left:?}, not {wanted:?}")
                        });
                    }
                    Some(_) => {}
                    None if left.as_ref().is_ok_and(|left| left.ty() == value.ty()) => {}
                    None => wrong.add(kinds("set", &[abs]), || format!("{value:?} at {place}: {left:?}")),
                }
            }
        }
    }
    wrong.none("transform");
}

#[test]
fn an_error_of_a_transform_has_its_place() {
    let mut wrong = Violations::default();
    for (value, abs) in values() {
        for place in places(value) {
            let fail = |path: &Path, part: Value| {
                if *path == place {
                    Value::from(true).as_number().cloned().map(Value::from)
                } else {
                    Ok(part)
                }
            };
            for error in [value.transform(fail), value.transform_with(fail, |_, part| Ok(part))] {
                if error.as_ref().err().map(plantime::Error::path) != Some(&place) {
                    wrong.add(kinds("place", &[abs]), || format!("{value:?} at {place}: {error:?}"));
                }
            }
        }
    }
    wrong.none("transform");
}

#[test]
fn taking_marks_off_and_putting_them_back_is_the_identity() {
    let mut wrong = Violations::default();
    let mut tried = 0;
    for (bare, abs) in values() {
        for value in marked(bare) {
            tried += 1;
            let (unmarked, mut places) = value.unmark_deep_with_paths();
            let (other, marks) = value.unmark_deep();
            let union = places.iter().fold(Marks::new(), |all, (_, marks)| all.union(marks));
            if unmarked != *bare || other != *bare || marks != union {
                wrong.add(kinds("unmark", &[abs]), || format!("{value:?}: {unmarked:?} {marks}"));
            }
            let here: Vec<(Path, Marks)> = value
                .parts()
                .filter(|(_, part)| part.is_marked())
                .map(|(path, part)| (path, part.marks().clone()))
                .collect();
            if here != places || value.contains_marks() == places.is_empty() {
                wrong.add(kinds("places", &[abs]), || format!("{value:?}: {places:?}, not {here:?}"));
            }
            for _ in 0..2 {
                if bare.mark_with_paths(&places) != value || value.mark_with_paths(&places) != value {
                    wrong.add(kinds("mark", &[abs]), || {
                        format!("{value:?}: {:?}", bare.mark_with_paths(&places))
                    });
                }
                places.reverse();
            }
            for mark in [a(), b()] {
                if value.has_mark_deep(&mark) != marks.contains(&mark) {
                    wrong.add(kinds("has", &[abs]), || format!("{value:?} {mark}"));
                }
            }
        }
        // One place after the other is the same as all at once, and a place that is not there is passed over.
        let all: Vec<(Path, Marks)> = places(bare).into_iter().map(|path| (path, Marks::from(b()))).collect();
        let one_by_one =
            all.iter().fold(bare.clone(), |value, place| value.mark_with_paths(std::slice::from_ref(place)));
        let nowhere =
            [(Path::new().attr("nowhere"), Marks::from(a())), (Path::new().index(99), Marks::from(a()))];
        if bare.mark_with_paths(&all) != one_by_one || bare.mark_with_paths(&nowhere) != *bare {
            wrong.add(kinds("one by one", &[abs]), || format!("{one_by_one:?}"));
        }
    }
    println!("marks at any depth: {tried} marked values");
    wrong.none("marks");
}

#[test]
fn marks_are_changed_each_at_its_place() {
    let mut wrong = Violations::default();
    let changes = [
        MarkChange::Keep,
        MarkChange::Drop,
        MarkChange::Replace(Mark::SENSITIVE),
        MarkChange::Add(Mark::SENSITIVE),
        MarkChange::Raise,
    ];
    for (bare, abs) in values() {
        for value in marked(bare) {
            let (_, places) = value.unmark_deep_with_paths();
            for to_a in &changes {
                for to_b in &changes {
                    let mut asked = Vec::new();
                    let changed = value.wrangle_marks(|path, mark| {
                        asked.push((path.clone(), mark.clone()));
                        if *mark == a() { to_a.clone() } else { to_b.clone() }
                    });
                    let each =
                        places.iter().flat_map(|(path, marks)| marks.iter().map(move |mark| (path, mark)));
                    let wanted: Vec<(Path, Mark)> =
                        each.clone().map(|(path, mark)| (path.clone(), mark.clone())).collect();
                    if asked != wanted {
                        wrong.add(kinds("asked", &[abs]), || format!("{value:?}: {asked:?}"));
                    }
                    let mut put: Vec<(Path, Marks)> = Vec::new();
                    for (path, mark) in each {
                        let mut add =
                            |path: &Path, mark: &Mark| put.push((path.clone(), mark.clone().into()));
                        match if *mark == a() { to_a } else { to_b } {
                            MarkChange::Keep => add(path, mark),
                            MarkChange::Drop => {}
                            MarkChange::Replace(other) => add(path, other),
                            MarkChange::Add(other) => {
                                add(path, mark);
                                add(path, other);
                            }
                            MarkChange::Raise => {
                                add(path, mark);
                                add(&Path::new(), mark);
                            }
                        }
                    }
                    let wanted = bare.mark_with_paths(&put);
                    if changed != wanted {
                        wrong.add(kinds("changed", &[abs]), || {
                            format!("{value:?} {to_a:?} {to_b:?}: {changed:?}, not {wanted:?}")
                        });
                    }
                }
            }
        }
    }
    wrong.none("wrangle_marks");
}

/// Paths that are prefixes of each other, and their neighbours in the order.
fn paths() -> Vec<Path> {
    let unknown = Value::unknown(Type::String);
    vec![
        Path::new(),
        Path::new().attr("a"),
        Path::new().attr("a").index(0),
        Path::new().attr("a").index(0).attr("b"),
        Path::new().attr("a").index(unknown),
        Path::new().attr("ab"),
        Path::new().index("a"),
        Path::new().index("a").index(Value::set([1]).unwrap()),
    ]
}

#[test]
fn sets_of_paths_are_sets() {
    let paths = paths();
    let more: Vec<Path> =
        paths.iter().cloned().chain(paths.iter().map(|path| path.clone().attr("x"))).collect();
    let sets: Vec<(PathSet, BTreeSet<Path>)> = (0..1_u32 << paths.len())
        .map(|bits| {
            let chosen =
                paths.iter().enumerate().filter(|(i, _)| bits & 1 << i != 0).map(|(_, path)| path.clone());
            (chosen.clone().collect(), chosen.collect())
        })
        .collect();
    let same = |set: &PathSet, model: &BTreeSet<Path>| set.iter().eq(model) && set.len() == model.len();
    for (set, model) in &sets {
        assert!(same(set, model) && set.is_empty() == model.is_empty());
        for path in &more {
            assert_eq!(set.contains(path), model.contains(path));
            assert_eq!(
                set.covers(path),
                model.iter().any(|prefix| path.starts_with(prefix)),
                "{set:?} {path}"
            );
            let below: Vec<&Path> = model.iter().filter(|other| other.starts_with(path)).collect();
            assert_eq!(set.below(path).collect::<Vec<_>>(), below, "{set:?} {path}");
            let (mut with, mut without) = (set.clone(), set.clone());
            assert_eq!(with.insert(path.clone()), !model.contains(path));
            assert_eq!(without.remove(path), model.contains(path));
            assert!(with.contains(path) && !without.contains(path));
            assert_eq!(with.len() - without.len(), 1);
            let mut stepped = set.clone();
            stepped.add_all_steps(path);
            let steps = (1..=path.len()).map(|len| Path::from(&path.steps()[..len]));
            assert!(same(&stepped, &model.iter().cloned().chain(steps).collect()));
        }
    }
    for (x, a) in &sets {
        for (y, b) in &sets {
            assert!(same(&x.union(y), &a.union(b).cloned().collect()));
            assert!(same(&x.intersection(y), &a.intersection(b).cloned().collect()));
            assert!(same(&x.difference(y), &a.difference(b).cloned().collect()));
            assert!(same(&x.symmetric_difference(y), &a.symmetric_difference(b).cloned().collect()));
            assert_eq!(x == y, a == b);
            assert_eq!(x.cmp(y), a.cmp(b));
        }
    }
}
