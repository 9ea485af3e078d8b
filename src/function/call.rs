//! Evaluation of a call: the type of its result, and the result.

use smallvec::SmallVec;

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::mark::GatheredMarks;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::prepare::PreparedArguments;
use super::{Arguments, Definition, Function, ReturnType};

impl Function {
    /// Evaluates the function. Arguments are not converted.
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
    /// | error | [`argument`](Error::argument) |
    /// |---|---|
    /// | too few or too many arguments | none |
    /// | an argument is null or of another type | its index |
    /// | the function rejects an argument | its index, or none |
    /// | the result breaks a promise of the function | none |
    pub fn call(&self, arguments: &[Value]) -> Result<Value> {
        if self.needs_no_preparation(arguments) {
            let ty = self.0.result_type(arguments)?;
            return self.check_promises((self.0.body)(&Arguments::new(arguments, &ty))?, &ty);
        }
        let prepared = self.prepare(arguments)?;
        self.evaluate(&prepared, true).map_err(|error| {
            self.error_without_marked_content(arguments, error, |masked| {
                self.evaluate(&self.prepare(masked)?, false).map(drop)
            })
        })
    }

    /// Evaluates the function after it [converts](convert()) each argument to the type of its parameter, as the
    /// planning languages do.
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
    /// As [`call`](Function::call), and when an argument cannot be converted.
    pub fn call_converting(&self, arguments: &[Value]) -> Result<Value> {
        let result = self.convert_arguments(arguments).and_then(|converted| self.call(&converted));
        // Whether it is the conversion or the call that fails would tell something of a marked argument.
        result.map_err(|error| {
            self.error_without_marked_content(arguments, error, |masked| {
                self.evaluate(&self.prepare(&self.convert_arguments(masked)?)?, false).map(drop)
            })
        })
    }

    /// The arguments, each converted to the type of its parameter.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Functions;
    ///
    /// let upper = Functions::standard().get("upper").unwrap();
    /// assert_eq!(upper.convert_arguments(&[Value::from(12)])?, [Value::from("12")]);
    /// assert!(upper.convert_arguments(&[]).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there are too few or too many arguments, and when one cannot be converted.
    pub fn convert_arguments(&self, arguments: &[Value]) -> Result<Vec<Value>> {
        self.check_argument_count(arguments.len())?;
        let convert = |(i, argument): (usize, &Value)| match self.parameter_at(i) {
            Some(parameter) if *parameter.ty() != Type::Dynamic => {
                convert(argument, parameter.constraint()).map_err(|error| error.in_argument(i))
            }
            _ => Ok(argument.clone()),
        };
        arguments.iter().enumerate().map(convert).collect()
    }

    /// The type of the result for unknown arguments of these types.
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

    /// The type of the result for these arguments. For some functions it depends on their values, not only on their
    /// types.
    ///
    /// ```
    /// use plantime::function::Functions;
    /// use plantime::{Type, Value, value};
    ///
    /// let decode = Functions::standard().get("jsondecode").unwrap();
    /// // The type depends on the content of the text.
    /// assert_eq!(decode.return_type_for(&[Value::from("[1]")])?.to_string(), "tuple([number])");
    /// assert_eq!(decode.return_type(&[Type::String])?, Type::Dynamic);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`call`](Function::call), except for errors of the body, which does not run.
    pub fn return_type_for(&self, arguments: &[Value]) -> Result<Type> {
        let prepared = self.prepare(arguments)?;
        self.0.result_type(&prepared.values).map_err(|error| {
            self.error_without_marked_content(arguments, error, |masked| {
                self.0.result_type(&self.prepare(masked)?.values).map(drop)
            })
        })
    }

    /// The return type that the signature shows: that for unknown arguments of the declared types; `dynamic` if the
    /// type rule fails for them.
    pub(super) fn declared_type(&self) -> Type {
        let all = self.0.parameters.iter().chain(&self.0.variadic);
        let types: Vec<Type> = all.map(|parameter| parameter.ty().clone()).collect();
        self.return_type(&types).unwrap_or(Type::Dynamic)
    }

