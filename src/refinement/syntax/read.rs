//! Parsing refinements.

use super::RefinementSyntaxError;
use super::cursor::{RefinementTokens, quoted_and_cut};
use super::names::{self, NameMeaning, ValueKind};
use crate::error::{Error, Kind};
use crate::language::Language;
use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Range, Refinement};

/// Parses a text that is a list of refinements.
pub(super) fn read(text: &str) -> Result<Refinement, RefinementSyntaxError> {
    let mut reader = RefinementParser {
        cursor: RefinementTokens::new(text),
        subject: ValueKind::Anything,
        narrowed_by: "",
    };
    let refinement = reader.parse_call(limits::DEPTH)?;
    let refinement = reader.parse_list(refinement, limits::DEPTH)?;
    match reader.cursor.peek() {
        None => Ok(refinement),
        Some(_) => Err(reader.cursor.expected("\",\" or the end")),
    }
}

/// The state of the parser.
struct RefinementParser<'a> {
    cursor: RefinementTokens<'a>,
    /// The narrowest kind of value to which the names read so far apply.
    subject: ValueKind,
    /// The name that narrowed `subject` last, for messages.
    narrowed_by: &'a str,
}

impl<'a> RefinementParser<'a> {
    /// Parses further refinements, each after a comma, and returns their meet with the first one.
    fn parse_list(
        &mut self,
        mut refinement: Refinement,
        depth: usize,
    ) -> Result<Refinement, RefinementSyntaxError> {
        let mut structures = Vec::new();
        if matches!(refinement.range(), Range::Structure(_)) {
            structures.push((std::mem::take(&mut refinement), self.cursor.skip_to_token()));
        }
        while self.cursor.take(',') {
            if matches!(self.cursor.peek(), None | Some(')')) {
                break;
            }
            let place = self.cursor.skip_to_token();
            let next = self.parse_call(depth)?;
            if matches!(next.range(), Range::Structure(_)) {
                structures.push((next, place));
            } else {
                refinement = meet_or_error(&refinement, &next, place)?;
            }
        }
        match structures.first() {
            Some(&(_, place)) => meet_or_error(&refinement, &meet_all_or_error(&structures)?, place),
            None => Ok(refinement),
        }
    }

    /// Parses one refinement, such as `notnull(stringprefix("a"))`: a name and its arguments, which may be refinements
    /// themselves, up to `depth` levels deep.
    fn parse_call(&mut self, depth: usize) -> Result<Refinement, RefinementSyntaxError> {
        let place = self.cursor.skip_to_token();
        let name = self.cursor.read_name();
        if name.is_empty() {
            return Err(self.cursor.expected("a refinement"));
        }
        let Some((word, subject)) = names::look_up(name) else { return Err(unknown_name(name, place)) };
        self.narrow_kind(name, subject, place)?;
        let Some(depth) = depth.checked_sub(1) else {
            let message = format!("refinements nest at most {} levels", limits::DEPTH);
            return Err(RefinementSyntaxError { kind: Kind::Limit, offset: place, message });
        };
        self.cursor.expect('(', name)?;
        let (refinement, arguments) = self.parse_own_arguments(word, place, depth)?;
        let refinement = if arguments || self.cursor.peek() == Some(')') {
            self.parse_list(refinement, depth)?
        } else {
            let place = self.cursor.skip_to_token();
            let first = self.parse_call(depth)?;
            let refinement = meet_or_error(&refinement, &first, place)?;
            self.parse_list(refinement, depth)?
        };
        if self.cursor.take(')') {
            return Ok(refinement);
        }
        Err(self.cursor.expected(&format!("\",\" or \")\" of {name}")))
    }

