//! Rules on strings. Of an unknown string, a prefix or a language may be known.

use crate::language::{self, Language};
use crate::refinement::StringLanguage;
use crate::text::nfc;
use crate::types::Type;
use crate::value::Value;

use crate::rule::evaluate::known_text;
use crate::rule::keywords::operand::Operand;
use crate::rule::keywords::{Keyword, row};
use crate::rule::{Format, Networks, Pattern, Rule, Schemes, Words};

/// A rule on strings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextRule {
    /// A string with this prefix.
    StartsWith(String),
    /// A string with this suffix.
    EndsWith(String),
    /// A string that is this one or sorts after it, by code points.
    NotBefore(String),
    /// A string that is this one or sorts before it.
    NotAfter(String),
    /// A string in which a regular expression finds a match; [`Pattern`] says what its syntax means.
    Matches(Pattern),
    /// A string that has a format.
    Format(Format),
    /// A string that is one of these, ignoring case.
    OneOfIgnoringCase(Words),
    /// A string that is none of these, ignoring case.
    NoneOfIgnoringCase(Words),
    /// A string that is a URL with a host and one of some schemes.
    Url(Schemes),
    /// A string that is the CIDR block of a network, with a prefix length in a range.
    CidrNetwork(Networks),
}

impl Rule {
    /// The string has this prefix.
    ///
    /// | the value | `starts_with("vpc-")` |
    /// |---|---|
    /// | `"vpc-0a"`, an unknown that starts with `vpc-0` | pass |
    /// | `"subnet-0a"`, an unknown that is not null and starts with `subnet-` | fail |
    /// | an unknown that starts with `v` | undetermined |
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let name = Value::refined(Type::String, Refinement::pattern("^orders-[a-z]+-db$")?.and_not_null())?;
    /// assert!(Rule::starts_with("orders-").check_value(&name)?.is_pass());
    /// assert!(Rule::ends_with("-db").check_value(&name)?.is_pass());
    /// assert!(Rule::starts_with("orders-eu").check_value(&name)?.is_undetermined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn starts_with(prefix: impl Into<String>) -> Rule {
        Rule::Text(TextRule::StartsWith(prefix.into()))
    }

    /// The string has this suffix.
    ///
    /// [Example](Rule::starts_with)
    pub fn ends_with(suffix: impl Into<String>) -> Rule {
        Rule::Text(TextRule::EndsWith(suffix.into()))
    }

    /// The string is this one or sorts after it, by code points.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// let version = Value::from("2024-10-01");
    /// assert!(Rule::not_before("2024-01-01").check_value(&version)?.is_pass());
    /// assert!(Rule::not_after("2024-06-30").check_value(&version)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn not_before(first: impl Into<String>) -> Rule {
        Rule::Text(TextRule::NotBefore(first.into()))
    }

    /// The string is this one or sorts before it, by code points.
    ///
    /// [Example](Rule::not_before)
    pub fn not_after(last: impl Into<String>) -> Rule {
        Rule::Text(TextRule::NotAfter(last.into()))
    }

    /// The pattern finds a match in the string.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Pattern, Rule};
    ///
    /// let bucket = Rule::matches(Pattern::new("^[a-z0-9.-]{3,63}$")?);
    /// assert!(bucket.check_value(&Value::from("logs.example"))?.is_pass());
    /// assert!(bucket.check_value(&Value::from("Logs"))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn matches(pattern: Pattern) -> Rule {
        Rule::Text(TextRule::Matches(pattern))
    }

    /// The string has this format.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Format, Rule};
    ///
    /// let network = Rule::format(Format::Cidr);
    /// assert!(network.check_value(&Value::from("10.0.0.0/8"))?.is_pass());
    /// assert!(network.check_value(&Value::from("10.0.0.0/33"))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn format(format: Format) -> Rule {
        Rule::Text(TextRule::Format(format))
    }

    /// The string is one of these words, ignoring case.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Rule, Words};
    ///
    /// let level = Rule::one_of_ignoring_case(Words::new(["debug", "info"])?);
    /// assert!(level.check_value(&Value::from("INFO"))?.is_pass());
    /// let reserved = Rule::none_of_ignoring_case(Words::new(["admin", "root"])?);
    /// assert!(reserved.check_value(&Value::from("Root"))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn one_of_ignoring_case(words: Words) -> Rule {
        Rule::Text(TextRule::OneOfIgnoringCase(words))
    }

    /// The string is none of these words, ignoring case.
    ///
    /// [Example](Rule::one_of_ignoring_case)
    pub fn none_of_ignoring_case(words: Words) -> Rule {
        Rule::Text(TextRule::NoneOfIgnoringCase(words))
    }

    /// The string is a URL with a host and one of these schemes.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Rule, Schemes};
    ///
    /// let endpoint = Rule::url(Schemes::new(["https"])?);
    /// assert!(endpoint.check_value(&Value::from("https://example.com/hook"))?.is_pass());
    /// assert!(endpoint.check_value(&Value::from("http://example.com/hook"))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn url(schemes: Schemes) -> Rule {
        Rule::Text(TextRule::Url(schemes))
    }

    /// The string is the CIDR block of a network, with a prefix length in this range.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Networks, Rule};
    ///
    /// let vpc = Rule::cidr_network(Networks::new(16, 28)?);
    /// assert!(vpc.check_value(&Value::from("10.0.0.0/16"))?.is_pass());
    /// // The address is not the one of the network.
    /// assert!(vpc.check_value(&Value::from("10.0.0.1/16"))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn cidr_network(networks: Networks) -> Rule {
        Rule::Text(TextRule::CidrNetwork(networks))
    }
}

