//! Overlays: documents of schemas and data values merged into earlier ones, with the annotations of `@overlay/`.

use std::collections::HashMap;

use crate::annotations::refuse_unknown_keywords;
use crate::matching::{CHILD_DEFAULTS, Expectation, Match, Matched, has_unknown, place};
use crate::node::{Annotation, Content, Node, Scalar, key_id, key_text};
use crate::starlark::convert::yaml_from_value;
use crate::starlark::error::Failure;
use crate::starlark::functions::no_position;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::modules::overlay::fragment;
use crate::starlark::value::{Arguments, Value, text_of};
use crate::yaml::size_of;

/// What an overlay does with the nodes that match.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Merge,
    Remove,
    Replace,
    Insert,
    Append,
    Assert,
}

/// The annotations of operations.
const OPERATIONS: [(&str, Operation); 6] = [
    ("overlay/merge", Operation::Merge),
    ("overlay/remove", Operation::Remove),
    ("overlay/replace", Operation::Replace),
    ("overlay/insert", Operation::Insert),
    ("overlay/append", Operation::Append),
    ("overlay/assert", Operation::Assert),
];

/// Merges a document into another as an overlay; the error is ytt's.
pub(crate) fn overlay(left: &mut Node, right: Node, this: &mut Interpreter<'_>) -> Result<(), String> {
    let line = format!("Document on line {}", right.at);
    document(left, right, this).map_err(|error| format!("{line}: {error}"))
}

/// Merges a document into another, without the line in errors.
fn document(left: &mut Node, right: Node, this: &mut Interpreter<'_>) -> Result<(), String> {
    let (operation, _) = operation(&right, this.library.has_proposal())?;
    let defaults = Expectation::of(right.annotation(CHILD_DEFAULTS), &Expectation::default())?;
    match operation {
        Operation::Merge if left.content.is_null() => replace(left, right),
        Operation::Merge => {
            Overlay { this }.content(&mut left.content, right.content, &defaults)?;
        }
        Operation::Replace => {
            let content = Overlay { this }.replacement(left, &right)?;
            replace(left, Node { content, ..right });
        }
        Operation::Assert => Overlay { this }.assert(left, &right)?,
        Operation::Remove => left.content = Content::Scalar(Scalar::Null),
        Operation::Insert | Operation::Append => {
            return Err("inserting documents is not supported".to_owned());
        }
    }
    Ok(())
}

/// Replaces a document but for its key.
fn replace(left: &mut Node, right: Node) {
    left.content = right.content;
    left.at = right.at;
    left.annotations = right.annotations;
}

/// Returns the operation of a node, and its annotation if it has one.
fn operation(node: &Node, is_proposal: bool) -> Result<(Operation, Option<&Annotation>), String> {
    refuse_unknown_keywords(node, is_proposal)?;
    let mut found = None;
    for (name, operation) in OPERATIONS {
        let Some(annotation) = node.annotation(name) else { continue };
        if found.is_some() {
            return Err("Expected to find only one overlay operation".to_owned());
        }
        found = Some((operation, Some(annotation)));
    }
    Ok(found.unwrap_or((Operation::Merge, None)))
}

/// A merge of overlays.
struct Overlay<'o, 'l> {
    this: &'o mut Interpreter<'l>,
}

impl Overlay<'_, '_> {
    /// Merges a content into another, and says whether it was replaced as a whole.
    fn content(
        &mut self,
        left: &mut Content,
        right: Content,
        defaults: &Expectation,
    ) -> Result<bool, String> {
        match (left, right) {
            (Content::Scalar(Scalar::Unknown), Content::Map(_) | Content::Array(_)) => {
                Err("Merging into a value that is not known is not supported".to_owned())
            }
            (left @ Content::Scalar(Scalar::Null), right) | (left, right @ Content::Scalar(_)) => {
                *left = right;
                Ok(true)
            }
            (Content::Map(left), Content::Map(right)) => self.map(left, right, defaults).map(|()| false),
            (Content::Array(left), Content::Array(right)) => {
                self.array(left, right, defaults).map(|()| false)
            }
            (left, right) => Err(format!("Expected {}, but was {}", right.type_name(), left.type_name())),
        }
    }

    /// Merges the items of a map into those of another one.
    fn map(&mut self, left: &mut Vec<Node>, right: Vec<Node>, defaults: &Expectation) -> Result<(), String> {
        let ids = left.iter().enumerate().map(|(index, node)| (key_id(node.key.as_ref()), index));
        let mut items =
            Items { keys: ids.collect(), slots: std::mem::take(left).into_iter().map(Some).collect() };
        for node in right {
            let key = node.key.as_ref().map(key_text).unwrap_or_default();
            let line = format!("Map item (key '{key}') on line {}", node.at);
            self.map_item(&mut items, node, defaults).map_err(|error| format!("{line}: {error}"))?;
        }
        *left = items.slots.into_iter().flatten().collect();
        Ok(())
    }

