//! Regular expressions, and what a prefix alone says about them.

mod automaton;
mod cache;
mod utf8;

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use regex::{Regex, RegexBuilder};

use crate::error::{Error, Kind, Result};

use automaton::Automaton;

/// How large a compiled pattern may be, in bytes.
const SIZE: usize = 1 << 20;

/// A regular expression in RE2's syntax; it is searched for, so `^` and `$` say where it must stand.
///
/// Matching takes time linear in the text. Patterns are equal when their texts are; equal ones that are in use at
/// the same time share what is compiled.
///
/// ```
/// use plantime::rule::Pattern;
///
/// let pattern: Pattern = "^vpc-[0-9a-f]{8}$".parse()?;
/// assert!(pattern.is_match("vpc-0123abcd"));
/// assert_eq!(pattern.decides_prefix("vpc-0"), None);
/// assert_eq!(pattern.decides_prefix("vpc-zz"), Some(false));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone)]
pub struct Pattern(Arc<Compiled>);

struct Compiled {
    regex: Regex,
    /// Made when a prefix is first asked about; none where the pattern is beyond automata.
    automaton: OnceLock<Option<Automaton>>,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// When the text is no pattern ([`is_syntax`](Error::is_syntax)), or a compiled one would be larger than
    /// 1 MiB ([`is_limit`](Error::is_limit)).
    pub fn new(text: &str) -> Result<Pattern> {
        if let Some(compiled) = cache::find(text) {
            return Ok(Pattern(compiled));
        }
        let regex = RegexBuilder::new(text).size_limit(SIZE).build().map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => {
                Error::new(Kind::Limit, "the regular expression is too large when compiled")
            }
            error => Error::new(Kind::Syntax, format!("no regular expression: {}", one_line(&error))),
        })?;
        let compiled = Arc::new(Compiled { regex, automaton: OnceLock::new() });
        cache::keep(&compiled);
        Ok(Pattern(compiled))
    }

    /// The text of the pattern.
    pub fn as_str(&self) -> &str {
        self.0.regex.as_str()
    }

    /// Whether a match is anywhere in a text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.regex.is_match(text)
    }

    /// Whether all texts with this beginning match, none does, or (`None`) some do and some do not.
    ///
    /// | pattern | prefix | answer |
    /// |---|---|---|
    /// | `^vpc-` | `vpc-` | all match |
    /// | `^vpc-` | `vp` | some |
    /// | `^vpc-` | `ami-` | none matches |
    /// | `^vpc-[0-9a-f]{8}$` | `vpc-zz` | none matches |
    /// | `db` | `orders-db-` | all match |
    /// | `^(?s:.)*$` | anything | all match |
    ///
    /// `None` is also the answer where the automaton of the pattern would be larger than 1 MiB, and for patterns with
    /// word boundaries of Unicode (`\b`; `(?-u:\b)` is that of ASCII and is decided). The first question makes the
    /// automaton; after that, an answer takes time linear in the prefix.
    pub fn decides_prefix(&self, prefix: &str) -> Option<bool> {
        let Compiled { regex, automaton } = &*self.0;
        let automaton = automaton.get_or_init(|| {
            let hir = regex_syntax::parse(regex.as_str()).ok()?;
            Automaton::of(regex.as_str(), &hir)
        });
        automaton.as_ref()?.decides(prefix)
    }
}

/// The last line of a report that shows the pattern above it.
fn one_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

impl FromStr for Pattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Pattern> {
        Pattern::new(text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({})", self.as_str())
    }
}

#[cfg(test)]
mod tests;
