//! As much MessagePack as the tables have.

use plantime::{Bound, LengthRange, Number, NumberRange, Refinement, Type, Value};

type Read<T> = Result<T, String>;

pub(super) fn read(bytes: &[u8], ty: &Type) -> Read<Value> {
    let mut reader = Reader { rest: bytes };
    let value = reader.value(ty)?;
    if reader.rest.is_empty() { Ok(value) } else { Err("more follows".into()) }
}

struct Reader<'a> {
    rest: &'a [u8],
}

/// What stands at a place.
enum Item<'a> {
    Nil,
    Bool(bool),
    Number(Number),
    Text(&'a [u8]),
    Array(usize),
    Map(usize),
    Extension(u8, &'a [u8]),
}

fn shown(error: plantime::Error) -> String {
    error.to_string()
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Read<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or("it ends")?;
        self.rest = rest;
        Ok(bytes)
    }

    fn unsigned(&mut self, bytes: usize) -> Read<u64> {
        Ok(self.bytes(bytes)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self, bytes: usize) -> Read<usize> {
        usize::try_from(self.unsigned(bytes)?).map_err(|error| error.to_string())
    }

    fn extension(&mut self, length: usize) -> Read<Item<'a>> {
        let kind = self.bytes(1)?[0];
        Ok(Item::Extension(kind, self.bytes(length)?))
    }

    fn item(&mut self) -> Read<Item<'a>> {
        let number = |number: i64| Item::Number(Number::from(number));
        let head = self.bytes(1)?[0];
        Ok(match head {
            0x00..=0x7f => number(i64::from(head)),
            0x80..=0x8f => Item::Map(usize::from(head & 0x0f)),
            0x90..=0x9f => Item::Array(usize::from(head & 0x0f)),
            0xa0..=0xbf => Item::Text(self.bytes(usize::from(head & 0x1f))?),
            0xc0 => Item::Nil,
            0xc2 | 0xc3 => Item::Bool(head == 0xc3),
            0xc4..=0xc6 => {
                let length = self.length(1 << (head - 0xc4))?;
                Item::Text(self.bytes(length)?)
            }
            0xc7..=0xc9 => {
                let length = self.length(1 << (head - 0xc7))?;
                self.extension(length)?
            }
            0xca => {
                let bits = u32::try_from(self.unsigned(4)?).map_err(|error| error.to_string())?;
                Item::Number(f32::from_bits(bits).to_string().parse().map_err(shown)?)
            }
            0xcb => Item::Number(f64::from_bits(self.unsigned(8)?).to_string().parse().map_err(shown)?),
            0xcc..=0xcf => Item::Number(Number::from(self.unsigned(1 << (head - 0xcc))?)),
            0xd0 => number(i64::from(self.unsigned(1)? as u8 as i8)),
            0xd1 => number(i64::from(self.unsigned(2)? as u16 as i16)),
            0xd2 => number(i64::from(self.unsigned(4)? as u32 as i32)),
            0xd3 => number(self.unsigned(8)? as i64),
            0xd4..=0xd8 => self.extension(1 << (head - 0xd4))?,
            0xd9..=0xdb => {
                let length = self.length(1 << (head - 0xd9))?;
                Item::Text(self.bytes(length)?)
            }
            0xdc | 0xdd => Item::Array(self.length(2 << (head - 0xdc))?),
            0xde | 0xdf => Item::Map(self.length(2 << (head - 0xde))?),
            0xe0..=0xff => number(i64::from(head as i8)),
            0xc1 => return Err("no such byte".into()),
        })
    }

    fn value(&mut self, ty: &Type) -> Read<Value> {
        let item = self.item()?;
        if let Item::Extension(kind, body) = item {
            return match (kind, ty) {
                (_, Type::Dynamic) => Ok(Value::dynamic()),
                (12, ty) => Value::refined(ty.clone(), refinement(body)?).map_err(shown),
                (_, ty) => Ok(Value::unknown(ty.clone())),
            };
        }
        if *ty == Type::Dynamic {
            return match item {
                Item::Nil => Ok(Value::null(Type::Dynamic)),
                Item::Array(2) => {
                    let Item::Text(json) = self.item()? else { return Err("no type".into()) };
                    let ty = Type::from_json_text(&text(json)?).map_err(shown)?;
                    self.value(&ty)
                }
                _ => Err("no dynamic value".into()),
            };
        }
        match (item, ty) {
            (Item::Nil, ty) => Ok(Value::null(ty.clone())),
            (Item::Bool(truth), Type::Bool) => Ok(Value::from(truth)),
            (Item::Number(number), Type::Number) => Ok(Value::from(number)),
            (Item::Text(digits), Type::Number) => {
                text(digits)?.parse::<Number>().map(Value::from).map_err(shown)
            }
            (Item::Text(content), Type::String) => Ok(Value::from(text(content)?)),
            (Item::Array(count), Type::List(list)) => {
                Value::list_of(list.element().clone(), self.all(count, list.element())?).map_err(shown)
            }
            (Item::Array(count), Type::Set(set)) => {
                Value::set_of(set.element().clone(), self.all(count, set.element())?).map_err(shown)
            }
            (Item::Array(count), Type::Tuple(tuple)) if count == tuple.len() => {
                let parts: Read<Vec<Value>> = tuple.iter().map(|ty| self.value(ty)).collect();
                Value::tuple(parts?).map_err(shown)
            }
            (Item::Map(count), Type::Map(map)) => {
                let entries = (0..count).map(|_| Ok((self.key()?, self.value(map.element())?)));
                Value::map_of(map.element().clone(), entries.collect::<Read<Vec<_>>>()?).map_err(shown)
            }
            (Item::Map(count), Type::Object(object)) => {
                let mut parts = Vec::new();
                for _ in 0..count {
                    let name = self.key()?;
                    let ty = object.get(&name).ok_or_else(|| format!("no attribute {name}"))?;
                    parts.push((name, self.value(ty)?));
                }
                Value::object(parts).map_err(shown)
            }
            (_, ty) => Err(format!("no {ty}")),
        }
    }

    fn all(&mut self, count: usize, ty: &Type) -> Read<Vec<Value>> {
        (0..count).map(|_| self.value(ty)).collect()
    }

    fn key(&mut self) -> Read<String> {
        match self.item()? {
            Item::Text(key) => text(key),
            _ => Err("no key".into()),
        }
    }

    fn bound(&mut self) -> Read<Bound> {
        let (Item::Array(2), Item::Number(number), Item::Bool(inclusive)) =
            (self.item()?, self.item()?, self.item()?)
        else {
            return Err("no bound".into());
        };
        Ok(if inclusive { Bound::Inclusive(number) } else { Bound::Exclusive(number) })
    }
}

