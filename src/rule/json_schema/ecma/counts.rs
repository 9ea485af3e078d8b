//! Rewrites repetition counts: RE2 allows up to 1000, also for nested repetitions multiplied, ECMAScript allows any.

use std::iter::Peekable;
use std::str::Chars;

use super::LENGTH;

/// The maximum count of a repetition, and the maximum product of the counts of nested repetitions.
const MAX_COUNT: usize = 1000;

/// What a repetition repeats (a character, class or group), after it has been written to the output.
#[derive(Clone, Copy)]
struct Operand {
    /// The byte offset in the output at which it starts.
    start: usize,
    /// The largest product of the counts of nested repetitions inside it; 1 without repetitions.
    product: usize,
}

/// Reads `{n}`, `{n,}` or `{n,m}` at the beginning of a string: its length in bytes, the minimum count and the
/// maximum count (`None`: unbounded). `None` if the string begins otherwise.
fn read_counts(text: &str) -> Option<(usize, usize, Option<usize>)> {
    let (least, rest) = number(text.strip_prefix('{')?)?;
    let (most, rest) = match rest.strip_prefix(',') {
        None => (Some(least), rest),
        Some(rest) => number(rest).map_or((None, rest), |(most, rest)| (Some(most), rest)),
    };
    let rest = rest.strip_prefix('}')?;
    Some((text.len().saturating_sub(rest.len()), least, most))
}

/// Splits a string into its leading decimal number and the rest; `None` without a digit, `usize::MAX` for a number
/// too large. Reads only the digits, so that a pattern of many braces is read in linear time.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    (!digits.is_empty()).then(|| (digits.parse().unwrap_or(usize::MAX), rest))
}

/// The number of characters of the rest of a counted repetition, such as 4 for `2,5}`. The characters begin behind the `{`.
/// `None` if no counts follow, so that the brace stands for itself.
pub(super) fn length(mut chars: Peekable<Chars<'_>>) -> Option<usize> {
    let mut digits = || {
        let mut count = 0_usize;
        while chars.next_if(char::is_ascii_digit).is_some() {
            count = count.saturating_add(1);
        }
        (count, chars.next())
    };
    match digits() {
        (0, _) => None,
        (least, Some('}')) => Some(least.saturating_add(1)),
        (least, Some(',')) => match digits() {
            (most, Some('}')) => Some(least.saturating_add(most).saturating_add(2)),
            _ => None,
        },
        _ => None,
    }
}

/// Rewrites each repetition count above 1000 as several smaller ones: `a{1,2500}` is
/// `(?:a{1,1000}a{0,1000}a{0,500})`.
///
/// `None` if the result would be too long, or a count is absurdly large.
pub(super) fn split_counts(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    // The groups that are open, each from its bracket on, and the last complete operand.
    let mut open: Vec<Operand> = Vec::new();
    let mut last: Option<Operand> = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (start, counts) = (out.len(), read_counts(rest));
        if let (Some((length, least, most)), Some(operand)) = (counts, last) {
            rest = rest.get(length..)?;
            let lazy = if rest.starts_with('?') { "?" } else { "" };
            let product = operand.product.checked_mul(most.unwrap_or(least).max(1));
            if product.is_some_and(|product| product <= MAX_COUNT) {
                out.push_str(&counts_text(least, most));
            } else {
                write_repetitions(&mut out, operand, least, most, lazy)?;
                rest = rest.get(lazy.len()..)?;
            }
            let product = product.filter(|product| *product <= MAX_COUNT).unwrap_or(MAX_COUNT);
            last = Some(Operand { product, ..operand });
        } else {
            let length = token_length(rest, c);
            out.push_str(rest.get(..length)?);
            rest = rest.get(length..)?;
            match c {
                '(' => {
                    open.push(Operand { start, product: 1 });
                    last = None;
                }
                ')' => last = open.pop(),
                '|' | '^' | '$' => last = None,
                '*' | '+' | '?' => {}
                _ => last = Some(Operand { start, product: 1 }),
            }
        }
        if let (Some(group), Some(inner)) = (open.last_mut(), last) {
            group.product = group.product.max(inner.product);
        }
        if out.len() > LENGTH {
            return None;
        }
    }
    Some(out)
}