impl TextRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(&self) -> &'static Keyword {
        match self {
            TextRule::StartsWith(_) => const { row("starts_with") },
            TextRule::EndsWith(_) => const { row("ends_with") },
            TextRule::NotBefore(_) => const { row("not_before") },
            TextRule::NotAfter(_) => const { row("not_after") },
            TextRule::Matches(_) => const { row("matches") },
            TextRule::Format(_) => const { row("format") },
            TextRule::OneOfIgnoringCase(_) => const { row("one_of_ignoring_case") },
            TextRule::NoneOfIgnoringCase(_) => const { row("none_of_ignoring_case") },
            TextRule::Url(_) => const { row("url") },
            TextRule::CidrNetwork(_) => const { row("cidr_network") },
        }
    }

    /// The argument of the rule, such as the prefix of `starts_with`.
    pub(in crate::rule) fn operand(&self) -> Operand<'_> {
        match self {
            TextRule::StartsWith(text)
            | TextRule::EndsWith(text)
            | TextRule::NotBefore(text)
            | TextRule::NotAfter(text) => Operand::Text(text),
            TextRule::Matches(pattern) => Operand::Pattern(pattern),
            TextRule::Format(format) => Operand::Format(*format),
            TextRule::OneOfIgnoringCase(words) | TextRule::NoneOfIgnoringCase(words) => Operand::Words(words),
            TextRule::Url(schemes) => Operand::Schemes(schemes),
            TextRule::CidrNetwork(networks) => Operand::Networks(networks),
        }
    }

    /// The language of the strings for which the rule holds. The refinement that the rule implies, and its form in JSON
    /// Schema and CEL, are derived from it. `None` if it is not regular, or is that of a pattern that is too large.
    pub(in crate::rule) fn language(&self) -> Option<language::Result> {
        let of_pattern = |pattern: &Pattern| Some(Ok(Language::clone(&*pattern.language()?)));
        match self {
            TextRule::StartsWith(start) => Some(Language::prefix(&nfc(start))),
            TextRule::EndsWith(end) => Some(Language::suffix(&nfc(end))),
            TextRule::NotBefore(first) => Some(Language::not_before(&nfc(first))),
            TextRule::NotAfter(last) => Some(Language::not_after(&nfc(last))),
            TextRule::Matches(pattern) => of_pattern(pattern),
            TextRule::Format(format) => Some(Ok(Language::clone(&*format.language()?))),
            TextRule::OneOfIgnoringCase(words) => of_pattern(words.pattern()),
            TextRule::NoneOfIgnoringCase(words) => Some(Ok(words.pattern().language()?.complement())),
            TextRule::Url(schemes) => of_pattern(schemes.pattern()),
            TextRule::CidrNetwork(_) => None,
        }
    }

    /// A pattern that matches exactly the strings for which the rule holds, for systems that know patterns only. `None`
    /// for rules whose patterns would be long: JSON Schema and CEL write these in another way, or not at all.
    pub(in crate::rule) fn as_pattern(&self) -> Option<Pattern> {
        let is_long = matches!(
            self,
            TextRule::NotBefore(_)
                | TextRule::NotAfter(_)
                | TextRule::Format(_)
                | TextRule::OneOfIgnoringCase(_)
                | TextRule::NoneOfIgnoringCase(_)
                | TextRule::Url(_)
                | TextRule::CidrNetwork(_)
        );
        if is_long {
            return None;
        }
        Pattern::new(&self.language()?.ok()?.to_regex()?).ok()
    }

    /// Whether the rule holds for a value that is not null. `None` if that depends on unknowns.
    pub(in crate::rule) fn holds(&self, value: &Value) -> Option<bool> {
        match self {
            TextRule::StartsWith(start) => starts_with(value, start),
            TextRule::EndsWith(end) => ends_with(value, end),
            TextRule::NotBefore(first) => not_before(value, first),
            TextRule::NotAfter(last) => not_after(value, last),
            TextRule::Matches(pattern) => matches(value, pattern),
            TextRule::Format(format) => is_in_language(
                value,
                |text| format.accepts(text),
                |known| format.contains_all_with_prefix(known),
                |known| format.decides_language(known),
            ),
            TextRule::OneOfIgnoringCase(words) => matches(value, words.pattern()),
            TextRule::NoneOfIgnoringCase(words) => matches(value, words.pattern()).map(|is| !is),
            TextRule::Url(schemes) => matches(value, schemes.pattern()),
            TextRule::CidrNetwork(networks) => is_in_language(
                value,
                |text| networks.has(text),
                |known| networks.pattern().contains_all_with_prefix(known),
                // The pattern does not check the address bits of IPv6.
                |known| networks.pattern().decides_language(known).filter(|all| !all),
            ),
        }
    }
}

