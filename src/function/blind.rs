//! Errors of calls with marked arguments. What is wrong whatever stands behind the marks is shown: the call is asked
//! again with unknowns in place of all that is marked, and what is wrong with these says nothing of that. All else is
//! the same error, whatever stands behind the marks.
//!
//! | asked with | the error is shown |
//! |---|---|
//! | unknowns, of no type where the type has names or a number of elements, which are content | if there is one |
//! | unknowns of the types that the arguments have | if tuples and objects with other parts give the same one |
//!
//! Both follow from the types alone, so no error depends on what stands behind a mark.

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
        ask: impl Fn(&Ready) -> Result<()>,
    ) -> Error {
        let mut marked = arguments.iter().enumerate().filter(|(_, argument)| argument.contains_marks());
        let (Some((first, _)), others) = (marked.next(), marked.count()) else { return error };
        let asked_with = |unknown: &dyn Fn(&Type) -> Value| {
            let blind: Vec<Value> = arguments.iter().map(|argument| blind(argument, unknown)).collect();
            self.ready(&blind).and_then(|ready| ask(&ready)).err()
        };
        if let Some(error) = asked_with(&plain_unknown) {
            return error;
        }
        // An error about the kind of an argument says nothing of its parts: it is the same for none and for one.
        let about_kind = asked_with(&|ty| Value::unknown(ty.clone())).and_then(|typed| {
            let [none, one] = [0, 1].map(|parts| {
                let error =
                    asked_with(&|ty| with_parts(ty, parts).map_or_else(Value::dynamic, Value::unknown));
                error.filter(|error| error.to_string() == typed.to_string())
            });
            one.and(none)
        });
        about_kind.unwrap_or_else(|| {
            let message = "an argument is not fit, and one is marked, so the reason is not shown";
            let hidden = Error::new(Kind::Argument, message);
            if others == 0 { hidden.in_argument(first) } else { hidden }
        })
    }
}

/// The value with unknowns in place of what is marked, which keep the marks. `unknown` gives that of a whole argument.
fn blind(value: &Value, unknown: &dyn Fn(&Type) -> Value) -> Value {
    match value.marks() {
        marks if marks.is_empty() => blind_inside(value),
        marks => unknown(&value.ty()).with_marks(marks),
    }
}

fn blind_inside(value: &Value) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    let marks = value.marks();
    if !marks.is_empty() {
        return plain_unknown(&value.ty()).with_marks(marks);
    }
    let blinded = match value.view() {
        View::List(list) if is_plain(list.element_type()) => {
            Value::list_of(list.element_type().clone(), list.iter().map(blind_inside))
        }
        View::Map(map) if is_plain(map.element_type()) => {
            Value::map_of(map.element_type().clone(), map.iter().map(|(key, part)| (key, blind_inside(part))))
        }
        View::Tuple(tuple) => Value::tuple(tuple.iter().map(blind_inside)),
        View::Object(object) => Value::object(object.iter().map(|(name, part)| (name, blind_inside(part)))),
        _ => Ok(Value::dynamic()),
    };
    blinded.unwrap_or_else(|_| Value::dynamic()).with_marks(&value.unmark_deep().1)
}

/// An unknown of a type that shows no content.
fn plain_unknown(ty: &Type) -> Value {
    if is_plain(ty) { Value::unknown(ty.clone()) } else { Value::dynamic() }
}

/// The type with so many parts, of no type, in each tuple and object in it. Their names are none of its own.
fn with_parts(ty: &Type, parts: usize) -> Option<Type> {
    match ty {
        Type::Tuple(_) => Type::tuple(std::iter::repeat_n(Type::Dynamic, parts)).ok(),
        Type::Object(_) => Type::object((0..parts).map(|part| (part.to_string(), Type::Dynamic))).ok(),
        Type::List(list) => Type::list(with_parts(list.element(), parts)?).ok(),
        Type::Set(set) => Type::set(with_parts(set.element(), parts)?).ok(),
        Type::Map(map) => Type::map(with_parts(map.element(), parts)?).ok(),
        ty => Some(ty.clone()),
    }
}

/// Whether the type has neither names nor a number of elements.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Tuple(_) | Type::Object(_) => false,
        ty => ty.element_type().is_none_or(is_plain),
    }
}
