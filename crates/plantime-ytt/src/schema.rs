//! Schemas: the types, defaults and rules of the nodes of a schema document.

use crate::examples::{Example, examples_of};
use crate::excerpt::{Notes, excerpt, invalid, titled};
use crate::node::{Annotation, Content, Node, Position, Scalar, key_text};
use crate::rules::Rules;
use crate::starlark::convert::yaml_from_value;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::value::{Value, text_of};
use crate::types::{Mismatches, check};

/// The type of a node: what it accepts, and where it is declared.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) key: Option<Scalar>,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    pub(crate) at: Position,
    pub(crate) default: Content,
    pub(crate) rules: Option<Rules>,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) deprecated: Option<String>,
    pub(crate) examples: Vec<Example>,
}

/// What a type accepts beside null.
#[derive(Debug)]
pub(crate) enum Kind {
    Any,
    /// A scalar of the type with this name.
    Scalar(&'static str),
    Map(Vec<Schema>),
    Array(Box<Schema>),
}

impl Schema {
    /// The type of a document where there is no schema.
    pub(crate) fn any(at: Position) -> Schema {
        let default = Content::Scalar(Scalar::Null);
        Schema {
            key: None,
            kind: Kind::Any,
            nullable: true,
            at,
            default,
            rules: None,
            title: None,
            description: None,
            deprecated: None,
            examples: Vec::new(),
        }
    }

    /// The name of the type in messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Any => "any",
            Kind::Scalar(name) => name,
            Kind::Map(_) => "map",
            Kind::Array(_) => "array",
        }
    }

    /// Returns the schema of a document; the error is ytt's.
    pub(crate) fn of(node: &Node, this: &mut Interpreter<'_>) -> Result<Schema, String> {
        let any = any_type(node)?;
        let nullable = no_arguments(node, "schema/nullable")?;
        let kind = match &node.content {
            _ if any => {
                refuse_below_any(node.content.children())?;
                Kind::Any
            }
            made if made.children().first().is_some_and(|child| child.at.source.name == "?") => {
                return Err(made_value(made));
            }
            Content::Map(children) => {
                let children = children.iter().map(|child| Schema::of(child, this)).collect::<Result<_, _>>();
                Kind::Map(children.map_err(|error| below_nullable(nullable, error))?)
            }
            Content::Array(children) => Kind::Array(Box::new(item(node, children, nullable, this)?)),
            Content::Scalar(Scalar::Null) => return Err(null_refusal(node)),
            scalar @ Content::Scalar(_) => Kind::Scalar(scalar.type_name()),
        };
        let description = text_annotation(node, "schema/desc")?;
        let title = text_annotation(node, "schema/title")?;
        let mut schema = Schema {
            key: node.key.clone(),
            default: Content::Scalar(Scalar::Null),
            nullable,
            at: node.at.clone(),
            rules: None,
            kind,
            title,
            description,
            deprecated: None,
            examples: Vec::new(),
        };
        if let Some(annotation) = node.annotation("schema/examples") {
            schema.examples = examples_of(annotation, node, &schema, this)?;
        }
        schema.deprecated = text_annotation(node, "schema/deprecated")?;
        if !nullable {
            schema.default = default_of(&schema.kind, &node.content);
        }
        if let Some(annotation) = node.annotation("schema/default") {
            schema.default = declared_default(annotation, node, &schema, this)?;
        }
        schema.rules =
            node.annotation("schema/validation").map(|given| Rules::of(given, this)).transpose()?;
        Ok(schema)
    }
}

/// The default of a node without an annotation: what the schema contains; an array is empty.
fn default_of(kind: &Kind, content: &Content) -> Content {
    match kind {
        Kind::Map(children) => Content::Map(children.iter().map(default_node).collect()),
        Kind::Array(_) => Content::Array(Vec::new()),
        Kind::Any | Kind::Scalar(_) => without_annotations(content),
    }
}

/// Returns a content whose nodes have no annotations: those of a schema say nothing about data values.
fn without_annotations(content: &Content) -> Content {
    let plain = |child: &Node| Node {
        key: child.key.clone(),
        content: without_annotations(&child.content),
        at: child.at.clone(),
        annotations: Vec::new(),
    };
    match content {
        Content::Scalar(scalar) => Content::Scalar(scalar.clone()),
        Content::Map(children) => Content::Map(children.iter().map(plain).collect()),
        Content::Array(children) => Content::Array(children.iter().map(plain).collect()),
    }
}

/// Returns a node with the default of its type.
pub(crate) fn default_node(schema: &Schema) -> Node {
    let (key, content, at) = (schema.key.clone(), schema.default.clone(), schema.at.clone());
    Node { key, content, at, annotations: Vec::new() }
}

