//! `try` and `can`.
//!
//! Both ask whether an expression fails. A result that is certain for the values that make it succeed is not enough: the
//! evaluation records whether an operation may fail for other values of its unknown operands.

use plantime::unstable::mark::NOTE_OF_SUCCESS;
use plantime::{Mark, Marks, Value};

use super::{Evaluated, Evaluator, Frame, Place};
use crate::expression::diagnostic::Diagnostics;
use crate::expression::tree::{Call, Node};

/// The outcome of evaluating one argument of `try` or `can`.
struct Attempt {
    result: Evaluated,
    /// Whether it may fail for some values of its unknown operands.
    may_fail: bool,
    /// The marks of what decides whether it fails.
    marks: Marks,
}

impl Evaluator<'_> {
    /// Whether an expression fails for no value of its unknown operands.
    pub(in crate::expression) fn certainly_succeeds(&self, node: &Node, frame: Option<&Frame<'_>>) -> bool {
        self.attempt(node, frame).is_ok_and(|attempt| attempt.result.is_ok() && !attempt.may_fail)
    }

    /// Evaluates an expression that may fail.
    fn attempt(&self, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated<Attempt> {
        let state = &self.state;
        let may_fail_before = state.may_fail.replace(false);
        let (result, used) = self.with_used_marks(|| self.value(node, frame));
        let may_fail = state.may_fail.replace(may_fail_before);
        // Whether it fails must not tell what is behind a mark: is it the same for all that may be there?
        let depends_on_marks = !used.is_empty() && !state.masked.get() && {
            let (masked, masked_may_fail) = self.masked(|| self.value(node, frame));
            masked.is_ok() && masked_may_fail
        };
        match result {
            Err(problems) if problems.is_limit() => Err(problems),
            result => {
                let marks = if depends_on_marks { marks_of_success(&used) } else { Marks::new() };
                Ok(Attempt { result, may_fail, marks })
            }
        }
    }

    /// The first result that succeeds.
    pub(super) fn try_function(&self, call: &Call, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let mut possible: Vec<Value> = Vec::new();
        let mut failed: Vec<Diagnostics> = Vec::new();
        let mut marks = Marks::new();
        let mut is_decided = false;
        for argument in &call.arguments {
            let attempt = self.attempt(argument, frame)?;
            marks.extend_from(&attempt.marks);
            match attempt.result {
                Ok(value) => {
                    possible.push(value);
                    if !attempt.may_fail {
                        is_decided = true;
                        break;
                    }
                }
                Err(problems) => failed.push(problems),
            }
        }
        if !is_decided && !possible.is_empty() {
            self.may_fail();
        }
        match Value::join(&possible.iter().collect::<Vec<_>>()) {
            Ok(value) => Ok(value.with_marks(&marks)),
            Err(_) => Err(self.nothing_succeeded(&failed, node, frame)),
        }
    }

    /// The error of `try` where no argument succeeded: lists the error of each argument.
    #[cold]
    fn nothing_succeeded(
        &self,
        failed: &[Diagnostics],
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Diagnostics {
        let place = Place { span: &node.span, about: node, frame };
        let mut detail = String::from("Call to function \"try\" failed: no expression succeeded:");
        for problem in failed.iter().flat_map(Diagnostics::iter) {
            let name = problem.source().name();
            let (start, end) = (problem.position(), problem.end_position());
            let end = if start.line == end.line {
                end.column.to_string()
            } else {
                format!("{},{}", end.line, end.column)
            };
            let place = format!("{name}:{},{}-{end}", start.line, start.column);
            detail.push_str(&format!("\n- {} (at {place})\n  {}", problem.summary(), problem.detail()));
        }
        detail.push_str("\n\nAt least one expression must produce a successful result.");
        self.problem(place, "Error in function call", detail)
    }

    /// Whether an expression succeeds.
    pub(super) fn can_function(&self, argument: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let attempt = self.attempt(argument, frame)?;
        let answer = match attempt.result {
            Err(_) => Value::from(false),
            Ok(_) if attempt.may_fail => Value::unknown_not_null(plantime::Type::Bool),
            Ok(_) => Value::from(true),
        };
        Ok(answer.with_marks(&attempt.marks))
    }
}

/// The marks of a result that depends on marked content only by whether an expression succeeds, as that of `can` does. Terraform gives
/// such a result no mark, so it is allowed where a sensitive value is not; it still hides the result in every output.
pub(super) fn marks_of_success(used: &Marks) -> Marks {
    let of_success = |mark: &Mark| match mark.name() {
        "sensitive" | "ephemeral" => mark.clone().with_note(NOTE_OF_SUCCESS),
        _ => mark.clone(),
    };
    used.iter().map(of_success).collect()
}
