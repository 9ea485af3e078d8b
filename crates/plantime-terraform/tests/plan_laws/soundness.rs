//! Laws L1 and L4: a decided answer holds for every completion by the true types, and what is known is decided.

use std::collections::HashMap;

use crate::asking::{Said, Word, ask};
use crate::cases::{ADDRESS, Case, Subject, View};
use crate::tree::Tree;
use crate::universe::universes;
use crate::wrong::Wrong;

/// What a decided answer promises.
fn is_kept(word: Word, holds: bool) -> bool {
    match word {
        Word::Pass => holds,
        Word::Fail => !holds,
        _ => true,
    }
}

fn decided_answers_hold(view: View) {
    let (mut wrong, mut decided, mut plans) = (Wrong::default(), 0, 0);
    for subject in universes().into_iter().map(Subject::new) {
        for case in subject.cases() {
            plans += 1;
            let said = ask(&case.plan, subject.schemas(view), &subject.book, ADDRESS);
            decided += said.words.iter().filter(|word| word.is_decided()).count();
            for after in case.completions(&subject.kind) {
                let holding = subject.holding(case.resource.before.as_ref(), &after);
                for (rule, (word, holds)) in said.words.iter().zip(holding).enumerate() {
                    if !is_kept(*word, holds) {
                        let kind = format!("{}: {word:?} {}", subject.universe.name, subject.rule(rule));
                        wrong.add(kind, || format!("{} turns out {after}", case.brief()));
                    }
                }
            }
        }
    }
    println!("{view:?}: {plans} plans, {decided} decided answers");
    assert!(decided > 5_000, "only {decided} answers were decided");
    wrong.assert_none("a decided answer holds whatever turns out");
}

#[test]
fn with_schemas_decided_answers_hold_for_every_completion() {
    decided_answers_hold(View::Typed);
}

#[test]
fn with_dynamic_types_decided_answers_hold_for_every_completion_of_each_true_type() {
    decided_answers_hold(View::Any);
}

#[test]
fn without_schemas_decided_answers_hold_for_every_completion_of_each_true_type() {
    decided_answers_hold(View::Bare);
}

/// Each resource of the cases as it turns out, once.
fn known_cases(subject: &Subject) -> Vec<Case> {
    let mut all = HashMap::new();
    for case in subject.cases() {
        for after in case.completions(&subject.kind) {
            let known = case.turned_out(after);
            all.entry(known.plan.clone()).or_insert(known);
        }
    }
    let mut all: Vec<Case> = all.into_values().collect();
    all.sort_by(|a, b| a.plan.cmp(&b.plan));
    all
}

#[test]
fn what_is_known_is_answered_as_the_documentation_says() {
    let mut wrong = Wrong::default();
    for subject in universes().into_iter().map(Subject::new) {
        for case in known_cases(&subject) {
            let after = case.resource.after.as_ref().unwrap();
            let said = ask(&case.plan, subject.schemas(View::Typed), &subject.book, ADDRESS);
            let holding = subject.holding(case.resource.before.as_ref(), after);
            for (rule, (word, holds)) in said.words.iter().zip(holding).enumerate() {
                let expected = if holds { Word::Pass } else { Word::Fail };
                if *word != expected {
                    let kind = format!(
                        "{}: {word:?} for {expected:?} {}",
                        subject.universe.name,
                        subject.rule(rule)
                    );
                    wrong.add(kind, || case.brief());
                }
            }
        }
    }
    wrong.assert_none("a rule is decided by what is known");
}

#[test]
fn a_place_that_passes_does_not_fail_once_it_is_known() {
    let (mut wrong, mut passing) = (Wrong::default(), 0);
    for subject in universes().into_iter().filter(|universe| !universe.kind.has_set()).map(Subject::new) {
        let mut known: HashMap<String, Said> = HashMap::new();
        for case in subject.cases() {
            let said = ask(&case.plan, subject.schemas(View::Typed), &subject.book, ADDRESS);
            for after in sampled(case.completions(&subject.kind)) {
                let turned_out = case.turned_out(after);
                let ask = || ask(&turned_out.plan, subject.schemas(View::Typed), &subject.book, ADDRESS);
                let then = known.entry(turned_out.plan.clone()).or_insert_with(ask);
                for (rule, (now, then)) in said.answers.iter().zip(&then.answers).enumerate() {
                    for answer in now.iter().filter(|answer| answer.outcome == "pass") {
                        passing += 1;
                        let fails = then.iter().any(|then| {
                            then.path == answer.path && then.claim == answer.claim && then.outcome == "fail"
                        });
                        if fails {
                            let kind =
                                format!("{}: {} {}", subject.universe.name, answer.path, subject.rule(rule));
                            wrong.add(kind, || format!("{} then {}", case.brief(), turned_out.brief()));
                        }
                    }
                }
            }
        }
    }
    assert!(passing > 5_000, "only {passing} places passed");
    wrong.assert_none("a place that passes does not fail");
}

/// Every third completion: the others differ in what other laws look at.
fn sampled(all: Vec<Tree>) -> Vec<Tree> {
    all.into_iter().step_by(3).collect()
}
