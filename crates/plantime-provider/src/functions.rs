//! The functions of the provider `plantime`: assumptions, conversion and rules, for users of stock Terraform.

use std::future::{Future, ready};

use plantime::rule::Rule;
use plantime::{
    Bound, LengthRange, Number, NumberRange, Refinement, Result, Type, TypeConstraint, Value, View, convert,
};

use crate::function::{Function, Parameter, Signature};
use crate::provider::Provider;

/// The provider `plantime`, whose functions say of a value what its provider does not say.
///
/// | function | result |
/// |---|---|
/// | `assume_not_null(value)` | the value, which is not null |
/// | `assume_type(value, type)` | the value, which is of the type |
/// | `assume_string_prefix(value, prefix)` | the string, which starts with the prefix |
/// | `assume_number_range(value, min, max)` | the number, which lies between both; null is no bound |
/// | `assume_length(value, min, max)` | the list, set or map, whose length lies between both; null is no bound |
/// | `assume_refinement(value, refinement)` | the value, of which a [`Refinement`] in its text form holds |
/// | `assume_equal(value, expected)` | the value, which will be the expected one |
/// | `convert(value, type)` | the value as one of the type, such as `"list(string)"`, with what is known of it |
/// | `satisfies(value, rule)` | whether a rule holds, such as `{ starts_with = "vpc-" }`; known at plan where it can be |
///
/// An assumption that turns out wrong is an error of the call that has the known value; hosts do not compute at apply what was known in
/// the plan. So an assumption never changes a value. Where not
/// even the type of a value is known at plan, `assume_type` comes first; the others wait for the apply.
pub fn functions_provider() -> Provider {
    let value = || Parameter::new("value", Type::Dynamic).nullable().unknown();
    let bound = |name: &str| Parameter::new(name, Type::Number).nullable();
    let any = |summary: &str| Signature::new(Type::Dynamic, summary).parameter(value());
    let add = |provider: Provider, name: &'static str, signature: Signature, body: Body| {
        provider.function(name, Simple { signature, body })
    };
    let text = |name: &str| Parameter::new(name, Type::String);
    let string = Parameter::new("value", Type::String).nullable().unknown();
    let number = Parameter::new("value", Type::Number).nullable().unknown();

    let provider = Provider::new("plantime");
    let provider =
        add(provider, "assume_not_null", any("The value, which is assumed not to be null"), |arguments| {
            assumed(arguments, Value::assume_not_null)
        });
    let signature = any("The value, which is assumed to be of a type").parameter(text("type"));
    let provider = add(provider, "assume_type", signature, |arguments| {
        argument(arguments, 0)?.assume_type(&string_argument(arguments, 1)?.parse()?)
    });
    let signature = Signature::new(Type::String, "The string, which is assumed to start with a prefix");
    let signature = signature.parameter(string).parameter(text("prefix"));
    let provider = add(provider, "assume_string_prefix", signature, |arguments| {
        argument(arguments, 0)?.assume_string_prefix(string_argument(arguments, 1)?)
    });
    let signature = Signature::new(Type::Number, "The number, which is assumed to lie between two bounds");
    let signature = signature.parameter(number).parameter(bound("min")).parameter(bound("max"));
    let provider = add(provider, "assume_number_range", signature, |arguments| {
        let range = NumberRange::new(bound_argument(arguments, 1)?, bound_argument(arguments, 2)?)?;
        argument(arguments, 0)?.assume_number_range(range)
    });
    let signature = any("The list, set or map, whose length is assumed to lie between two bounds");
    let signature = signature.parameter(bound("min")).parameter(bound("max"));
    let provider = add(provider, "assume_length", signature, |arguments| {
        let range =
            LengthRange::new(length_argument(arguments, 1)?.unwrap_or(0), length_argument(arguments, 2)?)?;
        assumed(arguments, |value| value.assume(&Refinement::length(range)))
    });
    let signature = any("The value, of which a refinement is assumed").parameter(text("refinement"));
    let provider = add(provider, "assume_refinement", signature, |arguments| {
        let refinement: Refinement = string_argument(arguments, 1)?.parse()?;
        assumed(arguments, |value| value.assume(&refinement))
    });
    let signature = any("The value, which is assumed to become another");
    let signature = signature.parameter(Parameter::new("expected", Type::Dynamic).nullable());
    let provider = add(provider, "assume_equal", signature, |arguments| {
        argument(arguments, 0)?.assume_equal(argument(arguments, 1)?)
    });
    let signature = any("The value as one of a type, with what is known of it").parameter(text("type"));
    let provider = add(provider, "convert", signature, |arguments| {
        let constraint: TypeConstraint = string_argument(arguments, 1)?.parse()?;
        convert(argument(arguments, 0)?, &constraint)
    });
    let signature =
        Signature::new(Type::Bool, "Whether a rule holds of a value, known where every value agrees");
    let signature = signature.parameter(value()).parameter(Parameter::new("rule", Type::Dynamic));
    add(provider, "satisfies", signature, satisfies)
}

