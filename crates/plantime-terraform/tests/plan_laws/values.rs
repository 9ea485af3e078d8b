//! Whether a rule can be asked is a matter of the declared types, never of the values of a plan.

use crate::asking::{Word, ask, report};
use crate::cases::{ADDRESS, Case, Subject, View};
use crate::tree::Tree::{Entries, Text};
use crate::universe::universes;
use crate::wrong::Wrong;

/// An attribute of type `dynamic`, or without a schema, may have a value of any type: a rule that cannot read it still has an
/// answer, not an error.
fn rules_can_be_evaluated_on_every_value(view: View) {
    let subjects: Vec<Subject> = universes().into_iter().map(Subject::new).collect();
    let mut wrong = Wrong::default();
    for asked in &subjects {
        for planned in subjects.iter().flat_map(|other| &other.universe.planned) {
            let before =
                asked.universe.before.last().map(|p| Entries(vec![("m", Text("a")), ("p", p.clone())]));
            let after = Entries(vec![("m", Text("a")), ("p", planned.clone())]);
            let case = Case::planned(before, after);
            let Err(problems) = report(&case.plan, asked.schemas(view), &asked.book.all) else { continue };
            for problem in problems {
                let line = problem.position().line;
                let text = asked.book.all.source.line(line).unwrap_or_default().trim();
                wrong.add(format!("{}: {text}", asked.universe.name), || {
                    format!("{} {problem}", case.brief())
                });
            }
        }
    }
    wrong.assert_none("no value makes rules unusable");
}

#[test]
fn rules_can_be_evaluated_on_every_value_of_a_dynamic_type() {
    rules_can_be_evaluated_on_every_value(View::Any);
}

#[test]
fn rules_can_be_evaluated_on_every_value_without_schemas() {
    rules_can_be_evaluated_on_every_value(View::Bare);
}

#[test]
fn with_schemas_rules_that_fit_the_types_are_asked_of_every_value() {
    let mut wrong = Wrong::default();
    for subject in universes().into_iter().map(Subject::new) {
        for case in subject.cases() {
            let said = ask(&case.plan, subject.schemas(View::Typed), &subject.book, ADDRESS);
            for (rule, word) in said.words.iter().enumerate() {
                if matches!(word, Word::Problem | Word::Silent | Word::Skipped) {
                    let kind = format!("{}: {word:?} {}", subject.universe.name, subject.rule(rule));
                    wrong.add(kind, || case.brief());
                }
            }
        }
    }
    wrong.assert_none("a rule that fits the types is asked");
}
