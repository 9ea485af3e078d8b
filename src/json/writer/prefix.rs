//! What is known of the JSON text of a value that is not wholly known: its certain prefix, and where it is open.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::limits;
use crate::refinement::Nullness;
use crate::text::{common_prefix, nfc};
use crate::types::Type;
use crate::types::json::not_allowed;
use crate::value::{SetView, Value, ValueRange, View, canonical};

use super::shape::{Hole, OpenText, beginning_of_string};
use super::{Writer, marked};

/// What is known of the JSON text of a value.
pub(crate) enum KnownText {
    /// The whole text.
    Complete(String),
    /// Parts of the text.
    Open(OpenText),
}

/// The JSON text of a value, or what is certain of it whatever the value becomes: the longest prefix, and the text
/// around the unknown values. Each value is written with its own type.
///
/// It returns an error only if no value that this one may become has JSON. For that it checks the parts after the
/// first unknown too.
pub(crate) fn known_text(value: &Value) -> Result<KnownText> {
    let mut prefix_writer =
        PrefixWriter { writer: Writer::with_max_len(limits::TEXT), certain: None, holes: Vec::new() };
    let written = prefix_writer.value(value);
    written.map_err(|error| prefix_writer.writer.placed(error))?;
    Ok(prefix_writer.finish())
}

/// The JSON text of a wholly known value, each value written with its own type.
pub(crate) fn text(value: &Value) -> Result<String> {
    let mut writer = Writer::with_max_len(limits::TEXT);
    writer.write(value, &value.ty())?;
    writer.finish()
}

/// Writes the text of a value and remembers its certain prefix.
struct PrefixWriter<'w> {
    writer: Writer<'w>,
    /// The certain prefix; `None` as long as all text so far is certain.
    certain: Option<String>,
    /// The places of the text that are not known, each with the bytes that are certain of its beginning.
    holes: Vec<(usize, usize, Hole)>,
}

