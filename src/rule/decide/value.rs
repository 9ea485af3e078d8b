//! Rules that compare with operands (`equals`, `one_of`, `none_of`), and `not_zero`, `type_is`.

use crate::refinement::{Range, Refinement};
use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{equal, is_always_null};

use crate::rule::Rule;
use crate::rule::describe::comma_list;
use crate::rule::evaluate::Decision;
use crate::rule::keywords::operand::Operand;
use crate::rule::keywords::{Keyword, row};

/// A rule on values of any type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueRule {
    /// The value equals this one, as [`Value::equals`] understands it. Reads values of the operand's type.
    Equals(Value),
    /// The value equals one of these. Reads values of the type of some operand.
    OneOf(Vec<Value>),
    /// The value equals none of these. Reads values of the type of some operand.
    NoneOf(Vec<Value>),
    /// The type of the value is this one, or one that this type covers.
    TypeIs(Type),
    /// The string is not empty, or the number is not 0.
    NotZero,
}

impl Rule {
    /// The value equals this one, as [`Value::equals`] understands it.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Refinement, Type, Value};
    ///
    /// assert!(Rule::equals(true).check_value(&Value::from(true))?.is_pass());
    /// let vpc = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
    /// assert!(Rule::equals("subnet-1").check_value(&vpc)?.is_fail());
    /// assert!(Rule::none_of(["subnet-1", "default"]).check_value(&vpc)?.is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn equals(operand: impl Into<Value>) -> Rule {
        Rule::Value(ValueRule::Equals(operand.into()))
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
        Rule::Value(ValueRule::OneOf(operands.into_iter().map(Into::into).collect()))
    }

    /// The value equals none of these.
    ///
    /// [Example](Rule::equals)
    pub fn none_of(operands: impl IntoIterator<Item = impl Into<Value>>) -> Rule {
        Rule::Value(ValueRule::NoneOf(operands.into_iter().map(Into::into).collect()))
    }

    /// The value is of this type, or of one that this type covers.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Type, Value};
    ///
    /// let texts = Rule::type_is("list(any)".parse()?);
    /// assert!(texts.check_value(&Value::list(["a"])?)?.is_pass());
    /// assert!(texts.check_value(&Value::from("a"))?.is_fail());
    /// assert!(texts.check_value(&Value::dynamic())?.is_undetermined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn type_is(ty: Type) -> Rule {
        Rule::Value(ValueRule::TypeIs(ty))
    }

    /// The string is not empty, or the number is not 0.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// assert!(Rule::not_zero().check_value(&Value::from("web"))?.is_pass());
    /// assert!(Rule::not_zero().check_value(&Value::from(""))?.is_fail());
    /// assert!(Rule::not_zero().check_value(&Value::from(0))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn not_zero() -> Rule {
        Rule::Value(ValueRule::NotZero)
    }
}

impl ValueRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(&self) -> &'static Keyword {
        match self {
            ValueRule::Equals(_) => const { row("equals") },
            ValueRule::OneOf(_) => const { row("one_of") },
            ValueRule::NoneOf(_) => const { row("none_of") },
            ValueRule::TypeIs(_) => const { row("type_is") },
            ValueRule::NotZero => const { row("not_zero") },
        }
    }

    /// The argument of the rule, such as the value of `equals`; none for `not_zero`.
    pub(in crate::rule) fn operand(&self) -> Operand<'_> {
        match self {
            ValueRule::Equals(operand) => Operand::Value(operand),
            ValueRule::OneOf(operands) | ValueRule::NoneOf(operands) => Operand::Values(operands),
            ValueRule::TypeIs(ty) => Operand::Type(ty),
            ValueRule::NotZero => Operand::None,
        }
    }

    /// The values that the rule compares with; none for `type_is` and `not_zero`.
    pub(in crate::rule) fn operands(&self) -> &[Value] {
        match self {
            ValueRule::Equals(operand) => std::slice::from_ref(operand),
            ValueRule::OneOf(operands) | ValueRule::NoneOf(operands) => operands,
            ValueRule::TypeIs(_) | ValueRule::NotZero => &[],
        }
    }

    /// Whether the rule holds for a value that is not null. `None` if that depends on unknowns; a list of operands then
    /// ends the comparison at the first one that the value may equal.
    pub(in crate::rule) fn holds(&self, value: &Value) -> Option<bool> {
        match self {
            ValueRule::Equals(operand) => equals(value, operand),
            ValueRule::OneOf(operands) => equals_one_of(value, operands),
            ValueRule::NoneOf(operands) => equals_one_of(value, operands).map(|is| !is),
            ValueRule::TypeIs(ty) => type_is(value, ty),
            ValueRule::NotZero => not_zero(value),
        }
    }

    /// Whether the rule holds for a value that is not null; if that depends on unknowns, also which operands the value
    /// may still equal.
    pub(in crate::rule) fn decide(&self, value: &Value) -> Decision {
        match self {
            ValueRule::Equals(_) | ValueRule::OneOf(_) => {
                compare_with_operands(value, self.operands(), ValueRule::OneOf)
            }
            ValueRule::NoneOf(operands) => {
                let known = compare_with_operands(value, operands, ValueRule::NoneOf);
                Decision { holds: known.holds.map(|holds| !holds), ..known }
            }
            ValueRule::TypeIs(_) | ValueRule::NotZero => self.holds(value).into(),
        }
    }
}

