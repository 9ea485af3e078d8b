//! Conversion.

use crate::constraint::TypeConstraint;
use crate::convert::{conversion, convert, mismatch_message};
use crate::error::{Error, Kind};
use crate::function::{Function, MarkHandling, Parameter};
use crate::refinement::Refinement;
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, View, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (
        &["tostring", "tonumber", "tobool", "tolist", "toset", "tomap", "convert"],
        "all that a conversion keeps",
    ),
    (&["type"], "the type, where it is decided"),
    (&["assertnotnull"], "everything, and that it is not null"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    all.push(Standard::cty(assertnotnull()));
    all.push(Standard::language(convert_function()));
    all.push(Standard::language(type_function()));
    let targets = [
        ("tostring", TypeConstraint::from(Type::String)),
        ("tonumber", Type::Number.into()),
        ("tobool", Type::Bool.into()),
    ];
    for (name, target) in targets {
        all.push(Standard::language(Function::conversion_to(name, target)));
    }
    let collections = [
        ("tolist", Type::list(Type::Dynamic)),
        ("toset", Type::set(Type::Dynamic)),
        ("tomap", Type::map(Type::Dynamic)),
    ];
    for (name, target) in collections {
        all.extend(target.map(|target| Standard::language(Function::conversion_to(name, target))).ok());
    }
}

fn anything(name: &str) -> Parameter {
    Parameter::new(name, Type::Dynamic).allow_unknown().allow_dynamic().marks(MarkHandling::Carried)
}

fn assertnotnull() -> Function {
    Function::new("assertnotnull")
        .description("The value, which must not be null.")
        .parameter(anything("v"))
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .not_null()
        .body(|arguments| Ok(arguments.at(0).clone()))
}

impl Function {
    /// A function of this name that converts its argument to the type of a constraint, as cty's `MakeToFunc` makes
    /// them: `tostring` and its like.
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
        let (wanted, ty) = (target.clone(), target.to_type());
        Function::new(name)
            .description(&format!("The value as {}.", target.friendly_name()))
            .parameter(anything("v").allow_null())
            .returns_by(move |arguments| {
                let given = arguments.at(0).ty();
                let undecided = || convert(&Value::unknown(given.clone()), &wanted).is_ok();
                let possible = conversion(&given, &wanted).is_some() || given.has_dynamic() && undecided();
                if possible { Ok(ty.clone()) } else { Err(no_conversion(&given, &wanted)) }
            })
            .body(move |arguments| {
                let value = arguments.at(0);
                convert(value, &target).map_err(|error| failed(value, &target, error))
            })
    }
}

#[cold]
fn no_conversion(given: &Type, wanted: &TypeConstraint) -> Error {
    let message = match (given, wanted.as_type()) {
        (Type::Tuple(_), Type::Tuple(_)) => {
            format!("incompatible tuple type for conversion: {}", mismatch_message(given, wanted))
        }
        (Type::Object(_), Type::Object(_)) => {
            format!("incompatible object type for conversion: {}", mismatch_message(given, wanted))
        }
        _ => format!("cannot convert {} to {}", given.friendly_name(), wanted.friendly_name_for_constraint()),
    };
    Error::new(Kind::TypeMismatch, message).in_argument(0)
}

#[cold]
fn failed(value: &Value, wanted: &TypeConstraint, error: Error) -> Error {
    let message = match (value.view(), wanted.as_type()) {
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
            wanted.friendly_name_for_constraint()
        ),
    };
    error.with_message(message).in_argument(0)
}

fn convert_function() -> Function {
    Function::new("convert")
        .description("The value as a value of a type.")
        .parameter(anything("value").allow_null())
        .parameter(Parameter::new("type", Type::capsule::<TypeConstraint>()).allow_unknown())
        .returns_by(|arguments| Ok(target(arguments.at(1)).map_or(Type::Dynamic, TypeConstraint::to_type)))
        .body(|arguments| match target(arguments.at(1)) {
            Some(target) => convert(arguments.at(0), target).map_err(|error| error.in_argument(0)),
            None => Ok(Value::dynamic()),
        })
}

/// The type of an unknown of undecided type is decided later.
fn type_function() -> Function {
    Function::new("type")
        .description("The type of the value, as `convert` takes it.")
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

fn target(value: &Value) -> Option<&TypeConstraint> {
    value.as_capsule::<TypeConstraint>().ok()
}
