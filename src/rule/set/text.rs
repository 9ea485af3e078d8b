//! What the author of a type says of its nodes: titles, descriptions, deprecations, examples.

use std::collections::BTreeMap;

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::rule::json_schema::{Dialect, export};
use crate::rule::{ExprStep, PathExpr};
use crate::value::{Value, View};

use super::places;
use super::{PLACES, RuledType};

/// What the author says of a node of a type, for documents, forms and editors.
///
/// [Example](NodeTexts)
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct NodeText {
    /// A short name: `Web server`.
    pub title: Option<String>,
    /// What the node is for.
    pub description: Option<String>,
    /// What to use in place of the node, which should no longer be used; empty if nothing replaces it.
    pub deprecated: Option<String>,
    /// Values that the node may have.
    pub examples: Vec<Value>,
}

impl NodeText {
    /// A text without title, description, deprecation and examples.
    ///
    /// [Example](NodeTexts)
    pub fn new() -> NodeText {
        NodeText::default()
    }

    /// Sets the title, a short name of the node.
    ///
    /// [Example](NodeTexts)
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> NodeText {
        self.title = Some(title.into());
        self
    }

    /// Sets the description, which says what the node is for.
    ///
    /// [Example](NodeTexts)
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> NodeText {
        self.description = Some(description.into());
        self
    }

    /// Says that the node should no longer be used, and what to use in its place.
    ///
    /// [Example](NodeTexts)
    #[must_use]
    pub fn deprecate(mut self, message: impl Into<String>) -> NodeText {
        self.deprecated = Some(message.into());
        self
    }

    /// Adds a value that the node may have as an example.
    ///
    /// [Example](NodeTexts)
    #[must_use]
    pub fn example(mut self, value: impl Into<Value>) -> NodeText {
        self.examples.push(value.into());
        self
    }

    /// Replaces the title, description, deprecation and examples by those of `over`, where it has them.
    fn overlay(&mut self, over: &NodeText) {
        let replace = |own: &mut Option<String>, over: &Option<String>| {
            if over.is_some() {
                own.clone_from(over);
            }
        };
        replace(&mut self.title, &over.title);
        replace(&mut self.description, &over.description);
        replace(&mut self.deprecated, &over.deprecated);
        if !over.examples.is_empty() {
            self.examples.clone_from(&over.examples);
        }
    }

    /// Writes the text into the keywords of a schema.
    fn write(&self, keywords: &mut BTreeMap<String, Value>, dialect: Dialect) -> Result<()> {
        if let Some(title) = &self.title {
            keywords.insert("title".to_owned(), Value::from(title.as_str()));
        }
        let said = keywords.get("description").and_then(|said| said.as_str().ok()).map(str::to_owned);
        let deprecation = self.deprecated.as_deref().filter(|message| !message.is_empty());
        let deprecation = deprecation.map(|message| format!("Deprecated: {message}"));
        let parts = [self.description.clone(), said, deprecation];
        let description = parts.into_iter().flatten().collect::<Vec<String>>().join("\n\n");
        if !description.is_empty() {
            keywords.insert("description".to_owned(), Value::from(description));
        }
        if self.deprecated.is_some() {
            keywords.insert("deprecated".to_owned(), Value::from(true));
        }
        let Some(first) = self.examples.first() else { return Ok(()) };
        self.examples.iter().try_for_each(check_shown)?;
        let (keyword, examples) = match dialect {
            Dialect::JsonSchema => ("examples", Value::tuple(self.examples.iter().cloned())?),
            // OpenAPI 3.0 has one example only.
            Dialect::OpenApi | Dialect::Kubernetes => ("example", first.clone()),
        };
        keywords.insert(keyword.to_owned(), examples);
        Ok(())
    }
}

/// Texts by node, for a type or a provider's schema.
///
/// ```
/// use plantime::rule::json_schema::Dialect;
/// use plantime::rule::set::{NodeText, NodeTexts};
/// use plantime::value;
///
/// let mut texts = NodeTexts::new();
/// texts.insert("port", NodeText::new().title("Port").describe("Where it listens.").example(80).example(443))?;
/// texts.insert("hosts[*]", NodeText::new().deprecate("use names"))?;
///
/// let schema = value!({ "type": "object", "properties": {
///     "port": { "type": "number" },
///     "hosts": { "type": "array", "items": { "type": "string" } },
/// } })?;
/// assert_eq!(texts.annotate(&schema, Dialect::JsonSchema)?, value!({ "type": "object", "properties": {
///     "port": { "type": "number", "title": "Port", "description": "Where it listens.", "examples": [80, 443] },
///     "hosts": { "type": "array", "items": {
///         "type": "string", "deprecated": true, "description": "Deprecated: use names",
///     } },
/// } })?);
/// assert_eq!(texts.get(&"port".parse()?).unwrap().title.as_deref(), Some("Port"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeTexts(BTreeMap<PathExpr, NodeText>);