/// Whether the string starts with `start`.
///
/// | known prefix `p` | answer |
/// |---|---|
/// | starts with `start` | holds |
/// | `p` is a shorter prefix of `start` | depends |
/// | anything else | does not hold |
///
/// A language that is not excluded by its common prefix may still have no string that starts so.
fn starts_with(value: &Value, start: &str) -> Option<bool> {
    let start = nfc(start);
    if let Some(text) = known_text(value) {
        return Some(text.starts_with(&*start));
    }
    if let Some(language) = language_of(value) {
        let all = language.prefix().starts_with(&*start).then_some(true);
        return all.or_else(|| language.contains_all_with_prefix(&start).filter(|all| !all));
    }
    decide_by_prefix(value, |known| {
        if known.starts_with(&*start) {
            Some(true)
        } else if start.starts_with(known) {
            None
        } else {
            Some(false)
        }
    })
}

/// Whether the string is `first` or sorts after it.
///
/// Every string with the prefix `p` is at least `p`; and if `p` is not a prefix of `first`, all such strings are on
/// the same side of `first`.
///
/// | known prefix `p` | answer |
/// |---|---|
/// | is `first` or after it | holds |
/// | `p` is a shorter prefix of `first` | depends |
/// | anything else | does not hold |
fn not_before(value: &Value, first: &str) -> Option<bool> {
    let first = nfc(first);
    if let Some(text) = known_text(value) {
        return Some(text >= &*first);
    }
    if let Some(language) = language_of(value) {
        let sides = language.language().sides_of(&first);
        return one_of_two(sides.equal || sides.after, sides.before);
    }
    decide_by_prefix(value, |known| {
        (known >= &*first || !first.starts_with(known)).then_some(known >= &*first)
    })
}

