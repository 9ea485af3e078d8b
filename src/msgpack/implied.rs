//! The type that bytes imply.

use crate::error::{Error, Kind, Result};
use crate::text::Text;
use crate::types::Type;

use super::reader::{Head, Reader, utf8};

/// `lenient` says whether a key may come twice.
pub(super) fn read(bytes: &[u8], lenient: bool) -> Result<Type> {
    let mut reader = Reader::new(bytes);
    let mut found = Found { lenient, ..Found::default() };
    let ty = implied(&mut reader, &mut found)?;
    if reader.is_at_end() { Ok(ty) } else { Err(reader.malformed("extra bytes after msgpack value")) }
}

/// The types of what is empty, one node for all; and whether a key may come twice.
#[derive(Default)]
struct Found {
    lenient: bool,
    tuple: Option<Type>,
    object: Option<Type>,
}

fn implied(reader: &mut Reader<'_>, found: &mut Found) -> Result<Type> {
    match reader.head()? {
        Head::Nil | Head::Ext(..) => Ok(Type::Dynamic),
        Head::Bool(_) => Ok(Type::Bool),
        Head::Int(_) | Head::Large(_) | Head::Float(_) => Ok(Type::Number),
        Head::Str(_) => Ok(Type::String),
        Head::Bin(_) => Err(reader.malformed("a bin implies no type")),
        Head::Array(0) => once(&mut found.tuple, || Type::tuple([])),
        Head::Map(0) => once(&mut found.object, || Type::object(Vec::<(Text, Type)>::new())),
        Head::Array(count) => tuple(reader, count, found),
        Head::Map(count) => object(reader, count, found),
    }
}

fn once(ty: &mut Option<Type>, make: impl FnOnce() -> Result<Type>) -> Result<Type> {
    match ty {
        Some(ty) => Ok(ty.clone()),
        None => Ok(ty.insert(make()?).clone()),
    }
}

fn tuple(reader: &mut Reader<'_>, count: u32, found: &mut Found) -> Result<Type> {
    reader.open(count as usize)?;
    let mut elements = Vec::with_capacity(count as usize);
    for _ in 0..count {
        reader.part();
        elements.push(implied(reader, found)?);
    }
    reader.close();
    Type::tuple(elements)
}

fn object(reader: &mut Reader<'_>, count: u32, found: &mut Found) -> Result<Type> {
    reader.open((count as usize).saturating_mul(2))?;
    let mut attributes = Vec::with_capacity(count as usize);
    for _ in 0..count {
        reader.part();
        let (Head::Str(name) | Head::Bin(name)) = reader.head()? else {
            return Err(Error::new(Kind::Syntax, "all keys must be strings"));
        };
        let name = Text::new(utf8(name)?);
        reader.part();
        attributes.push((name, implied(reader, found)?));
    }
    reader.close();
    if found.lenient {
        // Stable: of equal names the later one is the last, and stays.
        attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
        attributes.reverse();
        attributes.dedup_by(|(earlier, _), (kept, _)| earlier == kept);
    }
    Type::object(attributes)
}
