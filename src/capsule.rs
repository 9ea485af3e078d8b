//! Capsules: Rust values of a program's own types that travel as values.

use std::any::{Any, TypeId, type_name};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::error::Result;
use crate::types::{CapsuleType, Descriptor, Type};
use crate::value::Value;

/// A Rust type whose values can be put into a [`Value`]: a compiled pattern, a handle, a set of bytes.
///
/// A capsule is a known value of a type of its own, [`Type::capsule::<Self>()`](Type::capsule). It has no parts that
/// an operation could read, so there are few operations on it:
///
/// | question | answer |
/// |---|---|
/// | equality, order, members of sets | by the [`Ord`] of the Rust type |
/// | what can be known of an unknown one | whether it is null |
/// | text (`Display` and `Debug` of the value) | the name; the content may be a secret, so it does not show |
/// | depth and size | it counts as one part, whatever it holds |
/// | JSON, also of its type | none: an error |
/// | conversion | as the two functions below say, never a safe one |
///
/// `Eq`, `Ord` and `Hash` are expected to agree. If they do not, sets of such capsules hold what `Ord` makes of them;
/// nothing of this crate hangs or panics for it. A panic in one of these implementations reaches the caller.
///
/// ```
/// use plantime::{Capsule, Result, Type, Value, convert};
///
/// #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
/// struct Bytes(Vec<u8>);
///
/// impl Capsule for Bytes {
///     const NAME: &'static str = "bytes";
///
///     fn conversion_from(ty: &Type) -> Option<fn(&Value) -> Result<Bytes>> {
///         match ty {
///             Type::String => Some(|text| Ok(Bytes(text.as_str()?.into()))),
///             _ => None,
///         }
///     }
/// }
///
/// let bytes = Value::capsule(Bytes(vec![104, 105]));
/// assert_eq!(bytes.ty(), Type::capsule::<Bytes>());
/// assert_eq!(bytes.as_capsule::<Bytes>()?.0, b"hi");
/// assert_eq!(convert(&Value::from("hi"), &Type::capsule::<Bytes>().into())?, bytes);
/// assert_eq!(format!("{bytes:?}"), r#"capsule("bytes")"#);
/// # Ok::<(), plantime::Error>(())
/// ```
pub trait Capsule: Any + fmt::Debug + Eq + Ord + Hash + Send + Sync + Sized {
    /// What the type is called: in messages, and in the order of types.
    ///
    /// Types of one name are different types if the Rust types are.
    const NAME: &'static str;

    /// How a capsule becomes a value of another type; `None` where it does not.
    ///
    /// The function gets the type that was asked for, in which `dynamic` stands for any type. What it gives must be
    /// wholly known, not null and of a type that this one [covers](Type::covers), else the conversion is an error.
    fn conversion_to(_ty: &Type) -> Option<fn(&Self, &Type) -> Result<Value>> {
        None
    }

    /// How a value of another type becomes a capsule; `None` where it does not.
    ///
    /// The function gets values that are wholly known, not null and without marks; the marks are put on the capsule
    /// afterwards. [`Error::custom`](crate::Error::custom) makes the error of a value that is none. Its message is
    /// not shown when the value is marked.
    fn conversion_from(_ty: &Type) -> Option<fn(&Value) -> Result<Self>> {
        None
    }
}

/// How the capsules of a Rust type convert.
struct Conversions {
    are_to: fn(&Type) -> bool,
    are_from: fn(&Type) -> bool,
    convert_from: fn(&Value) -> Option<Result<Content>>,
}

struct Of<T>(T);

impl<T: Capsule> Of<T> {
    const DESCRIPTOR: &'static Descriptor = &Descriptor {
        name: T::NAME,
        id: TypeId::of::<T>,
        rust_name: type_name::<T>,
        conversions: &Conversions {
            are_to: |ty| T::conversion_to(ty).is_some(),
            are_from: |ty| T::conversion_from(ty).is_some(),
            convert_from: |value| {
                let convert = T::conversion_from(&value.ty())?;
                Some(convert(value).map(Content::new))
            },
        },
    };
}

impl Type {
    /// The type of capsules that hold a `T`.
    ///
    /// See [`Capsule`] for an example.
    pub const fn capsule<T: Capsule>() -> Type {
        Type::Capsule(CapsuleType::of::<T>())
    }
}

impl CapsuleType {
    /// The type of the capsules that hold a `T`.
    pub const fn of<T: Capsule>() -> CapsuleType {
        CapsuleType::new(Of::<T>::DESCRIPTOR)
    }

    /// Whether its capsules hold a `T`.
    pub fn is<T: Capsule>(self) -> bool {
        self.id() == TypeId::of::<T>()
    }

    fn functions(self) -> Option<&'static Conversions> {
        self.conversions().downcast_ref()
    }

    /// Whether its capsules can be asked to become values of the type.
    pub(crate) fn converts_to(self, ty: &Type) -> bool {
        self.functions().is_some_and(|conversions| (conversions.are_to)(ty))
    }

    /// Whether it can be asked to make a capsule of values of the type.
    pub(crate) fn converts_from(self, ty: &Type) -> bool {
        self.functions().is_some_and(|conversions| (conversions.are_from)(ty))
    }

    /// A capsule of a wholly known value without marks. `None` where there is no conversion.
    pub(crate) fn convert_from(self, value: &Value) -> Option<Result<Content>> {
        (self.functions()?.convert_from)(value)
    }
}

/// The content of a capsule, whatever its Rust type.
#[derive(Clone)]
pub(crate) struct Content(Arc<dyn Erased>);

/// What is asked of a capsule's content.
trait Erased: Any + fmt::Debug + Send + Sync {
    fn ty(&self) -> CapsuleType;
    /// The order among contents of one Rust type.
    fn compare(&self, other: &dyn Any) -> Ordering;
    fn feed(&self, state: &mut dyn Hasher);
    fn convert_to(&self, ty: &Type) -> Option<Result<Value>>;
}

impl<T: Capsule> Erased for T {
    fn ty(&self) -> CapsuleType {
        CapsuleType::of::<T>()
    }

    fn compare(&self, other: &dyn Any) -> Ordering {
        other.downcast_ref::<T>().map_or(Ordering::Equal, |other| self.cmp(other))
    }

    fn feed(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }

    fn convert_to(&self, ty: &Type) -> Option<Result<Value>> {
        T::conversion_to(ty).map(|convert| convert(self, ty))
    }
}

impl Content {
    pub(crate) fn new<T: Capsule>(content: T) -> Content {
        Content(Arc::new(content))
    }

    pub(crate) fn ty(&self) -> CapsuleType {
        self.0.ty()
    }

    pub(crate) fn get<T: Capsule>(&self) -> Option<&T> {
        let content: &dyn Any = &*self.0;
        content.downcast_ref()
    }

    pub(crate) fn as_debug(&self) -> &dyn fmt::Debug {
        &*self.0
    }

    pub(crate) fn convert_to(&self, ty: &Type) -> Option<Result<Value>> {
        self.0.convert_to(ty)
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Content) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Content {}

impl PartialOrd for Content {
    fn partial_cmp(&self, other: &Content) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Content {
    fn cmp(&self, other: &Content) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        self.ty().cmp(&other.ty()).then_with(|| self.0.compare(&*other.0))
    }
}

impl Hash for Content {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty().hash(state);
        self.0.feed(state);
    }
}
