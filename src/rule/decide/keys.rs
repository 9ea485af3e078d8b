//! Evaluates `keys`: a rule on each key of a map, or the name of each attribute of an object.

use crate::path::Step;
use crate::types::Type;
use crate::value::equality::is_always_null;
use crate::value::{Value, View, view_below_marks};

use crate::rule::answer::diagnostic::detail;
use crate::rule::evaluate::combine::{Failures, UndeterminedRules, conjunction};
use crate::rule::structure::reads;
use crate::rule::{Misuse, Outcome, Request, Rule, Why, evaluate};

/// Evaluates a `keys` rule: the nested `rule` on each key of a map or attribute name of an object. `whole` is the
/// `keys` rule itself. The value of the request is certainly null, or certainly not null.
///
/// | value | answer |
/// |---|---|
/// | null | pass |
/// | map, object, unknown object | that of all keys, which are known |
/// | unknown map | pass if every key passes, or the map is empty; fail if every key fails and there is one |
#[inline(never)]
pub(in crate::rule) fn check(whole: &Rule, rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    if !request.types_checked {
        reads::check(whole, &value.ty(), &request.path)?;
    }
    // A null of unknown type may turn out to be of a type without keys, which is misuse.
    let is_undecided = value.ty() == Type::Dynamic && !value.is_wholly_known();
    if is_always_null(value) && !is_undecided {
        return Ok(Outcome::Pass);
    }
    match view_below_marks(value) {
        View::Map(map) => check_known_keys(whole, rule, map.iter().map(|(key, _)| key), request),
        View::Object(object) => check_known_keys(whole, rule, object.iter().map(|(name, _)| name), request),
        View::Unknown(range) if !is_undecided => match range.ty() {
            Type::Object(ty) => check_known_keys(whole, rule, ty.attribute_names(), request),
            _ => {
                let length = range.length_range().unwrap_or_default();
                if length.upper() == Some(0) {
                    return Ok(Outcome::Pass);
                }
                check_unknown_keys(whole, rule, (range.unknown_key(), length.lower() > 0), request)
            }
        },
        // A dynamic type may turn out to be one without keys, which is misuse.
        _ => Ok(undetermined_keys(whole, request).undetermined_if_misuse(whole, vec![request.path.clone()])),
    }
}

/// Evaluates the nested `rule` on each of these keys; all must satisfy it. `whole` is the `keys` rule.
fn check_known_keys<'k>(
    whole: &Rule,
    rule: &Rule,
    keys: impl Iterator<Item = &'k str>,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut failures = Failures::new();
    let mut undetermined = UndeterminedRules::default();
    for key in keys {
        // Keys are content of the map, so they carry its marks (L5).
        let key = Value::from(key).with_marks(request.value.marks());
        match check_key(rule, &key, request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => {
                let text = format!("key must satisfy: {}, got: {key}", rule.describe_for(&Type::String));
                let text = detail(&request.path, &[&text]);
                let reworded = diagnostics.into_iter().map(|mut diagnostic| {
                    diagnostic.detail.clone_from(&text);
                    diagnostic
                });
                failures.push(reworded.collect());
            }
            Outcome::Undetermined(why) => undetermined.add(whole, why.with_obligation(whole.clone())),
        }
    }
    Ok(conjunction(whole, failures, undetermined))
}

/// Evaluates the nested `rule` on an unknown key, which stands for every key of an unknown map. `has_keys` says that
/// the map is certainly not empty; without it, a failure is undetermined. It is known what the keys have in common.
fn check_unknown_keys(
    whole: &Rule,
    rule: &Rule,
    (key, has_keys): (Value, bool),
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let key = key.with_marks(request.value.marks());
    Ok(match check_key(rule, &key, request)? {
        Outcome::Pass => Outcome::Pass,
        Outcome::Fail(diagnostics) if has_keys => Outcome::Fail(diagnostics),
        _ => undetermined_keys(whole, request),
    })
}

/// Evaluates the nested rule on one key, at the path of the map followed by the key.
fn check_key(rule: &Rule, key: &Value, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut path = request.path.clone();
    path.push(Step::Index(key.clone()));
    let request = Request {
        value: key,
        path,
        root: request.root,
        before: None,
        data: request.data,
        surroundings: request.surroundings,
        type_name: request.type_name,
        before_root: request.before_root(),
        is_within: request.is_within,
        is_part: true,
        above: None,
        not_null: false,
        types_checked: true,
        is_failing: false,
    };
    evaluate::check(rule, &request)
}

/// The undetermined outcome of a `keys` rule. Its obligation, the rule that remains to be checked, is the whole `keys`
/// rule.
fn undetermined_keys(whole: &Rule, request: &Request<'_>) -> Outcome {
    Outcome::Undetermined(Why::of_unknown_parts(request).with_obligation(whole.clone()))
}
