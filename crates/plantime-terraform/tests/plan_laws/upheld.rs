//! Law L8 for rules: where nothing fails, the obligations are upheld exactly where all rules hold after the apply.

use plantime_terraform::plan::{Finding, Obligations, State};

use crate::asking::{Word, reports, said};
use crate::cases::{ADDRESS, Subject, View};
use crate::plans;
use crate::universe::universes;
use crate::wrong::Wrong;

/// What became of the obligations of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Became {
    Upheld,
    Broken,
    NotVerifiable,
}

fn obligations_are_upheld_where_rules_hold(view: View) {
    let (mut wrong, mut verified) = (Wrong::default(), 0);
    for subject in universes().into_iter().map(Subject::new) {
        let schemas = subject.schemas(view);
        for case in subject.cases() {
            let reports = reports(&case.plan, schemas, &subject.book);
            let words = said(&reports, &subject.book, ADDRESS).words;
            let written: Vec<Obligations> = reports
                .iter()
                .map(|(_, report)| report.obligations(case.plan.as_bytes()).to_json().to_string())
                .map(|text| Obligations::read(text.as_bytes()).unwrap())
                .collect();
            for after in case.completions(&subject.kind) {
                let state = State::read(plans::state(&case.resource, &after).as_bytes(), schemas).unwrap();
                let mut became = vec![Became::Upheld; words.len()];
                for one in written.iter().flat_map(|obligations| obligations.verify(&state).verified) {
                    let index: usize = one.obligation.rule().unwrap()[1..].parse().unwrap();
                    match one.finding {
                        Finding::Upheld => {}
                        Finding::Broken(_) => became[index] = Became::Broken,
                        Finding::NotVerifiable(_) if became[index] == Became::Upheld => {
                            became[index] = Became::NotVerifiable;
                        }
                        Finding::NotVerifiable(_) => {}
                    }
                }
                let holding = subject.holding(case.resource.before.as_ref(), &after);
                for (rule, (became, holds)) in became.into_iter().zip(holding).enumerate() {
                    if !matches!(words[rule], Word::Pass | Word::Undetermined) {
                        continue;
                    }
                    verified += 1;
                    // Without a schema a map looks like an object, and a key may be missing in the state.
                    let is_open = view == View::Bare && became == Became::NotVerifiable;
                    if !is_open && became != if holds { Became::Upheld } else { Became::Broken } {
                        let holds = if holds { "holds" } else { "does not hold" };
                        let kind = format!(
                            "{}: {:?}, {became:?}, {holds} {}",
                            subject.universe.name,
                            words[rule],
                            subject.rule(rule)
                        );
                        wrong.add(kind, || format!("{} turns out {after}", case.brief()));
                    }
                }
            }
        }
    }
    assert!(verified > 20_000, "only {verified} rules were verified");
    wrong.assert_none("obligations are upheld exactly where the rules hold");
}

#[test]
fn with_schemas_obligations_are_upheld_exactly_where_the_rules_hold() {
    obligations_are_upheld_where_rules_hold(View::Typed);
}

#[test]
fn without_schemas_obligations_are_upheld_exactly_where_the_rules_hold() {
    obligations_are_upheld_where_rules_hold(View::Bare);
}
