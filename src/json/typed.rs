//! Values of a type that is given.

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::path::Step;
use crate::text::Text;
use crate::types::json::not_allowed;
use crate::types::{ObjectType, Type};
use crate::value::{Value, build_list, build_map, build_object, build_set};

use super::number::number;
use super::reader::{Reader, Token};

/// Reads the value that comes next as a value of this type.
pub(super) fn value(reader: &mut Reader<'_>, ty: &Type) -> Result<Value> {
    let token = reader.peek()?;
    if token == Token::Null {
        return reader.null().map(|()| Value::null(ty.clone()));
    }
    match ty {
        Type::Dynamic => dynamic(reader),
        Type::Bool => bool(reader, token),
        Type::Number => scalar_number(reader, token),
        Type::String => string(reader, token),
        Type::List(list) => {
            let items = elements(reader, list.element())?;
            one_type(reader, list.element(), &items)?;
            Ok(build_list(list.clone(), items))
        }
        Type::Set(set) => {
            let items = elements(reader, set.element())?;
            one_type(reader, set.element(), &items)?;
            Ok(build_set(set.clone(), items))
        }
        Type::Map(map) => {
            let entries = entries(reader, map.element())?;
            if map.element().has_dynamic() {
                return Value::map_of(map.element().clone(), entries).map_err(|error| reader.locate(error));
            }
            Ok(build_map(map.clone(), entries))
        }
        Type::Tuple(tuple) => {
            let items = tuple_items(reader, tuple.elements())?;
            Value::tuple(items)
        }
        Type::Object(object) => attributes(reader, object),
        Type::Capsule(_) => {
            let error = not_allowed(ty);
            Err(reader.error(error.message()).of_kind(Kind::TypeMismatch))
        }
    }
}

/// Elements of a collection whose element type is undecided must agree all the same.
fn one_type(reader: &Reader<'_>, element: &Type, items: &[Value]) -> Result<()> {
    let decided = !element.has_dynamic() || items.iter().all(|item| item.has_type(element));
    if decided {
        return Ok(());
    }
    let message = "the elements of a collection whose element type is dynamic can only be null";
    Err(reader.error(message).of_kind(Kind::TypeMismatch))
}

fn bool(reader: &mut Reader<'_>, token: Token) -> Result<Value> {
    match token {
        Token::Bool => reader.bool().map(Value::from),
        Token::String => {
            let text = reader.string()?.text();
            match &*text {
                "true" | "1" => Ok(Value::from(true)),
                "false" | "0" => Ok(Value::from(false)),
                _ => Err(reader.error("bool is required").of_kind(Kind::TypeMismatch)),
            }
        }
        _ => Err(reader.mismatch("bool")),
    }
}

fn scalar_number(reader: &mut Reader<'_>, token: Token) -> Result<Value> {
    let read = match token {
        Token::Number => number(reader.number()?),
        Token::String => {
            let text = reader.string()?.text();
            text.parse::<Number>()
                .map_err(|error| if error.is_limit() { error } else { error.of_kind(Kind::TypeMismatch) })
        }
        _ => return Err(reader.mismatch("number")),
    };
    read.map(Value::from).map_err(|error| reader.locate(error))
}

fn string(reader: &mut Reader<'_>, token: Token) -> Result<Value> {
    match token {
        Token::String => reader.string().map(|text| Value::from(&*text.text())),
        Token::Number => reader.number().map(Value::from),
        Token::Bool => reader.bool().map(|value| Value::from(if value { "true" } else { "false" })),
        _ => Err(reader.mismatch("string")),
    }
}

fn elements(reader: &mut Reader<'_>, element: &Type) -> Result<Vec<Value>> {
    if reader.peek()? != Token::Array {
        return Err(reader.mismatch("array"));
    }
    reader.open()?;
    let mut items = Vec::new();
    while reader.element(items.is_empty())? {
        items.push(value(reader, element).map_err(|error| error.under(Step::index(items.len())))?);
    }
    Ok(items)
}

