//! Reading one child at a time: `value.at("tags")?.at("Name")?`.

use crate::error::Result;
use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::Value;

/// A key for [`Value::at`]: an attribute name or a map key as a string, or the index of an element as an integer.
pub trait PartKey: sealed::Sealed {
    /// The step to the child with this key in a value of this type.
    #[doc(hidden)]
    fn step(self, ty: &Type) -> Step;
}

mod sealed {
    /// Keeps other crates from implementing [`PartKey`](super::PartKey).
    pub trait Sealed {}
}

impl sealed::Sealed for &str {}

impl PartKey for &str {
    fn step(self, ty: &Type) -> Step {
        match ty {
            Type::Map(_) => Step::index(self),
            _ => Step::attr(self),
        }
    }
}

macro_rules! places {
    ($($integer:ty)*) => {$(
        impl sealed::Sealed for $integer {}

        impl PartKey for $integer {
            fn step(self, _ty: &Type) -> Step {
                Step::index(self)
            }
        }
    )*};
}

places!(i32 i64 u32 u64 usize);

impl Value {
    /// The child with this attribute name, map key or index: [`get`](Value::get) with one step.
    ///
    /// `Value` does not implement `Index` (`value["tags"]`), since that returns a reference, and a child of an
    /// unknown or of a marked value is not stored anywhere.
    ///
    /// | value | `at("name")` | `at(0)` |
    /// |---|---|---|
    /// | object | the attribute | an error |
    /// | map | the element with this key | an error |
    /// | list, tuple | an error | the element |
    /// | unknown | unknown of the type of the child | unknown of the type of the child |
    /// | marked | the child with these marks added | the child with these marks added |
    ///
    /// ```
    /// use plantime::{Type, Value, value};
    ///
    /// let plan = value!({ "ports": [80, 443], "vpc": (Value::unknown("object({id = string})".parse()?)) })?;
    /// assert_eq!(plan.at("ports")?.at(1)?, Value::from(443));
    /// assert_eq!(plan.at("vpc")?.at("id")?, Value::unknown(Type::String));
    /// assert!(plan.at("ports")?.at(2).unwrap_err().is_not_found());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`get`](Value::get): when the value is null, and when it has no such child.
    pub fn at(&self, key: impl PartKey) -> Result<Value> {
        let mut path = Path::new();
        path.push(key.step(&self.ty()));
        self.get(&path)
    }
}
