//! Making a function, part by part.

use std::sync::Arc;

use crate::error::Result;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::Value;

use super::{Arguments, Body, Definition, Function, Parameter, Returns};

/// A function that is being made. [`body`](FunctionBuilder::body), which comes last, makes it.
///
/// What is not said: there are no parameters, the result is of any type and may be null, and what is not wholly known
/// gives an unknown.
#[must_use = "the body makes it a function"]
pub struct FunctionBuilder {
    name: Box<str>,
    description: Box<str>,
    keeps: Box<str>,
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    returns: Returns,
    promise: Refinement,
    transformer: Option<Arc<Body>>,
    predictable: bool,
}

impl FunctionBuilder {
    pub(super) fn new(name: &str) -> FunctionBuilder {
        FunctionBuilder {
            name: name.into(),
            description: Box::default(),
            keeps: Box::default(),
            parameters: Vec::new(),
            variadic: None,
            returns: Returns::Always(Type::Dynamic),
            promise: Refinement::any(),
            transformer: None,
            predictable: true,
        }
    }

    /// Sets the description of the function.
    pub fn description(mut self, description: &str) -> FunctionBuilder {
        self.description = description.into();
        self
    }

    /// Says what the result keeps of arguments that are not known.
    pub fn keeps(mut self, keeps: &str) -> FunctionBuilder {
        self.keeps = keeps.into();
        self
    }

    /// Adds a parameter after those that are there.
    pub fn parameter(mut self, parameter: Parameter) -> FunctionBuilder {
        self.parameters.push(parameter);
        self
    }

    /// Lets it take any number of further arguments, of this parameter each.
    pub fn variadic(mut self, parameter: Parameter) -> FunctionBuilder {
        self.variadic = Some(parameter);
        self
    }

    /// Says the type of every result.
    pub fn returns(mut self, ty: Type) -> FunctionBuilder {
        self.returns = Returns::Always(ty);
        self
    }

    /// Says how the type of the result follows from the arguments, which may be unknown.
    ///
    /// The rule is sound when the type for unknown arguments covers the types for all that they may become, and fails
    /// only if it does for all of these. It sees arguments of undecided type only where the parameter
    /// [allows](Parameter::allow_dynamic) them; else the result is of undecided type.
    pub fn returns_by(
        mut self,
        rule: impl Fn(&Arguments<'_>) -> Result<Type> + Send + Sync + 'static,
    ) -> FunctionBuilder {
        self.returns = Returns::By(Arc::new(rule));
        self
    }

    /// Promises that no result is null.
    pub fn not_null(self) -> FunctionBuilder {
        let promise = self.promise.clone().and_not_null();
        self.promising(promise)
    }

    /// Promises this of every result. A result that is otherwise is an error.
    pub fn promising(mut self, promise: Refinement) -> FunctionBuilder {
        self.promise = promise;
        self
    }

    /// Says what the result is while arguments are not wholly known: what holds for every choice of values for them,
    /// and an error only if every choice gives one.
    ///
    /// What it gives is narrowed by the type and the promise. Prove it with `plantime::testing`.
    pub fn transformer(
        mut self,
        transformer: impl Fn(&Arguments<'_>) -> Result<Value> + Send + Sync + 'static,
    ) -> FunctionBuilder {
        self.transformer = Some(Arc::new(transformer));
        self
    }

    /// Says that the same arguments need not give the same result, see [`Function::unpredictable`].
    pub fn unpredictable(mut self) -> FunctionBuilder {
        self.predictable = false;
        self
    }

    /// Says what the result is, and makes the function.
    ///
    /// The arguments are wholly known but for those whose parameter [allows](Parameter::allow_unknown) otherwise. A panic
    /// in it reaches the caller.
    pub fn body(self, body: impl Fn(&Arguments<'_>) -> Result<Value> + Send + Sync + 'static) -> Function {
        Function(Arc::new(Definition {
            name: self.name,
            description: self.description,
            keeps: self.keeps,
            parameters: self.parameters.into(),
            variadic: self.variadic,
            returns: self.returns,
            promises_only_not_null: self.promise == Refinement::not_null(),
            promise: self.promise,
            body: Arc::new(body),
            transformer: self.transformer,
            predictable: self.predictable,
        }))
    }

    /// As [`body`](FunctionBuilder::body), for one that gives the right result for arguments of every level of
    /// known-ness.
    pub fn body_for_all(
        self,
        body: impl Fn(&Arguments<'_>) -> Result<Value> + Send + Sync + 'static,
    ) -> Function {
        let body: Arc<Body> = Arc::new(body);
        let same = Arc::clone(&body);
        self.transformer(move |arguments| same(arguments)).body(move |arguments| body(arguments))
    }
}

impl std::fmt::Debug for FunctionBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}
