//! Reads values and paths from their self-describing form.

use std::fmt;

use serde_core::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer};

use crate::error::Error;
use crate::limits;
use crate::mark::Marks;
use crate::number::Number;
use crate::path::{Path, Step};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::Value;

use super::{VALUE, handover};

use super::{FIELDS, VERSION, set};

/// Reads the [self-describing form](crate::serial).
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        // The bridge recognises the value by the newtype's name; formats ignore it.
        deserializer.deserialize_newtype_struct(VALUE, ValueVisitor)
    }
}

/// Reads a sequence of steps: see [`serial`](crate::serial).
impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Path, D::Error> {
        deserializer.deserialize_seq(PathVisitor)
    }
}

/// Reads `["attr", "name"]` or `["index", NODE]`: see [`serial`](crate::serial).
impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Step, D::Error> {
        deserializer.deserialize_seq(StepVisitor)
    }
}

/// Reads a value from the entries of a map: the version and the node.
pub(crate) fn fields<'de, A: MapAccess<'de>>(fields: A) -> Result<Value, A::Error> {
    ValueVisitor.visit_map(fields)
}

/// Reads a value from its version and its node, or takes it from the bridge.
struct ValueVisitor;

/// An error unless `version` is the one version of the form that is read.
fn check_version<E: serde_core::de::Error>(version: u32) -> Result<(), E> {
    if version == VERSION {
        return Ok(());
    }
    Err(E::custom(format_args!("version {VERSION} of the form is read, but this is version {version}")))
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in its self-describing form")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_struct("Value", &FIELDS, self)
    }

    /// Takes the value that the bridge offers.
    fn visit_unit<E: serde_core::de::Error>(self) -> Result<Value, E> {
        handover::take_offered().ok_or_else(|| E::invalid_type(Unexpected::Unit, &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut form: A) -> Result<Value, A::Error> {
        check_version(form.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?)?;
        form.next_element_seed(Node::TOP)?.ok_or_else(|| A::Error::invalid_length(1, &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut form: A) -> Result<Value, A::Error> {
        let [version, value] = FIELDS;
        let (mut seen, mut read) = (false, None);
        while let Some(name) = form.next_key::<String>()? {
            if name == version && !seen {
                check_version(form.next_value()?)?;
                seen = true;
            } else if name == value && read.is_none() {
                read = Some(form.next_value_seed(Node::TOP)?);
            } else if name == version || name == value {
                return Err(A::Error::custom(format_args!("field {name} is given twice")));
            } else {
                return Err(A::Error::unknown_field(&name, &FIELDS));
            }
        }
        if !seen {
            return Err(A::Error::missing_field(version));
        }
        read.ok_or_else(|| A::Error::missing_field(value))
    }
}

/// Reads a value from its node, the sequence that describes it. `levels` is the number of levels that may still nest
/// inside; `is_marked` says that the node is inside a `marked` node, so it may not be one itself.
#[derive(Clone, Copy)]
struct Node {
    levels: usize,
    is_marked: bool,
}

impl Node {
    /// Reads the node of a whole value.
    const TOP: Node = Node { levels: limits::DEPTH, is_marked: false };

    /// Reads the nodes one level further inside; an error if they nest too deep.
    fn below<E: serde_core::de::Error>(self) -> Result<Node, E> {
        let levels = self.levels.checked_sub(1);
        levels
            .map(|levels| Node { levels, is_marked: false })
            .ok_or_else(|| E::custom(format_args!("values may nest {} levels deep", limits::DEPTH)))
    }
}

impl<'de> DeserializeSeed<'de> for Node {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

/// The first element of a node, which says what kind of value it describes.
#[derive(Clone, Copy)]
enum Word {
    Dynamic,
    Unknown,
    Refined,
    Null,
    Bool,
    Number,
    String,
    List,
    Set,
    PartialSet,
    Map,
    Tuple,
    Object,
    Marked,
}

/// The text of each [`Word`].
const WORDS: [(&str, Word); 14] = [
    ("dynamic", Word::Dynamic),
    ("unknown", Word::Unknown),
    ("refined", Word::Refined),
    ("null", Word::Null),
    ("bool", Word::Bool),
    ("number", Word::Number),
    ("string", Word::String),
    ("list", Word::List),
    ("set", Word::Set),
    ("partial_set", Word::PartialSet),
    ("map", Word::Map),
    ("tuple", Word::Tuple),
    ("object", Word::Object),
    ("marked", Word::Marked),
];

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        /// Reads a [`Word`] from its text.
        struct WordVisitor;

        impl Visitor<'_> for WordVisitor {
            type Value = Word;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the word that a node begins with")
            }

            fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<Word, E> {
                let word = WORDS.iter().find(|(word, _)| *word == text);
                word.map(|(_, word)| *word)
                    .ok_or_else(|| E::custom("expected the word that a node begins with"))
            }
        }

        deserializer.deserialize_str(WordVisitor)
    }
}

impl<'de> Visitor<'de> for Node {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: a sequence that begins with a word")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut form: A) -> Result<Value, A::Error> {
        let value = match next_part(&mut form)? {
            Word::Dynamic => Value::dynamic(),
            Word::Unknown => Value::unknown(next_part(&mut form)?),
            Word::Refined => refined(&mut form)?,
            Word::Null => Value::null(next_part(&mut form)?),
            Word::Bool => Value::from(next_part::<bool, A>(&mut form)?),
            Word::Number => Value::from(next_part::<Number, A>(&mut form)?),
            Word::String => Value::from(next_part::<String, A>(&mut form)?),
            Word::List => list(self.below()?, &mut form)?,
            Word::Set => set(self.below()?, &mut form)?,
            Word::PartialSet => partial_set(self.below()?, &mut form)?,
            Word::Map => map(self.below()?, &mut form)?,
            Word::Tuple => tuple(self.below()?, &mut form)?,
            Word::Object => object(self.below()?, &mut form)?,
            Word::Marked => marked(self, &mut form)?,
        };
        match form.next_element::<IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::custom("a node has more parts than it needs")),
        }
    }
}

