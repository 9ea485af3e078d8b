//! Errors that do not depend on marked content: law L5.

use plantime::{Marks, Type, Value, View};

use super::{Evaluated, Evaluator};
use crate::expression::diagnostic::{Diagnostic, Diagnostics};
use crate::expression::tree::Node;

impl Evaluator<'_> {
    /// Replaces the problems of an evaluation that used marked content by ones that reveal nothing of it: those of the same
    /// expression evaluated with unknowns in place of that content. If it succeeds then, only the failure is reported.
    #[cold]
    pub(super) fn without_marked_content(&self, problems: Diagnostics, root: &Node) -> Diagnostics {
        if self.state.used_marks.borrow().is_empty() || problems.is_limit() {
            return problems;
        }
        // With unknowns in place of content a problem may look like one that is reported only once a value is known.
        let is_late = problems.first().is_reported_once_known();
        match self.masked(|| self.value(root, None)).0 {
            Err(masked) => masked.with_reported_once_known(is_late),
            Ok(_) => {
                // Which part fails would tell something too.
                let span = root.span.clone();
                let detail = "The expression fails for this value. It is marked as sensitive, so the reason is not shown.";
                let problem =
                    Diagnostics::from(Diagnostic::new(self.source, span, "Invalid sensitive value", detail));
                problem.with_reported_once_known(is_late)
            }
        }
    }

    /// Calls `run` with unknowns in place of marked content. Returns the result, and whether it may be a failure for
    /// some values of the unknowns.
    pub(super) fn masked<T>(&self, run: impl FnOnce() -> Evaluated<T>) -> (Evaluated<T>, bool) {
        let (masked, may_fail) = (self.state.masked.replace(true), self.state.may_fail.replace(false));
        let result = run();
        self.state.masked.set(masked);
        (result, self.state.may_fail.replace(may_fail))
    }

    /// Calls `run`, and returns also the marks of all values that it used, which a failure may depend on.
    pub(super) fn with_used_marks<T>(&self, run: impl FnOnce() -> T) -> (T, Marks) {
        let before = self.state.used_marks.take();
        let result = run();
        let used = self.state.used_marks.take();
        // Most values have no marks.
        let all = match (before.is_empty(), used.is_empty()) {
            (_, true) => before,
            (true, false) => used.clone(),
            (false, false) => before.union(&used),
        };
        self.state.used_marks.replace(all);
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

/// The value with an unknown in place of each marked value in it. `unknown_type` maps the type of a marked value to the
/// type of the unknown.
fn masked_part(value: &Value, unknown_type: fn(&Type) -> Type) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    let unknown = || Value::unknown(unknown_type(&value.ty())).with_marks(&value.unmark_deep().1);
    if value.is_marked() {
        return unknown();
    }
    // The type of all elements stands in the type of the list, which is not behind the mark, so the unknown has it too.
    let unknown_type = match value.view() {
        View::List(_) | View::Map(_) => Type::clone,
        _ => unknown_type,
    };
    value.map_children(|_, child| masked_part(child, unknown_type)).unwrap_or_else(unknown)
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
