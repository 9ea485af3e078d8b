//! The check of data values against the types of a schema, which also fills in defaults.

use std::collections::{HashMap, HashSet};

use crate::excerpt::{Notes, excerpt};
use crate::node::{Content, Node, Position, Scalar, key_id, key_text};
use crate::schema::{Kind, Schema, default_node};
use crate::spelling::nearest;
use crate::yaml::size_of;

/// The largest number of mismatches that are reported.
const MAX_REPORTED: usize = 100;
/// The length of the message beyond which no further mismatch is added.
const MAX_MESSAGE: usize = 1 << 20;
/// The largest number of keys that an unknown key is compared with.
const MAX_COMPARED: usize = 200;

/// A value that its type does not accept, or a key that is not declared.
#[derive(Debug)]
pub(crate) struct Mismatch {
    pub(crate) text: &'static str,
    pub(crate) found: String,
    pub(crate) expected: String,
    pub(crate) hint: Option<String>,
    at: Position,
    /// The value, where it comes from no file.
    calculated: Option<String>,
}

/// What a check found. Errors of structure hide the others.
#[derive(Debug, Default)]
pub(crate) struct Mismatches {
    structure: Vec<Mismatch>,
    others: Vec<Mismatch>,
    /// The nodes of the defaults that were filled in: each item of an array may take all of a large map.
    filled: usize,
    /// The largest number of nodes of defaults.
    most: usize,
}

impl Mismatches {
    /// No mismatches so far, of a check that fills in so many nodes at most.
    pub(crate) fn new(most: usize) -> Mismatches {
        Mismatches { most, ..Mismatches::default() }
    }

    /// The mismatches that are reported: those of structure if there are some, as ytt checks these first.
    fn reported(&self) -> &[Mismatch] {
        if self.structure.is_empty() { &self.others } else { &self.structure }
    }

    /// The first mismatch that is reported.
    pub(crate) fn first(&self) -> Option<&Mismatch> {
        self.reported().first()
    }

    /// The error that too many defaults were filled in.
    pub(crate) fn limit(&self) -> Option<String> {
        let most = self.most;
        (self.filled > most).then(|| format!("the defaults of the data values have more than {most} nodes"))
    }

    /// Adds a mismatch; only the first ones are kept.
    fn add(&mut self, mismatch: Mismatch, structure: bool) {
        let list = if structure { &mut self.structure } else { &mut self.others };
        if list.len() < MAX_REPORTED {
            list.push(mismatch);
        }
    }

    /// The message that lists all of them; `None` if there are none.
    pub(crate) fn message(&self) -> Option<String> {
        self.first()?;
        let title = "One or more data values were invalid";
        let mut message = format!("\n{title}\n{}\n", "=".repeat(title.len()));
        // All are in the document that was merged last, and are reported in its order.
        let mut reported: Vec<&Mismatch> = self.reported().iter().collect();
        reported.sort_by_key(|mismatch| mismatch.at.line);
        for mismatch in reported {
            // Each shows its line, and all may be on one long line.
            if message.len() > MAX_MESSAGE {
                break;
            }
            let mut notes = Notes::new(mismatch.found.clone()).expected(&mismatch.expected);
            notes.hints.extend(mismatch.hint.clone());
            let text = if mismatch.text.is_empty() { String::new() } else { format!("{}\n", mismatch.text) };
            let lines = match &mismatch.calculated {
                Some(calculated) => format!("Data value calculated:\n    #\n    # {calculated}\n    #\n"),
                None => excerpt(&[&mismatch.at]),
            };
            message.push_str(&format!("\n{text}{lines}{}", notes.text()));
        }
        message.push('\n');
        Some(message)
    }
}

/// Checks a node against its type, and adds the defaults of missing keys.
pub(crate) fn check(node: &mut Node, schema: &Schema, mismatches: &mut Mismatches) {
    // Past the limit nothing more is looked at: each item of an array would cost all keys of a large map.
    if mismatches.filled > mismatches.most || (node.content.is_null() && schema.nullable) {
        return;
    }
    match (&schema.kind, &mut node.content) {
        (Kind::Any, _) | (_, Content::Scalar(Scalar::Unknown)) => {}
        (Kind::Map(declared), Content::Map(children)) => {
            let by_key: HashMap<String, &Schema> =
                declared.iter().map(|schema| (key_id(schema.key.as_ref()), schema)).collect();
            let mut present = HashSet::new();
            for child in children.iter_mut() {
                let key = key_id(child.key.as_ref());
                match by_key.get(&key) {
                    Some(schema) => check(child, schema, mismatches),
                    None if mismatches.others.len() >= MAX_REPORTED => {}
                    None => mismatches.add(undeclared(child, declared, schema), false),
                }
                present.insert(key);
            }
            for schema in declared {
                if mismatches.filled <= mismatches.most && !present.contains(&key_id(schema.key.as_ref())) {
                    let node = default_node(schema);
                    mismatches.filled = mismatches.filled.saturating_add(size_of(&node.content));
                    children.push(node);
                }
            }
        }
        (Kind::Array(item), Content::Array(children)) => {
            for child in children {
                check(child, item, mismatches);
            }
        }
        (Kind::Scalar(name), content) if content.type_name() == *name => {}
        (Kind::Scalar("float"), content) if content.type_name() == "integer" => {}
        (_, content) => {
            let mismatch = Mismatch {
                text: "",
                found: content.type_name().to_owned(),
                expected: format!("{} (by {})", schema.type_name(), schema.at),
                hint: None,
                at: node.at.clone(),
                calculated: calculated(&node.at, node.key.as_ref(), content),
            };
            mismatches.add(mismatch, !matches!(content, Content::Scalar(_)));
        }
    }
}

/// Returns the mismatch of a key that the schema does not declare, with the nearest keys that it does.
fn undeclared(node: &Node, declared: &[Schema], schema: &Schema) -> Mismatch {
    let found = match &node.key {
        Some(Scalar::Int(int)) => int.to_string(),
        Some(Scalar::Bool(bool)) => bool.to_string(),
        Some(key) => key_text(key),
        None => String::new(),
    };
    let compared = declared.iter().take(MAX_COMPARED);
    let mut keys: Vec<String> = compared.filter_map(|schema| schema.key.as_ref().map(key_text)).collect();
    keys.sort();
    let expected = match keys.as_slice() {
        [only] => format!("a map item with the key named \"{only}\" (from {})", schema.at),
        [_, ..] if keys.len() < 10 => format!("one of {{ {} }} (from {})", keys.join(", "), schema.at),
        _ => format!("a key declared in map (from {})", schema.at),
    };
    let hint = nearest(&found, &keys).map(|key| format!("did you mean \"{key}\"?"));
    let text = "Given data value is not declared in schema";
    Mismatch {
        text,
        found,
        expected,
        hint,
        at: node.at.clone(),
        calculated: calculated(&node.at, node.key.as_ref(), &node.content),
    }
}

/// Returns the first line of a node that Starlark made, as YAML; `None` for one of a file.
fn calculated(at: &Position, key: Option<&Scalar>, content: &Content) -> Option<String> {
    if at.source.name != "?" {
        return None;
    }
    if let (Some(key), Content::Scalar(Scalar::Text(text))) = (key, content) {
        return Some(format!("{}: {}", key_text(key), crate::quoted::quoted(text)));
    }
    let item = Node { key: key.cloned(), content: content.clone(), at: at.clone(), annotations: Vec::new() };
    let whole = if key.is_some() { Content::Map(vec![item]) } else { Content::Array(vec![item]) };
    crate::print::document(&whole).lines().next().map(str::to_owned)
}
