//! The type [`Planned`]: a field of a Rust type that may be unknown.

use std::fmt;

use crate::error::{Error, Kind, Result};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, ValueRange};

mod content;
mod read;
mod write;

/// A Rust value that may be null or unknown.
///
/// A provider's author writes a plain struct, with `Planned` for the fields that the plan may not know:
///
/// ```
/// use plantime::bridge::{Planned, from_value, to_value};
/// use plantime::{Refinement, Type, Value, value};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Vpc {
///     id: Planned<String>,
///     cidr: String,
/// }
///
/// let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
/// let planned = value!({ "id": id, "cidr": "10.0.0.0/16" })?;
///
/// let mut vpc: Vpc = from_value(&planned)?;
/// assert!(vpc.id.is_unknown());
/// assert_eq!(vpc.id.refinement().and_then(|known| known.prefix_str().map(str::to_owned)).as_deref(), Some("vpc-"));
/// assert_eq!(to_value(&vpc)?, planned);
///
/// vpc.id = "vpc-0123".to_owned().into(); // at apply
/// assert_eq!(to_value(&vpc)?.to_string(), r#"{cidr = "10.0.0.0/16", id = "vpc-0123"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// | value | `Planned<T>` |
/// |---|---|
/// | null | `Null` |
/// | known, and a `T` | `Known`; so a `Planned<Vec<Planned<String>>>` knows its length |
/// | unknown; known, with something unknown inside for which `T` has no place | `Unknown`, which keeps the value as it is |
/// | known, and no `T` | the error of reading a `T` |
/// | marked | an error ([`is_marked`](Error::is_marked)): a `Planned` would lose the marks. A field of type [`Value`] keeps them |
///
/// `Null` is written as a null of unknown type, which [`to_value_as`](super::to_value_as) converts to the requested
/// type. `Planned<Option<T>>` is never read as `Known(None)`: a null is `Null`. `Option<Planned<T>>` is `None` for
/// a null.
///
/// `==` and the order compare the representation: two unknown ids are equal although they may become different ids.
///
/// # In other formats
///
/// Any serde format can carry a `Planned`. In a human-readable format (JSON, YAML, TOML), `Known` is the `T`,
/// `Null` is JSON's `null` or its like, and `Unknown` is the [self-describing form](crate::serial) of the value;
/// every map whose first key is `plantime` is read as one. In other formats (postcard, `MessagePack`), a `Planned`
/// is an enum with the variants `known`, `null` and `unknown`.
///
/// ```
/// use plantime::Type;
/// use plantime::bridge::Planned;
///
/// let ids = [Planned::from("a".to_owned()), Planned::Null, Planned::unknown(Type::String)];
/// let text = serde_json::to_string(&ids)?;
/// assert_eq!(text, r#"["a",null,{"plantime":1,"value":["unknown","string"]}]"#);
/// assert_eq!(serde_json::from_str::<[Planned<String>; 3]>(&text)?, ids);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Planned<T> {
    /// The value is unknown, or it contains something unknown for which `T` has no place.
    Unknown(UnknownValue),
    /// The value is null.
    #[default]
    Null,
    /// The value is known and not null.
    Known(T),
}

/// The payload of [`Planned::Unknown`]: a value that is not wholly known, with all facts known about it.
///
/// ```
/// use plantime::bridge::Planned;
/// use plantime::{Refinement, Type, Value};
///
/// let id: Planned<String> = Planned::refined(Type::String, Refinement::prefix("vpc-"))?;
/// let unknown = id.as_unknown().unwrap();
/// assert_eq!((unknown.ty(), unknown.range().prefix()), (Type::String, Some("vpc-")));
/// assert_eq!(unknown.value(), &Value::refined(Type::String, Refinement::prefix("vpc-"))?);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownValue(Value);

impl UnknownValue {
    /// The value, if it is not wholly known.
    fn new(value: Value) -> Option<UnknownValue> {
        (!value.is_wholly_known()).then_some(UnknownValue(value))
    }

    /// The value as the plan has it.
    ///
    /// [Example](UnknownValue)
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// The type of the value.
    ///
    /// [Example](UnknownValue)
    pub fn ty(&self) -> Type {
        self.0.ty()
    }

    /// The facts that certainly hold: type, nullness, prefix, interval or length.
    ///
    /// [Example](UnknownValue)
    pub fn range(&self) -> ValueRange {
        self.0.range()
    }
}

impl From<UnknownValue> for Value {
    fn from(unknown: UnknownValue) -> Value {
        unknown.0
    }
}