    /// Parses the arguments that belong to the meaning of the name. Returns its refinement, and whether it had
    /// arguments.
    fn parse_own_arguments(
        &mut self,
        word: NameMeaning,
        place: usize,
        depth: usize,
    ) -> Result<(Refinement, bool), RefinementSyntaxError> {
        let contradiction =
            |error: Error| RefinementSyntaxError::from_error(place, Kind::Contradiction, &error);
        let refused = |error: Error| {
            let kind = match &error {
                error if error.is_limit() => Kind::Limit,
                error if error.is_contradiction() => Kind::Contradiction,
                _ => Kind::Syntax,
            };
            RefinementSyntaxError::from_error(place, kind, &error)
        };
        let refinement = match word {
            NameMeaning::Any => return Ok((Refinement::any(), false)),
            NameMeaning::Null => return Ok((Refinement::null(), false)),
            NameMeaning::NotNull => return Ok((Refinement::not_null(), false)),
            NameMeaning::Integer => return Ok((Refinement::integer(), false)),
            NameMeaning::Multiple => {
                let place = self.cursor.skip_to_token();
                match self.cursor.read_length()? {
                    0 => {
                        return Err(RefinementSyntaxError::new(place, "multiples are of a number from 1 on"));
                    }
                    step => Refinement::multiple_of(step),
                }
            }
            NameMeaning::Prefix => Refinement::prefix(&self.cursor.read_quoted()?),
            NameMeaning::Suffix => Refinement::suffix(&self.cursor.read_quoted()?).map_err(refused)?,
            NameMeaning::Contains => Refinement::containing(&self.cursor.read_quoted()?).map_err(refused)?,
            NameMeaning::StringLength => {
                Refinement::string_length(self.parse_length_range(place)?).map_err(refused)?
            }
            NameMeaning::StringLengthMin => {
                let range = LengthRange::at_least(self.cursor.read_length()?);
                Refinement::string_length(range).map_err(refused)?
            }
            NameMeaning::StringLengthMax => {
                let range = LengthRange::at_most(self.cursor.read_length()?);
                Refinement::string_length(range).map_err(refused)?
            }
            NameMeaning::OneOf if self.cursor.is_at_number() => {
                self.narrow_kind("oneof", ValueKind::Numbers, place)?;
                Refinement::one_of_numbers(self.parse_numbers()?).map_err(refused)?
            }
            NameMeaning::OneOf => {
                let strings = self.parse_strings()?;
                self.narrow_kind("oneof", ValueKind::Strings, place)?;
                Refinement::one_of(strings).map_err(refused)?
            }
            NameMeaning::Pattern => Refinement::pattern(&self.cursor.read_quoted()?).map_err(refused)?,
            NameMeaning::Automaton => {
                let table = self.cursor.read_quoted()?;
                let language = Language::from_table(&table).ok_or_else(|| {
                    RefinementSyntaxError::new(place, "the text in quotes is not the table of an automaton")
                })?;
                Refinement::language(language).map_err(refused)?
            }
            NameMeaning::NumberMin => Refinement::number_at_least(self.cursor.read_number()?),
            NameMeaning::NumberMax => Refinement::number_at_most(self.cursor.read_number()?),
            NameMeaning::NumberAbove => {
                let number = self.cursor.read_number()?;
                Refinement::number(NumberRange::above(number).map_err(contradiction)?)
            }
            NameMeaning::NumberBelow => {
                let number = self.cursor.read_number()?;
                Refinement::number(NumberRange::below(number).map_err(contradiction)?)
            }
            NameMeaning::NumberRange => {
                let lower = Bound::Inclusive(self.cursor.read_number()?);
                self.cursor.expect(',', "the lower of two numbers")?;
                let upper = Bound::Inclusive(self.cursor.read_number()?);
                Refinement::number(NumberRange::new(lower, upper).map_err(contradiction)?)
            }
            NameMeaning::Length => Refinement::length(self.parse_length_range(place)?),
            NameMeaning::LengthMin => Refinement::length(LengthRange::at_least(self.cursor.read_length()?)),
            NameMeaning::LengthMax => Refinement::length(LengthRange::at_most(self.cursor.read_length()?)),
            NameMeaning::Elements => {
                Refinement::elements(self.parse_inner_list(ValueKind::Anything, depth)?).map_err(refused)?
            }
            NameMeaning::Keys => {
                Refinement::keys(&self.parse_inner_list(ValueKind::Strings, depth)?).map_err(refused)?
            }
            NameMeaning::Attribute => {
                let name = self.cursor.read_quoted()?;
                self.cursor.expect(',', "the name of an attribute")?;
                let inner = self.parse_inner_list(ValueKind::Anything, depth)?;
                Refinement::attribute(&name, inner).map_err(refused)?
            }
            NameMeaning::TupleElement => {
                let place = self.cursor.skip_to_token();
                let index = usize::try_from(self.cursor.read_length()?);
                let index =
                    index.map_err(|_| RefinementSyntaxError::new(place, "no tuple has so many elements"))?;
                self.cursor.expect(',', "the index of an element")?;
                let inner = self.parse_inner_list(ValueKind::Anything, depth)?;
                Refinement::tuple_element(index, inner).map_err(refused)?
            }
        };
        Ok((refinement, true))
    }

    /// Parses the refinements of the elements or keys of a collection, which are of this kind of value.
    fn parse_inner_list(
        &mut self,
        kind: ValueKind,
        depth: usize,
    ) -> Result<Refinement, RefinementSyntaxError> {
        if self.cursor.peek() == Some(')') {
            return Ok(Refinement::any());
        }
        let outer = (self.subject, self.narrowed_by);
        (self.subject, self.narrowed_by) = (kind, "keys");
        let first = self.parse_call(depth)?;
        let refinement = self.parse_list(first, depth)?;
        (self.subject, self.narrowed_by) = outer;
        Ok(refinement)
    }

    /// Parses a length, or the least and the greatest of several.
    fn parse_length_range(&mut self, place: usize) -> Result<LengthRange, RefinementSyntaxError> {
        let min = self.cursor.read_length()?;
        match self.parse_second_length()? {
            Some(max) => LengthRange::new(min, Some(max))
                .map_err(|error| RefinementSyntaxError::from_error(place, Kind::Contradiction, &error)),
            None => Ok(LengthRange::exactly(min)),
        }
    }

