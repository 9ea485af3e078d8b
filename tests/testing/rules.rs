//! Rules of users: right ones are proven, and mistakes are found and shown.

use plantime::rule::{Custom, Outcome, Rule, Why};
use plantime::testing::{self, Domain, Law, Report};
use plantime::{Type, Value};

fn broken(report: &Report) -> Vec<Law> {
    let mut laws: Vec<Law> = report.violations.iter().map(|violation| violation.law).collect();
    laws.dedup();
    laws
}

fn custom(name: &str, check: impl Fn(&Value) -> Option<bool> + Send + Sync + 'static) -> Rule {
    Rule::Custom(Custom::new(name, move |request| {
        Ok(match check(&request.value().clone().unmark().0) {
            Some(true) => Outcome::Pass,
            Some(false) => Outcome::fail(plantime::rule::Diagnostic::error(
                "Invalid",
                "it is not",
                request.path().clone(),
                "no".to_owned(),
            )),
            None => Outcome::Undetermined(Why::new([request.path().clone()])),
        })
    }))
}

#[test]
fn right_rules_are_proven() {
    let even = Rule::Custom(Custom::of_known("is_even", |value| match value.as_number() {
        Ok(number) if number.to_i64().is_some_and(|number| number % 2 == 0) => Ok(()),
        _ => Err("it is odd".to_owned()),
    }));
    testing::rule(&even).assert();
    testing::rule(&Rule::starts_with("a".to_owned())).exact().assert();
    testing::rule(&Rule::NotNull).reference(|value| Some(!value.is_null())).exact().assert();
}

#[test]
fn a_rule_that_passes_too_early_is_found() {
    // A prefix that the text wanted starts with proves nothing.
    let early = custom("starts_with_ab", |value| match value.as_str() {
        Ok(text) => Some(text.starts_with("ab")),
        Err(_) if value.is_wholly_known() => Some(true),
        Err(_) => {
            let prefix = value.range().prefix().map(str::to_owned).filter(|prefix| !prefix.is_empty());
            prefix.map(|prefix| "ab".starts_with(&prefix) || prefix.starts_with("ab"))
        }
    });
    let domain = Domain::small().of(&Type::String);
    let report = testing::rule(&early).on(domain).report();
    assert_eq!(broken(&report), [Law::Soundness, Law::Monotonicity], "{report}");
    assert_eq!(report.to_string(), include_str!("early_rule.txt").trim_end());
}

#[test]
fn a_rule_that_gives_up_is_found_when_asked() {
    let lazy = custom("is_null", |value| value.is_wholly_known().then(|| value.is_null()));
    let report = testing::rule(&lazy).report();
    assert!(report.is_proven() && !report.imprecise.is_empty(), "{report}");
    assert_eq!(broken(&testing::rule(&lazy).exact().report()), [Law::Optimality]);
}

#[test]
fn a_rule_that_never_decides_and_one_that_looks_at_marks_are_found() {
    let never = custom("never", |_| None);
    assert_eq!(broken(&testing::rule(&never).report())[0], Law::KnownInKnownOut);
    let marked = Rule::Custom(Custom::new("marked", |request| {
        Ok(if request.value().contains_marks() {
            Outcome::Undetermined(Why::new([request.path().clone()]))
        } else {
            Outcome::Pass
        })
    }));
    assert_eq!(broken(&testing::rule(&marked).report()), [Law::Marks]);
    // A text of its own that shows what is marked, alone and below a path.
    let loud = Rule::Custom(Custom::new("loud", |request| {
        let (bare, _) = request.value().unmark_deep();
        let Ok(text) = bare.as_str() else { return Ok(Outcome::Pass) };
        let failure = format!("it is {text}");
        Ok(Outcome::fail(plantime::rule::Diagnostic::error("Invalid", "no", request.path().clone(), failure)))
    }));
    let objects = Domain::around([
        Value::object([("a", "hunter2")]).unwrap(),
        Value::object([("a", "correct horse")]).unwrap(),
    ]);
    assert!(broken(&testing::rule(&loud).report()).contains(&Law::Marks));
    let below = Rule::at("a".parse().unwrap(), loud).unwrap();
    assert!(broken(&testing::rule(&below).on(objects).report()).contains(&Law::Marks));
    let other = testing::rule(&Rule::IsNull).reference(|value| Some(!value.is_null())).report();
    assert_eq!(broken(&other), [Law::Reference]);
}
