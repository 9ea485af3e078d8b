//! Refinements from text.

use super::Misread;
use super::cursor::{Cursor, shown};
use super::names::{self, Subject, Word};
use crate::error::{Error, Kind};
use crate::limits;
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Refinement};

pub(super) fn read(text: &str) -> Result<Refinement, Misread> {
    let mut reader = Reader { cursor: Cursor::new(text), subject: Subject::Anything, from: "" };
    let refinement = reader.call(limits::DEPTH)?;
    let refinement = reader.list(refinement, limits::DEPTH)?;
    match reader.cursor.peek() {
        None => Ok(refinement),
        Some(_) => Err(reader.cursor.expected("\",\" or the end")),
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    /// What the names read so far are about together.
    subject: Subject,
    /// The name that says so.
    from: &'a str,
}

impl<'a> Reader<'a> {
    /// Refinements, each after a comma, that hold as well as the first.
    fn list(&mut self, mut refinement: Refinement, depth: usize) -> Result<Refinement, Misread> {
        while self.cursor.take(',') {
            if matches!(self.cursor.peek(), None | Some(')')) {
                break;
            }
            let place = self.cursor.place();
            let next = self.call(depth)?;
            refinement = both(&refinement, &next, place)?;
        }
        Ok(refinement)
    }

    /// A name and its arguments, `depth` levels of which may still be opened.
    fn call(&mut self, depth: usize) -> Result<Refinement, Misread> {
        let place = self.cursor.place();
        let name = self.cursor.name();
        if name.is_empty() {
            return Err(self.cursor.expected("a refinement"));
        }
        let Some((word, subject)) = names::look_up(name) else { return Err(unknown(name, place)) };
        self.about(name, subject, place)?;
        let Some(depth) = depth.checked_sub(1) else {
            let message = format!("refinements nest at most {} levels", limits::DEPTH);
            return Err(Misread { kind: Kind::Limit, offset: place, message });
        };
        self.cursor.expect('(', name)?;
        let (refinement, arguments) = self.own_arguments(word, place)?;
        let refinement = if arguments || self.cursor.peek() == Some(')') {
            self.list(refinement, depth)?
        } else {
            let place = self.cursor.place();
            let first = self.call(depth)?;
            let refinement = both(&refinement, &first, place)?;
            self.list(refinement, depth)?
        };
        if self.cursor.take(')') {
            return Ok(refinement);
        }
        Err(self.cursor.expected(&format!("\",\" or \")\" of {name}")))
    }

    /// What the name itself says, and whether it took arguments for it.
    fn own_arguments(&mut self, word: Word, place: usize) -> Result<(Refinement, bool), Misread> {
        let contradiction = |error: Error| Misread::from_error(place, Kind::Contradiction, &error);
        let refinement = match word {
            Word::Any => return Ok((Refinement::any(), false)),
            Word::Null => return Ok((Refinement::null(), false)),
            Word::NotNull => return Ok((Refinement::not_null(), false)),
            Word::Prefix => Refinement::prefix(&self.cursor.quoted()?),
            Word::NumberMin => Refinement::number_at_least(self.cursor.number()?),
            Word::NumberMax => Refinement::number_at_most(self.cursor.number()?),
            Word::NumberAbove => {
                let number = self.cursor.number()?;
                Refinement::number(NumberRange::above(number).map_err(contradiction)?)
            }
            Word::NumberBelow => {
                let number = self.cursor.number()?;
                Refinement::number(NumberRange::below(number).map_err(contradiction)?)
            }
            Word::NumberRange => {
                let lower = Bound::Inclusive(self.cursor.number()?);
                self.cursor.expect(',', "the lower of two numbers")?;
                let upper = Bound::Inclusive(self.cursor.number()?);
                Refinement::number(NumberRange::new(lower, upper).map_err(contradiction)?)
            }
            Word::Length => {
                let min = self.cursor.length()?;
                let range = match self.second_length()? {
                    Some(max) => LengthRange::new(min, Some(max)).map_err(contradiction)?,
                    None => LengthRange::exactly(min),
                };
                Refinement::length(range)
            }
            Word::LengthMin => Refinement::length(LengthRange::at_least(self.cursor.length()?)),
            Word::LengthMax => Refinement::length(LengthRange::at_most(self.cursor.length()?)),
        };
        Ok((refinement, true))
    }

    /// The second of two lengths, where a number follows the comma.
    fn second_length(&mut self) -> Result<Option<u64>, Misread> {
        let mut ahead = self.cursor.clone();
        if !(ahead.take(',') && ahead.at_number()) {
            return Ok(None);
        }
        self.cursor = ahead;
        self.cursor.length().map(Some)
    }

    /// Takes note of what a name is about. A refinement is about one kind of value.
    fn about(&mut self, name: &'a str, subject: Subject, place: usize) -> Result<(), Misread> {
        let Some(both) = self.subject.with(subject) else {
            let message = format!(
                "{name} is for {}, but {} is for {}",
                subject.plural(),
                self.from,
                self.subject.plural()
            );
            return Err(Misread::new(place, message));
        };
        if both != self.subject {
            self.subject = both;
            self.from = name;
        }
        Ok(())
    }
}

/// What agrees with two refinements of one text. That only null does is a mistake, unless one of them is null.
fn both(a: &Refinement, b: &Refinement, place: usize) -> Result<Refinement, Misread> {
    let null = [a, b].iter().any(|part| part.nullness() == Nullness::Null);
    match a.meet(b) {
        Ok(met) if null || met.nullness() != Nullness::Null => Ok(met),
        _ => {
            let message = format!("{} contradicts {}", b.demand(), a.demand());
            Err(Misread { kind: Kind::Contradiction, offset: place, message })
        }
    }
}

#[cold]
fn unknown(name: &str, place: usize) -> Misread {
    let message = format!("there is no refinement {}", shown(name));
    match names::nearest(name) {
        Some(right) => Misread::new(place, format!("{message}; did you mean \"{right}\"?")),
        None => {
            let all: Vec<&str> = names::NAMES.iter().map(|(name, ..)| *name).take(12).collect();
            Misread::new(place, format!("{message}; there are {}", all.join(", ")))
        }
    }
}
