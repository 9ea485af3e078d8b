//! Capsules: values that contain a Rust value of a type that the program defines.

use std::any::{Any, TypeId, type_name};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::error::Result;
use crate::types::{CapsuleType, Descriptor, Type};
use crate::value::Value;

/// A Rust type whose values can be put into a [`Value`]: a compiled pattern, a handle, a sequence of bytes.
///
/// A capsule is a known value of the type [`Type::capsule::<Self>()`](Type::capsule). Operations cannot read its
/// content, so few operations accept it:
///
/// | question | answer |
/// |---|---|
/// | equality, order, membership in sets | by the [`Ord`] of the Rust type |
/// | refinements of an unknown capsule | whether it is null |
/// | `Display` and `Debug` of the value | the name; the content may be a secret, so it is not shown |
/// | depth and size | counts as one value, whatever it contains |
/// | JSON, also of its type | none: an error |
/// | conversion | by the two functions below; never a safe conversion |
///
/// `Eq`, `Ord` and `Hash` should agree. If they do not, membership in sets follows `Ord`, and nothing in this crate
/// hangs or panics. A panic in one of these implementations reaches the caller.
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
    /// The name of the type in messages and in the order of types.
    ///
    /// Different Rust types with the same name are different capsule types.
    const NAME: &'static str;

    /// The function that converts a capsule to a value of another type; `None` if there is no such conversion.
    ///
    /// The function receives the target type, in which `dynamic` stands for any type. Its result must be wholly
    /// known, not null and of a type that the target type [covers](Type::covers), else the conversion is an error.
    fn conversion_to(_ty: &Type) -> Option<fn(&Self, &Type) -> Result<Value>> {
        None
    }

    /// The function that converts a value of another type to a capsule; `None` if there is no such conversion.
    ///
    /// The function receives values that are wholly known, not null and without marks; the marks are added to the
    /// capsule afterwards. For a value that does not convert, return [`Error::custom`](crate::Error::custom). Its
    /// message is not shown if the value is marked.
    fn conversion_from(_ty: &Type) -> Option<fn(&Value) -> Result<Self>> {
        None
    }
}

/// The conversions of a capsule type, as functions without the Rust type.
struct Conversions {
    has_conversion_to: fn(&Type) -> bool,
    has_conversion_from: fn(&Type) -> bool,
    convert_from: fn(&Value) -> Option<Result<Content>>,
}

/// Carries the Rust type for which `DESCRIPTOR` is the static descriptor of the capsule type.
struct DescriptorOf<T>(T);

impl<T: Capsule> DescriptorOf<T> {
    /// The static descriptor of the type of capsules that contain a `T`.
    const DESCRIPTOR: &'static Descriptor = &Descriptor {
        name: T::NAME,
        id: TypeId::of::<T>,
        rust_name: type_name::<T>,
        conversions: &Conversions {
            has_conversion_to: |ty| T::conversion_to(ty).is_some(),
            has_conversion_from: |ty| T::conversion_from(ty).is_some(),
            convert_from: |value| {
                let convert = T::conversion_from(&value.ty())?;
                Some(convert(value).map(Content::new))
            },
        },
    };
}

impl Type {
    /// The type of capsules that contain a `T`.
    ///
    /// See [`Capsule`] for an example.
    pub const fn capsule<T: Capsule>() -> Type {
        Type::Capsule(CapsuleType::of::<T>())
    }
}

impl CapsuleType {
    /// The type of the capsules that contain a `T`.
    ///
    /// [Example](CapsuleType)
    pub const fn of<T: Capsule>() -> CapsuleType {
        CapsuleType::new(DescriptorOf::<T>::DESCRIPTOR)
    }

    /// Whether capsules of this type contain a `T`.
    ///
    /// [Example](CapsuleType)
    pub fn is<T: Capsule>(self) -> bool {
        self.id() == TypeId::of::<T>()
    }

    /// The conversions of the type.
    fn conversion_functions(self) -> Option<&'static Conversions> {
        self.conversions().downcast_ref()
    }

    /// Whether the type defines conversions, to or from it.
    #[doc(hidden)]
    pub fn has_conversions(self) -> bool {
        self.conversion_functions().is_some()
    }

    /// Whether capsules of this type have a conversion to the type `ty`.
    pub(crate) fn converts_to(self, ty: &Type) -> bool {
        self.conversion_functions().is_some_and(|conversions| (conversions.has_conversion_to)(ty))
    }

    /// Whether values of the type `ty` have a conversion to capsules of this type.
    pub(crate) fn converts_from(self, ty: &Type) -> bool {
        self.conversion_functions().is_some_and(|conversions| (conversions.has_conversion_from)(ty))
    }

    /// Converts a wholly known value without marks to the content of a capsule; `None` if there is no conversion.
    pub(crate) fn convert_from(self, value: &Value) -> Option<Result<Content>> {
        (self.conversion_functions()?.convert_from)(value)
    }
}

/// The content of a capsule, whatever its Rust type.
#[derive(Clone)]
pub(crate) struct Content(Arc<dyn AnyCapsule>);

// A value hands out shared references alone. State that a capsule changes behind one is shared by threads already, so its
// type has to keep it whole where a thread panics.
impl std::panic::UnwindSafe for Content {}
impl std::panic::RefUnwindSafe for Content {}

/// The operations on a capsule's content, whatever its Rust type.
trait AnyCapsule: Any + fmt::Debug + Send + Sync {
    /// The capsule type of the content.
    fn ty(&self) -> CapsuleType;
    /// Compares two contents of the same Rust type.
    fn compare(&self, other: &dyn Any) -> Ordering;
    /// Hashes the content.
    fn hash_into(&self, state: &mut dyn Hasher);
    /// Converts the content to a value of a type; `None` if the Rust type has no such conversion.
    fn convert_to(&self, ty: &Type) -> Option<Result<Value>>;
}

impl<T: Capsule> AnyCapsule for T {
    fn ty(&self) -> CapsuleType {
        CapsuleType::of::<T>()
    }

    fn compare(&self, other: &dyn Any) -> Ordering {
        other.downcast_ref::<T>().map_or(Ordering::Equal, |other| self.cmp(other))
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }

    fn convert_to(&self, ty: &Type) -> Option<Result<Value>> {
        T::conversion_to(ty).map(|convert| convert(self, ty))
    }
}

impl Content {
    /// Wraps a Rust value as the content of a capsule.
    pub(crate) fn new<T: Capsule>(content: T) -> Content {
        Content(Arc::new(content))
    }

    /// The capsule type of the content.
    pub(crate) fn ty(&self) -> CapsuleType {
        self.0.ty()
    }

    /// The content as a Rust value; `None` if it is not a `T`.
    pub(crate) fn get<T: Capsule>(&self) -> Option<&T> {
        let content: &dyn Any = &*self.0;
        content.downcast_ref()
    }

    /// The content with the `Debug` of its Rust type, which may show secrets.
    pub(crate) fn as_debug(&self) -> &dyn fmt::Debug {
        &*self.0
    }

    /// Converts the content to a value of a type; `None` if the Rust type has no such conversion.
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
        self.0.hash_into(state);
    }
}
