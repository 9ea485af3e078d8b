//! Sets of rules on the nodes of a type.

use plantime::rule::set::{Report, RuleSet, RuledType};
use plantime::{TypeConstraint, Value};

mod cases;
mod laws;
mod merging;
mod registry;
mod reports;
mod size;
mod skips;
mod taint;

/// A type by its text.
#[track_caller]
fn ruled(ty: &str) -> RuledType {
    RuledType::new(ty.parse::<TypeConstraint>().unwrap())
}

/// Keywords with arguments that are all alike.
#[track_caller]
fn set<const N: usize>(rules: [(&str, Value); N]) -> RuleSet {
    RuleSet::keywords(rules).unwrap()
}

/// The answers of a value, defaults filled in.
#[track_caller]
fn checked(ty: &RuledType, value: &Value) -> Report {
    ty.check(&ty.fill(value).unwrap()).unwrap()
}

/// The messages of what fails; nothing may be undetermined.
#[track_caller]
fn messages(ty: &RuledType, value: &Value) -> Vec<String> {
    let report = checked(ty, value);
    assert_eq!(report.undetermined().count(), 0, "{:?}", report.answers());
    report.messages()
}
