//! Evaluation of expressions.

mod access;
mod attempt;
mod budget;
mod call;
mod cases;
mod conditional;
mod construct;
mod equality;
mod explain;
mod frame;
mod iterate;
mod json;
mod masks;
mod operator;
mod origin;
mod quantify;
mod splat;
mod structure;
mod template;

use std::rc::Rc;

use plantime::source::Source;
use plantime::{Marks, Safety, Type, TypeConstraint, Value, conversion, convert, mismatch_message};

use super::describe::statement;
use super::diagnostic::{Diagnostic, Diagnostics, ReferenceValue};
use super::references::{Reference, references};
use super::scope::Scope;
use super::tree::{Kind, Node, Span};

use budget::State;
pub(super) use frame::{ElementOrigin, Frame};

/// The maximum number of steps of a reference whose value a problem shows: each length is tried until one has a value.
const SHOWN_STEPS: usize = 32;

/// The result of a node.
type Evaluated<T = Value> = Result<T, Diagnostics>;

/// Evaluates the nodes of one source in a scope.
pub(super) struct Evaluator<'s> {
    scope: &'s Scope<'s>,
    source: &'s Source,
    state: Rc<State>,
}

/// Where a problem is: its bytes, the expression whose references are involved, and the names that are bound there.
#[derive(Clone, Copy)]
struct Place<'a> {
    span: &'a Span,
    about: &'a Node,
    frame: Option<&'a Frame<'a>>,
}

impl<'s> Evaluator<'s> {
    pub(super) fn new(scope: &'s Scope<'s>, source: &'s Source) -> Evaluator<'s> {
        Evaluator { scope, source, state: Rc::new(State::new(scope.limits)) }
    }

    /// Evaluates a whole expression. An error does not depend on what is behind a mark, but for its place and heading.
    pub(super) fn evaluate(&self, root: &Node) -> Evaluated {
        self.value(root, None).map_err(|problems| self.without_marked_content(problems, root))
    }

    /// The value of a node.
    pub(super) fn value(&self, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        self.count_steps(1, node)?;
        match &node.kind {
            Kind::Literal(value) => Ok(value.clone()),
            Kind::Reference(reference) => self.reference(reference, node, frame),
            Kind::Element => {
                let element = frame.and_then(Frame::element).cloned();
                Ok(element.map_or_else(Value::dynamic, |element| self.used(element)))
            }
            Kind::Access(of, steps) => self.access(of, steps, node, frame),
            Kind::Splat { of, each, marker } => self.splat(of, each, marker, node, frame),
            Kind::Tuple(nodes) => self.tuple(nodes, node, frame),
            Kind::Object(items) => self.object(items, node, frame),
            Kind::Template(parts) => self.template(parts, node, frame),
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => self.value(inner, frame),
            Kind::Unary(operator, operand) => self.unary(*operator, operand, node, frame),
            Kind::Binary(chain) => self.chain(chain, node, frame),
            Kind::Conditional(operands) => self.conditional(operands, node, frame),
            Kind::For(each) => self.for_expression(each, node, frame),
            Kind::Call(call) => self.call(call, node, frame),
        }
    }

    /// The source of the nodes.
    pub(super) fn source(&self) -> &Source {
        self.source
    }

    /// A problem at a place, with the values of the references there.
    #[cold]
    fn problem(&self, place: Place<'_>, summary: &str, detail: impl Into<String>) -> Diagnostics {
        let values = self.reference_values(place.about, place.frame);
        Diagnostic::new(self.source, place.span.clone(), summary, detail).with_values(values).into()
    }

    /// The values of the references of an expression: of each the longest part that has a value.
    fn reference_values(&self, about: &Node, frame: Option<&Frame<'_>>) -> Vec<ReferenceValue> {
        let mut values = Vec::new();
        for reference in references(about) {
            // The name of a variable alone has no value in Terraform, but those of a `for`, which it does not show.
            let most = reference.steps.len().min(SHOWN_STEPS);
            let found = (1..=most).rev().find_map(|steps| {
                let shortened = reference.shortened(steps);
                let value = self.quiet_reference(&shortened, frame)?;
                Some((shortened, value))
            });
            if let Some((reference, value)) = found
                && let Some(statement) = statement(&value)
            {
                values.push(ReferenceValue { reference: reference.to_string(), statement });
            }
        }
        values.sort();
        values.dedup();
        values
    }

    /// The value of a reference, if it has one.
    fn quiet_reference(&self, reference: &Reference, frame: Option<&Frame<'_>>) -> Option<Value> {
        let node = Node { span: reference.span(), kind: Kind::Literal(Value::dynamic()) };
        self.reference(reference, &node, frame).ok()
    }

    /// Converts a value to a type; else why it does not convert, in the words of cty.
    fn converted(&self, value: &Value, target: &TypeConstraint) -> Result<Value, String> {
        if value.has_plain_type(target.as_type()) {
            return Ok(value.clone());
        }
        let safety = conversion(&value.ty(), target);
        // Everything converts to any type.
        let is_any = *target.as_type() == Type::Dynamic;
        if !is_any && !value.is_wholly_known() && (safety != Some(Safety::Safe) || value.ty().has_dynamic()) {
            self.may_fail();
        }
        convert(value, target).map_err(|error| match safety {
            None if !value.ty().has_dynamic() => mismatch_message(&value.ty(), target),
            _ => error.message().to_owned(),
        })
    }
}

/// What evaluation asks of values.
trait ValueFacts {
    /// Whether the value is a scalar of this type, or an unknown one: then it needs no conversion.
    fn has_plain_type(&self, ty: &Type) -> bool;
    /// The marks of the value and of all in it.
    fn all_marks(&self) -> Marks;
}

impl ValueFacts for Value {
    fn has_plain_type(&self, ty: &Type) -> bool {
        matches!(ty, Type::Bool | Type::Number | Type::String) && self.has_type(ty)
    }

    fn all_marks(&self) -> Marks {
        if self.contains_marks() { self.unmark_deep().1 } else { Marks::new() }
    }
}

/// An unknown of unknown type, with all marks of these values.
pub(super) fn unknown_with_marks_of<'v>(values: impl IntoIterator<Item = &'v Value>) -> Value {
    let mut marks = Marks::new();
    for value in values {
        if value.contains_marks() {
            marks.extend_from(&value.all_marks());
        }
    }
    Value::dynamic().with_marks(&marks)
}
