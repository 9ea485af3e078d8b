//! Arithmetic: the laws on a number line of its own.
//!
//! Concrete numbers lie close to every bound: a little (1e-400, more digits than a quotient keeps) and as little as a
//! number can (1e-8191) to either side, so that an open end is told from a closed one and rounding is seen. Concrete
//! results are those of `Number`, whose arithmetic has a model of its own. The best answer is the smallest interval
//! with ends on a grid that holds all results; an answer that is always the best one is monotone too (L3).

use std::collections::BTreeSet;
use std::time::Instant;

use plantime::{Bound, Number, NumberRange, Refinement, Result, Type, Value};
use rayon::prelude::*;

use super::concrete::Con;
use super::laws::Violations;
use super::universe::{number_refinements, world};

pub(crate) struct Arithmetic {
    pub(crate) name: &'static str,
    reference: fn(&Number, &Number) -> Option<Number>,
    pub(crate) library: fn(&Value, &Value) -> Result<Value>,
}

pub(crate) const ARITHMETIC: [Arithmetic; 5] = [
    Arithmetic { name: "add", reference: |a, b| a.add(b).ok(), library: Value::add },
    Arithmetic { name: "subtract", reference: |a, b| a.subtract(b).ok(), library: Value::subtract },
    Arithmetic { name: "multiply", reference: |a, b| a.multiply(b).ok(), library: Value::multiply },
    Arithmetic { name: "divide", reference: |a, b| a.divide(b).ok(), library: Value::divide },
    Arithmetic { name: "modulo", reference: |a, b| a.modulo(b).ok(), library: Value::modulo },
];

pub(crate) struct Sign {
    pub(crate) name: &'static str,
    reference: fn(&Number) -> Number,
    pub(crate) library: fn(&Value) -> Result<Value>,
}

pub(crate) const SIGNS: [Sign; 2] = [
    Sign { name: "negate", reference: Number::negate, library: Value::negate },
    Sign { name: "absolute", reference: Number::absolute, library: Value::absolute },
];

const BOUNDS: [i64; 5] = [-2, -1, 0, 1, 2];

fn number(text: &str) -> Number {
    text.parse().unwrap()
}

/// Known operands.
fn known() -> Vec<Number> {
    ["-inf", "-2", "-1", "-0.5", "0", "0.5", "1", "2", "inf"].map(number).to_vec()
}

/// Where the least remainder of dividing 2 by what is at most 1 ends: no number of digits is enough for 2 / 3.
fn two_thirds() -> Number {
    number(&format!("0.{}7", "6".repeat(154)))
}

fn points() -> Vec<Number> {
    let mut all: BTreeSet<Number> =
        known().into_iter().chain([two_thirds(), two_thirds().negate()]).collect();
    for text in ["-4", "-2", "-1", "-0.5", "0", "0.5", "1", "2", "4"] {
        for step in ["1e-400", "1e-8191"].map(number) {
            all.insert(number(text).add(&step).unwrap());
            all.insert(number(text).subtract(&step).unwrap());
        }
    }
    for text in ["1e400", "1e8191", "0.25", "1.5", "3", "4"] {
        all.extend([number(text), number(text).negate()]);
    }
    all.into_iter().collect()
}

/// An operand, and which points it may become.
struct Operand {
    value: Value,
    points: Vec<usize>,
}

fn operands(points: &[Number]) -> Vec<Operand> {
    let all = |keep: &dyn Fn(&Number) -> bool| -> Vec<usize> {
        points.iter().enumerate().filter(|(_, point)| keep(point)).map(|(i, _)| i).collect()
    };
    let above = |bound: &Bound, point: &Number| match bound {
        Bound::Unbounded => true,
        Bound::Inclusive(bound) => bound <= point,
        Bound::Exclusive(bound) => bound < point,
    };
    let below = |bound: &Bound, point: &Number| match bound {
        Bound::Unbounded => true,
        Bound::Inclusive(bound) => point <= bound,
        Bound::Exclusive(bound) => point < bound,
    };
    let mut operands = Vec::new();
    for refinement in number_refinements(&BOUNDS) {
        let held = match refinement.number_range() {
            Some(range) => all(&|point| above(range.lower(), point) && below(range.upper(), point)),
            None => all(&|_| true),
        };
        for refinement in [refinement.clone(), refinement.and_not_null()] {
            let value = Value::refined(Type::Number, refinement).unwrap();
            operands.push(Operand { value, points: held.clone() });
        }
    }
    let every = all(&|_| true);
    let none = Vec::new();
    operands.extend(known().into_iter().map(|end| {
        let points = all(&|point| *point == end);
        Operand { value: Value::from(end), points }
    }));
    operands.push(Operand { value: Value::unknown(Type::Number), points: every.clone() });
    operands.push(Operand { value: Value::dynamic(), points: every });
    operands.push(Operand { value: Value::null(Type::Number), points: none.clone() });
    operands.push(Operand { value: Value::null(Type::Dynamic), points: none });
    operands
}

