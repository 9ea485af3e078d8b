//! `trimspace`, `trim`, `chomp`, `trimprefix`, `trimsuffix`.

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::{Arguments, Function};
use crate::language::{self, Language, hull};
use crate::types::Type;
use crate::value::Value;

use super::{KnownText, in_language, language_of, string_parameter, string_with_prefix};

/// Registers the functions that trim strings, such as `trimspace` and `trimprefix`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let unary = |name, description, trim: fn(&Value) -> Value| {
        let function = Function::new(name)
            .description(description)
            .parameter(string_parameter("str"))
            .returns(Type::String);
        function.not_null().body_for_all(move |arguments| Ok(trim(arguments.at(0))))
    };
    let trimspace = unary("trimspace", "The string without white space at its start and end.", |text| {
        trim_both_ends(text, char::is_whitespace, white_space)
    });
    functions.push(StandardFunction::shared(trimspace, "the known prefix, without white space at its end"));
    let chomp = unary("chomp", "The string without line breaks at its end.", |text| {
        let known = chomp(KnownText::of(text));
        match language_of(text) {
            Some(language) => in_language(known, trimmed(language, &[('\n', '\n'), ('\r', '\r')], false)),
            None => known,
        }
    });
    functions.push(StandardFunction::shared(chomp, "the known prefix, without line breaks at its end"));
    let binary = |name, description, second, body: fn(&Arguments<'_>) -> Result<Value>| {
        let function = Function::new(name)
            .description(description)
            .parameter(string_parameter("str"))
            .parameter(string_parameter(second));
        function.returns(Type::String).not_null().body_for_all(body)
    };
    let description = "The string without the given characters at its start and end.";
    let trim = binary("trim", description, "cutset", trim);
    functions
        .push(StandardFunction::shared(trim, "the known prefix, without the given characters at its end"));
    let trimprefix = binary("trimprefix", "The string without a prefix.", "prefix", trimprefix);
    let note =
        "the known prefix without the prefix to remove; the whole string, if it certainly starts otherwise";
    functions.push(StandardFunction::shared(trimprefix, note));
    let trimsuffix = binary("trimsuffix", "The string without a suffix.", "suffix", trimsuffix);
    functions.push(StandardFunction::shared(trimsuffix, "the known prefix up to where the suffix may start"));
}

/// The string without the characters that `is_removed` selects, at both ends. They are removed at the end of a known
/// prefix too, since the string may end there. `removed` returns the ranges of these characters.
fn trim_both_ends(
    value: &Value,
    is_removed: impl Fn(char) -> bool,
    removed: impl Fn() -> Vec<(char, char)>,
) -> Value {
    let known = match KnownText::of(value) {
        KnownText::Whole(text) => return Value::from(text.trim_matches(&is_removed)),
        KnownText::Prefix(prefix) => string_with_prefix(prefix.trim_matches(&is_removed)),
    };
    match language_of(value) {
        Some(language) => in_language(known, trimmed(language, &removed(), true)),
        None => known,
    }
}

/// The ranges of the characters that are white space.
fn white_space() -> Vec<(char, char)> {
    ('\0'..='\u{3000}').filter(|c| c.is_whitespace()).map(|c| (c, c)).collect()
}

/// The strings of a language without the characters in the ranges at their end, and with `at_both` at their start.
fn trimmed(language: &Language, removed: &[(char, char)], at_both: bool) -> language::Result {
    let one = hull(Language::class(removed));
    let some = hull(one.star());
    let ends = hull(Language::all().concat(&one));
    let mut rest = hull(hull(language.right_quotient(&some)).difference(&ends));
    if at_both {
        let starts = hull(one.concat(&Language::all()));
        rest = hull(hull(rest.left_quotient(&some)).difference(&starts));
    }
    Ok(rest)
}

/// The string without line breaks at its end.
fn chomp(text: KnownText<'_>) -> Value {
    let without = text.known_prefix().trim_end_matches(['\r', '\n']);
    match text {
        KnownText::Whole(_) => Value::from(without),
        KnownText::Prefix(_) => string_with_prefix(without),
    }
}

/// The body of `trim`.
fn trim(arguments: &Arguments<'_>) -> Result<Value> {
    let (text, cutset) = (KnownText::of(arguments.at(0)), KnownText::of(arguments.at(1)));
    let mut removed: Vec<char> = cutset.known_prefix().chars().collect();
    removed.sort_unstable();
    let is_removed = |c: char| removed.binary_search(&c).is_ok();
    Ok(match (text, cutset) {
        (_, KnownText::Whole(_)) => {
            let ranges = || removed.iter().map(|c| (*c, *c)).collect();
            trim_both_ends(arguments.at(0), is_removed, ranges)
        }
        // An unknown cutset may contain any other character as well.
        (KnownText::Whole(text), _) if text.trim_matches(is_removed).is_empty() => Value::from(""),
        _ => string_with_prefix(""),
    })
}

