//! Errors that do not depend on marked content: law L5.

use crate::{Marks, Type, Value, View};

use super::{Evaluated, Evaluator};
use crate::expression::diagnostic::{Diagnostic, Diagnostics};
use crate::expression::tree::Node;

impl Evaluator<'_> {
    /// The problems of an evaluation without what follows from marked content: those of the same expression with unknowns
    /// in place of that content, if it fails then too; else only that it fails.
    #[cold]
    pub(super) fn without_marked_content(&self, problems: Diagnostics, root: &Node) -> Diagnostics {
        if self.state.used_marks.borrow().is_empty() || problems.is_limit() {
            return problems;
        }
        match self.masked(|| self.value(root, None)).0 {
            Err(problems) => problems,
            Ok(_) => {
                // Which part fails would tell something too.
                let span = root.span.clone();
                let detail = "The expression fails for this value. It is marked as sensitive, so the reason is not shown.";
                Diagnostic::new(self.source, span, "Invalid sensitive value", detail).into()
            }
        }
    }

    /// Runs with unknowns in place of marked content: the result, and whether it may be a failure for some values.
    pub(super) fn masked<T>(&self, run: impl FnOnce() -> Evaluated<T>) -> (Evaluated<T>, bool) {
        let (masked, may_fail) = (self.state.masked.replace(true), self.state.may_fail.replace(false));
        let result = run();
        self.state.masked.set(masked);
        (result, self.state.may_fail.replace(may_fail))
    }

    /// Runs, and tells the marks of all values that were used: what a failure may depend on.
    pub(super) fn with_used_marks<T>(&self, run: impl FnOnce() -> T) -> (T, Marks) {
        let before = self.state.used_marks.take();
        let result = run();
        let used = self.state.used_marks.take();
        self.state.used_marks.replace(before.union(&used));
        (result, used)
    }

    /// The value as the evaluation may use it; its marks are recorded.
    pub(super) fn used(&self, value: Value) -> Value {
        if !value.contains_marks() {
            return value;
        }
        self.state.used_marks.borrow_mut().extend_from(&value.unmark_deep().1);
        if self.state.masked.get() { masked(&value) } else { value }
    }
}

/// The value with an unknown in place of each marked value in it.
fn masked(value: &Value) -> Value {
    masked_part(value, masked_type)
}

/// The same; `unknown_type` is the type of the unknown that takes the place of a value of some type.
fn masked_part(value: &Value, unknown_type: fn(&Type) -> Type) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    let unknown = || Value::unknown(unknown_type(&value.ty())).with_marks(&value.unmark_deep().1);
    if value.is_marked() {
        return unknown();
    }
    // The type of all elements stands in the type of the list, which is not behind the mark, so the unknown has it too.
    let element = |element: &Value| masked_part(element, Type::clone);
    let part = |part: &Value| masked_part(part, unknown_type);
    let rebuilt = match value.view() {
        View::List(list) => Value::list_of(list.element_type().clone(), list.iter().map(element)),
        View::Map(map) => {
            let entries = map.iter().map(|(key, value)| (key, element(value)));
            Value::map_of(map.element_type().clone(), entries)
        }
        View::Tuple(tuple) => Value::tuple(tuple.iter().map(part)),
        View::Object(object) => Value::object(object.iter().map(|(name, value)| (name, part(value)))),
        _ => return unknown(),
    };
    rebuilt.unwrap_or_else(|_| unknown())
}

/// The type that an unknown in place of a marked value has: its own, unless that tells attribute names or a number of elements,
/// which are content.
pub(super) fn masked_type(ty: &Type) -> Type {
    if has_shape(ty) { Type::Dynamic } else { ty.clone() }
}

/// Whether a type has an object or a tuple in it.
fn has_shape(ty: &Type) -> bool {
    match ty {
        Type::Object(_) | Type::Tuple(_) => true,
        ty => ty.element_type().is_some_and(has_shape),
    }
}
