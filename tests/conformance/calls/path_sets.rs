//! Sets of paths.

use std::collections::BTreeSet;

use plantime::{Path, PathSet};
use serde_json::Value as Json;

use super::{Answer, Call, data, paths};
use crate::notation::{Read, Unread, write_path};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "pathset_list" => on_one(case, written),
        "pathset_union" => on_two(case, |a, b| written(&a.union(b))),
        "pathset_intersection" => on_two(case, |a, b| written(&a.intersection(b))),
        "pathset_subtract" => on_two(case, |a, b| written(&a.difference(b))),
        "pathset_symdiff" => on_two(case, |a, b| written(&a.symmetric_difference(b))),
        "pathset_equal" => on_two(case, |a, b| data(a == b)),
        "pathset_has" => with_path(case, |set, path| data(set.contains(path))),
        "pathset_remove" => with_path(case, |set, path| {
            let mut set = set.clone();
            set.remove(path);
            written(&set)
        }),
        "pathset_add_all_steps" => with_path(case, |set, path| {
            let mut set = set.clone();
            set.add_all_steps(path);
            written(&set)
        }),
        _ => return None,
    })
}

fn sets(case: &Json) -> Read<Vec<PathSet>> {
    let sets = case.get("sets").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let set = |set: &Json| {
        set.as_array()
            .map(Vec::as_slice)
            .unwrap_or_default()
            .iter()
            .map(paths::path)
            .collect::<Read<PathSet>>()
    };
    sets.iter().map(set).collect()
}

fn on_one(case: &Json, run: fn(&PathSet) -> Answer) -> Read<Call> {
    match sets(case)?.as_slice() {
        [set] => {
            let set = set.clone();
            Call::of(Vec::new(), move |_| run(&set))
        }
        _ => Err(Unread::LeftOut("number-of-arguments")),
    }
}

fn on_two(case: &Json, run: fn(&PathSet, &PathSet) -> Answer) -> Read<Call> {
    match sets(case)?.as_slice() {
        [a, b] => {
            let (a, b) = (a.clone(), b.clone());
            Call::of(Vec::new(), move |_| run(&a, &b))
        }
        _ => Err(Unread::LeftOut("number-of-arguments")),
    }
}

fn with_path(case: &Json, run: fn(&PathSet, &Path) -> Answer) -> Read<Call> {
    let path = paths::path(case.get("path").unwrap_or(&Json::Null))?;
    match sets(case)?.as_slice() {
        [set] => {
            let set = set.clone();
            Call::of(Vec::new(), move |_| run(&set, &path))
        }
        _ => Err(Unread::LeftOut("number-of-arguments")),
    }
}

/// In the order of the notation.
fn written(set: &PathSet) -> Answer {
    let mut paths: Vec<Json> = set.iter().map(write_path).collect();
    paths.sort_by_key(Json::to_string);
    data(paths)
}

/// The text of a path, which two paths of the same steps have in common.
pub(crate) fn text(path: &Json) -> String {
    paths::path(path).map_or_else(|_| path.to_string(), |path| write_path(&path).to_string())
}

/// What an operation on sets of these texts gives.
pub(crate) fn model(case: &Json) -> Option<Json> {
    let op = case.get("op").and_then(Json::as_str)?;
    let sets = case.get("sets").and_then(Json::as_array)?;
    let mut sets = sets.iter().map(|set| set.as_array().into_iter().flatten().map(text).collect());
    let (a, b): (BTreeSet<String>, BTreeSet<String>) = (sets.next()?, sets.next().unwrap_or_default());
    let path = case.get("path").map(text).unwrap_or_default();
    let steps = case.get("path").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let begun = (1..=steps.len()).map(|count| text(&Json::from(steps[..count].to_vec())));
    let list: BTreeSet<String> = match op {
        "pathset_equal" => return Some(Json::from(a == b)),
        "pathset_has" => return Some(Json::from(a.contains(&path))),
        "pathset_list" => a,
        "pathset_union" => &a | &b,
        "pathset_intersection" => &a & &b,
        "pathset_subtract" => &a - &b,
        "pathset_symdiff" => &a ^ &b,
        "pathset_remove" => a.into_iter().filter(|other| *other != path).collect(),
        "pathset_add_all_steps" => a.into_iter().chain(begun).collect(),
        _ => return None,
    };
    let paths = list.iter().map(|text| serde_json::from_str::<Json>(text).ok());
    paths.collect::<Option<Vec<Json>>>().map(Json::from)
}

/// Names in the path that are not in normal form, in normal form.
pub(crate) fn names_in_other_form(path: &Json) -> Vec<String> {
    let steps = path.as_array().into_iter().flatten();
    let names = steps.filter_map(|step| step.get("attr").and_then(Json::as_str));
    names
        .map(|name| (name, plantime::text::nfc(name)))
        .filter(|(name, nfc)| name != nfc)
        .map(|(_, nfc)| nfc.to_string())
        .collect()
}
