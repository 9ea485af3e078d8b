//! Capsule types: one for each Rust type that implements `Capsule`.

use std::any::{Any, TypeId};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::RefUnwindSafe;

use super::Type;

/// The type of the capsules that contain values of one Rust type: the payload of [`Type::Capsule`].
///
/// It is one word wide and identifies the Rust type. Types are ordered by name; types of the same name by the path of
/// the Rust type, which is the same on every run of a program.
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

/// Static facts about the Rust type of a capsule; as functions where the standard library has no constant yet.
pub(crate) struct Descriptor {
    pub(crate) name: &'static str,
    pub(crate) id: fn() -> TypeId,
    pub(crate) rust_name: fn() -> &'static str,
    /// The conversions between capsules and other values, as `Any`: only the module `capsule`, which sets this, reads
    /// it, since types do not depend on values.
    pub(crate) conversions: &'static (dyn Any + Send + Sync + RefUnwindSafe),
}

impl CapsuleType {
    /// The capsule type that the descriptor describes.
    pub(crate) const fn new(descriptor: &'static Descriptor) -> CapsuleType {
        CapsuleType(descriptor)
    }

    /// The name of the type in messages: [`Capsule::NAME`](crate::Capsule::NAME).
    ///
    /// [Example](CapsuleType)
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The identity of the Rust type.
    pub(crate) fn id(self) -> TypeId {
        (self.0.id)()
    }

    /// The conversions of the Rust type from and to other types; only the module `capsule` knows how to read them.
    pub(crate) fn conversions(self) -> &'static dyn Any {
        self.0.conversions
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
        // Two versions of a crate may have types with the same path: then the order is only stable within one build.
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
