//! Values of the type that the text implies, and that type alone.

use crate::error::Result;
use crate::path::Step;
use crate::text::Text;
use crate::types::{ObjectType, TupleType, Type};
use crate::value::{Value, build_object, build_tuple_node};

use super::Reading;
use super::reader::{Reader, Token};
use super::string::Str;

mod kept;

use kept::{Kept, Key};

/// Reads the value that comes next, strictly.
pub(crate) fn value(reader: &mut Reader<'_>) -> Result<Value> {
    Implied::new(Reading::Strict).part(reader).map(|(value, _)| value)
}

/// What is made of a text: the value, or its type.
pub(super) trait Part: Sized {
    fn null() -> Self;
    fn bool(truth: bool) -> Self;
    /// The number that comes next.
    fn number(reader: &mut Reader<'_>) -> Result<Self>;
    fn string(text: Str<'_>) -> Self;
    /// Of items that are of just the types of the tuple's type.
    fn tuple(ty: TupleType, items: impl Iterator<Item = Self>) -> Result<Self>;
    /// Of slots that are of just the types of the object's type.
    fn object(ty: ObjectType, slots: impl Iterator<Item = Self>) -> Self;
    fn is_of(&self, ty: &Type) -> bool;
    fn ty(&self) -> Type;
}

impl Part for Value {
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

impl Part for Type {
    fn null() -> Type {
        Type::Dynamic
    }

    fn bool(_: bool) -> Type {
        Type::Bool
    }

    fn number(reader: &mut Reader<'_>) -> Result<Type> {
        reader.checked_number().map(|()| Type::Number)
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

/// What is needed while a text is read: the parts of the containers that are open, and types met before, which the
/// next object or array is likely to have as well.
pub(super) struct Implied<'a, P> {
    reading: Reading,
    parts: Vec<P>,
    /// The keys of the types of the parts.
    keys: Vec<Key>,
    names: Vec<Str<'a>>,
    objects: Kept<ObjectType>,
    tuples: Kept<TupleType>,
}

impl<'a, P: Part> Implied<'a, P> {
    pub(super) fn new(reading: Reading) -> Implied<'a, P> {
        Implied {
            reading,
            parts: Vec::new(),
            keys: Vec::new(),
            names: Vec::new(),
            objects: Kept::default(),
            tuples: Kept::default(),
        }
    }

    /// Reads the part that comes next; also gives the key of its type.
    pub(super) fn part(&mut self, reader: &mut Reader<'a>) -> Result<(P, Key)> {
        match reader.peek()? {
            Token::Null => reader.null().map(|()| (P::null(), Key::NULL)),
            Token::Bool => reader.bool().map(|truth| (P::bool(truth), Key::BOOL)),
            Token::Number => P::number(reader).map(|number| (number, Key::NUMBER)),
            Token::String => reader.string().map(|text| (P::string(text), Key::STRING)),
            Token::Array => self.array(reader),
            Token::Object => self.object(reader),
        }
    }

    fn array(&mut self, reader: &mut Reader<'a>) -> Result<(P, Key)> {
        reader.open()?;
        let start = self.parts.len();
        while reader.element(self.parts.len() == start)? {
            let item = self.part(reader);
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
                self.tuples.keep(key, &ty);
                ty
            }
        };
        P::tuple(ty, self.parts.drain(start..)).map(|tuple| (tuple, key))
    }

    fn object(&mut self, reader: &mut Reader<'a>) -> Result<(P, Key)> {
        reader.open()?;
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
            let part = self.part(reader);
            let (part, key) = part.map_err(|error| error.under(Step::attr(&name.text())))?;
            self.parts.push(part);
            self.keys.push(key);
        }
        if !sorted {
            return self.unsorted(reader, start, first);
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
                self.objects.keep(key, &ty);
                ty
            }
        };
        self.names.truncate(first);
        Ok((P::object(ty, self.parts.drain(start..)), key))
    }

    /// An object whose names are not in order, or not as they stand.
    fn unsorted(&mut self, reader: &Reader<'a>, start: usize, first: usize) -> Result<(P, Key)> {
        let parts = self.parts.drain(start..).zip(self.keys.drain(start..));
        let names = self.names.drain(first..).map(|name| Text::new(&name.text()));
        let mut attributes: Vec<(Text, (P, Key))> = names.zip(parts).collect();
        // Stable: of equal names the last one given is the last.
        attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
        let lenient = self.reading == Reading::Lenient;
        let twice = attributes.windows(2).find_map(|pair| match pair {
            [(a, (x, _)), (b, (y, _))] if a == b && !(lenient && y.is_of(&x.ty())) => Some(a),
            _ => None,
        });
        if let Some(twice) = twice {
            return Err(reader.error(&format!("duplicate {twice:?} property in a JSON object that ends")));
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
                self.objects.keep(key, &ty);
                ty
            }
        };
        Ok((P::object(ty, attributes.into_iter().map(|(_, (slot, _))| slot)), key))
    }
}