/// What a function computes.
type Body = fn(&[Value]) -> Result<Value>;

/// A function that needs nothing but its arguments.
struct Simple {
    signature: Signature,
    body: Body,
}

impl Function for Simple {
    fn signature(&self) -> Signature {
        self.signature.clone()
    }

    fn call(
        &self,
        arguments: Vec<Value>,
    ) -> impl Future<Output = std::result::Result<Value, (String, Option<usize>)>> + Send {
        ready((self.body)(&arguments).map_err(|error| (error.to_string(), None)))
    }
}

/// Whether a rule holds: unknown, and not null, where it holds of some values only.
fn satisfies(arguments: &[Value]) -> Result<Value> {
    let outcome = Rule::from_form(argument(arguments, 1)?)?
        .check_value(argument(arguments, 0)?)
        .map_err(|misuse| plantime::Error::custom(misuse.message().to_owned()))?;
    if outcome.is_undetermined() {
        return Value::unknown(Type::Bool).assume_not_null();
    }
    Ok(Value::from(outcome.is_pass()))
}

/// The first argument with an assumption. Where its type is not known yet, nothing can be assumed of it: it stays as it
/// is, and the assumption is checked at apply.
fn assumed(arguments: &[Value], assume: impl FnOnce(&Value) -> Result<Value>) -> Result<Value> {
    match argument(arguments, 0)? {
        value if matches!(value.view(), View::Dynamic) => Ok(value.clone()),
        value => assume(value),
    }
}

/// An argument; the host has counted them.
fn argument(arguments: &[Value], index: usize) -> Result<&Value> {
    arguments.get(index).ok_or_else(|| plantime::Error::custom("too few arguments"))
}

/// An argument that is a string.
fn string_argument(arguments: &[Value], index: usize) -> Result<&str> {
    match argument(arguments, index)?.view() {
        View::String(text) => Ok(text),
        _ => Err(plantime::Error::custom("a string is required")),
    }
}

/// An argument that is a number, which is included, or null for no bound.
fn bound_argument(arguments: &[Value], index: usize) -> Result<Bound> {
    Ok(number_argument(arguments, index)?.map_or(Bound::Unbounded, |number| Bound::Inclusive(number.clone())))
}

/// An argument that is a whole number, or null.
fn length_argument(arguments: &[Value], index: usize) -> Result<Option<u64>> {
    let whole = |number: &Number| {
        let length = number.to_string().parse();
        length.map_err(|_| plantime::Error::custom(format!("a length is a whole number, not {number}")))
    };
    number_argument(arguments, index)?.map(whole).transpose()
}

/// An argument that is a number, or null.
fn number_argument(arguments: &[Value], index: usize) -> Result<Option<&Number>> {
    match argument(arguments, index)?.view() {
        View::Number(number) => Ok(Some(number)),
        View::Null(_) => Ok(None),
        _ => Err(plantime::Error::custom("a number is required")),
    }
}