    /// Merges an item into the items of a map.
    fn map_item(&mut self, left: &mut Items, node: Node, defaults: &Expectation) -> Result<(), String> {
        let (operation, annotation) = operation(&node, self.this.library.has_proposal())?;
        let wanted = Match::of_map_item(&node, defaults)?;
        let mut found = Vec::new();
        if wanted.is_by_key() {
            found.extend(left.keys.get(&key_id(node.key.as_ref())).copied());
        } else {
            self.work(left.slots.len())?;
            for (index, slot) in left.slots.iter().enumerate() {
                if let Some(item) = slot
                    && wanted.matches(place(item, index), item, &node, self.this)?
                {
                    found.push(index);
                }
            }
        }
        let lines = positions(found.iter().filter_map(|index| left.slots.get(*index)?.as_ref()));
        if let Matched::Skipped = wanted.check(&lines, self.this)? {
            return Ok(());
        }
        let adds = operation == Operation::Merge || operation == Operation::Replace && or_add(annotation)?;
        if found.is_empty() && adds {
            left.keys.insert(key_id(node.key.as_ref()), left.slots.len());
            left.slots.push(Some(node));
            return Ok(());
        }
        for index in found {
            let Some(slot) = left.slots.get_mut(index) else { continue };
            let Some(item) = slot else { continue };
            match operation {
                Operation::Merge => self.merge_item(item, &node, defaults)?,
                Operation::Assert => self.assert(item, &node)?,
                Operation::Remove => {
                    left.keys.remove(&key_id(item.key.as_ref()));
                    *slot = None;
                }
                Operation::Replace => {
                    let content = self.replacement(item, &node)?;
                    left.keys.remove(&key_id(item.key.as_ref()));
                    left.keys.insert(key_id(node.key.as_ref()), index);
                    *slot = Some(Node { content, ..shell(&node) });
                }
                Operation::Insert | Operation::Append => {
                    let name = if operation == Operation::Insert { "insert" } else { "append" };
                    return Err(format!("Overlay op overlay/{name} is not supported on map item"));
                }
            }
        }
        Ok(())
    }

    /// Merges the items of an array into those of another one.
    fn array(
        &mut self,
        left: &mut Vec<Node>,
        right: Vec<Node>,
        defaults: &Expectation,
    ) -> Result<(), String> {
        for node in right {
            let line = format!("Array item on line {}", node.at);
            self.array_item(left, node, defaults).map_err(|error| format!("{line}: {error}"))?;
        }
        Ok(())
    }

    /// Merges an item into the items of an array; one without an annotation is appended.
    fn array_item(&mut self, left: &mut Vec<Node>, node: Node, defaults: &Expectation) -> Result<(), String> {
        let (operation, annotation) = operation(&node, self.this.library.has_proposal())?;
        if operation == Operation::Append {
            left.push(node);
            return Ok(());
        }
        let mut found = Vec::new();
        if let Some(wanted) = Match::of_array_item(&node, defaults)? {
            self.work(left.len())?;
            for (index, item) in left.iter().enumerate() {
                if wanted.matches(Value::int(index), item, &node, self.this)? {
                    found.push(index);
                }
            }
            let lines = positions(found.iter().filter_map(|index| left.get(*index)));
            if let Matched::Skipped = wanted.check(&lines, self.this)? {
                return Ok(());
            }
        }
        let adds = operation == Operation::Merge || operation == Operation::Replace && or_add(annotation)?;
        if found.is_empty() && adds {
            left.push(node);
            return Ok(());
        }
        // From the end, so that what is removed or inserted moves no item that comes next.
        for index in found.into_iter().rev() {
            let Some(item) = left.get_mut(index) else { continue };
            match operation {
                Operation::Merge => self.merge_item(item, &node, defaults)?,
                Operation::Assert => self.assert(item, &node)?,
                Operation::Replace => {
                    let content = self.replacement(item, &node)?;
                    *item = Node { content, ..shell(&node) };
                }
                Operation::Remove => drop(left.remove(index)),
                Operation::Insert => {
                    self.work(left.len())?;
                    self.insert(left, index, &node, annotation)?;
                }
                Operation::Append => {}
            }
        }
        Ok(())
    }

    /// Inserts an item before or after another one, or both.
    fn insert(
        &mut self,
        left: &mut Vec<Node>,
        index: usize,
        node: &Node,
        annotation: Option<&Annotation>,
    ) -> Result<(), String> {
        let (mut before, mut after) = (false, false);
        for (name, value) in annotation.iter().flat_map(|annotation| &annotation.arguments.keywords) {
            match (&**name, value) {
                ("before", Value::Bool(wanted)) => before = *wanted,
                ("after", Value::Bool(wanted)) => after = *wanted,
                ("before" | "after", other) => {
                    return Err(format!("expected starlark.Bool, but was {}", other.go_type()));
                }
                _ => return Err("overlay/insert with via= is not supported".to_owned()),
            }
        }
        if !before && !after {
            return Err(
                "Expected 'overlay/insert' annotation to have at least one keyword argument (before=..., after=...)"
                    .to_owned(),
            );
        }
        self.work(size_of(&node.content))?;
        if after {
            left.insert(index.saturating_add(1), node.clone());
        }
        if before {
            left.insert(index, node.clone());
        }
        Ok(())
    }

