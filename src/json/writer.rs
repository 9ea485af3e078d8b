//! Writes values as JSON text.

pub(super) mod prefix;
pub(super) mod shape;

use std::io;

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::path::{Path, Step};
use crate::types::Type;
use crate::types::json::{not_allowed, write_escaped};
use crate::value::{Value, View};

/// The size in bytes at which buffered text is passed on to the writer.
const FLUSH_BYTES: usize = 1 << 16;

/// Writes values as JSON text, into a string or in pieces into an `io::Write`.
pub(super) struct Writer<'w> {
    text: String,
    to: Option<&'w mut dyn io::Write>,
    /// The maximum length in bytes of a text that is held as a whole.
    max_len: usize,
    /// Whether the text exceeded `max_len`. Such an error belongs to no path.
    exceeded_max_len: bool,
}

impl<'w> Writer<'w> {
    /// A writer into a string.
    pub(super) fn new() -> Writer<'w> {
        Writer::with_max_len(usize::MAX)
    }

    /// A writer into a string of at most about `max_len` bytes.
    pub(super) fn with_max_len(max_len: usize) -> Writer<'w> {
        Writer { text: String::new(), to: None, max_len, exceeded_max_len: false }
    }

    /// A writer that passes its text on to an `io::Write`.
    pub(super) fn to(writer: &'w mut dyn io::Write) -> Writer<'w> {
        Writer { text: String::new(), to: Some(writer), max_len: usize::MAX, exceeded_max_len: false }
    }

    /// Passes the rest on if there is an `io::Write`; returns the text that is left.
    pub(super) fn finish(mut self) -> Result<String> {
        self.pass_on()?;
        Ok(self.text)
    }

    /// Passes the buffered text on to the `io::Write`, if there is one.
    fn pass_on(&mut self) -> Result<()> {
        if let Some(writer) = &mut self.to {
            let failed =
                |error: io::Error| Error::new(Kind::Io, format!("cannot write: {error}")).with_source(error);
            writer.write_all(self.text.as_bytes()).map_err(failed)?;
            self.text.clear();
        }
        Ok(())
    }

    /// Passes a full buffer on, so that a long text is never held as a whole; an error if a text that is held
    /// exceeds its maximum length.
    fn flush_if_full(&mut self) -> Result<()> {
        match self.to {
            Some(_) if self.text.len() >= FLUSH_BYTES => self.pass_on(),
            None if self.text.len() > self.max_len => {
                self.exceeded_max_len = true;
                Err(too_long(self.max_len))
            }
            _ => Ok(()),
        }
    }

    /// Writes a string in quotes, escaped.
    fn string(&mut self, text: &str) {
        self.text.push('"');
        write_escaped(text, &mut self.text);
        self.text.push('"');
    }

    /// Writes the plain digits of a number; an error for an infinity.
    fn number(&mut self, number: &Number) -> Result<()> {
        if number.is_infinite() {
            return Err(Error::new(Kind::Argument, "cannot serialize infinity as JSON"));
        }
        number.write_to(&mut self.text);
        Ok(())
    }

    /// Writes a whole value, with its type wherever `ty` is dynamic. Called once for each text.
    pub(super) fn write(&mut self, value: &Value, ty: &Type) -> Result<()> {
        let written = self.value(value, ty);
        written.map_err(|error| self.placed(error))
    }

    /// Removes the path of an error that no part of the value causes: the text is too long, or the `io::Write`
    /// failed.
    fn placed(&self, error: Error) -> Error {
        if self.exceeded_max_len || error.is_io() { error.at(Path::new()) } else { error }
    }

    /// Writes a value, with its type if `ty` is dynamic.
    fn value(&mut self, value: &Value, ty: &Type) -> Result<()> {
        if *ty == Type::Dynamic {
            return self.value_with_type(value);
        }
        self.content(value, ty)
    }

    /// Writes a value as `{"value":…,"type":…}`; the untyped null as `null`.
    fn value_with_type(&mut self, value: &Value) -> Result<()> {
        let ty = value.ty();
        if ty == Type::Dynamic {
            return self.content(value, &ty);
        }
        self.text.push_str("{\"value\":");
        self.content(value, &ty)?;
        self.text.push_str(",\"type\":");
        self.text.push_str(&ty.to_json_text()?);
        self.text.push('}');
        Ok(())
    }

    /// Writes the content of a value without its type; `ty` gives the types of its children.
    fn content(&mut self, value: &Value, ty: &Type) -> Result<()> {
        match value.view() {
            View::Marked(_) => return Err(marked()),
            View::Dynamic | View::Unknown(_) => return Err(unknown()),
            View::Null(_) => self.text.push_str("null"),
            View::Bool(truth) => self.text.push_str(if truth { "true" } else { "false" }),
            View::Number(number) => self.number(number)?,
            View::String(text) => self.string(text),
            View::Capsule(capsule) => return Err(not_allowed(&Type::Capsule(capsule.ty()))),
            View::List(list) => return self.items(list.as_slice(), |_| element_type(ty)),
            View::Tuple(tuple) => return self.items(tuple.as_slice(), |i| element_type_at(ty, i)),
            View::Set(set) => return self.members(set.iter(), element_type(ty)),
            View::Map(map) => return self.entries(map.iter(), element_type(ty)),
            View::Object(object) => return self.attributes(object.iter(), ty),
        }
        Ok(())
    }

    /// Writes the elements of a list or tuple; `ty` gives the type of each by its index.
    fn items<'t>(&mut self, items: &[Value], ty: impl Fn(usize) -> &'t Type) -> Result<()> {
        self.enclosed(['[', ']'], items.iter().enumerate(), |writer, (i, item)| {
            writer.value(item, ty(i)).map_err(|error| error.under(Step::index(i)))
        })
    }

    /// Writes the members of a set.
    fn members<'v>(&mut self, members: impl Iterator<Item = &'v Value>, ty: &Type) -> Result<()> {
        self.enclosed(['[', ']'], members, |writer, member| {
            writer.value(member, ty).map_err(|error| error.under(Step::index(member.clone())))
        })
    }

    /// Writes the entries of a map.
    fn entries<'v>(&mut self, entries: impl Iterator<Item = (&'v str, &'v Value)>, ty: &Type) -> Result<()> {
        self.enclosed(['{', '}'], entries, |writer, (key, value)| {
            writer.string(key);
            writer.text.push(':');
            writer.value(value, ty).map_err(|error| error.under(Step::index(key)))
        })
    }

    /// Writes the attributes of an object.
    fn attributes<'v>(
        &mut self,
        attributes: impl Iterator<Item = (&'v str, &'v Value)>,
        ty: &Type,
    ) -> Result<()> {
        self.enclosed(['{', '}'], attributes.enumerate(), |writer, (i, (name, value))| {
            writer.string(name);
            writer.text.push(':');
            writer.value(value, attribute_type_at(ty, i)).map_err(|error| error.under(Step::attr(name)))
        })
    }

    /// Writes the children of a container between its brackets, with commas. After each child it checks the maximum
    /// length and passes a full buffer on: a container of shared children may be written a million times.
    fn enclosed<T>(
        &mut self,
        [open, close]: [char; 2],
        children: impl Iterator<Item = T>,
        mut child: impl FnMut(&mut Self, T) -> Result<()>,
    ) -> Result<()> {
        self.text.push(open);
        for (i, item) in children.enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            child(self, item)?;
            self.flush_if_full()?;
        }
        self.text.push(close);
        Ok(())
    }
}

/// The element type of a collection type, or the type itself.
fn element_type(ty: &Type) -> &Type {
    ty.element_type().unwrap_or(ty)
}

/// The type of an element of a tuple type, or the type itself.
fn element_type_at(ty: &Type, i: usize) -> &Type {
    match ty {
        Type::Tuple(tuple) => tuple.get(i).unwrap_or(ty),
        _ => ty,
    }
}

/// The type of the `i`th attribute of an object type, or the type itself.
fn attribute_type_at(ty: &Type, i: usize) -> &Type {
    match ty {
        Type::Object(object) => object.type_at(i).unwrap_or(ty),
        _ => ty,
    }
}

/// The error for a text of more than `max_len` bytes.
#[cold]
fn too_long(max_len: usize) -> Error {
    Error::new(Kind::Limit, format!("the text would have more than {max_len} bytes"))
}

/// The error for a marked value, which has no JSON.
#[cold]
pub(super) fn marked() -> Error {
    Error::new(Kind::Marked, "value has marks, so it cannot be serialized as JSON")
}

/// The error for an unknown value, which has no JSON.
#[cold]
pub(super) fn unknown() -> Error {
    Error::new(Kind::Unknown, "value is not known")
}
