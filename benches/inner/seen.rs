//! Values looked at: compared, hashed, looked into, walked, checked.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;

use criterion::Criterion;
use plantime::rule::{Request, Rule};
use plantime::{Path, Type, Value};

use crate::inputs::{all, list, map, number, planned, resource, set, string, unknown};
use crate::{Make, PARTS};

/// Values of several kinds, each made twice, apart.
fn pairs() -> Vec<(&'static str, Value, Value)> {
    let makes: [(&str, Make); 8] = [
        ("text", || string(1)),
        ("number", || number(1)),
        ("unknown", || unknown(1)),
        ("object", || resource(1)),
        ("list-of-objects", || list(PARTS, resource)),
        ("list-of-planned-objects", || list(PARTS, planned)),
        ("map-of-texts", || map(PARTS, string)),
        ("set-of-texts", || set(PARTS, string)),
    ];
    makes.into_iter().map(|(name, make)| (name, make(), make())).collect()
}

pub fn equals(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("equals");
    for (name, one, other) in pairs() {
        group.bench_function(name, |b| b.iter(|| black_box(&one).equals(&other).expect("two values")));
        group.bench_function(format!("raw-{name}"), |b| b.iter(|| *black_box(&one) == other));
    }
}

pub fn order(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("order");
    for (name, one, other) in pairs() {
        group.bench_function(name, |b| b.iter(|| black_box(&one).cmp(&other)));
    }
    for (name, values) in [("sort-texts", all(PARTS, string)), ("sort-objects", all(PARTS, resource))] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut values: Vec<&Value> = values.iter().collect();
                values.sort();
                values.len()
            });
        });
    }
}

pub fn hash(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hash");
    for (name, value, _) in pairs() {
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut hasher = DefaultHasher::new();
                black_box(&value).hash(&mut hasher);
                hasher.finish()
            });
        });
    }
}

pub fn get_attr(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("get_attr");
    let values = [
        ("known", resource(1)),
        ("of-an-unknown", Value::unknown(resource(1).ty())),
        ("marked", resource(1).mark(plantime::Mark::SENSITIVE)),
    ];
    for (name, value) in values {
        group.bench_function(name, |b| b.iter(|| black_box(&value).get_attr("port").expect("an attribute")));
    }
}

pub fn index(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("index");
    let (texts, named) = (list(PARTS, string), map(PARTS, string));
    let key = Value::from(crate::inputs::text(50));
    let at = Value::from(50);
    group.bench_function("list", |b| b.iter(|| texts.index(black_box(&at)).expect("an element")));
    group.bench_function("map", |b| b.iter(|| named.index(black_box(&key)).expect("an element")));
    let anywhere = Value::unknown(Type::Number);
    group.bench_function("unknown-place", |b| {
        b.iter(|| texts.index(black_box(&anywhere)).expect("some element"));
    });
    let objects = list(PARTS, resource);
    let path = Path::new().index(50).attr("tags").index("Owner");
    group.bench_function("path", |b| b.iter(|| objects.get(black_box(&path)).expect("there is one")));
}

pub fn walk(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("walk");
    let known = list(PARTS, resource);
    let values = [("list-of-objects", known), ("set-of-planned-objects", set(PARTS, planned))];
    for (name, value) in values {
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut depths = 0;
                value.walk(|path, _| {
                    depths += path.len();
                    true
                });
                depths
            });
        });
    }
}

pub fn rules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rules");
    let begins = Rule::starts_with("name-".to_owned());
    let each = Rule::at("[*].id".parse().expect("a path"), begins.clone()).expect("not too deep");
    let cases = [
        ("not-null-known", Rule::NotNull, string(1)),
        ("not-null-unknown", Rule::NotNull, unknown(1)),
        ("min-len-unknown", Rule::min_len(3), unknown(1)),
        ("starts-with", begins, string(1)),
        ("each-of-objects", each.clone(), list(PARTS, resource)),
        ("each-of-planned-objects", each, list(PARTS, planned)),
        ("unique", Rule::unique(), list(PARTS, string)),
    ];
    for (name, rule, value) in cases {
        group.bench_function(name, |b| {
            b.iter(|| rule.check(&Request::new(black_box(&value))).expect("the rule reads the value"));
        });
    }
}
