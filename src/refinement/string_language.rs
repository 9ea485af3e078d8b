//! Languages of strings: what a prefix cannot express.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use unicode_normalization::is_nfc;

use super::{Prefix, Range};
use crate::language::{self, Language};
use crate::text::{Text, nfc};

/// A set of strings that is neither empty, nor all strings, nor the strings with a prefix.
///
/// Only the strings in normalization form C count, as everywhere in values. Equality, order and hash are those of the
/// [`Language`], whose representation is canonical. A clone shares the automaton.
///
/// ```
/// use plantime::{Range, Refinement};
///
/// let id = Refinement::pattern("^vpc-[0-9a-f]{17}$")?;
/// let Range::Language(id) = id.range() else { unreachable!() };
/// assert!(id.contains("vpc-0123456789abcdef0"));
/// assert_eq!(id.prefix(), "vpc-");
/// assert_eq!(id.language().shortest(), Some(21));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone)]
pub struct StringLanguage(Arc<Shared>);

/// What clones of one language share.
struct Shared {
    language: Language,
    /// The longest common prefix, which each reader of a known prefix asks for.
    prefix: Text,
}

/// The maximum number of text forms that are cached: at most a few MiB.
const FORMS_CACHED: usize = 256;

/// The text form that says the language most plainly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All strings with a suffix.
    Suffix(String),
    /// All strings with a length in a range.
    Lengths(u32, Option<u32>),
    /// All strings that contain a string.
    Containing(String),
    /// All strings that start with one string and go on to end with another.
    Enclosed(String, String),
    /// The given strings.
    OneOf(Vec<String>),
    /// The strings in which a pattern finds a match.
    Pattern(String),
    /// The automaton itself: no pattern of a bounded length is known to read back as the same language.
    Table(String),
}

impl StringLanguage {
    /// The language of the strings.
    ///
    /// [Example](StringLanguage)
    pub fn language(&self) -> &Language {
        &self.0.language
    }

    /// The longest prefix that all strings have in common, which may be empty.
    ///
    /// [Example](StringLanguage)
    pub fn prefix(&self) -> &str {
        &self.0.prefix
    }

    /// Whether the string, in normalization form C, is in the set. Linear in the string.
    ///
    /// [Example](StringLanguage)
    pub fn contains(&self, string: &str) -> bool {
        self.0.language.contains(&nfc(string))
    }

    /// Whether every string with the prefix (true), or none (false), is in the set; `None` if some are. Linear in the
    /// prefix, which is in normalization form C.
    pub(crate) fn contains_all_with_prefix(&self, prefix: &str) -> Option<bool> {
        self.0.language.contains_all_with_prefix(prefix)
    }

    /// The only string of the set; `None` if it has several.
    pub(crate) fn single(&self) -> Option<&str> {
        let prefix = &self.0.prefix;
        // The automaton of a string has a state for each character, the start, and one where nothing is accepted.
        let states = prefix.chars().count().checked_add(2)?;
        let is_single = self.0.language.states() == states && self.0.language.as_literal().is_some();
        is_single.then_some(prefix.as_str())
    }

    /// The prefix and the suffix, of which one may be empty, if the language is that of all strings that start with the
    /// one and go on to end with the other.
    pub(crate) fn ends(&self) -> Option<(String, String)> {
        match &*self.form() {
            Form::Suffix(suffix) => Some((String::new(), suffix.clone())),
            Form::Enclosed(prefix, suffix) => Some((prefix.clone(), suffix.clone())),
            _ => None,
        }
    }

    /// The text form that says the language most plainly. It reads back as the same language.
    ///
    /// It is cached outside the language: with a cell in it, values would no longer be plain keys of maps.
    pub(super) fn form(&self) -> Arc<Form> {
        static FORMS: LazyLock<Mutex<HashMap<Language, Arc<Form>>>> = LazyLock::new(Mutex::default);
        let forms = || FORMS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(form) = forms().get(&self.0.language) {
            return Arc::clone(form);
        }
        let form = Arc::new(Form::of(&self.0.language));
        let mut forms = forms();
        if forms.len() >= FORMS_CACHED {
            forms.clear();
        }
        forms.insert(self.0.language.clone(), Arc::clone(&form));
        form
    }
}

