//! Operations of users: right ones are proven, and each kind of mistake is found and shown.

use std::cell::Cell;

use plantime::testing::{self, Domain, Law, Proof, Report};
use plantime::{Error, Mark, NumberRange, Refinement, Result, Type, Value};

fn numbers() -> Domain {
    Domain::small().of(&Type::Number)
}

fn texts() -> Domain {
    Domain::small().of(&Type::String)
}

/// The laws that are broken, in order, each once.
fn broken(report: &Report) -> Vec<Law> {
    let mut laws: Vec<Law> = report.violations.iter().map(|violation| violation.law).collect();
    laws.dedup();
    laws
}

#[track_caller]
fn shows(proof: Proof<'_>, laws: &[Law], text: &str) {
    let report = proof.report();
    assert_eq!(broken(&report), laws, "{report}");
    assert!(report.to_string().contains(text), "{report}");
}

/// A text with a prefix before it; null stays null.
fn named(text: &Value, of_unknown: impl Fn() -> Result<Value>) -> Result<Value> {
    let (text, marks) = text.clone().unmark();
    let text = text.assume_type(&Type::String)?;
    let named = match text.as_str() {
        Ok(text) => Value::from(format!("app-{text}")),
        Err(_) if text.is_null() => text,
        Err(error) if error.is_unknown() => of_unknown()?,
        Err(error) => return Err(error),
    };
    Ok(named.with_marks(&marks))
}

fn with_prefix(nullable: bool) -> Result<Value> {
    let prefix = Refinement::prefix("app-");
    Value::refined(Type::String, if nullable { prefix } else { prefix.and_not_null() })
}

/// One more, on an interval as on a number.
fn successor(number: &Value) -> Result<Value> {
    number.add(&Value::from(1))
}

/// The smaller one of three numbers.
fn least(numbers: &[&Value]) -> std::result::Result<Value, Box<dyn std::error::Error>> {
    let mut least: Option<Value> = None;
    for number in numbers {
        let number = number.add(&Value::from(0))?;
        least = Some(match least {
            None => number,
            Some(other) => {
                let marks = other.marks().union(number.marks());
                let less = number.less_than(&other)?.unmark().0;
                let chosen = match less.as_bool() {
                    Ok(true) => number,
                    Ok(false) => other,
                    Err(_) => Value::unknown(Type::Number).assume_not_null()?,
                };
                chosen.with_marks(&marks)
            }
        });
    }
    least.ok_or_else(|| "the least of no numbers".into())
}

#[test]
fn right_operations_are_proven() {
    testing::unary("named", |text| named(text, || with_prefix(true))).assert();
    testing::unary("successor", successor).on([numbers()]).assert();
    testing::variadic("least", least).assert();
    testing::variadic("least", least).on(vec![Domain::scalars().of(&Type::Number); 3]).assert();
    testing::binary("add", Value::add).on([numbers(), numbers()]).optimal().assert();
    testing::binary("equals", Value::equals)
        .reference(|operands| {
            Some(Value::from(operands[0] == operands[1] || operands.iter().all(|o| o.is_null())))
        })
        .assert();
}

/// The texts that a user meets, in full.
#[test]
fn a_report_shows_an_example_of_each_mistake() {
    let dropped = testing::unary("named", |text| named(text, || with_prefix(false))).on([texts()]).report();
    assert_eq!(dropped.to_string(), include_str!("dropped_null.txt").trim_end());
    let off_by_one = |number: &Value| {
        let answer = successor(number)?;
        match answer.range().number_range().and_then(|range| range.upper().number().cloned()) {
            Some(end) if !answer.is_known() => answer.assume_number_range(NumberRange::below(end)?),
            _ => Ok(answer),
        }
    };
    let off_by_one = testing::unary("successor", off_by_one).on([numbers()]).report();
    assert_eq!(off_by_one.to_string(), include_str!("off_by_one.txt").trim_end());
}

#[test]
fn an_error_where_an_answer_is_possible_is_found() {
    let known_only = |number: &Value| number.as_number().map(|number| Value::from(number.clone()));
    let proof = testing::unary("known_only", known_only).without_marks();
    let text = "known_only(unknown(number)) is an error: number required, but it is not known yet\n    \
                but known_only(-inf) = -inf";
    shows(proof, &[Law::Soundness, Law::Monotonicity], text);
}

#[test]
fn an_answer_that_is_not_known_for_known_operands_is_found() {
    let vague = |value: &Value| Ok::<Value, Error>(Value::unknown(value.ty()).with_same_marks([value]));
    let report = testing::unary("vague", vague).on([Domain::scalars()]).report();
    assert_eq!(broken(&report), [Law::KnownInKnownOut]);
}

#[test]
fn a_reference_that_differs_is_found() {
    let proof = testing::unary("negate", Value::negate)
        .on([numbers()])
        .reference(|operands| operands[0].absolute().and_then(|number| number.negate()).ok());
    shows(proof, &[Law::Reference], "negate(-inf) = inf\n    but the reference has -inf");
}

#[test]
fn an_answer_that_widens_is_found() {
    // Sound, but it says less of the more that is known.
    let forgetful = |number: &Value| {
        let forgets = matches!(number, Value::Refined(_)) && number.range().number_range().is_some();
        if forgets { Ok(Value::dynamic().with_same_marks([number])) } else { number.add(&Value::from(0)) }
    };
    let report = testing::unary("forgetful", forgetful).on([numbers()]).report();
    assert_eq!(broken(&report), [Law::Monotonicity], "{report}");
}

