//! Soundness, optimality, monotonicity, and the reference on concrete values.

use std::collections::{BTreeSet, HashMap};

use plantime::{TypeConstraint, Value, convert};
use rayon::prelude::*;

use super::super::concrete::{Con, Num};
use super::super::convert_reference::{Want, con, converted};
use super::super::gamma::{Abs, Bits};
use super::super::laws::{Effort, Violations};
use super::super::ledger;
use super::concretes::TEXTS;
use super::sources::{Sources, gamma, sources};
use super::{TARGETS, to};

/// What the concrete values become, by number, and for each source its outcomes; `None` is an error.
struct Outcomes {
    concretes: Vec<Con>,
    rows: Vec<Option<Bits>>,
}

/// L4 and the reference, on concrete values.
fn outcomes(target: &TypeConstraint, sources: &Sources, wrong: &mut Violations) -> Outcomes {
    let want = Want::of(target);
    let found: Vec<Option<Abs>> = sources.concretes.iter().map(|con| converted(con, &want)).collect();
    let known = found.iter().flatten().filter(|outcome| outcome.is_wholly_known());
    let mut concretes: BTreeSet<Con> = known.map(con).collect();
    let wanted = want.ty();
    concretes.extend(sources.concretes.iter().filter(|con| wanted.agrees_with(&con.ty())).cloned());
    let concretes: Vec<Con> = concretes.into_iter().collect();
    let mut rows = Vec::with_capacity(found.len());
    for (source, wanted) in sources.concretes.iter().zip(found) {
        let answer = convert(&source.value(), target);
        match (&answer, &wanted) {
            (Ok(value), Some(wanted)) => {
                let abs = Abs::of(value);
                let known = wanted.is_wholly_known();
                let same = [abs.is_wholly_known(), value.is_wholly_known()] == [known, known]
                    && if known {
                        abs.may_become(&con(wanted))
                    } else {
                        gamma(&concretes, &abs) == gamma(&concretes, wanted)
                    };
                if !same {
                    wrong.add(format!("L4 {target}"), || format!("{source:?} = {abs:?}, not {wanted:?}"));
                }
            }
            (Err(_), None) => {}
            _ => wrong.add(format!("L4 {target}"), || format!("{source:?} = {answer:?}, not {wanted:?}")),
        }
        rows.push(wanted.map(|wanted| gamma(&concretes, &wanted)));
    }
    Outcomes { concretes, rows }
}

