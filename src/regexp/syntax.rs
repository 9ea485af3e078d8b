//! Parses the syntax that RE2 documents and Go's `regexp` accepts, into a tree.
//!
//! The parser never recurses, and its memory is proportional to the text, so a hostile text costs no more than its
//! length.

mod class;
mod escape;
mod property;

pub(super) use class::members;

use regex_syntax::hir::Look;

use super::Invalid;
use super::tree::{Builder, Node, Tree};

/// The result of parsing an expression or a part of it.
type Parsed<T> = Result<T, Invalid>;

/// A syntax error: Go's message `code`, and the part of the expression that it quotes.
#[cold]
fn fault<T>(code: &'static str, part: &str) -> Parsed<T> {
    Err(Invalid::Syntax { code, part: part.to_owned() })
}

// Go's messages.
const BRACKET: &str = "missing closing ]";
const CAPTURE: &str = "invalid named capture";
const COUNT: &str = "invalid repeat count";
const ESCAPE: &str = "invalid escape sequence";
const NESTED: &str = "invalid nested repetition operator";
const OPERAND: &str = "missing argument to repetition operator";
const PAREN: &str = "missing closing )";
const PERL: &str = "invalid or unsupported Perl syntax";
const RANGE: &str = "invalid character class range";

/// The maximum count of a repetition, and the maximum product of the counts of nested repetitions.
const REPEAT: u16 = 1000;

/// Parses a regular expression of RE2's syntax into a tree.
pub(super) fn read(text: &str) -> Parsed<Tree> {
    if u32::try_from(text.len()).is_err() {
        return Err(Invalid::too_large());
    }
    let mut reader = Parser {
        text,
        rest: text,
        tree: Builder::default(),
        flags: Flags::default(),
        frames: Vec::new(),
        frame: Frame::default(),
        repetition: None,
    };
    while let Some(c) = reader.rest.chars().next() {
        let previous = reader.repetition.take();
        reader.token(c, previous)?;
    }
    if !reader.frames.is_empty() {
        return fault(PAREN, text);
    }
    reader.close_group()?;
    Ok(reader.tree.finish())
}

/// The state of the parser.
struct Parser<'a> {
    text: &'a str,
    /// The text that is not parsed yet.
    rest: &'a str,
    tree: Builder,
    flags: Flags,
    /// The groups that enclose the current one.
    frames: Vec<Frame>,
    /// The innermost group that is open, or the whole expression.
    frame: Frame,
    /// The text from the repetition operator just read, if the last token was one, because `a**` is refused.
    repetition: Option<&'a str>,
}

/// The flags that `(?…)` sets.
#[derive(Clone, Copy, Default)]
struct Flags {
    ignore_case: bool,
    multi_line: bool,
    dot_newline: bool,
    ungreedy: bool,
}

/// A group that is not closed yet.
#[derive(Default)]
struct Frame {
    /// The number of operands since the last `|`.
    operands: u32,
    /// The number of branches that `|` has closed.
    branches: u32,
    /// The number of the group, if it captures.
    capture: Option<u32>,
    /// The flags to restore after the group.
    outer: Flags,
}

impl<'a> Parser<'a> {
    /// Parses the token that starts with `c`. `previous` is the text from the last token on if that was a repetition
    /// operator.
    fn token(&mut self, c: char, previous: Option<&'a str>) -> Parsed<()> {
        match c {
            '(' if self.rest.starts_with("(?") => self.flags()?,
            '(' => self.open(Some(None), 1),
            ')' => {
                if self.frames.is_empty() {
                    return fault("unexpected )", self.text);
                }
                self.skip(1);
                self.close_group()?;
            }
            '|' => {
                self.skip(1);
                self.close_branch()?;
            }
            '*' => self.repeat(1, 0, None, previous)?,
            '+' => self.repeat(1, 1, None, previous)?,
            '?' => self.repeat(1, 0, Some(1), previous)?,
            '{' => match counts(self.rest) {
                Some((length, Some((least, most)))) => self.repeat(length, least, most, previous)?,
                Some((length, None)) => return fault(COUNT, start(self.rest, length)),
                None => self.literal('{', 1)?,
            },
            '^' => self.look(if self.flags.multi_line { Look::StartLF } else { Look::Start }, 1)?,
            '$' => self.look(if self.flags.multi_line { Look::EndLF } else { Look::End }, 1)?,
            '.' => self.push_operand(Node::Any { newline: self.flags.dot_newline }, 1)?,
            '[' => self.class_node(class::length(self.rest)?)?,
            '\\' => self.escape()?,
            c => self.literal(c, c.len_utf8())?,
        }
        Ok(())
    }

    /// Advances the parser by `length` bytes.
    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    /// Adds a node to the current branch and advances by its text of `length` bytes.
    fn push_operand(&mut self, node: Node, length: usize) -> Parsed<()> {
        self.skip(length);
        self.frame.operands = self.frame.operands.saturating_add(1);
        self.tree.push(node)
    }

    /// Adds a literal character and advances by its text of `length` bytes.
    fn literal(&mut self, c: char, length: usize) -> Parsed<()> {
        self.push_operand(Node::Literal { c, ignore_case: self.flags.ignore_case }, length)
    }

    /// Adds an anchor or word boundary and advances by its text of `length` bytes.
    fn look(&mut self, look: Look, length: usize) -> Parsed<()> {
        self.push_operand(Node::Look(look), length)
    }

    /// Adds the class of characters in the next `length` bytes. It is stored as its position in the text: the list of
    /// ranges of `\pL` would be longer.
    fn class_node(&mut self, length: usize) -> Parsed<()> {
        let at = self.text.len().saturating_sub(self.rest.len());
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (start, end) = (place(at), place(at.saturating_add(length)));
        self.push_operand(Node::Class { start, end, ignore_case: self.flags.ignore_case }, length)
    }

