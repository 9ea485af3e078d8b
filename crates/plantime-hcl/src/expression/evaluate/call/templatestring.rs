//! `templatestring`, whose first argument is a template.

use std::rc::Rc;

use plantime::source::Source;
use plantime::{Path, Type, Value, View};

use crate::expression::diagnostic::Diagnostics;
use crate::expression::evaluate::{Evaluated, Evaluator, Frame, Place, unknown_with_marks_of};
use crate::expression::references::references;
use crate::expression::tree::{Kind, Node, Span};
use crate::expression::{Expression, Resolved, Scope, Unresolved, Variables};

impl Evaluator<'_> {
    /// `templatestring(template, variables)`: the value of a reference as a template.
    pub(super) fn templatestring(
        &self,
        template: &Node,
        variables: &Node,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let place = Place { span: &template.span, about: template, frame };
        let invalid = |place, name: &str, reason: &str| {
            let detail = format!("Invalid value for {name:?} parameter: {reason}.");
            self.problem(place, "Invalid function argument", detail)
        };
        if !matches!(template.kind, Kind::Reference(_) | Kind::Access(..)) {
            let reason =
                "must be a direct reference to a single string from elsewhere, such as a local value";
            return Err(invalid(place, "template", reason));
        }
        let text = self.value(template, frame).map_err(|problems| match problems.is_limit() {
            true => problems,
            false => {
                let reason = format!("invalid template expression: {}.", first_of(&problems));
                invalid(place, "template", &reason)
            }
        })?;
        let (text, text_marks) = text.unmark();
        let (given, marks) = self.value(variables, frame)?.unmark();
        let place_of_variables = Place { span: &variables.span, about: variables, frame };
        for (value, place, name) in [(&text, place, "template"), (&given, place_of_variables, "vars")] {
            if value.is_certainly_null() {
                return Err(invalid(place, name, "argument must not be null"));
            }
            if value.may_be_null() {
                self.may_fail();
            }
        }
        if !matches!(given.ty(), Type::Dynamic | Type::Map(_) | Type::Object(_)) {
            let wrong = invalid(place_of_variables, "vars", "invalid vars value: must be a map");
            // Terraform looks at them once it has a template.
            return Err(wrong.reported_once_known_if(!text.is_known()));
        }
        let text = self
            .converted(&text, &Type::String.into())
            .map_err(|message| invalid(place, "template", &message))?;
        let with_marks = |value: Value| value.with_marks(&text_marks).with_marks(&marks);
        let Ok(text) = text.as_str() else {
            // Once it is known the template may be one interpolation, whose value may be of any type.
            self.may_fail();
            return Ok(with_marks(unknown_with_marks_of([&given])));
        };
        let source = Source::new("<templatestring argument>", text);
        let parsed = Expression::parse_template(source)
            .map_err(|problems| invalid(place, "template", &first_of(&problems)))?;
        let entries = TemplateVariables { given: &given };
        let may_lack_keys = match given.view() {
            View::Dynamic => true,
            View::Unknown(range) => matches!(range.ty(), Type::Map(_)),
            _ => false,
        };
        for reference in references(&parsed.root) {
            if may_lack_keys {
                self.may_fail();
            }
            if given.ty() != Type::Dynamic && entries.resolve(reference).is_err() {
                let at = parsed.source.position(reference.span().start);
                let reason = format!(
                    "vars map does not contain key {:?}, referenced at <templatestring argument>:{},{}",
                    reference.root(),
                    at.line,
                    at.column
                );
                return Err(invalid(place_of_variables, "vars", &reason));
            }
        }
        let scope = Scope { variables: &entries, ..*self.scope };
        let inner = Evaluator { scope: &scope, source: &parsed.source, state: Rc::clone(&self.state) };
        let result = self.in_template(node, || inner.value(&parsed.root, None));
        result.map(with_marks).map_err(|problems| match problems.is_limit() {
            true => problems,
            false => {
                let place = Place { span: &node.span, about: node, frame };
                let detail = format!("Call to function \"templatestring\" failed: {}.", first_of(&problems));
                self.problem(place, "Error in function call", detail)
            }
        })
    }
}

/// A problem inside a template in one line.
fn first_of(problems: &Diagnostics) -> String {
    let first = problems.first();
    let (start, end): (_, Span) = (first.position(), first.span());
    let width = end.end.saturating_sub(end.start);
    let last = start.column.saturating_add(width);
    let detail = first.detail().trim_end_matches('.');
    format!("{}:{},{}-{last}: {}; {detail}", first.source().name(), start.line, start.column, first.summary())
}

/// The variables of a template: the entries of a map or object.
struct TemplateVariables<'v> {
    given: &'v Value,
}

impl Variables for TemplateVariables<'_> {
    fn resolve(&self, reference: &crate::expression::Reference) -> Result<Resolved, Unresolved> {
        let name = reference.root();
        let value = match (self.given.view(), self.given.ty()) {
            (_, Type::Object(_)) => self.given.get_attr(name).ok(),
            (View::Dynamic, _) => Some(Value::dynamic()),
            _ => self.given.get(&Path::new().index(name)).ok(),
        };
        match value {
            Some(value) => Ok(Resolved { value, steps: 0 }),
            None => Err(Unresolved::unknown_variable(reference, [])),
        }
    }
}
