//! Capsules: putting them into values and reading them.

use std::fmt;

use crate::capsule::{Capsule, Content};
use crate::error::Result;
use crate::types::{CapsuleType, Type};
use crate::value::repr::KnownRepr;
use crate::value::{Known, Value, View};

/// A capsule value. [`CapsuleView::get`] reads its content as a Rust type.
///
/// ```
/// use plantime::{Capsule, Value, View};
///
/// #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
/// struct Port(u16);
///
/// impl Capsule for Port {
///     const NAME: &'static str = "port";
/// }
///
/// let port = Value::capsule(Port(443));
/// let View::Capsule(view) = port.view() else { unreachable!() };
/// assert_eq!(view.get::<Port>(), Some(&Port(443)));
/// assert_eq!(view.ty().name(), "port");
/// // Only this shows the content, which may be a secret.
/// assert_eq!(format!("{:?}", view.as_debug()), "Port(443)");
/// assert_eq!(format!("{port:?}"), r#"capsule("port")"#);
/// ```
#[derive(Clone, Copy)]
pub struct CapsuleView<'a>(pub(super) &'a Content);

impl<'a> CapsuleView<'a> {
    /// The type of the capsule.
    ///
    /// [Example](CapsuleView)
    pub fn ty(&self) -> CapsuleType {
        self.0.ty()
    }

    /// The content, if it is a `T`.
    ///
    /// [Example](CapsuleView)
    pub fn get<T: Capsule>(&self) -> Option<&'a T> {
        self.0.get()
    }

    /// The content as a value of another type; `None` where there is no conversion.
    pub(crate) fn convert_to(&self, ty: &Type) -> Option<Result<Value>> {
        self.0.convert_to(ty)
    }

    /// The content with its own `Debug`. The `Debug` of the view and of the value does not show the content.
    ///
    /// [Example](CapsuleView)
    pub fn as_debug(&self) -> &'a dyn fmt::Debug {
        self.0.as_debug()
    }
}

impl fmt::Debug for CapsuleView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capsule({})", self.ty().name())
    }
}

impl Value {
    /// A value that holds a Rust value.
    ///
    /// See [`Capsule`] for what such a value can do.
    pub fn capsule<T: Capsule>(content: T) -> Value {
        Value::from(Content::new(content))
    }

    /// The Rust value that a capsule holds.
    ///
    /// ```
    /// use plantime::{Capsule, Type, Value};
    ///
    /// #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    /// struct Port(u16);
    ///
    /// impl Capsule for Port {
    ///     const NAME: &'static str = "port";
    /// }
    ///
    /// let https = Value::capsule(Port(443));
    /// assert_eq!(https.as_capsule::<Port>()?.0, 443);
    /// assert!(Value::unknown(https.ty()).as_capsule::<Port>().unwrap_err().is_unknown());
    /// assert!(Value::from(443).as_capsule::<Port>().unwrap_err().is_type_mismatch());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`as_bool`](Value::as_bool).
    pub fn as_capsule<T: Capsule>(&self) -> Result<&T> {
        let content = match self.view() {
            View::Capsule(capsule) => capsule.get(),
            _ => None,
        };
        content.ok_or_else(|| self.not_readable_as(&Type::capsule::<T>()))
    }
}

impl From<Content> for Value {
    fn from(content: Content) -> Value {
        Value::Known(Known(KnownRepr::Capsule(content)))
    }
}
