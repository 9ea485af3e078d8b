//! Marks on several values and deep inside one.

use plantime::{Mark, Marks, Path, Value};
use serde_json::Value as Json;

use super::{Call, data, found, paths};
use crate::notation::{self, Read, Unread};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "mark_with_paths" => places(case)
            .and_then(|places| of_first(case, move |first, _| found(Ok(first.mark_with_paths(&places))))),
        "has_mark_deep" => match case.get("mark").and_then(Json::as_str).map(Mark::new) {
            Some(mark) => of_first(case, move |first, _| data(first.has_mark_deep(&mark))),
            None => Err(Unread::Bad("no mark".into())),
        },
        "has_same_marks" => {
            of_first(case, |first, others| data(others.iter().all(|other| first.has_same_marks(other))))
        }
        "with_same_marks" => of_first(case, |first, others| found(Ok(first.clone().with_same_marks(others)))),
        _ => return None,
    })
}

fn of_first(case: &Json, run: impl Fn(&Value, &[Value]) -> super::Answer + 'static) -> Read<Call> {
    Call::of(super::args(case)?, move |args| match args.split_first() {
        Some((first, others)) => run(first, others),
        None => Err("no value".into()),
    })
}

fn places(case: &Json) -> Read<Vec<(Path, Marks)>> {
    let places = case.get("pvm").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let part = |place: &Json, name: &str| place.get(name).cloned().unwrap_or(Json::Null);
    places
        .iter()
        .map(|place| Ok((paths::path(&part(place, "path"))?, notation::marks(&part(place, "marks"))?)))
        .collect()
}
