//! Calls of functions.

mod convert;
mod templatestring;

use crate::function::Function;
use crate::text::nearest;
use crate::{Marks, Type, Value, View};

use super::iterate::{Items, items};
use super::{Evaluated, Evaluator, Frame, Place, ValueFacts, unknown_with_marks_of};
use crate::expression::diagnostic::{Diagnostics, all};
use crate::expression::tree::{Call, Kind, Node, Span};

/// The functions of cty whose errors name no argument.
const WITHOUT_ARGUMENT: [&str; 8] =
    ["base64decode", "cidrsubnet", "format", "formatlist", "length", "range", "timeadd", "yamldecode"];

/// The functions that fail for no value of the type of a parameter, if it is not null.
const TOTAL: [&str; 28] = [
    "abs",
    "base64encode",
    "chomp",
    "concat",
    "distinct",
    "endswith",
    "flatten",
    "jsonencode",
    "keys",
    "length",
    "lower",
    "max",
    "md5",
    "merge",
    "min",
    "reverse",
    "sensitive",
    "sha1",
    "sha256",
    "sha512",
    "startswith",
    "strrev",
    "title",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
    "values",
];

/// The arguments of a call.
struct Given {
    values: Vec<Value>,
    /// The elements of an unknown number of further arguments.
    further: Option<Value>,
    /// The marks of the expanded value.
    marks: Marks,
}

