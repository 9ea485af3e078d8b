//! Values of the type that the text implies.

use crate::error::Result;
use crate::path::Step;
use crate::text::Text;
use crate::types::{ObjectType, TupleType, Type};
use crate::value::{Value, build_object, build_tuple_node};

use super::Reading;
use super::reader::{Reader, Token};
use super::string::Str;

/// Reads the value that comes next, strictly.
#[cfg(feature = "schema")]
pub(crate) fn value(reader: &mut Reader<'_>) -> Result<Value> {
    Implied::new(Reading::Strict).value(reader)
}

/// How many types of each kind are kept at hand.
const KEPT: usize = 64;

/// What is needed while a text is read: the parts of the containers that are open, and types met before, which the
/// next object or array is likely to have as well.
pub(super) struct Implied<'a> {
    reading: Reading,
    parts: Vec<Value>,
    names: Vec<Str<'a>>,
    objects: Vec<Option<ObjectType>>,
    tuples: Vec<Option<TupleType>>,
}

impl<'a> Implied<'a> {
    pub(super) fn new(reading: Reading) -> Implied<'a> {
        Implied { reading, parts: Vec::new(), names: Vec::new(), objects: Vec::new(), tuples: Vec::new() }
    }

    pub(super) fn value(&mut self, reader: &mut Reader<'a>) -> Result<Value> {
        match reader.peek()? {
            Token::Null => reader.null().map(|()| Value::null(Type::Dynamic)),
            Token::Bool => reader.bool().map(Value::from),
            Token::Number => reader.exact_number().map(Value::from),
            Token::String => reader.string().map(|text| Value::from(&*text.text())),
            Token::Array => self.array(reader),
            Token::Object => self.object(reader),
        }
    }

    fn array(&mut self, reader: &mut Reader<'a>) -> Result<Value> {
        reader.open()?;
        let start = self.parts.len();
        while reader.element(self.parts.len() == start)? {
            let item = self.value(reader);
            let place = self.parts.len().saturating_sub(start);
            self.parts.push(item.map_err(|error| error.under(Step::index(place)))?);
        }
        self.tuple(start)
    }

    fn tuple(&mut self, start: usize) -> Result<Value> {
        let items: Vec<Value> = self.parts.drain(start..).collect();
        let place = items.len() % KEPT;
        let kept = self.tuples.get(place).and_then(Option::as_ref);
        let has = |ty: &TupleType| {
            ty.len() == items.len() && items.iter().zip(ty).all(|(item, ty)| item.has_type(ty))
        };
        if let Some(ty) = kept.filter(|ty| has(ty)) {
            return build_tuple_node(ty, items);
        }
        let ty = TupleType::new(items.iter().map(Value::ty))?;
        keep(&mut self.tuples, place, &ty);
        build_tuple_node(&ty, items)
    }

    fn object(&mut self, reader: &mut Reader<'a>) -> Result<Value> {
        reader.open()?;
        let (start, first) = (self.parts.len(), self.names.len());
        let mut sorted = true;
        while let Some(key) = reader.key(self.parts.len() == start)? {
            let last = self.names.get(first..).and_then(<[Str<'_>]>::last);
            sorted = sorted
                && match (last.map(|last| last.plain()), key.plain()) {
                    (None, Some(_)) => true,
                    (Some(Some(last)), Some(key)) => last < key,
                    _ => false,
                };
            self.names.push(key);
            let value = self.value(reader);
            self.parts.push(value.map_err(|error| error.under(Step::attr(&key.text())))?);
        }
        if !sorted {
            return self.unsorted(reader, start, first);
        }
        let slots: Vec<Value> = self.parts.drain(start..).collect();
        let names = self.names.get(first..).unwrap_or_default();
        let place = place_of(names);
        let kept = self.objects.get(place).and_then(Option::as_ref);
        let has = |ty: &ObjectType| {
            ty.len() == names.len()
                && ty
                    .iter()
                    .zip(names.iter().zip(&slots))
                    .all(|((name, ty), (own, slot))| own.is(name) && slot.has_type(ty))
        };
        let ty = match kept.filter(|ty| has(ty)) {
            Some(ty) => ty.clone(),
            None => {
                let names = names.iter().map(|name| name.text());
                let ty = ObjectType::new(names.zip(slots.iter().map(Value::ty)))?;
                keep(&mut self.objects, place, &ty);
                ty
            }
        };
        self.names.truncate(first);
        Ok(build_object(ty, slots.into_boxed_slice()))
    }

    /// An object whose names are not in order, or not as they stand.
    fn unsorted(&mut self, reader: &Reader<'a>, start: usize, first: usize) -> Result<Value> {
        let names = self.names.drain(first..).map(|name| Text::new(&name.text()));
        let mut attributes: Vec<(Text, Value)> = names.zip(self.parts.drain(start..)).collect();
        attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
        let lenient = self.reading == Reading::Lenient;
        let twice = attributes.windows(2).find_map(|pair| match pair {
            [(a, x), (b, y)] if a == b && !(lenient && y.has_type(&x.ty())) => Some(a),
            _ => None,
        });
        if let Some(twice) = twice {
            return Err(reader.error(&format!("duplicate {twice:?} property in a JSON object that ends")));
        }
        Value::object(attributes)
    }
}

/// Where the type of an object with these names is kept.
fn place_of(names: &[Str<'_>]) -> usize {
    let ends = [names.first(), names.last()].into_iter().flatten();
    let bytes = ends.flat_map(|name| name.raw.bytes());
    let mixed = bytes.fold(names.len(), |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    mixed % KEPT
}

fn keep<T: Clone>(kept: &mut Vec<Option<T>>, place: usize, ty: &T) {
    if kept.is_empty() {
        kept.resize(KEPT, None);
    }
    if let Some(kept) = kept.get_mut(place) {
        *kept = Some(ty.clone());
    }
}
