//! The forms of types, type constraints and refinements, which are their texts, and of marks.

use std::fmt;
use std::str::FromStr;

use serde_core::de::{Error as _, SeqAccess, Visitor};
use serde_core::ser::{Error as _, SerializeSeq};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::constraint::TypeConstraint;
use crate::mark::{Mark, Marks};
use crate::number::Number;
use crate::refinement::Refinement;
use crate::types::Type;

/// Reads a `T` by parsing its text. `expected` describes the text in messages; `heap_bytes` returns the memory that
/// the parsed `T` takes, which must not be out of proportion to the text.
struct TextVisitor<T> {
    expected: &'static str,
    heap_bytes: fn(&T) -> usize,
}

impl<T: FromStr<Err = crate::Error>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<T, E> {
        // The text itself stays out of the message: it may be marked.
        let expected = |_| E::custom(format_args!("expected {}", self.expected));
        let read = text.parse().map_err(expected)?;
        // Refuse a number much longer than its text: `1e8000` is six bytes and has 8,001 digits. Numbers are always
        // written with all digits.
        if (self.heap_bytes)(&read) > text.len().saturating_mul(32).saturating_add(256) {
            return Err(E::custom(format_args!("expected {} with its digits written out", self.expected)));
        }
        Ok(read)
    }
}

macro_rules! as_text {
    ($($ty:ty: $expected:literal, $has_capsule:expr, $heap_bytes:expr;)*) => {$(
        /// Writes the text that `Display` writes: see [`serial`](crate::serial).
        impl Serialize for $ty {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let has_capsule: fn(&$ty) -> bool = $has_capsule;
                if has_capsule(self) {
                    return Err(S::Error::custom("a capsule type cannot be written"));
                }
                serializer.collect_str(self)
            }
        }

        /// Reads the text that `FromStr` reads.
        impl<'de> Deserialize<'de> for $ty {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$ty, D::Error> {
                deserializer.deserialize_str(TextVisitor { expected: $expected, heap_bytes: $heap_bytes })
            }
        }
    )*};
}

as_text! {
    Type: "the text of a type", Type::has_capsule, |_| 0;
    TypeConstraint: "the text of a type constraint", |constraint| constraint.as_type().has_capsule(), |_| 0;
    Refinement: "the text of a refinement", |_| false, Refinement::number_bytes;
}

/// Parses the text of a number; an error if it is invalid or the number is far longer than its text, such as
/// `1e8000`.
pub(super) fn number<E: serde_core::de::Error>(text: &str) -> Result<Number, E> {
    TextVisitor { expected: "the text of a number", heap_bytes: Number::heap_bytes }.visit_str(text)
}

/// Writes `["name"]` or `["name", "note"]`: see [`serial`](crate::serial).
impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_seq(Some(1_usize.saturating_add(self.note().iter().count())))?;
        form.serialize_element(self.name())?;
        if let Some(note) = self.note() {
            form.serialize_element(note)?;
        }
        form.end()
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mark, D::Error> {
        struct Form;

        impl<'de> Visitor<'de> for Form {
            type Value = Mark;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a mark, and a note if it has one")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut form: A) -> Result<Mark, A::Error> {
                let name: String = form.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                let note: Option<String> = form.next_element()?;
                let mark = Mark::new(&name);
                Ok(match note {
                    Some(note) => mark.with_note(&note),
                    None => mark,
                })
            }
        }

        deserializer.deserialize_seq(Form)
    }
}

/// Writes a sequence of marks.
impl Serialize for Marks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Marks, D::Error> {
        struct Form;

        impl<'de> Visitor<'de> for Form {
            type Value = Marks;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("marks")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut form: A) -> Result<Marks, A::Error> {
                let mut marks = Vec::new();
                while let Some(mark) = form.next_element::<Mark>()? {
                    marks.push(mark);
                }
                Ok(marks.into_iter().collect())
            }
        }

        deserializer.deserialize_seq(Form)
    }
}
