//! Statements on values, in the words of Terraform's diagnostics: `is "10.0.0.0/16"`.

use plantime::unstable::refinement::RangeKind;
use plantime::unstable::text::with_article;
use plantime::{LengthRange, Nullness, Range, Type, Value, View};

/// States what is known of a value, as a predicate.
///
/// | value | statement |
/// |---|---|
/// | text, number, bool, null | `is "10.0.0.0/16"`, `is 5`, `is null` |
/// | list, set, map, tuple | `is a list of string with 2 elements`, `is an empty set of object` |
/// | object | `is an object with 3 attributes` |
/// | unknown | `is a string starting with "vpc-", known after apply`, `is known after apply` |
/// | marked | `has a sensitive value` |
pub(crate) fn statement(value: &Value) -> String {
    match value.view() {
        View::Marked(_) => marked_statement(value),
        View::Dynamic => "is known after apply".to_owned(),
        View::Unknown(range) if range.nullness() == Nullness::Null => "is null".to_owned(),
        View::Unknown(range) => {
            format!("is {}, known after apply", type_with_range(range.ty(), range.refinement().range()))
        }
        View::List(_) | View::Set(_) | View::Map(_) | View::Tuple(_) => {
            let length = value.range().length_range().or_else(|| tuple_length(&value.ty()));
            format!("is {}", type_with_count(&value.ty(), length.unwrap_or_default()))
        }
        View::Object(object) => {
            format!("is {}", type_with_count(&value.ty(), LengthRange::exactly(object.len() as u64)))
        }
        _ => format!("is {value}"),
    }
}

/// As [`statement`], but of a long string with its first characters only: a report stores a statement for each of
/// many elements, and a message shows no more of it.
pub(crate) fn short_statement(value: &Value) -> String {
    /// The number of characters of a string that are kept: more than a message shows.
    const SHOWN_CHARACTERS: usize = 250;
    let beginning = match value.view() {
        View::String(text) => text.char_indices().nth(SHOWN_CHARACTERS).and_then(|(end, _)| text.get(..end)),
        _ => None,
    };
    beginning.map_or_else(|| statement(value), |beginning| statement(&Value::from(beginning)))
}

/// The statement on a marked value: `has a sensitive value`. Of other marks it gives the text of the value.
fn marked_statement(value: &Value) -> String {
    let shown = value.to_string();
    match shown.strip_prefix('(').and_then(|rest| rest.strip_suffix(" value)")) {
        Some(kind) => format!("has {} value", with_article(kind)),
        None => format!("is {shown}"),
    }
}

/// The number of elements of a tuple type; `None` for other types.
fn tuple_length(ty: &Type) -> Option<LengthRange> {
    match ty {
        Type::Tuple(tuple) => Some(LengthRange::exactly(tuple.len() as u64)),
        _ => None,
    }
}

/// The type of an unknown value with its refinement: `a string starting with "vpc-"`.
fn type_with_range(ty: &Type, range: &Range) -> String {
    match RangeKind::of(range) {
        RangeKind::Any => with_article(&ty.friendly_name()),
        RangeKind::Prefix(prefix) => {
            format!("{} starting with {}", with_article(&ty.friendly_name()), Value::from(prefix.as_str()))
        }
        RangeKind::Numbers(_) => {
            format!("{} that is {}", with_article(&ty.friendly_name()), range.describe())
        }
        RangeKind::Number(_) | RangeKind::Multiples(_) => {
            let words = range.describe().to_string().replace(", ", " and ");
            format!("{} that is {words}", with_article(&ty.friendly_name()))
        }
        RangeKind::Language(language) => {
            let verb = if language.is_described_by_verb() { "" } else { "is " };
            format!("{} that {verb}{}", with_article(&ty.friendly_name()), range.describe())
        }
        RangeKind::Length(length) => type_with_count(ty, *length),
        RangeKind::Elements(_) | RangeKind::Structure(_) => {
            format!("{}: {}", with_article(&ty.friendly_name()), range.describe())
        }
    }
}

/// A container type with its number of elements: `a set of string with 2 members`.
fn type_with_count(ty: &Type, length: LengthRange) -> String {
    let name = ty.friendly_name();
    let (one, many) = match ty {
        Type::Object(_) => ("attribute", "attributes"),
        Type::Set(_) => ("member", "members"),
        _ => ("element", "elements"),
    };
    let noun = |count: u64| if count == 1 { one } else { many };
    let count = match (length.lower(), length.upper()) {
        (_, Some(0)) => return with_article(&format!("empty {name}")),
        (0, None) => return with_article(&name),
        (least, None) => format!("at least {least} {}", noun(least)),
        (least, Some(most)) if least == most => format!("{least} {}", noun(least)),
        (0, Some(most)) => format!("at most {most} {}", noun(most)),
        (least, Some(most)) => format!("{least} to {most} {}", noun(most)),
    };
    format!("{} with {count}", with_article(&name))
}

#[cfg(test)]
mod tests {
    use super::statement;
    use plantime::value;
    use plantime::{Mark, Refinement, Type, Value};

    fn refined(ty: &str, refinement: &str) -> Value {
        let refinement: Refinement = refinement.parse().expect("a refinement");
        Value::refined(ty.parse().expect("a type"), refinement).expect("it applies")
    }

    #[test]
    fn values_are_told_as_the_field_tells_them() {
        let objects = value!([{ "a": 1 }, { "a": 2 }]).expect("objects");
        let set = Value::set_of("object({a = number})".parse().expect("a type"), objects_of(&objects))
            .expect("a set");
        let unknown = || Value::unknown(Type::String);
        let open = Value::set_of(Type::String, [unknown(), unknown()]).expect("a set");
        for (value, expected) in [
            (Value::from("10.0.0.0/16"), "is \"10.0.0.0/16\""),
            (Value::from(5), "is 5"),
            (Value::from(true), "is true"),
            (Value::null(Type::String), "is null"),
            (set, "is a set of object with 2 members"),
            (open, "is a set of string with 1 to 2 members"),
            (
                Value::list_of(Type::String, [Value::from("a")]).expect("a list"),
                "is a list of string with 1 element",
            ),
            (
                Value::map_of(Type::Number, Vec::<(&str, Value)>::new()).expect("a map"),
                "is an empty map of number",
            ),
            (objects, "is a tuple with 2 elements"),
            (value!({ "a": 1, "b": 2, "c": 3 }).expect("an object"), "is an object with 3 attributes"),
            (unknown(), "is a string, known after apply"),
            (
                refined("string", r#"notnull(stringprefix("vpc-"))"#),
                "is a string starting with \"vpc-\", known after apply",
            ),
            (refined("number", "numbermin(1)"), "is a number that is at least 1, known after apply"),
            (
                refined("set(string)", "lengthmin(2)"),
                "is a set of string with at least 2 members, known after apply",
            ),
            (
                Value::unknown("list(object({}))".parse().expect("a type")),
                "is a list of object, known after apply",
            ),
            (Value::dynamic(), "is known after apply"),
            (Value::from("hunter2").mark(Mark::SENSITIVE), "has a sensitive value"),
            (unknown().mark(Mark::EPHEMERAL), "has an ephemeral value"),
            (Value::from("x").mark(Mark::new("own")), "is (value marked own)"),
        ] {
            assert_eq!(statement(&value), expected);
        }
    }

    fn objects_of(tuple: &Value) -> Vec<Value> {
        match tuple.view() {
            plantime::View::Tuple(tuple) => tuple.iter().cloned().collect(),
            _ => Vec::new(),
        }
    }
}
