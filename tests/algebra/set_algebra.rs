//! Union, intersection and differences of sets, held against every two sets that the operands may become: for each
//! element type a world of its own, in which all results are numbered as they come.

use std::collections::{BTreeMap, HashMap};

use plantime::testing::gamma::{Abs, Bits};
use plantime::{Mark, Refinement, Result, Type, Value};

use super::concrete::{Con, Num, Outcome, Ty};
use super::laws::{Effort, Violations, kinds};
use super::ledger;
use super::universe::ty;

struct Operation {
    name: &'static str,
    reference: fn(&Con, &Con) -> Outcome,
    library: fn(&Value, &Value) -> Result<Value>,
}

/// The names of the operations here.
pub(crate) const SETS: [&str; 4] = ["union", "intersection", "difference", "symmetric_difference"];

/// The members of two sets and the element type that both can have.
fn sets(a: &Con, b: &Con, member: fn(bool, bool) -> bool) -> Outcome {
    let (Con::Set(x, a), Con::Set(y, b)) = (a, b) else { return None };
    let members = a.union(b).filter(|one| member(a.contains(one), b.contains(one))).cloned().collect();
    Some(Con::Set(x.decided_by(y)?, members))
}

const OPERATIONS: [Operation; 4] = [
    Operation { name: "union", reference: |a, b| sets(a, b, |a, b| a || b), library: Value::union },
    Operation {
        name: "intersection",
        reference: |a, b| sets(a, b, |a, b| a && b),
        library: Value::intersection,
    },
    Operation {
        name: "difference",
        reference: |a, b| sets(a, b, |a, b| a && !b),
        library: Value::difference,
    },
    Operation {
        name: "symmetric_difference",
        reference: |a, b| sets(a, b, |a, b| a != b),
        library: Value::symmetric_difference,
    },
];

/// The sets of some element types, and a few values beside them.
struct World {
    concretes: Vec<Con>,
    abstracts: Vec<(Value, Abs, Bits)>,
    /// The first may become more than the second.
    wider: Vec<(usize, usize)>,
}

impl World {
    /// The sets of up to two abstract and three concrete members, and a few values beside them.
    fn of(kinds: &[Elements]) -> World {
        let mut concretes = vec![Con::Null(Ty::Dyn), Con::Bool(true)];
        let mut values = vec![Value::dynamic(), Value::null(Type::Dynamic), Value::from(true)];
        for Elements { ty, abstracts, concretes: members } in kinds {
            let element = Ty::of(ty);
            concretes.push(Con::Null(Ty::Set(Box::new(element.clone()))));
            concretes.push(Con::Set(element.clone(), [].into()));
            for a in members {
                for b in members {
                    concretes.extend(
                        members.iter().map(|c| {
                            Con::Set(element.clone(), [a, b, c].map(Con::clone).into_iter().collect())
                        }),
                    );
                }
            }
            let set = |members: &[&Value]| Value::set_of(ty.clone(), members.iter().copied()).unwrap();
            values.push(set(&[]));
            for (i, a) in abstracts.iter().enumerate() {
                values.push(set(&[a]));
                for b in &abstracts[i..] {
                    let pair = set(&[a, b]);
                    values.extend(
                        [pair.assume_set_length(1, 1), pair.assume_set_length(2, 2)].into_iter().flatten(),
                    );
                    values.push(pair);
                }
            }
            let unknown = Value::unknown(Type::set(ty.clone()).unwrap());
            values.extend([Value::null(unknown.ty()), unknown.assume_not_null().unwrap()]);
            for (min, max) in [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)] {
                let narrowed = unknown.assume_set_length(min, max).unwrap();
                values.extend([narrowed.assume_not_null().unwrap(), narrowed]);
            }
            values.push(unknown.assume_set_length_min(2).unwrap().assume_not_null().unwrap());
            values.push(unknown);
        }
        concretes.sort();
        concretes.dedup();
        let mut seen: BTreeMap<Abs, Value> = BTreeMap::new();
        for value in values {
            seen.entry(Abs::of(&value)).or_insert(value);
        }
        let abstracts: Vec<(Value, Abs, Bits)> = seen
            .into_iter()
            .map(|(abs, value)| (value, bits(&abs, &concretes), abs))
            .filter(|(_, gamma, _)| !gamma.is_empty())
            .map(|(value, gamma, abs)| (value, abs, gamma))
            .collect();
        let mut wider = Vec::new();
        for (i, (_, _, wide)) in abstracts.iter().enumerate() {
            for (j, (_, _, narrow)) in abstracts.iter().enumerate() {
                if i != j && narrow.within(wide) && narrow != wide {
                    wider.push((i, j));
                }
            }
        }
        World { concretes, abstracts, wider }
    }
}

