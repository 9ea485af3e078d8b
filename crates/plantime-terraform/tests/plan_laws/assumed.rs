//! Assumptions in plans: answers hold wherever the assumption does, a contradiction is certain, and the obligation that
//! an assumption leaves is upheld exactly where it holds.

use plantime::source::Source;
use plantime_terraform::plan::{Expectation, Finding, Obligations, RulesFile, State};

use crate::asking::{self, Word, answers, name, word};
use crate::cases::{ADDRESS, Subject, View};
use crate::plans;
use crate::tree::Tree;
use crate::universe::universes;
use crate::wrong::Wrong;

/// An assumption about `p`, and what it means.
struct Assumption {
    universe: &'static str,
    text: &'static str,
    holds: fn(&Tree) -> bool,
}

fn length(tree: &Tree) -> usize {
    match tree {
        Tree::Array(items) => items.len(),
        Tree::Entries(entries) => entries.len(),
        tree => panic!("the length of {tree}"),
    }
}

const ASSUMPTIONS: &[Assumption] = &[
    Assumption { universe: "string", text: "notnull()", holds: |p| *p != Tree::Null },
    Assumption {
        universe: "string",
        text: "notnull(stringprefix(\"a\"))",
        holds: |p| matches!(p, Tree::Text(text) if text.starts_with('a')),
    },
    Assumption {
        universe: "string",
        text: "stringprefix(\"b\")",
        holds: |p| *p == Tree::Null || matches!(p, Tree::Text(text) if text.starts_with('b')),
    },
    Assumption { universe: "bool", text: "notnull()", holds: |p| *p != Tree::Null },
    Assumption {
        universe: "number",
        text: "notnull(numberrange(2, 9))",
        holds: |p| matches!(p, Tree::Number(2..=9)),
    },
    Assumption {
        universe: "number",
        text: "numbermax(3)",
        holds: |p| *p == Tree::Null || matches!(p, Tree::Number(..=3)),
    },
    Assumption {
        universe: "list",
        text: "notnull(listlength(1, 1))",
        holds: |p| *p != Tree::Null && length(p) == 1,
    },
    Assumption {
        universe: "set",
        text: "notnull(setlengthmin(2))",
        holds: |p| *p != Tree::Null && length(p) >= 2,
    },
    Assumption { universe: "map", text: "maplengthmax(0)", holds: |p| *p == Tree::Null || length(p) == 0 },
    Assumption { universe: "object", text: "notnull()", holds: |p| *p != Tree::Null },
    Assumption {
        universe: "list-of-objects",
        text: "notnull(listlengthmin(1))",
        holds: |p| *p != Tree::Null && length(p) >= 1,
    },
];

#[test]
fn answers_under_an_assumption_hold_where_it_holds_and_its_obligation_says_where_it_does() {
    let (mut wrong, mut decided, mut contradicted) = (Wrong::default(), 0, 0);
    for assumption in ASSUMPTIONS {
        let universe = universes().into_iter().find(|universe| universe.name == assumption.universe).unwrap();
        let subject = Subject::new(universe);
        let schemas = subject.schemas(View::Typed);
        let text = format!(
            "assume \"x_y\" {{\n p = assumed({})\n}}\n{}",
            assumption.text,
            subject.book.all.source.text()
        );
        let rules: RulesFile = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
        let what =
            |rule: usize| format!("{} {}: {}", assumption.universe, assumption.text, subject.rule(rule));
        for case in subject.cases() {
            let Ok(report) = asking::report(&case.plan, schemas, &rules) else {
                wrong.add(format!("{}: a problem", assumption.text), || case.brief());
                continue;
            };
            let completions = case.completions(&subject.kind);
            let holds: Vec<bool> =
                completions.iter().map(|after| (assumption.holds)(after.entry("p").unwrap())).collect();
            let is_contradicted = report.totals().contradicted > 0;
            contradicted += usize::from(is_contradicted);
            if is_contradicted && holds.contains(&true) {
                wrong.add(format!("{}: contradicted though it may hold", assumption.text), || case.brief());
            }
            if !is_contradicted && !holds.contains(&true) {
                wrong.add(format!("{}: no word of the contradiction", assumption.text), || case.brief());
            }
            if is_contradicted {
                continue;
            }
            let said = answers(&report);
            let words: Vec<Word> = (0..subject.rules.len())
                .map(|rule| word(said.get(&(name(rule), ADDRESS.to_owned())).map_or(&[], Vec::as_slice)))
                .collect();
            let written = report.obligations(b"").to_json().to_string();
            let obligations = Obligations::read(written.as_bytes()).unwrap();
            for (after, holds) in completions.iter().zip(holds) {
                let state = State::read(plans::state(&case.resource, after).as_bytes(), schemas).unwrap();
                let verified = obligations.verify(&state).verified;
                let assumed = verified
                    .iter()
                    .filter(|one| matches!(one.obligation.expectation, Expectation::Assumption(_)));
                // Where the plan alone decides, there is nothing left to verify.
                let upheld = assumed.into_iter().all(|one| one.finding == Finding::Upheld);
                if upheld != holds {
                    let kind = format!(
                        "{} {}: upheld {upheld}, holds {holds}",
                        assumption.universe, assumption.text
                    );
                    wrong.add(kind, || format!("{} turns out {after}", case.brief()));
                }
                if !holds {
                    continue;
                }
                let holding = subject.holding(case.resource.before.as_ref(), after);
                for (rule, (word, holding)) in words.iter().zip(holding).enumerate() {
                    decided += usize::from(word.is_decided());
                    let broken = verified.iter().any(|one| {
                        one.obligation.rule() == Some(&name(rule)) && one.finding != Finding::Upheld
                    });
                    let kept = match word {
                        Word::Pass => holding && !broken,
                        Word::Fail => !holding,
                        _ => holding != broken,
                    };
                    if !kept {
                        wrong.add(what(rule), || format!("{word:?} {} turns out {after}", case.brief()));
                    }
                }
            }
        }
    }
    assert!(decided > 5_000 && contradicted > 10, "{decided} decided, {contradicted} contradicted");
    wrong.assert_none("what is assumed is as good as what is known");
}
