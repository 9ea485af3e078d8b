//! Types: identity, names, the JSON form.

use plantime::TypeConstraint;
use serde_json::{Value as Json, json};

use super::convert::constraint;
use super::{Call, data};
use crate::notation::{Read, Unread, write_type};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "type_json" => of_type(case, |ty| data(json_text(ty))),
        "type_names" => of_type(case, |ty| {
            data(json!({"name": ty.friendly_name(), "constraint": ty.friendly_name_for_constraint()}))
        }),
        "type_has_dynamic" => of_type(case, |ty| data(ty.as_type().has_dynamic())),
        "type_without_optional" => of_type(case, |ty| data(write_type(ty.as_type()))),
        "type_equals" => types(case).and_then(|types| match types.as_slice() {
            [a, b] => {
                let same = a == b;
                Call::of(Vec::new(), move |_| data(same))
            }
            _ => Err(Unread::LeftOut("number-of-arguments")),
        }),
        "type_json_parse" => parse(case),
        _ => return None,
    })
}

fn types(case: &Json) -> Read<Vec<TypeConstraint>> {
    let types = case.get("types").and_then(Json::as_array);
    types.map(Vec::as_slice).unwrap_or_default().iter().map(constraint).collect()
}

fn of_type(case: &Json, run: impl Fn(&TypeConstraint) -> super::Answer + 'static) -> Read<Call> {
    let ty = constraint(case.get("type").unwrap_or(&Json::Null))?;
    Call::of(Vec::new(), move |_| run(&ty))
}

fn parse(case: &Json) -> Read<Call> {
    let text = super::text(case)?;
    let call = Call::of(Vec::new(), move |_| {
        TypeConstraint::from_json_text(&text)
            .map(|ty| super::Got::Data(written(&ty)))
            .map_err(|error| error.to_string())
    })?;
    let message = case.get("err").and_then(Json::as_str).unwrap_or_default();
    Ok(Call { literal: !is_of_json_reader(message), ..call })
}

/// A message of the JSON reader of Go, not of go-cty.
fn is_of_json_reader(message: &str) -> bool {
    const STARTS: [&str; 5] =
        ["EOF", "unexpected EOF", "json: ", "invalid character ", "expected comma after "];
    STARTS.iter().any(|start| message.starts_with(start))
}

/// The JSON form is the notation.
fn written(constraint: &TypeConstraint) -> Json {
    serde_json::from_str(&json_text(constraint)).unwrap_or(Json::Null)
}

fn json_text(constraint: &TypeConstraint) -> String {
    constraint.to_json_text().expect("the cases have no capsules")
}
