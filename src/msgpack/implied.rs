//! The type that MessagePack implies.

use crate::error::{Error, Kind, Result};
use crate::text::Text;
use crate::types::Type;

use super::reader::{Head, Reader, utf8};

/// The type that one value in MessagePack implies. An error for bytes after the value, and for a key of a map that
/// occurs twice, unless `lenient`.
pub(super) fn read(bytes: &[u8], lenient: bool) -> Result<Type> {
    let mut reader = Reader::new(bytes);
    let mut context = Context { lenient, ..Context::default() };
    let ty = implied(&mut reader, &mut context)?;
    if reader.is_at_end() { Ok(ty) } else { Err(reader.malformed("extra bytes after msgpack value")) }
}

/// The options and caches of one reading: whether a key may occur twice, and the types of empty tuples and objects,
/// which all share one allocation each.
#[derive(Default)]
struct Context {
    lenient: bool,
    tuple: Option<Type>,
    object: Option<Type>,
}

/// Reads the next value and returns the type that it implies.
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

/// The type in `ty`; if there is none yet, that from `make`, which is stored there.
fn cached(ty: &mut Option<Type>, make: impl FnOnce() -> Result<Type>) -> Result<Type> {
    match ty {
        Some(ty) => Ok(ty.clone()),
        None => Ok(ty.insert(make()?).clone()),
    }
}

/// Reads the `count` elements of an array, whose head was read, and returns the tuple type that they imply.
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

/// Reads the `count` entries of a map, whose head was read, and returns the object type that they imply.
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