impl NodeTexts {
    /// The texts of no node yet.
    ///
    /// [Example](NodeTexts)
    pub fn new() -> NodeTexts {
        NodeTexts::default()
    }

    /// Sets the text of a node: the whole (the empty path), an attribute or block (`db.port`), each element of a list, set or
    /// map (`ports[*]`), an element of a tuple (`pair[0]`).
    ///
    /// [Example](NodeTexts)
    ///
    /// # Errors
    ///
    /// When the path is none, an example is unknown or marked, and [`is_limit`](Error::is_limit) above [`PLACES`].
    pub fn insert(&mut self, node: &str, text: NodeText) -> Result<()> {
        let path: PathExpr = node.parse()?;
        text.examples.iter().try_for_each(check_shown)?;
        *self.text_or_insert(path)? = text;
        Ok(())
    }

    /// The text of a node.
    ///
    /// [Example](NodeTexts)
    pub fn get(&self, node: &PathExpr) -> Option<&NodeText> {
        self.0.get(node)
    }

    /// The nodes that have a text, in the order of their paths.
    ///
    /// ```
    /// use plantime::rule::set::{NodeText, NodeTexts};
    ///
    /// let mut texts = NodeTexts::new();
    /// texts.insert("b", NodeText::new().title("B"))?;
    /// texts.insert("", NodeText::new().title("All"))?;
    /// let titles: Vec<_> = texts.iter().map(|(node, text)| format!("{node}: {}", text.title.as_deref().unwrap())).collect();
    /// assert_eq!(titles, [": All", "b: B"]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&PathExpr, &NodeText)> {
        self.0.iter()
    }

    /// A JSON Schema with the texts at the places of their nodes. A node that the schema does not describe, such as an element of
    /// a tuple in OpenAPI 3.0, has no place for them.
    ///
    /// | of the text | keyword |
    /// |---|---|
    /// | title | `title` |
    /// | description | at the beginning of `description` |
    /// | deprecation | `deprecated`, and the message at the end of `description` |
    /// | examples | `examples`; the first one as `example` in OpenAPI 3.0 |
    ///
    /// [Example](NodeTexts)
    ///
    /// # Errors
    ///
    /// When an example is unknown or marked.
    pub fn annotate(&self, schema: &Value, dialect: Dialect) -> Result<Value> {
        let texts: Vec<Below<'_>> = self.0.iter().map(|(path, text)| (path.steps(), text)).collect();
        annotated(schema, &texts, dialect)
    }

    /// The text at a path; an empty one is inserted where there is none. An error if that makes more than [`PLACES`] paths.
    fn text_or_insert(&mut self, path: PathExpr) -> Result<&mut NodeText> {
        if self.0.len() >= PLACES && !self.0.contains_key(&path) {
            return Err(places::too_many());
        }
        Ok(self.0.entry(path).or_default())
    }

    /// Adds the texts of another type, whose root is at a path.
    pub(super) fn include(&mut self, base: &PathExpr, other: &NodeTexts) -> Result<()> {
        for (path, text) in &other.0 {
            let path = PathExpr::from_steps(base.steps().iter().chain(path.steps()).cloned())?;
            self.text_or_insert(path)?.overlay(text);
        }
        Ok(())
    }

    /// The texts of the nodes for which a function returns true.
    pub(super) fn kept(&self, keep: impl Fn(&PathExpr) -> bool) -> NodeTexts {
        let kept = self.0.iter().filter(|(path, _)| keep(path));
        NodeTexts(kept.map(|(path, text)| (path.clone(), text.clone())).collect())
    }
}