/// The results, in order, each with the nearest ends on the grid around it.
struct Results {
    all: Vec<Number>,
    grid: Vec<Number>,
    around: Vec<(usize, usize)>,
}

impl Results {
    fn of(found: impl IntoIterator<Item = Number>, grid: &BTreeSet<Number>) -> Results {
        let all: BTreeSet<Number> = found.into_iter().collect();
        let all: Vec<Number> = all.into_iter().collect();
        let grid: Vec<Number> = grid.iter().cloned().collect();
        let around = all
            .iter()
            .map(|result| {
                let low = grid.iter().rposition(|end| end <= result).unwrap();
                let high = grid.iter().position(|end| result <= end).unwrap();
                (low, high)
            })
            .collect();
        Results { all, grid, around }
    }

    fn rank(&self, result: &Number) -> usize {
        self.all.binary_search(result).unwrap()
    }

    /// The smallest value that holds the results of these ranks.
    fn hull(&self, least: usize, greatest: usize) -> Value {
        if least == greatest {
            return Value::from(self.all[least].clone());
        }
        let end = |rank: usize, end: usize| {
            let end = self.grid[end].clone();
            if self.all[rank] == end { Bound::Inclusive(end) } else { Bound::Exclusive(end) }
        };
        let (low, high) = (end(least, self.around[least].0), end(greatest, self.around[greatest].1));
        let range = NumberRange::new(low, high).unwrap();
        Value::refined(Type::Number, Refinement::number(range).and_not_null()).unwrap()
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.len() > 160 { format!("{}…", &text[..160]) } else { text }
}

fn hold(best: Option<Value>, answer: &Result<Value>, wrong: &mut Violations, call: impl Fn() -> String) {
    match (best, answer) {
        (None, Err(_)) => {}
        (Some(best), Ok(answer)) if best == *answer => {}
        (None, Ok(answer)) => {
            wrong.add("L1 no choice has a result", || format!("{} = {}", call(), short(answer)));
        }
        (Some(best), Ok(answer)) => {
            wrong.add("L1, L2", || format!("{} = {}, but best is {}", call(), short(answer), short(&best)))
        }
        (Some(best), Err(error)) => wrong.add("L1", || format!("{}: {error}, not {}", call(), short(&best))),
    }
}

fn try_binary(op: &Arithmetic) {
    let start = Instant::now();
    let points = points();
    let operands = operands(&points);
    let table: Vec<Vec<Option<Number>>> =
        points.par_iter().map(|a| points.iter().map(|b| (op.reference)(a, b)).collect()).collect();
    let known = known();
    let mut grid: BTreeSet<Number> =
        known.iter().flat_map(|a| known.iter().filter_map(|b| (op.reference)(a, b))).collect();
    grid.extend(known.iter().cloned().chain([two_thirds(), two_thirds().negate()]));
    let results = Results::of(table.iter().flatten().flatten().cloned(), &grid);
    let ranks: Vec<Vec<Option<usize>>> = table
        .par_iter()
        .map(|row| row.iter().map(|result| result.as_ref().map(|result| results.rank(result))).collect())
        .collect();
    // L4, and the reference held against the library.
    let mut wrong = Violations::default();
    for (a, row) in points.iter().zip(&table) {
        for (b, result) in points.iter().zip(row) {
            let answer = (op.library)(&Value::from(a.clone()), &Value::from(b.clone()));
            if answer.as_ref().ok() != result.clone().map(Value::from).as_ref() {
                wrong.add("L4", || format!("{}({a}, {b}) = {answer:?}", op.name));
            }
        }
    }
    let found: Vec<Violations> = operands
        .par_iter()
        .map(|a| {
            let mut wrong = Violations::default();
            for b in &operands {
                let mut reached: Option<(usize, usize)> = None;
                for i in &a.points {
                    for rank in b.points.iter().filter_map(|j| ranks[*i][*j]) {
                        let (least, greatest) = reached.unwrap_or((rank, rank));
                        reached = Some((least.min(rank), greatest.max(rank)));
                    }
                }
                let best = reached.map(|(least, greatest)| results.hull(least, greatest));
                let answer = (op.library)(&a.value, &b.value);
                hold(best, &answer, &mut wrong, || format!("{}({}, {})", op.name, a.value, b.value));
            }
            wrong
        })
        .collect();
    found.into_iter().for_each(|found| wrong.merge(found));
    for other in not_numbers() {
        for operand in operands.iter().map(|operand| &operand.value).chain([other]) {
            for (a, b) in [(operand, other), (other, operand)] {
                if (op.library)(a, b).is_ok() {
                    wrong.add("L1 no number", || format!("{}({a}, {b})", op.name));
                }
            }
        }
    }
    println!(
        "{:22} number line       {:5} abstract values, {:8} concrete and {:8} abstract calls, {:5.2} s",
        op.name,
        operands.len(),
        points.len() * points.len(),
        operands.len() * operands.len(),
        start.elapsed().as_secs_f64()
    );
    wrong.none(op.name);
}

/// What can become no number.
fn not_numbers() -> impl Iterator<Item = &'static Value> {
    let world = world();
    let number =
        |i: &usize| world.abstracts[*i].gamma.iter().any(|i| matches!(world.concretes[i], Con::Num(_)));
    let all = world.s.abstracts.iter().filter(move |i| !number(i));
    all.map(|i| &world.abstracts[*i].value)
}