/// Reads the next element of a node's sequence; an error if there is none.
fn next_part<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(form: &mut A) -> Result<T, A::Error> {
    form.next_element()?.ok_or_else(too_short)
}

/// The error for a node whose sequence has too few elements.
#[cold]
fn too_short<E: serde_core::de::Error>() -> E {
    E::custom("a node has fewer parts than it needs")
}

// Each kind has a function of its own: deep values recurse through here, and a large stack frame could overflow the
// stack in a debug build.

/// Reads the rest of a `refined` node, after its word: the type and the refinement of an unknown value.
fn refined<'de, A: SeqAccess<'de>>(form: &mut A) -> Result<Value, A::Error> {
    let (ty, refinement): (Type, Refinement) = (next_part(form)?, next_part(form)?);
    Value::refined(ty, refinement).map_err(|_| A::Error::custom("the refinement does not fit the type"))
}

/// Reads the rest of a `marked` node, after its word: the marks, and the node of the value without them.
fn marked<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Value, A::Error> {
    if node.is_marked {
        return Err(A::Error::custom("a node with marks has marks again"));
    }
    let marks: Marks = next_part(form)?;
    let value = form.next_element_seed(Node { is_marked: true, ..node })?.ok_or_else(too_short)?;
    Ok(value.with_marks(&marks))
}

/// Reads all further elements of the sequence, each by the reader `node`.
fn nodes<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Vec<Value>, A::Error> {
    let mut values = Vec::new();
    while let Some(value) = form.next_element_seed(node)? {
        values.push(value);
    }
    Ok(values)
}

/// Reads all further elements of the sequence, alternately as a key and as a node.
fn entries<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Vec<(String, Value)>, A::Error> {
    let mut entries = Vec::new();
    while let Some(key) = form.next_element::<String>()? {
        let value = form.next_element_seed(node)?.ok_or_else(too_short)?;
        entries.push((key, value));
    }
    Ok(entries)
}

/// Reads the rest of a `list` node, after its word: the element type, and the nodes of the elements. `node` is the
/// reader for these.
fn list<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Value, A::Error> {
    let element = next_part(form)?;
    Value::list_of(element, nodes(node, form)?).map_err(without_path)
}

/// Reads the rest of a `set` node, after its word: the element type, and the nodes of the members.
fn set<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Value, A::Error> {
    let element = next_part(form)?;
    set::build(element, nodes(node, form)?, None).map_err(without_path)
}

/// Reads the rest of a `partial_set` node, after its word: the element type, the minimum and maximum length, and the
/// nodes of the members.
fn partial_set<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Value, A::Error> {
    let (element, fewest, most) = (next_part(form)?, next_part(form)?, next_part(form)?);
    set::build(element, nodes(node, form)?, Some((fewest, most))).map_err(without_path)
}

/// Reads the rest of a `map` node, after its word: the element type, and the keys and nodes of the entries.
fn map<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Value, A::Error> {
    let element = next_part(form)?;
    let entries = entries(node, form)?;
    let given = entries.len();
    check_unique_keys(Value::map_of(element, entries).map_err(without_path)?, given)
}

/// Reads the rest of a `tuple` node, after its word: the nodes of the elements.
fn tuple<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Value, A::Error> {
    Value::tuple(nodes(node, form)?).map_err(without_path)
}

/// Reads the rest of an `object` node, after its word: the names and nodes of the attributes.
fn object<'de, A: SeqAccess<'de>>(node: Node, form: &mut A) -> Result<Value, A::Error> {
    let entries = entries(node, form)?;
    let given = entries.len();
    check_unique_keys(Value::object(entries).map_err(without_path)?, given)
}

/// Returns the map or object if it has `given` children, the number of entries read. Fewer mean that a key occurred
/// twice, which is an error.
fn check_unique_keys<E: serde_core::de::Error>(value: Value, given: usize) -> Result<Value, E> {
    match value.container().map(|container| container.children().count()) {
        Some(count) if count == given => Ok(value),
        _ => Err(E::custom("a key is given twice")),
    }
}

/// Converts an error to one of serde, without its path: a path into a set contains a member, which may be marked.
#[cold]
fn without_path<E: serde_core::de::Error>(error: Error) -> E {
    E::custom(error.at(Path::new()))
}

/// Reads a step of a path from its sequence of a word and a name or node.
struct StepVisitor;

impl<'de> Visitor<'de> for StepVisitor {
    type Value = Step;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a step of a path")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut form: A) -> Result<Step, A::Error> {
        let word: String = next_part(&mut form)?;
        let step = match word.as_str() {
            "attr" => Step::attr(&next_part::<String, A>(&mut form)?),
            "index" => Step::Index(form.next_element_seed(Node::TOP)?.ok_or_else(too_short)?),
            _ => return Err(A::Error::custom("a step of a path begins with attr or index")),
        };
        match form.next_element::<IgnoredAny>()? {
            None => Ok(step),
            Some(_) => Err(A::Error::custom("a step of a path has two parts")),
        }
    }
}

/// Reads a path from the sequence of its steps.
struct PathVisitor;

impl<'de> Visitor<'de> for PathVisitor {
    type Value = Path;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the steps of a path")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut form: A) -> Result<Path, A::Error> {
        let mut path = Path::new();
        while let Some(step) = form.next_element()? {
            path.push(step);
        }
        Ok(path)
    }
}