/// L1 to L4 for one target. Gives the operands that the ledger excuses.
fn laws(target: &TypeConstraint, sources: &Sources) -> (Violations, Vec<Vec<String>>) {
    let mut wrong = Violations::default();
    let mut excused = Vec::new();
    let Outcomes { concretes, rows } = outcomes(target, sources, &mut wrong);
    let answers: Vec<plantime::Result<Value>> =
        sources.values.iter().map(|(value, ..)| convert(value, target)).collect();
    // What could have been answered: every answer to another value, and every value of the universes.
    let wanted = Want::of(target).ty();
    let mut place_of: HashMap<Abs, usize> = HashMap::new();
    let mut possible: Vec<(Abs, Bits)> = Vec::new();
    let given = sources.values.iter().map(|(_, abs, _)| abs.clone());
    for abs in given.chain(answers.iter().flatten().map(Abs::of)) {
        if abs.ty().agrees_with(&wanted) && !place_of.contains_key(&abs) {
            place_of.insert(abs.clone(), possible.len());
            let gamma = gamma(&concretes, &abs);
            possible.push((abs, gamma));
        }
    }
    let places: Vec<Option<usize>> =
        answers.iter().map(|answer| answer.as_ref().ok().map(|value| place_of[&Abs::of(value)])).collect();
    let mut better: HashMap<(usize, Bits), Option<usize>> = HashMap::new();
    for (((_, abs, gamma), answer), place) in sources.values.iter().zip(&answers).zip(&places) {
        let mut outcomes = Bits::none(concretes.len());
        gamma.iter().filter_map(|i| rows[i].as_ref()).for_each(|some| outcomes.add(some));
        let none = !gamma.iter().any(|i| rows[i].is_some());
        let mut add = |law: &str, text: &dyn Fn() -> String| {
            wrong.add(format!("{law} {} to {target}", abs.kind()), || format!("{abs:?}: {}", text()));
        };
        let Some(place) = *place else {
            if !none {
                let can = outcomes.iter().next().map(|i| &concretes[i]);
                add("L1", &|| format!("{answer:?}, but can be {can:?}"));
            }
            continue;
        };
        let (found, all) = &possible[place];
        if none {
            add("L1", &|| format!("{found:?}, but every outcome is an error"));
        } else if !outcomes.within(all) {
            let outside = outcomes.iter().find(|i| !all.contains(*i)).map(|i| &concretes[i]);
            add("L1", &|| format!("{found:?}, but can be {outside:?}"));
        } else {
            let better = *better.entry((place, outcomes)).or_insert_with_key(|(_, outcomes)| {
                possible
                    .iter()
                    .position(|(_, gamma)| outcomes.within(gamma) && gamma.within(all) && gamma != all)
            });
            if let Some(better) = better {
                let kinds = vec![abs.kind(), target.to_string()];
                if ledger::of("convert").excuses_kinds(&kinds) {
                    excused.push(kinds);
                } else {
                    add("L2", &|| format!("{found:?}, but {:?} holds all", possible[better].0));
                }
            }
        }
    }
    let mut within: HashMap<(usize, usize), bool> = HashMap::new();
    for &(wide, narrow) in &sources.covering {
        let fine = match (places[wide], places[narrow]) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(wide), Some(narrow)) => {
                *within.entry((wide, narrow)).or_insert_with(|| possible[narrow].1.within(&possible[wide].1))
            }
        };
        // Where the narrow one's answer could be less, it need not lie within the other's.
        let kinds = vec![sources.values[narrow].1.kind(), target.to_string()];
        if !fine && ledger::of("convert").excuses_kinds(&kinds) {
            excused.push(kinds);
        } else if !fine {
            wrong.add(format!("L3 {target}"), || {
                let [(wide, wider), (narrow, narrower)] =
                    [wide, narrow].map(|i| (&sources.values[i].1, answers[i].as_ref().map(Abs::of)));
                format!("{wide:?} = {wider:?}, but {narrow:?} = {narrower:?}")
            });
        }
    }
    (wrong, excused)
}

#[test]
fn conversion_gives_the_least_value_that_holds_every_outcome() {
    let mut effort = Effort::start();
    let sources = sources();
    let mut wrong = Violations::default();
    let mut ledger = ledger::of("convert");
    let done: Vec<(Violations, Vec<Vec<String>>)> =
        TARGETS.par_iter().map(|target| laws(&to(target), &sources)).collect();
    for (found, excused) in done {
        wrong.merge(found);
        for operands in excused {
            ledger.excuses_kinds(&operands);
        }
    }
    effort.abstracts = sources.values.len();
    effort.concrete_calls = sources.concretes.len() * TARGETS.len();
    effort.abstract_calls = sources.values.len() * TARGETS.len();
    effort.print("convert", "M, nested, texts");
    ledger.close(effort.abstract_calls).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none("convert");
}

/// What was converted fits, so converting it again changes nothing.
#[test]
fn converting_again_changes_nothing() {
    let sources = sources();
    let mut wrong = Violations::default();
    for target in TARGETS.map(to) {
        for (value, abs, _) in &sources.values {
            let Ok(once) = convert(value, &target) else { continue };
            let twice = convert(&once, &target);
            if twice.as_ref().ok() != Some(&once) {
                wrong.add(target.to_string(), || format!("{abs:?}: {once:?}, then {twice:?}"));
            }
        }
    }
    wrong.none("convert twice");
}

#[test]
fn numbers_of_the_texts_are_numbers_of_the_model() {
    for text in TEXTS {
        let con = converted(&Con::Str(text.to_owned()), &Want::Num);
        let value = convert(&Value::from(text), &to("number"));
        assert_eq!(con.is_some(), value.is_ok(), "{text}");
        if let (Some(con), Ok(value)) = (con, value) {
            assert_eq!(con, Abs::of(&value), "{text}");
        }
    }
    assert_eq!(converted(&Con::Str("-5e-1".to_owned()), &Want::Num), Some(Abs::Num(Num::Quarters(-2))));
}
