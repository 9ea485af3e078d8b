//! Reads the syntax that RE2 documents and Go's `regexp` accepts, into a tree.
//!
//! The reader never recurses and its memory is proportional to the text, so a hostile text costs what it weighs.

mod class;
mod escape;
mod property;

pub(super) use class::members;

use regex_syntax::hir::Look;

use super::Invalid;
use super::tree::{Builder, Node, Tree};

type Read<T> = Result<T, Invalid>;

#[cold]
fn fault<T>(code: &'static str, part: &str) -> Read<T> {
    Err(Invalid::Syntax { code, part: part.to_owned() })
}

// Go's words for what is wrong.
const BRACKET: &str = "missing closing ]";
const CAPTURE: &str = "invalid named capture";
const COUNT: &str = "invalid repeat count";
const ESCAPE: &str = "invalid escape sequence";
const NESTED: &str = "invalid nested repetition operator";
const OPERAND: &str = "missing argument to repetition operator";
const PAREN: &str = "missing closing )";
const PERL: &str = "invalid or unsupported Perl syntax";
const RANGE: &str = "invalid character class range";

/// The largest count of a repetition, and the largest product of the counts of repetitions inside one another.
const REPEAT: u16 = 1000;

/// Reads an expression.
pub(super) fn read(text: &str) -> Read<Tree> {
    if u32::try_from(text.len()).is_err() {
        return Err(Invalid::too_large());
    }
    let mut reader = Reader {
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

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    tree: Builder,
    flags: Flags,
    /// The groups around the one that is being read.
    frames: Vec<Frame>,
    frame: Frame,
    /// The text from the repetition operator that has just been read, since `a**` is refused.
    repetition: Option<&'a str>,
}

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
    /// How many operands there are since the last `|`.
    operands: u32,
    /// How many branches have been closed by `|`.
    branches: u32,
    /// The number of the group, if it captures.
    capture: Option<u32>,
    /// The flags that hold again after the group.
    outer: Flags,
}

impl<'a> Reader<'a> {
    fn token(&mut self, c: char, previous: Option<&'a str>) -> Read<()> {
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
            '.' => self.operand(Node::Any { newline: self.flags.dot_newline }, 1)?,
            '[' => self.members(class::length(self.rest)?)?,
            '\\' => self.escape()?,
            c => self.literal(c, c.len_utf8())?,
        }
        Ok(())
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    /// Adds an operand that takes so many bytes of the text.
    fn operand(&mut self, node: Node, length: usize) -> Read<()> {
        self.skip(length);
        self.frame.operands = self.frame.operands.saturating_add(1);
        self.tree.push(node)
    }

    fn literal(&mut self, c: char, length: usize) -> Read<()> {
        self.operand(Node::Literal { c, ignore_case: self.flags.ignore_case }, length)
    }

    fn look(&mut self, look: Look, length: usize) -> Read<()> {
        self.operand(Node::Look(look), length)
    }

    /// Adds a class of characters to the tree, as its place in the text: a list of the ranges of `\pL` would be longer.
    fn members(&mut self, length: usize) -> Read<()> {
        let at = self.text.len().saturating_sub(self.rest.len());
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (start, end) = (place(at), place(at.saturating_add(length)));
        self.operand(Node::Class { start, end, ignore_case: self.flags.ignore_case }, length)
    }

    /// Opens a group: `None` where it does not capture, `Some(None)` where it has no name.
    fn open(&mut self, capture: Option<Option<&str>>, length: usize) {
        self.skip(length);
        let capture = capture.map(|name| self.tree.group(name));
        let inner = Frame { capture, outer: self.flags, ..Frame::default() };
        self.frames.push(std::mem::replace(&mut self.frame, inner));
    }

    fn close_branch(&mut self) -> Read<()> {
        match self.frame.operands {
            0 => self.tree.push(Node::Empty)?,
            1 => {}
            count => self.tree.push(Node::Concat(count))?,
        }
        self.frame.operands = 0;
        self.frame.branches = self.frame.branches.saturating_add(1);
        Ok(())
    }

    fn close_group(&mut self) -> Read<()> {
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

    fn repeat(
        &mut self,
        length: usize,
        least: u16,
        most: Option<u16>,
        previous: Option<&'a str>,
    ) -> Read<()> {
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

    /// Reads what begins with `(?`: a group with a name, or flags.
    fn flags(&mut self) -> Read<()> {
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

fn start(text: &str, length: usize) -> &str {
    text.get(..length).unwrap_or(text)
}

/// The length of `{n}`, `{n,}` or `{n,m}`, and its counts if they are allowed. None where the brace is a character.
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

/// The count that a text begins with, and what follows it. Looks at no more than the digits, so that a text of many
/// braces is read in linear time.
fn count(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    let is_count = digits == "0" || !digits.is_empty() && !digits.starts_with('0');
    // What is too large for the type is too large for a count.
    is_count.then(|| (digits.parse().unwrap_or(u16::MAX), rest))
}

#[cfg(test)]
mod tests;
