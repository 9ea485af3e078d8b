//! Reads MessagePack as a value of a given type.

use crate::assume::{resolve_dynamic, resolve_types, unknown_or_null_of_type};
use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::path::Step;
use crate::refinement::Bound;
use crate::text::{QuotedInMessage, Text};
use crate::types::{ListType, MapType, ObjectType, SetType, TupleType, Type};
use crate::value::{
    Value, build_list, build_map, build_object, build_set, build_tuple, object_of_parts, share_type,
};

use super::reader::{Head, Reader, utf8};
use super::{REFINED, REFINEMENT_BYTES, UNKNOWN, refinement};

/// The maximum number of bytes of memory that the digits of all numbers may take for each byte of the input. Without
/// this bound `1e8000`, six bytes, would take thousands.
const DIGIT_BYTES_PER_INPUT_BYTE: usize = 48;

/// Reads the whole input as one value of the type. With `lenient` it accepts what cty accepts: see
/// [`lenient`](super::lenient).
pub(super) fn read(bytes: &[u8], ty: &Type, lenient: bool) -> Result<Value> {
    read_with(bytes, lenient, |decoder| decoder.value(ty))
}

/// Reads MessagePack as a value without a type, as far as the bytes tell.
///
/// | bytes | value |
/// |---|---|
/// | nil | the untyped null |
/// | bool; integer or float; str | bool; number; string |
/// | array of a bin and another value | the value, of the type in the bin |
/// | other array; map | tuple; object |
/// | extension 12 with a prefix or with bounds of a number | an unknown string or number, so refined |
/// | other extension | unknown of unknown type |
///
/// # Errors
///
/// As [`from_slice`](super::from_slice).
pub fn read_untyped(bytes: &[u8]) -> Result<Value> {
    read_with(bytes, false, Decoder::untyped)
}

/// Reads one value with `read` from the start of the input. Bytes after it are an error, but ignored if `lenient`.
fn read_with<'a>(
    bytes: &'a [u8],
    lenient: bool,
    read: impl FnOnce(&mut Decoder<'a>) -> Result<Value>,
) -> Result<Value> {
    let digit_bytes_left = bytes.len().saturating_mul(DIGIT_BYTES_PER_INPUT_BYTE).saturating_add(1 << 16);
    let mut decoder =
        Decoder { reader: Reader::new(bytes), lenient, last_type: None, last_empty: None, digit_bytes_left };
    let value = read(&mut decoder)?;
    if !lenient && !decoder.reader.is_at_end() {
        return Err(decoder.reader.malformed("extra bytes after msgpack value"));
    }
    if value.size() as usize > limits::SIZE {
        return Err(Error::new(Kind::Limit, format!("a value may have at most {} parts", limits::SIZE)));
    }
    Ok(value)
}

/// Reads values of given types from MessagePack.
pub(super) struct Decoder<'a> {
    pub(super) reader: Reader<'a>,
    lenient: bool,
    /// The type that was read last with its JSON text, since the next one is often the same.
    last_type: Option<(&'a [u8], Type)>,
    /// The empty collection that was built last, to be shared by the next one of its type.
    last_empty: Option<(Type, Value)>,
    /// The number of bytes that the digits of further numbers may take.
    digit_bytes_left: usize,
}

/// The type mismatch "`what` is required", for input of another kind.
#[cold]
fn required(what: &str) -> Error {
    Error::new(Kind::TypeMismatch, format!("{what} is required"))
}

/// What a key of an object must be, in the words of the error message.
const ATTRIBUTE_NAME: &str = "an attribute name that is a string";

/// The string that a head contains, from str or bin. An error that `what` is required if it is another kind, and an
/// error if it is not UTF-8.
fn text<'a>(head: Head<'a>, what: &str) -> Result<&'a str> {
    match head {
        Head::Str(bytes) | Head::Bin(bytes) => utf8(bytes),
        _ => Err(required(what)),
    }
}

