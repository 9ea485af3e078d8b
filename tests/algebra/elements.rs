//! Membership: the laws with sets of everything that is asked for.
//!
//! The sets of the universes have members of few types, and a value of any type can be asked for; so each concrete
//! value stands in sets of one, two and three members here. An answer is true, false, both or an error, so the
//! best one is known, and an answer that is always the best one is monotone too (L3).

use std::collections::{BTreeMap, BTreeSet};

use plantime::testing::ledger::Ledger;
use plantime::{Refinement, Type, Value};
use rayon::prelude::*;

use super::concrete::{Con, Ty, has_element};
use super::gamma::{Abs, Bits};
use super::laws::{Effort, Violations, kinds};
use super::ledger;
use super::universe::{Universe, world};

/// The sets among the concrete values, and for each other value sets that have it.
fn sets(left: &Universe, right: &Universe) -> Vec<Con> {
    let world = world();
    let is_set = |con: &&Con| matches!(con, Con::Set(..));
    let of_left = left.concretes.iter().map(|i| &world.concretes[*i]).filter(is_set).cloned();
    let mut all: BTreeSet<Con> = of_left.collect();
    let mut by_type: BTreeMap<Ty, Vec<Con>> = BTreeMap::new();
    for con in right.concretes.iter().map(|i| &world.concretes[*i]) {
        if !con.ty().has_dynamic() {
            by_type.entry(con.ty()).or_default().push(con.clone());
        }
    }
    // Known members of the abstract sets.
    let mut members: BTreeSet<&Abs> = BTreeSet::new();
    for a in &left.abstracts {
        if let Abs::Set { known, .. } = &world.abstracts[*a].abs {
            members.extend(known);
        }
    }
    for (ty, cons) in by_type {
        for con in &cons {
            let other = |other: &&Con| *other != con;
            let asked = |other: &&Con| members.iter().any(|member| member.may_become(other));
            let few = cons.iter().filter(other).take(2);
            let others: Vec<&Con> = few.chain(cons.iter().filter(other).filter(asked)).collect();
            let pairs = others.iter().map(|other| vec![con, *other]);
            let three = std::iter::once(con).chain(others.iter().copied().take(2)).collect();
            for members in pairs.chain([vec![con], three]) {
                all.insert(Con::Set(ty.clone(), members.into_iter().cloned().collect()));
            }
        }
    }
    all.into_iter().collect()
}

/// Whether some choice has the member, and whether some has it not.
type Outcomes = (bool, bool);

/// For each set the outcomes with each abstract value.
fn outcomes(set: &Con, right: &Universe) -> Vec<Outcomes> {
    let world = world();
    let Con::Set(_, members) = set else { unreachable!() };
    let mut bits = Bits::none(world.concretes.len());
    for member in members {
        if let Some(member) = world.number_of.get(member) {
            bits.insert(*member);
        }
    }
    let of = |b: &usize| {
        let gamma = world.abstracts[*b].gamma.and(&right.mask);
        let inside = gamma.and(&bits);
        (!inside.is_empty(), inside != gamma)
    };
    right.abstracts.iter().map(of).collect()
}

fn try_universes(
    (left, right): (&Universe, &Universe),
    ledger: &mut Ledger,
    effort: &mut Effort,
    wrong: &mut Violations,
) {
    let world = world();
    let sets = sets(left, right);
    // L4, and the library held against the reference.
    let members: Vec<(&Con, Value)> =
        right.concretes.iter().map(|i| (&world.concretes[*i], world.concretes[*i].value())).collect();
    let found: Vec<(usize, Violations)> = sets
        .par_iter()
        .map(|set| {
            let (mut calls, mut wrong) = (0, Violations::default());
            let Con::Set(element, _) = set else { unreachable!() };
            let of = set.value();
            let in_universe = world.number_of.get(set).is_some_and(|set| left.mask.contains(*set));
            for (member, value) in &members {
                // The sets made for a member are asked for what could be one.
                if in_universe || member.is_null() || member.ty() == *element {
                    calls += 1;
                    let answer = of.has_element(value);
                    let wanted = has_element(set, member).map(|con| con.value());
                    if answer.as_ref().ok() != wanted.as_ref() {
                        wrong.add("L4", || format!("{set:?} has {member:?}: {answer:?}"));
                    }
                }
            }
            (calls, wrong)
        })
        .collect();
    for (calls, found) in found {
        effort.concrete_calls += calls;
        wrong.merge(found);
    }
    let table: Vec<Vec<Outcomes>> = sets.par_iter().map(|set| outcomes(set, right)).collect();
    let either = Value::refined(Type::Bool, Refinement::not_null()).unwrap();
    for a in &left.abstracts {
        let a = &world.abstracts[*a];
        let mut best = vec![(false, false); right.abstracts.len()];
        for (set, row) in sets.iter().zip(&table) {
            if a.abs.may_become(set) {
                for (best, more) in best.iter_mut().zip(row) {
                    *best = (best.0 | more.0, best.1 | more.1);
                }
            }
        }
        for (b, best) in right.abstracts.iter().zip(best) {
            let b = &world.abstracts[*b];
            let best = match best {
                (true, true) => Some(either.clone()),
                (true, false) => Some(Value::from(true)),
                (false, true) => Some(Value::from(false)),
                (false, false) => None,
            };
            let answer = a.value.has_element(&b.value);
            if answer.as_ref().ok() == best.as_ref() {
                continue;
            }
            // What holds both truth values holds more than it has to; nothing else can be imprecise.
            let law = if answer.as_ref().ok() == Some(&either) && best.is_some() { "L2" } else { "L1" };
            if law == "L1" || !ledger.excuses(&[&a.abs, &b.abs]) {
                wrong.add(kinds(law, &[&a.abs, &b.abs]), || {
                    format!("{:?} has {:?}: {answer:?}, not {best:?}", a.abs, b.abs)
                });
            }
        }
    }
    effort.abstracts += left.abstracts.len();
    effort.abstract_calls += left.abstracts.len() * right.abstracts.len();
}

#[test]
fn laws() {
    let world = world();
    let mut ledger = ledger::of("has_element");
    let (mut wrong, mut effort) = (Violations::default(), Effort::start());
    for pair in [(&world.m, &world.m), (&world.nested, &world.s)] {
        try_universes(pair, &mut ledger, &mut effort, &mut wrong);
    }
    effort.print("has_element", "M x M, nested x S");
    ledger.close(effort.abstract_calls).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none("has_element");
}
