//! The content of files and blocks: arguments and blocks with their places, from HCL or JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use hcl_edit::Span as _;
use hcl_edit::structure::{Body as Hcl, Structure};

use plantime::source::Source;
use plantime_hcl::unstable::{JsonKind, JsonNode, JsonProperty, parse_json, parse_repeated_keys};
use plantime_hcl::unstable::{Problems, body_errors};
use plantime_hcl::{Diagnostic, Diagnostics, Expression, syntax_error};

/// The arguments and blocks of a file or block.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub(super) arguments: Vec<Argument>,
    pub(super) blocks: Vec<Block>,
    /// The properties of an object in JSON. Which of them are blocks depends on the kind of the block around them, so
    /// only the reader of that block can tell.
    pub(super) properties: Vec<JsonProperty>,
}

/// An argument: `name = expression`.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) name: Box<str>,
    /// The place of the name.
    pub(super) span: Range<usize>,
    pub(super) expression: Expression,
}

/// A block: `kind "label" { … }`.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) kind: Box<str>,
    pub(super) labels: Vec<Box<str>>,
    pub(super) source: Source,
    /// The place of the head of the block.
    pub(super) span: Range<usize>,
    /// The places of the labels.
    pub(super) label_spans: Vec<Range<usize>>,
    /// The place that messages about a missing argument or block point at: the opening brace of the body, or the
    /// argument of a block that is written on one line.
    pub(super) body_start: Range<usize>,
    pub(super) body: Body,
}

/// Parses a file: as JSON if its name ends with `.json`, else as HCL. Adds the problems that it finds to `problems`.
pub(super) fn parse_file(source: &Source, problems: &mut Problems) -> Body {
    if source.name().ends_with(".json") {
        return match parse_json(source.text()) {
            Ok(json) => Body::of_json_file(&json),
            Err((place, message)) => {
                problems.push(syntax_error(source, place, &message));
                Body::default()
            }
        };
    }
    match parse_repeated_keys(source.text()) {
        Ok(body) => Body::of_hcl(source, body, problems),
        Err((place, message)) => {
            let before = problems.added_count();
            problems.extend(body_errors(source));
            if problems.added_count() == before {
                problems.push(syntax_error(source, place, &message));
            }
            Body::default()
        }
    }
}

impl Block {
    /// The argument `enabled` of the block `lifecycle` inside, as OpenTofu has it.
    pub(super) fn enabled_argument(&self) -> Option<Argument> {
        let lifecycle = self.body.blocks_of(&self.source, "lifecycle", 0);
        lifecycle.iter().find_map(|block| block.body.argument("enabled").cloned())
    }

    /// The place of the kind and the labels.
    pub(super) fn head(&self) -> Range<usize> {
        self.span.start..self.label_spans.last().map_or(self.span.end, |label| label.end)
    }

    /// The place of a label, or of the kind where there is no such label.
    pub(super) fn label_span(&self, position: usize) -> Range<usize> {
        self.label_spans.get(position).unwrap_or(&self.span).clone()
    }
}

impl Block {
    /// Converts a block of the parser's tree, with all that is in it.
    fn of_hcl(source: &Source, block: hcl_edit::structure::Block, problems: &mut Problems) -> Block {
        let span = block.ident.span().unwrap_or(0..0);
        let label_spans: Vec<Range<usize>> =
            block.labels.iter().map(|label| label.span().unwrap_or(span.clone())).collect();
        let head = label_spans.last().map_or(span.end, |label| label.end);
        let brace = source.text().get(head..).and_then(|rest| rest.find('{')).unwrap_or(0);
        let brace = head.saturating_add(brace);
        // The body of a block in one line begins with its argument.
        let first = block.body.attributes().next().and_then(|attribute| attribute.key.span());
        let first = first.filter(|first| {
            let between = source.text().get(brace..first.start);
            between.is_some_and(|between| !between.contains('\n'))
        });
        let start = first.map_or(brace, |first| first.start);
        Block {
            kind: block.ident.as_str().into(),
            labels: block.labels.iter().map(|label| label.as_str().into()).collect(),
            source: source.clone(),
            span,
            label_spans,
            body_start: start..start.saturating_add(1),
            body: Body::of_hcl(source, block.body, problems),
        }
    }

    /// The kind of the block or, for a `dynamic` block, the kind of the blocks that it generates.
    pub(super) fn produced_kind(&self) -> &str {
        match (&*self.kind, self.labels.first()) {
            ("dynamic", Some(label)) => label,
            (kind, _) => kind,
        }
    }

    /// The name by which the content of a `dynamic` block refers to the current element: the argument `iterator`, else
    /// the kind of the generated blocks.
    pub(super) fn iterator_name(&self) -> &str {
        let argument = self.body.argument("iterator");
        let named = argument.and_then(|argument| argument.expression.as_reference());
        named.map_or_else(|| self.produced_kind(), |reference| reference.root())
    }
}

impl Argument {
    /// The place of the name and the expression.
    pub(super) fn whole(&self) -> Range<usize> {
        self.span.start..self.expression.span().end
    }
}

