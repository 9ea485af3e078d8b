//! Writing the text form of types: `list(object({a = string, "odd name" = dynamic}))`.

use std::fmt;

use super::Type;
use super::names::word;
use crate::text::{Quoted, nearest, write_word};

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(self, f)
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(self, f)
    }
}

/// Writes the text form of a type.
fn write_type(ty: &Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(word(ty))?;
    match ty {
        Type::Dynamic | Type::Bool | Type::Number | Type::String => return Ok(()),
        Type::List(list) => write_element(list.element(), f)?,
        Type::Set(set) => write_element(set.element(), f)?,
        Type::Map(map) => write_element(map.element(), f)?,
        Type::Tuple(tuple) => {
            f.write_str("([")?;
            for (index, element) in tuple.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                write_type(element, f)?;
            }
            f.write_str("]")?;
        }
        Type::Object(object) => {
            f.write_str("({")?;
            for (index, (name, attribute)) in object.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                write_word(f, name)?;
                f.write_str(" = ")?;
                write_type(attribute, f)?;
            }
            f.write_str("}")?;
        }
        Type::Capsule(capsule) => write!(f, "({}", Quoted(capsule.name()))?,
    }
    f.write_str(")")
}

/// Writes `(` and the text form of the element type.
fn write_element(element: &Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("(")?;
    write_type(element, f)
}

/// The suggestion `; did you mean …?` for a message about an unknown type keyword; empty if no keyword is similar.
#[cold]
pub(crate) fn did_you_mean(word: &str) -> String {
    const KEYWORDS: [&str; 10] =
        ["any", "bool", "dynamic", "list", "map", "number", "object", "set", "string", "tuple"];
    nearest(word, KEYWORDS).map_or_else(String::new, |keyword| format!("; did you mean `{keyword}`?"))
}
