//! What a value may become, told in two ways: by the model of the testing kit and by the value itself.

use plantime::{LengthRange, Refinement, Type, Value};
use rayon::prelude::*;

use super::laws::{Violations, kinds};
use super::universe::world;

#[test]
fn two_ways_to_tell_what_a_value_may_become_agree() {
    let world = world();
    let concretes: Vec<Value> = world.concretes.iter().map(|con| con.value()).collect();
    let wrong = world.abstracts.par_iter().map(|entry| {
        let mut wrong = Violations::default();
        for (i, concrete) in concretes.iter().enumerate() {
            if entry.value.may_become(concrete) != entry.gamma.contains(i) {
                wrong.add(kinds("may_become", &[&entry.abs]), || {
                    format!("{:?} and {concrete:?}", entry.value)
                });
            }
        }
        wrong
    });
    let wrong = wrong.reduce(Violations::default, |mut all, found| {
        all.merge(found);
        all
    });
    wrong.none("may_become");
}

/// The question that a provider's tests ask after the apply, of every part of what was planned.
#[test]
fn what_the_plan_excludes_in_a_part_does_not_fit() {
    let arn = Value::unknown(Type::String).assume_string_prefix("arn:").unwrap();
    let planned = Value::object([("arn", arn)]).unwrap();
    let actual = |arn: &str| Value::object([("arn", arn)]).unwrap();
    assert!(planned.may_become(&actual("arn:aws")));
    assert!(!planned.may_become(&actual("x")));
    assert_eq!(planned.range().includes(&actual("x")), Some(true), "the range is about the object alone");
    assert!(!Value::list(["a"]).unwrap().may_become(&Value::list(["b"]).unwrap()));
    assert!(!Value::from(true).may_become(&Value::from(false)));
    assert!(!Value::from("a").may_become(&Value::from("ab")));
    assert!(!planned.may_become(&planned), "what is not known yet is no outcome");
}

/// Above 64 members that are not known the length and the known members decide; below, each has to fit.
#[test]
fn many_unknown_members_of_a_set_are_counted_and_not_matched() {
    let set = |known: usize, unknown: usize| {
        let prefixed = Value::refined(Type::String, Refinement::prefix("a").and_not_null()).unwrap();
        let known = (0..known).map(|i| Value::from(format!("k{i:06}")));
        Value::set_of(Type::String, known.chain(std::iter::repeat_n(prefixed, unknown))).unwrap()
    };
    let actual = |known: usize, others: usize, prefix: &str| {
        let known = (0..known).map(|i| format!("k{i:06}"));
        Value::set(known.chain((0..others).map(|i| format!("{prefix}{i:06}")))).unwrap()
    };
    assert!(set(3, 64).may_become(&actual(3, 64, "a")));
    assert!(!set(3, 64).may_become(&actual(3, 64, "b")));
    assert!(set(3, 65).may_become(&actual(3, 65, "b")), "not matched");
    assert!(!set(3, 65).may_become(&actual(2, 65, "a")), "a known member is missing");
    assert!(!set(3, 65).may_become(&actual(3, 66, "a")), "there are more than planned");
    // In proportion: a hundred thousand known members would be ten thousand million pairs.
    assert!(set(100_000, 0).may_become(&actual(100_000, 0, "a")));
    assert!(set(100_000, 2).may_become(&actual(100_000, 2, "a")));
    let length = Refinement::length(LengthRange::exactly(4));
    assert!(!set(3, 2).assume(&length).unwrap().may_become(&actual(3, 2, "a")));
}