/// The number that a head contains: an integer, a float, or a string of digits. An error for NaN and other kinds.
pub(super) fn number(head: Head<'_>) -> Result<Number> {
    match head {
        Head::Int(int) => Ok(Number::from(int)),
        Head::Large(int) => Ok(Number::from(int)),
        Head::Float(float) => Number::from_f64_exactly(float)
            .ok_or_else(|| Error::new(Kind::TypeMismatch, "number is required, but have NaN")),
        Head::Str(bytes) | Head::Bin(bytes) => match utf8(bytes)?.parse::<Number>() {
            Err(error) if !error.is_limit() => Err(required("number")),
            read => read,
        },
        _ => Err(required("number")),
    }
}

impl<'a> Decoder<'a> {
    // Each container has a small function of its own: deep values recurse through here, and a large stack frame
    // could overflow the stack in a debug build.

    /// Reads the next value, known or not, as a value of the type.
    fn value(&mut self, ty: &Type) -> Result<Value> {
        match self.reader.head()? {
            Head::Nil => Ok(Value::null(ty.clone())),
            Head::Ext(code, body) => self.unknown(code, body, ty),
            head => self.known(head, ty),
        }
    }

    /// Reads a value that is neither null nor unknown, and whose head was read already.
    pub(super) fn known(&mut self, head: Head<'a>, ty: &Type) -> Result<Value> {
        match (ty, head) {
            (Type::String, Head::Str(bytes) | Head::Bin(bytes)) => utf8(bytes).map(Value::from),
            (Type::String, _) => Err(required("string")),
            (Type::Number, head) => {
                let number = number(head)?;
                self.count_digits(&number).map(|()| Value::from(number))
            }
            (Type::Bool, Head::Bool(value)) => Ok(Value::from(value)),
            (Type::Bool, _) => Err(required("bool")),
            (Type::List(ty), Head::Array(count)) => self.list(count, ty),
            (Type::List(_), _) => Err(required("a list")),
            (Type::Set(ty), Head::Array(count)) => self.set(count, ty),
            (Type::Set(_), _) => Err(required("a set")),
            (Type::Map(ty), Head::Map(count)) => self.map(count, ty),
            (Type::Map(_), _) => Err(required("a map")),
            (Type::Tuple(ty), Head::Array(count)) => self.tuple(count, ty),
            (Type::Tuple(_), _) => Err(required("a tuple")),
            (Type::Object(ty), Head::Map(count)) => self.object(count, ty),
            (Type::Object(_), _) => Err(required("an object")),
            (Type::Dynamic, head) => self.dynamic(head),
            (Type::Capsule(_), _) => {
                Err(Error::new(Kind::TypeMismatch, "capsule types not supported for msgpack encoding"))
            }
        }
    }

    /// Reads an unknown value of the type from the code and the content of an extension.
    pub(super) fn unknown(&mut self, code: i8, body: &[u8], ty: &Type) -> Result<Value> {
        match (code, body.len()) {
            (UNKNOWN, 0 | 1) => Ok(Value::unknown(ty.clone())),
            (_, 0 | 1) if self.lenient => Ok(Value::unknown(ty.clone())),
            (REFINED, ..=REFINEMENT_BYTES) => self.refined(body, ty),
            (REFINED, _) => Err(Error::new(Kind::Limit, "oversize unknown value refinement")),
            (code, length) => {
                let code = format!("unsupported extension type {code} with len {length}");
                Err(Error::new(Kind::Syntax, code))
            }
        }
    }

    /// Reads an unknown value of the type with the refinement that the content of an extension describes.
    fn refined(&mut self, body: &[u8], ty: &Type) -> Result<Value> {
        let value = refinement::read(body, ty, self.lenient)?;
        if *ty == Type::Number {
            let range = value.range();
            let ends = range.number_range().map(|range| [range.lower(), range.upper()]);
            for number in ends.into_iter().flatten().filter_map(Bound::number) {
                self.count_digits(number)?;
            }
        }
        Ok(value)
    }

    /// Subtracts the memory of a number's digits from `digit_bytes_left`; an error if that is too little.
    fn count_digits(&mut self, number: &Number) -> Result<()> {
        match self.digit_bytes_left.checked_sub(number.heap_bytes()) {
            Some(digit_bytes_left) => {
                self.digit_bytes_left = digit_bytes_left;
                Ok(())
            }
            None => {
                Err(Error::new(Kind::Limit, "the numbers have too many digits for the length of the input"))
            }
        }
    }

