//! Arithmetic of integers and multiples: the results of each choice, held against the answer.
//!
//! The best answer is the join of the refinements of all results, which the laws of the lattice prove to be the smallest
//! refinement that holds them. An answer that is always the best one is monotone too (L3).

use plantime::{Number, NumberRange, Refinement, Result, Type, Value};

/// An operand with all that it may become.
struct Operand {
    value: Value,
    becomes: Vec<i64>,
}

fn operands() -> Vec<Operand> {
    let mut all: Vec<Operand> =
        (-4..=4).map(|known| Operand { value: Value::from(known), becomes: vec![known] }).collect();
    for step in 1..=3_u64 {
        for low in -4..=4_i64 {
            for high in low..=4 {
                let range = Refinement::number_at_least(low).meet(&Refinement::number_at_most(high)).unwrap();
                let Ok(range) = Refinement::multiple_of(step).meet(&range.and_not_null()) else { continue };
                let step = i64::try_from(step).unwrap();
                let becomes = (low..=high).filter(|number| number % step == 0).collect();
                all.push(Operand { value: Value::refined(Type::Number, range).unwrap(), becomes });
            }
        }
    }
    all
}

/// The smallest value that may become each of the results.
fn best(results: impl Iterator<Item = Number>) -> Option<Value> {
    let all = results.map(|number| Refinement::number(NumberRange::exactly(number)).and_not_null());
    all.reduce(|a, b| a.join(&b)).map(|all| Value::refined(Type::Number, all).unwrap())
}

type Exact = fn(&Number, &Number) -> Result<Number>;
type Library = fn(&Value, &Value) -> Result<Value>;

#[test]
fn sums_differences_and_products_are_the_smallest_multiples() {
    let operations: [(&str, Exact, Library); 3] = [
        ("add", Number::add, Value::add),
        ("subtract", Number::subtract, Value::subtract),
        ("multiply", Number::multiply, Value::multiply),
    ];
    let operands = operands();
    for (name, exact, library) in operations {
        for a in &operands {
            for b in &operands {
                let results = a.becomes.iter().flat_map(|x| {
                    b.becomes.iter().map(move |y| exact(&Number::from(*x), &Number::from(*y)).unwrap())
                });
                let best = best(results).unwrap();
                let answer = library(&a.value, &b.value).unwrap();
                assert_eq!(answer, best, "{name}({:?}, {:?})", a.value, b.value);
            }
        }
    }
}

#[test]
fn signs_keep_multiples() {
    for operand in operands() {
        let each =
            |map: fn(i64) -> i64| best(operand.becomes.iter().map(|number| Number::from(map(*number))));
        assert_eq!(Some(operand.value.negate().unwrap()), each(|number| -number), "{:?}", operand.value);
        assert_eq!(Some(operand.value.absolute().unwrap()), each(i64::abs), "{:?}", operand.value);
    }
}

#[test]
fn remainders_of_integers_are_integers() {
    let operands = operands();
    for a in &operands {
        for b in &operands {
            let answer = a.value.modulo(&b.value);
            for x in &a.becomes {
                for y in b.becomes.iter().filter(|y| **y != 0) {
                    let known = Number::from(x % y);
                    let exactly = Refinement::number(NumberRange::exactly(known.clone())).and_not_null();
                    let answer = answer.as_ref().unwrap();
                    let holds = match answer.as_number().ok().cloned() {
                        Some(only) => only == known,
                        None => answer.range().refinement().contains(&exactly),
                    };
                    assert!(holds, "{x} % {y} is not in {answer:?}");
                }
            }
            if let Ok(answer) = answer {
                let is_integer = Refinement::integer().contains(answer.range().refinement());
                assert!(is_integer, "{:?} % {:?} is {answer:?}", a.value, b.value);
            }
        }
    }
}

#[test]
fn unbounded_integers_stay_integers() {
    let integer = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let (any, tens) =
        (integer("notnull(numberinteger())"), integer("notnull(numbermultiple(10, numbermin(0)))"));
    let told = |value: Result<Value>| value.unwrap().range().refinement().to_string();
    assert_eq!(told(any.add(&Value::from(1))), "notnull(numberinteger())");
    assert_eq!(told(tens.add(&Value::from(5))), "notnull(numbermultiple(5, numbermin(5)))");
    assert_eq!(told(tens.multiply(&tens)), "notnull(numbermultiple(100, numbermin(0)))");
    assert_eq!(told(tens.multiply(&Value::from(-3))), "notnull(numbermultiple(30, numbermax(0)))");
    assert_eq!(
        told(any.add(&Value::from("0.5".parse::<Number>().unwrap()))),
        "notnull(numberabove(-inf), numberbelow(inf))"
    );
    assert_eq!(told(any.divide(&Value::from(2))), "notnull(numberabove(-inf), numberbelow(inf))");
    let sixes = integer("notnull(numbermultiple(6))");
    assert_eq!(sixes.modulo(&Value::from(3)).unwrap(), Value::from(0));
    let half = Value::from("0.5".parse::<Number>().unwrap());
    assert_eq!(half.modulo(&any).unwrap(), half);
    // A product of steps that does not fit 64 bits: the larger step.
    let large = integer(&format!("notnull(numbermultiple({}))", u64::MAX));
    assert_eq!(told(large.multiply(&tens)), format!("notnull(numbermultiple({}))", u64::MAX));
    assert_eq!(any.equals(&Value::from("0.5".parse::<Number>().unwrap())).unwrap(), Value::from(false));
}
