//! A state as the SDK sees it: as a map from paths to strings, in which null, the empty string, `false`, zero and the empty
//! collection are not told apart everywhere.
//!
//! | place | what is lost |
//! |---|---|
//! | an attribute of the resource | nothing in the state; of the configuration, that the attribute is null where the state has an empty value |
//! | an attribute of a block in a list | a null becomes the empty value of its type when the state is read |
//! | the plan as a whole | if it differs from the state in null and empty values only, the state is returned |

use plantime::unstable::value::equal;
use plantime::{Path, Result, Step, Type, Value, View};

use super::layout::{is_unknown, null};
use super::provider::either;
use super::refines::refines;

/// The state as the SDK reads it: a null attribute of a block in a list becomes the empty value of its type.
pub(super) fn read(state: &Value) -> Result<Value> {
    state.transform(|path, part| match part.view_below_marks() {
        View::Null(ty) if is_in_list(path) => match empty(&ty) {
            Some(empty) => Ok(empty.with_marks(part.marks())),
            None => Ok(part),
        },
        _ => Ok(part),
    })
}

/// Whether the path leads to an attribute of an element of a list, through elements of lists only (no set or map).
fn is_in_list(path: &Path) -> bool {
    let is_attribute = matches!(path.steps().last(), Some(Step::Attr(_)));
    let mut elements = path.steps().iter().filter_map(|step| match step {
        Step::Index(key) => Some(key.ty()),
        Step::Attr(_) => None,
    });
    is_attribute && elements.next() == Some(Type::Number) && elements.all(|key| key == Type::Number)
}

/// The empty value of a type; `None` for one that the SDK does not have.
fn empty(ty: &Type) -> Option<Value> {
    match ty {
        Type::String => Some(Value::from("")),
        Type::Number => Some(Value::from(0)),
        Type::Bool => Some(Value::from(false)),
        Type::List(item) => Value::list_of(item.element().clone(), Vec::<Value>::new()).ok(),
        Type::Set(item) => Value::set_of(item.element().clone(), Vec::<Value>::new()).ok(),
        Type::Map(item) => Value::map_of(item.element().clone(), Vec::<(String, Value)>::new()).ok(),
        _ => None,
    }
}

/// Whether a value is the empty value of its type; `None` if it may be. Null is not.
pub(super) fn is_empty(value: &Value) -> Option<bool> {
    match value.view_below_marks() {
        View::String(text) => Some(text.is_empty()),
        View::Number(number) => Some(number.is_zero()),
        View::Bool(is_true) => Some(!is_true),
        View::List(list) => Some(list.is_empty()),
        View::Map(map) => Some(map.is_empty()),
        View::Tuple(tuple) => Some(tuple.len() == 0),
        View::Set(set) => Some(set.member_count() == 0),
        View::Dynamic => None,
        View::Unknown(range) => match (empty(range.ty()), null(value)) {
            (_, Some(true)) | (None, _) => Some(false),
            (Some(empty), _) => range.includes(&empty).filter(|includes| !includes),
        },
        _ => Some(false),
    }
}

/// Whether the SDK takes the plan for the state: they differ in null and empty values only. `config` is the configuration
/// that was planned, `is_customized` says that the author of the provider may have changed the plan.
pub(super) fn is_same(state: &Value, config: &Value, plan: &Value, is_customized: bool) -> Option<bool> {
    let is_open = config.is_wholly_known() && !plan.is_wholly_known();
    if is_open || (!is_customized && is_computed_anew(state, config, plan)) {
        // What the provider computes later is a difference whatever it becomes.
        return Some(false);
    }
    let (state, plan) = (without_empty(state).ok()?, without_empty(plan).ok()?);
    equal(&state, &plan)
}

/// Whether a list or set of the resource is computed anew: it is null in the state and the configuration, and unknown in the plan.
fn is_computed_anew(state: &Value, config: &Value, plan: &Value) -> bool {
    let (View::Object(state), View::Object(config), View::Object(plan)) =
        (state.view_below_marks(), config.view_below_marks(), plan.view_below_marks())
    else {
        return false;
    };
    let is_null = |value: Option<&Value>| value.is_some_and(|value| null(value) == Some(true));
    plan.iter().any(|(name, value)| {
        let is_counted = matches!(value.ty(), Type::List(_) | Type::Set(_));
        is_counted && is_unknown(value) && is_null(state.get(name)) && is_null(config.get(name))
    })
}

/// The value with null for what is empty, and for what may be empty an unknown that may be null.
fn without_empty(value: &Value) -> Result<Value> {
    value.transform(|_, part| match is_empty(&part) {
        Some(true) => Ok(Value::null(part.ty())),
        None if null(&part) == Some(false) => Ok(Value::unknown(part.ty())),
        _ => Ok(part),
    })
}

/// The plan, or the state if the SDK takes it for the state, or what contains both if that depends on unknown values. The marks of
/// the plan stay.
pub(super) fn settle(state: &Value, plan: Value, same: Option<bool>) -> Value {
    match same {
        Some(false) => plan,
        Some(true) => marked_as(state, &plan),
        None if refines(&plan, state) => plan,
        None => either(&marked_as(state, &plan), &plan),
    }
}

/// The prior state with the marks of the plan: each on the same part, or all on the container where the parts cannot be
/// paired.
fn marked_as(state: &Value, plan: &Value) -> Value {
    if !plan.contains_marks() {
        return state.clone();
    }
    let whole = || state.clone().with_marks(&plan.unmark_deep().1);
    let marked = match (state.view_below_marks(), plan.view_below_marks()) {
        (View::Object(old), View::Object(new)) => {
            let parts = old.iter().map(|(name, old)| {
                (name.to_owned(), new.get(name).map_or_else(|| old.clone(), |new| marked_as(old, new)))
            });
            Value::object(parts)
        }
        (View::List(old), View::List(new)) if old.len() == new.len() && !old.is_empty() => Value::list_of(
            old.element_type().clone(),
            old.iter().zip(new.iter()).map(|(old, new)| marked_as(old, new)),
        ),
        _ => return whole(),
    };
    match marked {
        Ok(marked) => marked.with_marks(state.marks()).with_marks(plan.marks()),
        Err(_) => whole(),
    }
}