    /// Reads a value where the declared type is dynamic: an array of its type and the value. Its head was read
    /// already.
    fn dynamic(&mut self, mut head: Head<'a>) -> Result<Value> {
        loop {
            match head {
                Head::Array(2) => {}
                Head::Array(_) => {
                    let message = "dynamic value array must have exactly two elements";
                    return Err(Error::new(Kind::TypeMismatch, message));
                }
                _ => return Err(required("an array of a type and a value")),
            }
            let ty = self.ty()?;
            if ty != Type::Dynamic {
                return self.value(&ty);
            }
            // The type may be dynamic again, with an array of type and value inside.
            head = match self.reader.head()? {
                Head::Nil => return Ok(Value::null(ty)),
                Head::Ext(code, body) => return self.unknown(code, body, &ty),
                head => head,
            };
        }
    }

    /// Reads a type, given as JSON text in a bin or str.
    fn ty(&mut self) -> Result<Type> {
        let (Head::Bin(json) | Head::Str(json)) = self.reader.head()? else {
            return Err(required("the JSON of a type"));
        };
        if let Some((last, ty)) = &self.last_type
            && *last == json
        {
            return Ok(ty.clone());
        }
        let text = utf8(json)?;
        let ty = match self.lenient {
            false => Type::from_json_text(text)?,
            true => TypeConstraint::from_json_text(text)?.to_type(),
        };
        self.last_type = Some((json, ty.clone()));
        Ok(ty)
    }

    /// The empty collection of type `ty`: that of the previous call if it had the same type, else a new one from
    /// `build`.
    fn shared_empty(&mut self, ty: Type, build: impl FnOnce() -> Value) -> Value {
        if let Some((last, value)) = &self.last_empty
            && last.is_same(&ty)
        {
            return value.clone();
        }
        let value = build();
        self.last_empty = Some((ty, value.clone()));
        value
    }

    /// Reads a list of `count` elements, whose head was read already.
    fn list(&mut self, count: u32, ty: &ListType) -> Result<Value> {
        if count == 0 {
            return Ok(self.shared_empty(Type::List(ty.clone()), || build_list(ty.clone(), Vec::new())));
        }
        let mut items = self.elements(count, ty.element())?;
        match unify_elements(
            ty.element(),
            items.iter_mut().enumerate().map(|(i, item)| (Step::index(i), item)),
        )? {
            None => Ok(build_list(ty.clone(), items)),
            Some(element) => Ok(build_list(ListType::new(element)?, items)),
        }
    }

    /// Reads a set of `count` members, whose head was read already.
    fn set(&mut self, count: u32, ty: &SetType) -> Result<Value> {
        if count == 0 {
            return Ok(self.shared_empty(Type::Set(ty.clone()), || build_set(ty.clone(), Vec::new())));
        }
        let mut items = self.elements(count, ty.element())?;
        match unify_elements(
            ty.element(),
            items.iter_mut().enumerate().map(|(i, item)| (Step::index(i), item)),
        )? {
            None => Ok(build_set(ty.clone(), items)),
            Some(element) => Ok(build_set(SetType::new(element)?, items)),
        }
    }

    /// Reads the `count` elements of a list or set as values of the type `element`, in the order of the input.
    fn elements(&mut self, count: u32, element: &Type) -> Result<Vec<Value>> {
        self.reader.enter(count as usize)?;
        let mut items: Vec<Value> = Vec::with_capacity(count as usize);
        for i in 0..count {
            self.reader.begin_child();
            let mut item = self.value(element).map_err(|error| error.under(Step::index(i)))?;
            share_with(&mut item, element, items.first());
            items.push(item);
        }
        self.reader.leave();
        Ok(items)
    }

