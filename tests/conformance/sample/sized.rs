//! Collections of a length.

use plantime::{Type, Value};

use super::Pool;

/// Lengths worth a try.
pub(super) fn lengths(bounds: Option<&Value>, pool: &Pool) -> Vec<usize> {
    let range = bounds.map(Value::range).and_then(|range| range.length_range()).unwrap_or_default();
    let mut lengths: Vec<u64> = vec![0, 1, 2, 3, range.lower(), range.lower().saturating_add(1)];
    lengths.extend(range.upper().into_iter().flat_map(|max| [max, max.saturating_sub(1)]));
    let named = pool.values.iter().filter_map(|value| value.as_number().ok()?.to_u64());
    lengths.extend(named.filter(|length| *length <= 8));
    lengths.sort_unstable();
    lengths.dedup();
    lengths
        .into_iter()
        .filter(|length| range.contains(*length) && *length <= 1100)
        .filter_map(|length| usize::try_from(length).ok())
        .collect()
}

/// A collection of the kind with so many elements, from these items in turn.
pub(super) fn sized(ty: &Type, element: &Type, length: usize, items: &[Value]) -> Option<Value> {
    if length > 0 && items.is_empty() {
        return None;
    }
    let repeated = items.iter().cycle().take(length).cloned();
    match ty {
        Type::List(_) => Value::list_of(element.clone(), repeated).ok(),
        Type::Set(_) => {
            let distinct: Vec<Value> = match element {
                Type::Number if length > items.len() => (0..length).map(Value::from).collect(),
                Type::String if length > items.len() => {
                    (0..length).map(|i| Value::from(format!("m{i}"))).collect()
                }
                _ => items.iter().take(length).cloned().collect(),
            };
            Value::set_of(element.clone(), distinct).ok()
        }
        Type::Map(_) => {
            let keys =
                (0..length).map(|i| char::from_u32(97_u32.saturating_add(u32::try_from(i).unwrap_or(0))));
            let keys: Vec<String> = keys.map(|key| key.unwrap_or('?').to_string()).collect();
            Value::map_of(element.clone(), keys.iter().zip(repeated)).ok()
        }
        _ => None,
    }
}

/// A list of the same element so many times; a map with keys that stand in the case, and with others that stand nowhere.
pub(super) fn sized_otherwise(
    ty: &Type,
    element: &Type,
    length: usize,
    items: &[Value],
    pool: &Pool,
) -> Option<Value> {
    let first = items.iter().find(|item| !item.is_null())?;
    match ty {
        Type::List(_) if length > 1 => Value::list_of(element.clone(), vec![first.clone(); length]).ok(),
        Type::Map(_) if length > 0 => {
            let named = pool.values.iter().filter_map(|value| value.as_str().ok().map(str::to_owned));
            let mut keys: Vec<String> = if length == 1 { named.collect() } else { Vec::new() };
            keys.extend((0..length).map(|i| format!("key{i}")));
            let null = Value::null(element.clone());
            let item =
                |i: usize| if i == 0 && !keys[0].starts_with("key") { null.clone() } else { first.clone() };
            let entries = keys.iter().take(length).enumerate().map(|(i, key)| (key.clone(), item(i)));
            Value::map_of(element.clone(), entries).ok()
        }
        _ => None,
    }
}

/// Collections of strings that convert to numbers and to bools.
pub(super) fn sized_of_numerals(ty: &Type, element: &Type, length: usize) -> Vec<Value> {
    if *element != Type::String || length == 0 || length > 8 {
        return Vec::new();
    }
    let numerals: Vec<String> = (0..length).map(|i| i.to_string()).collect();
    let truths: Vec<String> =
        ["true", "false"].iter().cycle().take(length).map(|&text| text.to_owned()).collect();
    let built = [numerals, truths].map(|texts| {
        let texts = texts.into_iter().map(Value::from);
        match ty {
            Type::List(_) => Value::list_of(Type::String, texts),
            Type::Set(_) => Value::set_of(Type::String, texts),
            _ => Value::map_of(Type::String, texts.enumerate().map(|(i, text)| (format!("key{i}"), text))),
        }
    });
    built.into_iter().flatten().collect()
}
