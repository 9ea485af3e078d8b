//! The type that MessagePack implies.

use crate::error::{Error, Kind, Result};
use crate::text::Text;
use crate::types::Type;

use super::reader::{Head, Reader, utf8};

/// Reads the type that a value in MessagePack implies. With `lenient` a key of a map may occur twice.
pub(super) fn read(bytes: &[u8], lenient: bool) -> Result<Type> {
    let mut reader = Reader::new(bytes);
    let mut context = Context { lenient, ..Context::default() };
    let ty = implied(&mut reader, &mut context)?;
    if reader.is_at_end() { Ok(ty) } else { Err(reader.malformed("extra bytes after msgpack value")) }
}

/// Whether a key may occur twice, and the types of empty tuples and objects, so that all of them share one
/// allocation.
#[derive(Default)]
struct Context {
    lenient: bool,
    tuple: Option<Type>,
    object: Option<Type>,
}

/// Reads the type of the next value.
fn implied(reader: &mut Reader<'_>, context: &mut Context) -> Result<Type> {
    match reader.head()? {
        Head::Nil | Head::Ext(..) => Ok(Type::Dynamic),
        Head::Bool(_) => Ok(Type::Bool),
        Head::Int(_) | Head::Large(_) | Head::Float(_) => Ok(Type::Number),
        Head::Str(_) => Ok(Type::String),
        Head::Bin(_) => Err(reader.malformed("a bin implies no type")),
        Head::Array(0) => cached(&mut context.tuple, || Type::tuple([])),
        Head::Map(0) => cached(&mut context.object, || Type::object(Vec::<(Text, Type)>::new())),
        Head::Array(count) => tuple(reader, count, context),
        Head::Map(count) => object(reader, count, context),
    }
}

/// The cached type, built when it is first needed.
fn cached(ty: &mut Option<Type>, make: impl FnOnce() -> Result<Type>) -> Result<Type> {
    match ty {
        Some(ty) => Ok(ty.clone()),
        None => Ok(ty.insert(make()?).clone()),
    }
}

/// Reads the type of an array of `count` elements.
fn tuple(reader: &mut Reader<'_>, count: u32, context: &mut Context) -> Result<Type> {
    reader.enter(count as usize)?;
    let mut elements = Vec::with_capacity(count as usize);
    for _ in 0..count {
        reader.begin_child();
        elements.push(implied(reader, context)?);
    }
    reader.leave();
    Type::tuple(elements)
}

/// Reads the type of a map of `count` entries.
fn object(reader: &mut Reader<'_>, count: u32, context: &mut Context) -> Result<Type> {
    reader.enter((count as usize).saturating_mul(2))?;
    let mut attributes = Vec::with_capacity(count as usize);
    for _ in 0..count {
        reader.begin_child();
        let (Head::Str(name) | Head::Bin(name)) = reader.head()? else {
            return Err(Error::new(Kind::Syntax, "all keys must be strings"));
        };
        let name = Text::new(utf8(name)?);
        reader.begin_child();
        attributes.push((name, implied(reader, context)?));
    }
    reader.leave();
    if context.lenient {
        // The sort is stable, so after reversing, the last of equal names comes first, and it is kept.
        attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
        attributes.reverse();
        attributes.dedup_by(|(earlier, _), (kept, _)| earlier == kept);
    }
    Type::object(attributes)
}
