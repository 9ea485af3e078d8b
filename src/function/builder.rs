//! [`FunctionBuilder`], which defines a function step by step.

use std::sync::Arc;

use crate::error::Result;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::Value;

use super::{Arguments, Body, Definition, Function, Parameter, Promise, ReturnType};

/// A function that is being defined. The last call, [`body`](FunctionBuilder::body), returns the function.
///
/// By default a function has no parameters, its result is of type `dynamic` and may be null, and an unknown argument
/// gives an unknown result.
#[must_use = "a function is complete only with its body"]
pub struct FunctionBuilder {
    name: Box<str>,
    description: Box<str>,
    precision_note: Box<str>,
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    return_type: ReturnType,
    promise: Refinement,
    transformer: Option<Arc<Body>>,
    predictable: bool,
    unpredictable_promise: Option<Arc<Promise>>,
}

impl FunctionBuilder {
    /// Begins the definition of a function of this name, without parameters, whose result may be anything.
    pub(super) fn new(name: &str) -> FunctionBuilder {
        FunctionBuilder {
            name: name.into(),
            description: Box::default(),
            precision_note: Box::default(),
            parameters: Vec::new(),
            variadic: None,
            return_type: ReturnType::Fixed(Type::Dynamic),
            promise: Refinement::any(),
            transformer: None,
            predictable: true,
            unpredictable_promise: None,
        }
    }

    /// Sets the description of the function: what it computes, in a sentence or two.
    ///
    /// [Example](crate::function)
    pub fn description(mut self, description: &str) -> FunctionBuilder {
        self.description = description.into();
        self
    }

    /// Sets the sentence of the documentation that says which facts about the result are known while arguments are
    /// unknown.
    ///
    /// [Example](crate::function)
    pub fn precision_note(mut self, note: &str) -> FunctionBuilder {
        self.precision_note = note.into();
        self
    }

    /// Adds a positional parameter, after those added before.
    ///
    /// [Example](crate::function)
    pub fn parameter(mut self, parameter: Parameter) -> FunctionBuilder {
        self.parameters.push(parameter);
        self
    }

