//! The arguments of a call, as the function's own code sees them.

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::types::Type;
use crate::value::Value;

/// The arguments that a body, a transformer or a rule for the type gets. There are as many as the signature says,
/// and each is as its [`Parameter`](super::Parameter) says.
///
/// An error made with the accessors here names the argument.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    values: &'a [Value],
    ty: &'a Type,
}

/// What there is in place of an argument that does not exist.
static NONE: Value = Value::Dynamic(crate::value::Dynamic(None));

impl<'a> Arguments<'a> {
    pub(super) fn new(values: &'a [Value], ty: &'a Type) -> Arguments<'a> {
        Arguments { values, ty }
    }

    /// All arguments, in order.
    pub fn all(&self) -> &'a [Value] {
        self.values
    }

    /// The arguments from an index on: those of a variadic parameter.
    pub fn from(&self, index: usize) -> &'a [Value] {
        self.values.get(index..).unwrap_or_default()
    }

    /// The argument at a place. A place that the signature does not have holds an unknown of unknown type.
    pub fn at(&self, index: usize) -> &'a Value {
        self.values.get(index).unwrap_or(&NONE)
    }

    /// The type that the result must be of; in the rule for the type, `dynamic`.
    pub fn ty(&self) -> &'a Type {
        self.ty
    }

    /// The text of a known string.
    ///
    /// # Errors
    ///
    /// When the argument is no known string that is not null.
    pub fn text(&self, index: usize) -> Result<&'a str> {
        self.at(index).as_str().map_err(|error| error.in_argument(index))
    }

    /// The number of a known number.
    ///
    /// # Errors
    ///
    /// When the argument is no known number that is not null.
    pub fn number(&self, index: usize) -> Result<&'a Number> {
        self.at(index).as_number().map_err(|error| error.in_argument(index))
    }

    /// The truth value of a known bool.
    ///
    /// # Errors
    ///
    /// When the argument is no known bool that is not null.
    pub fn truth(&self, index: usize) -> Result<bool> {
        self.at(index).as_bool().map_err(|error| error.in_argument(index))
    }

    /// A known number as a whole number of 64 bits.
    ///
    /// # Errors
    ///
    /// As [`number`](Arguments::number), and when it is not whole, or beyond 64 bits.
    pub fn whole(&self, index: usize) -> Result<i64> {
        let number = self.number(index)?;
        number.to_i64().ok_or_else(|| {
            let (least, most) = (i64::MIN, i64::MAX);
            let message = format!("value must be a whole number, between {least} and {most}");
            Error::new(Kind::Argument, message).in_argument(index)
        })
    }
}
