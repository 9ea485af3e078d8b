//! Calls of functions.

mod convert;
mod templatestring;

use plantime::function::Function;
use plantime::unstable::text::nearest;
use plantime::{Bound, LengthRange, Marks, Number, NumberRange, Refinement, Type, Value, View};

use super::iterate::Items;
use super::splat::join_if_same_type;
use super::structure::Structure;
use super::{Evaluated, Evaluator, Frame, Place, ValueFacts, unknown_with_marks_of};
use crate::expression::diagnostic::{Diagnostics, all};
use crate::expression::tree::{Call, Node};

/// The functions of cty whose errors name no argument.
const WITHOUT_ARGUMENT: [&str; 13] = [
    "base64decode",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "fileset",
    "format",
    "formatlist",
    "length",
    "range",
    "replace",
    "timeadd",
    "uuidv5",
    "yamldecode",
];

/// Whether a message is of an argument even where other errors of the function name none.
fn is_of_an_argument(message: &str) -> bool {
    message.starts_with("too many arguments; ") || message.contains(", which is inconsistent with argument ")
}

/// What is wrong with an argument that is null and must not be.
const NULL_ARGUMENT: &str = "argument must not be null";

/// The functions of any number of arguments whose results are never null.
const NOT_NULL: [&str; 5] = ["coalesce", "coalescelist", "concat", "max", "min"];

/// The functions whose result is one of the arguments: further arguments with the same facts as one of them do not
/// change what is known of the result.
const OF_ONE_ARGUMENT: [&str; 3] = ["coalesce", "max", "min"];

