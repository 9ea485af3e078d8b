//! Reads JSON text as a value of a given type.

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

/// Reads JSON text as a value of a given type.
pub(super) struct Typed<'a> {
    reader: Reader<'a>,
    reading: Reading,
    /// The elements read so far of all arrays that enclose the current position: one buffer for all levels.
    items: Vec<Value>,
    /// The entries read so far of all maps that enclose the current position.
    entries: Vec<(Text, Value)>,
    dynamic: dynamic::DynamicState,
}

impl<'a> Typed<'a> {
    /// A reader of the whole text of `reader`.
    pub(super) fn new(reader: Reader<'a>, reading: Reading) -> Typed<'a> {
        let dynamic = dynamic::DynamicState::new(reader.text_len());
        Typed { reader, reading, items: Vec::new(), entries: Vec::new(), dynamic }
    }

    /// Reads the whole text as one value of the type.
    pub(super) fn read(mut self, ty: &Type) -> Result<Value> {
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

    /// Reads the next value as a value of the type.
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

    /// A type mismatch at the current position.
    #[cold]
    fn mismatch(&self, message: &str) -> Error {
        self.reader.error(message).of_kind(Kind::TypeMismatch)
    }

    /// Reads a bool, or a string that is one.
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

    /// Reads a number, or a string that is one.
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
                self.reader.count_digits(number).map(Value::from)
            }
            _ => Err(self.reader.mismatch("number")),
        }
    }

    /// Reads a string, or the text of a number or bool.
    fn string(&mut self, token: Token) -> Result<Value> {
        match token {
            Token::String => self.reader.string().map(|text| Value::from(&*text.text())),
            Token::Number => self.reader.number().map(Value::from),
            Token::Bool => self.reader.bool().map(|truth| Value::from(if truth { "true" } else { "false" })),
            _ => Err(self.reader.mismatch("string")),
        }
    }

    /// Enters the next value, which must be of the kind `wanted`.
    fn enter_kind(&mut self, wanted: Token) -> Result<()> {
        if self.reader.peek()? != wanted {
            return Err(self.reader.mismatch(wanted.name()));
        }
        self.reader.enter()
    }

    /// Reads a list or set.
    fn collection(&mut self, ty: &Type) -> Result<Value> {
        let Some(element) = ty.element_type() else { return Err(self.reader.mismatch("array")) };
        self.enter_kind(Token::Array)?;
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

    /// Reads a tuple.
    fn tuple(&mut self, ty: &Type) -> Result<Value> {
        let Type::Tuple(tuple) = ty else { return Err(self.reader.mismatch("array")) };
        self.enter_kind(Token::Array)?;
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

    /// Reads a map.
    fn map(&mut self, ty: &MapType) -> Result<Value> {
        self.enter_kind(Token::Object)?;
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
            // The sort is stable: of equal keys the last one written is the last, and it is kept below.
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

    /// Reads an object.
    fn object(&mut self, ty: &ObjectType) -> Result<Value> {
        self.enter_kind(Token::Object)?;
        let mut slots: Vec<Value> = Vec::with_capacity(ty.len());
        let mut first = true;
        while let Some(key) = self.reader.key(first)? {
            first = false;
            // Writers sort the attributes and omit none, so the next slot is nearly always the right one.
            let next = slots.len();
            match ty.name_at(next).filter(|name| key.is(name)).and_then(|_| ty.type_at(next)) {
                Some(declared) => {
                    let value = self.value(declared);
                    slots.push(value.map_err(|error| error.under(Step::attr(&key.text())))?);
                }
                None => {
                    self.object_in_any_order(ty, &mut slots, &key.text())?;
                    return self.finish_object(ty, slots);
                }
            }
        }
        self.fill_with_nulls(ty, &mut slots)?;
        self.finish_object(ty, slots)
    }

    /// Reads the rest of an object whose attributes are not in order, from the value of the property `key` on.
    fn object_in_any_order(&mut self, ty: &ObjectType, slots: &mut Vec<Value>, key: &str) -> Result<()> {
        let mut given = vec![true; slots.len()];
        given.resize(ty.len(), false);
        self.fill_with_nulls(ty, slots)?;
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

    /// Appends a null for each attribute that has no slot yet.
    fn fill_with_nulls(&mut self, ty: &ObjectType, slots: &mut Vec<Value>) -> Result<()> {
        let missing = ty.len().saturating_sub(slots.len());
        if missing == 0 {
            return Ok(());
        }
        self.dynamic.count_missing(missing).map_err(|error| self.reader.locate(error))?;
        slots.extend(ty.iter().skip(slots.len()).map(|(_, declared)| Value::null(declared.clone())));
        Ok(())
    }

    /// Builds the object from its attributes, with their types decided where the type is dynamic.
    fn finish_object(&self, ty: &ObjectType, slots: Vec<Value>) -> Result<Value> {
        if ty.has_dynamic() && !ty.iter().zip(&slots).all(|((_, declared), value)| value.has_type(declared)) {
            return Value::object_of(ty, slots).map_err(|error| self.reader.locate(error));
        }
        Ok(build_object(ty.clone(), slots.into_boxed_slice()))
    }

    /// The error for a property that occurs twice.
    #[cold]
    fn duplicate(&self, name: &str) -> Error {
        self.reader.error(&format!("duplicate {name:?} property in a JSON object")).foreign()
    }

    /// Converts the elements of a collection with a dynamic element type to one type, and returns it: the type of
    /// the first element whose type is fully known. The other elements must be nulls or fit this type.
    fn unify_elements(&self, declared: &Type, values: &mut dyn Iterator<Item = &mut Value>) -> Result<Type> {
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

    /// Builds a list or set whose element type in `ty` contains `dynamic`, after giving all elements one type.
    fn undecided_collection(&self, ty: &Type, mut items: Vec<Value>) -> Result<Value> {
        let element = self.unify_elements(ty.element_type().unwrap_or(ty), &mut items.iter_mut())?;
        let built = if let Type::Set(_) = ty {
            Value::set_of(element, items)
        } else {
            Value::list_of(element, items)
        };
        built.map_err(|error| self.reader.locate(error))
    }

    /// Builds a map whose element type in `ty` contains `dynamic`, after giving all elements one type.
    fn undecided_map(&self, ty: &MapType, mut entries: Vec<(Text, Value)>) -> Result<Value> {
        let element = self.unify_elements(ty.element(), &mut entries.iter_mut().map(|(_, value)| value))?;
        Value::map_of(element, entries).map_err(|error| self.reader.locate(error))
    }
}
