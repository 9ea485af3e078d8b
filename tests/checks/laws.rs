//! The laws of a call, on operands that contain concrete ones.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use plantime::sample::may_become;
use plantime::{Error, Result, Value};

use super::inclusion::may_include;

/// A call with its operands written down, for the message of a failure.
pub struct Call<'a>(pub &'a dyn Fn() -> String);

/// Soundness: the answer for the weakened operands contains that for the concrete ones.
#[track_caller]
pub fn sound(concrete: &Result<Value>, weak: &Result<Value>, call: &Call<'_>) {
    match (concrete, weak) {
        (Err(_), _) => {}
        (Ok(concrete), Ok(weak)) => assert!(
            contains(weak, concrete),
            "unsound: {}\n  gives {weak:?}\n  but   {concrete:?} for the concrete operands",
            call.0()
        ),
        (Ok(concrete), Err(error)) => {
            panic!(
                "unsound: {}\n  errs with {error}\n  but gives {concrete:?} for the concrete operands",
                call.0()
            )
        }
    }
}

/// An answer is wholly known but where the element type of a collection stays undecided.
fn contains(weak: &Value, concrete: &Value) -> bool {
    if concrete.is_wholly_known() { may_become(weak, concrete) } else { may_include(weak, concrete) }
}

/// Known in, known out.
#[track_caller]
pub fn known(concrete: &Result<Value>, call: &Call<'_>) {
    if let Ok(value) = concrete {
        assert!(
            value.is_wholly_known(),
            "known operands, not a known answer: {}\n  gives {value:?}",
            call.0()
        );
    }
}

/// Monotonicity: weaker operands give an answer that is no more known.
#[track_caller]
pub fn monotone(narrow: &Result<Value>, wide: &Result<Value>, call: &Call<'_>) {
    match (narrow, wide) {
        (Err(_), _) => {}
        (Ok(narrow), Ok(wide)) => assert!(
            may_include(wide, narrow),
            "not monotone: {}\n  gives {narrow:?}\n  but   {wide:?} for weaker operands",
            call.0()
        ),
        (Ok(narrow), Err(error)) => {
            panic!(
                "not monotone: {}\n  gives {narrow:?}\n  but errs with {error} for weaker operands",
                call.0()
            )
        }
    }
}

/// The kind of an error, as its questions tell.
pub fn kind(error: &Error) -> [bool; 11] {
    [
        error.is_type_mismatch(),
        error.is_null(),
        error.is_unknown(),
        error.is_marked(),
        error.is_not_found(),
        error.is_limit(),
        error.is_undefined(),
        error.is_contradiction(),
        error.needs_type(),
        error.is_syntax(),
        error.is_argument(),
    ]
}

/// Erasure: marks change no answer.
#[track_caller]
pub fn erased(marked: &Result<Value>, bare: &Result<Value>, call: &Call<'_>) {
    match (marked, bare) {
        (Ok(marked), Ok(bare)) => {
            let erased = marked.unmark_deep().0;
            assert_eq!(erased, *bare, "marks change the answer of {}", call.0());
        }
        (Err(marked), Err(bare)) => {
            assert_eq!(kind(marked), kind(bare), "marks change the error of {}: {marked}, {bare}", call.0());
        }
        (marked, bare) => panic!("marks change the answer of {}: {marked:?}, {bare:?}", call.0()),
    }
}

/// Retention: the marks at the top of the operands are at the top of the answer.
#[track_caller]
pub fn retained(answer: &Result<Value>, operands: &[&Value], call: &Call<'_>) {
    let Ok(answer) = answer else { return };
    for mark in operands.iter().flat_map(|operand| operand.marks()) {
        assert!(answer.marks().contains(mark), "{mark} is lost by {}: {answer:?}", call.0());
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Equality, order and hash agree.
#[track_caller]
pub fn ordered<T: Ord + Hash + std::fmt::Debug>(a: &T, b: &T) {
    assert_eq!(a == b, a.cmp(b).is_eq(), "{a:?}, {b:?}");
    assert_eq!(a.cmp(b), b.cmp(a).reverse(), "{a:?}, {b:?}");
    assert_eq!(a.partial_cmp(b), Some(a.cmp(b)));
    if a == b {
        assert_eq!(hash(a), hash(b), "{a:?}, {b:?}");
    }
}

/// Order is transitive.
#[track_caller]
pub fn transitive<T: Ord + std::fmt::Debug>(a: &T, b: &T, c: &T) {
    let mut all = [a, b, c];
    all.sort();
    let [a, b, c] = all;
    assert!(a <= b && b <= c && a <= c, "{a:?}, {b:?}, {c:?}");
}
