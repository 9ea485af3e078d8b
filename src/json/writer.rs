//! Values as JSON text.

pub(super) mod lead;

use std::io;

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::path::{Path, Step};
use crate::types::Type;
use crate::types::json::{not_allowed, write_escaped};
use crate::value::{Value, View};

/// From this many bytes on, what has been written is passed on.
const FULL: usize = 1 << 16;

/// Text that grows, and goes on to a writer where there is one.
pub(super) struct Writer<'w> {
    text: String,
    to: Option<&'w mut dyn io::Write>,
    /// How long the text may become, where it is kept.
    most: usize,
    /// Whether it has become longer. No part is to blame for that.
    is_over: bool,
}

impl<'w> Writer<'w> {
    /// Keeps everything.
    pub(super) fn new() -> Writer<'w> {
        Writer::within(usize::MAX)
    }

    /// Keeps everything, about so many bytes at most.
    pub(super) fn within(most: usize) -> Writer<'w> {
        Writer { text: String::new(), to: None, most, is_over: false }
    }

    /// Passes everything on.
    pub(super) fn to(writer: &'w mut dyn io::Write) -> Writer<'w> {
        Writer { text: String::new(), to: Some(writer), most: usize::MAX, is_over: false }
    }

    /// What is left, after passing it on where there is a writer.
    pub(super) fn finish(mut self) -> Result<String> {
        self.pass_on()?;
        Ok(self.text)
    }

    fn pass_on(&mut self) -> Result<()> {
        if let Some(writer) = &mut self.to {
            let failed =
                |error: io::Error| Error::new(Kind::Io, format!("cannot write: {error}")).with_source(error);
            writer.write_all(self.text.as_bytes()).map_err(failed)?;
            self.text.clear();
        }
        Ok(())
    }

    /// Between two parts, so that the text does not have to be held as a whole.
    fn breathe(&mut self) -> Result<()> {
        match self.to {
            Some(_) if self.text.len() >= FULL => self.pass_on(),
            None if self.text.len() > self.most => {
                self.is_over = true;
                Err(too_long(self.most))
            }
            _ => Ok(()),
        }
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        write_escaped(text, &mut self.text);
        self.text.push('"');
    }

    fn number(&mut self, number: &Number) -> Result<()> {
        if number.is_infinite() {
            return Err(Error::new(Kind::Limit, "cannot serialize infinity as JSON"));
        }
        number.write_to(&mut self.text);
        Ok(())
    }

    /// The value as a whole, its type included where `ty` leaves it open.
    pub(super) fn whole(&mut self, value: &Value, ty: &Type) -> Result<()> {
        let written = self.value(value, ty);
        written.map_err(|error| self.placed(error))
    }

    /// The error at the part that is to blame: for a text that is too long, or a writer that fails, none is.
    fn placed(&self, error: Error) -> Error {
        if self.is_over || error.is_io() { error.at(Path::new()) } else { error }
    }

    /// A value, its type included where `ty` leaves it open.
    fn value(&mut self, value: &Value, ty: &Type) -> Result<()> {
        if *ty == Type::Dynamic {
            return self.open(value);
        }
        self.content(value, ty)
    }

    /// A value where nothing is known of its type.
    fn open(&mut self, value: &Value) -> Result<()> {
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

    fn content(&mut self, value: &Value, ty: &Type) -> Result<()> {
        match value.view() {
            View::Marked(_) => return Err(marked()),
            View::Dynamic | View::Unknown(_) => return Err(unknown()),
            View::Null(_) => self.text.push_str("null"),
            View::Bool(truth) => self.text.push_str(if truth { "true" } else { "false" }),
            View::Number(number) => self.number(number)?,
            View::String(text) => self.string(text),
            View::Capsule(capsule) => return Err(not_allowed(&Type::Capsule(capsule.ty()))),
            View::List(list) => return self.items(list.as_slice(), |_| element(ty)),
            View::Tuple(tuple) => return self.items(tuple.as_slice(), |i| position(ty, i)),
            View::Set(set) => return self.members(set.iter(), element(ty)),
            View::Map(map) => return self.entries(map.iter(), element(ty)),
            View::Object(object) => return self.attributes(object.iter(), ty),
        }
        Ok(())
    }

    fn items<'t>(&mut self, items: &[Value], ty: impl Fn(usize) -> &'t Type) -> Result<()> {
        self.enclosed(['[', ']'], items.iter().enumerate(), |writer, (i, item)| {
            writer.value(item, ty(i)).map_err(|error| error.under(Step::index(i)))
        })
    }

    fn members<'v>(&mut self, members: impl Iterator<Item = &'v Value>, ty: &Type) -> Result<()> {
        self.enclosed(['[', ']'], members, |writer, member| {
            writer.value(member, ty).map_err(|error| error.under(Step::index(member.clone())))
        })
    }

    fn entries<'v>(&mut self, entries: impl Iterator<Item = (&'v str, &'v Value)>, ty: &Type) -> Result<()> {
        self.enclosed(['{', '}'], entries, |writer, (key, value)| {
            writer.string(key);
            writer.text.push(':');
            writer.value(value, ty).map_err(|error| error.under(Step::index(key)))
        })
    }

    fn attributes<'v>(
        &mut self,
        attributes: impl Iterator<Item = (&'v str, &'v Value)>,
        ty: &Type,
    ) -> Result<()> {
        self.enclosed(['{', '}'], attributes.enumerate(), |writer, (i, (name, value))| {
            writer.string(name);
            writer.text.push(':');
            writer.value(value, attribute(ty, i)).map_err(|error| error.under(Step::attr(name)))
        })
    }

    /// Writes the children of a container between its brackets, with commas. After each one the limit is compared and
    /// a full buffer is passed on: a container of shared children can be written a million times over.
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
            self.breathe()?;
        }
        self.text.push(close);
        Ok(())
    }
}

fn element(ty: &Type) -> &Type {
    ty.element_type().unwrap_or(ty)
}

fn position(ty: &Type, i: usize) -> &Type {
    match ty {
        Type::Tuple(tuple) => tuple.get(i).unwrap_or(ty),
        _ => ty,
    }
}

fn attribute(ty: &Type, i: usize) -> &Type {
    match ty {
        Type::Object(object) => object.type_at(i).unwrap_or(ty),
        _ => ty,
    }
}

#[cold]
fn too_long(most: usize) -> Error {
    Error::new(Kind::Limit, format!("the text would have more than {most} bytes"))
}

#[cold]
pub(super) fn marked() -> Error {
    Error::new(Kind::Marked, "value has marks, so it cannot be serialized as JSON")
}

#[cold]
pub(super) fn unknown() -> Error {
    Error::new(Kind::Unknown, "value is not known")
}
