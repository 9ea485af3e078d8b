//! Reading the text form of constraints: from parsed expressions to constraints.

use std::collections::BTreeSet;
use std::str::FromStr;

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::text::{is_word, position};
use crate::types::{Type, did_you_mean};
use crate::value::Value;

use super::syntax::{Expr, ExprKind, parse};

/// Reads the text form.
///
/// | text | message |
/// |---|---|
/// | `strng` | ``unknown type keyword `strng` at column 1; did you mean `string`?`` |
/// | `list`, `list()` | `` `list` requires one argument, the element type, at column 1`` |
/// | `optional(string)` | `` `optional` stands only before the type of an object attribute, but there is one at column 1`` |
/// | `object({a = optional(number, "x")})` | `the default does not fit the type: a number is required at column 30` |
///
/// A default is a constant, or `convert(constant, type)` if its type is more specific than the attribute's, which
/// contains `any`.
///
/// The path of an error leads to the attribute or element of the constraint. A name that is no word is quoted, which
/// HCL does not support.
///
/// # Errors
///
/// [`is_syntax`](Error::is_syntax), [`is_limit`](Error::is_limit) above
/// [`limits::DEPTH`](crate::limits::DEPTH) levels, [`is_type_mismatch`](Error::is_type_mismatch) for a default.
impl FromStr for TypeConstraint {
    type Err = Error;

    fn from_str(text: &str) -> Result<TypeConstraint> {
        ConstraintReader { text }.constraint(parse(text)?)
    }
}

/// Converts parsed expressions to constraints. `text` is the whole text, for the positions in errors.
struct ConstraintReader<'t> {
    text: &'t str,
}