fn try_sign(op: &Sign) {
    let points = points();
    let operands = operands(&points);
    let results =
        Results::of(points.iter().map(|point| (op.reference)(point)), &known().into_iter().collect());
    let mut wrong = Violations::default();
    for operand in &operands {
        let ranks = operand.points.iter().map(|i| results.rank(&(op.reference)(&points[*i])));
        let (least, greatest) = (ranks.clone().min(), ranks.max());
        let best = least.zip(greatest).map(|(least, greatest)| results.hull(least, greatest));
        hold(best, &(op.library)(&operand.value), &mut wrong, || format!("{}({})", op.name, operand.value));
    }
    for other in not_numbers() {
        if (op.library)(other).is_ok() {
            wrong.add("L1 no number", || format!("{}({other})", op.name));
        }
    }
    println!(
        "{:22} number line       {:5} abstract values, {} concrete calls",
        op.name,
        operands.len(),
        points.len()
    );
    wrong.none(op.name);
}

macro_rules! laws {
    ($try:ident in $list:ident: $($name:ident),*) => {$(
        #[test]
        fn $name() {
            $try($list.iter().find(|op| op.name == stringify!($name)).unwrap());
        }
    )*};
}

laws!(try_binary in ARITHMETIC: add, subtract, multiply, divide, modulo);
laws!(try_sign in SIGNS: negate, absolute);

/// No answer is an error because a number is too long, and none leaves out a result that is not.
#[test]
fn a_bound_beyond_the_limit_is_left_out() {
    let at_least = |text: &str| {
        let range = Refinement::number(NumberRange::at_least(number(text)));
        Value::refined(Type::Number, range.and_not_null()).unwrap()
    };
    let between = |low: &str, high: &str| {
        let range = NumberRange::new(Bound::Inclusive(number(low)), Bound::Inclusive(number(high))).unwrap();
        Value::refined(Type::Number, Refinement::number(range).and_not_null()).unwrap()
    };
    let large = Value::from(number("1e5000"));
    let answers = [
        (between("1", "1e5000").multiply(&large), "(known after apply, >= 1e5000, < inf)"),
        (at_least("1e5000").multiply(&large), "(known after apply, > 0)"),
        (between("1e-5000", "1").divide(&large), "(known after apply, > 0, <= 1e-5000)"),
        (between("1", "1e5000").modulo(&between("1e-5000", "2")), "(known after apply, >= 0, < 2)"),
    ];
    for (answer, expected) in answers {
        let (answer, expected) = (answer.unwrap(), expected.replace("1e5000", &number("1e5000").to_string()));
        let expected = expected.replace("1e-5000", &number("1e-5000").to_string());
        assert_eq!(answer.to_string(), expected);
    }
    assert!(large.multiply(&large).unwrap_err().is_limit());
}

/// A quotient is rounded when it does not end, and then it may lie below all quotients that end.
#[test]
fn a_quotient_that_is_rounded_beyond_an_end_that_is_not_moves_the_end() {
    let end = number(&format!("0.1{}4", "0".repeat(200)));
    let range = NumberRange::at_least(end.clone());
    let dividend = Value::refined(Type::Number, Refinement::number(range).and_not_null()).unwrap();
    let divisor = NumberRange::new(Bound::Inclusive(number("0.9")), Bound::Inclusive(number("1"))).unwrap();
    let divisor = Value::refined(Type::Number, Refinement::number(divisor).and_not_null()).unwrap();
    let answer = dividend.divide(&divisor).unwrap();
    let close = number("0.9").add(&number(&format!("0.0{}9", "9".repeat(190)))).unwrap();
    let quotient = end.divide(&close).unwrap();
    assert!(close < number("1") && quotient < end, "{quotient}");
    assert!(answer.range().number_range().unwrap().contains(&quotient), "{answer}");
}
