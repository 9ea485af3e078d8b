//! Regular expressions, and what they say about a known prefix.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use regex_syntax::hir::Hir;

use crate::error::{Error, Kind, Result};
use crate::language::Language;
use crate::regexp::{Invalid, Regexp};

/// A regular expression with the syntax and meaning of RE2, as Go's package `regexp` has them; the functions `regex`,
/// `regexall`, `replace` and `regexreplace` use the same. A pattern may match anywhere in a string, unless `^` and `$`
/// anchor it.
///
/// | | |
/// |---|---|
/// | `\d \w \s \b`, `[[:alpha:]]` | about ASCII: `\w` is `[0-9A-Za-z_]`, `\s` is `[\t\n\f\r ]` |
/// | `\pL`, `\p{Greek}`, `\p{^Greek}` | general categories and scripts of Unicode, by the names that Go 1.25 knows |
/// | `\Q...\E`, `\123`, `\x7F`, `\x{10FFFF}` | literal text, and characters by their codes |
/// | `(?i)` | Unicode's simple case folding |
/// | `(?m)`, `(?s)`, `(?U)` | lines for `^` and `$`; `\n` for `.`; ungreedy |
/// | `{`, `a{,2}`, `\<` | characters: a brace where no counts follow as in `{n}`, `{n,}`, `{n,m}` |
/// | `(?P<n>a)(?P<n>b)` | groups of one name are allowed |
/// | refused | `x**`, counts above 1000 (nested ones multiplied), `(?x)`, `\u0061`, looking around, references back |
///
/// A pattern is validated when it is made, and compiled when it is first used. The compiled patterns share a cache of
/// 64 MiB; beyond that some are evicted, and compiled again when they are used. So a file of many patterns takes memory in
/// proportion to its length, whatever they would compile to.
///
/// Matching takes time linear in the string. Patterns are equal if their texts are; equal patterns share their compiled
/// form.
///
/// ```
/// use plantime::rule::Pattern;
///
/// let pattern: Pattern = "^vpc-[0-9a-f]{8}$".parse()?;
/// assert!(pattern.is_match("vpc-0123abcd"));
/// assert_eq!(pattern.contains_all_with_prefix("vpc-0"), None);
/// assert_eq!(pattern.contains_all_with_prefix("vpc-zz"), Some(false));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone)]
pub struct Pattern(Arc<Regexp>);

impl Pattern {
    /// Reads and validates a pattern.
    ///
    /// [Example](Pattern)
    ///
    /// # Errors
    ///
    /// When the text is not a regular expression ([`is_syntax`](Error::is_syntax)); when a compiled one would be larger
    /// than 1 MiB, or it nests deeper than 250 levels ([`is_limit`](Error::is_limit)).
    pub fn new(text: &str) -> Result<Pattern> {
        Regexp::new(text).map(Pattern).map_err(|invalid| {
            let kind = match invalid {
                Invalid::Syntax { .. } => Kind::Syntax,
                Invalid::Limit(_) => Kind::Limit,
            };
            Error::new(kind, invalid.to_string())
        })
    }

    /// The text of the pattern.
    ///
    /// [Example](Pattern)
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The expression in the syntax tree of the engine.
    pub(in crate::rule) fn translated(&self) -> Hir {
        self.0.translated()
    }

    /// Whether the pattern finds a match anywhere in a string.
    ///
    /// [Example](Pattern)
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Whether all strings with this prefix match (true), or none (false); `None` if some do and some do not.
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
    /// `None` is also the answer where the automaton of the pattern would be larger than 1 MiB and its language larger
    /// than a [`Language`] may be. The first call builds the automaton; after that, a call takes time linear in the prefix.
    ///
    /// [Example](Pattern)
    pub fn contains_all_with_prefix(&self, prefix: &str) -> Option<bool> {
        self.0.contains_all_with_prefix(prefix)
    }

    /// Whether all strings of a language match (true), or none (false); `None` if some do and some do not, and if the
    /// language of the pattern would be larger than a [`Language`] may be.
    ///
    /// ```
    /// use plantime::language::Language;
    /// use plantime::rule::Pattern;
    ///
    /// let pattern: Pattern = "^vpc-[0-9a-f]+$".parse()?;
    /// assert_eq!(pattern.decides_language(&Language::one_of(["vpc-0", "vpc-1"])?), Some(true));
    /// assert_eq!(pattern.decides_language(&Language::suffix("z")?), Some(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decides_language(&self, language: &Language) -> Option<bool> {
        language.decides(&*self.0.language()?)
    }

    /// The strings that match; `None` if the language would be too large.
    pub(in crate::rule) fn language(&self) -> Option<Arc<Language>> {
        self.0.language()
    }

    /// A pattern from a cache, by its text: a pattern that a rule on strings builds is needed again for the next value.
    /// `None` if the text is no valid pattern.
    pub(in crate::rule) fn cached(text: &str) -> Option<Pattern> {
        Regexp::cached(text).ok().map(Pattern)
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
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

/// Patterns are equal if their texts are.
impl std::hash::Hash for Pattern {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

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