impl RuledType {
    /// Sets the title, description, deprecation and examples of a node. Replaces a text that the node had before as a whole.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::json_schema::Dialect;
    /// use plantime::rule::set::{NodeText, RuleSet, RuledType};
    ///
    /// let db = RuledType::new("object({port = number})".parse::<Type>()?)
    ///     .at("port", RuleSet::keywords([("min", 1024)])?)?
    ///     .describe("port", NodeText::new().describe("Where it listens.").example(5432))?;
    /// let schema = db.to_json_schema(Dialect::OpenApi)?.to_string();
    /// assert!(schema.contains("description = \"Where it listens.") && schema.contains("example = 5432"));
    /// assert_eq!(db.texts().iter().count(), 1);
    ///
    /// let wrong = db.describe("port", NodeText::new().example("http")).unwrap_err();
    /// assert_eq!(wrong.to_string(), "the example of port: a number is required");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the type has no such node, with the nearest name; when an example is unknown, marked or not of the node's type; and
    /// [`is_limit`](Error::is_limit) above [`PLACES`].
    pub fn describe(mut self, node: &str, text: NodeText) -> Result<RuledType> {
        let path: PathExpr = node.parse()?;
        let ty = places::node(self.constraint.as_type(), &path)?.into();
        for example in &text.examples {
            convert(example, &ty).map_err(|error| {
                let message = format!("the example of {path}: {error}");
                Error::new(Kind::TypeMismatch, message)
            })?;
        }
        self.texts.insert(node, text)?;
        Ok(self)
    }

    /// What the author says of the nodes.
    ///
    /// [Example](RuledType::describe)
    pub fn texts(&self) -> &NodeTexts {
        &self.texts
    }

    /// The type, its rules of severity error and its texts as JSON Schema or OpenAPI.
    ///
    /// [Example](RuledType::describe)
    ///
    /// # Errors
    ///
    /// As [`export`] and [`RuledType::to_rule`].
    pub fn to_json_schema(&self, dialect: Dialect) -> Result<Value> {
        let schema = export(&self.constraint, &self.to_rule()?, dialect)?;
        self.texts.annotate(&schema, dialect)
    }
}

/// Checks that a value can be shown: it is known and nothing in it is marked.
fn check_shown(example: &Value) -> Result<()> {
    let problem = if !example.unmark_deep().1.is_empty() {
        "an example is shown to everyone: nothing in it may be marked"
    } else if !example.is_wholly_known() {
        "an example must be known"
    } else {
        return Ok(());
    };
    Err(Error::new(Kind::Argument, problem))
}

/// The steps that still lead from a schema to a node, and the text of that node.
type Below<'t> = (&'t [ExprStep], &'t NodeText);

/// A schema with the texts at and below it. Each part is rebuilt at most once.
fn annotated(schema: &Value, texts: &[Below<'_>], dialect: Dialect) -> Result<Value> {
    let View::Object(object) = schema.view() else { return Ok(schema.clone()) };
    let mut keywords: BTreeMap<String, Value> =
        object.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let mut by_step: BTreeMap<&ExprStep, Vec<Below<'_>>> = BTreeMap::new();
    for (steps, text) in texts {
        match steps.split_first() {
            None => text.write(&mut keywords, dialect)?,
            Some((first, rest)) => by_step.entry(first).or_default().push((rest, text)),
        }
    }
    let mut properties: BTreeMap<String, Value> = BTreeMap::new();
    let mut prefix: Vec<Value> = elements(keywords.get("prefixItems"));
    for (step, below) in by_step {
        match step {
            ExprStep::Attr(name) => {
                if let Some(part) = keywords.get("properties").and_then(|all| all.get_attr(name).ok()) {
                    properties.insert(name.clone(), annotated(&part, &below, dialect)?);
                }
            }
            ExprStep::AnyElement => {
                for keyword in ["items", "additionalProperties"] {
                    if let Some(part) = keywords.get(keyword) {
                        let part = annotated(part, &below, dialect)?;
                        keywords.insert(keyword.to_owned(), part);
                    }
                }
            }
            ExprStep::Index(index) => {
                let part = usize::try_from(*index).ok().and_then(|index| prefix.get_mut(index));
                if let Some(part) = part {
                    *part = annotated(part, &below, dialect)?;
                }
            }
            ExprStep::Key(_) | ExprStep::Parent => {}
        }
    }
    if !properties.is_empty()
        && let Some(View::Object(all)) = keywords.get("properties").map(Value::view)
    {
        for (name, part) in all.iter() {
            properties.entry(name.to_owned()).or_insert_with(|| part.clone());
        }
        keywords.insert("properties".to_owned(), Value::object(properties)?);
    }
    if !prefix.is_empty() {
        keywords.insert("prefixItems".to_owned(), Value::tuple(prefix)?);
    }
    Value::object(keywords)
}

/// The elements of a tuple or list; none of anything else.
fn elements(value: Option<&Value>) -> Vec<Value> {
    match value.map(Value::view) {
        Some(View::Tuple(tuple)) => tuple.iter().cloned().collect(),
        Some(View::List(list)) => list.iter().cloned().collect(),
        _ => Vec::new(),
    }
}
