//! Reading YAML: documents with positions and annotations.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use crate::bounds;
use crate::node::{Content, Node, Position, Scalar, Source, key_id, plain_key};
use crate::scalar::{check_strictly, is_time, resolve};
use crate::starlark::modules::encodings::decoded;
use crate::starlark::number::float_of;

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
    if text.len() > bounds::FILE {
        return Err(ReadError::Syntax(format!("yaml: the file has more than {} bytes", bounds::FILE)));
    }
    let lines = text.split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect();
    let source = Rc::new(Source { name: name.to_owned(), lines });
    let repeats_keys = comments == Comments::Template;
    let mut text = Cow::Borrowed(text);
    let mut tabs = 0_usize;
    let Builder { documents, scalars, .. } = loop {
        let mut builder = Builder::new(Rc::clone(&source));
        builder.strict = strict;
        builder.most_nodes = bounds::file_nodes(text.len());
        builder.repeats_keys = repeats_keys;
        let Err((error, at)) = events(&text, &mut builder) else { break builder };
        tabs = tabs.saturating_add(1);
        // yaml.v2 reads a tab behind a colon as a blank, at which the parser here ends.
        match at.filter(|_| tabs.saturating_mul(text.len()) <= MAX_TABS).and_then(|at| without_tab(&text, at))
        {
            Some(changed) => text = Cow::Owned(changed),
            None => return Err(ReadError::Syntax(error)),
        }
    };
    let found = comments_outside(&text, &scalars);
    let most = bounds::comments(text.len());
    if found.len() > most {
        return Err(ReadError::Syntax(format!("yaml: the file has more than {most} comments")));
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

/// The largest number of bytes that are read again because of tabs.
const MAX_TABS: usize = 1 << 26;

/// Gives the events of a text to a builder; the error is ytt's, with the place of a tab behind a colon.
fn events(text: &str, builder: &mut Builder) -> Result<(), (String, Option<usize>)> {
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let message = parser_error(error.info());
            // yaml.v2 counts the lines of errors of its parser from zero.
            let from_zero = PARSER_ERRORS.contains(&message.as_str());
            let line = error.marker().line().saturating_sub(usize::from(from_zero)).max(1);
            let is_tab = error.info() == "':' must be followed by a valid YAML whitespace";
            (format!("yaml: line {line}: {message}"), is_tab.then(|| error.marker().index()))
        })?;
        builder.event(event, span).map_err(|error| (error, None))?;
    }
    Ok(())
}

