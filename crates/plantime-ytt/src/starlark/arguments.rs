//! Arguments of built-in functions, with the errors that starlark-go gives.

use std::rc::Rc;

use num_bigint::BigInt;

use super::error::Failure;
use super::value::{Arguments, Builtin, Value, text_of};

impl Arguments {
    /// Returns positional arguments, between a least and a largest number of them; absent ones are `None`.
    pub(crate) fn positions<const N: usize>(
        &self,
        name: &str,
        least: usize,
    ) -> Result<[Option<Value>; N], Failure> {
        if !self.keywords.is_empty() {
            return Err(format!("{name}: unexpected keyword arguments").into());
        }
        let given = self.positional.len();
        if given < least {
            let at_least = if least == N { "" } else { "at least " };
            return Err(format!("{name}: got {given} arguments, want {at_least}{least}").into());
        }
        if given > N {
            let at_most = if least == N { "" } else { "at most " };
            return Err(format!("{name}: got {given} arguments, want {at_most}{N}").into());
        }
        let mut values = self.positional.iter().cloned();
        Ok(std::array::from_fn(|_| values.next()))
    }

    /// Returns arguments by position or name. A name that ends with `?` is optional.
    pub(crate) fn named<const N: usize>(
        &self,
        name: &str,
        parameters: [&str; N],
    ) -> Result<[Option<Value>; N], Failure> {
        let given = self.positional.len();
        if given > N {
            return Err(format!("{name}: got {given} arguments, want at most {N}").into());
        }
        let mut positional = self.positional.iter().cloned();
        let mut values: [Option<Value>; N] = std::array::from_fn(|_| positional.next());
        for (keyword, value) in &self.keywords {
            let index = parameters.iter().position(|parameter| parameter.trim_end_matches('?') == &**keyword);
            match index.and_then(|index| values.get_mut(index)) {
                Some(Some(_)) => {
                    return Err(
                        format!("{name}: got multiple values for keyword argument \"{keyword}\"").into()
                    );
                }
                Some(slot) => *slot = Some(value.clone()),
                None => return Err(format!("{name}: unexpected keyword argument \"{keyword}\"").into()),
            }
        }
        for (parameter, value) in parameters.iter().zip(&values) {
            if value.is_none() && !parameter.ends_with('?') {
                return Err(format!("{name}: missing argument for {parameter}").into());
            }
        }
        Ok(values)
    }
}

impl Builtin {
    /// Returns the only argument.
    pub(crate) fn one(&self, arguments: &Arguments) -> Result<Value, Failure> {
        let [value] = arguments.positions(&self.name, 1)?;
        Ok(value.unwrap_or(Value::None))
    }

    /// Fails if there are arguments.
    pub(crate) fn none(&self, arguments: &Arguments) -> Result<(), Failure> {
        arguments.positions::<0>(&self.name, 0).map(drop)
    }

    /// Returns an argument as a string; the error names the parameter.
    pub(crate) fn string(&self, parameter: &str, value: &Value) -> Result<Rc<[u8]>, Failure> {
        match value.known()? {
            Value::Text(text) => Ok(Rc::clone(text)),
            other => Err(self.wrong(parameter, other, "string")),
        }
    }

    /// Returns an argument as an int; the error names the parameter.
    pub(crate) fn int(&self, parameter: &str, value: &Value) -> Result<i64, Failure> {
        match value.known()? {
            Value::Int(int) => {
                let limit = if *int < BigInt::ZERO { i64::MIN / 4 } else { i64::MAX / 4 };
                Ok(i64::try_from(int).unwrap_or(limit).clamp(i64::MIN / 4, i64::MAX / 4))
            }
            other => Err(self.wrong(parameter, other, "int")),
        }
    }

    /// The error that an argument has another type.
    pub(crate) fn wrong(&self, parameter: &str, value: &Value, wanted: &str) -> Failure {
        format!("{}: for parameter {parameter}: got {}, want {wanted}", self.name, value.type_name()).into()
    }
}

/// Returns an argument as text, as functions of ytt's modules read it.
pub(crate) fn module_text(value: &Value) -> Result<String, Failure> {
    match value.known()? {
        Value::Text(text) => Ok(text_of(text).into_owned()),
        other => Err(format!("expected a string, but was {}", other.type_name()).into()),
    }
}
