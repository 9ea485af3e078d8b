//! A schema may decide more. It turns no decided answer around, and none that was decided without it becomes open.

use crate::asking::{Word, ask};
use crate::cases::{ADDRESS, Subject, View};
use crate::universe::universes;
use crate::wrong::Wrong;

fn less_is_decided(than: View, by: View) {
    let mut wrong = Wrong::default();
    for subject in universes().into_iter().map(Subject::new) {
        for case in subject.cases() {
            let more = ask(&case.plan, subject.schemas(than), &subject.book, ADDRESS);
            let less = ask(&case.plan, subject.schemas(by), &subject.book, ADDRESS);
            for (rule, (more, less)) in more.words.iter().zip(&less.words).enumerate() {
                let fits = match less {
                    Word::Pass | Word::Fail => more == less,
                    Word::Undetermined => more.is_decided() || *more == Word::Undetermined,
                    Word::Problem => true,
                    Word::Silent | Word::Skipped => false,
                };
                if !fits {
                    let kind = format!(
                        "{}: {more:?} {than:?}, {less:?} {by:?} {}",
                        subject.universe.name,
                        subject.rule(rule)
                    );
                    wrong.add(kind, || case.brief());
                }
            }
        }
    }
    wrong.assert_none("less knowledge decides less");
}

#[test]
fn no_answer_without_a_schema_differs_from_the_one_with_the_schema() {
    less_is_decided(View::Typed, View::Bare);
}

#[test]
fn no_answer_with_dynamic_types_differs_from_the_one_with_the_types() {
    less_is_decided(View::Typed, View::Any);
}