    /// Reads a map of `count` entries, whose head was read already.
    fn map(&mut self, count: u32, ty: &MapType) -> Result<Value> {
        if count == 0 {
            return Ok(self.shared_empty(Type::Map(ty.clone()), || build_map(ty.clone(), Vec::new())));
        }
        let mut entries = self.entries(count, ty.element())?;
        let parts = entries.iter_mut().map(|(key, item)| (Step::index(key.as_str()), item));
        match unify_elements(ty.element(), parts)? {
            None => Ok(build_map(ty.clone(), entries)),
            Some(element) => Ok(build_map(MapType::new(element)?, entries)),
        }
    }

    /// Reads the `count` entries of a map, with values of the type `element`; returns them sorted by key.
    fn entries(&mut self, count: u32, element: &Type) -> Result<Vec<(Text, Value)>> {
        self.reader.enter((count as usize).saturating_mul(2))?;
        let mut entries: Vec<(Text, Value)> = Vec::with_capacity(count as usize);
        let mut sorted = true;
        for _ in 0..count {
            self.reader.begin_child();
            let key = Text::new(self.key("a map key that is a string")?);
            self.reader.begin_child();
            let mut item = self.value(element).map_err(|error| error.under(Step::index(key.as_str())))?;
            share_with(&mut item, element, entries.first().map(|(_, first)| first));
            sorted = sorted && entries.last().is_none_or(|(last, _)| *last < key);
            entries.push((key, item));
        }
        self.reader.leave();
        if !sorted {
            self.sort_entries(&mut entries)?;
        }
        Ok(entries)
    }

    /// Sorts by key the entries, which are given in the order of the input. Of equal keys the last one is kept; in strict reading
    /// they are an error.
    fn sort_entries(&self, entries: &mut Vec<(Text, Value)>) -> Result<()> {
        // The sort is stable, so after reversing, the last of equal keys comes first, and it is kept below.
        entries.reverse();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        if !self.lenient
            && let Some([(twice, _), ..]) =
                entries.windows(2).find(|pair| matches!(pair, [a, b] if a.0 == b.0))
        {
            // The message quotes a key, which may be marked content: `foreign` records that.
            let message = format!("duplicate key {:?} in a map", twice.as_str());
            return Err(Error::new(Kind::Syntax, message).foreign());
        }
        entries.dedup_by(|(later, _), (kept, _)| later == kept);
        Ok(())
    }

