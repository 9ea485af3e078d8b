//! Converts the timestamps of YAML, which has several notations for them, to RFC 3339 format.

use jiff::civil::DateTime;

use crate::text::split_digits;

/// The timestamp that a scalar means, in RFC 3339 format without fractions of a second; `None` if it is not a
/// timestamp. It is a date, a date and a time of day with a zone after `T`, or a date and a time of day without a zone
/// after spaces.
pub(super) fn rfc3339_timestamp(text: &str) -> Option<String> {
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
    let ([hour, minute, second], offset) = match after.as_bytes() {
        [] => ([0; 3], 0),
        [b' ', ..] => {
            let (time, rest) = time_of_day(after.trim_start_matches(' '))?;
            (time, rest.is_empty().then_some(0)?)
        }
        _ => {
            let (time, rest) = time_of_day(after.get(1..)?)?;
            (time, zone_minutes(rest)?)
        }
    };
    let to_i8 = |number: i64| i8::try_from(number).ok();
    // Checks that the date and the time exist.
    DateTime::new(
        i16::try_from(year).ok()?,
        to_i8(month)?,
        to_i8(day)?,
        to_i8(hour)?,
        to_i8(minute)?,
        to_i8(second)?,
        0,
    )
    .ok()?;
    let sign = if offset < 0 { '-' } else { '+' };
    let zone = match offset.unsigned_abs() {
        0 => "Z".to_owned(),
        minutes => format!("{sign}{:02}:{:02}", minutes.div_euclid(60), minutes.rem_euclid(60)),
    };
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}"))
}

/// Splits a time of day at the start of a text, as hours, minutes and seconds, from the rest; `None` if there is none.
/// A fraction of a second is dropped.
fn time_of_day(text: &str) -> Option<([i64; 3], &str)> {
    let (hour, rest) = text.split_once(':')?;
    let (minute, rest) = rest.split_once(':')?;
    let (second, mut rest) = split_digits(rest);
    let time = [digits(hour, 1..=2)?, digits(minute, 1..=2)?, digits(second, 1..=2)?];
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let (fraction, after) = split_digits(fraction);
        rest = (!fraction.is_empty()).then_some(after)?;
    }
    Some((time, rest))
}

/// The number of minutes that a zone, such as `+01:30` or `Z`, is ahead of UTC; `None` if it is invalid.
fn zone_minutes(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, text) = match text.strip_prefix('+') {
        Some(text) => (1, text),
        None => (-1, text.strip_prefix('-')?),
    };
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2..=2)?, digits(minutes, 2..=2)?);
    (hours <= 24 && minutes <= 60)
        .then(|| hours.saturating_mul(60).saturating_add(minutes).saturating_mul(sign))
}

/// The number that a text of decimal digits means; `None` if it has other characters, or the number of digits is not in
/// the range `count`.
fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> Option<i64> {
    let fits = count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::rfc3339_timestamp;

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
            assert_eq!(rfc3339_timestamp(text).as_deref(), expected, "{text}");
        }
    }
}
