//! Conversion functions: `tostring` and its like, `convert` with `type`, and `assertnotnull`.

use crate::constraint::TypeConstraint;
use crate::convert::{conversion, convert, mismatch_message};
use crate::error::{Error, Kind};
use crate::function::{Function, MarkHandling, Parameter};
use crate::refinement::Refinement;
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::equality::is_always_null;
use crate::value::{Value, View, canonical};

use super::StandardFunction;

/// Adds the conversion functions, `type` and `assertnotnull`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    functions.push(StandardFunction::cty_only(assertnotnull(), "everything, and that it is not null"));
    functions.push(StandardFunction::language_only(convert_function(), CONVERSION));
    functions.push(StandardFunction::language_only(type_function(), "the type, if it is decided"));
    let targets = [
        ("tostring", TypeConstraint::from(Type::String)),
        ("tonumber", Type::Number.into()),
        ("tobool", Type::Bool.into()),
    ];
    for (name, target) in targets {
        functions.push(StandardFunction::language_only(Function::conversion_to(name, target), CONVERSION));
    }
    let collections = [
        ("tolist", Type::list(Type::Dynamic)),
        ("toset", Type::set(Type::Dynamic)),
        ("tomap", Type::map(Type::Dynamic)),
    ];
    for (name, target) in collections {
        let Ok(target) = target else { continue };
        functions.push(StandardFunction::language_only(Function::conversion_to(name, target), CONVERSION));
    }
}

/// The precision note of the conversions: which facts about the result are known while the argument is unknown.
const CONVERSION: &str = "everything that the conversion keeps";

/// A parameter for a value of any type, known or unknown, but not null. The marks inside the value stay in place.
fn any_value(name: &str) -> Parameter {
    Parameter::new(name, Type::Dynamic).allow_unknown().allow_dynamic().marks(MarkHandling::Carried)
}

/// Defines `assertnotnull`, which returns its argument; null is an error.
fn assertnotnull() -> Function {
    Function::new("assertnotnull")
        .description("The value, which must not be null.")
        .parameter(any_value("v"))
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .not_null()
        .body(|arguments| Ok(arguments.at(0).clone()))
}

impl Function {
    /// A function of this name that converts its argument to the type of a constraint, such as `tostring`. It is the
    /// `MakeToFunc` of cty.
    ///
    /// ```
    /// use plantime::function::Function;
    /// use plantime::{TypeConstraint, Value};
    ///
    /// let tags = Function::conversion_to("totags", "map(string)".parse::<TypeConstraint>()?);
    /// let tags = tags.call(&[Value::object([("stage", 1)])?])?;
    /// assert_eq!(tags, Value::map([("stage", "1")])?);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn conversion_to(name: &str, target: impl Into<TypeConstraint>) -> Function {
        let target = target.into();
        let (constraint, ty) = (target.clone(), target.to_type());
        Function::new(name)
            .description(&format!("The value as {}.", target.friendly_name()))
            .parameter(any_value("v").allow_null())
            .returns_by(move |arguments| {
                let given = arguments.at(0).ty();
                // A type with undecided parts may still become one that converts.
                let may_convert = || convert(&Value::unknown(given.clone()), &constraint).is_ok();
                let is_possible =
                    conversion(&given, &constraint).is_some() || given.has_dynamic() && may_convert();
                if is_possible { Ok(ty.clone()) } else { Err(no_conversion(&given, &constraint)) }
            })
            .body(move |arguments| {
                let value = arguments.at(0);
                convert(value, &target).map_err(|error| conversion_error(value, &target, error))
            })
    }
}

/// The error for a type that has no conversion to the target.
#[cold]
fn no_conversion(given: &Type, target: &TypeConstraint) -> Error {
    let message = match (given, target.as_type()) {
        (Type::Tuple(_), Type::Tuple(_)) => {
            format!("incompatible tuple type for conversion: {}", mismatch_message(given, target))
        }
        (Type::Object(_), Type::Object(_)) => {
            format!("incompatible object type for conversion: {}", mismatch_message(given, target))
        }
        _ => format!("cannot convert {} to {}", given.friendly_name(), target.friendly_name_for_constraint()),
    };
    Error::new(Kind::TypeMismatch, message).in_argument(0)
}

/// The error for a value that cannot be converted although its type has a conversion, in the words of go-cty. `error`
/// is the one that the conversion gave, whose kind is kept.
#[cold]
fn conversion_error(value: &Value, target: &TypeConstraint, error: Error) -> Error {
    let message = match (value.view(), target.as_type()) {
        (View::String(text), Type::Bool) => {
            format!(
                "cannot convert {} to bool; only the strings \"true\" or \"false\" are allowed",
                QuotedInMessage(text)
            )
        }
        (View::String(text), Type::Number) => format!(
            "cannot convert {} to number; given string must be a decimal representation of a number",
            QuotedInMessage(text)
        ),
        _ => format!(
            "cannot convert {} to {}",
            value.ty().friendly_name(),
            target.friendly_name_for_constraint()
        ),
    };
    error.with_message(message).in_argument(0)
}

/// Defines `convert`: converts its first argument to the type that is its second argument.
fn convert_function() -> Function {
    Function::new("convert")
        .description("The value, converted to a type.")
        .parameter(any_value("value").allow_null())
        .parameter(Parameter::new("type", Type::capsule::<TypeConstraint>()).allow_unknown())
        .returns_by(|arguments| {
            Ok(target_type(arguments.at(1)).map_or(Type::Dynamic, TypeConstraint::to_type))
        })
        .body(|arguments| match target_type(arguments.at(1)) {
            Some(target) => convert(arguments.at(0), target).map_err(|error| error.in_argument(0)),
            // Null converts to null, whatever the type.
            None if is_always_null(arguments.at(0)) => Ok(canonical(Type::Dynamic, Refinement::null())),
            None => Ok(Value::dynamic()),
        })
}

/// Defines `type`: the type of its argument, as a value. The result is unknown while that type is undecided.
fn type_function() -> Function {
    Function::new("type")
        .description("The type of the value, as an argument for `convert`.")
        .parameter(Parameter::new("value", Type::Dynamic).allow_null().allow_unknown().allow_dynamic())
        .returns(Type::capsule::<TypeConstraint>())
        .not_null()
        .body(|arguments| {
            let (value, ty) = (arguments.at(0), arguments.at(0).ty());
            Ok(match value.is_wholly_known() || !ty.has_dynamic() {
                true => Value::capsule(TypeConstraint::from(ty)),
                false => canonical(Type::capsule::<TypeConstraint>(), Refinement::not_null()),
            })
        })
}

/// The type constraint that the second argument of `convert` contains; `None` while it is unknown.
fn target_type(value: &Value) -> Option<&TypeConstraint> {
    value.as_capsule::<TypeConstraint>().ok()
}
