//! A rule on the keys of a map, or the names of an object's attributes.

use crate::path::Step;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::equality::is_always_null;
use crate::value::{Value, View, view_below_marks};

use crate::rule::answer::diagnostic::detail;
use crate::rule::evaluate::combine::{Open, conjunction};
use crate::rule::structure::reads;
use crate::rule::{Misuse, Outcome, Request, Rule, Why, evaluate};

/// For a value that is certainly null, or certainly not.
///
/// | value | answer |
/// |---|---|
/// | null | pass |
/// | map, object, unknown object | that of all keys, which are known |
/// | unknown map | pass if no key can break the rule, or none is there; fail if each does and one is there |
#[inline(never)]
pub(in crate::rule) fn check(whole: &Rule, rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    if !request.is_read {
        reads::check(whole, &value.ty(), &request.path)?;
    }
    if is_always_null(value) {
        return Ok(Outcome::Pass);
    }
    match view_below_marks(value) {
        View::Map(map) => each(whole, rule, map.iter().map(|(key, _)| key), request),
        View::Object(object) => each(whole, rule, object.iter().map(|(name, _)| name), request),
        View::Unknown(range) => match range.ty() {
            Type::Object(ty) => each(whole, rule, ty.attribute_names(), request),
            _ => {
                let length = range.length_range().unwrap_or_default();
                if length.upper() == Some(0) {
                    return Ok(Outcome::Pass);
                }
                unknown_keys(whole, rule, length.lower() > 0, request)
            }
        },
        // An unknown type may turn out one that has no keys.
        _ => Ok(open(whole, request).unless_misuse(whole, vec![request.path.clone()])),
    }
}

fn each<'k>(
    whole: &Rule,
    rule: &Rule,
    keys: impl Iterator<Item = &'k str>,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut failures = Vec::new();
    let mut left = Open::default();
    for key in keys {
        // A key is content of the map.
        let key = Value::from(key).with_marks(request.value.marks());
        match of_key(rule, &key, request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => {
                let text = format!("key must satisfy: {}, got: {key}", rule.describe_for(&Type::String));
                let text = detail(&request.path, &text);
                let said = diagnostics.into_iter().map(|mut diagnostic| {
                    diagnostic.detail.clone_from(&text);
                    diagnostic
                });
                failures.push(said.collect());
            }
            Outcome::Undetermined(why) => left.add(whole, why.with_obligation(whole.clone())),
        }
    }
    Ok(conjunction(whole, failures, left))
}

fn unknown_keys(whole: &Rule, rule: &Rule, is_there: bool, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let key = Value::refined(Type::String, Refinement::not_null());
    let key = key.unwrap_or_else(|_| Value::unknown(Type::String)).with_marks(request.value.marks());
    Ok(match of_key(rule, &key, request)? {
        Outcome::Pass => Outcome::Pass,
        Outcome::Fail(diagnostics) if is_there => Outcome::Fail(diagnostics),
        _ => open(whole, request),
    })
}

fn of_key(rule: &Rule, key: &Value, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut path = request.path.clone();
    path.push(Step::Index(key.clone()));
    let request = Request {
        value: key,
        path,
        root: request.root,
        before: None,
        data: request.data,
        type_name: request.type_name,
        before_root: request.before_root(),
        is_within: request.is_within,
        is_part: true,
        above: None,
        not_null: false,
        is_read: true,
        is_broken: false,
    };
    evaluate::check(rule, &request)
}

fn open(whole: &Rule, request: &Request<'_>) -> Outcome {
    Outcome::Undetermined(Why::whole(request).with_obligation(whole.clone()))
}
