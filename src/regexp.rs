//! Regular expressions with one meaning, for functions and rules: RE2's, as Go's package `regexp` has it.
//!
//! | | |
//! |---|---|
//! | syntax | that of Go 1.25, with its refusals: no `x**`, no count above 1000, no look-around, no backreferences |
//! | `\d \w \s \b`, `[[:alpha:]]` | about ASCII |
//! | `\pL`, `\p{Greek}` | general categories and scripts, by short or long names |
//! | `(?i)` | Unicode's simple folding, of each member of a class before it is negated: `(?i)\w` has `ſ` and `K` |
//! | `.` | any character but `\n`; with `(?s)` any |
//! | `^ $` | the beginning and the end of the text; with `(?m)` of a line, which ends at `\n` |
//! | match | the leftmost; of those the one that a backtracking search would find first |
//!
//! Parsing an expression takes time and memory linear in its text. An expression that would compile to more than 1
//! MiB is refused. Expressions are compiled when they are first used, and everything compiled is in one cache.

mod characters;
#[cfg(any(feature = "functions", feature = "rules"))]
mod expression;
mod size;
mod syntax;
mod translate;
mod tree;

use std::fmt;

use regex_syntax::hir::ClassUnicode;

use crate::language::{self, Language};

#[cfg(any(feature = "functions", feature = "rules"))]
pub(crate) use expression::{GroupLanguage, MAX_BYTES_READ, Regex, Regexp};

/// Why a text is not a regular expression, or why the expression cannot be used.
#[derive(Debug, PartialEq)]
pub(crate) enum Invalid {
    /// The message of Go's `regexp`, and the part of the text that it quotes.
    Syntax { code: &'static str, part: String },
    /// The expression exceeds a limit; the message says which.
    Limit(String),
}

impl Invalid {
    /// The error for an expression that would compile to more than 1 MiB.
    fn too_large() -> Invalid {
        Invalid::Limit("the regular expression is too large when compiled".to_owned())
    }
}

/// The maximum number of characters of the text that a message quotes.
const QUOTED_CHARS: usize = 60;

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::Syntax { code, part } => {
                write!(f, "invalid regular expression: {code}")?;
                match part.char_indices().nth(QUOTED_CHARS) {
                    _ if part.is_empty() => Ok(()),
                    None => write!(f, ": `{part}`"),
                    Some((end, _)) => write!(f, ": `{}`...", part.get(..end).unwrap_or_default()),
                }
            }
            Invalid::Limit(message) => f.write_str(message),
        }
    }
}

/// The language of an expression: the strings in which it finds a match. Not cached.
pub(crate) fn language(text: &str) -> Result<language::Result, Invalid> {
    let tree = syntax::read(text)?;
    size::estimate(text, &tree)?;
    Ok(Language::from_hir(&translate::translate(text, &tree)))
}

/// The characters of a class such as `\pL`; `None` if the text is not a class.
pub(crate) fn characters(class: &str) -> Option<ClassUnicode> {
    match syntax::read(class).ok()?.nodes.as_slice() {
        [tree::Node::Class { .. }] => Some(syntax::members(class, false, 0)),
        _ => None,
    }
}
