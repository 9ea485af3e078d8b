//! Errors of calls with marked arguments. Such an error must not reveal marked content (law L5), so the call is
//! repeated with marked content replaced by unknowns, in two ways:
//!
//! | marked content is replaced by | the error of the repeated call is returned |
//! |---|---|
//! | an unknown of its type; `dynamic` for tuples and objects, whose length and attribute names are content | if there is one |
//! | an unknown of its type, tuples and objects included | if it is the same for tuples and objects of other shapes |
//!
//! If neither gives an error, the error says only that a marked argument is invalid. So the error depends on the
//! types of the marked arguments at most, never on their content.

use crate::error::{Error, Kind, Result};
use crate::types::Type;
use crate::value::{Value, View};

use super::Function;

impl Function {
    /// Replaces the error of a call by one that does not depend on the marked content of the arguments. Without marked
    /// arguments `error` is returned as it is. `repeat` runs the failed step again, on arguments whose marked content
    /// is replaced.
    #[cold]
    pub(super) fn error_without_marked_content(
        &self,
        arguments: &[Value],
        error: Error,
        repeat: impl Fn(&[Value]) -> Result<()>,
    ) -> Error {
        let mut marked = arguments.iter().enumerate().filter(|(_, argument)| argument.contains_marks());
        let (Some((first, _)), others) = (marked.next(), marked.count()) else { return error };
        let error_with = |unknown: &dyn Fn(&Type) -> Value| {
            let masked: Vec<Value> = arguments.iter().map(|argument| masked(argument, unknown)).collect();
            repeat(&masked).err()
        };
        if let Some(error) = error_with(&unknown_without_shape) {
            return error;
        }
        // An error about the kind of an argument ("a list is required") is the same for a tuple of no elements and
        // one of one element, so it does not depend on the shape that is marked content.
        let about_kind = error_with(&|ty| Value::unknown(ty.clone())).and_then(|typed| {
            let [none, one] = [0, 1].map(|children| {
                let error =
                    error_with(&|ty| with_children(ty, children).map_or_else(Value::dynamic, Value::unknown));
                error.filter(|error| error.to_string() == typed.to_string())
            });
            one.and(none)
        });
        about_kind.unwrap_or_else(|| {
            let message = "an argument is not fit, and one is marked, so the reason is not shown";
            // A limit of plantime stays one: `try` and `can` do not take it for a failure.
            let kind = if error.is_limit() { Kind::Limit } else { Kind::Argument };
            let hidden = Error::new(kind, message);
            if others == 0 { hidden.in_argument(first) } else { hidden }
        })
    }
}

/// The argument with its marked content replaced by unknowns that keep the marks. `unknown` returns the unknown of a
/// type that replaces an argument that is marked as a whole.
fn masked(value: &Value, unknown: &dyn Fn(&Type) -> Value) -> Value {
    match value.marks() {
        marks if marks.is_empty() => masked_inside(value),
        marks => unknown(&value.ty()).with_marks(marks),
    }
}

/// The value with each marked value inside it replaced by an unknown that keeps the marks. Where that is not possible,
/// as for a set, the whole value becomes an unknown of type `dynamic`.
fn masked_inside(value: &Value) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    let marks = value.marks();
    if !marks.is_empty() {
        return unknown_without_shape(&value.ty()).with_marks(marks);
    }
    let can_be_rebuilt = match value.view() {
        View::List(list) => has_no_shape(list.element_type()),
        View::Map(map) => has_no_shape(map.element_type()),
        _ => true,
    };
    let masked = can_be_rebuilt.then(|| value.map_children(|_, child| masked_inside(child))).flatten();
    masked.unwrap_or_else(Value::dynamic).with_marks(&value.unmark_deep().1)
}

/// An unknown of this type; of type `dynamic` if the type contains a tuple or object and so reveals attribute names or
/// a number of elements.
fn unknown_without_shape(ty: &Type) -> Value {
    if has_no_shape(ty) { Value::unknown(ty.clone()) } else { Value::dynamic() }
}

/// The type with each tuple and object in it replaced by one that has `children` elements or attributes of type
/// `dynamic`; the attribute names are numbers. `None` beyond the limits of types.
fn with_children(ty: &Type, children: usize) -> Option<Type> {
    match ty {
        Type::Tuple(_) => Type::tuple(std::iter::repeat_n(Type::Dynamic, children)).ok(),
        Type::Object(_) => Type::object((0..children).map(|child| (child.to_string(), Type::Dynamic))).ok(),
        Type::List(list) => Type::list(with_children(list.element(), children)?).ok(),
        Type::Set(set) => Type::set(with_children(set.element(), children)?).ok(),
        Type::Map(map) => Type::map(with_children(map.element(), children)?).ok(),
        ty => Some(ty.clone()),
    }
}

/// Whether the type contains no tuple or object, and so reveals neither attribute names nor a number of elements.
fn has_no_shape(ty: &Type) -> bool {
    match ty {
        Type::Tuple(_) | Type::Object(_) => false,
        ty => ty.element_type().is_none_or(has_no_shape),
    }
}
