//! Templates: YAML files with code and annotations in comments, as files of Starlark.

use std::rc::Rc;

use crate::node::{Content, Node, Position, Source};
use crate::starlark::error::SyntaxError;
use crate::starlark::parser::NodeCode;
use crate::starlark::token::{Placed, Token, tokens};
use crate::starlark::unit::{Prototype, Unit};
use crate::yaml::File;

/// The annotation of strings that have code in them.
const TEXT_TEMPLATES: &str = "yaml/text-templated-strings";

/// Returns the name of an annotation and its arguments; `None` for a line of code.
fn annotation(text: &str) -> Option<(&str, &str)> {
    let code = text.strip_prefix('@')?;
    let (name, arguments) = code.split_once(' ').unwrap_or((code, ""));
    (!name.is_empty()).then_some((name, arguments))
}

/// Whether a file has an annotation with a name.
pub(crate) fn has_annotation(file: &File, name: &str) -> bool {
    file.comments.iter().any(|comment| {
        annotation(comment.text.trim_end_matches('\r')).is_some_and(|(found, _)| found == name)
    })
}

/// Parses a YAML template: its Starlark code, in which the YAML nodes are statements.
pub(crate) fn parse_template_file(file: &File) -> Result<Unit, SyntaxError> {
    let mut builder = Builder::new(file);
    for document in &file.documents {
        builder.collect(document);
    }
    builder.attach(file)?;
    for document in &file.documents {
        builder.emit(document)?;
    }
    builder.flush(usize::MAX)?;
    let Builder { tokens, codes, prototypes, source, .. } = builder;
    Unit::of(source, &tokens, &codes, prototypes, true)
}

/// Parses a file of Starlark code, which has no YAML nodes.
pub(crate) fn parse_code_file(name: &str, text: &str) -> Result<Unit, SyntaxError> {
    let lines = text.split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect();
    let source = Rc::new(Source { name: name.to_owned(), lines });
    Unit::of(source, &tokens(text, 1)?, &[], Vec::new(), false)
}

/// A line of code, or several where a bracket or a string is open.
struct Code {
    line: usize,
    text: String,
}

/// Builds the Starlark program of a template.
struct Builder {
    source: Rc<Source>,
    tokens: Vec<Placed>,
    codes: Vec<NodeCode>,
    prototypes: Vec<Prototype>,
    /// The lines of the nodes in document order.
    lines: Vec<usize>,
    pending: std::collections::VecDeque<Code>,
    /// The depth of nodes at which each block was opened.
    blocks: Vec<usize>,
    depth: usize,
    /// The number of blocks that end with the next node.
    single: usize,
    next_slot: usize,
}

impl Builder {
    /// A builder for a file.
    fn new(file: &File) -> Builder {
        Builder {
            source: Rc::clone(&file.source),
            tokens: Vec::new(),
            codes: Vec::new(),
            prototypes: Vec::new(),
            lines: Vec::new(),
            pending: std::collections::VecDeque::new(),
            blocks: Vec::new(),
            depth: 0,
            single: 0,
            next_slot: 0,
        }
    }

    /// Adds the prototypes of a node and of those below it, in document order.
    fn collect(&mut self, node: &Node) {
        let content = match &node.content {
            Content::Map(_) => Content::Map(Vec::new()),
            Content::Array(_) => Content::Array(Vec::new()),
            scalar => scalar.clone(),
        };
        let (key, at) = (node.key.clone(), node.at.clone());
        self.lines.push(node.at.line);
        self.prototypes.push(Prototype { key, content, at, annotations: Vec::new() });
        self.codes.push(NodeCode::default());
        for child in node.content.children() {
            self.collect(child);
        }
    }

    /// Sorts comments into annotations and contents of nodes, and lines of code.
    fn attach(&mut self, file: &File) -> Result<(), SyntaxError> {
        // The last node of a line takes what is at its end, the first node below what is above.
        let mut order: Vec<(usize, usize)> = self.lines.iter().copied().zip(0..).collect();
        order.sort();
        let mut comments = file.comments.iter().filter(|comment| comment.text.starts_with('@')).peekable();
        while let Some(comment) = comments.next() {
            let line = comment.line;
            let text = comment.text.trim_end_matches('\r');
            let mut code = match annotation(text) {
                Some((_, arguments)) => arguments.to_owned(),
                None => text.strip_prefix("@ ").unwrap_or("").to_owned(),
            };
            while (is_unfinished(&code) || (annotation(text).is_none() && code.trim_end().ends_with('\\')))
                && let Some(more) =
                    comments.next_if(|more| annotation(more.text.trim_end_matches('\r')).is_none())
            {
                code.push('\n');
                let more = more.text.trim_end_matches('\r').trim_start_matches('@');
                code.push_str(more.strip_prefix(' ').unwrap_or(more).trim_end());
            }
            let below = order.partition_point(|(at, _)| *at <= line);
            let on_line =
                below.checked_sub(1).and_then(|index| order.get(index)).filter(|(at, _)| *at == line);
            match annotation(text) {
                // Its strings and keys would be printed as they are written.
                Some((TEXT_TEMPLATES, _)) => {
                    let message = format!("@{TEXT_TEMPLATES} is not supported");
                    return Err(SyntaxError { message, line });
                }
                Some((name, _)) => {
                    let Some((_, slot)) = on_line.or_else(|| order.get(below)) else {
                        // An annotation below all nodes belongs to nothing, but has to be Starlark.
                        tokens(&code, line)?;
                        continue;
                    };
                    let at = Position { source: Rc::clone(&self.source), line };
                    let arguments = tokens(&code, line)?;
                    if let (Some(prototype), Some(codes)) =
                        (self.prototypes.get_mut(*slot), self.codes.get_mut(*slot))
                    {
                        prototype.annotations.push((name.into(), at));
                        codes.annotations.push(arguments);
                    }
                }
                None => match on_line.filter(|_| !is_block(&code)) {
                    Some((_, slot)) => {
                        if let Some(codes) = self.codes.get_mut(*slot) {
                            codes.value = Some(tokens(&code, line)?);
                        }
                    }
                    None => self.pending.push_back(Code { line, text: code }),
                },
            }
        }
        Ok(())
    }

