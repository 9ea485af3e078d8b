//! L10 for rules made of rules: sound, at least as precise as Kleene's logic over the answers of the parts, and what
//! is left to check gives the same answers.

use std::collections::BTreeSet;

use plantime::Value;
use plantime::rule::Rule;

use crate::concrete::{C, Ty};
use crate::laws::{Word, best, obligation, word};
use crate::universe::{Abstract, bools, texts};

/// A rule and its meaning on concrete values.
#[derive(Clone)]
struct Part {
    rule: Rule,
    holds: std::rc::Rc<dyn Fn(&C) -> bool>,
}

fn part(rule: Rule, holds: impl Fn(&C) -> bool + 'static) -> Part {
    Part { rule, holds: std::rc::Rc::new(holds) }
}

fn text(c: &C) -> &str {
    match c {
        C::Str(text) => text,
        _ => "",
    }
}

fn parts() -> Vec<Part> {
    let among = |texts: [&'static str; 2]| move |c: &C| c.is_null() || texts.contains(&text(c));
    vec![
        part(Rule::NotNull, |c| !c.is_null()),
        part(Rule::IsNull, C::is_null),
        part(Rule::starts_with("a"), |c| c.is_null() || text(c).starts_with('a')),
        part(Rule::starts_with("ab"), |c| c.is_null() || text(c).starts_with("ab")),
        part(Rule::ends_with("b"), |c| c.is_null() || text(c).ends_with('b')),
        part(Rule::max_len(2), |c| c.is_null() || text(c).len() <= 2),
        part(Rule::one_of(["a", "bb"]), among(["a", "bb"])),
        part(Rule::all([]).unwrap(), |_| true),
        part(Rule::any([]).unwrap(), |_| false),
    ]
}

/// All rules of one combinator around parts.
fn around(parts: &[Part]) -> Vec<Part> {
    let mut all = Vec::new();
    for a in parts {
        let holds = a.holds.clone();
        if let Ok(rule) = Rule::not(a.rule.clone()) {
            all.push(part(rule, move |c| c.is_null() || !holds(c)));
        }
        for b in parts {
            let pair = || [a.rule.clone(), b.rule.clone()];
            let (x, y) = (a.holds.clone(), b.holds.clone());
            all.push(part(Rule::all(pair()).unwrap(), move |c| x(c) && y(c)));
            let (x, y) = (a.holds.clone(), b.holds.clone());
            all.push(part(Rule::sequence(pair()).unwrap(), move |c| x(c) && y(c)));
            let (x, y) = (a.holds.clone(), b.holds.clone());
            all.push(part(Rule::any(pair()).unwrap(), move |c| x(c) || y(c)));
            let (x, y) = (a.holds.clone(), b.holds.clone());
            // A rule that no value breaks is refused.
            if let Ok(rule) = Rule::implies(a.rule.clone(), b.rule.clone()) {
                all.push(part(rule, move |c| c.is_null() || !x(c) || y(c)));
            }
            let (x, y) = (a.holds.clone(), b.holds.clone());
            let rule = Rule::when(a.rule.clone(), b.rule.clone()).unwrap();
            all.push(part(rule, move |c| !x(c) || y(c)));
        }
    }
    all
}

/// The strings with a nullable, a not null, an always null and a known form each, few enough for pairs of rules.
fn values() -> Vec<Abstract> {
    let mut all: Vec<Abstract> = texts().into_iter().filter(|value| value.gamma.len() > 1).collect();
    all.extend(["", "a", "ab", "bb", "bab"].map(|text| crate::universe::known(&C::Str(text.into()))));
    all.push(crate::universe::known(&C::Null(Ty::Str)));
    all.push(crate::universe::known(&C::Null(Ty::Any)));
    all
}

fn check(rules: &[Part], values: &[Abstract]) -> usize {
    let mut calls = 0;
    for Part { rule, holds } in rules {
        for Abstract { value, gamma } in values {
            let outcomes: BTreeSet<Option<bool>> = gamma.iter().map(|c| Some(holds(c))).collect();
            let (expected, answer) = (best(&outcomes), word(rule, value));
            assert!(
                answer == expected || answer == Word::Undetermined && gamma.len() > 1,
                "{rule} on {value:?}: {answer:?}, should be {expected:?}"
            );
            obligation(rule, value, gamma, |c| best(&BTreeSet::from([Some(holds(c))])));
            calls += 1;
        }
    }
    calls
}

#[test]
fn combinators_are_sound_and_leave_exact_obligations() {
    let (parts, values) = (parts(), values());
    let once = around(&parts);
    let mut calls = check(&once, &values);
    // Two levels, over every seventh rule of the first.
    let sample: Vec<Part> = once.iter().step_by(13).cloned().collect();
    calls += check(&around(&sample), &values);
    println!("combinators: {} abstract values, {calls} calls", values.len());
}

fn kleene(name: &str, a: Word, b: Word) -> Word {
    use Word::{Fail, Pass, Undetermined};
    let not = |word| match word {
        Pass => Fail,
        Fail => Pass,
        other => other,
    };
    let any = |a, b| match (a, b) {
        (Pass, _) | (_, Pass) => Pass,
        (Fail, Fail) => Fail,
        _ => Undetermined,
    };
    match name {
        "all" | "sequence" => not(any(not(a), not(b))),
        "any" => any(a, b),
        _ => any(not(a), b),
    }
}

#[test]
fn combinators_follow_kleene_on_values_that_are_not_null_and_are_never_less_precise() {
    let parts = parts();
    for Abstract { value, gamma } in values() {
        let never_null = !gamma.iter().any(C::is_null);
        for a in &parts {
            for b in &parts {
                let pair = || [a.rule.clone(), b.rule.clone()];
                let (x, y) = (word(&a.rule, &value), word(&b.rule, &value));
                for (name, rule) in [
                    ("all", Rule::all(pair())),
                    ("sequence", Rule::sequence(pair())),
                    ("any", Rule::any(pair())),
                    ("implies", Rule::implies(a.rule.clone(), b.rule.clone())),
                    ("when", Rule::when(a.rule.clone(), b.rule.clone())),
                ] {
                    // A rule that no value breaks is refused.
                    let Ok(rule) = rule else { continue };
                    let (expected, answer) = (kleene(name, x, y), word(&rule, &value));
                    let decided = name != "implies" && expected != Word::Undetermined;
                    if never_null || decided {
                        assert_eq!(answer, expected, "{rule} on {value:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn no_combinator_makes_a_pass_of_misuse() {
    let misused = Rule::starts_with("a");
    let fine = [Rule::all([]).unwrap(), Rule::any([]).unwrap()];
    for Abstract { value, .. } in bools() {
        for fine in &fine {
            for rule in [
                Rule::all([fine.clone(), misused.clone()]),
                Rule::sequence([fine.clone(), misused.clone()]),
                Rule::any([fine.clone(), misused.clone()]),
                Rule::not(misused.clone()),
                Rule::implies(fine.clone(), misused.clone()),
                Rule::implies(misused.clone(), fine.clone()),
                Rule::when(fine.clone(), misused.clone()),
                Rule::when(misused.clone(), fine.clone()),
                Rule::at("[*]".parse().unwrap(), misused.clone()),
            ] {
                assert_eq!(word(&rule.unwrap(), &value), Word::Misuse);
            }
        }
    }
    // Also where there is nothing to check yet.
    let empty = Value::list_of(plantime::Type::Bool, Vec::<Value>::new()).unwrap();
    assert_eq!(word(&Rule::at("[*]".parse().unwrap(), misused).unwrap(), &empty), Word::Misuse);
}

#[test]
fn undetermined_keeps_all_reasons() {
    let rule = Rule::all(["a", "b", "c"].map(|name| Rule::at(name.parse().unwrap(), Rule::NotNull).unwrap()))
        .unwrap();
    let open = Value::unknown(plantime::Type::Bool);
    let value = plantime::value!({ "a": (open.clone()), "b": true, "c": open }).unwrap();
    let outcome = rule.check_value(&value).unwrap();
    let why = outcome.why().unwrap();
    assert_eq!(why.inputs().iter().map(ToString::to_string).collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(why.obligation().unwrap().to_string(), "all(at(a, not_null), at(c, not_null))");
    assert_eq!(why.passes_if(), "a turns out not null and c turns out not null");
}