fn tuple_items(reader: &mut Reader<'_>, types: &[Type]) -> Result<Vec<Value>> {
    if reader.peek()? != Token::Array {
        return Err(reader.mismatch("array"));
    }
    reader.open()?;
    let mut items = Vec::new();
    while reader.element(items.is_empty())? {
        let Some(ty) = types.get(items.len()) else {
            let message = format!("too many tuple elements (need {})", types.len());
            return Err(reader.error(&message).of_kind(Kind::TypeMismatch));
        };
        items.push(value(reader, ty).map_err(|error| error.under(Step::index(items.len())))?);
    }
    if items.len() < types.len() {
        let message = format!("not enough tuple elements (need {})", types.len());
        return Err(reader.error(&message).of_kind(Kind::TypeMismatch));
    }
    Ok(items)
}

/// The entries of a map, sorted by key.
fn entries(reader: &mut Reader<'_>, element: &Type) -> Result<Vec<(Text, Value)>> {
    if reader.peek()? != Token::Object {
        return Err(reader.mismatch("object"));
    }
    reader.open()?;
    let mut entries: Vec<(Text, Value)> = Vec::new();
    let mut sorted = true;
    while let Some(key) = reader.key(entries.is_empty())? {
        let key = Text::new(&key.text());
        sorted = sorted && entries.last().is_none_or(|(last, _)| *last < key);
        let value = value(reader, element).map_err(|error| error.under(Step::index(key.as_str())))?;
        entries.push((key, value));
    }
    if !sorted {
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        if let Some([(twice, _), ..]) = entries.windows(2).find(|pair| matches!(pair, [a, b] if a.0 == b.0)) {
            return Err(duplicate(reader, twice));
        }
    }
    Ok(entries)
}

fn attributes(reader: &mut Reader<'_>, ty: &ObjectType) -> Result<Value> {
    if reader.peek()? != Token::Object {
        return Err(reader.mismatch("object"));
    }
    reader.open()?;
    let mut slots: Vec<Option<Value>> = vec![None; ty.len()];
    let (mut first, mut expected) = (true, 0_usize);
    while let Some(key) = reader.key(first)? {
        first = false;
        // Writers sort: the next slot is nearly always the right one.
        let guess = ty.name_at(expected).is_some_and(|name| key.is(name)).then_some(expected);
        let name = key.text();
        let Some(slot) = guess.or_else(|| ty.index_of(&name)) else {
            let message = format!("unsupported attribute {name:?}");
            return Err(reader.error(&message).of_kind(Kind::TypeMismatch));
        };
        expected = slot.saturating_add(1);
        let (Some(declared), Some(place)) = (ty.type_at(slot), slots.get_mut(slot)) else { continue };
        if place.is_some() {
            return Err(duplicate(reader, &name));
        }
        *place = Some(value(reader, declared).map_err(|error| error.under(Step::attr(&name)))?);
    }
    let slots: Vec<Value> = slots
        .into_iter()
        .zip(ty.iter())
        .map(|(value, (_, declared))| value.unwrap_or_else(|| Value::null(declared.clone())))
        .collect();
    if ty.iter().zip(&slots).all(|((_, declared), value)| value.has_type(declared)) {
        return Ok(build_object(ty.clone(), slots.into_boxed_slice()));
    }
    Value::object_of(ty, slots)
}

/// `{"type": …, "value": …}` in any order.
fn dynamic(reader: &mut Reader<'_>) -> Result<Value> {
    if reader.peek()? != Token::Object {
        return Err(reader.mismatch("an object with type and value"));
    }
    let open = *reader;
    let (mut ty, mut content) = (None, None);
    reader.open()?;
    let mut first = true;
    while let Some(key) = reader.key(first)? {
        first = false;
        reader.peek()?;
        let before = *reader;
        reader.skip()?;
        let taken = match &*key.text() {
            "type" => ty.replace(type_of(&before, reader).map_err(|error| before.locate(error))?).is_some(),
            "value" => content.replace(before).is_some(),
            other => return Err(before.error(&format!("invalid key {other:?} in dynamically-typed value"))),
        };
        if taken {
            return Err(duplicate(reader, &key.text()));
        }
    }
    let missing = |what: &str| open.error(&format!("missing {what} in dynamically-typed value"));
    let ty: Type = ty.ok_or_else(|| missing("type"))?;
    let mut content = content.ok_or_else(|| missing("value"))?;
    value(&mut content, &ty)
}

fn type_of(start: &Reader<'_>, end: &Reader<'_>) -> Result<Type> {
    Type::from_json_text(start.text_until(end))
}

#[cold]
fn duplicate(reader: &Reader<'_>, name: &str) -> Error {
    reader.error(&format!("duplicate {name:?} property in a JSON object"))
}
