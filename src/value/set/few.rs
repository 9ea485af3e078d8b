//! Listing the values of a type within a refinement, if there are few.

use crate::refinement::{Nullness, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, build};

/// The maximum number of numbers that are listed; as many as a language lists strings.
const MAX_NUMBERS: usize = 64;

/// All values of the type within the refinement, null included; `None` if there are not few, or if the type is one for
/// which they are not listed.
pub(super) fn few_values(ty: &Type, refinement: &Refinement) -> Option<Vec<Value>> {
    let null = (refinement.allows_null() && !ty.has_dynamic()).then(|| Value::null(ty.clone()));
    if refinement.nullness() == Nullness::Null {
        return null.map(|null| vec![null]);
    }
    let mut values: Vec<Value> = match (ty, refinement.range()) {
        (Type::Bool, Range::Any) => vec![Value::from(false), Value::from(true)],
        (Type::Object(ty), Range::Any) if ty.is_empty() => vec![build::object_node(ty.clone(), Box::new([]))],
        (Type::Tuple(ty), Range::Any) if ty.is_empty() => vec![build::tuple_node(ty.clone(), Box::new([]))],
        (Type::String, Range::Language(language)) => {
            language.language().members()?.iter().map(|text| Value::from(text.as_str())).collect()
        }
        (Type::Number, range) => range.few_numbers(MAX_NUMBERS)?.into_iter().map(Value::from).collect(),
        _ => return None,
    };
    values.extend(null);
    Some(values)
}
