//! Reading YAML: documents with positions and annotations.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use crate::node::{Content, Node, Position, Scalar, Source, key_id, key_text};
use crate::scalar::{check_strictly, resolve};
use crate::starlark::modules::encodings::decoded;

/// The largest number of bytes of a file.
const MAX_BYTES: usize = 1 << 20;
/// The largest number of nodes of a file, where what an alias copies counts again.
const MAX_NODES: usize = 50_000;
/// The largest number of comments of a file.
const MAX_COMMENTS: usize = 100_000;
/// The largest depth of nested maps and arrays.
const MAX_DEPTH: usize = 100;

/// What comments mean.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Comments {
    /// `#@` starts an annotation, `#!` a comment; all else is an error.
    Template,
    /// `#@` is refused, all else is ignored.
    Plain,
    /// All are ignored.
    Ignored,
}

/// A file that was read: its documents without annotations, and its comments.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Rc<Source>,
    pub(crate) documents: Vec<Node>,
    pub(crate) comments: Vec<Comment>,
}

/// Why a file is refused.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// It is no YAML.
    Syntax(String),
    /// A comment is neither `#@` nor `#!`.
    Comment(String),
}

/// Reads the documents of a file.
///
/// In a strict file, the type of a plain scalar has to be plain to see.
pub(crate) fn read(name: &str, text: &str, comments: Comments, strict: bool) -> Result<File, ReadError> {
    if text.len() > MAX_BYTES {
        return Err(ReadError::Syntax(format!("yaml: the file has more than {MAX_BYTES} bytes")));
    }
    let lines = text.split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect();
    let source = Rc::new(Source { name: name.to_owned(), lines });
    let mut builder = Builder::new(Rc::clone(&source));
    builder.strict = strict;
    builder.repeats_keys = comments == Comments::Template;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let message = parser_error(error.info());
            // yaml.v2 counts the lines of errors of its parser from zero.
            let from_zero = PARSER_ERRORS.contains(&message.as_str());
            let line = error.marker().line().saturating_sub(usize::from(from_zero)).max(1);
            ReadError::Syntax(format!("yaml: line {line}: {message}"))
        })?;
        builder.event(event, span).map_err(ReadError::Syntax)?;
    }
    let Builder { documents, scalars, .. } = builder;
    let found = comments_outside(text, &scalars);
    if found.len() > MAX_COMMENTS {
        return Err(ReadError::Syntax(format!("yaml: the file has more than {MAX_COMMENTS} comments")));
    }
    if comments == Comments::Plain && found.iter().any(|comment| comment.text.starts_with('@')) {
        let text =
            "Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)";
        return Err(ReadError::Comment(text.to_owned()));
    }
    let is_code = |comment: &&Comment| !comment.text.starts_with(['!', '@']);
    if comments == Comments::Template
        && let Some(comment) = found.iter().find(is_code)
    {
        let text = comment.text.trim_end_matches('\r');
        return Err(ReadError::Comment(format!(
            "Failed to parse line {}: '#{text}': Expected ytt-formatted string (use '#@' for annotations or code, '#!' for comments)",
            comment.line
        )));
    }
    Ok(File { source, documents, comments: found })
}

/// The errors of the parser of yaml.v2; all others are those of its scanner.
const PARSER_ERRORS: [&str; 6] = [
    "did not find expected node content",
    "did not find expected ',' or ']'",
    "did not find expected ',' or '}'",
    "did not find expected '-' indicator",
    "did not find expected key",
    "did not find expected <document start>",
];

/// Returns the message of a parser as yaml.v2 of Go words it: without what was parsed meanwhile.
fn parser_error(message: &str) -> String {
    let message = match message.strip_prefix("while ") {
        Some(rest) => rest.split_once(", ").map_or(message, |(_, message)| message),
        None => message,
    };
    match message.strip_prefix("expected ") {
        Some(expected) => format!("did not find expected {expected}"),
        None => message.to_owned(),
    }
}

/// A map or an array whose end was not read yet.
struct Open {
    is_map: bool,
    children: Vec<Node>,
    key: Option<(Scalar, usize)>,
    line: usize,
    anchor: usize,
}

/// Builds nodes from the events of the parser.
struct Builder {
    source: Rc<Source>,
    documents: Vec<Node>,
    stack: Vec<Open>,
    anchors: HashMap<usize, (Content, usize)>,
    scalars: Vec<Range<usize>>,
    nodes: usize,
    document_line: usize,
    /// Whether a plain scalar is refused whose type is not plain to see.
    strict: bool,
    /// Whether a key may be repeated: the evaluation of a template decides what it means.
    repeats_keys: bool,
}

