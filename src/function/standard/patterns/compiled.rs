//! Patterns that can be searched for, and their matches as values.

use std::collections::BTreeSet;
use std::sync::Arc;

use regex_automata::Span;
use regex_automata::util::captures::Captures;

use crate::error::{Error, Kind, Result};
use crate::regexp::{Invalid, Regex, Regexp};
use crate::types::Type;
use crate::value::Value;

/// A regular expression, and the engine that searches for it.
pub(super) struct Pattern {
    regexp: Arc<Regexp>,
    regex: Arc<Regex>,
}

/// A match in a text.
pub(super) struct Found<'t> {
    text: &'t str,
    groups: Captures,
}

impl<'t> Found<'t> {
    pub(super) fn whole(&self) -> Option<Span> {
        self.groups.get_group(0)
    }

    /// The text of a group, if it is part of the match.
    fn group(&self, index: usize) -> Option<&'t str> {
        self.groups.get_group(index).and_then(|place| self.text.get(place.range()))
    }
}

impl Pattern {
    pub(super) fn new(text: &str) -> std::result::Result<Pattern, Invalid> {
        let regexp = Regexp::cached(text)?;
        let too_many = || Invalid::Limit("the regular expression has too many groups".to_owned());
        let regex = regexp.engine_with_groups().ok_or_else(too_many)?;
        Ok(Pattern { regexp, regex })
    }

    /// The names of the groups, from the first on.
    fn names(&self) -> &[Option<Box<str>>] {
        self.regexp.groups()
    }

    /// Refuses to search where that takes too long: for the first match, or for all.
    pub(super) fn check_effort(&self, text: &str, all: bool) -> Result<()> {
        if self.regexp.is_within_effort(text, all) {
            return Ok(());
        }
        Err(Error::new(Kind::Limit, "the text is too long to be searched for this regular expression"))
    }

    /// Where the first match is.
    pub(super) fn place(&self, text: &str) -> Option<Span> {
        self.regex.find(text).map(|found| found.span())
    }

    pub(super) fn first<'t>(&self, text: &'t str) -> Option<Found<'t>> {
        let mut groups = self.regex.create_captures();
        self.regex.captures(text, &mut groups);
        groups.is_match().then_some(Found { text, groups })
    }

    pub(super) fn all<'t>(&self, text: &'t str) -> impl Iterator<Item = Found<'t>> {
        self.regex.captures_iter(text).map(move |groups| Found { text, groups })
    }

    /// The type of a match: the text without groups, else a tuple or an object of the texts of these.
    pub(super) fn match_type(&self) -> Result<Type> {
        let named = self.names().iter().flatten().count();
        if self.names().is_empty() {
            Ok(Type::String)
        } else if named == 0 {
            Type::tuple(self.names().iter().map(|_| Type::String))
        } else if named == self.names().len() {
            let names: BTreeSet<&str> = self.names().iter().flatten().map(|name| &**name).collect();
            Type::object(names.into_iter().map(|name| (name, Type::String)))
        } else {
            let message = "invalid regexp pattern: cannot mix both named and unnamed capture groups";
            Err(Error::new(Kind::Argument, message).in_argument(0))
        }
    }

    /// A match as a value. A group that is not part of it is null, and of several of one name the last counts.
    pub(super) fn value(&self, found: &Found<'_>) -> Result<Value> {
        let group = |at: usize| found.group(at).map_or_else(|| Value::null(Type::String), Value::from);
        let groups = self.names().iter().enumerate().map(|(i, name)| (name, group(i.saturating_add(1))));
        match self.names().first() {
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
        for found in self.all(text) {
            let Some(whole) = found.whole() else { continue };
            out.push_str(text.get(at..whole.start)?);
            self.expand(template, &found, &mut out);
            at = whole.end;
            if out.len() > most {
                return None;
            }
        }
        out.push_str(text.get(at..)?);
        (out.len() <= most).then_some(out)
    }

    fn expand(&self, mut template: &str, found: &Found<'_>, out: &mut String) {
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

    fn group<'t>(&self, name: &str, found: &Found<'t>) -> Option<&'t str> {
        let is_number = name.bytes().all(|c| c.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
        let text = |at: usize| found.group(at);
        if is_number {
            return text(name.parse().ok()?);
        }
        let named = self.names().iter().enumerate().filter(|(_, other)| other.as_deref() == Some(name));
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
