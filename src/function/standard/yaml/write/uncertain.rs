//! Writes unknown values and partly known sets as YAML, up to the first character that is not certain.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::refinement::Nullness;
use crate::text::common_prefix;
use crate::types::Type;
use crate::value::{SetView, Value, ValueRange, canonical};

use super::super::style::{self, write_spaces};
use super::{Encoded, Position, Writer, not_encodable};

impl Writer {
    /// Writes a set that is partly known, up to what is certain of its first member. That is the first known member or
    /// any of those not wholly known, so the common prefix of their texts is certain. In a set of one member all
    /// candidates are that member, so the longest text is certain.
    pub(super) fn set(&mut self, set: &SetView<'_>, indent: usize, position: Position) -> Result<()> {
        let indent = self.begin_sequence(indent, position);
        self.push("- ");
        let mut certain: Option<String> = None;
        let has_one_member = set.length().exact() == Some(1);
        let first_known = set.iter().find(|member| member.is_wholly_known());
        for member in first_known.into_iter().chain(set.not_wholly_known()) {
            // A separate writer whose line starts at the same column, since the column decides where lines are broken.
            let mut text = String::new();
            write_spaces(indent, &mut text);
            text.push_str("- ");
            let member_start = text.len();
            let mut writer = Writer {
                text,
                certain_bytes: None,
                longest_string: self.longest_string,
                discarded_bytes: self.text.len().saturating_add(self.discarded_bytes),
            };
            writer.node(member, indent, Position::Inline)?;
            let written = writer.text.len().saturating_add(writer.discarded_bytes);
            self.discarded_bytes = written.saturating_sub(self.text.len());
            let (Encoded::Whole(text) | Encoded::Prefix(text)) = writer.finish();
            let text = text.get(member_start..).unwrap_or_default();
            certain = Some(match certain {
                None => text.to_owned(),
                Some(longest) if has_one_member && longest.len() >= text.len() => longest,
                Some(_) if has_one_member => text.to_owned(),
                Some(prefix) => common_prefix(&prefix, text).to_owned(),
            });
        }
        self.push(certain.as_deref().unwrap_or_default());
        self.mark_uncertain();
        // The other members are written only to find errors.
        set.known().iter().try_for_each(|member| self.node(member, indent, Position::Inline))
    }

    /// Writes the text that is certain of an unknown value with these facts, and declares the rest uncertain.
    pub(super) fn unknown_value(
        &mut self,
        range: &ValueRange,
        indent: usize,
        position: Position,
    ) -> Result<()> {
        let ty = range.ty();
        let is_capsule = matches!(ty, Type::Capsule(_));
        if range.nullness() == Nullness::Null || is_capsule && !range.is_not_null() {
            self.plain("null", position);
            return Ok(());
        }
        match ty {
            Type::Capsule(_) => Err(not_encodable(ty)),
            Type::Tuple(tuple) if range.is_not_null() => {
                let elements: Vec<Value> = tuple.iter().cloned().map(Value::unknown).collect();
                self.items(elements.iter(), indent, position)
            }
            Type::Object(object) if range.is_not_null() => {
                let values: Vec<Value> = object.iter().map(|(_, ty)| Value::unknown(ty.clone())).collect();
                self.entries(object.attribute_names().zip(&values), indent, position)
            }
            Type::Bool | Type::Number | Type::String => {
                self.space_before(position);
                if range.is_not_null() {
                    self.unknown_primitive(range, indent)?;
                }
                self.mark_uncertain();
                Ok(())
            }
            Type::List(_) | Type::Set(_) | Type::Map(_) if range.is_not_null() => {
                self.unknown_collection(range, indent, position);
                Ok(())
            }
            _ => {
                self.mark_uncertain();
                Ok(())
            }
        }
    }

    /// Writes the prefix that the texts of all strings or numbers in a range share; nothing if they share none.
    fn unknown_primitive(&mut self, range: &ValueRange, indent: usize) -> Result<()> {
        if let Some(prefix) = range.prefix() {
            // Only the whole string decides that it is a block, but a prefix can decide that it must be quoted.
            if style::needs_quotes(prefix) {
                style::write_quoted_prefix(prefix, indent.saturating_add(2), &mut self.text);
            }
        } else if *range.ty() == Type::Number {
            let number = canonical(Type::Number, range.refinement().clone());
            let text = convert(&number, &TypeConstraint::from(Type::String))?;
            self.push(text.range().prefix().unwrap_or_default());
        }
        Ok(())
    }

    /// Writes the start of an unknown list, set or map, as far as its length determines it, such as `[]` for an empty
    /// list.
    fn unknown_collection(&mut self, range: &ValueRange, indent: usize, position: Position) {
        let length = range.length_range().unwrap_or_default();
        let is_map = matches!(range.ty(), Type::Map(_));
        if length.upper() == Some(0) {
            return self.empty(if is_map { "{}" } else { "[]" }, position);
        }
        if length.lower() > 0 && is_map {
            self.begin_mapping(indent, position);
        } else if length.lower() > 0 {
            self.begin_sequence(indent, position);
            self.push("- ");
        }
        self.mark_uncertain();
    }
}
