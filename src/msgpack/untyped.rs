//! Reads MessagePack as a value without a type, as far as the bytes tell.

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::types::Type;
use crate::value::Value;

use super::decode::Decoder;
use super::reader::Head;
use super::{REFINED, reader, refinement};

impl<'a> Decoder<'a> {
    /// Reads the next value without a type: an array is a tuple, a map is an object, and an array of a bin and a value is
    /// a value with its type. An unknown is of the type that its refinement tells.
    pub(super) fn untyped(&mut self) -> Result<Value> {
        let head = self.reader.head()?;
        match head {
            Head::Nil => Ok(Value::null(Type::Dynamic)),
            Head::Ext(code, body) => {
                let ty = if code == REFINED { refinement::implied_type(body)? } else { Type::Dynamic };
                self.unknown(code, body, &ty)
            }
            Head::Bool(_) => self.known(head, &Type::Bool),
            Head::Int(_) | Head::Large(_) | Head::Float(_) => self.known(head, &Type::Number),
            Head::Str(_) => self.known(head, &Type::String),
            Head::Bin(_) => Err(self.reader.malformed("a bin implies no type")),
            Head::Array(2) if self.reader.begins_with_bin() => self.known(head, &Type::Dynamic),
            Head::Array(count) => self.untyped_tuple(count),
            Head::Map(count) => self.untyped_object(count),
        }
    }

    /// Reads the elements of a tuple.
    fn untyped_tuple(&mut self, count: u32) -> Result<Value> {
        self.reader.enter(count as usize)?;
        let mut elements = Vec::with_capacity(count as usize);
        for index in 0..count {
            self.reader.begin_child();
            elements.push(self.untyped().map_err(|error| error.under(Step::index(index)))?);
        }
        self.reader.leave();
        Value::tuple(elements)
    }

    /// Reads the attributes of an object.
    fn untyped_object(&mut self, count: u32) -> Result<Value> {
        self.reader.enter((count as usize).saturating_mul(2))?;
        let mut attributes = Vec::with_capacity(count as usize);
        for _ in 0..count {
            self.reader.begin_child();
            let (Head::Str(name) | Head::Bin(name)) = self.reader.head()? else {
                return Err(Error::new(Kind::Syntax, "all keys must be strings"));
            };
            let name = reader::utf8(name)?;
            self.reader.begin_child();
            attributes.push((name, self.untyped().map_err(|error| error.under(Step::attr(name)))?));
        }
        self.reader.leave();
        Value::object(attributes)
    }
}
