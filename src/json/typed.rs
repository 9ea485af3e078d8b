//! Values of a type that is given.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::path::Step;
use crate::text::{QuotedInMessage, Text};
use crate::types::json::not_allowed;
use crate::types::{MapType, ObjectType, Type};
use crate::value::{Value, build_list, build_map, build_object, build_set, build_tuple};

use super::Reading;
use super::reader::{Reader, Token};

mod dynamic;

/// Reads typed values, front to back.
pub(super) struct Typed<'a> {
    reader: Reader<'a>,
    reading: Reading,
    /// The elements of the arrays that are open.
    items: Vec<Value>,
    /// The entries of the maps that are open.
    entries: Vec<(Text, Value)>,
    dynamic: dynamic::State,
}

impl<'a> Typed<'a> {
    pub(super) fn new(reader: Reader<'a>, reading: Reading) -> Typed<'a> {
        let dynamic = dynamic::State::new(reader.text_len());
        Typed { reader, reading, items: Vec::new(), entries: Vec::new(), dynamic }
    }

    /// Reads the whole text as one value of this type.
    pub(super) fn whole(mut self, ty: &Type) -> Result<Value> {
        let value = self.value(ty)?;
        if self.reading == Reading::Strict {
            self.reader.end()?;
        }
        if value.size() as usize > limits::SIZE {
            let message = format!("a value may have at most {} parts", limits::SIZE);
            return Err(Error::new(Kind::Limit, message));
        }
        Ok(value)
    }

    /// Reads the value that comes next as a value of this type.
    fn value(&mut self, ty: &Type) -> Result<Value> {
        let token = self.reader.peek()?;
        if token == Token::Null {
            return self.reader.null().map(|()| Value::null(ty.clone()));
        }
        match ty {
            Type::String => self.string(token),
            Type::Number => self.number(token),
            Type::Bool => self.bool(token),
            Type::Object(object) => self.object(object),
            Type::List(_) | Type::Set(_) => self.collection(ty),
            Type::Map(map) => self.map(map),
            Type::Tuple(_) => self.tuple(ty),
            Type::Dynamic => self.dynamic(),
            Type::Capsule(_) => Err(self.reader.error(not_allowed(ty).message()).of_kind(Kind::TypeMismatch)),
        }
    }

    #[cold]
    fn mismatch(&self, message: &str) -> Error {
        self.reader.error(message).of_kind(Kind::TypeMismatch)
    }

    fn bool(&mut self, token: Token) -> Result<Value> {
        match token {
            Token::Bool => self.reader.bool().map(Value::from),
            Token::String => match &*self.reader.string()?.text() {
                "true" | "1" => Ok(Value::from(true)),
                "false" | "0" => Ok(Value::from(false)),
                _ => Err(self.mismatch("bool is required")),
            },
            _ => Err(self.reader.mismatch("bool")),
        }
    }

    fn number(&mut self, token: Token) -> Result<Value> {
        match token {
            Token::Number => self.reader.exact_number().map(Value::from),
            Token::String => {
                let read = self.reader.string()?.text().parse::<Number>();
                let read =
                    read.map_err(
                        |error| if error.is_limit() { error } else { error.of_kind(Kind::TypeMismatch) },
                    );
                let number = read.map_err(|error| self.reader.locate(error))?;
                self.reader.within_reason(number).map(Value::from)
            }
            _ => Err(self.reader.mismatch("number")),
        }
    }

    fn string(&mut self, token: Token) -> Result<Value> {
        match token {
            Token::String => self.reader.string().map(|text| Value::from(&*text.text())),
            Token::Number => self.reader.number().map(Value::from),
            Token::Bool => self.reader.bool().map(|truth| Value::from(if truth { "true" } else { "false" })),
            _ => Err(self.reader.mismatch("string")),
        }
    }

    fn open(&mut self, wanted: Token) -> Result<()> {
        if self.reader.peek()? != wanted {
            return Err(self.reader.mismatch(wanted.name()));
        }
        self.reader.open()
    }

    /// A list or set.
    fn collection(&mut self, ty: &Type) -> Result<Value> {
        let Some(element) = ty.element_type() else { return Err(self.reader.mismatch("array")) };
        self.open(Token::Array)?;
        let start = self.items.len();
        while self.reader.element(self.items.len() == start)? {
            let item = self.value(element);
            let place = self.items.len().saturating_sub(start);
            self.items.push(item.map_err(|error| error.under(Step::index(place)))?);
        }
        let items: Vec<Value> = self.items.drain(start..).collect();
        if element.has_dynamic() {
            return self.undecided_collection(ty, items);
        }
        Ok(match ty {
            Type::Set(set) => build_set(set.clone(), items),
            Type::List(list) => build_list(list.clone(), items),
            _ => Value::null(ty.clone()),
        })
    }

    fn tuple(&mut self, ty: &Type) -> Result<Value> {
        let Type::Tuple(tuple) = ty else { return Err(self.reader.mismatch("array")) };
        self.open(Token::Array)?;
        let start = self.items.len();
        while self.reader.element(self.items.len() == start)? {
            let place = self.items.len().saturating_sub(start);
            let Some(ty) = tuple.get(place) else {
                return Err(self.mismatch(&format!("too many tuple elements (need {})", tuple.len())));
            };
            let item = self.value(ty);
            self.items.push(item.map_err(|error| error.under(Step::index(place)))?);
        }
        let items: Vec<Value> = self.items.drain(start..).collect();
        if items.len() < tuple.len() {
            return Err(self.mismatch(&format!("not enough tuple elements (need {})", tuple.len())));
        }
        build_tuple(tuple, items)
    }

    fn map(&mut self, ty: &MapType) -> Result<Value> {
        self.open(Token::Object)?;
        let start = self.entries.len();
        let mut sorted = true;
        while let Some(key) = self.reader.key(self.entries.len() == start)? {
            let key = Text::new(&key.text());
            let last = self.entries.get(start..).and_then(<[_]>::last);
            sorted = sorted && last.is_none_or(|(last, _)| *last < key);
            let value = self.value(ty.element()).map_err(|error| error.under(Step::index(key.as_str())))?;
            self.entries.push((key, value));
        }
        let mut entries: Vec<(Text, Value)> = self.entries.drain(start..).collect();
        if !sorted {
            // Stable: of equal keys the last one given is the last.
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            let twice = entries.windows(2).find(|pair| matches!(pair, [a, b] if a.0 == b.0));
            if let Some([(twice, _), ..]) = twice {
                if self.reading == Reading::Strict {
                    return Err(self.duplicate(twice));
                }
                entries.reverse();
                entries.dedup_by(|(earlier, _), (kept, _)| earlier == kept);
                entries.reverse();
            }
        }
        if ty.element().has_dynamic() {
            return self.undecided_map(ty, entries);
        }
        Ok(build_map(ty.clone(), entries))
    }

    fn object(&mut self, ty: &ObjectType) -> Result<Value> {
        self.open(Token::Object)?;
        let mut slots: Vec<Value> = Vec::with_capacity(ty.len());
        let mut first = true;
        while let Some(key) = self.reader.key(first)? {
            first = false;
            // Writers sort and leave nothing out: the next slot is nearly always the right one.
            let next = slots.len();
            match ty.name_at(next).filter(|name| key.is(name)).and_then(|_| ty.type_at(next)) {
                Some(declared) => {
                    let value = self.value(declared);
                    slots.push(value.map_err(|error| error.under(Step::attr(&key.text())))?);
                }
                None => {
                    self.in_any_order(ty, &mut slots, &key.text())?;
                    return self.finish_object(ty, slots);
                }
            }
        }
        self.fill(ty, &mut slots)?;
        self.finish_object(ty, slots)
    }

    /// The rest of an object, from the value of this property on, when it is not the one that was expected.
    fn in_any_order(&mut self, ty: &ObjectType, slots: &mut Vec<Value>, key: &str) -> Result<()> {
        let mut given = vec![true; slots.len()];
        given.resize(ty.len(), false);
        self.fill(ty, slots)?;
        let (mut name, mut expected);
        let mut key = key;
        loop {
            let Some(slot) = ty.index_of(key) else {
                return Err(self.mismatch(&format!("unsupported attribute {}", QuotedInMessage(key))));
            };
            let (Some(declared), Some(place), Some(given)) =
                (ty.type_at(slot), slots.get_mut(slot), given.get_mut(slot))
            else {
                return Ok(());
            };
            if std::mem::replace(given, true) && self.reading == Reading::Strict {
                return Err(self.duplicate(key));
            }
            *place = self.value(declared).map_err(|error| error.under(Step::attr(key)))?;
            match self.reader.key(false)? {
                Some(next) => name = next,
                None => return Ok(()),
            }
            expected = name.text();
            key = &expected;
        }
    }

    /// Null for each attribute that has no slot yet.
    fn fill(&mut self, ty: &ObjectType, slots: &mut Vec<Value>) -> Result<()> {
        let missing = ty.len().saturating_sub(slots.len());
        if missing == 0 {
            return Ok(());
        }
        self.dynamic.make_room(missing).map_err(|error| self.reader.locate(error))?;
        slots.extend(ty.iter().skip(slots.len()).map(|(_, declared)| Value::null(declared.clone())));
        Ok(())
    }

    fn finish_object(&self, ty: &ObjectType, slots: Vec<Value>) -> Result<Value> {
        if ty.has_dynamic() && !ty.iter().zip(&slots).all(|((_, declared), value)| value.has_type(declared)) {
            return Value::object_of(ty, slots).map_err(|error| self.reader.locate(error));
        }
        Ok(build_object(ty.clone(), slots.into_boxed_slice()))
    }

    #[cold]
    fn duplicate(&self, name: &str) -> Error {
        self.reader.error(&format!("duplicate {name:?} property in a JSON object"))
    }

    /// The elements of a collection whose element type is undecided have one type all the same: that of those that
    /// have one.
    fn one_type(&self, declared: &Type, values: &mut dyn Iterator<Item = &mut Value>) -> Result<Type> {
        let mut values: Vec<&mut Value> = values.collect();
        let types: Vec<Type> = values.iter().map(|value| value.ty()).collect();
        let Some(first) = types.first() else { return Ok(declared.clone()) };
        let ty = types.iter().find(|ty| !ty.has_dynamic()).unwrap_or(first);
        let constraint = TypeConstraint::from(ty);
        for (value, own) in values.iter_mut().zip(&types).filter(|(_, own)| *own != ty) {
            if !own.covers(ty) {
                let message = format!(
                    "all elements of a collection must have the same type: {} required, but have {}",
                    ty.friendly_name(),
                    own.friendly_name()
                );
                return Err(self.mismatch(&message).with_types(ty.clone(), own.clone()));
            }
            **value = convert(value, &constraint).map_err(|error| self.reader.locate(error))?;
        }
        Ok(ty.clone())
    }

    fn undecided_collection(&self, ty: &Type, mut items: Vec<Value>) -> Result<Value> {
        let element = self.one_type(ty.element_type().unwrap_or(ty), &mut items.iter_mut())?;
        let built = if let Type::Set(_) = ty {
            Value::set_of(element, items)
        } else {
            Value::list_of(element, items)
        };
        built.map_err(|error| self.reader.locate(error))
    }

    fn undecided_map(&self, ty: &MapType, mut entries: Vec<(Text, Value)>) -> Result<Value> {
        let element = self.one_type(ty.element(), &mut entries.iter_mut().map(|(_, value)| value))?;
        Value::map_of(element, entries).map_err(|error| self.reader.locate(error))
    }
}
