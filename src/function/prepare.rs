//! Prepares the arguments of a call: checks their number, removes marks, rejects nulls, and checks or decides types.

use smallvec::SmallVec;

use crate::error::{Error, Kind, Result};
use crate::mark::{GatheredMarks, Marks};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Value, equality};

use super::{Function, MarkHandling, Parameter};

/// The arguments of a call after they were checked against the signature, without the marks that go on the result.
pub(super) struct PreparedArguments {
    /// One value for each argument.
    pub(super) values: SmallVec<[Value; 4]>,
    /// The marks that were removed from the arguments, which the result gets.
    pub(super) marks: Marks,
    /// Whether each argument is known as far as its parameter requires, so that the body can run.
    pub(super) can_run_body: bool,
}

impl Function {
    /// An error if `given`, the number of arguments, is too small or too large for the signature.
    pub(super) fn check_argument_count(&self, given: usize) -> Result<()> {
        let required = self.0.parameters.len();
        let message = match &self.0.variadic {
            None if given != required => {
                format!("wrong number of arguments ({required} required; {given} given)")
            }
            Some(_) if given < required => {
                format!("wrong number of arguments (at least {required} required; {given} given)")
            }
            _ => return Ok(()),
        };
        Err(Error::new(Kind::Argument, message))
    }

    /// Fast path: whether the arguments match the signature, are wholly known and have no marks, and the function is
    /// predictable. The body can then take them as they are.
    pub(super) fn needs_no_preparation(&self, arguments: &[Value]) -> bool {
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

    /// Checks the arguments against the signature, and removes the marks that their parameters say. An error names the
    /// argument.
    pub(super) fn prepare(&self, arguments: &[Value]) -> Result<PreparedArguments> {
        self.check_argument_count(arguments.len())?;
        let mut marks = GatheredMarks::default();
        let mut prepared =
            PreparedArguments { values: SmallVec::new(), marks: Marks::new(), can_run_body: true };
        for (i, argument) in arguments.iter().enumerate() {
            let Some(parameter) = self.parameter_at(i) else { continue };
            let value = parameter.prepare(argument, &mut marks).map_err(|error| error.in_argument(i))?;
            prepared.can_run_body &= parameter.allows_unknown() || value.is_wholly_known();
            prepared.values.push(value);
        }
        prepared.marks = marks.into_marks();
        Ok(prepared)
    }

    /// The marks inside the arguments whose parameter has [`MarkHandling::Carried`]: those that an unknown result gets,
    /// since it has no elements that could carry them.
    pub(super) fn carried_marks(&self, prepared: &PreparedArguments) -> Marks {
        let mut marks = GatheredMarks::default();
        for (i, value) in prepared.values.iter().enumerate().filter(|(_, value)| value.contains_marks()) {
            if self
                .parameter_at(i)
                .is_some_and(|parameter| parameter.mark_handling() == MarkHandling::Carried)
            {
                marks.add(&value.unmark_deep().1);
            }
        }
        marks.into_marks()
    }
}

impl Parameter {
    /// Checks one argument against the parameter, and returns it as the function sees it: of the parameter's type,
    /// narrowed to not null unless null is allowed, and without the marks that the parameter removes. These are added
    /// to `marks`.
    fn prepare(&self, argument: &Value, marks: &mut GatheredMarks) -> Result<Value> {
        let value = match self.mark_handling() {
            _ if !argument.contains_marks() => argument.clone(),
            MarkHandling::Gathered => {
                let (value, removed) = argument.unmark_deep();
                marks.add(&removed);
                value
            }
            MarkHandling::Carried | MarkHandling::Picked => {
                let (value, removed) = argument.clone().unmark();
                marks.add(&removed);
                value
            }
            MarkHandling::Own => argument.clone(),
        };
        if equality::is_always_null(&value) && !self.allows_null() {
            return Err(null_argument());
        }
        let value = self.with_parameter_type(value, argument.contains_marks())?;
        // An unknown whose only possible value is null becomes that null when its type is decided.
        if value.is_null() && !self.allows_null() {
            return Err(null_argument());
        }
        if self.allows_null() || value.is_known() {
            return Ok(value);
        }
        // If it turned out null, the call would be an error then: the result may rely on the argument not being null.
        match &value {
            Value::Dynamic(_) => Ok(value),
            _ if value.range().nullness() == Nullness::NotNull => Ok(value),
            _ => value.assume_not_null().map_err(|_| null_argument()),
        }
    }

    /// The argument, if it has the type of the parameter, or narrowed to it if its type is undecided and can become it.
    /// Else an error; `is_marked` keeps attribute names out of its message.
    fn with_parameter_type(&self, value: Value, is_marked: bool) -> Result<Value> {
        let expected = self.ty();
        if *expected == Type::Dynamic || value.has_type(expected) {
            return Ok(value);
        }
        let given = value.ty();
        if expected.covers(&given) {
            return Ok(value);
        }
        let decided = given.has_dynamic().then(|| value.assume_type(expected).ok()).flatten();
        decided.ok_or_else(|| type_mismatch(&given, expected, is_marked))
    }
}

/// The error for a null argument whose parameter does not allow null.
#[cold]
fn null_argument() -> Error {
    Error::new(Kind::Null, "argument must not be null")
}

/// The error for an argument of another type than its parameter. `is_marked` keeps attribute names out of the message.
#[cold]
fn type_mismatch(given: &Type, expected: &Type, is_marked: bool) -> Error {
    // A conformance error names attributes, and the attribute names of a marked object are marked content (L5).
    let error = if is_marked { None } else { given.conformance_errors(expected).into_iter().next() };
    error.unwrap_or_else(|| {
        let names = (expected.friendly_name(), given.friendly_name());
        Error::new(Kind::TypeMismatch, format!("{} required, but received {}", names.0, names.1))
    })
}
