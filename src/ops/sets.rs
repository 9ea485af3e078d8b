//! Union, intersection and differences of sets.

use super::null_operand;
use crate::error::{Error, Kind, Result};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{SetOperand, SetOperation, Value, operate_on_sets};

impl Value {
    /// The set of all members of two sets.
    ///
    /// | sets | answer |
    /// |---|---|
    /// | wholly known | the set of the members of both |
    /// | not wholly known | the members of both, with the fewest and most that there can be |
    /// | one is unknown, of at most [`COLLAPSE`](crate::limits::COLLAPSE) members | the members of the other, and so many unknown ones |
    /// | unknown | unknown, not null, with the lengths that there can be |
    /// | one is certainly empty | the other |
    ///
    /// The sets have one element type. Where that of one is undecided, it is decided by that of the other:
    /// an empty `set(any)` goes with every set.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let known = Value::set(["a", "b"])?;
    /// let partial = Value::set([Value::from("b"), Value::unknown(Type::String)])?;
    /// let union = known.union(&partial)?;
    /// assert_eq!(union.to_string(), r#"toset(["a", "b", (known after apply)])"#);
    /// assert_eq!(union.length()?.to_string(), "(known after apply, >= 2, <= 3)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Marks of both sets are on the result.
    ///
    /// # Errors
    ///
    /// When an operand is no set or null, or when the element types cannot be one.
    pub fn union(&self, other: &Value) -> Result<Value> {
        operate(SetOperation::Union, self, other)
    }

    /// The set of the members that two sets have in common.
    ///
    /// What is certain to be in both is in the answer. A member that may be there is an unknown that may also be
    /// one of these; where none is certain the answer is unknown, with the most members that there can be.
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

    /// The set of the members that the other set has not.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let zones = Value::set(["a", "b", "c"])?;
    /// assert_eq!(zones.difference(&Value::set(["b"])?)?, Value::set(["a", "c"])?);
    /// // One zone will be taken, and nobody knows which.
    /// let left = zones.difference(&Value::set([Value::unknown(Type::String)])?)?;
    /// assert_eq!(left.length()?.to_string(), "(known after apply, >= 2, <= 3)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// What is certain and what may be there are as in [`intersection`](Value::intersection), element types and marks
    /// as in [`union`](Value::union).
    ///
    /// # Errors
    ///
    /// As for [`union`](Value::union).
    pub fn difference(&self, other: &Value) -> Result<Value> {
        operate(SetOperation::Difference, self, other)
    }

    /// The set of the members that one of the two sets has and the other has not.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let changed = Value::set(["a", "b"])?.symmetric_difference(&Value::set(["b", "c"])?)?;
    /// assert_eq!(changed, Value::set(["a", "c"])?);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// What is certain and what may be there are as in [`intersection`](Value::intersection), element types and marks
    /// as in [`union`](Value::union).
    ///
    /// # Errors
    ///
    /// As for [`union`](Value::union).
    pub fn symmetric_difference(&self, other: &Value) -> Result<Value> {
        operate(SetOperation::SymmetricDifference, self, other)
    }
}

fn operate(operation: SetOperation, a: &Value, b: &Value) -> Result<Value> {
    let (a_type, b_type) = (set_type(a)?, set_type(b)?);
    let (a_bare, b_bare) = (a.clone().unmark().0, b.clone().unmark().0);
    // Each decides what the other leaves open.
    let a_bare = a_bare.assume_type(&b_type).map_err(|error| different(error, a, b))?;
    let b_bare = b_bare.assume_type(&a_type).map_err(|error| different(error, a, b))?;
    let ty = a_bare.ty();
    let Type::Set(set) = &ty else { return Err(no_set(&ty)) };
    if !b_bare.has_type(&ty) {
        return Err(different(no_set(&ty), a, b));
    }
    let result =
        operate_on_sets(operation, set, &SetOperand::of(set, &a_bare), &SetOperand::of(set, &b_bare));
    Ok(result.with_marks(a.marks()).with_marks(b.marks()))
}

/// The type of an operand, as far as it is known.
fn set_type(value: &Value) -> Result<Type> {
    match value.ty() {
        Type::Set(_) | Type::Dynamic if value.range().nullness() == Nullness::Null => {
            Err(null_operand("members"))
        }
        Type::Dynamic => Type::set(Type::Dynamic),
        ty @ Type::Set(_) => Ok(ty),
        ty => Err(no_set(&ty)),
    }
}

#[cold]
fn no_set(found: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("set required, but have {}", found.friendly_name()))
}

#[cold]
fn different(error: Error, a: &Value, b: &Value) -> Error {
    let (a, b) = (a.ty(), b.ty());
    if !error.is_type_mismatch() {
        return error;
    }
    let message =
        format!("sets must have one element type, but have {} and {}", a.friendly_name(), b.friendly_name());
    Error::new(Kind::TypeMismatch, message).with_types(a, b)
}
