//! Where two values differ.

use plantime::{Path, Value, View};

/// The places where two values differ, as deep as both have elements of the same names or indexes. Sets differ as a whole.
pub(super) fn differences(a: &Value, b: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    a.walk(|path, part| {
        let Ok(other) = b.get(path) else { return false };
        if *part == other {
            return false;
        }
        let is_divisible = match (part.view(), other.view()) {
            (View::Object(_), View::Object(_)) => true,
            (View::List(a), View::List(b)) => a.len() == b.len(),
            (View::Tuple(a), View::Tuple(b)) => a.len() == b.len(),
            (View::Map(a), View::Map(b)) => a.iter().map(|(key, _)| key).eq(b.iter().map(|(key, _)| key)),
            _ => false,
        };
        if !is_divisible {
            found.push(path.clone());
        }
        is_divisible
    });
    if found.is_empty() && a != b {
        found.push(Path::new());
    }
    found
}

/// The places of unknown values.
pub(super) fn unknowns(value: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    value.walk(|path, part| {
        let is_unknown = matches!(part.view(), View::Unknown(_) | View::Dynamic);
        if is_unknown {
            found.push(path.clone());
        }
        !is_unknown
    });
    found
}
