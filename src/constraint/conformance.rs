//! The differences between an actual type and an expected one.

use crate::error::{Error, Kind};
use crate::path::Step;
use crate::text::Quoted;
use crate::types::{ObjectType, TupleType, Type};
use crate::value::Value;

impl Type {
    /// The differences between this type and the expected one; empty exactly if `want` [covers](Type::covers) it.
    ///
    /// Each error has the path to the difference; the step into a list or map is an unknown number or string, the
    /// step into a set an unknown member. The messages are those of cty:
    ///
    /// | message | place |
    /// |---|---|
    /// | `string required, but received number` | the part of another kind |
    /// | `unsupported attribute "x"`, `missing required attribute "x"` | the object |
    /// | `2 elements are required, but got 3` | the tuple |
    ///
    /// For an object the order is: unsupported attributes, missing attributes, differences inside the other
    /// attributes, each sorted by name.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let given: Type = "object({a = string, c = bool})".parse()?;
    /// let want: Type = "object({a = number, b = any})".parse()?;
    /// let messages: Vec<_> = given.conformance_errors(&want).iter().map(|e| e.message().to_owned()).collect();
    /// assert_eq!(
    ///     messages,
    ///     [
    ///         "unsupported attribute \"c\"",
    ///         "missing required attribute \"b\"",
    ///         "number required, but received string",
    ///     ]
    /// );
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn conformance_errors(&self, want: &Type) -> Vec<Error> {
        if want.covers(self) { Vec::new() } else { differences(self, want) }
    }
}

/// The differences between two types.
fn differences(given: &Type, want: &Type) -> Vec<Error> {
    match (given, want) {
        (_, Type::Dynamic) => Vec::new(),
        (Type::Object(given), Type::Object(want)) => object_errors(given, want),
        (Type::Tuple(given), Type::Tuple(want)) => tuple_errors(given, want),
        (Type::List(given), Type::List(want)) => {
            errors_below(given.element(), want.element(), || Step::index(Value::unknown(Type::Number)))
        }
        (Type::Map(given), Type::Map(want)) => {
            errors_below(given.element(), want.element(), || Step::index(Value::unknown(Type::String)))
        }
        (Type::Set(given), Type::Set(want)) => errors_below(given.element(), want.element(), || {
            Step::index(Value::unknown(given.element().clone()))
        }),
        // Compound types are handled above; only types without inner types remain.
        (given, want) if given == want => Vec::new(),
        (given, want) => {
            let names = (want.friendly_name(), given.friendly_name());
            let message = format!("{} required, but received {}", names.0, names.1);
            vec![Error::new(Kind::TypeMismatch, message).with_types(want.clone(), given.clone())]
        }
    }
}

/// The differences between two object types: unsupported and missing attributes, then those inside the others.
fn object_errors(given: &ObjectType, want: &ObjectType) -> Vec<Error> {
    let error = |problem: &str, name: &str| {
        Error::new(Kind::TypeMismatch, format!("{problem} attribute {}", Quoted(name)))
            .with_types(Type::Object(want.clone()), Type::Object(given.clone()))
    };
    let lacks = |object: &ObjectType, name: &str| object.get(name).is_none();
    let unsupported = given.attribute_names().filter(|name| lacks(want, name));
    let missing = want.attribute_names().filter(|name| lacks(given, name));
    let mut errors: Vec<Error> = unsupported.map(|name| error("unsupported", name)).collect();
    errors.extend(missing.map(|name| error("missing required", name)));
    for (name, given) in given.iter() {
        if let Some(want) = want.get(name) {
            errors.append(&mut errors_below(given, want, || Step::attr(name)));
        }
    }
    errors
}

/// The differences between two tuple types: that of their lengths, else those of their elements.
fn tuple_errors(given: &TupleType, want: &TupleType) -> Vec<Error> {
    if given.len() != want.len() {
        let message = format!("{} elements are required, but got {}", want.len(), given.len());
        let (want, given) = (Type::Tuple(want.clone()), Type::Tuple(given.clone()));
        return vec![Error::new(Kind::TypeMismatch, message).with_types(want, given)];
    }
    let mut errors = Vec::new();
    for (index, (given, want)) in (0u64..).zip(given.iter().zip(want)) {
        errors.append(&mut errors_below(given, want, || Step::index(index)));
    }
    errors
}

/// The differences between two inner types, with the step to them in front of their paths.
fn errors_below(given: &Type, want: &Type, step: impl Fn() -> Step) -> Vec<Error> {
    differences(given, want).into_iter().map(|error| error.under(step())).collect()
}
