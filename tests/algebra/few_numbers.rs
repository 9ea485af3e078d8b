//! Operations on numbers of which a list is known: the results of each choice, held against the answer.
//!
//! The best answer is the join of the refinements of all results, which the laws of the lattice prove to be the smallest
//! refinement that holds them.

use plantime::{Bound, Number, NumberRange, Refinement, Result, Type, Value, convert};

/// An operand with all that it may become, in halves.
struct Operand {
    value: Value,
    becomes: Vec<Number>,
}

/// Every choice of some of these numbers: fractions, 0, both signs, an infinity.
fn operands() -> Vec<Operand> {
    let numbers = ["-3", "-1", "0", "0.5", "2", "inf"].map(|text| text.parse::<Number>().unwrap());
    let chosen = |mask: u32| {
        let bits = numbers.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 == 1);
        bits.map(|(_, number)| number.clone()).collect::<Vec<Number>>()
    };
    let all = (1..64).map(chosen).filter(|few| few.len() <= 4);
    all.map(|becomes| {
        let one = Refinement::one_of_numbers(becomes.clone()).unwrap().and_not_null();
        Operand { value: Value::refined(Type::Number, one).unwrap(), becomes }
    })
    .collect()
}

/// The smallest value that may become each of the results; `None` without results.
fn best(results: impl Iterator<Item = Number>) -> Option<Value> {
    let all = results.map(|number| Refinement::number(NumberRange::exactly(number)).and_not_null());
    all.reduce(|a, b| a.join(&b)).map(|all| Value::refined(Type::Number, all).unwrap())
}

type Exact = fn(&Number, &Number) -> Result<Number>;
type Library = fn(&Value, &Value) -> Result<Value>;

const OPERATIONS: [(&str, Exact, Library); 5] = [
    ("add", Number::add, Value::add),
    ("subtract", Number::subtract, Value::subtract),
    ("multiply", Number::multiply, Value::multiply),
    ("divide", Number::divide, Value::divide),
    ("modulo", Number::modulo, Value::modulo),
];

#[test]
fn arithmetic_gives_the_results_of_all_pairs() {
    let operands = operands();
    for (name, exact, library) in OPERATIONS {
        for a in &operands {
            for b in &operands {
                let results =
                    a.becomes.iter().flat_map(|x| b.becomes.iter().filter_map(move |y| exact(x, y).ok()));
                let (answer, best) = (library(&a.value, &b.value).ok(), best(results));
                assert_eq!(answer, best, "{name}({:?}, {:?})", a.value, b.value);
            }
        }
    }
}