    /// Merges an item into one that matches it. The left item keeps its annotations.
    fn merge_item(&mut self, left: &mut Node, right: &Node, defaults: &Expectation) -> Result<(), String> {
        let defaults = Expectation::of(right.annotation(CHILD_DEFAULTS), defaults)?;
        self.work(size_of(&right.content))?;
        if self.content(&mut left.content, right.content.clone(), &defaults)? {
            left.at = right.at.clone();
        }
        Ok(())
    }

    /// Returns the content that replaces that of a node: the new one, or what `via=` computes.
    fn replacement(&mut self, left: &Node, right: &Node) -> Result<Content, String> {
        let annotation = right.annotation("overlay/replace");
        let via = annotation.and_then(|annotation| keyword(annotation, "via"));
        self.work(size_of(&right.content))?;
        match via {
            None => Ok(right.content.clone()),
            Some(via) if via.is_callable() => {
                let value = self.call(via, left, right)?;
                let content = yaml_from_value(&self.this.heap, &value, &no_position());
                content.map_err(|failure| failure.message())
            }
            Some(other) => Err(no_function("overlay/replace", other)),
        }
    }

    /// Checks a node by the function of `@overlay/assert`.
    fn assert(&mut self, left: &Node, right: &Node) -> Result<(), String> {
        let annotation = right.annotation("overlay/assert");
        let via = match annotation.and_then(|annotation| keyword(annotation, "via")) {
            Some(via) if via.is_callable() => via,
            Some(other) => return Err(no_function("overlay/assert", other)),
            None => return Err("overlay/assert without via= is not supported".to_owned()),
        };
        let refused = "Expected via invocation to return true, but was false";
        match self.call(via, left, right)? {
            Value::None | Value::Bool(true) => Ok(()),
            Value::Bool(false) => Err(refused.to_owned()),
            Value::Tuple(items) => match &*items {
                [Value::Bool(true), Value::Text(_)] => Ok(()),
                [Value::Bool(false), Value::Text(text)] => {
                    Err(format!("{refused} with message: {}", text_of(text)))
                }
                _ => Err(neither()),
            },
            _ => Err(neither()),
        }
    }

    /// Calls a function with the contents of two nodes.
    fn call(&mut self, function: &Value, left: &Node, right: &Node) -> Result<Value, String> {
        if has_unknown(&left.content) || has_unknown(&right.content) {
            return Err("an overlay by a function on a value that is not known is not supported".to_owned());
        }
        let text = |failure: Failure| failure.message();
        let positional =
            vec![fragment(self.this, left).map_err(text)?, fragment(self.this, right).map_err(text)?];
        self.this.call(function, Arguments { positional, keywords: Vec::new() }).map_err(text)
    }

    /// Counts work, so that overlays that match many nodes end.
    fn work(&mut self, steps: usize) -> Result<(), String> {
        self.this.heap.work(steps).map_err(|failure| failure.message())
    }
}

/// The items of a map while an overlay changes them: removed ones leave a gap, so that places stay.
struct Items {
    keys: HashMap<String, usize>,
    slots: Vec<Option<Node>>,
}

/// A node without its content.
fn shell(node: &Node) -> Node {
    Node {
        key: node.key.clone(),
        content: Content::Scalar(Scalar::Null),
        at: node.at.clone(),
        annotations: node.annotations.clone(),
    }
}

/// The positions of nodes as messages list them.
fn positions<'n>(nodes: impl Iterator<Item = &'n Node>) -> Vec<String> {
    nodes.map(|node| node.at.to_string()).collect()
}

/// Whether `@overlay/replace` adds a node where none matches.
fn or_add(annotation: Option<&Annotation>) -> Result<bool, String> {
    let mut or_add = false;
    for (name, value) in annotation.iter().flat_map(|annotation| &annotation.arguments.keywords) {
        match (&**name, value) {
            ("via", _) => {}
            ("or_add", Value::Bool(wanted)) => or_add = *wanted,
            (_, other) => return Err(format!("expected starlark.Bool, but was {}", other.go_type())),
        }
    }
    Ok(or_add)
}

/// The keyword argument of an annotation.
fn keyword<'a>(annotation: &'a Annotation, name: &str) -> Option<&'a Value> {
    annotation.arguments.keywords.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
}

/// The error that `via=` is no function.
fn no_function(annotation: &str, found: &Value) -> String {
    format!(
        "Expected '{annotation}' annotation keyword argument 'via' to be function, but was {}",
        found.go_type()
    )
}

/// The error that the function of `@overlay/assert` returned something else.
fn neither() -> String {
    "Expected via invocation to return NoneType, Bool or Tuple(Bool,String), but returned neither of those"
        .to_owned()
}
