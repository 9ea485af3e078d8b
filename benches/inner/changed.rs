//! Values refined, converted, rebuilt, marked.

use std::hint::black_box;

use criterion::Criterion;
use plantime::{LengthRange, Mark, NumberRange, Refinement, Type, TypeConstraint, Value, convert as to};

use crate::PARTS;
use crate::inputs::{list, map, marked, number, number_text, object, planned, resource, string, tuple};

pub fn refine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("refine");
    let texts = Type::list(Type::String).expect("a list type");
    let cases = [
        ("not-null", Type::String, Refinement::not_null()),
        ("prefix", Type::String, Refinement::prefix("vpc-").and_not_null()),
        ("number", Type::Number, Refinement::number_at_least(1).and_not_null()),
        ("length", texts, Refinement::length(LengthRange::at_least(1)).and_not_null()),
    ];
    for (name, ty, refinement) in cases {
        group.bench_function(name, |b| {
            b.iter(|| Value::refined(ty.clone(), black_box(&refinement).clone()).expect("it can be so"));
        });
    }
}

pub fn meet(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("meet");
    let length = |min, max| Refinement::length(LengthRange::new(min, max).expect("in order"));
    let range = |range: NumberRange| Refinement::number(range);
    let cases = [
        ("not-null", Refinement::not_null(), Refinement::prefix("vpc-")),
        ("prefix", Refinement::prefix("vpc-"), Refinement::prefix("vpc-0123")),
        ("number", range(NumberRange::at_least(1)), range(NumberRange::at_most(10))),
        ("length", length(1, None), length(0, Some(8))),
        ("nothing-in-common", Refinement::prefix("vpc-").and_not_null(), Refinement::prefix("subnet-")),
    ];
    for (name, one, other) in cases {
        group.bench_function(name, |b| b.iter(|| black_box(&one).meet(black_box(&other))));
    }
}

pub fn convert(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("convert");
    let cases = [
        ("number-to-text", number(1), "string"),
        ("text-to-number", number_text(1), "number"),
        ("nothing-to-do", list(PARTS, string), "list(string)"),
        ("list-to-set", list(PARTS, string), "set(string)"),
        ("tuple-to-list", tuple(PARTS, number), "list(string)"),
        ("object-to-map", object(PARTS, number), "map(string)"),
        ("objects", list(PARTS, planned), "list(object({id = string, port = string, open = string}))"),
    ];
    for (name, value, text) in cases {
        let wanted: TypeConstraint = text.parse().expect("a constraint");
        group.bench_function(name, |b| b.iter(|| to(black_box(&value), &wanted).expect("it converts")));
    }
}

pub fn transform(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("transform");
    let values = [("objects", list(PARTS, resource)), ("planned-objects", list(PARTS, planned))];
    for (name, value) in values {
        group.bench_function(format!("{name}-to-the-same"), |b| {
            b.iter(|| value.transform(|_, part| Ok(part)).expect("nothing fails"));
        });
        group.bench_function(format!("{name}-with-unknowns-as-null"), |b| {
            b.iter(|| {
                let known = |part: Value| if part.is_known() { part } else { Value::null(part.ty()) };
                value.transform(|_, part| Ok(known(part))).expect("nothing fails")
            });
        });
    }
}

pub fn marks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("marks");
    let (bare, all) = (list(PARTS, string), list(PARTS, marked));
    group.bench_function("mark", |b| b.iter(|| black_box(&bare).clone().mark(Mark::SENSITIVE)));
    group.bench_function("contains-marks", |b| b.iter(|| black_box(&all).contains_marks()));
    group.bench_function("has-mark-deep", |b| b.iter(|| black_box(&all).has_mark_deep(&Mark::SENSITIVE)));
    group.bench_function("unmark-deep", |b| b.iter(|| black_box(&all).unmark_deep()));
    group.bench_function("unmark-deep-of-unmarked", |b| b.iter(|| black_box(&bare).unmark_deep()));
    group.bench_function("unmark-deep-with-paths", |b| b.iter(|| black_box(&all).unmark_deep_with_paths()));
    let (without, places) = map(PARTS, marked).unmark_deep_with_paths();
    group.bench_function("mark-with-paths", |b| b.iter(|| without.mark_with_paths(black_box(&places))));
}
