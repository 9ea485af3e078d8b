//! URLs with one of some schemes.

use std::fmt;

use crate::error::{Error, Kind, Result};

use super::format::url_of;
use crate::rule::Pattern;

/// URLs with a host and one of some schemes.
///
/// The syntax is RFC 3986's, with `//` and a host that is not empty. Schemes are compared ignoring case. Without
/// schemes, any scheme is accepted.
///
/// ```
/// use plantime::rule::Schemes;
///
/// let web = Schemes::new(["http", "https"])?;
/// assert!(web.has("https://example.com/a?b"));
/// assert!(!web.has("ftp://example.com"));
/// assert!(!web.has("https:///a"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Schemes {
    names: Vec<String>,
    pattern: Pattern,
}

impl Schemes {
    /// The schemes that a URL may have, by name: `https`.
    ///
    /// [Example](Schemes)
    ///
    /// # Errors
    ///
    /// When a name is no scheme (a letter, then letters, digits, `+`, `-`, `.`), or there are too many.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Result<Schemes> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        for name in &names {
            let rest = name.strip_prefix(|first: char| first.is_ascii_alphabetic());
            let form = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            if !rest.is_some_and(|rest| rest.chars().all(form)) {
                return Err(Error::new(Kind::Syntax, format!("\"{name}\" is no scheme of a URL")));
            }
        }
        Ok(Schemes { pattern: Pattern::new(&url_of(&names))?, names })
    }

    /// The schemes, as they were given.
    ///
    /// [Example](Schemes)
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a string is such a URL.
    ///
    /// [Example](Schemes)
    pub fn has(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    /// The pattern that matches such URLs, and nothing else.
    pub(in crate::rule) fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

impl fmt::Debug for Schemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Schemes;

    #[test]
    fn a_url_has_a_scheme_and_a_host() {
        let web = Schemes::new(["http", "https"]).unwrap();
        for text in ["http://a", "HTTPS://user@a.b:8080/c/d?e=f#g", "https://[::1]/", "http://%41/"] {
            assert!(web.has(text), "{text}");
        }
        for text in [
            "",
            "a",
            "http:",
            "http://",
            "http:///a",
            "http://:80",
            "ftp://a",
            "http:a",
            "http://a b",
            "https://a\n",
        ] {
            assert!(!web.has(text), "{text}");
        }
        for (prefix, answer) in
            [("", None), ("htt", None), ("http://a", None), ("ftp", Some(false)), ("http:a", Some(false))]
        {
            assert_eq!(web.pattern().contains_all_with_prefix(prefix), answer, "{prefix}");
        }
        assert!(Schemes::new(Vec::<String>::new()).unwrap().has("x+y.1-z://a"));
        for name in ["", "1a", "a b", "\u{e9}"] {
            assert!(Schemes::new([name]).unwrap_err().is_syntax(), "{name}");
        }
    }
}
