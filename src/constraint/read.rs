//! The text form, read: what the expressions mean, with the messages of HCL.

use std::collections::BTreeSet;
use std::str::FromStr;

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::text::is_word;
use crate::types::Type;
use crate::value::Value;

use super::syntax::{Expr, parse};
use super::{AttributeConstraint, TypeConstraint};

/// Reads the text form, with the messages that HCL has.
///
/// | text | message |
/// |---|---|
/// | `strng` | `The keyword "strng" is not a valid type specification.` |
/// | `list`, `list()` | `The list type constructor requires one argument specifying the element type.` |
/// | `optional(string)` | `Keyword "optional" is valid only as a modifier for object type attributes.` |
/// | `object({a = optional(number, "x")})` | `This default value is not compatible with the attribute's type constraint: a number is required.` |
///
/// The path of an error leads to the attribute or element of the constraint. A name that is no word stands in
/// quotes, which HCL does not have.
///
/// # Errors
///
/// [`is_syntax`](Error::is_syntax), [`is_limit`](Error::is_limit) above
/// [`limits::DEPTH`](crate::limits::DEPTH) levels, [`is_type_mismatch`](Error::is_type_mismatch) for a default.
impl FromStr for TypeConstraint {
    type Err = Error;

    fn from_str(text: &str) -> Result<TypeConstraint> {
        constraint(parse(text)?)
    }
}

#[cold]
fn invalid(message: impl Into<String>) -> Error {
    Error::new(Kind::Syntax, message)
}

fn constraint(expr: Expr) -> Result<TypeConstraint> {
    match expr {
        Expr::Word(word) => keyword(&word),
        Expr::Call(name, args) => call(&name, args),
        _ => Err(invalid(
            "A type specification is either a primitive type keyword (bool, number, string) or a complex type \
             constructor call, like list(string).",
        )),
    }
}

fn primitive(word: &str) -> Option<Type> {
    match word {
        "bool" => Some(Type::Bool),
        "number" => Some(Type::Number),
        "string" => Some(Type::String),
        "any" | "dynamic" => Some(Type::Dynamic),
        _ => None,
    }
}

fn keyword(word: &str) -> Result<TypeConstraint> {
    match (primitive(word), word) {
        (Some(ty), _) => Ok(ty.into()),
        (None, "list" | "set" | "map" | "object" | "tuple") => Err(arity(word)),
        (None, "optional") => Err(misplaced_optional()),
        _ => Err(invalid(format!("The keyword \"{word}\" is not a valid type specification."))),
    }
}

/// A constructor without its one argument.
#[cold]
fn arity(name: &str) -> Error {
    invalid(match name {
        "object" => {
            "The object type constructor requires one argument specifying the attribute types and values \
                     as a map."
                .to_owned()
        }
        "tuple" => "The tuple type constructor requires one argument specifying the element types as a list."
            .to_owned(),
        _ => format!("The {name} type constructor requires one argument specifying the element type."),
    })
}

#[cold]
fn misplaced_optional() -> Error {
    invalid("Keyword \"optional\" is valid only as a modifier for object type attributes.")
}

fn call(name: &str, args: Vec<Expr>) -> Result<TypeConstraint> {
    let known = matches!(name, "list" | "set" | "map" | "object" | "tuple");
    match primitive(name) {
        Some(Type::Dynamic) => {
            return Err(invalid(format!("Type constraint keyword \"{name}\" does not expect arguments.")));
        }
        Some(_) => {
            return Err(invalid(format!("Primitive type keyword \"{name}\" does not expect arguments.")));
        }
        None if name == "optional" => return Err(misplaced_optional()),
        None if !known => {
            return Err(invalid(format!("Keyword \"{name}\" is not a valid type constructor.")));
        }
        None => {}
    }
    let Ok([argument]) = <[Expr; 1]>::try_from(args) else { return Err(arity(name)) };
    match (name, argument) {
        ("list", element) => TypeConstraint::list(constraint(element)?),
        ("set", element) => TypeConstraint::set(constraint(element)?),
        ("map", element) => TypeConstraint::map(constraint(element)?),
        ("tuple", Expr::List(elements)) => {
            let mut read = Vec::with_capacity(elements.len());
            for (i, element) in elements.into_iter().enumerate() {
                read.push(constraint(element).map_err(|error| error.under(Step::index(i)))?);
            }
            TypeConstraint::tuple(read)
        }
        ("tuple", _) => Err(invalid("Tuple type constructor requires a list of element types.")),
        (_, Expr::Map(entries)) => object(entries),
        _ => Err(invalid(
            "Object type constructor requires a map whose keys are attribute names and whose values are the \
             corresponding attribute types.",
        )),
    }
}

