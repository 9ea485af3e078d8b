//! A call: checking the arguments, the type of the result, and the result.

use smallvec::SmallVec;

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::mark::{GatheredMarks, Marks};
use crate::refinement::{Nullness, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::{Arguments, Definition, Function, MarkHandling, Parameter, Returns};

/// The body is called at most so often for arguments that can become only a few things.
const FEW: usize = 16;

/// Arguments that are what the function says.
struct Ready {
    values: SmallVec<[Value; 4]>,
    /// For the top of the result.
    marks: Marks,
    /// Whether anything was marked: then no message of the function's own code is shown.
    secret: bool,
    /// Whether the body can be called.
    known: bool,
}

impl Function {
    /// The result for these arguments. Nothing is converted.
    ///
    /// ```
    /// use plantime::function::Functions;
    /// use plantime::{NumberRange, Type, Value};
    ///
    /// let max = Functions::standard().get("max").unwrap();
    /// let size = Value::unknown(Type::Number);
    /// assert_eq!(max.call(&[size, Value::from(10)])?.to_string(), "(known after apply, >= 10)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// | what is wrong | [`argument`](Error::argument) |
    /// |---|---|
    /// | the number of arguments | none |
    /// | a null, or an argument of another type | its index |
    /// | what the function itself finds | its index, or none |
    /// | a result that breaks a promise of the function's | none |
    pub fn call(&self, arguments: &[Value]) -> Result<Value> {
        let ready = self.ready(arguments)?;
        self.result(&ready).map_err(|error| ready.shown(error))
    }

    /// As [`call`](Function::call), but each argument is first [converted](convert()) to what its parameter says, as
    /// the languages do.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Functions;
    ///
    /// let abs = Functions::standard().get("abs").unwrap();
    /// assert!(abs.call(&[Value::from("-2")]).is_err());
    /// assert_eq!(abs.call_converting(&[Value::from("-2")])?, Value::from(2));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`call`](Function::call), and when an argument does not convert.
    pub fn call_converting(&self, arguments: &[Value]) -> Result<Value> {
        self.call(&self.converted(arguments)?)
    }

    /// The arguments, each converted to what its parameter says.
    ///
    /// # Errors
    ///
    /// When there are too few or too many, and when one does not convert.
    pub fn converted(&self, arguments: &[Value]) -> Result<Vec<Value>> {
        self.count(arguments.len())?;
        let convert = |(i, argument): (usize, &Value)| match self.parameter(i) {
            Some(parameter) if *parameter.ty() != Type::Dynamic => {
                convert(argument, parameter.constraint()).map_err(|error| error.in_argument(i))
            }
            _ => Ok(argument.clone()),
        };
        arguments.iter().enumerate().map(convert).collect()
    }

    /// The type of the result for arguments of these types, of which nothing else is known.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::function::Functions;
    ///
    /// let abs = Functions::standard().get("abs").unwrap();
    /// assert_eq!(abs.return_type(&[Type::Dynamic])?, Type::Number);
    /// assert!(abs.return_type(&[Type::String]).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`return_type_for`](Function::return_type_for).
    pub fn return_type(&self, types: &[Type]) -> Result<Type> {
        let arguments: SmallVec<[Value; 4]> = types.iter().cloned().map(Value::unknown).collect();
        self.return_type_for(&arguments)
    }

    /// The type of the result for these arguments. For some functions it follows from their values.
    ///
    /// # Errors
    ///
    /// As [`call`](Function::call), but that the body is not asked.
    pub fn return_type_for(&self, arguments: &[Value]) -> Result<Type> {
        let ready = self.ready(arguments)?;
        self.0.type_for(&ready.values).map_err(|error| ready.shown(error))
    }

    /// The type of the result, as far as it is the same for all arguments.
    pub(super) fn declared_type(&self) -> Type {
        let types: Vec<Type> = self.0.parameters.iter().map(|parameter| parameter.ty().clone()).collect();
        self.return_type(&types).unwrap_or(Type::Dynamic)
    }

    fn count(&self, given: usize) -> Result<()> {
        let wanted = self.0.parameters.len();
        let message = match &self.0.variadic {
            None if given != wanted => {
                format!("wrong number of arguments ({wanted} required; {given} given)")
            }
            Some(_) if given < wanted => {
                format!("wrong number of arguments (at least {wanted} required; {given} given)")
            }
            _ => return Ok(()),
        };
        Err(Error::new(Kind::Argument, message))
    }

    fn ready(&self, arguments: &[Value]) -> Result<Ready> {
        self.count(arguments.len())?;
        let mut marks = GatheredMarks::default();
        let mut ready = Ready { values: SmallVec::new(), marks: Marks::new(), secret: false, known: true };
        for (i, argument) in arguments.iter().enumerate() {
            let Some(parameter) = self.parameter(i) else { continue };
            ready.secret |= argument.contains_marks();
            let value = parameter.take(argument, &mut marks).map_err(|error| error.in_argument(i))?;
            ready.known &= parameter.allows_unknown() || value.is_wholly_known();
            ready.values.push(value);
        }
        ready.marks = marks.into_marks();
        Ok(ready)
    }

    fn result(&self, ready: &Ready) -> Result<Value> {
        let definition = &*self.0;
        let ty = definition.type_for(&ready.values)?;
        let arguments = Arguments::new(&ready.values, &ty);
        let result = if !definition.predictable {
            definition.unknown(&arguments)
        } else if ready.known {
            (definition.body)(&arguments)?
        } else if let Some(result) = self.of_few(ready)? {
            result
        } else if let Some(transformer) = &definition.transformer {
            transformer(&arguments)?
        } else {
            definition.unknown(&arguments)
        };
        Ok(self.kept(result, &ty)?.with_marks(&ready.marks))
    }

    /// The results of all that the arguments may become, joined, where that is only a few things.
    fn of_few(&self, ready: &Ready) -> Result<Option<Value>> {
        let Some(choices) = choices(&ready.values) else { return Ok(None) };
        let (mut results, mut failed) = (Vec::new(), None);
        for choice in choices {
            let ty = self.0.type_for(&choice);
            let result = ty.and_then(|ty| {
                let result = (self.0.body)(&Arguments::new(&choice, &ty))?;
                self.kept(result, &ty)
            });
            match result {
                Ok(result) => results.push(result),
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) if results.is_empty() => Err(error),
            _ => Value::join(&results.iter().collect::<Vec<_>>()).map(Some),
        }
    }

    /// The result, if it is what the function promises, with what is known of every result.
    fn kept(&self, result: Value, ty: &Type) -> Result<Value> {
        let broken = |what: String| {
            Error::new(Kind::Custom, format!("function {:?} does not keep its promise: {what}", self.name()))
        };
        let found = result.ty();
        let result = match ty.covers(&found) {
            true => result,
            false if found.has_dynamic() && found.compatible(ty) => result.assume_type(ty)?,
            false => return Err(broken(format!("it gave {found} where its type is {ty}"))),
        };
        let promise = self.0.promise_of(&found);
        if promise.is_trivial() || promise == Refinement::not_null() && result.is_known() && !result.is_null()
        {
            return Ok(result);
        }
        result.assume(&promise).map_err(|_| broken(format!("its result is not {}", promise.describe())))
    }
}

impl Definition {
    /// The type of the result for arguments that are what the function says.
    fn type_for(&self, values: &[Value]) -> Result<Type> {
        match &self.returns {
            Returns::Always(ty) => Ok(ty.clone()),
            Returns::By(_) if self.is_open(values) => Ok(Type::Dynamic),
            Returns::By(_) => self.type_of(&Arguments::new(values, &Type::Dynamic)),
        }
    }

    pub(super) fn type_of(&self, arguments: &Arguments<'_>) -> Result<Type> {
        match &self.returns {
            Returns::Always(ty) => Ok(ty.clone()),
            Returns::By(rule) => rule(arguments),
        }
    }

    /// Whether an argument is of undecided type that must be decided first.
    fn is_open(&self, values: &[Value]) -> bool {
        let parameters = self.parameters.iter().chain(self.variadic.iter().cycle());
        values
            .iter()
            .zip(parameters)
            .any(|(value, parameter)| !parameter.allows_dynamic() && matches!(value, Value::Dynamic(_)))
    }

    /// What is promised of a result of this type.
    fn promise_of(&self, ty: &Type) -> Refinement {
        match self.promise.applies_to(ty) && *ty != Type::Dynamic {
            true => self.promise.clone(),
            false => Refinement::any(),
        }
    }

    /// A result of which nothing is known but what holds of all.
    fn unknown(&self, arguments: &Arguments<'_>) -> Value {
        let ty = arguments.ty();
        let result = match ty {
            Type::Dynamic => Value::dynamic(),
            ty => canonical(ty.clone(), self.promise_of(ty)),
        };
        // Marks inside arguments have no place of their own here.
        let mut marks = GatheredMarks::default();
        for argument in arguments.all().iter().filter(|argument| argument.contains_marks()) {
            marks.add(&argument.unmark_deep().1);
        }
        result.with_marks(&marks.into_marks())
    }
}

impl Parameter {
    /// The argument as the function sees it.
    fn take(&self, argument: &Value, marks: &mut GatheredMarks) -> Result<Value> {
        let value = match self.mark_handling() {
            _ if !argument.contains_marks() => argument.clone(),
            MarkHandling::Gathered => {
                let (value, found) = argument.unmark_deep();
                marks.add(&found);
                value
            }
            MarkHandling::Carried => {
                let (value, found) = argument.clone().unmark();
                marks.add(&found);
                value
            }
            MarkHandling::Own => argument.clone(),
        };
        if value.is_null() && !self.allows_null() {
            return Err(null());
        }
        let value = self.typed(value, argument.contains_marks())?;
        if self.allows_null() || value.is_known() {
            return Ok(value);
        }
        // A null would be an error later.
        match &value {
            Value::Dynamic(_) => Ok(value),
            _ if value.range().nullness() == Nullness::NotNull => Ok(value),
            _ => value.assume_not_null().map_err(|_| null()),
        }
    }

    fn typed(&self, value: Value, secret: bool) -> Result<Value> {
        let wanted = self.ty();
        let given = value.ty();
        if wanted.covers(&given) {
            return Ok(value);
        }
        let undecided = given.has_dynamic().then(|| value.assume_type(wanted).ok()).flatten();
        undecided.ok_or_else(|| mismatch(&given, wanted, secret))
    }
}

#[cold]
fn null() -> Error {
    Error::new(Kind::Null, "argument must not be null")
}

#[cold]
fn mismatch(given: &Type, wanted: &Type, secret: bool) -> Error {
    // Names of attributes are content.
    let error = if secret { None } else { given.conformance_errors(wanted).into_iter().next() };
    error.unwrap_or_else(|| {
        let names = (wanted.friendly_name(), given.friendly_name());
        Error::new(Kind::TypeMismatch, format!("{} required, but received {}", names.0, names.1))
    })
}

impl Ready {
    /// The error as it can be shown.
    #[cold]
    fn shown(&self, error: Error) -> Error {
        if !self.secret {
            return error;
        }
        let shown = error.at(crate::path::Path::new());
        shown.with_message("an argument is not fit, and one is marked, so the reason is not shown".to_owned())
    }
}

/// All that the arguments may become, where that is only a few things and none has a place for marks inside.
fn choices(values: &[Value]) -> Option<Vec<SmallVec<[Value; 4]>>> {
    let mut choices = vec![SmallVec::new()];
    for value in values {
        let outcomes = match value {
            value if value.is_wholly_known() => vec![value.clone()],
            value if value.contains_marks() => return None,
            value => value.outcomes()?,
        };
        if choices.len().saturating_mul(outcomes.len()) > FEW {
            return None;
        }
        let with = |choice: &SmallVec<[Value; 4]>, outcome: &Value| {
            choice.iter().cloned().chain([outcome.clone()]).collect()
        };
        choices = choices
            .iter()
            .flat_map(|choice| outcomes.iter().map(move |outcome| with(choice, outcome)))
            .collect();
    }
    Some(choices)
}
