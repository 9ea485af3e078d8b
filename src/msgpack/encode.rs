//! Writes values as MessagePack.

use std::io;

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::{Container, Known, KnownContent, Value, set_iter};

use super::{UNKNOWN, head, refinement};

/// The number of buffered bytes at which they are passed on to the `io::Write`.
const FLUSH_BYTES: usize = 1 << 16;

/// The MessagePack bytes of a value, written as one of the type `ty`.
pub(super) fn to_vec(value: &Value, ty: &Type) -> Result<Vec<u8>> {
    let mut writer = Writer { bytes: Vec::new(), to: None };
    writer.write(value, ty)?;
    Ok(writer.bytes)
}

/// Writes the MessagePack bytes of a value, as one of the type `ty`, into an `io::Write`.
pub(super) fn to_writer(to: &mut dyn io::Write, value: &Value, ty: &Type) -> Result<()> {
    let mut writer = Writer { bytes: Vec::new(), to: Some(to) };
    writer.write(value, ty)?;
    writer.pass_on()
}

/// Writes values as MessagePack bytes: into a vector, or in pieces into the `io::Write` in `to`.
struct Writer<'w> {
    bytes: Vec<u8>,
    to: Option<&'w mut dyn io::Write>,
}

impl Writer<'_> {
    /// Passes the buffered bytes on to the `io::Write` and clears the buffer; does nothing if there is none.
    fn pass_on(&mut self) -> Result<()> {
        if let Some(to) = &mut self.to {
            let failed =
                |error: io::Error| Error::new(Kind::Io, format!("cannot write: {error}")).with_source(error);
            to.write_all(&self.bytes).map_err(failed)?;
            self.bytes.clear();
        }
        Ok(())
    }

    /// Writes a whole value as one of the type `ty`, and converts it first if it is of another type. An error if the
    /// value has marks anywhere.
    fn write(&mut self, value: &Value, ty: &Type) -> Result<()> {
        let converted;
        let value = if ty.covers(&value.ty()) {
            value
        } else {
            converted = convert(value, &TypeConstraint::from(ty.clone()))?;
            &converted
        };
        if value.contains_marks() {
            let marked = value.parts().find(|(_, part)| part.is_marked());
            let error = Error::new(Kind::Marked, "value has marks, so it cannot be serialized");
            return Err(marked.map_or_else(|| error.clone(), |(path, _)| error.clone().at(path)));
        }
        // A failure of the `io::Write` belongs to no part of the value, so it gets no path.
        self.value(value, ty).map_err(|error| if error.is_io() { error.at(Path::new()) } else { error })
    }

    /// Writes a value, or a value inside the whole one, whose type `ty` covers. If `ty` is dynamic, its type is
    /// written too.
    fn value(&mut self, value: &Value, ty: &Type) -> Result<()> {
        if self.bytes.len() >= FLUSH_BYTES {
            self.pass_on()?;
        }
        if *ty == Type::Dynamic { self.value_with_type(value) } else { self.content(value, ty) }
    }

    /// Writes an array of the value's type as JSON and the value; for an unknown or null of unknown type no array.
    fn value_with_type(&mut self, value: &Value) -> Result<()> {
        let ty = value.ty();
        if ty != Type::Dynamic {
            self.head(head::ARRAY, 2)?;
            let json = ty.to_json_text()?;
            head::bin(&mut self.bytes, json.len()).ok_or_else(too_long)?;
            self.bytes.extend_from_slice(json.as_bytes());
        }
        self.content(value, &ty)
    }

    /// Writes a value without its type. `ty` says which children are of declared type dynamic, so that these are
    /// written with their types.
    fn content(&mut self, value: &Value, ty: &Type) -> Result<()> {
        match value {
            // go-cty refines no value of unknown type.
            Value::Refined(refined) if refined.0.ty != Type::Dynamic => {
                refinement::write(&mut self.bytes, &refined.0.refinement);
                Ok(())
            }
            Value::Dynamic(_) | Value::Unknown(_) | Value::Refined(_) => {
                head::ext(&mut self.bytes, UNKNOWN, 1);
                self.bytes.push(0);
                Ok(())
            }
            Value::Partial(partial) => self.container(partial.0.container(), ty),
            Value::Known(known) => self.known(known, ty),
        }
    }

    /// Writes a value whose top level is known: a null, scalar or wholly known container. An error for a capsule.
    fn known(&mut self, known: &Known, ty: &Type) -> Result<()> {
        match known.0.bare() {
            KnownContent::Null(_) => head::nil(&mut self.bytes),
            KnownContent::Bool(value) => head::bool(&mut self.bytes, *value),
            KnownContent::Number(value) => number(&mut self.bytes, value),
            KnownContent::String(text) => return self.str(text.as_str()),
            KnownContent::Container(container) => return self.container(container, ty),
            KnownContent::Capsule(_) | KnownContent::Marked(_) => {
                let message = "capsule types not supported for msgpack encoding";
                return Err(Error::new(Kind::TypeMismatch, message));
            }
        }
        Ok(())
    }

    /// Writes a string with its head.
    fn str(&mut self, text: &str) -> Result<()> {
        self.head(head::STR, text.len())?;
        self.bytes.extend_from_slice(text.as_bytes());
        Ok(())
    }

    /// Writes the head of a string, array or map: `length` counts bytes, elements or entries.
    fn head(&mut self, kind: head::SizedHead, length: usize) -> Result<()> {
        head::sized(&mut self.bytes, kind, length).ok_or_else(too_long)
    }

    // Each container has a small function of its own: deep values recurse through here, and a large stack frame
    // could overflow the stack in a debug build.

    /// Writes a container, whose children may be unknown.
    fn container(&mut self, container: &Container, ty: &Type) -> Result<()> {
        match (container, ty) {
            (Container::List(node), Type::List(ty)) => self.items(node.items.iter(), ty.element()),
            (Container::Set(node), Type::Set(ty)) => self.members(set_iter(node), ty.element()),
            (Container::Map(node), Type::Map(ty)) => {
                self.head(head::MAP, node.entries.len())?;
                for (key, value) in &node.entries {
                    self.str(key.as_str())?;
                    self.value(value, ty.element())
                        .map_err(|error| error.under(Step::index(key.as_str())))?;
                }
                Ok(())
            }
            (Container::Tuple(node), Type::Tuple(ty)) => {
                self.head(head::ARRAY, node.items.len())?;
                for (i, (item, ty)) in node.items.iter().zip(ty).enumerate() {
                    self.value(item, ty).map_err(|error| error.under(Step::index(i)))?;
                }
                Ok(())
            }
            (Container::Object(node), Type::Object(ty)) => {
                self.head(head::MAP, node.slots.len())?;
                for (slot, (name, ty)) in node.slots.iter().zip(ty.iter()) {
                    self.str(name)?;
                    self.value(slot, ty).map_err(|error| error.under(Step::attr(name)))?;
                }
                Ok(())
            }
            (container, ty) => Err(Error::mismatch(ty, &container.ty())),
        }
    }

    /// Writes the elements of a list, as an array.
    fn items(&mut self, items: std::slice::Iter<'_, Value>, ty: &Type) -> Result<()> {
        self.head(head::ARRAY, items.len())?;
        for (i, item) in items.enumerate() {
            self.value(item, ty).map_err(|error| error.under(Step::index(i)))?;
        }
        Ok(())
    }

    /// Writes the members of a set, as an array.
    fn members<'a>(&mut self, members: impl ExactSizeIterator<Item = &'a Value>, ty: &Type) -> Result<()> {
        self.head(head::ARRAY, members.len())?;
        for member in members {
            self.value(member, ty).map_err(|error| error.under(Step::index(member.clone())))?;
        }
        Ok(())
    }
}

/// The error for a string of more than 2^32 - 1 bytes, or a container of more children.
#[cold]
fn too_long() -> Error {
    Error::new(Kind::Limit, "MessagePack has no lengths above 32 bits")
}

/// Writes a number as cty does: as an integer if it is a signed 64-bit one, as a float if that is exact and it is no
/// integer, else as a string of its digits.
pub(super) fn number(out: &mut Vec<u8>, number: &Number) {
    if let Some(int) = number.to_i64() {
        return head::int(out, int);
    }
    if !number.is_integer()
        && let Some(float) = number.to_f64_exactly()
    {
        return head::float(out, float);
    }
    let text = number.to_string();
    // A number has at most 8,193 digits and signs, so its length always fits.
    if head::sized(out, head::STR, text.len()).is_some() {
        out.extend_from_slice(text.as_bytes());
    }
}
