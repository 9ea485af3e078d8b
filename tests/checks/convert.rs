//! The laws of conversion.

use plantime::sample::{Sampler, Weakened};
use plantime::{Safety, Type, TypeConstraint, Value, conversion, convert, unify};

use super::laws::{self, Call};

/// All laws of a conversion; `wide` is weaker than the weakened value.
#[track_caller]
pub fn conversions(a: &Weakened, to: &TypeConstraint, wide: &Value) {
    let text = || format!("{:?} to {to} with {:?}, weaker {wide:?}", a.value(), a.concrete());
    let call = Call(&text);
    let concrete = convert(a.concrete(), to);
    // A list of an untyped null is a list of elements of an undecided type, which is not wholly known.
    if !to.as_type().has_dynamic() {
        laws::known(&concrete, &call);
    }
    let weak = convert(a.value(), to);
    laws::sound(&concrete, &weak, &call);
    let wider = convert(wide, to);
    laws::sound(&concrete, &wider, &call);
    laws::monotone(&weak, &wider, &call);
    match conversion(&a.concrete().ty(), to) {
        None => assert!(concrete.is_err() || a.concrete().is_null(), "no conversion, but {}", text()),
        Some(Safety::Safe) => assert!(
            concrete.as_ref().is_ok() || concrete.as_ref().is_err_and(|error| error.is_limit()),
            "a safe conversion fails: {}: {concrete:?}",
            text()
        ),
        Some(Safety::Unsafe) => {}
    }
    if let Ok(converted) = &concrete {
        assert!(to.as_type().covers(&converted.ty()), "{} gives {converted:?}", text());
        let again = convert(converted, to);
        assert_eq!(again.as_ref().ok(), Some(converted), "not idempotent: {}", text());
    }
}

#[track_caller]
pub fn marked(bare: &Value, to: &TypeConstraint, marked: &Value) {
    let text = || format!("{marked:?} to {to}");
    let (bare, answer) = (convert(bare, to), convert(marked, to));
    laws::erased(&answer, &bare, &Call(&text));
    laws::retained(&answer, &[marked], &Call(&text));
}

/// The common type of some types is one that all convert to, whatever their order and however often each is given.
#[track_caller]
pub fn unified(types: &[Type]) {
    let [safe, unsafely] = [Safety::Safe, Safety::Unsafe].map(|safety| {
        let common = unify(types, safety);
        let mut turned = types.to_vec();
        for _ in types {
            turned.rotate_left(1);
            assert_eq!(unify(&turned, safety), common, "the common type of {types:?} depends on their order");
            turned.reverse();
            assert_eq!(unify(&turned, safety), common, "the common type of {types:?} depends on their order");
            turned.reverse();
        }
        turned.extend_from_slice(types);
        assert_eq!(
            unify(&turned, safety),
            common,
            "the common type of {types:?} depends on how often each is given"
        );
        if let Some(common) = &common {
            for ty in types {
                let found = conversion(ty, &common.into());
                assert!(
                    found.is_some() && (safety == Safety::Unsafe || found == Some(Safety::Safe)),
                    "{ty} does not convert to {common}, the common type of {types:?}: {found:?}"
                );
            }
            turned.push(common.clone());
            assert_eq!(unify(&turned, safety).as_ref(), Some(common), "not idempotent: {types:?}");
        }
        common
    });
    if let (Some(safe), None) = (safe, unsafely) {
        // What is dynamic can be taken for one of the others, and that does not go with the rest.
        assert!(safe.has_dynamic(), "{types:?} have {safe}, unsafely nothing");
    }
}

pub fn any(sampler: &mut Sampler<'_>) {
    let (a, to) = match sampler.below(3) {
        0 => {
            let to = sampler.constraint();
            sampler.refill();
            let value = sampler.convertible(&to);
            (sampler.pair_of(value), to)
        }
        1 => {
            let a = sampler.pair();
            sampler.refill();
            (a, sampler.constraint())
        }
        _ => {
            let a = sampler.pair();
            sampler.refill();
            let to = sampler.constraint_for(&a.concrete().ty());
            (a, to)
        }
    };
    let wide = sampler.weakened(a.value());
    conversions(&a, &to, &wide);
    let with_marks = sampler.marked(a.value());
    marked(a.value(), &to, &with_marks);
    let types: Vec<Type> = (0..sampler.below(5)).map(|_| sampler.ty(true)).collect();
    unified(&types);
}
