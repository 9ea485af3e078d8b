//! Cutting off what stands at the start or the end.

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::{Arguments, Function};
use crate::types::Type;
use crate::value::Value;

use super::{Known, starting, text};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let one = |name, description, cut: fn(Known<'_>) -> Value| {
        let function =
            Function::new(name).description(description).parameter(text("str")).returns(Type::String);
        function.not_null().body_for_all(move |arguments| Ok(cut(Known::of(arguments.at(0)))))
    };
    let of_space = |text: Known<'_>| between(text, char::is_whitespace);
    all.push(Standard::both(one(
        "trimspace",
        "The text without white space at its start and its end.",
        of_space,
    )));
    all.push(Standard::both(one("chomp", "The text without line breaks at its end.", chomp)));
    let two = |name, description, second, cut: fn(&Arguments<'_>) -> Result<Value>| {
        let function =
            Function::new(name).description(description).parameter(text("str")).parameter(text(second));
        function.returns(Type::String).not_null().body_for_all(cut)
    };
    all.push(Standard::both(two(
        "trim",
        "The text without these characters at its start and its end.",
        "cutset",
        trim,
    )));
    all.push(Standard::both(two("trimprefix", "The text without this at its start.", "prefix", trimprefix)));
    all.push(Standard::both(two("trimsuffix", "The text without this at its end.", "suffix", trimsuffix)));
}

/// Without characters at both ends. Those at the end of what is known may be those at the end of the text; where there
/// are no others, the text begins with something else.
fn between(text: Known<'_>, cut: impl Fn(char) -> bool) -> Value {
    match text {
        Known::Whole(text) => Value::from(text.trim_matches(&cut)),
        Known::Start(start) => starting(start.trim_matches(&cut)),
    }
}

fn chomp(text: Known<'_>) -> Value {
    let without = text.start().trim_end_matches(['\r', '\n']);
    match text {
        Known::Whole(_) => Value::from(without),
        Known::Start(_) => starting(without),
    }
}

fn trim(arguments: &Arguments<'_>) -> Result<Value> {
    let (text, cutset) = (Known::of(arguments.at(0)), Known::of(arguments.at(1)));
    let mut cut: Vec<char> = cutset.start().chars().collect();
    cut.sort_unstable();
    let is_cut = |c: char| cut.binary_search(&c).is_ok();
    Ok(match (text, cutset) {
        (_, Known::Whole(_)) => between(text, is_cut),
        // Any other character may be cut off as well.
        (Known::Whole(text), _) if text.trim_matches(is_cut).is_empty() => Value::from(""),
        _ => starting(""),
    })
}

fn trimprefix(arguments: &Arguments<'_>) -> Result<Value> {
    let (text, prefix) = (Known::of(arguments.at(0)), Known::of(arguments.at(1)));
    let (has, cut) = (text.start(), prefix.start());
    Ok(match (text, prefix) {
        (Known::Whole(text), Known::Whole(prefix)) => Value::from(text.strip_prefix(prefix).unwrap_or(text)),
        // Both begin otherwise, so that nothing is cut off.
        (Known::Whole(_), _) if !has.starts_with(cut) => text.value(),
        (Known::Start(_), _) if !has.starts_with(cut) && !cut.starts_with(has) => text.value(),
        (Known::Start(_), Known::Whole(_)) => starting(has.strip_prefix(cut).unwrap_or_default()),
        // It may all be cut off.
        _ if has.is_empty() => text.value(),
        _ => starting(""),
    })
}

fn trimsuffix(arguments: &Arguments<'_>) -> Result<Value> {
    let (text, suffix) = (Known::of(arguments.at(0)), Known::of(arguments.at(1)));
    let (has, cut) = (text.start(), suffix.start());
    let before = |cut: usize| starting(has.get(..cut).unwrap_or_default());
    Ok(match (text, suffix) {
        (Known::Whole(text), Known::Whole(suffix)) => Value::from(text.strip_suffix(suffix).unwrap_or(text)),
        // The suffix begins at any place where what is known of it stands.
        (Known::Whole(_), Known::Start(_)) => match has.find(cut) {
            Some(_) if has.is_empty() => text.value(),
            Some(at) => before(at),
            None => text.value(),
        },
        (Known::Start(_), Known::Whole(_)) => before(has.len().saturating_sub(overlap(has, cut))),
        (Known::Start(_), Known::Start(_)) => {
            before(has.find(cut).unwrap_or(has.len().saturating_sub(overlap(has, cut))))
        }
    })
}

/// How many bytes at the end of a text are the start of another one, at most. Linear in both.
pub(in crate::function::standard) fn overlap(text: &str, other: &str) -> usize {
    let other = other.as_bytes();
    // After Knuth, Morris and Pratt: for each start of `other`, the longest shorter start that it ends with.
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
