//! Operators.

use std::borrow::Cow;

use plantime::{Error, Marks, Number, Type, Value};

use super::structure::Structure;
use super::{Evaluated, Evaluator, Frame, Place, ValueFacts};
use crate::expression::diagnostic::{Diagnostics, all};
use crate::expression::tree::{Binary, Chain, Kind, Node, Unary};

/// What an operand of `&&` or `||` counts as, if that is known.
fn truth(operand: &Value) -> Option<bool> {
    if operand.is_certainly_null() { Some(false) } else { operand.clone().unmark().0.as_bool().ok() }
}

/// The marks of an evaluated operand; none of one that failed.
fn marks_of(operand: &Evaluated) -> Marks {
    operand.as_ref().map(|operand| operand.marks().clone()).unwrap_or_default()
}

/// Whether a number may turn out as this one.
fn may_be_number(operand: &Value, number: &Number) -> bool {
    let (bare, _) = operand.clone().unmark();
    match bare.as_number() {
        Ok(known) => known == number,
        Err(_) => bare.range().refinement().range().contains_number(number),
    }
}

/// An operand of `&&` or `||` that was evaluated.
struct LogicOperand {
    value: Evaluated,
    /// The marks of what was used for it.
    used: Marks,
    may_fail: bool,
}

impl LogicOperand {
    /// The operand, if it is a known bool and nothing else is to be said of it: it has no marks, and cannot fail.
    fn plain(&self) -> Option<bool> {
        let value = self.value.as_ref().ok().filter(|_| !self.may_fail && self.used.is_empty())?;
        value.as_bool().ok().filter(|_| !value.is_marked())
    }
}

/// One operator of a chain, and what is left of it.
struct ChainPart<'n> {
    chain: &'n Chain,
    /// The node of the whole chain.
    whole: &'n Node,
    /// Which operator it is, from 0.
    position: usize,
}

/// The maximum number of operands that are copied for a problem with a part of a chain.
const SHOWN_OPERANDS: usize = 64;

impl<'n> ChainPart<'n> {
    /// The operator with all that is left of it, and its right operand.
    fn node(&self) -> Cow<'n, Node> {
        self.up_to(self.position.saturating_add(1))
    }

    /// The left operand.
    fn left(&self) -> Cow<'n, Node> {
        self.up_to(self.position)
    }

    /// The node of the first operators of the chain.
    fn up_to(&self, operators: usize) -> Cow<'n, Node> {
        let Some((_, last)) = operators.checked_sub(1).and_then(|last| self.chain.rest.get(last)) else {
            return Cow::Borrowed(&self.chain.first);
        };
        if operators == self.chain.rest.len() || operators > SHOWN_OPERANDS {
            return Cow::Borrowed(self.whole);
        }
        let first = self.chain.first.clone();
        let rest = self.chain.rest.get(..operators).unwrap_or_default().to_vec();
        let span = first.span.start..last.span.end;
        Cow::Owned(Node { span, kind: Kind::Binary(Box::new(Chain { first, rest })) })
    }
}