/// An element type with a few abstract members, and so many concrete ones that two sets of two that an abstract
/// member may become can be apart.
struct Elements {
    ty: Type,
    abstracts: Vec<Value>,
    concretes: Vec<Con>,
}

fn elements(text: &str) -> Elements {
    let element = ty(text);
    let refined = |refinement: Refinement| Value::refined(element.clone(), refinement).unwrap();
    let not_null = || refined(Refinement::not_null());
    let unknown = || Value::unknown(element.clone());
    let number = |n: i64| Con::Num(Num::whole(n));
    let text_of = |text: &str| Con::Str(text.to_owned());
    let null = Con::Null(Ty::of(&element));
    let (abstracts, concretes): (Vec<Value>, Vec<Con>) = match text {
        "bool" => (
            vec![Value::from(false), Value::from(true), Value::null(Type::Bool), unknown(), not_null()],
            vec![Con::Bool(false), Con::Bool(true)],
        ),
        "number" => (
            vec![
                Value::from(0),
                Value::from(1),
                Value::null(Type::Number),
                unknown(),
                not_null(),
                refined(Refinement::number_at_least(1).and_not_null()),
                refined(Refinement::number_at_most(0).and_not_null()),
                refined(Refinement::number_at_most(0)),
            ],
            (-3..=4).map(number).collect(),
        ),
        "string" => (
            vec![
                Value::from("a"),
                Value::from("b"),
                Value::null(Type::String),
                unknown(),
                refined(Refinement::prefix("a").and_not_null()),
                refined(Refinement::prefix("b").and_not_null()),
                refined(Refinement::prefix("a")),
            ],
            ["", "a", "aa", "ab", "aba", "b", "ba", "bb", "bab"].map(text_of).to_vec(),
        ),
        "tuple([number, string])" => (
            vec![
                Value::tuple([Value::from(0), Value::from("a")]).unwrap(),
                unknown(),
                not_null(),
                Value::tuple([Value::unknown(Type::Number), Value::from("a")]).unwrap(),
                Value::tuple([Value::from(0), Value::unknown(Type::String)]).unwrap(),
            ],
            [(0, "a"), (1, "a"), (2, "a"), (3, "a"), (0, "b"), (0, "c"), (0, "d"), (1, "b")]
                .map(|(n, text)| Con::Tuple(vec![number(n), text_of(text)]))
                .to_vec(),
        ),
        "list(number)" => (
            vec![
                Value::list_of(Type::Number, [] as [Value; 0]).unwrap(),
                Value::list([0]).unwrap(),
                Value::null(element.clone()),
                unknown(),
                not_null(),
                Value::list([Value::unknown(Type::Number)]).unwrap(),
            ],
            [&[][..], &[0], &[1], &[2], &[3], &[0, 0], &[0, 1]]
                .map(|items| Con::List(Ty::Num, items.iter().copied().map(number).collect()))
                .to_vec(),
        ),
        "list(string)" => (
            vec![unknown()],
            [&[][..], &["a"], &["b"], &["c"]]
                .map(|items| Con::List(Ty::Str, items.iter().copied().map(text_of).collect()))
                .to_vec(),
        ),
        "set(number)" => (
            vec![
                Value::set_of(Type::Number, [] as [Value; 0]).unwrap(),
                Value::set([0]).unwrap(),
                unknown(),
                Value::set([Value::unknown(Type::Number)]).unwrap(),
            ],
            [&[][..], &[0], &[1], &[2], &[3], &[0, 1], &[1, 2]]
                .map(|items| Con::Set(Ty::Num, items.iter().copied().map(number).collect()))
                .to_vec(),
        ),
        "any" => (vec![Value::dynamic(), Value::null(Type::Dynamic)], vec![]),
        "list(any)" => (vec![unknown(), Value::null(element.clone())], vec![]),
        other => panic!("{other}"),
    };
    let null = (!element.has_dynamic()).then_some(null);
    Elements { ty: element, abstracts, concretes: concretes.into_iter().chain(null).collect() }
}