#[test]
fn answers_that_could_say_more_are_counted_or_refused() {
    let vague = |a: &Value| {
        let answer = a.not()?;
        if answer.is_known() {
            Ok::<Value, Error>(answer)
        } else {
            Ok(Value::unknown(Type::Bool).with_same_marks([a]))
        }
    };
    let proof = || testing::unary("vague", vague).on([Domain::small()]);
    let report = proof().report();
    assert!(report.is_proven() && !report.imprecise.is_empty(), "{report}");
    assert!(report.to_string().contains("answers could say more, such as"), "{report}");
    shows(proof().optimal(), &[Law::Optimality], "contains all that can come of it");
    // A row allows it, but must be needed, and not too wide.
    let allowed = proof().allow(&["unknown bool"], "not worth it").report();
    assert!(allowed.imprecise.iter().all(|violation| violation.kinds != ["unknown bool"]), "{allowed:?}");
    shows(proof().allow(&["known bool"], "no use"), &[Law::Optimality], "row without use");
    shows(proof().allow(&["*"], "too much"), &[Law::Optimality], r#"tuples: ["*"] (too much)"#);
}

#[test]
fn marks_that_get_lost_or_change_an_answer_are_found() {
    let loses = |a: &Value| a.clone().unmark_deep().0.not();
    shows(testing::unary("loses", loses).on([Domain::scalars()]), &[Law::Marks], "the mark is lost");
    let reads = |a: &Value| a.as_bool().map(Value::from).or_else(|_| a.not());
    let proof =
        testing::unary("reads", |a| if a.is_null() { reads(a) } else { Ok(Value::from(a.is_marked())) });
    assert!(broken(&proof.on([Domain::scalars()]).report()).contains(&Law::Marks));
    let invents = |a: &Value| a.not().map(|answer| answer.mark(Mark::new("mine")));
    shows(testing::unary("invents", invents).on([Domain::scalars()]), &[], "");
    let shows_it = |a: &Value| {
        let (bare, _) = a.unmark_deep();
        match bare.as_bool() {
            Ok(_) => a.not().map_err(|error| error.to_string()),
            Err(_) if !bare.is_known() => a.not().map_err(|error| error.to_string()),
            Err(_) => Err(format!("{bare} is no bool")),
        }
    };
    shows(
        testing::unary("shows_it", shows_it).on([Domain::scalars()]),
        &[Law::Marks],
        "shows what is marked: [\"hunter2\", 731529] is no bool",
    );
}

#[test]
fn a_panic_is_a_violation() {
    let panics = |a: &Value| if a.is_null() { panic!("null here") } else { a.not() };
    shows(testing::unary("panics", panics), &[Law::Totality], "panics(null(dynamic)) panics: null here");
}

#[test]
fn an_answer_that_changes_from_call_to_call_is_found() {
    let calls = Cell::new(0);
    let counts = |a: &Value| {
        calls.set(calls.get() + 1);
        if a.is_known() {
            Ok::<Value, Error>(a.clone())
        } else if calls.get() % 2 == 0 {
            Ok(Value::dynamic())
        } else {
            Ok(a.clone())
        }
    };
    let report = testing::unary("counts", counts).on([Domain::scalars()]).without_marks().report();
    assert!(broken(&report).contains(&Law::Determinism), "{report}");
}

#[test]
fn domains_that_are_too_large_are_refused() {
    let last = |values: &[&Value]| {
        Ok::<Value, Error>(values.last().map_or_else(Value::dynamic, |value| (*value).clone()))
    };
    let proof = testing::variadic("last", last).on(vec![Domain::medium(); 4]);
    shows(proof, &[Law::Budget], "the domains of the 4 operands have more than 20000000 combinations");
    let pair = |a: &Value, b: &Value| Value::tuple([a.clone(), b.clone()]);
    let proof = testing::binary("pair", pair).on([Domain::medium(), Domain::medium()]);
    shows(proof, &[Law::Budget], "more than 20000 different answers");
}

#[test]
fn a_number_of_domains_other_than_that_of_the_operands_proves_nothing() {
    let calls = Cell::new(0);
    let negate = |a: &Value| {
        calls.set(calls.get() + 1);
        a.negate()
    };
    let proof = testing::unary("negate", negate).on([Domain::scalars(), Domain::scalars()]);
    shows(proof, &[Law::Budget], "the number of domains is 2, the number of operands 1");
    assert_eq!(calls.get(), 0);
    let proof = testing::binary("add", Value::add).on([Domain::scalars()]);
    shows(proof, &[Law::Budget], "the number of domains is 1, the number of operands 2");
}

#[test]
fn an_operation_that_reads_a_format_is_proven_on_values_of_that_format() {
    // The octet before the first dot.
    let octet = |text: &Value, careless: bool| {
        let (text, marks) = text.clone().unmark();
        let text = text.assume_type(&Type::String)?;
        let start = text.range().prefix().map(str::to_owned);
        let read = |text: &str| text.split('.').next().unwrap_or_default().parse::<u8>().map(Value::from);
        let answer = match (text.as_str(), start) {
            (Ok(text), _) => read(text)?,
            (Err(error), _) if !error.is_unknown() => return Err(error.into()),
            (_, Some(start)) if start.contains('.') || careless => read(&start)?,
            _ => Value::unknown(Type::Number).assume_not_null()?.assume_number_range(NumberRange::new(
                plantime::Bound::Inclusive(0.into()),
                plantime::Bound::Inclusive(255.into()),
            )?)?,
        };
        Ok::<Value, Box<dyn std::error::Error>>(answer.with_marks(&marks))
    };
    let addresses = || [Domain::around(["10.0.0.1", "10.1.2.3", "172.16.0.1", "1.2.3.4", "x", ""])];
    testing::unary("octet", |text| octet(text, false)).on(addresses()).assert();
    let report = testing::unary("octet", |text| octet(text, true)).on(addresses()).report();
    assert!(broken(&report).contains(&Law::Soundness), "{report}");
}