/// The functions that never fail for arguments of the types of their parameters that are not null.
const TOTAL: [&str; 30] = [
    "abs",
    "alltrue",
    "anytrue",
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

/// The functions for which only the kind and the length of an argument decide whether they fail, not its elements.
const BY_LENGTH: [&str; 6] = ["concat", "flatten", "keys", "merge", "reverse", "values"];

/// The functions that fail only by the kind and the length of their first argument, not by its elements.
const BY_LENGTH_OF_FIRST: [&str; 3] = ["contains", "element", "slice"];

/// The type of the result of a function whose arguments all have this type, if it follows from it though a part of the type is not
/// decided: the elements of one list are of one type. Such a result is never null.
fn result_type_for_one_argument_type(function: &str, ty: &Type) -> Option<Type> {
    let follows = match function {
        "coalesce" => true,
        "concat" | "coalescelist" => matches!(ty, Type::List(_)),
        "setunion" => matches!(ty, Type::Set(_)),
        _ => false,
    };
    (follows && *ty != Type::Dynamic).then(|| ty.clone())
}

/// The result of a function whose arguments are the elements of a collection: if its type is not known, of the type that follows from
/// the type of the elements.
fn with_type_of_elements(function: &str, values: &[Value], collection: &Value, result: Value) -> Value {
    let ty = || result_type_for_one_argument_type(function, collection.ty().element_type()?);
    match (&result, ty().filter(|_| values.is_empty())) {
        (Value::Dynamic(_), Some(ty)) => Value::unknown_not_null(ty).with_marks(result.marks()),
        _ => result,
    }
}

/// Makes the bound of the result of `max` or `min` of the members of a set exclusive: two different numbers cannot both be the least.
fn exclude_end_of_range(function: &str, collection: &Value, result: Value) -> Value {
    let is_of_numbers = matches!(collection.ty(), Type::Set(ty) if *ty.element() == Type::Number);
    let View::Unknown(range) = collection.view() else { return result };
    if !is_of_numbers || range.length_range().is_none_or(|length| length.lower() < 2) {
        return result;
    }
    let element = range.unknown_element(&Type::Number);
    let element = element.range();
    let interval = element.number_range();
    let bound = match function {
        "max" => interval.map_or(&Bound::Unbounded, NumberRange::lower),
        "min" => interval.map_or(&Bound::Unbounded, NumberRange::upper),
        _ => return result,
    };
    let inside = match (function, bound) {
        (_, Bound::Exclusive(_)) => return result,
        ("max", Bound::Unbounded) => NumberRange::above(Number::NEG_INFINITY),
        ("max", Bound::Inclusive(least)) => NumberRange::above(least.clone()),
        (_, Bound::Unbounded) => NumberRange::below(Number::INFINITY),
        (_, Bound::Inclusive(most)) => NumberRange::below(most.clone()),
    };
    let narrowed = inside.and_then(|inside| result.assume(&Refinement::number(inside)));
    narrowed.unwrap_or(result)
}

/// The result of `concat` of the elements of a collection, with the sum of their lengths; of different lists one at most is empty.
fn with_summed_length(function: &str, values: &[Value], collection: &Value, result: Value) -> Value {
    if function != "concat"
        || !values.is_empty()
        || result.is_known()
        || !matches!(result.ty(), Type::List(_))
    {
        return result;
    }
    let length = |part: &Value| part.range().length_range().unwrap_or_default();
    let sum = |parts: &mut dyn Iterator<Item = &Value>| {
        parts.map(length).fold(LengthRange::exactly(0), |sum, part| {
            let most = sum.upper().zip(part.upper()).and_then(|(sum, most)| sum.checked_add(most));
            let sum = LengthRange::new(sum.lower().saturating_add(part.lower()), most);
            sum.unwrap_or_default()
        })
    };
    let lengths = match collection.view() {
        View::List(list) => Some(sum(&mut list.iter())),
        // The length is exact, so the members are pairwise different.
        View::Set(set) if set.length().lower() == set.member_count() as u64 => {
            LengthRange::at_least(set.length().lower().saturating_sub(1)).meet(sum(&mut set.iter()))
        }
        View::Set(set) => Some(LengthRange::at_least(set.length().lower().saturating_sub(1))),
        _ => None,
    };
    let narrowed = lengths.and_then(|lengths| result.assume(&Refinement::length(lengths)).ok());
    narrowed.unwrap_or(result)
}

/// If the number of further arguments is unknown, a call is tried with several numbers of them. The least of them is
/// the known minimum, but at most this.
const MAX_FURTHER: usize = 4;

/// The arguments of a call.
struct Given {
    values: Vec<Value>,
    /// The index of an argument that may have several values (a splat of a value that may be null), and these values.
    alternatives: Option<(usize, Vec<Value>)>,
    /// The collection that `...` expands to further arguments, without its marks, and its marks.
    expanded: Option<(Value, Marks)>,
}

/// A call in an expression, and the function that it names.
#[derive(Clone, Copy)]
pub(super) struct CallSite<'c> {
    pub(super) function: &'c Function,
    pub(super) call: &'c Call,
    /// The node of the call.
    pub(super) node: &'c Node,
    pub(super) frame: Option<&'c Frame<'c>>,
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
            ("try" | "can" | "templatestring", _) if !call.expands => {
                return Err(self.wrong_count_of_expressions(name, call, node, frame));
            }
            ("try" | "can" | "templatestring", _) => return self.expressions_of_a_collection(call, frame),
            ("jsondecode", [argument]) if self.scope.is_for_rules && !call.expands => {
                return self.decoded_json(call, argument, node, frame);
            }
            _ if self.takes_members(name, call) => {
                return self.call_of_members(name, call, node, frame).map(Structure::into_value);
            }
            _ => {}
        }
        let function = self.scope.functions.get(name);
        match function {
            Some(function) if !call.expands => {
                self.check_count(CallSite { function, call, node, frame }, call.arguments.len())?;
            }
            Some(_) => {}
            // The caller does not know the function of the provider, and so not whether it fails.
            None if name.starts_with("provider::") => self.may_fail(),
            None => return Err(self.unknown_function(name, call, node, frame)),
        }
        // What follows is in functions of its own: calls are inside each other, and each level takes the frame of this one.
        let given = self.alternatives_of_arguments(call, frame)?;
        self.call_given(function, call, given, node, frame)
    }

    /// The alternatives for the value of each argument.
    fn alternatives_of_arguments(
        &self,
        call: &Call,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Vec<Vec<Value>>> {
        all(call.arguments.iter().map(|argument| self.alternatives(argument, frame)))
    }

    /// Calls a function, `None` for one of a provider, with the alternatives for its arguments.
    pub(super) fn call_given(
        &self,
        function: Option<&Function>,
        call: &Call,
        given: Vec<Vec<Value>>,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let Given { values, alternatives, expanded } = self.arguments(call, given, frame)?;
        let Some(function) = function else {
            let (collection, marks) = expanded.unzip();
            let result = unknown_with_marks_of(values.iter().chain(&collection));
            return Ok(result.with_marks(&marks.unwrap_or_default()));
        };
        let site = CallSite { function, call, node, frame };
        let result = match (&expanded, alternatives) {
            (None, None) => self.call_with(site, &values)?,
            (None, Some((at, alternatives))) => self.of_alternatives(alternatives, |value| {
                let mut all = values.clone();
                if let Some(argument) = all.get_mut(at) {
                    argument.clone_from(value);
                }
                self.call_with(site, &all)
            })?,
            (Some((collection, marks)), _) => {
                let run = |case: &Value, items| {
                    let result = self.call_with_items(site, &values, items)?;
                    let result = with_type_of_elements(function.name(), &values, case, result);
                    let result = exclude_end_of_range(function.name(), case, result);
                    Ok(with_summed_length(function.name(), &values, case, result))
                };
                let try_item = |item: &Value| {
                    let Some(parameter) =
                        function.variadic().filter(|_| function.parameters().len() <= values.len())
                    else {
                        return Ok(());
                    };
                    let all: Vec<Value> = values.iter().chain([item]).cloned().collect();
                    let converted = self.converted_arguments(site, &all)?;
                    match converted.last().is_some_and(|last| last.is_certainly_null())
                        && !parameter.allows_null()
                    {
                        true => self.call_with(site, &all).map(drop),
                        false => Ok(()),
                    }
                };
                self.of_each_case(collection, run, try_item)?.with_marks(marks)
            }
        };
        self.count_value(&result, node)?;
        if let View::String(text) = result.view() {
            self.count_text(text.len(), node)?;
        }
        Ok(result)
    }

    /// The values of the arguments, and the collection that the last one is if it is expanded.
    fn arguments(&self, call: &Call, given: Vec<Vec<Value>>, frame: Option<&Frame<'_>>) -> Evaluated<Given> {
        let several = given.iter().position(|alternatives| alternatives.len() > 1);
        let alternatives =
            several.and_then(|at| Some((at, given.get(at)?.clone()))).filter(|_| !call.expands);
        let mut values: Vec<Value> = given
            .into_iter()
            .map(|mut alternatives| match alternatives.len() {
                1 => alternatives.pop().unwrap_or_else(Value::dynamic),
                _ => join_if_same_type(&alternatives),
            })
            .collect();
        if !call.expands {
            return Ok(Given { values, alternatives, expanded: None });
        }
        let (Some(value), Some(node)) = (values.pop(), call.arguments.last()) else {
            return Ok(Given { values, alternatives, expanded: None });
        };
        let place = Place { span: &node.span, about: node, frame };
        let (bare, marks) = value.unmark();
        if bare.is_certainly_null() {
            let detail = "The expanding argument (indicated by ...) must not be null.";
            return Err(self.problem(place, "Invalid expanding argument value", detail));
        }
        if bare.may_be_null() {
            self.may_fail();
        }
        if !matches!(bare.ty(), Type::Dynamic | Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
            let detail = "The expanding argument (indicated by ...) must be of a tuple, list, or set type.";
            return Err(self.problem(place, "Invalid expanding argument value", detail));
        }
        Ok(Given { values, alternatives, expanded: Some((bare, marks)) })
    }

    /// Calls a function with these items as further arguments.
    fn call_with_items(&self, site: CallSite<'_>, values: &[Value], items: Items) -> Evaluated {
        match items {
            Items::Known(items) => {
                let further = items.into_iter().map(|(_, value)| value);
                let all: Vec<Value> = values.iter().cloned().chain(further).collect();
                self.call_with(site, &all)
            }
            // Terraform looks at the arguments once it knows their number.
            Items::Unknown { value, length, .. } => self
                .call_with_further(site, values, (&value, length))
                .map_err(|problems| problems.reported_once_known_if(true)),
            Items::None => self.call_with(site, values),
        }
    }

    /// Calls a function with all its arguments.
    pub(super) fn call_with(&self, site: CallSite<'_>, values: &[Value]) -> Evaluated {
        let function = site.function;
        self.check_count(site, values.len())?;
        let converted = self.converted_arguments(site, values)?;
        // Terraform calls a function once its arguments are known. Its `jsondecode` rejects a known prefix of an unknown string.
        // What is wrong with nulls and with types is found before.
        let is_unknown =
            |value: &Value| matches!(value, Value::Dynamic(_) | Value::Unknown(_) | Value::Refined(_));
        let is_late = || {
            function.name() != "jsondecode"
                && converted.iter().any(is_unknown)
                && function.return_type_for(&converted).is_ok()
        };
        let called = function.call(&converted);
        self.count_work(site.node)?;
        let result =
            called.map_err(|error| self.failed_call(site, &error).reported_once_known_if(is_late()))?;
        // A function that does not know its answer for known arguments does not know whether it fails either: a file that is not
        // there, an encoding that it does not have.
        if !values.is_empty() && !result.is_wholly_known() && converted.iter().all(Value::is_wholly_known) {
            self.may_fail();
        }
        Ok(result)
    }

    /// The error of a call that failed, at the argument that the error names, otherwise at the whole call.
    #[cold]
    fn failed_call(&self, site: CallSite<'_>, error: &plantime::Error) -> Diagnostics {
        let CallSite { function, call, node, frame } = site;
        let problem = match error.argument() {
            // That an argument is null is found before the function is called.
            Some(at)
                if !WITHOUT_ARGUMENT.contains(&function.name())
                    || error.message() == NULL_ARGUMENT
                    || is_of_an_argument(error.message()) =>
            {
                self.bad_argument(site, at, error.message())
            }
            _ => {
                let span = call.start_span(self.source);
                let place = Place { span: &span, about: node, frame };
                let detail = format!("Call to function {:?} failed: {}.", function.name(), error.message());
                self.problem(place, "Error in function call", detail).with_call(signature(function))
            }
        };
        problem.of_limit_if(error.is_limit())
    }

    /// The arguments as values of the types of the parameters.
    fn converted_arguments(&self, site: CallSite<'_>, values: &[Value]) -> Evaluated<Vec<Value>> {
        let CallSite { function, node, .. } = site;
        let is_total = TOTAL.contains(&function.name());
        all(values.iter().enumerate().map(|(at, value)| {
            self.count_value(value, node)?;
            // Whether these fail depends on no type inside the value.
            let is_open = match function.name() {
                "length" | "jsonencode" => value.ty() == Type::Dynamic,
                _ => value.ty().has_dynamic(),
            };
            let is_by_length = matches!(value, Value::Partial(_))
                && (BY_LENGTH.contains(&function.name())
                    || at == 0 && BY_LENGTH_OF_FIRST.contains(&function.name()));
            // Any value may be looked for.
            let is_needle = at == 1 && function.name() == "contains";
            if !value.is_wholly_known()
                && !is_by_length
                && !is_needle
                && (!is_total || value.may_be_null() || is_open)
            {
                self.may_fail();
            }
            match function.parameters().get(at).or_else(|| function.variadic()) {
                Some(parameter) if *parameter.ty() != Type::Dynamic => self
                    .converted(value, parameter.constraint())
                    .map_err(|message| self.bad_argument(site, at, &message)),
                _ => Ok(value.clone()),
            }
        }))
    }

    /// The result of a call with an unknown number of further arguments, all with the facts of `further`: what is known
    /// of the result for every possible number of them. The call is tried with a few numbers only: a function that
    /// refuses the types of one to three further arguments refuses those of more.
    fn call_with_further(
        &self,
        site: CallSite<'_>,
        values: &[Value],
        (further, length): (&Value, LengthRange),
    ) -> Evaluated {
        let function = site.function;
        self.may_fail();
        self.converted_arguments(site, values)?;
        let missing = function.parameters().len().saturating_sub(values.len());
        let fewest = usize::try_from(length.lower()).unwrap_or(usize::MAX).min(MAX_FURTHER).max(missing);
        let most = if function.variadic().is_some() { fewest.saturating_add(3) } else { missing };
        let longest = length.upper().map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        self.check_count(site, values.len().saturating_add(fewest.min(longest)))?;
        let (mut types, mut failure, mut without) = (Vec::new(), None, None);
        for count in fewest..=most.min(longest) {
            if count == 0 {
                match self.call_with(site, values) {
                    Ok(result) => without = Some(result),
                    Err(problems) if problems.is_limit() => return Err(problems),
                    Err(problems) => failure = Some(problems),
                }
                continue;
            }
            let given: Vec<Value> =
                values.iter().cloned().chain(std::iter::repeat_n(further.clone(), count)).collect();
            let given = self.converted_arguments(site, &given);
            match given.map(|given| function.return_type_for(&given)) {
                Ok(Ok(ty)) => types.push(ty),
                Ok(Err(error)) => failure = Some(self.failed_call(site, &error)),
                Err(problems) => failure = Some(problems),
            }
        }
        let mut marks = further.all_marks();
        for value in values {
            marks.extend_from(&value.all_marks());
        }
        let only = without.as_ref().filter(|_| types.is_empty());
        let result = match (only, failure) {
            (Some(only), _) => only.clone(),
            (None, Some(problems)) if types.is_empty() => return Err(problems),
            // Of arguments of an undecided type each may be of another one.
            _ if OF_ONE_ARGUMENT.contains(&function.name())
                && types.first().is_some_and(|ty| !ty.has_dynamic()) =>
            {
                let all: Vec<Value> = values.iter().chain([further]).cloned().collect();
                match (self.call_with(site, &all), &without) {
                    (Ok(with), _) => {
                        let both: Vec<&Value> = without.iter().chain([&with]).collect();
                        Value::join(&both).unwrap_or_else(|_| Value::dynamic())
                    }
                    (Err(problems), Some(_)) if problems.is_limit() => return Err(problems),
                    (Err(_), Some(without)) => without.clone(),
                    (Err(problems), None) => return Err(problems),
                }
            }
            _ => {
                types.extend(without.as_ref().map(Value::ty));
                let common = types.split_first().filter(|(first, rest)| rest.iter().all(|ty| ty == *first));
                match common {
                    Some((first, _)) if NOT_NULL.contains(&function.name()) => {
                        Value::unknown_not_null(first.clone())
                    }
                    Some((first, _)) => Value::unknown(first.clone()),
                    None => Value::dynamic(),
                }
            }
        };
        Ok(result.with_marks(&marks))
    }

    /// Checks the number of arguments against the parameters of the function.
    pub(super) fn check_count(&self, site: CallSite<'_>, given: usize) -> Evaluated<()> {
        let CallSite { function, call, node, frame } = site;
        let parameters: Vec<&str> = function.parameters().iter().map(|parameter| parameter.name()).collect();
        let is_variadic = function.variadic().is_some();
        match self.wrong_count(call, (&parameters, is_variadic), given, node, frame) {
            Some(problem) => Err(problem.with_call(signature(function))),
            None => Ok(()),
        }
    }

    /// The error of a call with too few or too many arguments for these parameters.
    fn wrong_count(
        &self,
        call: &Call,
        (parameters, is_variadic): (&[&str], bool),
        given: usize,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Option<Diagnostics> {
        if let Some(missing) = parameters.get(given) {
            let place = Place { span: &call.close, about: node, frame };
            let at_least = if is_variadic { "at least " } else { "" };
            let detail = format!(
                "Function {:?} expects {at_least}{} argument(s). Missing value for {missing:?}.",
                &*call.name,
                parameters.len(),
            );
            return Some(self.problem(place, "Not enough function arguments", detail));
        }
        if given > parameters.len() && !is_variadic {
            let first = call.arguments.get(parameters.len()).or_else(|| call.arguments.last());
            let span = first.map_or(call.close.clone(), |node| node.start_span(self.source));
            let place = Place { span: &span, about: node, frame };
            let detail = format!("Function {:?} expects only {} argument(s).", &*call.name, parameters.len());
            return Some(self.problem(place, "Too many function arguments", detail));
        }
        None
    }

    /// The result of `try`, `can` or `templatestring` of the elements of a collection: nothing is known of it.
    #[cold]
    fn expressions_of_a_collection(&self, call: &Call, frame: Option<&Frame<'_>>) -> Evaluated {
        let given = self.alternatives_of_arguments(call, frame)?;
        let Given { values, expanded, .. } = self.arguments(call, given, frame)?;
        self.may_fail();
        let (collection, marks) = expanded.unzip();
        let result = unknown_with_marks_of(values.iter().chain(&collection));
        Ok(result.with_marks(&marks.unwrap_or_default()))
    }

    /// The error of a call of `try`, `can` or `templatestring` with a number of arguments that it does not take.
    #[cold]
    fn wrong_count_of_expressions(
        &self,
        name: &str,
        call: &Call,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Diagnostics {
        let parameters: &[&str] = match name {
            "can" => &["expression"],
            "templatestring" => &["template", "vars"],
            _ => &[],
        };
        let is_variadic = name == "try";
        let wrong = self.wrong_count(call, (parameters, is_variadic), call.arguments.len(), node, frame);
        let problem = wrong.unwrap_or_else(|| {
            let span = call.start_span(self.source);
            let detail = format!("Call to function {name:?} failed: at least one argument is required.");
            self.problem(Place { span: &span, about: node, frame }, "Error in function call", detail)
        });
        let rest = if is_variadic { "expressions..." } else { "" };
        problem.with_call(format!("{name}({}{rest})", parameters.join(", ")))
    }

    /// The error for the argument at index `at` of a call.
    #[cold]
    pub(super) fn bad_argument(&self, site: CallSite<'_>, at: usize, message: &str) -> Diagnostics {
        let CallSite { function, call, node, frame } = site;
        let about = call.arguments.get(at).or_else(|| call.arguments.last()).unwrap_or(node);
        let parameter = function.parameters().get(at).or_else(|| function.variadic());
        let name = parameter.map_or("", |parameter| parameter.name());
        let span = about.start_span(self.source);
        let place = Place { span: &span, about, frame };
        let detail = format!("Invalid value for {name:?} parameter: {message}.");
        self.problem(place, "Invalid function argument", detail).with_call(signature(function))
    }

    /// The error for a function that does not exist, with the nearest name.
    #[cold]
    pub(super) fn unknown_function(
        &self,
        name: &str,
        call: &Call,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Diagnostics {
        let place = Place { span: &call.name_span, about: node, frame };
        let similar =
            self.may_suggest().then(|| nearest(name, self.scope.functions.iter().map(Function::name)));
        let hint = similar.flatten().map_or_else(String::new, |name| format!(" Did you mean {name:?}?"));
        let detail = format!("There is no function named {name:?}.{hint}");
        self.problem(place, "Call to unknown function", detail)
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
