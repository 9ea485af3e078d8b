//! `convert`, whose second argument is a type.

use plantime::convert;

use crate::expression::evaluate::{Evaluated, Evaluator, Frame, Place};
use crate::expression::tree::Node;

impl Evaluator<'_> {
    /// `convert(value, type)`.
    pub(super) fn convert_function(&self, value: &Node, ty: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let target = self.type_constraint(ty, frame);
        let given = self.value(value, frame);
        let (target, given) = match (target, given) {
            (Ok(target), Ok(given)) => (target, given),
            (Err(mut problems), Err(more)) => {
                problems.extend(more);
                return Err(problems);
            }
            (Err(problems), _) | (_, Err(problems)) => return Err(problems),
        };
        if !given.is_wholly_known() {
            self.may_fail();
        }
        convert(&given, &target).map_err(|error| {
            let place = Place { span: &value.span, about: value, frame };
            let message = match plantime::conversion(&given.ty(), &target) {
                None if !given.ty().has_dynamic() => plantime::mismatch_message(&given.ty(), &target),
                _ => error.message().to_owned(),
            };
            let detail = format!("Invalid value for \"value\" parameter: {message}.");
            self.problem(place, "Invalid function argument", detail)
        })
    }
}
