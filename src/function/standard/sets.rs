//! Functions of sets: membership, union, intersection, difference, product.

mod product;

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;
use super::collections::{CommonType, common_type, have_nothing_in_common, invalid_argument, length_of};

/// An operation on two sets.
#[derive(Clone, Copy)]
enum SetOperation {
    Union,
    Intersection,
    Difference,
    SymmetricDifference,
}

/// Adds the functions of sets.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    product::register(functions);
    let Ok(any) = Type::set(Type::Dynamic) else { return };
    let has_element = Function::new("sethaselement")
        .description("Whether a value is a member of a set.")
        .parameter(Parameter::new("set", any.clone()))
        .parameter(Parameter::new("elem", Type::Dynamic))
        .returns(Type::Bool)
        .not_null()
        .body_for_all(|arguments| arguments.at(0).has_element(arguments.at(1)));
    functions.push(StandardFunction::cty_only(
        has_element,
        "the answer, if the known members or the types decide it",
    ));
    let folding_function = |name: &str, description: &str, operation: SetOperation| {
        Function::new(name)
            .description(description)
            .parameter(Parameter::new("first_set", any.clone()))
            .variadic(Parameter::new("other_sets", any.clone()))
            .returns_by(set_type)
            .not_null()
            .body_for_all(move |arguments| fold_sets(arguments, operation))
    };
    let note = "the members that are certain, and bounds of the length; only the bounds if the element type depends on \
                an undecided type";
    let union = folding_function("setunion", "The members of all the sets.", SetOperation::Union);
    functions.push(StandardFunction::shared(union, note));
    let description = "The members that all the sets have.";
    let intersection = folding_function("setintersection", description, SetOperation::Intersection);
    functions.push(StandardFunction::shared(intersection, note));
    let description =
        "The members of exactly one of two sets; a third set is then combined with that result, and so on.";
    let difference =
        folding_function("setsymmetricdifference", description, SetOperation::SymmetricDifference);
    functions.push(StandardFunction::cty_only(difference, note));
    let subtract = Function::new("setsubtract")
        .description("The members of a set that another set does not have.")
        .parameter(Parameter::new("a", any.clone()))
        .parameter(Parameter::new("b", any.clone()))
        .returns_by(set_type)
        .not_null()
        .body_for_all(|arguments| fold_sets(arguments, SetOperation::Difference));
    functions.push(StandardFunction::shared(subtract, note));
}

impl SetOperation {
    /// The result of the operation on two sets of the same type.
    fn apply(self, a: &Value, b: &Value) -> Result<Value> {
        match self {
            SetOperation::Union => a.union(b),
            SetOperation::Intersection => a.intersection(b),
            SetOperation::Difference => a.difference(b),
            SetOperation::SymmetricDifference => a.symmetric_difference(b),
        }
    }
}

/// The element type that all sets are converted to, as far as it is known; an error if they have none in common.
fn common_element_type(arguments: &Arguments<'_>) -> Result<CommonType> {
    let mut types = Vec::new();
    for set in arguments.all() {
        let ty = set.ty();
        let Some(element) = ty.element_type() else { continue };
        // An empty set of undecided type fits every other set.
        if set.is_wholly_known() && *element == Type::Dynamic {
            continue;
        }
        let is_decided = set.is_wholly_known() || !element.has_dynamic();
        types.push((element.clone(), is_decided));
    }
    // The only set with an element type, beside empty sets of undecided type: its own type may still change, so its
    // members are not converted yet.
    if types.len() == 1 && arguments.all().len() > 1 && types.iter().any(|(_, is_decided)| !is_decided) {
        return Ok(CommonType::Undecided(Type::Dynamic));
    }
    if types.is_empty() {
        return Ok(CommonType::Type(Type::Dynamic));
    }
    let incompatible = || invalid_argument("given sets must all have compatible element types");
    // A set with members has an element type in the end, so classes that never unify are an error already now.
    if types.iter().any(|(_, is_decided)| !is_decided) && have_nothing_in_common(&types) {
        return Err(incompatible());
    }
    common_type(&types).ok_or_else(incompatible)
}

/// The result type of the set operations: a set of the common element type.
fn set_type(arguments: &Arguments<'_>) -> Result<Type> {
    Type::set(common_element_type(arguments)?.ty().clone())
}

/// Computes a set operation on all arguments: applies it to the first two sets, then to the result and the next set.
fn fold_sets(arguments: &Arguments<'_>, operation: SetOperation) -> Result<Value> {
    if matches!(common_element_type(arguments)?, CommonType::Undecided(_)) {
        return Ok(set_of_undecided_type(arguments, operation));
    }
    let target = TypeConstraint::from(arguments.ty().clone());
    let mut sets = arguments.all().iter().map(|set| convert(set, &target));
    let first = sets.next().unwrap_or_else(|| Err(invalid_argument("at least one set is required")))?;
    sets.try_fold(first, |folded, set| operation.apply(&folded, &set?))
}

/// The result of a set operation on sets whose common element type is undecided: an unknown set with length bounds.
/// Different members may become equal when they are converted, so a lower bound is 1 at most.
fn set_of_undecided_type(arguments: &Arguments<'_>, operation: SetOperation) -> Value {
    let lengths: Vec<LengthRange> = arguments.all().iter().map(length_of).collect();
    let sum = |lengths: &[LengthRange]| {
        lengths.iter().try_fold(0_u64, |sum, length| Some(sum.saturating_add(length.upper()?)))
    };
    let (min, max) = match operation {
        SetOperation::Union => (u64::from(lengths.iter().any(|length| length.lower() > 0)), sum(&lengths)),
        SetOperation::Intersection => (0, lengths.iter().filter_map(LengthRange::upper).min()),
        SetOperation::Difference => (0, lengths.first().and_then(LengthRange::upper)),
        SetOperation::SymmetricDifference => (0, sum(&lengths)),
    };
    let length = LengthRange::new(min, max).unwrap_or_default();
    canonical(arguments.ty().clone(), Refinement::length(length).and_not_null())
}
