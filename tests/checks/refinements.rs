//! The laws of refinements, and of assumptions.

use plantime::sample::{Sampler, Weakened, may_become};
use plantime::{Range, Refinement, Type, Value};

use super::laws;

/// Whether a refinement of a type holds for a concrete value. None holds that asks for more members than there are.
pub fn holds(ty: &Type, refinement: &Refinement, concrete: &Value) -> bool {
    match Value::refined(ty.clone(), refinement.clone()) {
        Ok(value) => may_become(&value, concrete),
        Err(error) => {
            assert!(error.is_contradiction() && matches!(ty, Type::Set(_)), "{refinement} of {ty}: {error}");
            false
        }
    }
}

/// Meet, join and containment are those of a lattice, and mean what they should on a value.
#[track_caller]
pub fn lattice(ty: &Type, [a, b, c]: [&Refinement; 3], concrete: &Value) {
    let holds = |refinement: &Refinement| holds(ty, refinement, concrete);
    laws::ordered(a, b);
    laws::transitive(a, b, c);
    assert!(a.contains(a) && Refinement::any().contains(a));
    let met = a.meet(b);
    assert_eq!(met.as_ref().ok(), b.meet(a).as_ref().ok(), "{a}, {b}");
    match &met {
        Ok(met) => {
            assert_eq!(holds(met), holds(a) && holds(b), "{a} and {b} are {met}: {concrete:?}");
            assert!(a.contains(met) && b.contains(met), "{a}, {b}, {met}");
            assert_eq!(a.join(met), *a, "absorption: {a}, {b}");
        }
        Err(_) => assert!(!(holds(a) && holds(b)), "{a} and {b} do not contradict each other: {concrete:?}"),
    }
    let joined = a.join(b);
    assert_eq!(joined, b.join(a));
    assert!(joined.contains(a) && joined.contains(b), "{a}, {b}, {joined}");
    assert!(!(holds(a) || holds(b)) || holds(&joined), "{a} or {b} is {joined}: {concrete:?}");
    assert_eq!(a.meet(&joined).ok().as_ref(), Some(a), "absorption: {a}, {b}");
    // The join of two prefixes is wider than their union, so the order shows if a language is joined with them too.
    let prefixes = [a, b, c].iter().filter(|one| matches!(one.range(), Range::Prefix(_))).count();
    let languages = [a, b, c].iter().any(|one| matches!(one.range(), Range::Language(_)));
    let (all, others) = (joined.join(c), a.join(&b.join(c)));
    if languages && prefixes > 1 {
        assert!([a, b, c].iter().all(|one| all.contains(one) && others.contains(one)), "{a}, {b}, {c}");
    } else {
        assert_eq!(others, all, "{a}, {b}, {c}");
    }
    if let (Ok(left), Ok(right)) = (a.meet(b), b.meet(c)) {
        assert_eq!(left.meet(c).ok(), a.meet(&right).ok(), "{a}, {b}, {c}");
    }
    if a.contains(b) {
        assert!(holds(a) || !holds(b), "{a} contains {b}: {concrete:?}");
        assert_eq!(joined, *a);
        assert_eq!(met.ok().as_ref(), Some(b));
    }
    for refinement in [a, b, &joined] {
        let text = refinement.to_string();
        assert_eq!(text.parse::<Refinement>().as_ref().ok(), Some(refinement), "{text}");
    }
}

/// What is assumed at plan is upheld at apply exactly by what is left.
#[track_caller]
pub fn assumed(a: &Weakened, refinement: &Refinement) {
    let ty = a.value().ty();
    if ty == Type::Dynamic || !refinement.applies_to(&ty) {
        return;
    }
    let text = || format!("{:?} assumed {refinement} with {:?}", a.value(), a.concrete());
    let (plan, apply) = (a.value().assume(refinement), a.concrete().assume(refinement));
    match &apply {
        Ok(value) => assert_eq!(value, a.concrete(), "{}", text()),
        Err(error) => assert!(error.is_contradiction(), "{}: {error}", text()),
    }
    match &plan {
        // Of elements that have no type yet nothing is kept.
        Ok(left) if is_lost(&ty, refinement) => {
            assert!(may_become(left, a.concrete()) || apply.is_err(), "{} leaves {left:?}", text());
        }
        Ok(left) => assert_eq!(may_become(left, a.concrete()), apply.is_ok(), "{} leaves {left:?}", text()),
        Err(_) => assert!(apply.is_err(), "{} fails at plan: {plan:?}", text()),
    }
    assert_eq!(apply.is_ok(), holds(&a.concrete().ty(), refinement, a.concrete()), "{}", text());
}

/// Whether the refinement says something of elements whose type is not known.
fn is_lost(ty: &Type, refinement: &Refinement) -> bool {
    let element = refinement.element();
    ty.element_type().is_some_and(|ty| match ty {
        Type::Dynamic => !element.is_trivial(),
        ty => is_lost(ty, element),
    })
}

/// One refinement assumed after another is their meet.
#[track_caller]
pub fn assumed_twice(ty: &Type, a: &Refinement, b: &Refinement) {
    let twice = Value::refined(ty.clone(), a.clone()).and_then(|value| value.assume(b));
    match a.meet(b) {
        Ok(met) => assert_eq!(twice.ok(), Value::refined(ty.clone(), met).ok(), "{a}, {b}"),
        Err(_) => assert!(twice.is_err(), "{a}, {b}: {twice:?}"),
    }
}

pub fn any(sampler: &mut Sampler<'_>) {
    let a = sampler.pair();
    let ty = a.concrete().ty();
    let (one, two) = (sampler.refinement_of(&ty), sampler.refinement_of(&ty));
    let holding = sampler.refinement_holding(a.concrete());
    assert!(
        ty == Type::Dynamic || holds(&ty, &holding, a.concrete()),
        "{holding} does not hold for {:?}",
        a.concrete()
    );
    if ty != Type::Dynamic {
        lattice(&ty, [&one, &two, &holding], a.concrete());
        lattice(&ty, [&holding, &one, &two], a.concrete());
        assumed_twice(&ty, &one, &two);
    }
    for refinement in [&one, &two, &holding] {
        assumed(&a, refinement);
    }
}
