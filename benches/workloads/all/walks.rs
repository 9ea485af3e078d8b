//! Every part of a document: visited, changed, found by its path, built, shared, dropped.

use std::rc::Rc;

use plantime::{Path, Value, View};
use serde_json::Value as Json;

use super::document::{leaves, plan};
use super::work::Work;

fn json(n: usize) -> Rc<Json> {
    let text = plantime::json::to_vec_as(&plan(n, 0), &super::codecs::ty()).expect("wholly known");
    Rc::new(serde_json::from_slice(&text).expect("the document is JSON"))
}

/// How deep each part lies, all together: what a visit that has no use for the path can tell.
fn walked(json: &Json, depth: usize) -> usize {
    match json {
        Json::Array(items) => depth + items.iter().map(|item| walked(item, depth + 1)).sum::<usize>(),
        Json::Object(map) => depth + map.values().map(|item| walked(item, depth + 1)).sum::<usize>(),
        _ => depth,
    }
}

pub fn walk(n: usize) -> Work {
    let (value, other) = (plan(n, 0), json(n));
    Work::new(leaves(n), move || {
        let mut depths = 0;
        value.walk(|path, _| {
            depths += path.len();
            true
        });
        depths
    })
    .beside("a walk of serde_json::Value", move || walked(&other, 0))
}

pub fn transform_id(n: usize) -> Work {
    let (value, other) = (plan(n, 0), json(n));
    Work::new(leaves(n), move || value.transform(|_, value| Ok(value)).expect("nothing fails"))
        .beside("clone of serde_json::Value", move || Json::clone(&other))
}

pub fn transform_upper(n: usize) -> Work {
    let value = plan(n, 0);
    Work::new(leaves(n), move || {
        let changed = value.transform(|_, value| {
            Ok(match value.as_str() {
                Ok(text) if !value.is_null() => Value::from(format!("{text}!")),
                _ => value,
            })
        });
        changed.expect("nothing fails")
    })
}

/// A thousand paths of a document of a thousand resources.
pub fn path_apply(n: usize) -> Work {
    paths(1000, n)
}

/// A thousand times, in a document of any size.
pub fn path_in(n: usize) -> Work {
    paths(n, 1000)
}

fn paths(resources: usize, times: usize) -> Work {
    let value = plan(resources, 0);
    let path = |i: usize| Path::new().attr("resources").index(i % resources).attr("tags").index("Name");
    let paths: Vec<Path> = (0..1000).map(path).collect();
    Work::each(times, move |i| value.get(&paths[i % 1000]).expect("there is a name"))
}

pub fn build(n: usize) -> Work {
    Work::new(leaves(n), move || plan(n, 0))
}

/// Once for each leaf, as it is so quick.
pub fn clone(n: usize) -> Work {
    let value = plan(n, 0);
    Work::each(leaves(n), move |_| value.clone())
}

pub fn drop(n: usize) -> Work {
    let other = json(n);
    Work::with(leaves(n), move || plan(n, 0), std::mem::drop).beside_with(
        "drop of serde_json::Value",
        Work::with(leaves(n), move || Json::clone(&other), std::mem::drop),
    )
}

/// Each element by its place.
pub fn index(n: usize) -> Work {
    let value = plan(1000, 0);
    let resources = value.get_attr("resources").expect("there are resources");
    Work::each(n, move |i| match resources.view() {
        View::List(list) => list.get(i % 1000).cloned(),
        _ => None,
    })
}