/// The length in bytes of the first token of a regular expression that begins with `c`: an escape, a class, the
/// opening of a group, or a character.
fn token_length(text: &str, c: char) -> usize {
    let to = |end: &str| text.find(end).map_or(text.len(), |at| at.saturating_add(end.len()));
    match c {
        '\\' => match text.chars().nth(1) {
            Some('x' | 'p' | 'P') if text.get(2..).is_some_and(|rest| rest.starts_with('{')) => to("}"),
            sign => sign.map_or(1, char::len_utf8).saturating_add(1),
        },
        '[' => {
            let mut escaped = false;
            let end = text.char_indices().find(|(_, c)| {
                let closes = *c == ']' && !escaped;
                escaped = *c == '\\' && !escaped;
                closes
            });
            end.map_or(text.len(), |(at, _)| at.saturating_add(1))
        }
        '(' if text.starts_with("(?:") => 3,
        c => c.len_utf8(),
    }
}

/// Writes repetition counts: `{1,5}`; a `most` of `None` is unbounded.
fn counts_text(least: usize, most: Option<usize>) -> String {
    match most {
        None => format!("{{{least},}}"),
        Some(most) if most == least => format!("{{{least}}}"),
        Some(most) => format!("{{{least},{most}}}"),
    }
}

/// Rewrites the operand at the end of the output as a group of several repetitions in a row, whose counts add up to
/// `least` and `most` (`None`: unbounded). `lazy` is `?` or empty. `None` if the output gets too long.
fn write_repetitions(
    out: &mut String,
    operand: Operand,
    least: usize,
    most: Option<usize>,
    lazy: &str,
) -> Option<()> {
    let text = out.split_off(operand.start);
    let each = MAX_COUNT.checked_div(operand.product)?.max(1);
    let (mut least, mut most) = (least, most);
    out.push_str("(?:");
    loop {
        let count = each.min(most.unwrap_or(least));
        let (certain, is_last) = (least.min(count), most.is_none() && least <= each);
        out.push_str(&text);
        out.push_str(&counts_text(certain, if is_last { None } else { Some(count) }));
        out.push_str(lazy);
        least = least.saturating_sub(certain);
        most = most.map(|most| most.saturating_sub(count));
        if is_last || most == Some(0) {
            break;
        }
        if out.len() > LENGTH {
            return None;
        }
    }
    out.push(')');
    Some(())
}

#[cfg(test)]
mod tests {
    use super::split_counts;

    #[test]
    fn counts_above_a_thousand_are_split() {
        for (text, expected) in [
            ("a{3,1000}b{2}?", "a{3,1000}b{2}?"),
            ("xa{1,2500}", "x(?:a{1,1000}a{0,1000}a{0,500})"),
            ("a{1200}?", "(?:a{1000}?a{200}?)"),
            ("a{1500,}", "(?:a{1000}a{500,})"),
            ("[a\\]{5000}]{1,1001}", "(?:[a\\]{5000}]{1,1000}[a\\]{5000}]{0,1})"),
            ("(?:[a-z]{500}-){3}", "(?:(?:[a-z]{500}-){2}(?:[a-z]{500}-){1})"),
            ("(a{1001}|b)c", "((?:a{1000}a{1})|b)c"),
            ("\\{2000}\\x{41}{2}", "(?:\\{{1000}\\{{1000})\\x{41}{2}"),
            ("{2000}", "{2000}"),
        ] {
            let text = text.replace("\\{2000}", "\\{{2000}");
            assert_eq!(split_counts(&text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(split_counts("a{1,99999999999999999999}"), None);
        assert_eq!(split_counts(&format!("[{}]{{1,100000}}", "a".repeat(10_000))), None);
    }
}
