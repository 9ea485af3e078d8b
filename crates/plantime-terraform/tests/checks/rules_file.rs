//! Rules files.

use plantime::source::Source;
use plantime::{Type, Value};
use plantime_terraform::plan::RulesFile;

/// A rules file reads the same twice; every problem has a place in it, and they stand in order.
pub fn file(text: &str) {
    let read = |name: &str| RulesFile::read(Source::new(name, text));
    match (read("rules.hcl"), read("rules.hcl")) {
        (Ok(set), Ok(again)) => {
            assert_eq!(set, again);
            for rule in &set.rules {
                for test in &rule.tests {
                    assert!(!test.rule.describe().is_empty() && !test.rule.to_string().is_empty());
                    for value in
                        [Value::dynamic(), Value::from("a"), Value::from(1), Value::null(Type::String)]
                    {
                        if let Ok(outcome) = test.rule.check_value(&value) {
                            assert!(!value.is_wholly_known() || !outcome.is_undetermined());
                        }
                    }
                }
            }
        }
        (Err(problems), Err(again)) => {
            assert!(!problems.is_empty());
            let lines = text.split('\n').count();
            let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(texts, again.iter().map(ToString::to_string).collect::<Vec<_>>());
            for problem in &problems {
                assert!((1..=lines).contains(&problem.position().line), "{problem}");
            }
            assert!(problems.is_sorted_by_key(|problem| problem.position()), "{texts:?}");
        }
        _ => panic!("read twice, two answers"),
    }
}
