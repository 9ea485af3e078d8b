//! The formats of `formatdate`: a run of one letter, such as `YYYY`, stands for a part of the time, and text in single
//! quotes for itself.

use jiff::civil::Weekday;

use crate::text::QuotedInMessage;
use crate::text::calendar::{DAYS, MONTHS};

use super::timestamp::Timestamp;

/// The maximum number of bytes of the regular expression of a format.
const MAX_PATTERN: usize = 256;

/// A segment of a date format: literal text or a verb.
enum Piece<'a> {
    /// Literal text, without the quotes around it.
    Text(String),
    /// A run of one letter, such as `YYYY`: the letter, and the run.
    Verb(char, &'a str),
}

/// The time written in this format; the error is a message about the format.
pub(super) fn format_time(format: &str, time: &Timestamp) -> Result<String, String> {
    let mut out = String::new();
    for piece in pieces(format) {
        match piece? {
            Piece::Text(text) => out.push_str(&text),
            Piece::Verb(letter, verb) => out.push_str(&verb_text(letter, verb, time)?),
        }
    }
    Ok(out)
}

/// What every time written in this format starts with, and a regular expression that all of them match, if the format is short and
/// of ASCII. The error is a message about the format.
pub(super) fn shape(format: &str) -> Result<(String, Option<String>), String> {
    let (mut prefix, mut has_verb, mut pattern) = (String::new(), false, "^".to_owned());
    // The errors of verbs do not depend on the time.
    let any_time = Timestamp::parse("2000-01-01T00:00:00Z")?;
    for piece in pieces(format) {
        match piece? {
            Piece::Text(text) => {
                if !has_verb {
                    prefix.push_str(&text);
                }
                pattern.push_str(&regex_syntax::escape(&text));
            }
            Piece::Verb(letter, verb) => {
                verb_text(letter, verb, &any_time)?;
                has_verb = true;
                pattern.push_str(&verb_pattern(letter, verb));
            }
        }
    }
    pattern.push('$');
    // What follows is ASCII, which never joins the last character of the prefix.
    Ok((prefix, Some(pattern).filter(|pattern| pattern.is_ascii() && pattern.len() <= MAX_PATTERN)))
}

/// A regular expression of the texts that a verb of [`verb_text`] writes.
fn verb_pattern(letter: char, verb: &str) -> String {
    let any_of = |names: &[&str], length: usize| {
        let names: Vec<&str> = names.iter().map(|name| name.get(..length).unwrap_or(name)).collect();
        format!("(?:{})", names.join("|"))
    };
    let pattern = match (letter, verb.len()) {
        ('Y', 2) => "[0-9]{2}",
        ('Y', _) => "[0-9]{4}",
        ('M', 1) => "(?:[1-9]|1[0-2])",
        ('M', 2) => "(?:0[1-9]|1[0-2])",
        ('M', 3) => return any_of(&MONTHS, 3),
        ('M', _) => return any_of(&MONTHS, usize::MAX),
        ('D', 1) => "(?:[1-9]|[12][0-9]|3[01])",
        ('D', _) => "(?:0[1-9]|[12][0-9]|3[01])",
        ('E', 3) => return any_of(&DAYS, 3),
        ('E', _) => return any_of(&DAYS, usize::MAX),
        ('h', 1) => "(?:1?[0-9]|2[0-3])",
        ('h', _) => "(?:[01][0-9]|2[0-3])",
        ('H', 1) => "(?:[1-9]|1[0-2])",
        ('H', _) => "(?:0[1-9]|1[0-2])",
        ('A', _) => "[AP]M",
        ('a', _) => "[ap]m",
        ('m' | 's', 1) => "[1-5]?[0-9]",
        ('m' | 's', _) => "[0-5][0-9]",
        ('Z', 1) => "(?:Z|[-+][0-9]{2}:[0-9]{2})",
        ('Z', 3) => "(?:UTC|[-+][0-9]{4})",
        ('Z', 4) => "[-+][0-9]{4}",
        _ => "[-+][0-9]{2}:[0-9]{2}",
    };
    pattern.to_owned()
}

/// The segments of a date format, each of which may be an error message.
fn pieces(format: &str) -> impl Iterator<Item = Result<Piece<'_>, String>> {
    let mut rest = format;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match first {
            '\'' => quoted_length(rest),
            c if c.is_ascii_alphabetic() => rest.chars().take_while(|other| *other == c).count(),
            _ => rest.find(|c: char| c == '\'' || c.is_ascii_alphabetic()).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        rest = after;
        Some(match first {
            '\'' => unquoted(piece).map(Piece::Text),
            c if c.is_ascii_alphabetic() => Ok(Piece::Verb(c, piece)),
            _ => Ok(Piece::Text(piece.to_owned())),
        })
    })
}

