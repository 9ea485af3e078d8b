//! L10 for rules on single values.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use plantime::rule::{MembersRule, Rule, ValueRule};
use plantime::{Mark, Path, Type, Value};

use crate::concrete::C;
use crate::laws::{Word, best, left_to_check, word};
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

/// An abstract value, with what it may become as indices into the concrete values.
type Numbered = (Value, Vec<usize>);

/// The abstract values, and the concrete values, each of which is made once.
fn numbered() -> (Vec<Numbered>, Vec<(C, Value)>) {
    let values = universe::all();
    let concretes: BTreeSet<&C> = values.iter().flat_map(|value| &value.gamma).collect();
    let concretes: Vec<&C> = concretes.into_iter().collect();
    let indices = |gamma: &BTreeSet<C>| gamma.iter().map(|c| concretes.binary_search(&c).unwrap()).collect();
    let abstracts = values.iter().map(|value| (value.value.clone(), indices(&value.gamma))).collect();
    (abstracts, concretes.into_iter().map(|c| (c.clone(), c.to_value())).collect())
}

#[test]
fn what_is_left_to_check_gives_the_same_answers() {
    let (values, concretes) = numbered();
    for Case { rule, holds } in singles() {
        let expected: Vec<Word> = concretes.iter().map(|(c, _)| best(&BTreeSet::from([holds(c)]))).collect();
        // Most values leave one of a few rules: its answer on each concrete value is asked for once.
        let mut answers: Vec<(Rule, Vec<Option<Word>>)> = Vec::new();
        for (value, gamma) in &values {
            let Some(open) = left_to_check(&rule, value) else { continue };
            let known = answers.iter().position(|(known, _)| *known == open).unwrap_or_else(|| {
                answers.push((open.clone(), vec![None; concretes.len()]));
                answers.len() - 1
            });
            for at in gamma {
                if expected[*at] == Word::Misuse {
                    continue;
                }
                let (c, concrete) = &concretes[*at];
                let answer = answers[known].1[*at].get_or_insert_with(|| word(&open, concrete));
                let expected = &expected[*at];
                assert_eq!(answer, expected, "{rule} on {value:?} leaves {open}, which differs on {c:?}");
            }
        }
    }
}

#[test]
fn a_rule_that_is_a_refinement_is_the_weakest_one() {
    let (values, concretes) = numbered();
    let mut count = 0;
    for Case { rule, holds } in singles() {
        let of_any = rule.as_refinement();
        let mut compared = vec![false; concretes.len()];
        for (value, gamma) in &values {
            let ty = value.ty();
            if ty.has_dynamic() || rule.check_type(&ty).is_err() {
                continue;
            }
            let of_type = rule.as_refinement_for(&ty);
            if let Some(of_any) = of_any.as_ref().filter(|of_any| of_any.applies_to(&ty)) {
                assert_eq!(of_type.as_ref(), Some(of_any), "{rule} for {ty}");
            }
            let implied = rule.implied_refinement(&ty);
            assert!(implied.applies_to(&ty), "{rule} for {ty} implies {implied}");
            for at in gamma {
                let (c, concrete) = &concretes[*at];
                let within = holds(c) != Some(true) || concrete.assume(&implied).is_ok();
                assert!(within, "{rule} holds for {c:?}, which is not {implied}");
            }
            let Some(refinement) = of_type else { continue };
            assert_eq!(implied, refinement, "{rule} for {ty}");
            count += 1;
            match value.assume(&refinement) {
                Ok(narrowed) => {
                    assert_eq!(word(&rule, &narrowed), Word::Pass, "{rule} on {value:?} under {refinement}");
                }
                Err(error) => assert!(error.is_contradiction()),
            }
            for at in gamma {
                if std::mem::replace(&mut compared[*at], true) {
                    continue;
                }
                let (c, concrete) = &concretes[*at];
                let allowed = concrete.assume(&refinement).is_ok();
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
            Rule::Value(ValueRule::Equals(value)) => Some(Rule::equals(value.clone().mark(Mark::SENSITIVE))),
            Rule::Members(MembersRule::Contains(value)) => {
                Some(Rule::contains(value.clone().mark(Mark::SENSITIVE)))
            }
            Rule::Value(ValueRule::OneOf(values)) => Some(Rule::one_of(values.iter().flat_map(marked))),
            Rule::Value(ValueRule::NoneOf(values)) => Some(Rule::none_of(values.iter().flat_map(marked))),
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
