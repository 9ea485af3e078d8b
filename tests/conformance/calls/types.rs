//! Types: identity, names, the JSON form.

use plantime::Type;
use serde_json::{Value as Json, json};

use super::{Call, data};
use crate::notation::{self, Read, Unread, write_type};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "type_json" => of_type(case, |ty| data(ty.to_json_text())),
        "type_names" => of_type(case, |ty| {
            data(json!({"name": ty.friendly_name(), "constraint": ty.friendly_name_for_constraint()}))
        }),
        "type_has_dynamic" => of_type(case, |ty| data(ty.has_dynamic())),
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

fn types(case: &Json) -> Read<Vec<Type>> {
    let types = case.get("types").and_then(Json::as_array);
    types.map(Vec::as_slice).unwrap_or_default().iter().map(notation::ty).collect()
}

fn of_type(case: &Json, run: impl Fn(&Type) -> super::Answer + 'static) -> Read<Call> {
    let ty = notation::ty(case.get("type").unwrap_or(&Json::Null))?;
    Call::of(Vec::new(), move |_| run(&ty))
}

fn parse(case: &Json) -> Read<Call> {
    let text = super::text(case)?;
    if names_optional_attributes(&text) {
        return Err(Unread::LeftOut("optional-attributes"));
    }
    Call::of(Vec::new(), move |_| {
        Type::from_json_text(&text)
            .map(|ty| super::Got::Data(write_type(&ty)))
            .map_err(|error| error.to_string())
    })
}

/// Whether an object in the text has a third part, the list of optional attributes.
fn names_optional_attributes(text: &str) -> bool {
    fn search(json: &Json) -> bool {
        match json {
            Json::Array(parts) => {
                matches!(parts.as_slice(), [Json::String(kind), _, Json::Array(_), ..] if kind == "object")
                    || parts.iter().any(search)
            }
            Json::Object(members) => members.values().any(search),
            _ => false,
        }
    }
    serde_json::from_str(text).is_ok_and(|json| search(&json))
}