#[test]
fn a_list_beside_an_interval_is_sound_and_monotone() {
    let operands = operands();
    let interval = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let intervals = [
        ("notnull(numberrange(-1, 1))", ["-1", "-0.75", "0", "0.25", "1"]),
        ("notnull(numberabove(0), numberbelow(3))", ["0.125", "1", "2", "2.5", "2.875"]),
        ("notnull(numbermin(2))", ["2", "3.5", "10", "1000", "inf"]),
        ("notnull(numberinteger())", ["-7", "-1", "0", "3", "100"]),
        ("notnull(numbermultiple(3, numbermin(3)))", ["3", "6", "9", "12", "300"]),
    ];
    let contains =
        |outer: &Value, inner: &Value| outer.range().refinement().contains(inner.range().refinement());
    for (name, exact, library) in OPERATIONS {
        for (text, members) in &intervals {
            let other = interval(text);
            let members = members.map(|text| text.parse::<Number>().unwrap());
            for order in [true, false] {
                let apply = |one: &Value| if order { library(one, &other) } else { library(&other, one) };
                let mut answers = Vec::new();
                for operand in &operands {
                    let answer = apply(&operand.value);
                    for x in &operand.becomes {
                        for y in &members {
                            let Ok(result) = (if order { exact(x, y) } else { exact(y, x) }) else {
                                continue;
                            };
                            let answer = answer.as_ref().unwrap();
                            assert!(
                                answer.range().refinement().range().to_string() == "any()"
                                    || contains(answer, &Value::from(result.clone())),
                                "{name}: {result} of {x} and {y} is not in {answer:?}"
                            );
                        }
                    }
                    answers.push(answer.ok());
                }
                for (small, inner) in operands.iter().zip(&answers) {
                    for (large, outer) in operands.iter().zip(&answers) {
                        if large.value != small.value && contains(&large.value, &small.value) {
                            let keeps = match (inner, outer) {
                                (Some(inner), Some(outer)) => contains(outer, inner),
                                (inner, _) => inner.is_none(),
                            };
                            assert!(
                                keeps,
                                "{name}, {text}: {:?} gives {inner:?}, {:?} gives {outer:?}",
                                small.value, large.value
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn signs_texts_and_comparisons_go_by_the_numbers() {
    for operand in operands() {
        let each = |map: fn(&Number) -> Number| best(operand.becomes.iter().map(map));
        assert_eq!(Some(operand.value.negate().unwrap()), each(Number::negate), "{:?}", operand.value);
        assert_eq!(Some(operand.value.absolute().unwrap()), each(Number::absolute), "{:?}", operand.value);

        let texts = operand.becomes.iter().map(ToString::to_string);
        let texts = Value::refined(Type::String, Refinement::one_of(texts).unwrap().and_not_null()).unwrap();
        assert_eq!(convert(&operand.value, &Type::String.into()).unwrap(), texts, "{:?}", operand.value);
        assert_eq!(convert(&texts, &Type::Number.into()).unwrap(), operand.value, "{texts:?}");

        for known in ["-3", "-2", "0", "0.5", "1", "inf"].map(|text| text.parse::<Number>().unwrap()) {
            let held: Vec<bool> = operand.becomes.iter().map(|number| *number == known).collect();
            let known = Value::from(known);
            let answer = operand.value.equals(&known).unwrap();
            match (held.contains(&true), held.contains(&false)) {
                (true, true) => assert!(!answer.is_known(), "{:?} == {known:?}", operand.value),
                (only, _) => assert_eq!(answer, Value::from(only), "{:?} == {known:?}", operand.value),
            }
        }
    }
}

#[test]
fn an_index_of_a_few_numbers_reads_these_elements() {
    let list = Value::list(["a", "b", "c", "d"]).unwrap();
    let index = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let read = |text: &str| list.index(&index(text)).map(|element| element.to_string());
    assert_eq!(read("notnull(oneof(0, 1, 3))").unwrap(), r#"(known after apply, one of "a", "b", "d")"#);
    assert_eq!(read("notnull(oneof(-1, 0.5, 3, inf))").unwrap(), r#""d""#);
    assert!(read("notnull(oneof(-1, 0.5, 4))").unwrap_err().is_not_found());
    for (text, answer) in [
        ("notnull(oneof(0, 1, 3))", Some(true)),
        ("notnull(oneof(0, 1, 4))", None),
        ("notnull(oneof(0.5, 3))", None),
        ("notnull(oneof(0.5, 7))", Some(false)),
        ("oneof(0, 3)", Some(true)),
    ] {
        let known = answer.map(Value::from);
        let found = list.has_index(&index(text)).unwrap();
        assert_eq!(Some(found).filter(Value::is_known), known, "{text}");
    }
    let unknown = Value::unknown(Type::list(Type::String).unwrap()).assume_list_length_max(5).unwrap();
    assert!(unknown.index(&index("notnull(oneof(0.5, 4))")).is_ok());
    assert!(unknown.index(&index("notnull(oneof(0.5, 7))")).unwrap_err().is_not_found());
}

#[test]
fn joins_of_known_numbers_keep_each() {
    let join = |numbers: &[i64]| {
        let values: Vec<Value> = numbers.iter().map(|number| Value::from(*number)).collect();
        let one_by_one = values.iter().skip(1).fold(values[0].clone(), |a, b| Value::join(&[&a, b]).unwrap());
        let at_once = Value::join(&values.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(at_once, one_by_one);
        at_once.to_string()
    };
    assert_eq!(join(&[1, 3]), "(known after apply, one of 1, 3)");
    assert_eq!(join(&[7, 3, 7, 1]), "(known after apply, one of 1, 3, 7)");
    assert_eq!(join(&[4, 4, 4]), "4");
    let squares: Vec<i64> = (1..=40).map(|number| 6 * number * number).collect();
    assert_eq!(join(&squares), "(known after apply, multiple of 6, >= 6, <= 9600)");
}

#[test]
fn a_condition_narrows_a_list() {
    let one = Value::refined(Type::Number, "notnull(oneof(1, 2, 5, 9))".parse().unwrap()).unwrap();
    let assumed = |text: &str| one.assume(&text.parse().unwrap()).map(|value| value.to_string());
    assert_eq!(assumed("numbermin(3)").unwrap(), "(known after apply, one of 5, 9)");
    assert_eq!(assumed("numbermultiple(2)").unwrap(), "2");
    assert_eq!(assumed("oneof(0, 9, 10)").unwrap(), "9");
    assert!(assumed("numberabove(9)").unwrap_err().is_contradiction());
}

#[test]
fn multiples_of_numbers_with_all_digits_are_multiples() {
    let nines = "9".repeat(8192);
    let number = |text: String| text.parse::<Number>().unwrap();
    let range = NumberRange::new(
        Bound::Inclusive(number(format!("-{nines}"))),
        Bound::Inclusive(number(format!("-{}79", "9".repeat(8190)))),
    );
    let bounds = Refinement::number(range.unwrap());
    let sevens = Refinement::multiple_of(7).meet(&bounds).unwrap().and_not_null();
    let sum = Value::refined(Type::Number, sevens).unwrap().add(&Value::from(0)).unwrap();
    let range = sum.range();
    for end in [range.number_range().unwrap().lower(), range.number_range().unwrap().upper()] {
        let rest = end.number().unwrap().modulo(&Number::from(7)).unwrap();
        assert!(end.is_inclusive() && rest == Number::from(0));
    }
}

#[test]
fn an_operation_without_any_result_is_an_error() {
    let infinities = Value::refined(Type::Number, "notnull(oneof(-inf, inf))".parse().unwrap()).unwrap();
    assert!(infinities.multiply(&Value::from(0)).unwrap_err().is_undefined());
}

#[test]
fn products_of_lists_are_multiples_of_the_products_of_their_steps() {
    let places = [1_u64, 2, 3, 5, 7, 11, 13, 17, 19];
    let one = Refinement::one_of_numbers(places.map(|place| Number::from(place << 33))).unwrap();
    let few = Value::refined(Type::Number, one.and_not_null()).unwrap();
    let text = format!("notnull(numbermultiple({0}, numberrange({0}, {1})))", 1_u64 << 33, 100_u64 << 33);
    let more = Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let (few, more) = (few.multiply(&few).unwrap(), more.multiply(&more).unwrap());
    assert!(more.range().refinement().contains(few.range().refinement()), "{few} and {more}");
}
