//! Assumptions: what the author of a configuration knows beyond the plan, checked again at apply.
//!
//! An assumption narrows an unknown value and checks a known value. If it succeeds at plan with the result `w`, then at
//! apply, for every value that the unknown may become, the same assumption succeeds exactly if that value is an outcome
//! of `w` (L8). Exception: what is assumed of elements whose type is not known is checked at apply only. Null satisfies every assumption except *not null*, at plan and at apply.

use crate::error::{Error, Kind, Result};
use crate::refinement::{LengthRange, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, narrowed, needs_type};

mod types;

pub(crate) use types::{resolve_dynamic, resolve_types, unknown_or_null_of_type};

impl Value {
    /// The value narrowed by an assumption, or an error if the value contradicts it.
    ///
    /// | value | result |
    /// |---|---|
    /// | unknown | narrowed, which may make it known ([`Value::refined`]) |
    /// | known, and the assumption holds | the value itself; a set with undecided members with a narrower length |
    /// | null | the value itself, unless *not null* is assumed |
    /// | a value that contradicts the assumption | an error |
    /// | unknown of unknown type | an error that asks for a type, unless null is assumed |
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let vpc: Refinement = r#"notnull(stringprefix("vpc-"))"#.parse()?;
    /// let id = Value::unknown(Type::String).assume(&vpc)?;
    /// assert_eq!(id.not_equal(&Value::from(""))?, Value::from(true));
    /// assert_eq!(Value::from("vpc-1").assume(&vpc)?, Value::from("vpc-1"));
    /// assert!(Value::from("v").assume(&vpc).unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Marks are kept.
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) when the assumption cannot be upheld,
    /// [`is_type_mismatch`](Error::is_type_mismatch) when it is of another kind than the value,
    /// [`needs_type`](Error::needs_type) when the type of the value is not known.
    pub fn assume(&self, assumption: &Refinement) -> Result<Value> {
        narrowed(self, assumption)
    }

    /// The same; where the type of the value is not known, the kind of the assumption says it: a prefix or pattern is assumed
    /// of a string, a range of a number.
    #[doc(hidden)]
    pub fn assume_with_type(&self, assumption: &Refinement) -> Result<Value> {
        match (self, assumption.range()) {
            (Value::Dynamic(_), Range::Prefix(_) | Range::Language(_)) => {
                self.assume_type(&Type::String)?.assume(assumption)
            }
            (Value::Dynamic(_), Range::Number(_) | Range::Multiples(_) | Range::Numbers(_)) => {
                self.assume_type(&Type::Number)?.assume(assumption)
            }
            _ => self.assume(assumption),
        }
    }

    /// Assumes that the value is not null.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let id = Value::unknown(Type::String);
    /// assert!(!id.equals(&Value::null(Type::String))?.is_known());
    /// let id = id.assume_not_null()?;
    /// assert_eq!(id.equals(&Value::null(Type::String))?, Value::from(false));
    /// assert!(Value::null(Type::String).assume_not_null().unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_not_null(&self) -> Result<Value> {
        self.assume(&Refinement::not_null())
    }

    /// An unknown of the type that is not null; for `dynamic` one that may be null.
    #[doc(hidden)]
    pub fn unknown_not_null(ty: Type) -> Value {
        let unknown = Value::unknown(ty);
        unknown.assume_not_null().unwrap_or(unknown)
    }

    /// Assumes that a string, unless null, starts with `prefix`, the whole of it.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let id = Value::unknown(Type::String).assume_string_prefix("vpc-")?.assume_not_null()?;
    /// assert_eq!(id.to_string(), r#""vpc-${(known after apply)}""#);
    /// assert!(Value::from("subnet-1").assume_string_prefix("vpc-").unwrap_err().is_contradiction());
    /// assert!(Value::from(1).assume_string_prefix("vpc-").unwrap_err().is_type_mismatch());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_string_prefix(&self, prefix: &str) -> Result<Value> {
        self.assume_of_type(&Type::String, &Refinement::prefix(prefix))
    }

    /// Assumes that a number, unless null, is in an interval.
    ///
    /// ```
    /// use plantime::{NumberRange, Type, Value};
    ///
    /// let size = Value::unknown(Type::Number).assume_number_range(NumberRange::at_least(20))?;
    /// assert_eq!(size.assume_not_null()?.less_than(&Value::from(10))?, Value::from(false));
    /// assert!(Value::from(8).assume_number_range(NumberRange::at_least(20)).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_number_range(&self, range: NumberRange) -> Result<Value> {
        self.assume_of_type(&Type::Number, &Refinement::number(range))
    }

    /// Assumes that a list, unless null, has from `min` to `max` elements.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let subnets = Value::unknown(Type::list(Type::String)?).assume_not_null()?;
    /// let three = subnets.assume_list_length(3, 3)?;
    /// assert_eq!(three.length()?, Value::from(3));
    /// assert_eq!(three.at(2)?, Value::unknown(Type::String));
    /// let some = subnets.assume_list_length_min(1)?.assume_list_length_max(3)?;
    /// assert_eq!(some, subnets.assume_list_length(1, 3)?);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume), and [`is_argument`](Error::is_argument) when `min` is above `max`.
    pub fn assume_list_length(&self, min: u64, max: u64) -> Result<Value> {
        self.assume_length(Collection::List, length_between(min, max)?)
    }

    /// Assumes that a list, unless null, has at least `min` elements.
    ///
    /// [Example](Value::assume_list_length)
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_list_length_min(&self, min: u64) -> Result<Value> {
        self.assume_length(Collection::List, LengthRange::at_least(min))
    }

    /// Assumes that a list, unless null, has at most `max` elements.
    ///
    /// [Example](Value::assume_list_length)
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_list_length_max(&self, max: u64) -> Result<Value> {
        self.assume_length(Collection::List, LengthRange::at_most(max))
    }

    /// Assumes that a set, unless null, has from `min` to `max` members in the end.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// // The unknown member may turn out to be "a": then the set has one member.
    /// let zones = Value::set([Value::from("a"), Value::unknown(Type::String)])?;
    /// assert!(!zones.length()?.is_known());
    /// assert_eq!(zones.assume_set_length(2, 2)?.length()?, Value::from(2));
    /// assert_eq!(zones.assume_set_length_max(1)?, Value::set(["a"])?);
    /// assert!(zones.assume_set_length_min(3).unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`assume_list_length`](Value::assume_list_length).
    pub fn assume_set_length(&self, min: u64, max: u64) -> Result<Value> {
        self.assume_length(Collection::Set, length_between(min, max)?)
    }

    /// Assumes that a set, unless null, has at least `min` members in the end.
    ///
    /// [Example](Value::assume_set_length)
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_set_length_min(&self, min: u64) -> Result<Value> {
        self.assume_length(Collection::Set, LengthRange::at_least(min))
    }

    /// Assumes that a set, unless null, has at most `max` members in the end.
    ///
    /// [Example](Value::assume_set_length)
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_set_length_max(&self, max: u64) -> Result<Value> {
        self.assume_length(Collection::Set, LengthRange::at_most(max))
    }

    /// Assumes that a map, unless null, has from `min` to `max` entries.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let tags = Value::unknown(Type::map(Type::String)?).assume_not_null()?;
    /// let tags = tags.assume_map_length_min(1)?.assume_map_length_max(50)?;
    /// assert_eq!(tags, Value::unknown(tags.ty()).assume_not_null()?.assume_map_length(1, 50)?);
    /// assert_eq!(tags.length()?.greater_than(&Value::from(0))?, Value::from(true));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`assume_list_length`](Value::assume_list_length).
    pub fn assume_map_length(&self, min: u64, max: u64) -> Result<Value> {
        self.assume_length(Collection::Map, length_between(min, max)?)
    }

    /// Assumes that a map, unless null, has at least `min` entries.
    ///
    /// [Example](Value::assume_map_length)
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_map_length_min(&self, min: u64) -> Result<Value> {
        self.assume_length(Collection::Map, LengthRange::at_least(min))
    }

    /// Assumes that a map, unless null, has at most `max` entries.
    ///
    /// [Example](Value::assume_map_length)
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_map_length_max(&self, max: u64) -> Result<Value> {
        self.assume_length(Collection::Map, LengthRange::at_most(max))
    }

    /// Assumes a refinement of a value that must be of the wanted type.
    fn assume_of_type(&self, wanted: &Type, assumption: &Refinement) -> Result<Value> {
        let ty = self.ty();
        if ty == Type::Dynamic {
            return Err(needs_type());
        }
        if ty != *wanted {
            return Err(Error::mismatch(wanted, &ty));
        }
        self.assume(assumption)
    }

    /// Assumes the length of a value that must be a collection of this kind.
    fn assume_length(&self, kind: Collection, length: LengthRange) -> Result<Value> {
        let ty = self.ty();
        match (kind, &ty) {
            (Collection::List, Type::List(_))
            | (Collection::Set, Type::Set(_))
            | (Collection::Map, Type::Map(_)) => self.assume(&Refinement::length(length)),
            (_, Type::Dynamic) => Err(needs_type()),
            (kind, _) => {
                let message = format!("{} required, but have {}", kind.name(), ty.friendly_name());
                Err(Error::new(Kind::TypeMismatch, message))
            }
        }
    }
}

/// The kind of collection whose length is assumed.
#[derive(Clone, Copy)]
enum Collection {
    List,
    Set,
    Map,
}

impl Collection {
    /// The name of the kind in errors.
    fn name(self) -> &'static str {
        match self {
            Collection::List => "list",
            Collection::Set => "set",
            Collection::Map => "map",
        }
    }
}

/// The length range from `min` to `max`; an error if `min` is above `max`.
fn length_between(min: u64, max: u64) -> Result<LengthRange> {
    LengthRange::new(min, Some(max)).map_err(|_| {
        Error::new(Kind::Argument, format!("the minimum length {min} is above the maximum length {max}"))
    })
}
