//! Joining values, and the choice between two: soundness (L1), optimality (L2), monotonicity (L3), marks (L5).
//!
//! A join is no operation on concrete values, so it is held against what both values may become.

use std::collections::HashMap;

use plantime::testing::ledger::Ledger;
use plantime::{Type, Value};

use super::gamma::{Abs, Bits};
use super::laws::{Effort, Violations, kinds};
use super::ledger;
use super::marks::{mark, marked_inside};
use super::universe::{Universe, World, world};

/// The answers so far, each with what it may become.
struct Joins<'w> {
    world: &'w World,
    /// For each abstract value those that may become all it may.
    above: Vec<Bits>,
    numbers: HashMap<Abs, usize>,
    gammas: Vec<Bits>,
    /// For each answer the abstract values that may become less.
    below: Vec<Bits>,
    within: HashMap<(usize, usize), bool>,
}

impl<'w> Joins<'w> {
    fn new() -> Joins<'w> {
        let world = world();
        let all = &world.abstracts;
        let above = all.iter().map(|narrow| {
            let mut above = Bits::none(all.len());
            for (i, _) in all.iter().enumerate().filter(|(_, wide)| narrow.gamma.within(&wide.gamma)) {
                above.insert(i);
            }
            above
        });
        Joins {
            world,
            above: above.collect(),
            numbers: HashMap::new(),
            gammas: Vec::new(),
            below: Vec::new(),
            within: HashMap::new(),
        }
    }

    fn number(&mut self, abs: Abs) -> usize {
        if let Some(number) = self.numbers.get(&abs) {
            return *number;
        }
        let gamma = self.world.gamma(&abs);
        let mut below = Bits::none(self.world.abstracts.len());
        for (i, entry) in self.world.abstracts.iter().enumerate() {
            if entry.gamma.within(&gamma) && entry.gamma != gamma {
                below.insert(i);
            }
        }
        self.gammas.push(gamma);
        self.below.push(below);
        self.numbers.insert(abs, self.gammas.len() - 1);
        self.gammas.len() - 1
    }

    fn is_within(&mut self, narrow: usize, wide: usize) -> bool {
        let gammas = &self.gammas;
        narrow == wide
            || *self.within.entry((narrow, wide)).or_insert_with(|| gammas[narrow].within(&gammas[wide]))
    }

    /// L1 and L2 of one join.
    fn check(&mut self, [a, b]: [usize; 2], ledger: &mut Ledger, wrong: &mut Violations) -> usize {
        let [x, y] = [a, b].map(|i| &self.world.abstracts[i]);
        let answer = Abs::of(&Value::join(&[&x.value, &y.value]).unwrap());
        let number = self.number(answer.clone());
        let operands = [&x.abs, &y.abs];
        let gamma = &self.gammas[number];
        if !x.gamma.within(gamma) || !y.gamma.within(gamma) {
            wrong.add(kinds("L1", &operands), || format!("{operands:?} = {answer:?}"));
        }
        let better = self.above[a].and(&self.above[b]).and(&self.below[number]);
        if let Some(better) = better.iter().next()
            && !ledger.excuses(&operands)
        {
            let better = &self.world.abstracts[better].abs;
            wrong.add(kinds("L2", &operands), || {
                format!("{operands:?} = {answer:?}, but {better:?} holds all")
            });
        }
        number
    }

    fn try_universes(
        &mut self,
        (left, right): (&Universe, &Universe),
        ledger: &mut Ledger,
        effort: &mut Effort,
        wrong: &mut Violations,
    ) {
        let numbers: Vec<Vec<usize>> = left
            .abstracts
            .iter()
            .map(|a| right.abstracts.iter().map(|b| self.check([*a, *b], ledger, wrong)).collect())
            .collect();
        for &(wide, narrow) in &left.covering {
            for (j, b) in right.abstracts.iter().enumerate() {
                let kinds_of_both = [left.abstracts[wide], *b].map(|i| &self.world.abstracts[i].abs);
                // Where there is no least answer there is no monotone one that is also the value joined with itself.
                if !self.is_within(numbers[narrow][j], numbers[wide][j]) && !ledger.excuses(&kinds_of_both) {
                    let operands = [left.abstracts[wide], left.abstracts[narrow], *b];
                    let operands = operands.map(|i| &self.world.abstracts[i].abs);
                    wrong.add(kinds("L3", &operands), || format!("{operands:?}"));
                }
            }
        }
        effort.abstracts += left.abstracts.len();
        effort.abstract_calls += left.abstracts.len() * right.abstracts.len();
    }
}

