//! Listing the values of a type within a refinement, if there are few.

use crate::number::Number;
use crate::refinement::{Nullness, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, build};

/// The maximum number of multiples that are listed; as many as a language lists strings.
const MAX_MULTIPLES: u64 = 64;

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
        (Type::Number, Range::Number(range)) => vec![Value::from(range.singleton()?.clone())],
        (Type::Number, Range::Multiples(multiples)) => {
            let (first, last) = multiples.range().lower().number().zip(multiples.range().upper().number())?;
            let step = Number::from(multiples.step());
            let mut numbers = vec![first.clone()];
            while let Some(next) = numbers.last().filter(|number| *number < last) {
                if numbers.len() as u64 >= MAX_MULTIPLES {
                    return None;
                }
                let next = next.add(&step).ok()?;
                numbers.push(next);
            }
            numbers.into_iter().map(Value::from).collect()
        }
        _ => return None,
    };
    values.extend(null);
    Some(values)
}
