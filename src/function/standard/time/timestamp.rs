//! The strict parser of RFC 3339 timestamps, with the error messages of cty.

use std::fmt;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use crate::text::QuotedInMessage;

/// A date and time of day in a zone that has an offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Timestamp {
    /// The date and the time of day, as they are in the zone.
    pub(super) civil: DateTime,
    /// The number of minutes that the zone is ahead of UTC.
    pub(super) offset: i32,
}

impl Timestamp {
    /// Parses a timestamp in RFC 3339 format; the error is the message of cty.
    pub(super) fn parse(text: &str) -> Result<Timestamp, String> {
        let mut rest = Rest(text);
        let year = rest.number(4, "year")?;
        rest.literal('-')?;
        let month = rest.two_digits(1, 12, "month")?;
        rest.literal('-')?;
        let day = rest.number(2, "day of month")?;
        if !rest.skip('T') {
            return Err("missing required time introducer 'T'".to_owned());
        }
        let (hour, has_one_digit) = rest.hour()?;
        rest.literal(':')?;
        let minute = rest.minute()?;
        rest.literal(':')?;
        let second = rest.two_digits(0, 59, "second")?;
        let (separator, nanoseconds) = rest.fraction();
        let offset = rest.offset()?;
        if !rest.0.is_empty() {
            return Err(rest.error_at_rest("timestamp segment"));
        }
        let civil = to_i16(year).zip(to_i16(month)).zip(to_i16(day)).and_then(|((year, month), day)| {
            let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
            let (hour, minute, second) =
                (i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, i8::try_from(second).ok()?);
            Some(DateTime::from_parts(date, Time::new(hour, minute, second, nanoseconds).ok()?))
        });
        let civil = civil.ok_or("day out of range")?;
        // cty reports what Go's parser accepts and RFC 3339 does not allow after all other errors.
        if has_one_digit {
            return Err("hour must have exactly two digits".to_owned());
        }
        if separator == Some(',') {
            return Err("cannot use \",\" as timestamp segment".to_owned());
        }
        Ok(Timestamp { civil, offset: offset.minutes()? })
    }

    /// The time this many nanoseconds later, in the same zone. `None` if it is beyond the calendar of dates.
    pub(super) fn plus_nanoseconds(self, nanoseconds: i64) -> Option<Timestamp> {
        let civil = self.civil.checked_add(SignedDuration::from_nanos(nanoseconds)).ok()?;
        Some(Timestamp { civil, ..self })
    }

    /// The duration from the start of the calendar in UTC to this time: equal for the same instant in two zones.
    pub(super) fn instant(self) -> SignedDuration {
        let local = self.civil.duration_since(DateTime::MIN);
        local.saturating_sub(SignedDuration::from_mins(self.offset.into()))
    }

    /// The offset from UTC as `±hh`, the separator and `mm`.
    pub(super) fn offset_text(&self, separator: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs();
        let (hours, minutes) = (minutes.checked_div(60).unwrap_or(0), minutes.checked_rem(60).unwrap_or(0));
        format!("{sign}{hours:02}{separator}{minutes:02}")
    }
}

/// The number as `i16`; `None` if it is too large.
fn to_i16(number: u32) -> Option<i16> {
    i16::try_from(number).ok()
}

/// RFC 3339 format, without fractions of a second.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = (self.civil.date(), self.civil.time());
        write!(f, "{:04}-{:02}-{:02}T", date.year(), date.month(), date.day())?;
        write!(f, "{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())?;
        if self.offset == 0 { f.write_str("Z") } else { f.write_str(&self.offset_text(":")) }
    }
}