fn bits(abs: &Abs, concretes: &[Con]) -> Bits {
    let mut bits = Bits::none(concretes.len());
    concretes.iter().enumerate().filter(|(_, con)| abs.may_become(con)).for_each(|(i, _)| bits.insert(i));
    bits
}

fn worlds() -> Vec<World> {
    let each = ["bool", "number", "string", "tuple([number, string])", "list(number)", "set(number)"];
    let mut all: Vec<World> = each.iter().map(|element| World::of(&[elements(element)])).collect();
    all.push(World::of(&["any", "bool", "number"].map(elements)));
    all.push(World::of(&["any", "bool", "list(any)", "list(number)", "list(string)"].map(elements)));
    all
}

/// L1 to L4 of one operation in one world. Gives the number of abstract calls.
fn laws(op: &Operation, world: &World, ledger: &mut ledger::Ledger, wrong: &mut Violations) -> usize {
    let mut outcomes: Vec<Con> = Vec::new();
    let mut number_of: HashMap<Con, usize> = HashMap::new();
    let mut rows: Vec<Vec<Option<usize>>> = Vec::new();
    let values: Vec<Value> = world.concretes.iter().map(Con::value).collect();
    for (a, x) in world.concretes.iter().zip(&values) {
        let mut row = Vec::new();
        for (b, y) in world.concretes.iter().zip(&values) {
            let wanted = (op.reference)(a, b);
            let right = match ((op.library)(x, y), &wanted) {
                (Ok(value), Some(con)) => value.is_wholly_known() && Abs::of(&value).may_become(con),
                (Err(_), None) => true,
                _ => false,
            };
            if !right {
                wrong.add("L4", || format!("{}({a:?}, {b:?}) = {:?}", op.name, (op.library)(x, y)));
            }
            row.push(wanted.map(|con| {
                *number_of.entry(con.clone()).or_insert_with(|| {
                    outcomes.push(con);
                    outcomes.len() - 1
                })
            }));
        }
        rows.push(row);
    }
    // The answers are told apart by all sets of the world and all results.
    for con in &world.concretes {
        number_of.entry(con.clone()).or_insert_with(|| {
            outcomes.push(con.clone());
            outcomes.len() - 1
        });
    }
    let candidates: Vec<(&Abs, Bits)> =
        world.abstracts.iter().map(|(_, abs, _)| (abs, bits(abs, &outcomes))).collect();
    let mut gammas: HashMap<Abs, Bits> = HashMap::new();
    let mut answers: Vec<Vec<Option<Bits>>> = Vec::new();
    for (a, abs_a, of_a) in &world.abstracts {
        let mut reached = vec![Bits::none(outcomes.len()); world.concretes.len()];
        for i in of_a.iter() {
            for (bits, outcome) in reached.iter_mut().zip(&rows[i]) {
                outcome.iter().for_each(|outcome| bits.insert(*outcome));
            }
        }
        let mut row = Vec::new();
        for (b, abs_b, of_b) in &world.abstracts {
            let mut wanted = Bits::none(outcomes.len());
            of_b.iter().for_each(|j| wanted.add(&reached[j]));
            let operands = [abs_a, abs_b];
            row.push(match (op.library)(a, b) {
                Err(error) => {
                    if !wanted.is_empty() {
                        wrong.add(kinds("L1", &operands), || format!("{operands:?} is an error: {error}"));
                    }
                    None
                }
                Ok(answer) => {
                    let abs = Abs::of(&answer);
                    let gamma = gammas.entry(abs.clone()).or_insert_with(|| bits(&abs, &outcomes));
                    if wanted.is_empty() {
                        wrong.add(kinds("L1", &operands), || {
                            format!("{operands:?} = {abs:?}, but is always an error")
                        });
                    } else if !wanted.within(gamma) {
                        let outside = wanted.iter().find(|i| !gamma.contains(*i)).map(|i| &outcomes[i]);
                        wrong.add(kinds("L1", &operands), || {
                            format!("{operands:?} = {abs:?}, but can be {outside:?}")
                        });
                    } else if let Some((better, _)) =
                        candidates.iter().find(|(_, of)| wanted.within(of) && of.within(gamma) && of != gamma)
                        && !ledger.excuses(&operands)
                    {
                        wrong.add(kinds("L2", &operands), || {
                            format!("{operands:?} = {abs:?}, but {better:?} holds all")
                        });
                    }
                    Some(gamma.clone())
                }
            });
        }
        answers.push(row);
    }
    let mut monotone = |wide: &Option<Bits>, narrow: &Option<Bits>, operands: [usize; 3]| {
        let shown = || operands.map(|i| &world.abstracts[i].1);
        match (wide, narrow) {
            (_, None) => {}
            (None, Some(_)) => wrong.add("L3", || format!("an error becomes an answer: {:?}", shown())),
            (Some(wide), Some(narrow)) if !narrow.within(wide) => {
                wrong.add("L3", || format!("the answer widens: {:?}", shown()));
            }
            _ => {}
        }
    };
    for &(wide, narrow) in &world.wider {
        for (other, row) in answers.iter().enumerate() {
            monotone(&answers[wide][other], &answers[narrow][other], [wide, narrow, other]);
            monotone(&row[wide], &row[narrow], [wide, narrow, other]);
        }
    }
    world.abstracts.len() * world.abstracts.len()
}

