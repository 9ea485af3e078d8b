//! A call: the type of the result, and the result.

use smallvec::SmallVec;

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::mark::GatheredMarks;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::ready::Ready;
use super::{Arguments, Definition, Function, Returns};

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
        if self.takes_as_they_are(arguments) {
            let ty = self.0.type_for(arguments)?;
            return self.kept((self.0.body)(&Arguments::new(arguments, &ty))?, &ty);
        }
        let ready = self.ready(arguments)?;
        let result = self.result(&ready, true);
        result.map_err(|error| self.shown(arguments, error, |ready| self.result(ready, false).map(drop)))
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
        let ty = self.0.type_for(&ready.values);
        ty.map_err(|error| self.shown(arguments, error, |ready| self.0.type_for(&ready.values).map(drop)))
    }

    /// The type of the result, as far as it is the same for all arguments.
    pub(super) fn declared_type(&self) -> Type {
        let all = self.0.parameters.iter().chain(&self.0.variadic);
        let types: Vec<Type> = all.map(|parameter| parameter.ty().clone()).collect();
        self.return_type(&types).unwrap_or(Type::Dynamic)
    }

    /// `try_few` says whether what can become only a few things is tried with each of them.
    fn result(&self, ready: &Ready, try_few: bool) -> Result<Value> {
        let definition = &*self.0;
        let ty = definition.type_for(&ready.values)?;
        let arguments = Arguments::new(&ready.values, &ty);
        let result = if !definition.predictable {
            definition.unknown(&arguments)
        } else if ready.known {
            (definition.body)(&arguments)?
        } else if let Some(result) = if try_few { self.of_few(ready)? } else { None } {
            result
        } else if let Some(transformer) = &definition.transformer {
            transformer(&arguments)?
        } else {
            definition.unknown(&arguments)
        };
        let result = self.kept(result, &ty)?.with_marks(&ready.marks);
        // A part that is carried over has no place in a result that is not known, and is in it later.
        Ok(if result.is_known() { result } else { result.with_marks(&self.carried_marks(ready)) })
    }

    /// The result, if it is what the function promises, with what is known of every result.
    pub(super) fn kept(&self, result: Value, ty: &Type) -> Result<Value> {
        let broken = |what: String| {
            Error::new(Kind::Custom, format!("function {:?} does not keep its promise: {what}", self.name()))
        };
        let is_not_null = self.0.promises_only_not_null && result.is_known() && !result.is_null();
        if is_not_null && result.has_type(ty) {
            return Ok(result);
        }
        let found = result.ty();
        let result = match ty.covers(&found) {
            true => result,
            false if found.has_dynamic() && found.compatible(ty) => result.assume_type(ty)?,
            false => return Err(broken(format!("it gave {found} where its type is {ty}"))),
        };
        let promise = self.0.promise_of(&found);
        if promise.is_trivial() || is_not_null {
            return Ok(result);
        }
        result.assume(&promise).map_err(|_| broken(format!("its result has to be {}", promise.describe())))
    }
}

impl Definition {
    /// The type of the result for arguments that are what the function says.
    pub(super) fn type_for(&self, values: &[Value]) -> Result<Type> {
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
