//! Values made, shared and dropped.

use criterion::{BatchSize, Criterion};
use plantime::{Type, Value};

use crate::inputs::{all, list, number, planned, resource, set, string, text, unknown};
use crate::{Make, PARTS};

pub fn construct(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("construct");
    group.bench_function("short-text", |b| b.iter(|| Value::from("vpc-0123")));
    let long = text(7);
    group.bench_function("text", |b| b.iter(|| Value::from(long.as_str())));
    group.bench_function("number", |b| b.iter(|| Value::from(8080)));
    group.bench_function("unknown", |b| b.iter(|| Value::unknown(Type::String)));
    let parts = [("id", string(1)), ("open", true.into()), ("port", number(1)), ("size", 7.into())];
    group.bench_function("object", |b| b.iter(|| Value::object(parts.clone()).expect("an object")));
    for (name, parts) in [("texts", all(PARTS, string)), ("objects", all(PARTS, resource))] {
        group.bench_function(format!("list-of-{name}"), |b| {
            b.iter(|| Value::list(parts.iter().cloned()).expect("parts of one type"));
        });
        group.bench_function(format!("set-of-{name}"), |b| {
            b.iter(|| Value::set(parts.iter().cloned()).expect("parts of one type"));
        });
    }
    let entries: Vec<(String, Value)> = (0..PARTS).map(|i| (text(i), string(i))).collect();
    group.bench_function("map-of-texts", |b| {
        b.iter(|| Value::map(entries.iter().cloned()).expect("parts of one type"));
    });
}

pub fn clone(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clone");
    let values = [
        ("short-text", Value::from("vpc-0123")),
        ("text", string(1)),
        ("number", number(1)),
        ("unknown", unknown(1)),
        ("object", resource(1)),
        ("list-of-objects", list(PARTS, resource)),
    ];
    for (name, value) in values {
        group.bench_function(name, |b| b.iter(|| value.clone()));
    }
}

pub fn drop(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("drop");
    let made: [(&str, Make); 4] = [
        ("text", || string(1)),
        ("object", || resource(1)),
        ("list-of-planned-objects", || list(PARTS, planned)),
        ("set-of-objects", || set(PARTS, resource)),
    ];
    for (name, make) in made {
        group.bench_function(name, |b| b.iter_batched(make, std::mem::drop, BatchSize::SmallInput));
    }
}