/// Whether the value equals one of the operands. `None`, without a look at the others, at the first that it may equal.
fn equals_one_of(value: &Value, operands: &[Value]) -> Option<bool> {
    if has_outcomes_among(value, operands) {
        return Some(true);
    }
    for operand in operands {
        if equals(value, operand)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether an unknown string or number can only become values that equal an operand; false if it can become too many.
fn has_outcomes_among(value: &Value, operands: &[Value]) -> bool {
    let is_operand = |one: Value| operands.iter().any(|operand| equals(&one, operand) == Some(true));
    match value.refinement().map(Refinement::range) {
        Some(Range::Language(known)) => known
            .language()
            .members()
            .is_some_and(|members| members.into_iter().map(Value::from).all(is_operand)),
        Some(range @ (Range::Multiples(_) | Range::Numbers(_))) => range
            .few_numbers(operands.len())
            .is_some_and(|members| members.into_iter().map(Value::from).all(is_operand)),
        _ => false,
    }
}

/// Whether a value that is not null equals the operand; a null operand never does. `None` if that depends on unknowns.
fn equals(value: &Value, operand: &Value) -> Option<bool> {
    if is_always_null(operand) { Some(false) } else { equal(value, operand) }
}

/// Whether a value that is not null is neither the empty string nor 0. `None` if that depends on unknowns, or the value
/// is of another type.
fn not_zero(value: &Value) -> Option<bool> {
    let zero = match value.ty() {
        Type::String => Value::from(""),
        Type::Number => Value::from(0),
        _ => return None,
    };
    equal(value, &zero).map(|is| !is)
}

/// Whether the type of a value that is not null is `ty` or one that `ty` covers. `None` while its type contains dynamic
/// and may still turn out to be covered by `ty`.
fn type_is(value: &Value, ty: &Type) -> Option<bool> {
    let own = value.ty();
    if ty.covers(&own) {
        Some(true)
    } else if value.is_wholly_known() || !own.compatible(ty) {
        Some(false)
    } else {
        None
    }
}

/// Whether the value equals one of the operands. If that depends on unknowns, the decision contains `rule` built from
/// the operands that the value may still equal, and a note that lists them.
fn compare_with_operands(value: &Value, operands: &[Value], rule: fn(Vec<Value>) -> ValueRule) -> Decision {
    if has_outcomes_among(value, operands) {
        return Some(true).into();
    }
    let mut survivors = Vec::new();
    for operand in operands {
        match equals(value, operand) {
            Some(true) => return Some(true).into(),
            Some(false) => {}
            None => survivors.push(operand.clone()),
        }
    }
    if survivors.is_empty() {
        return Some(false).into();
    }
    // While the type is dynamic, every operand decides which types the rule can read, so none is left out.
    let fewer = survivors.len() < operands.len() && !value.ty().has_dynamic();
    let note = fewer.then(|| format!("it may still be {}", comma_list(&survivors)));
    Decision { holds: None, narrowed: fewer.then(|| Rule::Value(rule(survivors))), note }
}