impl PrefixWriter<'_> {
    /// The text if all of it is certain, else its certain prefix.
    fn finish(self) -> KnownText {
        match self.certain {
            None => KnownText::Complete(self.writer.text),
            Some(prefix) => KnownText::Open(OpenText { prefix, text: self.writer.text, holes: self.holes }),
        }
    }

    /// Notes that the text from the byte `start` on is not known, except that it begins as written.
    fn hole(&mut self, start: usize, hole: Hole) {
        self.holes.push((start, self.writer.text.len(), hole));
    }

    /// Ends the certain prefix here, unless it has ended before.
    fn end_certain_prefix(&mut self) {
        self.certain.get_or_insert_with(|| self.writer.text.clone());
    }

    /// Appends text.
    fn push(&mut self, text: &str) {
        self.writer.text.push_str(text);
    }

    /// Writes the text of a value, as far as it is known.
    fn value(&mut self, value: &Value) -> Result<()> {
        if value.is_wholly_known() {
            return self.writer.value(value, &value.ty());
        }
        match value.view() {
            View::Marked(_) => Err(marked()),
            View::Dynamic => {
                self.end_certain_prefix();
                self.hole(self.writer.text.len(), Hole::Any);
                Ok(())
            }
            View::Unknown(range) => self.unknown(&range),
            View::List(list) => self.items(list.iter()),
            View::Tuple(tuple) => self.items(tuple.iter()),
            View::Set(set) => self.set(&set),
            View::Map(map) => self.named(map.iter()),
            View::Object(object) => self.named(object.iter()),
            View::Null(_) | View::Bool(_) | View::Number(_) | View::String(_) | View::Capsule(_) => {
                self.writer.content(value, &value.ty())
            }
        }
    }

    /// Writes the elements of a list or tuple.
    fn items<'v>(&mut self, items: impl Iterator<Item = &'v Value>) -> Result<()> {
        self.push("[");
        for (i, item) in items.enumerate() {
            if i > 0 {
                self.push(",");
            }
            self.value(item)?;
            self.writer.flush_if_full()?;
        }
        self.push("]");
        Ok(())
    }

    /// Writes the entries of a map or the attributes of an object.
    fn named<'v>(&mut self, parts: impl Iterator<Item = (&'v str, &'v Value)>) -> Result<()> {
        self.push("{");
        for (i, (name, part)) in parts.enumerate() {
            if i > 0 {
                self.push(",");
            }
            self.writer.string(name);
            self.push(":");
            self.value(part)?;
            self.writer.flush_if_full()?;
        }
        self.push("}");
        Ok(())
    }

    /// Writes a set. Its text starts with the first known member or with an undecided one, so the common prefix of
    /// these is certain. If the set has exactly one member, all candidates denote it, and the longest prefix is
    /// certain.
    fn set(&mut self, set: &SetView<'_>) -> Result<()> {
        if set.not_wholly_known().is_empty() {
            return self.items(set.iter());
        }
        let (outer, written) = (self.writer.text.len(), self.holes.len());
        self.push("[");
        let only = set.length().exact() == Some(1);
        let first = set.iter().find(|member| member.is_wholly_known());
        let mut shared: Option<String> = None;
        for member in first.into_iter().chain(set.not_wholly_known()) {
            let text = match known_text(member)? {
                // Normalise as strings are when they are compared: an accent combines with the letter that an
                // escape before it ends with.
                KnownText::Complete(text) | KnownText::Open(OpenText { prefix: text, .. }) => {
                    nfc(&text).into_owned()
                }
            };
            shared = Some(match shared {
                None => text,
                Some(shared) if only && shared.len() >= text.len() => shared,
                Some(_) if only => text,
                Some(shared) => common_prefix(&shared, &text).to_owned(),
            });
        }
        let start = self.writer.text.len();
        self.push(shared.as_deref().unwrap_or_default());
        self.end_certain_prefix();
        // The first member is written again below: counted twice, it could exceed the limit.
        self.writer.text.truncate(start);
        set.known().iter().try_for_each(|member| self.value(member))?;
        self.holes.truncate(written);
        let is_open = set.iter().any(|member| member.ty().has_dynamic());
        self.hole(outer, if is_open { Hole::Any } else { Hole::Set });
        Ok(())
    }

    /// Writes what the range of an unknown value determines of its text.
    fn unknown(&mut self, range: &ValueRange) -> Result<()> {
        if range.nullness() == Nullness::Null {
            self.push("null");
            return Ok(());
        }
        if let Type::Capsule(_) = range.ty() {
            if range.is_not_null() {
                return Err(not_allowed(range.ty()));
            }
            self.push("null");
            return Ok(());
        }
        match (range.is_not_null(), range.ty()) {
            (true, Type::Tuple(tuple)) => {
                let parts: Vec<Value> = tuple.iter().cloned().map(Value::unknown).collect();
                self.items(parts.iter())
            }
            (true, Type::Object(object)) => {
                let parts: Vec<Value> = object.iter().map(|(_, ty)| Value::unknown(ty.clone())).collect();
                self.named(object.attribute_names().zip(&parts))
            }
            (true, ty) => self.not_null(range, ty),
            (false, _) => {
                self.end_certain_prefix();
                self.hole(self.writer.text.len(), Hole::Value(range.clone()));
                Ok(())
            }
        }
    }

    /// Writes the text that all values of the range except null have in common.
    fn not_null(&mut self, range: &ValueRange, ty: &Type) -> Result<()> {
        let length = range.length_range().unwrap_or_default();
        let empty = length.upper() == Some(0);
        let start = self.writer.text.len();
        match ty {
            Type::String => self.push(&beginning_of_string(range.prefix().unwrap_or_default())),
            Type::Number => {
                let number = canonical(Type::Number, range.refinement().clone());
                let text = convert(&number, &TypeConstraint::from(Type::String))?;
                self.push(text.range().prefix().unwrap_or_default());
            }
            Type::List(_) | Type::Set(_) => self.push(if empty { "[]" } else { "[" }),
            Type::Map(_) if empty => self.push("{}"),
            Type::Map(_) => self.push(if length.lower() == 0 { "{" } else { "{\"" }),
            _ => {}
        }
        if !(ty.is_collection() && empty) {
            self.end_certain_prefix();
            self.hole(start, Hole::Value(range.clone()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(value: &Value) -> String {
        match known_text(value).unwrap() {
            KnownText::Open(open) => open.prefix,
            KnownText::Complete(text) => panic!("all of it: {text}"),
        }
    }

    #[test]
    fn it_goes_up_to_the_first_unknown() -> Result<()> {
        let id = Value::unknown(Type::String).assume_not_null()?.assume_string_prefix("vpc-")?;
        let object = Value::object([("a", Value::from(1)), ("b", Value::list([id.clone()])?)])?;
        assert_eq!(starts(&object), r#"{"a":1,"b":["vpc-"#);
        let unknown = Value::unknown("object({id = string})".parse()?).assume_not_null()?;
        assert_eq!(starts(&unknown), r#"{"id":"#);
        let set = Value::set([Value::object([("a", Value::from(1)), ("b", Value::unknown(Type::Bool))])?])?;
        assert_eq!(starts(&set), r#"[{"a":1,"b":"#);
        Ok(())
    }

    #[test]
    fn what_follows_is_an_error_still() -> Result<()> {
        let infinity = Value::from("inf".parse::<crate::number::Number>()?);
        let tuple = Value::tuple([Value::unknown(Type::String), infinity])?;
        assert!(known_text(&tuple).err().unwrap().is_argument());
        Ok(())
    }

    #[test]
    fn an_accent_may_join_an_escape_that_members_share() -> Result<()> {
        let prefix = |text: &str| Value::unknown(Type::String).assume_not_null()?.assume_string_prefix(text);
        for (known, open, expected) in
            [("\n\u{301}", "\n日", r#"["\"#), ("<\u{301}", "<日", r#"["\u003"#), ("\nb", "\nc", r#"["\n"#)]
        {
            let set = Value::set([Value::from(known), prefix(open)?])?;
            assert_eq!(starts(&set), expected);
            for member in [format!("{open}a"), format!("{open}\u{301}")] {
                let becomes = Value::set([Value::from(known), Value::from(member)])?;
                let text = nfc(std::str::from_utf8(&crate::json::to_vec(&becomes)?).unwrap()).into_owned();
                assert!(text.starts_with(expected), "{text} of {becomes:?}");
            }
        }
        Ok(())
    }

    #[test]
    fn the_first_member_of_a_set_counts_once_to_the_limit() -> Result<()> {
        let long = Value::from("a".repeat(limits::TEXT / 2 + 1000));
        let open = Value::unknown(Type::Number).assume_not_null()?;
        let member = |b: Value| Value::object([("a", long.clone()), ("b", b)]);
        let set = Value::set([member(Value::from(1))?, member(open)?])?;
        assert!(starts(&set).len() > limits::TEXT / 2);
        Ok(())
    }

    #[test]
    fn an_accent_may_join_an_escape() -> Result<()> {
        let text =
            |prefix: &str| Value::unknown(Type::String).assume_not_null()?.assume_string_prefix(prefix);
        assert_eq!(starts(&text("a\n")?), r#""a\"#);
        assert_eq!(starts(&text("<b")?), r#""\u003cb"#);
        let joined = crate::json::to_vec(&Value::from("a\n\u{301}"))?;
        let joined = Value::from(String::from_utf8_lossy(&joined).as_ref());
        assert!(joined.as_str()?.starts_with(r#""a\"#) && !joined.as_str()?.starts_with(r#""a\n"#));
        Ok(())
    }
}
