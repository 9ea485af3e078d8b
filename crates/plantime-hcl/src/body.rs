//! The content of files and blocks: arguments and blocks with their places, from HCL or JSON.

use std::borrow::Cow;
use std::ops::Range;

use plantime::source::Source;

use crate::expression::{Diagnostic, Diagnostics, Expression, Problems};
use crate::json::{JsonKind, JsonNode, JsonProperty, parse_json};
use crate::syntax::{self, Freedom};

/// The arguments and blocks of a file or block.
///
/// | in the native syntax | in JSON |
/// |---|---|
/// | `name = expression` | `"name": value`: strings are templates |
/// | `kind "label" { … }` | `"kind": {"label": {…}}`, or an array of such bodies |
///
/// JSON does not distinguish an argument from a nested block. The caller of [`blocks_of`](Body::blocks_of) names the kind of the block
/// and how many labels it has, and gets the properties that are such blocks.
///
/// ```
/// use plantime::source::Source;
/// use plantime_hcl::Body;
///
/// let source = Source::new("main.hcl", "service \"web\" {\n  port = 80 + 8000\n}\n");
/// let body = Body::parse(&source).unwrap();
/// let service = &body.blocks_of(&source, "service", 1)[0];
/// assert_eq!(&*service.labels[0], "web");
/// assert_eq!(service.body.argument("port").unwrap().expression.span(), 25..34);
///
/// let source = Source::new("main.hcl.json", r#"{"service": {"web": {"port": "${80 + 8000}"}}}"#);
/// let body = Body::parse(&source).unwrap();
/// assert_eq!(&*body.blocks_of(&source, "service", 1)[0].labels[0], "web");
///
/// // Reading goes on after an error.
/// let source = Source::new("main.hcl", "a = [1 2]\nb = 1\nb = 2\n");
/// let problems = Body::parse(&source).unwrap_err();
/// let problems: Vec<String> = problems.iter().map(|problem| format!("{} {}", problem.position(), problem.summary())).collect();
/// assert_eq!(problems, ["1:8 Missing item separator", "3:1 Attribute redefined"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The arguments, in the order of the text.
    pub arguments: Vec<Argument>,
    /// The blocks of the native syntax, in the order of the text.
    pub blocks: Vec<Block>,
    /// The properties of an object in JSON. Which of them are blocks depends on the kind of the block around them, so
    /// only the reader of that block can tell.
    #[doc(hidden)]
    pub properties: Vec<JsonProperty>,
    /// What is wrong with the templates of a body in JSON, with the name of the argument. Only the reader of the block can tell which
    /// arguments are templates and which are constants.
    #[doc(hidden)]
    pub template_problems: Vec<(Box<str>, Diagnostic)>,
}

/// An argument: `name = expression`.
///
/// [Example](Body)
#[derive(Clone, Debug)]
pub struct Argument {
    /// The name before the equals sign.
    pub name: Box<str>,
    /// The place of the name.
    pub span: Range<usize>,
    /// The expression behind the equals sign.
    pub expression: Expression,
}

/// A block: `kind "label" { … }`.
///
/// [Example](Body)
#[derive(Clone, Debug)]
pub struct Block {
    /// The word that it begins with.
    pub kind: Box<str>,
    /// The labels, without quotes.
    pub labels: Vec<Box<str>>,
    /// The file that it is in.
    pub source: Source,
    /// The place of the kind; in JSON, where one name may stand for many blocks, the opening brace.
    pub span: Range<usize>,
    /// The places of the labels.
    pub label_spans: Vec<Range<usize>>,
    /// The place that messages about a missing argument or block point at: the opening brace of the body, or the
    /// argument of a block that is written on one line; in JSON the closing brace.
    pub body_start: Range<usize>,
    /// What is inside the braces.
    pub body: Body,
}

