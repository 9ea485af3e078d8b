//! Times, which YAML writes in several ways, as RFC 3339 has them.

use jiff::civil::DateTime;

/// The time that a text says, to the second: a date, a date and a clock with a zone after `T`, or without one after a
/// space.
pub(super) fn time(text: &str) -> Option<String> {
    let (date, after) = match text.find(['T', 't', ' ']) {
        Some(at) => text.split_at_checked(at)?,
        None => (text, ""),
    };
    let mut parts = date.split('-');
    let (year, month, day) =
        (digits(parts.next()?, 4..=4)?, digits(parts.next()?, 1..=2)?, digits(parts.next()?, 1..=2)?);
    if parts.next().is_some() {
        return None;
    }
    let ([hour, minute, second], zone) = match after.as_bytes() {
        [] => ([0; 3], 0),
        [b' ', ..] => {
            let (clock, rest) = clock(after.trim_start_matches(' '))?;
            (clock, rest.is_empty().then_some(0)?)
        }
        _ => {
            let (clock, rest) = clock(after.get(1..)?)?;
            (clock, zone(rest)?)
        }
    };
    let part = |number: i64| i8::try_from(number).ok();
    DateTime::new(
        i16::try_from(year).ok()?,
        part(month)?,
        part(day)?,
        part(hour)?,
        part(minute)?,
        part(second)?,
        0,
    )
    .ok()?;
    let (sign, ahead) = (if zone < 0 { '-' } else { '+' }, zone.unsigned_abs());
    let zone = match ahead {
        0 => "Z".to_owned(),
        minutes => format!("{sign}{:02}:{:02}", minutes.div_euclid(60), minutes.rem_euclid(60)),
    };
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}"))
}

/// Hours, minutes and seconds, whose fraction is left out, and what follows.
fn clock(text: &str) -> Option<([i64; 3], &str)> {
    let (hour, rest) = text.split_once(':')?;
    let (minute, rest) = rest.split_once(':')?;
    let (second, mut rest) = leading(rest);
    let clock = [digits(hour, 1..=2)?, digits(minute, 1..=2)?, digits(second, 1..=2)?];
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let (fraction, after) = leading(fraction);
        rest = (!fraction.is_empty()).then_some(after)?;
    }
    Some((clock, rest))
}

/// Minutes ahead of UTC.
fn zone(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let (ahead, text) = match text.strip_prefix('+') {
        Some(text) => (1, text),
        None => (-1, text.strip_prefix('-')?),
    };
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2..=2)?, digits(minutes, 2..=2)?);
    (hours <= 24 && minutes <= 60)
        .then(|| hours.saturating_mul(60).saturating_add(minutes).saturating_mul(ahead))
}

/// The digits that a text begins with, and the rest.
fn leading(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// A number of so many digits.
fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> Option<i64> {
    let fits = count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_what_is_in_the_calendar() {
        for (text, expected) in [
            ("2001-1-2", Some("2001-01-02T00:00:00Z")),
            ("2001-12-15T2:59:43.1Z", Some("2001-12-15T02:59:43Z")),
            ("2001-12-14t21:59:43.10-05:00", Some("2001-12-14T21:59:43-05:00")),
            ("2001-12-15   2:59:43,10", Some("2001-12-15T02:59:43Z")),
            ("2001-12-15T02:59:43-00:00", Some("2001-12-15T02:59:43Z")),
            ("2001-12-15T02:59:43+23:60", Some("2001-12-15T02:59:43+24:00")),
            ("0000-1-1", Some("0000-01-01T00:00:00Z")),
            ("2000-2-29", Some("2000-02-29T00:00:00Z")),
            ("1900-2-29", None),
            ("2001-12-15T02:59:43", None),
            ("2001-12-15T02:59:43z", None),
            ("2001-12-15T02:59:43.Z", None),
            ("2001-12-15 02:59:43 Z", None),
            ("2001-12-15T02:59:60Z", None),
            ("2001-1-1 24:0:0", None),
            ("2001-12-15T02:59:43+25:00", None),
            ("2001-001-01", None),
            ("10000-1-1", None),
            ("2001-1-1-", None),
            ("", None),
        ] {
            assert_eq!(time(text).as_deref(), expected, "{text}");
        }
    }
}
