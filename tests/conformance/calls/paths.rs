//! Following paths into values, and comparing paths.

use plantime::{Path, Step, Type, Value};
use serde_json::Value as Json;

use super::{Call, data, found};
use crate::notation::{self, Read, Unread};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "path_apply" => follow(case, false),
        "path_last_step" => follow(case, true),
        "path_equals" => two(case, |a, b| data(a == b)),
        "path_has_prefix" => two(case, |a, b| data(a.starts_with(b))),
        _ => return None,
    })
}

pub(super) fn path(json: &Json) -> Read<Path> {
    let steps = json.as_array().map(Vec::as_slice).unwrap_or_default();
    steps.iter().map(step).collect()
}

fn step(json: &Json) -> Read<Step> {
    match (json.get("attr").and_then(Json::as_str), json.get("index")) {
        (Some(name), _) => Ok(Step::attr(name)),
        (None, Some(key)) => notation::value(key).map(Step::Index),
        (None, None) => Err(Unread::Bad(format!("no step: {json}"))),
    }
}

fn two(case: &Json, run: fn(&Path, &Path) -> super::Answer) -> Read<Call> {
    let Some([a, b]) = case.get("paths").and_then(Json::as_array).map(Vec::as_slice) else {
        return Err(Unread::LeftOut("number-of-arguments"));
    };
    let (a, b) = (path(a)?, path(b)?);
    Call::of(Vec::new(), move |_| run(&a, &b))
}

/// The part at the path, or where its last step starts. The keys are arguments too: an unknown key stands for
/// every key that it may become.
fn follow(case: &Json, before_last: bool) -> Read<Call> {
    let mut args = super::args(case)?;
    if args.len() != 1 {
        return Err(Unread::LeftOut("number-of-arguments"));
    }
    let mut path = path(case.get("path").unwrap_or(&Json::Null))?;
    let last = if before_last { path.pop() } else { None };
    if before_last && !same_step(case, last.as_ref()) {
        return Err(Unread::Bad("another last step".into()));
    }
    let ends = [Value::from("x"), Value::from(7), Value::from(true)];
    let mut hints: Vec<Value> = ends.into_iter().filter_map(|end| witness(&path, end)).collect();
    // A set has its members as keys.
    hints.extend(path.steps().iter().filter_map(|step| match step {
        Step::Attr(_) => None,
        Step::Index(key) => Value::set([key.unmark_deep().0]).ok(),
    }));
    args.extend(path.steps().iter().filter_map(|step| match step {
        Step::Attr(_) => None,
        Step::Index(key) => Some(key.clone()),
    }));
    let call = Call::of(args, move |args| {
        let mut keys = args[1..].iter();
        let steps = path.steps().iter().map(|step| match step {
            Step::Attr(_) => step.clone(),
            Step::Index(key) => Step::Index(keys.next().unwrap_or(key).clone()),
        });
        found(args[0].get(&steps.collect()))
    })?;
    Ok(if before_last {
        Call {
            hints,
            read: |json| notation::value(json.get("v").unwrap_or(&Json::Null)),
            own_form: true,
            ..call
        }
    } else {
        Call { hints, ..call }
    })
}

/// Whether the recorded last step is the last step of the path, or there is an error.
fn same_step(case: &Json, last: Option<&Step>) -> bool {
    match (case.get("want").and_then(|want| want.get("step")), last) {
        (None, _) | (Some(Json::Null), None) => true,
        (Some(recorded), Some(last)) => step(recorded).is_ok_and(|recorded| recorded == *last),
        (Some(_), None) => false,
    }
}

/// A value in which the path leads to this one, for what is of unknown type.
fn witness(path: &Path, end: Value) -> Option<Value> {
    path.steps().iter().rev().try_fold(end, |inner, step| match step {
        Step::Attr(name) => Value::object([(name.as_str(), inner)]).ok(),
        Step::Index(key) => match key.unmark_deep().0 {
            key if key.is_null() => Value::set([key]).ok(),
            key if key.ty() == Type::String => Value::map([(key.as_str().unwrap_or("x"), inner)]).ok(),
            key if key.ty() == Type::Number => Value::tuple([inner.clone(), inner]).ok(),
            key => Value::set([key]).ok(),
        },
    })
}