impl Form {
    /// The shortest text form that says the whole of the language.
    fn of(language: &Language) -> Form {
        if let Some(members) = language.members() {
            return Form::OneOf(members);
        }
        if let Some((least, most)) = language.as_lengths() {
            return Form::Lengths(least, most);
        }
        // A text that is not in form C would be read as another one.
        if let Some(suffix) = language.as_suffix().filter(|suffix| is_nfc(suffix)) {
            return Form::Suffix(suffix);
        }
        if let Some(text) = language.contained().filter(|text| is_nfc(text)) {
            return Form::Containing(text);
        }
        if let Some((prefix, suffix)) = language.enclosed()
            && is_nfc(&suffix)
        {
            return Form::Enclosed(prefix, suffix);
        }
        // An expression of thousands of characters may be beyond the bounds of patterns, so it is read once.
        let reads_back =
            |text: &String| crate::regexp::language(text).is_ok_and(|read| read.as_ref() == Ok(language));
        match language.to_regex().filter(reads_back) {
            Some(pattern) => Form::Pattern(pattern),
            None => Form::Table(language.to_table()),
        }
    }
}

impl Range {
    /// The range of the strings of a language in canonical form; `None` if it is certainly empty.
    ///
    /// Not all strings of the language need be in normalization form C. Where a bounded number of strings is left, or
    /// all start with the same string, those that are not are removed.
    pub(crate) fn of_language(language: Language) -> Option<Range> {
        let language = if language.is_below_marks() { language } else { normal_strings(language)? };
        if language.is_empty() {
            return None;
        }
        if language.is_all() {
            return Some(Range::Any);
        }
        let prefix = language.common_prefix();
        // What starts with a string that is not in form C is not in that form.
        if !is_nfc(&prefix) {
            return None;
        }
        if language.contains_all_with_prefix(&prefix) == Some(true)
            && let Some(prefix) = Prefix::new(&prefix)
            && Language::prefix(prefix.as_str()).is_ok_and(|all| all == language)
        {
            return Some(Range::Prefix(prefix));
        }
        let shared = Shared { language, prefix: Text::from(prefix) };
        Some(Range::Language(StringLanguage(Arc::new(shared))))
    }

    /// The range of a language, or of a larger one where it is too large; `None` if it is certainly empty.
    pub(crate) fn of_hull(language: language::Result) -> Option<Range> {
        Range::of_language(language.unwrap_or_else(language::TooLarge::into_hull))
    }

    /// Whether a string in normalization form C is in the range.
    #[inline]
    #[doc(hidden)]
    pub fn contains_string(&self, text: &str) -> bool {
        match self {
            Range::Any => true,
            Range::Prefix(prefix) => text.starts_with(prefix.as_str()),
            Range::Language(language) => language.language().contains(text),
            Range::Number(_)
            | Range::Multiples(_)
            | Range::Numbers(_)
            | Range::Length(_)
            | Range::Elements(_)
            | Range::Structure(_) => false,
        }
    }
}

/// The language without some strings that are not in normalization form C, where their number is bounded; `None` if
/// no string is left.
fn normal_strings(language: Language) -> Option<Language> {
    let Some(members) = language.members() else { return Some(language) };
    if members.iter().all(|text| is_nfc(text)) {
        return Some(language);
    }
    let normal: Vec<&String> = members.iter().filter(|text| is_nfc(text)).collect();
    if normal.is_empty() { None } else { Some(Language::one_of(normal).unwrap_or(language)) }
}

impl PartialEq for StringLanguage {
    fn eq(&self, other: &StringLanguage) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.language == other.0.language
    }
}

impl Eq for StringLanguage {}

impl Ord for StringLanguage {
    fn cmp(&self, other: &StringLanguage) -> Ordering {
        self.0.language.cmp(&other.0.language)
    }
}

impl PartialOrd for StringLanguage {
    fn partial_cmp(&self, other: &StringLanguage) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for StringLanguage {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.language.hash(state);
    }
}

impl fmt::Debug for StringLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StringLanguage({self})")
    }
}
