//! Rules on the elements, entries and attributes of a value, and the evaluation of `contains`.

use crate::types::Type;
use crate::value::equality::{any_equal, equal};
use crate::value::{Value, View, membership, view_below_marks};

use super::{parts, unique};
use crate::rule::Rule;
use crate::rule::evaluate::known_text;
use crate::rule::keywords::operand::Operand;
use crate::rule::keywords::{Keyword, row};

/// A rule on the elements of a list, set or tuple, or on the entries of a map or the attributes of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MembersRule {
    /// A string contains this string; or a list, set or tuple has an element that equals this value.
    Contains(Value),
    /// No element, member, entry or attribute is null.
    NoNulls,
    /// No two elements of a list, set or tuple are equal; two nulls are.
    Unique,
    /// A map has this key, or an object this attribute; its value may be null.
    HasKey(String),
    /// Exactly one entry of a map or attribute of an object is not null: of those with these keys, or of all (`None`).
    /// A missing key counts as null.
    OneNotNull(Option<Vec<String>>),
}

impl Rule {
    /// The string contains this string; the list, set or tuple has an element that equals this value.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Type, Value};
    ///
    /// let zones = Value::list([Value::from("a"), Value::unknown(Type::String)])?;
    /// assert!(Rule::contains("a").check_value(&zones)?.is_pass());
    /// assert!(Rule::contains("b").check_value(&zones)?.is_undetermined());
    /// assert!(Rule::contains("db").check_value(&Value::from("web-1"))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn contains(wanted: impl Into<Value>) -> Rule {
        Rule::Members(MembersRule::Contains(wanted.into()))
    }

    /// No element, member, entry or attribute is null.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Type, Value};
    ///
    /// let zones = |last: Value| Value::list([Value::from("a"), last]);
    /// assert!(Rule::no_nulls().check_value(&zones("b".into())?)?.is_pass());
    /// assert!(Rule::no_nulls().check_value(&zones(Value::null(Type::String))?)?.is_fail());
    /// assert!(Rule::no_nulls().check_value(&zones(Value::unknown(Type::String))?)?.is_undetermined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn no_nulls() -> Rule {
        Rule::Members(MembersRule::NoNulls)
    }

    /// No two elements are equal; two nulls are.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Type, Value};
    ///
    /// assert!(Rule::unique().check_value(&Value::list([80, 443])?)?.is_pass());
    /// assert!(Rule::unique().check_value(&Value::list([80, 443, 80])?)?.is_fail());
    /// let ports = Value::list([Value::from(80), Value::unknown(Type::Number)])?;
    /// assert!(Rule::unique().check_value(&ports)?.is_undetermined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn unique() -> Rule {
        Rule::Members(MembersRule::Unique)
    }

    /// The map has this key, or the object this attribute; its value may be null.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// let tags = Value::map([("Name", "web"), ("Owner", "ops")])?;
    /// assert!(Rule::has_key("Owner").check_value(&tags)?.is_pass());
    /// assert!(Rule::has_key("Cost").check_value(&tags)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn has_key(key: impl Into<String>) -> Rule {
        Rule::Members(MembersRule::HasKey(key.into()))
    }

    /// Exactly one entry of the map or attribute of the object is not null.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::value;
    ///
    /// let volume = value!({ "disk": "vol-1", "share": null, "name": "data" })?;
    /// assert!(Rule::one_not_null().check_value(&volume)?.is_fail());
    /// assert!(Rule::one_not_null_of(["disk", "share"]).check_value(&volume)?.is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn one_not_null() -> Rule {
        Rule::Members(MembersRule::OneNotNull(None))
    }

    /// Exactly one entry or attribute with one of these keys is not null. A missing key is null.
    ///
    /// [Example](Rule::one_not_null)
    pub fn one_not_null_of(keys: impl IntoIterator<Item = impl Into<String>>) -> Rule {
        Rule::Members(MembersRule::OneNotNull(Some(keys.into_iter().map(Into::into).collect())))
    }
}

impl MembersRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(&self) -> &'static Keyword {
        match self {
            MembersRule::Contains(_) => const { row("contains") },
            MembersRule::NoNulls => const { row("no_nulls") },
            MembersRule::Unique => const { row("unique") },
            MembersRule::HasKey(_) => const { row("has_key") },
            MembersRule::OneNotNull(_) => const { row("one_not_null") },
        }
    }

    /// The argument of the rule, such as the key of `has_key`; none for rules without one.
    pub(in crate::rule) fn operand(&self) -> Operand<'_> {
        match self {
            MembersRule::Contains(wanted) => Operand::Value(wanted),
            MembersRule::HasKey(key) => Operand::Text(key),
            MembersRule::OneNotNull(keys) => Operand::Keys(keys.as_deref()),
            MembersRule::NoNulls | MembersRule::Unique => Operand::None,
        }
    }

    /// Whether the rule holds for a value that is not null. `None` if that depends on unknowns.
    pub(in crate::rule) fn holds(&self, value: &Value) -> Option<bool> {
        match self {
            MembersRule::Contains(wanted) => contains(value, wanted),
            MembersRule::NoNulls => parts::no_nulls(value),
            MembersRule::Unique => unique::unique(value),
            MembersRule::HasKey(key) => parts::has_key(value, key),
            MembersRule::OneNotNull(keys) => parts::one_not_null(value, keys.as_deref()),
        }
    }
}

/// Whether a value that is not null contains `wanted`: a string as a substring, a list, set or tuple as an element.
/// `None` if that depends on unknowns, or the value is of another type.
fn contains(value: &Value, wanted: &Value) -> Option<bool> {
    match view_below_marks(value) {
        View::List(list) => any_equal(list.iter(), wanted),
        View::Tuple(tuple) => any_equal(tuple.iter(), wanted),
        View::Set(set) if wanted.is_null() && set.element_type().has_dynamic() => {
            any_equal(set.iter(), wanted)
        }
        View::Set(set) => {
            // Nulls are equal whatever their types; the lookup in the set compares types.
            let null = wanted.is_null().then(|| Value::null(set.element_type().clone()));
            match membership::in_set(set.node(), null.as_ref().unwrap_or(wanted)) {
                (false, _) => Some(false),
                (true, can_lack) => (!can_lack).then_some(true),
            }
        }
        View::String(_) => super::text::contains(value, known_text(wanted)?),
        View::Unknown(range) if range.length_range().and_then(|length| length.upper()) == Some(0) => {
            Some(false)
        }
        View::Unknown(range) => match range.ty() {
            Type::String => super::text::contains(value, known_text(wanted)?),
            Type::List(ty) => never_contains(&range.unknown_element(ty.element()), wanted),
            Type::Set(ty) => never_contains(&range.unknown_element(ty.element()), wanted),
            Type::Tuple(ty) => {
                let parts: Vec<Value> = ty.iter().cloned().map(Value::unknown).collect();
                any_equal(parts.iter(), wanted)
            }
            _ => None,
        },
        _ => None,
    }
}

/// For an unknown list or set with such elements: `Some(false)` if none of them equals `wanted`, else `None`, since it may
/// contain any of them.
fn never_contains(element: &Value, wanted: &Value) -> Option<bool> {
    (equal(element, wanted) == Some(false)).then_some(false)
}
