//! Reading parts in a row: `value.at("tags")?.at("Name")?`.

use crate::error::Result;
use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::Value;

/// What [`Value::at`] takes: an attribute name or a map key as text, the place of an element as an integer.
pub trait PartKey: sealed::Sealed {
    /// The step that leads to the part of a value of this type.
    #[doc(hidden)]
    fn step(self, ty: &Type) -> Step;
}

mod sealed {
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
    /// The part with this name, key or place: [`get`](Value::get) by one step.
    ///
    /// A value is not read with brackets (`value["tags"]`) as `Index` gives a reference, and what a part of an unknown
    /// or of a marked value is, is not stored anywhere.
    ///
    /// | value | `at("name")` | `at(0)` |
    /// |---|---|---|
    /// | object | the attribute | an error |
    /// | map | the element with this key | an error |
    /// | list, tuple | an error | the element |
    /// | unknown | unknown of the type of the part | unknown of the type of the part |
    /// | marked | the part, with these marks as well | the part, with these marks as well |
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
    /// As for [`get`](Value::get): a null, and a part that the value does not have.
    pub fn at(&self, key: impl PartKey) -> Result<Value> {
        let mut path = Path::new();
        path.push(key.step(&self.ty()));
        self.get(&path)
    }
}
