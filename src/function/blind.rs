//! Errors of calls with marked arguments. What is wrong whatever stands behind the marks is shown: the call is asked
//! again with unknowns in place of all that is marked, and what is wrong with these says nothing of that. All else is
//! the same error, whatever stands behind the marks.

use crate::error::{Error, Kind, Result};
use crate::types::Type;
use crate::value::{Value, View};

use super::Function;
use super::ready::Ready;

impl Function {
    /// The error of a call as it can be shown. `ask` asks again.
    #[cold]
    pub(super) fn shown(
        &self,
        arguments: &[Value],
        error: Error,
        ask: impl FnOnce(&Ready) -> Result<()>,
    ) -> Error {
        let mut marked = arguments.iter().enumerate().filter(|(_, argument)| argument.contains_marks());
        let (Some((first, _)), others) = (marked.next(), marked.count()) else { return error };
        let blind: Vec<Value> = arguments.iter().map(blind).collect();
        let Err(error) = self.ready(&blind).and_then(|ready| ask(&ready)) else {
            let message = "an argument is not fit, and one is marked, so the reason is not shown";
            let hidden = Error::new(Kind::Argument, message);
            return if others == 0 { hidden.in_argument(first) } else { hidden };
        };
        error
    }
}

/// The value with unknowns in place of what is marked, which keep the marks.
fn blind(value: &Value) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    let marks = value.marks();
    if !marks.is_empty() {
        return unknown(&value.ty()).with_marks(marks);
    }
    let blinded = match value.view() {
        View::List(list) if is_plain(list.element_type()) => {
            Value::list_of(list.element_type().clone(), list.iter().map(blind))
        }
        View::Map(map) if is_plain(map.element_type()) => {
            Value::map_of(map.element_type().clone(), map.iter().map(|(key, part)| (key, blind(part))))
        }
        View::Tuple(tuple) => Value::tuple(tuple.iter().map(blind)),
        View::Object(object) => Value::object(object.iter().map(|(name, part)| (name, blind(part)))),
        _ => Ok(Value::dynamic()),
    };
    blinded.unwrap_or_else(|_| Value::dynamic()).with_marks(&value.unmark_deep().1)
}

/// An unknown of a type that shows no content.
fn unknown(ty: &Type) -> Value {
    if is_plain(ty) { Value::unknown(ty.clone()) } else { Value::dynamic() }
}

/// Whether the type has neither names nor a number of elements.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Tuple(_) | Type::Object(_) => false,
        ty => ty.element_type().is_none_or(is_plain),
    }
}