/// The body of `trimprefix`.
fn trimprefix(arguments: &Arguments<'_>) -> Result<Value> {
    let known = trim_known_prefix(arguments)?;
    Ok(match (language_of(arguments.at(0)), KnownText::of(arguments.at(1))) {
        (Some(language), KnownText::Whole(prefix)) => in_language(known, language.trim_prefix(prefix)),
        _ => known,
    })
}

/// The body of `trimsuffix`.
fn trimsuffix(arguments: &Arguments<'_>) -> Result<Value> {
    let known = trim_known_suffix(arguments)?;
    Ok(match (language_of(arguments.at(0)), KnownText::of(arguments.at(1))) {
        (Some(language), KnownText::Whole(suffix)) => in_language(known, language.trim_suffix(suffix)),
        _ => known,
    })
}

/// `trimprefix` of strings of which the whole or a prefix is known.
fn trim_known_prefix(arguments: &Arguments<'_>) -> Result<Value> {
    let (text, removed) = (KnownText::of(arguments.at(0)), KnownText::of(arguments.at(1)));
    let (known, removed_prefix) = (text.known_prefix(), removed.known_prefix());
    Ok(match (text, removed) {
        (KnownText::Whole(text), KnownText::Whole(prefix)) => {
            Value::from(text.strip_prefix(prefix).unwrap_or(text))
        }
        // The string does not start with the prefix to remove, so nothing is removed.
        (KnownText::Whole(_), _) if !known.starts_with(removed_prefix) => text.value(),
        (KnownText::Prefix(_), _)
            if !known.starts_with(removed_prefix) && !removed_prefix.starts_with(known) =>
        {
            text.value()
        }
        (KnownText::Prefix(_), KnownText::Whole(_)) => {
            string_with_prefix(known.strip_prefix(removed_prefix).unwrap_or_default())
        }
        // An unknown prefix may remove everything that is known; nothing can be removed from the empty string.
        _ if known.is_empty() => text.value(),
        _ => string_with_prefix(""),
    })
}

/// `trimsuffix` of strings of which the whole or a prefix is known.
fn trim_known_suffix(arguments: &Arguments<'_>) -> Result<Value> {
    let (text, suffix) = (KnownText::of(arguments.at(0)), KnownText::of(arguments.at(1)));
    let (known, suffix_prefix) = (text.known_prefix(), suffix.known_prefix());
    let before = |end: usize| string_with_prefix(known.get(..end).unwrap_or_default());
    Ok(match (text, suffix) {
        (KnownText::Whole(text), KnownText::Whole(suffix)) => {
            Value::from(text.strip_suffix(suffix).unwrap_or(text))
        }
        // The suffix may start wherever its known prefix occurs.
        (KnownText::Whole(_), KnownText::Prefix(_)) => match known.find(suffix_prefix) {
            Some(_) if known.is_empty() => text.value(),
            Some(start) => before(start),
            None => text.value(),
        },
        (KnownText::Prefix(_), KnownText::Whole(_)) => {
            before(known.len().saturating_sub(overlap(known, suffix_prefix)))
        }
        (KnownText::Prefix(_), KnownText::Prefix(_)) => {
            let overlapping = || known.len().saturating_sub(overlap(known, suffix_prefix));
            before(known.find(suffix_prefix).unwrap_or_else(overlapping))
        }
    })
}

/// The length in bytes of the longest suffix of `text` that is a prefix of `other`. Takes linear time.
pub(in crate::function::standard) fn overlap(text: &str, other: &str) -> usize {
    let other = other.as_bytes();
    // The failure function of Knuth, Morris and Pratt: for each prefix of `other`, the length of the longest shorter
    // prefix that is also its suffix.
    let mut shorter: Vec<usize> = Vec::with_capacity(other.len());
    let step = |shorter: &[usize], mut same: usize, byte: u8| loop {
        match other.get(same) {
            Some(next) if *next == byte => break same.saturating_add(1),
            _ if same == 0 => break 0,
            _ => same = shorter.get(same.saturating_sub(1)).copied().unwrap_or(0),
        }
    };
    for (i, byte) in other.iter().enumerate() {
        let same = if i == 0 { 0 } else { step(&shorter, shorter.last().copied().unwrap_or(0), *byte) };
        shorter.push(same);
    }
    text.bytes().fold(0, |same, byte| step(&shorter, same, byte))
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn overlaps_are_the_longest() {
        for (text, other, same) in [
            ("ab", "b", 1),
            ("ab", "abc", 2),
            ("aab", "ab", 2),
            ("aaa", "aab", 2),
            ("abab", "abaa", 2),
            ("", "a", 0),
            ("a", "", 0),
            ("aéé", "éé-", 4),
            ("aba", "aba", 3),
            ("abaabab", "ababb", 4),
        ] {
            assert_eq!(overlap(text, other), same, "{text} {other}");
            let tried =
                (0..=other.len()).rev().find(|n| other.get(..*n).is_some_and(|start| text.ends_with(start)));
            assert_eq!(tried, Some(same));
        }
    }
}