impl Body {
    /// Converts a body of the parser's tree, and reports arguments that are set twice. Each part of the tree is dropped as soon as it has been
    /// converted: the tree takes more than a hundred bytes for each byte of the text.
    fn of_hcl(source: &Source, body: Hcl, problems: &mut Problems) -> Body {
        let mut read = Body::default();
        // By name: a block may have tens of thousands of arguments. Most have few, for which a tree takes less than hashing.
        let mut places: BTreeMap<&str, Range<usize>> = BTreeMap::new();
        for structure in body {
            let attribute = match structure {
                Structure::Attribute(attribute) => attribute,
                Structure::Block(block) => {
                    read.blocks.push(Block::of_hcl(source, block, problems));
                    continue;
                }
            };
            // A repeated name was replaced by another one before parsing: the source text has the real name.
            let span = attribute.key.span().unwrap_or(0..0);
            let name = source.text().get(span.clone()).unwrap_or_default();
            if let Some(before) = places.get(name) {
                let at = source.range_text(before.clone());
                let detail = format!(
                    "The argument {name:?} was already set at {at}. Each argument may be set only once."
                );
                problems.push(Diagnostic::new(source, span, "Attribute redefined", detail));
                continue;
            }
            match Expression::from_hcl(source.clone(), &attribute.value) {
                Ok(expression) => {
                    places.insert(name, span.clone());
                    read.arguments.push(Argument { name: name.into(), span, expression });
                }
                // The names of providers, `aws.west`, are keys there that no expression has.
                Err(_) if attribute.key.as_str() == "providers" => {
                    if let Ok(expression) = Expression::map_from_hcl(source.clone(), &attribute.value) {
                        read.arguments.push(Argument { name: name.into(), span, expression });
                    }
                }
                Err(more) => problems.extend(more.iter().cloned()),
            }
        }
        read
    }

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
    fn of_json(source: &Source, properties: &[JsonProperty], problems: &mut Problems) -> Body {
        let mut read = Body { properties: properties.to_vec(), ..Body::default() };
        for property in properties.iter().filter(|property| property.name != "//") {
            match Expression::from_json(source.clone(), &property.value) {
                Ok(expression) => read.arguments.push(Argument {
                    name: property.name.as_str().into(),
                    span: property.span.clone(),
                    expression,
                }),
                Err(more) => problems.extend(more.iter().cloned()),
            }
        }
        read
    }

    /// The argument of a name.
    pub(super) fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| &*argument.name == name)
    }

    /// The blocks of a kind with this number of labels, in the order of the file.
    pub(super) fn blocks_of<'b>(&'b self, source: &Source, kind: &str, labels: usize) -> Vec<Cow<'b, Block>> {
        let mut found: Vec<Cow<'b, Block>> =
            self.blocks.iter().filter(|block| &*block.kind == kind).map(Cow::Borrowed).collect();
        found.extend(self.json_blocks_of(source, kind, labels).into_iter().map(Cow::Owned));
        found
    }

    /// Like [`blocks_of`](Self::blocks_of), but the blocks that are written in HCL are moved out of the body, without a copy; those in JSON
    /// stay.
    pub(super) fn take_blocks_of(&mut self, source: &Source, kind: &str, labels: usize) -> Vec<Block> {
        let mut found: Vec<Block> = self.blocks.extract_if(.., |block| &*block.kind == kind).collect();
        found.extend(self.json_blocks_of(source, kind, labels));
        found
    }

    /// The blocks of a kind with this number of labels among the properties of a body in JSON.
    fn json_blocks_of(&self, source: &Source, kind: &str, labels: usize) -> Vec<Block> {
        let mut found = Vec::new();
        for property in self.properties.iter().filter(|property| property.name == kind) {
            json_blocks(source, kind, &property.span, &property.value, labels, &mut Vec::new(), &mut found);
        }
        found
    }
}

/// Adds the blocks of a kind in a part of JSON to `found`: objects nested by label, and inside them the body as an
/// object, or an array of bodies. `labels` is the number of labels still to read, `path` has the labels read so far.
fn json_blocks(
    source: &Source,
    kind: &str,
    span: &Range<usize>,
    json: &JsonNode,
    labels: usize,
    path: &mut Vec<Box<str>>,
    found: &mut Vec<Block>,
) {
    match &json.kind {
        JsonKind::Array(items) => {
            for item in items {
                json_blocks(source, kind, span, item, labels, path, found);
            }
        }
        JsonKind::Object(properties) if labels > 0 => {
            for property in properties.iter().filter(|property| property.name != "//") {
                path.push(property.name.as_str().into());
                let deeper = labels.saturating_sub(1);
                json_blocks(source, kind, &property.span, &property.value, deeper, path, found);
                path.pop();
            }
        }
        JsonKind::Object(properties) => found.push(Block {
            kind: kind.into(),
            labels: path.clone(),
            source: source.clone(),
            span: span.clone(),
            label_spans: path.iter().map(|_| span.clone()).collect(),
            body_start: span.clone(),
            // A template that is wrong is reported where the block is read as an argument.
            body: Body::of_json(source, properties, &mut Problems::default()),
        }),
        _ => {}
    }
}

/// Adds problems to a list.
pub(super) fn report(problems: &mut Problems, more: Diagnostics) {
    problems.extend(more.iter().cloned());
}
