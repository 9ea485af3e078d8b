//! Arithmetic on integers, and on decimals of thirty digits.

use bigdecimal::BigDecimal;
use plantime::{Number, Value};

use super::document::Random;
use super::work::Work;

const COUNT: usize = 1024;

/// The places of the two operands.
const fn at(i: usize) -> (usize, usize) {
    (i % COUNT, (i + i / COUNT) % COUNT)
}

fn integers(seed: u64) -> Vec<i64> {
    let mut r = Random::seeded(seed);
    (0..COUNT).map(|_| 1 + r.below(100_000) as i64).collect()
}

fn decimals(seed: u64) -> Vec<String> {
    let mut r = Random::seeded(seed);
    let text = |_| {
        let mut text = format!("{}", 1 + r.below(9));
        let digits = |text: &mut String, r: &mut Random, length: usize| {
            while text.len() < length {
                text.push_str(&r.below(10).to_string());
            }
        };
        digits(&mut text, &mut r, 15);
        text.push('.');
        digits(&mut text, &mut r, 30);
        text.push_str(&(1 + r.below(9)).to_string());
        text
    };
    (0..COUNT).map(text).collect()
}

fn values(texts: &[String]) -> Vec<Value> {
    texts.iter().map(|text| Value::from(text.parse::<Number>().expect("a number"))).collect()
}

fn on<O>(a: Vec<Value>, b: Vec<Value>, n: usize, operation: O) -> Work
where
    O: Fn(&Value, &Value) -> plantime::Result<Value> + 'static,
{
    Work::each(n, move |i| {
        let (left, right) = at(i);
        operation(&a[left], &b[right]).expect("two numbers")
    })
}

fn on_integers<O>(n: usize, operation: O, theirs: fn(i64, i64) -> Option<i64>) -> Work
where
    O: Fn(&Value, &Value) -> plantime::Result<Value> + 'static,
{
    let (a, b) = (integers(1), integers(2));
    let all = |all: &[i64]| all.iter().map(|&one| Value::from(one)).collect();
    on(all(&a), all(&b), n, operation).beside_with(
        "i64",
        Work::each(n, move |i| {
            let (left, right) = at(i);
            theirs(a[left], b[right])
        }),
    )
}

pub fn arith_int_add(n: usize) -> Work {
    on_integers(n, Value::add, i64::checked_add)
}

pub fn arith_int_mul(n: usize) -> Work {
    on_integers(n, Value::multiply, i64::checked_mul)
}

pub fn arith_int_lt(n: usize) -> Work {
    on_integers(n, Value::less_than, |a, b| Some(i64::from(a < b)))
}

pub fn arith_int_div(n: usize) -> Work {
    on_integers(n, Value::divide, i64::checked_div)
}

pub fn arith_int_mod(n: usize) -> Work {
    on_integers(n, Value::modulo, i64::checked_rem)
}

fn on_decimals<O, T>(n: usize, operation: O, theirs: fn(&BigDecimal, &BigDecimal) -> T) -> Work
where
    O: Fn(&Value, &Value) -> plantime::Result<Value> + 'static,
    T: 'static,
{
    let texts = (decimals(1), decimals(2));
    let all = |texts: &[String]| -> Vec<BigDecimal> {
        texts.iter().map(|text| text.parse().expect("a number")).collect()
    };
    let (a, b) = (all(&texts.0), all(&texts.1));
    on(values(&texts.0), values(&texts.1), n, operation).beside_with(
        "bigdecimal",
        Work::each(n, move |i| {
            let (left, right) = at(i);
            theirs(&a[left], &b[right])
        }),
    )
}

pub fn arith_dec_add(n: usize) -> Work {
    on_decimals(n, Value::add, |a, b| a + b)
}

pub fn arith_dec_mul(n: usize) -> Work {
    on_decimals(n, Value::multiply, |a, b| a * b)
}

pub fn arith_dec_div(n: usize) -> Work {
    on_decimals(n, Value::divide, |a, b| a / b)
}

pub fn arith_dec_lt(n: usize) -> Work {
    on_decimals(n, Value::less_than, |a, b| a < b)
}

pub fn arith_dec_eq(n: usize) -> Work {
    on_decimals(n, Value::equals, |a, b| a == b)
}

pub fn arith_dec_parse(n: usize) -> Work {
    let texts = decimals(1);
    let same = texts.clone();
    let ours = Work::each(n, move |i| texts[i % COUNT].parse::<Number>().expect("a number"));
    ours.beside_with(
        "bigdecimal",
        Work::each(n, move |i| same[i % COUNT].parse::<BigDecimal>().expect("a number")),
    )
}
