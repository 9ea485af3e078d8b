//! Constructors of rules without nested rules: one for each keyword.

use crate::number::Number;
use crate::types::Type;
use crate::value::Value;

use crate::rule::{Format, Networks, PathExpr, Pattern, Requirement, Rule, Schemes, Unit, Words};

impl Rule {
    /// The value equals this one, as [`Value::equals`] understands it.
    pub fn equals(operand: impl Into<Value>) -> Rule {
        Rule::Equals(operand.into())
    }

    /// The value equals one of these.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// assert!(Rule::one_of(["a", "b"]).check_value(&Value::from("b"))?.is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn one_of(operands: impl IntoIterator<Item = impl Into<Value>>) -> Rule {
        Rule::OneOf(operands.into_iter().map(Into::into).collect())
    }

    /// The value equals none of these.
    pub fn none_of(operands: impl IntoIterator<Item = impl Into<Value>>) -> Rule {
        Rule::NoneOf(operands.into_iter().map(Into::into).collect())
    }

    /// The value is of this type, or of one that this type covers.
    pub fn type_is(ty: Type) -> Rule {
        Rule::TypeIs(ty)
    }

    /// The string is not empty, or the number is not 0.
    pub fn not_zero() -> Rule {
        Rule::NotZero
    }

    /// The string has this prefix.
    pub fn starts_with(prefix: impl Into<String>) -> Rule {
        Rule::StartsWith(prefix.into())
    }

    /// The string has this suffix.
    pub fn ends_with(suffix: impl Into<String>) -> Rule {
        Rule::EndsWith(suffix.into())
    }

    /// The string is this one or sorts after it, by code points.
    pub fn not_before(first: impl Into<String>) -> Rule {
        Rule::NotBefore(first.into())
    }

    /// The string is this one or sorts before it, by code points.
    pub fn not_after(last: impl Into<String>) -> Rule {
        Rule::NotAfter(last.into())
    }

    /// The pattern finds a match in the string.
    pub fn matches(pattern: Pattern) -> Rule {
        Rule::Matches(pattern)
    }

    /// The string has this format.
    pub fn format(format: Format) -> Rule {
        Rule::Format(format)
    }

    /// The string is one of these words, ignoring case.
    pub fn one_of_ignoring_case(words: Words) -> Rule {
        Rule::OneOfIgnoringCase(words)
    }

    /// The string is none of these words, ignoring case.
    pub fn none_of_ignoring_case(words: Words) -> Rule {
        Rule::NoneOfIgnoringCase(words)
    }

    /// The string is a URL with a host and one of these schemes.
    pub fn url(schemes: Schemes) -> Rule {
        Rule::Url(schemes)
    }

    /// The string is the CIDR block of a network, with a prefix length in this range.
    pub fn cidr_network(networks: Networks) -> Rule {
        Rule::CidrNetwork(networks)
    }

    /// The string has at least this many code points, or the collection this many elements.
    pub fn min_len(length: u64) -> Rule {
        Rule::MinLen(length)
    }

    /// The string has at most this many code points, or the collection this many elements.
    pub fn max_len(length: u64) -> Rule {
        Rule::MaxLen(length)
    }

    /// The string has exactly this many code points, or the collection this many elements.
    pub fn len(length: u64) -> Rule {
        Rule::Len(length)
    }

    /// The string has at least this length in a unit.
    pub fn min_len_in(unit: Unit, length: u64) -> Rule {
        Rule::MinLenIn(unit, length)
    }

    /// The string has at most this length in a unit.
    pub fn max_len_in(unit: Unit, length: u64) -> Rule {
        Rule::MaxLenIn(unit, length)
    }

    /// The string has exactly this length in a unit.
    pub fn len_in(unit: Unit, length: u64) -> Rule {
        Rule::LenIn(unit, length)
    }

    /// The number is at least this one.
    pub fn min(least: impl Into<Number>) -> Rule {
        Rule::Min(least.into())
    }

    /// The number is at most this one.
    pub fn max(most: impl Into<Number>) -> Rule {
        Rule::Max(most.into())
    }

    /// The number is a multiple of this one. The only multiple of 0, and of an infinity, is 0.
    pub fn multiple_of(divisor: impl Into<Number>) -> Rule {
        Rule::MultipleOf(divisor.into())
    }

    /// The number is even.
    pub fn even() -> Rule {
        Rule::Even
    }

    /// The number is an integer that is not even.
    pub fn odd() -> Rule {
        Rule::Odd
    }

    /// The number is an integer from 1 to 65535.
    pub fn port() -> Rule {
        Rule::Port
    }

    /// The number is an integer from 0 to 65535.
    pub fn port_or_zero() -> Rule {
        Rule::PortOrZero
    }

    /// The string contains this string; the list, set or tuple has an element that equals this value.
    pub fn contains(wanted: impl Into<Value>) -> Rule {
        Rule::Contains(wanted.into())
    }

    /// No element, member, entry or attribute is null.
    pub fn no_nulls() -> Rule {
        Rule::NoNulls
    }

    /// No two elements are equal; two nulls are.
    pub fn unique() -> Rule {
        Rule::Unique
    }

    /// The map has this key, or the object this attribute, whatever its value.
    pub fn has_key(key: impl Into<String>) -> Rule {
        Rule::HasKey(key.into())
    }

    /// Exactly one entry of the map or attribute of the object is not null.
    pub fn one_not_null() -> Rule {
        Rule::OneNotNull(None)
    }

    /// Exactly one entry or attribute with one of these keys is not null. A missing key is null.
    pub fn one_not_null_of(keys: impl IntoIterator<Item = impl Into<String>>) -> Rule {
        Rule::OneNotNull(Some(keys.into_iter().map(Into::into).collect()))
    }

    /// Exactly one of these parts is not null.
    pub fn exactly_one_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::ExactlyOneOf(paths.into_iter().collect())
    }

    /// At least one of these parts is not null.
    pub fn at_least_one_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::AtLeastOneOf(paths.into_iter().collect())
    }

    /// At most one of these parts is not null.
    pub fn conflicting(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Conflicting(paths.into_iter().collect())
    }

    /// All of these parts are null, or none is.
    pub fn required_together(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::RequiredTogether(paths.into_iter().collect())
    }

    /// If the part at the first path is not null, the others are not null either.
    pub fn also_requires(path: PathExpr, others: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::AlsoRequires(path, others.into_iter().collect())
    }

    /// If a part equals one of some values, some others are not null.
    pub fn required_when(requirement: Requirement) -> Rule {
        Rule::RequiredWhen(Box::new(requirement))
    }

    /// The part at the first path is null. If not, a warning names the write-only part at the second path to use.
    pub fn prefer_write_only(path: PathExpr, alternative: PathExpr) -> Rule {
        Rule::PreferWriteOnly(path, alternative)
    }

    /// The number is at least the sum of the numbers at these paths; a null counts as 0.
    pub fn at_least_sum_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::AtLeastSumOf(paths.into_iter().collect())
    }

    /// The number is at most the sum of the numbers at these paths; a null counts as 0.
    pub fn at_most_sum_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::AtMostSumOf(paths.into_iter().collect())
    }

    /// The number is the sum of the numbers at these paths; a null counts as 0.
    pub fn equal_to_sum_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::EqualToSumOf(paths.into_iter().collect())
    }

    /// The number is the product of the numbers at these paths; it passes if one of those is null.
    pub fn equal_to_product_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::EqualToProductOf(paths.into_iter().collect())
    }

    /// On a change: the number does not become smaller.
    pub fn only_increase() -> Rule {
        Rule::OnlyIncrease
    }

    /// On a change: the number does not become larger.
    pub fn only_decrease() -> Rule {
        Rule::OnlyDecrease
    }

    /// On a change: the number is a multiple of the number before.
    pub fn multiple_of_old() -> Rule {
        Rule::MultipleOfOld
    }

    /// On a change: the value equals the value before.
    pub fn immutable() -> Rule {
        Rule::Immutable
    }
}
