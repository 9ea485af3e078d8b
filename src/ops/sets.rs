//! The operations union, intersection and differences of sets.

use super::null_operand;
use crate::error::{Error, Kind, Result};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{SetOperand, SetOperation, Value, operate_on_sets};

impl Value {
    /// The union of two sets: all members of both.
    ///
    /// | sets | result |
    /// |---|---|
    /// | wholly known | the set of the members of both |
    /// | not wholly known | the members of both, with the minimum and maximum length of the union |
    /// | one is unknown, of at most [`COLLAPSE`](crate::limits::COLLAPSE) members | the members of the other, and that many unknown members |
    /// | unknown | unknown, not null, with the minimum and maximum length of the union |
    /// | one is certainly empty | the other set |
    ///
    /// Both sets must have the same element type. A `dynamic` in one element type takes the type it has in the other
    /// one: an empty `set(any)` can be combined with every set.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let known = Value::set(["a", "b"])?;
    /// let partial = Value::set([Value::from("b"), Value::unknown(Type::String)])?;
    /// let union = known.union(&partial)?;
    /// assert_eq!(union.to_string(), r#"toset(["a", "b", (known after apply)])"#);
    /// assert_eq!(union.length()?.to_string(), "(known after apply, whole number, >= 2, <= 3)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// The result carries the marks of both sets.
    ///
    /// # Errors
    ///
    /// When an operand is no set or null, or when the element types can never be the same.
    pub fn union(&self, other: &Value) -> Result<Value> {
        operate(SetOperation::Union, self, other)
    }

    /// The intersection of two sets: the members that both have.
    ///
    /// A member that is certainly in both sets is in the result. A member that may be in both becomes an unknown
    /// member that may also equal one of the certain ones. Without certain members the result is unknown, with a
    /// maximum length.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let known = Value::set(["a", "b"])?;
    /// assert_eq!(known.intersection(&Value::set(["b", "c"])?)?, Value::set(["b"])?);
    /// let vpc = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
    /// let none = known.intersection(&Value::set([vpc])?)?;
    /// assert_eq!(none.length()?, Value::from(0));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Element types and marks are as in [`union`](Value::union).
    ///
    /// # Errors
    ///
    /// As for [`union`](Value::union).
    pub fn intersection(&self, other: &Value) -> Result<Value> {
        operate(SetOperation::Intersection, self, other)
    }

    /// The difference of two sets: the members of this set that the other set does not have.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let zones = Value::set(["a", "b", "c"])?;
    /// assert_eq!(zones.difference(&Value::set(["b"])?)?, Value::set(["a", "c"])?);
    /// // One zone will be taken, and nobody knows which.
    /// let left = zones.difference(&Value::set([Value::unknown(Type::String)])?)?;
    /// assert_eq!(left.length()?.to_string(), "(known after apply, whole number, >= 2, <= 3)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Certain and possible members are treated as in [`intersection`](Value::intersection), element types and marks
    /// as in [`union`](Value::union).
    ///
    /// # Errors
    ///
    /// As for [`union`](Value::union).
    pub fn difference(&self, other: &Value) -> Result<Value> {
        operate(SetOperation::Difference, self, other)
    }

    /// The symmetric difference of two sets: the members that are in exactly one of them.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let changed = Value::set(["a", "b"])?.symmetric_difference(&Value::set(["b", "c"])?)?;
    /// assert_eq!(changed, Value::set(["a", "c"])?);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Certain and possible members are treated as in [`intersection`](Value::intersection), element types and marks
    /// as in [`union`](Value::union).
    ///
    /// # Errors
    ///
    /// As for [`union`](Value::union).
    pub fn symmetric_difference(&self, other: &Value) -> Result<Value> {
        operate(SetOperation::SymmetricDifference, self, other)
    }
}

/// Applies a set operation after both operands have got the same type.
fn operate(operation: SetOperation, a: &Value, b: &Value) -> Result<Value> {
    let (a_type, b_type) = (set_type(a)?, set_type(b)?);
    let (a_bare, b_bare) = (a.clone().unmark().0, b.clone().unmark().0);
    // A `dynamic` in the type of one set takes the type it has in the other set.
    let a_bare = a_bare.assume_type(&b_type).map_err(|error| different_types(error, a, b))?;
    let b_bare = b_bare.assume_type(&a_type).map_err(|error| different_types(error, a, b))?;
    let ty = a_bare.ty();
    let Type::Set(set) = &ty else { return Err(set_required(&ty)) };
    if !b_bare.has_type(&ty) {
        return Err(different_types(set_required(&ty), a, b));
    }
    let result =
        operate_on_sets(operation, set, &SetOperand::of(set, &a_bare), &SetOperand::of(set, &b_bare));
    Ok(result.with_marks(a.marks()).with_marks(b.marks()))
}

/// The set type of an operand, with `dynamic` as the element type if its type is unknown.
fn set_type(value: &Value) -> Result<Type> {
    match value.ty() {
        Type::Set(_) | Type::Dynamic if value.range().nullness() == Nullness::Null => {
            Err(null_operand("members"))
        }
        Type::Dynamic => Type::set(Type::Dynamic),
        ty @ Type::Set(_) => Ok(ty),
        ty => Err(set_required(&ty)),
    }
}

/// The error for an operand of a type other than set.
#[cold]
fn set_required(found: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("set required, but have {}", found.friendly_name()))
}

/// The error for sets of different element types; other errors stay as they are.
#[cold]
fn different_types(error: Error, a: &Value, b: &Value) -> Error {
    let (a, b) = (a.ty(), b.ty());
    if !error.is_type_mismatch() {
        return error;
    }
    let message =
        format!("sets must have one element type, but have {} and {}", a.friendly_name(), b.friendly_name());
    Error::new(Kind::TypeMismatch, message).with_types(a, b)
}
