//! The values that `enum` and `const` list, on values of a type.

use std::sync::Arc;

use crate::path::Path;
use crate::rule::{Custom, Misuse, Outcome, Request, Rule, Why};
use crate::types::Type;
use crate::value::{ObjectView, Value, View};

use super::Nulls;
use super::compile::json_type;
use super::compiled::never;
use super::fit::fit;

/// Listed JSON values, of which a value must be one.
pub(super) struct JsonValues {
    pub(super) values: Vec<Value>,
    /// Whether it is the one value of `const`.
    pub(super) is_const: bool,
    pub(super) nulls: Nulls,
}

impl JsonValues {
    /// The rule that a value of the type, if it is not null, is one of these. `path` is the place of the keyword in the document.
    ///
    /// Which of them a value of a partly decided type can be read as is decided with its type, so there the rule is a function: a
    /// comparison with the values as they are read now would not be able to read all that the value may become.
    pub(super) fn rule(mut self, ty: &Type, path: &Path) -> Rule {
        self.values.retain(|json| !json.is_null());
        if self.values.is_empty() {
            return never();
        }
        if !ty.has_dynamic() {
            return self.rule_for(ty);
        }
        let name = format!("JSON schema #{}", super::pointer(path));
        let listed = Arc::new(self);
        Rule::Custom(Custom::new(&name, move |request| listed.check(request)))
    }

    /// The comparison with those that have the type.
    fn rule_for(&self, ty: &Type) -> Rule {
        let fitting = self.values.iter().filter_map(|json| fit(json, ty, self.nulls));
        let mut fitting: Vec<Value> = fitting.filter(|value| !value.is_null()).collect();
        match self.is_const {
            true => fitting.pop().map_or_else(never, Rule::equals),
            false if fitting.is_empty() => never(),
            false => Rule::one_of(fitting),
        }
    }

    /// Checks the value of the request, whose type may have been decided since.
    fn check(&self, request: &Request<'_>) -> Result<Outcome, Misuse> {
        let value = request.value();
        let ty = value.ty();
        if value.is_wholly_known() || !ty.has_dynamic() {
            return self.rule_for(&ty).check(request);
        }
        let (bare, _) = value.unmark_deep();
        let mut is_open = false;
        for json in &self.values {
            match equals_json(&bare, json, self.nulls) {
                Some(true) => return Ok(Outcome::Pass),
                Some(false) => {}
                None => is_open = true,
            }
        }
        match is_open {
            true => Ok(Outcome::Undetermined(Why::of_unknown_parts(request))),
            false => never().check(request),
        }
    }
}

/// Whether the JSON form of the value is `json`, whatever the value becomes (true), or for nothing that it may become (false).
fn equals_json(value: &Value, json: &Value, nulls: Nulls) -> Option<bool> {
    let ty = value.ty();
    if value.is_wholly_known() || !ty.has_dynamic() {
        let Some(read) = fit(json, &ty, nulls) else { return Some(false) };
        return value.equals(&read).ok()?.as_bool().ok();
    }
    if ty == Type::Dynamic {
        return None;
    }
    if !json.is_null() && json_type(&ty) != json_type(&json.ty()) {
        return Some(false);
    }
    match (value.view(), json.view()) {
        (View::List(list), View::Tuple(items)) => {
            all_equal(list.len() == items.len(), list.iter().zip(items.iter()), nulls)
        }
        (View::Tuple(tuple), View::Tuple(items)) => {
            all_equal(tuple.len() == items.len(), tuple.iter().zip(items.iter()), nulls)
        }
        (View::Map(map), View::Object(object)) => {
            let parts = map.iter().filter_map(|(key, part)| Some((part, object.get(key)?)));
            let has_all = map.iter().all(|(key, _)| object.get(key).is_some());
            all_equal(has_all && map.len() == object.len(), parts, nulls)
        }
        (View::Object(own), View::Object(object)) => attributes_equal(&own, &object, nulls),
        (View::List(_) | View::Tuple(_) | View::Map(_) | View::Object(_), _) => Some(false),
        _ => None,
    }
}

/// Whether each part equals the JSON value beside it, and `complete` holds.
fn all_equal<'v>(
    complete: bool,
    mut parts: impl Iterator<Item = (&'v Value, &'v Value)>,
    nulls: Nulls,
) -> Option<bool> {
    if !complete {
        return Some(false);
    }
    parts
        .try_fold(Some(true), |all, (part, json)| match (all, equals_json(part, json, nulls)) {
            (_, Some(false)) => Err(Some(false)),
            (all, Some(true)) => Ok(all),
            (_, None) => Ok(None),
        })
        .unwrap_or_else(|decided| decided)
}

/// As [`all_equal`] for the attributes of an object; one that JSON lacks is null if `nulls` says so.
fn attributes_equal(own: &ObjectView<'_>, object: &ObjectView<'_>, nulls: Nulls) -> Option<bool> {
    let is_strange = object.iter().any(|(name, _)| own.get(name).is_none());
    let is_missing = nulls == Nulls::AreValues && object.len() < own.len();
    let null = Value::null(Type::Dynamic);
    let parts = own.iter().map(|(name, part)| (part, object.get(name).unwrap_or(&null)));
    all_equal(!is_strange && !is_missing, parts, nulls)
}
