//! Regular expressions, and what a prefix alone says about them.

use std::fmt;
use std::str::FromStr;

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind, Look};

use crate::error::{Error, Kind, Result};

/// How large a compiled pattern may be, in bytes.
const SIZE: usize = 1 << 20;

/// A regular expression in RE2's syntax; it is searched for, so `^` and `$` say where it must stand.
///
/// Matching takes time linear in the text. Patterns are equal when their texts are.
///
/// ```
/// use plantime::rule::Pattern;
///
/// let pattern: Pattern = "^vpc-[0-9a-f]+$".parse()?;
/// assert!(pattern.is_match("vpc-0123"));
/// assert_eq!(pattern.literal_prefix(), Some("vpc-"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone)]
pub struct Pattern {
    regex: Regex,
    lead: Lead,
}

/// What every match begins with.
#[derive(Clone, Default)]
struct Lead {
    /// At the start of the text, with these characters.
    anchored: Option<String>,
    /// Nothing more is asked: whatever follows, the text matches.
    complete: bool,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// When the text is no pattern ([`is_syntax`](Error::is_syntax)), or a compiled one would be larger than
    /// 1 MiB ([`is_limit`](Error::is_limit)).
    pub fn new(text: &str) -> Result<Pattern> {
        let regex = RegexBuilder::new(text).size_limit(SIZE).build().map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => {
                Error::new(Kind::Limit, "the regular expression is too large when compiled")
            }
            error => Error::new(Kind::Syntax, format!("no regular expression: {}", one_line(&error))),
        })?;
        let lead = regex_syntax::parse(text).map_or_else(|_| Lead::default(), |hir| lead(&hir));
        Ok(Pattern { regex, lead })
    }

    /// The text of the pattern.
    pub fn as_str(&self) -> &str {
        self.regex.as_str()
    }

    /// Whether a match is anywhere in a text.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The characters that every matching text begins with, where the pattern is anchored to the beginning.
    pub fn literal_prefix(&self) -> Option<&str> {
        self.lead.anchored.as_deref()
    }

    /// Whether all texts with this beginning match, none does, or (`None`) that is not decided here.
    ///
    /// | the pattern's anchored literal beginning | answer |
    /// |---|---|
    /// | differs from the prefix where both have characters | none matches |
    /// | is all there is of the pattern, and the prefix starts with it | all match |
    /// | anything else | not decided |
    pub fn decides_prefix(&self, prefix: &str) -> Option<bool> {
        let literal = self.lead.anchored.as_deref();
        match literal {
            None => self.lead.complete.then_some(true),
            Some(literal) if prefix.starts_with(literal) => self.lead.complete.then_some(true),
            Some(literal) if literal.starts_with(prefix) => None,
            Some(_) => Some(false),
        }
    }
}

/// The last line of a report that shows the pattern above it.
fn one_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

fn lead(hir: &Hir) -> Lead {
    let mut reader = LeadReader::default();
    let complete = reader.read(hir);
    let anchored = reader.anchored.then(|| String::from_utf8(reader.literal).unwrap_or_default());
    match anchored {
        Some(literal) => Lead { anchored: Some(literal), complete },
        // Without an anchor only the empty pattern is decided by what is known: it is found everywhere.
        None => Lead { anchored: None, complete: complete && matches!(hir.kind(), HirKind::Empty) },
    }
}

#[derive(Default)]
struct LeadReader {
    anchored: bool,
    literal: Vec<u8>,
}

impl LeadReader {
    /// Whether the whole expression was read.
    fn read(&mut self, hir: &Hir) -> bool {
        match hir.kind() {
            HirKind::Empty => true,
            HirKind::Look(Look::Start) if self.literal.is_empty() => {
                self.anchored = true;
                true
            }
            HirKind::Literal(literal) if self.anchored => {
                self.literal.extend_from_slice(&literal.0);
                true
            }
            HirKind::Capture(capture) => self.read(&capture.sub),
            HirKind::Concat(parts) => parts.iter().all(|part| self.read(part)),
            _ => false,
        }
    }
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
mod tests {
    use super::Pattern;

    #[test]
    fn only_anchored_literals_decide_a_prefix() {
        for (pattern, prefix, expected) in [
            ("^vpc-", "vpc-", Some(true)),
            ("^vpc-", "vpc-0", Some(true)),
            ("^vpc-", "ami-", Some(false)),
            ("^vpc-", "vp", None),
            ("^vpc-[0-9a-f]{8}$", "vpc-", None),
            ("^vpc-[0-9a-f]{8}$", "vpd", Some(false)),
            ("^(vpc)-", "vpc-", Some(true)),
            ("^vpc-$", "vpc-", None),
            ("^(?:vpc|ami)-", "x", None),
            ("(?i)^vpc", "ami", None),
            ("(?m)^vpc", "ami", None),
            ("vpc", "ami", None),
            ("vpc", "vpc", None),
            ("", "ami", Some(true)),
            ("", "", Some(true)),
            ("^", "", Some(true)),
            ("a*", "b", None),
            ("^a|^b", "c", None),
            ("\\Avpc", "ami", Some(false)),
        ] {
            let answer = Pattern::new(pattern).unwrap().decides_prefix(prefix);
            assert_eq!(answer, expected, "{pattern} with prefix {prefix:?}");
        }
    }

    #[test]
    fn patterns_that_are_none_or_too_large_are_refused() {
        let error = Pattern::new("a(").unwrap_err();
        assert!(error.is_syntax());
        assert_eq!(error.to_string(), "no regular expression: unclosed group");
        assert!(Pattern::new("(?:\\w{1000}){1000}").unwrap_err().is_limit());
    }
}
