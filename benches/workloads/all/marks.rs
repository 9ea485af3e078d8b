//! Marks on every hundredth leaf of a document, and taken off again.

use plantime::{Mark, Marks, Path, Value};

use super::document::{leaves, plan};
use super::work::Work;

/// The places of some leaves, in the order of a walk, each with a mark.
fn places(value: &Value) -> Vec<(Path, Marks)> {
    let mut marks = Marks::new();
    marks.insert(Mark::new("sensitive"));
    let (mut count, mut places) = (0_usize, Vec::new());
    value.walk(|path, value| {
        if value.ty().is_primitive() {
            if count % 100 == 50 {
                places.push((path.clone(), marks.clone()));
            }
            count += 1;
        }
        true
    });
    places
}

pub fn mark_paths(n: usize) -> Work {
    let value = plan(n, 0);
    let places = places(&value);
    Work::new(leaves(n), move || value.mark_with_paths(&places))
}

fn marked(n: usize) -> Value {
    let value = plan(n, 0);
    value.mark_with_paths(&places(&value))
}

pub fn unmark_deep_paths(n: usize) -> Work {
    let value = marked(n);
    Work::new(leaves(n), move || value.unmark_deep_with_paths())
}

pub fn unmark_deep(n: usize) -> Work {
    let value = marked(n);
    Work::new(leaves(n), move || value.unmark_deep())
}

/// Of a document without marks; once for each leaf, as it is so quick.
pub fn contains_marked(n: usize) -> Work {
    let value = plan(n, 0);
    Work::each(leaves(n), move |_| std::hint::black_box(&value).contains_marks())
}

/// Twenty calls, told for each leaf and call.
pub fn wholly_known(n: usize) -> Work {
    let value = plan(n, 0);
    let calls = Work::each(20, move |_| std::hint::black_box(&value).is_wholly_known());
    Work { operations: 20 * leaves(n), ..calls }
}