impl fmt::Debug for UnknownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for UnknownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<T> Planned<T> {
    /// An unknown value of this type. `Type::Dynamic` stands for any type; [`to_value_as`](super::to_value_as)
    /// decides it.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::bridge::Planned;
    ///
    /// let mut size = Planned::Known(20);
    /// assert_eq!((size.known(), size.ty(), size.is_known()), (Some(&20), None, true));
    /// if let Some(size) = size.known_mut() {
    ///     *size += 1;
    /// }
    /// assert_eq!(size.clone().into_known(), Some(21));
    /// assert_eq!(size.as_ref().required()?, &21);
    ///
    /// let later: Planned<i64> = Planned::unknown(Type::Number);
    /// assert!(later.is_unknown() && !later.is_null() && later.refinement().is_some());
    /// assert!(later.required().unwrap_err().is_unknown());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn unknown(ty: Type) -> Planned<T> {
        Planned::Unknown(UnknownValue(Value::unknown(ty)))
    }

    /// An unknown value of this type with a refinement.
    ///
    /// ```
    /// use plantime::bridge::Planned;
    /// use plantime::{Refinement, Type};
    ///
    /// let id: Planned<String> = Planned::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
    /// assert_eq!(id.to_string(), r#""vpc-${(known after apply)}""#);
    /// assert_eq!(Planned::<String>::refined(Type::String, Refinement::null())?, Planned::Null);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Value::refined`], and [`is_contradiction`](Error::is_contradiction) if the refinement leaves only one
    /// value and that is not null, since it is known then: use [`Planned::Known`].
    pub fn refined(ty: Type, refinement: Refinement) -> Result<Planned<T>> {
        let value = Value::refined(ty, refinement)?;
        if value.is_null() {
            return Ok(Planned::Null);
        }
        UnknownValue::new(value).map(Planned::Unknown).ok_or_else(only_one)
    }

    /// Whether the value is [`Known`](Planned::Known).
    ///
    /// [Example](Planned::unknown)
    pub const fn is_known(&self) -> bool {
        matches!(self, Planned::Known(_))
    }

    /// Whether the value is [`Null`](Planned::Null).
    ///
    /// [Example](Planned::unknown)
    pub const fn is_null(&self) -> bool {
        matches!(self, Planned::Null)
    }

    /// Whether the value is [`Unknown`](Planned::Unknown): unknown, or with something unknown inside for which `T` has
    /// no place.
    ///
    /// [Example](Planned::unknown)
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Planned::Unknown(_))
    }

    /// A reference to the known value; `None` if the value is unknown or null.
    ///
    /// [Example](Planned::unknown)
    pub const fn known(&self) -> Option<&T> {
        match self {
            Planned::Known(known) => Some(known),
            Planned::Unknown(_) | Planned::Null => None,
        }
    }

    /// A mutable reference to the known value; `None` if the value is unknown or null.
    ///
    /// [Example](Planned::unknown)
    pub const fn known_mut(&mut self) -> Option<&mut T> {
        match self {
            Planned::Known(known) => Some(known),
            Planned::Unknown(_) | Planned::Null => None,
        }
    }

    /// Takes the known value out of the `Planned`; `None` if the value is unknown or null.
    ///
    /// [Example](Planned::unknown)
    pub fn into_known(self) -> Option<T> {
        match self {
            Planned::Known(known) => Some(known),
            Planned::Unknown(_) | Planned::Null => None,
        }
    }

    /// The unknown value with its type and refinement; `None` if the value is known or null.
    ///
    /// [Example](Planned::unknown)
    pub const fn as_unknown(&self) -> Option<&UnknownValue> {
        match self {
            Planned::Unknown(unknown) => Some(unknown),
            Planned::Null | Planned::Known(_) => None,
        }
    }

    /// The type of an unknown value; `None` if the value is known or null: then only the Rust type `T` tells the type.
    ///
    /// [Example](Planned::unknown)
    pub fn ty(&self) -> Option<Type> {
        self.as_unknown().map(UnknownValue::ty)
    }

    /// The refinement of an unknown value; `None` if the value is known or null.
    ///
    /// [Example](Planned::unknown)
    pub fn refinement(&self) -> Option<Refinement> {
        self.as_unknown().map(|unknown| unknown.range().refinement().clone())
    }

    /// Borrows the content, as `Option::as_ref` does.
    ///
    /// [Example](Planned::unknown)
    pub fn as_ref(&self) -> Planned<&T> {
        match self {
            Planned::Unknown(unknown) => Planned::Unknown(unknown.clone()),
            Planned::Null => Planned::Null,
            Planned::Known(known) => Planned::Known(known),
        }
    }

    /// Applies a function to a known value. An unknown value stays as it is: its facts describe the value of the
    /// plan, not the result of the function.
    ///
    /// ```
    /// use plantime::bridge::Planned;
    ///
    /// let port = Planned::from("443".to_owned()).map(|text| text.len());
    /// assert_eq!(port, Planned::Known(3));
    /// ```
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Planned<U> {
        match self {
            Planned::Unknown(unknown) => Planned::Unknown(unknown),
            Planned::Null => Planned::Null,
            Planned::Known(known) => Planned::Known(f(known)),
        }
    }

    /// The known value as `Some`, null as `None`.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::bridge::Planned;
    ///
    /// assert_eq!(Planned::Known(1).decided()?, Some(1));
    /// assert_eq!(Planned::<u8>::Null.decided()?, None);
    /// assert!(Planned::<u8>::unknown(Type::Number).decided().unwrap_err().is_unknown());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_unknown`](Error::is_unknown) if it is unknown.
    pub fn decided(self) -> Result<Option<T>> {
        match self {
            Planned::Unknown(_) => Err(super::error::unknown()),
            Planned::Null => Ok(None),
            Planned::Known(known) => Ok(Some(known)),
        }
    }

    /// The known value by move; an error if it is unknown or null.
    ///
    /// [Example](Planned::unknown)
    ///
    /// # Errors
    ///
    /// [`is_unknown`](Error::is_unknown) when it is not known, [`is_null`](Error::is_null) when it is null.
    pub fn required(self) -> Result<T> {
        self.decided()?.ok_or_else(super::error::null)
    }
}

/// The error for a refinement that leaves only one value.
#[cold]
fn only_one() -> Error {
    Error::new(Kind::Contradiction, "only one value is left, so it is known")
}

/// Makes a `Planned::Known` of a Rust value.
impl<T> From<T> for Planned<T> {
    fn from(known: T) -> Planned<T> {
        Planned::Known(known)
    }
}

/// Displays a known value as it is, null as `null`, an unknown one like its value: `(known after apply)`.
impl<T: fmt::Display> fmt::Display for Planned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Planned::Unknown(unknown) => fmt::Display::fmt(unknown, f),
            Planned::Null => f.write_str("null"),
            Planned::Known(known) => fmt::Display::fmt(known, f),
        }
    }
}