impl ConstraintReader<'_> {
    /// A syntax error with this message and the position of the byte at index `at`.
    #[cold]
    fn error(&self, at: usize, message: &str) -> Error {
        self.error_of(Kind::Syntax, at, message)
    }

    /// An error of this kind with this message and the position of the byte at index `at`.
    #[cold]
    fn error_of(&self, kind: Kind, at: usize, message: &str) -> Error {
        Error::new(kind, format!("{message} at {}", position(self.text, at)))
    }

    /// Converts an expression to a constraint; an error if it describes none.
    fn constraint(&self, Expr { at, kind }: Expr) -> Result<TypeConstraint> {
        match kind {
            ExprKind::Word(word) => self.keyword(at, &word),
            ExprKind::Call(name, args) => self.call(at, &name, args),
            _ => Err(self
                .error(at, "a type is a keyword or a call like `list(string)`, but there is another value")),
        }
    }

    /// Converts a word without arguments to a constraint; `at` is its byte index.
    fn keyword(&self, at: usize, word: &str) -> Result<TypeConstraint> {
        match (primitive(word), word) {
            (Some(ty), _) => Ok(ty.into()),
            (None, "list" | "set" | "map" | "object" | "tuple") => Err(self.arity(at, word)),
            (None, "optional") => Err(self.misplaced_optional(at)),
            _ => Err(self.unknown(at, word)),
        }
    }

    /// The error for a word that is no type keyword, with a suggestion if a keyword is similar.
    #[cold]
    fn unknown(&self, at: usize, word: &str) -> Error {
        let error = self.error(at, &format!("unknown type keyword `{word}`"));
        Error::new(Kind::Syntax, format!("{}{}", error.message(), did_you_mean(word)))
    }

    /// The error for `list`, `set`, `map`, `object` or `tuple` without exactly one argument of the right kind.
    #[cold]
    fn arity(&self, at: usize, name: &str) -> Error {
        let argument = match name {
            "object" => "the attribute types in braces",
            "tuple" => "the element types in brackets",
            _ => "the element type",
        };
        self.error(at, &format!("`{name}` requires one argument, {argument},"))
    }

    /// The error for `optional` elsewhere than at an attribute of an object.
    #[cold]
    fn misplaced_optional(&self, at: usize) -> Error {
        self.error(at, "`optional` stands only before the type of an object attribute, but there is one")
    }

    /// Converts a call such as `list(string)` to a constraint; `at` is its byte index.
    fn call(&self, at: usize, name: &str, args: Vec<Expr>) -> Result<TypeConstraint> {
        if primitive(name).is_some() {
            return Err(self.error(at, &format!("`{name}` takes no arguments, but there are some")));
        }
        match name {
            "list" | "set" | "map" | "object" | "tuple" => {}
            "optional" => return Err(self.misplaced_optional(at)),
            _ => return Err(self.unknown(at, name)),
        }
        let Ok([argument]) = <[Expr; 1]>::try_from(args) else { return Err(self.arity(at, name)) };
        match (name, argument) {
            ("list", element) => TypeConstraint::list(self.constraint(element)?),
            ("set", element) => TypeConstraint::set(self.constraint(element)?),
            ("map", element) => TypeConstraint::map(self.constraint(element)?),
            ("tuple", Expr { kind: ExprKind::List(elements), .. }) => {
                let mut read = Vec::with_capacity(elements.len());
                for (i, element) in elements.into_iter().enumerate() {
                    read.push(self.constraint(element).map_err(|error| error.under(Step::index(i)))?);
                }
                TypeConstraint::tuple(read)
            }
            (_, Expr { kind: ExprKind::Map(entries), .. }) if name == "object" => self.object(entries),
            (_, Expr { at, .. }) => Err(self.arity(at, name)),
        }
    }

    /// Converts the entries of a map expression, name to type, to an object constraint.
    fn object(&self, entries: Vec<(Expr, Expr)>) -> Result<TypeConstraint> {
        let mut seen = BTreeSet::new();
        let mut attributes = Vec::with_capacity(entries.len());
        for (key, expr) in entries {
            let name = match key.kind {
                ExprKind::Word(word) => word,
                ExprKind::Text(text) if !is_word(&text) => text,
                ExprKind::Text(text) => {
                    let message = format!("the attribute name `{text}` needs no quotes, but has some");
                    return Err(self.error(key.at, &message));
                }
                _ => return Err(self.error(key.at, "an attribute name expected, but there is another value")),
            };
            if !seen.insert(crate::text::nfc(&name).into_owned()) {
                return Err(self.error(key.at, &format!("duplicate attribute `{name}`")));
            }
            let read = self.attribute(expr).map_err(|error| error.under(Step::attr(&name)))?;
            attributes.push((name, read));
        }
        TypeConstraint::object(attributes)
    }

    /// Converts the type of an attribute, or a call of `optional` around it, to an attribute constraint.
    fn attribute(&self, Expr { at, kind }: Expr) -> Result<AttributeConstraint> {
        let args = match kind {
            ExprKind::Call(name, args) if name == "optional" => args,
            kind => return self.constraint(Expr { at, kind }).map(AttributeConstraint::required),
        };
        let mut args = args.into_iter();
        match (args.next(), args.next(), args.next()) {
            (None, ..) => Err(self.error(at, "`optional` requires the type of the attribute,")),
            (Some(ty), None, _) => self.constraint(ty).map(AttributeConstraint::optional),
            (Some(ty), Some(default), None) => {
                let at = default.at;
                let (constraint, default) = (self.constraint(ty)?, self.constant(default)?);
                AttributeConstraint::with_default(constraint, &default).map_err(|error| {
                    self.error_of(
                        Kind::TypeMismatch,
                        at,
                        &format!("the default does not fit the type: {error}"),
                    )
                })
            }
            (_, _, Some(third)) => {
                Err(self.error(third.at, "`optional` takes a type and a default, but there is more"))
            }
        }
    }

    /// Converts the expression of a default to a value. It may contain neither references nor calls, except of
    /// `convert`.
    fn constant(&self, Expr { at, kind }: Expr) -> Result<Value> {
        match kind {
            ExprKind::Text(text) => self.untemplated(at, &text).map(Value::from),
            ExprKind::Number(number) => Ok(Value::from(number)),
            ExprKind::Word(word) => match word.as_str() {
                "true" => Ok(Value::from(true)),
                "false" => Ok(Value::from(false)),
                "null" => Ok(Value::null(Type::Dynamic)),
                _ => Err(self.error(at, &format!("a default is a constant, but there is `{word}`"))),
            },
            ExprKind::Call(name, args) if name == "convert" => {
                let Ok([value, ty]) = <[Expr; 2]>::try_from(args) else {
                    return Err(self.error(at, "`convert` requires a constant and a type,"));
                };
                let (value, wanted) = (self.constant(value)?, self.constraint(ty)?);
                convert(&value, &wanted)
            }
            ExprKind::Call(name, _) => {
                Err(self.error(at, &format!("a default is a constant, but there is a call of `{name}`")))
            }
            ExprKind::List(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(self.constant(item)?);
                }
                Value::tuple(values)
            }
            ExprKind::Map(entries) => {
                let mut values = Vec::with_capacity(entries.len());
                for (key, item) in entries {
                    let key = match key.kind {
                        ExprKind::Word(word) => word,
                        ExprKind::Text(text) => self.untemplated(key.at, &text)?,
                        ExprKind::Number(number) => number.to_string(),
                        _ => {
                            return Err(
                                self.error(key.at, "a key is a name or a string, but there is another value")
                            );
                        }
                    };
                    values.push((key, self.constant(item)?));
                }
                Value::object(values)
            }
        }
    }

    /// The string that a quoted template stands for, with `$${` as `${`; an error if it has an interpolation.
    fn untemplated(&self, at: usize, text: &str) -> Result<String> {
        let bare = text.replace("$${", "").replace("%%{", "");
        if bare.contains("${") || bare.contains("%{") {
            return Err(self.error(at, "a default is a constant, but there is a template"));
        }
        Ok(text.replace("$${", "${").replace("%%{", "%{"))
    }
}

/// The type that this keyword alone denotes: a primitive type or dynamic, also as `any`; `None` for other words.
fn primitive(word: &str) -> Option<Type> {
    match word {
        "bool" => Some(Type::Bool),
        "number" => Some(Type::Number),
        "string" => Some(Type::String),
        "any" | "dynamic" => Some(Type::Dynamic),
        _ => None,
    }
}