#[track_caller]
fn try_sets(name: &str) {
    let op = OPERATIONS.iter().find(|op| op.name == name).unwrap();
    let mut ledger = ledger::of(name);
    let (mut wrong, mut effort) = (Violations::default(), Effort::start());
    for world in worlds() {
        effort.abstracts += world.abstracts.len();
        effort.concrete_calls += world.concretes.len() * world.concretes.len();
        effort.abstract_calls += laws(op, &world, &mut ledger, &mut wrong);
    }
    effort.print(name, "sets");
    ledger.close(effort.abstract_calls).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none(name);
}

#[test]
fn union() {
    try_sets("union");
}

#[test]
fn intersection() {
    try_sets("intersection");
}

#[test]
fn difference() {
    try_sets("difference");
}

#[test]
fn symmetric_difference() {
    try_sets("symmetric_difference");
}

/// L5: a set carries the marks of its members, so all marks are at the top.
#[test]
fn marks_of_both_sets_are_on_the_result() {
    let mark = Mark::new("m");
    let mut wrong = Violations::default();
    for world in [World::of(&[elements("number")]), World::of(&["any", "bool"].map(elements))] {
        for op in &OPERATIONS {
            for (a, abs_a, _) in &world.abstracts {
                for (b, abs_b, _) in &world.abstracts {
                    let bare = (op.library)(a, b);
                    let marked = |value: &Value| value.clone().mark(mark.clone());
                    for answer in [(op.library)(&marked(a), b), (op.library)(a, &marked(b))] {
                        let kept = match (&answer, &bare) {
                            (Ok(answer), Ok(bare)) => *answer == bare.clone().mark(mark.clone()),
                            (Err(answer), Err(bare)) => {
                                answer.is_null() == bare.is_null()
                                    && answer.is_type_mismatch() == bare.is_type_mismatch()
                            }
                            _ => false,
                        };
                        if !kept {
                            wrong
                                .add(kinds(op.name, &[abs_a, abs_b]), || format!("{answer:?}, not {bare:?}"));
                        }
                    }
                }
            }
        }
    }
    wrong.none("marks");
}

/// Sets of one element type beside each other, and what can never be one.
#[test]
fn element_types_must_be_one() {
    let empty = Value::set_of(Type::Dynamic, [] as [Value; 0]).unwrap();
    let numbers = Value::set([1, 2]).unwrap();
    assert_eq!(empty.union(&numbers).unwrap(), numbers);
    assert_eq!(numbers.intersection(&empty).unwrap(), Value::set_of(Type::Number, [] as [Value; 0]).unwrap());
    let error = numbers.union(&Value::set(["a"]).unwrap()).unwrap_err();
    assert!(error.is_type_mismatch());
    assert_eq!(error.message(), "sets must have one element type, but have set of number and set of string");
    assert!(numbers.difference(&Value::list([1]).unwrap()).unwrap_err().is_type_mismatch());
    assert!(numbers.difference(&Value::null(numbers.ty())).unwrap_err().is_null());
    let of_two = Value::refined(numbers.ty(), Refinement::length(plantime::LengthRange::exactly(2))).unwrap();
    assert_eq!(
        numbers.union(&of_two).unwrap().length().unwrap().to_string(),
        "(known after apply, whole number, >= 2, <= 4)"
    );
}
