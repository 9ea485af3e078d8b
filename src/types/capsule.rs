//! Capsule types: a Rust type each.

use std::any::{TypeId, type_name};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::Type;
use crate::capsule::{Capsule, Content};
use crate::error::Result;
use crate::value::Value;

/// The type of the capsules that hold one Rust type: what [`Type::Capsule`] holds.
///
/// One word wide; it is nothing but the Rust type. Types are in the order of their names; two of the same name in
/// that of the paths of the Rust types, which is the same on every run of one program.
///
/// ```
/// use plantime::{Capsule, CapsuleType, Type};
///
/// #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
/// struct Port(u16);
///
/// impl Capsule for Port {
///     const NAME: &'static str = "port";
/// }
///
/// let port = CapsuleType::of::<Port>();
/// assert!(port.is::<Port>());
/// assert_eq!(port.name(), "port");
/// assert_eq!(Type::capsule::<Port>().to_string(), r#"capsule("port")"#);
/// ```
#[derive(Clone, Copy)]
pub struct CapsuleType(&'static Descriptor);

/// What is known of a Rust type. Functions where the answer is no constant yet.
struct Descriptor {
    name: &'static str,
    id: fn() -> TypeId,
    rust_name: fn() -> &'static str,
    converts_to: fn(&Type) -> bool,
    converts_from: fn(&Type) -> bool,
    convert_from: fn(&Value) -> Option<Result<Content>>,
}

struct Of<T>(T);

impl<T: Capsule> Of<T> {
    const DESCRIPTOR: &'static Descriptor = &Descriptor {
        name: T::NAME,
        id: TypeId::of::<T>,
        rust_name: type_name::<T>,
        converts_to: |ty| T::conversion_to(ty).is_some(),
        converts_from: |ty| T::conversion_from(ty).is_some(),
        convert_from: |value| {
            let convert = T::conversion_from(&value.ty())?;
            Some(convert(value).map(Content::new))
        },
    };
}

impl CapsuleType {
    /// The type of the capsules that hold a `T`.
    pub const fn of<T: Capsule>() -> CapsuleType {
        CapsuleType(Of::<T>::DESCRIPTOR)
    }

    /// The name of the type for people: [`Capsule::NAME`].
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Whether its capsules hold a `T`.
    pub fn is<T: Capsule>(self) -> bool {
        self.id() == TypeId::of::<T>()
    }

    fn id(self) -> TypeId {
        (self.0.id)()
    }

    /// Whether its capsules can be asked to become values of the type.
    pub(crate) fn converts_to(self, ty: &Type) -> bool {
        (self.0.converts_to)(ty)
    }

    /// Whether it can be asked to make a capsule of values of the type.
    pub(crate) fn converts_from(self, ty: &Type) -> bool {
        (self.0.converts_from)(ty)
    }

    /// A capsule of a wholly known value without marks. `None` where there is no conversion.
    pub(crate) fn convert_from(self, value: &Value) -> Option<Result<Content>> {
        (self.0.convert_from)(value)
    }
}

impl PartialEq for CapsuleType {
    fn eq(&self, other: &CapsuleType) -> bool {
        self.id() == other.id()
    }
}

impl Eq for CapsuleType {}

impl PartialOrd for CapsuleType {
    fn partial_cmp(&self, other: &CapsuleType) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CapsuleType {
    fn cmp(&self, other: &CapsuleType) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        let by_path = || (self.0.rust_name)().cmp((other.0.rust_name)());
        // Two versions of one crate can have types of one path: then the order is that of one build.
        self.name().cmp(other.name()).then_with(by_path).then_with(|| self.id().cmp(&other.id()))
    }
}

impl Hash for CapsuleType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for CapsuleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Type::Capsule(*self), f)
    }
}
