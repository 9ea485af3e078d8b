//! The arguments as the function sees them: counted, without marks, not null, of the right types.

use smallvec::SmallVec;

use crate::error::{Error, Kind, Result};
use crate::mark::{GatheredMarks, Marks};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Value, equality};

use super::{Function, MarkHandling, Parameter};

/// Arguments that are what the function says.
pub(super) struct Ready {
    pub(super) values: SmallVec<[Value; 4]>,
    /// For the top of the result.
    pub(super) marks: Marks,
    /// Whether the body can be called.
    pub(super) known: bool,
}

impl Function {
    pub(super) fn count(&self, given: usize) -> Result<()> {
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

    /// Whether all arguments are known, without marks, and of just the types that are wanted: then there is nothing to
    /// make ready.
    pub(super) fn takes_as_they_are(&self, arguments: &[Value]) -> bool {
        let count = self.0.parameters.len();
        let counted = arguments.len() == count || arguments.len() > count && self.0.variadic.is_some();
        let fits = |(parameter, argument): (&Parameter, &Value)| {
            argument.is_wholly_known()
                && !argument.contains_marks()
                && (parameter.allows_null() || !argument.is_null())
                && (*parameter.ty() == Type::Dynamic || argument.has_type(parameter.ty()))
        };
        let parameters = self.0.parameters.iter().chain(self.0.variadic.iter().cycle());
        counted && self.0.predictable && parameters.zip(arguments).all(fits)
    }

    pub(super) fn ready(&self, arguments: &[Value]) -> Result<Ready> {
        self.count(arguments.len())?;
        let mut marks = GatheredMarks::default();
        let mut ready = Ready { values: SmallVec::new(), marks: Marks::new(), known: true };
        for (i, argument) in arguments.iter().enumerate() {
            let Some(parameter) = self.parameter(i) else { continue };
            let value = parameter.take(argument, &mut marks).map_err(|error| error.in_argument(i))?;
            ready.known &= parameter.allows_unknown() || value.is_wholly_known();
            ready.values.push(value);
        }
        ready.marks = marks.into_marks();
        Ok(ready)
    }

    /// The marks inside arguments whose parts are carried over.
    pub(super) fn carried_marks(&self, ready: &Ready) -> Marks {
        let mut marks = GatheredMarks::default();
        for (i, value) in ready.values.iter().enumerate().filter(|(_, value)| value.contains_marks()) {
            if self.parameter(i).is_some_and(|parameter| parameter.mark_handling() == MarkHandling::Carried) {
                marks.add(&value.unmark_deep().1);
            }
        }
        marks.into_marks()
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
            MarkHandling::Carried | MarkHandling::Picked => {
                let (value, found) = argument.clone().unmark();
                marks.add(&found);
                value
            }
            MarkHandling::Own => argument.clone(),
        };
        if equality::is_always_null(&value) && !self.allows_null() {
            return Err(null());
        }
        let value = self.typed(value, argument.contains_marks())?;
        // What can be nothing but a null is one, now that its type is decided.
        if value.is_null() && !self.allows_null() {
            return Err(null());
        }
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
        if *wanted == Type::Dynamic || value.has_type(wanted) {
            return Ok(value);
        }
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
