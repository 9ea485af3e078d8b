//! The names of types in messages.

use std::borrow::Cow;

use super::Type;

impl Type {
    /// The name of the type in messages, in cty's words.
    ///
    /// | type | name |
    /// |---|---|
    /// | primitive, dynamic | its word |
    /// | `list(E)`, `set(E)`, `map(E)` | `list of E`, `set of E`, `map of E` |
    /// | any tuple, any object | `tuple`, `object` |
    /// | capsule | its name |
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let ty: Type = "map(list(object({a = string})))".parse()?;
    /// assert_eq!(ty.friendly_name(), "map of list of object");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn friendly_name(&self) -> Cow<'static, str> {
        name(self, "dynamic", "dynamic")
    }

    /// As [`friendly_name`](Type::friendly_name), for messages about an expected type: `dynamic` is `any type`, and
    /// as an element type `any single type`.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// assert_eq!(Type::Dynamic.friendly_name(), "dynamic");
    /// assert_eq!(Type::Dynamic.friendly_name_for_constraint(), "any type");
    /// assert_eq!(Type::list(Type::Dynamic)?.friendly_name_for_constraint(), "list of any single type");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn friendly_name_for_constraint(&self) -> Cow<'static, str> {
        name(self, "any type", "any single type")
    }
}

/// The name of a type in messages. The parameter `dynamic` is the name of the type dynamic, and `dynamic_element` its
/// name as an element type, such as `any single type`.
fn name(ty: &Type, dynamic: &'static str, dynamic_element: &'static str) -> Cow<'static, str> {
    let mut text = String::new();
    let mut innermost = ty;
    while let Some(element) = innermost.element_type() {
        text.push_str(match innermost {
            Type::List(_) => "list of ",
            Type::Set(_) => "set of ",
            _ => "map of ",
        });
        innermost = element;
    }
    let word = match innermost {
        Type::Dynamic if text.is_empty() => dynamic,
        Type::Dynamic => dynamic_element,
        Type::Capsule(capsule) => capsule.name(),
        other => word(other),
    };
    if text.is_empty() {
        return Cow::Borrowed(word);
    }
    text.push_str(word);
    Cow::Owned(text)
}

/// The keyword of a type's kind, as in the text form and in JSON: `list` for `list(string)`.
pub(crate) fn word(ty: &Type) -> &'static str {
    match ty {
        Type::Dynamic => "dynamic",
        Type::Bool => "bool",
        Type::Number => "number",
        Type::String => "string",
        Type::List(_) => "list",
        Type::Set(_) => "set",
        Type::Map(_) => "map",
        Type::Tuple(_) => "tuple",
        Type::Object(_) => "object",
        Type::Capsule(_) => "capsule",
    }
}

/// The type that this keyword alone denotes: a primitive type or `dynamic`; `None` for other words.
pub(crate) fn from_word(word: &str) -> Option<Type> {
    match word {
        "dynamic" => Some(Type::Dynamic),
        "bool" => Some(Type::Bool),
        "number" => Some(Type::Number),
        "string" => Some(Type::String),
        _ => None,
    }
}