/// Whether the string is `last` or sorts before it.
///
/// | known prefix `p` | answer |
/// |---|---|
/// | is after `last` | does not hold |
/// | is `last` or a prefix of it | depends |
/// | anything else | holds |
fn not_after(value: &Value, last: &str) -> Option<bool> {
    let last = nfc(last);
    if let Some(text) = known_text(value) {
        return Some(text <= &*last);
    }
    if let Some(language) = language_of(value) {
        let sides = language.language().sides_of(&last);
        return one_of_two(sides.equal || sides.before, sides.after);
    }
    decide_by_prefix(value, |known| (!last.starts_with(known)).then_some(known <= &*last))
}

/// Whether the string ends with `end`. A prefix decides nothing about the end of a string.
fn ends_with(value: &Value, end: &str) -> Option<bool> {
    let end = nfc(end);
    is_in_language(
        value,
        |text| text.ends_with(&*end),
        |_| end.is_empty().then_some(true),
        |known| Pattern::cached(&format!(r"{}\z", regex_syntax::escape(&end)))?.decides_language(known),
    )
}

/// Whether the string contains `part`.
pub(super) fn contains(value: &Value, part: &str) -> Option<bool> {
    is_in_language(
        value,
        |text| text.contains(part),
        |known| known.contains(part).then_some(true),
        |known| Pattern::cached(&regex_syntax::escape(part))?.decides_language(known),
    )
}

/// Whether the pattern matches the string.
fn matches(value: &Value, pattern: &Pattern) -> Option<bool> {
    is_in_language(
        value,
        |text| pattern.is_match(text),
        |known| pattern.contains_all_with_prefix(known),
        |known| pattern.decides_language(known),
    )
}

/// Whether the string is in a set of strings. `accepts` decides a known string, `decides_language` and
/// `contains_all_with_prefix` an unknown one by its known language or prefix.
///
/// If `decides_language` returns `None`, each string of a language of bounded size is tried; after that the common
/// prefix of the language may decide.
fn is_in_language(
    value: &Value,
    accepts: impl Fn(&str) -> bool,
    contains_all_with_prefix: impl FnOnce(&str) -> Option<bool>,
    decides_language: impl FnOnce(&Language) -> Option<bool>,
) -> Option<bool> {
    if let Some(text) = known_text(value) {
        return Some(accepts(text));
    }
    let Some(known) = language_of(value) else { return decide_by_prefix(value, contains_all_with_prefix) };
    let by_member = || {
        let members = known.language().members()?;
        let accepted = members.iter().filter(|member| accepts(member)).count();
        one_of_two(accepted > 0, accepted < members.len())
    };
    decides_language(known.language()).or_else(by_member).or_else(|| contains_all_with_prefix(known.prefix()))
}

/// Whether all strings are inside (true) or all are outside (false). `None` if there are strings on both sides, or on
/// neither.
fn one_of_two(some_inside: bool, some_outside: bool) -> Option<bool> {
    (some_inside != some_outside).then_some(some_inside)
}

/// The language of an unknown string, if one is known that is more than a prefix.
pub(super) fn language_of(value: &Value) -> Option<&StringLanguage> {
    value.refinement()?.string_language()
}

/// Whether the value certainly has the type string.
fn is_string(value: &Value) -> bool {
    value.ty() == Type::String
}

/// Decides by the known prefix of an unknown string, which may be empty; `None` if the value may not be a string.
fn decide_by_prefix(value: &Value, answer: impl FnOnce(&str) -> Option<bool>) -> Option<bool> {
    if let Some((ty, refinement)) = value.bare_unknown() {
        return if *ty == Type::String { answer(refinement.prefix_str().unwrap_or_default()) } else { None };
    }
    if !is_string(value) {
        return None;
    }
    answer(value.range().prefix().unwrap_or_default())
}