/// A parser of timestamps: the text that is not parsed yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// Skips a character, and returns true; false if the text does not continue with it.
    fn skip(&mut self, c: char) -> bool {
        let rest = self.0.strip_prefix(c);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Skips a character; an error if the text does not continue with it.
    fn literal(&mut self, c: char) -> Result<(), String> {
        match self.skip(c) {
            true => Ok(()),
            false if self.0.is_empty() => Err(format!("end of string where \"{c}\" is expected")),
            false => Err(format!("found {} where \"{c}\" is expected", QuotedInMessage(self.0))),
        }
    }

    /// Reads a number of exactly `count` digits. `None`, and nothing is read, if they do not come next.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
        self.0 = rest;
        Some(number)
    }

    /// The message that the text not parsed yet cannot be used as `what`, such as "month".
    fn error_at_rest(&self, what: &str) -> String {
        match self.0 {
            "" => format!("end of string before {what}"),
            rest => format!("cannot use {} as {what}", QuotedInMessage(rest)),
        }
    }

    /// Reads a number of exactly `count` digits. The error says that it cannot be used as `what`, such as "year".
    fn number(&mut self, count: usize, what: &str) -> Result<u32, String> {
        self.digits(count).ok_or_else(|| self.error_at_rest(what))
    }

    /// Reads a number of two digits from `min` to `max`. The error says that it cannot be used as `what`; as in Go, it
    /// quotes the text after a number out of range.
    fn two_digits(&mut self, min: u32, max: u32, what: &str) -> Result<u32, String> {
        let number = self.number(2, what)?;
        if (min..=max).contains(&number) { Ok(number) } else { Err(self.error_at_rest(what)) }
    }

    /// Reads the hour, from 0 to 23, and returns whether it has only one digit, which is an error later.
    fn hour(&mut self) -> Result<(u32, bool), String> {
        let has_one_digit = !self.0.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        let number = self.digits(if has_one_digit { 1 } else { 2 }).ok_or_else(|| self.hour_error())?;
        if number <= 23 { Ok((number, has_one_digit)) } else { Err(self.hour_error()) }
    }

    /// The message about an invalid hour. It depends on the text that is not parsed yet, as in cty.
    fn hour_error(&self) -> String {
        match self.0 {
            rest if rest.contains(':') => "hour must be between 0 and 23 inclusive".to_owned(),
            rest if !matches!(rest.len(), 0 | 2) => "hour must have exactly two digits".to_owned(),
            _ => self.error_at_rest("hour"),
        }
    }

    /// Reads the minute, two digits from 0 to 59.
    fn minute(&mut self) -> Result<u32, String> {
        let number = self.digits(2).ok_or_else(|| self.minute_error())?;
        if number <= 59 { Ok(number) } else { Err(self.minute_error()) }
    }

    /// The message about an invalid minute. As in cty it depends on the number of bytes not parsed yet, which for a
    /// minute out of range is the text after it.
    fn minute_error(&self) -> String {
        match self.0.len() {
            0 | 2 => self.error_at_rest("minute"),
            _ => "minute must have exactly two digits".to_owned(),
        }
    }

    /// Reads the fraction of a second, if there is one: returns its separator, `.` or `,`, and the nanoseconds. Digits
    /// after the ninth are ignored. `(None, 0)` without a fraction.
    fn fraction(&mut self) -> (Option<char>, i32) {
        let mut chars = self.0.chars();
        let point = chars.next().filter(|c| matches!(c, '.' | ','));
        let rest = chars.as_str();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if point.is_none() || end == 0 {
            return (None, 0);
        }
        let digits = rest.get(..end.min(9)).unwrap_or_default();
        self.0 = rest.get(end..).unwrap_or_default();
        (point, format!("{digits:0<9}").parse().unwrap_or(0))
    }

    /// Reads the offset from UTC: `Z`, or a sign with hours and minutes.
    fn offset(&mut self) -> Result<Offset<'a>, String> {
        if self.skip('Z') {
            return Ok(Offset { text: "", hours: 0, minutes: 0 });
        }
        let invalid = self.error_at_rest("UTC offset");
        let Some((text, rest)) = self.0.split_at_checked(6) else { return Err(invalid) };
        let is_signed = text.starts_with(['+', '-']);
        let mut parts = Rest(text.get(1..).unwrap_or_default());
        let hours = parts.digits(2).filter(|_| parts.0.starts_with(':')).ok_or_else(|| invalid.clone())?;
        parts.skip(':');
        let minutes = parts.digits(2);
        // Go's parser accepts 24 hours and 60 minutes, which cty rejects later; about more hours and minutes its
        // message quotes the text after them.
        if hours > 24 || minutes.is_some_and(|minutes| minutes > 60) {
            self.0 = rest;
            return Err(self.error_at_rest("UTC offset"));
        }
        let minutes = minutes.filter(|_| is_signed).ok_or(invalid)?;
        self.0 = rest;
        Ok(Offset { text, hours, minutes })
    }
}

/// An offset from UTC as it was parsed, which may still be out of range.
struct Offset<'a> {
    /// The text of the offset, with its sign; empty for `Z`.
    text: &'a str,
    hours: u32,
    minutes: u32,
}

impl Offset<'_> {
    /// The number of minutes ahead of UTC; an error if the hours are above 23 or the minutes above 59.
    fn minutes(&self) -> Result<i32, String> {
        if self.hours > 23 || self.minutes > 59 {
            return Err(Rest(self.text).error_at_rest("UTC offset"));
        }
        let minutes = self.hours.saturating_mul(60).saturating_add(self.minutes);
        let minutes = i32::try_from(minutes).unwrap_or(0);
        Ok(if self.text.starts_with('-') { minutes.saturating_neg() } else { minutes })
    }
}