fn text(bytes: &[u8]) -> Read<String> {
    String::from_utf8(bytes.to_vec()).map_err(|error| error.to_string())
}

fn refinement(body: &[u8]) -> Read<Refinement> {
    let mut reader = Reader { rest: body };
    let Item::Map(count) = reader.item()? else { return Err("no refinement".into()) };
    let mut all = Refinement::any();
    let (mut low, mut high) = (Bound::Unbounded, Bound::Unbounded);
    let (mut min, mut max) = (0, None);
    let mut met = |part: Refinement| -> Read<()> {
        all = all.meet(&part).map_err(|_| "nothing agrees")?;
        Ok(())
    };
    for _ in 0..count {
        let Item::Number(kind) = reader.item()? else { return Err("no kind".into()) };
        match kind.to_u64() {
            Some(1) => match reader.item()? {
                Item::Bool(null) => met(if null { Refinement::null() } else { Refinement::not_null() })?,
                _ => return Err("no nullness".into()),
            },
            Some(2) => met(Refinement::prefix(&reader.key()?))?,
            Some(3) => low = reader.bound()?,
            Some(4) => high = reader.bound()?,
            Some(kind @ (5 | 6)) => match reader.item()? {
                Item::Number(length) if kind == 5 => min = length.to_u64().unwrap_or(0),
                Item::Number(length) => max = length.to_u64().filter(|max| *max < i64::MAX as u64),
                _ => return Err("no length".into()),
            },
            _ => return Err("no such kind".into()),
        }
    }
    if let Some(range) = NumberRange::new(low, high).ok().filter(|range| !range.is_trivial()) {
        met(Refinement::number(range))?;
    }
    if let Some(range) = LengthRange::new(min, max).ok().filter(|range| !range.is_trivial()) {
        met(Refinement::length(range))?;
    }
    Ok(all)
}
