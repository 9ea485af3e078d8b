//! Conversion, what is said when there is none, and the common type.

use std::borrow::Cow;

use plantime::{
    Error, Path, Safety, Step, Type, TypeConstraint, Value, conversion, convert, mismatch_message, unify,
};
use serde_json::{Value as Json, json};

use super::{Call, Got, args, data};
use crate::notation::{self, Read, Unread, write_path, write_type};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "convert" => conversion_of_value(case),
        "conversion" => pair(case, |from, to| {
            // None is needed between equal types; there some of them have one and some have none.
            if from == to.as_type() && !to.has_optional() {
                return data(json!({"safe": true, "unsafe": true}));
            }
            let safety = conversion(from, to);
            data(json!({"safe": safety == Some(Safety::Safe), "unsafe": safety.is_some()}))
        })
        .map(|call| Call { better: Some(equal_types), ..call }),
        "mismatch_message" => pair(case, |from, to| data(mismatch_message(from, to))),
        "conformance" => pair(case, |from, to| {
            let errors = from.conformance_errors(to.as_type());
            let errors =
                errors.iter().map(|error| json!({"msg": error.message(), "path": write_path(error.path())}));
            data(errors.collect::<Vec<_>>())
        })
        .map(|call| Call { better: Some(in_other_order), ..call }),
        "unify" => common_type(case, Safety::Safe),
        "unify_unsafe" => common_type(case, Safety::Unsafe),
        _ => return None,
    })
}

fn conversion_of_value(case: &Json) -> Read<Call> {
    let to = constraint(case.get("type").unwrap_or(&Json::Null))?;
    let place = case.get("err_path").cloned();
    // No value has a type with optional attributes: what is converted is one of the type without them.
    let given = json!({"args": case.get("args").map(without_optional)});
    let call = Call::of(args(&given)?, move |args| match args {
        [value] => match convert(value, &to) {
            Ok(value) => Ok(Got::Value(value)),
            Err(error) => {
                let (message, path) = as_cty_says(&error, value, &to);
                // Where a place is recorded it is part of the text.
                Err(if place.is_some() { placed(&message, &write_path(&path)) } else { message })
            }
        },
        _ => Err("one value is converted".to_owned()),
    })?;
    Ok(Call { literal: true, read: |json| notation::value(&without_optional(json)), ..call })
}

/// The message and the place of an error as cty has them: where the types rule the conversion out, cty writes the steps to
/// the innermost part into the message, and the place is the whole value.
fn as_cty_says(error: &Error, value: &Value, to: &TypeConstraint) -> (String, Path) {
    let (mut from, mut to) = (value.ty(), to.clone());
    if !error.is_type_mismatch() || conversion(&from, &to).is_some() {
        return (error.message().to_owned(), error.path().clone());
    }
    let sentence = mismatch_message(&from, &to);
    if value.contains_marks() && sentence.ends_with(error.message()) {
        // From a mark on the path names no key, while cty's message does.
        return (sentence, Path::new());
    }
    let mut message = String::new();
    for step in error.path().steps() {
        let (words, parts) = match (&from, to.as_type(), step) {
            (Type::Object(object), Type::Object(_), Step::Attr(name)) => {
                let inner = object.get(name.as_str()).cloned().zip(to.attribute(name.as_str()));
                let inner = inner.map(|(from, attribute)| (from, attribute.constraint().clone()));
                (format!("attribute {:?}: ", name.as_str()), inner)
            }
            (Type::Object(object), Type::Map(_), Step::Index(key)) => {
                let key = key.as_str().expect("the name of an attribute");
                (
                    format!("element {key:?}: "),
                    object.get(key).cloned().zip(to.element().map(Cow::into_owned)),
                )
            }
            (Type::Tuple(tuple), _, Step::Index(key)) => {
                let place = key.as_number().expect("a place in the tuple").to_string();
                let part = tuple.get(place.parse().expect("a place in the tuple")).cloned();
                (format!("element {place}: "), part.zip(to.element().map(Cow::into_owned)))
            }
            (_, wanted, _) => {
                let kind = wanted.to_string();
                let kind = kind.split('(').next().unwrap_or_default();
                let inner = from.element_type().cloned().zip(to.element().map(Cow::into_owned));
                (format!("incorrect {kind} element type: "), inner)
            }
        };
        message.push_str(&words);
        (from, to) = parts.expect("a part of both types");
    }
    (message + error.message(), Path::new())
}