    /// Reads a string that is a key; an error that `what` is required if it is not a string.
    fn key(&mut self, what: &str) -> Result<&'a str> {
        text(self.reader.head()?, what)
    }

    /// Reads a tuple of `count` elements, whose head was read already.
    fn tuple(&mut self, count: u32, ty: &TupleType) -> Result<Value> {
        if count as usize != ty.len() {
            return Err(required(&format!("a tuple of length {}", ty.len())));
        }
        self.reader.enter(ty.len())?;
        let mut items = Vec::with_capacity(ty.len());
        for (i, ty) in ty.iter().enumerate() {
            self.reader.begin_child();
            items.push(self.value(ty).map_err(|error| error.under(Step::index(i)))?);
        }
        self.reader.leave();
        build_tuple(ty, items)
    }

    /// Reads an object of `count` attributes, whose head was read already.
    fn object(&mut self, count: u32, ty: &ObjectType) -> Result<Value> {
        if count as usize != ty.len() {
            let message = format!("an object with {} attributes is required ({count} given)", ty.len());
            return Err(Error::new(Kind::TypeMismatch, message));
        }
        self.reader.enter(ty.len().saturating_mul(2))?;
        let slots = self.slots(ty)?;
        self.reader.leave();
        if !ty.has_dynamic() {
            return Ok(build_object(ty.clone(), slots.into_boxed_slice()));
        }
        object_of_parts(ty, slots)
    }

    /// Reads the attributes of an object; returns their values in the order of the type. The fast path expects them
    /// in that order, since writers sort.
    fn slots(&mut self, ty: &ObjectType) -> Result<Vec<Value>> {
        let mut slots = Vec::with_capacity(ty.len());
        for (name, declared) in ty.iter() {
            self.reader.begin_child();
            match self.reader.head()? {
                Head::Str(key) | Head::Bin(key) if key == name.as_bytes() => {}
                head => return self.unsorted_slots(ty, slots, text(head, ATTRIBUTE_NAME)?),
            }
            self.reader.begin_child();
            slots.push(self.value(declared).map_err(|error| error.under(Step::attr(name)))?);
        }
        Ok(slots)
    }

    /// Reads the rest of the attributes in any order. `sorted` holds the values read so far, in the order of the
    /// type; `key` was read already and is not the next name of the type. Returns all values in the order of the
    /// type.
    fn unsorted_slots(&mut self, ty: &ObjectType, sorted: Vec<Value>, key: &'a str) -> Result<Vec<Value>> {
        let left = ty.len().saturating_sub(sorted.len());
        let mut slots: Vec<Option<Value>> = sorted.into_iter().map(Some).collect();
        slots.resize(ty.len(), None);
        let mut key = Some(key);
        for _ in 0..left {
            let key = match key.take() {
                Some(key) => key,
                None => {
                    self.reader.begin_child();
                    self.key(ATTRIBUTE_NAME)?
                }
            };
            let slot = ty.index_of(key);
            let (Some(slot), Some(declared)) = (slot, slot.and_then(|slot| ty.type_at(slot))) else {
                let message = format!("unsupported attribute {}", QuotedInMessage(key));
                return Err(Error::new(Kind::TypeMismatch, message));
            };
            self.reader.begin_child();
            let value = self.value(declared).map_err(|error| error.under(Step::attr(key)))?;
            match slots.get_mut(slot) {
                Some(place @ None) => *place = Some(value),
                _ => {
                    return Err(Error::new(
                        Kind::Syntax,
                        format!("duplicate attribute {key:?} in an object"),
                    )
                    .foreign());
                }
            }
        }
        // The slots are as many as the attributes and no attribute came twice, so none is missing.
        Ok(slots.into_iter().flatten().collect())
    }
}

/// Lets an element use the same allocation of its type as the first element, if their types are equal. The element
/// type is dynamic in part, so each element brings a type of its own: a thousand equal types become one.
fn share_with(item: &mut Value, element: &Type, first: Option<&Value>) {
    let Some(first) = first.filter(|_| element.has_dynamic()) else { return };
    // An element that decides nothing has exactly the element type, which makes a comparison of long types
    // unnecessary.
    if item.ty().is_same(element) {
        return;
    }
    let ty = first.ty();
    if item.has_type(&ty) {
        share_type(item, &ty);
    }
}

/// Gives all elements of a collection one type, if the declared element type contains dynamic, and returns that type:
/// a part that is dynamic in one element may be known from others. `None` if it does not contain dynamic, or the
/// elements decide nothing beyond it; an error if their types differ.
fn unify_elements<'a>(
    element: &Type,
    items: impl Iterator<Item = (Step, &'a mut Value)>,
) -> Result<Option<Type>> {
    if !element.has_dynamic() {
        return Ok(None);
    }
    let items: Vec<(Step, &mut Value)> = items.collect();
    let mut common = element.clone();
    // Successive types mostly share an allocation, so comparing with the last one is quick.
    let mut last = element.clone();
    for (step, item) in &items {
        let ty = item.ty();
        if ty.is_same(&last) {
            continue;
        }
        if !common.compatible(&ty) {
            let message = format!(
                "all elements must have the same type: {} required, but have {}",
                common.friendly_name(),
                ty.friendly_name()
            );
            let error = Error::new(Kind::TypeMismatch, message).with_types(common, ty);
            return Err(error.under(step.clone()));
        }
        common = resolve_dynamic(&common, &ty);
        last = ty;
    }
    if common.is_same(element) {
        return Ok(None);
    }
    for (step, item) in items {
        let ty = item.ty();
        if ty.is_same(&common) {
            continue;
        }
        if ty.has_dynamic() {
            *item = match item.container() {
                None => unknown_or_null_of_type(item, common.clone()),
                Some(_) => resolve_types(item, &common).map_err(|error| error.under(step))?,
            };
        }
        share_type(item, &common);
    }
    Ok(Some(common))
}