/// Returns a text with blanks for the tabs between a colon and a place; `None` if there is no tab.
fn without_tab(text: &str, at: usize) -> Option<String> {
    let end = text.char_indices().nth(at).map_or(text.len(), |(end, _)| end);
    let (before, after) = text.split_at_checked(end)?;
    let start = before.trim_end_matches([' ', '\t']);
    let blanks = before.strip_prefix(start)?;
    blanks.contains('\t').then(|| format!("{start}{}{after}", " ".repeat(blanks.len())))
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

/// Returns a scalar with a tag of YAML; the error is that of yaml.v2.
fn tagged(tag: &str, text: &str) -> Result<Scalar, String> {
    if tag == "binary" {
        let text = decoded(text).ok_or("!!binary value contains invalid base64 data")?;
        return Ok(Scalar::Text(text));
    }
    let resolved = resolve(text);
    let found = match &resolved {
        Scalar::Null | Scalar::Unknown => "null",
        Scalar::Bool(_) => "bool",
        Scalar::Int(_) => "int",
        Scalar::Float(_) => "float",
        Scalar::Text(_) if is_time(text) => "timestamp",
        Scalar::Text(_) => "str",
    };
    match (tag, &resolved) {
        ("float", Scalar::Int(int)) => Ok(Scalar::Float(float_of(int))),
        ("int" | "bool" | "float" | "null" | "timestamp", _) if tag != found => {
            Err(format!("cannot decode !!{found} `{text}` as a !!{tag}"))
        }
        ("int" | "bool" | "float" | "null", _) => Ok(resolved),
        _ => Ok(Scalar::Text(text.to_owned())),
    }
}

/// The key of an item whose value was not read yet.
enum OpenKey {
    Scalar(Scalar, usize),
    /// `<<`: the items of the map that follows are items of this one.
    Merge,
}

/// A map or an array whose end was not read yet.
struct Open {
    is_map: bool,
    children: Vec<Node>,
    key: Option<OpenKey>,
    /// Whether items of another map were merged into it.
    is_merged: bool,
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
    most_nodes: usize,
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
        let (anchors, nodes, most_nodes, document_line) = (HashMap::new(), 0, 0, 0);
        let (strict, repeats_keys) = (false, false);
        Builder {
            source,
            documents,
            stack,
            anchors,
            scalars,
            nodes,
            most_nodes,
            document_line,
            strict,
            repeats_keys,
        }
    }

    /// Adds what an event of the parser says.
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), String> {
        let line = span.start.line();
        match event {
            // An implicit document counts as one that starts before the first line.
            Event::DocumentStart(explicit) => self.start_document(if explicit { line } else { 0 }),
            Event::Scalar(text, style, anchor, tag) => {
                self.scalars.push(span.start.index()..span.end.index());
                let shown = self.dash_line(line, span.start.col());
                let is_plain = style == ScalarStyle::Plain;
                // `!` alone says nothing of the type.
                let tag = tag.filter(|tag| !(tag.handle.is_empty() && tag.suffix == "!"));
                let scalar = match tag.as_deref() {
                    None if is_plain => {
                        if self.strict {
                            check_strictly(&text)
                                .map_err(|error| format!("yaml: Strict parsing: {error}"))?;
                        }
                        if text == "<<"
                            && self.stack.last().is_some_and(|open| open.is_map && open.key.is_none())
                        {
                            return self.start_merge(line);
                        }
                        resolve(&text)
                    }
                    None => Scalar::Text(text.into_owned()),
                    Some(tag) if tag.is_yaml_core_schema() => {
                        tagged(&tag.suffix, &text).map_err(|error| format!("yaml: {error}"))?
                    }
                    Some(tag) if tag.suffix == "unknown" => {
                        if !is_plain || !text.is_empty() {
                            return Err(format!("yaml: line {line}: !unknown with a value is not supported"));
                        }
                        Scalar::Unknown
                    }
                    // A tag of one's own says nothing: the text is a string.
                    Some(_) => Scalar::Text(text.into_owned()),
                };
                self.scalar_or_key(scalar, anchor, shown)
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
        if self.nodes > self.most_nodes {
            return Err(format!("yaml: the file has more than {} nodes", self.most_nodes));
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
        self.stack.push(Open { is_map, children: Vec::new(), key: None, is_merged: false, line, anchor });
        Ok(())
    }

    /// Ends the innermost map or array.
    fn close(&mut self) -> Result<(), String> {
        let Some(mut open) = self.stack.pop() else { return Ok(()) };
        if open.is_map && !self.repeats_keys {
            if open.is_merged {
                keep_last(&mut open.children);
            }
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
                let key = child.key.as_ref().map(plain_key).unwrap_or_default();
                return Err(format!(
                    "yaml: line {}: the key '{key}' is repeated, which is not supported",
                    child.at.line
                ));
            }
        }
        Ok(())
    }

    /// Takes `<<` as a key.
    fn start_merge(&mut self, line: usize) -> Result<(), String> {
        self.count(1)?;
        let open = self.stack.last_mut().ok_or_else(|| format!("yaml: line {line}: invalid map key"))?;
        open.key = Some(OpenKey::Merge);
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
                open.key = Some(OpenKey::Scalar(key, line));
            }
            Some(OpenKey::Scalar(key, line)) => {
                open.children.push(Node { key: Some(key), content, at: at(line), annotations: Vec::new() });
            }
            Some(OpenKey::Merge) => {
                let Content::Map(children) = content else {
                    return Err("yaml: map merge requires map or sequence of maps as the value".to_owned());
                };
                open.is_merged = true;
                open.children.extend(children);
            }
        }
        Ok(())
    }
}

/// Keeps the last item of each key.
fn keep_last(children: &mut Vec<Node>) {
    let mut keys = HashSet::new();
    children.reverse();
    children.retain(|child| keys.insert(key_id(child.key.as_ref())));
    children.reverse();
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
    let most = bounds::comments(text.len());
    let (mut line, mut after_space) = (1_usize, true);
    for (index, char) in text.chars().enumerate() {
        while scalars.next_if(|range| range.end <= index).is_some() {}
        let inside = scalars.peek().is_some_and(|range| range.contains(&index));
        if char == '\n' {
            comments.extend(open.take());
            if comments.len() > most {
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