    /// Lets the function take any number of further arguments. Each of them must match this parameter.
    ///
    /// ```
    /// use plantime::function::{Function, Parameter};
    /// use plantime::{Number, Type, Value};
    ///
    /// let total = Function::new("total")
    ///     .parameter(Parameter::new("first", Type::Number))
    ///     .variadic(Parameter::new("more", Type::Number))
    ///     .returns(Type::Number)
    ///     .body(|arguments| arguments.from(1).iter().try_fold(arguments.at(0).clone(), |sum, one| sum.add(one)));
    /// assert_eq!(total.call(&[1.into(), 2.into(), 3.into()])?, Value::from(6));
    /// assert!(total.call(&[]).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn variadic(mut self, parameter: Parameter) -> FunctionBuilder {
        self.variadic = Some(parameter);
        self
    }

    /// Sets the type that all results have.
    ///
    /// [Example](crate::function)
    pub fn returns(mut self, ty: Type) -> FunctionBuilder {
        self.return_type = ReturnType::Fixed(ty);
        self
    }

    /// Sets the type rule: it computes the type of the result from the arguments, which may be unknown.
    ///
    /// The rule is sound (law L1) if the type for unknown arguments covers the types for all their possible values,
    /// and if it fails only where it fails for all these values. The rule sees an argument of unknown type only if
    /// the parameter [allows](Parameter::allow_dynamic) that; else it does not run, and the result is of unknown
    /// type.
    ///
    /// ```
    /// use plantime::function::{Function, Parameter};
    /// use plantime::{Type, Value};
    ///
    /// let pair = Function::new("pair")
    ///     .parameter(Parameter::new("value", Type::Dynamic))
    ///     .returns_by(|arguments| Type::tuple([arguments.at(0).ty(), arguments.at(0).ty()]))
    ///     .body(|arguments| Value::tuple([arguments.at(0), arguments.at(0)]));
    /// assert_eq!(pair.call(&[Value::from("a")])?.to_string(), r#"["a", "a"]"#);
    /// assert_eq!(pair.return_type(&[Type::Bool])?.to_string(), "tuple([bool, bool])");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn returns_by(
        mut self,
        rule: impl Fn(&Arguments<'_>) -> Result<Type> + Send + Sync + 'static,
    ) -> FunctionBuilder {
        self.return_type = ReturnType::Computed(Arc::new(rule));
        self
    }

    /// Promises that no result is null.
    ///
    /// [Example](crate::function)
    pub fn not_null(self) -> FunctionBuilder {
        let promise = self.promise.clone().and_not_null();
        self.refine_result(promise)
    }

    /// Promises that every result satisfies this refinement. A call whose result does not is an error. Replaces an
    /// earlier promise, [`not_null`](FunctionBuilder::not_null) included.
    ///
    /// ```
    /// use plantime::function::{Function, Parameter};
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let id = Function::new("id")
    ///     .parameter(Parameter::new("name", Type::String))
    ///     .returns(Type::String)
    ///     .refine_result(Refinement::prefix("id-").and_not_null())
    ///     .body(|arguments| Ok(Value::from(format!("id-{}", arguments.text(0)?))));
    /// let later = id.call(&[Value::unknown(Type::String)])?;
    /// assert_eq!(later.to_string(), r#""id-${(known after apply)}""#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn refine_result(mut self, promise: Refinement) -> FunctionBuilder {
        self.promise = promise;
        self
    }

    /// Sets the transformer: it computes a result with the facts that are known while arguments are not wholly known.
    ///
    /// A transformer is sound (law L1) if its result holds for all possible values of the arguments, and if it fails
    /// only where the body fails for all of them. Its result is narrowed by the result type and the promise. Test it
    /// with `plantime::testing`.
    ///
    /// ```
    /// use plantime::function::{Function, Parameter};
    /// use plantime::{NumberRange, Type, Value};
    ///
    /// let size = Function::new("size")
    ///     .parameter(Parameter::new("list", Type::list(Type::String)?))
    ///     .returns(Type::Number)
    ///     .transformer(|arguments| arguments.at(0).length())
    ///     .body(|arguments| arguments.at(0).length());
    /// let zones = Value::unknown(Type::list(Type::String)?).assume_list_length_min(1)?;
    /// assert!(size.call(&[zones])?.range().number_range().is_some_and(|range| !range.contains(&0.into())));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn transformer(
        mut self,
        transformer: impl Fn(&Arguments<'_>) -> Result<Value> + Send + Sync + 'static,
    ) -> FunctionBuilder {
        self.transformer = Some(Arc::new(transformer));
        self
    }

    /// Declares that the same arguments may give another result later, see [`Function::unpredictable`].
    ///
    /// [Example](Function::unpredictable)
    pub fn unpredictable(mut self) -> FunctionBuilder {
        self.predictable = false;
        self
    }

    /// As [`unpredictable`](Self::unpredictable), and every result is within the refinement that is computed when the function is called.
    #[doc(hidden)]
    pub fn unpredictable_within(
        mut self,
        promise: impl Fn() -> Refinement + Send + Sync + 'static,
    ) -> FunctionBuilder {
        self.unpredictable_promise = Some(Arc::new(promise));
        self.unpredictable()
    }

    /// Sets the body, which computes the result from known arguments, and returns the function.
    ///
    /// The arguments of the body are wholly known, except where the parameter
    /// [allows unknowns](Parameter::allow_unknown). A panic in the body reaches the caller.
    ///
    /// [Example](crate::function)
    pub fn body(self, body: impl Fn(&Arguments<'_>) -> Result<Value> + Send + Sync + 'static) -> Function {
        Function(Arc::new(Definition {
            name: self.name,
            description: self.description,
            precision_note: self.precision_note,
            parameters: self.parameters.into(),
            variadic: self.variadic,
            return_type: self.return_type,
            promises_only_not_null: self.promise == Refinement::not_null(),
            promise: self.promise,
            body: Arc::new(body),
            transformer: self.transformer,
            predictable: self.predictable,
            unpredictable_promise: self.unpredictable_promise,
        }))
    }

    /// Sets a body that handles known and unknown arguments alike, and returns the function. It serves as the
    /// [`body`](FunctionBuilder::body) and as the [`transformer`](FunctionBuilder::transformer).
    ///
    /// ```
    /// use plantime::function::{Function, Parameter};
    /// use plantime::{Type, Value};
    ///
    /// // The operations of values handle unknowns themselves.
    /// let next = Function::new("next")
    ///     .parameter(Parameter::new("number", Type::Number))
    ///     .returns(Type::Number)
    ///     .body_for_all(|arguments| arguments.at(0).add(&Value::from(1)));
    /// assert_eq!(next.call(&[Value::from(1)])?, Value::from(2));
    /// assert!(!next.call(&[Value::unknown(Type::Number)])?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn body_for_all(
        self,
        body: impl Fn(&Arguments<'_>) -> Result<Value> + Send + Sync + 'static,
    ) -> Function {
        let body: Arc<Body> = Arc::new(body);
        let transformer = Arc::clone(&body);
        self.transformer(move |arguments| transformer(arguments)).body(move |arguments| body(arguments))
    }
}

impl std::fmt::Debug for FunctionBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}
