//! Sets: members, and what two or more sets make together.

mod product;

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;
use super::collections::{Common, common_type, have_nothing_in_common, length_of, unfit};

#[derive(Clone, Copy)]
enum Operation {
    Union,
    Intersection,
    Difference,
    SymmetricDifference,
}

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["sethaselement"], "decided where the members that are known, or the types, decide it"),
    (
        &["setunion", "setintersection", "setsubtract", "setsymmetricdifference"],
        "the members that are certain, and how many there can be; only the latter where the element type hangs on an undecided one",
    ),
    (&["setproduct"], "the combinations where all lengths are known, else how many there can be"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    product::add_to(all);
    let Ok(any) = Type::set(Type::Dynamic) else { return };
    let has_element = Function::new("sethaselement")
        .description("Whether a value is a member of a set.")
        .parameter(Parameter::new("set", any.clone()))
        .parameter(Parameter::new("elem", Type::Dynamic))
        .returns(Type::Bool)
        .not_null()
        .body_for_all(|arguments| arguments.at(0).has_element(arguments.at(1)));
    all.push(Standard::cty(has_element));
    let folded = |name: &str, description: &str, operation: Operation| {
        Function::new(name)
            .description(description)
            .parameter(Parameter::new("first_set", any.clone()))
            .variadic(Parameter::new("other_sets", any.clone()))
            .returns_by(set_type)
            .not_null()
            .body_for_all(move |arguments| fold(arguments, operation))
    };
    all.push(Standard::both(folded("setunion", "The members of all the sets.", Operation::Union)));
    let description = "The members that all the sets have.";
    all.push(Standard::both(folded("setintersection", description, Operation::Intersection)));
    let description =
        "The members that one of two sets has and the other has not; then of that and the third.";
    all.push(Standard::cty(folded("setsymmetricdifference", description, Operation::SymmetricDifference)));
    let subtract = Function::new("setsubtract")
        .description("The members of a set that another has not.")
        .parameter(Parameter::new("a", any.clone()))
        .parameter(Parameter::new("b", any.clone()))
        .returns_by(set_type)
        .not_null()
        .body_for_all(|arguments| fold(arguments, Operation::Difference));
    all.push(Standard::both(subtract));
}

impl Operation {
    fn of(self, a: &Value, b: &Value) -> Result<Value> {
        match self {
            Operation::Union => a.union(b),
            Operation::Intersection => a.intersection(b),
            Operation::Difference => a.difference(b),
            Operation::SymmetricDifference => a.symmetric_difference(b),
        }
    }
}

/// The common element type.
fn common(arguments: &Arguments<'_>) -> Result<Common> {
    let mut types = Vec::new();
    for set in arguments.all() {
        let ty = set.ty();
        let Some(element) = ty.element_type() else { continue };
        // An empty set of an undecided type goes with every set.
        if set.is_wholly_known() && *element == Type::Dynamic {
            continue;
        }
        types.push((element.clone(), set.is_wholly_known() || !element.has_dynamic()));
    }
    // The members of an undecided type of one set are not converted to what they are.
    if types.len() == 1 && arguments.all().len() > 1 && types.iter().any(|(_, decided)| !decided) {
        return Ok(Common::Undecided(Type::Dynamic));
    }
    if types.is_empty() {
        return Ok(Common::Type(Type::Dynamic));
    }
    let none = || unfit("given sets must all have compatible element types");
    // A set with members has a type, so what is undecided does not stay so.
    if types.iter().any(|(_, decided)| !decided) && have_nothing_in_common(&types) {
        return Err(none());
    }
    common_type(&types).ok_or_else(none)
}

fn set_type(arguments: &Arguments<'_>) -> Result<Type> {
    Type::set(common(arguments)?.ty().clone())
}

fn fold(arguments: &Arguments<'_>, operation: Operation) -> Result<Value> {
    if matches!(common(arguments)?, Common::Undecided(_)) {
        return Ok(of_undecided(arguments, operation));
    }
    let wanted = TypeConstraint::from(arguments.ty().clone());
    let mut sets = arguments.all().iter().map(|set| convert(set, &wanted));
    let first = sets.next().unwrap_or_else(|| Err(unfit("at least one set is required")))?;
    sets.try_fold(first, |folded, set| operation.of(&folded, &set?))
}

/// Members that differ can become one where they are converted.
fn of_undecided(arguments: &Arguments<'_>, operation: Operation) -> Value {
    let lengths: Vec<LengthRange> = arguments.all().iter().map(length_of).collect();
    let most = |lengths: &[LengthRange]| {
        lengths.iter().try_fold(0_u64, |sum, length| Some(sum.saturating_add(length.upper()?)))
    };
    let (fewest, most) = match operation {
        Operation::Union => (u64::from(lengths.iter().any(|length| length.lower() > 0)), most(&lengths)),
        Operation::Intersection => (0, lengths.iter().filter_map(LengthRange::upper).min()),
        Operation::Difference => (0, lengths.first().and_then(LengthRange::upper)),
        Operation::SymmetricDifference => (0, most(&lengths)),
    };
    let length = LengthRange::new(fewest, most).unwrap_or_default();
    canonical(arguments.ty().clone(), Refinement::length(length).and_not_null())
}
