//! Equality of two documents that were built apart.

use std::rc::Rc;

use plantime::{Path, Type, Value};
use serde_json::Value as Json;

use super::codecs::UNKNOWN;
use super::document::{leaves, plan};
use super::work::Work;

fn equal(n: usize, a: Value, b: Value) -> Work {
    Work::new(leaves(n), move || a.equals(&b).expect("any two values can be compared"))
}

fn same(n: usize, a: Value, b: Value) -> Work {
    Work::new(leaves(n), move || {
        assert!(a == b, "both are made alike");
    })
}

/// The same two documents without types.
fn beside(work: Work, n: usize) -> Work {
    let ty = super::codecs::ty();
    let text = plantime::json::to_vec_as(&plan(n, 0), &ty).expect("the document is wholly known");
    let read = || Rc::new(serde_json::from_slice::<Json>(&text).expect("the document is JSON"));
    let (a, b) = (read(), read());
    work.beside("serde_json::Value ==", move || {
        assert!(a == b, "both are made alike");
    })
}

pub fn equals(n: usize) -> Work {
    beside(equal(n, plan(n, 0), plan(n, 0)), n)
}

pub fn raw_equals(n: usize) -> Work {
    beside(same(n, plan(n, 0), plan(n, 0)), n)
}

pub fn equals_unknown(n: usize) -> Work {
    equal(n, plan(n, UNKNOWN), plan(n, UNKNOWN))
}

pub fn raw_equals_unknown(n: usize) -> Work {
    same(n, plan(n, UNKNOWN), plan(n, UNKNOWN))
}

pub fn equals_unknown_last(n: usize) -> Work {
    let place = Path::new().attr("resources").index(n - 1).attr("name");
    let other = plan(n, 0)
        .transform(|path, value| Ok(if *path == place { Value::unknown(Type::String) } else { value }));
    equal(n, plan(n, 0), other.expect("a name can be unknown"))
}
