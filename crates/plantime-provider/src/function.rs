//! Provider functions and their signatures.

use std::future::Future;

use plantime::{Type, Value};

/// A provider function.
pub trait Function: Send + Sync + 'static {
    /// Parameters and result.
    fn signature(&self) -> Signature;

    /// The result for arguments of the declared types; those of the variadic parameter follow the others.
    ///
    /// # Errors
    ///
    /// The text that the user reads, and the index of the argument that it is about.
    fn call(
        &self,
        arguments: Vec<Value>,
    ) -> impl Future<Output = Result<Value, (String, Option<usize>)>> + Send;
}

/// The signature of a [`Function`].
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) variadic: Option<Parameter>,
    /// Whether a variadic parameter was given twice.
    pub(crate) variadic_twice: bool,
    pub(crate) result: Type,
    pub(crate) summary: String,
    pub(crate) description: String,
}

impl Signature {
    /// A function without parameters and with this result type.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_provider::{Parameter, Signature};
    ///
    /// Signature::new(Type::Bool, "Whether a name is valid").parameter(Parameter::new("name", Type::String).unknown());
    /// ```
    pub fn new(result: Type, summary: impl Into<String>) -> Signature {
        Signature {
            parameters: Vec::new(),
            variadic: None,
            variadic_twice: false,
            result,
            summary: summary.into(),
            description: String::new(),
        }
    }

    /// The same signature with one more parameter.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Signature {
        self.parameters.push(parameter);
        self
    }

    /// The same signature with a parameter that takes any number of arguments, after all others.
    #[must_use]
    pub fn variadic(mut self, parameter: Parameter) -> Signature {
        self.variadic_twice = self.variadic.replace(parameter).is_some();
        self
    }

    /// The same signature with a description in Markdown.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Signature {
        self.description = description.into();
        self
    }
}

/// A parameter of a [`Signature`].
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) nullable: bool,
    pub(crate) unknown: bool,
    pub(crate) description: String,
}

impl Parameter {
    /// A parameter that takes neither null nor unknown values: the host answers calls with those itself.
    pub fn new(name: impl Into<String>, ty: Type) -> Parameter {
        Parameter { name: name.into(), ty, nullable: false, unknown: false, description: String::new() }
    }

    /// The same parameter, which also accepts null: the function is called with it.
    #[must_use]
    pub fn nullable(mut self) -> Parameter {
        self.nullable = true;
        self
    }

    /// The same parameter, which takes unknown values too.
    #[must_use]
    pub fn unknown(mut self) -> Parameter {
        self.unknown = true;
        self
    }

    /// The same parameter with a description in Markdown.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Parameter {
        self.description = description.into();
        self
    }
}
