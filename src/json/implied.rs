//! Reads JSON text as a value of the type that the text implies, or as that type alone.

use crate::error::Result;
use crate::path::Step;
use crate::text::Text;
use crate::types::{ObjectType, TupleType, Type};
use crate::value::{Value, build_object, build_tuple_node};

use super::Reading;
use super::reader::{Reader, Token};
use super::string::Str;

mod cache;

use cache::{Key, TypeCache};

/// Reads the next JSON value as a value of the type that it implies; a property given twice is an error.
pub fn value(reader: &mut Reader<'_>) -> Result<Value> {
    Implied::new(Reading::Strict).value(reader).map(|(value, _)| value)
}

/// What a text is read as: a [`Value`], or only its [`Type`].
pub(super) trait ImpliedOutput: Sized {
    /// The null of unknown type.
    fn null() -> Self;
    /// The bool.
    fn bool(truth: bool) -> Self;
    /// Reads the next number.
    fn number(reader: &mut Reader<'_>) -> Result<Self>;
    /// The decoded string.
    fn string(text: Str<'_>) -> Self;
    /// The tuple of the type `ty`; the items have exactly its element types.
    fn tuple(ty: TupleType, items: impl Iterator<Item = Self>) -> Result<Self>;
    /// The object of the type `ty`; the slots have exactly its attribute types.
    fn object(ty: ObjectType, slots: impl Iterator<Item = Self>) -> Self;
    /// Whether the result has exactly this type.
    fn is_of(&self, ty: &Type) -> bool;
    /// The type of the result.
    fn ty(&self) -> Type;
}

impl ImpliedOutput for Value {
    fn null() -> Value {
        Value::null(Type::Dynamic)
    }

    fn bool(truth: bool) -> Value {
        Value::from(truth)
    }

    fn number(reader: &mut Reader<'_>) -> Result<Value> {
        reader.exact_number().map(Value::from)
    }

    fn string(text: Str<'_>) -> Value {
        Value::from(&*text.text())
    }

    fn tuple(ty: TupleType, items: impl Iterator<Item = Value>) -> Result<Value> {
        build_tuple_node(&ty, items.collect())
    }

    fn object(ty: ObjectType, slots: impl Iterator<Item = Value>) -> Value {
        build_object(ty, slots.collect())
    }

    fn is_of(&self, ty: &Type) -> bool {
        self.has_type(ty)
    }

    fn ty(&self) -> Type {
        self.ty()
    }
}

impl ImpliedOutput for Type {
    fn null() -> Type {
        Type::Dynamic
    }

    fn bool(_: bool) -> Type {
        Type::Bool
    }

    fn number(reader: &mut Reader<'_>) -> Result<Type> {
        reader.skip_exact_number().map(|()| Type::Number)
    }

    fn string(_: Str<'_>) -> Type {
        Type::String
    }

    fn tuple(ty: TupleType, _: impl Iterator<Item = Type>) -> Result<Type> {
        Ok(Type::Tuple(ty))
    }

    fn object(ty: ObjectType, _: impl Iterator<Item = Type>) -> Type {
        Type::Object(ty)
    }

    fn is_of(&self, ty: &Type) -> bool {
        self == ty
    }

    fn ty(&self) -> Type {
        self.clone()
    }
}

/// Reads values of implied types. It holds the children read so far of all enclosing containers, and caches tuple
/// and object types, because neighbouring objects usually have the same type.
pub(super) struct Implied<'a, P> {
    reading: Reading,
    parts: Vec<P>,
    /// The cache keys of the types of `parts`.
    keys: Vec<Key>,
    names: Vec<Str<'a>>,
    objects: TypeCache<ObjectType>,
    tuples: TypeCache<TupleType>,
}

impl<'a, P: ImpliedOutput> Implied<'a, P> {
    /// A reader with empty caches.
    pub(super) fn new(reading: Reading) -> Implied<'a, P> {
        Implied {
            reading,
            parts: Vec::new(),
            keys: Vec::new(),
            names: Vec::new(),
            objects: TypeCache::default(),
            tuples: TypeCache::default(),
        }
    }

    /// Reads the next value; also returns the cache key of its type.
    pub(super) fn value(&mut self, reader: &mut Reader<'a>) -> Result<(P, Key)> {
        match reader.peek()? {
            Token::Null => reader.null().map(|()| (P::null(), Key::NULL)),
            Token::Bool => reader.bool().map(|truth| (P::bool(truth), Key::BOOL)),
            Token::Number => P::number(reader).map(|number| (number, Key::NUMBER)),
            Token::String => reader.string().map(|text| (P::string(text), Key::STRING)),
            Token::Array => self.array(reader),
            Token::Object => self.object(reader),
        }
    }

