//! Reads and writes the refinement of an unknown value: the map in extension 12.

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::Value;

use super::decode::number;
use super::reader::{Head, Reader};
use super::{REFINED, REFINEMENT_BYTES, UNKNOWN, encode, head, prefix};

/// The length that means "no upper bound" on the wire: cty stores lengths in Go's `int` and uses its greatest value
/// for that.
const NO_LENGTH: u64 = i64::MAX as u64;

/// Writes an unknown value with the facts of the refinement that the format has a key for.
pub(super) fn write(out: &mut Vec<u8>, refinement: &Refinement) {
    let mut entries = Vec::new();
    let mut count = 0_u8;
    let mut entry = |key: u8, write: &mut dyn FnMut(&mut Vec<u8>)| {
        let start = entries.len();
        entries.push(key);
        write(&mut entries);
        // The byte of the map's head counts too.
        if entries.len() < REFINEMENT_BYTES {
            count = count.saturating_add(1);
        } else {
            entries.truncate(start);
        }
    };
    if refinement.nullness() == Nullness::NotNull {
        entry(1, &mut |out| head::bool(out, false));
    }
    match refinement.range() {
        // The format has no key for attributes.
        Range::Any | Range::Structure(_) => {}
        // The format has no key for languages: what it can hold of one is the prefix.
        Range::Prefix(_) | Range::Language(_) => {
            let kept = prefix::truncated(refinement.prefix_str().unwrap_or_default());
            if !kept.is_empty() {
                entry(2, &mut |out| {
                    if head::sized(out, head::STR, kept.len()).is_some() {
                        out.extend_from_slice(kept.as_bytes());
                    }
                });
            }
        }
        // The format has no key for multiples and lists: what it can hold of them is the interval.
        Range::Number(_) | Range::Multiples(_) | Range::Numbers(_) => {
            let range = refinement.number_range().cloned().unwrap_or_default();
            for (key, end, infinity) in
                [(3, range.lower(), Number::NEG_INFINITY), (4, range.upper(), Number::INFINITY)]
            {
                // cty reads an exclusive bound at infinity as no bound.
                if let Some(number) = end.number().filter(|number| **number != infinity) {
                    entry(key, &mut |out| {
                        let _ = head::sized(out, head::ARRAY, 2);
                        encode::number(out, number);
                        head::bool(out, end.is_inclusive());
                    });
                }
            }
        }
        // The format has no key for elements and keys: what it can hold of them is the length.
        Range::Length(_) | Range::Elements(_) => {
            let range = refinement.length_range().unwrap_or_default();
            let ends =
                [(5, Some(range.lower().min(NO_LENGTH)).filter(|length| *length > 0)), (6, range.upper())];
            for (key, length) in ends {
                let length = length.and_then(|length| i64::try_from(length).ok());
                if let Some(length) = length.filter(|length| key == 5 || *length < i64::MAX) {
                    entry(key, &mut |out| head::int(out, length));
                }
            }
        }
    }
    let length = u16::try_from(entries.len().saturating_add(1));
    match length {
        Ok(length) if count > 0 => {
            head::ext(out, REFINED, length);
            let _ = head::sized(out, head::MAP, count.into());
            out.extend_from_slice(&entries);
        }
        _ => {
            head::ext(out, UNKNOWN, 1);
            out.push(0);
        }
    }
}

#[cold]
/// A type mismatch in the body of an extension.
fn mismatch(message: &str) -> Error {
    Error::new(Kind::TypeMismatch, format!("failed to decode msgpack extension body: {message}"))
}

#[cold]
/// A syntax error in the body of an extension.
fn malformed(message: &str) -> Error {
    Error::new(Kind::Syntax, format!("failed to decode msgpack extension body: {message}"))
}

/// Reads the body of an extension: an unknown value of the type with the refinement in the body.
pub(super) fn read(body: &[u8], ty: &Type, lenient: bool) -> Result<Value> {
    let mut reader = Reader::new(body);
    let Ok(Head::Map(count)) = reader.head() else { return Err(malformed("not a map")) };
    if *ty == Type::Dynamic && lenient {
        return Ok(Value::dynamic());
    }
    let mut facts = Facts::default();
    for _ in 0..count {
        facts.read(&mut reader, ty, lenient)?;
    }
    if !lenient && !reader.is_at_end() {
        return Err(malformed("extra bytes after the map"));
    }
    if *ty == Type::Dynamic {
        return Ok(Value::dynamic());
    }
    Value::refined(ty.clone(), facts.refinement()?)
}

/// The type of the values that a refinement in the body of an extension applies to: string for one with a prefix, number
/// for one with bounds of a number, else dynamic.
pub(super) fn implied_type(body: &[u8]) -> Result<Type> {
    let mut reader = Reader::new(body);
    let Ok(Head::Map(count)) = reader.head() else { return Err(malformed("not a map")) };
    let mut ty = Type::Dynamic;
    for _ in 0..count {
        match reader.head()? {
            Head::Int(2) => ty = Type::String,
            Head::Int(3 | 4) => ty = Type::Number,
            _ => {}
        }
        reader.skip()?;
    }
    Ok(ty)
}

/// The facts of a refinement that were read so far.
#[derive(Default)]
struct Facts {
    /// The keys read so far, one bit for each.
    seen: u8,
    nullness_and_prefix: Refinement,
    lower: Bound,
    upper: Bound,
    min_length: u64,
    max_length: Option<u64>,
}