    /// Opens a group whose opening text has `length` bytes. `capture` is `None` for a non-capturing group, else
    /// `Some` of the name, which may be missing.
    fn open(&mut self, capture: Option<Option<&str>>, length: usize) {
        self.skip(length);
        let capture = capture.map(|name| self.tree.group(name));
        let inner = Frame { capture, outer: self.flags, ..Frame::default() };
        self.frames.push(std::mem::replace(&mut self.frame, inner));
    }

    /// Ends a branch of an alternation, or a group's only branch: its operands become one node.
    fn close_branch(&mut self) -> Parsed<()> {
        match self.frame.operands {
            0 => self.tree.push(Node::Empty)?,
            1 => {}
            count => self.tree.push(Node::Concat(count))?,
        }
        self.frame.operands = 0;
        self.frame.branches = self.frame.branches.saturating_add(1);
        Ok(())
    }

    /// Ends the innermost group, or the whole expression; its branches become one node.
    fn close_group(&mut self) -> Parsed<()> {
        self.close_branch()?;
        if self.frame.branches > 1 {
            self.tree.push(Node::Alternation(self.frame.branches))?;
        }
        if let Some(group) = self.frame.capture {
            self.tree.push(Node::Group(group))?;
        }
        if let Some(around) = self.frames.pop() {
            self.flags = self.frame.outer;
            self.frame = around;
            self.frame.operands = self.frame.operands.saturating_add(1);
        }
        Ok(())
    }

    /// Adds a repetition of the last operand by an operator of `length` bytes, and `?` behind it. `previous` is the
    /// text from a repetition operator right before it, which makes this one an error.
    fn repeat(
        &mut self,
        length: usize,
        least: u16,
        most: Option<u16>,
        previous: Option<&'a str>,
    ) -> Parsed<()> {
        let before = self.rest;
        self.skip(length);
        let mut greedy = !self.flags.ungreedy;
        if self.rest.starts_with('?') {
            self.skip(1);
            greedy = !greedy;
        }
        let from = |text: &'a str| start(text, text.len().saturating_sub(self.rest.len()));
        if let Some(previous) = previous {
            return fault(NESTED, from(previous));
        }
        if self.frame.operands == 0 {
            return fault(OPERAND, from(before));
        }
        if !self.tree.repeat(Node::Repeat { least, most, greedy }, REPEAT)? {
            return fault(COUNT, from(before));
        }
        self.repetition = Some(before);
        Ok(())
    }

    /// Parses what starts with `(?`: a named group, a group with flags, or flags for the rest of the enclosing group.
    fn flags(&mut self) -> Parsed<()> {
        for begin in ["(?P<", "(?<"] {
            let Some(named) = self.rest.strip_prefix(begin) else { continue };
            let Some((name, _)) = named.split_once('>') else { return fault(CAPTURE, self.rest) };
            let length = begin.len().saturating_add(name.len()).saturating_add(1);
            let fits = !name.is_empty() && name.bytes().all(|c| c == b'_' || c.is_ascii_alphanumeric());
            if !fits {
                return fault(CAPTURE, start(self.rest, length));
            }
            self.open(Some(Some(name)), length);
            return Ok(());
        }
        let (mut flags, mut set, mut seen) = (self.flags, true, false);
        for (at, c) in self.rest.char_indices().skip(2) {
            let length = at.saturating_add(c.len_utf8());
            match c {
                'i' => (flags.ignore_case, seen) = (set, true),
                'm' => (flags.multi_line, seen) = (set, true),
                's' => (flags.dot_newline, seen) = (set, true),
                'U' => (flags.ungreedy, seen) = (set, true),
                '-' if set => (set, seen) = (false, false),
                ':' | ')' if seen || set => {
                    if c == ':' {
                        self.open(None, length);
                    } else {
                        self.skip(length);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => return fault(PERL, start(self.rest, length)),
            }
        }
        fault(PAREN, self.rest)
    }
}

/// The first `length` bytes of the text; the whole text if that is not a character boundary in it.
fn start(text: &str, length: usize) -> &str {
    text.get(..length).unwrap_or(text)
}

/// The length in bytes of `{n}`, `{n,}` or `{n,m}` at the start of the text, and its minimum and maximum, `None` if
/// these are not allowed. `None` as a whole if the brace is a literal character.
#[expect(clippy::type_complexity, reason = "read in one place")]
fn counts(text: &str) -> Option<(usize, Option<(u16, Option<u16>)>)> {
    let (least, rest) = count(text.strip_prefix('{')?)?;
    let (most, rest) = match rest.strip_prefix(',') {
        None => (Some(least), rest),
        Some(rest) if rest.starts_with('}') => (None, rest),
        Some(rest) => count(rest).map(|(most, rest)| (Some(most), rest))?,
    };
    let rest = rest.strip_prefix('}')?;
    let is_allowed = least <= REPEAT && most.is_none_or(|most| least <= most && most <= REPEAT);
    Some((text.len().saturating_sub(rest.len()), is_allowed.then_some((least, most))))
}

/// The decimal number at the start of the text, and the rest; `None` if there is none. It reads the digits only, so
/// that a text of many braces is parsed in linear time.
fn count(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    let is_count = digits == "0" || !digits.is_empty() && !digits.starts_with('0');
    // A number too large for the type is also too large for a count.
    is_count.then(|| (digits.parse().unwrap_or(u16::MAX), rest))
}

#[cfg(test)]
mod tests;