    /// Adds a token.
    fn push(&mut self, token: Token, line: usize) {
        self.tokens.push(Placed { token, line });
    }

    /// Adds a line of code, and notes where blocks start and end.
    fn add(&mut self, code: &Code) -> Result<(), SyntaxError> {
        let text = code.text.trim_start();
        let single =
            ["if", "for", "def"].iter().find_map(|word| text.strip_prefix(word)?.strip_prefix("/end"));
        let placed = match single {
            Some(rest) => {
                self.single = self.single.saturating_add(1);
                let word = text.split('/').next().unwrap_or("");
                tokens(&format!("{word}{rest}"), code.line)?
            }
            None => tokens(&code.text, code.line)?,
        };
        let opens = matches!(
            placed.first().map(|placed| &placed.token),
            Some(Token::Word("if" | "for" | "while" | "def"))
        ) && placed.last().is_some_and(|placed| placed.token == Token::Sign(":"));
        if opens && single.is_none() {
            self.blocks.push(self.depth);
        }
        if placed.first().is_some_and(|placed| placed.token == Token::Word("end")) {
            self.blocks.pop();
        }
        let last = placed.last().map_or(code.line, |placed| placed.line);
        self.tokens.extend(placed);
        self.push(Token::Newline, last);
        Ok(())
    }

    /// Adds the lines of code above a line.
    fn flush(&mut self, line: usize) -> Result<(), SyntaxError> {
        while self.pending.front().is_some_and(|code| code.line < line) {
            if let Some(code) = self.pending.pop_front() {
                self.add(&code)?;
            }
        }
        Ok(())
    }

    /// Adds a node with those below it, and the code between them.
    fn emit(&mut self, node: &Node) -> Result<(), SyntaxError> {
        let line = node.at.line;
        self.flush(line)?;
        let slot = self.next_slot;
        self.next_slot = slot.saturating_add(1);
        let single = std::mem::take(&mut self.single);
        self.push(Token::Node(slot), line);
        self.depth = self.depth.saturating_add(1);
        for child in node.content.children() {
            self.emit(child)?;
        }
        // The end of a block that was opened among the children stands before the end of the node.
        let next = self.lines.get(self.next_slot).copied().unwrap_or(usize::MAX);
        while self.blocks.last() == Some(&self.depth)
            && self.pending.front().is_some_and(|code| code.line < next)
        {
            if let Some(code) = self.pending.pop_front() {
                self.add(&code)?;
            }
        }
        self.depth = self.depth.saturating_sub(1);
        self.push(Token::NodeEnd, line);
        self.push(Token::Newline, line);
        for _ in 0..single {
            self.push(Token::Word("end"), line);
            self.push(Token::Newline, line);
        }
        Ok(())
    }
}

/// Whether a line of code is a statement with a block or its end, which is no content of a node.
fn is_block(code: &str) -> bool {
    let word = code.trim_start().split(|char: char| !char.is_ascii_alphabetic()).next().unwrap_or("");
    ["if", "for", "while", "def", "end", "else", "elif", "load"].contains(&word)
        && !code.trim_start().starts_with("load.")
}

/// Whether code has a bracket or a string that is not closed, so that it continues in the next line.
fn is_unfinished(code: &str) -> bool {
    let (mut depth, mut quote, mut rest) = (0_i64, None::<&str>, code);
    while let Some(char) = rest.chars().next() {
        if let Some(open) = quote
            && rest.starts_with(open)
        {
            quote = None;
            rest = rest.get(open.len()..).unwrap_or("");
            continue;
        }
        if quote.is_none() {
            let opened = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|open| rest.starts_with(open));
            if let Some(open) = opened {
                quote = Some(open);
                rest = rest.get(open.len()..).unwrap_or("");
                continue;
            }
            match char {
                '(' | '[' | '{' => depth = depth.saturating_add(1),
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                '#' => {
                    let end = rest.find('\n').unwrap_or(rest.len());
                    rest = rest.get(end..).unwrap_or("");
                    continue;
                }
                _ => {}
            }
        }
        let escaped = if char == '\\' { rest.chars().nth(1).map_or(0, char::len_utf8) } else { 0 };
        rest = rest.get(char.len_utf8().saturating_add(escaped)..).unwrap_or("");
    }
    depth > 0 || quote.is_some_and(|quote| quote.len() == 3)
}