/// The length in bytes of the literal at the start, with its single quotes. A doubled quote inside does not end it.
/// Without a closing quote, the length of the whole text.
fn quoted_length(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1).peekable();
    if text.starts_with("''") {
        return 2;
    }
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\'' && bytes.next_if(|(_, next)| *next == b'\'').is_none() {
            return at.saturating_add(1);
        }
    }
    text.len()
}

/// The text between the single quotes of a literal in a date format, in which `''` is one quote. An error if the
/// closing quote is missing.
fn unquoted(quoted: &str) -> Result<String, String> {
    if quoted == "''" {
        return Ok("'".to_owned());
    }
    let inside = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inside.map(|text| text.replace("''", "'")).ok_or_else(|| "unterminated literal '".to_owned())
}

/// The text that a verb writes for a time. `verb` is a run of `letter`, such as `MM`. The error is a message that there
/// is no verb of this length.
fn verb_text(letter: char, verb: &str, time: &Timestamp) -> Result<String, String> {
    let (date, clock) = (time.civil.date(), time.civil.time());
    let twelve_hour = match clock.hour().checked_rem(12) {
        None | Some(0) => 12,
        Some(hour) => hour,
    };
    let month = usize::from(date.month().unsigned_abs()).saturating_sub(1);
    let month = MONTHS.get(month).copied().unwrap_or_default();
    let half = if clock.hour() < 12 { "AM" } else { "PM" };
    let short = |name: &str| name.get(..3).unwrap_or(name).to_owned();
    let why = match (letter, verb.len()) {
        ('Y', 2) => return Ok(format!("{:02}", date.year().checked_rem(100).unwrap_or(0))),
        ('Y', 4) => return Ok(format!("{:04}", date.year())),
        ('M', 1) => return Ok(date.month().to_string()),
        ('M', 2) => return Ok(format!("{:02}", date.month())),
        ('M', 3) => return Ok(short(month)),
        ('M', 4) => return Ok(month.to_owned()),
        ('D', 1) => return Ok(date.day().to_string()),
        ('D', 2) => return Ok(format!("{:02}", date.day())),
        ('E', 3) => return Ok(short(weekday_name(date.weekday()))),
        ('E', 4) => return Ok(weekday_name(date.weekday()).to_owned()),
        ('h', 1) => return Ok(clock.hour().to_string()),
        ('h', 2) => return Ok(format!("{:02}", clock.hour())),
        ('H', 1) => return Ok(twelve_hour.to_string()),
        ('H', 2) => return Ok(format!("{twelve_hour:02}")),
        ('A', 2) => return Ok(half.to_owned()),
        ('a', 2) => return Ok(half.to_lowercase()),
        ('m', 1) => return Ok(clock.minute().to_string()),
        ('m', 2) => return Ok(format!("{:02}", clock.minute())),
        ('s', 1) => return Ok(clock.second().to_string()),
        ('s', 2) => return Ok(format!("{:02}", clock.second())),
        ('Z', 1) if time.offset == 0 => return Ok("Z".to_owned()),
        ('Z', 3) if time.offset == 0 => return Ok("UTC".to_owned()),
        ('Z', 1 | 5) => return Ok(time.offset_text(":")),
        ('Z', 3 | 4) => return Ok(time.offset_text("")),
        ('Y', _) => ": year must either be \"YY\" or \"YYYY\"",
        ('M', _) => ": month must be \"M\", \"MM\", \"MMM\", or \"MMMM\"",
        ('D', _) => ": day of month must either be \"D\" or \"DD\"",
        ('E', _) => ": day of week must either be \"EEE\" or \"EEEE\"",
        ('h', _) => ": 24-hour must either be \"h\" or \"hh\"",
        ('H', _) => ": 12-hour must either be \"H\" or \"HH\"",
        ('A', _) => ": must be \"AA\"",
        ('a', _) => ": must be \"aa\"",
        ('m', _) => ": minute must either be \"m\" or \"mm\"",
        ('s', _) => ": second must either be \"s\" or \"ss\"",
        ('Z', _) => ": timezone must be Z, ZZZZ, or ZZZZZ",
        _ => "",
    };
    Err(format!("invalid date format verb {}{why}", QuotedInMessage(verb)))
}

/// The English name of a day of the week.
fn weekday_name(day: Weekday) -> &'static str {
    usize::try_from(day.to_monday_zero_offset())
        .ok()
        .and_then(|day| DAYS.get(day))
        .copied()
        .unwrap_or_default()
}
