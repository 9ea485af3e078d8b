//! The self-describing form: what is written reads as the same, and whatever is read is a value or an error.

use std::fmt::Debug;

use plantime::rule::Rule;
use plantime::sample::Sampler;
use plantime::{Marks, Value};
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::bounds;

/// Through a format that describes itself and through one that does not.
#[track_caller]
pub fn round_trip<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) {
    let text = serde_json::to_string(value).expect("a form");
    match serde_json::from_str::<T>(&text) {
        Ok(read) => assert_eq!(read, *value, "{text}"),
        Err(error) => panic!("{text} does not read: {error}"),
    }
    let bytes = postcard::to_stdvec(value).expect("a form");
    match postcard::from_bytes::<T>(&bytes) {
        Ok(read) => assert_eq!(read, *value, "{text}"),
        Err(error) => panic!("{text} does not read from bytes: {error}"),
    }
}

/// A value, which has a form but for capsules.
#[track_caller]
pub fn value(value: &Value) {
    match serde_json::to_string(value) {
        Ok(_) => round_trip(value),
        Err(error) => assert!(error.to_string().starts_with("a capsule"), "{error}: {value:?}"),
    }
}

/// A rule, which has a form but for functions and what has none in it.
#[track_caller]
pub fn rule(rule: &Rule) {
    if rule.to_form().is_ok_and(|form| Rule::from_form(&form).is_ok()) {
        round_trip(rule);
    }
}

/// Values of all levels, with marks, and what belongs to them.
pub fn any(sampler: &mut Sampler<'_>) {
    let pair = sampler.pair();
    value(pair.value());
    value(pair.concrete());
    let marked = sampler.marked(pair.value());
    value(&marked);
    let path = sampler.path();
    let constraint = sampler.constraint();
    let marks: Marks = [sampler.mark(), sampler.mark()].into_iter().collect();
    round_trip(&marks);
    if serde_json::to_string(&path).is_ok() {
        round_trip(&path);
    }
    if serde_json::to_string(&constraint).is_ok() {
        round_trip(&constraint);
        round_trip(&constraint.to_type());
    }
    round_trip(&sampler.refinement());
    round_trip(&sampler.number());
    rule(&sampler.rule_for(&pair.concrete().ty()));
}

/// Bytes as both formats; what is read is written and read again.
pub fn read(input: &[u8]) {
    if let Ok(read) = bounds::read(input, || serde_json::from_slice::<Value>(input)) {
        round_trip(&read);
    }
    if let Ok(read) = bounds::read(input, || postcard::from_bytes::<Value>(input)) {
        round_trip(&read);
    }
}
