//! Times by RFC 3339, read strictly and with the words of cty for what is wrong.

use std::fmt;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use crate::text::QuotedInMessage;

/// A time with its offset from UTC in minutes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Timestamp {
    pub(super) civil: DateTime,
    pub(super) offset: i32,
}

impl Timestamp {
    pub(super) fn read(text: &str) -> Result<Timestamp, String> {
        let mut rest = Rest(text);
        let year = rest.number(4, "year")?;
        rest.literal('-')?;
        let month = rest.within(1, 12, "month")?;
        rest.literal('-')?;
        let day = rest.number(2, "day of month")?;
        if !rest.take('T') {
            return Err("missing required time introducer 'T'".to_owned());
        }
        let (hour, has_one_digit) = rest.hour()?;
        rest.literal(':')?;
        let minute = rest.minute()?;
        rest.literal(':')?;
        let second = rest.within(0, 59, "second")?;
        let fraction = rest.fraction();
        let offset = rest.offset()?;
        if !rest.0.is_empty() {
            return Err(rest.unfit("timestamp segment"));
        }
        let civil = narrow(year).zip(narrow(month)).zip(narrow(day)).and_then(|((year, month), day)| {
            let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
            let (hour, minute, second) =
                (i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, i8::try_from(second).ok()?);
            Some(DateTime::from_parts(date, Time::new(hour, minute, second, fraction.1).ok()?))
        });
        let civil = civil.ok_or("day out of range")?;
        // What Go reads and RFC 3339 does not have comes after all else that is wrong.
        if has_one_digit {
            return Err("hour must have exactly two digits".to_owned());
        }
        if fraction.0 == Some(',') {
            return Err("cannot use \",\" as timestamp segment".to_owned());
        }
        Ok(Timestamp { civil, offset: offset.minutes()? })
    }

    /// The time so many nanoseconds later.
    pub(super) fn after(self, nanoseconds: i64) -> Option<Timestamp> {
        let civil = self.civil.checked_add(SignedDuration::from_nanos(nanoseconds)).ok()?;
        Some(Timestamp { civil, ..self })
    }

    /// The time since the beginning of the calendar, in UTC: equal for the same instant in two time zones.
    pub(super) fn instant(self) -> SignedDuration {
        let local = self.civil.duration_since(DateTime::MIN);
        local.saturating_sub(SignedDuration::from_mins(self.offset.into()))
    }

    /// `±hh:mm`, with this between hours and minutes.
    pub(super) fn offset_text(&self, between: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs();
        let (hours, minutes) = (minutes.checked_div(60).unwrap_or(0), minutes.checked_rem(60).unwrap_or(0));
        format!("{sign}{hours:02}{between}{minutes:02}")
    }
}

fn narrow(number: u32) -> Option<i16> {
    i16::try_from(number).ok()
}

/// Without what is below a second.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = (self.civil.date(), self.civil.time());
        write!(f, "{:04}-{:02}-{:02}T", date.year(), date.month(), date.day())?;
        write!(f, "{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())?;
        if self.offset == 0 { f.write_str("Z") } else { f.write_str(&self.offset_text(":")) }
    }
}

/// What has not been read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn take(&mut self, c: char) -> bool {
        let rest = self.0.strip_prefix(c);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn literal(&mut self, c: char) -> Result<(), String> {
        match self.take(c) {
            true => Ok(()),
            false if self.0.is_empty() => Err(format!("end of string where \"{c}\" is expected")),
            false => Err(format!("found {} where \"{c}\" is expected", QuotedInMessage(self.0))),
        }
    }

    /// The number that so many digits make, which come next.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
        self.0 = rest;
        Some(number)
    }

    fn unfit(&self, what: &str) -> String {
        match self.0 {
            "" => format!("end of string before {what}"),
            rest => format!("cannot use {} as {what}", QuotedInMessage(rest)),
        }
    }

    fn number(&mut self, count: usize, what: &str) -> Result<u32, String> {
        self.digits(count).ok_or_else(|| self.unfit(what))
    }

    /// A number of two digits. What is told of one that is too large is what follows it.
    fn within(&mut self, least: u32, most: u32, what: &str) -> Result<u32, String> {
        let number = self.number(2, what)?;
        if (least..=most).contains(&number) { Ok(number) } else { Err(self.unfit(what)) }
    }

    /// The hour, and whether it has one digit only.
    fn hour(&mut self) -> Result<(u32, bool), String> {
        let has_one_digit = !self.0.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        let number = self.digits(if has_one_digit { 1 } else { 2 }).ok_or_else(|| self.unfit_hour())?;
        if number <= 23 { Ok((number, has_one_digit)) } else { Err(self.unfit_hour()) }
    }

    fn unfit_hour(&self) -> String {
        match self.0 {
            rest if rest.contains(':') => "hour must be between 0 and 23 inclusive".to_owned(),
            rest if !matches!(rest.len(), 0 | 2) => "hour must have exactly two digits".to_owned(),
            _ => self.unfit("hour"),
        }
    }

    fn minute(&mut self) -> Result<u32, String> {
        let number = self.digits(2).ok_or_else(|| self.unfit_minute())?;
        if number <= 59 { Ok(number) } else { Err(self.unfit_minute()) }
    }

    /// cty counts what is left, also behind a minute of two digits that is too large.
    fn unfit_minute(&self) -> String {
        match self.0.len() {
            0 | 2 => self.unfit("minute"),
            _ => "minute must have exactly two digits".to_owned(),
        }
    }

    /// Nanoseconds, and what stands before them. Further digits do not count.
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

    fn offset(&mut self) -> Result<Offset<'a>, String> {
        if self.take('Z') {
            return Ok(Offset { text: "", hours: 0, minutes: 0 });
        }
        let unfit = self.unfit("UTC offset");
        let Some((text, rest)) = self.0.split_at_checked(6) else { return Err(unfit) };
        let signed = text.starts_with(['+', '-']);
        let mut parts = Rest(text.get(1..).unwrap_or_default());
        let hours = parts.digits(2).filter(|_| parts.0.starts_with(':')).ok_or_else(|| unfit.clone())?;
        parts.take(':');
        let minutes = parts.digits(2);
        // Go allows 24 hours and 60 minutes, which are found out later; what it says of more is what follows them.
        if hours > 24 || minutes.is_some_and(|minutes| minutes > 60) {
            self.0 = rest;
            return Err(self.unfit("UTC offset"));
        }
        let minutes = minutes.filter(|_| signed).ok_or(unfit)?;
        self.0 = rest;
        Ok(Offset { text, hours, minutes })
    }
}

/// An offset from UTC as it was read.
struct Offset<'a> {
    text: &'a str,
    hours: u32,
    minutes: u32,
}

impl Offset<'_> {
    /// In minutes; an error for one of a day or more.
    fn minutes(&self) -> Result<i32, String> {
        if self.hours > 23 || self.minutes > 59 {
            return Err(Rest(self.text).unfit("UTC offset"));
        }
        let minutes = self.hours.saturating_mul(60).saturating_add(self.minutes);
        let minutes = i32::try_from(minutes).unwrap_or(0);
        Ok(if self.text.starts_with('-') { minutes.saturating_neg() } else { minutes })
    }
}