impl Builder {
    /// A builder for a file.
    fn new(source: Rc<Source>) -> Builder {
        let (documents, stack, scalars) = (Vec::new(), Vec::new(), Vec::new());
        let (anchors, nodes, document_line) = (HashMap::new(), 0, 0);
        let (strict, repeats_keys) = (false, false);
        Builder { source, documents, stack, anchors, scalars, nodes, document_line, strict, repeats_keys }
    }

    /// Adds what an event of the parser says.
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), String> {
        let line = span.start.line();
        match event {
            // An implicit document counts as one that starts before the first line.
            Event::DocumentStart(explicit) => self.start_document(if explicit { line } else { 0 }),
            Event::Scalar(text, style, anchor, tag) => {
                self.scalars.push(span.start.index()..span.end.index());
                let resolved = match tag.as_ref().map(|tag| tag.suffix.as_str()) {
                    None => style == ScalarStyle::Plain,
                    Some("str" | "binary") => false,
                    Some("int" | "bool" | "float" | "null") => true,
                    Some("unknown") => {
                        if style != ScalarStyle::Plain || !text.is_empty() {
                            return Err(format!("yaml: line {line}: !unknown with a value is not supported"));
                        }
                        let line = self.dash_line(line, span.start.col());
                        return self.scalar_or_key(Scalar::Unknown, anchor, line);
                    }
                    Some(other) => {
                        return Err(format!("yaml: line {line}: the tag '{other}' is not supported"));
                    }
                };
                if self.strict && tag.is_none() && style == ScalarStyle::Plain {
                    check_strictly(&text).map_err(|error| format!("yaml: Strict parsing: {error}"))?;
                }
                let scalar = match tag.as_ref().map(|tag| tag.suffix.as_str()) {
                    Some("binary") => Scalar::Text(
                        decoded(&text)
                            .ok_or_else(|| "yaml: !!binary value contains invalid base64 data".to_owned())?,
                    ),
                    _ if resolved => resolve(&text),
                    _ => Scalar::Text(text.into_owned()),
                };
                let line = self.dash_line(line, span.start.col());
                self.scalar_or_key(scalar, anchor, line)
            }
            Event::SequenceStart(anchor, _) => {
                self.open(false, anchor, self.dash_line(line, span.start.col()))
            }
            Event::MappingStart(anchor, _) => self.open(true, anchor, self.dash_line(line, span.start.col())),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(anchor) => {
                let (content, size) =
                    self.anchors.get(&anchor).cloned().ok_or("yaml: unknown anchor referenced")?;
                self.count(size)?;
                self.complete(content, line)
            }
            _ => Ok(()),
        }
    }

    /// Returns the line of the dash of an item whose content starts on a later line, or else the line of the content.
    fn dash_line(&self, line: usize, column: usize) -> usize {
        if self.stack.last().is_none_or(|open| open.is_map) {
            return line;
        }
        let text = |line: usize| self.source.lines.get(line.wrapping_sub(1)).map_or("", String::as_str);
        // The indentation alone is looked at, and a bounded part of it: a line may have very many items.
        if column > 1_000 || text(line).chars().take(column).any(|char| !char.is_whitespace()) {
            return line;
        }
        // A bounded number of lines of comments, so that reading stays linear.
        for above in (line.saturating_sub(64)..line).rev() {
            let code = text(above).split('#').next().unwrap_or("").trim();
            if code == "-" || code.ends_with(" -") {
                return above;
            }
            if !code.is_empty() {
                break;
            }
        }
        line
    }

    /// Starts a document.
    fn start_document(&mut self, line: usize) -> Result<(), String> {
        self.document_line = line;
        self.anchors.clear();
        self.count(1)
    }

    /// Counts nodes; an error if the file has too many.
    fn count(&mut self, nodes: usize) -> Result<(), String> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MAX_NODES {
            return Err(format!("yaml: the file has more than {MAX_NODES} nodes"));
        }
        Ok(())
    }

    /// Starts a map or an array.
    fn open(&mut self, is_map: bool, anchor: usize, line: usize) -> Result<(), String> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(format!("yaml: line {line}: exceeded max depth of {MAX_DEPTH}"));
        }
        self.count(1)?;
        if self.stack.last().is_some_and(|open| open.is_map && open.key.is_none()) {
            return Err(format!("yaml: line {line}: invalid map key"));
        }
        self.stack.push(Open { is_map, children: Vec::new(), key: None, line, anchor });
        Ok(())
    }

    /// Ends the innermost map or array.
    fn close(&mut self) -> Result<(), String> {
        let Some(open) = self.stack.pop() else { return Ok(()) };
        if open.is_map && !self.repeats_keys {
            self.refuse_repeated_keys(&open.children)?;
        }
        let content = if open.is_map { Content::Map(open.children) } else { Content::Array(open.children) };
        self.remember(open.anchor, &content)?;
        self.complete(content, open.line)
    }

    /// Refuses a map in which a key is repeated.
    fn refuse_repeated_keys(&self, children: &[Node]) -> Result<(), String> {
        let mut keys = HashSet::new();
        for child in children {
            if !keys.insert(key_id(child.key.as_ref())) {
                let key = child.key.as_ref().map(key_text).unwrap_or_default();
                return Err(format!(
                    "yaml: line {}: the key '{key}' is repeated, which is not supported",
                    child.at.line
                ));
            }
        }
        Ok(())
    }

    /// Adds a scalar: as the key of the next item, or as a content.
    fn scalar_or_key(&mut self, scalar: Scalar, anchor: usize, line: usize) -> Result<(), String> {
        self.count(1)?;
        let content = Content::Scalar(scalar);
        self.remember(anchor, &content)?;
        self.complete(content, line)
    }

    /// Keeps the content of an anchor, without annotations: an alias does not copy them.
    fn remember(&mut self, anchor: usize, content: &Content) -> Result<(), String> {
        if anchor != 0 {
            let size = size_of(content);
            self.count(size)?;
            self.anchors.insert(anchor, (content.clone(), size));
        }
        Ok(())
    }

    /// Adds a complete node to what contains it.
    fn complete(&mut self, content: Content, line: usize) -> Result<(), String> {
        let at = |line| Position { source: Rc::clone(&self.source), line };
        let Some(open) = self.stack.last_mut() else {
            let document = Node { key: None, content, at: at(self.document_line), annotations: Vec::new() };
            self.documents.push(document);
            return Ok(());
        };
        if !open.is_map {
            open.children.push(Node { key: None, content, at: at(line), annotations: Vec::new() });
            return Ok(());
        }
        match open.key.take() {
            None => {
                let Content::Scalar(key) = content else {
                    return Err(format!("yaml: line {line}: invalid map key"));
                };
                if key == Scalar::Unknown {
                    return Err(format!("yaml: line {line}: an unknown key is not supported"));
                }
                if key == Scalar::Text("<<".to_owned()) {
                    return Err(format!("yaml: line {line}: merge keys are not supported"));
                }
                open.key = Some((key, line));
            }
            Some((key, line)) => {
                open.children.push(Node { key: Some(key), content, at: at(line), annotations: Vec::new() });
            }
        }
        Ok(())
    }
}

