//! What types with `dynamic` inside stand for.

use super::Type;

impl Type {
    /// Whether `other` can be had by replacing each `dynamic` of this type by some type.
    ///
    /// Below a list, set or map one `dynamic` is one type for all elements, which is what `list(T)` says for
    /// every `T`; so `list(any)` covers `list(string)` and `list(any)`, but not `tuple([string])`.
    /// A `dynamic` in `other` is covered by `dynamic` only.
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

    /// Whether there is a type that both cover: whether what is not decided in one can agree with the other.
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

/// Whether `other` matches `pattern`, with `dynamic` of `other` free as well when `both` says so.
///
/// Every `dynamic` occurs once in the structure, so the two sides unify place by place: nothing is ever bound twice.
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
