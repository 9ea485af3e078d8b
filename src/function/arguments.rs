//! [`Arguments`]: what the body, the transformer and the type rule of a function receive.

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::types::Type;
use crate::value::Value;

/// The arguments that a body, a transformer or a type rule receives. Their number matches the signature, and each one
/// matches its [`Parameter`](super::Parameter).
///
/// The errors of the accessors say which argument is wrong.
///
/// ```
/// use plantime::function::{Function, Parameter};
/// use plantime::{Type, Value};
///
/// let repeat = Function::new("repeat")
///     .parameter(Parameter::new("text", Type::String))
///     .parameter(Parameter::new("count", Type::Number))
///     .parameter(Parameter::new("upper", Type::Bool))
///     .returns(Type::String)
///     .body(|arguments| {
///         let count = usize::try_from(arguments.integer(1)?.clamp(0, 100)).unwrap_or_default();
///         let text = arguments.text(0)?.repeat(count);
///         Ok(Value::from(if arguments.boolean(2)? { text.to_uppercase() } else { text }))
///     });
/// assert_eq!(repeat.call(&["ab".into(), 2.into(), true.into()])?, Value::from("ABAB"));
/// let error = repeat.call(&["ab".into(), Value::try_from(0.5)?, true.into()]).unwrap_err();
/// assert_eq!(error.argument(), Some(1));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    /// One value for each argument, already checked against the signature.
    values: &'a [Value],
    /// The type that the result must have; `dynamic` while the type rule computes it.
    ty: &'a Type,
}

/// What [`Arguments::at`] returns for an index beyond the last argument.
static MISSING: Value = Value::Dynamic(crate::value::Dynamic(None));

impl<'a> Arguments<'a> {
    /// Wraps the prepared arguments of a call. `ty` is the type that the result must have.
    pub(super) fn new(values: &'a [Value], ty: &'a Type) -> Arguments<'a> {
        Arguments { values, ty }
    }

    /// All arguments, in order.
    ///
    /// [Example](Arguments)
    pub fn all(&self) -> &'a [Value] {
        self.values
    }

    /// The arguments from this index on, such as those of the variadic parameter.
    ///
    /// [Example](crate::function::FunctionBuilder::variadic)
    pub fn from(&self, index: usize) -> &'a [Value] {
        self.values.get(index..).unwrap_or_default()
    }

    /// The argument at this index. Beyond the last argument it is an unknown of unknown type.
    ///
    /// [Example](Arguments)
    pub fn at(&self, index: usize) -> &'a Value {
        self.values.get(index).unwrap_or(&MISSING)
    }

    /// The type that the result must have; `dynamic` while the type rule runs.
    ///
    /// [Example](Arguments)
    pub fn ty(&self) -> &'a Type {
        self.ty
    }

    /// The content of a known string.
    ///
    /// [Example](Arguments)
    ///
    /// # Errors
    ///
    /// When the argument is not a known string, or is null.
    pub fn text(&self, index: usize) -> Result<&'a str> {
        self.at(index).as_str().map_err(|error| error.in_argument(index))
    }

    /// The content of a known number.
    ///
    /// [Example](Arguments)
    ///
    /// # Errors
    ///
    /// When the argument is not a known number, or is null.
    pub fn number(&self, index: usize) -> Result<&'a Number> {
        self.at(index).as_number().map_err(|error| error.in_argument(index))
    }

    /// The content of a known bool.
    ///
    /// [Example](Arguments)
    ///
    /// # Errors
    ///
    /// When the argument is not a known bool, or is null.
    pub fn boolean(&self, index: usize) -> Result<bool> {
        self.at(index).as_bool().map_err(|error| error.in_argument(index))
    }

    /// A known number as an integer of 64 bits.
    ///
    /// [Example](Arguments)
    ///
    /// # Errors
    ///
    /// As [`number`](Arguments::number), and when the number is not an integer, or does not fit 64 bits.
    pub fn integer(&self, index: usize) -> Result<i64> {
        let number = self.number(index)?;
        number.to_i64().ok_or_else(|| {
            let (min, max) = (i64::MIN, i64::MAX);
            let message = format!("value must be a whole number, between {min} and {max}");
            Error::new(Kind::Argument, message).in_argument(index)
        })
    }
}