impl Evaluator<'_> {
    /// Evaluates a function call. `try`, `can`, `convert` and `templatestring` take expressions, all others values.
    pub(super) fn call(&self, call: &Call, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let name = call.name.strip_prefix("core::").unwrap_or(&call.name);
        match (name, call.arguments.as_slice()) {
            ("try", [_, ..]) if !call.expands => return self.try_function(call, node, frame),
            ("can", [argument]) if !call.expands => return self.can_function(argument, frame),
            ("convert", [value, ty]) if !call.expands => return self.convert_function(value, ty, frame),
            ("templatestring", [template, variables]) if !call.expands => {
                return self.templatestring(template, variables, node, frame);
            }
            _ => {}
        }
        let function = match self.scope.functions.get(name) {
            Some(function) => function,
            None if name.starts_with("provider::") => {
                // The caller does not know the function of the provider, and so not whether it fails.
                self.may_fail();
                let given = self.arguments(call, frame)?;
                let all = given.values.iter().chain(&given.further);
                return Ok(unknown_with_marks_of(all).with_marks(&given.marks));
            }
            None => return Err(self.unknown_function(name, call, node, frame)),
        };
        let given = self.arguments(call, frame)?;
        let result = match &given.further {
            None => self.call_with(function, call, &given.values, node, frame)?,
            Some(further) => self.call_with_further(function, call, &given.values, further, node, frame)?,
        };
        self.count_value(&result, node)?;
        if let View::String(text) = result.view() {
            self.count_text(text.len(), node)?;
        }
        Ok(result.with_marks(&given.marks))
    }

    /// The values of the arguments, the last one expanded.
    fn arguments(&self, call: &Call, frame: Option<&Frame<'_>>) -> Evaluated<Given> {
        let mut values = all(call.arguments.iter().map(|argument| self.value(argument, frame)))?;
        let (mut marks, mut further) = (Marks::new(), None);
        if call.expands
            && let (Some(value), Some(node)) = (values.pop(), call.arguments.last())
        {
            let place = Place { span: &node.span, about: node, frame };
            let (bare, own) = value.unmark();
            marks = own;
            if bare.is_certainly_null() {
                let detail = "The expanding argument (indicated by ...) must not be null.";
                return Err(self.problem(place, "Invalid expanding argument value", detail));
            }
            if bare.may_be_null() {
                self.may_fail();
            }
            let is_sequence =
                matches!(bare.ty(), Type::Dynamic | Type::List(_) | Type::Set(_) | Type::Tuple(_));
            match items(&bare) {
                Items::Known(items) if is_sequence => {
                    values.extend(items.into_iter().map(|(_, value)| value))
                }
                Items::Unknown { value, .. } if is_sequence => {
                    self.may_fail();
                    further = Some(value);
                }
                _ => {
                    let detail =
                        "The expanding argument (indicated by ...) must be of a tuple, list, or set type.";
                    return Err(self.problem(place, "Invalid expanding argument value", detail));
                }
            }
        }
        Ok(Given { values, further, marks })
    }

    /// Calls a function with all its arguments.
    fn call_with(
        &self,
        function: &Function,
        call: &Call,
        values: &[Value],
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        self.check_count(function, call, values.len(), node, frame)?;
        let converted = self.converted_arguments(function, call, values, node, frame)?;
        let result = function
            .call(&converted)
            .map_err(|error| self.failed_call(function, call, &error, node, frame))?;
        // A function that does not know its answer for known arguments does not know whether it fails either: a file that is not
        // there, an encoding that it does not have.
        if !values.is_empty() && !result.is_wholly_known() && converted.iter().all(Value::is_wholly_known) {
            self.may_fail();
        }
        Ok(result)
    }

    /// The error of a call that failed, at the argument that the error names, otherwise at the whole call.
    #[cold]
    fn failed_call(
        &self,
        function: &Function,
        call: &Call,
        error: &crate::Error,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Diagnostics {
        let problem = match error.argument() {
            Some(at) if !WITHOUT_ARGUMENT.contains(&function.name()) => {
                self.bad_argument(function, call, at, error.message(), node, frame)
            }
            _ => {
                let span = self.call_start(call);
                let place = Place { span: &span, about: node, frame };
                let detail = format!("Call to function {:?} failed: {}.", function.name(), error.message());
                self.problem(place, "Error in function call", detail).with_call(signature(function))
            }
        };
        problem.of_limit_if(error.is_limit())
    }

    /// The arguments as values of the types of the parameters.
    fn converted_arguments(
        &self,
        function: &Function,
        call: &Call,
        values: &[Value],
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Vec<Value>> {
        let is_total = TOTAL.contains(&function.name());
        all(values.iter().enumerate().map(|(at, value)| {
            self.count_value(value, node)?;
            if !value.is_wholly_known() && (!is_total || value.may_be_null() || value.ty().has_dynamic()) {
                self.may_fail();
            }
            match function.parameters().get(at).or_else(|| function.variadic()) {
                Some(parameter) if *parameter.ty() != Type::Dynamic => self
                    .converted(value, parameter.constraint())
                    .map_err(|message| self.bad_argument(function, call, at, &message, node, frame)),
                _ => Ok(value.clone()),
            }
        }))
    }

    /// The result of a call with an unknown number of further arguments: its type, if it does not depend on their number.
    fn call_with_further(
        &self,
        function: &Function,
        call: &Call,
        values: &[Value],
        further: &Value,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        self.may_fail();
        self.converted_arguments(function, call, values, node, frame)?;
        let least = function.parameters().len().saturating_sub(values.len());
        let most = if function.variadic().is_some() { least.saturating_add(3) } else { least };
        let (mut types, mut failure) = (Vec::new(), None);
        for count in least..=most {
            let given: Vec<Value> =
                values.iter().cloned().chain(std::iter::repeat_n(further.clone(), count)).collect();
            let given = self.converted_arguments(function, call, &given, node, frame);
            match given.map(|given| function.return_type_for(&given)) {
                Ok(Ok(ty)) => types.push(ty),
                Ok(Err(error)) => failure = Some(self.failed_call(function, call, &error, node, frame)),
                Err(problems) => failure = Some(problems),
            }
        }
        let unknown = match (types.split_first(), failure) {
            (Some((first, rest)), _) if rest.iter().all(|ty| ty == first) => Value::unknown(first.clone()),
            (None, Some(problems)) => return Err(problems),
            _ => Value::dynamic(),
        };
        let mut all_marks = further.all_marks();
        for value in values {
            all_marks.extend_from(&value.all_marks());
        }
        Ok(unknown.with_marks(&all_marks))
    }

    /// Checks the number of arguments against the parameters of the function.
    fn check_count(
        &self,
        function: &Function,
        call: &Call,
        given: usize,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<()> {
        let parameters = function.parameters();
        if let Some(missing) = parameters.get(given) {
            let place = Place { span: &call.close, about: node, frame };
            let at_least = if function.variadic().is_some() { "at least " } else { "" };
            let detail = format!(
                "Function {:?} expects {at_least}{} argument(s). Missing value for {:?}.",
                &*call.name,
                parameters.len(),
                missing.name()
            );
            let problem = self.problem(place, "Not enough function arguments", detail);
            return Err(problem.with_call(signature(function)));
        }
        if given > parameters.len() && function.variadic().is_none() {
            let first = call.arguments.get(parameters.len()).or_else(|| call.arguments.last());
            let span = first.map_or(call.close.clone(), |node| node.span.clone());
            let place = Place { span: &span, about: node, frame };
            let detail = format!("Function {:?} expects only {} argument(s).", &*call.name, parameters.len());
            let problem = self.problem(place, "Too many function arguments", detail);
            return Err(problem.with_call(signature(function)));
        }
        Ok(())
    }

    /// The error for the argument at index `at` of a call.
    #[cold]
    fn bad_argument(
        &self,
        function: &Function,
        call: &Call,
        at: usize,
        message: &str,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Diagnostics {
        let about = call.arguments.get(at).or_else(|| call.arguments.last()).unwrap_or(node);
        let parameter = function.parameters().get(at).or_else(|| function.variadic());
        let name = parameter.map_or("", |parameter| parameter.name());
        let span = self.start_of(about);
        let place = Place { span: &span, about, frame };
        let detail = format!("Invalid value for {name:?} parameter: {message}.");
        self.problem(place, "Invalid function argument", detail).with_call(signature(function))
    }

    /// The error for a function that does not exist, with the nearest name.
    #[cold]
    fn unknown_function(
        &self,
        name: &str,
        call: &Call,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Diagnostics {
        let place = Place { span: &call.name_span, about: node, frame };
        let similar = nearest(name, self.scope.functions.iter().map(Function::name));
        let hint = similar.map_or_else(String::new, |name| format!(" Did you mean {name:?}?"));
        let detail = format!("There is no function named {name:?}.{hint}");
        self.problem(place, "Call to unknown function", detail)
    }

    /// The name of a call and the parenthesis after it.
    fn call_start(&self, call: &Call) -> Span {
        let rest = self.source.text().get(call.name_span.end..).unwrap_or_default();
        let end = rest
            .find('(')
            .map_or(call.name_span.end, |at| call.name_span.end.saturating_add(at).saturating_add(1));
        call.name_span.start..end
    }

    /// Where an argument begins: what Terraform points at. Of a string that is what is in its quotes.
    fn start_of(&self, node: &Node) -> Span {
        let span = &node.span;
        let text = self.source.text().get(span.clone()).unwrap_or_default();
        match &node.kind {
            Kind::Literal(_) | Kind::Template(_) | Kind::Wrapped(_) if text.starts_with('"') => {
                span.start.saturating_add(1)..span.end.saturating_sub(1)
            }
            Kind::Tuple(_) | Kind::Object(_) | Kind::For(_) | Kind::Parenthesis(_) => {
                span.start..span.start.saturating_add(1)
            }
            Kind::Call(call) => self.call_start(call),
            Kind::Binary(_, operands) => {
                let [left, _] = &**operands;
                self.start_of(left)
            }
            Kind::Conditional(operands) => {
                let [condition, ..] = &**operands;
                self.start_of(condition)
            }
            _ => span.clone(),
        }
    }
}

/// The name of a function with those of its parameters.
#[cold]
fn signature(function: &Function) -> String {
    let mut names: Vec<String> =
        function.parameters().iter().map(|parameter| parameter.name().to_owned()).collect();
    names.extend(function.variadic().map(|parameter| format!("{}...", parameter.name())));
    format!("{}({})", function.name(), names.join(", "))
}
