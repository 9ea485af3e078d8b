//! The type that bytes imply.

use crate::error::{Error, Kind, Result};
use crate::text::Text;
use crate::types::Type;

use super::reader::{Head, Reader, utf8};

pub(super) fn read(bytes: &[u8]) -> Result<Type> {
    let mut reader = Reader::new(bytes);
    let mut empties = Empties::default();
    let ty = implied(&mut reader, &mut empties)?;
    if reader.is_at_end() { Ok(ty) } else { Err(reader.malformed("extra bytes after msgpack value")) }
}

/// The types of what is empty, one node for all.
#[derive(Default)]
struct Empties {
    tuple: Option<Type>,
    object: Option<Type>,
}

fn implied(reader: &mut Reader<'_>, empties: &mut Empties) -> Result<Type> {
    match reader.head()? {
        Head::Nil | Head::Ext(..) => Ok(Type::Dynamic),
        Head::Bool(_) => Ok(Type::Bool),
        Head::Int(_) | Head::Large(_) | Head::Float(_) => Ok(Type::Number),
        Head::Str(_) => Ok(Type::String),
        Head::Bin(_) => Err(reader.malformed("a bin implies no type")),
        Head::Array(0) => once(&mut empties.tuple, || Type::tuple([])),
        Head::Map(0) => once(&mut empties.object, || Type::object(Vec::<(Text, Type)>::new())),
        Head::Array(count) => tuple(reader, count, empties),
        Head::Map(count) => object(reader, count, empties),
    }
}

fn once(ty: &mut Option<Type>, make: impl FnOnce() -> Result<Type>) -> Result<Type> {
    match ty {
        Some(ty) => Ok(ty.clone()),
        None => Ok(ty.insert(make()?).clone()),
    }
}

fn tuple(reader: &mut Reader<'_>, count: u32, empties: &mut Empties) -> Result<Type> {
    reader.open(count as usize)?;
    let mut elements = Vec::with_capacity(count as usize);
    for _ in 0..count {
        reader.part();
        elements.push(implied(reader, empties)?);
    }
    reader.close();
    Type::tuple(elements)
}

fn object(reader: &mut Reader<'_>, count: u32, empties: &mut Empties) -> Result<Type> {
    reader.open((count as usize).saturating_mul(2))?;
    let mut attributes = Vec::with_capacity(count as usize);
    for _ in 0..count {
        reader.part();
        let (Head::Str(name) | Head::Bin(name)) = reader.head()? else {
            return Err(Error::new(Kind::Syntax, "all keys must be strings"));
        };
        let name = Text::new(utf8(name)?);
        reader.part();
        attributes.push((name, implied(reader, empties)?));
    }
    reader.close();
    Type::object(attributes)
}