/// Whether a node has `@schema/type any=True`.
fn any_type(node: &Node) -> Result<bool, String> {
    let Some(annotation) = node.annotation("schema/type") else { return Ok(false) };
    let given = &annotation.arguments;
    let Some((name, value)) = given.keywords.first() else {
        let notes = Notes::new(format!("missing keyword argument and value (by {})", annotation.at))
            .expected("valid keyword argument and value")
            .hint("Supported key-value pairs are 'any=True', 'any=False'");
        return Err(invalid(
            "expected @schema/type annotation to have keyword argument and value",
            annotation,
            &node.at,
            &notes,
        ));
    };
    let refuse = |found: String, expected: &str| {
        let notes = Notes::new(format!("{found} (by {})", annotation.at))
            .expected(expected)
            .hint("Supported kwargs are 'any'");
        invalid("unknown @schema/type annotation keyword argument", annotation, &node.at, &notes)
    };
    let other = given.keywords.iter().map(|(name, _)| name).find(|name| &***name != "any");
    match value {
        _ if other.is_some() => Err(refuse(other.unwrap_or(name).to_string(), "A valid kwarg")),
        Value::Bool(any) => Ok(*any),
        other => Err(refuse(other.go_type().to_owned(), "starlark.Bool")),
    }
}

/// Whether a node has an annotation that takes no arguments; an error if it has some.
fn no_arguments(node: &Node, name: &str) -> Result<bool, String> {
    let Some(annotation) = node.annotation(name) else { return Ok(false) };
    if annotation.arguments.keywords.is_empty() {
        return Ok(true);
    }
    let notes = Notes::new(format!("keyword argument in @{name} (by {})", annotation.at))
        .expected("starlark.Bool")
        .hint("Supported kwargs are 'any'");
    let text = format!("expected @{name} annotation to not contain any keyword arguments");
    Err(invalid(&text, annotation, &node.at, &notes))
}

/// Returns the string of an annotation that has one.
fn text_annotation(node: &Node, name: &str) -> Result<Option<String>, String> {
    let Some(annotation) = node.annotation(name) else { return Ok(None) };
    let given = &annotation.arguments;
    if name == "schema/deprecated" && node.key.is_none() && node.at.text().starts_with("---") {
        let notes = Notes::new(String::new())
            .hint("do you mean to deprecate the entire schema document?")
            .hint("use schema/deprecated on individual keys.");
        return Err(invalid("@schema/deprecated not supported on a document", annotation, &node.at, &notes));
    }
    let found = match given.positional.first() {
        _ if !given.keywords.is_empty() => "keyword argument".to_owned(),
        None => "missing value".to_owned(),
        Some(_) if given.positional.len() > 1 => format!("{} values", given.positional.len()),
        Some(Value::Text(text)) => return Ok(Some(text_of(text).into_owned())),
        Some(_) => "Non-string value".to_owned(),
    };
    let mut notes = Notes::new(format!("{found} in @{name} (by {})", annotation.at)).expected("string");
    if !given.keywords.is_empty() {
        notes = notes.hint("this annotation only accepts one argument: a string.");
    }
    Err(invalid(&format!("syntax error in @{name} annotation"), annotation, &node.at, &notes))
}

/// Refuses annotations of schemas below a node that may have any content.
fn refuse_below_any(children: &[Node]) -> Result<(), String> {
    for child in children {
        let conflicts: Vec<&Annotation> = child
            .annotations
            .iter()
            .filter(|annotation| {
                ["schema/type", "schema/nullable", "schema/default"].contains(&annotation.name.as_str())
            })
            .collect();
        if !conflicts.is_empty() {
            let names: Vec<String> = conflicts.iter().map(|found| format!("@{}", found.name)).collect();
            let notes = Notes::new(format!("{} annotation(s)", names.join(", ")))
                .expected("no '@schema/...' on nodes within a node annotated '@schema/type any=True'")
                .hint("an \"any type\" fragment has no constraints; nested schema annotations conflict and are disallowed");
            let text = "Schema was specified within an \"any type\" fragment";
            let lines: Vec<&Position> = conflicts.iter().map(|found| &found.at).chain([&child.at]).collect();
            return Err(titled("Invalid schema", text, &excerpt(&lines), &notes));
        }
        refuse_below_any(child.content.children())?;
    }
    Ok(())
}