/// The notation with no optional attributes in its types.
pub(crate) fn without_optional(json: &Json) -> Json {
    match json {
        Json::Array(parts) => match parts.as_slice() {
            [kind @ Json::String(word), attributes @ Json::Object(_), Json::Array(_)] if word == "object" => {
                Json::Array(vec![kind.clone(), without_optional(attributes)])
            }
            parts => parts.iter().map(without_optional).collect(),
        },
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, json)| (name.clone(), without_optional(json))).collect())
        }
        json => json.clone(),
    }
}

/// A message with its place, as one text.
pub(crate) fn placed(message: &str, path: &Json) -> String {
    format!("{message} at {path}")
}

pub(crate) fn constraint(json: &Json) -> Read<TypeConstraint> {
    TypeConstraint::from_json_text(&json.to_string()).map_err(|error| Unread::Bad(error.to_string()))
}

fn pair(case: &Json, run: impl Fn(&Type, &TypeConstraint) -> super::Answer + 'static) -> Read<Call> {
    let Some([from, to]) = case.get("types").and_then(Json::as_array).map(Vec::as_slice) else {
        return Err(Unread::Bad("no two types".into()));
    };
    // Whether attributes of what is given are optional does not matter: they are there.
    let (from, to) = (notation::ty(&without_optional(from))?, constraint(to)?);
    Call::of(Vec::new(), move |_| run(&from, &to))
}

/// Equal types, of which some have a conversion there.
fn equal_types(_theirs: &Json, ours: &Json, case: &Json) -> bool {
    let types = case.get("types").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    matches!(types, [from, to] if from == to) && *ours == json!({"safe": true, "unsafe": true})
}

/// The mismatches of an object come in the order of a Go map there.
fn in_other_order(theirs: &Json, ours: &Json, _case: &Json) -> bool {
    let sorted = |json: &Json| {
        let mut items: Vec<String> = json.as_array().into_iter().flatten().map(Json::to_string).collect();
        items.sort_unstable();
        items
    };
    sorted(theirs) == sorted(ours)
}

fn common_type(case: &Json, safety: Safety) -> Read<Call> {
    let types = case.get("types").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let inputs = types.to_vec();
    let types: Vec<Type> = types.iter().map(|ty| notation::ty(&without_optional(ty))).collect::<Read<_>>()?;
    let call = Call::of(Vec::new(), move |_| {
        let Some(common) = unify(&types, safety) else { return data(json!({"type": null})) };
        let common = write_type(&common);
        let conversions: Vec<bool> = inputs.iter().map(|input| *input != common).collect();
        data(json!({"type": common, "conv": conversions}))
    })?;
    Ok(Call { better: Some(but_for_conversions_of_dynamic), ..call })
}

/// Whether an input of type dynamic needs a conversion to dynamic depends on the types beside it there: beside lists alone
/// it does, beside a string it does not.
fn but_for_conversions_of_dynamic(theirs: &Json, ours: &Json, case: &Json) -> bool {
    let flags = |answer: &Json| answer.get("conv").and_then(Json::as_array).cloned().unwrap_or_default();
    let inputs = case.get("types").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let (there, here) = (flags(theirs), flags(ours));
    theirs.get("type") == ours.get("type")
        && there.len() == here.len()
        && there
            .iter()
            .zip(&here)
            .zip(inputs)
            .all(|((there, here), input)| there == here || input == "dynamic" && ours["type"] == "dynamic")
}
