//! Values that name their type: `{"value": …, "type": …}`.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::types::Type;
use crate::value::Value;

use super::super::Reading;
use super::super::pass::{self, Spans};
use super::super::reader::{Reader, Token};
use super::Typed;

/// What is kept beside the place in the text.
pub(super) struct State {
    /// Where contents start and end that were passed over already, inside a content that is being read: so that
    /// each is passed over once, however deep contents nest.
    passed: Spans,
    /// How many types that the text names are open.
    named: usize,
    /// How many attributes may still be left out of objects: of types that are given, and of types that the text
    /// names. A text of 10 kB may name a type of a thousand attributes, and have a thousand objects without any.
    room: [usize; 2],
}

impl State {
    pub(super) fn new(text: usize) -> State {
        let named = text.saturating_mul(4).saturating_add(1 << 14);
        State { passed: Vec::new(), named: 0, room: [limits::SIZE, named] }
    }

    /// Lets so many attributes be left out.
    pub(super) fn make_room(&mut self, attributes: usize) -> Result<()> {
        let [given, named] = &mut self.room;
        let room = if self.named == 0 { given } else { named };
        *room = room.checked_sub(attributes).ok_or_else(too_sparse)?;
        Ok(())
    }
}

#[cold]
fn too_sparse() -> Error {
    Error::new(Kind::Limit, "too many attributes are left out of objects")
}

impl Typed<'_> {
    /// `{"value": …, "type": …}` in any order.
    pub(super) fn dynamic(&mut self) -> Result<Value> {
        if self.reader.peek()? != Token::Object {
            return Err(self.reader.mismatch("an object with type and value"));
        }
        let before = self.reader;
        let (mut ty, mut content) = (None, None);
        self.reader.open()?;
        let mut first = true;
        while let Some(key) = self.reader.key(first)? {
            first = false;
            self.reader.peek()?;
            let start = self.reader;
            let twice = match &*key.text() {
                "type" => {
                    pass::over(&mut self.reader, &mut Spans::new())?;
                    let read = self.type_of(start.text_until(&self.reader));
                    ty.replace(read.map_err(|error| start.locate(error))?).is_some()
                }
                "value" => {
                    self.pass()?;
                    content.replace(start).is_some()
                }
                other => {
                    let message = format!("invalid key {other:?} in dynamically-typed value");
                    return Err(start.error(&message).of_kind(Kind::TypeMismatch));
                }
            };
            if twice && self.reading == Reading::Strict {
                return Err(self.duplicate(&key.text()));
            }
        }
        let missing = |what: &str| {
            let message = format!("missing {what} in dynamically-typed value");
            before.error(&message).of_kind(Kind::TypeMismatch)
        };
        let ty = ty.ok_or_else(|| missing("type"))?;
        let content = content.ok_or_else(|| missing("value"))?;
        self.content(content, &ty)
    }

    fn type_of(&self, text: &str) -> Result<Type> {
        match self.reading {
            Reading::Strict => Type::from_json_text(text),
            Reading::Lenient => TypeConstraint::from_json_text(text).map(|constraint| constraint.to_type()),
        }
    }

    /// Goes back to the content, reads it, and goes on behind it.
    fn content(&mut self, content: Reader<'_>, ty: &Type) -> Result<Value> {
        let (end, depth) = (self.reader.at(), self.reader.depth());
        self.reader.go_to(content.at(), content.depth());
        self.dynamic.named = self.dynamic.named.saturating_add(1);
        let value = self.value(ty)?;
        self.dynamic.named = self.dynamic.named.saturating_sub(1);
        self.reader.go_to(end, depth);
        Ok(value)
    }

    /// Passes over a content, at once when it was passed over before.
    fn pass(&mut self) -> Result<()> {
        let start = self.reader.at();
        let passed = &mut self.dynamic.passed;
        if let Ok(place) = passed.binary_search_by_key(&start, |(start, _)| *start)
            && let Some((_, end)) = passed.get(place)
        {
            self.reader.go_to(*end, self.reader.depth());
            return Ok(());
        }
        passed.clear();
        pass::over(&mut self.reader, passed)
    }
}
