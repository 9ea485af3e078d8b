//! Compiled regular expressions: search, replacement, and matches as values.

use std::collections::BTreeSet;
use std::sync::Arc;

use regex_automata::Span;
use regex_automata::util::captures::Captures;

use crate::error::{Error, Kind, Result};
use crate::function::work;
use crate::language::Language;
use crate::regexp::{Invalid, MAX_BYTES_READ, Regex, Regexp};
use crate::types::Type;
use crate::value::Value;

use super::shape;

/// How many steps of a search (states times bytes, or bytes of an automaton) cost as much as one step of a call.
const STEPS_OF_SEARCH: usize = 64;

/// How many bytes of a compiled expression cost as much as one step of a call when it is compiled.
const BYTES_OF_COMPILING: usize = 4;

/// How many references in a template cost as much as one step of a call.
const REFERENCES_OF_STEP: usize = 16;

/// A compiled regular expression with the engine that searches for it.
pub(super) struct Pattern {
    /// The parsed expression, which knows the names of its groups.
    regexp: Arc<Regexp>,
    /// The engine that finds matches and their groups.
    regex: Arc<Regex>,
}

/// A match of a regular expression in a text, with its capture groups.
pub(super) struct PatternMatch<'t> {
    text: &'t str,
    groups: Captures,
}

impl<'t> PatternMatch<'t> {
    /// The range of bytes of the match in the text.
    pub(super) fn span(&self) -> Option<Span> {
        self.groups.get_group(0)
    }

    /// The text that the group with this number matched; `None` if it took no part in the match. Group 0 is the whole
    /// match.
    fn group_text(&self, index: usize) -> Option<&'t str> {
        self.groups.get_group(index).and_then(|span| self.text.get(span.range()))
    }
}

impl Pattern {
    /// Compiles a regular expression; an error if it is invalid or too large.
    pub(super) fn new(text: &str) -> std::result::Result<Pattern, Invalid> {
        let regexp = Regexp::cached(text)?;
        let too_many = || Invalid::Limit("the regular expression has too many groups".to_owned());
        let is_compiled = regexp.is_compiled();
        let regex = regexp.engine_with_groups().ok_or_else(too_many)?;
        if !is_compiled {
            work::charge(regexp.size() / BYTES_OF_COMPILING);
        }
        Ok(Pattern { regexp, regex })
    }

    /// The name of each capture group, from group 1 on; `None` for a group without a name.
    fn group_names(&self) -> &[Option<Box<str>>] {
        self.regexp.groups()
    }

    /// Charges the search for the first match in the text or, with `all`, for all matches; an error if it would take
    /// too long.
    pub(super) fn check_effort(&self, text: &str, all: bool) -> Result<()> {
        if let Some(steps) = self.regexp.effort(text, all) {
            work::charge(steps / STEPS_OF_SEARCH);
            return Ok(());
        }
        // To find that out, an automaton was built, and at worst all bytes read that a search may read.
        work::charge(self.regexp.size() / BYTES_OF_COMPILING);
        work::charge(MAX_BYTES_READ / STEPS_OF_SEARCH);
        Err(Error::new(Kind::Limit, "the text is too long to be searched for this regular expression"))
    }

    /// The range of bytes of the first match; `None` if there is none. Cheaper than [`first_match`](Self::first_match),
    /// which finds the groups too.
    pub(super) fn first_match_span(&self, text: &str) -> Option<Span> {
        self.regex.find(text).map(|found| found.span())
    }

