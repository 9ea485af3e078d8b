//! How large a pattern is when compiled, from its text alone.
//!
//! What a pattern compiles to is a graph of states, whose size follows from the tree of its syntax: a repetition has
//! its part as often as it says, a class of characters the states of their bytes. So a pattern that is none, or one
//! that is too large, is refused without compiling it, in memory that is in proportion to the text.

use regex_syntax::ast::{self, Ast, RepetitionKind, RepetitionRange};
use regex_syntax::hir::translate::{Translator, TranslatorBuilder};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::error::{Error, Kind, Result};

use super::characters;

/// How large a compiled pattern may be, in bytes.
pub(super) const SIZE: usize = 1 << 20;

/// How many bytes of the text may be in brackets: there the tree has up to 480 bytes for each.
const IN_BRACKETS: usize = 1 << 12;

/// A state of the graph, and one more way out of it.
pub(super) const STATE: usize = 24;
pub(super) const WAY: usize = 8;
/// A way that takes no byte.
const BRANCH: usize = 4;

/// Up to how many characters of a class are looked up for those that differ in case alone. Larger classes of the
/// field have them already, and each lookup takes time.
const FOLDED: usize = 1 << 12;

/// That a text is a pattern, and one that is not too large.
pub(super) fn judge(text: &str) -> Result<()> {
    if in_brackets(text) > IN_BRACKETS {
        let message = format!("the regular expression has more than {IN_BRACKETS} bytes in brackets");
        return Err(Error::new(Kind::Limit, message));
    }
    let tree = ast::parse::Parser::new().parse(text).map_err(|error| none(error.kind()))?;
    if ast::visit(&tree, Reckoner::new(text))? > SIZE {
        return Err(too_large());
    }
    Ok(())
}

#[cold]
fn none(kind: &impl std::fmt::Display) -> Error {
    Error::new(Kind::Syntax, format!("no regular expression: {kind}"))
}

#[cold]
fn too_large() -> Error {
    Error::new(Kind::Limit, "the regular expression is too large when compiled")
}

/// At least as many bytes as the tree has in classes.
fn in_brackets(text: &str) -> usize {
    if has_spaces(text) {
        // In a comment a bracket closes nothing, and after a space it may close where it seems to be the first.
        let (first, last) = (text.find('[').unwrap_or(text.len()), text.rfind(']').unwrap_or(0));
        return last.saturating_sub(first);
    }
    let (mut inside, mut depth) = (0_usize, 0_usize);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
                inside = inside.saturating_add(usize::from(depth > 0));
            }
            b'[' => {
                depth = depth.saturating_add(1);
                // Right after the beginning, a bracket that would close stands for itself.
                bytes.next_if_eq(&b'^');
                bytes.next_if_eq(&b']');
            }
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        inside = inside.saturating_add(usize::from(depth > 0));
    }
    inside
}

/// Whether there is the flag `x`, by which spaces and comments are passed over.
fn has_spaces(text: &str) -> bool {
    let flag = |c: &u8| c.is_ascii_alphabetic() || *c == b'-';
    text.split("(?").skip(1).any(|rest| rest.bytes().take_while(flag).any(|c| c == b'x'))
}

/// Goes through the tree, and counts.
struct Reckoner<'p> {
    text: &'p str,
    flags: Flags,
    /// Those around each open group.
    around: Vec<Flags>,
    /// How large each open part is so far.
    sizes: Vec<usize>,
    /// How large all would be if each part were there once.
    once: usize,
}

#[derive(Clone, Copy)]
struct Flags {
    unicode: bool,
    any_case: bool,
}

