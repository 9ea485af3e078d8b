//! The assumption that a value will be another.

use crate::error::{Error, Kind, Result};
use crate::path::Path;
use crate::value::{Value, equality};

impl Value {
    /// Assumes that the value will be `assumed`, and gives `assumed`.
    ///
    /// At plan it fails when the two can certainly not be equal; at apply it succeeds exactly when the value
    /// equals the assumed one. The result carries `assumed`'s own marks and those of the value, each at its
    /// place, without *sensitive* and *ephemeral*: what is assumed was already written down. Marks at places
    /// that `assumed` does not have are kept at the nearest place above.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let arn = Value::unknown(Type::String).assume_equal(&Value::from("arn:aws:s3:::logs"))?;
    /// assert_eq!(arn, Value::from("arn:aws:s3:::logs"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch) when the value is of another type than `assumed`,
    /// [`is_contradiction`](Error::is_contradiction) when it certainly differs. The values never appear in the
    /// message.
    pub fn assume_equal(&self, assumed: &Value) -> Result<Value> {
        let (ty, wanted) = (self.ty(), assumed.ty());
        if !ty.compatible(&wanted) {
            let message = format!(
                "actual value type {} does not match assumed value type {}",
                ty.friendly_name(),
                wanted.friendly_name()
            );
            return Err(Error::new(Kind::TypeMismatch, message).with_types(wanted, ty));
        }
        if equality::equal(self, assumed) == Some(false) {
            return Err(Error::new(Kind::Contradiction, "the actual value does not match the assumed value"));
        }
        if !self.contains_marks() {
            return Ok(assumed.clone());
        }
        let (_, places) = self.unmark_deep_with_paths();
        let places: Vec<_> = places
            .into_iter()
            .map(|(path, marks)| {
                let kept = marks
                    .iter()
                    .filter(|mark| !matches!(mark.name(), "sensitive" | "ephemeral"))
                    .cloned()
                    .collect();
                (nearest_place(assumed, &path), kept)
            })
            .collect();
        Ok(assumed.mark_with_paths(&places))
    }
}

/// The longest beginning of a path that leads to a part of the value that can be marked: marks of members are the
/// set's.
fn nearest_place(value: &Value, path: &Path) -> Path {
    let mut here = value;
    let steps = path.steps().iter().take_while(|step| match here.part(step) {
        Some(part) => {
            here = part;
            true
        }
        None => false,
    });
    steps.cloned().collect()
}