    /// Parses strings in quotes with commas between them, at least one.
    fn parse_strings(&mut self) -> Result<Vec<String>, RefinementSyntaxError> {
        let mut strings = vec![self.cursor.read_quoted()?];
        loop {
            let mut ahead = self.cursor.clone();
            if !(ahead.take(',') && ahead.peek() == Some('"')) {
                return Ok(strings);
            }
            self.cursor = ahead;
            strings.push(self.cursor.read_quoted()?);
        }
    }

    /// Parses numbers with commas between them, at least one.
    fn parse_numbers(&mut self) -> Result<Vec<Number>, RefinementSyntaxError> {
        let mut numbers = vec![self.cursor.read_number()?];
        loop {
            let mut ahead = self.cursor.clone();
            if !(ahead.take(',') && ahead.is_at_number()) {
                return Ok(numbers);
            }
            self.cursor = ahead;
            numbers.push(self.cursor.read_number()?);
        }
    }

    /// Parses the second of two lengths, if a comma and a number follow.
    fn parse_second_length(&mut self) -> Result<Option<u64>, RefinementSyntaxError> {
        let mut ahead = self.cursor.clone();
        if !(ahead.take(',') && ahead.is_at_number()) {
            return Ok(None);
        }
        self.cursor = ahead;
        self.cursor.read_length().map(Some)
    }

    /// Narrows the kind of value by a name; an error if no value is of both kinds.
    fn narrow_kind(
        &mut self,
        name: &'a str,
        subject: ValueKind,
        place: usize,
    ) -> Result<(), RefinementSyntaxError> {
        let Some(both) = self.subject.narrower(subject) else {
            let message = format!(
                "{name} is for {}, but {} is for {}",
                subject.plural(),
                self.narrowed_by,
                self.subject.plural()
            );
            return Err(RefinementSyntaxError::new(place, message));
        };
        if both != self.subject {
            self.subject = both;
            self.narrowed_by = name;
        }
        Ok(())
    }
}

/// The meet of refinements of attributes or tuple elements, each with its place in the text; an error at the first one that
/// contradicts those before it. It meets all together: one after the other would take quadratic time.
fn meet_all_or_error(all: &[(Refinement, usize)]) -> Result<Refinement, RefinementSyntaxError> {
    let meet_first = |count: usize| {
        let first: Vec<Refinement> =
            all.iter().take(count).map(|(refinement, _)| refinement.clone()).collect();
        Refinement::meet_all(first).ok().filter(|met| met.nullness() != Nullness::Null)
    };
    let mut size = 0_usize;
    for (refinement, place) in all {
        size = size.saturating_add(refinement.inner_size());
        if size > limits::STRUCTURE_SIZE {
            let message = format!(
                "a refinement has at most {} refinements of attributes inside",
                limits::STRUCTURE_SIZE
            );
            return Err(RefinementSyntaxError { kind: Kind::Limit, offset: *place, message });
        }
    }
    if let Some(met) = meet_first(all.len()) {
        return Ok(met);
    }
    // The first one that contradicts those before it.
    let (mut fine, mut wrong) = (0_usize, all.len());
    while wrong.saturating_sub(fine) > 1 {
        let middle = fine.midpoint(wrong);
        match meet_first(middle) {
            Some(_) => fine = middle,
            None => wrong = middle,
        }
    }
    let before = meet_first(fine).unwrap_or_default();
    match all.get(fine) {
        Some((refinement, place)) => meet_or_error(&before, refinement, *place),
        None => Ok(before),
    }
}

/// The refinement that demands both. Two that only null satisfies are a contradiction, unless one of them is `null()`.
fn meet_or_error(a: &Refinement, b: &Refinement, place: usize) -> Result<Refinement, RefinementSyntaxError> {
    let null = [a, b].iter().any(|part| part.nullness() == Nullness::Null);
    match a.meet(b) {
        Ok(met) if null || met.nullness() != Nullness::Null => Ok(met),
        _ => {
            let message = format!("{} contradicts {}", b.describe_demand(), a.describe_demand());
            Err(RefinementSyntaxError { kind: Kind::Contradiction, offset: place, message })
        }
    }
}

/// The error for an unknown name, with a suggestion.
#[cold]
fn unknown_name(name: &str, place: usize) -> RefinementSyntaxError {
    let message = format!("there is no refinement {}", quoted_and_cut(name));
    match names::nearest(name) {
        Some(right) => RefinementSyntaxError::new(place, format!("{message}; did you mean \"{right}\"?")),
        None => {
            let all: Vec<&str> = names::NAMES.iter().map(|(name, ..)| *name).take(17).collect();
            RefinementSyntaxError::new(place, format!("{message}; there are {}", all.join(", ")))
        }
    }
}
