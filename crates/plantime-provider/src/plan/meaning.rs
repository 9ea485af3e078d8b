//! Values that mean the same as earlier ones.

use plantime::rule::{How, PathExpr};
use plantime::{Path, Result, Value};

use crate::resource::SameMeaning;

/// The new value in which each part that means what it meant before is the earlier one.
pub(crate) fn keep_same_meaning(
    new: Value,
    before: &Value,
    equalities: &[(&'static str, SameMeaning)],
) -> Result<Value> {
    if equalities.is_empty() || new.is_null() || before.is_null() {
        return Ok(new);
    }
    let mut kept: Vec<(Path, Value)> = Vec::new();
    for (place, same) in equalities {
        let expression: PathExpr = place.parse()?;
        for found in expression.matches(&new)?.into_iter().filter(|found| found.how == How::Exact) {
            let Ok(earlier) = before.get(&found.path) else { continue };
            let is_comparable = |value: &Value| value.is_wholly_known() && !value.is_null();
            if is_comparable(&found.value)
                && is_comparable(&earlier)
                && earlier != found.value
                && same(&earlier, &found.value)
            {
                kept.push((found.path, earlier));
            }
        }
    }
    if kept.is_empty() {
        return Ok(new);
    }
    new.transform(|path, value| {
        let earlier = kept.iter().find(|(place, _)| place == path).map(|(_, part)| part.clone());
        Ok(earlier.unwrap_or(value))
    })
}