impl<'p> Reckoner<'p> {
    fn new(text: &'p str) -> Reckoner<'p> {
        let flags = Flags { unicode: true, any_case: false };
        Reckoner { text, flags, around: Vec::new(), sizes: vec![0], once: 0 }
    }

    fn set(&mut self, flags: &ast::Flags) {
        let state = |flag| flags.flag_state(flag);
        self.flags.unicode = state(ast::Flag::Unicode).unwrap_or(self.flags.unicode);
        self.flags.any_case = state(ast::Flag::CaseInsensitive).unwrap_or(self.flags.any_case);
    }

    fn add(&mut self, size: usize) {
        if let Some(open) = self.sizes.last_mut() {
            *open = open.saturating_add(size);
        }
    }

    /// The part that ends here.
    fn closed(&mut self) -> usize {
        self.sizes.pop().unwrap_or_default()
    }

    /// A part without parts.
    fn leaf(&mut self, leaf: &Ast) -> Result<()> {
        let size = match leaf {
            Ast::Assertion(_) => STATE,
            Ast::Literal(literal) if self.flags.unicode && literal.byte().is_none() => {
                self.character(literal.c)
            }
            _ => self.translated(leaf)?,
        };
        self.add(size);
        // However often a part is there, never included, looking at it took time.
        self.once = self.once.saturating_add(size);
        if self.once > SIZE { Err(too_large()) } else { Ok(()) }
    }

    fn character(&self, c: char) -> usize {
        if !self.flags.any_case || c.is_ascii() && !c.is_ascii_alphabetic() {
            c.len_utf8().saturating_mul(STATE)
        } else if c.is_ascii() && !matches!(c, 'k' | 'K' | 's' | 'S') {
            STATE.saturating_add(2 * WAY)
        } else {
            let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
            class.case_fold_simple();
            characters::size(&class)
        }
    }

    /// What is more than a character means by the tables of Unicode; some of it is refused only there.
    fn translated(&self, leaf: &Ast) -> Result<usize> {
        let mut translator: Translator = TranslatorBuilder::new().unicode(self.flags.unicode).build();
        let meaning = translator.translate(self.text, leaf).map_err(|error| none(error.kind()))?;
        Ok(match meaning.into_kind() {
            HirKind::Literal(text) => text.0.len().saturating_mul(STATE),
            HirKind::Class(Class::Bytes(mut class)) => {
                if self.flags.any_case {
                    class.case_fold_simple();
                }
                ways(class.ranges().len())
            }
            HirKind::Class(Class::Unicode(mut class)) => {
                let characters = class.iter().fold(0_usize, |sum, range| sum.saturating_add(range.len()));
                if self.flags.any_case && characters <= FOLDED {
                    class.case_fold_simple();
                }
                characters::size(&class)
            }
            _ => STATE,
        })
    }
}

impl ast::Visitor for Reckoner<'_> {
    type Output = usize;
    type Err = Error;

    fn finish(mut self) -> Result<usize> {
        Ok(self.closed())
    }

    fn visit_pre(&mut self, part: &Ast) -> Result<()> {
        if let Ast::Group(group) = part {
            self.around.push(self.flags);
            if let Some(flags) = group.flags() {
                self.set(flags);
            }
        }
        if matches!(part, Ast::Group(_) | Ast::Repetition(_) | Ast::Concat(_) | Ast::Alternation(_)) {
            self.sizes.push(0);
        }
        Ok(())
    }

    fn visit_post(&mut self, part: &Ast) -> Result<()> {
        match part {
            Ast::Empty(_) => {}
            Ast::Flags(set) => self.set(&set.flags),
            Ast::Group(_) => {
                if let Some(flags) = self.around.pop() {
                    self.flags = flags;
                }
                let size = self.closed();
                self.add(size);
            }
            Ast::Concat(_) => {
                let size = self.closed();
                self.add(size);
            }
            Ast::Alternation(alternation) => {
                let branches = alternation.asts.len().saturating_mul(BRANCH);
                let size = self.closed().saturating_add(STATE).saturating_add(branches);
                self.add(size);
            }
            Ast::Repetition(repetition) => {
                let size = repeated(self.closed(), &repetition.op.kind);
                self.add(size);
            }
            leaf => self.leaf(leaf)?,
        }
        Ok(())
    }
}

/// A state with so many ranges of bytes.
pub(super) fn ways(count: usize) -> usize {
    STATE.saturating_add(if count > 1 { count.saturating_mul(WAY) } else { 0 })
}

fn repeated(part: usize, kind: &RepetitionKind) -> usize {
    let branch = STATE;
    let times = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    match kind {
        RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => {
            part.saturating_add(branch)
        }
        RepetitionKind::Range(RepetitionRange::Exactly(count)) => part.saturating_mul(times(*count)),
        RepetitionKind::Range(RepetitionRange::AtLeast(least)) => {
            part.saturating_mul(times(*least).max(1)).saturating_add(branch)
        }
        RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => {
            let open = times(*most).saturating_sub(times(*least));
            part.saturating_mul(times(*most)).saturating_add(branch.saturating_mul(open))
        }
    }
}

#[cfg(test)]
mod tests;
