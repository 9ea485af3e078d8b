//! The scalars of [`Domain::scalars`](super::Domain::scalars): so few that three operands can be tried at a time.

use crate::{Number, Refinement, Type, Value};

/// An unknown value of the type with the refinement.
fn refined(ty: &Type, refinement: Refinement) -> Value {
    Value::refined(ty.clone(), refinement).expect("a refinement of the kind of the type")
}

/// The abstract values of the domain: the known scalars within the bounds, and unknown ones with and without
/// refinement.
pub(super) fn abstracts() -> Vec<Value> {
    let mut all = concretes();
    // The concrete values contain values beyond these bounds.
    let beyond = [-1_000_000_007, -1, 1_000_000_007].map(Value::from);
    all.retain(|value| !beyond.contains(value));
    all.push(Value::dynamic());
    for ty in [Type::Bool, Type::Number, Type::String] {
        all.push(Value::unknown(ty.clone()));
        all.push(refined(&ty, Refinement::not_null()));
    }
    for range in [Refinement::number_at_least(0), Refinement::number_at_most(0)] {
        all.push(refined(&Type::Number, range.clone()));
        all.push(refined(&Type::Number, range.and_not_null()));
    }
    all.push(refined(&Type::String, Refinement::prefix("a")));
    all.push(refined(&Type::String, Refinement::prefix("a").and_not_null()));
    all
}

/// The wholly known values of the domain: bools, numbers, strings and nulls.
pub(super) fn concretes() -> Vec<Value> {
    let mut all = vec![Value::from(false), Value::from(true), Value::null(Type::Bool)];
    all.extend([-1_000_000_007, -1, 0, 1, 2, 1_000_000_007].map(Value::from));
    all.extend([Number::INFINITY, Number::NEG_INFINITY].map(Value::from));
    all.extend(["", "a", "ab", "b", "zq"].map(Value::from));
    all.extend([Type::Number, Type::String, Type::Dynamic].map(Value::null));
    all
}
