//! Rules below unknown objects, tuples and collections of which something is known: the answers, and the refinements that the
//! rules imply, against all values of small types.

use std::collections::BTreeSet;
use std::slice::from_ref;

use plantime::rule::Rule;
use plantime::{Refinement, Type, Value};

use crate::laws::{Word, best, word};

/// Every value of the type with strings of one letter and up to two elements in a list.
fn concretes(ty: &Type) -> Vec<Value> {
    let mut all = vec![Value::null(ty.clone())];
    let rows = |types: Vec<Type>| {
        types.iter().fold(vec![Vec::new()], |rows: Vec<Vec<Value>>, ty| {
            let choices = concretes(ty);
            rows.iter()
                .flat_map(|row| choices.iter().map(|choice| [row.as_slice(), from_ref(choice)].concat()))
                .collect()
        })
    };
    match ty {
        Type::String => all.extend(["", "x", "xz", "y", "yz"].map(Value::from)),
        Type::Object(ty) => {
            let names: Vec<&str> = ty.attribute_names().collect();
            for row in rows(ty.iter().map(|(_, ty)| ty.clone()).collect()) {
                all.push(Value::object(names.iter().zip(row)).unwrap());
            }
        }
        Type::Tuple(ty) => {
            all.extend(rows(ty.iter().cloned().collect()).into_iter().map(|row| Value::tuple(row).unwrap()));
        }
        Type::List(ty) => {
            for count in 0..=2 {
                for row in rows(vec![ty.element().clone(); count]) {
                    all.push(Value::list_of(ty.element().clone(), row).unwrap());
                }
            }
        }
        ty => panic!("{ty}"),
    }
    all
}

/// Rules on strings, with null.
fn tests() -> Vec<Rule> {
    let x = || Rule::starts_with("x");
    vec![
        Rule::NotNull,
        Rule::IsNull,
        x(),
        Rule::min_len(1),
        Rule::one_of(["x", "y"]),
        Rule::all([Rule::NotNull, x()]).unwrap(),
        Rule::any([Rule::IsNull, x()]).unwrap(),
    ]
}

/// Types, each with paths into it and with what may be known of an unknown of it.
fn cases() -> Vec<(&'static str, Vec<&'static str>, Vec<&'static str>)> {
    vec![
        (
            "object({a = string, b = string})",
            vec!["a", "b"],
            vec![
                r#"attribute("a", notnull())"#,
                r#"attribute("a", stringprefix("x"))"#,
                r#"notnull(attribute("a", notnull(stringprefix("x"))), attribute("b", null()))"#,
                "notnull()",
            ],
        ),
        (
            "tuple([string, object({a = string})])",
            vec!["[0]", "[1].a"],
            vec![
                r#"tupleelement(0, notnull(stringprefix("x")))"#,
                r#"tupleelement(1, attribute("a", notnull(oneof("x", "y"))))"#,
                r#"tupleelement(1, notnull(attribute("a", stringprefix("y"))))"#,
            ],
        ),
        (
            "list(object({a = string}))",
            vec!["[*].a", "[0].a", "[1].a"],
            vec![
                r#"elements(attribute("a", notnull(stringprefix("x"))))"#,
                r#"notnull(lengthmin(1), elements(notnull(attribute("a", stringprefix("x")))))"#,
                r#"notnull(lengthmin(1), elements(notnull(attribute("a", notnull()))))"#,
            ],
        ),
        (
            "object({a = list(string)})",
            vec!["a[*]", "a[0]", "a[1]"],
            vec![
                r#"attribute("a", elements(notnull(stringprefix("x"))))"#,
                r#"attribute("a", notnull(lengthmin(1), elements(notnull(stringprefix("x")))))"#,
                r#"notnull(attribute("a", notnull(lengthmax(1), elements(oneof("x", "y")))))"#,
            ],
        ),
    ]
}

#[test]
fn a_rule_below_an_unknown_answers_by_what_is_known_of_the_part() {
    let mut decided = 0;
    for (ty, paths, known) in cases() {
        let ty: Type = ty.parse().unwrap();
        let concretes = concretes(&ty);
        let unknowns = known.iter().chain(&["any()"]).map(|known| {
            let known: Refinement = known.parse().unwrap();
            Value::refined(ty.clone(), known).unwrap()
        });
        for unknown in unknowns {
            let outcomes: Vec<&Value> = concretes.iter().filter(|value| unknown.may_become(value)).collect();
            assert!(outcomes.len() > 1, "{unknown:?}");
            for path in &paths {
                for test in tests() {
                    let rule = Rule::at(path.parse().unwrap(), test).unwrap();
                    let meaning = |value: &&Value| match word(&rule, value) {
                        Word::Pass => Some(true),
                        Word::Fail => Some(false),
                        other => panic!("{rule} on {value:?}: {other:?}"),
                    };
                    let best = best(&outcomes.iter().map(meaning).collect::<BTreeSet<_>>());
                    let answer = word(&rule, &unknown);
                    assert_eq!(answer, best, "{rule} on {unknown:?}");
                    decided += usize::from(answer != Word::Undetermined);
                }
            }
        }
    }
    assert!(decided > 50, "{decided} answers are decided");
}

#[test]
fn a_rule_below_implies_a_refinement_of_the_whole() {
    let mut exact = 0;
    for (ty, paths, _) in cases() {
        let ty: Type = ty.parse().unwrap();
        for path in &paths {
            for test in tests() {
                let rule = Rule::at(path.parse().unwrap(), test).unwrap();
                let implied = rule.implied_refinement(&ty);
                let refinement = rule.as_refinement_for(&ty);
                exact += usize::from(refinement.is_some());
                for concrete in concretes(&ty) {
                    let passes = word(&rule, &concrete) == Word::Pass;
                    let within = concrete.assume(&implied).is_ok();
                    assert!(within || !passes, "{rule} on {concrete:?} implies {implied}");
                    if let Some(refinement) = &refinement {
                        assert_eq!(refinement, &implied, "{rule} for {ty}");
                        assert_eq!(within, passes, "{rule} on {concrete:?} is {implied}");
                    }
                }
            }
        }
    }
    assert!(exact >= 36, "{exact} rules are refinements");
}

#[test]
fn a_product_of_unknown_factors_waits_for_them() {
    let rule = Rule::equal_to_product_of(["<.factors[*]".parse().unwrap()]);
    let rule = Rule::at("n".parse().unwrap(), rule).unwrap();
    // With no factors the product is 1.
    for known in
        ["notnull(elements(null()))", "notnull(elements(notnull(numberrange(5, 5))))", "elements(null())"]
    {
        let factors = Value::refined(Type::list(Type::Number).unwrap(), known.parse().unwrap()).unwrap();
        let whole = Value::object([("n", Value::from(7)), ("factors", factors)]).unwrap();
        assert_eq!(word(&rule, &whole), Word::Undetermined, "{known}");
    }
}