/// Counts the nodes of a content; a long string counts as several.
pub(crate) fn size_of(content: &Content) -> usize {
    if let Content::Scalar(Scalar::Text(text)) = content {
        return 1_usize.saturating_add(text.len() / 64);
    }
    content.children().iter().fold(1, |size: usize, child| size.saturating_add(size_of(&child.content)))
}

/// A comment: its line, and what follows the `#`.
#[derive(Debug)]
pub(crate) struct Comment {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Returns the comments of a text: each `#` after a space or a line break that no scalar contains.
fn comments_outside(text: &str, scalars: &[Range<usize>]) -> Vec<Comment> {
    let mut scalars = scalars.iter().filter(|range| !range.is_empty()).peekable();
    let (mut comments, mut open) = (Vec::new(), None::<Comment>);
    let (mut line, mut after_space) = (1_usize, true);
    for (index, char) in text.chars().enumerate() {
        while scalars.next_if(|range| range.end <= index).is_some() {}
        let inside = scalars.peek().is_some_and(|range| range.contains(&index));
        if char == '\n' {
            comments.extend(open.take());
            if comments.len() > MAX_COMMENTS {
                return comments;
            }
            line = line.saturating_add(1);
        } else if let Some(comment) = &mut open {
            comment.text.push(char);
        } else if char == '#' && after_space && !inside {
            open = Some(Comment { line, text: String::new() });
        }
        after_space = char.is_whitespace();
    }
    comments.extend(open);
    comments
}
