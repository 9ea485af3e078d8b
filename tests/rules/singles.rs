//! L10 for rules on single values.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use plantime::rule::Rule;
use plantime::{Mark, Path, Type, Value};

use crate::concrete::C;
use crate::laws::{Word, best, obligation, word};
use crate::ledger::Ledger;
use crate::oracle::{Case, singles};
use crate::universe::{self, Abstract};

fn bits(gamma: &BTreeSet<C>, numbering: &mut BTreeMap<C, usize>) -> Vec<u64> {
    let mut bits = Vec::new();
    for c in gamma {
        let next = numbering.len();
        let place = *numbering.entry(c.clone()).or_insert(next);
        if bits.len() <= place / 64 {
            bits.resize(place / 64 + 1, 0);
        }
        bits[place / 64] |= 1 << (place % 64);
    }
    bits
}

fn is_subset(a: &[u64], b: &[u64]) -> bool {
    a.iter().enumerate().all(|(i, word)| word & !b.get(i).copied().unwrap_or(0) == 0)
}

#[test]
fn rules_on_single_values_are_sound_exact_and_monotone() {
    let start = Instant::now();
    let values = universe::all();
    let cases = singles();
    let mut ledger = Ledger::default();
    let mut calls = 0_usize;
    let mut answers: Vec<Vec<Word>> = Vec::new();

    // The meaning on each concrete value, once; and that wholly known values are always decided.
    let concretes: BTreeSet<&C> = values.iter().flat_map(|value| &value.gamma).collect();
    for case in &cases {
        let meanings: BTreeMap<&C, Option<bool>> = concretes.iter().map(|c| (*c, (case.holds)(c))).collect();
        for (c, meaning) in &meanings {
            let expected = best(&BTreeSet::from([*meaning]));
            assert_eq!(word(&case.rule, &c.to_value()), expected, "{} on {c:?}", case.rule);
            calls += 1;
        }
        let mut row = Vec::new();
        for Abstract { value, gamma } in &values {
            let outcomes: BTreeSet<Option<bool>> = gamma.iter().map(|c| meanings[c]).collect();
            let (expected, answer) = (best(&outcomes), word(&case.rule, value));
            calls += 1;
            ledger.call(case.rule.name());
            if answer != expected {
                assert_eq!(answer, Word::Undetermined, "{} on {value:?} should be {expected:?}", case.rule);
                assert_ne!(expected, Word::Misuse, "{} on {value:?}", case.rule);
                ledger.imprecise(
                    case.rule.name(),
                    format!("{} on {value:?} should be {expected:?}", case.rule),
                );
            }
            row.push(answer);
        }
        answers.push(row);
    }
    ledger.settle();

    let mut numbering = BTreeMap::new();
    let sets: Vec<Vec<u64>> = values.iter().map(|value| bits(&value.gamma, &mut numbering)).collect();
    let mut pairs = 0_usize;
    for (i, narrow) in sets.iter().enumerate() {
        for (j, wide) in sets.iter().enumerate() {
            if i == j || !is_subset(narrow, wide) {
                continue;
            }
            pairs += 1;
            for (case, row) in cases.iter().zip(&answers) {
                assert!(
                    row[j] == Word::Undetermined || row[i] == row[j],
                    "{}: {:?} on {:?}, but {:?} on {:?}",
                    case.rule,
                    row[j],
                    values[j].value,
                    row[i],
                    values[i].value
                );
            }
        }
    }
    println!(
        "rules on single values: {} abstract values, {} rules, {calls} calls, {pairs} pairs, {:.1} s",
        values.len(),
        cases.len(),
        start.elapsed().as_secs_f64()
    );
}

#[test]
fn what_is_left_to_check_gives_the_same_answers() {
    for Case { rule, holds } in singles() {
        for Abstract { value, gamma } in universe::all() {
            obligation(&rule, &value, &gamma, |c| best(&BTreeSet::from([holds(c)])));
        }
    }
}

#[test]
fn a_rule_that_is_a_refinement_is_the_weakest_one() {
    let mut count = 0;
    for Case { rule, holds } in singles() {
        let Some(refinement) = rule.as_refinement() else { continue };
        for Abstract { value, gamma } in universe::all() {
            let ty = value.ty();
            if ty.has_dynamic() || !refinement.applies_to(&ty) || rule.check_type(&ty).is_err() {
                continue;
            }
            count += 1;
            match value.assume(&refinement) {
                Ok(narrowed) => {
                    assert_eq!(word(&rule, &narrowed), Word::Pass, "{rule} on {value:?} under {refinement}");
                }
                Err(error) => assert!(error.is_contradiction()),
            }
            for c in &gamma {
                let allowed = c.to_value().assume(&refinement).is_ok();
                assert_eq!(Some(allowed), holds(c), "{rule} on {c:?} under {refinement}");
            }
        }
    }
    assert!(count > 1000, "only {count} cases");
}

/// The value with a mark on each part in turn, and on all.
pub(crate) fn marked(value: &Value) -> Vec<Value> {
    let mut places: Vec<Path> = Vec::new();
    value.walk(|path, part| {
        places.push(path.clone());
        !matches!(part.ty(), Type::Set(_))
    });
    let mark = |places: &[Path]| {
        let marks: Vec<_> = places.iter().map(|path| (path.clone(), Mark::SENSITIVE.into())).collect();
        value.mark_with_paths(&marks)
    };
    let mut all: Vec<Value> = places.iter().map(|path| mark(std::slice::from_ref(path))).collect();
    all.push(mark(&places));
    all
}

#[test]
fn marks_never_change_an_answer() {
    let mut values = universe::all();
    // Long lists add places to mark, but nothing new.
    values.retain(|value| value.gamma.len() <= 400);
    for Case { rule, .. } in singles() {
        let marked_rule = match &rule {
            Rule::Equals(value) => Some(Rule::Equals(value.clone().mark(Mark::SENSITIVE))),
            Rule::Contains(value) => Some(Rule::Contains(value.clone().mark(Mark::SENSITIVE))),
            Rule::OneOf(values) => Some(Rule::OneOf(values.iter().flat_map(marked).collect())),
            Rule::NoneOf(values) => Some(Rule::NoneOf(values.iter().flat_map(marked).collect())),
            _ => None,
        };
        for Abstract { value, .. } in &values {
            let plain = word(&rule, value);
            for marked in marked(value) {
                assert_eq!(word(&rule, &marked), plain, "{rule} on {marked:?}");
            }
            if let Some(rule) = &marked_rule {
                assert_eq!(word(rule, value), plain, "{rule} on {value:?}");
            }
        }
    }
}
