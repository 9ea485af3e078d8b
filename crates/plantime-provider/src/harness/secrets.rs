//! Content of sensitive attributes that shows in other places.

use plantime::{Mark, Path, Value, View};
use plantime_schema::Schema;

use super::report::Findings;

/// The least number of characters that a string needs to be told from chance.
const LEAST_CHARACTERS: usize = 6;

/// Remembers the strings in attributes that the schema calls sensitive or write-only.
pub(super) fn remember(found: &mut Findings, schema: &Schema, config: &Value) {
    for place in places(schema, config) {
        let Ok(value) = config.get(&place) else { continue };
        value.walk(|_, part| {
            if let View::String(text) = part.view()
                && text.chars().count() >= LEAST_CHARACTERS
                && !found.secrets.iter().any(|known| known == text)
            {
                found.secrets.push(text.to_owned());
            }
            true
        });
    }
}

/// Reports attributes that are not sensitive and show what a sensitive one of the configuration has, unless the configuration
/// itself wrote it there.
pub(super) fn check(found: &mut Findings, call: &str, schema: &Schema, config: &Value, value: &Value) {
    if found.secrets.is_empty() {
        return;
    }
    let hidden = places(schema, value);
    let mut shown = Vec::new();
    value.walk(|path, part| {
        if hidden.contains(path) {
            return false;
        }
        if let View::String(text) = part.view() {
            let is_secret = found.secrets.iter().any(|secret| text.contains(secret.as_str()));
            if is_secret && config.get(path).ok().as_ref() != Some(part) {
                shown.push(path.clone());
            }
        }
        true
    });
    for path in shown {
        found.add_at(call, path, "shows content of a sensitive attribute, and is not sensitive itself");
    }
}

/// The places of a value that the schema calls sensitive.
fn places(schema: &Schema, value: &Value) -> Vec<Path> {
    let marked = schema.marks_for(value).into_iter();
    marked.filter(|(_, marks)| marks.contains(&Mark::SENSITIVE)).map(|(path, _)| path).collect()
}

/// Whether nothing in a value is sensitive.
pub(super) fn is_public(schema: &Schema, value: &Value) -> bool {
    places(schema, value).is_empty()
}
