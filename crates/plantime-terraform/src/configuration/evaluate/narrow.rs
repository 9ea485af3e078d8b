//! What the configuration says of the unknown parts of a planned value.

use plantime::{Step, Value, View, convert};

/// The planned value, its unknown parts narrowed by what the configured value says of them.
///
/// A provider must plan what is configured, unless it uses the legacy type system; so the result holds if it does not
/// normalise.
pub(super) fn narrowed(planned: &Value, configured: &Value) -> Value {
    narrowed_part(planned, configured).unwrap_or_else(|| planned.clone())
}

/// The planned object, in which attributes get the types of their configured arguments if no schema declares their
/// types: in plan JSON a list, a set and a tuple look alike. An attribute whose value certainly differs from the
/// configured one keeps its planned type, since the provider has kept another value. `is_declared` says whether a
/// schema gives an attribute a type.
pub(super) fn retyped(planned: &Value, configured: &Value, is_declared: impl Fn(&str) -> bool) -> Value {
    let (View::Object(parts), View::Object(arguments)) = (planned.view(), configured.view()) else {
        return planned.clone();
    };
    let mut changed = false;
    let parts = parts.iter().map(|(name, part)| {
        let argument = arguments.get(name).filter(|argument| !argument.is_null() && !is_declared(name));
        let converted = argument.filter(|argument| argument.ty() != part.ty()).and_then(|argument| {
            let converted = convert(part, &argument.ty().into()).ok()?;
            let is_same = converted.unmark_deep().0.equals(&argument.unmark_deep().0);
            is_same.is_ok_and(|is_same| is_same.as_bool() != Ok(false)).then_some(converted)
        });
        changed |= converted.is_some();
        (name, converted.unwrap_or_else(|| part.clone()))
    });
    match Value::object(parts) {
        Ok(retyped) if changed => retyped,
        _ => planned.clone(),
    }
}

/// The narrowed value, or `None` if it stays as it is.
fn narrowed_part(planned: &Value, configured: &Value) -> Option<Value> {
    if planned.is_wholly_known() {
        return None;
    }
    if planned.is_marked() || configured.is_marked() {
        let (bare, marks) = planned.clone().unmark();
        let narrowed = narrowed_part(&bare, &configured.clone().unmark().0)?;
        return Some(narrowed.with_marks(&marks));
    }
    let mut changed = false;
    let mut child = |step: &Step, planned: &Value| {
        let narrowed = configured.part(step).and_then(|configured| narrowed_part(planned, configured));
        changed |= narrowed.is_some();
        narrowed.unwrap_or_else(|| planned.clone())
    };
    let built = match (planned.view(), configured.view()) {
        (View::Object(_), View::Object(_)) | (View::Map(_), View::Map(_)) => planned.map_children(&mut child),
        (View::List(own), View::List(other)) if own.len() == other.len() => planned.map_children(&mut child),
        (View::Tuple(own), View::Tuple(other)) if own.len() == other.len() => {
            planned.map_children(&mut child)
        }
        (View::Unknown(_), _) if configured.is_wholly_known() || !configured.range().is_not_null() => {
            return None;
        }
        (View::Unknown(_), _) if planned.ty() == configured.ty() => {
            return match configured.view() {
                View::Unknown(_) => planned.assume(configured.range().refinement()).ok(),
                // A known container whose children may be unknown says more than an unknown.
                _ => Some(configured.clone()),
            };
        }
        _ => return None,
    };
    built.filter(|_| changed)
}
