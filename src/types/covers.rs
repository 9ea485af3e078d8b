//! Which types a type with `dynamic` inside stands for.

use super::Type;

impl Type {
    /// Whether replacing each `dynamic` in this type by some type can give `other`.
    ///
    /// In a list, set or map one `dynamic` is one type for all elements; so `list(any)` covers `list(string)` and
    /// `list(any)`, but not `tuple([string])`. Only `dynamic` covers a `dynamic` in `other`.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let pattern: Type = "object({a = any, b = list(any)})".parse()?;
    /// assert!(pattern.covers(&"object({a = bool, b = list(number)})".parse()?));
    /// assert!(!pattern.covers(&"object({a = bool, b = set(number)})".parse()?));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn covers(&self, other: &Type) -> bool {
        matches(self, other, false)
    }

    /// Whether some type is covered by both: whether replacing each `dynamic` in both types can make them equal.
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let left: Type = "tuple([string, any])".parse()?;
    /// assert!(left.compatible(&"tuple([any, number])".parse()?));
    /// assert!(!left.compatible(&"tuple([bool, any])".parse()?));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn compatible(&self, other: &Type) -> bool {
        matches(self, other, true)
    }
}

/// Whether replacing each `dynamic` in `pattern`, and if `both` also in `other`, can make both types equal.
///
/// Each `dynamic` is replaced independently, so the types are compared place by place, without bindings.
fn matches(pattern: &Type, other: &Type, both: bool) -> bool {
    if pattern.is_same(other) {
        return true;
    }
    if !(pattern.has_dynamic() || both && other.has_dynamic()) {
        return pattern == other;
    }
    match (pattern, other) {
        (Type::Dynamic, _) => true,
        (_, Type::Dynamic) => both,
        (Type::List(a), Type::List(b)) => matches(a.element(), b.element(), both),
        (Type::Set(a), Type::Set(b)) => matches(a.element(), b.element(), both),
        (Type::Map(a), Type::Map(b)) => matches(a.element(), b.element(), both),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| matches(a, b, both))
        }
        (Type::Object(a), Type::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && matches(a, b, both))
        }
        _ => false,
    }
}
