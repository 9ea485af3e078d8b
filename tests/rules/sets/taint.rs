//! No marked content is in a report of any style.

use plantime::rule::set::{Checking, Guard, RuleSet, RuledType, SetRule, Skip};
use plantime::rule::{Custom, Rule, Verdict, keywords};
use plantime::{Mark, Path, Refinement, Type, Value};

use crate::taint_kinds;

fn rules() -> Vec<SetRule> {
    let own = Custom::of("own", |value: &Value| Err::<(), _>(format!("it is {value:?}")));
    let placed = Custom::of("placed", |value: &Value| {
        Verdict::fail(format!("{value:?}")).at(Path::new().index(value.clone()))
    });
    let told = |rule: Rule| SetRule::new(rule).with_message("{key} {value} {desc} {failure}").unwrap();
    vec![
        SetRule::new(Rule::NotNull),
        SetRule::new(Rule::min_len(100)),
        told(Rule::min_len(100)),
        told(Rule::starts_with("zz")),
        told(Rule::one_of(["x".into(), Value::from("hunter3").mark(Mark::SENSITIVE)])),
        SetRule::new(Rule::matches("^z$".parse().unwrap())).warning(),
        told(Rule::any([]).unwrap()),
        SetRule::from(own.clone()),
        told(Rule::Custom(own)),
        SetRule::described("placed", placed),
    ]
}

fn values() -> Vec<Value> {
    let hidden = |value: Value| value.mark(Mark::SENSITIVE);
    let unknown = Value::refined(Type::String, Refinement::prefix("hunter")).unwrap();
    vec![
        hidden("hunter2".into()),
        hidden(unknown.clone()),
        hidden(unknown.assume_not_null().unwrap()),
        hidden(Value::null(Type::String)),
    ]
}

fn shows_secret(text: &str) -> bool {
    taint_kinds::SECRETS.iter().any(|secret| text.contains(secret))
}

/// How many answers are no pass.
#[track_caller]
fn clean(ty: &RuledType, value: &Value) -> usize {
    let report = match ty.check_with(value, &Checking::default()) {
        Ok(report) => report,
        // A path that leads out of the whole.
        Err(misuse) => {
            assert!(!shows_secret(&format!("{misuse} {misuse:?}")), "{misuse}");
            return 0;
        }
    };
    let skips = [Skip::new("**".parse().unwrap())];
    let skipped = ty.check_with(value, &Checking::default().skipping(&skips)).unwrap();
    let said = [
        format!("{ty:?}"),
        format!("{skipped:?}"),
        skipped.to_value().unwrap().to_string(),
        report.messages().join("\n"),
        report.ytt(),
        report.diagnostics().to_string(),
        report.outcome().to_string(),
        report.to_value().unwrap().to_string(),
        format!("{report:?}"),
        format!("{:#?}", report.outcome()),
    ];
    for text in said {
        // The rule's own operand is marked too.
        assert!(!shows_secret(&text), "{text}");
    }
    report.answers().len()
}

#[test]
fn reports_hold_nothing_that_is_marked() {
    let mut answers = 0;
    for rule in rules() {
        for guard in [Guard::default(), Guard::value(Rule::min_len(3)), Guard::parent(Rule::NotNull)] {
            let set = RuleSet::new([rule.clone()]).when(guard);
            let object = RuledType::new(
                "object({ a = string, b = list(string), c = map(string), d = set(string) })"
                    .parse::<Type>()
                    .unwrap(),
            );
            let of = |node: &str| object.clone().at(node, set.clone()).unwrap();
            for value in values() {
                let strings = |value: Value| Value::list([value]).unwrap();
                let around = |c: Value| {
                    Value::object([
                        ("a", value.clone()),
                        ("b", strings(value.clone())),
                        ("c", c),
                        ("d", Value::set([value.clone()]).unwrap()),
                    ])
                    .unwrap()
                };
                let keyed =
                    Value::map([("hunter2", value.clone().unmark().0)]).unwrap().mark(Mark::SENSITIVE);
                let whole = around(keyed);
                for node in ["a", "b[*]", "c[*]", "d[*]"] {
                    answers += clean(&of(node), &whole);
                }
            }
        }
    }
    assert!(answers > 200, "{answers}");
}

/// The kinds are those of the keyword table. The secret is the whole, and a part of it.
#[test]
fn reports_of_no_kind_of_rule_hold_what_is_marked() {
    let mut answers = 0;
    for rule in keywords().iter().flat_map(taint_kinds::rules) {
        let told = SetRule::new(rule.clone()).with_message("{key} {value} {desc} {failure}").unwrap();
        let set = RuleSet::new([told, SetRule::new(rule.clone()).named("own").warning()]);
        for subject in taint_kinds::subjects() {
            let ty = subject.ty();
            if rule.check_type(&ty).is_err() {
                continue;
            }
            let part = RuledType::new(Type::object([("p", ty.clone())]).unwrap());
            let whole = Value::object([("p", subject.clone())]).unwrap();
            for (place, ruled, value) in [("", RuledType::new(ty), subject), ("p", part, whole)] {
                answers += ruled.at(place, set.clone()).map_or(0, |ruled| clean(&ruled, &value));
            }
        }
    }
    assert!(answers > 5_000, "{answers}");
    println!("answers without marked content: {answers}");
}