/// The type of the items of an array, which the schema declares by exactly one item.
fn item(
    node: &Node,
    children: &[Node],
    nullable: bool,
    this: &mut Interpreter<'_>,
) -> Result<Schema, String> {
    let [only] = children else {
        let found = format!("{} array items", children.len());
        let notes = Notes::new(found)
            .expected("exactly 1 array item, of the desired type")
            .hint("in schema, the one item of the array implies the type of its elements.")
            .hint("in schema, the default value for an array is always an empty list.")
            .hint("default values can be overridden via a data values overlay.");
        let title = "Invalid schema - wrong number of items in array definition";
        return Err(titled(title, "", &excerpt(&[&node.at]), &notes));
    };
    if let Some(annotation) = only.annotation("schema/default") {
        let notes = Notes::new(String::new())
            .hint("do you mean to set a default value for the array?")
            .hint("set an array's default by annotating its parent.");
        let title = "Invalid schema - @schema/default not supported on array item";
        let error = titled(title, "", &excerpt(&[&annotation.at, &only.at]), &notes);
        return Err(below_nullable(true, error));
    }
    if only.content.is_null() && any_type(only).is_ok_and(|any| !any) {
        return Err(null_refusal(only));
    }
    Schema::of(only, this).map_err(|error| below_nullable(nullable, error))
}

/// Wraps an error as ytt does below a nullable map or array.
fn below_nullable(nullable: bool, error: String) -> String {
    if !nullable {
        return error;
    }
    let blank = if error.trim_start().starts_with("Invalid schema") { "\n" } else { "" };
    format!("\nInvalid schema\n==============\n{blank}{} \n\n", error.trim_start_matches('\n'))
}

/// Returns the error that a schema has null without being nullable.
fn null_refusal(node: &Node) -> String {
    let notes = Notes::new("null value".to_owned())
        .expected("non-null value")
        .hint("in YAML, omitting a value implies null.")
        .hint("to set the default value to null, annotate with @schema/nullable.")
        .hint("to allow any value, annotate with @schema/type any=True.");
    titled("Invalid schema - null value not allowed here", "", &excerpt(&[&node.at]), &notes)
}

/// Returns the error that a schema has a dict or a list of Starlark, in the words of Go.
fn made_value(content: &Content) -> String {
    let kind = if let Content::Map(_) = content { "*orderedmap.Map" } else { "[]interface {}" };
    format!("Expected value '{}' to be a map, array, or scalar, but was {kind}", go_text(content))
}

/// Returns a value as Go's `%s` prints it.
fn go_text(content: &Content) -> String {
    match content {
        Content::Scalar(Scalar::Int(int)) => format!("%!s(int64={int})"),
        Content::Scalar(scalar) => key_text(scalar),
        Content::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| go_text(&item.content)).collect();
            format!("[{}]", items.join(" "))
        }
        Content::Map(items) => {
            let key = |item: &Node| item.key.as_ref().map(key_text).unwrap_or_default();
            let items: Vec<String> =
                items.iter().map(|item| format!("{{{} {}}}", key(item), go_text(&item.content))).collect();
            format!("&{{[{}]}}", items.join(" "))
        }
    }
}

/// Returns the content that `@schema/default` gives; the error is ytt's.
fn declared_default(
    annotation: &Annotation,
    node: &Node,
    schema: &Schema,
    this: &mut Interpreter<'_>,
) -> Result<Content, String> {
    let given = &annotation.arguments;
    let refuse = |found: &str| {
        let notes = Notes::new(format!("{found} in @schema/default (by {})", annotation.at))
            .expected(&format!("{} (by {})", schema.type_name(), schema.at));
        let notes = if found != "keyword argument" {
            notes
        } else {
            notes
                .hint("this annotation only accepts one argument: the default value.")
                .hint("value must be in Starlark format, e.g.: {'key': 'value'}, True.")
        };
        invalid("syntax error in @schema/default annotation", annotation, &node.at, &notes)
    };
    if !given.keywords.is_empty() {
        return Err(refuse("keyword argument"));
    }
    let [literal] = given.positional.as_slice() else {
        return Err(match given.positional.len() {
            0 => refuse("missing value"),
            several => refuse(&format!("{several} values")),
        });
    };
    let mut default = Node {
        key: schema.key.clone(),
        content: yaml_from_value(&this.heap, literal, &node.at).map_err(|failure| failure.message())?,
        at: annotation.at.clone(),
        annotations: Vec::new(),
    };
    let mut mismatches = Mismatches::new(this.heap.bounds().defaults);
    check(&mut default, schema, &mut mismatches);
    if let Some(limit) = mismatches.limit() {
        return Err(limit);
    }
    if let Some(mismatch) = mismatches.first() {
        let mut notes =
            Notes::new(format!("{} (at {})", mismatch.found, annotation.at)).expected(&mismatch.expected);
        notes.hints.extend(mismatch.hint.clone());
        let lines = excerpt(&[&annotation.at, &node.at]);
        return Err(titled("Invalid schema - @schema/default is wrong type", mismatch.text, &lines, &notes));
    }
    Ok(default.content)
}