    /// Computes the result for arguments that were checked against the signature. With `try_outcomes`, the body runs
    /// for each combination of possible values of unknown arguments, if these are few.
    fn evaluate(&self, prepared: &PreparedArguments, try_outcomes: bool) -> Result<Value> {
        let definition = &*self.0;
        let ty = definition.result_type(&prepared.values)?;
        let arguments = Arguments::new(&prepared.values, &ty);
        let result = if !definition.predictable {
            definition.unknown_result(&arguments)
        } else if prepared.can_run_body {
            (definition.body)(&arguments)?
        } else if let Some(result) = if try_outcomes { self.join_of_outcomes(prepared)? } else { None } {
            self.met_with_transformed(result, &arguments)
        } else {
            let result = match &definition.transformer {
                Some(transformer) => transformer(&arguments)?,
                None => definition.unknown_result(&arguments),
            };
            if try_outcomes { self.narrowed_by_outcomes(prepared, result)? } else { result }
        };
        let result = self.check_promises(result, &ty)?.with_marks(&prepared.marks);
        // A marked element of an argument may become an element of the result once that is known: until then its mark
        // can only be on the result itself (L5).
        Ok(if result.is_known() { result } else { result.with_marks(&self.carried_marks(prepared)) })
    }

    /// Checks a result against the result type `ty` and the refinement that the function promises. Returns the result
    /// narrowed by both; an error if it contradicts one.
    pub(super) fn check_promises(&self, result: Value, ty: &Type) -> Result<Value> {
        let broken_promise = |what: String| {
            Error::new(Kind::Custom, format!("function {:?} does not keep its promise: {what}", self.name()))
        };
        let is_not_null = self.0.promises_only_not_null && result.is_known() && !result.is_null();
        if is_not_null && result.has_type(ty) {
            return Ok(result);
        }
        let given = result.ty();
        let result = match ty.covers(&given) {
            true => result,
            false if given.has_dynamic() && given.compatible(ty) => result.assume_type(ty)?,
            false => return Err(broken_promise(format!("it gave {given} where its type is {ty}"))),
        };
        let promise = self.0.promise_for_type(&given);
        if promise.is_trivial() || is_not_null {
            return Ok(result);
        }
        result
            .assume(&promise)
            .map_err(|_| broken_promise(format!("its result has to be {}", promise.describe())))
    }
}

impl Definition {
    /// The type of the result for arguments that were checked against the signature. `dynamic` while the type rule
    /// cannot run.
    pub(super) fn result_type(&self, values: &[Value]) -> Result<Type> {
        match &self.return_type {
            ReturnType::Fixed(ty) => Ok(ty.clone()),
            ReturnType::Computed(_) if self.has_unexpected_dynamic(values) => Ok(Type::Dynamic),
            ReturnType::Computed(rule) => rule(&Arguments::new(values, &Type::Dynamic)),
        }
    }

    /// Whether an argument is of unknown type although its parameter does not allow that, so that the type rule cannot
    /// run yet.
    fn has_unexpected_dynamic(&self, values: &[Value]) -> bool {
        let parameters = self.parameters.iter().chain(self.variadic.iter().cycle());
        values
            .iter()
            .zip(parameters)
            .any(|(value, parameter)| !parameter.allows_dynamic() && matches!(value, Value::Dynamic(_)))
    }

    /// The promised refinement for a result of this type; one without facts if the promise does not apply to the type.
    fn promise_for_type(&self, ty: &Type) -> Refinement {
        match self.promise.applies_to(ty) && *ty != Type::Dynamic {
            true => self.promise.clone(),
            false => Refinement::any(),
        }
    }

    /// An unknown of the result type with the promised refinement, and with the marks inside the arguments.
    fn unknown_result(&self, arguments: &Arguments<'_>) -> Value {
        let ty = arguments.ty();
        let result = match ty {
            Type::Dynamic => Value::dynamic(),
            ty => match &self.unpredictable_promise {
                Some(promise) if !self.predictable => canonical(ty.clone(), promise()),
                _ => canonical(ty.clone(), self.promise_for_type(ty)),
            },
        };
        // An unknown has no children that could carry the marks inside the arguments (L5).
        let mut marks = GatheredMarks::default();
        for argument in arguments.all().iter().filter(|argument| argument.contains_marks()) {
            marks.add(&argument.unmark_deep().1);
        }
        result.with_marks(&marks.into_marks())
    }
}