    /// The first match with its groups; `None` if there is none.
    pub(super) fn first_match<'t>(&self, text: &'t str) -> Option<PatternMatch<'t>> {
        let mut groups = self.regex.create_captures();
        self.regex.captures(text, &mut groups);
        groups.is_match().then_some(PatternMatch { text, groups })
    }

    /// All matches that do not overlap, from the start of the text on.
    pub(super) fn all_matches<'t>(&self, text: &'t str) -> impl Iterator<Item = PatternMatch<'t>> {
        self.regex.captures_iter(text).map(move |groups| PatternMatch { text, groups })
    }

    /// The type of a match as a value: string without groups, a tuple of strings for unnamed groups, an object for
    /// named ones. An error if only some groups have names.
    pub(super) fn match_type(&self) -> Result<Type> {
        let named = self.group_names().iter().flatten().count();
        if self.group_names().is_empty() {
            Ok(Type::String)
        } else if named == 0 {
            Type::tuple(self.group_names().iter().map(|_| Type::String))
        } else if named == self.group_names().len() {
            let names: BTreeSet<&str> = self.group_names().iter().flatten().map(|name| &**name).collect();
            Type::object(names.into_iter().map(|name| (name, Type::String)))
        } else {
            let message = "invalid regexp pattern: cannot mix both named and unnamed capture groups";
            Err(Error::new(Kind::Argument, message).in_argument(0))
        }
    }

    /// If the expression is only a class of characters, or one or more of them: the characters, and whether a match is
    /// a longest run of them (`true`) or a single one. `None` for other expressions.
    pub(super) fn class(&self) -> Option<(Vec<(char, char)>, bool)> {
        // It is read again, with a node for each byte at most.
        work::charge(self.regexp.as_str().len());
        shape::class(&self.regexp.translated())
    }

    /// An unknown match: a value of the type [`match_type`](Self::match_type) made of unknown strings, with the facts
    /// that hold for every match in any text or, with `text`, in any string of that language. `None` if no facts are
    /// known.
    pub(super) fn any_match(&self, text: Option<&Language>) -> Option<Value> {
        let [whole, groups @ ..] = &shape::groups(&self.regexp.group_languages()?, text)?[..] else {
            return None;
        };
        match self.group_names().first() {
            None => Some(whole.clone()),
            Some(None) => Value::tuple(groups.iter().cloned()).ok(),
            Some(Some(_)) => {
                let names: BTreeSet<&str> = self.group_names().iter().flatten().map(|name| &**name).collect();
                // Several groups have the same name: which of them gives the value depends on the match.
                if names.len() < groups.len() {
                    return None;
                }
                let named = self.group_names().iter().flatten().map(|name| &**name);
                Value::object(named.zip(groups.iter().cloned())).ok()
            }
        }
    }

    /// A match as a value of the type [`match_type`](Self::match_type): the matched text, or the texts of the groups. A
    /// group that took no part in the match is null; of several groups of the same name the last one counts. Each group
    /// may repeat the whole match, so `work` counts their texts.
    pub(super) fn match_value(&self, found: &PatternMatch<'_>, work: &mut work::Loop) -> Result<Value> {
        let group =
            |number: usize| found.group_text(number).map_or_else(|| Value::null(Type::String), Value::from);
        for number in 0..=self.group_names().len() {
            let bytes = found.group_text(number).map_or(0, str::len);
            work.turn((bytes / work::BYTES).saturating_add(2))?;
        }
        let groups =
            self.group_names().iter().enumerate().map(|(i, name)| (name, group(i.saturating_add(1))));
        match self.group_names().first() {
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

    /// The text with all matches replaced by a template, in which `$1`, `$name` and `${name}` stand for groups and `$$`
    /// for `$`. An error if the result has more than `max_bytes` bytes, or too many references are replaced: they may
    /// all stand for nothing.
    pub(super) fn replace_all(&self, text: &str, template: &str, max_bytes: usize) -> Result<String> {
        let too_long = || Error::new(Kind::Limit, format!("the text would have more than {max_bytes} bytes"));
        let (mut out, mut copied_to) = (String::new(), 0);
        let mut work = work::Loop::default();
        for found in self.all_matches(text) {
            let Some(span) = found.span() else { continue };
            out.push_str(text.get(copied_to..span.start).unwrap_or_default());
            let references = self.expand_template(template, &found, &mut out, max_bytes);
            work.turn((references / REFERENCES_OF_STEP).saturating_add(1))?;
            copied_to = span.end;
            if out.len() > max_bytes {
                // There is no result whose size would tell.
                work.turn(out.len() / work::BYTES)?;
                return Err(too_long());
            }
        }
        out.push_str(text.get(copied_to..).unwrap_or_default());
        if out.len() > max_bytes { Err(too_long()) } else { Ok(out) }
    }

    /// Appends the template to `out`, with the references in it (`$1`, `${name}`) replaced by the groups of the match. Ends early
    /// when `out` has more than `max_bytes` bytes: one match can have many references to a long group. Returns the number
    /// of references.
    fn expand_template(
        &self,
        mut template: &str,
        found: &PatternMatch<'_>,
        out: &mut String,
        max_bytes: usize,
    ) -> usize {
        let mut references = 0_usize;
        while out.len() <= max_bytes
            && let Some((before, after)) = template.split_once('$')
        {
            out.push_str(before);
            references = references.saturating_add(1);
            if let Some(after) = after.strip_prefix('$') {
                out.push('$');
                template = after;
            } else if let Some((name, after)) = split_reference(after) {
                out.push_str(self.referenced_group(name, found).unwrap_or_default());
                template = after;
            } else {
                out.push('$');
                template = after;
            }
        }
        out.push_str(template);
        references
    }

    /// The text of the group with this number or name; `None` if there is no such group, or it took no part in the
    /// match. Of several groups of the same name, the first that took part counts.
    fn referenced_group<'t>(&self, name: &str, found: &PatternMatch<'t>) -> Option<&'t str> {
        let is_number = name.bytes().all(|c| c.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
        let text = |number: usize| found.group_text(number);
        if is_number {
            return text(name.parse().ok()?);
        }
        let named = self.group_names().iter().enumerate().filter(|(_, other)| other.as_deref() == Some(name));
        named.map(|(i, _)| i.saturating_add(1)).find_map(text)
    }
}

/// Splits the text after a `$` into the name or number of a group, without braces, and the rest. `None` if neither
/// follows.
fn split_reference(text: &str) -> Option<(&str, &str)> {
    let (inside, braces) = text.strip_prefix('{').map_or((text, false), |inside| (inside, true));
    let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inside.len());
    let (name, rest) = inside.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
    Some((name, if braces { rest.strip_prefix('}')? } else { rest }))
}
