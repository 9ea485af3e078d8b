//! Reads values that contain their type: `{"value": …, "type": …}`.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::types::Type;
use crate::value::Value;

use super::super::Reading;
use super::super::reader::{Reader, Token};
use super::super::skip::{Spans, skip_unchecked};
use super::Typed;

/// The part of a reader's state that is about values which contain their type.
pub(super) struct DynamicState {
    /// The spans of contents that were skipped already, inside the content that is being read: so each content is
    /// skipped once, however deep contents nest.
    skipped: Spans,
    /// The number of values containing their type that enclose the current position.
    named: usize,
    /// How many more attributes objects may omit: first for types that the caller gave, then for types that the
    /// text contains. Without the second limit a text of 10 kB could contain a type of a thousand attributes and a
    /// thousand objects that omit all of them.
    missing_budgets: [usize; 2],
}

impl DynamicState {
    /// The state for a text of this length in bytes.
    pub(super) fn new(text: usize) -> DynamicState {
        let named = text.saturating_mul(4).saturating_add(1 << 14);
        DynamicState { skipped: Vec::new(), named: 0, missing_budgets: [limits::SIZE, named] }
    }

    /// Subtracts omitted attributes from the budget; an error if it is exhausted.
    pub(super) fn count_missing(&mut self, attributes: usize) -> Result<()> {
        let [given, named] = &mut self.missing_budgets;
        let budget = if self.named == 0 { given } else { named };
        *budget = budget.checked_sub(attributes).ok_or_else(too_sparse)?;
        Ok(())
    }
}

/// The error for objects that omit too many attributes.
#[cold]
fn too_sparse() -> Error {
    Error::new(Kind::Limit, "too many attributes are left out of objects")
}

impl Typed<'_> {
    /// Reads `{"value": …, "type": …}`, with the two properties in any order.
    pub(super) fn dynamic(&mut self) -> Result<Value> {
        if self.reader.peek()? != Token::Object {
            return Err(self.reader.mismatch("an object with type and value"));
        }
        let before = self.reader;
        let (mut ty, mut content) = (None, None);
        self.reader.enter()?;
        let mut first = true;
        while let Some(key) = self.reader.key(first)? {
            first = false;
            self.reader.peek()?;
            let start = self.reader;
            let twice = match &*key.text() {
                "type" => {
                    skip_unchecked(&mut self.reader, &mut Spans::new())?;
                    let read = self.parse_type(start.text_until(&self.reader));
                    ty.replace(read.map_err(|error| start.locate(error))?).is_some()
                }
                "value" => {
                    self.skip_content()?;
                    content.replace(start).is_some()
                }
                other => {
                    let message = format!("invalid key {other:?} in dynamically-typed value");
                    return Err(start.error(&message).of_kind(Kind::TypeMismatch).foreign());
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

    /// Parses the JSON text of a type.
    fn parse_type(&self, text: &str) -> Result<Type> {
        match self.reading {
            Reading::Strict => Type::from_json_text(text),
            Reading::Lenient => TypeConstraint::from_json_text(text).map(|constraint| constraint.to_type()),
        }
    }

    /// Goes back to the content, reads it with the type, and returns to the current position.
    fn content(&mut self, content: Reader<'_>, ty: &Type) -> Result<Value> {
        let (end, depth) = (self.reader.at(), self.reader.depth());
        self.reader.go_to(content.at(), content.depth());
        self.dynamic.named = self.dynamic.named.saturating_add(1);
        let value = self.value(ty)?;
        self.dynamic.named = self.dynamic.named.saturating_sub(1);
        self.reader.go_to(end, depth);
        Ok(value)
    }

    /// Skips a content: at once if its span is known.
    fn skip_content(&mut self) -> Result<()> {
        let start = self.reader.at();
        let skipped = &mut self.dynamic.skipped;
        if let Ok(place) = skipped.binary_search_by_key(&start, |(start, _)| *start)
            && let Some((_, end)) = skipped.get(place)
        {
            self.reader.go_to(*end, self.reader.depth());
            return Ok(());
        }
        skipped.clear();
        skip_unchecked(&mut self.reader, skipped)
    }
}