fn object(entries: Vec<(Expr, Expr)>) -> Result<TypeConstraint> {
    let mut seen = BTreeSet::new();
    let mut attributes = Vec::with_capacity(entries.len());
    for (key, expr) in entries {
        let name = match key {
            Expr::Word(word) => word,
            Expr::Text(text) if !is_word(&text) => text,
            _ => return Err(invalid("Object constructor map keys must be attribute names.")),
        };
        if !seen.insert(crate::text::nfc(&name).into_owned()) {
            return Err(invalid("Object constructor map keys must be unique."));
        }
        let read = attribute(expr).map_err(|error| error.under(Step::attr(&name)))?;
        attributes.push((name, read));
    }
    TypeConstraint::object(attributes)
}

fn attribute(expr: Expr) -> Result<AttributeConstraint> {
    let args = match expr {
        Expr::Call(name, args) if name == "optional" => args,
        other => return constraint(other).map(AttributeConstraint::required),
    };
    let mut args = args.into_iter();
    match (args.next(), args.next(), args.next()) {
        (None, ..) => {
            Err(invalid("Optional attribute modifier requires the attribute type as its argument."))
        }
        (Some(ty), None, _) => constraint(ty).map(AttributeConstraint::optional),
        (Some(ty), Some(default), None) => {
            let (constraint, default) = (constraint(ty)?, constant(default)?);
            AttributeConstraint::with_default(constraint, &default).map_err(|error| {
                let message = format!(
                    "This default value is not compatible with the attribute's type constraint: {error}."
                );
                Error::new(Kind::TypeMismatch, message)
            })
        }
        _ => Err(invalid(
            "Optional attribute modifier expects at most two arguments: the attribute type, and a default value.",
        )),
    }
}

/// The value of a default: nothing is looked up and nothing is called.
fn constant(expr: Expr) -> Result<Value> {
    match expr {
        Expr::Text(text) => untemplated(&text).map(Value::from),
        Expr::Number(number) => Ok(Value::from(number)),
        Expr::Word(word) => match word.as_str() {
            "true" => Ok(Value::from(true)),
            "false" => Ok(Value::from(false)),
            "null" => Ok(Value::null(Type::Dynamic)),
            _ => Err(invalid(format!("a default is a constant: \"{word}\" is none"))),
        },
        Expr::Call(name, _) => Err(invalid(format!("a default is a constant: \"{name}\" may not be called"))),
        Expr::List(items) => {
            let mut values = Vec::with_capacity(items.len());
            for item in items {
                values.push(constant(item)?);
            }
            Value::tuple(values)
        }
        Expr::Map(entries) => {
            let mut values = Vec::with_capacity(entries.len());
            for (key, item) in entries {
                let key = match key {
                    Expr::Word(key) => key,
                    Expr::Text(key) => untemplated(&key)?,
                    Expr::Number(number) => number.to_string(),
                    _ => return Err(invalid("a key of a map is a name or a string")),
                };
                values.push((key, constant(item)?));
            }
            Value::object(values)
        }
    }
}

/// The text of a template that has nothing to insert. Names of attributes are no templates.
fn untemplated(text: &str) -> Result<String> {
    let bare = text.replace("$${", "").replace("%%{", "");
    if bare.contains("${") || bare.contains("%{") {
        return Err(invalid("a default is a constant: it has no template"));
    }
    Ok(text.replace("$${", "${").replace("%%{", "%{"))
}