impl Facts {
    /// Reads one entry of the map.
    fn read(&mut self, reader: &mut Reader<'_>, ty: &Type, lenient: bool) -> Result<()> {
        let key = match reader.head()? {
            Head::Int(key) => u8::try_from(key).unwrap_or(0),
            Head::Large(_) => 0,
            Head::Nil if lenient => 0,
            _ => return Err(malformed("non-integer key in map")),
        };
        // Skip unknown keys: later versions may have more. A value of unknown type has no refinement.
        if !(1..=6).contains(&key) || *ty == Type::Dynamic {
            return reader.skip();
        }
        let bit = 1_u8.checked_shl(key.into()).unwrap_or(0);
        if self.seen & bit != 0 && !lenient {
            return Err(malformed(&format!("duplicate key {key} in map")));
        }
        self.seen |= bit;
        match key {
            1 => self.nullness(reader, lenient),
            2 => self.prefix(reader, ty, lenient),
            3 | 4 => self.number(reader, ty, key == 3),
            _ => self.length(reader, ty, key == 5, lenient),
        }
    }

    /// Adds the facts of a refinement; an error if they contradict those known.
    fn add(&mut self, refinement: &Refinement) -> Result<()> {
        self.nullness_and_prefix = self.nullness_and_prefix.meet(refinement)?;
        Ok(())
    }

    /// Reads whether the value may be null.
    fn nullness(&mut self, reader: &mut Reader<'_>, lenient: bool) -> Result<()> {
        match reader.head()? {
            Head::Bool(true) => self.add(&Refinement::null()),
            Head::Bool(false) => self.add(&Refinement::not_null()),
            Head::Nil if lenient => self.add(&Refinement::not_null()),
            _ => Err(mismatch("null refinement is not boolean")),
        }
    }

    /// Reads the prefix of a string.
    fn prefix(&mut self, reader: &mut Reader<'_>, ty: &Type, lenient: bool) -> Result<()> {
        if *ty != Type::String {
            return Err(mismatch("string prefix refinement for non-string type"));
        }
        let bytes = match reader.head()? {
            Head::Str(bytes) | Head::Bin(bytes) => bytes,
            Head::Nil if lenient => return Ok(()),
            _ => return Err(mismatch("string prefix refinement is not string")),
        };
        let text = std::str::from_utf8(bytes)
            .map_err(|_| malformed("string prefix refinement is not valid UTF-8"))?;
        let more = Refinement::prefix(text);
        match (self.nullness_and_prefix.prefix_str(), more.prefix_str()) {
            (Some(known), Some(new)) if !known.starts_with(new) && !new.starts_with(known) => {
                Err(Error::new(Kind::Contradiction, "no string starts with two different prefixes"))
            }
            _ => self.add(&more),
        }
    }

    /// Reads the lower or upper bound of a number.
    fn number(&mut self, reader: &mut Reader<'_>, ty: &Type, lower: bool) -> Result<()> {
        if *ty != Type::Number {
            return Err(mismatch("numeric bound refinement for non-number type"));
        }
        let wrong = || mismatch("numeric bound refinement must be [number, bool] array");
        let Head::Array(2) = reader.head()? else { return Err(wrong()) };
        let number = number(reader.head()?)?;
        let Head::Bool(inclusive) = reader.head()? else { return Err(wrong()) };
        let end = if inclusive { Bound::Inclusive(number) } else { Bound::Exclusive(number) };
        let so_far = NumberRange::new(self.lower.clone(), self.upper.clone())?;
        let more = if lower {
            NumberRange::new(end, Bound::Unbounded)?
        } else {
            NumberRange::new(Bound::Unbounded, end)?
        };
        match so_far.meet(&more) {
            Some(range) => (self.lower, self.upper) = (range.lower().clone(), range.upper().clone()),
            // Set contradicting bounds as they are: the call of `new` below reports them.
            None if lower => self.lower = more.lower().clone(),
            None => self.upper = more.upper().clone(),
        }
        NumberRange::new(self.lower.clone(), self.upper.clone()).map(drop)
    }

    /// Reads the lower or upper bound of a length.
    fn length(&mut self, reader: &mut Reader<'_>, ty: &Type, lower: bool, lenient: bool) -> Result<()> {
        if !ty.is_collection() {
            let end = if lower { "lower" } else { "upper" };
            return Err(mismatch(&format!("length {end} bound refinement for non-collection type")));
        }
        let length = match reader.head()? {
            Head::Int(int) if int < 0 && lower && lenient => 0,
            Head::Nil if lower && lenient => 0,
            Head::Int(int) => u64::try_from(int)
                .map_err(|_| Error::new(Kind::Contradiction, format!("no length is {int}")))?,
            Head::Large(_) => {
                return Err(Error::new(Kind::Limit, "no length is above 9223372036854775807"));
            }
            _ => return Err(mismatch("length bound refinement must be integer")),
        };
        if lower {
            self.min_length = self.min_length.max(length);
        } else if length < NO_LENGTH {
            self.max_length = Some(self.max_length.map_or(length, |known| known.min(length)));
        }
        LengthRange::new(self.min_length, self.max_length).map(drop)
    }

    /// The refinement of all facts that were read.
    fn refinement(self) -> Result<Refinement> {
        if self.seen & 0b111_1000 == 0 {
            return Ok(self.nullness_and_prefix);
        }
        let numbers = Refinement::number(NumberRange::new(self.lower, self.upper)?);
        let lengths = Refinement::length(LengthRange::new(self.min_length, self.max_length)?);
        // The type allows only one of the two, the other one is without bounds.
        Ok(self.nullness_and_prefix.meet(&numbers)?.meet(&lengths)?)
    }
}
