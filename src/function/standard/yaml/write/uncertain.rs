//! What is certain of the text of what is not known.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::refinement::Nullness;
use crate::text::common_prefix;
use crate::types::Type;
use crate::value::{SetView, Value, ValueRange, canonical};

use super::super::style::{self, pad};
use super::{Lead, Place, Writer, no_text};

impl Writer {
    /// First comes the first of the members that are known, or one of the others. If there is only one, each is it.
    pub(super) fn set(&mut self, set: &SetView<'_>, indent: usize, place: Place) -> Result<()> {
        let indent = self.sequence(indent, place);
        self.push("- ");
        let mut shared: Option<String> = None;
        let only = set.length().exact() == Some(1);
        let first = set.iter().find(|member| member.is_wholly_known());
        for member in first.into_iter().chain(set.undecided()) {
            // On a line of its own, so that it is written as it would be here.
            let mut text = String::new();
            pad(indent, &mut text);
            text.push_str("- ");
            let begun = text.len();
            let before = self.text.len().saturating_add(self.aside);
            let mut writer = Writer { text, certain: None, longest: self.longest, aside: before };
            writer.node(member, indent, Place::Inline)?;
            let after = writer.text.len().saturating_add(writer.aside);
            self.aside = after.saturating_sub(self.text.len());
            let (Lead::Whole(text) | Lead::Start(text)) = writer.found();
            let text = text.get(begun..).unwrap_or_default();
            shared = Some(match shared {
                None => text.to_owned(),
                Some(shared) if only && shared.len() >= text.len() => shared,
                Some(_) if only => text.to_owned(),
                Some(shared) => common_prefix(&shared, text).to_owned(),
            });
        }
        self.push(shared.as_deref().unwrap_or_default());
        self.open();
        set.known().iter().try_for_each(|member| self.node(member, indent, Place::Inline))
    }

    pub(super) fn unknown(&mut self, range: &ValueRange, indent: usize, place: Place) -> Result<()> {
        let ty = range.ty();
        let is_capsule = matches!(ty, Type::Capsule(_));
        if range.nullness() == Nullness::Null || is_capsule && !range.is_not_null() {
            self.plain("null", place);
            return Ok(());
        }
        match ty {
            Type::Capsule(_) => Err(no_text(ty)),
            Type::Tuple(tuple) if range.is_not_null() => {
                let parts: Vec<Value> = tuple.iter().cloned().map(Value::unknown).collect();
                self.items(parts.iter(), indent, place)
            }
            Type::Object(object) if range.is_not_null() => {
                let parts: Vec<Value> = object.iter().map(|(_, ty)| Value::unknown(ty.clone())).collect();
                self.entries(object.attribute_names().zip(&parts), indent, place)
            }
            Type::Bool | Type::Number | Type::String => {
                self.space(place);
                if range.is_not_null() {
                    self.primitive(range, indent)?;
                }
                self.open();
                Ok(())
            }
            Type::List(_) | Type::Set(_) | Type::Map(_) if range.is_not_null() => {
                self.collection(range, indent, place);
                Ok(())
            }
            _ => {
                self.open();
                Ok(())
            }
        }
    }

    /// What all numbers and strings have in common that are not null.
    fn primitive(&mut self, range: &ValueRange, indent: usize) -> Result<()> {
        if let Some(prefix) = range.prefix() {
            // Whether a text stands in lines of its own cannot be told before its end, but that it cannot.
            if style::needs_quotes(prefix) {
                style::start(prefix, indent.saturating_add(2), &mut self.text);
            }
        } else if *range.ty() == Type::Number {
            let number = canonical(Type::Number, range.refinement().clone());
            let text = convert(&number, &TypeConstraint::from(Type::String))?;
            self.push(text.range().prefix().unwrap_or_default());
        }
        Ok(())
    }

    fn collection(&mut self, range: &ValueRange, indent: usize, place: Place) {
        let length = range.length_range().unwrap_or_default();
        let is_map = matches!(range.ty(), Type::Map(_));
        if length.upper() == Some(0) {
            return self.empty(if is_map { "{}" } else { "[]" }, place);
        }
        if length.lower() > 0 && is_map {
            self.mapping(indent, place);
        } else if length.lower() > 0 {
            self.sequence(indent, place);
            self.push("- ");
        }
        self.open();
    }
}
