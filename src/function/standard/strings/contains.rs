//! `startswith`, `endswith`, `strcontains`.

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::{Arguments, Function};
use crate::language::Language;
use crate::regexp::Regexp;
use crate::types::Type;
use crate::value::Value;

use super::{KnownText, bool_or_unknown, language_of, string_parameter};

/// Registers `startswith`, `endswith` and `strcontains`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let predicate = |name, description, second, test: Test, decide: LanguageTest| {
        let body = move |arguments: &Arguments<'_>| -> Result<Value> {
            let (text, other) = (KnownText::of(arguments.at(0)), KnownText::of(arguments.at(1)));
            let by_language = || match other {
                KnownText::Whole(other) => decide(language_of(arguments.at(0))?, other),
                KnownText::Prefix(_) => None,
            };
            Ok(bool_or_unknown(test(text, other).or_else(by_language)))
        };
        let function = Function::new(name)
            .description(description)
            .parameter(string_parameter("str"))
            .parameter(string_parameter(second));
        let function = function.returns(Type::Bool).not_null().body_for_all(body);
        StandardFunction::language_only(function, "the answer, if the known prefixes or languages decide it")
    };
    functions.push(predicate(
        "startswith",
        "Whether the first string starts with the second.",
        "prefix",
        starts_with,
        // If all strings start with it, the known prefix says so already: only a negative answer is needed.
        |language, prefix| language.contains_all_with_prefix(prefix).filter(|all| !all),
    ));
    functions.push(predicate(
        "endswith",
        "Whether the first string ends with the second.",
        "suffix",
        ends_with,
        |language, suffix| is_match(language, &format!(r"{}\z", regex_syntax::escape(suffix))),
    ));
    functions.push(predicate(
        "strcontains",
        "Whether the first string contains the second.",
        "substr",
        contains,
        |language, part| is_match(language, &regex_syntax::escape(part)),
    ));
}

/// The answer about two strings of which the whole or a prefix is known.
type Test = fn(KnownText<'_>, KnownText<'_>) -> Option<bool>;

/// The answer about all strings of a language and a known string.
type LanguageTest = fn(&Language, &str) -> Option<bool>;

/// Whether a pattern matches all strings of a language (true) or none (false); `None` if it matches some.
fn is_match(language: &Language, pattern: &str) -> Option<bool> {
    language.decides(&*Regexp::cached(pattern).ok()?.language()?)
}

/// Whether `text` starts with `other`; None if that is not known.
fn starts_with(text: KnownText<'_>, other: KnownText<'_>) -> Option<bool> {
    let (prefix, other_prefix) = (text.known_prefix(), other.known_prefix());
    match (text, other) {
        (KnownText::Whole(_), KnownText::Whole(_)) => Some(prefix.starts_with(other_prefix)),
        (_, KnownText::Whole(_)) if prefix.starts_with(other_prefix) => Some(true),
        (KnownText::Whole(_), _) if !prefix.starts_with(other_prefix) => Some(false),
        // Two unknown strings: the answer is certain only if their prefixes differ.
        _ if !prefix.starts_with(other_prefix) && !other_prefix.starts_with(prefix) => Some(false),
        _ => None,
    }
}

/// Whether `text` ends with `other`; None if that is not known.
fn ends_with(text: KnownText<'_>, other: KnownText<'_>) -> Option<bool> {
    match (text, other) {
        (KnownText::Whole(text), KnownText::Whole(other)) => Some(text.ends_with(other)),
        (_, KnownText::Whole("")) => Some(true),
        (KnownText::Whole(text), KnownText::Prefix(other)) if !text.contains(other) => Some(false),
        _ => None,
    }
}

/// Whether `text` contains `other`; None if that is not known.
fn contains(text: KnownText<'_>, other: KnownText<'_>) -> Option<bool> {
    let contains = text.known_prefix().contains(other.known_prefix());
    match (text, other) {
        (KnownText::Whole(_), KnownText::Whole(_)) => Some(contains),
        (_, KnownText::Whole(_)) if contains => Some(true),
        (KnownText::Whole(_), _) if !contains => Some(false),
        _ => None,
    }
}