/// An argument or a block of a [`Body`].
#[derive(Clone, Copy, Debug)]
pub enum Item<'b> {
    /// An argument.
    Argument(&'b Argument),
    /// A block.
    Block(&'b Block),
}

impl Body {
    /// Parses a file: as JSON if its name ends with `.json`, else in the native syntax.
    ///
    /// [Example](Body)
    pub fn parse(source: &Source) -> Result<Body, Diagnostics> {
        let mut problems = Problems::default();
        let body = Body::parse_file(source, &mut problems);
        Diagnostics::of(problems).map_or(Ok(body), Err)
    }

    /// Parses a file as [`parse`](Body::parse) does, and adds the problems to a list. What is returned has the arguments and blocks
    /// beside them.
    #[doc(hidden)]
    pub fn parse_file(source: &Source, problems: &mut Problems) -> Body {
        if !source.name().ends_with(".json") {
            return syntax::parse_body(source, Freedom::default(), problems);
        }
        parse_json(source, problems).map_or_else(Body::default, |json| Body::of_json_file(&json))
    }
}

impl Block {
    /// The argument `enabled` of the block `lifecycle` inside, as OpenTofu has it.
    ///
    /// [Example](Body)
    pub fn enabled_argument(&self) -> Option<Argument> {
        let lifecycle = self.body.blocks_of(&self.source, "lifecycle", 0);
        lifecycle.iter().find_map(|block| block.body.argument("enabled").cloned())
    }

    /// The place of the kind and the labels.
    ///
    /// [Example](Body)
    pub fn head(&self) -> Range<usize> {
        let last = self.label_spans.last().map_or(self.span.end, |label| label.end);
        self.span.start..last.max(self.span.end)
    }

    /// The place of a label, or of the kind where there is no such label.
    ///
    /// [Example](Body)
    pub fn label_span(&self, position: usize) -> Range<usize> {
        self.label_spans.get(position).unwrap_or(&self.span).clone()
    }
}

impl Block {
    /// The kind of the block or, for a `dynamic` block, the kind of the blocks that it generates.
    ///
    /// [Example](Body)
    pub fn produced_kind(&self) -> &str {
        match (&*self.kind, self.labels.first()) {
            ("dynamic", Some(label)) => label,
            (kind, _) => kind,
        }
    }

    /// The name by which the content of a `dynamic` block refers to the current element: the argument `iterator`, else
    /// the kind of the generated blocks.
    ///
    /// [Example](Body)
    pub fn iterator_name(&self) -> &str {
        let argument = self.body.argument("iterator");
        let named = argument.and_then(|argument| argument.expression.as_word());
        named.unwrap_or_else(|| self.produced_kind())
    }
}

impl Argument {
    /// The place of the name and the expression.
    ///
    /// [Example](Body)
    pub fn whole(&self) -> Range<usize> {
        self.span.start..self.expression.span().end
    }
}

impl Body {
    /// The content of a whole file in JSON: its properties are blocks.
    fn of_json_file(json: &JsonNode) -> Body {
        let properties = match &json.kind {
            JsonKind::Object(properties) => properties.clone(),
            _ => Vec::new(),
        };
        Body { properties, ..Body::default() }
    }

    /// The content of a block in JSON: each property becomes an argument, and is also kept as a property, since it may
    /// be a nested block.
    fn of_json(source: &Source, properties: &[JsonProperty]) -> Body {
        let mut read = Body { properties: properties.to_vec(), ..Body::default() };
        for property in properties.iter().filter(|property| property.name != "//") {
            let name: Box<str> = property.name.as_str().into();
            let expression = Expression::from_json(source.clone(), &property.value).unwrap_or_else(|wrong| {
                let wrong = wrong.iter().map(|problem| (name.clone(), problem.clone()));
                read.template_problems.extend(wrong);
                Expression::unknown_json(source.clone(), &property.value)
            });
            read.arguments.push(Argument { name, span: property.span.clone(), expression });
        }
        read
    }

    /// The arguments and the blocks of the native syntax together, in the order of the text.
    ///
    /// ```
    /// use plantime::source::Source;
    /// use plantime_hcl::{Body, Item};
    ///
    /// let body = Body::parse(&Source::new("f", "a = 1\nb {}\nc = 2\n")).unwrap();
    /// let kinds: Vec<bool> = body.items().iter().map(|item| matches!(item, Item::Block(_))).collect();
    /// assert_eq!(kinds, [false, true, false]);
    /// ```
    ///
    /// [Example](Body)
    pub fn items(&self) -> Vec<Item<'_>> {
        let arguments = self.arguments.iter().map(|argument| (argument.span.start, Item::Argument(argument)));
        let blocks = self.blocks.iter().map(|block| (block.span.start, Item::Block(block)));
        let mut items: Vec<_> = arguments.chain(blocks).collect();
        items.sort_by_key(|(start, _)| *start);
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// The argument of a name.
    ///
    /// [Example](Body)
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| &*argument.name == name)
    }

    /// The blocks of a kind with this number of labels, in the order of the file.
    ///
    /// [Example](Body)
    pub fn blocks_of<'b>(&'b self, source: &Source, kind: &str, labels: usize) -> Vec<Cow<'b, Block>> {
        let mut found: Vec<Cow<'b, Block>> =
            self.blocks.iter().filter(|block| &*block.kind == kind).map(Cow::Borrowed).collect();
        found.extend(self.json_blocks_of(source, kind, labels).into_iter().map(Cow::Owned));
        found
    }

    /// Like [`blocks_of`](Self::blocks_of), but the blocks that are written in HCL are moved out of the body, without a copy; those in JSON
    /// stay.
    ///
    /// [Example](Body)
    pub fn take_blocks_of(&mut self, source: &Source, kind: &str, labels: usize) -> Vec<Block> {
        let mut found: Vec<Block> = self.blocks.extract_if(.., |block| &*block.kind == kind).collect();
        found.extend(self.json_blocks_of(source, kind, labels));
        found
    }

    /// The blocks of a kind with this number of labels among the properties of a body in JSON.
    fn json_blocks_of(&self, source: &Source, kind: &str, labels: usize) -> Vec<Block> {
        let mut found = Vec::new();
        for property in self.properties.iter().filter(|property| property.name == kind) {
            json_blocks(source, kind, &property.value, labels, &mut Vec::new(), &mut found);
        }
        found
    }
}

/// Adds the blocks of a kind in a part of JSON to `found`: objects nested by label, and inside them the body as an
/// object, or an array of bodies. `labels` is the number of labels still to read, `path` has the labels read so far.
fn json_blocks(
    source: &Source,
    kind: &str,
    json: &JsonNode,
    labels: usize,
    path: &mut Vec<(Box<str>, Range<usize>)>,
    found: &mut Vec<Block>,
) {
    match &json.kind {
        JsonKind::Array(items) => {
            for item in items {
                json_blocks(source, kind, item, labels, path, found);
            }
        }
        JsonKind::Object(properties) if labels > 0 => {
            for property in properties.iter().filter(|property| property.name != "//") {
                path.push((property.name.as_str().into(), property.span.clone()));
                let deeper = labels.saturating_sub(1);
                json_blocks(source, kind, &property.value, deeper, path, found);
                path.pop();
            }
        }
        JsonKind::Object(properties) => found.push(Block {
            kind: kind.into(),
            labels: path.iter().map(|(label, _)| label.clone()).collect(),
            source: source.clone(),
            span: json.span.start..json.span.start.saturating_add(1),
            label_spans: path.iter().map(|(_, span)| span.clone()).collect(),
            body_start: json.span.end.saturating_sub(1)..json.span.end,
            body: Body::of_json(source, properties),
        }),
        _ => {}
    }
}