#[test]
fn laws() {
    let world = world();
    let mut joins = Joins::new();
    let mut ledger = ledger::of("join");
    let (mut wrong, mut effort) = (Violations::default(), Effort::start());
    for pair in [(&world.m, &world.m), (&world.nested, &world.s), (&world.nested, &world.nested)] {
        joins.try_universes(pair, &mut ledger, &mut effort, &mut wrong);
    }
    effort.print("join", "M x M, nested x S, nested x nested");
    ledger.close(effort.abstract_calls).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none("join");
}

/// The order of two values does not matter, a value joined with itself is that value, and one value after the other
/// holds what all at once hold.
#[test]
fn order_and_repetition_do_not_matter() {
    let world = world();
    let mut joins = Joins::new();
    let entries: Vec<&Value> = world.s.abstracts.iter().map(|i| &world.abstracts[*i].value).collect();
    let mut number = |values: &[&Value]| {
        let number = joins.number(Abs::of(&Value::join(values).unwrap()));
        joins.gammas[number].clone()
    };
    for (i, a) in entries.iter().enumerate() {
        assert_eq!(Abs::of(&Value::join(&[a, a, a]).unwrap()), Abs::of(a));
        for b in entries.iter().skip(i + 1) {
            assert_eq!(number(&[a, b]), number(&[b, a]), "{a} {b}");
        }
        for (b, c) in entries.iter().zip(&entries[1..]).step_by(3) {
            let all = number(&[a, b, c]);
            assert!(number(&[a, c]).within(&all) && number(&[b]).within(&all), "{a:?} {b:?} {c:?}");
        }
    }
    assert!(Value::join(&[]).unwrap_err().is_argument());
}

/// What the condition can choose is joined.
#[test]
fn conditional() {
    let world = world();
    let values = || world.s.abstracts.iter().map(|i| &world.abstracts[*i].value);
    let [yes, no] = [true, false].map(Value::from);
    for a in values() {
        for b in values() {
            assert_eq!(yes.conditional(a, b).as_ref(), Ok(a));
            assert_eq!(no.conditional(a, b).as_ref(), Ok(b));
        }
    }
    let few: Vec<&Value> = values().step_by(7).collect();
    for condition in values() {
        let may_be = |truth: bool| condition.equals(&Value::from(truth)).unwrap() != Value::from(false);
        for a in &few {
            for b in &few {
                let chosen = [(true, *a), (false, *b)];
                let chosen: Vec<&Value> =
                    chosen.into_iter().filter(|(truth, _)| may_be(*truth)).map(|(_, arm)| arm).collect();
                let answer = condition.conditional(a, b);
                assert_eq!(answer.ok(), Value::join(&chosen).ok(), "{condition} ? {a} : {b}");
            }
        }
    }
    assert!(Value::null(Type::Bool).conditional(&yes, &no).unwrap_err().is_null());
    assert!(Value::from("true").conditional(&yes, &no).unwrap_err().is_type_mismatch());
}

#[test]
fn marks_stay_at_their_place_or_go_up() {
    let world = world();
    let mut wrong = Violations::default();
    let unknown = Value::unknown(Type::Bool);
    let of = |universe: &Universe, step: usize| -> Vec<(Value, Abs)> {
        let all = universe.abstracts.iter().step_by(step).map(|i| &world.abstracts[*i]);
        all.map(|entry| (entry.value.clone(), entry.abs.clone())).collect()
    };
    let few = [of(&world.s, 5), of(&world.nested, 11)].concat();
    for (value, a) in [of(&world.s, 2), of(&world.nested, 3)].concat() {
        for marked in [vec![value.clone().mark(mark())], marked_inside(&value)].concat() {
            let (_, places) = Abs::with_marks(&marked);
            let [(place, _)] = places.as_slice() else { panic!("{marked:?}: {places:?}") };
            for (other, b) in &few {
                for (answer, bare) in [
                    (Value::join(&[&marked, other]), Value::join(&[&value, other])),
                    (Value::join(&[other, &marked]), Value::join(&[other, &value])),
                    (unknown.conditional(other, &marked), unknown.conditional(other, &value)),
                ] {
                    let (found, marks) = Abs::with_marks(&answer.unwrap());
                    if found != Abs::of(&bare.unwrap()) {
                        wrong.add(kinds("erasure", &[&a, b]), || format!("{marked} with {other}: {found:?}"));
                    }
                    if !matches!(marks.as_slice(), [(at, _)] if place.starts_with(at)) {
                        wrong.add(kinds("retention", &[&a, b]), || {
                            format!("{marked} with {other}: {marks:?}")
                        });
                    }
                }
            }
        }
    }
    let [a, b] = ["a", "b"].map(Value::from);
    let secret = Value::from(true).mark(mark());
    assert!(secret.conditional(&a, &b).unwrap().is_marked());
    // The value that is not chosen does not show.
    assert_eq!(Value::from(true).conditional(&a, &b.clone().mark(mark())).unwrap(), a);
    wrong.none("marks of joins");
}
