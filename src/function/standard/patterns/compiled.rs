//! Compiled patterns, of which the last ones used are kept.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regex::{Captures, Regex, RegexBuilder};

use crate::error::{Error, Kind, Result};
use crate::types::Type;
use crate::value::Value;

use super::effort::Reach;
use super::syntax::{self, Fault};

/// How long a pattern may be, in bytes. A longer one would be too large when compiled, which takes its time.
const LENGTH: usize = 1 << 14;
/// How large a compiled pattern may be, in bytes.
const SIZE: usize = 1 << 20;
/// How many are kept.
const KEPT: usize = 64;

static LAST: Mutex<VecDeque<Arc<Pattern>>> = Mutex::new(VecDeque::new());

/// A pattern that can be searched for.
pub(super) struct Pattern {
    text: Box<str>,
    pub(super) regex: Regex,
    /// The names of the groups, from the first on.
    names: Vec<Option<Box<str>>>,
    /// Made for the first text that is not short.
    reach: OnceLock<Option<Reach>>,
}

/// Texts of so many bytes are searched in no time.
const SHORT: usize = 64;

/// Why there is no pattern.
pub(super) enum Unfit {
    Fault(Fault),
    Other(Error),
}

impl Pattern {
    pub(super) fn new(text: &str) -> std::result::Result<Arc<Pattern>, Unfit> {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = last.iter().position(|pattern| &*pattern.text == text) {
            // The one that is used comes to the front.
            if let Some(pattern) = last.remove(at) {
                last.push_front(Arc::clone(&pattern));
                return Ok(pattern);
            }
        }
        drop(last);
        if text.len() > LENGTH {
            let message = format!("a regular expression may have at most {LENGTH} bytes");
            return Err(Unfit::Other(Error::new(Kind::Limit, message)));
        }
        let written = syntax::written(text).map_err(Unfit::Fault)?;
        let regex = RegexBuilder::new(&written.text).size_limit(SIZE).build().map_err(|error| {
            Unfit::Other(match error {
                regex::Error::CompiledTooBig(_) => {
                    Error::new(Kind::Limit, "the regular expression is too large when compiled")
                }
                _ => Error::new(Kind::Syntax, "invalid regexp pattern"),
            })
        })?;
        let pattern =
            Arc::new(Pattern { text: text.into(), regex, names: written.names, reach: OnceLock::new() });
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_front(Arc::clone(&pattern));
        last.truncate(KEPT);
        Ok(pattern)
    }

    /// Refuses to search where that takes too long: for the first match, or for all.
    pub(super) fn check_effort(&self, text: &str, all: bool) -> Result<()> {
        let reach = || Reach::new(self.regex.as_str(), SIZE, !self.names.is_empty());
        let is_within = text.len() <= SHORT
            || self.reach.get_or_init(reach).as_ref().is_none_or(|reach| reach.is_within(text, all));
        if is_within {
            return Ok(());
        }
        Err(Error::new(Kind::Limit, "the text is too long to be searched for this regular expression"))
    }

    /// The type of a match: the text without groups, else a tuple or an object of the texts of these.
    pub(super) fn match_type(&self) -> Result<Type> {
        let named = self.names.iter().flatten().count();
        if self.names.is_empty() {
            Ok(Type::String)
        } else if named == 0 {
            Type::tuple(self.names.iter().map(|_| Type::String))
        } else if named == self.names.len() {
            let names: BTreeSet<&str> = self.names.iter().flatten().map(|name| &**name).collect();
            Type::object(names.into_iter().map(|name| (name, Type::String)))
        } else {
            let message = "invalid regexp pattern: cannot mix both named and unnamed capture groups";
            Err(Error::new(Kind::Argument, message).in_argument(0))
        }
    }

    /// A match as a value. A group that is not part of it is null, and of several of one name the last counts.
    pub(super) fn value(&self, found: &Captures<'_>) -> Result<Value> {
        let group =
            |at: usize| found.get(at).map_or_else(|| Value::null(Type::String), |text| text.as_str().into());
        let groups = self.names.iter().enumerate().map(|(i, name)| (name, group(i.saturating_add(1))));
        match self.names.first() {
            None => Ok(group(0)),
            Some(None) => Value::tuple(groups.map(|(_, text)| text)),
            Some(Some(_)) => {
                let mut named: Vec<(&str, Value)> = Vec::new();
                for (name, text) in groups.filter_map(|(name, text)| Some((name.as_deref()?, text))) {
                    named.retain(|(other, _)| *other != name);
                    named.push((name, text));
                }
                Value::object(named)
            }
        }
    }

    /// The text with all matches replaced, in which `$1`, `$name` and `${name}` stand for groups and `$$` for `$`. None
    /// where it would have more bytes than that.
    pub(super) fn replaced(&self, text: &str, template: &str, most: usize) -> Option<String> {
        let (mut out, mut at) = (String::new(), 0);
        for found in self.regex.captures_iter(text) {
            let Some(whole) = found.get(0) else { continue };
            out.push_str(text.get(at..whole.start())?);
            self.expand(template, &found, &mut out);
            at = whole.end();
            if out.len() > most {
                return None;
            }
        }
        out.push_str(text.get(at..)?);
        (out.len() <= most).then_some(out)
    }

    fn expand(&self, mut template: &str, found: &Captures<'_>, out: &mut String) {
        while let Some((before, after)) = template.split_once('$') {
            out.push_str(before);
            if let Some(after) = after.strip_prefix('$') {
                out.push('$');
                template = after;
            } else if let Some((name, after)) = reference(after) {
                out.push_str(self.group(name, found).unwrap_or_default());
                template = after;
            } else {
                out.push('$');
                template = after;
            }
        }
        out.push_str(template);
    }

    fn group<'t>(&self, name: &str, found: &Captures<'t>) -> Option<&'t str> {
        let is_number = name.bytes().all(|c| c.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
        let text = |at: usize| found.get(at).map(|text| text.as_str());
        if is_number {
            return text(name.parse().ok()?);
        }
        let named = self.names.iter().enumerate().filter(|(_, other)| other.as_deref() == Some(name));
        named.map(|(i, _)| i.saturating_add(1)).find_map(text)
    }
}

/// The name after a `$`, and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let (inside, braces) = text.strip_prefix('{').map_or((text, false), |inside| (inside, true));
    let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inside.len());
    let (name, rest) = inside.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
    Some((name, if braces { rest.strip_prefix('}')? } else { rest }))
}