impl Evaluator<'_> {
    /// Evaluates `-x` or `!x`, after converting the operand to a number or a bool.
    pub(super) fn unary(
        &self,
        operator: Unary,
        operand: &Node,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let value = self.value(operand, frame)?;
        let ty = if operator == Unary::Negate { Type::Number } else { Type::Bool };
        let value = self.operand(&value, ty, "unary", operand, frame)?;
        self.check_null(&[&value], || Cow::Borrowed(node), frame)?;
        let result = match operator {
            Unary::Negate => value.negate(),
            Unary::Not => value.not(),
        };
        result.map_err(|error| self.failed_operation(&error, node, frame))
    }

    /// Evaluates operators of one level, from left to right.
    pub(super) fn chain(&self, chain: &Chain, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        self.count_steps(chain.rest.len().saturating_sub(1) as u64, node)?;
        if let Some((operator @ (Binary::And | Binary::Or), _)) = chain.rest.first() {
            return self.logic(*operator, chain, node, frame);
        }
        if self.scope.is_for_rules
            && let Some((operator @ (Binary::Equal | Binary::NotEqual), left, right)) = chain.as_pair()
            && (matches!(left.kind, Kind::Tuple(_)) && self.may_be_members(right)
                || matches!(right.kind, Kind::Tuple(_)) && self.may_be_members(left))
        {
            return self.equality_of_members(operator, (left, right), (chain, node), frame);
        }
        let mut result = self.value(&chain.first, frame);
        for (i, (operator, right)) in chain.rest.iter().enumerate() {
            let part = ChainPart { chain, whole: node, position: i };
            result = match (result, self.value(right, frame)) {
                (Ok(a), Ok(b)) => self.binary(*operator, [a, b], right, &part, frame),
                (Err(mut problems), Err(more)) if !problems.is_limit() => {
                    problems.extend(more);
                    Err(problems)
                }
                (Err(problems), _) | (_, Err(problems)) => Err(problems),
            };
            if result.as_ref().is_err_and(Diagnostics::is_limit) {
                break;
            }
        }
        result
    }

    /// `==` or `!=` in a rule, of a tuple that is written out and what may be a collection of which it is unknown what is there: tuples of
    /// different lengths are not equal.
    fn equality_of_members(
        &self,
        operator: Binary,
        (left, right): (&Node, &Node),
        (chain, node): (&Chain, &Node),
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let structures = all([left, right].map(|operand| self.structure(operand, frame)))?;
        let open = structures.iter().find_map(|structure| match structure {
            Structure::Members(members) if !members.is_complete() => Some(members),
            _ => None,
        });
        let written = [left, right].into_iter().find_map(|operand| match &operand.kind {
            Kind::Tuple(nodes) => Some(nodes.len() as u64),
            _ => None,
        });
        if let (Some(members), Some(written)) = (open, written) {
            if written > 0 {
                // A literal that is no value of the type of the members is an error.
                self.may_fail();
            }
            let answer = match members.count().contains(written) {
                true => Value::unknown_not_null(Type::Bool),
                false => Value::from(operator == Binary::NotEqual),
            };
            let marks = super::unknown_with_marks_of(
                &structures.into_iter().map(Structure::into_value).collect::<Vec<_>>(),
            );
            return Ok(answer.with_marks(marks.marks()));
        }
        let part = ChainPart { chain, whole: node, position: 0 };
        let values: Vec<Value> = structures.into_iter().map(Structure::into_value).collect();
        let values = <[Value; 2]>::try_from(values).unwrap_or([const { Value::dynamic() }; 2]);
        self.binary(operator, values, right, &part, frame)
    }

    /// The result of a binary operator, but `&&` and `||`, for the values of its operands.
    fn binary(
        &self,
        operator: Binary,
        [a, b]: [Value; 2],
        right: &Node,
        part: &ChainPart<'_>,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        if let Binary::Equal | Binary::NotEqual = operator {
            let may_fail_before = self.state.may_fail.get();
            let (a, b) = match self.scope.is_for_rules {
                false => (a, b),
                true => match self.comparable([&a, &b], [&part.left(), right], &part.node(), frame)? {
                    Some([a, b]) => (a, b),
                    None => {
                        let answer = Value::from(operator == Binary::NotEqual);
                        return Ok(answer.with_marks(&a.all_marks()).with_marks(&b.all_marks()));
                    }
                },
            };
            let result = if operator == Binary::Equal { a.equals(&b) } else { a.not_equal(&b) };
            let result = result.map_err(|error| self.failed_operation(&error, &part.node(), frame))?;
            // A result has no origin.
            if !result.is_wholly_known()
                && part.position == 0
                && self.have_one_origin((&part.chain.first, &a), (right, &b), frame)
            {
                // One value is of one type.
                self.state.may_fail.set(may_fail_before);
                return Ok(Value::from(operator == Binary::Equal).with_marks(result.marks()));
            }
            return Ok(result);
        }
        let converted = [&a, &b].map(|value| value.has_plain_type(&Type::Number));
        let [a, b] = if converted == [true, true] {
            [a, b]
        } else {
            let left = part.left();
            let converted = all([(&a, "left", &*left), (&b, "right", right)]
                .map(|(value, side, operand)| self.operand(value, Type::Number, side, operand, frame)))?;
            <[Value; 2]>::try_from(converted).unwrap_or([const { Value::dynamic() }; 2])
        };
        self.check_null(&[&a, &b], || part.node(), frame)?;
        let result = match operator {
            Binary::Less => a.less_than(&b),
            Binary::LessOrEqual => a.less_than_or_equal(&b),
            Binary::Greater => a.greater_than(&b),
            Binary::GreaterOrEqual => a.greater_than_or_equal(&b),
            Binary::Add => self.arithmetic(operator, &a, &b, Value::add),
            Binary::Subtract => self.arithmetic(operator, &a, &b, Value::subtract),
            Binary::Multiply => self.arithmetic(operator, &a, &b, Value::multiply),
            Binary::Divide => self.arithmetic(operator, &a, &b, Value::divide),
            _ => self.arithmetic(operator, &a, &b, Value::modulo),
        };
        result.map_err(|error| self.failed_operation(&error, &part.node(), frame))
    }

    /// Arithmetic, which can fail for infinities: ∞ - ∞, 0 · ∞, 0 / 0.
    fn arithmetic(
        &self,
        operator: Binary,
        a: &Value,
        b: &Value,
        operation: impl Fn(&Value, &Value) -> plantime::Result<Value>,
    ) -> plantime::Result<Value> {
        if a.is_known() && b.is_known() {
            return operation(a, b);
        }
        let [a_may_be, b_may_be] =
            [a, b].map(|operand| move |number: Number| may_be_number(operand, &number));
        let [a_is_infinite, b_is_infinite] = [
            a_may_be(Number::INFINITY) || a_may_be(Number::NEG_INFINITY),
            b_may_be(Number::INFINITY) || b_may_be(Number::NEG_INFINITY),
        ];
        let opposite = |minus: bool| {
            [Number::INFINITY, Number::NEG_INFINITY].into_iter().any(|infinity| {
                let other = if minus { infinity.clone() } else { infinity.negate() };
                a_may_be(infinity) && b_may_be(other)
            })
        };
        let can_fail = match operator {
            Binary::Add | Binary::Subtract => opposite(operator == Binary::Subtract),
            Binary::Multiply => {
                a_is_infinite && b_may_be(Number::ZERO) || b_is_infinite && a_may_be(Number::ZERO)
            }
            Binary::Divide => b_may_be(Number::ZERO) || a_is_infinite && b_is_infinite,
            _ => true,
        };
        if can_fail {
            self.may_fail();
        }
        operation(a, b)
    }

    /// `&&` and `||`. As in Terraform 1.15 an operand that decides does so whatever is wrong with the other one, and null
    /// counts as false for `&&`.
    fn logic(&self, operator: Binary, chain: &Chain, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let before = self.state.may_fail.get();
        let mut left = self.logic_operand(&chain.first, "left", frame);
        for (i, (_, right)) in chain.rest.iter().enumerate() {
            let right = self.logic_operand(right, "right", frame);
            let part = ChainPart { chain, whole: node, position: i };
            left = self.logic_result(operator, left, right, &part, frame);
        }
        self.state.may_fail.set(before || left.may_fail);
        left.value
    }

    /// Evaluates an operand of `&&` or `||`, as a bool.
    fn logic_operand(&self, node: &Node, side: &str, frame: Option<&Frame<'_>>) -> LogicOperand {
        self.state.may_fail.set(false);
        let (value, used) = self.with_used_marks(|| {
            let value = self.value(node, frame)?;
            let value = self.operand(&value, Type::Bool, side, node, frame)?;
            if !self.scope.is_for_rules {
                return Ok(value);
            }
            self.check_null(&[&value], || Cow::Borrowed(node), frame)?;
            Ok(if value.is_known() { value } else { value.assume_not_null().unwrap_or(value) })
        });
        LogicOperand { value, used, may_fail: self.state.may_fail.get() }
    }

    /// The result of `&&` or `||` for two operands, as an operand of the next one.
    fn logic_result(
        &self,
        operator: Binary,
        a: LogicOperand,
        b: LogicOperand,
        part: &ChainPart<'_>,
        frame: Option<&Frame<'_>>,
    ) -> LogicOperand {
        if let (Some(left), Some(right)) = (a.plain(), b.plain()) {
            let answer = if operator == Binary::And { left && right } else { left || right };
            self.state.may_fail.set(false);
            return LogicOperand { value: Ok(Value::from(answer)), used: Marks::new(), may_fail: false };
        }
        // Whether the other operand decides alone must not tell what is behind a mark.
        let mut failed_marks = Marks::new();
        for operand in [&a, &b].into_iter().filter(|operand| operand.value.is_err()) {
            failed_marks.extend_from(&operand.used);
        }
        let mut used = a.used.clone();
        used.extend_from(&b.used);
        let [a_may_fail, b_may_fail] = [a.may_fail, b.may_fail];
        self.state.may_fail.set(a_may_fail || b_may_fail);
        let value = self.logic_value(
            operator,
            (a.value, a_may_fail),
            (b.value, b_may_fail),
            &failed_marks,
            part,
            frame,
        );
        LogicOperand { value, used, may_fail: self.state.may_fail.get() }
    }

    /// The value of `&&` or `||` for two operands and whether these may fail; notes whether the result may.
    fn logic_value(
        &self,
        operator: Binary,
        (a, a_may_fail): (Evaluated, bool),
        (b, b_may_fail): (Evaluated, bool),
        failed_marks: &Marks,
        part: &ChainPart<'_>,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        if let Some(problems) = [&a, &b]
            .into_iter()
            .filter_map(|operand| operand.as_ref().err())
            .find(|problems| problems.is_limit())
        {
            return Err(problems.clone());
        }
        let decisive = operator == Binary::Or;
        let decides =
            |operand: &Evaluated| operand.as_ref().is_ok_and(|operand| truth(operand) == Some(decisive));
        if decides(&a) || decides(&b) {
            // An operand that decides must not fail; if both decide, one of them must not.
            let may_fail = (!decides(&a) || a_may_fail) && (!decides(&b) || b_may_fail);
            self.state.may_fail.set(may_fail);
            let answer = Value::from(decisive);
            let answer = answer.with_marks(&marks_of(&a)).with_marks(&marks_of(&b));
            return Ok(answer.with_marks(failed_marks));
        }
        let (a, b) = match (a, b) {
            (Ok(a), Ok(b)) => (a, b),
            // The unknown operand has to decide, or the operation fails.
            (Ok(open), Err(_)) | (Err(_), Ok(open)) if truth(&open).is_none() => {
                self.may_fail();
                return Ok(Value::from(decisive).with_marks(open.marks()).with_marks(failed_marks));
            }
            (Err(mut problems), Err(more)) => {
                problems.extend(more);
                return Err(problems);
            }
            (Ok(_), Err(problems)) | (Err(problems), Ok(_)) => return Err(problems),
        };
        if operator == Binary::And {
            return a.and(&b).map_err(|error| self.failed_operation(&error, &part.node(), frame));
        }
        if [&a, &b].iter().any(|operand| operand.is_certainly_null())
            && [&a, &b].iter().any(|operand| truth(operand).is_none())
        {
            self.may_fail();
            return Ok(Value::from(decisive).with_marks(a.marks()).with_marks(b.marks()));
        }
        self.check_null(&[&a, &b], || part.node(), frame)?;
        a.or(&b).map_err(|error| self.failed_operation(&error, &part.node(), frame))
    }

    /// An operand as a value of the type that the operator takes.
    fn operand(
        &self,
        value: &Value,
        ty: Type,
        side: &str,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        self.converted(value, &ty.into()).map_err(|message| {
            let place = Place { span: &node.span, about: node, frame };
            let detail = format!("Unsuitable value for {side} operand: {message}.");
            self.problem(place, "Invalid operand", detail)
        })
    }

    /// An error if an operand is certainly null. Notes that the operation may fail if one may be null.
    fn check_null<'n>(
        &self,
        operands: &[&Value],
        node: impl FnOnce() -> Cow<'n, Node>,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<()> {
        if operands.iter().any(|operand| operand.is_certainly_null()) {
            let node = node();
            let place = Place { span: &node.span, about: &node, frame };
            let detail = "Error during operation: argument must not be null.";
            return Err(self.problem(place, "Operation failed", detail));
        }
        if operands.iter().any(|operand| operand.may_be_null()) {
            self.may_fail();
        }
        Ok(())
    }

    /// The error for an operation that failed on its operands.
    #[cold]
    fn failed_operation(&self, error: &Error, node: &Node, frame: Option<&Frame<'_>>) -> Diagnostics {
        let place = Place { span: &node.span, about: node, frame };
        self.problem(place, "Operation failed", format!("Error during operation: {}.", error.message()))
    }
}