    /// Reads an array as a tuple; also returns the cache key of its type.
    fn array(&mut self, reader: &mut Reader<'a>) -> Result<(P, Key)> {
        reader.enter()?;
        let start = self.parts.len();
        while reader.element(self.parts.len() == start)? {
            let item = self.value(reader);
            let place = self.parts.len().saturating_sub(start);
            let (item, key) = item.map_err(|error| error.under(Step::index(place)))?;
            self.parts.push(item);
            self.keys.push(key);
        }
        let key = self.keys.drain(start..).fold(Key::TUPLE, Key::with);
        let items = self.parts.get(start..).unwrap_or_default();
        let has = |ty: &&TupleType| {
            ty.len() == items.len() && items.iter().zip(*ty).all(|(item, ty)| item.is_of(ty))
        };
        let ty = match self.tuples.get(key).filter(has) {
            Some(ty) => ty.clone(),
            None => {
                let ty = TupleType::new(items.iter().map(P::ty))?;
                self.tuples.insert(key, &ty);
                ty
            }
        };
        P::tuple(ty, self.parts.drain(start..)).map(|tuple| (tuple, key))
    }

    /// Reads an object; also returns the cache key of its type.
    fn object(&mut self, reader: &mut Reader<'a>) -> Result<(P, Key)> {
        reader.enter()?;
        let (start, first) = (self.parts.len(), self.names.len());
        let mut sorted = true;
        while let Some(name) = reader.key(self.parts.len() == start)? {
            let last = self.names.get(first..).and_then(<[Str<'_>]>::last);
            sorted = sorted
                && match (last.map(|last| last.plain()), name.plain()) {
                    (None, Some(_)) => true,
                    (Some(Some(last)), Some(name)) => last < name,
                    _ => false,
                };
            self.names.push(name);
            let value = self.value(reader);
            let (value, key) = value.map_err(|error| error.under(Step::attr(&name.text())))?;
            self.parts.push(value);
            self.keys.push(key);
        }
        if !sorted {
            return self.unsorted_object(reader, start, first);
        }
        let names = self.names.get(first..).unwrap_or_default();
        let ends = [names.first(), names.last()].into_iter().flatten();
        let key = ends.fold(Key::OBJECT, |key, name| key.with_text(name.raw));
        let key = self.keys.drain(start..).fold(key, Key::with);
        let slots = self.parts.get(start..).unwrap_or_default();
        let has = |ty: &&ObjectType| {
            ty.len() == names.len()
                && ty
                    .iter()
                    .zip(names.iter().zip(slots))
                    .all(|((name, ty), (own, slot))| own.is(name) && slot.is_of(ty))
        };
        let ty = match self.objects.get(key).filter(has) {
            Some(ty) => ty.clone(),
            None => {
                let names = names.iter().map(|name| name.text());
                let ty = ObjectType::new(names.zip(slots.iter().map(P::ty)))?;
                self.objects.insert(key, &ty);
                ty
            }
        };
        self.names.truncate(first);
        Ok((P::object(ty, self.parts.drain(start..)), key))
    }

    /// Builds an object whose names are not sorted or need decoding, from the names and children read since `first`
    /// and `start`.
    fn unsorted_object(&mut self, reader: &Reader<'a>, start: usize, first: usize) -> Result<(P, Key)> {
        let parts = self.parts.drain(start..).zip(self.keys.drain(start..));
        let names = self.names.drain(first..).map(|name| Text::new(&name.text()));
        let mut attributes: Vec<(Text, (P, Key))> = names.zip(parts).collect();
        // The sort is stable: of equal names the last one written is the last, and it is kept below.
        attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
        let lenient = self.reading == Reading::Lenient;
        let twice = attributes.windows(2).find_map(|pair| match pair {
            [(a, (x, _)), (b, (y, _))] if a == b && !(lenient && y.is_of(&x.ty())) => Some(a),
            _ => None,
        });
        if let Some(twice) = twice {
            // The message quotes a key, which may be marked content: `foreign` records that.
            let message = format!("duplicate {twice:?} property in a JSON object that ends");
            return Err(reader.error(&message).foreign());
        }
        attributes.reverse();
        attributes.dedup_by(|(earlier, _), (kept, _)| earlier == kept);
        attributes.reverse();
        let ends = [attributes.first(), attributes.last()].into_iter().flatten();
        let key = ends.fold(Key::OBJECT, |key, (name, _)| key.with_text(name));
        let key = attributes.iter().fold(key, |key, (_, (_, of_part))| key.with(*of_part));
        let has = |ty: &&ObjectType| {
            let mut all = ty.iter().zip(&attributes);
            ty.len() == attributes.len()
                && all.all(|((name, ty), (own, (slot, _)))| own.as_str() == name && slot.is_of(ty))
        };
        let ty = match self.objects.get(key).filter(has) {
            Some(ty) => ty.clone(),
            None => {
                let types = attributes.iter().map(|(name, (slot, _))| (name, slot.ty()));
                let ty = ObjectType::new(types)?;
                self.objects.insert(key, &ty);
                ty
            }
        };
        Ok((P::object(ty, attributes.into_iter().map(|(_, (slot, _))| slot)), key))
    }
}
