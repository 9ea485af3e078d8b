//! Regular expressions, and what a prefix alone says about them.

mod automaton;
mod characters;
mod kept;
mod shared;
mod size;
mod utf8;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use regex_automata::meta::Regex;
use regex_automata::nfa::thompson::WhichCaptures;

use crate::error::{Error, Result};

use automaton::Automaton;
use kept::Slot;

/// A regular expression in RE2's syntax; it is searched for, so `^` and `$` say where it must stand.
///
/// A pattern is judged when it is made and compiled when it is first asked something. What is compiled of all patterns
/// together is kept up to 64 MiB; beyond that the oldest is let go, and compiled again when it is asked. So a text of
/// many patterns takes memory in proportion to its length, whatever they would compile to.
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
pub struct Pattern(Arc<Judged>);

/// A text that is a pattern, and no too large one.
struct Judged {
    text: Box<str>,
    regex: Slot<Regex>,
    automaton: Slot<Automaton>,
    /// Whether the automaton would be too large, or none is enough.
    is_beyond_automata: AtomicBool,
    /// What a text that is not known at all says.
    of_all_texts: OnceLock<Option<bool>>,
}

impl Pattern {
    /// A pattern of a text.
    ///
    /// # Errors
    ///
    /// When the text is no pattern ([`is_syntax`](Error::is_syntax)); when a compiled one would be larger than 1 MiB,
    /// or more than 4096 bytes of the text are in brackets ([`is_limit`](Error::is_limit)).
    pub fn new(text: &str) -> Result<Pattern> {
        if let Some(judged) = shared::find(text) {
            return Ok(Pattern(judged));
        }
        size::judge(text)?;
        let judged = Arc::new(Judged {
            text: text.into(),
            regex: Slot::new(),
            automaton: Slot::new(),
            is_beyond_automata: AtomicBool::new(false),
            of_all_texts: OnceLock::new(),
        });
        shared::keep(&judged);
        Ok(Pattern(judged))
    }

    /// The text of the pattern.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Whether a match is anywhere in a text.
    pub fn is_match(&self, text: &str) -> bool {
        let question = |regex: &Regex| regex.is_match(text);
        self.0.regex.ask(question).unwrap_or_else(|| {
            // A text that was judged is a pattern, and without a limit there is none that is too large.
            let Some(regex) = compiled(self.as_str()) else { return false };
            let answer = question(&regex);
            // A search keeps about as much again for the next one.
            let size = regex.memory_usage().saturating_mul(2).saturating_add(SEARCH);
            kept::keep(&self.0, &self.0.regex, regex, size, |judged| judged.regex.let_go());
            answer
        })
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
        if prefix.is_empty() {
            *self.0.of_all_texts.get_or_init(|| self.decides(prefix))
        } else {
            self.decides(prefix)
        }
    }

    fn decides(&self, prefix: &str) -> Option<bool> {
        let question = |automaton: &Automaton| automaton.decides(prefix);
        if let Some(answer) = self.0.automaton.ask(question) {
            return answer;
        }
        if self.0.is_beyond_automata.load(Ordering::Relaxed) {
            return None;
        }
        let Some(automaton) = Automaton::of(self.as_str()) else {
            self.0.is_beyond_automata.store(true, Ordering::Relaxed);
            return None;
        };
        let answer = question(&automaton);
        let size = automaton.size();
        kept::keep(&self.0, &self.0.automaton, automaton, size, |judged| judged.automaton.let_go());
        answer
    }
}

/// What the smallest search keeps for the next one.
const SEARCH: usize = 1 << 14;

/// As large as it has to be, with what only the places of groups would need left out.
fn compiled(text: &str) -> Option<Regex> {
    let config = Regex::config().which_captures(WhichCaptures::Implicit).nfa_size_limit(None);
    Regex::builder().configure(config).build(text).ok()
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
